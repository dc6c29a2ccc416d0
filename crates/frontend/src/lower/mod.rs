//! Lowering: modules of IR to one program of bytecode.
//!
//! Values live in cells ([`cells`]), allocas that are only loaded and stored as a whole become
//! registers ([`analysis`]), phis become parallel moves on edges ([`function`]), and the registers
//! that are live at each loop header are found on the finished bytecode.
//!
//! What cannot be expressed becomes [`norn_program::Instruction::Unsupported`], with the reason.
//!
//! Departures from the letter of LLVM IR: `undef`, `poison` and `freeze` of them are zero; a weak
//! compare-exchange does not fail for no reason; `x86_fp80` is computed with as a double; variadic arguments all lie in the overflow area, which is right for every type but a
//! `__int128` that an older clang (before 20) passes in registers.

mod analysis;
mod arithmetic;
mod assembly;
mod calls;
mod cells;
mod constants;
mod convert;
mod debug;
mod exceptions;
mod flow;
mod function;
mod intrinsics;
mod memory;
mod scopes;
mod standard;
mod symbols;
mod vectors;

use crate::{FrontendError, Loaded};
use constants::Evaluator;
use debug::Debug;
use function::FunctionLowerer;
use norn_llvm::{ConstantKind, FloatKind, Module, Type};
use norn_program::{FunctionId, ProgramBuilder};
use symbols::{Symbols, Target};

/// Lowers modules that belong together.
pub(crate) fn program(
    modules: &[Module],
    provided: fn(&str) -> bool,
) -> Result<Loaded, FrontendError> {
    for module in modules {
        if !module.layout.little_endian || module.layout.pointer_size != 8 {
            return Err(FrontendError::Target { triple: module.triple.clone() });
        }
    }
    let mut builder = ProgramBuilder::new();
    let mut debug = Debug::default();
    let symbols = symbols::declare(modules, provided, &mut builder, &mut debug)?;
    initialise_globals(modules, &symbols, &mut builder)?;
    for &(id, module_index, index) in &symbols.functions {
        let module = &modules[module_index as usize];
        debug.enter(module_index);
        FunctionLowerer::lower(module, module_index, index, id, &symbols, &mut builder, &mut debug);
        builder.program().set_live(id);
    }
    set_entry_points(modules, &symbols, &mut builder);
    let warnings = modules.iter().flat_map(warnings).collect();
    Ok(Loaded { program: builder.finish()?, warnings })
}

fn initialise_globals(
    modules: &[Module],
    symbols: &Symbols,
    builder: &mut ProgramBuilder,
) -> Result<(), FrontendError> {
    for &(id, module_index, index) in &symbols.globals {
        let module = &modules[module_index as usize];
        let Some(initializer) = module.globals[index as usize].initializer else { continue };
        let evaluator = Evaluator { module, index: module_index, symbols, in_code: false };
        let mut bytes = Vec::new();
        if let Err(message) = evaluator.bytes(initializer, 0, builder, &mut bytes) {
            let name = &builder.program().globals[id.index()].name;
            return Err(FrontendError::Link(format!("cannot initialise `{name}`: {message}")));
        }
        builder.set_global_bytes(id, bytes);
    }
    Ok(())
}

/// A program without `main` has no entry; whoever runs it names one.
fn set_entry_points(modules: &[Module], symbols: &Symbols, builder: &mut ProgramBuilder) {
    let mut constructors = listed_functions(modules, symbols, "llvm.global_ctors");
    let mut destructors = listed_functions(modules, symbols, "llvm.global_dtors");
    constructors.sort_by_key(|entry| entry.0);
    destructors.sort_by_key(|entry| std::cmp::Reverse(entry.0));
    let program = builder.program();
    program.constructors = constructors.into_iter().map(|entry| entry.1).collect();
    program.destructors = destructors.into_iter().map(|entry| entry.1).collect();
    program.main = program.function_named("main");
}

/// The functions in an array of `{ priority, function, data }`.
fn listed_functions(modules: &[Module], symbols: &Symbols, name: &str) -> Vec<(u128, FunctionId)> {
    let mut list = Vec::new();
    for (m, module) in modules.iter().enumerate() {
        let global = module.globals.iter().find(|g| module.symbol_name(g.symbol) == name);
        let Some(initializer) = global.and_then(|g| g.initializer) else { continue };
        let ConstantKind::Aggregate(entries) = &module.constant(initializer).kind else { continue };
        for &entry in entries {
            let ConstantKind::Aggregate(parts) = &module.constant(entry).kind else { continue };
            if let (ConstantKind::Int(priority), ConstantKind::Symbol(symbol)) =
                (&module.constant(parts[0]).kind, &module.constant(parts[1]).kind)
                && let Target::Function(id) = symbols.target(m as u32, *symbol)
            {
                list.push((*priority, id));
            }
        }
    }
    list
}

fn warnings(module: &Module) -> Option<String> {
    let extended = Type::Float(FloatKind::X86Fp80);
    let used =
        (0..module.types.len() as u32).any(|i| *module.types.get(norn_llvm::TypeId(i)) == extended);
    used.then(|| {
        format!("{}: `long double` is computed with the precision of `double`", module.source_name)
    })
}
