//! The closure of a question: the order that every witness must extend.
//!
//! It starts from the order that the threads prescribe and grows by the four conditions of section 4.2 of
//! the paper until nothing changes. For a read `r`, the writes that it may still see are `Cl(r)`: good, and
//! neither after `r` nor overwritten before it. With the other, *bad* writes `v` to the location:
//!
//! ```text
//! (1) Cl(r) is not empty                              (2) w least of Cl(r)   implies  w → r
//! (3) w greatest of Cl(r) and v → r  implies  v → w   (4) all of Cl(r) → v   implies  r → v
//! ```
//!
//! The initial write is before all others. A step that reads and writes stands for both: nothing comes
//! between. A cycle, or a read that can see nothing, means that there is no witness; the converse does not
//! hold.

use super::instance::{Instance, Op};
use crate::closure::Closure;

/// Extends `order`, which has what the threads prescribe, to the closure. False if there is none.
pub(super) fn close(instance: &Instance, order: &mut Closure) -> bool {
    let mut seen = Vec::new();
    loop {
        let mut changed = false;
        for read in (0..instance.len() as Op).filter(|&op| instance.step(op).reads) {
            match apply(instance, order, read, &mut seen) {
                None => return false,
                Some(grown) => changed |= grown,
            }
        }
        if !changed {
            return true;
        }
    }
}

/// The conditions for one read: whether the order grew; none if one of them cannot hold. `seen` is a buffer
/// for the writes that the read may still see.
fn apply(
    instance: &Instance,
    order: &mut Closure,
    read: Op,
    seen: &mut Vec<usize>,
) -> Option<bool> {
    let r = read as usize;
    let writes = &instance.locations[instance.step(read).location as usize].write_set;
    let initial = find_visible(instance, order, read, writes, seen);
    if seen.is_empty() && !initial {
        return None;
    }
    let mut changed = false;
    let mut add = |order: &mut Closure, a: usize, b: usize| {
        let new = !order.is_before(a, b);
        changed |= new;
        !new || order.add(a, b)
    };
    let least = extreme(seen, |w, other| order.is_before(w, other)).filter(|_| !initial);
    if least.is_some_and(|least| !add(order, least, r)) {
        return None;
    }
    let greatest = extreme(seen, |w, other| order.is_before(other, w));
    for (word, &good) in instance.good(read).iter().enumerate().take(order.words()) {
        let own = if r / 64 == word { 1 << (r % 64) } else { 0 };
        let bad = writes.get(word).copied().unwrap_or(0) & !good & !own;
        if let Some(w) = greatest {
            let mut early = bad & order.before(r)[word] & !order.before(w)[word];
            while early != 0 {
                if !add(order, word * 64 + early.trailing_zeros() as usize, w) {
                    return None;
                }
                early &= early - 1;
            }
        }
        let open = bad & !order.after(r)[word];
        let mut late = seen.iter().fold(open, |late, &w| late & order.after(w)[word]);
        while late != 0 {
            if !add(order, r, word * 64 + late.trailing_zeros() as usize) {
                return None;
            }
            late &= late - 1;
        }
    }
    Some(changed)
}

/// Collects the good writes that `read` may still see; whether the initial one is among them.
fn find_visible(
    instance: &Instance,
    order: &Closure,
    read: Op,
    writes: &[u64],
    seen: &mut Vec<usize>,
) -> bool {
    seen.clear();
    let (before, after) = (order.before(read as usize), order.after(read as usize));
    let earlier = |word: usize| before[word] & writes.get(word).copied().unwrap_or(0);
    for (word, &good) in instance.good(read).iter().enumerate().take(before.len()) {
        let mut bits = good & !after[word];
        while bits != 0 {
            let write = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let later = order.after(write);
            if (0..before.len()).all(|word| later[word] & earlier(word) == 0) {
                seen.push(write);
            }
        }
    }
    instance.is_good(read, None) && (0..before.len()).all(|word| earlier(word) == 0)
}

/// The write that all others stand in a relation to.
fn extreme(writes: &[usize], is_on: impl Fn(usize, usize) -> bool) -> Option<usize> {
    writes
        .iter()
        .copied()
        .find(|&write| writes.iter().all(|&other| other == write || is_on(write, other)))
}
