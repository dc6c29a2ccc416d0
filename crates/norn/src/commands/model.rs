//! `norn model`: see [`Model`].

use super::terminal::print;
use clap::Args;
use norn::{Definition, Limits, ModelChoice, conditions, difference, parse_duration};
use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Look at memory models themselves, on all small executions.
///
/// With one model: whether it meets the conditions under which a search visits every execution. Exit code 1 means
/// that it does not; the execution that shows it is printed. With two: the smallest litmus test that tells them
/// apart, as a file that `norn check` reads. Exit code 1 means that none was found.
#[derive(Debug, Args)]
pub(crate) struct Model {
    /// One or two models.
    #[arg(
        required = true,
        num_args = 1..=2,
        value_name = "MODEL",
        help = format!("One or two models: {}, or files in the cat language", super::models())
    )]
    models: Vec<ModelChoice>,

    /// Look at executions of at most N accesses and fences [default: 4 for one model, 6 for two].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    size: Option<u8>,

    /// Give up after that time, such as 10s or 5m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "60s")]
    timeout: Duration,
}

impl Model {
    pub(crate) fn run(self) -> ExitCode {
        let mut definitions = Vec::new();
        for choice in &self.models {
            match norn::define(choice) {
                Ok(definition) => definitions.push(definition),
                Err(error) => return super::bad_input(&error),
            }
        }
        let end = Instant::now() + self.timeout;
        let is_over = || Instant::now() >= end;
        let default = if definitions.len() == 1 { 4 } else { 6 };
        let size = self.size.map_or(default, usize::from);
        let limits = Limits { size, special: size, is_over: &is_over };
        let (text, found) = match definitions.as_slice() {
            [one] => examine(one, limits),
            [one, other, ..] => compare(one, other, limits),
            [] => unreachable!("a model is required"),
        };
        print(&text);
        ExitCode::from(u8::from(!found))
    }
}

/// What can be said of a model, and whether it is as it should be.
fn examine(model: &Definition, limits: Limits<'_>) -> (String, bool) {
    let mut text = format!("{}: {} checks", model.name(), model.checks());
    text += if model.reports_races() { ", says what a race is\n" } else { ", defines no races\n" };
    let by_form =
        |holds| if holds { "holds, by the form of the model" } else { "not seen from the form" };
    let _ = writeln!(text, "MM1 (porf-acyclic): {}", by_form(model.is_acyclic_by_form()));
    let _ = writeln!(text, "MM2 (prefix-closed): {}", by_form(model.is_prefix_closed_by_form()));
    text += "MM4 (well-blocked): holds, since every read reads\n";
    match conditions(model, limits) {
        Ok(held) => {
            let all = if held.is_cut { "time is over; among the first" } else { "among all" };
            let size = limits.size;
            let _ = writeln!(
                text,
                "no counterexample {all} {} graphs of up to {size} accesses and fences",
                held.graphs
            );
            (text, true)
        }
        Err(broken) => {
            let _ = write!(text, "outside of {}: {}", broken.condition.name(), broken.explanation);
            (text, false)
        }
    }
}

/// A test that tells two models apart, and whether there is one.
fn compare(one: &Definition, other: &Definition, limits: Limits<'_>) -> (String, bool) {
    let names = [one.name(), other.name()];
    let (found, is_cut) = difference([one, other], limits);
    let Some(found) = found else {
        let why = if is_cut { "in time" } else { "of that size" };
        return (format!("// no test {why} tells {} and {} apart\n", names[0], names[1]), false);
    };
    let what = if found.by_race { "has a data race" } else { "allows the outcome" };
    let (allows, forbids) = (names[found.allowed_by], names[1 - found.allowed_by]);
    let mut program = found.program;
    program.name = "difference".to_owned();
    let text =
        format!("{}(* {allows} {what}, {forbids} does not. *)\n", norn::print_litmus(&program));
    (text, true)
}
