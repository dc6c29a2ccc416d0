//! How the accesses of two lines are ordered, and what orders them.

use crate::execution::{Action, Event, EventName, Execution, Source};
use crate::names::{Spot, distinct_file};
use crate::trace::TraceStep;
use crate::violation::ViolationReport;
use crate::wrap::hanging;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};

/// Two lines, and how their accesses are ordered by happens-before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pair {
    /// The lines, as `FILE:LINE`.
    pub lines: [String; 2],
    /// How they are ordered.
    pub ordering: Ordering,
    /// If they always are: what orders two of them in one execution, and where it goes either way, in one of each.
    pub chains: Vec<Chain>,
}

/// How the accesses of two lines are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Ordering {
    /// There is an execution in which two of different threads are not.
    Unordered,
    /// Those of the first line always happen before those of the second, as far as they are of different threads or of
    /// the same one.
    FirstBeforeSecond,
    /// The other way round.
    SecondBeforeFirst,
    /// One always happens before the other, sometimes this one and sometimes the other one.
    EitherWay,
    /// Where both lines are reached, it is by the same thread.
    SameThread,
    /// No execution has an access of both.
    NeverBoth,
    /// No execution has an access of the first line.
    FirstNotReached,
    /// No execution has an access of the second line.
    SecondNotReached,
    /// Of neither.
    NeitherReached,
    /// Not all executions were looked at.
    Unknown,
}

/// Why one step comes before the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// It is the first.
    Nothing,
    /// Program order.
    ProgramOrder,
    /// The one above starts the thread.
    Start,
    /// The thread above has ended.
    Join,
    /// Both threads met at a barrier.
    Barrier,
    /// It reads what the one above wrote.
    Read,
    /// It synchronises with the one above: through other writes, or through fences.
    Synchronises,
}

impl By {
    fn word(self) -> &'static str {
        match self {
            By::Nothing => "",
            By::ProgramOrder => "then",
            By::Start => "starts",
            By::Join => "ends before",
            By::Barrier => "meets",
            By::Read => "is read by",
            By::Synchronises => "syncs with",
        }
    }
}

/// A step of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Link {
    /// Why it comes after the one above.
    pub by: By,
    /// Its thread.
    pub thread_name: String,
    /// What it does.
    pub text: String,
    /// Where.
    #[serde(flatten)]
    pub spot: Option<Spot>,
}

/// Steps of which each happens before the next, by program order or because they synchronise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Chain {
    /// The steps.
    pub links: Vec<Link>,
}

impl Chain {
    /// The shortest chain from one event of an execution to another that it happens before. What the report does not
    /// show as a step is left out.
    pub fn of(report: &ViolationReport, from: EventName, to: EventName) -> Chain {
        let execution = &report.execution;
        let mut links: Vec<Link> = Vec::new();
        let (mut by, mut shown) = (By::Nothing, None);
        for (edge, name) in path(execution, from, to) {
            // Between two steps that are shown, what is not program order says more.
            if by == By::Nothing || by == By::ProgramOrder {
                by = edge;
            }
            let is_it = |step: &&TraceStep| step.event == Some(name) || step.write == Some(name);
            let Some(step) = report.trace.iter().find(is_it) else { continue };
            // Both halves of a read-modify-write are one step.
            if shown.replace(step.number) == Some(step.number) {
                continue;
            }
            links.push(Link {
                by: if links.is_empty() { By::Nothing } else { by },
                thread_name: step.thread_name.clone(),
                text: step.action.clone().alone().to_string(),
                spot: step.spot.clone(),
            });
            by = By::Nothing;
        }
        Chain { links }
    }

    /// As lines of a table.
    pub(crate) fn render(&self, width: usize) -> String {
        let mut files: Vec<&str> = self.links.iter().filter_map(Link::file).collect();
        files.sort_unstable();
        files.dedup();
        let rows: Vec<[String; 3]> = (self.links.iter())
            .map(|link| {
                let place = link.place(&files);
                [link.by.word().to_owned(), link.thread_name.clone(), place]
            })
            .collect();
        let column = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
        let (by, thread, place) = (column(0), column(1), column(2));
        let lines = rows.iter().zip(&self.links).map(|([word, name, at], link)| {
            let first = format!("  {word:by$}  {name:thread$}  {at:place$}  ");
            hanging(&first, &link.text, width)
        });
        lines.collect()
    }
}

impl Link {
    fn file(&self) -> Option<&str> {
        self.spot.as_ref().map(|spot| spot.file.as_str())
    }

    /// Its line, with the file if there are several.
    fn place(&self, files: &[&str]) -> String {
        match &self.spot {
            Some(Spot { file, line, .. }) if files.len() > 1 => {
                format!("{}:{line}", distinct_file(file, files.iter().copied()))
            }
            Some(Spot { line, .. }) => format!("line {line}"),
            None => String::new(),
        }
    }
}

/// The events of a shortest path of happens-before, each with how it is reached from the one before it. Any number of
/// steps of a thread count as one.
fn path(execution: &Execution, from: EventName, to: EventName) -> Vec<(By, EventName)> {
    // How an event was come to, backwards: the later event of another thread, and the one of its thread that was aimed at.
    let mut next: HashMap<EventName, (EventName, EventName)> = HashMap::new();
    let mut queue = VecDeque::from([to]);
    let mut found = None;
    while let Some(at) = queue.pop_front() {
        if at.thread == from.thread && from.index <= at.index {
            found = Some(at);
            break;
        }
        let earlier = (0..=at.index).rev().map(|index| EventName { index, ..at });
        for target in earlier {
            let Some(event) = execution.event(target) else { continue };
            for &source in &event.hb {
                if source != to && !next.contains_key(&source) {
                    next.insert(source, (target, at));
                    queue.push_back(source);
                }
            }
        }
    }
    let Some(mut at) = found else { return Vec::new() };
    let mut path = vec![(By::Nothing, from)];
    let add = |path: &mut Vec<(By, EventName)>, by: By, name: EventName| {
        if path.last().is_none_or(|last| last.1 != name) {
            path.push((by, name));
        }
    };
    loop {
        let by = next.get(&at).map(|&(target, _)| why(execution, at, target));
        // What a thread did last before it ended says nothing.
        if by != Some(By::Join) {
            add(&mut path, By::ProgramOrder, at);
        }
        let Some((&(target, aim), by)) = next.get(&at).zip(by) else { return path };
        add(&mut path, by, target);
        at = aim;
    }
}

/// Why an event of one thread happens before one of another.
fn why(execution: &Execution, source: EventName, target: EventName) -> By {
    let started_by = execution.threads[target.thread as usize].started_by;
    match execution.event(target).map(|event: &Event| &event.action) {
        Some(Action::Join { target }) if *target == source.thread => By::Join,
        Some(Action::BarrierLeave(_)) => By::Barrier,
        Some(Action::Read(read)) if read.from == Source::Event(source) => By::Read,
        _ if target.index == 0 && started_by == Some(source) => By::Start,
        _ => By::Synchronises,
    }
}

impl Pair {
    /// What is so, in words.
    pub(crate) fn sentence(&self) -> String {
        let [first, second] = &self.lines;
        match self.ordering {
            Ordering::Unordered => format!(
                "in an execution, accesses at {first} and at {second} are not ordered: neither happens before the other"
            ),
            Ordering::EitherWay | Ordering::FirstBeforeSecond | Ordering::SecondBeforeFirst
                if first == second =>
            {
                format!("in every execution, accesses at {first} are ordered")
            }
            Ordering::NeverBoth if first == second => {
                format!("no execution has two accesses at {first}")
            }
            Ordering::FirstBeforeSecond => {
                format!(
                    "in every execution, what {first} accesses happens before what {second} accesses"
                )
            }
            Ordering::SecondBeforeFirst => {
                format!(
                    "in every execution, what {second} accesses happens before what {first} accesses"
                )
            }
            Ordering::EitherWay => format!(
                "in every execution, accesses at {first} and at {second} are ordered, in some this way and in some that \
                 way round"
            ),
            Ordering::SameThread => format!(
                "accesses at {first} and at {second} are always of the same thread, which orders them"
            ),
            Ordering::NeverBoth => {
                format!("no execution has an access at {first} and one at {second}")
            }
            Ordering::FirstNotReached => format!("no execution has an access at {first}"),
            Ordering::SecondNotReached => format!("no execution has an access at {second}"),
            Ordering::NeitherReached => {
                format!("no execution has an access at {first}, nor at {second}")
            }
            Ordering::Unknown => format!(
                "accesses at {first} and at {second} have been ordered so far, or were not met"
            ),
        }
    }
}
