//! SHA-256, to tell programs apart where somebody else made them.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// The hash of anything that prints itself whole, in hexadecimal digits.
pub(crate) fn sha256(what: &impl std::fmt::Debug) -> String {
    let mut hash = Hash(Sha256::new());
    write!(hash, "{what:?}").expect("a hash takes everything");
    let mut digits = String::new();
    for byte in hash.0.finalize() {
        write!(digits, "{byte:02x}").expect("a string takes everything");
    }
    digits
}

struct Hash(Sha256);

impl std::fmt::Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_of_what_is_printed() {
        let of_42 = "73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049";
        assert_eq!(super::sha256(&42), of_42);
    }
}
