//! What follows the threads: `locations`, `filter` and the final condition.

use super::lexer::Token;
use super::{ReadError, Reader};
use crate::{Atom, Condition, FinalCondition, Observed, Quantifier, RegisterId};

impl Reader {
    pub(super) fn footer(&mut self) -> Result<(), ReadError> {
        loop {
            if self.accept_word("locations") {
                self.locations_clause()?;
            } else if self.accept_word("filter") {
                self.program.filter = Some(self.condition()?);
            } else {
                break;
            }
        }
        if let Some(quantifier) = self.quantifier()? {
            let condition = self.condition()?;
            self.program.condition = Some(FinalCondition { quantifier, condition });
        }
        match self.peek() {
            Token::End => Ok(()),
            _ => {
                let number = self.program.threads.len();
                self.fail(format!(
                    "expected thread P{number}, `locations`, `filter`, `exists`, `~exists`, \
                     `forall` or the end"
                ))
            }
        }
    }

    fn quantifier(&mut self) -> Result<Option<Quantifier>, ReadError> {
        if self.accept_word("exists") {
            return Ok(Some(Quantifier::Exists));
        }
        if self.accept_word("forall") {
            return Ok(Some(Quantifier::Forall));
        }
        if self.accept("~") {
            if self.accept_word("exists") {
                return Ok(Some(Quantifier::NotExists));
            }
            return self.fail("expected `exists` after `~`");
        }
        Ok(None)
    }

    /// `[0:r0; x; [y];]`
    fn locations_clause(&mut self) -> Result<(), ReadError> {
        self.expect("[")?;
        while !self.accept("]") {
            if !self.accept(";") {
                let observed = self.observed()?;
                self.program.observed.push(observed);
            }
        }
        Ok(())
    }

    fn observed(&mut self) -> Result<Observed, ReadError> {
        let position = self.position();
        if let Token::Number(thread) = *self.peek() {
            self.take();
            self.expect(":")?;
            let Some(found) = self.program.threads.get(thread as usize) else {
                let message = format!("there is no thread P{thread}");
                return Err(ReadError::new(position, message));
            };
            let registers: Vec<String> = found.registers.iter().map(|r| r.name.clone()).collect();
            let name = self.word("the name of a register")?;
            return match registers.iter().position(|register| *register == name) {
                Some(index) => Ok(Observed::Register(thread as u32, RegisterId(index as u32))),
                None => Err(ReadError::new(
                    position,
                    format!("thread P{thread} has no register `{name}`; it has {registers:?}"),
                )),
            };
        }
        let brackets = self.accept("[");
        let name = self.word("a register, as in `0:r0`, or a location")?;
        if brackets {
            self.expect("]")?;
        }
        match self.program.location(&name) {
            Some(location) => Ok(Observed::Location(location)),
            None => Err(ReadError::new(position, format!("there is no location `{name}`"))),
        }
    }

    fn condition(&mut self) -> Result<Condition, ReadError> {
        let mut left = self.conjunction()?;
        while self.accept("\\/") || self.accept("||") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Condition, ReadError> {
        let mut left = self.literal()?;
        while self.accept("/\\") || self.accept("&&") {
            left = Condition::And(Box::new(left), Box::new(self.literal()?));
        }
        Ok(left)
    }

    fn literal(&mut self) -> Result<Condition, ReadError> {
        self.nest(Reader::literal_inside)
    }

    fn literal_inside(&mut self) -> Result<Condition, ReadError> {
        if self.accept("~") || self.accept_word("not") {
            return Ok(Condition::Not(Box::new(self.literal()?)));
        }
        if self.accept("(") {
            let inner = self.condition()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.accept_word("true") {
            return Ok(Condition::True);
        }
        if self.accept_word("false") {
            return Ok(Condition::False);
        }
        let observed = self.observed()?;
        let negated = self.accept("!=");
        if !negated && !self.accept("==") {
            self.expect("=")?;
        }
        let value = self.number()?;
        let equals = Condition::Equals(Atom { observed, value });
        Ok(if negated { Condition::Not(Box::new(equals)) } else { equals })
    }
}
