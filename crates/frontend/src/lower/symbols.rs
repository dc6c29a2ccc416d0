//! What each symbol is in the program: declared before anything is lowered, so that every address
//! is known.

use super::constants::Evaluator;
use super::debug::Debug;
use crate::FrontendError;
use crate::link::{Links, SymbolRef};
use norn_llvm::{
    ConstantKind, Function, Linkage, Module, SymbolId, SymbolKind, ThreadLocal, Types,
};
use norn_program::{FunctionId, Global, GlobalId, Program, ProgramBuilder};
use rustc_hash::FxHashMap;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A function with a body.
    Function(FunctionId),
    /// A global variable.
    Global(GlobalId),
    /// A variable with one copy per thread.
    ThreadLocal(GlobalId),
    /// A variable that no input defines; it has an address, but must not be used.
    Missing(GlobalId),
    /// A function that the machine should provide.
    External,
    /// An `llvm.` intrinsic.
    Intrinsic,
    /// A weak reference that nobody defines.
    Null,
    /// A fixed address: an alias into something.
    Address(u64),
    /// An alias that is not resolved yet.
    Pending,
}

/// Variables that no input defines, by name.
pub(super) type Missing = FxHashMap<String, Target>;

/// All symbols of all modules, and which function definitions are to be lowered.
pub(super) struct Symbols {
    pub targets: Vec<Vec<Target>>,
    /// Defined functions: id, module, index in the module.
    pub functions: Vec<(FunctionId, u32, u32)>,
    /// Defined globals: id, module, index in the module.
    pub globals: Vec<(GlobalId, u32, u32)>,
}

impl Symbols {
    pub fn target(&self, module: u32, symbol: SymbolId) -> Target {
        self.targets[module as usize][symbol.0 as usize]
    }
}

/// Declares every function and global.
pub(super) fn declare(
    modules: &[Module],
    provided: fn(&str) -> bool,
    builder: &mut ProgramBuilder,
    debug: &mut Debug,
) -> Result<Symbols, FrontendError> {
    check_sizes(modules)?;
    let links = Links::new(modules)?;
    let mut symbols = Symbols { targets: Vec::new(), functions: Vec::new(), globals: Vec::new() };
    let mut known: FxHashMap<SymbolRef, Target> = FxHashMap::default();
    let mut missing = Missing::default();
    for (m, module) in modules.iter().enumerate() {
        let mut targets = Vec::with_capacity(module.symbols.len());
        for s in 0..module.symbols.len() as u32 {
            let own = SymbolRef { module: m as u32, symbol: SymbolId(s) };
            let target = match links.resolve(modules, own).filter(|r| is_definition(modules, *r)) {
                Some(winner) => *known
                    .entry(winner)
                    .or_insert_with(|| define(modules, winner, builder, debug, &mut symbols)),
                None => undefined(module, SymbolId(s), provided, builder, &mut missing),
            };
            targets.push(target);
        }
        symbols.targets.push(targets);
    }
    resolve_aliases(modules, &links, builder, &mut symbols)?;
    super::standard::declare_thrown(modules, builder, &mut missing);
    Ok(symbols)
}

/// The region of globals holds 48 GiB; no one variable may come near that.
fn check_sizes(modules: &[Module]) -> Result<(), FrontendError> {
    let mut total = 0u64;
    for module in modules {
        for global in &module.globals {
            let size = module.layout.of(global.ty).map_or(0, |layout| layout.size);
            let align = u64::from(global.align.unwrap_or(1));
            total = total.saturating_add(size).saturating_add(align).saturating_add(64);
            if total > 1 << 35 || align > 1 << 20 {
                let name = module.symbol_name(global.symbol);
                return Err(FrontendError::Link(format!("the variable `{name}` is too large")));
            }
        }
    }
    Ok(())
}

fn is_definition(modules: &[Module], symbol: SymbolRef) -> bool {
    let module = &modules[symbol.module as usize];
    match module.symbol(symbol.symbol).kind {
        SymbolKind::Function(i) => module.functions[i as usize].body.is_some(),
        SymbolKind::Global(i) => module.globals[i as usize].initializer.is_some(),
        SymbolKind::Alias(_) => true,
        SymbolKind::Ifunc(_) => false,
    }
}

fn define(
    modules: &[Module],
    symbol: SymbolRef,
    builder: &mut ProgramBuilder,
    debug: &mut Debug,
    symbols: &mut Symbols,
) -> Target {
    let module = &modules[symbol.module as usize];
    let name = module.symbol_name(symbol.symbol);
    match module.symbol(symbol.symbol).kind {
        SymbolKind::Function(index) => {
            let function = &module.functions[index as usize];
            let (params, results) = signature(module, function);
            let id = builder.declare_function(name, params, results, function.varargs);
            builder.set_result_bits(id, super::cells::number_bits(module, function.ret));
            let location = function.debug.map(|d| debug.subprogram(module, d, builder.program()));
            if let Some(location) = location {
                builder.set_function_location(id, location);
            }
            symbols.functions.push((id, symbol.module, index));
            Target::Function(id)
        }
        SymbolKind::Global(index) => {
            let global = &module.globals[index as usize];
            let layout = module.layout.of(global.ty);
            let (source_name, kind, location) =
                debug.global(symbol.module, module, global.debug, builder.program());
            let natural = layout.map_or(1, |l| l.align);
            let thread_local = global.thread_local == ThreadLocal::Yes;
            let id = builder.declare_global(Global {
                name: name.to_owned(),
                source_name: source_name.filter(|source| source != name),
                address: 0,
                size: layout.map_or(0, |l| l.size),
                align: u64::from(global.align.unwrap_or(natural).max(1).next_power_of_two()),
                bytes: Vec::new(),
                constant: global.constant,
                thread_local,
                kind,
                location,
            });
            symbols.globals.push((id, symbol.module, index));
            if thread_local { Target::ThreadLocal(id) } else { Target::Global(id) }
        }
        SymbolKind::Alias(_) | SymbolKind::Ifunc(_) => Target::Pending,
    }
}

/// Cells of parameters and result. What has no cells is refused when the body is lowered.
pub(super) fn signature(module: &Module, function: &Function) -> (u32, u32) {
    let params =
        function.params.iter().map(|p| super::cells::cells(module, p.ty).unwrap_or(1)).sum();
    let results = if function.ret == Types::VOID {
        0
    } else {
        super::cells::cells(module, function.ret).unwrap_or(1)
    };
    (params, results)
}

fn undefined(
    module: &Module,
    symbol: SymbolId,
    provided: fn(&str) -> bool,
    builder: &mut ProgramBuilder,
    missing: &mut Missing,
) -> Target {
    let name = module.symbol_name(symbol);
    let kind = module.symbol(symbol).kind;
    let weak = crate::link::linkage(module, kind) == Linkage::ExternWeak;
    match kind {
        SymbolKind::Function(_) if name.starts_with("llvm.") => Target::Intrinsic,
        SymbolKind::Function(_) if weak && !provided(name) => Target::Null,
        SymbolKind::Function(_) | SymbolKind::Ifunc(_) => Target::External,
        SymbolKind::Global(_) if weak || name == "__dso_handle" || name.starts_with("llvm.") => {
            Target::Null
        }
        _ => super::standard::global(name, builder, missing),
    }
}

/// Replaces pending aliases by what they name, round by round, for aliases may name aliases.
fn resolve_aliases(
    modules: &[Module],
    links: &Links,
    builder: &mut ProgramBuilder,
    symbols: &mut Symbols,
) -> Result<(), FrontendError> {
    loop {
        let (mut progress, mut pending) = (false, None);
        for (m, module) in modules.iter().enumerate() {
            for s in 0..module.symbols.len() {
                if symbols.targets[m][s] != Target::Pending {
                    continue;
                }
                let own = SymbolRef { module: m as u32, symbol: SymbolId(s as u32) };
                let winner = links.resolve(modules, own).unwrap_or(own);
                match alias_target(modules, winner, builder, symbols) {
                    Target::Pending => pending = Some(module.symbol_name(own.symbol)),
                    target => {
                        symbols.targets[m][s] = target;
                        progress = true;
                    }
                }
            }
        }
        match pending {
            None => return Ok(()),
            Some(name) if !progress => {
                return Err(FrontendError::Link(format!("the alias `{name}` names nothing")));
            }
            Some(_) => {}
        }
    }
}

fn alias_target(
    modules: &[Module],
    winner: SymbolRef,
    builder: &mut ProgramBuilder,
    symbols: &Symbols,
) -> Target {
    let module = &modules[winner.module as usize];
    let SymbolKind::Alias(index) = module.symbol(winner.symbol).kind else {
        return symbols.target(winner.module, winner.symbol);
    };
    let constant = module.aliases[index as usize].target;
    if let ConstantKind::Symbol(symbol) = module.constant(constant).kind {
        return symbols.target(winner.module, symbol);
    }
    let evaluator = Evaluator { module, index: winner.module, symbols, in_code: false };
    match evaluator.scalar(constant, builder) {
        Ok((address, None)) => Target::Address(address as u64),
        _ => Target::Pending,
    }
}

/// The address of a target, as constants see it.
pub(super) fn address(target: Target, name: &str, builder: &mut ProgramBuilder) -> Option<u64> {
    match target {
        Target::Function(id) => Some(Program::function_address(id)),
        Target::Global(id) | Target::Missing(id) => Some(builder.global_address(id)),
        Target::External => Some(Program::external_address(builder.external(name))),
        Target::Null => Some(0),
        Target::Address(address) => Some(address),
        Target::ThreadLocal(_) | Target::Intrinsic | Target::Pending => None,
    }
}
