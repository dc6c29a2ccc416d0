//! Sorting and searching with callbacks.

use super::{Cx, Entry, memory};
use crate::thread::Stop;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("qsort", "sorts an array by a comparison function", qsort),
    ("bsearch", "finds an element of a sorted array", bsearch),
];

/// Merge sort over indices (stable, few comparisons), then one pass that writes.
fn qsort(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (base, count, size, compare) = (cx.arg(0), cx.arg(1), cx.arg(2), cx.arg(3));
    if count < 2 || size == 0 {
        return Ok(0);
    }
    // The comparisons see a copy, so that the array changes only once the order is known.
    let copy = cx.allocate(count * size, 16, false)?;
    memory::copy(cx, copy, base, count * size, 8)?;
    let mut order: Vec<u64> = (0..count).collect();
    let mut width = 1;
    while width < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(cx, copy, size, compare, (left, right), &mut merged)?;
        }
        order = merged;
        width *= 2;
    }
    for (to, &from) in order.iter().enumerate() {
        memory::copy(cx, base + to as u64 * size, copy + from * size, size, 8)?;
    }
    cx.free(copy, norn_action::ObjectKind::Heap)?;
    Ok(0)
}

fn merge(
    cx: &mut Cx<'_>,
    base: u64,
    size: u64,
    compare: u64,
    (mut left, mut right): (&[u64], &[u64]),
    out: &mut Vec<u64>,
) -> Result<(), Stop> {
    while let (Some((&a, rest_left)), Some((&b, rest_right))) =
        (left.split_first(), right.split_first())
    {
        let result = cx.call(compare, &[base + a * size, base + b * size])?;
        if result as i32 <= 0 {
            out.push(a);
            left = rest_left;
        } else {
            out.push(b);
            right = rest_right;
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
    Ok(())
}

fn bsearch(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (key, base, size, compare) = (cx.arg(0), cx.arg(1), cx.arg(3), cx.arg(4));
    let (mut low, mut high) = (0, cx.arg(2));
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base + middle * size;
        match cx.call(compare, &[key, element])? as i32 {
            0 => return Ok(element.into()),
            result if result < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(0)
}
