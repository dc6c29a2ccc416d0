//! A machine that takes a rest now and then, so that searches of small programs are called away in the
//! midst of work, and others come to help.

use norn_action::{Action, Machine, Saved, Saving, ThreadId, Value};
use norn_litmus::LitmusMachine;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The machine.
pub struct Slow {
    machine: LitmusMachine,
    starts: AtomicU64,
    steps: AtomicU64,
}

impl Slow {
    /// A slow one.
    pub fn new(machine: LitmusMachine) -> Slow {
        Slow { machine, starts: AtomicU64::new(0), steps: AtomicU64::new(0) }
    }

    /// How often the program was started.
    pub fn starts(&self) -> u64 {
        self.starts.load(Ordering::Relaxed)
    }
}

impl Machine for Slow {
    type Thread = <LitmusMachine as Machine>::Thread;
    type States = Saved<Self::Thread>;
}

impl Saving for Slow {
    fn start(&self) -> (Self::Thread, Action) {
        self.starts.fetch_add(1, Ordering::Relaxed);
        self.machine.start()
    }

    fn spawn(&self, parent: &Self::Thread, child: ThreadId) -> (Self::Thread, Action) {
        self.machine.spawn(parent, child)
    }

    fn resume(&self, thread: &mut Self::Thread, answer: Value) -> Action {
        if self.steps.fetch_add(1, Ordering::Relaxed) % 11 == 10 {
            std::thread::sleep(Duration::from_micros(100));
        }
        self.machine.resume(thread, answer)
    }
}
