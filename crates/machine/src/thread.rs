//! The state of one thread: a plain value.
//!
//! Frames of bytecode and calls of runtime functions share one stack. All registers of all frames
//! are one vector; a frame names its part by its base. A frame's `pc` is the instruction that is
//! being executed and moves on only when that is complete, so it is also the place of whatever
//! happens; while a call is under way it is the call's.
//!
//! A runtime function is straight-line Rust over [`crate::runtime::Cx`]. When it needs an answer
//! from outside (a visible action, the result of a callback), it stops, and is run again from its
//! start with the results of its earlier steps taken from its log. So the state of a call under way
//! is its arguments and that log, and nothing else.

use crate::memory::Memory;
use crate::runtime::NativeFn;
use norn_action::{Action, Fault, FaultKind, ObjectKind, Place, Test, ThreadId, Unsupported};
use smallvec::SmallVec;
use std::sync::Arc;

/// Why a thread stops running instructions.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// An action whose answer completes the instruction or step under way.
    Action(Action),
    /// An action after which the instruction or step is tried again.
    Before(Action),
    /// A runtime function calls a function of the program.
    Call(u64, SmallVec<[u64; 4]>),
    /// A runtime function changed the frames; go on with what is on top now.
    Unwound,
}

/// What the answer to the last action is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Awaiting {
    /// Nothing was asked: the thread has ended.
    Nothing,
    /// The instruction or step is tried again.
    Retry,
    /// It completes the instruction or step.
    Answer,
    /// Likewise, of a read-modify-write: if the test holds it wrote.
    Rmw(Option<Test>, u8),
}

/// A frame: of bytecode, or of a runtime function (then only the last three fields count).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Index of the function.
    pub function: u32,
    /// The instruction under way.
    pub pc: u32,
    /// Its first register.
    pub base: u32,
    /// Variadic cells after its registers.
    pub variadic: u32,
    /// Stack objects at or above this address are its own.
    pub stack_mark: u64,
    /// Where its results go in the frame below.
    pub dst: u32,
    /// How many cells of result are wanted.
    pub results: u8,
    /// Whether it is a runtime function's; the top of `natives` is the topmost such frame's.
    pub native: bool,
}

/// A call of a runtime function under way.
#[derive(Debug)]
pub(crate) struct NativeCall {
    pub function: NativeFn,
    pub args: SmallVec<[u64; 6]>,
    pub log: SmallVec<[u128; 4]>,
}

// By hand, because `SmallVec` copies item by item unless it is told that they are plain data.
impl Clone for NativeCall {
    fn clone(&self) -> NativeCall {
        NativeCall {
            function: self.function,
            args: SmallVec::from_slice(&self.args),
            log: SmallVec::from_slice(&self.log),
        }
    }

    fn clone_from(&mut self, source: &NativeCall) {
        self.function = source.function;
        copy_into(&mut self.args, &source.args);
        copy_into(&mut self.log, &source.log);
    }
}

#[inline]
fn copy_into<A: smallvec::Array<Item: Copy>>(into: &mut SmallVec<A>, from: &[A::Item]) {
    into.clear();
    if !from.is_empty() {
        into.extend_from_slice(from);
    }
}

/// A lock that the thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub address: u64,
    /// How often (recursive mutexes, read locks).
    pub depth: u32,
    /// Kind of mutex, or [`Held::READ`], [`Held::WRITE`].
    pub kind: u8,
}

impl Held {
    pub const READ: u8 = 0xf0;
    pub const WRITE: u8 = 0xf1;
}

/// A loop under way in some frame, see [`crate::spin`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoopState {
    /// Number of frames when it was entered, and the loop's id.
    pub key: u64,
    pub iterations: u32,
    /// Its live registers at the last visit start here in `loop_cells`.
    pub cells: u32,
    /// Whether those cells are from the last visit.
    pub valid: bool,
    pub reads: u64,
    pub effects: u64,
}

/// What no loop's key equals.
pub(crate) const NO_LOOP: u64 = u64::MAX;

/// What is rarely touched; copied when it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rest {
    /// Values of thread-specific keys.
    pub keys: Vec<(u32, u64)>,
    pub next_key: u32,
    /// How often the thread arrived at each barrier.
    pub barriers: Vec<(u64, u32)>,
    /// Addresses of the thread's copies of thread-local globals.
    pub thread_locals: Vec<(u32, u64)>,
    /// Address of `errno`, once it was asked for.
    pub errno: u64,
    /// Functions to call at exit, with their argument if they take one.
    pub at_exit: Vec<(u64, Option<u64>)>,
    pub exit_code: Option<i32>,
    pub random: u64,
    pub clock: u64,
    /// Threads that were joined or detached here.
    pub gone: Vec<ThreadId>,
    /// Addresses of the character tables of `ctype.h`, once they were asked for.
    pub tables: [u64; 3],
    /// The `strtok` position.
    pub token: u64,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// A thread of the checked program, paused at its next visible action.
#[derive(Debug)]
pub struct Thread {
    pub(crate) id: ThreadId,
    pub(crate) registers: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) natives: Vec<NativeCall>,
    pub(crate) memory: Memory,
    pub(crate) held: SmallVec<[Held; 2]>,
    pub(crate) loops: Vec<LoopState>,
    pub(crate) loop_cells: Vec<u64>,
    pub(crate) rest: Arc<Rest>,
    pub(crate) awaiting: Awaiting,
    /// What the thread started by the pending spawn runs, and with what.
    pub(crate) spawn: Option<(NativeFn, [u64; 2])>,
    pub(crate) spawned: u32,
    /// Visible reads so far.
    pub(crate) reads: u64,
    /// Everything so far that another iteration of a loop could notice.
    pub(crate) effects: u64,
    /// The innermost loop, if its last iteration read nothing visible; see [`crate::spin`].
    pub(crate) quiet: u64,
    /// Loop iterations left before the loop is looked at closely, see [`crate::spin`].
    pub(crate) fuel: u64,
    /// `pthread_exit` was called.
    pub(crate) exiting: bool,
}

impl Clone for Thread {
    fn clone(&self) -> Thread {
        Thread {
            registers: self.registers.clone(),
            frames: self.frames.clone(),
            natives: self.natives.clone(),
            memory: self.memory.clone(),
            held: self.held.clone(),
            loops: self.loops.clone(),
            loop_cells: self.loop_cells.clone(),
            rest: Arc::clone(&self.rest),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Thread) {
        self.registers.clone_from(&source.registers);
        self.frames.clone_from(&source.frames);
        self.natives.clone_from(&source.natives);
        self.memory.clone_from(&source.memory);
        copy_into(&mut self.held, &source.held);
        self.loops.clone_from(&source.loops);
        self.loop_cells.clone_from(&source.loop_cells);
        self.rest.clone_from(&source.rest);
        self.id = source.id;
        self.awaiting = source.awaiting;
        self.spawn = source.spawn;
        self.spawned = source.spawned;
        self.reads = source.reads;
        self.effects = source.effects;
        self.quiet = source.quiet;
        self.fuel = source.fuel;
        self.exiting = source.exiting;
    }
}

impl Thread {
    /// A thread that will run the runtime function `root`.
    pub(crate) fn new(id: ThreadId, memory: Memory, root: NativeFn, args: &[u64]) -> Thread {
        let mut thread = Thread {
            id,
            registers: Vec::new(),
            frames: Vec::new(),
            natives: Vec::new(),
            memory,
            held: SmallVec::new(),
            loops: Vec::new(),
            loop_cells: Vec::new(),
            rest: Arc::default(),
            awaiting: Awaiting::Nothing,
            spawn: None,
            spawned: 0,
            reads: 0,
            effects: 0,
            quiet: NO_LOOP,
            fuel: 0,
            exiting: false,
        };
        thread.push_native(root, args, 0, 0);
        thread
    }

    /// The thread's id.
    pub fn id(&self) -> ThreadId {
        self.id
    }

    /// The value given to `exit`, or returned by `main`, if that happened.
    pub fn exit_code(&self) -> Option<i32> {
        self.rest.exit_code
    }

    /// Program counters of the calls under way, innermost first.
    pub fn backtrace(&self) -> impl Iterator<Item = Place> {
        self.frames.iter().rev().filter(|frame| !frame.native).map(|frame| Place(frame.pc))
    }

    /// Memory from the allocator that this thread holds and that no other thread can reach: size,
    /// and where it was allocated.
    pub fn private_heap(&self) -> impl Iterator<Item = (u64, Place)> {
        let heap = &self.memory.heap;
        heap.positions()
            .map(|position| heap.get(position))
            .filter(|object| object.kind == ObjectKind::Heap && object.content.is_some())
            .map(|object| (object.size, object.place))
    }

    pub(crate) fn push_native(&mut self, function: NativeFn, args: &[u64], dst: u32, results: u8) {
        self.frames.push(Frame {
            function: u32::MAX,
            pc: 0,
            base: self.registers.len() as u32,
            variadic: 0,
            stack_mark: self.memory.stack_mark(),
            dst,
            results,
            native: true,
        });
        let args = SmallVec::from_slice(args);
        self.natives.push(NativeCall { function, args, log: SmallVec::new() });
    }

    /// Where the thread is: the instruction under way in the innermost frame of bytecode.
    #[inline]
    pub(crate) fn place(&self) -> Place {
        self.backtrace().next().unwrap_or(Place::NONE)
    }

    /// A visible read is about to happen.
    pub(crate) fn count_read(&mut self) {
        self.reads += 1;
        self.quiet = NO_LOOP;
    }

    pub(crate) fn rest_mut(&mut self) -> &mut Rest {
        Arc::make_mut(&mut self.rest)
    }

    /// A fault of the program, here.
    #[cold]
    pub(crate) fn fault(&self, kind: FaultKind, message: impl Into<String>) -> Stop {
        let fault = Fault { kind, message: message.into(), place: self.place() };
        Stop::Action(Action::Fail(Arc::new(fault)))
    }

    /// Something the machine cannot run, here.
    #[cold]
    pub(crate) fn unsupported(&self, message: impl Into<String>) -> Stop {
        let place = self.place();
        let unsupported = Unsupported { message: message.into(), place, other: None };
        Stop::Action(Action::Unsupported(Arc::new(unsupported)))
    }
}
