//! The evaluator for very few events: a whole relation is one number, bit `i * SIDE + j` says that `i` and `j` are
//! related, and an operation is a handful of instructions. Small graphs are looked at by the million.
//!
//! It computes what [`crate::eval`] computes, which the tests hold it to.

use crate::ast::Property;
use crate::eval::{Evaluator, Schedule};
use crate::events::Sink;
use crate::program::{BaseRel, BaseSet, Node, Program};
use std::sync::Arc;

/// Makes a module for relations over up to `$side` events in a `$word`.
macro_rules! tiny {
    ($module:ident, $word:ty, $side:literal) => {
        mod $module {
            use super::*;

            pub(super) const SIDE: usize = $side;
            type Word = $word;
            const ROW: Word = (1 << SIDE) - 1;
            const COLUMN: Word = column();
            const DIAGONAL: Word = diagonal();

            const fn column() -> Word {
                let (mut bits, mut i) = (0, 0);
                while i < SIDE {
                    bits |= 1 << (i * SIDE);
                    i += 1;
                }
                bits
            }

            const fn diagonal() -> Word {
                let (mut bits, mut i) = (0, 0);
                while i < SIDE {
                    bits |= 1 << (i * SIDE + i);
                    i += 1;
                }
                bits
            }

            /// An execution of up to [`SIDE`] events.
            #[derive(Clone, Debug, Default)]
            pub(super) struct Tiny {
                n: usize,
                sets: [Word; BaseSet::ALL.len()],
                rels: [Word; BaseRel::ALL.len()],
                slots: Vec<Word>,
            }

            /// All rows are the set.
            #[inline]
            fn columns(set: Word) -> Word {
                set * COLUMN
            }

            /// The rows in the set are full. Bit `i` of the set goes to the start of row `i`.
            #[inline]
            fn rows(set: Word) -> Word {
                let starts = columns(set) & DIAGONAL;
                let mut full = 0;
                let mut i = 0;
                while i < SIDE {
                    full |= ((starts >> (i * SIDE + i)) & 1) * (ROW << (i * SIDE));
                    i += 1;
                }
                full
            }

            #[inline]
            fn sequence(a: Word, b: Word) -> Word {
                let (mut out, mut k) = (0, 0);
                while k < SIDE {
                    // The rows of `a` that have `k`, filled, and row `k` of `b` everywhere.
                    let has = (a >> k) & COLUMN;
                    out |= ((has << SIDE).wrapping_sub(has)) & columns((b >> (k * SIDE)) & ROW);
                    k += 1;
                }
                out
            }

            #[inline]
            fn closure(mut a: Word) -> Word {
                let mut k = 0;
                while k < SIDE {
                    let has = (a >> k) & COLUMN;
                    a |= ((has << SIDE).wrapping_sub(has)) & columns((a >> (k * SIDE)) & ROW);
                    k += 1;
                }
                a
            }

            #[inline]
            fn inverse(mut a: Word) -> Word {
                let mut out = 0;
                while a != 0 {
                    let at = a.trailing_zeros() as usize;
                    out |= 1 << (at % SIDE * SIDE + at / SIDE);
                    a &= a - 1;
                }
                out
            }

            impl Sink for Tiny {
                fn start(&mut self, n: usize) {
                    self.n = n;
                    self.sets = Default::default();
                    self.rels = Default::default();
                    self.sets[BaseSet::Everything as usize] = (1 << n) - 1;
                    self.rels[BaseRel::Id as usize] = self.square() & DIAGONAL;
                }

                #[inline]
                fn put(&mut self, set: BaseSet, i: usize) {
                    self.sets[set as usize] |= 1 << i;
                }

                #[inline]
                fn relate(&mut self, rel: BaseRel, i: usize, j: usize) {
                    self.rels[rel as usize] |= 1 << (i * SIDE + j);
                }

                fn complete(&mut self) {
                    self.rels[BaseRel::Ext as usize] =
                        self.square() & !self.rels[BaseRel::Int as usize];
                }
            }

            impl Tiny {
                /// All pairs of events.
                fn square(&self) -> Word {
                    let all = (1 << self.n) - 1;
                    columns(all) & rows(all)
                }

                pub(super) fn failing(&mut self, schedule: &Schedule) -> Option<usize> {
                    let program = &schedule.program;
                    self.slots.resize(program.nodes.len(), 0);
                    schedule.first_failing(
                        self,
                        |tiny, nodes| tiny.run(program, nodes),
                        |tiny, node, property| {
                            let rel = tiny.slots[node];
                            match property {
                                Property::Acyclic => closure(rel) & DIAGONAL == 0,
                                Property::Irreflexive => rel & DIAGONAL == 0,
                                Property::Empty => rel == 0,
                            }
                        },
                    )
                }

                pub(super) fn race(&mut self, schedule: &Schedule) -> bool {
                    let program = &schedule.program;
                    self.run(program, schedule.race_nodes());
                    program.races.iter().any(|race| self.slots[race.node.index()] != 0)
                }

                fn run(&mut self, program: &Program, nodes: &[usize]) {
                    for &index in nodes {
                        self.slots[index] = self.node(&program.nodes[index]);
                    }
                }

                #[inline]
                fn node(&self, node: &Node) -> Word {
                    let at = |id: crate::program::NodeId| self.slots[id.index()];
                    match *node {
                        Node::BaseSet(set) => self.sets[set as usize],
                        Node::BaseRel(rel) => self.rels[rel as usize],
                        Node::SetUnion(a, b) | Node::Union(a, b) => at(a) | at(b),
                        Node::SetAnd(a, b) | Node::And(a, b) => at(a) & at(b),
                        Node::SetMinus(a, b) | Node::Minus(a, b) => at(a) & !at(b),
                        Node::Domain(a) => {
                            let (rel, mut set) = (at(a), 0);
                            for i in 0..self.n {
                                set |= Word::from((rel >> (i * SIDE)) & ROW != 0) << i;
                            }
                            set
                        }
                        Node::Range(a) => {
                            let rel = at(a);
                            (0..self.n).fold(0, |set, i| set | (rel >> (i * SIDE)) & ROW)
                        }
                        Node::Identity(set) => columns(at(set)) & DIAGONAL,
                        Node::Product(a, b) => rows(at(a)) & columns(at(b)),
                        Node::From(set, rel) => rows(at(set)) & at(rel),
                        Node::To(rel, set) => at(rel) & columns(at(set)),
                        Node::Sequence(a, b) => sequence(at(a), at(b)),
                        Node::Inverse(a) => inverse(at(a)),
                        Node::Plus(a) => closure(at(a)),
                        Node::Option(a) => at(a) | self.rels[BaseRel::Id as usize],
                        // There are no libraries in small graphs.
                        Node::NoRel | Node::Variable(_) | Node::Operation(_) => 0,
                    }
                }
            }
        }
    };
}

tiny!(eight, u64, 8);
tiny!(eleven, u128, 11);

/// Answers for small graphs, by the fastest means that they fit.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    schedule: Arc<Schedule>,
    eight: eight::Tiny,
    eleven: eleven::Tiny,
    any: Evaluator,
    at_hand: usize,
}

impl Answers {
    pub(crate) fn new(schedule: &Arc<Schedule>) -> Answers {
        Answers {
            schedule: Arc::clone(schedule),
            eight: eight::Tiny::default(),
            eleven: eleven::Tiny::default(),
            any: Evaluator::new(Arc::clone(schedule)),
            at_hand: 0,
        }
    }

    /// The check that the graph of `n` events that `fill` makes fails first.
    pub(crate) fn failing(&mut self, n: usize, fill: &dyn Fill) -> Option<usize> {
        self.at_hand = n;
        // What is defined by recursion goes round and round, which only the general evaluator does.
        let recursive = !self.schedule.program.groups.is_empty();
        if recursive || n > eleven::SIDE {
            self.at_hand = usize::MAX;
            fill.tell(&mut self.any.events);
            self.any.failing()
        } else if n <= eight::SIDE {
            fill.tell(&mut self.eight);
            self.eight.failing(&self.schedule)
        } else {
            fill.tell(&mut self.eleven);
            self.eleven.failing(&self.schedule)
        }
    }

    /// Whether the graph that was just looked at, and allowed, has a race.
    pub(crate) fn has_race(&mut self) -> bool {
        if self.at_hand <= eight::SIDE {
            self.eight.race(&self.schedule)
        } else if self.at_hand <= eleven::SIDE {
            self.eleven.race(&self.schedule)
        } else {
            self.any.race(None).is_some()
        }
    }
}

/// Something that can be told to whoever keeps events.
pub(crate) trait Fill {
    /// Tells all events.
    fn tell(&self, sink: &mut dyn Sink);
}
