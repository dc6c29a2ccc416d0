//! What is recognised of loops: a value that can be written, and its sentences.
//!
//! A loop may go round without any effect. Norn then waits at a read (an *await*), or gives up an execution in
//! which that has happened (an *assume*): see `docs/loops.md`. What is said here comes from the bytecode, before
//! anything is run.

mod words;

use crate::format::Format;
use crate::names::Spot;
use serde::{Deserialize, Serialize};

/// What is recognised of a program: what `norn transform --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Transformed {
    /// The version of this description.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::format"))]
    pub format: Format,
    /// The files of the program.
    pub files: Vec<String>,
    /// Its loops, in the order of the bytecode.
    pub loops: Vec<LoopReport>,
    /// Whether threads that are started alike are taken for each other, if it starts any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub threads: Option<Threads>,
    /// What else was found.
    pub passes: Passes,
}

impl Transformed {
    /// The value as one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("it has only string keys")
    }
}

/// Whether threads that are started alike (by one thread, with the same function and argument) are taken for each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Threads {
    /// Whether nothing in the program may tell them apart. What is done between their starts and their joins is seen only when it
    /// is run.
    pub alike: bool,
    /// What may tell them apart, in words.
    pub told_apart_by: Vec<String>,
}

/// What the other passes found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Passes {
    /// Functions that nothing calls; their bodies were dropped.
    pub dropped: Vec<String>,
    /// Reads and read-modify-writes at which a thread is asked whether it waits.
    pub watched: u64,
    /// Read-modify-writes whose answers nobody looks at.
    pub unused: u64,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoopReport {
    /// Where it is, if that is known.
    #[serde(flatten)]
    pub spot: Option<Spot>,
    /// How many loops are around it in its function.
    pub depth: u32,
    /// What becomes of it.
    pub finding: Finding,
    /// When an iteration repeats without effect: one of these holds.
    pub condition: Vec<Alternative>,
    /// What stands against that, on all ways round or on some.
    pub causes: Vec<Cause>,
    /// All that in words.
    pub message: String,
}

/// What becomes of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// A read waits for a value with which the thread does something else.
    Await,
    /// An execution in which an iteration has had no effect ends there.
    Assume,
    /// Whether an iteration has an effect is seen when it runs; then it is an assume.
    Open,
    /// It tries a number of times, and a try that fails without effect stands for all that are left.
    Tries,
    /// No iteration is without effect.
    Refused,
}

/// One way to repeat without effect: all comparisons hold; without any, it always does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Alternative {
    /// What holds.
    pub comparisons: Vec<Comparison>,
    /// What is read where the thread waits for something else.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub awaits: Option<String>,
    /// It can be relied on only behind this place, where something may go wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_before: Option<Spot>,
}

/// A comparison of two values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The first value.
    pub left: Expression,
    /// How they compare.
    pub relation: Relation,
    /// The second value.
    pub right: Expression,
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Relation {
    /// They are equal.
    #[serde(rename = "==")]
    Equal,
    /// They are not.
    #[serde(rename = "!=")]
    NotEqual,
    /// The first is less.
    #[serde(rename = "<")]
    Less,
    /// The first is less, or they are equal.
    #[serde(rename = "<=")]
    LessEqual,
    /// Every bit of the second is set in the first.
    #[serde(rename = "covers")]
    Covers,
}

/// A value of an iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Expression {
    /// A number.
    Number {
        /// The number, without a sign.
        value: u64,
    },
    /// A local variable.
    Variable {
        /// Its name.
        name: String,
    },
    /// The address of something.
    Address {
        /// What it is the address of.
        variable: String,
    },
    /// What an access read.
    Read {
        /// What kind of access it was.
        access: Access,
        /// What it read.
        variable: String,
        /// What it combines with that, or expects to be there.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        operand: Option<Box<Expression>>,
    },
    /// Whether a compare-exchange succeeded: 1 or 0.
    Exchanged {
        /// What it would have changed.
        variable: String,
        /// What it expected to be there.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        operand: Option<Box<Expression>>,
    },
    /// What a function returned.
    Result {
        /// The function.
        function: String,
    },
    /// What was computed of two values.
    Computed {
        /// The sign between them, or the name of the function, as in C.
        operator: String,
        /// The first value.
        left: Box<Expression>,
        /// The second value.
        right: Box<Expression>,
    },
    /// Something without a name.
    Unknown {
        /// Where it was computed, if that is known.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        line: Option<u32>,
    },
}

/// A kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// An atomic load.
    Load,
    /// A plain load.
    PlainLoad,
    /// An exchange.
    Exchange,
    /// A read-modify-write that adds.
    FetchAdd,
    /// A read-modify-write that subtracts.
    FetchSub,
    /// A read-modify-write that sets bits.
    FetchOr,
    /// A read-modify-write that clears bits.
    FetchAnd,
    /// A read-modify-write that flips bits.
    FetchXor,
    /// Another read-modify-write.
    Rmw,
    /// A compare-exchange.
    CompareExchange,
}

/// What stands against an iteration without effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cause {
    /// What it is.
    #[serde(flatten)]
    pub reason: Why,
    /// Whether it always is an effect. If not, that is seen when it runs.
    pub certain: bool,
    /// Where it stands, if that is known.
    #[serde(flatten)]
    pub spot: Option<Spot>,
}

/// What stands against an iteration without effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Why {
    /// Something is written.
    Writes {
        /// What is written to.
        variable: String,
    },
    /// A function is called that may have an effect.
    Calls {
        /// The function.
        callee: String,
        /// Where it has one.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        effect: Option<Spot>,
    },
    /// A function of the runtime is called.
    Runtime {
        /// Its name.
        callee: String,
    },
    /// A function is called by a pointer.
    CallsPointer,
    /// A local variable in memory is made or ended.
    Scope,
    /// A local variable that the next iteration uses is another one each time.
    Changes {
        /// The variable, if it has a name.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        variable: Option<String>,
    },
    /// Something else is done that may have an effect.
    Other,
}
