//! What is known of a module, in a form that both readers can fill in and that can be compared.
//!
//! Names that a module leaves open are replaced by numbers in the order of the text, the same way
//! on both sides: locals `%0…`, blocks `b0…`, unnamed symbols `@#0…`, unnamed structures `%#0…`.

use std::collections::BTreeMap;

/// Named facts about one thing, in a fixed order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts(pub Vec<(&'static str, String)>);

impl Facts {
    /// Adds a fact.
    pub fn add(&mut self, what: &'static str, value: impl ToString) {
        self.0.push((what, value.to_string()));
    }
}

/// A function and its instructions.
#[derive(Debug, Default)]
pub struct Function {
    /// Type, linkage and the like.
    pub facts: Facts,
    /// Number of blocks.
    pub blocks: usize,
    /// Instructions in the order of the text, without debug intrinsics.
    pub instructions: Vec<Facts>,
}

/// A module.
#[derive(Debug, Default)]
pub struct Module {
    /// Global variables, aliases and ifuncs by name.
    pub symbols: BTreeMap<String, Facts>,
    /// Functions by name.
    pub functions: BTreeMap<String, Function>,
    /// Identified structures that were mentioned, by name.
    pub structures: BTreeMap<String, String>,
}

impl Module {
    /// Number of instructions.
    pub fn instructions(&self) -> usize {
        self.functions.values().map(|f| f.instructions.len()).sum()
    }

    /// Number of single facts.
    pub fn facts(&self) -> usize {
        let functions = self.functions.values();
        let inside = functions.flat_map(|f| f.instructions.iter().chain([&f.facts]));
        inside.chain(self.symbols.values()).map(|f| f.0.len()).sum::<usize>()
            + self.structures.len()
    }
}

/// Where two modules differ; one line each.
pub fn differences(ours: &Module, llvm: &Module) -> Vec<String> {
    let mut out = Vec::new();
    both(&ours.structures, &llvm.structures, "type", &mut out, |name, a, b, out| {
        if a != b {
            out.push(format!("type {name}: {a}, LLVM: {b}"));
        }
    });
    both(&ours.symbols, &llvm.symbols, "symbol", &mut out, |name, a, b, out| {
        compare(&format!("@{name}"), a, b, out);
    });
    both(&ours.functions, &llvm.functions, "function", &mut out, |name, a, b, out| {
        compare(&format!("@{name}"), &a.facts, &b.facts, out);
        if (a.blocks, a.instructions.len()) != (b.blocks, b.instructions.len()) {
            out.push(format!(
                "@{name}: {} blocks and {} instructions, LLVM: {} and {}",
                a.blocks,
                a.instructions.len(),
                b.blocks,
                b.instructions.len()
            ));
        }
        for (i, (a, b)) in a.instructions.iter().zip(&b.instructions).enumerate() {
            compare(&format!("@{name}, instruction {i}"), a, b, out);
        }
    });
    out
}

fn both<T>(
    ours: &BTreeMap<String, T>,
    llvm: &BTreeMap<String, T>,
    kind: &str,
    out: &mut Vec<String>,
    mut with: impl FnMut(&str, &T, &T, &mut Vec<String>),
) {
    for (name, a) in ours {
        match llvm.get(name) {
            Some(b) => with(name, a, b, out),
            None => out.push(format!("{kind} {name}: LLVM does not have it")),
        }
    }
    for name in llvm.keys().filter(|name| !ours.contains_key(*name)) {
        out.push(format!("{kind} {name}: only LLVM has it"));
    }
}

fn compare(place: &str, ours: &Facts, llvm: &Facts, out: &mut Vec<String>) {
    if ours.0.len() != llvm.0.len() {
        out.push(format!("{place}: {:?}, LLVM: {:?}", ours.0, llvm.0));
        return;
    }
    for ((what, a), (llvm_what, b)) in ours.0.iter().zip(&llvm.0) {
        if (what, a) != (llvm_what, b) {
            out.push(format!("{place}: {what} is {a}, LLVM: {llvm_what} is {b}"));
        }
    }
}

/// Two's complement of a decimal number, in little-endian 64-bit words, cut to `bits`.
pub fn words(decimal: &str, bits: u32) -> Vec<u64> {
    let (negative, digits) = match decimal.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, decimal),
    };
    let mut words = vec![0u64; bits.div_ceil(64) as usize];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            carry += u128::from(*word) * 10;
            *word = carry as u64;
            carry >>= 64;
        }
    }
    if negative {
        let mut carry = true;
        for word in &mut words {
            (*word, carry) = (!*word).overflowing_add(u64::from(carry));
        }
    }
    cut(words, bits)
}

/// Clears what is above `bits`.
pub fn cut(mut words: Vec<u64>, bits: u32) -> Vec<u64> {
    if let Some(last) = words.last_mut()
        && !bits.is_multiple_of(64)
    {
        *last &= (1 << (bits % 64)) - 1;
    }
    words
}

/// How a number of `words` is written in a fact.
pub fn hexadecimal(words: &[u64]) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_numbers_become_words() {
        assert_eq!(words("-1", 70), [u64::MAX, 63]);
        assert_eq!(words("18446744073709551617", 128), [1, 1]);
        assert_eq!(hexadecimal(&words("-2", 8)), "0xfe");
        assert_eq!(hexadecimal(&words("0", 8)), "0x0");
    }

    #[test]
    fn every_difference_is_found() {
        let module = |value: &str| {
            let mut facts = Facts::default();
            facts.add("value", value);
            let function =
                Function { facts: Facts::default(), blocks: 1, instructions: vec![facts] };
            Module { functions: [("f".to_string(), function)].into(), ..Module::default() }
        };
        assert!(differences(&module("1"), &module("1")).is_empty());
        assert_eq!(differences(&module("1"), &module("2")).len(), 1);
        assert_eq!(differences(&module("1"), &Module::default()).len(), 1);
        assert_eq!(differences(&Module::default(), &module("1")).len(), 1);
    }
}
