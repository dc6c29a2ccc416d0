//! `dynamic_cast`, which asks the table of an object what it is as a whole.

use super::super::Cx;
use super::descriptions::{Part, Unknown, parts};
use super::unwind::follow;
use crate::thread::Stop;
use norn_action::{Mode, Obstacle};

/// A pointer to a part of an object, the description of the part, and that of the type that is wanted.
pub(super) fn dynamic_cast(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (part, from, to) = (cx.arg(0), cx.arg(1), cx.arg(2));
    let table = cx.load(part, 8, Mode::Plain)?;
    let distance = cx.load(table.wrapping_sub(16), 8, Mode::Plain)?;
    let class = cx.load(table.wrapping_sub(8), 8, Mode::Plain)?;
    let whole = part.wrapping_add(distance);
    let wanted = addresses(cx, class, to, whole)?;
    // To what is derived from the part, if there is one such.
    let mut derived = Vec::new();
    for &(address, _) in &wanted {
        let bases = addresses(cx, to, from, address)?;
        if bases.contains(&(part, true)) && !derived.contains(&address) {
            derived.push(address);
        }
    }
    if let [only] = derived[..] {
        return Ok(only.into());
    }
    // Or to another part of the whole, if all can see both.
    let own = addresses(cx, class, from, whole)?;
    let mut all: Vec<u64> = wanted.iter().map(|&(address, _)| address).collect();
    all.sort_unstable();
    all.dedup();
    match all[..] {
        [only] if own.contains(&(part, true)) && wanted.contains(&(only, true)) => Ok(only.into()),
        _ => Ok(0),
    }
}

/// The parts of a type that an object has: where they are, and whether the way there is public.
fn addresses(cx: &mut Cx<'_>, class: u64, to: u64, object: u64) -> Result<Vec<(u64, bool)>, Stop> {
    let found = parts(&cx.vm.program, class, to);
    let found = found.map_err(|Unknown| cx.unsupported(Obstacle::UnknownException))?;
    let mut list = Vec::new();
    for Part { steps, public, .. } in found {
        list.push((follow(cx, object, &steps)?, public));
    }
    Ok(list)
}
