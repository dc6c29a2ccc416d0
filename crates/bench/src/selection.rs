//! Which programs are run, and how: the lines of the programs, or what is asked for instead.

use crate::{Algorithm, Expectation, Mark, expectations};
use norn_models::ModelName;
use std::path::{Path, PathBuf};

/// A program and what it says of itself.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of its file, without the extension.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// Its expectations.
    pub lines: Vec<Expectation>,
}

/// What is asked for. An empty list: what the programs say.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Names of programs.
    pub programs: Vec<String>,
    /// Models, instead of those of the lines.
    pub models: Vec<ModelName>,
    /// Algorithms, instead of those of the lines.
    pub algorithms: Vec<Algorithm>,
    /// Sizes, instead of those of the lines.
    pub sizes: Vec<u32>,
    /// Only runs whose line has one of these marks.
    pub marked: Vec<Mark>,
    /// No runs whose line has one of these marks.
    pub unmarked: Vec<Mark>,
}

/// One run that is to be made.
#[derive(Clone, Debug)]
pub struct Task {
    /// The name of the program.
    pub program: String,
    /// Its file.
    pub file: PathBuf,
    /// The model.
    pub model: ModelName,
    /// What to count.
    pub algorithm: Algorithm,
    /// The size parameter.
    pub size: Option<u32>,
    /// After how many executions to stop.
    pub limit: Option<u64>,
    /// The line of the program that is about this very run, if there is one.
    pub line: Option<Expectation>,
}

/// The C programs in a folder, by name. Those without expectations are left out.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let fault = |file: &Path, what: &dyn std::fmt::Display| format!("{}: {what}", file.display());
    let entries = std::fs::read_dir(folder).map_err(|error| fault(folder, &error))?;
    let mut found = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| fault(folder, &error))?.path();
        if file.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let text = std::fs::read_to_string(&file).map_err(|error| fault(&file, &error))?;
        let lines = expectations(&text).map_err(|error| fault(&file, &error))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(line) = twice(&lines) {
            return Err(fault(&file, &format!("two lines are about the same run as {line:?}")));
        }
        if !lines.is_empty() {
            found.push(Program { name, file, lines });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// A line that is about the same run as an earlier one.
fn twice(lines: &[Expectation]) -> Option<&Expectation> {
    let run = |line: &Expectation| (line.model, line.algorithm, line.size);
    let is_second = |at: &usize| lines[..*at].iter().any(|line| run(line) == run(&lines[*at]));
    (0..lines.len()).find(is_second).map(|at| &lines[at])
}

impl Wanted {
    /// The runs to make: each line of each program, with what is asked for in place of what it says;
    /// none twice.
    pub fn tasks(&self, programs: &[Program]) -> Result<Vec<Task>, String> {
        for name in &self.programs {
            if !programs.iter().any(|program| program.name == *name) {
                let known: Vec<&str> = programs.iter().map(|program| &*program.name).collect();
                return Err(format!(
                    "no program is called `{name}`; there are {}",
                    known.join(", ")
                ));
            }
        }
        let chosen =
            |program: &&Program| self.programs.is_empty() || self.programs.contains(&program.name);
        let tasks = programs.iter().filter(chosen).flat_map(|program| self.tasks_of(program));
        Ok(tasks.filter(|task| self.fits(task)).collect())
    }

    fn fits(&self, task: &Task) -> bool {
        let has = |mark: &Mark| task.line.as_ref().is_some_and(|line| line.has(*mark));
        (self.marked.is_empty() || self.marked.iter().any(has)) && !self.unmarked.iter().any(has)
    }

    fn tasks_of(&self, program: &Program) -> Vec<Task> {
        let mut runs = Vec::new();
        for line in &program.lines {
            for model in or(&self.models, line.model) {
                for algorithm in or(&self.algorithms, line.algorithm) {
                    let sizes = match line.size {
                        Some(size) => or(&self.sizes, size).into_iter().map(Some).collect(),
                        None => vec![None],
                    };
                    runs.extend(sizes.into_iter().map(|size| (model, algorithm, size)));
                }
            }
        }
        let mut seen = Vec::new();
        runs.retain(|run| {
            let new = run.1.supports(run.0) && !seen.contains(run);
            seen.push(*run);
            new
        });
        runs.into_iter().map(|run| program.task(run)).collect()
    }
}

impl Program {
    fn task(&self, (model, algorithm, size): (ModelName, Algorithm, Option<u32>)) -> Task {
        let same = |line: &&Expectation| {
            (line.model, line.algorithm, line.size) == (model, algorithm, size)
        };
        let line = self.lines.iter().find(same).cloned();
        let limit = line.as_ref().and_then(|line| line.limit);
        let (program, file) = (self.name.clone(), self.file.clone());
        Task { program, file, model, algorithm, size, limit, line }
    }
}

fn or<T: Copy>(asked: &[T], said: T) -> Vec<T> {
    if asked.is_empty() { vec![said] } else { asked.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let text = "// norn: model=sc N=2 executions=3\n// norn: model=sc N=3 executions=7\n\
                    // norn: model=ra algorithm=rf N=3 executions=5 slow\n";
        let lines = expectations(text).expect("expectations");
        Program { name: "p".to_owned(), file: "p.c".into(), lines }
    }

    fn runs(wanted: &Wanted) -> Vec<String> {
        let tasks = wanted.tasks(&[program()]).expect("tasks");
        let say = |task: &Task| {
            let expected = task.line.as_ref().map_or(0, |line| line.executions);
            format!("{} {} {} {expected}", task.model, task.algorithm, task.size.unwrap_or(0))
        };
        tasks.iter().map(say).collect()
    }

    #[test]
    fn without_wishes_the_lines_are_run() {
        assert_eq!(runs(&Wanted::default()), ["sc trust 2 3", "sc trust 3 7", "ra rf 3 5"]);
    }

    #[test]
    fn wishes_take_the_place_of_what_lines_say() {
        let wanted = Wanted { algorithms: vec![Algorithm::Rf], ..Wanted::default() };
        assert_eq!(runs(&wanted), ["sc rf 2 0", "sc rf 3 0", "ra rf 3 5"]);
        let wanted = Wanted { sizes: vec![3], models: vec![ModelName::Sc], ..Wanted::default() };
        assert_eq!(runs(&wanted), ["sc trust 3 7", "sc rf 3 0"]);
    }

    #[test]
    fn marks_choose_among_lines() {
        let wanted = Wanted { marked: vec![Mark::Bar, Mark::Slow], ..Wanted::default() };
        assert_eq!(runs(&wanted), ["ra rf 3 5"]);
        let wanted = Wanted { unmarked: vec![Mark::Slow], ..Wanted::default() };
        assert_eq!(runs(&wanted), ["sc trust 2 3", "sc trust 3 7"]);
    }

    #[test]
    fn what_is_not_supported_is_left_out() {
        let wanted = Wanted { algorithms: vec![Algorithm::Bound(1)], ..Wanted::default() };
        assert_eq!(runs(&wanted), ["sc bound:1 2 0", "sc bound:1 3 0"]);
    }

    #[test]
    fn a_run_has_one_line() {
        let mut lines = program().lines;
        assert_eq!(twice(&lines), None);
        lines.push(Expectation { executions: 8, ..lines[1].clone() });
        assert_eq!(twice(&lines).map(|line| line.executions), Some(8));
    }

    #[test]
    fn an_unknown_program_is_an_error_that_names_the_others() {
        let wanted = Wanted { programs: vec!["q".to_owned()], ..Wanted::default() };
        assert!(wanted.tasks(&[program()]).expect_err("an error").contains("there are p"));
    }
}
