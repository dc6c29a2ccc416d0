//! The module as it was read: symbols, globals, functions and their bodies.

use crate::constant::{ConstId, Constant, ConstantKind};
use crate::instruction::{Instruction, Operand};
use crate::layout::DataLayout;
use crate::metadata::{Metadata, MetadataId};
use crate::names::{NameId, Names};
use crate::types::{TypeId, Types};

/// A global, function, alias or ifunc by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// An SSA value of a function: a parameter or the result of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// A basic block of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// Index into [`Module::globals`].
    Global(u32),
    /// Index into [`Module::functions`].
    Function(u32),
    /// Index into [`Module::aliases`].
    Alias(u32),
    /// Index into [`Module::ifuncs`].
    Ifunc(u32),
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Name without `@`; of a numbered symbol the number.
    pub name: NameId,
    /// Set if it has only a number; such names are private to the module.
    pub numbered: bool,
    /// What it stands for.
    pub kind: SymbolKind,
}

/// How symbols of several modules are matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// One definition for the whole program.
    #[default]
    External,
    /// Known in this module only (`internal`, `private`).
    Internal,
    /// May be replaced by another definition (`weak`, `weak_odr`).
    Weak,
    /// Like weak, and may be dropped (`linkonce`, `linkonce_odr`).
    LinkOnce,
    /// A tentative definition of C.
    Common,
    /// May stay undefined, then null.
    ExternWeak,
    /// A copy of an external definition, for inlining only.
    AvailableExternally,
    /// Arrays that are concatenated (`llvm.global_ctors`).
    Appending,
}

/// Visibility outside of the linked program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Default.
    #[default]
    Default,
    /// Hidden or protected.
    Hidden,
}

/// Whether each thread has its own copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadLocal {
    /// One copy for all.
    #[default]
    No,
    /// One per thread.
    Yes,
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Linkage.
    pub linkage: Linkage,
    /// Visibility.
    pub visibility: Visibility,
    /// Type of its content.
    pub ty: TypeId,
    /// Initial content; `None`: declared only.
    pub initializer: Option<ConstId>,
    /// May not be written.
    pub constant: bool,
    /// One copy per thread.
    pub thread_local: ThreadLocal,
    /// Alignment in bytes, if given.
    pub align: Option<u32>,
    /// `!dbg`, a `DIGlobalVariableExpression`.
    pub debug: Option<MetadataId>,
}

/// Another name of a symbol, or of a place inside it.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Linkage.
    pub linkage: Linkage,
    /// Type of what it names.
    pub ty: TypeId,
    /// What it stands for (of an ifunc: the resolver).
    pub target: ConstId,
}

/// Attributes of parameters that change the meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParamAttributes {
    /// The callee gets a copy of this type.
    pub byval: Option<TypeId>,
    /// The result is written through this pointer.
    pub sret: Option<TypeId>,
    /// `align N`
    pub align: Option<u32>,
}

/// A formal parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Type.
    pub ty: TypeId,
    /// Attributes.
    pub attributes: ParamAttributes,
}

/// A function, defined or declared.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Linkage.
    pub linkage: Linkage,
    /// Its function type.
    pub ty: TypeId,
    /// Type of the result.
    pub ret: TypeId,
    /// Parameters; parameter `i` is `LocalId(i)` of the body.
    pub params: Vec<Param>,
    /// `...`
    pub varargs: bool,
    /// `!dbg`, a `DISubprogram`.
    pub debug: Option<MetadataId>,
    /// The body; `None`: declared only.
    pub body: Option<Body>,
}

/// A local value.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Type.
    pub ty: TypeId,
    /// Name, unless it is a number.
    pub name: Option<NameId>,
}

/// Name of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockName {
    /// `%5`
    Number(u32),
    /// `%name`
    Text(NameId),
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Name.
    pub name: BlockName,
    /// Instructions; the last one, and no other, is a terminator.
    pub instructions: Vec<Instruction>,
}

/// A source variable whose storage or value is a local.
#[derive(Clone, Copy, Debug)]
pub struct DebugVariable {
    /// Whether `local` is the address of the variable (`declare`) rather than its value.
    pub is_address: bool,
    /// The local.
    pub local: LocalId,
    /// The `DILocalVariable`.
    pub variable: MetadataId,
}

/// The body of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Values, parameters first.
    pub locals: Vec<Local>,
    /// Blocks by id.
    pub blocks: Vec<Block>,
    /// Blocks in the order of the text; the first is the entry.
    pub order: Vec<BlockId>,
    /// What the locals mean in the source.
    pub debug_variables: Vec<DebugVariable>,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// `source_filename`
    pub source_name: String,
    /// `target triple`
    pub triple: String,
    /// `target datalayout`, decoded, with the layout of every type.
    pub layout: DataLayout,
    /// Names.
    pub names: Names,
    /// Types.
    pub types: Types,
    /// Constants by id.
    pub constants: Vec<Constant>,
    /// Symbols by id.
    pub symbols: Vec<Symbol>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Aliases.
    pub aliases: Vec<Alias>,
    /// Indirect functions.
    pub ifuncs: Vec<Alias>,
    /// `module asm` lines.
    pub inline_asm: Vec<String>,
    /// Debug information, decoded on demand.
    pub metadata: Metadata,
}

impl Module {
    /// A constant.
    pub fn constant(&self, id: ConstId) -> &Constant {
        &self.constants[id.0 as usize]
    }

    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, id: SymbolId) -> &str {
        self.names.text(self.symbol(id).name)
    }

    /// The symbol with this name.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        let name = self.names.find(name)?;
        let position = self.symbols.iter().position(|s| s.name == name && !s.numbered)?;
        Some(SymbolId(position as u32))
    }

    /// The function with this name.
    pub fn find_function(&self, name: &str) -> Option<&Function> {
        match self.symbol(self.find_symbol(name)?).kind {
            SymbolKind::Function(index) => Some(&self.functions[index as usize]),
            _ => None,
        }
    }

    /// The type of an operand in `body`.
    pub fn operand_type(&self, body: &Body, operand: Operand) -> TypeId {
        match operand {
            Operand::Local(id) => body.locals[id.0 as usize].ty,
            Operand::Const(id) => self.constant(id).ty,
            Operand::Metadata => Types::METADATA,
        }
    }

    /// The symbol that `operand` names directly.
    pub fn operand_symbol(&self, operand: Operand) -> Option<SymbolId> {
        match operand {
            Operand::Const(id) => match self.constant(id).kind {
                ConstantKind::Symbol(symbol) => Some(symbol),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Body {
    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// A local.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}
