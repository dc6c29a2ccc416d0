//! What the program's author calls things.

use crate::loops::LoopReport;
use norn_action::{Address, Inside, Place, SyncObject, SyncState, ThreadId, Value};
use norn_explore::{Calls, Violation};
use norn_graph::Graph;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spot {
    /// The file as it was named on the command line or by the compiler.
    pub file: String,
    /// From 1; 0 if only the file is known.
    pub line: u32,
    /// From 1; left out, or 0, if only the line is known.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub column: u32,
    /// The function, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<String>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The end of a file's path that tells it from others: its name, with as many directories as that takes.
pub fn distinct_file<'f>(file: &'f str, others: impl Iterator<Item = &'f str> + Clone) -> &'f str {
    let is_end_of = |end: &str, other: &str| {
        other.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'))
    };
    let mut ends = file.rmatch_indices('/').map(|(at, _)| &file[at + 1..]);
    let is_own = |end: &&str| others.clone().all(|other| other == file || !is_end_of(end, other));
    ends.find(is_own).unwrap_or(file)
}

/// Translates the machine's names into those of the source.
pub trait Names {
    /// Where a place is.
    fn spot(&self, place: Place) -> Option<Spot>;

    /// Where the function that a place stands in was inlined, innermost first.
    fn inlined(&self, place: Place) -> Vec<Spot> {
        let _ = place;
        Vec::new()
    }

    /// What is recognised of the loop whose head or first instruction a place is.
    fn loop_at(&self, place: Place) -> Option<LoopReport> {
        let _ = place;
        None
    }

    /// Which calls the threads of a violation were in.
    fn calls(&self, violation: &Violation) -> Calls {
        let _ = violation;
        Calls::default()
    }

    /// What the bytes at an address are called, such as `queue.nodes[1].next`. The graph knows the
    /// objects that are visible.
    fn variable(&self, graph: &Graph, address: Address, size: u8) -> String;

    /// What the whole object that contains an address is called.
    fn object(&self, graph: &Graph, address: Address) -> String {
        self.variable(graph, address, 0)
    }

    /// The type of the `size` bytes at an address as the source has it, if that is known.
    fn type_name(&self, graph: &Graph, address: Address, size: u8) -> Option<String> {
        let _ = (graph, address, size);
        None
    }

    /// How a value of `size` bytes at `address` is written.
    fn value(&self, graph: &Graph, address: Address, size: u8, value: Value) -> String {
        let _ = (graph, address);
        number(value, size)
    }

    /// What bytes of an object are called that only its thread knows.
    fn private(&self, inside: &Inside) -> String {
        inside.address().to_string()
    }

    /// What a whole object is called that only its thread knows.
    fn private_object(&self, inside: &Inside) -> String {
        self.private(inside)
    }

    /// What the cell of a lock, semaphore or barrier says, if this is known to be one.
    fn sync_state(&self, object: SyncObject, value: Value) -> Option<SyncState> {
        let _ = (object, value);
        None
    }

    /// The operation that is called at a place, if it is one of a library that the user has specified.
    fn operation(&self, place: Place) -> Option<String> {
        let _ = place;
        None
    }

    /// Whether a file is part of a library, not of the program.
    fn is_library(&self, file: &str) -> bool {
        let _ = file;
        false
    }

    /// Whether a thread is not the author's but part of how the program is run.
    fn is_scaffolding(&self, thread: ThreadId) -> bool {
        let _ = thread;
        false
    }

    /// What a thread is called, such as `main` or `thread 2 (worker)`.
    fn thread(&self, graph: &Graph, thread: ThreadId) -> String {
        let _ = graph;
        self.short_thread(thread)
    }

    /// What a thread is called where it does not matter what it runs, such as `thread 2`.
    fn short_thread(&self, thread: ThreadId) -> String {
        thread.to_string()
    }
}

/// A number as people expect it: small negative numbers with their sign, the rest unsigned.
pub fn number(value: Value, size: u8) -> String {
    let signed = value.signed(size);
    if (-(1 << 20)..0).contains(&signed) { signed.to_string() } else { value.to_string() }
}

/// The text of source files, for snippets.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Sources {
    texts: BTreeMap<String, String>,
}

impl Sources {
    /// Makes the text of `file` known.
    pub fn insert(&mut self, file: impl Into<String>, text: impl Into<String>) {
        self.texts.insert(file.into(), text.into());
    }

    /// The text of `file`, if it is known.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.texts.get(file).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_sign_when_they_are_near_zero() {
        assert_eq!(number(Value(0xffff_ffff), 4), "-1");
        assert_eq!(number(Value(0x8000_0000), 4), "2147483648");
        assert_eq!(number(Value(7), 4), "7");
        assert_eq!(number(Value(0xff), 1), "-1");
    }

    #[test]
    fn files_keep_the_directories_that_they_need() {
        let file = |others: [&'static str; 2]| distinct_file("src/a/queue.c", others.into_iter());
        assert_eq!(file(["src/a/queue.c", "src/a/stack.c"]), "queue.c");
        assert_eq!(file(["src/a/queue.c", "src/b/queue.c"]), "a/queue.c");
        assert_eq!(file(["lib/a/queue.c", "queue.c"]), "src/a/queue.c");
        assert_eq!(distinct_file("queue.c", ["a/queue.c"].into_iter()), "queue.c");
        assert_eq!(distinct_file("/queue.c", [""].into_iter()), "queue.c");
    }
}
