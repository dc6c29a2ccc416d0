//! The JSON schema, derived from the types, and the test that holds `docs/report.schema.json` against it.
//!
//! What the types of other crates are written as comes from these types too: the names of an enum's variants
//! are asked of its deserialiser.

use crate::loops::Transformed;
use crate::{Explanation, Format, Report};
use norn_action::{FaultKind, Mode};
use norn_models::ModelName;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, Deserializer, IntoDeserializer, Visitor, value};
use std::path::Path;

/// The version of reports.
pub(crate) fn format(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": Format::NUMBER })
}

/// An access mode.
pub(crate) fn mode(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<String> = variants::<Mode>().map(|mode: Mode| mode.to_string()).collect();
    json_schema!({ "enum": names })
}

/// A kind of fault.
pub(crate) fn fault(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = variants::<FaultKind>().map(FaultKind::name).collect();
    json_schema!({ "enum": names })
}

/// A memory model: a name, or the file that it was read from.
pub(crate) fn model(_: &mut SchemaGenerator) -> Schema {
    let file = json_schema!({ "type": "string", "pattern": "\\.cat$" });
    json_schema!({ "anyOf": [{ "enum": ModelName::ALL.map(ModelName::name) }, file] })
}

/// All variants of an enum whose variants have no content.
fn variants<T: for<'de> Deserialize<'de>>() -> impl Iterator<Item = T> {
    let mut names: &'static [&'static str] = &[];
    T::deserialize(Eavesdropper(&mut names)).err().expect("nothing is deserialised");
    names.iter().map(|name| {
        let name: StrDeserializer<'_, value::Error> = (*name).into_deserializer();
        T::deserialize(name).expect("one of its own names")
    })
}

/// Notes which variants an enum wants to be one of, and gives it none.
struct Eavesdropper<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Eavesdropper<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(serde::de::Error::custom("not an enum"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        *self.0 = variants;
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// `BLESS=1 cargo test -p norn-report schema`, or `make schema`, writes the files.
fn check<T: JsonSchema>(file: &str, title: &str) {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.insert("title".into(), title.into());
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).expect("to write the schema");
    }
    let written = std::fs::read_to_string(&path).expect("the schema");
    assert!(written == text, "docs/{file} is not what the types say: run `make schema`");
}

#[test]
fn the_schema_in_the_documentation_is_that_of_the_types() {
    check::<Report>("report.schema.json", "Report of norn check --format json");
}

#[test]
fn so_is_the_schema_of_what_is_recognised() {
    check::<Transformed>("transform.schema.json", "Output of norn transform --format json");
}

#[test]
fn and_that_of_explanations() {
    check::<Explanation>("explain.schema.json", "Output of norn explain --format json");
}
