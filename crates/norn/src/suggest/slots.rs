//! The orders of a program that can be changed: where they stand in the source, and in the bytecode.
//!
//! One line of the source may be many instructions: a template, a macro, a function that was inlined. An order
//! that stands there once is changed in all of them. In C, and where the functions of `<atomic>` were inlined, it
//! is the mode of an instruction; elsewhere it is what a call from the program to `<atomic>` hands over.

use super::fixes::{Ladder, at_most};
use crate::program_names::{is_library, own, spot_of};
use norn_action::{Mode, Place};
use norn_explore::{Calls, Violation};
use norn_graph::Event;
use norn_program::{Instruction, Location, Operand, Program};
use norn_report::{AccessKind, OrderChange, Spot};

/// Where an order is in the bytecode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Site {
    /// The mode of an instruction.
    Mode,
    /// The mode of a compare-exchange that fails.
    Failure,
    /// An argument of a call, counted from the last one.
    Argument(u16),
}

/// One order of the source.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    spot: Spot,
    access: AccessKind,
    old: Mode,
    /// Whether it is a value that is `old` in some executions, rather than written there.
    is_value: bool,
    /// What it is in the instructions of that place.
    sites: Vec<Site>,
}

/// The modes that there are, weaker ones first.
const STRONGER: [Mode; 4] = [Mode::Acquire, Mode::Release, Mode::AcqRel, Mode::SeqCst];

impl Slot {
    /// What may be tried instead.
    pub(super) fn ladder(&self) -> Ladder {
        let can = |mode: Mode| match self.access {
            AccessKind::Load | AccessKind::FailedExchange => {
                !matches!(mode, Mode::Release | Mode::AcqRel)
            }
            AccessKind::Store => !matches!(mode, Mode::Acquire | Mode::AcqRel),
            AccessKind::Update | AccessKind::Fence => true,
        };
        let is_stronger = |mode: Mode| mode != self.old && at_most(self.old, mode);
        let stronger = STRONGER.into_iter().filter(|&mode| can(mode) && is_stronger(mode));
        Ladder { old: self.old, stronger: stronger.collect() }
    }

    /// Whether an instruction belongs to that place of the source.
    fn is_at(&self, program: &Program, pc: u32) -> bool {
        let Spot { file, line, column, .. } = &self.spot;
        own(program, pc).is_some_and(|at| {
            at.line == *line && at.column == *column && program.source.string(at.file) == file
        })
    }

    /// Adds it to a list, in which each order stands once; whether something was added.
    pub(super) fn add_to(self, slots: &mut Vec<Slot>) -> bool {
        let is_same = |slot: &&mut Slot| {
            (&slot.spot, slot.access, slot.old) == (&self.spot, self.access, self.old)
        };
        let Some(known) = slots.iter_mut().find(is_same) else {
            slots.push(self);
            return true;
        };
        let before = known.sites.len();
        for site in self.sites {
            if !known.sites.contains(&site) {
                known.sites.push(site);
            }
        }
        known.sites.len() > before
    }

    /// As a report has it.
    pub(super) fn change(&self, to: Mode) -> OrderChange {
        let (spot, is_value) = (self.spot.clone(), self.is_value);
        OrderChange { spot, access: self.access, is_value, from: self.old, to }
    }
}

/// The program with other orders.
pub(super) fn changed(program: &Program, slots: &[Slot], orders: &[Mode]) -> Program {
    let mut new = program.clone();
    for (slot, &order) in slots.iter().zip(orders).filter(|(slot, new)| slot.old != **new) {
        for pc in (0..program.code.len() as u32).filter(|&pc| slot.is_at(program, pc)) {
            for &site in &slot.sites {
                let fits = |(kind, mode): (Option<AccessKind>, Mode)| {
                    // What a call does is seen only where it leads to.
                    kind.is_none_or(|kind| kind == slot.access) && mode == slot.old
                };
                if access(program, pc, site).is_some_and(fits) {
                    set(&mut new, pc, site, order);
                }
            }
        }
    }
    new
}

/// What an instruction does there, if that is seen, and in which order.
fn access(program: &Program, pc: u32, site: Site) -> Option<(Option<AccessKind>, Mode)> {
    let (kind, mode) = match (program.code[pc as usize], site) {
        (Instruction::Load { mode, .. }, Site::Mode) => (AccessKind::Load, mode),
        (Instruction::Store { mode, .. }, Site::Mode) => (AccessKind::Store, mode),
        (Instruction::Rmw { mode, .. }, Site::Mode) => (AccessKind::Update, mode),
        (Instruction::CompareExchange { mode, .. }, Site::Mode) => (AccessKind::Update, mode),
        (Instruction::Fence { mode }, Site::Mode) => (AccessKind::Fence, mode),
        (Instruction::CompareExchange { failure, .. }, Site::Failure) => {
            (AccessKind::FailedExchange, failure)
        }
        (Instruction::Call { function, count, args, .. }, Site::Argument(back)) => {
            let callee = &program.functions[function.index()];
            if back >= orders_of(&callee.name) || back >= count {
                return None;
            }
            let operand = program.arguments[args as usize + usize::from(count - 1 - back)];
            let value = program.constants[operand.constant_index()? as usize];
            return Some((None, of_number(value)?));
        }
        _ => return None,
    };
    mode.is_atomic().then_some((Some(kind), mode))
}

/// How many orders a function of `<atomic>` has for its last parameters.
fn orders_of(name: &str) -> u16 {
    match name.rsplit_once("St12memory_order") {
        Some((_, "")) => 1,
        // A second one is written as what was there before.
        Some((_, again)) if again.starts_with('S') && again.ends_with('_') => 2,
        _ => 0,
    }
}

/// The order that is written as a number in C and C++.
fn of_number(value: u64) -> Option<Mode> {
    Some(match value {
        0 => Mode::Relaxed,
        1 | 2 => Mode::Acquire,
        3 => Mode::Release,
        4 => Mode::AcqRel,
        5 => Mode::SeqCst,
        _ => return None,
    })
}

fn number(mode: Mode) -> u64 {
    (0..=5).rev().find(|&value| of_number(value) == Some(mode)).unwrap_or(0)
}

fn set(program: &mut Program, pc: u32, site: Site, order: Mode) {
    match (&mut program.code[pc as usize], site) {
        (
            Instruction::Load { mode, .. }
            | Instruction::Store { mode, .. }
            | Instruction::Rmw { mode, .. }
            | Instruction::CompareExchange { mode, .. }
            | Instruction::Fence { mode },
            Site::Mode,
        ) => *mode = order,
        (Instruction::CompareExchange { failure, .. }, Site::Failure) => *failure = order,
        (Instruction::Call { count, args, .. }, Site::Argument(back)) => {
            // Calls may share their lists.
            let own = program.arguments.len() as u32;
            let old = *args as usize..*args as usize + usize::from(*count);
            let (changed, constant) = (usize::from(*count - 1 - back), program.constants.len());
            *args = own;
            program.arguments.extend_from_within(old);
            program.constants.push(number(order));
            program.arguments[own as usize + changed] = Operand::constant(constant as u32);
        }
        _ => unreachable!("a site is looked at before it is changed"),
    }
}

/// The place of an order, whichever instance of a template it is in.
fn spot(program: &Program, location: &Location) -> Spot {
    Spot { function: None, ..spot_of(program, location) }
}

/// The orders that take part in a violation and can be stronger, each once.
pub(super) fn of(program: &Program, violation: &Violation, calls: &Calls) -> Vec<Slot> {
    let mut slots = Vec::new();
    for &id in violation.graph.order() {
        let found = of_event(program, violation.graph.event(id), calls.at(id));
        if let Some(slot) = found.filter(|slot| !slot.ladder().stronger.is_empty()) {
            slot.add_to(&mut slots);
        }
    }
    slots
}

/// The order that an event got.
fn of_event(program: &Program, event: &Event, calls: &[Place]) -> Option<Slot> {
    let pc = event.place.0;
    let is_exchange = matches!(program.code.get(pc as usize)?, Instruction::CompareExchange { .. });
    let site = if is_exchange && !event.is_exclusive() { Site::Failure } else { Site::Mode };
    let (kind, old) = access(program, pc, site)?;
    let access_kind = kind?;
    let slot = |at: &Location, site: Site, old: Mode| Slot {
        spot: spot(program, at),
        access: access_kind,
        old,
        is_value: false,
        sites: vec![site],
    };
    if let Some(at) = own(program, pc) {
        let slot = slot(at, site, old);
        let is_value = !is_inlined_library(program, pc) && has_all_orders(program, &slot, site);
        return Some(Slot { is_value, ..slot });
    }
    let call = calls.iter().map(|place| place.0).find(|&call| own(program, call).is_some())?;
    let Instruction::Call { function, .. } = *program.code.get(call as usize)? else { return None };
    let orders = orders_of(&program.functions[function.index()].name);
    let back = if orders == 2 && site == Site::Mode { 1 } else { 0 };
    let site = Site::Argument(back);
    let (_, old) = access(program, call, site)?;
    Some(slot(own(program, call)?, site, old))
}

fn is_inlined_library(program: &Program, pc: u32) -> bool {
    program.location(Place(pc)).is_some_and(|at| is_library(program.source.string(at.file)))
}

/// Whether the order is a value: of one, the compiler makes an instruction for each order that it may be.
fn has_all_orders(program: &Program, slot: &Slot, site: Site) -> bool {
    let here = (0..program.code.len() as u32).filter(|&pc| slot.is_at(program, pc));
    let modes: Vec<Mode> = here
        .filter_map(|pc| access(program, pc, site))
        .filter_map(|(kind, mode)| (kind == Some(slot.access)).then_some(mode))
        .collect();
    let all = Slot { old: Mode::Relaxed, ..slot.clone() }.ladder().stronger;
    all.iter().all(|mode| modes.contains(mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_the_last_parameters() {
        assert_eq!(orders_of("_ZNSt6atomicIbE5storeEbSt12memory_order"), 1);
        assert_eq!(
            orders_of("_ZNSt6atomicIPiE23compare_exchange_strongERS0_S0_St12memory_orderS3_"),
            2
        );
        assert_eq!(orders_of("_ZStanSt12memory_orderSt23__memory_order_modifier"), 0);
        assert_eq!(orders_of("main"), 0);
        for mode in STRONGER {
            assert_eq!(of_number(number(mode)), Some(mode));
        }
    }
}
