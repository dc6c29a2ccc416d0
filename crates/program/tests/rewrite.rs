//! Changes to programs: where everything goes, and that changes without a meaning mean nothing.

mod support;

use norn_action::{Compare, Mode};
use norn_frontend::{Options, load};
use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, runtime_functions};
use norn_program::{
    Edit, FunctionId, Instruction, Location, LocationId, Operand, Pad, Program, ProgramBuilder,
    Register,
};
use std::path::Path;
use std::sync::Arc;
use support::Random;

const MAIN: FunctionId = FunctionId(0);

/// A function with all that names program counters, and one behind it:
///
/// ```text
///   0  switch r0, 1 -> 1, else -> 6
///   1  LoopHeader 0
///   2  JumpEqual r0, #0 -> 6
///   3  LoopIteration 0
///   4  CompareExchange, weak
///   5  jump 1
///   6  call g, with a landing pad
///   7  return
///   8  (g) LoopHeader 1
///   9  (g) jump 8
/// ```
fn sample() -> Program {
    let mut builder = ProgramBuilder::new();
    let id = builder.declare_function("main", 1, 0, false);
    let g = builder.declare_function("g", 0, 0, false);
    let mut places = (1..=8).map(|line| place(&mut builder, line)).collect::<Vec<_>>().into_iter();
    let mut f = builder.define(id);
    let (r, operands) = (Register(0), f.registers(2));
    let read = f.registers(2);
    let (head, done) = (f.label(), f.label());
    let zero = f.constant(0);
    let mut next = move |f: &mut norn_program::FunctionBuilder<'_>| {
        f.set_location(places.next().expect("a line for every instruction"));
    };
    next(&mut f);
    f.switch(r.into(), &[(1, head)], done);
    f.bind(head);
    next(&mut f);
    let item = f.loop_header(vec![]);
    next(&mut f);
    f.jump_if(Compare::Eq, 64, r.into(), zero, done);
    next(&mut f);
    f.loop_iteration(item);
    next(&mut f);
    f.emit(Instruction::CompareExchange {
        size: 4,
        mode: Mode::SeqCst,
        failure: Mode::SeqCst,
        dst: read,
        address: r.into(),
        operands: operands.into(),
    });
    next(&mut f);
    f.jump(head);
    f.bind(done);
    next(&mut f);
    f.call(g, &[], 0, r);
    next(&mut f);
    f.ret(0, zero);
    f.finish();
    let mut f = builder.define(g);
    let again = f.label();
    f.bind(again);
    f.loop_header(vec![]);
    f.jump(again);
    f.finish();
    builder.program().weak_exchanges.push(4);
    let pad = Pad { call: 6, target: 7, cleanup: true, terminates: false, clauses: Vec::new() };
    builder.program().pads.push(pad);
    builder.program().set_live(id);
    builder.finish().expect("a well-formed program")
}

fn place(builder: &mut ProgramBuilder, line: u32) -> LocationId {
    builder.program().source.add(Location {
        file: 0,
        line,
        column: 1,
        function: 0,
        inlined_at: None,
    })
}

fn lines(program: &Program) -> Vec<u32> {
    let line = |&id: &LocationId| program.source.get(id).map_or(0, |location| location.line);
    program.locations.iter().map(line).collect()
}

fn nothing() -> Instruction {
    Instruction::Move { dst: Register(0), src: Register(0).into() }
}

#[test]
fn insertions_move_everything_behind_them() {
    let mut program = sample();
    let mut edit = Edit::new(&mut program);
    edit.insert_before(1, &[nothing(), nothing()]);
    edit.insert_after(4, &[nothing()]);
    edit.insert_before(6, &[nothing()]);
    edit.apply();
    assert_eq!(program.verify(), Ok(()));
    assert_eq!(lines(&program), [1, 2, 2, 2, 3, 4, 5, 5, 6, 7, 7, 8, 0, 0]);
    assert_eq!(program.code[8], Instruction::Jump { target: 1 }, "what is inserted is entered");
    assert_eq!(program.switches[0].cases, [(1, 1)]);
    assert_eq!(program.switches[0].default, 9);
    assert_eq!(program.loops[0].header, 3);
    assert_eq!(program.weak_exchanges, [6]);
    let pads: Vec<_> = program.pads.iter().map(|pad| (pad.call, pad.target)).collect();
    assert_eq!(pads, [(10, 11)]);
    assert_eq!((program.functions[1].entry, program.functions[1].end), (12, 14));
    assert_eq!(program.loops[1].header, 12);
    assert_eq!(program.code[13], Instruction::Jump { target: 12 });
}

#[test]
fn what_is_deleted_leaves_no_trace() {
    let mut program = sample();
    let mut edit = Edit::new(&mut program);
    edit.delete(1);
    edit.replace(0, Instruction::Jump { target: 1 });
    edit.replace(4, nothing());
    edit.delete(6);
    edit.apply();
    assert_eq!(program.verify(), Ok(()));
    assert_eq!(lines(&program), [1, 3, 5, 6, 8, 0, 0], "the test of the loop went with it");
    assert!(program.switches.is_empty() && program.pads.is_empty());
    assert!(program.weak_exchanges.is_empty(), "it is no compare-exchange any more");
    assert_eq!(program.code[0], Instruction::Jump { target: 1 });
    assert_eq!(program.code[3], Instruction::Jump { target: 1 });
    assert_eq!(program.loops.len(), 1);
    assert_eq!(program.code[5], Instruction::LoopHeader { id: norn_program::LoopId(0) });
}

#[test]
fn a_loop_without_its_test_is_not_tested() {
    let mut program = sample();
    assert!(program.loops[0].tested);
    let mut edit = Edit::new(&mut program);
    edit.delete(3);
    edit.apply();
    assert!(!program.loops[0].tested);
}

#[test]
fn live_registers_follow_the_code() {
    let mut program = sample();
    assert!(!program.loops[0].live.contains(&Register(5)));
    let mut edit = Edit::new(&mut program);
    let fresh = edit.register(MAIN);
    assert_eq!(fresh, Register(5));
    edit.insert_before(2, &[Instruction::Move { dst: Register(0), src: fresh.into() }]);
    edit.apply();
    assert!(program.loops[0].live.contains(&fresh));
}

#[test]
fn blocks_may_jump_to_each_other_and_back() {
    let mut program = sample();
    let mut edit = Edit::new(&mut program);
    let first = edit.append_block(MAIN, LocationId::NONE);
    let second = edit.append_block(MAIN, LocationId::NONE);
    edit.extend_block(first, &[Instruction::Jump { target: second }]);
    edit.extend_block(second, &[nothing(), Instruction::Jump { target: 1 }]);
    edit.replace(5, Instruction::Jump { target: first });
    edit.apply();
    assert_eq!(program.verify(), Ok(()));
    assert_eq!(program.code[5], Instruction::Jump { target: 8 });
    assert_eq!(program.code[8], Instruction::Jump { target: 9 });
    assert_eq!(program.code[10], Instruction::Jump { target: 1 });
    assert_eq!(program.functions[1].entry, 11);
}

#[test]
fn a_body_can_be_replaced() {
    let mut program = sample();
    let mut edit = Edit::new(&mut program);
    let message = edit.message("gone");
    edit.replace_body(MAIN, &[Instruction::Unsupported { message }]);
    edit.apply();
    assert_eq!(program.verify(), Ok(()));
    assert_eq!(program.code.len(), 3);
    assert_eq!((program.loops.len(), program.loops[0].header), (1, 1));
}

/// Makes changes without a meaning at random places: moves to new registers or to where they came from,
/// jumps over jumps, conditions that are decided twice.
fn scramble(program: &mut Program, random: &mut Random) {
    let functions: Vec<_> = (0..program.functions.len() as u32).map(FunctionId).collect();
    let mut edit = Edit::new(program);
    for id in functions {
        let (entry, end) = {
            let function = &edit.program().functions[id.index()];
            (function.entry, function.end)
        };
        for pc in entry..end {
            if random.below(4) != 0 {
                continue;
            }
            let fresh = edit.register(id);
            let constant = edit.constant(random.below(3) as u64);
            let useless = Instruction::Move { dst: fresh, src: constant };
            match random.below(3) {
                0 => edit.insert_before(pc, &[useless]),
                1 => edit.insert_after(pc, &[useless]),
                _ => detour(&mut edit, id, pc, constant),
            }
        }
    }
    edit.apply();
}

/// Replaces a jump by one to a new block that jumps to the old target, in one of two ways; cuts other
/// code in two.
fn detour(edit: &mut Edit<'_>, id: FunctionId, pc: u32, constant: Operand) {
    let mut instruction = edit.program().code[pc as usize];
    let mut targets = Vec::new();
    instruction.for_each_target(|target| targets.push(*target));
    if targets.is_empty() {
        return edit.insert_before(
            pc,
            &[Instruction::JumpNotEqual { a: constant, b: constant, target: pc }],
        );
    }
    for target in &mut targets {
        let block = edit.append_block(id, LocationId::NONE);
        let decided = Instruction::JumpEqual { a: constant, b: constant, target: *target };
        edit.extend_block(block, &[decided, Instruction::Jump { target: *target }]);
        *target = block;
    }
    let mut targets = targets.into_iter();
    instruction.for_each_target(|target| *target = targets.next().expect("as many as before"));
    edit.replace(pc, instruction);
}

fn behaviour(program: Program) -> (Vec<u8>, String) {
    let vm = Vm::new(Arc::new(program), Config::default());
    let mut output = Vec::new();
    let outcome = run(&vm, &mut |_, bytes| output.extend_from_slice(bytes));
    let end = match outcome {
        Outcome::Exit(code) => format!("exit {code}"),
        other => panic!("{other:?}"),
    };
    (output, end)
}

#[test]
fn changes_without_a_meaning_keep_the_behaviour() {
    let names = [
        "loops.c",
        "goto.c",
        "duff.c",
        "computed_goto.c",
        "switch_dense.c",
        "early_exits.c",
        "interpreter.c",
        "hash_table.c",
        "function_table_struct.c",
        "phi_swap.c",
        "int128.c",
        "single_thread_atomics.c",
        "varargs.c",
        "qsort_bsearch.c",
        "containers.cpp",
        "functions.cpp",
    ];
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut grown = 0;
    for (name, level) in names.iter().flat_map(|name| [(name, "-O0"), (name, "-O2")]) {
        let mut flags = vec!["-w".to_owned(), level.to_owned()];
        flags.extend(name.ends_with(".cpp").then(|| "-std=c++17".to_owned()));
        let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
        let options = Options { clang: None, flags: &flags, provided };
        let program = load(&[directory.join(name)], &options).expect("loadable").program;
        let expected = behaviour(program.clone());
        for seed in 0..4 {
            let mut changed = program.clone();
            let mut random = Random::new(seed);
            (0..=seed % 2).for_each(|_| scramble(&mut changed, &mut random));
            assert_eq!(changed.verify(), Ok(()), "{name} {level}, seed {seed}");
            grown += changed.code.len() - program.code.len();
            assert_eq!(behaviour(changed), expected, "{name} {level}, seed {seed}");
        }
    }
    assert!(grown > 10_000, "only {grown} new instructions");
}
