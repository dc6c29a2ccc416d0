//! Stronger memory orders with which a program that has a fault is correct.

use crate::names::Spot;
use crate::wrap::{Paint, hanging};
use norn_action::Mode;
use serde::{Deserialize, Serialize};

/// What was found when stronger orders were tried on the atomic accesses of a violation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// What came of it.
    pub found: Fix,
    /// The orders to change. With all of them, and no other change, the program is verified.
    pub changes: Vec<OrderChange>,
    /// How many accesses there were whose order could be stronger.
    pub accesses: usize,
    /// How many variants of the program were searched.
    pub tried: u64,
    /// How many of these searches came to no conclusion.
    pub undecided: u64,
    /// Whether there was no time left for the others.
    pub out_of_time: bool,
    /// How long that took.
    pub seconds: f64,
}

/// What came of a search for stronger orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fix {
    /// The changes verify, and no smaller set of changes does.
    Smallest,
    /// The changes verify, and none of them can be left out.
    Irreducible,
    /// The changes verify; there was no time to look for fewer.
    Verified,
    /// Even with the strongest orders everywhere the program is wrong.
    None,
    /// None was found, and there may be one.
    Unknown,
}

/// One access whose order is to be another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OrderChange {
    /// Where it is.
    #[serde(flatten)]
    pub spot: Spot,
    /// What it does.
    pub access: AccessKind,
    /// Whether its order is a value that is not always the same, and is to be another one where it is `from`.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_value: bool,
    /// The order that it has.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub from: Mode,
    /// The order that it should have.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub to: Mode,
}

/// What has an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// A read-modify-write, or a compare-exchange that succeeds.
    Update,
    /// A compare-exchange that fails.
    FailedExchange,
    /// A fence.
    Fence,
}

impl AccessKind {
    fn words(self) -> &'static str {
        match self {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
            AccessKind::Update => "read-modify-write",
            AccessKind::FailedExchange => "compare-exchange, if it fails",
            AccessKind::Fence => "fence",
        }
    }
}

impl OrderChange {
    pub(crate) fn words(&self) -> String {
        let Spot { file, line, .. } = &self.spot;
        let OrderChange { access, from, to, .. } = self;
        let which = if self.is_value { ", where its order has that value" } else { "" };
        let access = access.words();
        format!("{file}:{line}: memory_order_{from} -> memory_order_{to} ({access}{which})")
    }
}

/// The suggestion as text.
pub(crate) fn render(suggestion: &Suggestion, width: usize, color: bool) -> String {
    let label = "suggestion: ";
    let text = hanging(label, &headline(suggestion), width);
    let mut out = text.replacen("suggestion", &Paint::Cyan.apply("suggestion", color), 1);
    for change in &suggestion.changes {
        // Lines that editors and people jump to are not broken.
        out.push_str(&format!("  {}\n", change.words()));
    }
    if let Some(effort) = effort(suggestion) {
        out.push_str(&hanging("  effort: ", &effort, width));
    }
    out.push('\n');
    out
}

/// What it took, if anything was tried.
pub(crate) fn effort(suggestion: &Suggestion) -> Option<String> {
    let Suggestion { tried, undecided, .. } = suggestion;
    let mut effort = match tried {
        1 => "1 variant was searched".to_owned(),
        tried => format!("{tried} variants were searched"),
    };
    if *undecided > 0 {
        effort.push_str(&format!(", {undecided} of them without a conclusion"));
    }
    if suggestion.out_of_time {
        effort.push_str("; that was all there was time for (--effort)");
    }
    (*tried > 0 || suggestion.out_of_time).then_some(effort)
}

/// What came of it, in a sentence.
pub(crate) fn headline(suggestion: &Suggestion) -> String {
    let orders = match suggestion.changes.len() {
        1 => "this order",
        _ => "these orders",
    };
    let them = match suggestion.accesses {
        1 => "the one atomic access that could be stronger is".to_owned(),
        accesses => format!("all {accesses} atomic accesses that could be stronger are"),
    };
    match suggestion.found {
        Fix::Smallest if suggestion.changes.len() == 1 => {
            format!("the program is verified with {orders}:")
        }
        Fix::Smallest => format!("the program is verified with {orders}, and not with fewer:"),
        Fix::Irreducible => {
            format!("the program is verified with {orders}, of which none can be left out:")
        }
        Fix::Verified => format!("the program is verified with {orders}; fewer may do:"),
        Fix::None if suggestion.accesses == 0 => {
            "none: no atomic access of the execution could be stronger".to_owned()
        }
        Fix::None => format!("none: something is wrong even if {them} seq_cst"),
        Fix::Unknown => {
            "no stronger orders were found with which the program is verified".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_lines_with_the_new_order() {
        let spot = Spot { file: "queue.c".into(), line: 12, column: 5, function: None };
        let (from, to) = (Mode::Relaxed, Mode::Release);
        let change = OrderChange { spot, access: AccessKind::Store, is_value: false, from, to };
        let suggestion = Suggestion {
            found: Fix::Smallest,
            changes: vec![change],
            accesses: 3,
            tried: 4,
            undecided: 0,
            out_of_time: false,
            seconds: 0.1,
        };
        assert_eq!(
            render(&suggestion, 80, false),
            "suggestion: the program is verified with this order:\n  \
             queue.c:12: memory_order_relaxed -> memory_order_release (store)\n  \
             effort: 4 variants were searched\n\n"
        );
        let none = Suggestion { found: Fix::None, changes: Vec::new(), ..suggestion };
        let text = render(&none, 80, false);
        assert!(text.contains("even if all 3 atomic accesses"), "{text}");
    }
}
