//! IR that was damaged at random is lowered or refused, without a panic.

mod support;

use norn_frontend::{FrontendError, lower_modules};
use std::process::Command;
use support::{directory, files};

/// A small generator with a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_inclusive([' ', ',', '(', ')', '\n']).collect()
}

/// Swaps, repeats or drops words: that keeps more of the text readable than damage to bytes.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut words = words(text);
    for _ in 0..1 + random.below(3) {
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        match random.below(4) {
            0 => words.swap(a, b),
            1 => words[a] = words[b],
            2 => drop(words.remove(a)),
            _ => words.insert(a, words[b]),
        }
    }
    words.concat()
}

fn ir(file: &std::path::Path, level: &str) -> String {
    let names = ["clang", "clang-22", "clang-19", "clang-16", "clang-14"];
    let output = names.iter().find_map(|name| {
        let mut command = Command::new(name);
        command.args(["-w", "-g0", "-S", "-emit-llvm", "-o", "-", level]).arg(file).output().ok()
    });
    String::from_utf8(output.expect("clang is installed").stdout).expect("IR is text")
}

#[test]
fn damaged_ir_is_lowered_or_refused() {
    let mut random = Random(0x1e37_79b9_7f4a_7c17);
    let (mut lowered, mut refused, mut malformed) = (0, 0, Vec::new());
    for file in files(&directory("run"), "c").iter().step_by(3) {
        let level = ["-O0", "-O2"][random.below(2)];
        let text = ir(file, level);
        for _ in 0..100 {
            let damaged = mutate(&text, &mut random);
            let Ok(module) = norn_llvm::read(&damaged) else { continue };
            match lower_modules(&[module], |_| false) {
                Ok(_) => lowered += 1,
                Err(FrontendError::Malformed(error)) => malformed.push(error.to_string()),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(malformed.is_empty(), "{malformed:?}");
    assert!(lowered > 100, "{lowered} lowered, {refused} refused");
}
