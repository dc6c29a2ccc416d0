//! The machine: a program and what is computed from it once.

use crate::Config;
use crate::alike::has_alike;
use crate::elision::leaves_out_locks;
use crate::failing::Bodies;
use crate::memory::{Content, Memory, Object, ObjectList};
use crate::parts::Cuts;
use crate::runtime::{self, Exits, HANDLERS_SIZE, NativeFn};
use crate::separate::Copies;
use crate::thread::Thread;
use crate::watch::asked;
use norn_action::{
    Action, Address, Cut, End, Image, Inside, Lesson, Machine, ObjectKind, Place, Saved, Saving,
    SmallTest, ThreadId, Value,
};
use norn_program::layout::{self, region_thread};
use norn_program::{Counter, External, GlobalId, Instruction, Loop, LoopId, Program};
use std::sync::Arc;

/// Runs the threads of a program. Immutable; all state is in [`Thread`]s.
#[derive(Debug)]
pub struct Vm {
    pub(crate) program: Arc<Program>,
    pub(crate) config: Config,
    /// Globals that cannot change; read directly by every thread.
    pub(crate) constants: ObjectList,
    /// The other globals as the main thread starts with them.
    globals: ObjectList,
    /// The runtime function of each external one.
    pub(crate) externals: Vec<Option<NativeFn>>,
    /// Whether threads may be alike.
    pub(crate) has_alike: bool,
    /// Whether threads may leave out locks.
    pub(crate) leaves_out_locks: bool,
    pub(crate) natives: Natives,
    pub(crate) exit: Exits,
    has_sections: bool,
    /// Whether a thread says that it has gone round a loop whose effects may cancel out.
    pub(crate) has_rounds: bool,
    /// Whether tries that are taken back where they fail are waits.
    pub(crate) makes_attempts: bool,
    /// Where accesses are made in parts, and whether these may have to be one step.
    pub(crate) cuts: Cuts,
    /// Of each loop, the register that only says how often it is tried, if it does nothing but try.
    pub(crate) counters: Vec<Option<Counter>>,
    has_groups: bool,
    /// Whether threads may be detached, so that who joins them has to look.
    pub(crate) detaches: bool,
    /// Whether keys of thread-specific values may be deleted, so that who uses them has to look.
    pub(crate) deletes_keys: bool,
    /// Whether who waits at a futex may be moved to another one.
    pub(crate) requeues: bool,
    /// Whether it can tell that a lock is held by somebody else.
    pub(crate) tells_held: bool,
    /// Whether threads that meet at a barrier have to decide which of them is the serial one.
    pub(crate) serial_threads: bool,
    /// Functions of the C++ library that lock a mutex of its own, in order.
    pub(crate) library_locks: Vec<u32>,
    /// One bit for each instruction, set at the reads that may wait.
    pub(crate) watched: Vec<u64>,
    /// One bit for each instruction, set at the read-modify-writes whose answers nobody looks at.
    pub(crate) unused: Vec<u64>,
    /// Reads of whose answers one thing is asked, by ascending program counter, and what that is.
    pub(crate) asked: Vec<(u32, SmallTest)>,
    /// Of each loop, whose iterations count: its turn's, if it has one.
    pub(crate) counted: Vec<LoopId>,
    /// Which instructions each loop is made of.
    pub(crate) bodies: Bodies,
    /// One bit for each 16 bytes of globals, set where a constant is.
    constant_bits: Vec<u64>,
}

/// Runtime functions that instructions call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Natives {
    pub copy_memory: NativeFn,
    pub move_memory: NativeFn,
    pub set_memory: NativeFn,
}

/// A report shows that many calls at the most: in a deep recursion each event has thousands.
const MOST_CALLERS: usize = 64;
/// Threads that there can be; the address map has regions for more.
const MOST_THREADS: u32 = ThreadId::MOST as u32;

/// Address of a cell that the runtime itself needs, below all globals.
pub(crate) const ATOMIC_SECTION: u64 = 0x8000;
/// Likewise, of those that hold what is to be called at exit.
pub(crate) const EXIT_HANDLERS: u64 = 0x8100;
/// Likewise, one byte a thread: set once the thread was joined or detached.
pub(crate) const GONE: u64 = 0xc200;
/// Likewise, two bytes a slot of keys for thread-specific values.
pub(crate) const KEYS: u64 = 0xd000;
/// Likewise, what threads say that wait at a futex.
pub(crate) const WAITERS: u64 = 0xd800;
/// Likewise, 16 bytes a queue of threads that wait at a futex.
pub(crate) const FUTEXES: u64 = 0xe000;

/// The objects that the runtime itself needs: where they start, and their sizes.
fn runtime_cells(
    has_handlers: bool,
    detaches: bool,
    has_keys: bool,
    has_futexes: bool,
) -> Vec<(u64, u64)> {
    let mut cells = vec![(ATOMIC_SECTION, 16)];
    if has_handlers {
        cells.push((EXIT_HANDLERS, HANDLERS_SIZE));
    }
    if detaches {
        cells.push((GONE, ThreadId::MOST as u64));
    }
    if has_keys {
        cells.push((KEYS, runtime::KEYS_SIZE));
    }
    if has_futexes {
        cells.push((WAITERS, runtime::WAITERS_SIZE));
        cells.push((FUTEXES, runtime::FUTEXES_SIZE));
    }
    cells
}

/// The globals of a program: those that cannot change, and the others, with the cells of the runtime.
fn lay_out(program: &Program, cells: Vec<(u64, u64)>) -> (ObjectList, ObjectList) {
    let (mut constants, mut globals) = (ObjectList::default(), ObjectList::default());
    for (start, size) in cells {
        let (kind, place, content) = (ObjectKind::Global, Place::NONE, Content::zero(size));
        globals.push(Object { start, size, kind, place, content: Some(content) });
    }
    for (i, global) in program.globals.iter().enumerate() {
        if global.thread_local {
            continue;
        }
        // A program may declare `stderr` as anything; only a pointer can hold the handle.
        let is_pointer = global.bytes.is_empty() && global.size == 8;
        let stream = runtime::stream_handle(&global.name).filter(|_| is_pointer);
        let bytes = stream.map(|handle| handle.to_le_bytes().to_vec());
        let bytes = bytes.as_ref().unwrap_or(&global.bytes);
        let object = Object {
            start: global.address,
            size: global.size,
            kind: ObjectKind::Global,
            place: Program::global_place(GlobalId(i as u32)),
            content: Some(Content::from_bytes(global.size, bytes)),
        };
        let constant = global.constant || stream.is_some();
        if constant { &mut constants } else { &mut globals }.push(object);
    }
    (constants, globals)
}

impl Vm {
    /// A machine for a program.
    ///
    /// # Panics
    ///
    /// If the program is malformed; [`norn_program::ProgramBuilder::finish`] makes no such program.
    pub fn new(program: Arc<Program>, config: Config) -> Vm {
        if let Err(error) = program.verify() {
            panic!("{error}");
        }
        let native = |external: &External| match external.operation {
            Some(_) => Some(runtime::operate as NativeFn),
            None => runtime::find(&external.name),
        };
        let externals = program.externals.iter().map(native).collect();
        let calls = |which: fn(&str) -> bool| {
            program.externals.iter().any(|external| which(&external.name))
        };
        let has_sections = calls(|name| name == "__VERIFIER_atomic_begin");
        let detaches = calls(runtime::detaches);
        let tells_held = calls(runtime::tells_held);
        let deletes_keys = calls(runtime::deletes_keys);
        let has_keys = deletes_keys || calls(runtime::makes_keys);
        let exit = Exits::of(&program);
        let cells = runtime_cells(
            exit.has_handlers,
            detaches,
            has_keys,
            calls(|name| name == runtime::SYSCALL),
        );
        let (constants, globals) = lay_out(&program, cells);
        let requeues = runtime::requeues(&program);
        let natives = Natives {
            copy_memory: runtime::copy_memory,
            move_memory: runtime::move_memory,
            set_memory: runtime::set_memory,
        };
        let constant_bits = constant_bits(&constants);
        let bodies = Bodies::of(&program);
        let watched = bits(&program.watched);
        let unused = bits(&program.unused);
        let asked = asked(&program);
        let ids = (0..program.loops.len() as u32).map(LoopId);
        let counted = ids.map(|id| program.turn_of(id).unwrap_or(id)).collect();
        let serial_threads = runtime::asks_for_serial(&program);
        let library_locks = (0..program.functions.len() as u32)
            .filter(|&index| runtime::locks_library(&program.functions[index as usize].name))
            .collect();
        let cuts = Cuts::new(config.lessons.iter().filter_map(|lesson| lesson.cut()));
        let counters = counters(&program, &config);
        let has_alike = has_alike(&program, &config);
        let leaves_out_locks = leaves_out_locks(&program, &config);
        let has_rounds = config.detect_spin
            && cuts.is_empty()
            && !has_sections
            && !config.lessons.contains(&Lesson::RoundsCount);
        let makes_attempts =
            has_rounds && !asked.is_empty() && !config.lessons.contains(&Lesson::AttemptsShow);
        let has_groups = !cuts.is_empty() && cuts.make_groups(&program, config.races_have_meaning);
        Vm {
            program,
            config,
            constants,
            globals,
            externals,
            natives,
            exit,
            has_sections,
            has_rounds,
            makes_attempts,
            cuts,
            counters,
            has_groups,
            has_alike,
            leaves_out_locks,
            detaches,
            deletes_keys,
            requeues,
            tells_held,
            serial_threads,
            library_locks,
            bodies,
            watched,
            unused,
            asked,
            counted,
            constant_bits,
        }
    }

    /// Whether an address of a global may belong to a constant. Exact to 16 bytes, and no two
    /// globals share those.
    #[inline]
    pub(crate) fn is_constant(&self, address: u64) -> bool {
        let granule = address.wrapping_sub(layout::GLOBALS) / layout::OBJECT_ALIGN;
        let word = self.constant_bits.get((granule / 64) as usize);
        word.is_some_and(|word| word >> (granule % 64) & 1 == 1)
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Takes what a thread printed since the last call: standard output, standard error.
    pub fn take_output(&self, thread: &mut Thread) -> (Vec<u8>, Vec<u8>) {
        if thread.rest.stdout.is_empty() && thread.rest.stderr.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let rest = thread.rest_mut();
        (std::mem::take(&mut rest.stdout), std::mem::take(&mut rest.stderr))
    }

    /// `file:line:column` of a place.
    pub fn format_place(&self, place: Place) -> Option<String> {
        self.program.format_place(place)
    }

    /// An address as a person would name it, without knowing the objects of threads.
    pub fn describe_address(&self, address: Address) -> String {
        if let Some(global) = self.program.global_at(address.0) {
            let offset = address.0 - self.program.globals[global.index()].address;
            return self.program.describe_global(global, offset);
        }
        if let Some(function) = self.program.function_at(address.0) {
            return self.program.functions[function.index()].name.clone();
        }
        match region_thread(address.0) {
            Some(thread) => {
                let half = if address.0 & layout::STACK_HALF != 0 { "stack" } else { "heap" };
                format!("{half} of {} at {address}", ThreadId(thread))
            }
            None => format!("{address}"),
        }
    }

    /// An address within a published object as a person would name it: `queue.nodes[1].next`.
    pub fn describe(&self, address: Address, image: &Image) -> String {
        let offset = address.0.wrapping_sub(image.start.0);
        let Image { kind, place, start, .. } = *image;
        self.describe_inside(&Inside { kind, place, start, offset })
    }

    /// Bytes of any object as a person would name them.
    pub fn describe_inside(&self, inside: &Inside) -> String {
        let Inside { kind, place, start: Address(start), offset } = *inside;
        if let Some(global) = self.program.global_of_place(place) {
            return self.program.describe_global(global, offset);
        }
        match start {
            ATOMIC_SECTION => return "the atomic section".to_owned(),
            EXIT_HANDLERS => return "what is called at exit".to_owned(),
            GONE => return format!("the end of thread {offset}"),
            KEYS => return "a key of thread-specific values".to_owned(),
            WAITERS => return format!("where thread {} waits", offset / 8),
            FUTEXES => return "who waits at a futex".to_owned(),
            _ => {}
        }
        if let Some(Instruction::Alloca { local, .. }) = self.program.code.get(place.0 as usize)
            && kind == ObjectKind::Stack
        {
            return self.program.describe_local(*local, offset);
        }
        let whose = region_thread(start)
            .map_or(String::new(), |thread| format!(" of {}", ThreadId(thread)));
        let origin = match self.format_place(place) {
            Some(text) => format!(" allocated at {text}"),
            None => String::new(),
        };
        let what = match kind {
            ObjectKind::Heap | ObjectKind::New | ObjectKind::NewArray => "heap object",
            ObjectKind::Stack => "local object",
            ObjectKind::Global => "global",
            ObjectKind::ThreadLocal => "thread-local",
        };
        match offset {
            0 => format!("{what}{whose}{origin}"),
            _ => format!("offset {offset} of {what}{whose}{origin}"),
        }
    }
}

fn constant_bits(constants: &ObjectList) -> Vec<u64> {
    let mut bits = Vec::new();
    for position in constants.positions() {
        let object = constants.get(position);
        let first = (object.start - layout::GLOBALS) / layout::OBJECT_ALIGN;
        let last = (object.start + object.size - layout::GLOBALS) / layout::OBJECT_ALIGN;
        bits.resize((last / 64 + 1) as usize, 0);
        for granule in first..=last {
            bits[(granule / 64) as usize] |= 1u64 << (granule % 64);
        }
    }
    bits
}

/// The counters of loops in which failed tries stand for each other.
fn counters(program: &Program, config: &Config) -> Vec<Option<Counter>> {
    let counts = |header: u32| config.lessons.contains(&Lesson::Counts(Place(header)));
    let of_loop = |item: &Loop| item.counter.filter(|_| config.detect_spin && !counts(item.header));
    program.loops.iter().map(of_loop).collect()
}

impl Machine for Vm {
    type Thread = Thread;
    type States = Saved<Self::Thread>;

    fn knows(&self, lesson: Lesson) -> bool {
        self.config.lessons.contains(&lesson)
    }

    fn makes_attempts(&self) -> bool {
        self.makes_attempts
    }

    fn has_sections(&self) -> bool {
        self.has_sections
    }

    fn is_cut(&self, cut: Cut) -> bool {
        self.cuts.has(cut)
    }

    fn has_groups(&self) -> bool {
        self.has_groups
    }

    fn leaves_out_locks(&self) -> bool {
        self.leaves_out_locks
    }

    fn section(&self, thread: &Thread) -> Option<Lesson> {
        let lock = || self.may_not_wait(thread).map(Lesson::LockMatters);
        thread.left_out().map(Lesson::SectionMatters).or_else(lock)
    }

    fn keeps_private(&self, thread: &Thread, address: Address) -> bool {
        thread.memory.keeps_private(address.0)
    }

    fn ended(&self, thread: &Thread, address: Address) -> Option<End> {
        thread.memory.ended(address.0)
    }

    fn holds(&self, thread: &Thread, address: Address) -> bool {
        thread.held.iter().any(|held| held.address == address.0)
    }

    fn callers(&self, thread: &Thread) -> Vec<Place> {
        let written = thread.frames.iter().rev().filter(|frame| !frame.native);
        // The innermost is where the thread is.
        written.skip(1).take(MOST_CALLERS).map(|frame| Place(frame.pc)).collect()
    }
}

impl Saving for Vm {
    fn start(&self) -> (Thread, Action) {
        let memory = Memory::new(0, self.globals.clone(), false);
        let mut thread = Thread::new(ThreadId::MAIN, memory, runtime::main_thread, &[]);
        self.refuel(&mut thread);
        let action = self.run(&mut thread);
        (thread, action)
    }

    fn spawn(&self, parent: &Thread, child: ThreadId) -> (Thread, Action) {
        let memory = Memory::new(child.0.min(MOST_THREADS), ObjectList::default(), true);
        let pending = parent.spawn.filter(|_| child.0 < MOST_THREADS);
        let (root, args) = pending.unwrap_or((runtime::no_thread, [0; 2]));
        let mut thread = Thread::new(child, memory, root, &args);
        self.refuel(&mut thread);
        let action = self.run(&mut thread);
        (thread, action)
    }

    fn resume(&self, thread: &mut Thread, answer: Value) -> Action {
        match self.answer(thread, answer) {
            Ok(()) => self.run(thread),
            Err(stop) => self.pause(thread, stop),
        }
    }

    fn resume_partly(
        &self,
        thread: &mut Thread,
        answer: Value,
        undefined: u8,
        address: Address,
    ) -> Action {
        match self.answer_partly(thread, answer, undefined.into(), address.0) {
            Ok(()) => self.run(thread),
            Err(stop) => self.pause(thread, stop),
        }
    }

    fn separate<'t>(&self, threads: impl Iterator<Item = &'t mut Thread>) {
        let mut copies = Copies::default();
        threads.for_each(|thread| copies.separate(thread));
    }
}

/// One bit for each number in a list.
fn bits(numbers: &[u32]) -> Vec<u64> {
    let mut bits = Vec::new();
    for &number in numbers {
        let word = number as usize / 64;
        bits.resize(bits.len().max(word + 1), 0);
        bits[word] |= 1 << (number % 64);
    }
    bits
}
