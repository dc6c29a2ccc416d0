//! Variables of the C and C++ libraries that no input defines: streams, and what describes types and exceptions.
//!
//! Descriptions of types (`_ZTI`), their names (`_ZTS`) and tables of virtual functions (`_ZTV`) of built-in types and of
//! standard exceptions lie in the shared object of the C++ library. They are made here, as the Itanium C++ ABI says. What
//! the functions in those tables do is the machine's affair.

use super::symbols::{Missing, Target};
use norn_llvm::{Module, SymbolKind};
use norn_program::{
    CATEGORY_COMPARES, CATEGORY_MESSAGE, CATEGORY_NAME, GENERIC_CATEGORY, Global, GlobalId,
    LocationId, Program, ProgramBuilder, StandardClass,
};

/// Descriptions of types start with a pointer to the third word of one of these, which tells their kind.
const CLASS: &str = "_ZTVN10__cxxabiv117__class_type_infoE";
const DERIVED: &str = "_ZTVN10__cxxabiv120__si_class_type_infoE";
const POINTER: &str = "_ZTVN10__cxxabiv119__pointer_type_infoE";
const FUNDAMENTAL: &str = "_ZTVN10__cxxabiv123__fundamental_type_infoE";

/// The mangled names of built-in types.
const BUILT_IN: [&str; 24] = [
    "v", "b", "c", "a", "h", "s", "t", "i", "j", "l", "m", "x", "y", "w", "f", "d", "e", "g", "n",
    "o", "Dn", "Di", "Ds", "Du",
];

/// A variable that no input defines: what is known of it. The content of `stdin`, `stdout` and `stderr` comes from the
/// machine, that of others is zero. A variable that is not known only has an address.
pub(super) fn global(name: &str, builder: &mut ProgramBuilder, missing: &mut Missing) -> Target {
    if let Some(&known) = missing.get(name) {
        return known;
    }
    let target = match (name.strip_prefix("_ZTI"), name.strip_prefix("_ZTV")) {
        (Some(ty), _) => description(ty, builder, missing),
        (_, Some(class)) => StandardClass::named(class).map(|class| table(class, builder, missing)),
        _ => None,
    };
    let target = target.unwrap_or_else(|| variable(name, builder));
    missing.insert(name.to_owned(), target);
    target
}

/// Declares the exceptions that functions of the library throw. They are of use only where somebody can catch them.
pub(super) fn declare_thrown(
    modules: &[Module],
    builder: &mut ProgramBuilder,
    missing: &mut Missing,
) {
    let names = |module: &Module, name: &str| {
        (0..module.symbols.len() as u32).any(|s| module.symbol_name(norn_llvm::SymbolId(s)) == name)
    };
    if !modules.iter().any(|module| names(module, "__gxx_personality_v0")) {
        return;
    }
    for module in modules {
        for s in 0..module.symbols.len() as u32 {
            let symbol = norn_llvm::SymbolId(s);
            let thrown = match module.symbol(symbol).kind {
                SymbolKind::Function(_) => StandardClass::thrown_by(module.symbol_name(symbol)),
                _ => None,
            };
            if let Some(class) = thrown {
                for prefix in ["_ZTI", "_ZTV"] {
                    let name = format!("{prefix}{}", class.name);
                    let is_defined = builder.program().globals.iter().any(|g| g.name == name);
                    if !is_defined {
                        global(&name, builder, missing);
                    }
                }
                if class.name == "St12system_error" {
                    category(builder, missing);
                }
            }
        }
    }
}

/// The description of a built-in type, of a pointer to one, or of a standard exception.
fn description(ty: &str, builder: &mut ProgramBuilder, missing: &mut Missing) -> Option<Target> {
    let (pointee, is_constant) = match (ty.strip_prefix("PK"), ty.strip_prefix('P')) {
        (Some(pointee), _) => (Some(pointee), true),
        (_, Some(pointee)) => (Some(pointee), false),
        _ => (None, false),
    };
    let class = StandardClass::named(ty);
    let is_built_in = BUILT_IN.contains(&pointee.unwrap_or(ty));
    if class.is_none() && !is_built_in {
        return None;
    }
    let mut rest = Vec::new();
    let kind = match (class.map(|class| class.base), pointee) {
        (Some(Some(base)), _) => {
            rest.push(address_of(&format!("_ZTI{base}"), builder, missing));
            DERIVED
        }
        (Some(None), _) => CLASS,
        (None, Some(pointee)) => {
            rest.push(is_constant.into());
            rest.push(address_of(&format!("_ZTI{pointee}"), builder, missing));
            POINTER
        }
        (None, None) => FUNDAMENTAL,
    };
    let name = address_of_text(&format!("_ZTS{ty}"), ty, builder);
    let kind = address_of(kind, builder, missing) + 16;
    let words: Vec<u64> = [kind, name].into_iter().chain(rest).collect();
    Some(Target::Global(constant(&format!("_ZTI{ty}"), &words, builder)))
}

/// The table of a standard exception: offset to the top, description, two destructors, `what`.
fn table(class: &StandardClass, builder: &mut ProgramBuilder, missing: &mut Missing) -> Target {
    let description = address_of(&format!("_ZTI{}", class.name), builder, missing);
    if let Some(text) = class.says {
        address_of_text(&class.text_name(), text, builder);
    }
    let mut function = |name: &str| Program::external_address(builder.external(name));
    let words = [
        0,
        description,
        function(&format!("_ZN{}D1Ev", class.name)),
        function(&format!("_ZN{}D0Ev", class.name)),
        function(&class.what_name()),
    ];
    Target::Global(constant(&format!("_ZTV{}", class.name), &words, builder))
}

/// The category of error codes. It can be asked for its name and for messages, and compares; whatever else is called in
/// its table is unknown.
fn category(builder: &mut ProgramBuilder, missing: &mut Missing) {
    if missing.contains_key(GENERIC_CATEGORY) {
        return;
    }
    let function = builder.external("a member function of std::error_category");
    let mut words = [Program::external_address(function); 10];
    // Behind the pointer to the table: two destructors, the name, a message, a message as a `std::string`, comparisons.
    words[3] = Program::external_address(builder.external(CATEGORY_NAME));
    words[5] = Program::external_address(builder.external(CATEGORY_MESSAGE));
    for (word, name) in words[6..].iter_mut().zip(CATEGORY_COMPARES) {
        *word = Program::external_address(builder.external(name));
    }
    address_of_text(&format!("norn.what.{GENERIC_CATEGORY}"), "generic", builder);
    let id = constant(GENERIC_CATEGORY, &words, builder);
    // It points to the table, which lies in the words behind it.
    words[0] = builder.global_address(id) + 8;
    builder.set_global_bytes(id, bytes_of(&words));
    missing.insert(GENERIC_CATEGORY.to_owned(), Target::Global(id));
}

fn address_of(name: &str, builder: &mut ProgramBuilder, missing: &mut Missing) -> u64 {
    let defined = builder.program().globals.iter().find(|global| global.name == name);
    if let Some(global) = defined {
        return global.address;
    }
    match global(name, builder, missing) {
        Target::Global(id) | Target::Missing(id) => builder.global_address(id),
        _ => 0,
    }
}

fn address_of_text(name: &str, text: &str, builder: &mut ProgramBuilder) -> u64 {
    let bytes: Vec<u8> = text.bytes().chain([0]).collect();
    let id = declare(name, bytes.len() as u64, true, false, builder);
    builder.set_global_bytes(id, bytes);
    builder.global_address(id)
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn constant(name: &str, words: &[u64], builder: &mut ProgramBuilder) -> GlobalId {
    let id = declare(name, 8 * words.len() as u64, true, false, builder);
    builder.set_global_bytes(id, bytes_of(words));
    id
}

/// A variable of the C library, or one that is not known.
fn variable(name: &str, builder: &mut ProgramBuilder) -> Target {
    let stream = matches!(name, "stdin" | "stdout" | "stderr");
    // What `std::call_once` is to call, and its object.
    let once = matches!(name, "_ZSt15__once_callable" | "_ZSt11__once_call");
    let flag = name == "__libc_single_threaded";
    let size = if stream || once { 8 } else { u64::from(flag) };
    let id = declare(name, size, flag, once, builder);
    match (stream || flag, once) {
        (true, _) => Target::Global(id),
        (_, true) => Target::ThreadLocal(id),
        _ => Target::Missing(id),
    }
}

fn declare(
    name: &str,
    size: u64,
    constant: bool,
    thread_local: bool,
    builder: &mut ProgramBuilder,
) -> GlobalId {
    builder.declare_global(Global {
        name: name.to_owned(),
        source_name: None,
        address: 0,
        size,
        align: 8,
        bytes: Vec::new(),
        constant,
        thread_local,
        kind: None,
        location: LocationId::NONE,
    })
}
