//! Conditions over the values of variables, written as in C. Numbers are exact: nothing wraps around.

use std::fmt::Display;

/// How deep parentheses may be nested.
const DEPTH: usize = 200;
/// Why pointers are not followed.
const THROUGH: &str = "pointers are compared, not followed (what do they point to? name that)";

/// An expression over variables of type `V`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression<V> {
    Number(i128),
    Address(u64),
    Value(V),
    Unary(Unary, Box<Expression<V>>),
    Binary(Binary, Box<Expression<V>>, Box<Expression<V>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Minus,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    LessEqual,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Binary {
    fn compares(self) -> bool {
        matches!(
            self,
            Binary::Equal
                | Binary::NotEqual
                | Binary::LessEqual
                | Binary::GreaterEqual
                | Binary::Less
                | Binary::Greater
        )
    }
}

/// The operators, those that bind least first; of those that bind alike, longer ones first.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Equal), ("!=", Binary::NotEqual)],
    &[
        ("<=", Binary::LessEqual),
        (">=", Binary::GreaterEqual),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Remainder)],
];

impl<V> Expression<V> {
    /// Reads an expression; `resolve` says what a name such as `queue.items[1]` stands for, with an `&` in front
    /// if its address is meant.
    pub(super) fn read(
        text: &str,
        resolve: &mut dyn FnMut(&str) -> Result<Expression<V>, String>,
    ) -> Result<Expression<V>, String> {
        let mut reader = Reader { text, at: 0, resolve };
        let expression = reader.level(0, 0)?;
        reader.skip();
        if reader.at < text.len() {
            return Err(reader.wrong("an operator is missing"));
        }
        Ok(expression)
    }

    /// Calls `seen` with each variable in it.
    pub(super) fn each(&self, seen: &mut dyn FnMut(&V)) {
        match self {
            Expression::Number(_) | Expression::Address(_) => {}
            Expression::Value(variable) => seen(variable),
            Expression::Unary(_, inner) => inner.each(seen),
            Expression::Binary(_, a, b) => {
                a.each(seen);
                b.each(seen);
            }
        }
    }

    /// What is compared with a constant: the other side of each comparison that has one.
    pub(super) fn each_compared(&self, seen: &mut dyn FnMut(&Expression<V>, i128)) {
        match self {
            Expression::Number(_) | Expression::Address(_) | Expression::Value(_) => {}
            Expression::Unary(_, inner) => inner.each_compared(seen),
            Expression::Binary(operator, a, b) => {
                if operator.compares() {
                    for (one, other) in [(a, b), (b, a)] {
                        if let Some(number) = other.value(&|_| None) {
                            seen(one, number);
                        }
                    }
                }
                a.each_compared(seen);
                b.each_compared(seen);
            }
        }
    }

    /// Whether something is added to an address, or taken from it: C counts elements there, and here are no types to know
    /// how large these are.
    pub(super) fn moves_address(&self, is_pointer: &dyn Fn(&V) -> bool) -> bool {
        match self {
            Expression::Number(_) | Expression::Address(_) | Expression::Value(_) => false,
            Expression::Unary(_, inner) => inner.moves_address(is_pointer),
            Expression::Binary(operator, a, b) => {
                let moves = matches!(operator, Binary::Add | Binary::Subtract);
                let is_address = |side: &Expression<V>| match side {
                    Expression::Address(_) => true,
                    Expression::Value(variable) => is_pointer(variable),
                    _ => false,
                };
                moves && (is_address(a) || is_address(b))
                    || a.moves_address(is_pointer)
                    || b.moves_address(is_pointer)
            }
        }
    }

    /// Its value; none where there is none, as for a division by zero.
    pub(super) fn value(&self, of: &dyn Fn(&V) -> Option<i128>) -> Option<i128> {
        match self {
            Expression::Number(number) => Some(*number),
            Expression::Address(address) => Some((*address).into()),
            Expression::Value(variable) => of(variable),
            Expression::Unary(operator, inner) => {
                let inner = inner.value(of)?;
                match operator {
                    Unary::Not => Some(i128::from(inner == 0)),
                    Unary::Minus => inner.checked_neg(),
                    Unary::Complement => Some(!inner),
                }
            }
            Expression::Binary(Binary::And, a, b) => {
                if a.value(of)? == 0 {
                    return Some(0);
                }
                Some(i128::from(b.value(of)? != 0))
            }
            Expression::Binary(Binary::Or, a, b) => {
                if a.value(of)? != 0 {
                    return Some(1);
                }
                Some(i128::from(b.value(of)? != 0))
            }
            Expression::Binary(operator, a, b) => apply(*operator, a.value(of)?, b.value(of)?),
        }
    }
}

fn apply(operator: Binary, a: i128, b: i128) -> Option<i128> {
    let shift = || u32::try_from(b).ok().filter(|&by| by < 64);
    Some(match operator {
        Binary::Or => i128::from(a != 0 || b != 0),
        Binary::And => i128::from(a != 0 && b != 0),
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::BitAnd => a & b,
        Binary::Equal => i128::from(a == b),
        Binary::NotEqual => i128::from(a != b),
        Binary::LessEqual => i128::from(a <= b),
        Binary::GreaterEqual => i128::from(a >= b),
        Binary::Less => i128::from(a < b),
        Binary::Greater => i128::from(a > b),
        Binary::ShiftLeft => a.checked_mul(1i128.checked_shl(shift()?)?)?,
        Binary::ShiftRight => a >> shift()?,
        Binary::Add => a.checked_add(b)?,
        Binary::Subtract => a.checked_sub(b)?,
        Binary::Multiply => a.checked_mul(b)?,
        Binary::Divide => a.checked_div(b)?,
        Binary::Remainder => a.checked_rem(b)?,
    })
}

struct Reader<'t, 'r, V> {
    text: &'t str,
    at: usize,
    resolve: &'r mut dyn FnMut(&str) -> Result<Expression<V>, String>,
}

impl<V> Reader<'_, '_, V> {
    fn wrong(&self, what: impl Display) -> String {
        format!("{what} at column {} of `{}`", self.text[..self.at].chars().count() + 1, self.text)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// The operator of a level that stands here. A part of a longer one is none.
    fn operator(&mut self, level: usize) -> Option<Binary> {
        self.skip();
        let rest = self.rest();
        let &(text, operator) = LEVELS[level].iter().find(|(text, _)| rest.starts_with(text))?;
        let is_longer = ["||", "&&", "<<", ">>"].iter().any(|longer| {
            longer.len() > text.len() && longer.starts_with(text) && rest.starts_with(longer)
        });
        if is_longer {
            return None;
        }
        self.at += text.len();
        Some(operator)
    }

    fn level(&mut self, level: usize, depth: usize) -> Result<Expression<V>, String> {
        if level == LEVELS.len() {
            return self.factor(depth);
        }
        let mut left = self.level(level + 1, depth)?;
        while let Some(operator) = self.operator(level) {
            let right = self.level(level + 1, depth)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn factor(&mut self, depth: usize) -> Result<Expression<V>, String> {
        self.skip();
        if depth > DEPTH {
            return Err(self.wrong("it is nested too deeply"));
        }
        let Some(first) = self.rest().chars().next() else {
            return Err(self.wrong("a value is missing"));
        };
        let unary = match first {
            '!' => Some(Unary::Not),
            '-' => Some(Unary::Minus),
            '~' => Some(Unary::Complement),
            _ => None,
        };
        if let Some(operator) = unary {
            self.at += 1;
            let inner = self.factor(depth + 1)?;
            return Ok(Expression::Unary(operator, Box::new(inner)));
        }
        if first == '(' {
            self.at += 1;
            let inner = self.level(0, depth + 1)?;
            self.skip();
            if !self.rest().starts_with(')') {
                return Err(self.wrong("`)` is missing"));
            }
            self.at += 1;
            return Ok(inner);
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '\'' {
            return self.letter();
        }
        self.name()
    }

    fn number(&mut self) -> Result<Expression<V>, String> {
        let length = self.rest().bytes().take_while(u8::is_ascii_alphanumeric).count();
        let word = self.rest()[..length].to_ascii_lowercase();
        let digits = word.trim_end_matches(['u', 'l']);
        let is_suffix = |end: &str| ["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&end);
        let number = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
            _ if !is_suffix(&word[digits.len()..]) => return Err(self.wrong("this is no number")),
            (Some(hex), _) => i128::from_str_radix(hex, 16),
            (None, Some(octal)) if !octal.is_empty() => i128::from_str_radix(octal, 8),
            _ => digits.parse(),
        };
        let Ok(number) = number else { return Err(self.wrong("this is no number")) };
        self.at += length;
        Ok(Expression::Number(number))
    }

    fn letter(&mut self) -> Result<Expression<V>, String> {
        let mut letters = self.rest().chars();
        let (_, letter, end) = (letters.next(), letters.next(), letters.next());
        match (letter, end) {
            (Some(letter), Some('\'')) if letter.is_ascii() && letter != '\\' => {
                self.at += 3;
                Ok(Expression::Number(letter as i128))
            }
            _ => Err(self.wrong("this is no letter; write its number")),
        }
    }

    /// A variable and the path to a part of it.
    fn name(&mut self) -> Result<Expression<V>, String> {
        let start = self.at;
        if self.rest().starts_with('&') {
            self.at += 1;
        }
        let mut name = self.text[start..self.at].to_owned();
        loop {
            let is_part = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
            let word: String = self.rest().chars().take_while(|&c| is_part(c)).collect();
            if name.is_empty() && self.rest().starts_with('*') {
                return Err(self.wrong(THROUGH));
            }
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(self.wrong("a name or a number is missing"));
            }
            self.at += word.len();
            name.push_str(&word);
            while self.rest().starts_with('[') {
                let Some(end) = self.rest().find(']') else {
                    return Err(self.wrong("`]` is missing"));
                };
                let Ok(index) = self.rest()[1..end].trim().parse::<u64>() else {
                    return Err(self.wrong("an index must be a number"));
                };
                name.push_str(&format!("[{index}]"));
                self.at += end + 1;
            }
            if self.rest().starts_with("->") {
                return Err(self.wrong(THROUGH));
            }
            let Some(link) = [".", "::"].into_iter().find(|link| self.rest().starts_with(link))
            else {
                break;
            };
            name.push_str(link);
            self.at += link.len();
        }
        match name.as_str() {
            "true" => Ok(Expression::Number(1)),
            "false" | "NULL" | "nullptr" => Ok(Expression::Number(0)),
            name => (self.resolve)(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Option<i128>, String> {
        let mut resolve = |name: &str| match name {
            "x" => Ok(Expression::Value(3)),
            "q.a[1].b" => Ok(Expression::Value(-7)),
            "&ns::y" => Ok(Expression::Address(64)),
            name => Err(format!("no {name}")),
        };
        Ok(Expression::read(text, &mut resolve)?.value(&|&value: &i128| Some(value)))
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("x == 3 && q.a[ 1 ].b < 0 || 0", 1),
            ("1 | 2 ^ 3 & 1", 3),
            ("x&1", 1),
            ("x & 1 && 2 > 1 << 0", 1),
            ("!x + ~0 - -1", 0),
            ("10 - 2 - 3", 5),
            ("-7 / 2 % 2", -1),
            ("0x1F == 31u", 1),
            ("'a' == 97", 1),
            ("&ns::y == 64", 1),
            ("true && NULL == false", 1),
            ("0 && 1 / 0", 0),
            ("1 >= 1 == 1 <= 2", 1),
        ] {
            assert_eq!(value(text), Ok(Some(expected)), "{text}");
        }
        assert_eq!(value("1 / (x - 3)"), Ok(None));
        assert_eq!(value("1 << 200"), Ok(None));
    }

    #[test]
    fn what_is_added_to_an_address_is_noticed() {
        let mut resolve = |name: &str| match name.strip_prefix('&') {
            Some(_) => Ok(Expression::Address(64)),
            None => Ok(Expression::Value(name == "p")),
        };
        for (text, moves) in [
            ("p == &y", false),
            ("p + 1 == &y", true),
            ("p == &y + 1", true),
            ("!(x == 1) && 2 * (&y - &z) > 0", true),
            ("x + 1 == 2 && p != 0", false),
            ("(p & 1) + x", false),
        ] {
            let expression = Expression::read(text, &mut resolve).expect(text);
            assert_eq!(expression.moves_address(&|&is_pointer| is_pointer), moves, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_column() {
        for (text, said) in [
            ("", "a value is missing at column 1"),
            ("1 +", "a value is missing at column 4"),
            ("(1", "`)` is missing at column 3"),
            ("1 2", "an operator is missing at column 3"),
            ("x = 1", "an operator is missing at column 3"),
            ("q.[1]", "a name or a number is missing at column 3"),
            ("q[x]", "an index must be a number"),
            ("q[1", "`]` is missing"),
            (
                "x->y == 1",
                "pointers are compared, not followed (what do they point to? name that) at column 2",
            ),
            (
                "1 + *x",
                "pointers are compared, not followed (what do they point to? name that) at column 5",
            ),
            ("z", "no z"),
            ("12ab", "this is no number"),
            ("'ab'", "this is no letter"),
            ("é", "no é"),
        ] {
            let error = value(text).expect_err(text);
            assert!(error.starts_with(said), "{text}: {error}");
        }
        assert!(value(&"(".repeat(10_000)).is_err());
        assert!(value(&"!".repeat(10_000)).is_err());
    }
}
