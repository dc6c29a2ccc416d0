//! Random functions: what they compute does not matter, only where control goes and what is read.

// Each test uses a part of this.
#![allow(dead_code)]

use norn_action::Compare;
use norn_program::{BinaryOp, FunctionId, Instruction, Program, ProgramBuilder, Register};

/// A sequence of random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 32) % bound as u64) as usize
    }
}

/// Registers that the instructions of a random function name.
pub const REGISTERS: u32 = 5;

/// The function of [`random_function`].
pub const FUNCTION: FunctionId = FunctionId(0);

/// A function of some blocks that jump wherever they like: most are no structured program.
pub fn random_function(random: &mut Random) -> Program {
    let mut builder = ProgramBuilder::new();
    let id = builder.declare_function("f", 1, 1, false);
    let mut f = builder.define(id);
    f.registers(REGISTERS - 1);
    let labels: Vec<_> = (0..1 + random.below(9)).map(|_| f.label()).collect();
    let register = |random: &mut Random| Register(random.below(REGISTERS as usize) as u32);
    for label in &labels {
        f.bind(*label);
        if random.below(3) == 0 {
            f.loop_header(Vec::new());
        }
        for _ in 0..random.below(3) {
            let (dst, a, b) = (register(random), register(random), register(random));
            match random.below(3) {
                0 => f.emit(Instruction::MoveIf { dst, condition: a.into(), src: b.into() }),
                1 => f.call_external("g", &[a.into(), b.into()], 1, dst),
                _ => f.binary(BinaryOp::Add, 32, dst, a.into(), b.into()),
            }
        }
        let target = |random: &mut Random| labels[random.below(labels.len())];
        match random.below(6) {
            0 => f.ret(1, register(random).into()),
            1 => f.jump(target(random)),
            2 => f.branch(register(random).into(), target(random), target(random)),
            3 => {
                let cases = [(1, target(random)), (2, target(random))];
                f.switch(register(random).into(), &cases, target(random));
            }
            // Falls through to the next block.
            4 => f.jump_if(
                Compare::Eq,
                32,
                register(random).into(),
                register(random).into(),
                target(random),
            ),
            _ => {}
        }
    }
    f.ret(1, register(random).into());
    f.finish();
    builder.finish().expect("a well-formed program")
}
