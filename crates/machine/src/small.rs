//! A short list of plain values that is copied in one piece.

use std::ops::{Deref, DerefMut};

/// A list that lives in place up to `N` items and in a vector beyond. Cloning a short one copies a
/// fixed number of bytes, which is several times cheaper than cloning item by item.
#[derive(Clone, Debug)]
pub(crate) struct Small<T, const N: usize> {
    length: u32,
    inline: [T; N],
    /// All items once there are more than `N`.
    spilled: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Small<T, N> {
    pub(crate) fn new() -> Small<T, N> {
        Small { length: 0, inline: [T::default(); N], spilled: Vec::new() }
    }

    pub(crate) fn from_slice(items: &[T]) -> Small<T, N> {
        let mut list = Small::new();
        if items.len() <= N {
            list.inline[..items.len()].copy_from_slice(items);
        } else {
            list.spilled.extend_from_slice(items);
        }
        list.length = items.len() as u32;
        list
    }

    pub(crate) fn push(&mut self, item: T) {
        let length = self.length as usize;
        if length < N {
            self.inline[length] = item;
        } else {
            if length == N {
                self.spilled.extend_from_slice(&self.inline);
            }
            self.spilled.push(item);
        }
        self.length += 1;
    }
}

impl<T, const N: usize> DerefMut for Small<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let length = self.length as usize;
        if length <= N { &mut self.inline[..length] } else { &mut self.spilled }
    }
}

impl<T, const N: usize> Deref for Small<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        let length = self.length as usize;
        if length <= N { &self.inline[..length] } else { &self.spilled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_survive_the_move_to_a_vector() {
        let mut list: Small<u64, 2> = Small::from_slice(&[1]);
        for item in 2..6 {
            list.push(item);
            assert_eq!(list[..], (1..=item).collect::<Vec<_>>()[..]);
            assert_eq!(list.clone()[..], list[..]);
        }
        assert_eq!(Small::<u64, 2>::from_slice(&[1, 2, 3])[..], [1, 2, 3]);
    }
}
