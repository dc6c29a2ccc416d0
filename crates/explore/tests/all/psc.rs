//! Many unordered writes around `seq_cst` events, under rc11: which order they have matters to `psc`, and
//! there are far too many orders to try.

use crate::support::differential::Collect;
use crate::support::{explore, explore_rf};
use norn_litmus::LitmusMachine;
use norn_models::ModelName;
use norn_oracle::Graph;
use std::collections::BTreeSet;

fn store(location: &str, value: u32, mode: &str) -> String {
    format!("atomic_store_explicit({location}, {value}, memory_order_{mode});")
}

fn load(location: &str, mode: &str) -> String {
    format!("int r0 = atomic_load_explicit({location}, memory_order_{mode});")
}

/// Store buffering between the last two of the threads, with `between` the store and the load, while the
/// others store to both locations.
fn store_buffering(writers: usize, writer: [&str; 2], mode: &str, between: &str) -> LitmusMachine {
    let both = format!("{} {}", store("x", 1, writer[0]), store("y", 1, writer[1]));
    let mut threads = vec![both; writers];
    for (stored, loaded) in [("x", "y"), ("y", "x")] {
        threads.push(format!("{} {between} {}", store(stored, 2, mode), load(loaded, mode)));
    }
    let mut text = "C psc\n\n{ [x] = 0; [y] = 0; }\n\n".to_owned();
    for (index, body) in threads.iter().enumerate() {
        text += &format!("P{index} (atomic_int* x, atomic_int* y) {{ {body} }}\n\n");
    }
    text += "exists (x=0)\n";
    LitmusMachine::new(norn_litmus::read(&text).expect("a litmus test"))
}

fn families(writers: usize) -> [LitmusMachine; 2] {
    let fence = "atomic_thread_fence(memory_order_seq_cst);";
    [
        store_buffering(writers, ["relaxed", "relaxed"], "relaxed", fence),
        store_buffering(writers, ["seq_cst", "relaxed"], "seq_cst", ""),
    ]
}

/// Each of the two loads reads one of the others or nothing, but not both nothing.
#[test]
fn the_order_of_many_writes_is_found_without_trying_them_all() {
    for writers in [2, 8, 12] {
        for machine in families(writers) {
            let found = explore_rf(&machine, ModelName::Rc11, &mut ());
            assert_eq!(found.executions, (writers as u64 + 2).pow(2) - 1);
            assert_eq!((found.blocked, found.figures.stale), (0, 0));
        }
    }
}

#[test]
fn they_are_those_of_the_execution_graphs() {
    for machine in families(2) {
        let (mut graphs, mut relations) = (Collect::new(&machine), Collect::new(&machine));
        explore(&machine, ModelName::Rc11, &mut graphs);
        explore_rf(&machine, ModelName::Rc11, &mut relations);
        let without_co = |collect: Collect<'_>| -> BTreeSet<Graph> {
            collect.complete.iter().map(Graph::without_co).collect()
        };
        assert_eq!(without_co(relations), without_co(graphs));
    }
}
