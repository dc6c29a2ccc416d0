//! What the C++ library keeps compiled, and neither its headers nor the machine define: small sources of our own. A source
//! is compiled, by the user's compiler, if the program names a symbol of it that nothing else defines.

use crate::link::{Links, SymbolRef};
use norn_llvm::{Module, SymbolId, SymbolKind};

/// A source.
#[derive(Debug)]
pub struct Part {
    /// The name of its file.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
    /// What the names of the symbols begin with that it defines.
    symbols: &'static [&'static str],
    /// What it is, in a few words.
    pub about: &'static str,
    /// Whether it takes the place of what headers define, too.
    replaces: bool,
}

macro_rules! part {
    ($name:literal, $about:literal, $symbols:expr) => {
        part!($name, $about, $symbols, false)
    };
    ($name:literal, $about:literal, $symbols:expr, $replaces:literal) => {
        Part {
            name: concat!($name, ".cpp"),
            text: include_str!(concat!("../cxx/", $name, ".cpp")),
            symbols: $symbols,
            about: $about,
            replaces: $replaces,
        }
    };
}

/// All of them, for GNU's library.
pub const PARTS: &[Part] = &[
    part!(
        "tree",
        "nodes of std::map, std::set and their like",
        &[
            "_ZSt18_Rb_tree_increment",
            "_ZSt18_Rb_tree_decrement",
            "_ZSt29_Rb_tree_insert_and_rebalance",
            "_ZSt28_Rb_tree_rebalance_for_erase",
        ]
    ),
    part!(
        "hash",
        "hashes and buckets of std::unordered_map and its like",
        &["_ZSt11_Hash_bytes", "_ZSt15_Fnv_hash_bytes", "_ZNKSt8__detail20_Prime_rehash_policy"]
    ),
    part!(
        "list",
        "whole parts of std::list that are moved",
        &[
            "_ZNSt8__detail15_List_node_base11_M_transfer",
            "_ZNSt8__detail15_List_node_base10_M_reverse",
            "_ZNSt8__detail15_List_node_base4swap",
        ]
    ),
    part!(
        "future",
        "std::future, std::promise, std::packaged_task, std::async",
        &[
            "_ZNSt13__future_base12_Result_base",
            "_ZTINSt13__future_base12_Result_base",
            "_ZTVNSt13__future_base12_Result_base",
            "_ZNSt28__atomic_futex_unsigned_base",
            "_ZNSt12future_error",
            "_ZNKSt12future_error",
            "_ZTISt12future_error",
            "_ZTVSt12future_error",
            "_ZSt15future_category",
            "_ZSt20__throw_future_error",
        ]
    ),
    part!(
        "error",
        "kinds of error codes of a program's own",
        &[
            "_ZNSt3_V214error_categoryD2Ev",
            "_ZTINSt3_V214error_category",
            "_ZNKSt3_V214error_category10equivalent",
            "_ZNKSt3_V214error_category23default_error_condition",
        ]
    ),
    part!(
        "pointers",
        "atomic operations on a std::shared_ptr",
        &["_ZNSt10_Sp_locker", "_ZNSt19_Sp_make_shared_tag"]
    ),
    part!(
        "random",
        "std::random_device, which gives the same numbers each time",
        &["_ZNSt13random_device"]
    ),
    part!(
        "waiting",
        "whether anybody waits for a std::atomic, a std::latch, a semaphore or a std::barrier",
        &["_ZNKSt8__detail18__waiter_pool_base10_M_waitingEv"],
        true
    ),
    part!(
        "stream",
        "streams: printing and reading of numbers and texts, std::cout and its like",
        &[
            "_ZSt3cin",
            "_ZSt4cout",
            "_ZSt4cerr",
            "_ZSt4clog",
            "_ZNSt8ios_baseC2Ev",
            "_ZNSt6localeC1Ev"
        ]
    ),
];

/// The parts that modules need and that are not among those that are there `already`.
pub(crate) fn needed(
    modules: &[Module],
    provided: fn(&str) -> bool,
    already: &[&str],
) -> Vec<&'static Part> {
    let mut missing = Vec::new();
    let mut links = None;
    for (m, module) in modules.iter().enumerate() {
        for s in 0..module.symbols.len() as u32 {
            let symbol = SymbolId(s);
            let name = module.symbol_name(symbol);
            let own = |part: &&Part| part.symbols.iter().any(|start| name.starts_with(start));
            let Some(part) = PARTS.iter().find(own) else { continue };
            let known = |other: &&'static Part| std::ptr::eq(*other, part);
            if already.contains(&part.name) || missing.iter().any(known) || provided(name) {
                continue;
            }
            let links = links.get_or_insert_with(|| Links::new(modules).unwrap_or_default());
            let found = links.resolve(modules, SymbolRef { module: m as u32, symbol });
            if part.replaces
                || found
                    .is_none_or(|found| !is_defined(&modules[found.module as usize], found.symbol))
            {
                missing.push(part);
            }
        }
    }
    missing
}

fn is_defined(module: &Module, symbol: SymbolId) -> bool {
    match module.symbol(symbol).kind {
        SymbolKind::Function(i) => module.functions[i as usize].body.is_some(),
        SymbolKind::Global(i) => module.globals[i as usize].initializer.is_some(),
        SymbolKind::Alias(_) | SymbolKind::Ifunc(_) => true,
    }
}

/// The flags of the user that matter to the sources: what the target is, and where the library is. They need no other
/// dialect than their own.
pub(crate) fn flags(user: &[String]) -> Vec<String> {
    const WITH_VALUE: &[&str] = &["-target", "-isysroot", "--sysroot", "--gcc-toolchain"];
    const STARTS: &[&str] = &[
        "-m",
        "-stdlib=",
        "--target=",
        "--sysroot=",
        "--gcc-toolchain=",
        "--gcc-install-dir=",
        "-D_GLIBCXX_USE",
        "-fdebug",
    ];
    let mut kept = Vec::new();
    let mut flags = user.iter();
    while let Some(flag) = flags.next() {
        if WITH_VALUE.contains(&flag.as_str()) {
            kept.push(flag.clone());
            kept.extend(flags.next().cloned());
        } else if STARTS.iter().any(|start| flag.starts_with(start)) {
            kept.push(flag.clone());
        }
    }
    kept.push("-std=gnu++17".to_owned());
    kept.push("-w".to_owned());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&'static str> {
        let modules = [norn_llvm::read(text).unwrap()];
        needed(&modules, |name| name == "_ZNSt10_Sp_lockerC1Ev", &["hash.cpp"])
            .iter()
            .map(|part| part.name)
            .collect()
    }

    #[test]
    fn a_part_is_needed_for_what_nothing_defines() {
        let increment = "@_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base";
        let declared = format!("declare ptr {increment}(ptr)\n@_ZSt4cout = external global i8");
        assert_eq!(parts(&declared), ["tree.cpp", "stream.cpp"]);
        let defined = format!("define ptr {increment}(ptr %0) {{\n  ret ptr %0\n}}");
        assert!(parts(&defined).is_empty());
        assert!(parts("declare void @_ZNSt10_Sp_lockerC1Ev()").is_empty(), "the machine has it");
        assert!(
            parts("declare i64 @_ZSt11_Hash_bytesPKvmm(ptr, i64, i64)").is_empty(),
            "it is there"
        );
    }

    #[test]
    fn flags_that_choose_the_target_and_the_library_are_kept() {
        let user = ["-std=c++11", "-I.", "-target", "aarch64-linux-gnu", "-DX", "-m64"];
        let kept = flags(&user.map(str::to_owned));
        assert_eq!(kept, ["-target", "aarch64-linux-gnu", "-m64", "-std=gnu++17", "-w"]);
    }
}
