//! The words for loops, and the text of `norn transform`.

use super::{
    Access, Alternative, Cause, Comparison, Expression, Finding, LoopReport, Passes, Relation,
    Threads, Transformed, Why,
};
use crate::names::Spot;
use crate::wrap::{Paint, hanging};
use std::fmt;

/// More causes than this are counted.
const MOST_CAUSES: usize = 3;

impl Transformed {
    /// The text for people, as wide as asked.
    pub fn render(&self, width: usize, color: bool) -> String {
        let mut out = String::new();
        for item in &self.loops {
            let place = Paint::Bold.apply(&item.place(), color);
            out.push_str(&format!("{place}: {}\n", item.finding.name()));
            out.push_str(&hanging("  ", &item.message, width));
        }
        if self.loops.is_empty() {
            out.push_str("no loops\n");
        }
        out.push('\n');
        if let Some(threads) = &self.threads {
            out.push_str(&hanging("", &threads.sentence(), width));
        }
        out.push_str(&hanging("", &self.passes.sentence(), width));
        out
    }
}

/// `lock.c:7 in lock`.
fn place(spot: &Spot) -> String {
    match &spot.function {
        Some(function) => format!("{}:{} in {function}", spot.file, spot.line),
        None => format!("{}:{}", spot.file, spot.line),
    }
}

impl Finding {
    /// The name used in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            Finding::Await => "await",
            Finding::Assume => "assume",
            Finding::Open => "open",
            Finding::Tries => "tries",
            Finding::Refused => "refused",
        }
    }
}

impl Threads {
    fn sentence(&self) -> String {
        match self.alike {
            true => "threads that are started alike count once".to_owned(),
            false => {
                let because = self.told_apart_by.join("; ");
                format!(
                    "threads that are started alike do not count once, since they may be told apart: {because}"
                )
            }
        }
    }
}

impl Passes {
    fn sentence(&self) -> String {
        let dropped = match &self.dropped[..] {
            [] => "no function was dropped as unreachable".to_owned(),
            [one] => format!("the function {one} was dropped as unreachable"),
            many => format!("{} functions were dropped as unreachable", many.len()),
        };
        let count = |number: u64, one: &str, many: &str| match number {
            1 => format!("1 {one}"),
            number => format!("{number} {many}"),
        };
        format!(
            "{dropped}; a thread may be found to wait at {}; nobody looks at the answers of {}",
            count(self.watched, "read", "reads"),
            count(self.unused, "read-modify-write", "read-modify-writes"),
        )
    }
}

impl LoopReport {
    fn place(&self) -> String {
        self.spot.as_ref().map_or("a loop without a place".to_owned(), place)
    }

    /// Where it is, what becomes of it, and why.
    pub(crate) fn line(&self) -> String {
        format!("{}: {}: it {}", self.place(), self.finding.name(), self.message)
    }

    /// What is recognised of a loop, in words: the message is made of the rest.
    pub fn with_message(mut self) -> LoopReport {
        self.message = self.sentence();
        self
    }

    fn sentence(&self) -> String {
        let when = condition(&self.condition);
        let causes = causes(&self.causes);
        match self.finding {
            Finding::Await => {
                let mut read: Vec<&str> =
                    self.condition.iter().filter_map(|one| one.awaits.as_deref()).collect();
                read.dedup();
                let read = read.join(" and ");
                let others = self.on_other_ways(&causes);
                format!(
                    "repeats without effect when {when}: it waits for another value of {read}{others}"
                )
            }
            Finding::Assume => {
                let others = self.on_other_ways(&causes);
                format!(
                    "repeats without effect when {when}: an execution in which it does ends there{others}"
                )
            }
            Finding::Open => format!(
                "may repeat without effect, which is seen when it runs: {}",
                or_else(&causes, "what it does is not known before")
            ),
            Finding::Tries => "tries a number of times, which decides nothing else: a try that reads once and fails \
                 without effect stands for all that are left"
                .to_owned(),
            Finding::Refused => {
                let reason = or_else(&causes, "no way round leaves all as it was");
                format!("never repeats without effect: {reason}")
            }
        }
    }

    fn on_other_ways(&self, causes: &str) -> String {
        if causes.is_empty() { String::new() } else { format!("; on other ways round, {causes}") }
    }
}

fn or_else<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    if text.is_empty() { otherwise } else { text }
}

fn causes(causes: &[Cause]) -> String {
    let mut texts: Vec<String> = causes.iter().map(Cause::to_string).collect();
    texts.dedup();
    let more = texts.len().saturating_sub(MOST_CAUSES);
    texts.truncate(MOST_CAUSES);
    let mut text = texts.join(", and ");
    if more > 0 {
        text.push_str(&format!(", and {more} more"));
    }
    text
}

/// A condition in the words of the source.
fn condition(alternatives: &[Alternative]) -> String {
    let texts: Vec<String> = alternatives.iter().map(Alternative::to_string).collect();
    texts.join(", or when ")
}

impl fmt::Display for Alternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.comparisons.is_empty() {
            write!(f, "it goes round at all")?;
        }
        for (index, comparison) in self.comparisons.iter().enumerate() {
            write!(f, "{}{comparison}", if index == 0 { "" } else { " and " })?;
        }
        match &self.not_before {
            Some(spot) => {
                write!(f, " (known only behind line {}, where something may go wrong)", spot.line)
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { left, relation, right } = self;
        if let (Expression::Exchanged { .. }, Expression::Number { value }) = (left, right) {
            let is_true = match relation {
                Relation::Equal => *value == 1,
                _ => *value == 0,
            };
            let outcome = if is_true { "succeeds" } else { "fails" };
            return write!(f, "{left} {outcome}");
        }
        let is_number = matches!(left, Expression::Number { .. });
        match relation {
            Relation::Equal if is_number => write!(f, "{right} == {left}"),
            Relation::NotEqual if is_number => write!(f, "{right} != {left}"),
            Relation::Less if is_number => write!(f, "{right} > {left}"),
            Relation::LessEqual if is_number => write!(f, "{right} >= {left}"),
            Relation::Equal => write!(f, "{left} == {right}"),
            Relation::NotEqual => write!(f, "{left} != {right}"),
            Relation::Less => write!(f, "{left} < {right}"),
            Relation::LessEqual => write!(f, "{left} <= {right}"),
            Relation::Covers => write!(f, "({left} & {right}) == {right}"),
        }
    }
}

/// `&x`, or `&x, 1`.
fn arguments(variable: &str, operand: &Option<Box<Expression>>) -> String {
    match operand {
        Some(operand) => format!("{}, {operand}", address(variable)),
        None => address(variable),
    }
}

/// `&x`, `p` for `*p`.
fn address(variable: &str) -> String {
    match variable.strip_prefix('*') {
        Some(pointer) => pointer.to_owned(),
        None => format!("&{variable}"),
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Number { value } => write!(f, "{}", signed(*value)),
            Expression::Variable { name } => write!(f, "{name}"),
            Expression::Address { variable } => write!(f, "{}", address(variable)),
            Expression::Read { access: Access::PlainLoad, variable, .. } => write!(f, "{variable}"),
            Expression::Read { access, variable, operand } => {
                write!(f, "{}({})", access.function(), arguments(variable, operand))
            }
            Expression::Exchanged { variable, operand } => {
                write!(f, "atomic_compare_exchange({})", arguments(variable, operand))
            }
            Expression::Result { function } => write!(f, "{function}()"),
            Expression::Computed { operator, left, right } => {
                if operator.chars().all(char::is_alphabetic) {
                    write!(f, "{operator}({left}, {right})")
                } else {
                    write!(f, "({left} {operator} {right})")
                }
            }
            Expression::Unknown { line: Some(line) } => write!(f, "a value of line {line}"),
            Expression::Unknown { line: None } => write!(f, "a value without a name"),
        }
    }
}

/// Numbers right below a power of two that int and long end at are negative ones.
fn signed(value: u64) -> i128 {
    let near = |width: u32| {
        let end = 1i128 << width;
        let value = i128::from(value);
        (end - (1 << 20)..end).contains(&value).then(|| value - end)
    };
    near(32).or_else(|| near(64)).unwrap_or(i128::from(value))
}

impl Access {
    /// The function of C that makes it.
    fn function(self) -> &'static str {
        match self {
            Access::Load | Access::PlainLoad => "atomic_load",
            Access::Exchange => "atomic_exchange",
            Access::FetchAdd => "atomic_fetch_add",
            Access::FetchSub => "atomic_fetch_sub",
            Access::FetchOr => "atomic_fetch_or",
            Access::FetchAnd => "atomic_fetch_and",
            Access::FetchXor => "atomic_fetch_xor",
            Access::Rmw => "atomic_update",
            Access::CompareExchange => "the value read by atomic_compare_exchange",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.spot {
            Some(spot) => format!("line {} ", spot.line),
            None => "it ".to_owned(),
        };
        match &self.reason {
            Why::Writes { variable } if self.certain => write!(f, "{line}writes {variable}"),
            Why::Writes { variable } => write!(
                f,
                "{line}writes {variable}, an effect if it changes something or others can see it"
            ),
            Why::Calls { callee, effect: Some(effect) } => {
                write!(f, "{line}calls {callee}, which may have an effect in line {}", effect.line)
            }
            Why::Calls { callee, effect: None } => {
                write!(f, "{line}calls {callee}, which may have an effect")
            }
            Why::Runtime { callee } => write!(f, "{line}calls {callee}"),
            Why::CallsPointer => write!(f, "{line}calls a function by a pointer"),
            Why::Scope => write!(f, "{line}has a local variable in memory"),
            Why::Changes { variable: Some(variable) } => {
                write!(f, "{line}changes {variable}, which the next iteration uses")
            }
            Why::Changes { variable: None } => {
                write!(f, "{line}changes a value that the next iteration uses")
            }
            Why::Other => write!(f, "{line}may have an effect"),
        }
    }
}
