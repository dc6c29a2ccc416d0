//! How a check is shown: its progress and its report.

use super::progress::watched;
use super::terminal::{ColorChoice, print};
use clap::{Args, ValueEnum, ValueHint};
use norn::{Case, Control, InputError, Listener, Outcome, TextStyle, ViolationReport};
use std::path::PathBuf;
use std::process::ExitCode;

/// The form of what is printed.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// The form of the report on standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,

    /// Also write the report as a page for a browser, which shows the execution step by step.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,

    /// Also draw the first violation: Graphviz text (`.dot`) or a picture (`.svg`).
    #[arg(long, value_name = "FILE", value_parser = Drawing::parse)]
    graph: Option<Drawing>,

    /// Also write the report as SARIF, for code scanning.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    sarif: Option<PathBuf>,

    /// Also write the result as a JUnit test report.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    junit: Option<PathBuf>,

    /// Print only the verdict and one line for each violation.
    #[arg(long, short)]
    quiet: bool,

    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

/// Text or data.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// One object.
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReportFormat {
    /// For people.
    Text,
    /// One object, described by docs/report.schema.json.
    Json,
    /// Annotations for a workflow of GitHub, and the verdict.
    Github,
}

/// A file for a drawing, in the format that its name asks for.
#[derive(Clone, Debug)]
struct Drawing {
    path: PathBuf,
    format: fn(&ViolationReport) -> String,
}

impl Drawing {
    fn parse(text: &str) -> Result<Drawing, String> {
        let path = PathBuf::from(text);
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("dot" | "gv") => norn::dot,
            Some("svg") => norn::svg,
            _ => return Err("the name must end in .dot or .svg".to_owned()),
        };
        Ok(Drawing { path, format })
    }
}

impl Output {
    /// Runs a check of these files, which also writes `others`, shows how it goes and what it found.
    pub(crate) fn of<'p>(
        &'p self,
        inputs: &[PathBuf],
        others: impl Iterator<Item = &'p PathBuf>,
        check: impl FnOnce(&Control, &mut Listener<'_>) -> Result<Outcome, InputError>,
    ) -> ExitCode {
        let mut checked = self.files().try_for_each(|path| norn::check_output(path, inputs));
        let all = self.files().chain(others).map(PathBuf::as_path);
        checked = checked.and_then(|()| norn::check_distinct(all));
        if let Err(error) = checked {
            return super::bad_input(&error);
        }
        let outcome = match watched(self.quiet, check) {
            Ok(outcome) => outcome,
            Err(error) => return super::bad_input(&error),
        };
        let text = |quiet, color| {
            let width = super::terminal::width();
            let style = TextStyle { width, color, quiet, reproducible: false };
            norn::render(&outcome.report, &outcome.sources, style)
        };
        match self.format {
            ReportFormat::Json => print(&format!("{}\n", outcome.report.to_json())),
            ReportFormat::Text => print(&text(self.quiet, self.color.for_stdout())),
            ReportFormat::Github => {
                print(&(norn::annotations(&outcome.report) + &text(true, false)));
            }
        }
        match self.write_files(&outcome) {
            Ok(()) => ExitCode::from(outcome.report.verdict.exit_code()),
            Err(error) => super::bad_input(&error),
        }
    }

    /// Whether a page is written.
    pub(crate) fn writes_page(&self) -> bool {
        self.html.is_some()
    }

    /// The files that are written.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let drawing = self.graph.as_ref().map(|drawing| &drawing.path);
        self.html.iter().chain(drawing).chain(&self.sarif).chain(&self.junit)
    }

    /// Writes the files that were asked for. Where nothing is wrong, there is nothing to draw.
    fn write_files(&self, outcome: &Outcome) -> Result<(), InputError> {
        if let Some(path) = &self.html {
            norn::write_output(path, Some(norn::page(&outcome.report, &outcome.sources)))?;
        }
        if let Some(drawing) = &self.graph {
            let text = outcome.report.violation.as_ref().map(drawing.format);
            norn::write_output(&drawing.path, text)?;
        }
        if let Some(path) = &self.sarif {
            let text = norn::sarif(&outcome.report, env!("CARGO_PKG_VERSION"));
            norn::write_output(path, Some(text))?;
        }
        if let Some(path) = &self.junit {
            let style = TextStyle { width: 100, color: false, quiet: false, reproducible: true };
            let output = norn::render(&outcome.report, &outcome.sources, style);
            let case = Case::of(&outcome.report, output);
            norn::write_output(path, Some(norn::junit("norn", &[case])))?;
        }
        Ok(())
    }
}
