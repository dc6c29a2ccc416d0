//! What objects of a C program are called, so that no two of one report have the same name.
//!
//! An object is called what its declaration calls it, or `heap:20` if line 20 allocated it. Where that is
//! the name of several objects that the execution knows, what they differ in is added, and only that:
//!
//! 1. the file, in front: `queue.c:lock`, `heap:queue.c:20` (always if a library allocates);
//! 2. the line of the declaration, behind: `i (line 12)`;
//! 3. the thread, for what each thread has its own of: `buffer (thread 2)`;
//! 4. a number, in the order of addresses: `heap:20#2`, `frame#3`.
//!
//! The number tells those apart that nothing else does, so that names are different whatever happens. What
//! is inside an object is named by a path between the name and what is added behind it: `nodes[1].next (line
//! 7)`. A name is one of all objects of one graph: in another violation of the same program it may be shorter.

use super::is_library;
use norn_action::{Address, Image, Inside, ObjectKind, ThreadId};
use norn_graph::Graph;
use norn_machine::Vm;
use norn_program::{Instruction, Location, Program, TypeId, layout};
use norn_report::distinct_file;

/// A name in three parts; the path to a byte of the object stands between the last two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Name {
    before: String,
    name: String,
    after: String,
}

impl Name {
    /// The name of what `path` leads to.
    pub(crate) fn with(&self, path: &str) -> String {
        format!("{}{}{path}{}", self.before, self.name, self.after)
    }
}

/// What a declaration or an allocation says of its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root<'p> {
    /// A variable, by its name.
    Variable(&'p str),
    /// Memory from an allocator, by the line that asked for it.
    Heap(u32),
    /// An object of the runtime, or one that nothing is known of.
    Other,
}

/// Where an object is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin<'p> {
    root: Root<'p>,
    file: &'p str,
    line: u32,
    thread: Option<u32>,
}

/// Gives objects names.
#[derive(Clone, Copy)]
pub(crate) struct ObjectNames<'v> {
    vm: &'v Vm,
}

impl<'v> ObjectNames<'v> {
    pub(crate) fn new(vm: &'v Vm) -> ObjectNames<'v> {
        ObjectNames { vm }
    }

    fn program(&self) -> &'v Program {
        self.vm.program()
    }

    /// Whether the object is one of the runtime, which the source does not know.
    pub(crate) fn is_internal(&self, image: &Image) -> bool {
        self.origin(&inside(image)).root == Root::Other
    }

    /// The name of an object of `graph`.
    pub(crate) fn of(&self, graph: &Graph, image: &Image) -> Name {
        let own = self.origin(&inside(image));
        let (Root::Variable(_) | Root::Heap(_)) = own.root else {
            return Name { name: self.vm.describe(image.start, image), ..Name::default() };
        };
        let mut siblings: Vec<(Origin<'v>, Address)> = graph
            .objects()
            .iter()
            .map(|(other, _)| (self.origin(&inside(other)), other.start))
            .filter(|(other, _)| other.root == own.root)
            .collect();
        let mut name = Name { name: own.root.text(), ..Name::default() };
        let allocated_by_library = matches!(own.root, Root::Heap(_)) && is_library(own.file);
        if allocated_by_library || siblings.iter().any(|(other, _)| other.file != own.file) {
            let files = siblings.iter().map(|(other, _)| other.file);
            name.set_file(own.root, distinct_file(own.file, files));
        }
        siblings.retain(|(other, _)| other.file == own.file);
        let mut added = Vec::new();
        if siblings.iter().any(|(other, _)| other.line != own.line) {
            added.push(format!("line {}", own.line));
        }
        siblings.retain(|(other, _)| other.line == own.line);
        if let Some(thread) = own.thread
            && siblings.iter().any(|(other, _)| other.thread != own.thread)
        {
            added.push(ThreadId(thread).to_string());
        }
        siblings.retain(|(other, _)| other.thread == own.thread);
        let mut starts: Vec<Address> = siblings.iter().map(|&(_, start)| start).collect();
        starts.sort_unstable();
        starts.dedup();
        if starts.len() > 1 {
            let number = starts.iter().position(|&start| start == image.start).unwrap_or(0);
            name.name += &format!("#{}", number + 1);
        }
        if !added.is_empty() {
            name.after = format!(" ({})", added.join(", "));
        }
        name
    }

    /// The name of an object that only its thread knows. Reports name at most one such object.
    pub(crate) fn private(&self, object: &Inside) -> String {
        match self.origin(object).root {
            root @ (Root::Variable(_) | Root::Heap(_)) => root.text(),
            Root::Other => self.vm.describe_inside(&Inside { offset: 0, ..*object }),
        }
    }

    /// The path from an object to the byte at `offset`; of heap memory nobody knows the type.
    pub(crate) fn path(&self, image: &Image, offset: u64) -> String {
        match (self.kind(image), offset) {
            (Some(kind), _) => self.program().types.path(kind, offset),
            (None, 0) => String::new(),
            (None, _) => format!("+{offset}"),
        }
    }

    /// The type of an object, if it is known.
    pub(crate) fn kind(&self, image: &Image) -> Option<TypeId> {
        let known = !image.kind.is_heap();
        known.then(|| self.program().type_of_place(image.place)).flatten()
    }

    fn origin(&self, object: &Inside) -> Origin<'v> {
        let program = self.program();
        let of = |root, location: Option<&'v Location>, thread| Origin {
            root,
            file: location.map_or("", |location| program.source.string(location.file)),
            line: location.map_or(0, |location| location.line),
            thread,
        };
        let thread = layout::region_thread(object.start.0);
        if let Some(global) = program.global_of_place(object.place) {
            let global = &program.globals[global.index()];
            let name = global.source_name.as_ref().unwrap_or(&global.name);
            return of(Root::Variable(name), program.source.get(global.location), thread);
        }
        if object.kind.is_heap() {
            let location = program.location(object.place);
            let line = location.map_or(0, |location| location.line);
            return of(Root::Heap(line), location, None);
        }
        match program.code.get(object.place.0 as usize) {
            Some(Instruction::Alloca { local, .. }) if object.kind == ObjectKind::Stack => {
                let local = &program.locals[local.index()];
                let name = if local.name.is_empty() { "<temporary>" } else { &local.name };
                of(Root::Variable(name), program.source.get(local.location), thread)
            }
            _ => of(Root::Other, None, None),
        }
    }
}

impl Root<'_> {
    fn text(self) -> String {
        match self {
            Root::Variable(name) => name.to_owned(),
            Root::Heap(line) => format!("heap:{line}"),
            Root::Other => String::new(),
        }
    }
}

impl Name {
    fn set_file(&mut self, root: Root<'_>, file: &str) {
        match root {
            Root::Heap(line) => self.name = format!("heap:{file}:{line}"),
            _ => self.before = format!("{file}:"),
        }
    }
}

fn inside(image: &Image) -> Inside {
    let Image { kind, place, start, .. } = *image;
    Inside { kind, place, start, offset: 0 }
}
