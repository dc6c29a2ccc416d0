//! What places, addresses, values and threads of a C program are called in reports.

mod objects;
mod values;

use crate::explain::qualified;
use norn_action::{Address, Fault, Image, Inside, Place, SyncObject, SyncState, ThreadId, Value};
use norn_explore::{Calls, Violation};
use norn_frontend::library::PARTS;
use norn_graph::Graph;
use norn_machine::Vm;
use norn_program::{Encoding, FunctionId, GlobalId, Instruction, Location, Operation, Program};
use norn_report::loops::LoopReport;
use norn_report::{Names, Spot, number};
use objects::ObjectNames;
use std::path::{Component, Path};
use values::scalar;

/// Names from the program's debug information.
pub(crate) struct ProgramNames<'v> {
    vm: &'v Vm,
    objects: ObjectNames<'v>,
}

/// Bits of an address that programs keep tags in: an object starts at a multiple of 16, and what is pointed to
/// within one mostly at one of 8.
const LOW_TAG: u64 = 7;

impl<'v> ProgramNames<'v> {
    pub(crate) fn new(vm: &'v Vm) -> ProgramNames<'v> {
        ProgramNames { vm, objects: ObjectNames::new(vm) }
    }

    fn program(&self) -> &Program {
        self.vm.program()
    }

    fn spot_of(&self, location: &Location) -> Spot {
        spot_of(self.program(), location)
    }

    /// What is at an address of an object.
    fn part(&self, graph: &Graph, address: Address, image: &Image) -> String {
        if self.objects.is_internal(image) {
            return self.vm.describe(address, image);
        }
        let mut path = self.objects.path(image, address.0 - image.start.0);
        cut_library_fields(&mut path);
        self.objects.of(graph, image).with(&path)
    }

    /// The path to what a pointer to `offset` of an object points to: `nodes[1]` rather than its first field.
    fn pointee(&self, image: &Image, offset: u64) -> String {
        let mut path = self.objects.path(image, offset);
        cut_library_fields(&mut path);
        let before = match offset {
            0 => String::new(),
            inside => self.objects.path(image, inside - 1),
        };
        while let Some((whole, field)) = path.rsplit_once('.') {
            let is_first = !before.starts_with(&format!("{whole}."));
            if !is_first || field.contains(['[', '+']) {
                break;
            }
            path.truncate(whole.len());
        }
        path
    }

    /// A pointer, if it leads to an object or a function, perhaps with a tag in bits that pointers leave free.
    fn pointer(&self, graph: &Graph, bits: u64) -> Option<String> {
        if let Some(untagged) = self.address(graph, bits) {
            return Some(untagged);
        }
        let (address, tag) = (bits << 16 >> 16, bits >> 48 << 48);
        (tag != 0).then(|| self.address(graph, address))?.map(|name| format!("{name} | {tag:#x}"))
    }

    fn address(&self, graph: &Graph, address: u64) -> Option<String> {
        if let Some((image, _)) = graph.objects().find(Address(address)) {
            return Some(self.address_in(graph, image, address - image.start.0));
        }
        if let Some(function) = self.program().function_at(address) {
            return Some(source_name(self.program(), function).to_owned());
        }
        if let Some(class) = self.vtable(address) {
            return Some(class);
        }
        let (image, _) = graph.objects().find(Address(address.checked_sub(1)?))?;
        let is_end = address == image.start.0 + image.size;
        is_end.then(|| self.end_of(graph, image))
    }

    /// What the pointer to the virtual functions of a class leads to. Two words stand before these.
    fn vtable(&self, address: u64) -> Option<String> {
        let mut globals = self.program().globals.iter();
        let is_in = |start: u64, size: u64| (start + 16..start + size).contains(&address);
        let table = globals.find(|global| is_in(global.address, global.size))?;
        let class = table.name.strip_prefix("_ZTV")?;
        Some(match qualified(&format!("_Z{class}")) {
            Some(class) => format!("vtable of {class}"),
            None => "a vtable".to_owned(),
        })
    }

    fn address_in(&self, graph: &Graph, image: &Image, offset: u64) -> String {
        let name = self.objects.of(graph, image);
        let path = self.pointee(image, offset);
        if image.kind.is_heap() {
            return name.with(&path);
        }
        let tag = offset & LOW_TAG;
        let untagged = self.pointee(image, offset - tag);
        if tag != 0 && path.contains('+') && !untagged.contains('+') {
            return format!("&{} | {tag}", name.with(&untagged));
        }
        format!("&{}", name.with(&path))
    }

    /// A pointer to right behind an object: `&cells[4]` behind an array of four.
    fn end_of(&self, graph: &Graph, image: &Image) -> String {
        let name = self.objects.of(graph, image);
        let path = self.objects.path(image, image.size);
        match (image.kind.is_heap(), path.contains('+')) {
            (true, _) => name.with(&path),
            (false, false) => format!("&{}", name.with(&path)),
            (false, true) => format!("&{} + 1", name.with("")),
        }
    }

    /// What the bits at an address mean, if their type is known.
    fn encoding(&self, graph: &Graph, address: Address, size: u8) -> Option<&Encoding> {
        let (image, _) = graph.objects().find(address)?;
        let offset = address.0 - image.start.0;
        self.program().types.encoding_of_part(self.objects.kind(image)?, offset, size.into())
    }

    /// A value whose type is known, wherever it is.
    pub(crate) fn of_type(
        &self,
        graph: &Graph,
        encoding: &Encoding,
        size: u8,
        value: Value,
    ) -> String {
        if !matches!(encoding, Encoding::Pointer) || value == Value::ZERO {
            return scalar(encoding, size, value);
        }
        let bits = value.low();
        let pointer = self.pointer(graph, bits).or_else(|| self.private_global(bits));
        pointer.unwrap_or_else(|| format!("{bits:#x}"))
    }

    /// A pointer to a global that one thread alone knows.
    fn private_global(&self, address: u64) -> Option<String> {
        let program = self.program();
        let ids = (0..program.globals.len() as u32).map(GlobalId);
        let is_in = |id: &GlobalId| {
            let global = &program.globals[id.index()];
            address.checked_sub(global.address).is_some_and(|offset| offset < global.size)
        };
        let id = ids.into_iter().find(is_in)?;
        let global = &program.globals[id.index()];
        match address - global.address {
            0 => Some(format!("&{}", global.source_name.as_ref().unwrap_or(&global.name))),
            offset => Some(format!("&{}", program.describe_global(id, offset))),
        }
    }

    /// The function that the thread started by the call at `place` runs.
    fn started_function(&self, place: Place) -> Option<&str> {
        let program = self.program();
        let Instruction::CallExternal { external, args, count, .. } =
            *program.code.get(place.0 as usize)?
        else {
            return None;
        };
        let position = match program.externals[external.index()].name.as_str() {
            "pthread_create" => 2,
            "thrd_create" => 1,
            _ => return None,
        };
        let arguments = program.arguments.get(args as usize..)?.get(..usize::from(count))?;
        let constant = arguments.get(position)?.constant_index()?;
        let function = program.function_at(*program.constants.get(constant as usize)?)?;
        Some(source_name(program, function))
    }
}

/// What a function is called in the source.
pub(crate) fn source_name(program: &Program, id: FunctionId) -> &str {
    let function = &program.functions[id.index()];
    let source = program.source.get(function.location);
    let name = source.map(|location| program.source.string(location.function));
    name.filter(|name| !name.is_empty()).unwrap_or(&function.name)
}

/// What is wrong with the program of `vm`, in one sentence.
pub fn fault_sentence(vm: &Vm, fault: &Fault) -> String {
    norn_report::fault_sentence(fault, &ProgramNames::new(vm), &Graph::new(1))
}

/// Where an instruction stands, and where the functions were called that it was inlined from, innermost first.
pub(crate) fn places(program: &Program, place: Place) -> impl Iterator<Item = &Location> {
    let outer = |location: &&Location| program.source.get(location.inlined_at?);
    std::iter::successors(program.location(place), outer)
}

/// The place in the program's own files that an instruction belongs to.
pub(crate) fn own(program: &Program, pc: u32) -> Option<&Location> {
    let is_own = |location: &&Location| !is_library(program.source.string(location.file));
    places(program, Place(pc)).find(is_own)
}

/// A location of a program.
pub(crate) fn spot_of(program: &Program, location: &Location) -> Spot {
    let text = |id| program.source.string(id).to_owned();
    Spot {
        file: text(location.file),
        line: location.line,
        column: location.column,
        function: Some(text(location.function)).filter(|name| !name.is_empty()),
    }
}

/// Nothing for `.__data.__lock`: fields of the C library's types tell the reader nothing.
pub(crate) fn cut_library_fields(path: &mut String) {
    if let Some(position) = path.find(".__") {
        path.truncate(position);
    }
}

impl Names for ProgramNames<'_> {
    fn spot(&self, place: Place) -> Option<Spot> {
        self.program().location(place).map(|location| self.spot_of(location))
    }

    fn inlined(&self, place: Place) -> Vec<Spot> {
        let outer = places(self.program(), place).skip(1);
        outer.map(|location| self.spot_of(location)).collect()
    }

    fn loop_at(&self, place: Place) -> Option<LoopReport> {
        crate::loops::loop_at(self.program(), place)
    }

    fn calls(&self, violation: &Violation) -> Calls {
        norn_explore::calls(self.vm, violation)
    }

    fn object(&self, graph: &Graph, address: Address) -> String {
        match graph.objects().find(address) {
            Some((image, _)) => self.objects.of(graph, image).with(""),
            None => self.variable(graph, address, 0),
        }
    }

    fn type_name(&self, graph: &Graph, address: Address, size: u8) -> Option<String> {
        let (image, _) = graph.objects().find(address)?;
        let kind = self.program().type_of_place(image.place)?;
        let offset = address.0 - image.start.0;
        self.program().types.name_of_part(kind, offset, u64::from(size)).map(str::to_owned)
    }

    fn variable(&self, graph: &Graph, address: Address, _: u8) -> String {
        match graph.objects().find(address) {
            Some((image, _)) => self.part(graph, address, image),
            None => self.vm.describe_address(address),
        }
    }

    fn value(&self, graph: &Graph, address: Address, size: u8, value: Value) -> String {
        let encoding = self.encoding(graph, address, size);
        let holds_pointers = match encoding {
            None | Some(Encoding::Unknown | Encoding::Pointer) => size == 8,
            // `uintptr_t` and the like.
            Some(_) => {
                self.type_name(graph, address, size).is_some_and(|name| name.contains("ptr"))
            }
        };
        let pointer = holds_pointers.then(|| self.pointer(graph, value.low())).flatten();
        pointer.unwrap_or_else(|| match encoding {
            Some(encoding) => scalar(encoding, size, value),
            None => number(value, size),
        })
    }

    fn private(&self, inside: &Inside) -> String {
        let mut name = self.vm.describe_inside(inside);
        cut_library_fields(&mut name);
        name
    }

    fn private_object(&self, inside: &Inside) -> String {
        self.objects.private(inside)
    }

    fn sync_state(&self, object: SyncObject, value: Value) -> Option<SyncState> {
        norn_machine::sync_state(object, value.low())
    }

    fn operation(&self, place: Place) -> Option<String> {
        self.program().operation_at(place.0).map(Operation::full_name)
    }

    fn is_library(&self, file: &str) -> bool {
        is_library(file)
    }

    fn thread(&self, graph: &Graph, thread: ThreadId) -> String {
        if thread == ThreadId::MAIN {
            return "main".to_owned();
        }
        let spawn = graph.spawned_by(thread);
        let function =
            if spawn.is_real() { self.started_function(graph.event(spawn).place) } else { None };
        match function {
            Some(function) => format!("{thread} ({function})"),
            None => thread.to_string(),
        }
    }
}

/// Whether a file is a header of the system, of a compiler, or Norn's own.
pub(crate) fn is_library(file: &str) -> bool {
    let parts: Vec<&str> = Path::new(file)
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let has = |pair: [&str; 2]| parts.windows(2).any(|two| two == pair);
    let is_absolute = Path::new(file).is_absolute();
    let is_own = parts.last() == Some(&"norn.h")
        || matches!(parts[..], ["norn", last] if PARTS.iter().any(|part| part.name == last));
    is_absolute
        && (is_own || has(["include", "c++"]) || has(["lib", "clang"]) || has(["usr", "include"]))
}

#[cfg(test)]
mod tests {
    use super::is_library;

    #[test]
    fn headers_of_the_system_are_no_part_of_the_program() {
        assert!(is_library(
            "/usr/bin/../lib/gcc/x86_64-linux-gnu/14/../../../../include/c++/14/thread"
        ));
        assert!(is_library("/usr/include/pthread.h"));
        assert!(is_library("/usr/lib/llvm-19/lib/clang/19/include/stdatomic.h"));
        assert!(is_library("/tmp/norn-1/norn.h"));
        assert!(is_library("/norn/tree.cpp"));
        assert!(!is_library("/norn/forest.cpp"));
        assert!(!is_library("include/c++/queue.h"));
        assert!(!is_library("/src/queue/queue.h"));
    }
}
