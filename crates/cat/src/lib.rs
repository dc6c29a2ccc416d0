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
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A file that a model includes, or that is provided.
const PROVIDED: [&str; 2] = ["cos.cat", "stdlib.cat"];

/// How deep files may include files, and how many there may be.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 64;

/// A model that was read.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    title: Option<String>,
    /// The files that it was read from, with their texts.
    texts: Vec<(String, String)>,
    schedule: Arc<Schedule>,
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
        let mut reading = Reading { texts: Vec::new(), title: None, compiler: Compiler::new() };
        let done = reading.all(name, text, read);
        let Reading { texts, title, compiler } = reading;
        let done = done.and_then(|()| compiler.finish());
        match done {
            Ok(program) => Ok(Definition {
                name: name.to_owned(),
                title,
                texts,
                schedule: Arc::new(Schedule::new(program)),
                stuck: Arc::default(),
            }),
            Err((at, message)) => {
                let file = texts.get(at.file as usize).map_or(name, |(file, _)| file).to_owned();
                Err(CatError { file, line: at.line, column: at.column, message })
            }
        }
    }

    /// One of the models that Norn has built in, as a definition.
    pub fn built_in(name: &str) -> Option<Definition> {
        let text = match name {
            "sc" => include_str!("../models/sc.cat"),
            "tso" => include_str!("../models/tso.cat"),
            "pso" => include_str!("../models/pso.cat"),
            "ra" => include_str!("../models/ra.cat"),
            "rc11" => include_str!("../models/rc11.cat"),
            "c20" => include_str!("../models/c20.cat"),
            _ => return None,
        };
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

    /// A model to search under.
    pub fn instance(&self) -> CatModel {
        CatModel::new(self.evaluator(), self.reports_races(), Arc::clone(&self.stuck))
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

    fn file(
        &mut self,
        name: &str,
        text: &str,
        depth: usize,
        read: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<(), Problem> {
        let number = self.texts.len() as u32;
        self.texts.push((name.to_owned(), text.to_owned()));
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
        Ok(())
    }
}
