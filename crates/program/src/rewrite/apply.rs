//! How the changes of an [`Edit`] are made: the code is written anew, function by function, with notes
//! of where everything went; then all that names program counters is brought up to date.

use super::{Block, Change, Edit, Fate};
use crate::{FunctionId, Instruction, LocationId, LoopId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Edit<'_> {
    /// Makes the changes. The program must be one that the verifier accepts; in debug builds it is asked.
    pub fn apply(self) {
        let Edit { program, changes, blocks } = self;
        if changes.is_empty() && blocks.is_empty() {
            return;
        }
        let mut appended: Appended<'_> = FxHashMap::default();
        for (index, block) in blocks.iter().enumerate() {
            appended.entry(block.function).or_default().push((index, block));
        }
        let edited: Vec<FunctionId> = in_code_order(program)
            .into_iter()
            .filter(|id| appended.contains_key(id) || has_change(program, &changes, *id))
            .collect();
        let mut writer = Writer::new(program, &changes, &blocks, appended);
        for id in in_code_order(program) {
            writer.function(program, id);
        }
        let Writer { code, locations, moved, kept, .. } = writer;
        program.code = code;
        program.locations = locations;
        for instruction in &mut program.code {
            instruction.for_each_target(|target| *target = moved[*target as usize]);
        }
        sweep_switches(program, &moved);
        sweep_loops(program);
        follow_pads(program, &moved, &kept);
        follow(&mut program.weak_exchanges, &kept, &program.code, is_exchange);
        // What was found out of code that is no more.
        program.watched.clear();
        program.unused.clear();
        program.asked.clear();
        edited.into_iter().for_each(|id| program.set_live(id));
        debug_assert_eq!(program.verify(), Ok(()));
    }
}

/// The new blocks of each function, with their numbers.
type Appended<'e> = FxHashMap<FunctionId, Vec<(usize, &'e Block)>>;

/// Writes the new code.
struct Writer<'e> {
    changes: &'e BTreeMap<u32, Change>,
    appended: Appended<'e>,
    /// Per loop, whether it keeps a header.
    loops: Vec<bool>,
    code: Vec<Instruction>,
    locations: Vec<LocationId>,
    /// What targets become: per old program counter, and then per new block.
    moved: Vec<u32>,
    /// Where an instruction or its replacement is now.
    kept: Vec<Option<u32>>,
}

impl<'e> Writer<'e> {
    fn new(
        program: &Program,
        changes: &'e BTreeMap<u32, Change>,
        blocks: &[Block],
        appended: Appended<'e>,
    ) -> Self {
        let length = program.code.len();
        Writer {
            changes,
            appended,
            loops: loops_with_headers(program, changes, blocks),
            code: Vec::with_capacity(length),
            locations: Vec::with_capacity(length),
            moved: vec![u32::MAX; length + blocks.len()],
            kept: vec![None; length],
        }
    }

    fn function(&mut self, program: &mut Program, id: FunctionId) {
        let start = self.pc();
        let (entry, end) = {
            let function = &program.functions[id.index()];
            (function.entry, function.end)
        };
        for pc in entry..end {
            self.instruction(program, pc);
        }
        for (index, block) in self.appended.remove(&id).unwrap_or_default() {
            self.moved[program.code.len() + index] = self.pc();
            self.write(&block.instructions, block.location);
        }
        let function = &mut program.functions[id.index()];
        (function.entry, function.end) = (start, self.pc());
    }

    fn instruction(&mut self, program: &Program, pc: u32) {
        let (old, location) = (program.code[pc as usize], program.locations[pc as usize]);
        self.moved[pc as usize] = self.pc();
        let change = self.changes.get(&pc);
        if let Some(change) = change {
            self.write(&change.before, location);
        }
        let instead = match change.map_or(Fate::Stays, |change| change.fate) {
            Fate::Stays => Some(old),
            Fate::Replaced(new) => Some(new),
            Fate::Deleted => None,
        };
        if let Some(instruction) = instead {
            let at = self.pc();
            self.write(&[instruction], location);
            self.kept[pc as usize] = (self.pc() > at).then_some(at);
        }
        if let Some(change) = change
            && !instead.is_some_and(|instruction| instruction.is_terminator())
        {
            self.write(&change.after, location);
        }
    }

    fn write(&mut self, instructions: &[Instruction], location: LocationId) {
        for &instruction in instructions {
            if let Instruction::LoopIteration { id } | Instruction::LoopHeader { id } = instruction
                && !self.loops[id.index()]
            {
                continue;
            }
            self.code.push(instruction);
            self.locations.push(location);
        }
    }

    fn pc(&self) -> u32 {
        self.code.len() as u32
    }
}

fn in_code_order(program: &Program) -> Vec<FunctionId> {
    let mut order: Vec<_> = (0..program.functions.len() as u32).map(FunctionId).collect();
    order.sort_by_key(|id| program.functions[id.index()].entry);
    order
}

fn has_change(program: &Program, changes: &BTreeMap<u32, Change>, id: FunctionId) -> bool {
    let function = &program.functions[id.index()];
    changes.range(function.entry..function.end).next().is_some()
}

fn loops_with_headers(
    program: &Program,
    changes: &BTreeMap<u32, Change>,
    blocks: &[Block],
) -> Vec<bool> {
    let stays = |pc: &u32| changes.get(pc).is_none_or(|change| matches!(change.fate, Fate::Stays));
    let mut found: Vec<bool> = program.loops.iter().map(|item| stays(&item.header)).collect();
    let mut note = |instruction: &Instruction| {
        if let Instruction::LoopHeader { id } = instruction {
            found[id.index()] = true;
        }
    };
    for change in changes.values() {
        change.before.iter().chain(&change.after).for_each(&mut note);
        if let Fate::Replaced(new) = &change.fate {
            note(new);
        }
    }
    blocks.iter().flat_map(|block| &block.instructions).for_each(note);
    for (index, item) in program.loops.iter().enumerate() {
        if let Some(turn) = item.turn {
            found[index] &= found[turn.of.index()] && stays(&turn.before);
        }
    }
    found
}

/// Drops the tables that no instruction names, numbers the others anew and moves their targets.
fn sweep_switches(program: &mut Program, moved: &[u32]) {
    let mut numbers = vec![None; program.switches.len()];
    let mut tables = Vec::new();
    for instruction in &mut program.code {
        let Instruction::Switch { table, .. } = instruction else { continue };
        let old = *table as usize;
        *table = *numbers[old].get_or_insert_with(|| {
            let mut switch = program.switches[old].clone();
            switch.cases.iter_mut().for_each(|case| case.1 = moved[case.1 as usize]);
            switch.default = moved[switch.default as usize];
            tables.push(switch);
            tables.len() as u32 - 1
        });
    }
    program.switches = tables;
}

/// Drops the loops that have no header, numbers the others anew and finds their headers.
fn sweep_loops(program: &mut Program) {
    let mut headers = vec![None; program.loops.len()];
    // Of turns, which have two: the one before.
    let mut others = headers.clone();
    let mut tested = vec![false; program.loops.len()];
    for (pc, instruction) in program.code.iter().enumerate() {
        match instruction {
            Instruction::LoopHeader { id } => {
                others[id.index()] = headers[id.index()].replace(pc as u32);
            }
            Instruction::LoopIteration { id } => tested[id.index()] = true,
            _ => {}
        }
    }
    let mut numbers = vec![LoopId(u32::MAX); program.loops.len()];
    let mut loops = Vec::new();
    for (index, mut item) in std::mem::take(&mut program.loops).into_iter().enumerate() {
        let Some(mut header) = headers[index] else { continue };
        numbers[index] = LoopId(loops.len() as u32);
        if let Some(turn) = &mut item.turn {
            let mut before = others[index].expect("a turn has two headers");
            if turn.before > item.header {
                std::mem::swap(&mut header, &mut before);
            }
            turn.before = before;
        }
        (item.header, item.tested) = (header, tested[index]);
        loops.push(item);
    }
    for item in &mut loops {
        if let Some(turn) = &mut item.turn {
            turn.of = numbers[turn.of.index()];
        }
    }
    program.loops = loops;
    for instruction in &mut program.code {
        if let Instruction::LoopHeader { id } | Instruction::LoopIteration { id } = instruction {
            *id = numbers[id.index()];
        }
    }
}

/// Brings a list of program counters up to date.
fn follow(
    list: &mut Vec<u32>,
    kept: &[Option<u32>],
    code: &[Instruction],
    fits: fn(&Instruction) -> bool,
) {
    let now = list.iter().filter_map(|&pc| kept[pc as usize]);
    *list = now.filter(|&pc| fits(&code[pc as usize])).collect();
}

/// Brings the landing pads up to date. That of a call that is gone is gone.
fn follow_pads(program: &mut Program, moved: &[u32], kept: &[Option<u32>]) {
    let code = &program.code;
    program.pads.retain_mut(|pad| {
        let call = kept[pad.call as usize].filter(|&pc| code[pc as usize].is_call());
        pad.target = moved[pad.target as usize];
        pad.call = call.unwrap_or(pad.call);
        call.is_some()
    });
}

fn is_exchange(instruction: &Instruction) -> bool {
    matches!(instruction, Instruction::CompareExchange { .. })
}
