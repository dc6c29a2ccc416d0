//! How a check is shown: its progress and its report.

use super::progress::ProgressLine;
use super::terminal::{ColorChoice, print};
use clap::{Args, ValueEnum};
use norn::{Control, InputError, Listener, Outcome, TextStyle};
use std::process::ExitCode;

/// The form of what is printed.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// The form of the report on standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Print only the verdict and one line for each violation.
    #[arg(long, short)]
    quiet: bool,

    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One object, described by docs/report.schema.json.
    Json,
}

impl Output {
    /// Runs a check, shows how it goes and what it found.
    pub(crate) fn of(
        &self,
        check: impl FnOnce(&Control, &mut Listener<'_>) -> Result<Outcome, InputError>,
    ) -> ExitCode {
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
        ExitCode::from(outcome.report.verdict.exit_code())
    }
}
