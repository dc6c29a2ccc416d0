//! Barriers order what was before them and what comes after, under every model; litmus tests have
//! none, so these are scripts of actions.

use crate::support::explore;
use norn_action::{
    Access, Action, Address, Barrier, Image, Machine, Mode, ObjectKind, Place, Role, Saved, Saving,
    ThreadId, Value,
};
use norn_models::ModelName;

pub const X: u64 = 0x1000;
pub const Y: u64 = 0x1040;
const BARRIER: u64 = 0x1080;

/// Threads that take the same actions whatever they read. The main thread publishes the cells and
/// starts the others.
pub struct Script {
    pub threads: Vec<Vec<Action>>,
}

impl Script {
    fn action(&self, &(thread, position): &(usize, usize)) -> Action {
        let finish = Action::Finish(Value::ZERO);
        if thread > 0 {
            return self.threads[thread - 1].get(position).cloned().unwrap_or(finish);
        }
        match position {
            0 => Action::Publish([X, Y, BARRIER].map(cell).into(), Place::NONE),
            _ if position <= self.threads.len() => {
                Action::Spawn { index: position as u32 - 1, like: None, place: Place::NONE }
            }
            _ => finish,
        }
    }
}

impl Machine for Script {
    type Thread = (usize, usize);
    type States = Saved<Self::Thread>;
}

impl Saving for Script {
    fn start(&self) -> ((usize, usize), Action) {
        ((0, 0), self.action(&(0, 0)))
    }

    fn spawn(&self, parent: &(usize, usize), _: ThreadId) -> ((usize, usize), Action) {
        let thread = (parent.1, 0);
        (thread, self.action(&thread))
    }

    fn resume(&self, thread: &mut (usize, usize), _: Value) -> Action {
        thread.1 += 1;
        self.action(thread)
    }
}

fn cell(start: u64) -> Image {
    Image {
        start: Address(start),
        size: 4,
        kind: ObjectKind::Global,
        read_only: false,
        bytes: Vec::new(),
        undefined: Vec::new(),
        place: Place::NONE,
    }
}

fn relaxed(address: u64) -> Access {
    let (mode, role) = (Mode::Relaxed, Role::Data);
    Access { address: Address(address), size: 4, mode, role, undefined: 0, place: Place::NONE }
}

pub fn store(address: u64) -> Action {
    Action::Store(relaxed(address), Value(1))
}

pub fn load(address: u64) -> Action {
    Action::Load(relaxed(address), None)
}

fn arrive_and_leave() -> [Action; 2] {
    barrier(2, 0)
}

pub fn barrier(count: u32, round: u32) -> [Action; 2] {
    let barrier = Barrier { address: Address(BARRIER), count, round, place: Place::NONE };
    [Action::BarrierArrive(barrier), Action::BarrierLeave(barrier)]
}

const MODELS: usize = ModelName::ALL.len();

fn executions(threads: &[&[Action]]) -> [u64; MODELS] {
    struct Nobody;
    impl norn_explore::Observer<Script> for Nobody {}
    let script = Script { threads: threads.iter().map(|actions| actions.to_vec()).collect() };
    ModelName::ALL.map(|model| {
        let summary = explore(&script, model, &mut Nobody);
        assert!(summary.violations.is_empty() && summary.blocked == 0, "{model}");
        summary.executions
    })
}

#[test]
fn what_was_written_before_a_barrier_is_read_after_it() {
    let [arrive, leave] = arrive_and_leave();
    let writer = [store(X), arrive.clone(), leave.clone()];
    let reader = [arrive, leave, load(X)];
    assert_eq!(executions(&[&writer, &reader]), [1; MODELS]);
    assert_eq!(executions(&[&reader, &writer]), [1; MODELS]);
}

/// Also if the reader knows the last write of the other thread already.
#[test]
fn a_barrier_orders_writes_of_which_the_last_was_read() {
    let [arrive, leave] = arrive_and_leave();
    let writer = [store(X), store(Y), arrive.clone(), leave.clone()];
    let reader = [load(Y), arrive, leave, load(X)];
    assert_eq!(executions(&[&reader, &writer]), [2; MODELS]);
}

/// What a third thread wrote before a write that was read before the barrier is no part of it, where
/// stores may be reordered.
#[test]
fn a_barrier_does_not_order_what_its_threads_have_read() {
    let [arrive, leave] = arrive_and_leave();
    let writer = [store(X), store(Y)];
    let first = [load(Y), arrive.clone(), leave.clone()];
    let second = [arrive, leave, load(X)];
    assert_eq!(executions(&[&writer, &first, &second]), [3, 3, 4, 3, 4, 4]);
}
