//! Damages what a checkpoint says: a number becomes another one, a list loses or repeats an entry or is turned
//! round. Also a part of the fuzz target `load_checkpoint`.

use serde_json::Value;

/// JSON as a value. Numbers of 128 bits, which a value cannot hold, become strings that start with `#`.
pub fn parsed(text: &str) -> Value {
    let mut quoted = String::new();
    let mut digits = String::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        match digits.len() {
            // No string of a checkpoint has such long numbers but those of hashes, which have letters.
            20.. if !quoted.ends_with(|c: char| c.is_ascii_alphanumeric()) && letter != '"' => {
                quoted.extend(["\"#", &digits, "\""]);
            }
            _ => quoted.push_str(&digits),
        }
        digits.clear();
        quoted.push(letter);
    }
    serde_json::from_str(&quoted).expect("JSON")
}

/// The text of such a value.
pub fn printed(value: &Value) -> String {
    let text = value.to_string();
    let mut parts = text.split("\"#");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |done, part| done + &part.replacen('"', "", 1))
}

/// Damages one number or list. `pick` chooses a number below the one that it is given.
pub fn damage(value: &mut Value, pick: &mut impl FnMut(usize) -> usize) {
    let mut found = Vec::new();
    parts(value, &mut found);
    let index = pick(found.len());
    match found.swap_remove(index) {
        Value::Array(entries) => {
            let entry = pick(entries.len());
            match pick(3) {
                0 if !entries.is_empty() => drop(entries.remove(entry)),
                1 if !entries.is_empty() => entries.push(entries[entry].clone()),
                _ => entries.reverse(),
            }
        }
        number => {
            let before = number.as_u64().unwrap_or(0);
            let after = [before + 1, before.wrapping_sub(1) & 0xffff_ffff, 0, 7, 4_294_967_293];
            *number = after[pick(after.len())].into();
        }
    }
}

/// Numbers and lists of a value. About half of the lists are taken whole, of the others what is in them.
fn parts<'v>(value: &'v mut Value, found: &mut Vec<&'v mut Value>) {
    if value.is_number() || value.is_array() && found.len() % 2 == 1 {
        return found.push(value);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| parts(field, found)),
        Value::Array(entries) => entries.iter_mut().for_each(|entry| parts(entry, found)),
        _ => {}
    }
}
