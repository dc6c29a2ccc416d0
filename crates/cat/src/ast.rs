//! The tree of a model.

use crate::error::At;

/// An expression, and where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub at: At,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    /// `0` and `{}`: nothing. Which of sets and relations it is, its neighbours say.
    Nothing,
    /// `_`: all events.
    Everything,
    Name(String),
    /// `[s]`
    Identity(Box<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `f(a, b)`
    Call(String, Vec<Expr>),
    /// `let a = b in c`
    Local(Box<Definition>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unary {
    Inverse,
    Plus,
    Star,
    Option,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Binary {
    Union,
    Sequence,
    Difference,
    Intersection,
    Product,
}

/// `let name(parameters) = body`
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub at: At,
    pub name: String,
    /// None for what is no function.
    pub parameters: Option<Vec<String>>,
    pub body: Expr,
}

/// What a check asks of a relation or a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Acyclic,
    Irreflexive,
    Empty,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Let {
        recursive: bool,
        definitions: Vec<Definition>,
    },
    /// The executions that the model allows are those with this property.
    Check {
        property: Property,
        of: Expr,
        name: Option<String>,
    },
    /// An execution in which this is not empty makes the program undefined.
    Undefined {
        of: Expr,
    },
    Include {
        at: At,
        file: String,
    },
}
