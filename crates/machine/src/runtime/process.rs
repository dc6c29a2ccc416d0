//! The life of the process: `main`, exit, abort, assertions.
//!
//! The process ends when `main` returns or somebody calls `exit`: thread-local objects of that thread are
//! destroyed, the functions of `atexit` run, newest first, then global destructors, then
//! [`Action::Exit`]. Nobody can notice that last step, so the other threads are run to their own ends as
//! if it came after all they do; who still waits then waits for nothing. Whoever calls `exit` second
//! waits until the first has ended the process. When `main` ends by `pthread_exit`, it ends the process
//! once all other threads have ended ([`Action::Last`]): the handlers then run in the main thread,
//! although it is the last thread that runs them in reality.
//!
//! What `atexit` registered is kept in cells below the globals, behind a lock: any thread may register,
//! and any may run them. As long as there is one thread only, that costs no action; nor does it in a
//! program that registers nothing.

use super::context::int;
use super::mutex::{self, Patience};
use super::{Cx, Entry, threads};
use crate::thread::Stop;
use crate::vm::EXIT_HANDLERS;
use norn_action::{Action, Claim, Ending, Mode, Obstacle, Value};
use norn_program::Program;

/// The lock of the list of handlers, and of ending the process.
const LOCK: u64 = EXIT_HANDLERS;
const CLAIM: u64 = EXIT_HANDLERS + 8;
/// How many handlers there are, and the handlers: a function and its argument each.
const COUNT: u64 = EXIT_HANDLERS + 16;
const ENTRIES: u64 = EXIT_HANDLERS + 32;
const MOST_HANDLERS: u64 = 1024;
/// Bytes of these cells.
pub(crate) const HANDLERS_SIZE: u64 = 32 + 16 * MOST_HANDLERS;

/// How the processes of a program end, as far as the functions that it names tell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exits {
    /// Whether anything can have to be called at the end.
    pub has_handlers: bool,
    /// Whether it need not be `main` that ends the process.
    pub from_anywhere: bool,
}

impl Exits {
    pub(crate) fn of(program: &Program) -> Exits {
        let names = |list: &[&str]| {
            program.externals.iter().any(|external| list.contains(&external.name.as_str()))
        };
        Exits {
            has_handlers: names(&["atexit", "__cxa_atexit"]) || !program.destructors.is_empty(),
            from_anywhere: names(&["exit"]),
        }
    }
}

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("exit", "runs the functions of atexit and ends the process", exit),
    ("_exit", "ends the process at once", quick_exit),
    ("_Exit", "ends the process at once", quick_exit),
    ("quick_exit", "ends the process at once", quick_exit),
    ("atexit", "a function to be called at exit", at_exit),
    ("__cxa_atexit", "a destructor to be called at exit", cxa_at_exit),
    (
        "__cxa_thread_atexit",
        "a destructor of a thread-local, called at the thread's end",
        at_thread_exit,
    ),
    (
        "__cxa_thread_atexit_impl",
        "a destructor of a thread-local, called at the thread's end",
        at_thread_exit,
    ),
    ("__cxa_finalize", "accepted; has no effect", threads::nothing),
    ("abort", "ends the process abnormally: a fault", abort),
    ("__assert_fail", "what assert calls when it fails (glibc)", assert_fail),
    ("__assert_rtn", "what assert calls when it fails (macOS)", assert_rtn),
    ("__assert", "what assert calls when it fails (BSD)", assert_bsd),
    ("__errno_location", "the address of errno", errno_location),
    ("getenv", "always null: the environment is empty", threads::nothing),
    ("setenv", "accepted; has no effect", threads::nothing),
    ("getpid", "always 1", one),
    ("signal", "accepted; signals are never delivered", threads::nothing),
    ("setlocale", "always null: there is only the C locale", threads::nothing),
    ("sysconf", "always 4: as many processors", four),
    ("get_nprocs", "always 4", four),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "atexit",
    "__cxa_atexit",
    "__cxa_thread_atexit",
    "__cxa_thread_atexit_impl",
    "__cxa_finalize",
    "abort",
    "__errno_location",
    "getpid",
    "signal",
    "sysconf",
    "get_nprocs",
    "getenv",
    "setenv",
    "setlocale",
];

/// Root of the main thread: constructors, `main`, exit.
pub(crate) fn main_thread(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let program = &cx.vm.program;
    let Some(main) = program.main else {
        return Err(cx.unsupported(Obstacle::NoMain));
    };
    for &constructor in &program.constructors {
        let (value, exited) = cx.call_start(Program::function_address(constructor), &[], false)?;
        if exited {
            return outlive(cx, value);
        }
    }
    let params = program.functions[main.index()].params;
    let args = if params > 0 { arguments(cx)? } else { [0; 3] };
    let args = &args[..(params as usize).min(3)];
    let (code, exited) = cx.call_start(Program::function_address(main), args, true)?;
    if exited {
        return outlive(cx, code);
    }
    let code = if program.functions[main.index()].results == 0 { 0 } else { code };
    leave_process(cx, code as i32)
}

/// `argc`, `argv` and `envp`, in memory of the main thread.
fn arguments(cx: &mut Cx<'_>) -> Result<[u64; 3], Stop> {
    let list = &cx.vm.config.arguments;
    let array = cx.allocate(8 * (list.len() as u64 + 2), 16, true)?;
    for (i, text) in list.iter().enumerate() {
        let copy = cx.allocate(text.len() as u64 + 1, 1, true)?;
        cx.write_bytes(copy, text.as_bytes())?;
        cx.store(array + 8 * i as u64, 8, Mode::Plain, copy)?;
    }
    let count = list.len() as u64;
    Ok([count, array, array + 8 * (count + 1)])
}

/// The main thread has ended, but not by returning: the process ends with the last of its threads.
fn outlive(cx: &mut Cx<'_>, value: u128) -> Result<u128, Stop> {
    threads::wind_up(cx)?;
    if !cx.vm.exit.has_handlers {
        return threads::end(cx, value);
    }
    cx.step(|_, t| t.before_escape(u128::from(value as u64)).map(|()| 0))?;
    let (value, place) = (Value(value), cx.t.place());
    while cx.t.memory.shared && cx.act(Action::Last { value, place })? != 0 {}
    leave_process(cx, 0)
}

/// Ends thread-local objects, runs what `atexit` registered, newest first, then destructors, then ends.
fn leave_process(cx: &mut Cx<'_>, code: i32) -> Result<u128, Stop> {
    run_thread_destructors(cx)?;
    if cx.vm.exit.has_handlers {
        if cx.vm.exit.from_anywhere && !mutex::holds(cx, CLAIM, 0)? {
            mutex::acquire(cx, CLAIM, Patience::Wait)?;
        }
        while let Some((function, argument)) = next_handler(cx)? {
            cx.call(function, &[argument])?;
        }
        let program = &cx.vm.program;
        for &destructor in &program.destructors {
            cx.call(Program::function_address(destructor), &[])?;
        }
    }
    end(cx, code)
}

/// Takes the newest handler off the list: a function and its argument.
fn next_handler(cx: &mut Cx<'_>) -> Result<Option<(u64, u64)>, Stop> {
    mutex::acquire(cx, LOCK, Patience::Wait)?;
    let count = count(cx)?;
    let mut found = None;
    if count > 0 {
        let entry = ENTRIES + 16 * (count - 1);
        found = Some((cx.load(entry, 8, Mode::Plain)?, cx.load(entry + 8, 8, Mode::Plain)?));
        cx.store(COUNT, 8, Mode::Plain, count - 1)?;
    }
    mutex::release(cx, LOCK)?;
    Ok(found)
}

/// How many handlers there are. A program that writes where it should not may have changed the number.
fn count(cx: &mut Cx<'_>) -> Result<u64, Stop> {
    match cx.load(COUNT, 8, Mode::Plain)? {
        count if count <= MOST_HANDLERS => Ok(count),
        _ => Err(cx.unsupported(Obstacle::ExitHandlers(MOST_HANDLERS))),
    }
}

fn add_handler(cx: &mut Cx<'_>, function: u64, argument: u64) -> Result<u128, Stop> {
    mutex::acquire(cx, LOCK, Patience::Wait)?;
    let count = count(cx)?;
    if count == MOST_HANDLERS {
        return Err(cx.unsupported(Obstacle::ExitHandlers(MOST_HANDLERS)));
    }
    cx.store(ENTRIES + 16 * count, 8, Mode::Plain, function)?;
    cx.store(ENTRIES + 16 * count + 8, 8, Mode::Plain, argument)?;
    cx.store(COUNT, 8, Mode::Plain, count + 1)?;
    mutex::release(cx, LOCK)?;
    int(0)
}

fn end(cx: &mut Cx<'_>, code: i32) -> Result<u128, Stop> {
    cx.keeps_nothing()?;
    cx.act(Action::Exit(code))
}

/// Destroys the thread-local objects of this thread, newest first.
pub(crate) fn run_thread_destructors(cx: &mut Cx<'_>) -> Result<(), Stop> {
    loop {
        let next = cx.once(|t| match t.rest.at_thread_exit.is_empty() {
            true => 0,
            false => {
                let (function, object) = t.rest_mut().at_thread_exit.pop().unwrap_or_default();
                u128::from(object) << 64 | u128::from(function)
            }
        })?;
        if next == 0 {
            return Ok(());
        }
        cx.call(next as u64, &[(next >> 64) as u64])?;
    }
}

fn exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let code = cx.arg(0) as i32;
    leave_process(cx, code)
}

fn quick_exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let code = cx.arg(0) as i32;
    end(cx, code)
}

fn at_exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    add_handler(cx, cx.arg(0), 0)
}

fn cxa_at_exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    add_handler(cx, cx.arg(0), cx.arg(1))
}

fn at_thread_exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (function, object) = (cx.arg(0), cx.arg(1));
    cx.once(|t| {
        t.rest_mut().at_thread_exit.push((function, object));
        0
    })?;
    int(0)
}

fn abort(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.fault(Ending::Abort))
}

fn assert_fail(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    assertion(cx, cx.arg(0))
}

fn assert_rtn(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    assertion(cx, cx.arg(3))
}

fn assert_bsd(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    assertion(cx, cx.arg(0))
}

fn assertion(cx: &mut Cx<'_>, expression: u64) -> Result<u128, Stop> {
    let text = cx.string(expression)?;
    Err(cx.fault(Claim::Assert(String::from_utf8_lossy(&text).into_owned())))
}

fn errno_location(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.errno()?.into())
}

fn one(_: &mut Cx<'_>) -> Result<u128, Stop> {
    int(1)
}

fn four(_: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(4)
}
