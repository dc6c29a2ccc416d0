//! `norn check --against LIBRARY`: whether an implementation does only what the specification of its library allows.
//!
//! The program is a client with an implementation. It is searched twice: with the operations of the library in
//! the place of the functions of the implementation, and as it is. What is compared are the ends of executions: the
//! bytes of the global variables that the client names. Every end of the implementation must be one of the library.
//! What belongs to the implementation, or may differ for no reason, is not compared: variables that only its functions
//! name, that it has written, that it is given, or that hold an object of the library; pointers and handles of threads.
//! So that it is known what the implementation has written, its ends are compared when all are there.
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
use crate::seek::{Ending, Seek, Sought};
use crate::tally::Listener;
use norn_action::{Claim, Fault, Place};
use norn_explore::{Stop, Summary, Violation, Visit};
use norn_machine::Vm;
use norn_program::{Encoding, FunctionId, GlobalId, Instruction, Program};
use norn_report::{Verdict, Warning, WarningKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// More bytes of variables are not compared.
const MOST_BYTES: u64 = 1 << 16;

/// More different ends are not compared.
const MOST_ENDS: usize = 1 << 14;

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
    let searching = Searching { ending: Ending::new(control), started };
    let libraries = [options.libraries.clone(), options.against.clone()].concat();
    let specified =
        CheckOptions { libraries, against: Vec::new(), symmetry: false, ..options.clone() };
    let spec = searching.search(&specified, &Task::Collect, None, progress)?;
    let Some(mut spec) = spec else { return searching.stopped_early(&specified) };
    if searching.decide(&specified, &spec.summary)? != Verdict::Verified {
        let remark =
            "this is the client with the library itself; the implementation was not looked at";
        return searching.outcome(&specified, spec, remark.to_owned());
    }
    let implemented = CheckOptions { against: Vec::new(), symmetry: false, ..options.clone() };
    let task = Task::Compare(Implementation::of(&spec.program));
    let found = searching.search(&implemented, &task, Some(&spec.watch.columns), progress)?;
    let Some(mut found) = found else { return searching.stopped_early(&implemented) };
    spec.watch.apart.extend(&found.watch.apart);
    let kept = spec.watch.kept();
    if !kept.contains(&true) {
        return Err(InputError::Refused(
            "--against: the client keeps nothing to compare; let it write what it sees to global variables that hold \
             no object of the library and no pointers"
                .into(),
        ));
    }
    let allowed: BTreeSet<End> = spec.watch.ends.keys().map(|end| project(end, &kept)).collect();
    let ends = std::mem::take(&mut found.watch.ends).into_iter();
    let ends: BTreeMap<End, Violation> =
        ends.map(|(end, shown)| (project(&end, &kept), shown)).collect();
    let remark = remark(&spec, ends.len(), &kept, allowed.len());
    let beyond = ends.into_iter().find(|(end, _)| !allowed.contains(end));
    // What the implementation writes elsewhere is not known if not all of it was seen.
    let is_complete = searching.decide(&implemented, &found.summary)? == Verdict::Verified;
    if let Some((end, mut shown)) = beyond.filter(|_| is_complete) {
        let claim = Claim::NotAllowed(describe(&spec, &kept, &end, &allowed));
        shown.fault = Fault::new(claim, Place::NONE);
        found.summary.violations.push(shown);
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
        (options.browse, "--explore-html"),
        (options.board.is_some(), "--board"),
    ];
    list.into_iter().find(|(asked, _)| *asked).map(|(_, name)| name)
}

/// What the comparison rests on.
fn remark(spec: &Searched, seen: usize, kept: &[bool], allowed: usize) -> String {
    let mut names: Vec<String> = Vec::new();
    for (column, _) in spec.watch.columns.iter().zip(kept).filter(|(_, kept)| **kept) {
        let of = &spec.program.globals[column.global.index()];
        let name = format!("`{}`", of.source_name.as_ref().unwrap_or(&of.name));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    format!(
        "compared by {}; different ends with the library: {allowed} (executions: {}), seen of the implementation: {seen}",
        names.join(", "),
        spec.summary.executions,
    )
}

/// A byte of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Column {
    global: GlobalId,
    address: u64,
}

/// Whose executions are searched.
enum Task {
    /// Those of the library.
    Collect,
    /// Those of the implementation.
    Compare(Implementation),
}

/// The functions that the library stands for, and what only they call.
struct Implementation(BTreeSet<FunctionId>);

impl Implementation {
    /// What code is left of a program when the library is there is the client's.
    fn of(specified: &Program) -> Implementation {
        let dropped = norn_transform::dropped(specified);
        Implementation(specified.replaced.iter().copied().chain(dropped).collect())
    }

    /// The variables that its functions are given by name.
    fn given(&self, program: &Program) -> BTreeSet<u32> {
        let mut given = BTreeSet::new();
        for instruction in &program.code {
            if let Instruction::Call { function, args, count, .. } = *instruction
                && self.0.contains(&function)
            {
                let arguments = &program.arguments[args as usize..][..usize::from(count)];
                let constants = arguments.iter().filter_map(|operand| operand.constant_index());
                let values = constants.map(|index| program.constants[index as usize]);
                given.extend(values.filter_map(|value| program.global_at(value)).map(|id| id.0));
            }
        }
        given
    }

    fn has(&self, program: &Program, pc: u32) -> bool {
        program.function_of(pc).is_some_and(|id| self.0.contains(&id))
    }
}

/// What both searches have in common.
struct Searching {
    /// Ends a search that has seen too much.
    ending: Ending,
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

impl Searching {
    fn job<'o>(&'o self, options: &'o CheckOptions) -> Result<Job<'o>, InputError> {
        let model = PlannedModel::load(&options.model, &options.libraries)?;
        let mut job =
            Job::new(options, model, Source::Nothing, self.ending.control(), self.started)?;
        // Which write is the last one is part of how an execution ends: every coherence order is looked at.
        job.plan = job.plan.for_graphs();
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
        task: &Task,
        columns_of: Option<&[Column]>,
        progress: &mut Listener<'_>,
    ) -> Result<Option<Searched>, InputError> {
        let job = self.job(options)?;
        let Some(Prepared { program, config, remarks }) = program::prepare(&job)? else {
            return Ok(None);
        };
        let program = Arc::new(program);
        let all = match columns_of {
            Some(columns) => columns.to_vec(),
            None => columns(&program)?,
        };
        let ends = || Ends { columns: all.clone(), ..Ends::default() };
        let watcher = || Watcher { program: &program, columns: &all, task, ends: ends() };
        let sought = self.ending.search(&job, &program, config, progress, watcher)?;
        let Sought { vm, algorithm, summary, seen } = sought;
        let mut watch = ends();
        seen.into_iter().for_each(|watcher| watch.add(watcher.ends));
        if let Task::Compare(implementation) = task {
            let given = implementation.given(&program);
            let is_given = |column: &&Column| given.contains(&column.global.0);
            watch.apart.extend(all.iter().filter(is_given).map(|column| column.address));
        }
        if watch.ends.len() > MOST_ENDS {
            return Err(InputError::Refused(format!(
                "--against: the program ends in more than {MOST_ENDS} ways; let the client keep less"
            )));
        }
        let program = Arc::clone(&program);
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
        let is_number = |&offset: &u64| match of.kind {
            Some(kind) => {
                let word = program.types.encoding_of_part(kind, offset & !7, 8);
                !matches!(word, Some(Encoding::Pointer))
            }
            None => false,
        };
        let numbers = (0..of.size).filter(is_number);
        columns.extend(numbers.map(|offset| Column { global, address: of.address + offset }));
    }
    Ok(columns)
}

/// The bytes of an end that are kept.
fn project(end: &End, kept: &[bool]) -> End {
    end.iter().zip(kept).filter(|(_, kept)| **kept).map(|(byte, _)| *byte).collect()
}

/// What is not the same in all ends, in the names of the source: `counter = 1, seen[0] = 2`.
fn describe(spec: &Searched, kept: &[bool], end: &End, allowed: &BTreeSet<End>) -> String {
    let program = &spec.program;
    let columns = spec.watch.columns.iter().zip(kept).filter(|(_, kept)| **kept);
    let mut values: Vec<(String, Vec<Option<u8>>, bool)> = Vec::new();
    for (index, ((column, _), byte)) in columns.zip(end).enumerate() {
        let offset = column.address - program.globals[column.global.index()].address;
        let name = program.describe_global(column.global, offset);
        let differs = allowed.iter().any(|other| other[index] != *byte);
        match values.last_mut() {
            // A byte within a number is called after its start.
            Some((_, bytes, any)) if name.contains('+') && bytes.len() < 8 => {
                bytes.push(*byte);
                *any |= differs;
            }
            _ => values.push((name, vec![*byte], differs)),
        }
    }
    let text = |(name, bytes, _): &(String, Vec<Option<u8>>, bool)| {
        let number =
            bytes.iter().rev().try_fold(0u64, |sum, byte| Some(sum << 8 | u64::from((*byte)?)));
        match number {
            Some(number) => format!("{name} = {number}"),
            None => format!("{name} was never written"),
        }
    };
    let differing = values.iter().filter(|(.., differs)| *differs).map(text);
    differing.collect::<Vec<_>>().join(", ")
}

/// The ends of the executions of a search.
#[derive(Clone, Default)]
struct Ends {
    columns: Vec<Column>,
    /// Each end, with an execution that has it.
    ends: BTreeMap<End, Violation>,
    /// Variables that hold an object of a library.
    objects: BTreeSet<u32>,
    /// Bytes that are not compared.
    apart: BTreeSet<u64>,
}

impl Ends {
    fn add(&mut self, other: Ends) {
        for (end, found) in other.ends {
            self.ends.entry(end).or_insert(found);
        }
        self.objects.extend(other.objects);
        self.apart.extend(other.apart);
    }

    /// Which bytes are compared.
    fn kept(&self) -> Vec<bool> {
        let is_kept = |column: &Column| {
            !self.objects.contains(&column.global.0) && !self.apart.contains(&column.address)
        };
        self.columns.iter().map(is_kept).collect()
    }
}

/// Looks at the ends of executions.
struct Watcher<'s> {
    program: &'s Program,
    columns: &'s [Column],
    task: &'s Task,
    ends: Ends,
}

impl Watcher<'_> {
    /// What is not compared because of this execution.
    fn note(&mut self, execution: &Visit<'_, Vm>) {
        for &id in execution.graph.order() {
            let event = execution.graph.event(id);
            if !(event.is_read() || event.is_write()) {
                continue;
            }
            let (pc, info) = (event.place.0, execution.locations.info(event.location));
            let is_apart = event.is_write()
                && (starts_thread(self.program, pc)
                    || matches!(self.task, Task::Compare(code) if code.has(self.program, pc)));
            if is_apart {
                let bytes = info.address.0..info.address.0 + u64::from(info.size);
                self.ends.apart.extend(bytes);
            }
            if matches!(self.task, Task::Collect) && may_be_operation(self.program, pc) {
                self.ends.objects.extend(self.program.global_at(info.address.0).map(|id| id.0));
            }
        }
    }
}

/// Whether an instruction calls an operation, perhaps through a pointer.
fn may_be_operation(program: &Program, pc: u32) -> bool {
    let is_pointer =
        matches!(program.code.get(pc as usize), Some(Instruction::CallIndirect { .. }));
    is_pointer || program.operation_at(pc).is_some()
}

/// Whether an instruction starts a thread, and writes its handle, which may be any number.
fn starts_thread(program: &Program, pc: u32) -> bool {
    match program.code.get(pc as usize) {
        Some(Instruction::CallExternal { external, .. }) => {
            let name = program.externals[external.index()].name.as_str();
            matches!(name, "pthread_create" | "thrd_create")
        }
        _ => false,
    }
}

impl Seek for Watcher<'_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) -> ControlFlow<()> {
        self.note(execution);
        let byte =
            |column: &Column| last_byte(self.program, execution, column.global, column.address);
        let end: End = self.columns.iter().map(byte).collect();
        if self.ends.ends.len() > MOST_ENDS {
            return ControlFlow::Break(());
        }
        let shown = || Violation::at_end(execution, Claim::Condition);
        self.ends.ends.entry(end).or_insert_with(shown);
        ControlFlow::Continue(())
    }
}
