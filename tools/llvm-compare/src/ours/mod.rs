//! The facts as our reader sees them.

mod constants;
mod instructions;
mod types;

use crate::facts::{Facts, Function, Module};
use norn_llvm::{
    Body, Linkage, LocalId, MetadataId, ParamAttributes, SymbolId, ThreadLocal, TypeId, Visibility,
    debug,
};
use std::collections::{BTreeMap, HashMap};

/// What is being described.
struct Ours<'a> {
    module: &'a norn_llvm::Module,
    structures: BTreeMap<String, String>,
    /// Numbers of structures without a name.
    unnamed: HashMap<u32, usize>,
}

/// A function's locals and blocks, numbered in the order of the text.
struct Numbers<'a> {
    body: &'a Body,
    locals: Vec<usize>,
    blocks: Vec<usize>,
}

impl<'a> Numbers<'a> {
    fn new(body: &'a Body, params: usize) -> Numbers<'a> {
        let mut locals: Vec<usize> = (0..body.locals.len()).collect();
        let mut blocks = vec![0; body.blocks.len()];
        let mut next = params;
        for (number, &block) in body.order.iter().enumerate() {
            blocks[block.0 as usize] = number;
            for LocalId(id) in body.block(block).instructions.iter().filter_map(|i| i.result) {
                locals[id as usize] = next;
                next += 1;
            }
        }
        Numbers { body, locals, blocks }
    }
}

/// All facts of a module.
pub fn describe(module: &norn_llvm::Module) -> Module {
    let mut ours = Ours { module, structures: BTreeMap::new(), unnamed: HashMap::new() };
    let mut out = Module::default();
    for global in &module.globals {
        let facts = ours.global(global);
        out.symbols.insert(ours.symbol(global.symbol), facts);
    }
    for alias in &module.aliases {
        let facts = ours.alias("alias", alias);
        out.symbols.insert(ours.symbol(alias.symbol), facts);
    }
    for ifunc in &module.ifuncs {
        let facts = ours.alias("ifunc", ifunc);
        out.symbols.insert(ours.symbol(ifunc.symbol), facts);
    }
    for function in &module.functions {
        let name = ours.symbol(function.symbol);
        if name.starts_with("llvm.dbg.") {
            continue;
        }
        let described = ours.function(function);
        out.functions.insert(name, described);
    }
    out.structures = ours.structures;
    out
}

impl Ours<'_> {
    fn symbol(&self, id: SymbolId) -> String {
        let name = self.module.symbol_name(id);
        if self.module.symbol(id).numbered { format!("#{name}") } else { name.to_owned() }
    }

    fn global(&mut self, global: &norn_llvm::Global) -> Facts {
        let mut facts = Facts::default();
        facts.add("kind", "variable");
        facts.add("linkage", linkage(global.linkage));
        facts.add("hidden", global.visibility == Visibility::Hidden);
        facts.add("thread local", global.thread_local == ThreadLocal::Yes);
        facts.add("constant", global.constant);
        facts.add("alignment", global.align.unwrap_or(0));
        facts.add("type", self.ty(global.ty));
        facts.add("layout", self.layout(global.ty));
        facts.add(
            "initialiser",
            match global.initializer {
                Some(constant) => self.constant(constant),
                None => "none".to_owned(),
            },
        );
        facts
    }

    fn alias(&mut self, kind: &str, alias: &norn_llvm::Alias) -> Facts {
        let mut facts = Facts::default();
        facts.add("kind", kind);
        facts.add("linkage", linkage(alias.linkage));
        facts.add("type", self.ty(alias.ty));
        facts.add("target", self.constant(alias.target));
        facts
    }

    fn function(&mut self, function: &norn_llvm::Function) -> Function {
        let mut facts = Facts::default();
        facts.add("linkage", linkage(function.linkage));
        facts.add("type", self.ty(function.ty));
        facts.add("result", self.ty(function.ret));
        facts.add("variadic", function.varargs);
        for param in &function.params {
            facts.add("parameter", self.ty(param.ty));
            self.attributes(&param.attributes, &mut facts);
        }
        facts.add(
            "line",
            match function.debug {
                Some(id) => debug::subprogram(self.module, id).map_or(0, |place| place.line),
                None => 0,
            },
        );
        let mut instructions = Vec::new();
        let mut blocks = 0;
        if let Some(body) = &function.body {
            let numbers = Numbers::new(body, function.params.len());
            blocks = body.order.len();
            for &block in &body.order {
                for instruction in &body.block(block).instructions {
                    instructions.push(self.instruction(&numbers, instruction));
                }
            }
        }
        Function { facts, blocks, instructions }
    }

    fn attributes(&mut self, attributes: &ParamAttributes, facts: &mut Facts) {
        let mut ty = |ty: Option<TypeId>| ty.map_or("none".to_owned(), |ty| self.ty(ty));
        facts.add("byval", ty(attributes.byval));
        facts.add("sret", ty(attributes.sret));
        facts.add("align", attributes.align.unwrap_or(0));
    }

    /// Line and column, then those of the calls it was inlined through.
    fn place(&self, location: Option<MetadataId>) -> String {
        let mut text = String::new();
        let mut next = location;
        while let Some(place) = next.and_then(|id| debug::place(self.module, id)) {
            let file = place.file.rsplit('/').next().unwrap_or_default();
            text += &format!("{file}:{}:{} ", place.line, place.column);
            next = place.inlined_at;
        }
        text
    }
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "external",
        Linkage::Internal => "internal",
        Linkage::Weak => "weak",
        Linkage::LinkOnce => "linkonce",
        Linkage::Common => "common",
        Linkage::ExternWeak => "extern_weak",
        Linkage::AvailableExternally => "available_externally",
        Linkage::Appending => "appending",
    }
}
