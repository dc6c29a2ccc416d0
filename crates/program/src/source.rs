//! Where bytecode comes from.

use rustc_hash::FxHashMap;

/// Index of a [`Location`] in a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocationId(pub u32);

impl LocationId {
    /// No location is known.
    pub const NONE: LocationId = LocationId(u32::MAX);
}

/// A source position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Index into [`SourceMap::strings`]: the file's path as clang was given it.
    pub file: u32,
    /// Line from 1; 0 if unknown.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// Index into [`SourceMap::strings`]: the function whose text this is.
    pub function: u32,
    /// Where that function was inlined, if it was.
    pub inlined_at: Option<LocationId>,
}

/// Locations and the strings they name, each stored once.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    strings: Vec<String>,
    string_ids: FxHashMap<String, u32>,
    locations: Vec<Location>,
    location_ids: FxHashMap<Location, LocationId>,
}

impl SourceMap {
    /// The index of `text`, stored once.
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.string_ids.get(text) {
            return id;
        }
        let id = self.strings.len() as u32;
        self.strings.push(text.to_owned());
        self.string_ids.insert(text.to_owned(), id);
        id
    }

    /// The id of `location`, stored once.
    pub fn add(&mut self, location: Location) -> LocationId {
        if let Some(&id) = self.location_ids.get(&location) {
            return id;
        }
        let id = LocationId(self.locations.len() as u32);
        self.locations.push(location.clone());
        self.location_ids.insert(location, id);
        id
    }

    /// The location, unless `id` is [`LocationId::NONE`].
    pub fn get(&self, id: LocationId) -> Option<&Location> {
        self.locations.get(id.0 as usize)
    }

    /// The string with this index.
    pub fn string(&self, id: u32) -> &str {
        self.strings.get(id as usize).map_or("", String::as_str)
    }

    /// How many strings there are.
    pub fn strings(&self) -> usize {
        self.strings.len()
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Whether there is no location at all.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// `file:line:column` of a location.
    pub fn format(&self, id: LocationId) -> Option<String> {
        let location = self.get(id)?;
        let file = self.string(location.file);
        Some(match location.column {
            0 => format!("{file}:{}", location.line),
            column => format!("{file}:{}:{column}", location.line),
        })
    }
}
