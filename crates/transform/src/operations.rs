//! Functions that become operations of libraries.
//!
//! Wherever such a function is called, the call becomes one of the operation, so that what it does has the place of
//! the call. The function itself stays, for those who have its address, with a body that calls the operation. A
//! function that no input defines becomes the operation.
//!
//! This changes what the program means: that is what it is for. It is no pass that every program goes through.

use crate::PassError;
use norn_action::Place;
use norn_program::{
    Edit, External, ExternalId, Function, FunctionId, Global, Instruction, Location, Operand,
    Operation, Program, Register,
};
use thiserror::Error;

/// Why a function cannot become an operation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SubstituteError {
    /// It takes other arguments.
    #[error("`{function}` takes {found} arguments, and `{operation}` takes {expected}")]
    Arguments {
        /// The function.
        function: String,
        /// The operation, with its library.
        operation: String,
        /// How many cells of arguments it takes.
        found: u32,
        /// How many the operation takes.
        expected: u32,
    },
    /// Somebody needs a result that the operation does not give.
    #[error(
        "`{function}` has a result that the program uses, and that `{operation}` does not give"
    )]
    Result {
        /// The function.
        function: String,
        /// The operation, with its library.
        operation: String,
    },
    /// It is an operation already.
    #[error("`{function}` is named twice")]
    Twice {
        /// The function.
        function: String,
    },
    /// The compiler has put its body where it was called.
    #[error("`{function}` was inlined where it is called; it must not be `always_inline`")]
    Inlined {
        /// The function.
        function: String,
    },
    /// The program that was made is malformed: a mistake of this module.
    #[error(transparent)]
    Malformed(#[from] PassError),
}

/// Lets each function of `operations` that the program has, by its symbol, be the operation beside it. The result
/// has an entry for each: whether the program has it.
pub fn substitute(
    program: &mut Program,
    operations: &[(String, Operation)],
) -> Result<Vec<bool>, SubstituteError> {
    let mut found = Vec::with_capacity(operations.len());
    // The operation of each function with a body.
    let mut of_function: Vec<Option<ExternalId>> = vec![None; program.functions.len()];
    for (symbol, operation) in operations {
        // Files that include the same header have copies of its static functions.
        let bodies: Vec<usize> = (0..program.functions.len())
            .filter(|&index| program.functions[index].name == *symbol)
            .collect();
        let known = program.externals.iter().position(|external| external.name == *symbol);
        let is_used = |&index: &usize| is_used(program, FunctionId(index as u32));
        found.push(bodies.iter().any(is_used) || known.is_some());
        for &index in &bodies {
            let function = &program.functions[index];
            let fits = operation.takes(function.params) && !function.variadic;
            check(fits, symbol, operation, function.params)?;
            let id = FunctionId(index as u32);
            if of_function[index].is_some() || program.replaced.contains(&id) {
                return Err(SubstituteError::Twice { function: symbol.clone() });
            }
            if is_inlined(program, function) {
                return Err(SubstituteError::Inlined { function: symbol.clone() });
            }
            let external = as_external(program, operation, function.result_bits);
            of_function[index] = Some(ExternalId(program.externals.len() as u32));
            program.externals.push(external);
        }
        if !bodies.is_empty() {
            continue;
        }
        if let Some(index) = known {
            check_calls(program, ExternalId(index as u32), symbol, operation)?;
            let bits = program.externals[index].result_bits;
            program.externals[index] = as_external(program, operation, bits);
        }
    }
    check_results(program, &of_function)?;
    replace(program, &of_function);
    let verified = program.verify().and_then(|()| program.verify_cycles());
    verified.map_err(|cause| PassError { pass: "substitute-operations", cause })?;
    Ok(found)
}

/// Whether a function is called, or its address stands somewhere.
fn is_used(program: &Program, id: FunctionId) -> bool {
    let address = Program::function_address(id);
    let is_call = |instruction: &Instruction| matches!(instruction, Instruction::Call { function, .. } if *function == id);
    let holds =
        |global: &Global| global.bytes.windows(8).any(|bytes| bytes == address.to_le_bytes());
    program.code.iter().any(is_call)
        || program.constants.contains(&address)
        || program.globals.iter().any(holds)
}

/// Whether code of the function stands in another one.
fn is_inlined(program: &Program, function: &Function) -> bool {
    let Some(own) = program.source.get(function.location) else { return false };
    let is_copy = |place: u32| {
        let location = program.location(Place(place));
        let outer = |location: &&Location| program.source.get(location.inlined_at?);
        std::iter::successors(location, outer).any(|location| {
            location.inlined_at.is_some()
                && (location.function, location.file) == (own.function, own.file)
        })
    };
    (0..program.code.len() as u32).any(is_copy)
}

/// An operation in the place of a function whose result has so many bits: what does not fit is cut off, as by a
/// conversion. No name of C has a dot, so that nobody takes it for a function of the runtime.
fn as_external(program: &mut Program, operation: &Operation, bits: Option<u8>) -> External {
    let name = operation.full_name();
    // A result that is no number, which nobody may use, has no bits.
    let result_bits = operation.result_bits.min(bits.unwrap_or(0));
    program.operations.push(Operation { result_bits, ..operation.clone() });
    let operation = Some(program.operations.len() as u32 - 1);
    External { name, result_bits: bits, operation }
}

fn check(
    fits: bool,
    symbol: &str,
    operation: &Operation,
    found: u32,
) -> Result<(), SubstituteError> {
    if fits {
        return Ok(());
    }
    Err(SubstituteError::Arguments {
        function: symbol.to_owned(),
        operation: operation.full_name(),
        found,
        expected: operation.params,
    })
}

/// Checks the calls of a function that has no body, which says nothing of itself.
fn check_calls(
    program: &Program,
    id: ExternalId,
    symbol: &str,
    operation: &Operation,
) -> Result<(), SubstituteError> {
    for instruction in &program.code {
        if let Instruction::CallExternal { external, count, results, .. } = *instruction
            && external == id
        {
            let count = u32::from(count);
            check(operation.takes(count), symbol, operation, count)?;
            let gives =
                program.externals[id.index()].result_bits.is_some() && operation.result_bits > 0;
            if results > 0 && !gives {
                let (function, operation) = (symbol.to_owned(), operation.full_name());
                return Err(SubstituteError::Result { function, operation });
            }
        }
    }
    Ok(())
}

/// Likewise the results of those that have one.
fn check_results(
    program: &Program,
    of_function: &[Option<ExternalId>],
) -> Result<(), SubstituteError> {
    for instruction in &program.code {
        if let Instruction::Call { function, results, .. } = *instruction
            && results > 0
            && let Some(external) = of_function[function.index()]
            && let Some(id) = program.externals[external.index()].operation
            && program.operations[id as usize].result_bits == 0
        {
            return Err(SubstituteError::Result {
                function: program.functions[function.index()].name.clone(),
                operation: program.operations[id as usize].full_name(),
            });
        }
    }
    Ok(())
}

fn replace(program: &mut Program, of_function: &[Option<ExternalId>]) {
    let bodies: Vec<(FunctionId, ExternalId)> = of_function
        .iter()
        .enumerate()
        .filter_map(|(index, external)| Some((FunctionId(index as u32), (*external)?)))
        .collect();
    let inside = |program: &Program, pc: usize| {
        bodies.iter().any(|(id, _)| {
            let function = &program.functions[id.index()];
            (function.entry as usize..function.end as usize).contains(&pc)
        })
    };
    let calls: Vec<(u32, Instruction)> = (0..program.code.len())
        .filter_map(|pc| match program.code[pc] {
            Instruction::Call { results, count, function, args, dst } => {
                let external = of_function[function.index()]?;
                let call = Instruction::CallExternal { results, count, external, args, dst };
                (!inside(program, pc)).then_some((pc as u32, call))
            }
            _ => None,
        })
        .collect();
    let stubs: Vec<(FunctionId, Vec<Instruction>)> =
        bodies.iter().map(|&(id, external)| (id, stub(program, id, external))).collect();
    program.replaced.extend(bodies.iter().map(|(id, _)| *id));
    program.replaced.sort_unstable();
    let mut edit = Edit::new(program);
    calls.into_iter().for_each(|(pc, call)| edit.replace(pc, call));
    stubs.iter().for_each(|(id, body)| edit.replace_body(*id, body));
    edit.apply();
}

/// A body that calls the operation with all parameters.
fn stub(program: &mut Program, id: FunctionId, external: ExternalId) -> Vec<Instruction> {
    let args = program.arguments.len() as u32;
    let function = &mut program.functions[id.index()];
    let (count, results) = (function.params, function.results);
    program.arguments.extend((0..count).map(|index| Operand::from(Register(index))));
    let dst = Register(function.registers);
    function.registers += results;
    let operation = program.externals[external.index()].operation;
    if results > 0 && operation.is_some_and(|id| program.operations[id as usize].result_bits == 0) {
        // Whoever calls it through a pointer may want the result that the operation does not have.
        let message = program.messages.len() as u32;
        program.messages.push(format!(
            "a call through a pointer to `{}`, which has no result in its library,",
            program.functions[id.index()].name
        ));
        return vec![Instruction::Unsupported { message }];
    }
    vec![
        Instruction::CallExternal {
            results: results as u8,
            count: count as u16,
            external,
            args,
            dst,
        },
        Instruction::Return { count: results as u16, value: dst.into() },
    ]
}
