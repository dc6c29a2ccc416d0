//! The program and its tables.

use crate::layout::{EXTERNALS, FUNCTION_STEP, FUNCTIONS};
use crate::{
    Counter, Instruction, Location, LocationId, Operand, Operation, Pad, Register, SourceMap,
    TypeId, TypeTable,
};
use norn_action::Place;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A function with a body.
    FunctionId
}
id! {
    /// A function that the runtime provides.
    ExternalId
}
id! {
    /// A global variable.
    GlobalId
}
id! {
    /// A local variable that lives in memory.
    LocalId
}
id! {
    /// A loop.
    LoopId
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// Cells of parameters; they arrive in the first registers.
    pub params: u32,
    /// Cells of result.
    pub results: u32,
    /// The width of a result that is one number, in bits.
    pub result_bits: Option<u8>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Cells of a frame, parameters included.
    pub registers: u32,
    /// First instruction.
    pub entry: u32,
    /// One past the last instruction.
    pub end: u32,
    /// Where it is defined.
    pub location: LocationId,
}

/// A function that the runtime provides, found by its name when the machine loads the program, or an operation.
#[derive(Clone, Debug)]
pub struct External {
    /// Its symbol.
    pub name: String,
    /// The width of a result that is one number, in bits, as calls have it.
    pub result_bits: Option<u8>,
    /// Which of [`Program::operations`] it is, if it is one.
    pub operation: Option<u32>,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its symbol.
    pub name: String,
    /// The name in the source, if it is another one (a static of a function, a namespace).
    pub source_name: Option<String>,
    /// First byte. Thread-locals have one too, but only their copies are ever accessed.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
    /// Alignment, a power of two.
    pub align: u64,
    /// Initial content with final addresses; what follows up to `size` is zero.
    pub bytes: Vec<u8>,
    /// May not be written.
    pub constant: bool,
    /// Each thread has its own copy.
    pub thread_local: bool,
    /// Its type, if known.
    pub kind: Option<TypeId>,
    /// Where it is declared.
    pub location: LocationId,
}

/// A local variable that lives in memory.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name in the source; empty for temporaries.
    pub name: String,
    /// Alignment, a power of two.
    pub align: u64,
    /// Its type, if known.
    pub kind: Option<TypeId>,
    /// Where it is declared.
    pub location: LocationId,
}

/// A local variable of the source that lives in registers: what they are called there.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The function whose frame it is in.
    pub function: FunctionId,
    /// Its first register, which holds nothing else.
    pub register: Register,
    /// Its name in the source.
    pub name: String,
    /// Its type, if known.
    pub kind: Option<TypeId>,
}

/// A loop whose header is an [`Instruction::LoopHeader`].
#[derive(Clone, Debug)]
pub struct Loop {
    /// The function it is in.
    pub function: FunctionId,
    /// Registers whose content at the header decides what the next iterations do.
    pub live: Vec<Register>,
    /// Program counter of the header.
    pub header: u32,
    /// Whether it can be left at its top, so that its iterations start at an
    /// [`Instruction::LoopIteration`] rather than at the header.
    pub tested: bool,
    /// A register that only says how often it goes round, if there is one. Found by a pass; none is as right as any.
    pub counter: Option<Counter>,
    /// Set if it is no loop of its own, but another place at which to look at one. Found by a pass; none is as right as
    /// any.
    pub turn: Option<Turn>,
}

/// The end of an iteration that also stands before the loop, instruction by instruction:
///
/// ```c
/// x = try();
/// while (!x) {
///     wait();
///     x = try();
/// }
/// ```
///
/// A thread that comes to either `try()` with the same in its registers goes on in the same way. So the loop can be taken
/// to go round there, too, which shows more: what the first try does is part of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Program counter of the other [`Instruction::LoopHeader`] of this one. [`Loop::header`] is that in the loop.
    pub before: u32,
    /// The loop.
    pub of: LoopId,
}

/// A read, or a read-modify-write, of whose answer only one thing is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its program counter.
    pub read: u32,
    /// The jump that compares its answer with a constant. Nothing else is done with the answer, but for jumps that compare
    /// in the same way.
    pub jump: u32,
    /// Whether the answer is what is compared, and not what it is compared with.
    pub first: bool,
}

/// A switch table.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Values and targets, by ascending value, each value once.
    pub cases: Vec<(u64, u32)>,
    /// Where any other value goes.
    pub default: u32,
}

impl Switch {
    /// The target for a value.
    #[inline]
    pub fn target(&self, value: u64) -> u32 {
        match self.cases.binary_search_by_key(&value, |case| case.0) {
            Ok(i) => self.cases[i].1,
            Err(_) => self.default,
        }
    }
}

/// A program. Built by [`crate::ProgramBuilder`]; what holds of it is listed at
/// [`Program::verify`].
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All instructions of all functions.
    pub code: Vec<Instruction>,
    /// The source location of each instruction.
    pub locations: Vec<LocationId>,
    /// The constant pool.
    pub constants: Vec<u64>,
    /// Argument lists of calls.
    pub arguments: Vec<Operand>,
    /// Functions with a body.
    pub functions: Vec<Function>,
    /// Functions of the runtime.
    pub externals: Vec<External>,
    /// Operations of libraries.
    pub operations: Vec<Operation>,
    /// The functions that became operations, in order; their bodies only call these.
    pub replaced: Vec<FunctionId>,
    /// Global variables, by ascending address.
    pub globals: Vec<Global>,
    /// Local variables in memory.
    pub locals: Vec<Local>,
    /// Local variables in registers, by function. Only names depend on them.
    pub variables: Vec<Variable>,
    /// Loops.
    pub loops: Vec<Loop>,
    /// Switch tables.
    pub switches: Vec<Switch>,
    /// Texts of traps, unsupported instructions and initialisation checks.
    pub messages: Vec<String>,
    /// Where calls go on that are left by an exception, by ascending program counter of the call.
    pub pads: Vec<Pad>,
    /// Compare-exchanges, by ascending program counter, that may fail for no reason.
    pub weak_exchanges: Vec<u32>,
    /// Reads and read-modify-writes, by ascending program counter, after which a thread may come back to the
    /// head of a loop without having done anything: a machine may take them for waits. Found by a pass; none
    /// is as right as any.
    pub watched: Vec<u32>,
    /// Read-modify-writes, by ascending program counter, whose answers nobody looks at. Found by a pass; none is
    /// as right as all of them.
    pub unused: Vec<u32>,
    /// Reads of whose answers only one thing is asked, by ascending program counter. Found by a pass; none is as right as all
    /// of them.
    pub asked: Vec<Asked>,
    /// Functions, in order, that do not look at their only parameter. Found by a pass; none is as right as all of them.
    pub ignoring: Vec<FunctionId>,
    /// Whether addresses become numbers, or are compared for order, anywhere.
    pub addresses_are_numbers: bool,
    /// Functions to run before `main`, in order.
    pub constructors: Vec<FunctionId>,
    /// Functions to run after `main`, in order.
    pub destructors: Vec<FunctionId>,
    /// Where it starts.
    pub main: Option<FunctionId>,
    /// Source locations.
    pub source: SourceMap,
    /// Types of variables.
    pub types: TypeTable,
}

/// Places at or above this one name the declaration of a global, not an instruction.
const GLOBAL_PLACES: u32 = 1 << 31;

impl Program {
    /// The loop that goes round at the header of `id`, which may be a [`Turn`].
    pub fn whole_loop(&self, id: LoopId) -> LoopId {
        self.loops[id.index()].turn.map_or(id, |turn| turn.of)
    }

    /// The turn of a loop, if it has one.
    pub fn turn_of(&self, id: LoopId) -> Option<LoopId> {
        let is_its = |item: &Loop| item.turn.is_some_and(|turn| turn.of == id);
        self.loops.iter().position(is_its).map(|index| LoopId(index as u32))
    }

    /// The address of a function with a body.
    #[inline]
    pub fn function_address(id: FunctionId) -> u64 {
        FUNCTIONS + u64::from(id.0) * FUNCTION_STEP
    }

    /// The address of a function of the runtime.
    #[inline]
    pub fn external_address(id: ExternalId) -> u64 {
        EXTERNALS + u64::from(id.0) * FUNCTION_STEP
    }

    /// The function with a body at an address.
    #[inline]
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        let offset = address.checked_sub(FUNCTIONS)?;
        let index = offset / FUNCTION_STEP;
        (offset % FUNCTION_STEP == 0 && index < self.functions.len() as u64)
            .then_some(FunctionId(index as u32))
    }

    /// The function of the runtime at an address.
    #[inline]
    pub fn external_at(&self, address: u64) -> Option<ExternalId> {
        let offset = address.checked_sub(EXTERNALS)?;
        let index = offset / FUNCTION_STEP;
        (offset % FUNCTION_STEP == 0 && index < self.externals.len() as u64)
            .then_some(ExternalId(index as u32))
    }

    /// The global whose bytes (or whose first byte past the end) include `address`.
    pub fn global_at(&self, address: u64) -> Option<GlobalId> {
        let after = self.globals.partition_point(|global| global.address <= address);
        let index = after.checked_sub(1)?;
        let global = &self.globals[index];
        (address - global.address <= global.size).then_some(GlobalId(index as u32))
    }

    /// The operation of a library that an instruction calls.
    pub fn operation_at(&self, pc: u32) -> Option<&Operation> {
        let Instruction::CallExternal { external, .. } = *self.code.get(pc as usize)? else {
            return None;
        };
        let operation = self.externals[external.index()].operation?;
        self.operations.get(operation as usize)
    }

    /// The function that holds an instruction.
    pub fn function_of(&self, pc: u32) -> Option<FunctionId> {
        let index =
            self.functions.iter().position(|f| f.entry <= pc && pc < f.end && f.entry < f.end)?;
        Some(FunctionId(index as u32))
    }

    /// The function with a body of this name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|function| function.name == name)?;
        Some(FunctionId(index as u32))
    }

    /// The place that stands for the declaration of a global.
    pub fn global_place(id: GlobalId) -> Place {
        Place(GLOBAL_PLACES | id.0)
    }

    /// The global whose declaration a place stands for, if it does.
    pub fn global_of_place(&self, place: Place) -> Option<GlobalId> {
        let index = place.0 & !GLOBAL_PLACES;
        (place.0 & GLOBAL_PLACES != 0 && (index as usize) < self.globals.len())
            .then_some(GlobalId(index))
    }

    /// The source location of a place: an instruction or the declaration of a global.
    pub fn location_id(&self, place: Place) -> LocationId {
        if place == Place::NONE {
            return LocationId::NONE;
        }
        let found = if place.0 & GLOBAL_PLACES != 0 {
            self.globals.get((place.0 & !GLOBAL_PLACES) as usize).map(|global| global.location)
        } else {
            self.locations.get(place.0 as usize).copied()
        };
        found.unwrap_or(LocationId::NONE)
    }

    /// The source location of a place.
    pub fn location(&self, place: Place) -> Option<&Location> {
        self.source.get(self.location_id(place))
    }

    /// `file:line:column` of a place.
    pub fn format_place(&self, place: Place) -> Option<String> {
        self.source.format(self.location_id(place))
    }

    /// The name of a global and the path to a byte of it, such as `queue.nodes[1].next`.
    pub fn describe_global(&self, id: GlobalId, offset: u64) -> String {
        let global = &self.globals[id.index()];
        let name = global.source_name.as_ref().unwrap_or(&global.name);
        self.describe_part(name, global.kind, offset)
    }

    /// The name of a local variable and the path to a byte of it.
    pub fn describe_local(&self, id: LocalId, offset: u64) -> String {
        let local = &self.locals[id.index()];
        let name = if local.name.is_empty() { "<temporary>" } else { &local.name };
        self.describe_part(name, local.kind, offset)
    }

    /// The local variable of a function that lives in a register.
    pub fn variable(&self, function: FunctionId, register: Register) -> Option<&Variable> {
        let start = self.variables.partition_point(|variable| variable.function < function);
        let own = self.variables[start..].iter().take_while(|one| one.function == function);
        own.into_iter().find(|variable| variable.register == register)
    }

    /// The type of the variable that a place declares: a global, or a local variable by its instruction.
    pub fn type_of_place(&self, place: Place) -> Option<TypeId> {
        if let Some(global) = self.global_of_place(place) {
            return self.globals[global.index()].kind;
        }
        match self.code.get(place.0 as usize)? {
            Instruction::Alloca { local, .. } => self.locals[local.index()].kind,
            _ => None,
        }
    }

    fn describe_part(&self, name: &str, kind: Option<TypeId>, offset: u64) -> String {
        match kind {
            Some(kind) => format!("{name}{}", self.types.path(kind, offset)),
            None if offset == 0 => name.to_owned(),
            None => format!("{name}+{offset}"),
        }
    }
}
