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

use crate::memory::{Marks, Memory, Position};
use crate::parts::Parts;
use crate::runtime::NativeFn;
use crate::shadow::{Origin, Shadow};
use crate::small::Small;
use norn_action::{
    Action, BadSync, Fault, ObjectKind, Obstacle, Place, Test, ThreadId, Unsupported, Wrong,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Why a thread stops running instructions.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// For the action in [`Thread::outgoing`], whose answer completes the instruction or step.
    Ask,
    /// For the action in [`Thread::outgoing`], after which the instruction or step is tried again.
    Again,
    /// The program did something wrong.
    Fail(Arc<Fault>),
    /// The machine cannot go on.
    Unsupported(Arc<Unsupported>),
    /// A runtime function calls a function of the program, and uses so many cells of its result.
    Call(Box<(u64, Box<[u64]>, u8)>),
    /// A runtime function changed the frames; go on with what is on top now.
    Unwound,
    /// A thread that only looks ahead came back to the head of a loop.
    CameBack(Box<Back>),
    /// The value that was read, of which these bytes were never written, and where it was read. Boxed, as
    /// calls are: results pass through every level of the interpreter and must be small.
    Partly(Box<(u128, u16, Origin)>),
}

const _: () = assert!(size_of::<Stop>() <= 16);

/// How a thread that looks ahead came back to the head of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Back {
    /// Whether it is in the state in which it was there last, and nothing was done since.
    pub same: bool,
    /// Whether its registers differ from those that it had then.
    pub moved: bool,
    /// How many visible reads it had made when it was there last.
    pub reads: u64,
}

/// What the answer to the last action is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaiting {
    /// Nothing was asked: the thread has ended.
    Nothing,
    /// The instruction or step is tried again.
    Retry,
    /// It completes the instruction or step.
    Answer,
    /// Likewise, of a read-modify-write: it wrote if [`Thread::test`] holds.
    Rmw,
    /// Likewise, of a read that also wants to know which bytes were never written.
    Bytes,
    /// It says whether a weak compare-exchange is to fail for no reason, which is then tried again.
    Weak,
    /// It completes a weak compare-exchange that fails for no reason.
    Failure,
    /// It is that to a part of an access ([`Thread::parts`]).
    Part,
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
#[derive(Clone, Debug)]
pub(crate) struct NativeCall {
    pub function: NativeFn,
    pub args: Small<u64, 6>,
    pub log: Small<u128, 4>,
}

/// A lock that the thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub address: u64,
    /// How often (recursive mutexes, read locks).
    pub depth: u32,
    /// Kind of mutex, or [`Held::READ`], [`Held::WRITE`].
    pub kind: u8,
    /// Whether its cell was initialised by a call.
    pub live: bool,
    /// Whether it is a mutex of the C++ library, which must be given back before it or its thread ends.
    pub library: bool,
    /// How many effects there were before it was taken, and right after.
    pub effects: (u64, u64),
    /// The site where it was left out to take it; see [`crate::elision`].
    pub left_out: Option<u64>,
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
    pub updates: u64,
    pub stores: u64,
    /// How many visible reads it had made when it came to this state, and has since whenever it was there.
    pub since: u64,
    /// Whether the clock was read since the last visit.
    pub timed: bool,
    /// Whether a wait ended for no reason since then, and how many did since the loop was entered.
    pub woken: bool,
    pub wakeups: u8,
    /// How many attempts failed for no reason since the loop was entered.
    pub failures: u8,
    /// Which objects are younger than the last visit.
    pub marks: Marks,
}

/// What no loop's key equals.
pub(crate) const NO_LOOP: u64 = u64::MAX;

/// An object that was freed and is to be handed out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub address: u64,
    pub size: u64,
    pub kind: ObjectKind,
}

/// An exception that a thread has thrown, see [`crate::runtime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raised {
    /// What compiled code knows it by.
    pub name: u64,
    /// The object that was thrown.
    pub object: u64,
    /// Address of the description of its type.
    pub description: u64,
    /// The part of the object that the handler gets.
    pub adjusted: u64,
    /// How many handlers are under way; negative if the innermost throws it again.
    pub handlers: i32,
}

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
    /// Destructors of thread-local objects, with the objects.
    pub at_thread_exit: Vec<(u64, u64)>,
    pub random: u64,
    pub clock: u64,
    /// Objects that this thread freed and will hand out again.
    pub kept: Vec<Kept>,
    /// Threads that were joined or detached here.
    pub gone: Vec<ThreadId>,
    /// Addresses of the character tables of `ctype.h`, once they were asked for.
    pub tables: [u64; 3],
    /// The threads that were started here: their functions and arguments.
    pub spawns: Vec<(NativeFn, [u64; 2])>,
    /// Exceptions that were thrown here and are not destroyed yet, and those that handlers have, innermost last.
    pub exceptions: Vec<Raised>,
    pub caught: Vec<u64>,
    /// How many are on their way to a handler.
    pub uncaught: u32,
    /// The exception that led to the last landing pad, and the selector of the clause.
    pub landing: (u64, u32),
    /// The `strtok` position.
    pub token: u64,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Rest {
    /// Whether there is nothing to be done when the thread ends.
    pub fn leaves_nothing(&self) -> bool {
        self.keys.is_empty()
            && self.at_thread_exit.is_empty()
            && self.thread_locals.is_empty()
            && self.errno == 0
    }
}

/// A thread of the checked program, paused at its next visible action.
#[derive(Debug)]
pub struct Thread {
    pub(crate) id: ThreadId,
    pub(crate) registers: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) natives: Vec<NativeCall>,
    /// Registers that hold bits which were never written.
    pub(crate) shadow: Shadow,
    /// Bytes of the value that the store under way writes and that were never written.
    pub(crate) undefined_bytes: u16,
    pub(crate) memory: Memory,
    pub(crate) held: SmallVec<[Held; 2]>,
    pub(crate) loops: Vec<LoopState>,
    pub(crate) loop_cells: Vec<u64>,
    pub(crate) rest: Arc<Rest>,
    pub(crate) awaiting: Awaiting,
    /// The condition of the pending read-modify-write, the size of its cell, and whether it fails for no
    /// reason, if that was decided.
    pub(crate) test: (Option<Test>, u8, Option<bool>),
    /// The access that is being made in parts, if one is.
    pub(crate) parts: Option<Box<Parts>>,
    /// The action that stops the thread, on its way out; nothing while the thread is paused.
    /// (Passing it up through results instead would copy it at every level.)
    pub(crate) outgoing: Option<Action>,
    /// What the thread started by the pending spawn runs, and with what.
    pub(crate) spawn: Option<(NativeFn, [u64; 2])>,
    pub(crate) spawned: u32,
    /// Visible reads so far.
    pub(crate) reads: u64,
    /// Everything so far that another iteration of a loop could notice.
    pub(crate) effects: u64,
    /// How many of these are read-modify-writes, and visible stores, that the program itself makes.
    pub(crate) updates: u64,
    pub(crate) stores: u64,
    /// The innermost loop, if its last iteration read nothing visible; see [`crate::spin`].
    pub(crate) quiet: u64,
    /// Loop iterations left before the loop is looked at closely, see [`crate::spin`].
    pub(crate) fuel: u64,
    /// What there is when that is used up.
    pub(crate) reserve: u64,
    /// In a copy that only looks ahead (see [`crate::spin`]): to how many of the loops under way it must
    /// come back. 0 in all others.
    pub(crate) looks_ahead: usize,
}

impl Clone for Thread {
    fn clone(&self) -> Thread {
        Thread {
            registers: self.registers.clone(),
            frames: self.frames.clone(),
            natives: self.natives.clone(),
            shadow: self.shadow.clone(),
            memory: self.memory.clone(),
            held: SmallVec::from_slice(&self.held),
            loops: self.loops.clone(),
            loop_cells: self.loop_cells.clone(),
            rest: Arc::clone(&self.rest),
            parts: self.parts.clone(),
            outgoing: None,
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Thread) {
        copy_into(&mut self.registers, &source.registers);
        copy_into(&mut self.frames, &source.frames);
        self.natives.clone_from(&source.natives);
        self.shadow.clone_from(&source.shadow);
        // Threads that are kept are paused: none is in the midst of a store or looks ahead.
        debug_assert!(source.undefined_bytes == 0 && source.looks_ahead == 0);
        self.memory.clone_from(&source.memory);
        if !(self.held.is_empty() && source.held.is_empty()) {
            self.held.clear();
            self.held.extend_from_slice(&source.held);
        }
        copy_into(&mut self.loops, &source.loops);
        copy_into(&mut self.loop_cells, &source.loop_cells);
        if !Arc::ptr_eq(&self.rest, &source.rest) {
            self.rest = Arc::clone(&source.rest);
        }
        if self.parts.is_some() || source.parts.is_some() {
            self.parts.clone_from(&source.parts);
        }
        self.outgoing = None;
        self.id = source.id;
        self.awaiting = source.awaiting;
        self.test = source.test;
        self.spawn = source.spawn;
        self.spawned = source.spawned;
        self.reads = source.reads;
        self.effects = source.effects;
        self.updates = source.updates;
        self.stores = source.stores;
        self.quiet = source.quiet;
        self.fuel = source.fuel;
        self.reserve = source.reserve;
    }
}

/// Replaces the content of a vector, reusing its memory.
#[inline]
fn copy_into<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    if !from.is_empty() {
        to.extend_from_slice(from);
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
            shadow: Shadow::default(),
            undefined_bytes: 0,
            memory,
            held: SmallVec::new(),
            loops: Vec::new(),
            loop_cells: Vec::new(),
            rest: Arc::default(),
            awaiting: Awaiting::Nothing,
            test: (None, 0, None),
            parts: None,
            outgoing: None,
            spawn: None,
            spawned: 0,
            reads: 0,
            effects: 0,
            updates: 0,
            stores: 0,
            quiet: NO_LOOP,
            fuel: 0,
            reserve: 0,
            looks_ahead: 0,
        };
        thread.push_native(root, args, 0, 0);
        thread
    }

    /// The thread's id.
    pub fn id(&self) -> ThreadId {
        self.id
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
            .filter(|object| object.kind.is_heap() && object.content.is_some())
            .map(|object| (object.size, object.place))
    }

    /// What it has printed so far, where the machine keeps that: standard output, standard error.
    pub fn printed(&self) -> (&[u8], &[u8]) {
        (&self.rest.stdout, &self.rest.stderr)
    }

    /// A byte of a global variable that no other thread can reach: none if it is not this thread's own, nothing in
    /// it if it was never written.
    pub fn private_global(&self, address: u64) -> Option<Option<u8>> {
        let globals = &self.memory.globals;
        let object = globals.get(globals.find(address, &mut Position::default())?);
        let offset = address.checked_sub(object.start).filter(|&offset| offset < object.size)?;
        let (bits, undefined) = object.content.as_ref()?.read(offset, 1);
        Some((undefined == 0).then_some(bits as u8))
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
        let args = Small::from_slice(args);
        self.natives.push(NativeCall { function, args, log: Small::new() });
    }

    /// Where the thread is: the instruction under way in the innermost frame of bytecode.
    #[inline]
    pub(crate) fn place(&self) -> Place {
        match self.frames.last() {
            Some(frame) if !frame.native => Place(frame.pc),
            _ => self.backtrace().next().unwrap_or(Place::NONE),
        }
    }

    /// Faults if the thread holds a mutex of the C++ library in an object that ends.
    #[inline]
    pub(crate) fn check_not_held(&self, start: u64, size: u64) -> Result<(), Stop> {
        if self.held.is_empty() {
            return Ok(());
        }
        self.check_held(start, size)
    }

    #[cold]
    fn check_held(&self, start: u64, size: u64) -> Result<(), Stop> {
        let inside = |held: &Held| held.library && held.address.wrapping_sub(start) < size;
        if !self.held.iter().any(inside) {
            return Ok(());
        }
        Err(self.fault(BadSync::EndsHeld(self.id)))
    }

    /// The clock is read: another iteration of a loop under way may see another time.
    pub(crate) fn read_clock(&mut self, takes: u64) -> u64 {
        self.loops.iter_mut().for_each(|state| state.timed = true);
        let rest = self.rest_mut();
        rest.clock += takes;
        rest.clock
    }

    /// Puts the clock to `time`, if that is later.
    pub(crate) fn pass_time(&mut self, time: u64) {
        if self.rest.clock < time {
            self.rest_mut().clock = time;
        }
    }

    pub(crate) fn rest_mut(&mut self) -> &mut Rest {
        Arc::make_mut(&mut self.rest)
    }

    /// Stops for an action whose answer completes the instruction or step under way.
    #[inline]
    pub(crate) fn ask(&mut self, action: Action) -> Stop {
        self.awaiting = Awaiting::Answer;
        self.outgoing = Some(action);
        Stop::Ask
    }

    /// Stops for an action after which the instruction or step is tried again.
    pub(crate) fn before(&mut self, action: Action) -> Stop {
        self.awaiting = Awaiting::Retry;
        self.outgoing = Some(action);
        Stop::Again
    }

    /// A fault of the program, here.
    #[cold]
    pub(crate) fn fault(&self, what: impl Into<Wrong>) -> Stop {
        let mut fault = Fault::new(what, self.place());
        fault.inside =
            fault.what.address().and_then(|address| self.memory.inside(address.0)).map(Box::new);
        Stop::Fail(Arc::new(fault))
    }

    /// Something the machine cannot run, here.
    #[cold]
    pub(crate) fn unsupported(&self, what: Obstacle) -> Stop {
        Stop::Unsupported(Arc::new(Unsupported::new(what, self.place())))
    }
}
