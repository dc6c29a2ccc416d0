//! Text that was damaged at random is read or refused, without panic, hang or runaway memory.

mod support;

use std::time::{Duration, Instant};

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

/// Bytes and words that matter to the reader.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "!",
    "!0",
    "%0",
    "%1",
    "@f",
    "i32",
    "ptr",
    ",",
    "=",
    "label",
    "i8388608",
    "4294967295",
    "18446744073709551615",
    "-1",
    "c\"",
    "\n",
    "null",
    "to",
    "*",
    "zeroinitializer",
    "...",
    "#0",
    "[9999999999 x ",
    "<2 x ",
    "poison",
    "void",
    "x",
    "\\",
    ":",
];

fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len());
        match random.below(6) {
            0 => text[at] = random.below(256) as u8,
            1 => drop(text.drain(at..(at + 1 + random.below(20)).min(text.len()))),
            2 => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.bytes());
            }
            3 => text.truncate(at),
            4 => {
                let end = (at + random.below(200)).min(text.len());
                let copy = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
            _ => {
                let piece = PIECES[random.below(PIECES.len())];
                let end = (at + piece.len()).min(text.len());
                text.splice(at..end, piece.bytes());
            }
        }
        if text.is_empty() {
            break;
        }
    }
    text
}

#[test]
fn damaged_text_is_read_or_refused() {
    let compiler = &support::compilers()[0];
    let newest = support::compilers().pop().unwrap();
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut read, mut refused) = (0, 0);
    let small = |f: &std::path::PathBuf| f.extension().is_some_and(|e| e == "c");
    for file in support::corpus().into_iter().filter(small) {
        for compiler in [compiler, &newest] {
            let text = support::compile(compiler, "-O1", &file);
            for _ in 0..120 {
                let damaged = mutate(&text, &mut random);
                let start = Instant::now();
                match norn_llvm::read(&damaged) {
                    Ok(module) => {
                        support::check(&module);
                        read += 1;
                    }
                    Err(error) => {
                        assert!(error.line >= 1 && !error.message.is_empty());
                        refused += 1;
                    }
                }
                assert!(start.elapsed() < Duration::from_secs(5), "took too long");
            }
        }
    }
    // Both happen, or the mutations miss their aim.
    assert!(read > 100 && refused > 1000, "{read} read, {refused} refused");
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [("[1 x ", "]"), ("{", "}"), ("<{", "}>"), ("i32 (", ")")] {
        let text = format!(
            "@x = global {}i8{} zeroinitializer",
            open.repeat(50_000),
            close.repeat(50_000)
        );
        let error = norn_llvm::read(&text).unwrap_err();
        assert!(error.message.contains("deep"), "{error}");
    }
    let mut chain = String::new();
    for i in 0..5000 {
        chain.push_str(&format!("%t{i} = type {{ %t{}, %t{} }}\n", i + 1, i + 1));
    }
    chain.push_str("%t5000 = type { i8 }\n");
    assert!(norn_llvm::read(&chain).unwrap_err().message.contains("deep"));
    let circle = "%a = type { %b }\n%b = type { [2 x %a] }\n";
    assert!(norn_llvm::read(circle).unwrap_err().message.contains("contains itself"));
}
