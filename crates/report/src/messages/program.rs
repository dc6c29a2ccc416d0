//! Sentences on everything that is about neither memory nor threads.

use super::Lookup;
use crate::wrap::printable;
use norn_action::{BadCall, Claim, Division, Ending, Exception, Undefined};

pub(super) fn claim(claim: &Claim) -> String {
    match claim {
        Claim::Assert(expression) => format!("assertion `{}` failed", printable(expression)),
        Claim::Condition => "the condition of an assertion does not hold".to_owned(),
        Claim::LibraryCheck(expression) => {
            format!("the library's check `{}` failed", printable(expression))
        }
        Claim::Requirement(requirement) => {
            format!("wrong use of `{}`: {}", requirement.operation, requirement.violated)
        }
        Claim::NotAllowed(end) => {
            format!("with the library itself, no execution ends with {end}")
        }
        Claim::FinalState { outcome, satisfies: true } => {
            format!("the final state {outcome} satisfies the condition, which must not happen")
        }
        Claim::FinalState { outcome, satisfies: false } => {
            format!("the final state {outcome} does not satisfy the condition, which all must")
        }
        Claim::NoError => "an error location was reached".to_owned(),
    }
}

pub(super) fn division(division: Division) -> &'static str {
    match division {
        Division::ByZero => "division by zero",
        Division::Overflow => "the quotient of the least number and -1 overflows",
    }
}

pub(super) fn call(call: BadCall) -> String {
    match call {
        BadCall::Null => "call of a null function pointer".to_owned(),
        BadCall::NoFunction(address) => format!("call of {address}, which is no function"),
        BadCall::NoDestructor => "the destructor of a key is no function".to_owned(),
    }
}

pub(super) fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Abort => "abort was called".to_owned(),
        Ending::Terminate => "std::terminate was called".to_owned(),
        Ending::Uncaught(what) => format!("{} is thrown, and nobody catches it", exception(what)),
    }
}

fn exception(exception: &Exception) -> String {
    let refused = |call| format!("std::system_error of std::thread::{call}, called for no thread,");
    match exception {
        Exception::BadAlloc => "std::bad_alloc".to_owned(),
        Exception::JoinsNothing => refused("join"),
        Exception::DetachesNothing => refused("detach"),
        Exception::Said(text) => format!("an exception ({text})"),
        Exception::Unknown => "an exception".to_owned(),
    }
}

pub(super) fn undefined(undefined: Undefined, lookup: &Lookup<'_>) -> String {
    match undefined {
        Undefined::Unreachable => "code that must not be reached".to_owned(),
        Undefined::Trap => "a trap was reached".to_owned(),
        Undefined::NoLabel => "a computed goto to something that is no label".to_owned(),
        Undefined::WrongType(function) => {
            format!("`{}` is called with a type that is not its own", lookup.object(function))
        }
        Undefined::TooFewArguments(function) => {
            format!("{} is called with too few arguments", lookup.object(function))
        }
        Undefined::PureVirtual => "call of a pure virtual function".to_owned(),
        Undefined::TooDeep(limit) => format!("stack overflow: more than {limit} calls deep"),
        Undefined::StackOverflow => "stack overflow".to_owned(),
        Undefined::NoRoom => "no room for a thread-local".to_owned(),
        Undefined::Misaligned(address) => format!("misaligned atomic access at {address}"),
        Undefined::Overlap { length, apart } => {
            format!("memcpy of {length} bytes between places {apart} apart")
        }
        Undefined::Shift => {
            "the result of a shift by the width of the number or more is used".to_owned()
        }
        Undefined::NothingToChoose { low, high } => {
            format!("norn_choose({low}, {high}): there is nothing to choose from")
        }
    }
}
