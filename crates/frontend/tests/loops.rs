//! Where the lowering marks loops, the bytecode has loops, and nowhere else.

mod support;

use norn_frontend::{Options, load};
use norn_machine::runtime_functions;
use norn_program::flow::{Blocks, Dominators, Graph, LoopForest, Node};
use norn_program::{FunctionId, Instruction, Program};

/// Checks the marks of one function. Blocks that nothing leads to are left out: the lowering writes some
/// behind what it cannot express.
fn check(program: &Program, function: FunctionId) {
    let blocks = Blocks::new(program, function);
    let graph = blocks.graph();
    let forest = LoopForest::new(graph, &Dominators::new(graph));
    let is_marked = |node: &Node| {
        let first = program.code[blocks.range(*node).start as usize];
        matches!(first, Instruction::LoopHeader { .. })
    };
    // Without the marked blocks no cycle is left, wherever one starts.
    let unmarked: Vec<Node> = graph.order().iter().copied().filter(|n| !is_marked(n)).collect();
    let anywhere = Node(graph.count() as u32);
    let mut edges: Vec<_> = unmarked.iter().map(|&node| (anywhere, node)).collect();
    for &from in &unmarked {
        let next = graph.successors(from).iter().filter(|node| !is_marked(node));
        edges.extend(next.map(|&to| (from, to)));
    }
    let rest = Graph::new(graph.count() + 1, anywhere, &edges);
    assert!(!unmarked.iter().any(|&node| rest.is_head(node)));
    // Which blocks of a cycle with several entries are marked depends on the order of a search.
    if forest.irregular.is_empty() {
        let marked = graph.order().iter().copied().filter(is_marked);
        assert!(marked.eq(forest.loops.iter().map(|found| found.header)));
    }
}

#[test]
fn headers_are_marked_where_loops_are() {
    let names = ["loops", "goto", "nested_switch_loop", "duff", "early_exits", "computed_goto"];
    for name in names {
        let file = support::directory("run").join(format!("{name}.c"));
        for level in ["-O0", "-O2"] {
            let flags = ["-w".to_owned(), level.to_owned()];
            let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
            let options = Options { clang: None, flags: &flags, provided };
            let program = load(std::slice::from_ref(&file), &options).expect("loadable").program;
            for id in (0..program.functions.len() as u32).map(FunctionId) {
                check(&program, id);
            }
        }
    }
}
