use super::*;
use crate::read;
use norn_action::{Mode, RmwOp};

fn machine(text: &str) -> LitmusMachine {
    LitmusMachine::new(read(text).unwrap())
}

/// The first litmus thread at its first action.
fn first_thread(machine: &LitmusMachine) -> (LitmusThread, Action) {
    let (mut main, publish) = machine.start();
    assert!(matches!(publish, Action::Publish(..)));
    assert!(matches!(
        machine.resume(&mut main, Value::ZERO),
        Action::Spawn { index: 0, like: None, place: Place::NONE }
    ));
    machine.spawn(&main, ThreadId(1))
}

#[test]
fn main_publishes_starts_and_finishes() {
    let machine = machine("C two\n{ x = 7; }\nP0 (int* x) { }\nP1 (int* x) { }\nexists (x=7)");
    let (mut main, publish) = machine.start();
    let Action::Publish(images, _) = publish else { panic!("{publish:?}") };
    assert_eq!(images.len(), 1);
    assert_eq!(images[0].read(machine.address(LocationId(0)), 4), (7, 0));
    for expected in 0..2 {
        match machine.resume(&mut main, Value::ZERO) {
            Action::Spawn { index, .. } => assert_eq!(index, expected),
            other => panic!("{other:?}"),
        }
        assert_eq!(machine.spawn(&main, ThreadId(expected + 1)).1, Action::Finish(Value::ZERO));
    }
    assert_eq!(machine.resume(&mut main, Value::ZERO), Action::Finish(Value::ZERO));
}

#[test]
fn branches_depend_on_the_answers() {
    let machine = machine(
        "C branch\n{ x = 0; y = 0; }\nP0 (atomic_int* x, atomic_int* y) {\n  \
         int r0 = atomic_load(x);\n  if (r0 == 1) { *y = 5; } else { *y = 6; *y = r0; }\n}\n\
         exists (0:r0=0)",
    );
    let y = machine.address(LocationId(1));
    let (thread, load) = first_thread(&machine);
    assert!(matches!(load, Action::Load(Access { mode: Mode::SeqCst, .. }, None)));
    let stored = |action: &Action| match action {
        Action::Store(access, value) if access.address == y => value.low(),
        other => panic!("{other:?}"),
    };
    let mut taken = thread.clone();
    assert_eq!(stored(&machine.resume(&mut taken, Value(1))), 5);
    assert_eq!(machine.resume(&mut taken, Value::ZERO), Action::Finish(Value::ZERO));
    let mut other = thread;
    assert_eq!(stored(&machine.resume(&mut other, Value(3))), 6);
    assert_eq!(stored(&machine.resume(&mut other, Value::ZERO)), 3);
    assert_eq!(other.registers(), [3]);
}

#[test]
fn compare_exchange_reports_success_and_the_value_read() {
    let machine = machine(
        "C cas\n{ x = 0; }\nP0 (atomic_int* x) {\n  int r0 = 2;\n  \
         int r1 = atomic_compare_exchange_strong_explicit(x, &r0, 9, memory_order_acq_rel, \
         memory_order_relaxed);\n}\nexists (0:r1=1)",
    );
    let (thread, action) = first_thread(&machine);
    let Action::Rmw(rmw) = action else { panic!("{action:?}") };
    assert_eq!((rmw.op, rmw.operand), (RmwOp::Exchange, Value(9)));
    assert_eq!((rmw.access.mode, rmw.failure_mode), (Mode::AcqRel, Mode::Relaxed));
    assert_eq!(machine.line(rmw.access.place), Some(5));
    let after = |answer| {
        let mut thread = thread.clone();
        machine.resume(&mut thread, Value(answer));
        thread.registers().to_vec()
    };
    assert_eq!(after(2), [2, 1]);
    assert_eq!(after(4), [4, 0]);
}

#[test]
fn locks_wait_and_failed_assumptions_abandon() {
    let machine = machine(
        "C lock\n{ m = 0; x = 0; }\nP0 (spinlock_t* m, int* x) {\n  spin_lock(m);\n  \
         int r0 = *x;\n  spin_unlock(m);\n  assume(r0);\n}\nexists (0:r0=1)",
    );
    let (mut thread, action) = first_thread(&machine);
    let Action::Rmw(rmw) = action else { panic!("{action:?}") };
    assert_eq!((rmw.operand, rmw.wait), (Value(2), Some(Wait::Mutex)));
    assert!(rmw.test.unwrap().holds(Value(0), 4) && !rmw.test.unwrap().holds(Value(3), 4));
    assert!(matches!(machine.resume(&mut thread, Value::ZERO), Action::Load(..)));
    let mut satisfied = thread.clone();
    assert!(matches!(machine.resume(&mut thread, Value::ZERO), Action::Store(..)));
    assert!(matches!(machine.resume(&mut thread, Value::ZERO), Action::Abandon(_)));
    machine.resume(&mut satisfied, Value(1));
    assert_eq!(machine.resume(&mut satisfied, Value::ZERO), Action::Finish(Value::ZERO));
}

#[test]
fn addresses_and_locations_match() {
    let machine = machine("C a\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { }\nexists (x=0)");
    for index in 0..2 {
        let location = LocationId(index);
        assert_eq!(machine.location(machine.address(location)), Some(location));
    }
    assert_eq!(machine.location(Address(BASE + 2 * STRIDE)), None);
    assert_eq!(machine.location(Address(BASE + 1)), None);
}

#[test]
fn waiting_accesses_wait_for_their_test() {
    let text = |store: &str| {
        format!(
            "C wait\n{{ x = 0; }}\nP0 (atomic_int* x) {{\n  int r0 = await_lt(x, -1);\n  \
             await_ne_fetch_sub(x, r0, 1);\n  join(P1);\n}}\nP1 (atomic_int* x) {{ {store} }}\n"
        )
    };
    // A location that is stored to is no semaphore.
    for (store, kind) in [("", Wait::Semaphore), ("*x = 1;", Wait::Value)] {
        let machine = machine(&text(store));
        let (mut thread, load) = first_thread(&machine);
        let Action::Load(_, Some((test, Wait::Value))) = load else { panic!("{load:?}") };
        assert!(test.holds(LitmusMachine::value(-2), 4) && !test.holds(Value::ZERO, 4));
        let update = machine.resume(&mut thread, LitmusMachine::value(-2));
        let Action::Rmw(Rmw { test: Some(test), wait: Some(wait), .. }) = update else {
            panic!("{update:?}")
        };
        assert!(wait == kind && !test.holds(LitmusMachine::value(-2), 4));
        let join = machine.resume(&mut thread, Value::ZERO);
        assert!(matches!(join, Action::Join { thread: ThreadId(2), .. }));
        assert_eq!(machine.resume(&mut thread, Value::ZERO), Action::Finish(Value::ZERO));
    }
}
