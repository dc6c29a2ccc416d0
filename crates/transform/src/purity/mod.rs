//! When an iteration of a loop has had no effect: forward purity conditions.
//!
//! Jonsson, Lång and Sagonas, "Awaiting for Godot: Stateless Model Checking that Avoids Executions where
//! Nothing Happens" (FMCAD 2022), section III. A forward purity condition at a point of a loop is one
//! in disjunctive normal form such that an execution from there, if it holds, comes to the header of
//! the loop without any effect. It is computed backwards from the edges to the header: an edge and an
//! instruction each add what must hold for them to be taken or to have no effect, and where ways part
//! the conditions are alternatives. The condition at the header is that of the loop. An iteration that
//! takes an inner round is never pure.
//!
//! Departures from the paper:
//!
//! 1. Bytecode is not in SSA form. A condition speaks of registers as they are at its point, and is
//!    rewritten where an instruction writes one: to what was moved or compared, or else to a name for what
//!    this instruction wrote ([`Term::Written`]). Each instruction is executed at most once in an
//!    iteration without inner rounds, so that the name stands for one value.
//! 2. The paper calls an edge to the header impure if a variable that is used later has changed. Here the
//!    condition is that each register that is live at the header holds what it held at the start; if
//!    it is never written on the way, that is decided at once. So an iteration that wrote the same value
//!    again is pure.
//! 3. A conjunction knows the last instruction of its path that may go wrong, and may be relied on only
//!    behind it. That is the earliest insertion point of the paper; a plain load may go wrong, since it
//!    may race.
//! 4. The condition of a branch is taken to be 0 or 1, as that of every value one bit wide.
//! 5. A call of a function that has no effect, nor calls one that has ([`Effects`]), is an instruction like any
//!    other that computes and may go wrong.
//! 6. A condition that gets too long is cut short: one that holds more rarely is right as well.
//!
//! What is not decided here: whether a read-modify-write that writes what it read may be left out under a
//! memory model in which it releases something.

mod condition;
mod definitions;
mod effect;
mod step;

pub use condition::{Atom, Condition, Conjunction, Relation, Term};
pub(crate) use definitions::Definitions;
pub(crate) use effect::Ignored;
pub use effect::{Effect, Effects, effect};
pub(crate) use step::edges;

use crate::body::known;
use norn_program::flow::{
    Blocks, Dominators, Liveness, LoopForest, NaturalLoop, Node, RegisterSet,
};
use norn_program::{FunctionId, Program, Register};
use step::Context;

/// A loop and its condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopPurity {
    /// The first instruction of its header.
    pub header: u32,
    /// Under which condition an iteration is pure.
    pub condition: Condition,
}

/// The conditions of the natural loops of a function, outer loops before inner ones.
pub fn of_function(program: &Program, function: FunctionId) -> Vec<LoopPurity> {
    let effects = Effects::new(program);
    let flow = Flow::new(program, function);
    let of_loop = |item: &NaturalLoop| LoopPurity {
        header: flow.blocks.range(item.header).start,
        condition: flow.condition(program, &effects, item, Ignored::None),
    };
    flow.forest.loops.iter().map(of_loop).collect()
}

/// What the analysis needs to know of a function.
pub(crate) struct Flow {
    pub(crate) blocks: Blocks,
    pub(crate) forest: LoopForest,
    liveness: Liveness,
}

impl Flow {
    pub(crate) fn new(program: &Program, function: FunctionId) -> Flow {
        let blocks = Blocks::new(program, function);
        let forest = LoopForest::new(blocks.graph(), &Dominators::new(blocks.graph()));
        let liveness = Liveness::new(program, function, &blocks);
        Flow { blocks, forest, liveness }
    }

    /// The condition of a loop, if some effects are none.
    pub(crate) fn condition(
        &self,
        program: &Program,
        effects: &Effects,
        item: &NaturalLoop,
        ignored: Ignored,
    ) -> Condition {
        let definitions = Definitions::new(program, &self.blocks);
        let context = Context { program, definitions, effects, header: item.header, ignored };
        let mut analysis = Analysis {
            context,
            blocks: &self.blocks,
            item,
            live: self.live(program, item),
            at_start: vec![Condition::FALSE; self.blocks.graph().count()],
        };
        analysis.run()
    }

    /// The registers at the header of a loop that decide what follows: those that are live, but for those that a pass
    /// has found to decide nothing.
    pub(crate) fn live(&self, program: &Program, item: &NaturalLoop) -> Vec<Register> {
        match known(program, &self.blocks, item) {
            Some(known) => known.live.clone(),
            None => self.live_before(program, item.header).iter().collect(),
        }
    }

    /// The registers that are live where a block begins.
    pub(crate) fn live_before(&self, program: &Program, node: Node) -> RegisterSet {
        self.liveness.live_before(program, &self.blocks, self.blocks.range(node).start)
    }
}

struct Analysis<'a> {
    context: Context<'a>,
    blocks: &'a Blocks,
    item: &'a NaturalLoop,
    /// Registers that are live at the header.
    live: Vec<Register>,
    /// The conditions at the starts of the blocks that were visited, by node; [`Condition::FALSE`] for all
    /// others.
    at_start: Vec<Condition>,
}

impl Analysis<'_> {
    /// Visits the blocks backwards, so that each comes after those that it leads to.
    fn run(&mut self) -> Condition {
        for &block in self.item.body.iter().rev() {
            let mut condition = self.at_end(block);
            for pc in self.blocks.range(block).rev() {
                condition = condition.map(|behind| step::before(&self.context, pc, behind));
            }
            self.at_start[block.index()] = condition;
        }
        // What a register holds at the header is what it holds at the start.
        let start = |term: Term| match term {
            Term::Here(register) => Term::Start(register),
            other => other,
        };
        let named = |atom: Atom| Atom::new(atom.relation, start(atom.a), start(atom.b));
        self.at_start[self.item.header.index()].map(|conjunction| conjunction.map(named))
    }

    fn at_end(&self, block: Node) -> Condition {
        let mut condition = Condition::FALSE;
        let last = self.blocks.range(block).end - 1;
        for (target, guard) in step::edges(self.context.program, last) {
            let along = self.along(self.blocks.at(target));
            let taken = along.map(|conjunction| {
                guard.iter().copied().try_fold(conjunction.clone(), Conjunction::and)
            });
            taken.conjunctions().iter().for_each(|conjunction| condition.add(conjunction.clone()));
        }
        condition
    }

    /// The condition of an edge, but for what it takes to go along it. A target outside the loop, and that
    /// of an inner round, which comes before its source and was not visited yet, has none.
    fn along(&self, target: Node) -> Condition {
        if target == self.item.header {
            self.unchanged()
        } else {
            self.at_start[target.index()].clone()
        }
    }

    /// Every live register holds what it held at the start.
    fn unchanged(&self) -> Condition {
        let same = |r: &Register| Atom::new(Relation::Equal, Term::Start(*r), Term::Here(*r));
        let all = self.live.iter().map(same).try_fold(Conjunction::default(), Conjunction::and);
        let mut condition = Condition::FALSE;
        all.into_iter().for_each(|conjunction| condition.add(conjunction));
        condition
    }
}
