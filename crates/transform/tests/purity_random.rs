//! Purity conditions against iterations of random loops that are run: a condition holds if and only if
//! the iteration had no effect. What other threads might write is random as well.

use norn_action::{Compare, Mode, RmwOp};
use norn_program::flow::{Blocks, Dominators, Liveness, LoopForest};
use norn_program::{
    BinaryOp, FunctionBuilder, FunctionId, Instruction, Label, Operand, Program, ProgramBuilder,
    Register,
};
use norn_transform::purity::{self, Atom, Condition, Relation, Term};
use std::collections::BTreeMap;

/// A sequence of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) % bound
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Registers that the code names freely. Two more hold the operands of compare-exchanges, one the
/// condition of branches.
const FREE: u32 = 4;
const OPERANDS: Register = Register(FREE);
const READ: Register = Register(FREE + 2);
const FLAG: Register = Register(FREE + 4);
const FUNCTION: FunctionId = FunctionId(0);
const COMPARES: [Compare; 4] = [Compare::Eq, Compare::Ne, Compare::Ult, Compare::Sle];
const OPS: [RmwOp; 5] = [RmwOp::Exchange, RmwOp::Add, RmwOp::Or, RmwOp::And, RmwOp::Umax];

fn register(random: &mut Random) -> Register {
    Register(random.below(u64::from(FREE)) as u32)
}

fn operand(f: &mut FunctionBuilder<'_>, random: &mut Random) -> Operand {
    match random.below(3) {
        0 => f.constant(random.below(3)),
        _ => register(random).into(),
    }
}

fn random_function(random: &mut Random) -> Program {
    let mut builder = ProgramBuilder::new();
    let id = builder.declare_function("f", 0, 0, false);
    let mut f = builder.define(id);
    f.registers(FLAG.0 + 1);
    let labels: Vec<Label> = (0..2 + random.below(5)).map(|_| f.label()).collect();
    for label in &labels {
        f.bind(*label);
        for _ in 0..random.below(3) {
            straight(&mut f, random);
        }
        let (a, b) = (operand(&mut f, random), operand(&mut f, random));
        let (to, other) = (random.pick(&labels), random.pick(&labels));
        match random.below(6) {
            0 => f.jump(to),
            1 | 2 => {
                f.compare(random.pick(&COMPARES), 64, FLAG, a, b);
                f.branch(FLAG.into(), to, other);
            }
            3 => f.switch(a, &[(0, to), (2, other)], random.pick(&labels)),
            _ => f.jump_if(random.pick(&COMPARES), 64, a, b, to),
        }
    }
    let zero = f.constant(0);
    f.ret(0, zero);
    f.finish();
    builder.finish().expect("a well-formed program")
}

fn straight(f: &mut FunctionBuilder<'_>, random: &mut Random) {
    let (dst, a, b) = (register(random), operand(f, random), operand(f, random));
    let address = f.constant(norn_program::layout::GLOBALS);
    let mode = Mode::SeqCst;
    match random.below(14) {
        0..=3 => f.emit(Instruction::Load { size: 8, mode, dst, address, offset: 0 }),
        4 | 5 => f.emit(Instruction::Move { dst, src: a }),
        6 => f.emit(Instruction::MoveIf { dst, condition: a, src: b }),
        7 => f.binary(BinaryOp::Add, 64, dst, a, b),
        8 => f.compare(random.pick(&COMPARES), 64, dst, a, b),
        9 => {
            let op = random.pick(&OPS);
            f.emit(Instruction::Rmw { op, size: 8, mode, dst, address, value: a });
        }
        10 => {
            f.emit(Instruction::Move { dst: OPERANDS, src: a });
            f.emit(Instruction::Move { dst: OPERANDS.plus(1), src: b });
            let operands = OPERANDS.into();
            let exchange = |failure| Instruction::CompareExchange {
                size: 8,
                mode,
                failure,
                dst: READ,
                address,
                operands,
            };
            f.emit(exchange(mode));
            f.emit(Instruction::Move { dst, src: READ.plus(random.below(2) as u32).into() });
        }
        11 => {
            let b = f.constant(random.below(3));
            f.emit(Instruction::Xor { dst, a, b });
        }
        12 => f.emit(Instruction::Truncate { width: 1 + random.below(2) as u8, dst, src: a }),
        _ => f.emit(Instruction::Store { size: 8, mode, value: a, address, offset: 0 }),
    }
}

/// One iteration, as it is run.
struct Iteration<'a> {
    program: &'a Program,
    registers: Vec<u64>,
    /// What each instruction that was executed wrote.
    written: BTreeMap<(u32, Register), u64>,
    has_effect: bool,
}

impl Iteration<'_> {
    fn get(&self, operand: Operand) -> u64 {
        match operand.constant_index() {
            Some(index) => self.program.constants[index as usize],
            None => self.registers[operand.0 as usize],
        }
    }

    fn set(&mut self, pc: u32, register: Register, value: u64) {
        self.registers[register.0 as usize] = value;
        self.written.insert((pc, register), value);
    }

    /// Executes an instruction; where control goes, or nothing if the function ends.
    fn step(&mut self, pc: u32, random: &mut Random) -> Option<u32> {
        use Instruction as I;
        let next = Some(pc + 1);
        let jump = |holds: bool, target: u32| if holds { Some(target) } else { next };
        match self.program.code[pc as usize] {
            I::Move { dst, src } => self.set(pc, dst, self.get(src)),
            I::MoveIf { dst, condition, src } => {
                let old = self.registers[dst.0 as usize];
                self.set(pc, dst, if self.get(condition) & 1 == 1 { self.get(src) } else { old });
            }
            I::Add { dst, a, b, .. } => self.set(pc, dst, self.get(a).wrapping_add(self.get(b))),
            I::Xor { dst, a, b } => self.set(pc, dst, self.get(a) ^ self.get(b)),
            I::Truncate { width, dst, src } => {
                self.set(pc, dst, self.get(src) & ((1 << width) - 1));
            }
            I::Equal { dst, a, b } => self.set(pc, dst, (self.get(a) == self.get(b)).into()),
            I::NotEqual { dst, a, b } => self.set(pc, dst, (self.get(a) != self.get(b)).into()),
            I::Below { dst, a, b } => self.set(pc, dst, (self.get(a) < self.get(b)).into()),
            I::LessEqual { dst, a, b, .. } => {
                self.set(pc, dst, (self.get(a) as i64 <= self.get(b) as i64).into());
            }
            I::Load { dst, .. } => self.set(pc, dst, random.below(3)),
            I::Store { .. } => self.has_effect = true,
            I::Rmw { op, dst, value, .. } => {
                let (old, operand) = (random.below(3), self.get(value));
                self.has_effect |= op.apply(old.into(), operand.into(), 8) != old.into();
                self.set(pc, dst, old);
            }
            I::CompareExchange { dst, operands, .. } => {
                let old = random.below(3);
                let succeeds = old == self.get(operands);
                self.has_effect |= succeeds;
                self.set(pc, dst, old);
                self.set(pc, dst.plus(1), succeeds.into());
            }
            I::Jump { target } => return Some(target),
            I::Branch { condition, then, otherwise } => {
                return Some(if self.get(condition) & 1 == 1 { then } else { otherwise });
            }
            I::JumpEqual { a, b, target } => return jump(self.get(a) == self.get(b), target),
            I::JumpNotEqual { a, b, target } => return jump(self.get(a) != self.get(b), target),
            I::JumpBelow { a, b, target } => return jump(self.get(a) < self.get(b), target),
            I::JumpLessEqual { a, b, target, .. } => {
                return jump(self.get(a) as i64 <= self.get(b) as i64, target);
            }
            I::Switch { value, table } => {
                return Some(self.program.switches[table as usize].target(self.get(value)));
            }
            I::Return { .. } => return None,
            other => panic!("{other:?} is not generated"),
        }
        next
    }

    /// Whether a condition holds, given the registers at the start. A value that was not written in this
    /// iteration may be any, so that nothing is known of it.
    fn satisfies(&self, condition: &Condition, start: &[u64]) -> bool {
        let value = |term: Term| match term {
            Term::Start(register) => Some(start[register.0 as usize]),
            Term::Written { register, pc } => self.written.get(&(pc, register)).copied(),
            Term::Constant(value) => Some(value),
            Term::Here(_) => panic!("a condition of a loop that speaks of its middle"),
        };
        let holds = |atom: &Atom| match (value(atom.a), value(atom.b)) {
            (Some(a), Some(b)) => match atom.relation {
                Relation::Equal => a == b,
                Relation::NotEqual => a != b,
                Relation::Below => a < b,
                Relation::BelowEqual => a <= b,
                Relation::Less(_) => (a as i64) < b as i64,
                Relation::LessEqual(_) => a as i64 <= b as i64,
                Relation::Covers => a & b == b,
            },
            _ => false,
        };
        condition.conjunctions().iter().any(|conjunction| conjunction.atoms().iter().all(holds))
    }
}

#[test]
fn a_condition_holds_if_and_only_if_nothing_happened() {
    let (mut pure, mut impure) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random(seed << 32);
        let program = random_function(&mut random);
        let blocks = Blocks::new(&program, FUNCTION);
        let forest = LoopForest::new(blocks.graph(), &Dominators::new(blocks.graph()));
        let liveness = Liveness::new(&program, FUNCTION, &blocks);
        let found = purity::of_function(&program, FUNCTION);
        for (item, found) in forest.loops.iter().zip(&found) {
            let live = liveness.live_before(&program, &blocks, found.header);
            for _ in 0..20 {
                let start: Vec<u64> = (0..=FLAG.0).map(|_| random.below(3)).collect();
                let mut iteration = Iteration {
                    program: &program,
                    registers: start.clone(),
                    written: BTreeMap::new(),
                    has_effect: false,
                };
                // Until it comes to the header, takes an inner round or leaves the loop.
                let position = |pc: u32| blocks.graph().position(blocks.at(pc));
                let is_start = |pc: u32| blocks.range(blocks.at(pc)).start == pc;
                let mut pc = Some(found.header);
                while let Some(now) = pc
                    && item.body.contains(&blocks.at(now))
                {
                    pc = iteration.step(now, &mut random);
                    if pc == Some(found.header) {
                        break;
                    }
                    let retreats = |next: &u32| is_start(*next) && position(*next) <= position(now);
                    pc = pc.filter(|next| !retreats(next));
                }
                let is_same =
                    |r: Register| start[r.0 as usize] == iteration.registers[r.0 as usize];
                let is_pure =
                    pc == Some(found.header) && !iteration.has_effect && live.iter().all(is_same);
                let holds = iteration.satisfies(&found.condition, &start);
                assert_eq!(holds, is_pure, "seed {seed}, {}\n{program}", found.condition);
                *(if is_pure { &mut pure } else { &mut impure }) += 1;
            }
        }
    }
    assert!(pure > 1000 && impure > 1000, "{pure} pure and {impure} impure iterations");
}
