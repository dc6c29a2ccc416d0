//! Programs built by hand: what the builder makes, the verifier accepts or refuses, and the
//! disassembler shows.

use norn_action::{Compare, Mode};
use norn_program::{
    BinaryOp, FloatConvert, FunctionId, Global, Instruction, LocationId, Operand, Pad, Program,
    ProgramBuilder, Register, layout,
};

fn global(name: &str, size: u64) -> Global {
    Global {
        name: name.into(),
        source_name: None,
        address: 0,
        size,
        align: 4,
        bytes: Vec::new(),
        constant: false,
        thread_local: false,
        kind: None,
        location: LocationId::NONE,
    }
}

/// `sum(n)`: adds the numbers below n.
fn sum() -> Program {
    let mut builder = ProgramBuilder::new();
    builder.declare_global(global("x", 5));
    builder.declare_global(global("y", 4));
    let id = builder.declare_function("sum", 1, 1, false);
    let mut f = builder.define(id);
    let (n, total, i) = (Register(0), f.register(), f.register());
    let (head, done) = (f.label(), f.label());
    f.bind(head);
    f.loop_header(vec![n, total, i]);
    f.jump_if(Compare::Uge, 32, i.into(), n.into(), done);
    f.binary(BinaryOp::Add, 32, total, total.into(), i.into());
    let one = f.constant(1);
    f.binary(BinaryOp::Add, 32, i, i.into(), one);
    f.jump(head);
    f.bind(done);
    f.ret(1, total.into());
    f.finish();
    builder.finish().expect("a well-formed program")
}

#[test]
fn labels_become_program_counters() {
    let program = sum();
    assert_eq!(program.functions[0].registers, 3);
    assert_eq!(program.code[4], Instruction::Jump { target: 0 });
    assert!(matches!(program.code[1], Instruction::JumpBelowEqual { target: 5, .. }));
}

#[test]
fn globals_do_not_touch() {
    let program = sum();
    let (x, y) = (&program.globals[0], &program.globals[1]);
    assert_eq!(x.address, layout::GLOBALS);
    assert!(y.address >= x.address + x.size + layout::RED_ZONE);
    assert_eq!(y.address % layout::OBJECT_ALIGN, 0);
    assert_eq!(program.global_at(y.address + 4).map(|id| id.0), Some(1));
    assert_eq!(program.global_at(y.address + 5), None);
}

#[test]
fn the_listing_shows_names_and_constants() {
    let text = sum().to_string();
    assert!(text.contains("function sum(1 cells) -> 1 cells, 3 registers"), "{text}");
    assert!(text.contains("Add width: 32, dst: r2, a: r2, b: #1"), "{text}");
    assert!(text.contains("jump 0"), "{text}");
}

fn pad(call: u32, target: u32) -> Pad {
    Pad { call, target, cleanup: true, terminates: false, clauses: Vec::new() }
}

/// Spoils a program.
type Break = fn(&mut Program);

/// The verifier's complaint about `sum` after `break_it`.
fn complaint(break_it: Break) -> String {
    let mut program = sum();
    break_it(&mut program);
    program.verify().expect_err("a malformed program").to_string()
}

#[test]
fn the_verifier_refuses_what_the_machine_must_not_see() {
    let cases: [(&str, Break); 19] = [
        ("target", |p| p.code[4] = Instruction::Jump { target: 99 }),
        ("terminator", |p| p.code[5] = Instruction::Fence { mode: Mode::SeqCst }),
        ("outside the frame", |p| {
            p.code[2] = Instruction::Move { dst: Register(3), src: Operand::constant(0) };
        }),
        ("outside the frame or pool", |p| {
            p.code[2] = Instruction::Move { dst: Register(1), src: Operand::constant(7) };
        }),
        ("width", |p| p.code[2] = Instruction::Fence { mode: Mode::Plain }),
        ("location", |p| p.locations.clear()),
        ("belong to no function", |p| p.functions.clear()),
        ("header", |p| p.loops[0].header = 1),
        ("bad address", |p| p.globals[1].address = p.globals[0].address),
        ("bad address", |p| p.globals[1].size = u64::MAX),
        ("bad address", |p| p.globals[1].size = layout::FUNCTIONS),
        // Values of no cells must be somewhere, too: their place is looked at before their length.
        ("outside the frame", |p| {
            p.code[2] =
                Instruction::MoveMany { count: 0, dst: Register(4), src: Operand::constant(0) };
        }),
        ("outside the frame or pool", |p| {
            p.code[2] =
                Instruction::MoveMany { count: 0, dst: Register(0), src: Operand::constant(7) };
        }),
        ("outside the frame", |p| {
            p.messages.push("name".into());
            let (flag, register) = (Register(0), Register(3));
            p.code[2] = Instruction::CheckInitialised { cells: 1, flag, register, message: 0 };
        }),
        ("width", |p| {
            let (convert, dst, src) = (FloatConvert::ToSigned, Register(0), Register(1).into());
            p.code[2] = Instruction::FloatConvert { convert, from: 16, to: 32, dst, src };
        }),
        ("that is no call", |p| p.pads = vec![pad(2, 3)]),
        ("not sorted", |p| p.pads = vec![pad(2, 3), pad(2, 3)]),
        ("one of no instruction", |p| p.pads = vec![pad(99, 3)]),
        ("target", |p| {
            p.pads = vec![pad(2, 99)];
            let (function, dst) = (FunctionId(0), Register(1));
            p.code[2] = Instruction::Call { results: 1, count: 0, function, args: 0, dst };
        }),
    ];
    for (expected, break_it) in cases {
        let message = complaint(break_it);
        assert!(message.contains(expected), "expected {expected:?} in {message:?}");
    }
}

#[test]
fn refused_instructions_can_be_shown() {
    let message = complaint(|p| {
        let (function, dst) = (FunctionId(0), Register(u32::MAX));
        p.code[2] = Instruction::Call { results: 2, count: 1, function, args: u32::MAX, dst };
    });
    assert!(message.contains("r4294967295"), "{message}");
}

#[test]
fn cycles_must_pass_a_loop_header_to_be_run() {
    let mut program = sum();
    assert_eq!(program.verify_cycles(), Ok(()));
    program.code[4] = Instruction::Jump { target: 1 };
    assert_eq!(program.verify(), Ok(()));
    let message = program.verify_cycles().expect_err("an endless cycle").to_string();
    assert!(message.contains("a cycle without a loop header"), "{message}");
}
