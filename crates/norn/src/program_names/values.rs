//! How values of a C program are written: as their types say, where debug information tells them.

use norn_action::Value;
use norn_program::Encoding;
use norn_report::number;

/// A value of `size` bytes as its type has it. Pointers are written by whoever knows the objects.
pub(crate) fn scalar(encoding: &Encoding, size: u8, value: Value) -> String {
    let bits = value.low();
    match (encoding, size) {
        (Encoding::Signed, _) => value.signed(size).to_string(),
        (Encoding::Unsigned, _) => value.to_string(),
        (Encoding::Float, 4) => format!("{:?}", f32::from_bits(bits as u32)),
        (Encoding::Float, 8) => format!("{:?}", f64::from_bits(bits)),
        (Encoding::Boolean, _) if bits < 2 => (bits == 1).to_string(),
        (Encoding::Character, 1) => letter(bits as u8),
        (Encoding::Pointer, 8) if bits == 0 => "NULL".to_owned(),
        (Encoding::Enumeration(names), _) => {
            let is = |named: i128| named == value.signed(size) || named == bits.into();
            let found = names.iter().find(|(named, _)| is(*named));
            found.map_or_else(|| number(value, size), |(_, name)| name.clone())
        }
        _ => number(value, size),
    }
}

/// A letter as C writes it, or a number if it has no shape.
fn letter(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("'\\{}'", byte as char),
        b' '..=b'~' => format!("'{}'", byte as char),
        _ => (byte as i8).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_their_types_have_them() {
        let names = vec![(-1, "LOW".to_owned()), (7, "HIGH".to_owned())];
        let level = Encoding::Enumeration(names);
        for (encoding, size, bits, expected) in [
            (&Encoding::Signed, 4, 0xffff_ffff, "-1"),
            (&Encoding::Signed, 4, 0x8000_0000, "-2147483648"),
            (&Encoding::Unsigned, 4, 0xffff_ffff, "4294967295"),
            (&Encoding::Unsigned, 1, 200, "200"),
            (&Encoding::Float, 4, 0xbf00_0000, "-0.5"),
            (&Encoding::Float, 8, 0x4002_0000_0000_0000, "2.25"),
            (&Encoding::Boolean, 1, 1, "true"),
            (&Encoding::Boolean, 1, 2, "2"),
            (&Encoding::Character, 1, 120, "'x'"),
            (&Encoding::Character, 1, 39, "'\\''"),
            (&Encoding::Character, 1, 0, "0"),
            (&Encoding::Pointer, 8, 0, "NULL"),
            (&level, 4, 0xffff_ffff, "LOW"),
            (&level, 4, 7, "HIGH"),
            (&level, 4, 8, "8"),
            (&Encoding::Unknown, 4, 0x8000_0000, "2147483648"),
        ] {
            assert_eq!(scalar(encoding, size, Value(bits)), expected, "{encoding:?} {bits:#x}");
        }
    }
}
