//! Going through the steps of a violation one by one.
//!
//! A walk is a position in the trace and answers to commands, as text; who reads the commands and shows the answers is
//! not its affair. What a variable holds is what was written to it last by the steps so far, in the order of the table.

use crate::execution::{Action, EventName, Location, Value};
use crate::names::{Sources, Spot};
use crate::trace::TraceStep;
use crate::violation::ViolationReport;
use crate::wrap::printable;

/// A position among the steps of a violation.
#[derive(Debug)]
pub struct Walk<'r> {
    violation: &'r ViolationReport,
    sources: &'r Sources,
    /// How many steps were taken.
    taken: usize,
}

const HELP: &str = "\
next [N]    take a step, or N; an empty line does the same
back [N]    take back a step, or N
print NAME  what a variable holds now; without a name, all that hold something
where       the source line of the last step, and the calls that led there
help        this text
quit        leave
";

impl<'r> Walk<'r> {
    /// Before the first step.
    pub fn new(violation: &'r ViolationReport, sources: &'r Sources) -> Walk<'r> {
        Walk { violation, sources, taken: 0 }
    }

    /// What to say first.
    pub fn greeting(&self) -> String {
        let ViolationReport { kind, message, trace, .. } = self.violation;
        format!(
            "error[{kind}]: {message}\n{} steps lead there; `help` says what can be done\n",
            trace.len()
        )
    }

    /// The answer to a line; none to leave.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        Some(match word {
            "next" | "n" | "" => self.counted(rest, Walk::next),
            "back" | "b" => self.counted(rest, Walk::back),
            "print" | "p" => self.print(rest),
            "where" | "w" => self.place(),
            "help" | "h" | "?" => HELP.to_owned(),
            "quit" | "q" | "exit" => return None,
            other => format!("`{}` is no command; `help` lists them\n", other.escape_debug()),
        })
    }

    fn counted(&mut self, count: &str, step: fn(&mut Self) -> Option<String>) -> String {
        let count = match count {
            "" => 1,
            text => match text.parse::<usize>() {
                Ok(count) if count > 0 => count,
                _ => return format!("`{}` is no number of steps\n", text.escape_debug()),
            },
        };
        let mut out = String::new();
        for _ in 0..count {
            match step(self) {
                Some(text) => out.push_str(&text),
                None => break,
            }
        }
        if out.is_empty() {
            return match self.taken {
                0 => "this is the beginning\n".to_owned(),
                _ => self.end(),
            };
        }
        out
    }

    fn end(&self) -> String {
        let ViolationReport { kind, message, .. } = self.violation;
        format!("this is the end: error[{kind}]: {message}\n")
    }

    fn next(&mut self) -> Option<String> {
        let step = self.violation.trace.get(self.taken)?;
        self.taken += 1;
        let mut out = printed(step, step.printed.as_deref());
        out.push_str(&line(step));
        if let Some(note) = &step.note {
            out.push_str(&format!("       note: {note}\n"));
        }
        out.push_str(&printed(step, step.printed_after.as_deref()));
        if self.taken == self.violation.trace.len() {
            out.push_str(&self.end());
        }
        Some(out)
    }

    fn back(&mut self) -> Option<String> {
        self.taken = self.taken.checked_sub(1)?;
        Some(match self.last() {
            Some(step) => format!("back to\n{}", line(step)),
            None => "back to the beginning\n".to_owned(),
        })
    }

    fn last(&self) -> Option<&'r TraceStep> {
        self.violation.trace.get(self.taken.checked_sub(1)?)
    }

    fn print(&self, name: &str) -> String {
        let locations = self.violation.execution.locations.iter().enumerate();
        let matches = |location: &Location| name.is_empty() || is_called(&location.name, name);
        let mut out = String::new();
        for (index, location) in locations.filter(|(_, location)| matches(location)) {
            let (value, writer) = self.holds(index, location);
            let by = match writer {
                Some(step) => format!("step {step}"),
                None => "initial".to_owned(),
            };
            out.push_str(&format!("{} = {} ({by})\n", location.name, value.text));
        }
        if out.is_empty() {
            let name = name.escape_debug();
            return format!(
                "no variable that threads share in this execution is called `{name}`; `print` lists them\n"
            );
        }
        out
    }

    /// What a location holds now, and the step that wrote it.
    fn holds(&self, index: usize, location: &'r Location) -> (&'r Value, Option<usize>) {
        let taken = &self.violation.trace[..self.taken];
        let written = |name: Option<EventName>| {
            let event = self.violation.execution.event(name?)?;
            match &event.action {
                Action::Write(write) if write.location == index => Some(&write.value),
                _ => None,
            }
        };
        let of_step = |step: &'r TraceStep| {
            let value = written(step.write).or_else(|| written(step.event))?;
            Some((value, Some(step.number)))
        };
        taken.iter().rev().find_map(of_step).unwrap_or((&location.initial, None))
    }

    fn place(&self) -> String {
        let Some(step) = self.last() else { return "before the first step\n".to_owned() };
        let mut out = line(step);
        let event = step.event.and_then(|name| self.violation.execution.event(name));
        let callers: &[Spot] = match event {
            Some(event) => &event.callers,
            None => {
                let threads = &self.violation.execution.threads;
                threads.get(step.thread as usize).map_or(&[], |thread| &thread.callers)
            }
        };
        let at = event.and_then(|event| event.at.as_ref()).or(step.spot.as_ref());
        for (depth, spot) in at.into_iter().chain(callers).enumerate() {
            let function = spot.function.as_deref().unwrap_or("?");
            let Spot { file, line, .. } = spot;
            let way = if depth == 0 { "in" } else { "called by" };
            out.push_str(&format!("  {way} {function} at {file}:{line}\n"));
            let text = self
                .sources
                .text(file)
                .and_then(|text| text.lines().nth((*line as usize).checked_sub(1)?));
            if let Some(text) = text {
                out.push_str(&format!("    {}\n", text.trim()));
            }
        }
        out
    }
}

/// Whether a location is the variable of that name, or a part of it.
fn is_called(location: &str, name: &str) -> bool {
    let rest = location.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', ' ']))
}

fn line(step: &TraceStep) -> String {
    let place = match &step.spot {
        Some(spot) if spot.line > 0 => format!("{}:{}: ", spot.file, spot.line),
        _ => String::new(),
    };
    format!("{:>4}  {}: {place}{}\n", step.number, step.thread_name, step.text)
}

/// What a thread prints, in lines that say so.
pub(crate) fn printed(step: &TraceStep, text: Option<&str>) -> String {
    let lines = text.into_iter().flat_map(str::lines);
    let line = |line: &str| format!("      | {} prints: {}\n", step.thread_name, printable(line));
    lines.map(line).collect()
}
