//! Flags for the compiler that stand among the options: they are taken for what they are.

use std::ffi::OsString;

/// The commands that compile.
const COMPILES: [&str; 6] = ["check", "run", "test", "explain", "transform", "disasm"];
/// Flags that go on in the same word.
const STARTS: [&str; 5] = ["-I", "-D", "-U", "-std=", "-stdlib="];
/// Flags whose value may be, or is, the next word.
const WITH_VALUE: [&str; 5] = ["-I", "-D", "-U", "-isystem", "-include"];

/// The words of a command line, with all flags for the compiler behind `--`.
pub(crate) fn behind(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = words.peekable();
    let mut kept: Vec<OsString> = words.by_ref().take(2).collect();
    let compiles = kept.get(1).and_then(|word| word.to_str());
    if !compiles.is_some_and(|command| COMPILES.contains(&command)) {
        kept.extend(words);
        return kept;
    }
    let mut flags: Vec<OsString> = Vec::new();
    let mut has_more = false;
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or("");
        if text == "--" {
            has_more = true;
            break;
        }
        if WITH_VALUE.contains(&text) {
            flags.push(word);
            flags.extend(words.next());
        } else if STARTS.iter().any(|start| text.starts_with(start)) {
            flags.push(word);
        } else {
            kept.push(word);
        }
    }
    if has_more || !flags.is_empty() {
        kept.push("--".into());
    }
    kept.extend(flags);
    kept.extend(words);
    kept
}

#[cfg(test)]
mod tests {
    use super::behind;

    fn after(line: &str) -> String {
        let words = behind(line.split(' ').map(Into::into));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn flags_for_the_compiler_go_behind_the_dashes() {
        let found = after("norn check -Iinclude a.c -D N=2 --model sc -std=c11 -- -Wall");
        assert_eq!(found, "norn check a.c --model sc -- -Iinclude -D N=2 -std=c11 -Wall");
        assert_eq!(after("norn run a.c"), "norn run a.c");
        assert_eq!(after("norn test x -- -DA"), "norn test x -- -DA");
        assert_eq!(after("norn merge -Dx"), "norn merge -Dx");
    }
}
