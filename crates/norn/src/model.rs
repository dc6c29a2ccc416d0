//! The memory model of a check: one that is built in, by its name, or one that is read from a file.

use crate::InputError;
use crate::files::fingerprint;
use crate::library::LibraryChoice;
use norn_cat::{Axioms, Definition, Limits, conditions};
use norn_library::Library;
use norn_models::{Delay, Facts, ModelName};
use norn_program::{Instruction, Program};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// What can be asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// One that is built in.
    Named(ModelName),
    /// One that a file in the cat language defines.
    File(PathBuf),
}

impl Default for ModelChoice {
    fn default() -> ModelChoice {
        ModelChoice::Named(ModelName::default())
    }
}

impl From<ModelName> for ModelChoice {
    fn from(name: ModelName) -> ModelChoice {
        ModelChoice::Named(name)
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelChoice::Named(name) => name.fmt(f),
            ModelChoice::File(path) => path.display().fmt(f),
        }
    }
}

impl FromStr for ModelChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<ModelChoice, String> {
        if text.ends_with(".cat") {
            return Ok(ModelChoice::File(text.into()));
        }
        let named = text.parse().map(ModelChoice::Named);
        named.map_err(|error: String| format!("{error}, or a file whose name ends in .cat"))
    }
}

/// A model that a search can be planned under.
#[derive(Clone, Debug)]
pub enum PlannedModel {
    /// One that is built in.
    Named(ModelName),
    /// One that was read from a file.
    Loaded(Arc<Definition>),
}

impl From<ModelName> for PlannedModel {
    fn from(name: ModelName) -> PlannedModel {
        PlannedModel::Named(name)
    }
}

/// Graphs of this size show most of what is wrong with a model, in a tenth of a second.
const QUICK: Limits<'static> = Limits { size: 3, special: 1, is_over: &|| false };
/// Of these, the relaxed ones: values out of thin air take four accesses.
const RELAXED: Limits<'static> = Limits { size: 4, special: 0, is_over: &|| false };

impl PlannedModel {
    /// Makes what is asked for ready: a file is read, and refused if it is seen at once that executions would be
    /// missed under the model.
    ///
    /// Where a library has axioms, they are part of the model, and one that is built in is searched under as the
    /// definition that it is held to.
    pub(crate) fn load(
        choice: &ModelChoice,
        libraries: &[LibraryChoice],
    ) -> Result<PlannedModel, InputError> {
        let axioms = axioms(libraries)?;
        let path = match choice {
            ModelChoice::Named(name) if axioms.is_empty() => return Ok(PlannedModel::Named(*name)),
            ModelChoice::Named(name) => Path::new(name.name()),
            ModelChoice::File(path) => path,
        };
        let definition = read_definition(choice, &axioms)?;
        let without = if axioms.is_empty() { None } else { Some(read_definition(choice, &[])?) };
        if let Some(check) = definition.not_prefix_closed()
            && without.is_some_and(|model| model.is_prefix_closed_by_form())
        {
            return Err(InputError::Refused(format!(
                "library {}: the axiom `{check}` is not prefix-closed, as far as its form shows: what it takes away by \
                 `\\` or `~` depends on paths of other relations, so that it may forbid the beginning of an execution \
                 that it allows as a whole, and executions would be missed. What is taken out of a queue or a stack \
                 depends in this way on what was taken out before; take away base relations and sets of operations only",
                names_of(libraries)
            )));
        }
        for limits in [QUICK, RELAXED] {
            conditions(&definition, limits).map_err(|broken| {
                InputError::Refused(format!(
                    "{} cannot be searched under, since it is outside of condition {}: {}",
                    path.display(),
                    broken.condition.name(),
                    broken.explanation.trim_end()
                ))
            })?;
        }
        if !definition.is_prefix_closed_by_form() {
            return Err(InputError::Refused(format!(
                "{}: what it takes away by `\\` or `~` depends on paths of other relations, so that its form does not \
                 show condition MM2 (prefix-closed), without which executions are missed; take away base relations \
                 and products of sets only. `norn model` looks for an execution that shows whether it holds",
                path.display()
            )));
        }
        Ok(PlannedModel::Loaded(Arc::new(definition)))
    }

    /// The name in reports.
    pub fn name(&self) -> &str {
        match self {
            PlannedModel::Named(name) => name.name(),
            PlannedModel::Loaded(definition) => definition.name(),
        }
    }

    /// What a report must know of it.
    pub(crate) fn facts(&self) -> Facts {
        match self {
            PlannedModel::Named(name) => name.facts(),
            PlannedModel::Loaded(_) => Facts { delay: Delay::Model, hb: 0, instead: None },
        }
    }

    /// Whether an object that one thread alone can reach may be kept out of the graph (see
    /// [`norn_models::About::privatises`]). Nothing is known of a model from a file; but where it reports races, who
    /// sees an object half made is reported.
    pub(crate) fn privatises(&self, ignore_races: bool) -> bool {
        match self {
            PlannedModel::Named(name) => name.about().privatises(ignore_races),
            PlannedModel::Loaded(definition) => definition.reports_races() && !ignore_races,
        }
    }

    /// Whether races are reported under it, unless the user says otherwise.
    pub(crate) fn reports_races(&self) -> bool {
        match self {
            PlannedModel::Named(name) => name.about().races,
            PlannedModel::Loaded(definition) => definition.reports_races(),
        }
    }

    /// Whether all accesses have their place in one order, so that it is clear what an access in parts is. Nothing
    /// is known of a model from a file.
    pub(crate) fn has_one_order(&self) -> bool {
        match self {
            PlannedModel::Named(name) => !name.about().races,
            PlannedModel::Loaded(_) => false,
        }
    }

    /// Whether an algorithm can search under it.
    pub(crate) fn is_supported_by(&self, algorithm: norn_explore::Algorithm) -> bool {
        match self {
            PlannedModel::Named(name) => algorithm.supports(*name),
            PlannedModel::Loaded(_) => algorithm == norn_explore::Algorithm::Trust,
        }
    }

    /// What tells the text of a model from others; none for one that is built in.
    pub(crate) fn fingerprint(&self) -> Option<String> {
        match self {
            PlannedModel::Named(_) => None,
            PlannedModel::Loaded(definition) => Some(fingerprint(&definition.texts())),
        }
    }

    /// Why nothing can be promised after a search, if that is so: a graph was met that shows that the model is
    /// not extensible.
    pub(crate) fn objection(&self) -> Option<InputError> {
        let PlannedModel::Loaded(definition) = self else { return None };
        definition.got_stuck().then(|| {
            InputError::Refused(format!(
                "{}: the search met an execution in which an access could neither read the newest write nor come \
                 after all others; the model is outside of condition MM3 (extensible), and executions may have \
                 been missed. `norn model {0}` looks for a small example",
                definition.name()
            ))
        })
    }
}

impl fmt::Display for PlannedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The model of a name or of a file, as a definition.
pub fn define(choice: &ModelChoice) -> Result<Definition, InputError> {
    read_definition(choice, &[])
}

fn read_definition(choice: &ModelChoice, libraries: &[Library]) -> Result<Definition, InputError> {
    let names: Vec<Vec<&str>> = libraries
        .iter()
        .map(|library| library.operations.iter().map(|operation| operation.name.as_str()).collect())
        .collect();
    let axioms: Vec<Axioms<'_>> = libraries
        .iter()
        .zip(&names)
        .filter_map(|(library, operations)| {
            let axioms = library.axioms.as_ref()?;
            Some(Axioms { file: &axioms.file, text: &axioms.text, operations })
        })
        .collect();
    let with_libraries = |model: &str| {
        let names = libraries.iter().map(|library| library.name.as_str());
        std::iter::once(model).chain(names).collect::<Vec<_>>().join(" with ")
    };
    let definition = match choice {
        ModelChoice::Named(name) => {
            let text =
                Definition::text_of(name.name()).expect("all models are written as definitions");
            Definition::with_axioms(&with_libraries(name.name()), text, &mut |_| None, &axioms)
        }
        ModelChoice::File(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|cause| InputError::Unreadable { path: path.to_owned(), cause })?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let mut included = |file: &str| std::fs::read_to_string(folder.join(file)).ok();
            let name = with_libraries(&path.display().to_string());
            Definition::with_axioms(&name, &text, &mut included, &axioms)
        }
    };
    definition.map_err(InputError::Model)
}

/// The libraries that have axioms, each once.
fn axioms(choices: &[LibraryChoice]) -> Result<Vec<Library>, InputError> {
    let mut all: Vec<Library> = Vec::new();
    for choice in choices {
        let library = choice.read()?;
        match all.iter().find(|other| other.name == library.name) {
            _ if library.axioms.is_none() => {}
            None => all.push(library),
            Some(other) if other.axioms == library.axioms => {}
            Some(_) => {
                return Err(InputError::Refused(format!(
                    "library {choice}: another library with axioms is called `{}`, too",
                    library.name
                )));
            }
        }
    }
    Ok(all)
}

fn names_of(libraries: &[LibraryChoice]) -> String {
    libraries.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// For each instruction of a program the number of the operation that it calls, as in [`Definition::with_axioms`].
pub(crate) fn operations_of(
    program: &Program,
    libraries: &[LibraryChoice],
) -> Result<Arc<[u8]>, InputError> {
    let mut names = Vec::new();
    for library in axioms(libraries)? {
        names.extend(library.operations.iter().map(norn_program::Operation::full_name));
    }
    let number = |instruction: &Instruction| {
        let Instruction::CallExternal { external, .. } = *instruction else { return 0 };
        let operation = program.externals[external.index()].operation;
        let name = operation.map(|id| program.operations[id as usize].full_name());
        let found = name.and_then(|name| names.iter().position(|known| *known == name));
        found.map_or(0, |index| index as u8 + 1)
    };
    if names.is_empty() {
        return Ok(Arc::default());
    }
    Ok(program.code.iter().map(number).collect())
}
