//! The interner of locations. It lives as long as the search: a location keeps its id whatever is
//! cut, and since addresses do not depend on the schedule it stays small.

use crate::LocationId;
use norn_action::Address;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// What is known of a location for ever.
#[derive(Clone, Debug)]
pub struct LocationInfo {
    /// First byte.
    pub address: Address,
    /// Width in bytes.
    pub size: u8,
    /// Other locations that share bytes with it.
    pub overlaps: Vec<LocationId>,
}

/// All locations ever accessed. Clones of a shared table give the same ids to the same locations.
#[derive(Clone, Debug, Default)]
pub struct Locations {
    infos: Vec<LocationInfo>,
    by_key: FxHashMap<(u64, u8), LocationId>,
    by_granule: FxHashMap<u64, Vec<LocationId>>,
    /// All locations of all clones, in the order of their ids.
    master: Option<Arc<Mutex<Master>>>,
}

#[derive(Debug, Default)]
struct Master {
    keys: Vec<(Address, u8)>,
    ids: FxHashMap<(u64, u8), LocationId>,
}

impl Master {
    fn intern(&mut self, address: Address, size: u8) -> LocationId {
        let next = LocationId(self.keys.len() as u32);
        *self.ids.entry((address.0, size)).or_insert_with(|| {
            self.keys.push((address, size));
            next
        })
    }
}

/// Locations are at most 16 bytes, so one that overlaps another starts in the same or a
/// neighbouring granule.
const GRANULE: u64 = 16;

impl Locations {
    /// The id of the location, made if it is new.
    #[inline]
    pub fn intern(&mut self, address: Address, size: u8) -> LocationId {
        match self.by_key.get(&(address.0, size)) {
            Some(&id) => id,
            None => self.intern_new(address, size),
        }
    }

    /// A table whose clones share their ids.
    pub fn shared() -> Locations {
        Locations { master: Some(Arc::default()), ..Locations::default() }
    }

    /// Learns the locations that clones of this table have seen.
    pub fn catch_up(&mut self) {
        let Some(master) = self.master.clone() else { return };
        let master = master.lock().expect("no holder of the lock panics");
        for &(address, size) in &master.keys[self.infos.len()..] {
            self.insert(address, size);
        }
    }

    #[cold]
    fn intern_new(&mut self, address: Address, size: u8) -> LocationId {
        let Some(master) = &self.master else { return self.insert(address, size) };
        let id = master.lock().expect("no holder of the lock panics").intern(address, size);
        self.catch_up();
        id
    }

    fn insert(&mut self, address: Address, size: u8) -> LocationId {
        let id = LocationId(self.infos.len() as u32);
        let granule = address.0 / GRANULE;
        let mut overlaps = Vec::new();
        for near in granule.saturating_sub(1)..=granule + 1 {
            for &other in self.by_granule.get(&near).into_iter().flatten() {
                let info = &mut self.infos[other.index()];
                let disjoint = info.address.0 + u64::from(info.size) <= address.0
                    || address.0 + u64::from(size) <= info.address.0;
                if !disjoint {
                    info.overlaps.push(id);
                    overlaps.push(other);
                }
            }
        }
        self.infos.push(LocationInfo { address, size, overlaps });
        self.by_key.insert((address.0, size), id);
        self.by_granule.entry(granule).or_default().push(id);
        id
    }

    /// What is known of `id`.
    #[inline]
    pub fn info(&self, id: LocationId) -> &LocationInfo {
        &self.infos[id.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_locations_know_each_other() {
        let mut table = Locations::default();
        let wide = table.intern(Address(0x100), 8);
        let half = table.intern(Address(0x104), 4);
        let apart = table.intern(Address(0x108), 4);
        assert_eq!(table.info(half).overlaps, vec![wide]);
        assert_eq!(table.info(wide).overlaps, vec![half]);
        assert!(table.info(apart).overlaps.is_empty());
        assert_eq!(table.intern(Address(0x104), 4), half);
    }

    #[test]
    fn overlap_is_found_across_granules() {
        let mut table = Locations::default();
        let low = table.intern(Address(0x10c), 8);
        let high = table.intern(Address(0x110), 4);
        assert_eq!(table.info(high).overlaps, vec![low]);
    }
}
