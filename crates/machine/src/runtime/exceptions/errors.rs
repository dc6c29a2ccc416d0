//! The exceptions of the standard library: making them, asking what they say, and throwing them from within it.
//!
//! An object is a pointer to the table of its class and, where it keeps a text, a pointer to that. Each has a copy of its
//! own, which is its memory.

use super::super::{Cx, Entry};
use super::{memory, throw_object};
use crate::thread::Stop;
use norn_action::{Ending, Exception, Mode, ObjectKind, Obstacle};
use norn_program::{
    CATEGORY_COMPARES, CATEGORY_MESSAGE, CATEGORY_NAME, ExternalId, GENERIC_CATEGORY, Global,
    Program, STANDARD_CLASSES, StandardClass,
};

/// Bytes of the largest of them: table, text, error code, its category.
const SIZE: u64 = 32;
const TEXT: u64 = 8;
const CODE: u64 = 16;
const CATEGORY: u64 = 24;

/// The class of this name, as a number that functions can be made for.
const fn index(name: &str) -> usize {
    let mut at = 0;
    while at < STANDARD_CLASSES.len() {
        let (known, wanted) = (STANDARD_CLASSES[at].name.as_bytes(), name.as_bytes());
        let mut equal = known.len() == wanted.len();
        let mut i = 0;
        while equal && i < known.len() {
            equal = known[i] == wanted[i];
            i += 1;
        }
        if equal {
            return at;
        }
        at += 1;
    }
    panic!("a class of that name");
}

/// What all classes have: destructors.
macro_rules! destructors {
    ($name:literal, $end:ident) => {
        [
            (concat!("_ZN", $name, "D0Ev"), "destructor that also frees the memory", $end::<true>),
            (concat!("_ZN", $name, "D1Ev"), "destructor", $end::<false>),
            (concat!("_ZN", $name, "D2Ev"), "destructor", $end::<false>),
        ]
    };
}

/// What a class has whose objects keep a text.
macro_rules! texts {
    ($name:literal) => {
        [
            (
                concat!("_ZN", $name, "C1EPKc"),
                "from a text",
                from_text::<{ index($name) }> as Function,
            ),
            (concat!("_ZN", $name, "C2EPKc"), "from a text", from_text::<{ index($name) }>),
            (
                concat!("_ZN", $name, "C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"),
                "from a std::string",
                from_string::<{ index($name) }>,
            ),
            (
                concat!("_ZN", $name, "C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"),
                "from a std::string",
                from_string::<{ index($name) }>,
            ),
            (concat!("_ZN", $name, "C1ERKS_"), "a copy", copy::<{ index($name) }>),
            (concat!("_ZN", $name, "C2ERKS_"), "a copy", copy::<{ index($name) }>),
            (concat!("_ZN", $name, "C1EOS_"), "a copy", copy::<{ index($name) }>),
            (concat!("_ZN", $name, "C2EOS_"), "a copy", copy::<{ index($name) }>),
            (concat!("_ZN", $name, "aSERKS_"), "takes a copy of the text", assign),
            (concat!("_ZN", $name, "aSEOS_"), "takes a copy of the text", assign),
        ]
    };
}

type Function = super::super::NativeFn;

/// The tables of functions of all classes.
pub(in super::super) const STANDARD: &[&[Entry]] = &[
    &destructors!("St9exception", end),
    &destructors!("St13bad_exception", end),
    &destructors!("St9bad_alloc", end),
    &destructors!("St20bad_array_new_length", end),
    &destructors!("St8bad_cast", end),
    &destructors!("St10bad_typeid", end),
    &destructors!("St17bad_function_call", end),
    &destructors!("St12bad_weak_ptr", end),
    &destructors!("St11logic_error", end_text),
    &destructors!("St12domain_error", end_text),
    &destructors!("St16invalid_argument", end_text),
    &destructors!("St12length_error", end_text),
    &destructors!("St12out_of_range", end_text),
    &destructors!("St13runtime_error", end_text),
    &destructors!("St11range_error", end_text),
    &destructors!("St14overflow_error", end_text),
    &destructors!("St15underflow_error", end_text),
    &destructors!("St12system_error", end_text),
    &texts!("St11logic_error"),
    &texts!("St12domain_error"),
    &texts!("St16invalid_argument"),
    &texts!("St12length_error"),
    &texts!("St12out_of_range"),
    &texts!("St13runtime_error"),
    &texts!("St11range_error"),
    &texts!("St14overflow_error"),
    &texts!("St15underflow_error"),
    &[
        ("_ZNKSt9exception4whatEv", "its name", says::<{ index("St9exception") }>),
        ("_ZNKSt13bad_exception4whatEv", "its name", says::<{ index("St13bad_exception") }>),
        ("_ZNKSt9bad_alloc4whatEv", "its name", says::<{ index("St9bad_alloc") }>),
        (
            "_ZNKSt20bad_array_new_length4whatEv",
            "its name",
            says::<{ index("St20bad_array_new_length") }>,
        ),
        ("_ZNKSt8bad_cast4whatEv", "its name", says::<{ index("St8bad_cast") }>),
        ("_ZNKSt10bad_typeid4whatEv", "its name", says::<{ index("St10bad_typeid") }>),
        (
            "_ZNKSt17bad_function_call4whatEv",
            "its name",
            says::<{ index("St17bad_function_call") }>,
        ),
        ("_ZNKSt12bad_weak_ptr4whatEv", "its name", says::<{ index("St12bad_weak_ptr") }>),
        ("_ZNKSt11logic_error4whatEv", "its text", text),
        ("_ZNKSt13runtime_error4whatEv", "its text", text),
        ("_ZNSt3_V216generic_categoryEv", "std::generic_category", category),
        (CATEGORY_NAME, "the name of std::generic_category", category_name),
        (CATEGORY_MESSAGE, "what an error code means", category_message),
        (CATEGORY_COMPARES[0], "the condition of an error code", condition_of),
        (CATEGORY_COMPARES[1], "whether a code is of a condition", fits_condition),
        (CATEGORY_COMPARES[2], "whether an error code is of a number", fits_code),
    ],
];

/// Whether a function of these tables accesses no memory: a destructor that has nothing to free.
pub(in super::super) fn is_apart(name: &str) -> bool {
    let is_destructor = name.ends_with("D1Ev") || name.ends_with("D2Ev");
    is_destructor && StandardClass::thrown_by(name).is_some_and(|class| !class.keeps_text)
}

fn global<'p>(program: &'p Program, name: &str) -> Option<&'p Global> {
    program.globals.iter().find(|global| global.name == name)
}

/// A variable that the front end declares where it is needed.
fn address(cx: &Cx<'_>, name: &str) -> Result<u64, Stop> {
    match global(&cx.vm.program, name) {
        Some(global) => Ok(global.address),
        None => Err(cx.unsupported(Obstacle::UnknownFunction(name.to_owned()))),
    }
}

/// Puts a text into an object, in memory of its own.
fn put_text(cx: &mut Cx<'_>, object: u64, bytes: &[u8]) -> Result<(), Stop> {
    let text = cx.allocate(bytes.len() as u64 + 1, 16, false)?;
    if text == 0 {
        return Err(cx.fault(Ending::Terminate));
    }
    cx.write_bytes(text, bytes)?;
    cx.store(text + bytes.len() as u64, 1, Mode::Plain, 0)?;
    cx.store(object + TEXT, 8, Mode::Plain, text)
}

fn make(
    cx: &mut Cx<'_>,
    class: &StandardClass,
    object: u64,
    text: Option<&[u8]>,
) -> Result<(), Stop> {
    let table = address(cx, &format!("_ZTV{}", class.name))? + 16;
    cx.store(object, 8, Mode::Plain, table)?;
    text.map_or(Ok(()), |text| put_text(cx, object, text))
}

fn from_text<const CLASS: usize>(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, text) = (cx.arg(0), cx.string(cx.arg(1))?);
    make(cx, &STANDARD_CLASSES[CLASS], this, Some(&text))?;
    Ok(0)
}

/// A `std::string` starts with where its letters are and how many.
fn from_string<const CLASS: usize>(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, string) = (cx.arg(0), cx.arg(1));
    let letters = cx.load(string, 8, Mode::Plain)?;
    let length = cx.load(string + 8, 8, Mode::Plain)?;
    let text = cx.string_up_to(letters, length)?;
    make(cx, &STANDARD_CLASSES[CLASS], this, Some(&text))?;
    Ok(0)
}

fn text_of(cx: &mut Cx<'_>, object: u64) -> Result<Vec<u8>, Stop> {
    let text = cx.load(object + TEXT, 8, Mode::Plain)?;
    cx.string(text)
}

fn copy<const CLASS: usize>(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, other) = (cx.arg(0), cx.arg(1));
    let text = text_of(cx, other)?;
    make(cx, &STANDARD_CLASSES[CLASS], this, Some(&text))?;
    Ok(0)
}

fn assign(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, other) = (cx.arg(0), cx.arg(1));
    let text = text_of(cx, other)?;
    let old = cx.load(this + TEXT, 8, Mode::Plain)?;
    put_text(cx, this, &text)?;
    cx.free(old, ObjectKind::Heap)?;
    Ok(this.into())
}

fn end<const FREES: bool>(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    if FREES {
        cx.free(cx.arg(0), ObjectKind::New)?;
    }
    Ok(0)
}

fn end_text<const FREES: bool>(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.load(cx.arg(0) + TEXT, 8, Mode::Plain)?;
    cx.free(text, ObjectKind::Heap)?;
    end::<FREES>(cx)
}

fn says<const CLASS: usize>(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(address(cx, &STANDARD_CLASSES[CLASS].text_name())?.into())
}

fn text(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(cx.load(cx.arg(0) + TEXT, 8, Mode::Plain)?.into())
}

fn category(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(address(cx, GENERIC_CATEGORY)?.into())
}

fn category_name(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(address(cx, &format!("norn.what.{GENERIC_CATEGORY}"))?.into())
}

/// Makes a `std::string`: where its letters are, how many, and room for 15 of them or the size of the memory.
fn category_message(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, code) = (cx.arg(0), cx.arg(2) & 0xffff_ffff);
    let text = message(code);
    let length = text.len() as u64;
    let mut letters = to + 16;
    if length > 15 {
        letters = cx.allocate_kind(ObjectKind::New, length + 1, 16, false)?;
        cx.store(to + 16, 8, Mode::Plain, length)?;
    }
    cx.write_bytes(letters, text.as_bytes())?;
    cx.store(letters + length, 1, Mode::Plain, 0)?;
    cx.store(to, 8, Mode::Plain, letters)?;
    cx.store(to + 8, 8, Mode::Plain, length)?;
    Ok(to.into())
}

/// Codes and conditions are a number and a category: here the same number and this category.
fn condition_of(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(u128::from(cx.arg(0)) << 64 | u128::from(cx.arg(1) & 0xffff_ffff))
}

/// Whether what lies at `address` is of a category and a number.
fn is_of(cx: &mut Cx<'_>, address: u64, category: u64, number: u64) -> Result<u128, Stop> {
    let own = cx.load(address, 4, Mode::Plain)?;
    let of = cx.load(address + 8, 8, Mode::Plain)?;
    Ok((of == category && own == number & 0xffff_ffff).into())
}

fn fits_condition(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, number, condition) = (cx.arg(0), cx.arg(1), cx.arg(2));
    is_of(cx, condition, this, number)
}

fn fits_code(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (this, code, number) = (cx.arg(0), cx.arg(1), cx.arg(2));
    is_of(cx, code, this, number)
}

/// Throws an exception of the library, with a text if it keeps one. `what` is said of it if nobody catches it; if the
/// program does not know its type, nobody does.
pub(in super::super) fn throw_standard(
    cx: &mut Cx<'_>,
    name: &str,
    text: Option<&[u8]>,
    what: Exception,
) -> Result<u128, Stop> {
    let program = &cx.vm.program;
    let known = StandardClass::named(name).zip(global(program, &format!("_ZTI{name}")));
    let Some((class, description)) = known.filter(|_| !program.pads.is_empty()) else {
        return Err(cx.fault(Ending::Uncaught(what)));
    };
    let (description, destructor) = (description.address, format!("_ZN{name}D1Ev"));
    let destructor = program.externals.iter().position(|external| external.name == destructor);
    let destructor =
        destructor.map_or(0, |index| Program::external_address(ExternalId(index as u32)));
    let object = memory(cx, SIZE)?;
    make(cx, class, object, text)?;
    throw_object(cx, object, description, destructor, what)
}

/// Throws the `std::system_error` of an error number.
pub(in super::super) fn refused(cx: &mut Cx<'_>, code: u64, what: Exception) -> Result<u128, Stop> {
    let name = "St12system_error";
    let program = &cx.vm.program;
    let description = global(program, &format!("_ZTI{name}")).filter(|_| !program.pads.is_empty());
    let Some(description) = description.map(|global| global.address) else {
        return Err(cx.fault(Ending::Uncaught(what)));
    };
    let destructor =
        program.externals.iter().position(|external| external.name == "_ZNSt12system_errorD1Ev");
    let destructor =
        destructor.map_or(0, |index| Program::external_address(ExternalId(index as u32)));
    let category = address(cx, GENERIC_CATEGORY)?;
    let object = memory(cx, SIZE)?;
    let class = &STANDARD_CLASSES[index(name)];
    make(cx, class, object, Some(message(code).as_bytes()))?;
    cx.store(object + CODE, 4, Mode::Plain, code)?;
    cx.store(object + CATEGORY, 8, Mode::Plain, category)?;
    throw_object(cx, object, description, destructor, what)
}

/// What the C library calls an error number, of those that its users are told.
fn message(code: u64) -> String {
    let text = match code {
        1 => "Operation not permitted",
        3 => "No such process",
        11 => "Resource temporarily unavailable",
        16 => "Device or resource busy",
        22 => "Invalid argument",
        35 => "Resource deadlock avoided",
        110 => "Connection timed out",
        _ => return format!("Unknown error {code}"),
    };
    text.to_owned()
}
