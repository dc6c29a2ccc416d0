//! `norn init`: see [`Init`].

use super::terminal::print;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueHint};
use norn::InputError;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const TEST: &str = include_str!("../../templates/first.c");
const WORKFLOW: &str = include_str!("../../templates/norn.yml");
/// What the workflow runs.
const TEST_COMMAND: &str = "norn test FOLDER --format github";

/// Writes a first test and a workflow for CI into the current project. What is there already is left alone.
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The folder for concurrency tests.
    #[arg(default_value = "tests/concurrency", value_hint = ValueHint::DirPath,
        value_parser = NonEmptyStringValueParser::new())]
    folder: String,

    /// Write no workflow for CI.
    #[arg(long)]
    no_ci: bool,
}

impl Init {
    pub(crate) fn run(self) -> ExitCode {
        let folder = self.folder.trim_end_matches('/');
        let test = Path::new(folder).join("first.c");
        let workflow = Path::new(".github/workflows/norn.yml").to_owned();
        let mut files = vec![(&test, TEST.to_owned())];
        if !self.no_ci {
            files.push((&workflow, workflow_for(folder)));
        }
        if let Err(error) = write_new(&files) {
            return super::bad_input(&error);
        }
        for (path, _) in &files {
            print(&format!("wrote {}\n", path.display()));
        }
        let (folder, test) = (quoted(folder), quoted(&test.display().to_string()));
        print(&format!(
            "\nWhat next:\n  \
             norn test {folder}\n      makes both checks of {test}: one is verified, one finds a data race\n  \
             norn check {test} -- -DRELAXED\n      shows the race, step by step\n\
             Then test your own code: include it, start threads on it, and assert what must hold.\n"
        ));
        ExitCode::SUCCESS
    }
}

/// The workflow that runs the tests of a folder. A text of JSON is one of YAML, whatever is in it.
fn workflow_for(folder: &str) -> String {
    let word = quoted(folder);
    let command = TEST_COMMAND.replace("FOLDER", &word);
    let is_plain = word == folder;
    let text = if is_plain { command } else { serde_json::Value::from(command).to_string() };
    WORKFLOW.replace(TEST_COMMAND, &text)
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Writes all of the files, or none if one of them is there.
fn write_new(files: &[(&PathBuf, String)]) -> Result<(), InputError> {
    if let Some((path, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        let path = path.display();
        return Err(InputError::Refused(format!(
            "{path} is there already and is left as it is; nothing was written"
        )));
    }
    for (path, text) in files {
        let cannot = |cause| InputError::Unwritable { path: path.to_path_buf(), cause };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(cannot)?;
        }
        let mut file = std::fs::File::create_new(path).map_err(cannot)?;
        file.write_all(text.as_bytes()).map_err(cannot)?;
    }
    Ok(())
}
