//! Locks that are left out: what the executions of random programs read and write is what the oracle says, without the locks,
//! and nothing that is wrong is missed. A binary of its own, since only here this machine is searched, by `trust` alone.

use norn_action::{
    Action, Address, FaultKind, Lesson, Machine, Mode, Place, Rmw, Role, Saved, Saving, ThreadId,
    Value,
};
use norn_explore::{Explorer, Observer, Options, Stop, Summary, Trust, Visit};
use norn_graph::EventId;
use norn_litmus::{
    LitmusMachine, LitmusThread, Location, LocationId, LocationKind, Program, Shape, generate,
    shrink,
};
use norn_models::{C20, Model, Named, Pso, Ra, Rc11, Sc, Tso};
use norn_oracle::{Graph, GraphBuilder};
use std::collections::BTreeSet;

/// Something that the machine does wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    /// That a thread waits while it holds a lock is not noticed.
    Waits,
    /// Nor is it while the thread holds one that it has taken.
    WaitsWithALock,
    /// Accesses are not known to be in a section, and what is unordered is no reason to take all locks.
    NoSections,
    /// Nor are those in sections whose lock was taken.
    NoTakenSections,
    /// What was found with locks left out is believed.
    Believes,
}

/// A litmus machine that leaves locks out, as the machine for C programs does.
struct Leaving {
    inner: LitmusMachine,
    mutexes: usize,
    lessons: Vec<Lesson>,
    mistake: Mistake,
}

#[derive(Clone, Debug)]
struct Thread {
    inner: LitmusThread,
    /// What the machine inside asks for.
    wanted: Option<Action>,
    /// The locks, each with the site where it was left out.
    held: Vec<(Address, Option<u64>)>,
    leaves_out: bool,
}

impl Leaving {
    fn knows(&self, lesson: Lesson) -> bool {
        self.lessons.contains(&lesson)
    }

    /// The word of a mutex that nobody writes: that of the location that was added for it.
    fn lasting(&self, mutex: Address) -> Address {
        let is_it = |at: &Address| {
            let index = |at| self.inner.location(at).map(LocationId::index);
            index(*at) == index(mutex).map(|index| index + self.mutexes)
        };
        let mut addresses = (mutex.0..).step_by(16).map(Address);
        addresses.find(is_it).expect("one was added")
    }

    fn pause(&self, thread: &mut Thread, action: Action) -> Action {
        thread.wanted = Some(action.clone());
        thread.leaves_out = false;
        let may_not_wait = thread.held.iter().find(|(lock, site)| {
            let blind = self.mistake == Mistake::Waits
                || self.mistake == Mistake::WaitsWithALock && site.is_none();
            !blind && !self.knows(Lesson::LockMatters(lock.0))
        });
        let marker = |lock: Address, place: Place| {
            let (address, mode, role) = (self.lasting(lock), Mode::Relaxed, Role::Lock);
            let access = norn_action::Access { address, size: 4, mode, role, undefined: 0, place };
            Action::Load(access, None)
        };
        match &action {
            Action::Rmw(Rmw { access, .. }) if access.role == Role::Lock => {
                let takes = self.knows(Lesson::LocksMatter)
                    || self.knows(Lesson::LockMatters(access.address.0))
                    || self.knows(Lesson::SectionMatters(access.place.0.into()))
                    || may_not_wait.is_some();
                if !takes {
                    thread.leaves_out = true;
                    return marker(access.address, access.place);
                }
            }
            Action::Store(access, _) if access.role == Role::Unlock => {
                let held = thread.held.iter().find(|(lock, _)| *lock == access.address);
                if held.expect("it is held").1.is_some() {
                    return marker(access.address, access.place);
                }
            }
            _ => {}
        }
        let shows = !matches!(
            action,
            Action::Load(_, None)
                | Action::Store(..)
                | Action::Rmw(Rmw { wait: None, .. })
                | Action::Fence(..)
        );
        match may_not_wait {
            Some((lock, _)) if shows => Action::LockMatters(lock.0),
            _ => action,
        }
    }
}

impl Machine for Leaving {
    type Thread = Thread;
    type States = Saved<Thread>;

    fn knows(&self, lesson: Lesson) -> bool {
        self.lessons.contains(&lesson)
    }

    fn leaves_out_locks(&self) -> bool {
        self.mistake != Mistake::Believes && !self.knows(Lesson::LocksMatter)
    }

    fn section(&self, thread: &Thread) -> Option<Lesson> {
        let (is_blind, sees_taken) =
            (self.mistake == Mistake::NoSections, self.mistake != Mistake::NoTakenSections);
        let sites = thread.held.iter().filter_map(|&(_, site)| site.map(Lesson::SectionMatters));
        let locks = thread.held.iter().map(|(lock, _)| Lesson::LockMatters(lock.0));
        let locks = locks.filter(|&lesson| sees_taken && !self.knows(lesson));
        sites.chain(locks).find(|_| !is_blind)
    }
}

impl Saving for Leaving {
    fn start(&self) -> (Thread, Action) {
        let (inner, action) = self.inner.start();
        (
            Thread { inner, wanted: Some(action.clone()), held: Vec::new(), leaves_out: false },
            action,
        )
    }

    fn spawn(&self, parent: &Thread, child: ThreadId) -> (Thread, Action) {
        let (inner, action) = self.inner.spawn(&parent.inner, child);
        let mut thread = Thread { inner, wanted: None, held: Vec::new(), leaves_out: false };
        let action = self.pause(&mut thread, action);
        (thread, action)
    }

    fn resume(&self, thread: &mut Thread, answer: Value) -> Action {
        match thread.wanted.take() {
            Some(Action::Rmw(Rmw { access, .. })) if access.role == Role::Lock => {
                let site = thread.leaves_out.then(|| access.place.0.into());
                thread.held.push((access.address, site));
            }
            Some(Action::Store(access, _)) if access.role == Role::Unlock => {
                thread.held.retain(|(lock, _)| *lock != access.address);
            }
            _ => {}
        }
        let action = self.inner.resume(&mut thread.inner, answer);
        self.pause(thread, action)
    }
}

/// The program with a location more for each mutex, at the end, in the same order.
fn with_lasting(program: &Program) -> (Program, usize) {
    let mut program = program.clone();
    let is_mutex = |location: &Location| location.kind == LocationKind::Mutex;
    // Random programs have their mutexes last; what is shrunk keeps the order.
    let mutexes = program.locations.iter().filter(|location| is_mutex(location)).count();
    let names = (0..mutexes).map(|index| Location {
        name: format!("lasting{index}"),
        kind: LocationKind::Atomic,
        initial: 0,
    });
    program.locations.extend(names);
    (program, mutexes)
}

/// The graph without the accesses of locations beyond the first `data`, which are those of locks.
fn without_locks(graph: &Graph, data: usize) -> Graph {
    let keeps = |location: Option<LocationId>| location.is_none_or(|at| at.index() < data);
    let name = |id: norn_oracle::EventId| {
        let before = &graph.threads[id.thread as usize][..id.index as usize];
        let index = before.iter().filter(|event| keeps(event.location)).count() as u32;
        norn_oracle::EventId { index, ..id }
    };
    let events = |events: &Vec<norn_oracle::Event>| {
        events.iter().filter(|event| keeps(event.location)).copied().collect()
    };
    let rf = graph.rf.iter().filter(|(read, _)| keeps(graph.event(*read).location));
    Graph {
        threads: graph.threads.iter().map(events).collect(),
        rf: rf.map(|&(read, from)| (name(read), from.map(name))).collect(),
        co: graph.co[..data]
            .iter()
            .map(|order| order.iter().map(|&id| name(id)).collect())
            .collect(),
    }
}

/// Collects complete executions.
struct Collect<'m> {
    machine: &'m LitmusMachine,
    complete: Vec<Graph>,
}

impl<M: Machine> Observer<M> for Collect<'_> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        let program = self.machine.program();
        let mut builder = GraphBuilder::new(program.threads.len(), program.locations.len());
        let name = |id: EventId| {
            let thread = id.thread().0.wrapping_sub(1);
            id.is_real().then(|| norn_oracle::EventId { thread, index: id.position() })
        };
        let graph = execution.graph;
        let address = |location| execution.locations.info(location).address;
        for &id in graph.order().iter().filter(|id| id.thread().0 > 0) {
            let (thread, event) = (id.thread().index() - 1, graph.event(id));
            let location = || self.machine.location(address(event.location)).expect("a location");
            let value = LitmusMachine::number(event.value);
            use norn_graph::EventKind::{Fence, Join, Read, Write};
            match event.kind {
                Read => builder.read(thread, location(), value, event.mode, name(event.rf)),
                Write if event.is_exclusive() => {
                    builder.exclusive_write(thread, location(), value, event.mode)
                }
                Write => builder.write(thread, location(), value, event.mode),
                Fence => builder.fence(thread, event.mode),
                Join => builder.join(thread, event.target().index() - 1),
                other => panic!("{other:?} in a litmus thread"),
            };
        }
        for &id in graph.touched() {
            let location = self.machine.location(address(id)).expect("a location");
            builder.coherence(location, graph.location(id).co.iter().filter_map(|&w| name(w)));
        }
        self.complete.push(builder.build());
    }
}

/// What a search comes to, and whether locks were left out in it.
struct Found {
    complete: Vec<Graph>,
    summary: Summary,
    leaves_out: bool,
}

/// Searches as often as there is something to learn, beyond these lessons.
fn search<Mo: Named + Model>(program: &Program, mistake: Mistake, lessons: &[Lesson]) -> Found {
    let (program, mutexes) = with_lasting(program);
    let mut lessons = lessons.to_vec();
    loop {
        let machine =
            Leaving { inner: LitmusMachine::new(program.clone()), mutexes, lessons, mistake };
        let mut collect = Collect { machine: &machine.inner, complete: Vec::new() };
        let options =
            Options { keep_going: true, max_executions: Some(MOST), ..Options::default() };
        let summary = Trust::<_, Mo>::new(&machine, options).run(&mut collect);
        let complete = collect.complete;
        lessons = machine.lessons;
        if summary.stopped != Some(Stop::Lesson) {
            let leaves_out = !lessons.contains(&Lesson::LocksMatter);
            return Found { complete, summary, leaves_out };
        }
        let known = lessons.len();
        lessons.extend(summary.lessons);
        lessons.sort();
        lessons.dedup();
        assert!(lessons.len() > known, "nothing was learned");
    }
}

fn has(summary: &Summary, kinds: &[FaultKind]) -> bool {
    summary.violations.iter().any(|violation| kinds.contains(&violation.fault.kind()))
}

/// What differs from what the oracle says. `saved` counts how many executions were not visited.
fn difference<Mo: Named + Model>(
    program: &Program,
    mistake: Mistake,
    saved: &mut u64,
) -> Option<String> {
    let model = norn_oracle::Model::from_name(Mo::ABOUT.name).expect("the oracle knows it");
    let Found { complete, summary, leaves_out } = search::<Mo>(program, mistake, &[]);
    let taken = search::<Mo>(program, Mistake::None, &[Lesson::LocksMatter]).summary;
    if summary.stopped.is_some() || taken.stopped.is_some() {
        return None;
    }
    let kinds = |summary: &Summary| -> BTreeSet<String> {
        let faults = summary.violations.iter().map(|violation| &violation.fault);
        faults.map(|fault| format!("{:?} at {:?}", fault.kind(), fault.place)).collect()
    };
    if kinds(&summary) != kinds(&taken) {
        return Some(format!("{:?} instead of {:?}", kinds(&summary), kinds(&taken)));
    }
    let data = program.locations.iter().filter(|one| one.kind != LocationKind::Mutex).count();
    let expected = norn_oracle::executions(program, model);
    let racy = expected.complete.iter().any(|execution| execution.racy);
    if racy && !has(&summary, &[FaultKind::DataRace]) {
        return Some("a race is missed".to_owned());
    }
    if racy && matches!(Mo::ABOUT.name, "rc11" | "c20") {
        return None;
    }
    let waits = match model {
        norn_oracle::Model::Sc => !norn_oracle::interleavings(program).deadlocks.is_empty(),
        _ => !expected.blocked.is_empty(),
    };
    if waits != has(&summary, &[FaultKind::Deadlock, FaultKind::Livelock]) {
        return Some(format!("somebody waits for ever: {} instead of {waits}", !waits));
    }
    if leaves_out {
        *saved += (expected.complete.len() as u64).saturating_sub(complete.len() as u64);
    }
    let reduce = |graph: &Graph| without_locks(graph, data);
    let expected: BTreeSet<Graph> =
        expected.complete.iter().map(|one| reduce(&one.graph)).collect();
    let found: BTreeSet<Graph> = complete.iter().map(reduce).collect();
    if let Some(graph) = expected.difference(&found).next() {
        return Some(format!("missed:\n{}", graph.describe(program)));
    }
    let wrong = found.difference(&expected).next()?;
    Some(format!("none of the oracle's:\n{}", wrong.describe(program)))
}

type Compare = fn(&Program, Mistake, &mut u64) -> Option<String>;

const MODELS: [(&str, Compare); 6] = [
    ("sc", difference::<Sc>),
    ("tso", difference::<Tso>),
    ("pso", difference::<Pso>),
    ("ra", difference::<Ra>),
    ("rc11", difference::<Rc11>),
    ("c20", difference::<C20>),
];

/// Programs with more executions than this are left out.
const MOST: u64 = 3000;

fn programs() -> u64 {
    let asked = std::env::var("NORN_FUZZ_PROGRAMS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(150)
}

/// Compares random programs; how many executions were saved.
fn compare(shape: &Shape) -> u64 {
    let mut saved = 0;
    for seed in 0..programs() {
        let program = generate(seed, shape);
        for (model, difference) in MODELS {
            let differs = |program: &Program| difference(program, Mistake::None, &mut 0).is_some();
            if difference(&program, Mistake::None, &mut saved).is_some() {
                let small = shrink(program.clone(), differs);
                let what = difference(&small, Mistake::None, &mut 0).expect("it still fails");
                panic!("seed {seed} under {model}:\n{}\n{what}", norn_litmus::print(&small));
            }
        }
    }
    saved
}

fn locks() -> Shape {
    Shape { max_threads: 3, max_actions: 10, max_mutexes: 2, ..Shape::default() }
}

#[test]
fn programs_with_locks_and_any_accesses() {
    assert!(compare(&locks()) > 100, "little is saved");
}

#[test]
fn programs_with_locks_and_plain_accesses() {
    let shape = Shape { modes: vec![Mode::SeqCst], fences: false, max_locations: 4, ..locks() };
    assert!(compare(&shape) > 100, "little is saved");
}

#[test]
fn programs_with_locks_and_everything_that_waits() {
    assert!(compare(&Shape { max_mutexes: 2, ..Shape::waiting() }) > 20, "little is saved");
}

/// Two threads that may wait for each other, in sections that have been found to depend on others before anybody waits there.
const LATE: &str = "C late

{ [x] = 0; [y] = 0; [a] = 0; [b] = 0; }

P0 (atomic_int* x, spinlock_t* a, spinlock_t* b) {
  spin_lock(a);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0) {
    spin_lock(b);
    spin_unlock(b);
  }
  spin_unlock(a);
}

P1 (atomic_int* x, spinlock_t* a) {
  spin_lock(a);
  atomic_store_explicit(x, 1, memory_order_relaxed);
  spin_unlock(a);
}

P2 (atomic_int* y, spinlock_t* a, spinlock_t* b) {
  spin_lock(b);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0) {
    spin_lock(a);
    spin_unlock(a);
  }
  spin_unlock(b);
}

P3 (atomic_int* y, spinlock_t* b) {
  spin_lock(b);
  atomic_store_explicit(y, 1, memory_order_relaxed);
  spin_unlock(b);
}

exists (true)
";

#[test]
fn who_waits_late_is_found() {
    let program = norn_litmus::read(LATE).expect("a litmus test");
    assert_eq!(difference::<Sc>(&program, Mistake::None, &mut 0), None);
    let missed = difference::<Sc>(&program, Mistake::WaitsWithALock, &mut 0);
    assert!(missed.is_some(), "it was seen though nobody looked");
}

/// A section that takes its lock, around one that does not, if nobody looks at what the first one accesses.
const AROUND: &str = "C around

{ [y] = 0; [m] = 0; }

P0 (atomic_int* y, spinlock_t* m) {
  spin_lock(m);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  int r1 = atomic_load_explicit(y, memory_order_relaxed);
  spin_unlock(m);
}

P1 (atomic_int* y, spinlock_t* m) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  spin_lock(m);
  spin_unlock(m);
  atomic_store_explicit(y, 2, memory_order_relaxed);
}

exists (true)
";

#[test]
fn a_section_around_another_is_found() {
    let program = norn_litmus::read(AROUND).expect("a litmus test");
    assert_eq!(difference::<Sc>(&program, Mistake::None, &mut 0), None);
    let wrong = difference::<Sc>(&program, Mistake::NoTakenSections, &mut 0);
    assert!(wrong.is_some(), "it was seen though nobody looked");
}

/// Each mistake shows in some random program.
#[test]
fn mistakes_are_found() {
    let shapes = [locks(), Shape { max_mutexes: 2, ..Shape::waiting() }];
    let mistakes = [Mistake::Waits, Mistake::NoSections, Mistake::Believes];
    for mistake in mistakes {
        let shows = |seed: u64| {
            let program = generate(seed, &shapes[seed as usize % 2]);
            MODELS.iter().any(|(_, difference)| difference(&program, mistake, &mut 0).is_some())
        };
        assert!((0..2000).any(shows), "{mistake:?} is not found");
    }
}
