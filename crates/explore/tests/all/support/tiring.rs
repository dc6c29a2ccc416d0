//! A machine whose threads are stopped in the midst of what they compute, after so many steps of all.

use super::searches::{assert_same_visits, keep_going, visit};
use super::visits::{Visits, add_up};
use norn_action::{Action, Machine, Saved, Saving, ThreadId, Value};
use norn_explore::{Explorer, Frontier, Options, Setup, search};
use norn_litmus::LitmusMachine;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// The machine.
pub struct Tiring {
    machine: LitmusMachine,
    steps: AtomicI64,
}

impl Tiring {
    /// One that is not tired yet.
    pub fn new(machine: LitmusMachine) -> Tiring {
        Tiring { machine, steps: AtomicI64::new(i64::MAX) }
    }

    /// From now on it makes so many steps.
    fn rest(&self, steps: i64) {
        self.steps.store(steps, Ordering::Relaxed);
    }
}

impl Machine for Tiring {
    type Thread = <LitmusMachine as Machine>::Thread;
    type States = Saved<Self::Thread>;
}

impl Saving for Tiring {
    fn start(&self) -> (Self::Thread, Action) {
        self.machine.start()
    }

    fn spawn(&self, parent: &Self::Thread, child: ThreadId) -> (Self::Thread, Action) {
        self.machine.spawn(parent, child)
    }

    fn resume(&self, thread: &mut Self::Thread, answer: Value) -> Action {
        let left = self.steps.fetch_sub(1, Ordering::Relaxed);
        // Not every thread computes for long.
        if left < 0 && left % 2 == 0 {
            return Action::Interrupted;
        }
        self.machine.resume(thread, answer)
    }
}

/// Runs a search in many lives, each of which ends when the machine is tired. The number of lives.
pub fn compare_stops<E: Explorer<Tiring>>(
    machine: &Tiring,
    explorer: impl Fn(Options) -> E,
    coherence: bool,
    seed: u64,
    what: &str,
) -> usize {
    machine.rest(i64::MAX);
    let expected = visit(|| explorer(keep_going()), 1, coherence);
    let mut saved: Option<String> = None;
    let mut all = Vec::new();
    for life in 0..10_000 {
        machine.rest(((7 * seed + 5 * life) % 23 + life) as i64);
        let mut kept = None;
        let mut keeper = |frontier: &Frontier<E::Saved>, _: &[&Visits], _: bool| {
            kept = Some(serde_json::to_string(frontier).expect("text"));
        };
        let resume = saved.as_ref().map(|text| serde_json::from_str(text).expect("a frontier"));
        let jobs = 1 + (seed + life) as usize % 2;
        let setup = Setup { resume, keeper: Some((Duration::MAX, &mut keeper)), ..Setup::of(jobs) };
        let observer = || Visits::new(coherence);
        let found = search(&keep_going(), || explorer(keep_going()), observer, setup);
        // Whoever is tired before all was loaded has not begun.
        let Ok((summary, seen)) = found else { continue };
        assert!(summary.unsupported.is_empty(), "{what}: {:?}", summary.unsupported);
        all.extend(seen);
        if kept.is_none() {
            assert!(summary.stopped.is_none(), "{what}: {:?} and nothing saved", summary.stopped);
            let lives = life as usize + 1;
            // Where a stop cannot wait, what led to no execution may be left and begun once more.
            assert_same_visits(&expected, &(summary, add_up(all)), what);
            return lives;
        }
        saved = kept;
    }
    panic!("{what}: the search does not come forward");
}
