//! Memory models that are read from files, in the cat language of the herd tools (Alglave, Maranget, Tautschnig,
//! "Herding Cats", TOPLAS 2014; Alglave, Cousot, Maranget, "Syntax and semantics of the weak consistency model
//! specification language cat", 2016).
//!
//! - [`Definition::read`] makes a model of a text: `lexer`, `parser`, `compile`.
//! - [`Definition::instance`] is a [`norn_models::Model`] that an explorer can search under: `view` makes numbered
//!   events of a graph, `eval` computes the relations of the model on them.
//! - [`conditions`] looks for small graphs on which a model is not one that an explorer can search under, and
//!   [`difference`] for the smallest litmus test that two models tell apart: `small`.
//!
//! Invariants:
//!
//! 1. No text leads to a panic, to endless work or to deep recursion: what is too large is an error like any
//!    other, with a line and a column.
//! 2. What the model says of a graph depends on its events, `po`, `rf` and `co` only, not on the order in which
//!    events were added.
//! 3. A name that is not known is an error, never an empty relation.
//!
//! What differs from herd: there is one coherence order at a time, which Norn chooses (so that `with co from …` is
//! refused and `cos.cat` is empty); a read-modify-write is always two events that `rmw` ties; there are no
//! dependencies; and `po` also orders what starting and joining threads, barriers and reader-writer locks order,
//! since herd's programs have none of these (`po & int` is the order within threads, `SYNC` the set of the events
//! that start, join, arrive and leave).

mod ast;
mod compile;
mod error;
mod eval;
mod events;
mod form;
mod growing;
mod lexer;
mod matrix;
mod model;
mod parser;
mod program;
mod small;
mod tiny;
mod view;

pub use error::{At, CatError};
pub use model::CatModel;
pub use small::{Broken, Condition, Difference, Held, Limits, conditions, difference};

use ast::Statement;
use compile::Compiler;
use error::{Problem, problem};
use eval::{Evaluator, Schedule};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A file that a model includes, or that is provided.
const PROVIDED: [&str; 2] = ["cos.cat", "stdlib.cat"];

/// How deep files may include files, and how many there may be.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 64;

/// Axioms of a library.
#[derive(Clone, Copy, Debug)]
pub struct Axioms<'a> {
    /// The file that they stand in.
    pub file: &'a str,
    /// The axioms: statements as in a model, which may use what the model defines.
    pub text: &'a str,
    /// The names of the operations, each of which stands for the set of its accesses.
    pub operations: &'a [&'a str],
}

/// A model that was read.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    title: Option<String>,
    /// The files that it was read from, with their texts.
    texts: Vec<(String, String)>,
    schedule: Arc<Schedule>,
    /// The operation of a library that each place of the program calls.
    operations: Arc<Mutex<Arc<[u8]>>>,
    /// Set when a search met a graph that shows that the model is not extensible.
    stuck: Arc<AtomicBool>,
}

impl Definition {
    /// Reads the model `text`, which is called `name`. `read` gives the texts of the files that it includes.
    pub fn read(
        name: &str,
        text: &str,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<Definition, CatError> {
        Definition::with_axioms(name, text, read, &[])
    }

    /// Likewise with what libraries ask of executions beyond that, which stands at the end of the model. Their
    /// operations are numbered from 1, in the order in which they are given here: see [`Definition::set_operations`].
    pub fn with_axioms(
        name: &str,
        text: &str,
        read: &mut dyn FnMut(&str) -> Option<String>,
        axioms: &[Axioms<'_>],
    ) -> Result<Definition, CatError> {
        let mut reading =
            Reading { texts: Vec::new(), open: Vec::new(), title: None, compiler: Compiler::new() };
        let done = reading.all(name, text, read).and_then(|()| reading.axioms(axioms));
        let Reading { texts, title, compiler, .. } = reading;
        let done = done.and_then(|()| compiler.finish());
        match done {
            Ok(program) => Ok(Definition {
                name: name.to_owned(),
                title,
                texts,
                schedule: Arc::new(Schedule::new(program)),
                operations: Arc::default(),
                stuck: Arc::default(),
            }),
            Err((at, message)) => {
                let file = texts.get(at.file as usize).map_or(name, |(file, _)| file).to_owned();
                Err(CatError { file, line: at.line, column: at.column, message })
            }
        }
    }

    /// The text of one of the models that Norn has built in.
    pub fn text_of(name: &str) -> Option<&'static str> {
        Some(match name {
            "sc" => include_str!("../models/sc.cat"),
            "tso" => include_str!("../models/tso.cat"),
            "pso" => include_str!("../models/pso.cat"),
            "ra" => include_str!("../models/ra.cat"),
            "rc11" => include_str!("../models/rc11.cat"),
            "c20" => include_str!("../models/c20.cat"),
            _ => return None,
        })
    }

    /// One of them as a definition.
    pub fn built_in(name: &str) -> Option<Definition> {
        let text = Definition::text_of(name)?;
        let definition = Definition::read(name, text, &mut |_| None);
        Some(definition.unwrap_or_else(|error| panic!("a model of our own: {error}")))
    }

    /// What it is called: the name of its file, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it calls itself in its first line.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The files that it was read from, with their texts.
    pub fn texts(&self) -> &[(String, String)] {
        &self.texts
    }

    /// Whether it says when a program is undefined.
    pub fn reports_races(&self) -> bool {
        !self.schedule.program.races.is_empty()
    }

    /// How many checks it has.
    pub fn checks(&self) -> usize {
        self.schedule.program.checks.len()
    }

    /// Whether its form alone shows that no consistent execution has a cycle in `po ∪ rf` (MM1).
    pub fn is_acyclic_by_form(&self) -> bool {
        form::forbids_porf_cycles(&self.schedule.program)
    }

    /// Whether its form alone shows that it is prefix-closed (MM2).
    pub fn is_prefix_closed_by_form(&self) -> bool {
        form::is_prefix_closed(&self.schedule.program)
    }

    /// What a check is called.
    fn check_name(&self, check: usize) -> &str {
        &self.schedule.program.checks[check].name
    }

    /// What the form of the model does not show to be prefix-closed, if there is such a check: its name.
    pub fn not_prefix_closed(&self) -> Option<&str> {
        form::may_open(&self.schedule.program).map(|check| check.name.as_str())
    }

    /// Says of which operations the accesses of each place of the program are, for axioms of libraries; zero is none.
    pub fn set_operations(&self, operations: Arc<[u8]>) {
        *self.operations.lock().unwrap_or_else(PoisonError::into_inner) = operations;
    }

    /// A model to search under.
    pub fn instance(&self) -> CatModel {
        let operations = self.operations.lock().unwrap_or_else(PoisonError::into_inner);
        let operations = view::Operations(Arc::clone(&operations));
        CatModel::new(self.evaluator(), operations, self.reports_races(), Arc::clone(&self.stuck))
    }

    /// Whether a search under it met a graph to which an event could not be added at the end of everything, so
    /// that executions may have been missed: the model is not extensible.
    pub fn got_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }

    fn evaluator(&self) -> Evaluator {
        Evaluator::new(Arc::clone(&self.schedule))
    }
}

/// The reading of a model.
struct Reading {
    texts: Vec<(String, String)>,
    /// The files that are being read, each of which includes the next.
    open: Vec<String>,
    title: Option<String>,
    compiler: Compiler,
}

impl Reading {
    fn all(
        &mut self,
        name: &str,
        text: &str,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<(), Problem> {
        let prelude = parser::parse(include_str!("prelude.cat"), 0)?;
        prelude
            .statements
            .into_iter()
            .try_for_each(|statement| self.compiler.statement(statement))?;
        self.file(name, text, 0, read)
    }

    fn axioms(&mut self, axioms: &[Axioms<'_>]) -> Result<(), Problem> {
        let mut next = 1_u8;
        for library in axioms {
            let number = self.texts.len() as u32;
            self.texts.push((library.file.to_owned(), library.text.to_owned()));
            let parsed = parser::parse(library.text, number)?;
            let mut names = Vec::new();
            for name in library.operations {
                names.push(((*name).to_owned(), next));
                let Some(following) = next.checked_add(1) else {
                    let at = At { file: number, line: 1, column: 1 };
                    return problem(at, "libraries with axioms may have 254 operations in all");
                };
                next = following;
            }
            let known = self.compiler.know_operations(names);
            for statement in parsed.statements {
                if let Statement::Include { at, .. } = &statement {
                    return problem(*at, "axioms of a library include no files; write them here");
                }
                self.compiler.statement(statement)?;
            }
            self.compiler.forget_operations(known);
        }
        Ok(())
    }

    fn file(
        &mut self,
        name: &str,
        text: &str,
        depth: usize,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<(), Problem> {
        let number = self.texts.len() as u32;
        self.texts.push((name.to_owned(), text.to_owned()));
        self.open.push(name.to_owned());
        let parsed = parser::parse(text, number)?;
        if depth == 0 {
            self.title = parsed.title;
        }
        for statement in parsed.statements {
            let Statement::Include { at, file } = &statement else {
                self.compiler.statement(statement)?;
                continue;
            };
            match read(file) {
                Some(_) if self.open.contains(file) => {
                    return problem(
                        *at,
                        format!(
                            "{file:?} is being read already: files include each other in a circle"
                        ),
                    );
                }
                Some(_) if depth + 1 >= DEEPEST || self.texts.len() >= MOST_FILES => {
                    return problem(
                        *at,
                        format!("files may include files {DEEPEST} deep, and {MOST_FILES} in all"),
                    );
                }
                Some(text) => self.file(file, &text, depth + 1, read)?,
                None if PROVIDED.contains(&file.as_str()) => {}
                None => {
                    return problem(
                        *at,
                        format!(
                            "cannot read {file:?}; expected a file beside the model, or one of {}",
                            PROVIDED.join(" and ")
                        ),
                    );
                }
            }
        }
        self.open.pop();
        Ok(())
    }
}
