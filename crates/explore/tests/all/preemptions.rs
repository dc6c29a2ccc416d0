//! Programs whose executions and preemptions are known.

use norn_action::{FaultKind, Machine};
use norn_explore::{
    Bound, Bounded, Deepened, Explorer, Observer, Options, Prune, Summary, Trust, Visit, Waits,
    deepen,
};
use norn_graph::{EventId, Graph};
use norn_litmus::LitmusMachine;
use norn_models::Sc;
use std::sync::{Arc, Mutex};

fn machine(threads: &[&str]) -> LitmusMachine {
    let mut text = "C t\n{ }\n".to_owned();
    for (number, body) in threads.iter().enumerate() {
        let parameters =
            "atomic_int* x, atomic_int* y, atomic_int* z, spinlock_t* m, spinlock_t* n";
        text += &format!("P{number} ({parameters}) {{ {body} }}\n");
    }
    LitmusMachine::new(norn_litmus::read(&text).expect("a litmus test"))
}

fn options() -> Options {
    Options { keep_going: true, ..Options::default() }
}

fn bounded(machine: &LitmusMachine, preemptions: u32, strict: bool) -> Summary {
    Trust::<_, Sc, _>::bounded(machine, options(), Bound { preemptions, strict }).run(&mut ())
}

/// Executions within the bound, beyond it, blocked by it, and graphs discarded.
fn numbers(summary: &Summary) -> (u64, u64, u64, u64) {
    let within = summary.executions - summary.figures.bound.unwrap_or_default().beyond;
    (
        within,
        summary.figures.bound.unwrap_or_default().beyond,
        summary.figures.bound.unwrap_or_default().blocked,
        summary.figures.bound.unwrap_or_default().discarded,
    )
}

/// RR+WW of the paper, with three executions. Reading 0 or 2 for y needs no preemption: the threads
/// run one after the other. Reading 1 needs one, in front of the second write (trace 5). With the
/// bound 0 that one is visited too: as long as the second write may still revisit the read of y,
/// which is how reading 2 is reached, nothing that needs a preemption is settled.
#[test]
fn two_reads_and_two_writes() {
    let machine = machine(&["int a = *x; int b = *y;", "*y = 1; *y = 2;"]);
    assert_eq!(numbers(&bounded(&machine, 0, false)), (2, 1, 0, 0));
    assert_eq!(numbers(&bounded(&machine, 1, false)), (3, 0, 0, 0));
}

/// Without reads everything is settled at once. Of the six orders of the writes, two need no
/// preemption, two need one (one thread within the other) and two need two (in turns). With the bound
/// 0, three graphs are discarded: P1's first write between those of P0, and with that write in
/// front, the second one between or behind them. With the bound 1, only the orders in turns are.
#[test]
fn two_writes_and_two_writes() {
    let machine = machine(&["*x = 1; *x = 2;", "*x = 3; *x = 4;"]);
    assert_eq!(numbers(&bounded(&machine, 0, false)), (2, 0, 0, 3));
    assert_eq!(numbers(&bounded(&machine, 1, false)), (4, 0, 0, 2));
    assert_eq!(numbers(&bounded(&machine, 2, false)), (6, 0, 0, 0));
}

/// A graph within the bound that leads to no execution within it: y = 1 was read, x = 1 was read
/// between the writes of x, which is one preemption, and now y = 2 must come, which is another.
#[test]
fn a_graph_can_be_blocked_by_the_bound() {
    let machine = machine(&["int a = *y; *x = 1; *x = 2;", "int b = *x;", "*y = 1; *y = 2;"]);
    let summary = bounded(&machine, 1, false);
    assert_eq!(numbers(&summary), (8, 0, 1, 1));
    assert_eq!(numbers(&bounded(&machine, 2, false)), (9, 0, 0, 0));
}

/// Line 5 as it would be without slack: looks at the whole graph, also at what will be deleted.
struct WholeGraph(Bounded);

impl Prune for WholeGraph {
    type Part = ();

    fn part(&self, _: usize) {}

    fn take_part(&mut self, (): (), _: &Graph) {}

    fn keeps(&mut self, graph: &Graph, half: bool, waits: &dyn Waits) -> bool {
        half || !self.0.is_beyond(graph, waits)
    }
}

/// The kind of program of Fig. 2. Run from right to left it needs no preemption; b is 2 and a is 1.
/// The search gets there through a graph in which P1 has written x, P0 has read that and written
/// y, and P1 has read that: P1 was preempted. Then P2 writes y, and P1's read is revisited.
#[test]
fn a_graph_beyond_the_bound_leads_to_an_execution_within_it() {
    let program = ["int a = *x; *y = 1;", "*x = 1; int b = *y;", "*y = 2;"];
    let machine = machine(&program);
    let exact = bounded(&machine, 0, false);
    let naive = WholeGraph(Bounded::new(Bound { preemptions: 0, strict: false }));
    let naive = Trust::<_, Sc, _>::pruned(&machine, options(), naive).run(&mut ());
    let expected = norn_oracle::interleavings(machine.program());
    let expected = expected.complete.values().filter(|s| s.preemptions == 0).count() as u64;
    assert_eq!(exact.executions - exact.figures.bound.unwrap_or_default().beyond, expected);
    // Three orders of the threads give different results to each other when P2 comes first, in the
    // middle or last, and P0 and P1 are in either order.
    assert_eq!(expected, 6);
    assert!(naive.executions < expected, "the whole graph would be a sound thing to look at");
}

/// The largest bound of a census.
const MOST: usize = 9;

/// Visits everything, and asks of each execution by which bounds it is allowed, from nothing but its
/// graph.
struct Census {
    judges: Vec<Bounded>,
    found: Arc<Mutex<[u64; MOST]>>,
}

impl Prune for Census {
    type Part = ();

    fn part(&self, _: usize) {}

    fn take_part(&mut self, (): (), _: &Graph) {}

    fn keeps(&mut self, _: &Graph, _: bool, _: &dyn Waits) -> bool {
        true
    }

    fn ended(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        let mut found = self.found.lock().expect("nobody panics");
        for (judge, found) in self.judges.iter_mut().zip(&mut *found) {
            *found += u64::from(!judge.is_beyond(graph, waits));
        }
        false
    }
}

/// Two threads that write what they read of each other again and again: runs with many segments, which
/// have to be cut and put together anew as the graph changes.
#[test]
fn long_runs_are_within_the_bounds_that_they_need() {
    let turn = "int a = *x; int b = *y;";
    let programs = [
        vec!["*x = 1; int a = *y; *x = 2; int b = *y; *x = 3; int c = *y;"; 2],
        vec![
            "int a = *x; *y = 1; int b = *x; *y = 2; int c = *x;",
            "*x = 1; *x = 2; *x = 3;",
            turn,
        ],
        vec!["int a = *x; *y = 1; *x = 1;", "int a = *y; *x = 2; *y = 2;", "*y = 3; int b = *x;"],
        vec!["int a = atomic_fetch_add(x, 1); int b = atomic_fetch_add(y, 1); int c = *z;"; 3],
    ];
    for (number, program) in programs.iter().enumerate() {
        let machine = machine(program);
        let found = Arc::new(Mutex::new([0; MOST]));
        let judge = |k| Bounded::new(Bound { preemptions: k as u32, strict: false });
        let census = Census { judges: (0..MOST).map(judge).collect(), found: Arc::clone(&found) };
        let all = Trust::<_, Sc, _>::pruned(&machine, options(), census).run(&mut ()).executions;
        let found = *found.lock().expect("nobody panics");
        assert_eq!(
            found[MOST - 1],
            all,
            "program {number}: the largest bound allows all of {found:?}"
        );
        for (k, &expected) in found.iter().enumerate() {
            let within = numbers(&bounded(&machine, k as u32, false)).0;
            assert_eq!(within, expected, "program {number}, bound {k}");
        }
    }
}

/// Two threads that each hold a lock, have seen each other's store, and want the other's lock.
fn deadlock_after_one_preemption() -> LitmusMachine {
    machine(&[
        "spin_lock(m); *z = 1; int r = *y; if (r == 1) { spin_lock(n); spin_unlock(n); } \
         spin_unlock(m);",
        "spin_lock(n); int r = *z; *y = 1; if (r == 1) { spin_lock(m); spin_unlock(m); } \
         spin_unlock(n);",
    ])
}

fn deadlocks(summary: &Summary) -> Vec<bool> {
    let deadlocks = summary.violations.iter().filter(|v| v.fault.kind() == FaultKind::Deadlock);
    deadlocks.map(|violation| violation.beyond_bound).collect()
}

#[test]
fn a_violation_beyond_the_bound_is_marked_or_ignored() {
    let machine = deadlock_after_one_preemption();
    assert_eq!(deadlocks(&bounded(&machine, 0, true)), [false; 0]);
    assert!(deadlocks(&bounded(&machine, 0, false)).iter().all(|&beyond| beyond));
    assert_eq!(deadlocks(&bounded(&machine, 1, true)), [false]);
    assert_eq!(deadlocks(&bounded(&machine, 1, false)), [false]);
}

/// Deepens with one worker.
fn deepened(machine: &LitmusMachine, options: &Options, strict: bool) -> Deepened {
    let search = |preemptions| {
        let bound = Bound { preemptions, strict };
        let search = Trust::<_, Sc, _>::bounded(machine, options.clone(), bound);
        Ok::<_, std::convert::Infallible>((search.run(&mut ()), ()))
    };
    let Ok((found, ())) = deepen(0, search);
    found
}

#[test]
fn deepening_stops_at_a_violation() {
    let machine = deadlock_after_one_preemption();
    let found = deepened(&machine, &Options::default(), true);
    assert_eq!((found.preemptions, found.complete), (1, false));
    assert_eq!(deadlocks(&found.summary), [false]);
}

#[test]
fn deepening_ends_when_nothing_is_discarded() {
    let body = "int a = *x; *x = a + 1; int b = *y; *y = b + 1;";
    let machine = machine(&[body, body, "*z = 1;"]);
    let all = Trust::<_, Sc>::new(&machine, options()).run(&mut ());
    let found = deepened(&machine, &options(), false);
    let Deepened { preemptions, summary, complete } = found;
    assert!(complete && preemptions > 0);
    assert_eq!(summary.executions, all.executions);
    let before = bounded(&machine, preemptions - 1, false);
    assert!(
        before.figures.bound.unwrap_or_default().discarded > 0
            && before.executions < all.executions
    );
}

/// Remembers whether a read of 1 and then of 0 was seen in the last thread.
struct Reordered(bool);

impl<M: Machine> Observer<M> for Reordered {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        let graph = execution.graph;
        let checker = norn_action::ThreadId(graph.thread_count() as u32 - 1);
        let value = |position| graph.event(EventId::new(checker, position)).value.low();
        self.0 |= !execution.beyond_bound && (value(0), value(1)) == (1, 0);
    }
}

/// Twenty threads that each write x and then y, and one that reads both: seeing the first but not the
/// second takes one preemption. The number of threads must not make the bound expensive.
#[test]
fn reorder_with_twenty_threads_is_seen_with_one_preemption() {
    let mut threads = vec!["*x = 1; *y = 1;"; 20];
    threads.push("int a = *x; int b = *y;");
    let machine = machine(&threads);
    let limited = Options { max_executions: Some(2000), ..options() };
    let mut reordered = Reordered(false);
    let bound = Bound { preemptions: 1, strict: false };
    let summary = Trust::<_, Sc, _>::bounded(&machine, limited, bound).run(&mut reordered);
    assert_eq!(summary.executions, 2000);
    assert!(reordered.0);
}

/// With the bound 0, threads that are one critical section each are run in every order.
#[test]
fn threads_that_lock_once_need_no_preemption() {
    for threads in 2..=5u64 {
        let body = vec!["spin_lock(m); int a = *x; *x = a + 1; spin_unlock(m);"; threads as usize];
        let summary = bounded(&machine(&body), 0, false);
        let orders: u64 = (1..=threads).product();
        assert_eq!(numbers(&summary), (orders, 0, 0, 0), "{threads} threads");
    }
}
