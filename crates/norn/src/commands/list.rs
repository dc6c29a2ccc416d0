//! `norn list`: see [`List`].

use super::terminal::print;
use clap::{Args, ValueEnum};
use norn::{AlgorithmName, ModelName};
use std::fmt::Write;
use std::process::ExitCode;

/// List memory models, algorithms, libraries and supported functions.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// What to list; everything if it is left out.
    #[arg(value_enum)]
    what: Option<What>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Memory models.
    Models,
    /// Algorithms.
    Algorithms,
    /// Libraries whose specifications come with norn.
    Libraries,
    /// Functions that programs may call without defining them.
    Functions,
}

impl List {
    pub(crate) fn run(self) -> ExitCode {
        let wanted = |what| self.what.is_none_or(|only| only == what);
        let mut out = String::new();
        if wanted(What::Models) {
            let rows = ModelName::ALL.map(|model| (model.name(), model.about().summary));
            section(&mut out, "models", &rows);
        }
        if wanted(What::Algorithms) {
            let rows = AlgorithmName::ALL.map(|algorithm| (algorithm.name(), algorithm.summary()));
            section(&mut out, "algorithms", &rows);
        }
        if wanted(What::Libraries) {
            let rows = norn::LIBRARIES.map(|(name, text)| (name, norn::library_summary(text)));
            section(&mut out, "libraries", &rows);
        }
        if wanted(What::Functions) {
            section(&mut out, "functions", norn::supported_functions());
        }
        print(&out);
        ExitCode::SUCCESS
    }
}

/// Longer names stand out of their column.
const WIDEST_NAME: usize = 30;

fn section(out: &mut String, title: &str, rows: &[(&str, &str)]) {
    if !out.is_empty() {
        out.push('\n');
    }
    // Mangled names of C++ are long; they do not push all summaries to the right.
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).min(WIDEST_NAME);
    let _ = writeln!(out, "{title}:");
    for (name, summary) in rows {
        let _ = writeln!(out, "  {name:<width$}  {summary}");
    }
}
