//! Linking: which definition each symbol of each module stands for.
//!
//! A strong definition wins over weak, common and inline ones, two strong ones are an error, and of
//! common ones the largest wins. Names of internal linkage never leave their module.

use crate::FrontendError;
use norn_llvm::{Linkage, Module, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

/// A symbol of one of the modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SymbolRef {
    /// Which module.
    pub module: u32,
    /// Which symbol of it.
    pub symbol: SymbolId,
}

/// The winners by name.
#[derive(Debug, Default)]
pub struct Links {
    winners: FxHashMap<String, (SymbolRef, u32, u64)>,
}

impl Links {
    /// Finds the winning definition of every name.
    pub fn new(modules: &[Module]) -> Result<Links, FrontendError> {
        let mut links = Links::default();
        for (index, module) in modules.iter().enumerate() {
            for (id, symbol) in module.symbols.iter().enumerate() {
                let name = module.names.text(symbol.name);
                if symbol.numbered || name.starts_with("llvm.") {
                    continue;
                }
                if let Some(rank) = rank(module, symbol.kind) {
                    let found = SymbolRef { module: index as u32, symbol: SymbolId(id as u32) };
                    links.offer(name, found, rank, size(module, symbol.kind))?;
                }
            }
        }
        Ok(links)
    }

    fn offer(
        &mut self,
        name: &str,
        found: SymbolRef,
        rank: u32,
        size: u64,
    ) -> Result<(), FrontendError> {
        match self.winners.get(name) {
            Some(&(_, STRONG, _)) if rank == STRONG => {
                Err(FrontendError::Link(format!("`{name}` is defined in two of the inputs")))
            }
            Some(&(_, other, other_size)) if (rank, size) <= (other, other_size) => Ok(()),
            _ => {
                self.winners.insert(name.to_owned(), (found, rank, size));
                Ok(())
            }
        }
    }

    /// The definition that `symbol` stands for; `None`: no input defines it.
    pub fn resolve(&self, modules: &[Module], symbol: SymbolRef) -> Option<SymbolRef> {
        let module = &modules[symbol.module as usize];
        let entry = module.symbol(symbol.symbol);
        if entry.numbered || linkage(module, entry.kind) == Linkage::Internal {
            return Some(symbol);
        }
        self.winners.get(module.names.text(entry.name)).map(|winner| winner.0)
    }
}

const STRONG: u32 = 4;

/// How strong a definition is; `None`: it is none, or is not visible to others.
fn rank(module: &Module, kind: SymbolKind) -> Option<u32> {
    let defined = match kind {
        SymbolKind::Global(i) => module.globals[i as usize].initializer.is_some(),
        SymbolKind::Function(i) => module.functions[i as usize].body.is_some(),
        SymbolKind::Alias(_) | SymbolKind::Ifunc(_) => true,
    };
    match linkage(module, kind) {
        _ if !defined => None,
        Linkage::Internal | Linkage::Appending => None,
        Linkage::External => Some(STRONG),
        Linkage::Common => Some(3),
        Linkage::Weak => Some(2),
        Linkage::LinkOnce => Some(1),
        Linkage::ExternWeak | Linkage::AvailableExternally => Some(0),
    }
}

/// The linkage of what a symbol stands for in its own module.
pub fn linkage(module: &Module, kind: SymbolKind) -> Linkage {
    match kind {
        SymbolKind::Global(i) => module.globals[i as usize].linkage,
        SymbolKind::Function(i) => module.functions[i as usize].linkage,
        SymbolKind::Alias(i) => module.aliases[i as usize].linkage,
        SymbolKind::Ifunc(i) => module.ifuncs[i as usize].linkage,
    }
}

/// The size that decides between common definitions.
fn size(module: &Module, kind: SymbolKind) -> u64 {
    match kind {
        SymbolKind::Global(i) if linkage(module, kind) == Linkage::Common => {
            module.layout.of(module.globals[i as usize].ty).map_or(0, |layout| layout.size)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn winner(texts: &[&str], name: &str) -> Result<u32, FrontendError> {
        let modules: Vec<_> = texts.iter().map(|text| norn_llvm::read(text).unwrap()).collect();
        let links = Links::new(&modules)?;
        let symbol = modules[0].find_symbol(name).unwrap();
        let found = links.resolve(&modules, SymbolRef { module: 0, symbol });
        Ok(found.map_or(u32::MAX, |found| found.module))
    }

    #[test]
    fn strong_wins_over_weak_and_common() {
        let declared = "@x = external global i32";
        let weak = "@x = weak global i32 1";
        let common = "@x = common global i32 0";
        let large = "@x = common global [9 x i32] zeroinitializer";
        let strong = "@x = global i32 1";
        assert_eq!(winner(&[declared, weak, strong], "x").unwrap(), 2);
        assert_eq!(winner(&[weak, common], "x").unwrap(), 1);
        assert_eq!(winner(&[common, large, common], "x").unwrap(), 1);
        assert_eq!(winner(&[weak, weak], "x").unwrap(), 0);
        assert_eq!(winner(&[declared], "x").unwrap(), u32::MAX);
    }

    #[test]
    fn internal_names_stay_at_home() {
        let internal = "@x = internal global i32 1";
        assert_eq!(winner(&[internal, "@x = global i32 2"], "x").unwrap(), 0);
    }

    #[test]
    fn two_strong_definitions_are_an_error() {
        let strong = "@x = global i32 1";
        assert!(winner(&[strong, strong], "x").unwrap_err().to_string().contains("two"));
    }
}
