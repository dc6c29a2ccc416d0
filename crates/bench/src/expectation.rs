//! What a program says of itself, in lines such as
//!
//! ```text
//! // norn: model=sc N=10 executions=3328 growth
//! // norn: model=ra algorithm=rf N=10 executions=331 paper=331 source="TRACER, Table 4"
//! ```
//!
//! | word | meaning |
//! |---|---|
//! | `model=` | the memory model |
//! | `algorithm=` | `trust` (if it is not said), `rf`, `rvf`, `await`, `await:standard`, `bound:K` |
//! | `N=` | the size parameter, passed as `-DN=…` |
//! | `executions=` | how many there are |
//! | `blocked=` | how many more cannot end; none if it is not said |
//! | `stale=` | how often the search ends in a read that waits, which another execution lets go on; likewise |
//! | `limit=` | look only at so many executions, the first ones |
//! | `paper=` with `source="…"` | how many a paper reports, and where |
//! | `seconds=` with `source="…"` | how long its tool took, on its machine |
//! | `peer=` | executions per CPU second of the best peer, on its machine |
//! | `bar=` | instructions per execution that are not to be exceeded |
//! | `growth` | a point of the plot of cost against events |
//! | `values` | a row of the table that compares `rvf` with others |
//! | `slow` | longer than about two seconds in a build for tests, which leave it out |
//! | `long` | slow, and too long for callgrind as well, unless it is asked for |

use crate::{Algorithm, Search};
use norn_models::ModelName;
use serde::{Deserialize, Serialize};

/// One such line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The model.
    pub model: ModelName,
    /// What to count.
    pub algorithm: Algorithm,
    /// The size parameter, passed as `-DN=…`.
    pub size: Option<u32>,
    /// How many executions there are.
    pub executions: u64,
    /// How many more cannot end.
    pub blocked: u64,
    /// How often the search ends in a read that another execution continues.
    pub stale: u64,
    /// Where to stop, for programs that nobody can look at to the end.
    pub limit: Option<u64>,
    /// What others say.
    pub reference: Reference,
    /// Whether it is a point of the plot of cost against events.
    pub growth: bool,
    /// Whether it is a row of the table that compares `rvf` with others.
    pub values: bool,
    /// Whether it takes too long for the tests.
    pub slow: bool,
    /// Whether it takes too long for callgrind as well.
    pub long: bool,
}

/// What papers and peers say about a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The number of executions in a paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<u64>,
    /// The seconds that a paper's tool took, as they are printed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<String>,
    /// Which paper, and where in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Executions per CPU second of the best peer, on its machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<u64>,
    /// Instructions per execution that are not to be exceeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bar: Option<u64>,
}

/// What lines can be told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mark {
    /// `paper=`: a paper has a number for it.
    Paper,
    /// `peer=`: there is a figure of a peer.
    Peer,
    /// `bar=`: there is a bar for its instructions.
    Bar,
    /// `growth`: it is a point of the plot of cost against events.
    Growth,
    /// `values`: it is a row of the table that compares `rvf` with others.
    Values,
    /// `slow`: it is too long for the tests.
    Slow,
    /// `long`: it is too long for callgrind as well.
    Long,
}

impl Expectation {
    /// Whether the line has the mark.
    pub fn has(&self, mark: Mark) -> bool {
        match mark {
            Mark::Paper => self.reference.paper.is_some(),
            Mark::Peer => self.reference.peer.is_some(),
            Mark::Bar => self.reference.bar.is_some(),
            Mark::Growth => self.growth,
            Mark::Values => self.values,
            Mark::Slow => self.slow,
            Mark::Long => self.long,
        }
    }

    /// How the tests count: with one worker.
    pub fn search(&self) -> Search {
        Search { algorithm: self.algorithm, jobs: 1 }
    }

    /// The compiler's flags for the size.
    pub fn flags(&self) -> Vec<String> {
        size_flags(self.size)
    }
}

/// The compiler's flags for a size.
pub fn size_flags(size: Option<u32>) -> Vec<String> {
    size.iter().map(|n| format!("-DN={n}")).collect()
}

/// The expectations in the text of a program. A line that cannot be read is an error that says why.
pub fn expectations(text: &str) -> Result<Vec<Expectation>, String> {
    text.lines().filter_map(|line| line.strip_prefix("// norn: ")).map(parse).collect()
}

fn parse(line: &str) -> Result<Expectation, String> {
    let (mut model, mut size, mut executions) = (None, None, None);
    let (mut algorithm, mut reference) = (Algorithm::Trust, Reference::default());
    let (mut blocked, mut stale) = (0, 0);
    let (mut limit, mut growth, mut values) = (None, false, false);
    let (mut slow, mut long) = (false, false);
    for word in words(line)? {
        match word.split_once('=').unwrap_or((&word, "")) {
            ("model", name) => model = Some(name.parse()?),
            ("algorithm", name) => algorithm = name.parse()?,
            ("N", n) => size = Some(number(n)?),
            ("executions", n) => executions = Some(number(n)?),
            ("blocked", n) => blocked = number(n)?,
            ("stale", n) => stale = number(n)?,
            ("limit", n) => limit = Some(number(n)?),
            ("paper", n) => reference.paper = Some(number(n)?),
            ("seconds", text) => {
                reference.seconds = Some(number::<f64>(text).map(|_| text.to_owned())?)
            }
            ("source", name) => reference.source = Some(name.to_owned()),
            ("peer", n) => reference.peer = Some(number(n)?),
            ("bar", n) => reference.bar = Some(number(n)?),
            ("growth", "") => growth = true,
            ("values", "") => values = true,
            ("slow", "") => slow = true,
            ("long", "") => (slow, long) = (true, true),
            _ => return Err(format!("`{word}` is no word of an expectation")),
        }
    }
    let is_sourced = reference.paper.is_some() || reference.seconds.is_some();
    if is_sourced != reference.source.is_some() {
        return Err(format!(
            "`{line}` says what a paper reports without source=, or nothing from it"
        ));
    }
    match (model, executions) {
        (Some(model), Some(executions)) => Ok(Expectation {
            model,
            algorithm,
            size,
            executions,
            blocked,
            stale,
            limit,
            reference,
            growth,
            values,
            slow,
            long,
        }),
        _ => Err(format!("`{line}` needs model= and executions=")),
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

/// The words of a line, at blanks outside of double quotes; the quotes are not part of a word.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quoted, mut inside) = (Vec::new(), String::new(), false, false);
    for character in line.chars() {
        match character {
            '"' => (quoted, inside) = (!quoted, true),
            blank if blank.is_whitespace() && !quoted => {
                if inside {
                    words.push(std::mem::take(&mut word));
                }
                inside = false;
            }
            other => {
                word.push(other);
                inside = true;
            }
        }
    }
    if inside {
        words.push(word);
    }
    if quoted { Err(format!("a quote is not closed in `{line}`")) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let text = "// a program\n// norn: model=sc N=5 executions=64\nint x;\n";
        let expected = Expectation {
            model: ModelName::Sc,
            algorithm: Algorithm::Trust,
            size: Some(5),
            executions: 64,
            blocked: 0,
            stale: 0,
            limit: None,
            reference: Reference::default(),
            growth: false,
            values: false,
            slow: false,
            long: false,
        };
        assert_eq!(expectations(text), Ok(vec![expected]));
    }

    #[test]
    fn every_word_is_read() {
        let text = "// norn: model=ra algorithm=rf executions=4 blocked=3 limit=4 paper=5 seconds=0.5 source=\"A, Table 1\" \
                    peer=6 bar=7 growth values long";
        let line = expectations(text).expect("an expectation").remove(0);
        assert_eq!((line.model, line.algorithm, line.size), (ModelName::Ra, Algorithm::Rf, None));
        let source = Some("A, Table 1".to_owned());
        let seconds = Some("0.5".to_owned());
        let reference = Reference { paper: Some(5), seconds, source, peer: Some(6), bar: Some(7) };
        assert_eq!((line.reference.clone(), line.limit, line.blocked), (reference, Some(4), 3));
        let marks = [
            Mark::Paper,
            Mark::Peer,
            Mark::Bar,
            Mark::Growth,
            Mark::Values,
            Mark::Slow,
            Mark::Long,
        ];
        assert!(marks.iter().all(|mark| line.has(*mark)));
        let bare =
            expectations("// norn: model=ra executions=4").expect("an expectation").remove(0);
        assert!(!marks.iter().any(|mark| bare.has(*mark)));
    }

    #[test]
    fn a_line_that_says_something_else_is_an_error() {
        for line in [
            "model=sc executoins=64",
            "model=sc",
            "model=sc executions=64 slow=1",
            "model=sc executions=64 paper=64",
            "model=sc executions=64 seconds=0.5",
            "model=sc executions=64 seconds=little source=\"a\"",
            "model=sc executions=64 paper=64 source=\"a",
            "model=sc executions=many",
        ] {
            assert!(expectations(&format!("// norn: {line}\n")).is_err(), "{line}");
        }
    }

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(
            words("a \"b c\"d  \"\" e"),
            Ok(["a", "b cd", "", "e"].map(str::to_owned).to_vec())
        );
        assert!(words("a \"b").is_err());
    }
}
