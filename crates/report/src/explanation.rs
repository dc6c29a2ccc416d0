//! The answer to a question about the executions of a program.

use crate::execution::Execution;
use crate::format::Format;
use crate::ordering::{Chain, Pair};
use crate::text::{TextStyle, count, render_steps};
use crate::trace::TraceStep;
use crate::verdict::Reason;
use crate::wrap::{Paint, hanging};
use serde::{Deserialize, Serialize};

/// Whether there is such an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// There is one.
    Possible,
    /// There is none: all were looked at.
    Impossible,
    /// None was found, and not all were looked at.
    Inconclusive,
}

impl Answer {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Answer::Possible => "possible",
            Answer::Impossible => "impossible",
            Answer::Inconclusive => "inconclusive",
        }
    }

    /// The exit code of the command.
    pub fn exit_code(self) -> u8 {
        match self {
            Answer::Possible => 0,
            Answer::Impossible => 1,
            Answer::Inconclusive => 3,
        }
    }
}

/// What a variable holds at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FinalValue {
    /// Its name.
    pub name: String,
    /// Its value, a number.
    pub value: String,
    /// The value as its type has it: `true`, `'x'`, `GREEN`, `&node`.
    pub text: String,
}

/// Whether what was asked for is possible, and how it comes about. Its JSON form is what `norn explain --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The version of this description.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::format"))]
    pub format: Format,
    /// The answer. Exit codes: possible 0, impossible 1, inconclusive 3.
    pub answer: Answer,
    /// With `--outcome`: what was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outcome: Option<String>,
    /// With `--unordered`: what was asked for, and how it is.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unordered: Option<Pair>,
    /// The memory model.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::model"))]
    pub model: String,
    /// The files of the program.
    pub files: Vec<String>,
    /// Complete executions that were looked at.
    pub executions: u64,
    /// Of executions that differ only by which of several threads that are alike does what, one was looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub up_to_symmetry: bool,
    /// Executions that could not end.
    pub blocked: u64,
    /// Wall-clock time, with that of the compiler.
    pub seconds: f64,
    /// Why not all executions were looked at.
    pub reasons: Vec<Reason>,
    /// What is wrong with the program, so that it is open what it would do.
    pub faults: Vec<String>,
    /// Whether there was an end at which the outcome has no value: something was never written, or divided by zero.
    pub undefined: bool,
    /// What the variables of the outcome hold at the end of the execution that was found.
    pub values: Vec<FinalValue>,
    /// The steps of that execution, to be read from top to bottom.
    pub trace: Vec<TraceStep>,
    /// The whole of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub execution: Option<Execution>,
}

impl Explanation {
    /// As one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it has only string keys")
    }

    /// As text for people.
    pub fn render(&self, style: TextStyle) -> String {
        let mut out = String::new();
        if !self.trace.is_empty() && !style.quiet {
            let heading = match self.unordered {
                Some(_) => "an execution in which nothing orders them, from top to bottom:",
                None => "an execution that ends so, from top to bottom:",
            };
            out.push_str(&format!("{}\n\n", Paint::Bold.apply(heading, style.color)));
            out.push_str(&render_steps(&self.trace, style));
            out.push('\n');
        }
        if !style.quiet {
            self.chains().for_each(|(heading, chain)| {
                out.push_str(&format!("{}\n\n", Paint::Bold.apply(heading, style.color)));
                out.push_str(&chain.render(style.width));
                out.push('\n');
            });
        }
        if !self.values.is_empty() {
            let values = self.values.iter().map(|one| format!("{} = {}", one.name, one.text));
            let values = values.collect::<Vec<_>>().join(", ");
            out.push_str(&hanging("at the end: ", &values, style.width));
            out.push('\n');
        }
        let name = self.answer.name();
        let paint = match self.answer {
            Answer::Possible => Paint::Green,
            Answer::Impossible => Paint::Red,
            Answer::Inconclusive => Paint::Yellow,
        };
        let text = hanging(&format!("{name}: "), &self.sentence(style), style.width);
        out.push_str(&text.replacen(name, &paint.apply(name, style.color), 1));
        for reason in self.because() {
            out.push_str(&hanging("  because: ", &reason, style.width));
        }
        out
    }

    /// What orders the accesses that were asked for, with what to say above it.
    fn chains(&self) -> impl Iterator<Item = (&'static str, &Chain)> {
        let chains = self.unordered.iter().flat_map(|pair| &pair.chains);
        let headings = ["what orders them, in one execution:", "and in another:"];
        headings.into_iter().zip(chains)
    }

    fn sentence(&self, style: TextStyle) -> String {
        let Explanation { executions, blocked, .. } = self;
        let mut looked = count(*executions, "complete execution");
        if self.up_to_symmetry {
            looked += " up to symmetry";
        }
        let blocked = match blocked {
            0 => String::new(),
            blocked => format!(", {blocked} blocked"),
        };
        let what = match &self.unordered {
            Some(pair) => pair.sentence(),
            None => self.outcome_sentence(),
        };
        let time =
            if style.reproducible { String::new() } else { format!(", {:.2} s", self.seconds) };
        format!("{what} ({looked}{blocked}, {}{time})", self.model)
    }

    fn outcome_sentence(&self) -> String {
        let outcome = self.outcome.as_deref().unwrap_or("");
        match self.answer {
            Answer::Possible => format!("`{outcome}` holds at the end of an execution"),
            Answer::Impossible if self.executions == 0 => {
                format!("`{outcome}` holds at no end, since no execution comes to its end")
            }
            Answer::Impossible => format!("`{outcome}` holds at the end of no execution"),
            Answer::Inconclusive => format!("`{outcome}` has not been seen at the end so far"),
        }
    }

    fn because(&self) -> Vec<String> {
        let mut because: Vec<String> = self.reasons.iter().map(Reason::to_string).collect();
        because.dedup();
        if let Some(fault) = self.faults.first() {
            because.push(format!(
                "something is wrong with the program, so that it is open what it would do: {fault}"
            ));
        }
        if self.undefined {
            because.push(
                "there is an end at which the outcome has no value: something in it was never written, it divides by \
                 zero, or a number in it is too large"
                    .to_owned(),
            );
        }
        because
    }
}
