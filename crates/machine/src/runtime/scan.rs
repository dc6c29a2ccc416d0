//! `sscanf`, for the conversions that programs use to take numbers and words apart.

use super::context::int;
use super::ctype::space;
use super::stdlib::{parse_float, parse_integer};
use super::{Cx, Entry};
use crate::thread::Stop;
use norn_action::{Conversion, Mode, Obstacle};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("sscanf", "takes a string apart: %d %i %u %x %o %c %s %f %n", sscanf),
    ("__isoc99_sscanf", "takes a string apart: %d %i %u %x %o %c %s %f %n", sscanf),
    ("__isoc23_sscanf", "takes a string apart: %d %i %u %x %o %c %s %f %n", sscanf),
];

/// Where in the text and in the arguments a scan is.
struct Scan {
    text: Vec<u8>,
    at: usize,
    argument: usize,
    assigned: i32,
}

fn sscanf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    let format = cx.string(cx.arg(1))?;
    let mut scan = Scan { text, at: 0, argument: 2, assigned: 0 };
    let mut i = 0;
    while i < format.len() {
        let byte = format[i];
        i += 1;
        if space(byte) {
            scan.skip_space();
        } else if byte != b'%' {
            if scan.text.get(scan.at) != Some(&byte) {
                break;
            }
            scan.at += 1;
        } else if !scan.conversion(cx, &format, &mut i)? {
            break;
        }
    }
    if scan.assigned == 0 && scan.at >= scan.text.len() {
        return int(-1);
    }
    int(scan.assigned)
}

impl Scan {
    fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| space(byte)) {
            self.at += 1;
        }
    }

    /// One conversion, after its `%`; whether it matched.
    fn conversion(&mut self, cx: &mut Cx<'_>, format: &[u8], i: &mut usize) -> Result<bool, Stop> {
        let mut discard = false;
        let (mut width, mut size) = (0usize, 4u8);
        let letter = loop {
            let byte = format.get(*i).copied().unwrap_or(b'%');
            *i += 1;
            match byte {
                b'*' => discard = true,
                b'0'..=b'9' => width = width * 10 + usize::from(byte - b'0'),
                b'l' | b'z' | b'j' | b't' => size = 8,
                b'h' => size = if size == 2 { 1 } else { 2 },
                letter => break letter,
            }
        };
        if !matches!(letter, b'c' | b'n' | b'[') {
            self.skip_space();
        }
        let limit = if width == 0 { usize::MAX } else { width };
        let end = self.text.len().min(self.at.saturating_add(limit));
        let rest = self.text[self.at.min(end)..end].to_vec();
        let value = match letter {
            b'%' => {
                let matched = rest.first() == Some(&b'%');
                self.at += usize::from(matched);
                return Ok(matched);
            }
            b'd' | b'u' | b'x' | b'X' | b'o' | b'i' => {
                let base = match letter {
                    b'd' | b'u' => 10,
                    b'o' => 8,
                    b'i' => 0,
                    _ => 16,
                };
                let parsed = parse_integer(&rest, base);
                self.at += parsed.length;
                (parsed.length > 0).then(|| parsed.signed().0 as u64)
            }
            b'f' | b'e' | b'g' => {
                let (value, length) = parse_float(&rest);
                self.at += length;
                let single = u64::from((value as f32).to_bits());
                (length > 0).then_some(if size == 8 { value.to_bits() } else { single })
            }
            b'n' => {
                let target = self.target(cx);
                cx.store(target, size, Mode::Plain, self.at as u64)?;
                return Ok(true);
            }
            b'c' | b's' => return self.characters(cx, &rest, letter, width, discard),
            other => {
                return Err(cx.unsupported(Obstacle::Conversion(Conversion::Sscanf, other)));
            }
        };
        let Some(value) = value else { return Ok(false) };
        if !discard {
            let target = self.target(cx);
            cx.store(target, size, Mode::Plain, value)?;
            self.assigned += 1;
        }
        Ok(true)
    }

    fn characters(
        &mut self,
        cx: &mut Cx<'_>,
        rest: &[u8],
        letter: u8,
        width: usize,
        discard: bool,
    ) -> Result<bool, Stop> {
        let mut bytes: Vec<u8> = if letter == b'c' {
            rest.iter().copied().take(width.max(1)).collect()
        } else {
            rest.iter().copied().take_while(|&byte| !space(byte)).collect()
        };
        if bytes.is_empty() {
            return Ok(false);
        }
        self.at += bytes.len();
        if letter == b's' {
            bytes.push(0);
        }
        if !discard {
            let target = self.target(cx);
            cx.write_bytes(target, &bytes)?;
            self.assigned += 1;
        }
        Ok(true)
    }

    fn target(&mut self, cx: &Cx<'_>) -> u64 {
        self.argument += 1;
        cx.arg(self.argument - 1)
    }
}
