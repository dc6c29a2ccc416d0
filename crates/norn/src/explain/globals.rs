//! Variables of a program by their names, and what they hold when an execution has ended.

use super::expression::Expression;
use crate::program_names::ProgramNames;
use norn_action::{Address, ThreadId, Value};
use norn_explore::Visit;
use norn_graph::{EventId, Graph};
use norn_machine::Vm;
use norn_program::{Encoding, GlobalId, Program};

/// The sizes that a number may have.
const SIZES: [u8; 4] = [8, 4, 2, 1];
/// Parts of larger variables are not looked for.
const LARGEST: u64 = 1 << 20;

/// A number that lies in a global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    global: GlobalId,
    offset: u64,
    size: u8,
    signed: bool,
    encoding: Encoding,
}

/// What a name stands for.
pub(super) fn resolve(program: &Program, name: &str) -> Result<Expression<Variable>, String> {
    if let Some(name) = name.strip_prefix('&') {
        let (global, part) = root(program, name)?;
        let of = &program.globals[global.index()];
        // What has parts begins where the first of them does; the end of an array has an address, too.
        let is_there = |offset: &u64| {
            let path = describe(program, global, *offset);
            let rest = path.strip_prefix(&part);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let offset = (0..=of.size.min(LARGEST)).find(is_there);
        // The whole is at its start.
        let is_whole = of.source_name.as_ref().unwrap_or(&of.name) == &part;
        return match offset.or_else(|| is_whole.then_some(0)) {
            Some(offset) => Ok(Expression::Address(of.address + offset)),
            None => Err(no_part(program, global, name)),
        };
    }
    let found = variable(program, name);
    if found.is_err() && named(program, name).is_empty() {
        // No variable is called so.
        return match constants(program, name)[..] {
            [value] => Ok(Expression::Number(value)),
            [] => found.map(Expression::Value),
            _ => Err(format!("several constants are called `{name}`; write the number")),
        };
    }
    found.map(Expression::Value)
}

/// What constants of enumerations are called so; those of C++ may be written with their scopes.
fn constants(program: &Program, name: &str) -> Vec<i128> {
    let own = name.rsplit_once("::").map_or(name, |(_, own)| own);
    program.types.constants(own).into_iter().collect()
}

fn variable(program: &Program, name: &str) -> Result<Variable, String> {
    let (global, part) = root(program, name)?;
    let of = &program.globals[global.index()];
    if of.thread_local {
        return Err(format!("`{name}` is another variable in each thread"));
    }
    for offset in 0..of.size.min(LARGEST) {
        if describe(program, global, offset) != part {
            continue;
        }
        let known = |size: &u8| match of.kind {
            Some(kind) => program.types.encoding_of_part(kind, offset, u64::from(*size)),
            None => (u64::from(*size) == of.size).then_some(&Encoding::Unsigned),
        };
        let found = SIZES.iter().find_map(|size| Some((*size, known(size)?)));
        let Some((size, encoding)) = found else { continue };
        if matches!(encoding, Encoding::Unknown) {
            return Err(format!(
                "what the bits of `{name}` mean is not known; a bit-field cannot be asked for"
            ));
        }
        if matches!(encoding, Encoding::Float) {
            return Err(format!("`{name}` is a floating-point number; only integers are compared"));
        }
        // Enumerations have the sign of the number that is compared with only if one of them is negative.
        let signed = match encoding {
            Encoding::Signed | Encoding::Character => true,
            Encoding::Enumeration(names) => names.iter().any(|(value, _)| *value < 0),
            _ => false,
        };
        let (name, encoding) = (name.to_owned(), encoding.clone());
        return Ok(Variable { name, global, offset, size, signed, encoding });
    }
    Err(no_part(program, global, name))
}

fn describe(program: &Program, global: GlobalId, offset: u64) -> String {
    let mut name = program.describe_global(global, offset);
    crate::program_names::cut_library_fields(&mut name);
    name
}

/// What a name begins with, and the path to a part of that.
fn split(name: &str) -> (&str, &str) {
    name.split_at(name.find(['.', '[']).unwrap_or(name.len()))
}

/// The variables that a name may begin with.
fn named(program: &Program, name: &str) -> Vec<GlobalId> {
    let (root, _) = split(name);
    let ids = || (0..program.globals.len() as u32).map(GlobalId);
    let of = |id: &GlobalId| &program.globals[id.index()];
    let exact = |id: &GlobalId| {
        of(id).name == root || qualified(&of(id).name).is_some_and(|whole| whole == root)
    };
    let inner = |id: &GlobalId| {
        let whole = qualified(&of(id).name).unwrap_or_default();
        of(id).source_name.as_deref() == Some(root) || whole.ends_with(&format!("::{root}"))
    };
    // What is called just so hides what is called so in some namespace.
    let mut found: Vec<GlobalId> = ids().filter(exact).collect();
    if found.is_empty() {
        found = ids().filter(inner).collect();
    }
    found
}

/// The variable that a name begins with, and the name as parts of the variable are called.
fn root(program: &Program, name: &str) -> Result<(GlobalId, String), String> {
    let (root, path) = split(name);
    let found = named(program, name);
    let of = |id: &GlobalId| &program.globals[id.index()];
    match found[..] {
        [id] => {
            let of = of(&id);
            Ok((id, of.source_name.as_ref().unwrap_or(&of.name).clone() + path))
        }
        [] => Err(format!("the program has no global variable `{root}`")),
        _ => {
            let whole = |id: &GlobalId| qualified(&of(id).name).unwrap_or(of(id).name.clone());
            let names: Vec<String> = found.iter().map(whole).collect();
            Err(format!("the program has several variables `{root}`: {}", names.join(", ")))
        }
    }
}

/// The name of a variable of C++ with its namespaces and classes, of the name that the linker knows it by; none where
/// that says more, such as arguments of templates.
pub(crate) fn qualified(linked: &str) -> Option<String> {
    let is_nested = linked.starts_with("_ZN");
    let mut rest = linked.strip_prefix(if is_nested { "_ZN" } else { "_Z" })?;
    let mut parts: Vec<&str> = Vec::new();
    while !(rest.is_empty() || is_nested && rest == "E") {
        // What only one file sees.
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length: usize = rest[..digits].parse().ok()?;
        let part = rest.get(digits..digits.checked_add(length)?)?;
        // A namespace without a name.
        if part != "_GLOBAL__N_1" {
            parts.push(part);
        }
        rest = &rest[digits + length..];
    }
    (!parts.is_empty()).then(|| parts.join("::"))
}

fn no_part(program: &Program, global: GlobalId, name: &str) -> String {
    let first = describe(program, global, 0);
    if first.strip_prefix(name).is_some_and(|rest| rest.starts_with("[0]")) {
        return format!("`{name}` is an array; its address is `&{name}[0]`");
    }
    format!("`{name}` is no number that is known; a part of the variable is called `{first}`")
}

impl Variable {
    pub(super) fn is_pointer(&self) -> bool {
        matches!(self.encoding, Encoding::Pointer)
    }

    /// The number that C compares it with where one below zero is written, if that is another. Small numbers become `int`
    /// before they are compared.
    pub(super) fn compared_with(&self, number: i128) -> Option<i128> {
        let takes_another = number < 0 && !self.signed && self.size >= 4;
        takes_another.then(|| number.rem_euclid(1 << (8 * u32::from(self.size))))
    }

    /// How a value of it is written, in an execution with this graph.
    pub(super) fn text(&self, names: &ProgramNames<'_>, graph: &Graph, value: i128) -> String {
        names.of_type(graph, &self.encoding, self.size, Value(value as u128).truncate(self.size))
    }

    /// What it holds at the end of an execution; none if that was never written.
    pub(super) fn last_value(&self, program: &Program, execution: &Visit<'_, Vm>) -> Option<i128> {
        let start = program.globals[self.global.index()].address + self.offset;
        let mut bits = 0u128;
        for back in (0..u64::from(self.size)).rev() {
            bits =
                bits << 8 | u128::from(last_byte(program, execution, self.global, start + back)?);
        }
        let unused = 128 - 8 * u32::from(self.size);
        Some(if self.signed { (bits << unused) as i128 >> unused } else { bits as i128 })
    }
}

/// The byte at an address of a global at the end of an execution; none if it was never written.
pub(crate) fn last_byte(
    program: &Program,
    execution: &Visit<'_, Vm>,
    global: GlobalId,
    address: u64,
) -> Option<u8> {
    let graph = execution.graph;
    for &location in graph.touched() {
        let info = execution.locations.info(location);
        let Some(offset) = address.checked_sub(info.address.0) else { continue };
        if offset < u64::from(info.size) {
            let last = graph.location(location).co.last().copied().unwrap_or(EventId::INIT);
            let (value, undefined) = graph.content_of(last, location);
            let is_defined = u32::from(undefined) >> offset & 1 == 0;
            return is_defined.then_some((value.0 >> (8 * offset)) as u8);
        }
    }
    if let Some(resolved) = graph.objects().resolve(Address(address), 1) {
        return (resolved.undefined == 0).then_some(resolved.initial.0 as u8);
    }
    // As long as there is one thread, its globals are its own.
    if let Some((main, _)) = execution.thread(ThreadId::MAIN)
        && let Some(byte) = main.private_global(address)
    {
        return byte;
    }
    let global = &program.globals[global.index()];
    Some(global.bytes.get((address - global.address) as usize).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::qualified;

    #[test]
    fn names_of_the_linker_are_names_of_the_source() {
        for (linked, expected) in [
            ("_ZN2ns1xE", Some("ns::x")),
            ("_ZN1a1b1cE", Some("a::b::c")),
            ("_ZN2nsL1xE", Some("ns::x")),
            ("_ZL4hits", Some("hits")),
            ("_ZN12_GLOBAL__N_11xE", Some("x")),
            ("_ZN3BoxIiE1xE", None),
            ("_ZZ4mainvE1x", None),
            ("_ZN99x", None),
            ("_ZN", None),
            ("_Z", None),
            ("_ZN18446744073709551615xE", None),
            ("x", None),
        ] {
            assert_eq!(qualified(linked).as_deref(), expected, "{linked}");
        }
    }
}
