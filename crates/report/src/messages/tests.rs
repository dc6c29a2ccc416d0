//! One fault of each: a sentence that changes is seen here.

use super::{fault_sentence, message};
use crate::describe::Describer;
use crate::names::{Names, Spot};
use norn_action::{
    Address, BadAccess, BadCall, BadFree, BadJoin, BadSync, Claim, ConstantWrite, Division, End,
    Ending, Exception, Fault, Inside, Miss, Misuse, Near, ObjectKind, Place, Stuck, SyncObject,
    ThreadId, Undefined, Unwritten, Wrong,
};
use norn_explore::Violation;
use norn_graph::{Graph, Locations};
use std::sync::Arc;

/// Names after which one sees what was asked for.
struct Named;

impl Names for Named {
    fn spot(&self, _: Place) -> Option<Spot> {
        None
    }

    fn variable(&self, _: &Graph, address: Address, _: u8) -> String {
        format!("v{}", address.0)
    }

    fn private(&self, inside: &Inside) -> String {
        format!("p{}.{}", inside.start.0, inside.offset)
    }

    fn short_thread(&self, thread: ThreadId) -> String {
        format!("T{}", thread.0)
    }
}

const AT: Address = Address(16);

/// Each sentence, behind the name of its kind.
fn check(table: &[(Wrong, &str)]) {
    for (what, expected) in table {
        let fault = Fault::new(what.clone(), Place::NONE);
        let said = fault_sentence(&fault, &Named, &Graph::new(1));
        assert_eq!(format!("{}: {said}", what.kind()), *expected, "{what:?}");
    }
}

fn access(writes: Option<bool>, miss: Miss) -> Wrong {
    BadAccess { address: AT, size: 4, writes, miss }.into()
}

#[test]
fn accesses() {
    let (read, write) = (Some(false), Some(true));
    let near = |start| Near {
        kind: ObjectKind::Stack,
        place: Place::NONE,
        start: Address(start),
        size: 8,
    };
    let before = Miss::Before(near(20));
    let past = |start| Miss::Past(near(start));
    check(&[
        (access(None, Miss::Null), "null_pointer: access at address 0x10"),
        (access(None, Miss::NoObject), "wild_pointer: 0x10 points to no object"),
        (access(read, Miss::NoObject), "wild_pointer: read of 4 bytes at 0x10 is to no object"),
        (access(None, Miss::Function), "wild_pointer: 0x10 is a function"),
        (
            access(None, before),
            "out_of_bounds: 4 bytes, 4 before the start of p20.0, which has 8 bytes",
        ),
        (
            access(write, before),
            "out_of_bounds: write of 4 bytes is 4 bytes before the start of p20.0, which has 8 bytes",
        ),
        (
            access(None, past(10)),
            "out_of_bounds: 4 bytes at offset 6 of p10.0, which has 8 bytes: 2 past its end",
        ),
        (
            access(read, past(10)),
            "out_of_bounds: read of 4 bytes reaches 2 bytes past the end of p10.0",
        ),
        (
            access(write, past(4)),
            "out_of_bounds: write of 4 bytes is past the end of p4.0, which has 8 bytes",
        ),
        (
            access(None, Miss::NotOneVariable),
            "out_of_bounds: 4 bytes at 0x10 do not lie within one variable",
        ),
        (
            access(None, Miss::Over(End::Return)),
            "use_after_return: what was a local variable here is gone: its scope has ended",
        ),
        (access(None, Miss::Over(End::Free)), "use_after_free: this memory was freed before"),
        (
            End::Return.into(),
            "use_after_return: accesses a local variable whose function may have returned",
        ),
        (End::Free.into(), "use_after_free: accesses memory that may have been freed"),
        (Wrong::Race, "data_race: two accesses are not ordered"),
        (ConstantWrite::Store(AT).into(), "read_only_write: v16 is constant"),
        (ConstantWrite::Copy.into(), "read_only_write: a copy to constant memory"),
        (ConstantWrite::Fill.into(), "read_only_write: constant memory is filled"),
    ]);
}

#[test]
fn frees_and_what_was_never_written() {
    let mismatch = |from, by| Wrong::from(BadFree::Mismatch { address: AT, from, by });
    let (heap, new, array) = (ObjectKind::Heap, ObjectKind::New, ObjectKind::NewArray);
    let inside = Inside { kind: heap, place: Place::NONE, start: AT, offset: 3 };
    check(&[
        (
            BadFree::NotAllocated(AT).into(),
            "invalid_free: the address 0x10 is not the start of memory that the allocator returned",
        ),
        (BadFree::Twice(AT).into(), "double_free: this memory was freed before"),
        (
            mismatch(heap, new),
            "invalid_free: v16, which is memory from malloc, is given back by delete",
        ),
        (
            mismatch(heap, array),
            "invalid_free: v16, which is memory from malloc, is given back by delete[]",
        ),
        (mismatch(new, heap), "invalid_free: v16, which is memory from new, is given back by free"),
        (
            mismatch(array, new),
            "invalid_free: v16, which is memory from new[], is given back by delete",
        ),
        (
            Unwritten::Local("x".into()).into(),
            "uninitialised_read: x is read before anything was written to it",
        ),
        (
            Unwritten::Private(inside).into(),
            "uninitialised_read: p16.3 is read before anything was written to it",
        ),
        (
            Unwritten::Shared(AT).into(),
            "uninitialised_read: v16 is read before anything was written to it",
        ),
    ]);
}

#[test]
fn synchronisation() {
    let misused = |object, how| Wrong::from(BadSync::Misused { object, address: AT, how });
    let attributes = |destroyed| Wrong::from(BadSync::NoAttributes { address: AT, destroyed });
    let thread = ThreadId(2);
    check(&[
        (
            misused(SyncObject::Mutex, Misuse::InitialisedInUse),
            "invalid_sync: the mutex v16 is initialised while it is in use",
        ),
        (
            misused(SyncObject::RwLock, Misuse::DestroyedHeld),
            "invalid_sync: the reader-writer lock v16 is destroyed while it is held",
        ),
        (
            misused(SyncObject::Condition, Misuse::DestroyedAwaited),
            "invalid_sync: the condition variable v16 is destroyed while threads wait for it",
        ),
        (
            misused(SyncObject::SpinLock, Misuse::Destroyed),
            "invalid_sync: the spin lock v16 was destroyed before",
        ),
        (
            misused(SyncObject::Semaphore, Misuse::NeverInitialised),
            "invalid_sync: the semaphore v16 was never initialised",
        ),
        (
            misused(SyncObject::Barrier, Misuse::NeverInitialised),
            "invalid_sync: the barrier v16 was never initialised",
        ),
        (attributes(true), "invalid_sync: the attributes v16 were destroyed before"),
        (attributes(false), "invalid_sync: the attributes v16 were never initialised"),
        (
            BadSync::DifferentMutexes(AT).into(),
            "invalid_sync: threads wait for v16 with different mutexes",
        ),
        (
            BadSync::NotHeld { thread, lock: AT }.into(),
            "unlock_not_held: T2 unlocks v16 but does not hold it",
        ),
        (
            BadSync::EndsHeld(thread).into(),
            "invalid_sync: a mutex of the C++ library ends while T2 holds it",
        ),
        (
            BadSync::HolderEnds(thread).into(),
            "invalid_sync: T2 ends while it holds a mutex of the C++ library",
        ),
        (
            BadSync::LockedAgain(thread).into(),
            "invalid_sync: T2 tries to lock a mutex that it holds",
        ),
        (
            BadSync::NoKey(7).into(),
            "invalid_sync: 0x7 is no key: none was made, or its number is not known yet",
        ),
        (
            BadSync::KeyDeleted.into(),
            "invalid_sync: the key of a thread-specific value was deleted before",
        ),
    ]);
}

#[test]
fn joins_and_waits() {
    let thread = ThreadId(2);
    check(&[
        (BadJoin::NoHandle(9).into(), "invalid_join: 0x9 names no thread"),
        (BadJoin::NoThread(thread).into(), "invalid_join: there is no such thread"),
        (BadJoin::Joined(thread).into(), "invalid_join: T2 was joined before"),
        (BadJoin::Gone(thread).into(), "invalid_join: T2 was joined or detached before"),
        (Stuck::Threads.into(), "deadlock: a thread waits for ever"),
        (Stuck::Spinning.into(), "livelock: a thread waits for a value that never comes"),
        (Stuck::OwnEnd.into(), "deadlock: a thread waits for its own end"),
        (
            Stuck::LonelyBarrier(AT).into(),
            "deadlock: a thread waits at the barrier v16, which no other thread knows",
        ),
        (Stuck::LonelyValue.into(), "deadlock: a thread waits for what no other thread can do"),
        (
            Stuck::LonelyLock(AT).into(),
            "deadlock: a thread waits for v16, which no other thread can release",
        ),
    ]);
}

#[test]
fn claims_calls_and_endings() {
    let state = |satisfies| Wrong::from(Claim::FinalState { outcome: "x=1".into(), satisfies });
    let uncaught = |exception| Wrong::from(Ending::Uncaught(exception));
    check(&[
        (Claim::Assert("x > 0".into()).into(), "assertion: assertion `x > 0` failed"),
        (Claim::Assert("\u{1b}[31m".into()).into(), "assertion: assertion `?[31m` failed"),
        (Claim::Condition.into(), "assertion: the condition of an assertion does not hold"),
        (Claim::LibraryCheck("p".into()).into(), "assertion: the library's check `p` failed"),
        (
            state(true),
            "assertion: the final state x=1 satisfies the condition, which must not happen",
        ),
        (
            state(false),
            "assertion: the final state x=1 does not satisfy the condition, which all must",
        ),
        (Claim::NoError.into(), "reach_error: an error location was reached"),
        (Division::ByZero.into(), "division_by_zero: division by zero"),
        (
            Division::Overflow.into(),
            "division_by_zero: the quotient of the least number and -1 overflows",
        ),
        (BadCall::Null.into(), "null_pointer: call of a null function pointer"),
        (BadCall::NoFunction(AT).into(), "wild_pointer: call of 0x10, which is no function"),
        (BadCall::NoDestructor.into(), "wild_pointer: the destructor of a key is no function"),
        (Ending::Abort.into(), "abort: abort was called"),
        (Ending::Terminate.into(), "abort: std::terminate was called"),
        (
            uncaught(Exception::BadAlloc),
            "uncaught_exception: std::bad_alloc is thrown, and nobody catches it",
        ),
        (
            uncaught(Exception::JoinsNothing),
            "uncaught_exception: std::system_error of std::thread::join, called for no thread, is \
             thrown, and nobody catches it",
        ),
        (
            uncaught(Exception::DetachesNothing),
            "uncaught_exception: std::system_error of std::thread::detach, called for no thread, is \
             thrown, and nobody catches it",
        ),
        (
            uncaught(Exception::Said("full".into())),
            "uncaught_exception: an exception (full) is thrown, and nobody catches it",
        ),
        (
            uncaught(Exception::Unknown),
            "uncaught_exception: an exception is thrown, and nobody catches it",
        ),
    ]);
}

#[test]
fn undefined_behaviour() {
    let table = [
        (Undefined::Unreachable, "code that must not be reached"),
        (Undefined::Trap, "a trap was reached"),
        (Undefined::NoLabel, "a computed goto to something that is no label"),
        (Undefined::WrongType(AT), "`v16` is called with a type that is not its own"),
        (Undefined::TooFewArguments(AT), "v16 is called with too few arguments"),
        (Undefined::PureVirtual, "call of a pure virtual function"),
        (Undefined::TooDeep(10), "stack overflow: more than 10 calls deep"),
        (Undefined::StackOverflow, "stack overflow"),
        (Undefined::NoRoom, "no room for a thread-local"),
        (Undefined::Misaligned(AT), "misaligned atomic access at 0x10"),
        (Undefined::Overlap { length: 8, apart: 4 }, "memcpy of 8 bytes between places 4 apart"),
        (Undefined::Shift, "the result of a shift by the width of the number or more is used"),
        (
            Undefined::NothingToChoose { low: 2, high: -1 },
            "norn_choose(2, -1): there is nothing to choose from",
        ),
    ];
    for (what, said) in table {
        check(&[(what.into(), &format!("undefined_behaviour: {said}"))]);
    }
}

/// A sentence stands behind the title of its kind, unless it names the kind or the variable itself.
#[test]
fn titles() {
    let table: [(Wrong, &str); 7] = [
        (Claim::Assert("x".into()).into(), "assertion `x` failed"),
        (Claim::NoError.into(), "error reached: an error location was reached"),
        (Ending::Abort.into(), "abort was called"),
        (Ending::Terminate.into(), "abort: std::terminate was called"),
        (Division::ByZero.into(), "division by zero"),
        (Stuck::OwnEnd.into(), "deadlock: T0 waits for its own end"),
        (
            Unwritten::Shared(AT).into(),
            "uninitialised read of `v16`: read before anything was written to it",
        ),
    ];
    for (what, expected) in table {
        let violation = Violation {
            fault: Fault::new(what, Place::NONE),
            thread: ThreadId::MAIN,
            event: None,
            other: None,
            waiting: Vec::new(),
            graph: Graph::new(1),
            locations: Arc::new(Locations::default()),
            after: 0,
            beyond_bound: false,
            at: norn_explore::Position::default(),
        };
        let describer = Describer::new(&violation, &Named);
        assert_eq!(message(&violation, &describer), expected);
    }
}

/// Checkpoints hold faults and what could not be run.
#[test]
fn faults_survive_serialisation() {
    let faults = [
        Fault::new(Claim::Assert("\"x\"".into()), Place(1)),
        Fault::new(BadAccess { address: AT, size: 4, writes: None, miss: Miss::Null }, Place(2)),
        Fault::new(BadSync::NotHeld { thread: ThreadId(1), lock: AT }, Place(3)),
        Fault::new(Wrong::Race, Place::NONE),
    ];
    for fault in faults {
        let text = serde_json::to_string(&fault).expect("a fault can be written");
        assert_eq!(serde_json::from_str::<Fault>(&text).expect("and read"), fault);
    }
}
