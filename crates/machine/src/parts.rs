//! Accesses that are made in parts, because others access some of their bytes only.
//!
//! **Where the parts come from.** To whoever orders accesses, memory is made of locations, and every byte must be
//! of one location. Which locations there are must not depend on which access comes first in some execution, so
//! it is fixed for the whole of a search: a search begins without any parts, and when it meets accesses that
//! overlap it is stopped and begun again with a machine that makes both in parts, at the boundaries of the
//! other ([`Cut`]). What a search finds is what its last run finds.
//!
//! 1. *A cut means the same in every execution*: it is of an instruction, by its program counter, and of
//!    addresses by their remainder after a division by 16 (objects are aligned to 16 bytes). An instruction that
//!    is cut where it need not be makes more, smaller accesses; that costs something and changes nothing.
//! 2. *It ends.* Two different locations that overlap have a boundary of one strictly within the other. An access
//!    that is cut there already has no part with that boundary within. So every new start has a new cut, and there
//!    are at most 16 for an instruction.
//! 3. *Programs without such accesses pay nothing*: there are no cuts, which is one look at a length.
//!
//! **What an access in parts is.** The thread asks for one part after the other, from the lowest address up, each
//! a power of two long and aligned, and goes on with what they are together when the last one is answered; until
//! then it has done nothing else. Loads and stores of the program are one step nevertheless, and say so by their
//! [`Role`]; what makes them one step in a graph is the business of `explore` and of the models. Plain ones
//! are only if racing accesses have a meaning ([`crate::Config::races_have_meaning`]): elsewhere nobody who does not
//! race with them can tell. Copies of memory by the runtime (structures that are assigned, `memcpy`) are no one
//! step in C either; their parts are accesses of their own.
//!
//! **Read-modify-writes** are parts that read and then parts that write, with full fences before and after
//! the latter, all one step. That is exact where a step is one point of a global order, and only there
//! ([`crate::Config::one_order`]); elsewhere they are not made in parts, and accesses to parts of
//! their bytes remain what Norn cannot run. So do those of locks and the like.

use crate::Vm;
use crate::access::{Modify, Target};
use crate::thread::{Awaiting, Stop, Thread};
use norn_action::{Action, Cut, Mode, Role, Value};
use norn_program::{Instruction, Program};

/// Where accesses are made in parts: program counters, and one bit for each remainder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts(Vec<(u32, u16)>);

impl Cuts {
    pub(crate) fn new(cuts: impl Iterator<Item = Cut>) -> Cuts {
        let mut list: Vec<(u32, u16)> = Vec::new();
        let mut cuts: Vec<Cut> = cuts.collect();
        cuts.sort_unstable();
        for cut in cuts {
            let bit = 1 << (cut.at % 16);
            match list.last_mut() {
                Some((pc, bits)) if *pc == cut.place.0 => *bits |= bit,
                _ => list.push((cut.place.0, bit)),
            }
        }
        Cuts(list)
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn at(&self, pc: u32) -> u16 {
        self.0.binary_search_by_key(&pc, |&(pc, _)| pc).map_or(0, |index| self.0[index].1)
    }

    pub(crate) fn has(&self, cut: Cut) -> bool {
        self.at(cut.place.0) >> (cut.at % 16) & 1 == 1
    }

    /// Whether accesses in parts may have to be one step.
    pub(crate) fn make_groups(&self, program: &Program, races_have_meaning: bool) -> bool {
        let is_copy = |instruction: &Instruction| {
            let mode = match instruction {
                Instruction::CopyMemory { .. } | Instruction::SetMemory { .. } => return true,
                Instruction::Load { mode, .. } | Instruction::Store { mode, .. } => *mode,
                _ => return false,
            };
            !mode.is_atomic() && !races_have_meaning
        };
        let code = |pc: u32| program.code.get(pc as usize);
        !self.0.iter().all(|&(pc, _)| code(pc).is_some_and(is_copy))
    }
}

/// The length of the part that begins at `address`, where `left` bytes are left: the largest power of two that it
/// is aligned to, without a cut within.
fn part(address: u64, left: u8, cuts: u16) -> u8 {
    let fits = |size: u8| {
        let within = (1..size).any(|i| cuts >> ((address + u64::from(i)) % 16) & 1 == 1);
        size <= left && address.is_multiple_of(size.into()) && !within
    };
    [16, 8, 4, 2].into_iter().find(|&size| fits(size)).unwrap_or(1)
}

/// An access that is being made in parts.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    target: Target,
    cuts: u16,
    work: Work,
    /// What the whole is an answer to.
    pub awaiting: Awaiting,
    /// How many bytes are done, and how many the part that is asked for has.
    done: u8,
    size: u8,
    /// What was read so far, or is to be written.
    value: u128,
    undefined: u16,
    /// Whether all parts are one step.
    grouped: bool,
}

#[derive(Clone, Debug)]
enum Work {
    Load,
    Store,
    /// Reads; then perhaps modifies.
    ReadToModify(Modify),
    /// Before and after the parts that write what a read-modify-write makes of the value, and undefined bytes,
    /// that it has read.
    FenceBefore(u128, u16),
    Write(u128, u16),
    FenceAfter(u128, u16),
}

impl Vm {
    /// The cuts that the access under way is to be made in parts at; none if it is made in one piece.
    #[cold]
    #[inline(never)]
    fn cuts_of(&self, t: &Thread, target: &Target) -> Option<u16> {
        if target.role != Role::Data {
            return None;
        }
        let cuts = self.cuts.at(t.place().0);
        (part(target.address, target.size, cuts) < target.size
            && (1..target.size)
                .any(|i| cuts >> (target.address.wrapping_add(i.into()) % 16) & 1 == 1))
        .then_some(cuts)
    }

    /// Begins a load in parts, if it is to be made so.
    #[cold]
    pub(crate) fn load_in_parts(
        &self,
        t: &mut Thread,
        target: Target,
        awaiting: Awaiting,
    ) -> Option<Stop> {
        let cuts = self.cuts_of(t, &target)?;
        Some(self.begin(t, target, cuts, Work::Load, awaiting, (0, 0)))
    }

    /// Likewise a store of a value, some bytes of which were never written.
    #[cold]
    pub(crate) fn store_in_parts(
        &self,
        t: &mut Thread,
        target: Target,
        value: (u128, u16),
    ) -> Option<Stop> {
        let cuts = self.cuts_of(t, &target)?;
        Some(self.begin(t, target, cuts, Work::Store, Awaiting::Answer, value))
    }

    /// Likewise a read-modify-write.
    #[cold]
    pub(crate) fn modify_in_parts(&self, t: &mut Thread, modify: &Modify) -> Option<Stop> {
        if !self.config.one_order || modify.wait.is_some() {
            return None;
        }
        let cuts = self.cuts_of(t, &modify.target)?;
        let work = Work::ReadToModify(*modify);
        Some(self.begin(t, modify.target, cuts, work, Awaiting::Rmw, (0, 0)))
    }

    fn begin(
        &self,
        t: &mut Thread,
        target: Target,
        cuts: u16,
        work: Work,
        awaiting: Awaiting,
        (value, undefined): (u128, u16),
    ) -> Stop {
        let native = t.frames.last().is_some_and(|frame| frame.native);
        let grouped = target.mode.is_atomic() || self.config.races_have_meaning && !native;
        let (done, size) = (0, 0);
        let parts = Parts { target, cuts, work, awaiting, done, size, value, undefined, grouped };
        t.parts = Some(Box::new(parts));
        self.ask_part(t)
    }

    /// Asks for the next part.
    fn ask_part(&self, t: &mut Thread) -> Stop {
        let place = t.place();
        let parts = t.parts.as_mut().expect("an access is being made in parts");
        let Target { address, size, mode, .. } = parts.target;
        let address = address + u64::from(parts.done);
        parts.size = part(address, size - parts.done, parts.cuts);
        let role = match (parts.grouped, parts.done, &parts.work) {
            (false, ..) => Role::Data,
            (true, 0, Work::Load | Work::Store | Work::ReadToModify(_)) => Role::FirstPart,
            (true, ..) => Role::Part,
        };
        let is_rmw = !matches!(parts.work, Work::Load | Work::Store);
        let mode = if is_rmw { Mode::Relaxed } else { mode };
        let part = Target { address, size: parts.size, mode, role };
        let mut access = part.access(place);
        let action = match parts.work {
            Work::Load | Work::ReadToModify(_) => {
                t.count_read();
                Action::Load(access, None)
            }
            Work::Store | Work::Write(..) => {
                access.undefined =
                    (parts.undefined >> parts.done) as u8 & ((1u16 << parts.size.min(8)) - 1) as u8;
                let value = Value(parts.value >> (8 * u32::from(parts.done)));
                Action::Store(access, value.truncate(part.size))
            }
            Work::FenceBefore(..) | Work::FenceAfter(..) => Action::Fence(Mode::SeqCst, place),
        };
        let stop = t.ask(action);
        t.awaiting = Awaiting::Part;
        stop
    }

    /// Takes the answer to a part; asks for the next one, or completes the whole.
    #[cold]
    pub(crate) fn answer_part(
        &self,
        t: &mut Thread,
        answer: Value,
        undefined: u8,
    ) -> Result<(), Stop> {
        let mut parts = t.parts.take().expect("an access is being made in parts");
        match parts.work {
            Work::Load | Work::ReadToModify(_) => {
                let value = answer.truncate(parts.size).0;
                parts.value |= value << (8 * u32::from(parts.done));
                parts.undefined |= u16::from(undefined) << parts.done;
                parts.done += parts.size;
            }
            Work::Store | Work::Write(..) => parts.done += parts.size,
            Work::FenceBefore(..) | Work::FenceAfter(..) => {}
        }
        let is_fence = matches!(parts.work, Work::FenceBefore(..) | Work::FenceAfter(..));
        if parts.done < parts.target.size && !is_fence || parts.goes_on() {
            t.parts = Some(parts);
            return Err(self.ask_part(t));
        }
        let (value, undefined) = match parts.work {
            Work::FenceAfter(value, undefined) => (value, undefined),
            _ => (parts.value, parts.undefined),
        };
        t.awaiting = parts.awaiting;
        if undefined != 0 && !matches!(parts.work, Work::Store) {
            return self.answer_partly(t, Value(value), undefined, parts.target.address);
        }
        self.answer(t, Value(value))
    }
}

impl Parts {
    /// After the last part of something: whether there is something else to be done, which comes next.
    fn goes_on(&mut self) -> bool {
        let (value, undefined) = (self.value, self.undefined);
        let size = self.target.size;
        self.work = match self.work {
            Work::Load | Work::Store | Work::FenceAfter(..) => return false,
            Work::ReadToModify(Modify { op, operand, test, .. }) => {
                if test.is_some_and(|test| !test.holds(Value(value), size)) {
                    return false;
                }
                (self.value, self.undefined) = (op.apply(Value(value), Value(operand), size).0, 0);
                Work::FenceBefore(value, undefined)
            }
            Work::FenceBefore(value, undefined) => {
                self.done = 0;
                Work::Write(value, undefined)
            }
            Work::Write(value, undefined) => Work::FenceAfter(value, undefined),
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn_action::Place;

    fn parts(address: u64, size: u8, cuts: u16) -> Vec<u8> {
        let (mut done, mut sizes) = (0, Vec::new());
        while done < size {
            let part = part(address + u64::from(done), size - done, cuts);
            sizes.push(part);
            done += part;
        }
        sizes
    }

    #[test]
    fn parts_are_aligned_and_have_no_cut_within() {
        assert_eq!(parts(0x100, 8, 1 << 4), [4, 4]);
        assert_eq!(parts(0x108, 8, 1 << 12), [4, 4]);
        assert_eq!(parts(0x100, 8, 1 << 12), [8]);
        assert_eq!(parts(0x100, 4, 1 << 1), [1, 1, 2]);
        assert_eq!(parts(0x101, 4, 1 << 2), [1, 2, 1]);
        assert_eq!(parts(0x100, 16, 1 << 8), [8, 8]);
    }

    /// Whatever is accessed and wherever it is cut: if both are cut at the boundaries of the other, and at those
    /// of the parts, no two parts overlap unless they are the same.
    #[test]
    fn overlapping_accesses_end_in_the_same_parts() {
        for (a, b) in (0..16u64).flat_map(|a| (0..16).map(move |b| (a, b))) {
            for (s, r) in [1u8, 2, 4, 8].into_iter().flat_map(|s| [1, 2, 4, 8].map(|r| (s, r))) {
                let (mut one, mut other) = (0u16, 0u16);
                let mut rounds = 0;
                while let Some((x, y)) = conflict((a, s, one), (b, r, other)) {
                    one |= y;
                    other |= x;
                    rounds += 1;
                    assert!(rounds <= 32, "{a} {s} {b} {r}");
                }
            }
        }
    }

    /// The cuts that a pair of different parts that overlap asks for: those of the first, of the second.
    fn conflict(one: (u64, u8, u16), other: (u64, u8, u16)) -> Option<(u16, u16)> {
        let ranges = |(start, size, cuts): (u64, u8, u16)| {
            let whole = (1..size).all(|i| cuts >> ((start + u64::from(i)) % 16) & 1 == 0);
            let sizes = if whole { vec![size] } else { parts(start, size, cuts) };
            let mut at = start;
            sizes.into_iter().map(move |size| {
                at += u64::from(size);
                (at - u64::from(size), at)
            })
        };
        let bits = |(from, to): (u64, u64)| 1u16 << (from % 16) | 1 << (to % 16);
        for x in ranges(one) {
            for y in ranges(other) {
                if x != y && x.0 < y.1 && y.0 < x.1 {
                    return Some((bits(x), bits(y)));
                }
            }
        }
        None
    }

    #[test]
    fn cuts_are_of_an_instruction() {
        let cut = |place, at| Cut { place: Place(place), at };
        let cuts = Cuts::new([cut(7, 4), cut(3, 8), cut(7, 12)].into_iter());
        assert_eq!((cuts.at(7), cuts.at(3), cuts.at(5)), (1 << 4 | 1 << 12, 1 << 8, 0));
        assert!(cuts.has(cut(7, 12)) && !cuts.has(cut(3, 12)));
    }
}
