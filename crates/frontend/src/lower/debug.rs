//! Debug information: source locations and types, each translated once.

use norn_llvm::debug::{self, Shape};
use norn_llvm::{MetadataId, Module};
use norn_program::{DebugType, Encoding, Field, Location, LocationId, Program, TypeId};
use rustc_hash::FxHashMap;

/// Inlining deeper than this is cut.
const MAX_INLINING: u32 = 32;

/// What was translated already.
#[derive(Default)]
pub(super) struct Debug {
    locations: FxHashMap<MetadataId, LocationId>,
    types: FxHashMap<(u32, MetadataId), TypeId>,
    module: u32,
}

impl Debug {
    /// Starts with another module: ids of nodes mean something else now.
    pub fn enter(&mut self, module: u32) {
        if self.module != module {
            self.module = module;
            self.locations.clear();
        }
    }

    /// The location of an instruction.
    pub fn location(
        &mut self,
        module: &Module,
        id: MetadataId,
        program: &mut Program,
    ) -> LocationId {
        self.location_within(module, id, program, MAX_INLINING)
    }

    fn location_within(
        &mut self,
        module: &Module,
        id: MetadataId,
        program: &mut Program,
        depth: u32,
    ) -> LocationId {
        if let Some(&location) = self.locations.get(&id) {
            return location;
        }
        let Some(place) = debug::place(module, id) else { return LocationId::NONE };
        let inlined_at = place
            .inlined_at
            .filter(|_| depth > 0)
            .map(|at| self.location_within(module, at, program, depth - 1));
        let location = Location {
            file: program.source.intern(&place.file),
            line: place.line,
            column: place.column,
            function: program.source.intern(&place.function),
            inlined_at,
        };
        let location = program.source.add(location);
        self.locations.insert(id, location);
        location
    }

    /// Where a function is defined.
    pub fn subprogram(&self, module: &Module, id: MetadataId, program: &mut Program) -> LocationId {
        let Some(place) = debug::subprogram(module, id) else { return LocationId::NONE };
        let location = Location {
            file: program.source.intern(&place.file),
            line: place.line,
            column: 0,
            function: program.source.intern(&place.function),
            inlined_at: None,
        };
        program.source.add(location)
    }

    /// Name, type and place of a variable.
    pub fn global(
        &mut self,
        index: u32,
        module: &Module,
        id: Option<MetadataId>,
        program: &mut Program,
    ) -> (Option<String>, Option<TypeId>, LocationId) {
        let Some(variable) = id.and_then(|id| debug::variable(module, id)) else {
            return (None, None, LocationId::NONE);
        };
        let kind = variable.ty.map(|ty| self.ty(index, module, ty, program));
        let location = Location {
            file: program.source.intern(&variable.file),
            line: variable.line,
            column: 0,
            function: program.source.intern(""),
            inlined_at: None,
        };
        let location = program.source.add(location);
        (Some(variable.name), kind, location)
    }

    /// A type.
    pub fn ty(
        &mut self,
        index: u32,
        module: &Module,
        id: MetadataId,
        program: &mut Program,
    ) -> TypeId {
        if let Some(&known) = self.types.get(&(index, id)) {
            return known;
        }
        let name = debug::type_name(module, id).unwrap_or_default();
        let size = debug::bits(module, id).div_ceil(8);
        // Entered before its parts: a structure may contain pointers to itself.
        let encoding = encoding(debug::encoding(module, id));
        let result = program.types.add(DebugType::Scalar { name: name.clone(), size, encoding });
        self.types.insert((index, id), result);
        match debug::shape(module, id) {
            Shape::Scalar => {}
            Shape::Record { members, .. } => {
                let mut fields = Vec::with_capacity(members.len());
                for member in members {
                    let Some(ty) = member.ty else { continue };
                    let mut kind = self.ty(index, module, ty, program);
                    let offset = member.bit_offset / 8;
                    if let Some(part) = bit_field(&member, program.types.get(kind)) {
                        kind = program.types.add(part);
                    }
                    fields.push(Field { name: member.name, offset, kind });
                }
                program.types.set(result, DebugType::Struct { name, size, fields });
            }
            Shape::Array { element, lengths } => {
                let mut kind = self.ty(index, module, element, program);
                let (outer, inner) = lengths.split_first().unwrap_or((&0, &[]));
                for &count in inner.iter().rev() {
                    kind = program.types.add(DebugType::Array { element: kind, count });
                }
                program.types.set(result, DebugType::Array { element: kind, count: *outer });
            }
        }
        result
    }
}

fn encoding(read: debug::Encoding) -> Encoding {
    match read {
        debug::Encoding::Unknown => Encoding::Unknown,
        debug::Encoding::Signed => Encoding::Signed,
        debug::Encoding::Unsigned => Encoding::Unsigned,
        debug::Encoding::Float => Encoding::Float,
        debug::Encoding::Boolean => Encoding::Boolean,
        debug::Encoding::Character => Encoding::Character,
        debug::Encoding::Pointer => Encoding::Pointer,
        debug::Encoding::Enumeration(names) => Encoding::Enumeration(names),
    }
}

/// The type of a member that is some bits of a number: what the bytes around it hold means nothing by itself.
fn bit_field(member: &debug::Member, kind: Option<&DebugType>) -> Option<DebugType> {
    let Some(DebugType::Scalar { name, size, .. }) = kind else { return None };
    let is_whole = member.bit_offset.is_multiple_of(8) && member.bits >= 8 * size;
    let (name, size, encoding) = (name.clone(), *size, Encoding::Unknown);
    (!is_whole).then_some(DebugType::Scalar { name, size, encoding })
}
