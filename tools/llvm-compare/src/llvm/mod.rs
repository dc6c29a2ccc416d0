//! The facts as LLVM's own library sees them, through its C interface.
//!
//! All calls are unsafe by nature. What makes them sound: every reference belongs to one module
//! that lives in [`describe`] from the parse to the end, and a function of the interface is called
//! only on the kind of value that it is for.

mod constants;
mod instructions;
mod types;

use crate::facts::{Facts, Function, Module};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMGetModuleDataLayout, LLVMTargetDataRef};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

/// What is being described.
struct Llvm {
    context: LLVMContextRef,
    data: LLVMTargetDataRef,
    structures: BTreeMap<String, String>,
    /// Numbers of structures without a name.
    unnamed: HashMap<LLVMTypeRef, usize>,
    /// Names of symbols, with numbers for those that have none.
    symbols: HashMap<LLVMValueRef, String>,
    /// Locals and blocks of the current function.
    locals: HashMap<LLVMValueRef, usize>,
    blocks: HashMap<LLVMBasicBlockRef, usize>,
}

/// All facts of a module, or LLVM's message.
pub fn describe(text: &[u8], name: &CStr) -> Result<Module, String> {
    unsafe {
        let context = LLVMContextCreate();
        let (start, length) = (text.as_ptr().cast(), text.len());
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, length, name.as_ptr());
        let (mut module, mut message) = (null_mut(), null_mut());
        let result = if LLVMParseIRInContext(context, buffer, &mut module, &mut message) == 0 {
            let described = module_facts(context, module);
            LLVMDisposeModule(module);
            Ok(described)
        } else {
            Err(owned(message))
        };
        LLVMContextDispose(context);
        result
    }
}

unsafe fn module_facts(context: LLVMContextRef, module: LLVMModuleRef) -> Module {
    let mut llvm = Llvm {
        context,
        data: LLVMGetModuleDataLayout(module),
        structures: BTreeMap::new(),
        unnamed: HashMap::new(),
        symbols: HashMap::new(),
        locals: HashMap::new(),
        blocks: HashMap::new(),
    };
    let globals = list(LLVMGetFirstGlobal(module), |v| LLVMGetNextGlobal(v));
    let aliases = list(LLVMGetFirstGlobalAlias(module), |v| LLVMGetNextGlobalAlias(v));
    let ifuncs = list(LLVMGetFirstGlobalIFunc(module), |v| LLVMGetNextGlobalIFunc(v));
    let functions = list(LLVMGetFirstFunction(module), |v| LLVMGetNextFunction(v));
    llvm.name_symbols([&globals, &aliases, &ifuncs, &functions].into_iter().flatten());

    let mut out = Module::default();
    for global in globals {
        out.symbols.insert(llvm.symbols[&global].clone(), llvm.global(global));
    }
    for alias in aliases {
        let facts = llvm.alias("alias", alias, LLVMAliasGetAliasee(alias));
        out.symbols.insert(llvm.symbols[&alias].clone(), facts);
    }
    for ifunc in ifuncs {
        let facts = llvm.alias("ifunc", ifunc, LLVMGetGlobalIFuncResolver(ifunc));
        out.symbols.insert(llvm.symbols[&ifunc].clone(), facts);
    }
    for function in functions {
        let name = llvm.symbols[&function].clone();
        if !name.starts_with("llvm.dbg.") {
            out.functions.insert(name, llvm.function(function));
        }
    }
    out.structures = llvm.structures;
    out
}

impl Llvm {
    unsafe fn name_symbols<'a>(&mut self, symbols: impl Iterator<Item = &'a LLVMValueRef>) {
        let mut next = 0;
        for &symbol in symbols {
            let mut length = 0;
            let start = LLVMGetValueName2(symbol, &mut length);
            let mut name = text(start, length);
            if name.is_empty() {
                name = format!("#{next}");
                next += 1;
            }
            self.symbols.insert(symbol, name);
        }
    }

    unsafe fn global(&mut self, global: LLVMValueRef) -> Facts {
        let mut facts = Facts::default();
        let ty = LLVMGlobalGetValueType(global);
        facts.add("kind", "variable");
        facts.add("linkage", linkage(LLVMGetLinkage(global)));
        let default = llvm_sys::LLVMVisibility::LLVMDefaultVisibility;
        facts.add("hidden", LLVMGetVisibility(global) != default);
        facts.add("thread local", LLVMIsThreadLocal(global) != 0);
        facts.add("constant", LLVMIsGlobalConstant(global) != 0);
        facts.add("alignment", LLVMGetAlignment(global));
        facts.add("type", self.ty(ty));
        facts.add("layout", self.layout(ty));
        let initializer = LLVMGetInitializer(global);
        facts.add(
            "initialiser",
            match initializer.is_null() {
                true => "none".to_owned(),
                false => self.value(initializer),
            },
        );
        facts
    }

    unsafe fn alias(&mut self, kind: &str, alias: LLVMValueRef, target: LLVMValueRef) -> Facts {
        let mut facts = Facts::default();
        facts.add("kind", kind);
        facts.add("linkage", linkage(LLVMGetLinkage(alias)));
        facts.add("type", self.ty(LLVMGlobalGetValueType(alias)));
        facts.add("target", self.value(target));
        facts
    }

    unsafe fn function(&mut self, function: LLVMValueRef) -> Function {
        let ty = LLVMGlobalGetValueType(function);
        let mut facts = Facts::default();
        facts.add("linkage", linkage(LLVMGetLinkage(function)));
        facts.add("type", self.ty(ty));
        facts.add("result", self.ty(LLVMGetReturnType(ty)));
        facts.add("variadic", LLVMIsFunctionVarArg(ty) != 0);
        self.locals.clear();
        self.blocks.clear();
        for index in 0..LLVMCountParams(function) {
            let param = LLVMGetParam(function, index);
            self.locals.insert(param, index as usize);
            facts.add("parameter", self.ty(LLVMTypeOf(param)));
            self.attributes(&mut facts, |kind| {
                LLVMGetEnumAttributeAtIndex(function, index + 1, kind)
            });
        }
        let subprogram = LLVMGetSubprogram(function);
        facts.add(
            "line",
            match subprogram.is_null() {
                true => 0,
                false => LLVMDISubprogramGetLine(subprogram),
            },
        );
        let blocks = list(LLVMGetFirstBasicBlock(function), |b| LLVMGetNextBasicBlock(b));
        let instructions = self.number(&blocks);
        let described = instructions.into_iter().map(|i| self.instruction(i)).collect();
        Function { facts, blocks: blocks.len(), instructions: described }
    }

    /// Numbers blocks and results; the instructions in order, without debug intrinsics.
    unsafe fn number(&mut self, blocks: &[LLVMBasicBlockRef]) -> Vec<LLVMValueRef> {
        let mut instructions = Vec::new();
        for (number, &block) in blocks.iter().enumerate() {
            self.blocks.insert(block, number);
            for i in list(LLVMGetFirstInstruction(block), |i| LLVMGetNextInstruction(i)) {
                if self.is_debug_intrinsic(i) {
                    continue;
                }
                if self.ty(LLVMTypeOf(i)) != "void" {
                    self.locals.insert(i, self.locals.len());
                }
                instructions.push(i);
            }
        }
        instructions
    }

    unsafe fn is_debug_intrinsic(&self, i: LLVMValueRef) -> bool {
        if LLVMIsACallInst(i).is_null() {
            return false;
        }
        let callee = self.symbols.get(&LLVMGetCalledValue(i));
        callee.is_some_and(|name| name.starts_with("llvm.dbg."))
    }

    unsafe fn attributes(&mut self, facts: &mut Facts, get: impl Fn(u32) -> LLVMAttributeRef) {
        for name in ["byval", "sret"] {
            let attribute = get(kind_of(name));
            let text = match attribute.is_null() {
                true => "none".to_owned(),
                false => self.ty(LLVMGetTypeAttributeValue(attribute)),
            };
            facts.add(name, text);
        }
        let align = get(kind_of("align"));
        facts.add(
            "align",
            match align.is_null() {
                true => 0,
                false => LLVMGetEnumAttributeValue(align),
            },
        );
    }

    /// Line and column, then those of the calls it was inlined through.
    unsafe fn place(&self, instruction: LLVMValueRef) -> String {
        let mut out = String::new();
        let mut location = LLVMInstructionGetDebugLoc(instruction);
        while !location.is_null() {
            let file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
            let mut length = 0;
            let name = match file.is_null() {
                true => String::new(),
                false => {
                    let start = LLVMDIFileGetFilename(file, &mut length);
                    text(start, length as usize)
                }
            };
            let file = name.rsplit('/').next().unwrap_or_default();
            let (line, column) =
                (LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location));
            out += &format!("{file}:{line}:{column} ");
            location = LLVMDILocationGetInlinedAt(location);
        }
        out
    }
}

unsafe fn kind_of(name: &str) -> u32 {
    LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len())
}

/// A chain of references up to the null at its end.
unsafe fn list<T>(first: *mut T, next: impl Fn(*mut T) -> *mut T) -> Vec<*mut T> {
    let some = |p: *mut T| (!p.is_null()).then_some(p);
    std::iter::successors(some(first), |&p| some(next(p))).collect()
}

/// Text that belongs to the library.
unsafe fn text(start: *const c_char, length: usize) -> String {
    if start.is_null() || length == 0 {
        return String::new();
    }
    let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length);
    String::from_utf8_lossy(bytes).into_owned()
}

/// Text that the library handed over.
unsafe fn owned(message: *mut c_char) -> String {
    let out = CStr::from_ptr(message).to_string_lossy().into_owned();
    LLVMDisposeMessage(message);
    out
}

fn linkage(linkage: LLVMLinkage) -> &'static str {
    match linkage {
        LLVMLinkage::LLVMExternalLinkage => "external",
        LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => "internal",
        LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMWeakODRLinkage => "weak",
        LLVMLinkage::LLVMLinkOnceAnyLinkage | LLVMLinkage::LLVMLinkOnceODRLinkage => "linkonce",
        LLVMLinkage::LLVMCommonLinkage => "common",
        LLVMLinkage::LLVMExternalWeakLinkage => "extern_weak",
        LLVMLinkage::LLVMAvailableExternallyLinkage => "available_externally",
        LLVMLinkage::LLVMAppendingLinkage => "appending",
        _ => "unknown",
    }
}
