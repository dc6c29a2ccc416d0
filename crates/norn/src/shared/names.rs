//! Which ids threads have: a list of who started each, which grows at its end. Where lists differ, a thread is named
//! by its path: as its parent's how manieth child it was started, its parent as its own parent's, and so on.

use std::collections::BTreeSet;

/// How a thread came to be, from the main thread on.
pub(super) type Path = Vec<u32>;

/// The paths of the threads of a list.
pub(super) fn paths(threads: &[(u32, u32)]) -> Vec<Path> {
    let mut paths = vec![Path::new()];
    for &(parent, index) in threads {
        let mut path = paths.get(parent as usize).cloned().unwrap_or_default();
        path.push(index);
        paths.push(path);
    }
    paths.remove(0);
    paths
}

/// Of these, what is not in the list, in the order in which it can be appended.
pub(super) fn unknown(threads: &[(u32, u32)], met: &BTreeSet<Path>) -> Vec<Path> {
    let known: BTreeSet<Path> = paths(threads).into_iter().collect();
    let mut new: Vec<Path> = met.difference(&known).cloned().collect();
    new.sort_by_key(|path| (path.len(), path.clone()));
    new
}

/// Appends threads to a list. One whose parent is not there is left out.
pub(super) fn append(threads: &mut Vec<(u32, u32)>, new: &[Path]) {
    for path in new {
        let Some((&index, parent)) = path.split_last() else { continue };
        let all = paths(threads);
        let at = all.iter().position(|known| known == parent).map(|at| at as u32 + 1);
        let at = if parent.is_empty() { Some(0) } else { at };
        if let Some(parent) = at.filter(|_| !all.contains(path)) {
            threads.push((parent, index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_at_their_end_and_by_whole_families() {
        let mut threads = vec![(0, 0), (0, 1)];
        assert_eq!(paths(&threads), [vec![0], vec![1]]);
        // Somebody met a child of the second thread, and that one's child; somebody else one of the first.
        let there = [(0, 0), (0, 1), (2, 0), (3, 5)];
        let met: BTreeSet<Path> = paths(&there).into_iter().chain([vec![0, 2]]).collect();
        let new = unknown(&threads, &met);
        assert_eq!(new, [vec![0, 2], vec![1, 0], vec![1, 0, 5]]);
        append(&mut threads, &new);
        assert_eq!(threads, [(0, 0), (0, 1), (1, 2), (2, 0), (4, 5)]);
        append(&mut threads, &new);
        assert_eq!(threads.len(), 5, "nothing twice");
        assert!(unknown(&threads, &met).is_empty());
    }
}
