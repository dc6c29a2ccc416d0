//! `norn check --against LIBRARY`: whether an implementation does only what the specification of its library allows.
//!
//! The program is a client with an implementation. It is searched twice: with the operations of the library in
//! the place of the functions of the implementation, and as it is. What is compared are the ends of executions: the
//! bytes of the global variables that the client names. Every end of the implementation must be one of the library.
//! What belongs to the implementation is not compared: variables that only its functions name, and those that hold an
//! object of the library.
//!
//! What holds of the answer:
//!
//! 1. Verified needs two complete searches without a violation.
//! 2. An end that the library does not have is a violation only if the library was searched completely.
//! 3. It is about this client: another one may see more.

use crate::check::{CheckOptions, Findings, Job, Outcome, Source};
use crate::control::Control;
use crate::error::InputError;
use crate::explain::last_byte;
use crate::model::PlannedModel;
use crate::plan::Algorithm;
use crate::program::{self, Prepared};
use crate::program_names::ProgramNames;
use crate::search::Explored;
use crate::store::Witness;
use crate::tally::{Listener, Share, Tally};
use norn_action::Claim;
use norn_explore::{Observer, Stop, Summary, Violation, Visit};
use norn_machine::{Config, Vm};
use norn_program::{GlobalId, Instruction, Program};
use norn_report::{Verdict, Warning, WarningKind};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// More bytes of variables are not compared.
const MOST_BYTES: u64 = 1 << 16;

/// The end of an execution: the bytes of some variables, none for those that were never written.
type End = Vec<Option<u8>>;

/// Compares an implementation with the libraries of `options.against`.
pub(crate) fn compare(
    options: &CheckOptions,
    control: &Control,
    progress: &mut Listener<'_>,
    started: Instant,
) -> Result<Outcome, InputError> {
    let asked = asked(options);
    if let Some(option) = asked {
        return Err(InputError::Refused(format!(
            "--against makes two searches of its own, for which there is no {option}"
        )));
    }
    let own = Control::default();
    let searching = Searching { own: &own, user: control.flag(), started };
    let specified =
        CheckOptions { libraries: options.against.clone(), against: Vec::new(), ..options.clone() };
    let spec = searching.search(&specified, &Task::Collect, progress)?;
    let Some(mut spec) = spec else { return searching.stopped_early(&specified) };
    if searching.decide(&specified, &spec.summary)? != Verdict::Verified {
        let remark =
            "this is the client with the library itself; the implementation was not looked at";
        return searching.outcome(&specified, spec, remark.to_owned());
    }
    let kept = spec.watch.without_objects(&spec.program);
    if kept.is_empty() {
        return Err(InputError::Refused(
            "--against: the client keeps nothing to compare; let it write what it sees to global variables that hold \
             no object of the library"
                .into(),
        ));
    }
    let allowed = spec.watch.project(&kept);
    let implemented = CheckOptions { against: Vec::new(), ..options.clone() };
    let task = Task::Compare { kept: &kept, allowed: &allowed };
    let found = searching.search(&implemented, &task, progress)?;
    let Some(mut found) = found else { return searching.stopped_early(&implemented) };
    let remark = remark(&spec, &found, &kept, &allowed);
    if let Some(violation) = found.watch.found.take() {
        found.summary.violations.insert(0, violation);
        found.summary.stopped = Some(Stop::Violation);
    }
    searching.outcome(&implemented, found, remark)
}

/// An option that does not go with this one.
fn asked(options: &CheckOptions) -> Option<&'static str> {
    let list = [
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.trace.is_some(), "--trace"),
        (options.bound.is_some(), "--bound"),
        (options.minimise, "--minimise"),
        (options.suggest, "--suggest"),
        (options.profile, "--profile"),
        (options.keep_going, "--keep-going"),
    ];
    list.into_iter().find(|(asked, _)| *asked).map(|(_, name)| name)
}

/// What the comparison rests on.
fn remark(spec: &Searched, found: &Searched, kept: &[Column], allowed: &BTreeSet<End>) -> String {
    let mut names: Vec<String> = Vec::new();
    for column in kept {
        let of = &spec.program.globals[column.global.index()];
        let name = format!("`{}`", of.source_name.as_ref().unwrap_or(&of.name));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!(
        "compared by {}; different ends with the library: {} (executions: {}), seen of the implementation: {}",
        names.join(", "),
        allowed.len(),
        spec.summary.executions,
        found.watch.ends.len()
    )
}

/// A byte of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    global: GlobalId,
    address: u64,
}

/// What is done with the ends of executions.
enum Task<'t> {
    /// They are collected.
    Collect,
    /// They are looked up.
    Compare { kept: &'t [Column], allowed: &'t BTreeSet<End> },
}

/// What both searches have in common.
struct Searching<'s> {
    /// Ends a search when something was found.
    own: &'s Control,
    user: Arc<AtomicBool>,
    started: Instant,
}

/// A search that is over.
struct Searched {
    program: Arc<Program>,
    vm: Vm,
    algorithm: Algorithm,
    summary: Summary,
    watch: Ends,
    /// What was to be said before the search.
    remarks: Vec<Warning>,
}

impl Searching<'_> {
    fn job<'o>(&'o self, options: &'o CheckOptions) -> Result<Job<'o>, InputError> {
        let model = PlannedModel::load(&options.model)?;
        let mut job = Job::new(options, model, Source::Nothing, self.own, self.started)?;
        // Which write is the last one is part of how an execution ends: every coherence order is looked at.
        job.plan = job.plan.only(Algorithm::Trust);
        Ok(job)
    }

    fn decide(&self, options: &CheckOptions, summary: &Summary) -> Result<Verdict, InputError> {
        Ok(self.job(options)?.decide(summary).0)
    }

    fn stopped_early(&self, options: &CheckOptions) -> Result<Outcome, InputError> {
        Ok(self.job(options)?.stopped_early())
    }

    /// Searches the program of `options`; none if the time was over before there was one.
    fn search(
        &self,
        options: &CheckOptions,
        task: &Task<'_>,
        progress: &mut Listener<'_>,
    ) -> Result<Option<Searched>, InputError> {
        let job = self.job(options)?;
        let Some(Prepared { program, config, remarks }) = program::prepare(&job)? else {
            return Ok(None);
        };
        let program = Arc::new(program);
        let all = match task {
            Task::Collect => columns(&program)?,
            Task::Compare { kept, .. } => kept.to_vec(),
        };
        let config = Config { meter: job.meter(), ..config };
        let tally = Tally::new(progress);
        let watcher = || Watcher {
            program: &program,
            columns: &all,
            task,
            searching: self,
            ends: Ends { columns: all.clone(), ..Ends::default() },
            share: tally.share(),
        };
        let mut store = job.store(String::new())?;
        let (vm, explored) =
            program::explore(&job, &program, &config, &tally, &mut store, watcher)?;
        let Explored { summary, observers, algorithm } = explored;
        let mut watch = Ends { columns: all.clone(), ..Ends::default() };
        observers.into_iter().for_each(|watcher| watch.add(watcher.ends));
        Ok(Some(Searched { program, vm, algorithm, summary, watch, remarks }))
    }

    fn outcome(
        &self,
        options: &CheckOptions,
        searched: Searched,
        remark: String,
    ) -> Result<Outcome, InputError> {
        let job = self.job(options)?;
        let names = ProgramNames::new(&searched.vm);
        let mut warnings = searched.remarks;
        warnings.push(program::warning(WarningKind::Library, remark, None));
        let findings = Findings { warnings, ..Findings::default() };
        let report = job.report(&searched.summary, searched.algorithm, &names, findings);
        let sources = program::read_sources(&report, None);
        Ok(Outcome { report, sources, browsed: None })
    }
}

/// The bytes of all variables that code of the program names.
fn columns(program: &Program) -> Result<Vec<Column>, InputError> {
    let mut named = BTreeSet::new();
    for pc in 0..program.code.len() as u32 {
        program.for_each_read(pc, |operand, cells| {
            if let Some(first) = operand.constant_index() {
                let values = &program.constants[first as usize..][..cells as usize];
                named.extend(values.iter().filter_map(|&value| program.global_at(value)));
            }
        });
    }
    let mut columns = Vec::new();
    for global in named {
        let of = &program.globals[global.index()];
        if of.constant || of.thread_local {
            continue;
        }
        if columns.len() as u64 + of.size > MOST_BYTES {
            return Err(InputError::Refused(format!(
                "--against: the client names more than {MOST_BYTES} bytes of variables"
            )));
        }
        columns.extend((0..of.size).map(|offset| Column { global, address: of.address + offset }));
    }
    Ok(columns)
}

/// An end in the names of the source: `counter = 1, seen[0] = 2`.
fn describe(program: &Program, columns: &[Column], end: &End) -> String {
    let mut values: Vec<(String, Vec<Option<u8>>)> = Vec::new();
    for (column, byte) in columns.iter().zip(end) {
        let offset = column.address - program.globals[column.global.index()].address;
        let name = program.describe_global(column.global, offset);
        match values.last_mut() {
            // A byte within a number is called after its start.
            Some((_, bytes)) if name.contains('+') && bytes.len() < 8 => bytes.push(*byte),
            _ => values.push((name, vec![*byte])),
        }
    }
    let text = |(name, bytes): &(String, Vec<Option<u8>>)| {
        let number =
            bytes.iter().rev().try_fold(0u64, |sum, byte| Some(sum << 8 | u64::from((*byte)?)));
        match number {
            Some(number) => format!("{name} = {number}"),
            None => format!("{name} was never written"),
        }
    };
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The ends of the executions of a search.
#[derive(Clone, Default)]
struct Ends {
    columns: Vec<Column>,
    ends: BTreeSet<End>,
    /// Variables that hold an object of a library.
    objects: BTreeSet<u32>,
    found: Option<Violation>,
}

impl Ends {
    fn add(&mut self, other: Ends) {
        self.ends.extend(other.ends);
        self.objects.extend(other.objects);
        self.found = self.found.take().or(other.found);
    }

    /// The bytes that are compared.
    fn without_objects(&self, program: &Program) -> Vec<Column> {
        let is_variable = |column: &&Column| {
            !self.objects.contains(&column.global.0)
                && !program.globals[column.global.index()].constant
        };
        self.columns.iter().filter(is_variable).copied().collect()
    }

    /// The ends as far as `kept` is concerned.
    fn project(&mut self, kept: &[Column]) -> BTreeSet<End> {
        let is_kept: Vec<bool> = self.columns.iter().map(|column| kept.contains(column)).collect();
        let project = |end: &End| {
            end.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(byte, _)| *byte).collect()
        };
        self.ends.iter().map(project).collect()
    }
}

/// Looks at the ends of executions.
struct Watcher<'s, 'p, 'f> {
    program: &'s Program,
    columns: &'s [Column],
    task: &'s Task<'s>,
    searching: &'s Searching<'s>,
    ends: Ends,
    share: Share<'s, 'p, 'f>,
}

impl Watcher<'_, '_, '_> {
    /// Which variables hold an object that an operation was called for.
    fn note_objects(&mut self, execution: &Visit<'_, Vm>) {
        for thread in 0..execution.graph.thread_count() {
            let thread = norn_action::ThreadId(thread as u32);
            for event in execution.graph.thread_events(thread) {
                let is_access = event.is_read() || event.is_write();
                let pc = event.place.0;
                // What no input defines can be called through a pointer.
                let is_pointer = matches!(
                    self.program.code.get(pc as usize),
                    Some(Instruction::CallIndirect { .. })
                );
                if is_access && (is_pointer || self.program.operation_at(pc).is_some()) {
                    let address = execution.locations.info(event.location).address.0;
                    self.ends.objects.extend(self.program.global_at(address).map(|id| id.0));
                }
            }
        }
    }
}

impl Witness for Watcher<'_, '_, '_> {
    type Seen = ();

    fn seen(_: &[&Self], (): &()) {}
}

impl Observer<Vm> for Watcher<'_, '_, '_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) {
        if self.ends.found.is_some() {
            return;
        }
        let byte =
            |column: &Column| last_byte(self.program, execution, column.global, column.address);
        let end: End = self.columns.iter().map(byte).collect();
        match self.task {
            Task::Collect => self.note_objects(execution),
            Task::Compare { allowed, .. } if !allowed.contains(&end) => {
                let claim = Claim::NotAllowed(describe(self.program, self.columns, &end));
                self.ends.found = Some(Violation::at_end(execution, claim));
                self.searching.own.interrupt();
            }
            Task::Compare { .. } => {}
        }
        self.ends.ends.insert(end);
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        if self.searching.user.load(Ordering::Relaxed) {
            self.searching.own.interrupt();
        }
        self.share.report(executions, blocked);
    }
}
