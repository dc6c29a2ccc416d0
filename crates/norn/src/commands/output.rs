//! How a check is shown: its progress and its report.

use super::progress::ProgressLine;
use super::terminal::{ColorChoice, print};
use clap::{Args, ValueEnum, ValueHint};
use norn::{Control, InputError, Listener, Outcome, TextStyle, ViolationReport};
use std::path::PathBuf;
use std::process::ExitCode;

/// The form of what is printed.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// The form of the report on standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Also write the report as a page for a browser, which shows the execution step by step.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,

    /// Also draw the first violation: Graphviz text (`.dot`) or a picture (`.svg`).
    #[arg(long, value_name = "FILE", value_parser = Drawing::parse)]
    graph: Option<Drawing>,

    /// Print only the verdict and one line for each violation.
    #[arg(long, short)]
    quiet: bool,

    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// One object; for reports, described by docs/report.schema.json.
    Json,
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
    /// Runs a check of these files, shows how it goes and what it found.
    pub(crate) fn of(
        &self,
        inputs: &[PathBuf],
        check: impl FnOnce(&Control, &mut Listener<'_>) -> Result<Outcome, InputError>,
    ) -> ExitCode {
        for path in self.html.iter().chain(self.graph.as_ref().map(|drawing| &drawing.path)) {
            if let Err(error) = norn::check_output(path, inputs) {
                return super::bad_input(&error);
            }
        }
        let control = Control::default();
        super::terminal::stop_on_signals(&control);
        let mut line = ProgressLine::new(self.quiet);
        let result = check(&control, &mut |progress| line.update(progress));
        line.clear();
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => return super::bad_input(&error),
        };
        match self.format {
            Format::Json => print(&format!("{}\n", outcome.report.to_json())),
            Format::Text => {
                let style = TextStyle {
                    width: super::terminal::width(),
                    color: self.color.for_stdout(),
                    quiet: self.quiet,
                    reproducible: false,
                };
                print(&norn::render(&outcome.report, &outcome.sources, style));
            }
        }
        match self.write_files(&outcome) {
            Ok(()) => ExitCode::from(outcome.report.verdict.exit_code()),
            Err(error) => super::bad_input(&error),
        }
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
        Ok(())
    }
}
