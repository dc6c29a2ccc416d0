//! Sentences on what cannot be run: what was found, and what the user can do.

use norn_action::{Conversion, Obstacle, RmwOp, ThreadId};

/// What cannot be run, in one sentence.
pub fn obstacle_sentence(what: &Obstacle) -> String {
    match what {
        Obstacle::Instruction(what) => format!(
            "{what} cannot be run: replace it in the source, or keep the program from reaching it"
        ),
        Obstacle::UnknownFunction(name) => format!(
            "call of `{name}`, which has no body and is not a function that Norn provides; give its \
             source file too, or write a replacement"
        ),
        Obstacle::MixedSizes(one, other) => format!(
            "accesses of {one} and {other} bytes overlap, and the larger one cannot be made in parts"
        ),
        Obstacle::AtomicSize(size) => format!("an atomic access of {size} bytes"),
        Obstacle::TooManyThreads => format!("more than {} threads", ThreadId::MOST),
        Obstacle::NoSuchThread => {
            format!("more than {} threads, or one that nobody started", ThreadId::MOST)
        }
        Obstacle::CrowdedBarrier(count) => {
            format!("more than the {count} threads that the barrier was made for meet at it")
        }
        Obstacle::LateWaiter => {
            format!(
                "condition variables and futexes know the first {} threads only",
                RmwOp::MEMBERS
            )
        }
        Obstacle::SystemCall(number) => {
            format!("system call {number}; call the function of the library, if there is one")
        }
        Obstacle::Futex(operation) => format!(
            "operation {operation} on a futex: only WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAIT_BITSET and \
             WAKE_BITSET are known"
        ),
        Obstacle::TooManyFutexes(most) => format!("more than {most} futexes"),
        Obstacle::ExitHandlers(most) => format!("more than {most} functions to call at exit"),
        Obstacle::Conversion(Conversion::Printf, letter) => {
            format!("printf conversion `%{}`", char::from(*letter))
        }
        Obstacle::Conversion(Conversion::Sscanf, letter) => {
            format!("sscanf conversion `%{}`", char::from(*letter))
        }
        Obstacle::SilentLoop(limit) => format!(
            "loops and calls took {limit} steps without a visible action; if they end at all, make \
             them shorter"
        ),
        Obstacle::EndlessThread(steps) => format!(
            "a thread took {steps} steps and is still going on: a loop that does not end? --unroll N \
             looks at its first N iterations"
        ),
        Obstacle::NoMain => "the program has no function `main`".to_owned(),
        Obstacle::Disguised => "a thread reaches an object of another one by an address that was \
                                handed over in disguise (xored, in parts); hand over the pointer as \
                                it is"
            .to_owned(),
        Obstacle::WritersFirst => "a reader-writer lock that prefers writers: readers would wait \
                                   for a writer that waits"
            .to_owned(),
        Obstacle::TooManyKeys => "too many keys or functions for keys".to_owned(),
        Obstacle::LeavesLibrary => "an exception leaves a function that the library calls, such as \
                                    the comparison of qsort, and is caught behind it; catch it within"
            .to_owned(),
        Obstacle::UnknownException => "an exception, or a conversion of one, whose type is not known; \
                                       give the source file too that has the type"
            .to_owned(),
        Obstacle::OnceWithoutVariable => {
            "std::call_once without its thread-local variable".to_owned()
        }
        Obstacle::OutputToFile => {
            "output to a file; only stdout and stderr are known".to_owned()
        }
        Obstacle::SharedArguments => "va_start of a va_list that other threads can see".to_owned(),
        Obstacle::LargeChoice => "a choice among more than 4,294,967,296 numbers".to_owned(),
        Obstacle::UnboundedChoice => {
            "a choice among all numbers of a type; use norn_choose(low, high) to bound it".to_owned()
        }
        Obstacle::TimedLoop => "a loop that waits for time to pass: time does not pass by itself \
                                here; wait for a value, or take the clock out of the loop"
            .to_owned(),
        Obstacle::TornAccess => {
            "an atomic access is made in parts because others access some of its bytes only; something is \
             wrong with an execution in which the parts are perhaps not one step"
                .to_owned()
        }
        Obstacle::PartsUnderRf => "bytes that are accessed atomically in several sizes under the \
                                   algorithms rf, rvf and await: use --algorithm trust"
            .to_owned(),
        Obstacle::SectionsUnderRf => {
            "atomic sections under the algorithms rf, rvf and await: use --algorithm trust".to_owned()
        }
        Obstacle::StoppedInExecution => {
            "an execution that was not looked at to its end before the search was stopped: start the \
             check again"
                .to_owned()
        }
        Obstacle::DamagedCheckpoint => {
            "a part of the saved search that does not fit the program: start the check again"
                .to_owned()
        }
        Obstacle::LostCall => "a frame of the runtime without its call".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each: a sentence that changes is seen here.
    #[test]
    fn obstacles() {
        let table = [
            (
                Obstacle::Instruction("inline assembly".into()),
                "inline assembly cannot be run: replace it in the source, or keep the program from \
                 reaching it",
            ),
            (
                Obstacle::UnknownFunction("f".into()),
                "call of `f`, which has no body and is not a function that Norn provides; give its \
                 source file too, or write a replacement",
            ),
            (Obstacle::NoMain, "the program has no function `main`"),
            (
                Obstacle::MixedSizes(4, 8),
                "accesses of 4 and 8 bytes overlap, and the larger one cannot be made in parts",
            ),
            (
                Obstacle::TornAccess,
                "an atomic access is made in parts because others access some of its bytes only; \
                 something is wrong with an execution in which the parts are perhaps not one step",
            ),
            (
                Obstacle::PartsUnderRf,
                "bytes that are accessed atomically in several sizes under the algorithms rf, rvf \
                 and await: use --algorithm trust",
            ),
            (
                Obstacle::Disguised,
                "a thread reaches an object of another one by an address that was handed over in \
                 disguise (xored, in parts); hand over the pointer as it is",
            ),
            (Obstacle::AtomicSize(3), "an atomic access of 3 bytes"),
            (Obstacle::TooManyThreads, "more than 2047 threads"),
            (Obstacle::NoSuchThread, "more than 2047 threads, or one that nobody started"),
            (
                Obstacle::CrowdedBarrier(2),
                "more than the 2 threads that the barrier was made for meet at it",
            ),
            (
                Obstacle::SystemCall(0),
                "system call 0; call the function of the library, if there is one",
            ),
            (
                Obstacle::Futex(6),
                "operation 6 on a futex: only WAIT, WAKE, REQUEUE, CMP_REQUEUE, WAIT_BITSET and WAKE_BITSET \
                 are known",
            ),
            (Obstacle::TooManyFutexes(512), "more than 512 futexes"),
            (
                Obstacle::LateWaiter,
                "condition variables and futexes know the first 40 threads only",
            ),
            (
                Obstacle::WritersFirst,
                "a reader-writer lock that prefers writers: readers would wait for a writer that waits",
            ),
            (Obstacle::ExitHandlers(32), "more than 32 functions to call at exit"),
            (Obstacle::TooManyKeys, "too many keys or functions for keys"),
            (
                Obstacle::LeavesLibrary,
                "an exception leaves a function that the library calls, such as the comparison of qsort, \
                 and is caught behind it; catch it within",
            ),
            (
                Obstacle::UnknownException,
                "an exception, or a conversion of one, whose type is not known; give the source file too \
                 that has the type",
            ),
            (Obstacle::OnceWithoutVariable, "std::call_once without its thread-local variable"),
            (Obstacle::Conversion(Conversion::Printf, b'k'), "printf conversion `%k`"),
            (Obstacle::Conversion(Conversion::Sscanf, b'['), "sscanf conversion `%[`"),
            (Obstacle::OutputToFile, "output to a file; only stdout and stderr are known"),
            (Obstacle::SharedArguments, "va_start of a va_list that other threads can see"),
            (Obstacle::LargeChoice, "a choice among more than 4,294,967,296 numbers"),
            (
                Obstacle::UnboundedChoice,
                "a choice among all numbers of a type; use norn_choose(low, high) to bound it",
            ),
            (
                Obstacle::SilentLoop(9),
                "loops and calls took 9 steps without a visible action; if they end at all, make \
                 them shorter",
            ),
            (
                Obstacle::TimedLoop,
                "a loop that waits for time to pass: time does not pass by itself here; wait for a \
                 value, or take the clock out of the loop",
            ),
            (
                Obstacle::EndlessThread(9),
                "a thread took 9 steps and is still going on: a loop that does not end? --unroll N \
                 looks at its first N iterations",
            ),
            (
                Obstacle::StoppedInExecution,
                "an execution that was not looked at to its end before the search was stopped: start \
                 the check again",
            ),
            (
                Obstacle::SectionsUnderRf,
                "atomic sections under the algorithms rf, rvf and await: use --algorithm trust",
            ),
            (
                Obstacle::DamagedCheckpoint,
                "a part of the saved search that does not fit the program: start the check again",
            ),
            (Obstacle::LostCall, "a frame of the runtime without its call"),
        ];
        for (what, said) in table {
            assert_eq!(obstacle_sentence(&what), said, "{what:?}");
        }
    }
}
