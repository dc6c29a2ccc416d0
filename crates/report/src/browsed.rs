//! All executions of a small program, to be looked at one by one.

use crate::execution::{Action, Execution, Location, Storage};
use crate::verdict::Reason;
use crate::violation::ViolationReport;
use serde::Serialize;
use std::collections::BTreeMap;

/// Executions of a program, in the order in which they were found.
#[derive(Clone, Debug, Serialize)]
pub struct Browsed {
    /// Those that are shown.
    pub executions: Vec<Browsable>,
    /// How many were found and are not shown.
    pub left_out: u64,
    /// Why there may be others, in words; nothing if these are all.
    pub because: Vec<String>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
pub struct Browsable {
    /// What it ends in: of a litmus test what that asks for, of a program the variables that are not always the same.
    pub outcome: String,
    /// Whether all threads came to their end.
    pub ends: bool,
    /// What is wrong with it, in sentences.
    pub wrong: Vec<String>,
    /// Whether it satisfies the condition of a litmus test.
    pub satisfies: Option<bool>,
    /// The execution, told as if something were wrong with it.
    pub view: ViolationReport,
}

/// How large a page with executions may be, about: a browser reads it as a whole.
pub(crate) const LARGEST: usize = 8 << 20;

impl Browsed {
    /// More are not shown: nobody looks at so many.
    pub const MOST: u64 = 1000;

    /// What is not shown, in words; nothing if these are all.
    pub fn not_shown(&self) -> Option<String> {
        let most = Browsed::MOST;
        let found = match self.left_out {
            0 => None,
            1 => Some("1 more was found and is not shown".to_owned()),
            more => Some(format!("{more} more were found and are not shown")),
        };
        let limit = format!("a page has {most} executions and {} MB at the most", LARGEST >> 20);
        let found = found.map(|found| format!("{found}: {limit}."));
        let others = (!self.because.is_empty())
            .then(|| format!("There may be others: {}.", self.because.join("; ")));
        let parts: Vec<String> = found.into_iter().chain(others).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Why a search that may find `limit` executions, unless the user wants fewer, has not found all.
    pub fn why(reason: &Reason, limit: Option<u64>) -> String {
        match (reason, limit) {
            (Reason::MaxExecutions, Some(limit)) => format!("a page shows {limit} at the most"),
            (Reason::Timeout, _) => "the time given by --effort or --timeout is over".to_owned(),
            (reason, _) => reason.to_string(),
        }
    }

    /// Gives executions that have no outcome the variables whose last values are not the same in all.
    pub fn name_outcomes(&mut self) {
        let mut values: Vec<Vec<(String, String)>> =
            self.executions.iter().map(|one| last_values(&one.view.execution)).collect();
        // What an execution does not touch keeps what it holds at first.
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        for one in &self.executions {
            for location in globals(&one.view.execution) {
                let initial = || location.initial.text.clone();
                all.entry(location.name.clone()).or_insert_with(initial);
            }
        }
        for list in &mut values {
            for (name, initial) in &all {
                if list.iter().all(|(own, _)| own != name) {
                    list.push((name.clone(), initial.clone()));
                }
            }
            list.sort();
        }
        let differs = |name: &String| {
            let of = |list: &Vec<(String, String)>| {
                list.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
            };
            let first = values.first().map(of);
            values.iter().any(|list| Some(of(list)) != first)
        };
        let mut names: Vec<&String> = values.iter().flatten().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| differs(name));
        for (one, list) in self.executions.iter_mut().zip(&values) {
            let parts = list.iter().filter(|(name, _)| names.contains(&name));
            let parts: Vec<String> =
                parts.map(|(name, value)| format!("{name} = {value}")).collect();
            one.outcome = parts.join(", ");
        }
    }
}

/// The global variables that an execution touches.
fn globals(execution: &Execution) -> impl Iterator<Item = &Location> {
    let is_global = |location: &&Location| {
        location.object.is_none_or(|index| execution.objects[index].storage == Storage::Global)
    };
    execution.locations.iter().filter(is_global)
}

/// These, and what they hold at the end.
fn last_values(execution: &Execution) -> Vec<(String, String)> {
    let last = |location: &Location| {
        let write = location.co.last().and_then(|&name| execution.event(name));
        match write.map(|event| &event.action) {
            Some(Action::Write(write)) => write.value.text.clone(),
            _ => location.initial.text.clone(),
        }
    };
    globals(execution).map(|location| (location.name.clone(), last(location))).collect()
}
