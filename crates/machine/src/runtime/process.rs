//! The life of the process: `main`, exit, abort, assertions.
//!
//! The main thread's end is the process's, but nothing of that is visible to other threads: they run
//! to their own ends, as if `main` had waited for them. `exit` in another thread abandons the
//! execution from there: what the threads do in the short time before the process is gone is not
//! looked at.

use super::context::int;
use super::{Cx, Entry, threads};
use crate::thread::Stop;
use norn_action::{Action, FaultKind, Mode, ThreadId};
use norn_program::Program;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("exit", "runs the functions of atexit and ends the process", exit),
    ("_exit", "ends the process at once", quick_exit),
    ("_Exit", "ends the process at once", quick_exit),
    ("quick_exit", "ends the process at once", quick_exit),
    ("atexit", "a function to be called at exit", at_exit),
    ("__cxa_atexit", "a destructor to be called at exit", cxa_at_exit),
    (
        "__cxa_thread_atexit",
        "a destructor of a thread-local; run at exit of the main thread",
        cxa_at_exit,
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

/// Root of the main thread: constructors, `main`, exit.
pub(crate) fn main_thread(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let program = &cx.vm.program;
    let Some(main) = program.main else {
        return Err(cx.unsupported("the program has no function `main`"));
    };
    for &constructor in &program.constructors {
        let (_, exited) = cx.call_start(Program::function_address(constructor), &[])?;
        if exited {
            return threads::finish(cx, 0);
        }
    }
    let params = program.functions[main.index()].params;
    let args = if params > 0 { arguments(cx)? } else { [0; 3] };
    let args = &args[..(params as usize).min(3)];
    let (code, exited) = cx.call_start(Program::function_address(main), args)?;
    if exited {
        return threads::finish(cx, 0);
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

/// Runs what `atexit` registered, newest first, then destructors, then ends.
fn leave_process(cx: &mut Cx<'_>, code: i32) -> Result<u128, Stop> {
    loop {
        let function = cx.once(|t| match t.rest_mut().at_exit.pop() {
            Some((function, Some(argument))) => u128::from(argument) << 64 | u128::from(function),
            Some((function, None)) => u128::from(function),
            None => 0,
        })?;
        if function == 0 {
            break;
        }
        cx.call(function as u64, &[(function >> 64) as u64])?;
    }
    let program = &cx.vm.program;
    for &destructor in &program.destructors {
        cx.call(Program::function_address(destructor), &[])?;
    }
    end(cx, code)
}

fn end(cx: &mut Cx<'_>, code: i32) -> Result<u128, Stop> {
    cx.once(|t| {
        t.rest_mut().exit_code = Some(code);
        0
    })?;
    if cx.t.id == ThreadId::MAIN {
        return threads::finish(cx, u64::from(code as u32));
    }
    let place = cx.t.place();
    cx.act(Action::Abandon(place))
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
    let function = cx.arg(0);
    cx.once(|t| {
        t.rest_mut().at_exit.push((function, None));
        0
    })?;
    int(0)
}

fn cxa_at_exit(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (function, argument) = (cx.arg(0), cx.arg(1));
    cx.once(|t| {
        t.rest_mut().at_exit.push((function, Some(argument)));
        0
    })?;
    int(0)
}

fn abort(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.fault(FaultKind::Abort, "abort was called"))
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
    let text = format!("assertion `{}` failed", String::from_utf8_lossy(&text));
    Err(cx.fault(FaultKind::Assertion, text))
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
