//! What is known of a function before it is lowered: where values are used, which allocas become
//! registers, in which order blocks are written and which of them head loops.
//!
//! Headers come from the blocks of IR, not from the bytecode: they fall off the search that orders the
//! blocks, and they must be written with the rest. Where the graph is irreducible, a search of the bytecode
//! may choose others.

use super::cells;
use super::scopes::{Marker, Scopes};
use norn_llvm::{Block, BlockId, Body, Instruction, LocalId, Module, Op, Operand, TypeId};
use norn_program::flow::{Graph, Node};
use rustc_hash::FxHashSet;

/// Where a value is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// How often.
    pub count: u32,
    /// Whether all uses stand in the block of the definition, none of them in a phi.
    pub local: bool,
    /// Position of the last use in that block; `u32::MAX` if not local.
    pub last: u32,
}

/// An alloca that becomes registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    /// The alloca.
    pub alloca: LocalId,
    /// Type of its content.
    pub ty: TypeId,
    /// Whether some load may come before any store.
    pub checked: bool,
}

/// The result of the analysis.
pub(super) struct Analysis {
    pub uses: Vec<Uses>,
    pub variables: Vec<Variable>,
    /// Per local: the variable that it is the address of.
    pub variable_of: Vec<Option<u32>>,
    /// Where the scopes of locals begin and end.
    pub scopes: Scopes,
    /// Loads (block, position) of variables that may not have been stored to.
    pub unsure_loads: FxHashSet<(u32, u32)>,
    /// Reachable blocks, each after its dominators.
    pub order: Vec<BlockId>,
    /// Per block: whether an edge leads back to it.
    pub is_header: Vec<bool>,
    /// Per block: the headers of the loops whose iterations start at it.
    pub starts: Vec<Vec<BlockId>>,
}

pub(super) fn analyse(module: &Module, body: &Body, params: usize) -> Analysis {
    let graph = graph(body);
    let order: Vec<BlockId> = graph.order().iter().map(|node| BlockId(node.0)).collect();
    let uses = uses(body, &order, params);
    let scopes = Scopes::new(module, body);
    let mut analysis = Analysis {
        uses,
        variables: Vec::new(),
        variable_of: vec![None; body.locals.len()],
        unsure_loads: FxHashSet::default(),
        starts: Effects::new(module, body, &order, &scopes).iteration_starts(&graph),
        scopes,
        order,
        is_header: body
            .blocks
            .iter()
            .enumerate()
            .map(|(i, _)| graph.is_head(Node(i as u32)))
            .collect(),
    };
    promote(module, body, &mut analysis);
    initialisation(module, body, &mut analysis);
    analysis
}

/// How control passes between the blocks.
fn graph(body: &Body) -> Graph {
    let mut edges = Vec::new();
    for (from, block) in body.blocks.iter().enumerate() {
        let next = successors(block).into_iter();
        edges.extend(next.map(|next| (Node(from as u32), node(next))));
    }
    Graph::new(body.blocks.len(), node(body.order[0]), &edges)
}

fn node(block: BlockId) -> Node {
    Node(block.0)
}

/// What is needed to tell whether code does more than compute.
struct Effects<'a> {
    module: &'a Module,
    body: &'a Body,
    scopes: &'a Scopes,
    /// Local variables.
    temporaries: FxHashSet<LocalId>,
}

impl<'a> Effects<'a> {
    fn new(module: &'a Module, body: &'a Body, order: &[BlockId], scopes: &'a Scopes) -> Self {
        let instructions = order.iter().flat_map(|&block| &body.block(block).instructions);
        let temporaries = instructions
            .filter(|i| matches!(i.op, Op::Alloca { .. }))
            .filter_map(|i| i.result)
            .collect();
        Effects { module, body, scopes, temporaries }
    }

    /// Where the iterations of loops start that can be left at their top: at the first block after the
    /// tests that such a loop begins with. Loops of another form are not listed.
    fn iteration_starts(&self, graph: &Graph) -> Vec<Vec<BlockId>> {
        let mut starts = vec![Vec::new(); graph.count()];
        for &header in graph.order().iter().filter(|node| graph.is_head(**node)) {
            let inside = graph.cycle(header, graph.latches(header));
            let mut block = header;
            while let Some(test) = self.leaving_block(graph, block, header, &inside) {
                let next = graph.successors(test).iter().copied();
                let mut stays = next.filter(|next| inside[next.index()]);
                let (Some(only), None) = (stays.next(), stays.next()) else { break };
                if graph.predecessors(only).len() != 1 || graph.is_head(only) {
                    break;
                }
                block = only;
            }
            if block != header {
                starts[block.index()].push(BlockId(header.0));
            }
        }
        starts
    }

    /// Whether an operation does more than compute: it may write memory other than a local variable.
    fn has_effect(&self, op: &Op) -> bool {
        match op {
            Op::Store { pointer: Operand::Local(id), .. } => !self.temporaries.contains(id),
            Op::Call(call) => self.scopes.marker(self.module, call).is_none(),
            Op::Store { .. }
            | Op::Fence(_)
            | Op::CmpXchg(_)
            | Op::AtomicRmw(_)
            | Op::Invoke { .. }
            | Op::VaArg { .. } => true,
            _ => false,
        }
    }

    /// The block at which the loop can be left before anything but tests happens: the one that all ways
    /// from `block` lead to through blocks without effects, itself without effects.
    fn leaving_block(
        &self,
        graph: &Graph,
        block: Node,
        header: Node,
        inside: &[bool],
    ) -> Option<Node> {
        let mut leaving = None;
        let mut seen = vec![block];
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            let instructions = &self.body.block(BlockId(block.0)).instructions;
            if instructions.iter().any(|i| self.has_effect(&i.op)) {
                return None;
            }
            let next = graph.successors(block);
            if next.iter().any(|next| !inside[next.index()]) {
                if leaving.is_some_and(|other| other != block) {
                    return None;
                }
                leaving = Some(block);
                continue;
            }
            for &next in next {
                if next == header {
                    return None;
                }
                if !seen.contains(&next) {
                    seen.push(next);
                    work.push(next);
                }
            }
        }
        leaving
    }
}

/// Blocks that may come next, that to which an exception leads among them.
pub(super) fn successors(block: &Block) -> Vec<BlockId> {
    let mut list = Vec::new();
    if let Some(last) = block.instructions.last() {
        last.op.for_each_successor(|next| list.push(next));
    }
    list
}

/// The comparison that is done by the branch at the end of `block`, given the number of its uses.
pub(super) fn fused_compare(block: &Block, count: impl Fn(LocalId) -> u32) -> Option<LocalId> {
    let Some(Op::CondBr { condition: Operand::Local(id), .. }) =
        block.instructions.last().map(|i| &i.op)
    else {
        return None;
    };
    let is_compare = |i: &Instruction| i.result == Some(*id) && matches!(i.op, Op::Icmp { .. });
    (count(*id) == 1 && block.instructions.iter().any(is_compare)).then_some(*id)
}

fn uses(body: &Body, order: &[BlockId], params: usize) -> Vec<Uses> {
    let mut uses = vec![Uses { count: 0, local: true, last: 0 }; body.locals.len()];
    let mut home = vec![u32::MAX; body.locals.len()];
    for &id in order {
        for instruction in &body.block(id).instructions {
            if let Some(result) = instruction.result {
                home[result.0 as usize] = id.0;
            }
            instruction.op.for_each_operand(|operand| {
                if let Operand::Local(local) = operand {
                    uses[local.0 as usize].count += 1;
                }
            });
        }
    }
    for &id in order {
        let block = body.block(id);
        let fused = fused_compare(block, |local| uses[local.0 as usize].count);
        for (position, instruction) in block.instructions.iter().enumerate() {
            let is_fused = fused.is_some() && instruction.result == fused;
            let position = if is_fused { block.instructions.len() - 1 } else { position } as u32;
            let is_phi = matches!(instruction.op, Op::Phi { .. });
            instruction.op.for_each_operand(|operand| {
                let Operand::Local(local) = operand else { return };
                let entry = &mut uses[local.0 as usize];
                if is_phi || home[local.0 as usize] != id.0 || (local.0 as usize) < params {
                    entry.local = false;
                }
                entry.last = entry.last.max(position);
            });
        }
    }
    for entry in uses.iter_mut().filter(|entry| !entry.local) {
        entry.last = u32::MAX;
    }
    uses
}

/// Finds the allocas of the entry block that are only loaded from and stored to as a whole, as what they
/// are or as something that lies in a cell in the same way: an atomic pointer is loaded as an integer, put
/// into a temporary, and taken out of it as a pointer. Older compilers cast the address for that.
fn promote(module: &Module, body: &Body, analysis: &mut Analysis) {
    let entry = body.block(body.order[0]);
    for instruction in &entry.instructions {
        if let (Op::Alloca { ty, count: None, .. }, Some(alloca)) =
            (&instruction.op, instruction.result)
            && cells::scalar(module, *ty).is_some()
        {
            analysis.variable_of[alloca.0 as usize] = Some(analysis.variables.len() as u32);
            analysis.variables.push(Variable { alloca, ty: *ty, checked: false });
        }
    }
    let Analysis { scopes, variables, variable_of, .. } = analysis;
    for (cast, alloca) in scopes.casts() {
        variable_of[cast.0 as usize] = variable_of[alloca.0 as usize];
    }
    let mut refused = vec![false; variables.len()];
    let scalar = |ty: TypeId| cells::scalar(module, ty);
    for block in &body.blocks {
        for instruction in &block.instructions {
            let mut refuse = |operand: Operand, ty: Option<TypeId>| {
                let Operand::Local(local) = operand else { return };
                let Some(v) = variable_of[local.0 as usize] else { return };
                let own = scalar(variables[v as usize].ty);
                let fits = own.zip(ty.and_then(scalar)).is_some_and(|(a, b)| a.lies_like(b));
                refused[v as usize] |= !fits;
            };
            match &instruction.op {
                Op::Load { ty, pointer, access } => {
                    let plain = !access.volatile && access.ordering.is_none();
                    refuse(*pointer, plain.then_some(*ty));
                }
                Op::Store { value, pointer, access } => {
                    let plain = !access.volatile && access.ordering.is_none();
                    refuse(*value, None);
                    refuse(*pointer, plain.then(|| module.operand_type(body, *value)));
                }
                op if scopes.is_mark(module, op, instruction.result) => {}
                _ if instruction.result.is_some_and(|result| scopes.is_cast(result)) => {}
                op => op.for_each_operand(|operand| refuse(operand, None)),
            }
        }
    }
    renumber(analysis, &refused);
}

/// Drops the variables that were refused.
fn renumber(analysis: &mut Analysis, refused: &[bool]) {
    let mut names = Vec::with_capacity(refused.len());
    let mut kept = 0;
    for &refused in refused {
        names.push((!refused).then_some(kept));
        kept += u32::from(!refused);
    }
    for slot in &mut analysis.variable_of {
        *slot = slot.and_then(|v| names[v as usize]);
    }
    let mut refused = refused.iter();
    analysis.variables.retain(|_| refused.next() == Some(&false));
}

/// Finds the loads that a path without a store leads to: a forward analysis of the variables that
/// are stored to on every path.
fn initialisation(module: &Module, body: &Body, analysis: &mut Analysis) {
    let words = analysis.variables.len().div_ceil(64);
    if words == 0 {
        return;
    }
    let mut stored_at_start = vec![vec![u64::MAX; words]; body.blocks.len()];
    stored_at_start[body.order[0].0 as usize] = vec![0; words];
    let mut changed = true;
    while changed {
        changed = false;
        for &id in &analysis.order {
            let mut stored = stored_at_start[id.0 as usize].clone();
            for instruction in &body.block(id).instructions {
                analysis.note_store(module, &instruction.op, &mut stored);
            }
            for next in successors(body.block(id)) {
                for (word, &out) in stored_at_start[next.0 as usize].iter_mut().zip(&stored) {
                    changed |= *word & out != *word;
                    *word &= out;
                }
            }
        }
    }
    for &id in &analysis.order {
        let stored = &mut stored_at_start[id.0 as usize];
        for (position, instruction) in body.block(id).instructions.iter().enumerate() {
            analysis.note_store(module, &instruction.op, stored);
            if let Op::Load { pointer: Operand::Local(local), .. } = instruction.op
                && let Some(v) = analysis.variable_of[local.0 as usize]
                && stored[v as usize / 64] >> (v % 64) & 1 == 0
            {
                analysis.unsure_loads.insert((id.0, position as u32));
                analysis.variables[v as usize].checked = true;
            }
        }
    }
}

impl Analysis {
    /// Notes in a set of variables that an instruction stores to one, or begins its scope.
    fn note_store(&self, module: &Module, op: &Op, stored: &mut [u64]) {
        if let Some(v) = stored_variable(op, &self.variable_of) {
            stored[v as usize / 64] |= 1 << (v % 64);
        }
        if let Some(Marker::Start(alloca)) = self.scopes.marker_of(module, op)
            && let Some(v) = self.variable_of[alloca.0 as usize]
        {
            stored[v as usize / 64] &= !(1 << (v % 64));
        }
    }
}

/// The variable that an instruction stores to.
pub(super) fn stored_variable(op: &Op, variable_of: &[Option<u32>]) -> Option<u32> {
    match op {
        Op::Store { pointer: Operand::Local(local), .. } => variable_of[local.0 as usize],
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysis_of(text: &str) -> Analysis {
        let module = norn_llvm::read(text).unwrap();
        let function = module.functions.iter().find(|f| f.body.is_some()).unwrap();
        analyse(&module, function.body.as_ref().unwrap(), function.params.len())
    }

    #[test]
    fn only_whole_plain_accesses_allow_promotion() {
        let analysis = analysis_of(
            "declare void @g(ptr)\ndefine void @f() {\n  %a = alloca i32\n  %b = alloca i32\n\
             %c = alloca i32\n  %d = alloca i64\n  %e = alloca ptr\n  store i32 1, ptr %a\n\
             %1 = load i32, ptr %a\n  call void @g(ptr %b)\n  store volatile i32 1, ptr %c\n\
             store i32 1, ptr %d\n  store ptr %c, ptr %e\n  ret void\n}\n",
        );
        let names: Vec<_> = analysis.variables.iter().map(|v| v.alloca.0).collect();
        assert_eq!(names, [0, 4]);
        assert!(analysis.unsure_loads.is_empty());
    }

    #[test]
    fn what_lies_in_a_cell_in_the_same_way_is_the_same_variable() {
        let analysis = analysis_of(
            "define void @f() {\n  %a = alloca ptr\n  %b = alloca i64\n  %c = alloca i32\n\
             store i64 1, ptr %a\n  %1 = load ptr, ptr %a\n  %2 = bitcast ptr %b to ptr\n\
             store ptr %1, ptr %2\n  %3 = load double, ptr %2\n  %4 = bitcast ptr %c to ptr\n\
             store i64 1, ptr %4\n  ret void\n}\n",
        );
        let names: Vec<_> = analysis.variables.iter().map(|v| v.alloca.0).collect();
        assert_eq!(names, [0, 1]);
        assert_eq!(analysis.variable_of.iter().flatten().count(), 3);
    }

    #[test]
    fn loads_that_no_store_dominates_are_unsure() {
        let analysis = analysis_of(
            "define i32 @f(i1 %c) {\n  %x = alloca i32\n  br i1 %c, label %a, label %b\na:\n\
             store i32 1, ptr %x\n  br label %b\nb:\n  %1 = load i32, ptr %x\n  ret i32 %1\n}\n",
        );
        assert_eq!(analysis.unsure_loads.len(), 1);
        assert!(analysis.variables[0].checked);
    }

    #[test]
    fn cycles_have_headers() {
        let analysis = analysis_of(
            "define void @f(i1 %c) {\n  br label %h\nh:\n  br i1 %c, label %b, label %x\nb:\n\
             br label %h\nx:\n  ret void\ndead:\n  br label %dead\n}\n",
        );
        assert_eq!(analysis.is_header.iter().filter(|&&h| h).count(), 1);
        assert_eq!(analysis.order.len(), 4);
    }
}
