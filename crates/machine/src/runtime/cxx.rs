//! What the C++ library leaves to its shared object: threads, condition variables, operator new and
//! delete, and what throws from within the library.
//!
//! The layouts are those of libstdc++: a `std::thread` is its 8-byte handle; the state that a new
//! thread runs has a virtual `_M_run` in slot 2 of its table and a deleting destructor in slot 1; a
//! `std::mutex` and a `std::condition_variable` start with the POSIX object; a `unique_lock` starts
//! with the pointer to its mutex.

use super::stdio::formatted;
use super::{Cx, Entry, condition, exceptions, threads};
use crate::thread::Stop;
use norn_action::{Claim, Ending, Exception, Mode, ObjectKind, Obstacle, Undefined};
use norn_program::GlobalId;

const SLEEP_FOR: &str = "_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEE\
                         NS1_IlS2_ILl1ELl1000000000EEEE";
const START: &str = "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EE\
                     PFvvE";

pub(crate) const FUNCTIONS: &[Entry] = &[
    (START, "std::thread: starts a thread", start_thread),
    ("_ZNSt6thread4joinEv", "std::thread::join", join),
    ("_ZNSt6thread6detachEv", "std::thread::detach", detach),
    ("_ZNSt6thread20hardware_concurrencyEv", "std::thread::hardware_concurrency: always 4", four),
    ("_ZNSt6thread6_StateD2Ev", "destructor of a thread's state", threads::nothing),
    ("_ZNSt6thread6_StateD1Ev", "destructor of a thread's state", threads::nothing),
    (SLEEP_FOR, "std::this_thread::sleep_for returns at once", sleep_for),
    ("_ZNSt6chrono3_V212steady_clock3nowEv", "a counter of this thread", now),
    ("_ZNSt6chrono3_V212system_clock3nowEv", "a counter of this thread", now),
    ("_ZNSt18condition_variableC1Ev", "std::condition_variable", condition::init),
    ("_ZNSt18condition_variableC2Ev", "std::condition_variable", condition::init),
    ("_ZNSt18condition_variableD1Ev", "end of a condition variable", condition::destroy),
    ("_ZNSt18condition_variableD2Ev", "end of a condition variable", condition::destroy),
    ("_ZNSt18condition_variable10notify_oneEv", "wakes one waiting thread", condition::signal),
    ("_ZNSt18condition_variable10notify_allEv", "wakes all waiting threads", condition::broadcast),
    ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "waits for a signal", wait),
    ("_ZNSaIcEC1Ev", "std::allocator<char>", threads::nothing),
    ("_ZNSaIcEC2Ev", "std::allocator<char>", threads::nothing),
    ("_ZNSaIcEC1ERKS_", "std::allocator<char>", threads::nothing),
    ("_ZNSaIcEC2ERKS_", "std::allocator<char>", threads::nothing),
    ("_ZNSaIcED1Ev", "end of a std::allocator<char>", threads::nothing),
    ("_ZNSaIcED2Ev", "end of a std::allocator<char>", threads::nothing),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", "a check of the library failed", check_failed),
    ("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "std::list: links a node in", hook),
    ("_ZNSt8__detail15_List_node_base9_M_unhookEv", "std::list: takes a node out", unhook),
    ("__once_proxy", "runs what std::call_once was given", once_proxy),
    ("_Znwm", "operator new", new),
    ("_Znam", "operator new[]", new_array),
    ("_ZnwmRKSt9nothrow_t", "operator new that does not throw", new_or_null),
    ("_ZnamRKSt9nothrow_t", "operator new[] that does not throw", new_array_or_null),
    ("_ZnwmSt11align_val_t", "operator new with an alignment", new_aligned),
    ("_ZnamSt11align_val_t", "operator new[] with an alignment", new_array_aligned),
    ("_ZdlPv", "operator delete", delete),
    ("_ZdaPv", "operator delete[]", delete_array),
    ("_ZdlPvm", "operator delete", delete),
    ("_ZdaPvm", "operator delete[]", delete_array),
    ("_ZdlPvSt11align_val_t", "operator delete", delete),
    ("_ZdaPvSt11align_val_t", "operator delete[]", delete_array),
    ("_ZdlPvmSt11align_val_t", "operator delete", delete),
    ("_ZdlPvRKSt9nothrow_t", "operator delete", delete),
    ("_ZNSt8ios_base4InitC1Ev", "accepted; streams themselves are not provided", threads::nothing),
    ("_ZNSt8ios_base4InitD1Ev", "accepted; streams themselves are not provided", threads::nothing),
    ("__cxa_bad_cast", "throws std::bad_cast", bad_cast),
    ("__cxa_bad_typeid", "throws std::bad_typeid", bad_typeid),
    ("__cxa_throw_bad_array_new_length", "throws std::bad_array_new_length", bad_length),
    ("__cxa_pure_virtual", "call of a pure virtual function: a fault", pure_virtual),
    ("_ZSt9terminatev", "std::terminate: a fault", terminate),
    ("_ZSt20__throw_system_errori", "throws std::system_error", system_error),
    ("_ZSt17__throw_bad_allocv", "throws std::bad_alloc", bad_alloc),
    ("_ZSt16__throw_bad_castv", "throws std::bad_cast", bad_cast),
    ("_ZSt25__throw_bad_function_callv", "throws std::bad_function_call", bad_function_call),
    ("_ZSt28__throw_bad_array_new_lengthv", "throws std::bad_array_new_length", bad_length),
    ("_ZSt20__throw_length_errorPKc", "throws std::length_error", length_error),
    ("_ZSt19__throw_logic_errorPKc", "throws std::logic_error", logic_error),
    ("_ZSt20__throw_domain_errorPKc", "throws std::domain_error", domain_error),
    ("_ZSt20__throw_out_of_rangePKc", "throws std::out_of_range", out_of_range),
    ("_ZSt24__throw_out_of_range_fmtPKcz", "throws std::out_of_range", out_of_range_format),
    ("_ZSt21__throw_runtime_errorPKc", "throws std::runtime_error", runtime_error),
    ("_ZSt22__throw_overflow_errorPKc", "throws std::overflow_error", overflow_error),
    ("_ZSt24__throw_invalid_argumentPKc", "throws std::invalid_argument", invalid_argument),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &[
    SLEEP_FOR,
    "_ZNSt6thread20hardware_concurrencyEv",
    "_ZNSt6thread6_StateD2Ev",
    "_ZNSt6thread6_StateD1Ev",
    "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv",
    "_Znwm",
    "_Znam",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZNSaIcEC1ERKS_",
    "_ZNSaIcEC1Ev",
    "_ZNSaIcEC2ERKS_",
    "_ZNSaIcEC2Ev",
    "_ZNSaIcED1Ev",
    "_ZNSaIcED2Ev",
    "_ZNSt8ios_base4InitC1Ev",
    "_ZNSt8ios_base4InitD1Ev",
];

fn four(_: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(4)
}

/// `this` and a pointer to the owning pointer of the state, which is moved from.
fn start_thread(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, owner) = (cx.arg(0), cx.arg(1));
    let state = cx.load(owner, 8, Mode::Plain)?;
    cx.store(owner, 8, Mode::Plain, 0)?;
    let child = cx.spawn(state_thread, [state, 0])?;
    cx.store(this, 8, Mode::Plain, threads::handle(child))?;
    Ok(0)
}

/// Root of a `std::thread`: runs its state, then deletes it.
fn state_thread(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let state = cx.arg(0);
    let table = cx.load(state, 8, Mode::Plain)?;
    let run = cx.load(table + 16, 8, Mode::Plain)?;
    let (_, exited) = cx.call_start(run, &[state], false)?;
    if !exited {
        let delete = cx.load(table + 8, 8, Mode::Plain)?;
        cx.call(delete, &[state])?;
    }
    threads::finish(cx, 0)
}

/// What the library says of a thread that is not there.
const NO_THREAD: u64 = 22;

/// The handle in a `std::thread` must be joinable; it is not afterwards. Else there is an exception.
fn join(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let handle = cx.load(cx.arg(0), 8, Mode::Plain)?;
    if handle == 0 {
        return exceptions::refused(cx, NO_THREAD, Exception::JoinsNothing);
    }
    threads::join_handle(cx, handle)?;
    cx.store(cx.arg(0), 8, Mode::Plain, 0)?;
    Ok(0)
}

fn detach(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let handle = cx.load(cx.arg(0), 8, Mode::Plain)?;
    if handle == 0 {
        return exceptions::refused(cx, NO_THREAD, Exception::DetachesNothing);
    }
    threads::detach_handle(cx, handle)?;
    cx.store(cx.arg(0), 8, Mode::Plain, 0)?;
    Ok(0)
}

fn now(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(super::time::tick(cx)?.into())
}

/// Seconds and nanoseconds.
fn sleep_for(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (seconds, rest) = (cx.arg(0) as i64, cx.arg(1) as i64);
    let duration = seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    super::time::slept(cx, duration.max(0) as u64)?;
    Ok(0)
}

fn wait(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, lock) = (cx.arg(0), cx.arg(1));
    let mutex = cx.load(lock, 8, Mode::Plain)?;
    condition::wait_on(cx, this, mutex, None)?;
    Ok(0)
}

/// `std::call_once` leaves what to call in a thread-local variable of the library.
fn once_proxy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let globals = &cx.vm.program.globals;
    let Some(index) = globals.iter().position(|global| global.name == "_ZSt11__once_call") else {
        return Err(cx.unsupported(Obstacle::OnceWithoutVariable));
    };
    let variable = cx.step(|vm, t| Ok(vm.thread_local(t, GlobalId(index as u32))?.into()))?;
    let function = cx.load(variable as u64, 8, Mode::Plain)?;
    cx.call(function, &[])?;
    Ok(0)
}

fn check_failed(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(3))?;
    Err(cx.fault(Claim::LibraryCheck(String::from_utf8_lossy(&text).into_owned())))
}

/// A list node starts with the pointers to the next and to the previous one.
fn hook(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, next) = (cx.arg(0), cx.arg(1));
    let previous = cx.load(next + 8, 8, Mode::Plain)?;
    cx.store(this, 8, Mode::Plain, next)?;
    cx.store(this + 8, 8, Mode::Plain, previous)?;
    cx.store(previous, 8, Mode::Plain, this)?;
    cx.store(next + 8, 8, Mode::Plain, this)?;
    Ok(0)
}

fn unhook(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let this = cx.arg(0);
    let next = cx.load(this, 8, Mode::Plain)?;
    let previous = cx.load(this + 8, 8, Mode::Plain)?;
    cx.store(previous, 8, Mode::Plain, next)?;
    cx.store(next + 8, 8, Mode::Plain, previous)?;
    Ok(0)
}

/// Memory of a kind; there being none is an exception.
fn get(cx: &mut Cx<'_>, kind: ObjectKind, align: u64) -> Result<u128, Stop> {
    match cx.allocate_kind(kind, cx.arg(0), align, false)? {
        0 => bad_alloc(cx),
        address => Ok(address.into()),
    }
}

fn new(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    get(cx, ObjectKind::New, 16)
}

fn new_array(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    get(cx, ObjectKind::NewArray, 16)
}

fn new_or_null(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.allocate_kind(ObjectKind::New, cx.arg(0), 16, false)?.into())
}

fn new_array_or_null(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.allocate_kind(ObjectKind::NewArray, cx.arg(0), 16, false)?.into())
}

fn new_aligned(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    get(cx, ObjectKind::New, cx.arg(1))
}

fn new_array_aligned(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    get(cx, ObjectKind::NewArray, cx.arg(1))
}

fn delete(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    cx.free(cx.arg(0), ObjectKind::New)?;
    Ok(0)
}

fn delete_array(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    cx.free(cx.arg(0), ObjectKind::NewArray)?;
    Ok(0)
}

/// Throws an exception of the library that has no text.
fn plain(cx: &mut Cx<'_>, name: &str, what: Exception) -> Result<u128, Stop> {
    exceptions::throw_standard(cx, name, None, what)
}

fn bad_alloc(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    plain(cx, "St9bad_alloc", Exception::BadAlloc)
}

fn bad_length(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    plain(cx, "St20bad_array_new_length", Exception::Unknown)
}

fn bad_cast(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    plain(cx, "St8bad_cast", Exception::Unknown)
}

fn bad_typeid(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    plain(cx, "St10bad_typeid", Exception::Unknown)
}

fn bad_function_call(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    plain(cx, "St17bad_function_call", Exception::Unknown)
}

/// Throws an exception of the library that says the text at its first argument.
fn saying(cx: &mut Cx<'_>, name: &str) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    say(cx, name, &text)
}

fn say(cx: &mut Cx<'_>, name: &str, text: &[u8]) -> Result<u128, Stop> {
    let what = Exception::Said(String::from_utf8_lossy(text).into_owned());
    exceptions::throw_standard(cx, name, Some(text), what)
}

fn length_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St12length_error")
}

fn logic_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St11logic_error")
}

fn domain_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St12domain_error")
}

fn out_of_range(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St12out_of_range")
}

fn out_of_range_format(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = formatted(cx, cx.arg(0), 1)?;
    say(cx, "St12out_of_range", &text)
}

fn runtime_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St13runtime_error")
}

fn overflow_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St14overflow_error")
}

fn invalid_argument(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    saying(cx, "St16invalid_argument")
}

fn system_error(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let code = cx.arg(0) & 0xffff_ffff;
    exceptions::refused(cx, code, Exception::Unknown)
}

fn pure_virtual(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.fault(Undefined::PureVirtual))
}

fn terminate(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Err(cx.fault(Ending::Terminate))
}
