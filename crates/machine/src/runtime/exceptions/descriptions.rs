//! What descriptions of types say: which classes an object is of, and where in it their parts are.
//!
//! A description (`std::type_info`) starts with a pointer to the third word of the table of its own class, whose symbol
//! tells the kind, then the name of the type; bases and pointees follow, as the Itanium C++ ABI says. All of that is
//! constant, so that it is read from the program and not from memory. Only where a virtual base lies is a matter of the
//! object: a [`Step`] is taken later.

use norn_program::Program;

/// From a part of an object to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// To a base that is so many bytes further.
    Fixed(i64),
    /// To a virtual base, whose distance lies in the table of the part, so many bytes from where its pointer leads.
    Virtual(i64),
}

/// The description is of none of the kinds that are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown;

/// The way to a part of an object.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub steps: Vec<Step>,
    /// Whether all bases on the way are public.
    pub public: bool,
    /// Which part it is: the last virtual base on the way, and how far it is from there.
    identity: (u64, i64),
}

/// How an exception fits a clause.
#[derive(Clone, Debug)]
pub(super) enum Fit {
    /// The handler gets this part of the object.
    Object(Vec<Step>),
    /// The handler gets the pointer that was thrown, or one to a part of what it points to.
    Pointer(Vec<Step>),
    /// The handler gets a null pointer.
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Class,
    Derived,
    DerivedFromMany,
    Pointer,
    MemberPointer,
    Function,
    /// Of which nothing but the description itself matters.
    Other,
}

/// Classes are not nested deeper.
const DEPTH: u32 = 64;
/// Flags of pointers: what they point to is const, volatile or restrict.
const QUALIFIERS: u64 = 7;
const CONST: u64 = 1;
/// What a pointer points to, or its class, is incomplete: there may be another description of it.
const INCOMPLETE: u64 = 0x18;
const NOEXCEPT: u64 = 0x40;

/// The word at an address of a global.
fn word(program: &Program, address: u64) -> Result<u64, Unknown> {
    let global = &program.globals[program.global_at(address).ok_or(Unknown)?.index()];
    let offset = address - global.address;
    if offset + 8 > global.size {
        return Err(Unknown);
    }
    let byte = |i: u64| global.bytes.get((offset + i) as usize).copied().unwrap_or(0);
    Ok((0..8).fold(0, |word, i| word | u64::from(byte(i)) << (8 * i)))
}

fn half(program: &Program, address: u64) -> Result<u64, Unknown> {
    Ok(word(program, address)? & 0xffff_ffff)
}

/// The letters of a name.
fn text(program: &Program, address: u64) -> Option<&[u8]> {
    let global = &program.globals[program.global_at(address)?.index()];
    let bytes = global.bytes.get((address - global.address) as usize..)?;
    bytes.split(|&byte| byte == 0).next()
}

fn kind(program: &Program, description: u64) -> Result<Kind, Unknown> {
    let table = word(program, description)?.wrapping_sub(16);
    let global = &program.globals[program.global_at(table).ok_or(Unknown)?.index()];
    if global.address != table {
        return Err(Unknown);
    }
    Ok(match global.name.strip_prefix("_ZTVN10__cxxabiv1").ok_or(Unknown)? {
        "17__class_type_infoE" => Kind::Class,
        "20__si_class_type_infoE" => Kind::Derived,
        "21__vmi_class_type_infoE" => Kind::DerivedFromMany,
        "19__pointer_type_infoE" => Kind::Pointer,
        "29__pointer_to_member_type_infoE" => Kind::MemberPointer,
        "20__function_type_infoE" => Kind::Function,
        "23__fundamental_type_infoE" | "17__array_type_infoE" | "16__enum_type_infoE" => {
            Kind::Other
        }
        _ => return Err(Unknown),
    })
}

/// Whether two descriptions are of the same type: there may be several of one.
pub(super) fn same(program: &Program, a: u64, b: u64) -> bool {
    let name = |description| text(program, word(program, description + 8).ok()?);
    a == b || matches!((name(a), name(b)), (Some(a), Some(b)) if a == b && !a.starts_with(b"*"))
}

/// The direct bases of a class: their descriptions, the steps to them, and whether they are public.
fn bases(program: &Program, class: u64) -> Result<Vec<(u64, Step, bool)>, Unknown> {
    match kind(program, class)? {
        Kind::Derived => Ok(vec![(word(program, class + 16)?, Step::Fixed(0), true)]),
        Kind::DerivedFromMany => (0..half(program, class + 20)?)
            .map(|i| {
                let entry = class + 24 + 16 * i;
                let bits = word(program, entry + 8)?;
                let offset = bits as i64 >> 8;
                let step = if bits & 1 == 1 { Step::Virtual(offset) } else { Step::Fixed(offset) };
                Ok((word(program, entry)?, step, bits & 2 != 0))
            })
            .collect(),
        _ => Ok(Vec::new()),
    }
}

/// All parts of type `to` of an object of type `from`: each way that leads to one.
pub(super) fn parts(program: &Program, from: u64, to: u64) -> Result<Vec<Part>, Unknown> {
    let start = Part { steps: Vec::new(), public: true, identity: (0, 0) };
    let mut found = Vec::new();
    collect(program, from, to, start, DEPTH, &mut found)?;
    Ok(found)
}

fn collect(
    program: &Program,
    class: u64,
    to: u64,
    part: Part,
    depth: u32,
    found: &mut Vec<Part>,
) -> Result<(), Unknown> {
    if same(program, class, to) {
        found.push(part);
        return Ok(());
    }
    if depth == 0 {
        return Err(Unknown);
    }
    for (base, step, public) in bases(program, class)? {
        let mut next = Part { public: part.public && public, ..part.clone() };
        next.steps.push(step);
        next.identity = match step {
            Step::Fixed(offset) => (part.identity.0, part.identity.1.wrapping_add(offset)),
            Step::Virtual(_) => (base, 0),
        };
        collect(program, base, to, next, depth - 1, found)?;
    }
    Ok(())
}

/// The way to the only part of that type, if there is one and it is public.
pub(super) fn only_part(
    program: &Program,
    from: u64,
    to: u64,
) -> Result<Option<Vec<Step>>, Unknown> {
    let mut all = parts(program, from, to)?;
    let Some(first) = all.first().map(|part| part.identity) else { return Ok(None) };
    if all.iter().any(|part| part.identity != first) {
        return Ok(None);
    }
    all.retain(|part| part.public);
    Ok(all.into_iter().next().map(|part| part.steps))
}

/// Whether and how a handler for one type takes an exception of another.
pub(super) fn fits(program: &Program, thrown: u64, handler: u64) -> Result<Option<Fit>, Unknown> {
    let is_pointer = |description| Ok(kind(program, description)? == Kind::Pointer);
    if same(program, thrown, handler) {
        // Of a type that is not known, it must not matter whether it is a pointer.
        return Ok(Some(match is_pointer(thrown)? {
            true => Fit::Pointer(Vec::new()),
            false => Fit::Object(Vec::new()),
        }));
    }
    match kind(program, thrown)? {
        Kind::Class | Kind::Derived | Kind::DerivedFromMany => {
            Ok(only_part(program, thrown, handler)?.map(Fit::Object))
        }
        Kind::Pointer if is_pointer(handler)? => {
            Ok(pointer_fits(program, thrown, handler, Outer::First)?.map(Fit::Pointer))
        }
        Kind::Other if is_null(program, thrown) => Ok(match kind(program, handler)? {
            Kind::Pointer => Some(Fit::Null),
            Kind::MemberPointer => return Err(Unknown),
            _ => None,
        }),
        // Conversions of pointers to members are not known.
        Kind::MemberPointer if kind(program, handler)? == Kind::MemberPointer => Err(Unknown),
        _ => Ok(None),
    }
}

/// Whether it is the type of `nullptr`.
fn is_null(program: &Program, description: u64) -> bool {
    word(program, description + 8).is_ok_and(|name| text(program, name) == Some(b"Dn"))
}

/// Where in a type a pointer is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outer {
    /// It is the type itself.
    First,
    /// It is what pointers point to that are all const.
    Const,
    /// Some of them is not.
    Changeable,
}

/// Whether a pointer becomes one of another type, as a conversion of qualifiers, to a base or to `void *`.
fn pointer_fits(
    program: &Program,
    from: u64,
    to: u64,
    outer: Outer,
) -> Result<Option<Vec<Step>>, Unknown> {
    if outer == Outer::Changeable {
        return Ok(None);
    }
    let (ours, theirs) = (half(program, to + 16)?, half(program, from + 16)?);
    let drops_qualifiers = theirs & QUALIFIERS & !ours != 0;
    let drops_noexcept = ours & NOEXCEPT & !theirs != 0;
    if drops_qualifiers || drops_noexcept {
        return Ok(None);
    }
    let (from, to) = (word(program, from + 24)?, word(program, to + 24)?);
    if same(program, from, to) {
        return Ok(Some(Vec::new()));
    }
    if (ours | theirs) & INCOMPLETE != 0 {
        return Err(Unknown);
    }
    let is_first = outer == Outer::First;
    let (from_kind, to_kind) = (kind(program, from)?, kind(program, to)?);
    if is_first && to_kind == Kind::Other && is_void(program, to) {
        return Ok((from_kind != Kind::Function).then(Vec::new));
    }
    match (from_kind, to_kind) {
        (Kind::Pointer, Kind::Pointer) => {
            let next = if ours & CONST != 0 { Outer::Const } else { Outer::Changeable };
            pointer_fits(program, from, to, next)
        }
        (Kind::Class | Kind::Derived | Kind::DerivedFromMany, _) if is_first => {
            only_part(program, from, to)
        }
        // `void (*)() noexcept` and the like.
        (Kind::Function, Kind::Function) | (Kind::MemberPointer, Kind::MemberPointer) => {
            Err(Unknown)
        }
        _ => Ok(None),
    }
}

fn is_void(program: &Program, description: u64) -> bool {
    word(program, description + 8).is_ok_and(|name| text(program, name) == Some(b"v"))
}
