use super::*;
use crate::{EventId, GraphBuilder, executions};
use norn_action::Mode;
use norn_litmus::{LocationId, read};

const X: LocationId = LocationId(0);
const Y: LocationId = LocationId(1);

fn id(thread: u32, index: u32) -> EventId {
    EventId { thread, index }
}

/// The models that allow a graph.
fn allowed(graph: &Graph) -> Vec<&'static str> {
    let models = Model::ALL.into_iter().filter(|&model| is_consistent(model, graph));
    models.map(Model::name).collect()
}

/// Both threads write, then read the other's location too early to see its write.
fn store_buffering(store: Mode, fence: Option<Mode>, load: Mode) -> Graph {
    let mut graph = GraphBuilder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        let write = graph.write(thread, mine, 1, store);
        graph.coherence(mine, [write]);
        fence.into_iter().for_each(|mode| _ = graph.fence(thread, mode));
        graph.read(thread, other, 0, load, None);
    }
    graph.build()
}

#[test]
fn store_buffering_needs_seq_cst() {
    let relaxed = store_buffering(Mode::Relaxed, None, Mode::Relaxed);
    assert_eq!(allowed(&relaxed), ["tso", "pso", "ra", "rc11", "c20"]);
    let accesses = store_buffering(Mode::SeqCst, None, Mode::SeqCst);
    assert_eq!(allowed(&accesses), ["ra"]);
    let fences = store_buffering(Mode::Relaxed, Some(Mode::SeqCst), Mode::Relaxed);
    assert_eq!(allowed(&fences), ["ra"]);
    let weak_fences = store_buffering(Mode::Relaxed, Some(Mode::AcqRel), Mode::Relaxed);
    assert_eq!(allowed(&weak_fences), ["tso", "pso", "ra", "rc11", "c20"]);
}

/// The flag is seen, the data is not.
fn message_passing(data: Mode, store: Mode, load: Mode) -> Graph {
    let mut graph = GraphBuilder::new(2, 2);
    let write = graph.write(0, X, 1, data);
    graph.coherence(X, [write]);
    let flag = graph.write(0, Y, 1, store);
    graph.coherence(Y, [flag]);
    graph.read(1, Y, 1, load, Some(flag));
    graph.read(1, X, 0, data, None);
    graph.build()
}

#[test]
fn message_passing_needs_release_and_acquire() {
    let rlx = Mode::Relaxed;
    assert_eq!(allowed(&message_passing(rlx, rlx, rlx)), ["pso", "rc11", "c20"]);
    assert_eq!(allowed(&message_passing(rlx, Mode::Release, rlx)), ["rc11", "c20"]);
    assert_eq!(allowed(&message_passing(rlx, rlx, Mode::Acquire)), ["pso", "rc11", "c20"]);
    assert!(allowed(&message_passing(rlx, Mode::Release, Mode::Acquire)).is_empty());
}

#[test]
fn load_buffering_is_forbidden_by_all() {
    let mut graph = GraphBuilder::new(2, 2);
    for (thread, from, to) in [(0, X, Y), (1, Y, X)] {
        graph.read(thread, from, 1, Mode::Relaxed, Some(id(1 - thread as u32, 1)));
        let write = graph.write(thread, to, 1, Mode::Relaxed);
        graph.coherence(to, [write]);
    }
    assert!(allowed(&graph.build()).is_empty());
}

#[test]
fn a_write_between_the_halves_of_an_rmw_is_forbidden_by_all() {
    let graph = |order: [EventId; 2]| {
        let mut graph = GraphBuilder::new(2, 1);
        graph.read(0, X, 0, Mode::Relaxed, None);
        graph.exclusive_write(0, X, 1, Mode::Relaxed);
        graph.write(1, X, 5, Mode::Relaxed);
        graph.coherence(X, order);
        graph.build()
    };
    assert!(allowed(&graph([id(1, 0), id(0, 1)])).is_empty());
    assert_eq!(allowed(&graph([id(0, 1), id(1, 0)])).len(), 6);
}

/// Whether some execution races, per model.
fn races(text: &str) -> (bool, bool) {
    let program = read(text).unwrap();
    let racy = |model| executions(&program, model).complete.iter().any(|e| e.racy);
    assert!(!racy(Model::Sc) && !racy(Model::Tso) && !racy(Model::Pso));
    assert_eq!(racy(Model::Rc11), racy(Model::C20), "no store continues a release sequence");
    (racy(Model::Ra), racy(Model::Rc11))
}

#[test]
fn a_relaxed_flag_orders_plain_accesses_under_ra_only() {
    let text = |order| {
        format!(
            "C t\n{{ }}\nP0 (int* d, atomic_int* f) {{ *d = 1; atomic_store_explicit(f, 1, {order}release); }}\n\
             P1 (int* d, atomic_int* f) {{ if (atomic_load_explicit(f, {order}acquire)) {{ int r0 = *d; }} }}\n"
        )
    };
    let synchronised = text("memory_order_");
    assert_eq!(races(&synchronised), (false, false));
    let relaxed = synchronised.replace("acquire", "relaxed").replace("release", "relaxed");
    assert_eq!(races(&relaxed), (false, true));
    let unordered = "C t\n{ }\nP0 (int* d) { *d = 1; }\nP1 (int* d) { int r0 = *d; }\n";
    assert_eq!(races(unordered), (true, true));
    let one_plain = "C t\n{ }\nP0 (int* d) { *d = 1; }\nP1 (int* d) { atomic_store(d, 2); }\n";
    assert_eq!(races(one_plain), (true, true));
}
