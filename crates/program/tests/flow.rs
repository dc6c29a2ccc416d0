//! The analyses of control flow against their definitions, on random functions.

mod support;

use norn_program::flow::{Blocks, Dominators, Graph, Liveness, LoopForest, Node};
use norn_program::{Instruction, Program, ProgramBuilder, Register};
use support::{FUNCTION, REGISTERS, Random, random_function};

const COUNT: u64 = 2000;

fn for_random_functions(test: impl Fn(&Program, &Blocks)) {
    for seed in 0..COUNT {
        let program = random_function(&mut Random::new(seed));
        test(&program, &Blocks::new(&program, FUNCTION));
    }
}

fn nodes(graph: &Graph) -> impl Iterator<Item = Node> + use<> {
    (0..graph.count() as u32).map(Node)
}

/// The nodes to which ways lead from `from` that avoid one node.
fn reached(graph: &Graph, from: Node, avoided: Option<Node>) -> Vec<bool> {
    let mut seen = vec![false; graph.count()];
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if Some(node) != avoided && !std::mem::replace(&mut seen[node.index()], true) {
            work.extend(graph.successors(node));
        }
    }
    seen
}

#[test]
fn blocks_are_entered_at_their_start_and_left_at_their_end() {
    for_random_functions(|program, blocks| {
        let function = &program.functions[0];
        let graph = blocks.graph();
        let mut covered = Vec::new();
        for node in nodes(graph) {
            let range = blocks.range(node);
            covered.extend(range.clone());
            for pc in range.clone() {
                assert_eq!(blocks.at(pc), node);
                let mut next = Vec::new();
                program.for_each_successor(pc, |to| next.push(to));
                if pc + 1 < range.end {
                    assert_eq!(next, [pc + 1]);
                } else {
                    let expected: Vec<_> = next.iter().map(|&to| blocks.at(to)).collect();
                    assert_eq!(graph.successors(node), expected);
                    assert!(next.iter().all(|&to| blocks.range(blocks.at(to)).start == to));
                }
            }
        }
        assert!(covered.into_iter().eq(function.entry..function.end));
    });
}

#[test]
fn every_cycle_has_a_head() {
    for_random_functions(|_, blocks| {
        let graph = blocks.graph();
        let alive = reached(graph, graph.entry(), None);
        for node in nodes(graph) {
            assert_eq!(graph.position(node).is_some(), alive[node.index()]);
        }
        // Without edges to heads, the order is one of the graph.
        for &from in graph.order() {
            for &to in graph.successors(from) {
                assert!(graph.is_head(to) || graph.position(from) < graph.position(to));
            }
        }
    });
}

#[test]
fn dominators_cut_their_nodes_off() {
    for_random_functions(|_, blocks| {
        let graph = blocks.graph();
        let dominators = Dominators::new(graph);
        let alive = reached(graph, graph.entry(), None);
        for a in nodes(graph) {
            let without = reached(graph, graph.entry(), Some(a));
            for b in nodes(graph) {
                let both = alive[a.index()] && alive[b.index()];
                assert_eq!(dominators.dominates(a, b), both && !without[b.index()], "{a:?} {b:?}");
            }
        }
        check_nearest(graph, &dominators);
    });
}

#[test]
fn post_dominators_cut_their_nodes_off_from_the_end() {
    for_random_functions(|_, blocks| {
        let graph = blocks.graph();
        let dominators = Dominators::post(graph);
        let alive = reached(graph, graph.entry(), None);
        let ends = |from: Node, avoided: Option<Node>| {
            let seen = reached(graph, from, avoided);
            nodes(graph).any(|node| seen[node.index()] && graph.successors(node).is_empty())
        };
        let counts = |node: Node| alive[node.index()] && ends(node, None);
        for a in nodes(graph) {
            for b in nodes(graph) {
                let expected = counts(a) && counts(b) && !ends(b, Some(a));
                assert_eq!(dominators.dominates(a, b), expected, "{a:?} {b:?}");
            }
        }
        check_nearest(graph, &dominators);
    });
}

/// The immediate dominator is dominated by all others.
fn check_nearest(graph: &Graph, dominators: &Dominators) {
    for node in nodes(graph) {
        let strict = |other: &Node| *other != node && dominators.dominates(*other, node);
        let nearest = nodes(graph)
            .filter(strict)
            .find(|&near| nodes(graph).filter(strict).all(|far| dominators.dominates(far, near)));
        assert_eq!(dominators.immediate(node), nearest);
    }
}

#[test]
fn loops_are_what_leads_back_to_their_headers() {
    for_random_functions(|_, blocks| {
        let graph = blocks.graph();
        let dominators = Dominators::new(graph);
        let forest = LoopForest::new(graph, &dominators);
        for header in nodes(graph) {
            let latches: Vec<Node> = nodes(graph)
                .filter(|&from| graph.successors(from).contains(&header))
                .filter(|&from| dominators.dominates(header, from))
                .collect();
            let found = forest.loops.iter().position(|found| found.header == header);
            let Some(index) = found else {
                assert!(latches.is_empty());
                continue;
            };
            assert_eq!(forest.loops[index].latches, latches);
            for node in nodes(graph) {
                let seen = reached(graph, node, Some(header));
                let alive = graph.position(node).is_some();
                let leads = alive && latches.iter().any(|latch| seen[latch.index()]);
                let inside = node == header || leads;
                assert_eq!(forest.loops[index].body.contains(&node), inside);
                assert_eq!(forest.contains(index, node), inside);
            }
            check_nesting(graph, &forest, index);
        }
    });
}

fn check_nesting(graph: &Graph, forest: &LoopForest, index: usize) {
    let found = &forest.loops[index];
    let mut leaving = Vec::new();
    for &from in &found.body {
        let outside = graph.successors(from).iter().filter(|to| !found.body.contains(to));
        leaving.extend(outside.map(|&to| (from, to)));
    }
    leaving.sort_unstable();
    leaving.dedup();
    let mut exits = found.exits.clone();
    exits.sort_unstable();
    assert_eq!(exits, leaving);
    let around = (0..forest.loops.len())
        .filter(|&other| other != index && forest.loops[other].body.contains(&found.header))
        .min_by_key(|&other| forest.loops[other].body.len());
    assert_eq!(found.parent, around);
    assert!(found.parent.is_none_or(|parent| parent < index));
}

#[test]
fn edges_that_enter_a_cycle_in_its_middle_are_irregular() {
    let edges = [(0, 1), (0, 2), (1, 2), (2, 1)].map(|(a, b)| (Node(a), Node(b)));
    let graph = Graph::new(3, Node(0), &edges);
    let forest = LoopForest::new(&graph, &Dominators::new(&graph));
    assert!(forest.loops.is_empty());
    assert_eq!(forest.irregular.len(), 1);
}

/// Whether some way from `pc` reads a register before it surely writes it.
fn is_read_from(program: &Program, pc: u32, register: Register) -> bool {
    let mut seen = Vec::new();
    let mut work = vec![pc];
    while let Some(pc) = work.pop() {
        if seen.contains(&pc) {
            continue;
        }
        seen.push(pc);
        let mut reads = false;
        program.for_each_read(pc, |operand, _| reads |= operand.register() == Some(register));
        if reads {
            return true;
        }
        let mut writes = false;
        let instruction = program.code[pc as usize];
        instruction.for_each_cell(|_, _| {}, |dst, _| writes |= dst == register);
        if !writes || matches!(instruction, Instruction::MoveIf { .. }) {
            program.for_each_successor(pc, |next| work.push(next));
        }
    }
    false
}

#[test]
fn live_registers_are_read_on_some_way() {
    for_random_functions(|program, blocks| {
        let liveness = Liveness::new(program, FUNCTION, blocks);
        for pc in 0..program.code.len() as u32 {
            let live = liveness.live_before(program, blocks, pc);
            for register in (0..REGISTERS).map(Register) {
                let expected = is_read_from(program, pc, register);
                assert_eq!(live.contains(register), expected, "{register} at {pc}:\n{program}");
            }
        }
        let mut filled = program.clone();
        filled.set_live(FUNCTION);
        for item in &filled.loops {
            let live = liveness.live_before(program, blocks, item.header);
            assert!(live.iter().eq(item.live.iter().copied()));
        }
    });
}

/// What a call writes is not written on the way that an exception takes.
#[test]
fn a_landing_pad_is_one_more_way_on_from_a_call() {
    for pad_reads in [false, true] {
        let mut builder = ProgramBuilder::new();
        let id = builder.declare_function("f", 0, 1, false);
        let mut f = builder.define(id);
        let (result, exception) = (f.register(), f.registers(2));
        let pad = f.label();
        f.call(id, &[], 1, result);
        f.pad(pad, true, false, Vec::new());
        f.ret(1, result.into());
        f.bind(pad);
        f.emit(Instruction::Landing { dst: exception });
        f.ret(1, if pad_reads { result } else { exception }.into());
        f.finish();
        let program = builder.finish().expect("a well-formed program");
        let blocks = Blocks::new(&program, id);
        assert_eq!(blocks.graph().successors(blocks.at(0)).len(), 2);
        let live = Liveness::new(&program, id, &blocks).live_before(&program, &blocks, 0);
        assert_eq!(live.contains(result), pad_reads);
        assert!(!live.contains(exception), "the machine writes it");
    }
}
