//! Sentences on accesses to memory, and on giving it back.

use super::Lookup;
use norn_action::{BadAccess, BadFree, ConstantWrite, End, Miss, ObjectKind, Unwritten};

pub(super) fn access(access: &BadAccess, lookup: &Lookup<'_>) -> String {
    let BadAccess { address, size, writes, miss } = *access;
    let access = match writes {
        Some(true) => format!("write of {}", bytes(size)),
        Some(false) => format!("read of {}", bytes(size)),
        None => bytes(size),
    };
    match (miss, writes) {
        (Miss::Null, _) => format!("access at address {address}"),
        (Miss::Function, _) => format!("{address} is a function"),
        (Miss::NoObject, None) => format!("{address} points to no object"),
        (Miss::NoObject, Some(_)) => format!("{access} at {address} is to no object"),
        (Miss::NotOneVariable, _) => {
            format!("{access} at {address} do not lie within one variable")
        }
        (Miss::Before(near), _) => {
            let distance = near.start.0.saturating_sub(address.0);
            let (name, object) = (lookup.whole(&near), near.size);
            let where_to = format!("before the start of {name}, which has {}", bytes(object));
            match writes {
                None => format!("{access}, {distance} {where_to}"),
                Some(_) => format!("{access} is {} {where_to}", bytes(distance)),
            }
        }
        (Miss::Past(near), _) => {
            let offset = address.0.saturating_sub(near.start.0);
            let (name, object) = (lookup.whole(&near), near.size);
            let past = (offset + size).saturating_sub(object);
            match writes {
                None => format!(
                    "{access} at offset {offset} of {name}, which has {}: {past} past its end",
                    bytes(object)
                ),
                Some(_) if offset < object => {
                    format!("{access} reaches {} past the end of {name}", bytes(past))
                }
                Some(_) => {
                    format!("{access} is past the end of {name}, which has {}", bytes(object))
                }
            }
        }
        (Miss::Over(End::Return), _) => {
            "what was a local variable here is gone: its scope has ended".to_owned()
        }
        (Miss::Over(End::Free), _) => "this memory was freed before".to_owned(),
    }
}

fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        _ => format!("{count} bytes"),
    }
}

pub(super) fn outlived(end: End) -> &'static str {
    match end {
        End::Return => "accesses a local variable whose function may have returned",
        End::Free => "accesses memory that may have been freed",
    }
}

pub(super) fn free(free: BadFree, lookup: &Lookup<'_>) -> String {
    match free {
        BadFree::NotAllocated(address) => {
            let what = match lookup.is_known(address) {
                true => lookup.object(address),
                false => format!("the address {address}"),
            };
            format!("{what} is not the start of memory that the allocator returned")
        }
        BadFree::Twice(address) if lookup.is_known(address) => {
            format!("{} was freed before", lookup.object(address))
        }
        BadFree::Twice(_) => "this memory was freed before".to_owned(),
        BadFree::Mismatch { address, from, by } => {
            let what = lookup.object(address);
            let (from, by) = (allocator(from), deallocator(by));
            format!("{what}, which is memory from {from}, is given back by {by}")
        }
    }
}

fn allocator(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::New => "new",
        ObjectKind::NewArray => "new[]",
        ObjectKind::Heap => "malloc",
        ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Stack => "a declaration",
    }
}

fn deallocator(kind: ObjectKind) -> &'static str {
    match kind {
        ObjectKind::New => "delete",
        ObjectKind::NewArray => "delete[]",
        ObjectKind::Heap => "free",
        ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Stack => "the end of a scope",
    }
}

pub(super) fn unwritten(unwritten: &Unwritten, lookup: &Lookup<'_>) -> String {
    let name = match unwritten {
        Unwritten::Local(name) => name.clone(),
        Unwritten::Private(inside) => lookup.names.private(inside),
        Unwritten::Shared(address) => lookup.object(*address),
    };
    format!("{name} is read before anything was written to it")
}

pub(super) fn constant(write: ConstantWrite, lookup: &Lookup<'_>) -> String {
    match write {
        ConstantWrite::Store(address) => format!("{} is constant", lookup.object(address)),
        ConstantWrite::Copy => "a copy to constant memory".to_owned(),
        ConstantWrite::Fill => "constant memory is filled".to_owned(),
    }
}
