//! JSON in which what occurs often is written once: executions of one program have most of their events in common.
//!
//! Values become nodes; equal ones are one node. A node that is used more than once stands in a table, and `{"$":7}`
//! stands for it where it is used; `restore` of `model.js` puts it back. No key of a report is called `$`.

use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;

/// What is shorter than a reference to it is not shared.
const SHORT: usize = 10;

type Id = u32;

#[derive(PartialEq, Eq, Hash)]
enum Node {
    /// A number, a truth value or a text, as it is written.
    Plain(String),
    List(Vec<Id>),
    Object(Vec<(String, Id)>),
}

impl Node {
    /// How many bytes it takes, about, if the nodes in it are written elsewhere.
    fn size(&self) -> usize {
        match self {
            Node::Plain(text) => text.len(),
            Node::List(items) => 2 + items.len() * SHORT,
            Node::Object(fields) => {
                2 + fields.iter().map(|(key, _)| key.len() + 4 + SHORT).sum::<usize>()
            }
        }
    }
}

/// Values that share what they have in common.
#[derive(Default)]
pub(super) struct Shared {
    nodes: Vec<Node>,
    known: HashMap<u64, Vec<Id>>,
    /// How often each is used, by other nodes or as a whole.
    uses: Vec<u32>,
    whole: Vec<Id>,
    size: usize,
}

impl Shared {
    /// Adds a value.
    pub(super) fn add(&mut self, value: &impl Serialize) {
        let value = serde_json::to_value(value);
        let id = self.node(value.expect("a report has string keys and no other reason to fail"));
        self.uses[id as usize] += 1;
        self.whole.push(id);
    }

    /// How many bytes all of it takes, at most.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    fn node(&mut self, value: Value) -> Id {
        let node = match value {
            Value::Array(items) => {
                Node::List(items.into_iter().map(|item| self.node(item)).collect())
            }
            Value::Object(fields) => {
                let node = |(key, value): (String, Value)| (key, self.node(value));
                Node::Object(fields.into_iter().map(node).collect())
            }
            plain => Node::Plain(plain.to_string()),
        };
        let key = hash(&node);
        let same = self.known.get(&key).into_iter().flatten();
        if let Some(&id) = same.into_iter().find(|&&id| self.nodes[id as usize] == node) {
            return id;
        }
        match &node {
            Node::Plain(_) => {}
            Node::List(items) => items.iter().for_each(|&item| self.uses[item as usize] += 1),
            Node::Object(fields) => {
                fields.iter().for_each(|&(_, field)| self.uses[field as usize] += 1);
            }
        }
        let id = self.nodes.len() as Id;
        self.size += node.size();
        self.nodes.push(node);
        self.uses.push(0);
        self.known.entry(key).or_default().push(id);
        id
    }

    /// The table, and the values that were added, both as JSON.
    pub(super) fn write(&self) -> (String, String) {
        let mut places = vec![None; self.nodes.len()];
        let mut table = String::from("[");
        let mut count = 0;
        // What a node uses comes before it.
        for (id, node) in self.nodes.iter().enumerate() {
            if self.uses[id] < 2 || matches!(node, Node::Plain(text) if text.len() <= SHORT) {
                continue;
            }
            if count > 0 {
                table.push(',');
            }
            self.put(&mut table, &places, id as Id);
            places[id] = Some(count);
            count += 1;
        }
        table.push(']');
        let mut whole = String::new();
        self.list(&mut whole, &places, &self.whole);
        (table, whole)
    }

    fn put(&self, text: &mut String, places: &[Option<u32>], id: Id) {
        match &self.nodes[id as usize] {
            _ if places[id as usize].is_some() => {
                let place = places[id as usize].unwrap_or_default();
                *text += &format!("{{\"$\":{place}}}");
            }
            Node::Plain(plain) => *text += plain,
            Node::List(items) => self.list(text, places, items),
            Node::Object(fields) => {
                for (at, (key, field)) in fields.iter().enumerate() {
                    *text += if at == 0 { "{" } else { "," };
                    *text += &Value::from(key.as_str()).to_string();
                    text.push(':');
                    self.put(text, places, *field);
                }
                *text += if fields.is_empty() { "{}" } else { "}" };
            }
        }
    }

    fn list(&self, text: &mut String, places: &[Option<u32>], items: &[Id]) {
        text.push('[');
        for (at, &item) in items.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            self.put(text, places, item);
        }
        text.push(']');
    }
}

fn hash(node: &Node) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    node.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What `restore` of `model.js` does.
    fn restore(value: &Value, made: &[Value]) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| restore(item, made)).collect(),
            Value::Object(fields) => match fields.get("$").and_then(Value::as_u64) {
                Some(place) => made[place as usize].clone(),
                None => Value::Object(
                    fields.iter().map(|(key, value)| (key.clone(), restore(value, made))).collect(),
                ),
            },
            plain => plain.clone(),
        }
    }

    #[test]
    fn what_was_shared_comes_back_and_is_written_once() {
        let event = json!({"id": "T0.1", "at": {"file": "a long name.c", "line": 3}, "hb": []});
        let values = [
            json!({"events": [event, event], "text": "a \"text\" of some length"}),
            json!({"events": [event, {"id": "T1.0"}], "text": "a \"text\" of some length"}),
            json!(null),
            json!({}),
        ];
        let mut shared = Shared::default();
        values.iter().for_each(|value| shared.add(value));
        let (table, whole) = shared.write();
        assert_eq!(format!("{table}{whole}").matches("a long name.c").count(), 1);
        assert_eq!(format!("{table}{whole}").matches("some length").count(), 1);
        assert!(table.len() + whole.len() <= shared.size());
        let table: Vec<Value> = serde_json::from_str(&table).expect("a list");
        let mut made: Vec<Value> = Vec::new();
        for entry in &table {
            made.push(restore(entry, &made));
        }
        let whole: Value = serde_json::from_str(&whole).expect("a list");
        assert_eq!(restore(&whole, &made), json!(values));
    }
}
