//! Lines of the source that are asked for, and the accesses that stand there.
//!
//! What one thread alone can reach, what the main thread does before there are others, and what cannot change are no
//! events of a graph. So that they can be asked for, too, a mark is put before each instruction of the lines that
//! accesses memory: an event that does nothing. It stands for the access where that is none. A mark orders nothing and
//! is not ordered by anything but its thread, as a plain access of such memory is.
//!
//! A loop that waits has one read, the one that ends the wait. In the lines that are asked for the others count as well:
//! no read there is taken for a wait, and an iteration that comes back without an effect ends the execution. The first one
//! stands for all: take those before it out of an execution with several, and fewer events are ordered in what is left.

use crate::error::InputError;
use crate::program_names::{is_library, own};
use norn_action::Place;
use norn_machine::MARK;
use norn_program::{Edit, External, ExternalId, Instruction, Program, Register};
use std::collections::BTreeSet;
use std::path::{Component, Path};

/// A line, as its file is called in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    file: u32,
    line: u32,
    /// As reports name it.
    pub(super) name: String,
}

impl Line {
    /// The line that is written as `FILE:LINE`. It must have an access.
    pub(super) fn read(program: &Program, text: &str) -> Result<Line, InputError> {
        let refuse = |why: String| InputError::Refused(format!("--unordered: {why}"));
        let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let Some((file, line)) = parts.filter(|&(_, line): &(&str, u32)| line > 0) else {
            return Err(refuse(format!("`{text}` is no place; write FILE:LINE, as in queue.c:17")));
        };
        let lines = accessing_lines(program);
        let files: BTreeSet<u32> = lines.iter().map(|&(file, _)| file).collect();
        let name = |id: u32| program.source.string(id);
        let fit = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
            files.iter().copied().filter(|&id| fits(name(id))).collect()
        };
        // As it is written there, however it is written, or by the end of its path.
        let mut candidates = fit(&|name| name == file);
        if candidates.is_empty() {
            candidates = fit(&|name| is_same_file(file, name));
        }
        if candidates.is_empty() {
            candidates = fit(&|name| is_end_of(file, name));
        }
        let file = match candidates[..] {
            [file] => file,
            [] => return Err(refuse(format!("no file `{file}` of the program accesses memory"))),
            _ => {
                let mut names: Vec<&str> = candidates.iter().map(|&id| name(id)).collect();
                names.sort_unstable();
                let names = names.join(", ");
                return Err(refuse(format!(
                    "`{file}` may be any of {names}; say more of its path"
                )));
            }
        };
        if !lines.contains(&(file, line)) {
            let near = near(&lines, file, line);
            let file = name(file);
            return Err(refuse(format!(
                "{file}:{line} accesses no memory that is known; nearby: {near}"
            )));
        }
        Ok(Line { file, line, name: format!("{}:{line}", name(file)) })
    }

    /// Whether an instruction stands there, or is of a library that was inlined there.
    fn has(&self, program: &Program, pc: u32) -> bool {
        own(program, pc).is_some_and(|at| (at.file, at.line) == (self.file, self.line))
    }

    /// Whether what was done at a place, in some calls, was done for this line.
    pub(super) fn is_at(&self, program: &Program, place: Place, calls: &[Place]) -> bool {
        let mut places = std::iter::once(&place).chain(calls).map(|place| place.0);
        places.find(|&pc| own(program, pc).is_some()).is_some_and(|pc| self.has(program, pc))
    }
}

/// Whether two paths lead to the same file.
fn is_same_file(one: &str, other: &str) -> bool {
    let whole = |path: &str| Path::new(path).canonicalize().ok();
    whole(one).is_some_and(|one| whole(other) == Some(one))
}

/// Whether a path ends as another does: `b.c` for `a/b.c`.
fn is_end_of(end: &str, path: &str) -> bool {
    let parts = |path| -> Vec<Component<'_>> {
        Path::new(path).components().filter(|part| *part != Component::CurDir).collect()
    };
    parts(path).ends_with(&parts(end))
}

/// The lines with accesses that are nearest to one without, in words.
fn near(lines: &BTreeSet<(u32, u32)>, file: u32, line: u32) -> String {
    let mut near: Vec<u32> = lines.iter().filter(|of| of.0 == file).map(|of| of.1).collect();
    near.sort_by_key(|other| other.abs_diff(line));
    near.truncate(6);
    near.sort_unstable();
    let numbers: Vec<String> = near.iter().map(u32::to_string).collect();
    format!("line{} {}", if near.len() == 1 { "" } else { "s" }, numbers.join(", "))
}

/// The lines of the program's own files that may access memory.
fn accessing_lines(program: &Program) -> BTreeSet<(u32, u32)> {
    let all = 0..program.code.len() as u32;
    let may = |&pc: &u32| accesses(program, pc) || calls_library(program, pc);
    let places = all.filter(may).filter_map(|pc| own(program, pc));
    places.filter(|at| at.line > 0).map(|at| (at.file, at.line)).collect()
}

/// Whether an instruction accesses memory by itself.
fn accesses(program: &Program, pc: u32) -> bool {
    match program.code[pc as usize] {
        Instruction::Load { .. }
        | Instruction::Store { .. }
        | Instruction::Rmw { .. }
        | Instruction::CompareExchange { .. }
        | Instruction::CopyMemory { .. }
        | Instruction::SetMemory { .. } => true,
        Instruction::CallExternal { external, .. } => {
            norn_machine::may_access(&program.externals[external.index()].name)
        }
        _ => false,
    }
}

/// Whether an instruction is a weak compare-exchange, a try for a lock or a wait that may end for no reason.
fn may_fail(program: &Program, pc: u32) -> bool {
    match program.code[pc as usize] {
        Instruction::CompareExchange { .. } => program.weak_exchanges.binary_search(&pc).is_ok(),
        Instruction::CallExternal { external, .. } => {
            let name = &program.externals[external.index()].name;
            ["wait", "try"].iter().any(|part| name.contains(part)) && !name.starts_with("sem_")
        }
        _ => false,
    }
}

/// Whether an instruction of the program's own calls a function of a library that it was compiled with.
fn calls_library(program: &Program, pc: u32) -> bool {
    let Instruction::Call { function, .. } = program.code[pc as usize] else { return false };
    let entry = program.functions[function.index()].entry;
    let location = program.location(Place(entry));
    own(program, pc).is_some()
        && location.is_some_and(|at| is_library(program.source.string(at.file)))
}

/// A program with marks.
pub(super) struct Marked {
    pub(super) program: Program,
    pub(super) marks: Marks,
    /// Whether an access of the lines may fail, or end its wait, for no reason.
    pub(super) fails: bool,
    /// Whether lines that were asked for call functions of a library, so that it matters who called these.
    pub(super) through_calls: bool,
}

impl Marked {
    /// Puts marks before the accesses of `lines`.
    pub(super) fn new(mut program: Program, lines: &[Line; 2]) -> Result<Marked, InputError> {
        let all = 0..program.code.len() as u32;
        let asked = |pc: u32| lines.iter().any(|line| line.has(&program, pc));
        let through_calls = all.clone().any(|pc| asked(pc) && calls_library(&program, pc));
        let is_asked = |program: &Program, pc: u32| match own(program, pc) {
            Some(_) => lines.iter().any(|line| line.has(program, pc)),
            None => through_calls,
        };
        let marked: Vec<u32> =
            all.filter(|&pc| is_asked(&program, pc) && accesses(&program, pc)).collect();
        let fails = marked.iter().any(|&pc| may_fail(&program, pc));
        let mark = ExternalId(program.externals.len() as u32);
        program.externals.push(External {
            name: MARK.to_owned(),
            result_bits: None,
            operation: None,
        });
        let mut edit = Edit::new(&mut program);
        for pc in marked {
            let dst = Register(0);
            let call =
                Instruction::CallExternal { results: 0, count: 0, external: mark, args: 0, dst };
            edit.insert_before(pc, &[call]);
        }
        edit.apply();
        // What is known of code is forgotten where it is changed.
        norn_transform::standard(&mut program)?;
        let mut watched = std::mem::take(&mut program.watched);
        watched.retain(|&pc| !is_asked(&program, pc));
        program.watched = watched;
        let is_mark = |pc: &u32| {
            matches!(program.code[*pc as usize],
                Instruction::CallExternal { external, .. } if external == mark)
        };
        let marks = Marks((0..program.code.len() as u32).filter(is_mark).collect());
        Ok(Marked { program, marks, through_calls, fails })
    }
}

/// Where the marks of a program are. Right behind each is the access that it stands before.
pub(super) struct Marks(BTreeSet<u32>);

impl Marks {
    pub(super) fn has(&self, place: Place) -> bool {
        self.0.contains(&place.0)
    }
}

#[cfg(test)]
mod tests {
    use super::is_end_of;

    #[test]
    fn a_file_can_be_named_by_the_end_of_its_path() {
        assert!(
            is_end_of("b.c", "a/b.c") && is_end_of("./b.c", "b.c") && is_end_of("a/b.c", "a/b.c")
        );
        assert!(!is_end_of("b.c", "a/bb.c") && !is_end_of("c/b.c", "a/b.c"));
    }
}
