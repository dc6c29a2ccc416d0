//! Runs a tight integer loop of `argv[1]` iterations of 6 bytecode instructions, for measuring the
//! cost of one. With callgrind, (instructions of 2,000,000 iterations - of 1,000,000) / 6,000,000:
//!
//! ```text
//! cargo build --release -p norn-machine --example tight_loop
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/tight_loop 1000000
//! ```
//!
//! With a second argument it instead clones a thread of three frames that many times and prints the
//! nanoseconds each clone took.

use norn_action::{Action, Compare, Mode, Saving, Value};
use norn_machine::{Config, Vm};
use norn_program::{
    BinaryOp, FunctionId, Global, Instruction, LocationId, Program, ProgramBuilder,
};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// `int sum = 0; for (int i = 0; i < n; i++) sum += i ^ 3; return sum;`
fn tight_loop(builder: &mut ProgramBuilder, iterations: u64) -> FunctionId {
    let main = builder.declare_function("main", 0, 1, false);
    let mut f = builder.define(main);
    let (sum, i, x) = (f.register(), f.register(), f.register());
    let (n, one, three) = (f.constant(iterations), f.constant(1), f.constant(3));
    let (head, done) = (f.label(), f.label());
    f.bind(head);
    f.loop_header(vec![sum, i]);
    f.jump_if(Compare::Sge, 32, i.into(), n, done);
    f.binary(BinaryOp::Xor, 32, x, i.into(), three);
    f.binary(BinaryOp::Add, 32, sum, sum.into(), x.into());
    f.binary(BinaryOp::Add, 32, i, i.into(), one);
    f.jump(head);
    f.bind(done);
    f.ret(1, sum.into());
    f.finish();
    main
}

/// `main` starts a thread and calls `f`, which calls `g`, which reads a global.
fn three_frames(builder: &mut ProgramBuilder) -> FunctionId {
    let global = builder.declare_global(Global {
        name: "x".into(),
        source_name: None,
        address: 0,
        size: 4,
        align: 4,
        bytes: Vec::new(),
        constant: false,
        thread_local: false,
        kind: None,
        location: LocationId::NONE,
    });
    let address = builder.global_address(global);
    let names = ["g", "f", "main"];
    let functions = names.map(|name| builder.declare_function(name, 0, 1, false));
    let mut f = builder.define(functions[0]);
    let (dst, at) = (f.register(), f.constant(address));
    f.registers(8);
    f.emit(Instruction::Load { size: 4, mode: Mode::Relaxed, dst, address: at, offset: 0 });
    f.ret(1, dst.into());
    f.finish();
    for i in 1..3 {
        let mut f = builder.define(functions[i]);
        let dst = f.registers(9);
        if i == 2 {
            let handle = f.register();
            let (out, null) = (f.constant(address), f.constant(0));
            let start = f.constant(Program::function_address(functions[0]));
            f.call_external("pthread_create", &[out, null, start, null], 1, handle);
        }
        f.call(functions[i - 1], &[], 1, dst);
        f.ret(1, dst.into());
        f.finish();
    }
    functions[2]
}

fn machine(build: impl FnOnce(&mut ProgramBuilder) -> FunctionId) -> Vm {
    let mut builder = ProgramBuilder::new();
    let main = build(&mut builder);
    builder.program().main = Some(main);
    Vm::new(Arc::new(builder.finish().expect("well-formed")), Config::default())
}

fn main() {
    let mut args = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let iterations = args.next().unwrap_or(1_000_000);
    let Some(clones) = args.next() else {
        let vm = machine(|builder| tight_loop(builder, iterations));
        let (_, action) = vm.start();
        println!("{action:?}");
        return;
    };
    let vm = machine(three_frames);
    let (mut thread, mut action) = vm.start();
    while !matches!(action, Action::Load(..)) {
        let answer = u64::from(matches!(action, Action::Spawn { .. }));
        action = vm.resume(&mut thread, Value::from(answer));
    }
    println!("{} frames of bytecode, at {action:?}", thread.backtrace().count());
    let start = Instant::now();
    for _ in 0..clones {
        black_box(thread.clone());
    }
    println!("clone: {} ns", start.elapsed().as_nanos() / u128::from(clones));
    let mut copy = thread.clone();
    let start = Instant::now();
    for _ in 0..clones {
        copy.clone_from(black_box(&thread));
    }
    println!("clone_from: {} ns", start.elapsed().as_nanos() / u128::from(clones));
}
