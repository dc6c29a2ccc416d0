//! Purity conditions of loops that are written by hand. Registers with an `@` are named by the
//! instruction that wrote them; the listing is in the text of each test.

use norn_action::{Compare, Mode, RmwOp};
use norn_program::{
    BinaryOp, FunctionBuilder, FunctionId, Global, Instruction, LocationId, Operand, Program,
    ProgramBuilder, Register,
};
use norn_transform::purity;

/// Builds a function of one parameter with a global `x` of 8 bytes, and shows the conditions of its loops.
fn conditions(body: impl FnOnce(&mut FunctionBuilder<'_>, Operand)) -> Vec<String> {
    let program = build(body);
    let found = purity::of_function(&program, FunctionId(0));
    found.iter().map(|item| format!("{}: {}", item.header, item.condition)).collect()
}

fn build(body: impl FnOnce(&mut FunctionBuilder<'_>, Operand)) -> Program {
    let mut builder = ProgramBuilder::new();
    let x = builder.declare_global(Global {
        name: "x".into(),
        source_name: None,
        address: 0,
        size: 8,
        align: 8,
        bytes: Vec::new(),
        constant: false,
        thread_local: false,
        kind: None,
        location: LocationId::NONE,
    });
    let address = builder.global_address(x);
    let id = builder.declare_function("f", 1, 0, false);
    let mut f = builder.define(id);
    let address = f.constant(address);
    body(&mut f, address);
    f.finish();
    builder.program().set_live(id);
    builder.finish().expect("a well-formed program")
}

fn load(f: &mut FunctionBuilder<'_>, dst: Register, address: Operand) {
    f.emit(Instruction::Load { size: 8, mode: Mode::Acquire, dst, address, offset: 0 });
}

fn store(f: &mut FunctionBuilder<'_>, value: Operand, address: Operand) {
    f.emit(Instruction::Store { size: 8, mode: Mode::Release, value, address, offset: 0 });
}

fn rmw(f: &mut FunctionBuilder<'_>, op: RmwOp, dst: Register, address: Operand, value: Operand) {
    f.emit(Instruction::Rmw { op, size: 8, mode: Mode::AcqRel, dst, address, value });
}

const PARAMETER: Register = Register(0);

/// `do r1 = x; while (r1 != 1)`.
#[test]
fn a_spin_on_a_load_is_pure_until_the_value_comes() {
    let found = conditions(|f, x| {
        let (r1, head, one) = (f.register(), f.label(), f.constant(1));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, r1, x);
        f.jump_if(Compare::Ne, 64, r1.into(), one, head);
        f.ret(0, one);
    });
    assert_eq!(found, ["0: [r1@1 != #1]"]);
}

/// The same through a pointer, which may be wrong.
#[test]
fn an_access_that_may_go_wrong_must_come_first() {
    let found = conditions(|f, _| {
        let (r1, head, one) = (f.register(), f.label(), f.constant(1));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, r1, PARAMETER.into());
        f.jump_if(Compare::Ne, 64, r1.into(), one, head);
        f.ret(0, one);
    });
    assert_eq!(found, ["0: [r1@1 != #1 behind 1]"]);
}

/// Figure 6 of the paper: `do { a = x; if (a == 4) x = a; } while (a >= 4)`.
#[test]
fn a_write_on_one_path_leaves_the_other_pure() {
    let found = conditions(|f, x| {
        let (a, head, next, four) = (f.register(), f.label(), f.label(), f.constant(4));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, a, x);
        f.jump_if(Compare::Ne, 64, a.into(), four, next);
        store(f, a.into(), x);
        f.bind(next);
        f.jump_if(Compare::Uge, 64, a.into(), four, head);
        f.ret(0, four);
    });
    assert_eq!(found, ["0: [r1@1 != #4 && #4 <= r1@1]"]);
}

/// A path with a store has no condition, a loop of nothing but such paths neither.
#[test]
fn a_store_is_never_pure() {
    let found = conditions(|f, x| {
        let (head, one) = (f.label(), f.constant(1));
        f.bind(head);
        f.loop_header(vec![]);
        store(f, one, x);
        f.jump(head);
    });
    assert_eq!(found, ["0: [False]"]);
}

/// `while (x != r0) {}` with diamonds in it that do nothing.
#[test]
fn ways_that_part_and_meet_again_count_once() {
    let found = conditions(|f, x| {
        let (a, b) = (f.register(), f.register());
        let (head, done, one) = (f.label(), f.label(), f.constant(1));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, a, x);
        f.jump_if(Compare::Eq, 64, a.into(), PARAMETER.into(), done);
        for _ in 0..8 {
            let meet = f.label();
            f.jump_if(Compare::Ult, 64, a.into(), one, meet);
            f.emit(Instruction::Move { dst: b, src: one });
            f.bind(meet);
        }
        f.jump(head);
        f.bind(done);
        f.ret(0, one);
    });
    assert_eq!(found, ["0: [r0 != r1@1]"]);
}

/// `do old = x; while (!cas(&x, old, 1))`: it is pure if the exchange fails, which is also why it goes round.
#[test]
fn a_failed_compare_exchange_is_pure() {
    let found = conditions(|f, x| {
        let operands = f.registers(2);
        let (read, head, one, zero) = (f.registers(2), f.label(), f.constant(1), f.constant(0));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, operands, x);
        f.emit(Instruction::Move { dst: operands.plus(1), src: one });
        f.emit(Instruction::CompareExchange {
            size: 8,
            mode: Mode::AcqRel,
            failure: Mode::Acquire,
            dst: read,
            address: x,
            operands: operands.into(),
        });
        f.jump_if(Compare::Eq, 1, read.plus(1).into(), zero, head);
        f.ret(0, one);
    });
    assert_eq!(found, ["0: [r4@3 == #0]"]);
}

/// The same with `old` kept from round to round: what was read must be what was expected.
#[test]
fn a_variable_that_is_used_again_must_not_change() {
    let found = conditions(|f, x| {
        let operands = f.registers(2);
        let (read, head, one, zero) = (f.registers(2), f.label(), f.constant(1), f.constant(0));
        f.emit(Instruction::Move { dst: operands.plus(1), src: one });
        f.bind(head);
        f.loop_header(vec![]);
        f.emit(Instruction::CompareExchange {
            size: 8,
            mode: Mode::AcqRel,
            failure: Mode::Acquire,
            dst: read,
            address: x,
            operands: operands.into(),
        });
        f.emit(Instruction::Move { dst: operands, src: read.into() });
        f.jump_if(Compare::Eq, 1, read.plus(1).into(), zero, head);
        f.ret(0, one);
    });
    assert_eq!(found, ["1: [r1 == r3@2 && r4@2 == #0]"]);
}

/// `for (i = 0;; i++) if (x) break;`: each round changes `i`, which the next reads.
#[test]
fn a_counter_is_compared_with_what_it_was() {
    let found = conditions(|f, x| {
        let (i, a) = (f.register(), f.register());
        let (head, done, one, zero) = (f.label(), f.label(), f.constant(1), f.constant(0));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, a, x);
        f.jump_if(Compare::Ne, 64, a.into(), zero, done);
        f.binary(BinaryOp::Add, 64, i, i.into(), one);
        f.jump(head);
        f.bind(done);
        f.ret(1, i.into());
    });
    assert_eq!(found, ["0: [r1 == r1@3 && r2@1 == #0]"]);
}

/// Each operation in a loop that reads nothing else and goes round as long as `r0` is not zero.
#[test]
fn read_modify_writes_are_pure_if_they_write_what_they_read() {
    let condition_of = |op: RmwOp| {
        let found = conditions(|f, x| {
            let (old, operand) = (f.register(), f.register());
            let (head, five, zero) = (f.label(), f.constant(5), f.constant(0));
            f.bind(head);
            f.loop_header(vec![]);
            f.emit(Instruction::Move { dst: operand, src: five });
            f.binary(BinaryOp::Mul, 64, operand, operand.into(), PARAMETER.into());
            rmw(f, op, old, x, operand.into());
            f.jump_if(Compare::Ne, 64, PARAMETER.into(), zero, head);
            f.ret(0, five);
        });
        found.concat()
    };
    let cases = [
        (RmwOp::Exchange, "0: [r1@3 == r2@2 && r0 != #0]"),
        (RmwOp::Add, "0: [r2@2 == #0 && r0 != #0]"),
        (RmwOp::Sub, "0: [r2@2 == #0 && r0 != #0]"),
        (RmwOp::Or, "0: [r0 != #0 && r1@3 & r2@2 == r2@2]"),
        (RmwOp::And, "0: [r0 != #0 && r2@2 & r1@3 == r1@3]"),
        (RmwOp::Umax, "0: [r0 != #0 && r2@2 <= r1@3]"),
        (RmwOp::Min, "0: [r0 != #0 && r1@3 <=s64 r2@2]"),
        (RmwOp::Nand, "0: [False]"),
    ];
    for (op, expected) in cases {
        assert_eq!(condition_of(op), expected, "{op:?}");
    }
}

/// `while (atomic_exchange(&x, 1)) {}`, by way of a comparison in a register.
#[test]
fn a_test_and_set_lock_waits_for_zero() {
    let found = conditions(|f, x| {
        let (old, flag) = (f.register(), f.register());
        let (head, done) = (f.label(), f.label());
        let one = f.constant(1);
        f.bind(head);
        f.loop_header(vec![]);
        rmw(f, RmwOp::Exchange, old, x, one);
        f.compare(Compare::Eq, 64, flag, old.into(), one);
        f.branch(flag.into(), head, done);
        f.bind(done);
        f.ret(0, one);
    });
    assert_eq!(found, ["0: [r1@1 == #1]"], "what it takes to go round is what it takes to be pure");
}

/// A loop in a loop: a round of the inner one is none of the outer one, and adding zero is nothing.
#[test]
fn inner_rounds_are_not_pure_rounds_of_the_outer_loop() {
    let found = conditions(|f, x| {
        let (a, b) = (f.register(), f.register());
        let (outer, inner, zero) = (f.label(), f.label(), f.constant(0));
        f.bind(outer);
        f.loop_header(vec![]);
        rmw(f, RmwOp::Add, b, x, zero);
        f.bind(inner);
        f.loop_header(vec![]);
        load(f, a, x);
        f.jump_if(Compare::Ugt, 64, a.into(), PARAMETER.into(), inner);
        f.jump_if(Compare::Eq, 64, a.into(), zero, outer);
        f.ret(0, zero);
    });
    assert_eq!(found, ["0: [r1@3 == #0 && r1@3 <= r0]", "2: [r0 < r1@3]"]);
}

/// Cases that go round, one that leaves and one that writes.
#[test]
fn switches_have_a_condition_for_each_case() {
    let found = conditions(|f, x| {
        let a = f.register();
        let (head, done, write, zero) = (f.label(), f.label(), f.label(), f.constant(0));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, a, x);
        f.switch(a.into(), &[(1, head), (2, done), (3, write)], head);
        f.bind(write);
        store(f, zero, x);
        f.jump(head);
        f.bind(done);
        f.ret(0, zero);
    });
    let others = "r1@1 != #1 && r1@1 != #2 && r1@1 != #3";
    assert_eq!(found, [format!("0: [r1@1 == #1 || {others}]")]);
}

/// What is compared is what the register held then, not what it holds later.
#[test]
fn a_register_that_is_written_twice_has_two_names() {
    let found = conditions(|f, x| {
        let a = f.register();
        let (head, done, one) = (f.label(), f.label(), f.constant(1));
        f.bind(head);
        f.loop_header(vec![]);
        load(f, a, x);
        f.jump_if(Compare::Eq, 64, a.into(), one, done);
        load(f, a, x);
        f.jump_if(Compare::Ne, 64, a.into(), one, head);
        f.bind(done);
        f.ret(0, one);
    });
    assert_eq!(found, ["0: [r1@1 != #1 && r1@3 != #1]"]);
}
