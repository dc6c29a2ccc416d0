//! The version of what is written.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The number that reports and violations are written with. It changes when a field goes away or comes to
/// mean something else; new fields do not change it. What was written with another number is not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format;

impl Format {
    /// The number.
    pub const NUMBER: u32 = 2;
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(Format::NUMBER)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        match u32::deserialize(deserializer)? {
            Format::NUMBER => Ok(Format),
            other => Err(de::Error::custom(format!(
                "it has format {other}, this is format {}; make the report again",
                Format::NUMBER
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn other_formats_are_refused_with_a_sentence() {
        assert_eq!(serde_json::from_str::<Format>("2").ok(), Some(Format));
        let error = serde_json::from_str::<Format>("7").expect_err("another format");
        assert!(error.to_string().contains("format 7"), "{error}");
    }
}
