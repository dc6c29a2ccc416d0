//! What places, addresses, values and threads of a C program are called in reports.

use norn_action::{Address, Image, Inside, Place, ThreadId, Value, Wrong};
use norn_explore::{Calls, Violation};
use norn_graph::Graph;
use norn_machine::Vm;
use norn_models::{Model, ModelName, ModelVisitor};
use norn_program::{Instruction, Location, Program};
use norn_report::{Names, Spot, number};

/// Names from the program's debug information.
pub(crate) struct ProgramNames<'v> {
    vm: &'v Vm,
}

impl<'v> ProgramNames<'v> {
    pub(crate) fn new(vm: &'v Vm) -> ProgramNames<'v> {
        ProgramNames { vm }
    }

    fn program(&self) -> &Program {
        self.vm.program()
    }

    fn spot_of(&self, location: &Location) -> Spot {
        let text = |id| self.program().source.string(id).to_owned();
        Spot {
            file: text(location.file),
            line: location.line,
            column: location.column,
            function: Some(text(location.function)).filter(|name| !name.is_empty()),
        }
    }

    /// A heap object by the line that allocated it, and its number among those of that line.
    fn heap_name(&self, graph: &Graph, image: &Image) -> String {
        let same_line = |other: &&Image| {
            other.kind.is_heap()
                && self.program().location_id(other.place)
                    == self.program().location_id(image.place)
        };
        let siblings = graph.objects().iter().map(|(other, _)| other).filter(same_line);
        let mut starts: Vec<u64> = siblings.map(|other| other.start.0).collect();
        starts.sort_unstable();
        let line = self.program().location(image.place).map_or(0, |location| location.line);
        if starts.len() < 2 {
            return format!("heap:{line}");
        }
        let number = starts.iter().position(|&start| start == image.start.0).unwrap_or(0);
        format!("heap:{line}#{}", number + 1)
    }

    fn object(&self, graph: &Graph, address: Address, image: &Image) -> String {
        if !image.kind.is_heap() {
            return without_library_fields(self.vm.describe(address, image));
        }
        let name = self.heap_name(graph, image);
        match address.0 - image.start.0 {
            0 => name,
            offset => format!("{name}+{offset}"),
        }
    }

    /// What a pointer to `address` points to: `nodes[1]` rather than its first field.
    fn pointee(&self, graph: &Graph, address: Address, image: &Image) -> String {
        let mut name = self.object(graph, address, image);
        let before = match address.0 {
            start if start == image.start.0 => String::new(),
            inside => self.vm.describe(Address(inside - 1), image),
        };
        while let Some((whole, field)) = name.rsplit_once('.') {
            let is_first = !before.starts_with(&format!("{whole}."));
            if !is_first || field.contains(['[', '+']) {
                break;
            }
            name.truncate(whole.len());
        }
        name
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
        Some(&program.functions[function.index()].name)
    }
}

/// What is wrong with the program of `vm`, in one sentence.
pub fn fault_sentence(vm: &Vm, what: &Wrong) -> String {
    norn_report::fault_sentence(what, &ProgramNames::new(vm), &Graph::new(1))
}

/// `m` for `m.__data.__lock`: fields of the C library's types tell the reader nothing.
fn without_library_fields(mut name: String) -> String {
    if let Some(position) = name.find(".__") {
        name.truncate(position);
    }
    name
}

/// Runs the program along a violation.
struct CallsOf<'v> {
    vm: &'v Vm,
    violation: &'v Violation,
}

impl ModelVisitor for CallsOf<'_> {
    type Output = Calls;

    fn visit<Mo: Model>(self) -> Self::Output {
        norn_explore::calls::<_, Mo>(self.vm, self.violation)
    }
}

impl Names for ProgramNames<'_> {
    fn spot(&self, place: Place) -> Option<Spot> {
        self.program().location(place).map(|location| self.spot_of(location))
    }

    fn inlined(&self, place: Place) -> Vec<Spot> {
        let outer = |location: &&Location| self.program().source.get(location.inlined_at?);
        let chain = std::iter::successors(self.program().location(place), outer);
        chain.skip(1).map(|location| self.spot_of(location)).collect()
    }

    fn calls(&self, violation: &Violation, model: ModelName) -> Calls {
        model.with(CallsOf { vm: self.vm, violation })
    }

    fn object(&self, graph: &Graph, address: Address) -> String {
        let Some((image, _)) = graph.objects().find(address) else {
            return self.variable(graph, address, 0);
        };
        let name = self.pointee(graph, image.start, image);
        // The first element stands for the array.
        name.split_once('[').map_or(name.as_str(), |(array, _)| array).to_owned()
    }

    fn type_name(&self, graph: &Graph, address: Address, size: u8) -> Option<String> {
        let (image, _) = graph.objects().find(address)?;
        let kind = self.program().type_of_place(image.place)?;
        let offset = address.0 - image.start.0;
        self.program().types.name_of_part(kind, offset, u64::from(size)).map(str::to_owned)
    }

    fn variable(&self, graph: &Graph, address: Address, _: u8) -> String {
        match graph.objects().find(address) {
            Some((image, _)) => self.object(graph, address, image),
            None => without_library_fields(self.vm.describe_address(address)),
        }
    }

    fn value(&self, graph: &Graph, _: Address, size: u8, value: Value) -> String {
        if size == 8 {
            let address = Address(value.low());
            if let Some((image, _)) = graph.objects().find(address) {
                return match image.kind {
                    kind if kind.is_heap() => self.object(graph, address, image),
                    _ => format!("&{}", self.pointee(graph, address, image)),
                };
            }
            if let Some(function) = self.program().function_at(address.0) {
                return self.program().functions[function.index()].name.clone();
            }
        }
        number(value, size)
    }

    fn private(&self, inside: &Inside) -> String {
        without_library_fields(self.vm.describe_inside(inside))
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
