//! What the interpreter itself says, on programs whose behaviour is known.

use norn_differential::{
    Behaviour, Body, Buffers, Expr, Feature, Features, Function, Mode, MutexKind, Patience, Place,
    Program, Role, Statement, generate, interpret,
};

const LIMIT: usize = 100_000;

fn function(role: Role, body: Body) -> Function {
    Function { role, locals: 4, pointers: 1, handles: 3, body }
}

fn load(to: usize, atomic: usize, mode: Mode) -> Statement {
    Statement::Load { to, from: Place::Atomic(atomic), mode }
}

fn store(atomic: usize, value: i32, mode: Mode) -> Statement {
    Statement::Store { to: Place::Atomic(atomic), value: Expr::Const(value), mode }
}

fn create(handle: usize, thread: usize) -> Statement {
    Statement::Create { handle, thread, argument: Expr::Const(0) }
}

/// Threads that `main` starts, joins, and prints the results of.
fn joined(threads: Vec<Body>) -> Program {
    let count = threads.len();
    let mut main: Body = (0..count).map(|i| create(i, i + 1)).collect();
    main.extend((0..count).map(|i| Statement::Join { handle: i, to: Some(i) }));
    main.push(Statement::Print((0..count).map(Expr::Local).collect()));
    let mut functions = vec![function(Role::Main, main)];
    functions.extend(threads.into_iter().map(|body| function(Role::Thread, body)));
    Program { atomics: vec![0; 2], plains: vec![0], functions, ..Program::default() }
}

fn of(program: &Program, buffers: Buffers) -> Behaviour {
    interpret(program, buffers, LIMIT).expect("a small program")
}

fn results(behaviour: &Behaviour) -> Vec<&str> {
    behaviour.results.iter().map(|text| text.trim_end()).collect()
}

fn result_of(local: usize) -> Statement {
    Statement::Return(Expr::Local(local))
}

#[test]
fn stores_wait_in_buffers() {
    let relaxed = |mine, other| {
        vec![store(mine, 1, Mode::Release), load(1, other, Mode::Acquire), result_of(1)]
    };
    let program = joined(vec![relaxed(0, 1), relaxed(1, 0)]);
    assert_eq!(results(&of(&program, Buffers::None)), ["0 1", "1 0", "1 1"]);
    assert_eq!(results(&of(&program, Buffers::PerThread)), ["0 0", "0 1", "1 0", "1 1"]);
    let fenced = |mine, other| {
        vec![store(mine, 1, Mode::SeqCst), load(1, other, Mode::SeqCst), result_of(1)]
    };
    let program = joined(vec![fenced(0, 1), fenced(1, 0)]);
    assert_eq!(results(&of(&program, Buffers::PerVariable)), ["0 1", "1 0", "1 1"]);
}

#[test]
fn stores_overtake_each_other_under_pso_alone() {
    let reader = vec![
        Statement::Await { place: Place::Atomic(1), value: 1, mode: Mode::Acquire },
        load(1, 0, Mode::Relaxed),
        result_of(1),
    ];
    let writer = |mode| vec![store(0, 1, Mode::Relaxed), store(1, 1, mode)];
    let relaxed = joined(vec![writer(Mode::Relaxed), reader.clone()]);
    assert_eq!(results(&of(&relaxed, Buffers::PerThread)), ["0 1"]);
    assert_eq!(results(&of(&relaxed, Buffers::PerVariable)), ["0 0", "0 1"]);
    let release = joined(vec![writer(Mode::Release), reader.clone()]);
    assert_eq!(results(&of(&release, Buffers::PerVariable)), ["0 1"]);
    let mut fenced = writer(Mode::Relaxed);
    fenced.insert(1, Statement::Fence(Mode::Release));
    let fenced = joined(vec![fenced, reader]);
    assert_eq!(results(&of(&fenced, Buffers::PerVariable)), ["0 1"]);
}

#[test]
fn threads_that_wait_for_ever() {
    let lock = |mutex| Statement::Lock { mutex, to: None };
    let mut program = joined(vec![vec![lock(0), lock(1)], vec![lock(1), lock(0)]]);
    program.mutexes = vec![MutexKind::Normal; 2];
    assert!(of(&program, Buffers::None).faults.iter().eq(&["deadlock"]));
    let spin = Statement::Await { place: Place::Atomic(0), value: 1, mode: Mode::SeqCst };
    let program = joined(vec![vec![spin]]);
    assert!(of(&program, Buffers::None).faults.iter().eq(&["livelock"]));
    let taken = Statement::SemWait { semaphore: 0, patience: Patience::Try, to: Some(1) };
    let mut program = joined(vec![vec![taken, result_of(1)]]);
    program.semaphores = vec![0];
    assert_eq!(results(&of(&program, Buffers::None)), ["0"]);
}

#[test]
fn a_wait_may_end_for_no_reason_but_need_not() {
    let wait = |timed| Statement::Wait { condition: 0, mutex: 0, timed, to: Some(1) };
    let lock = Statement::Lock { mutex: 0, to: None };
    let mut program = joined(vec![vec![lock.clone(), wait(false), result_of(1)]]);
    (program.mutexes, program.conditions) = (vec![MutexKind::Normal], 1);
    let behaviour = of(&program, Buffers::None);
    assert_eq!(results(&behaviour), ["0"]);
    assert!(behaviour.faults.contains("deadlock"));
    program.functions[1].body[1] = wait(true);
    let behaviour = of(&program, Buffers::None);
    assert_eq!(results(&behaviour), ["0", "110"]);
    assert!(behaviour.faults.is_empty());
}

#[test]
fn the_end_of_a_process() {
    let spin = Statement::Await { place: Place::Atomic(0), value: 1, mode: Mode::SeqCst };
    let handler = vec![load(1, 1, Mode::SeqCst), Statement::Print(vec![Expr::Local(1)])];
    let with = |main: Body, thread: Body| {
        let mut program = joined(vec![thread]);
        program.functions[0].body = main;
        program.functions.push(function(Role::Handler, handler.clone()));
        program
    };
    // Who waits when main returns is of no interest.
    let program = with(vec![Statement::AtExit(2), create(0, 1)], vec![spin]);
    let behaviour = of(&program, Buffers::None);
    assert_eq!((results(&behaviour), behaviour.faults.len()), (vec!["0"], 0));
    // A thread goes on while the handlers run, and may come too late.
    let program = with(vec![Statement::AtExit(2), create(0, 1)], vec![store(1, 1, Mode::SeqCst)]);
    assert_eq!(results(&of(&program, Buffers::None)), ["0", "1"]);
    // The last thread runs the handlers.
    let leave = Statement::ThreadExit(Expr::Const(0));
    let main = vec![Statement::AtExit(2), create(0, 1), leave];
    let program = with(main, vec![store(1, 1, Mode::SeqCst)]);
    assert_eq!(results(&of(&program, Buffers::None)), ["1"]);
    // Whoever calls exit ends the process, once.
    let main = vec![Statement::AtExit(2), create(0, 1), Statement::Join { handle: 0, to: None }];
    let program = with(main, vec![store(1, 1, Mode::SeqCst), Statement::Exit]);
    assert_eq!(results(&of(&program, Buffers::None)), ["1"]);
}

#[test]
fn destructors_run_at_the_end_of_a_thread_only() {
    let set = Statement::SetKey { key: 0, value: Expr::Const(2) };
    let mut program = joined(vec![vec![set.clone()]]);
    let add = Statement::Store { to: Place::Atomic(0), value: Expr::Local(0), mode: Mode::SeqCst };
    program.functions.push(function(Role::Destructor, vec![add]));
    program.keys = vec![Some(2)];
    let body = &mut program.functions[0].body;
    body.insert(0, set);
    body.pop();
    body.extend([load(1, 0, Mode::SeqCst), Statement::Print(vec![Expr::Local(1)])]);
    assert_eq!(results(&of(&program, Buffers::None)), ["2"]);
    program.functions[0].body.remove(1);
    program.functions[0].body.retain(|s| !matches!(s, Statement::Join { .. }));
    assert_eq!(results(&of(&program, Buffers::None)), ["0"]);
}

/// A larger buffer never takes a behaviour away.
#[test]
fn models_include_each_other() {
    let features = Features::all_but(&[Feature::Nesting]);
    for seed in 0..150 {
        let program = generate(seed, &features);
        let behaviour = |buffers| interpret(&program, buffers, 5_000);
        let Some(sc) = behaviour(Buffers::None) else { continue };
        let Some(tso) = behaviour(Buffers::PerThread) else { continue };
        assert!(sc.results.is_subset(&tso.results), "seed {seed}");
        assert!(sc.faults.is_subset(&tso.faults), "seed {seed}");
        let Some(pso) = behaviour(Buffers::PerVariable) else { continue };
        assert!(tso.results.is_subset(&pso.results), "seed {seed}");
        assert!(tso.faults.is_subset(&pso.faults), "seed {seed}");
    }
}
