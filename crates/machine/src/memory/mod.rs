//! The memory that a thread owns.
//!
//! Three lists: globals (the main thread's, until it starts another thread), the heap (with
//! thread-locals), and stack objects that the lowering could not keep in registers. Objects get
//! ascending addresses from their thread's region, which are never used twice; a record is dropped
//! when its object dies. So an address below the next free one that lies in no object is either in a
//! red zone or in a dead object.
//!
//! Invariants: the lists are sorted and disjoint; an object without content was published and every
//! access to it is an action; before the main thread's first spawn nothing is published.

mod content;
mod object;

pub use content::{Content, Page};
pub use object::{Object, ObjectList, Position};

use norn_action::{Address, BadAccess, End, Inside, Miss, ObjectKind, Place};
use norn_program::layout::{
    FUNCTIONS, GAP, GLOBALS, OBJECT_ALIGN, REGION_BITS, STACK_HALF, align_up, gap, region_start,
};

/// Below this there is nothing; between it and the globals are cells of the runtime itself.
const INTERNAL: u64 = GLOBALS / 2;

/// Which list an object is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Globals, private to the main thread.
    Globals,
    /// Heap objects and thread-locals.
    Heap,
    /// Stack objects.
    Stack,
    /// Constants of the program, which belong to no thread.
    Constants,
}

/// What an address means to a thread.
#[derive(Clone, Debug)]
pub enum Spot {
    /// In an object of its own (or a constant) that is not published.
    Private(List, Position),
    /// Not private: an access is an action.
    Visible,
    /// No access can be right. Boxed, so that the other answers, which are all that matter, stay small.
    Bad(Box<BadAccess>),
}

impl Spot {
    #[cold]
    fn bad(address: u64, size: u64, miss: Miss) -> Spot {
        Spot::Bad(Box::new(BadAccess { address: Address(address), size, writes: None, miss }))
    }
}

/// A point in time, to tell younger objects of a thread from older ones.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    /// Stack objects from here on are younger.
    pub stack: u64,
    /// Heap objects from here on are.
    pub heap: u64,
}

/// The memory of one thread.
#[derive(Debug)]
pub struct Memory {
    /// Globals.
    pub globals: ObjectList,
    /// Heap and thread-locals.
    pub heap: ObjectList,
    /// Stack objects.
    pub stack: ObjectList,
    /// Whether other threads may exist.
    pub shared: bool,
    region: u64,
    next_heap: u64,
    next_stack: u64,
    hints: [Position; 4],
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory {
            globals: self.globals.clone(),
            heap: self.heap.clone(),
            stack: self.stack.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, source: &Memory) {
        self.globals.clone_from(&source.globals);
        self.heap.clone_from(&source.heap);
        self.stack.clone_from(&source.stack);
        self.shared = source.shared;
        self.region = source.region;
        self.next_heap = source.next_heap;
        self.next_stack = source.next_stack;
        self.hints = source.hints;
    }
}

impl Memory {
    /// The empty memory of a thread.
    pub fn new(thread: u32, globals: ObjectList, shared: bool) -> Memory {
        let region = region_start(thread);
        Memory {
            globals,
            heap: ObjectList::default(),
            stack: ObjectList::default(),
            shared,
            region,
            next_heap: region + OBJECT_ALIGN,
            next_stack: region + STACK_HALF + OBJECT_ALIGN,
            hints: [Position::default(); 4],
        }
    }

    /// Whether an address lies in this thread's region.
    #[inline]
    pub fn owns(&self, address: u64) -> bool {
        address >> REGION_BITS == self.region >> REGION_BITS
    }

    /// A new heap object or thread-local; its address, or nothing if the region is used up.
    pub fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        content: Content,
        place: Place,
    ) -> Option<u64> {
        let on_stack = kind == ObjectKind::Stack;
        let next = if on_stack { &mut self.next_stack } else { &mut self.next_heap };
        let limit = self.region + if on_stack { 2 * STACK_HALF } else { STACK_HALF };
        let start = align_up(*next, align.max(OBJECT_ALIGN));
        let room = limit.checked_sub(start.checked_add(size)?)?;
        *next = start + size + gap(size, room);
        let list = if on_stack { &mut self.stack } else { &mut self.heap };
        list.push(Object { start, size, kind, place, content: Some(content) });
        Some(start)
    }

    /// Whether a heap address lies below the next free one.
    pub fn was_allocated(&self, address: u64) -> bool {
        self.owns(address) && address < self.next_heap
    }

    /// A mark that all later stack objects lie above.
    #[inline]
    pub fn stack_mark(&self) -> u64 {
        self.next_stack
    }

    /// Marks that all later stack objects, and all later heap objects, lie above.
    #[inline]
    pub fn marks(&self) -> Marks {
        Marks { stack: self.next_stack, heap: self.next_heap }
    }

    /// The list, with the program's constants at hand.
    #[inline]
    pub fn list<'a>(&'a self, list: List, constants: &'a ObjectList) -> &'a ObjectList {
        match list {
            List::Globals => &self.globals,
            List::Heap => &self.heap,
            List::Stack => &self.stack,
            List::Constants => constants,
        }
    }

    /// A list of this thread's own.
    #[inline]
    pub fn list_mut(&mut self, list: List) -> &mut ObjectList {
        match list {
            List::Globals => &mut self.globals,
            List::Heap => &mut self.heap,
            List::Stack | List::Constants => &mut self.stack,
        }
    }

    /// The own object with the greatest start not above `address`.
    #[inline]
    pub fn find_own(&mut self, address: u64) -> Option<(List, Position)> {
        let list = if address & STACK_HALF != 0 { List::Stack } else { List::Heap };
        let objects = if list == List::Stack { &self.stack } else { &self.heap };
        let position = objects.find(address, &mut self.hints[list as usize])?;
        Some((list, position))
    }

    /// The object at `address` that was not published.
    fn private(&self, address: u64) -> Option<&Object> {
        let list = match address {
            _ if self.owns(address) && address & STACK_HALF != 0 => &self.stack,
            _ if self.owns(address) => &self.heap,
            _ => &self.globals,
        };
        let object = list.get(list.find(address, &mut Position::default())?);
        let is_there = object.content.is_some() && address - object.start < object.size.max(1);
        is_there.then_some(object)
    }

    /// Whether there is an object at `address` that was not published.
    pub fn keeps_private(&self, address: u64) -> bool {
        self.private(address).is_some()
    }

    /// What is at `address`, if that was not published.
    pub fn inside(&self, address: u64) -> Option<Inside> {
        self.private(address).map(|object| object.inside(address - object.start))
    }

    /// How the object ended that was at `address`, if this is in the region of the thread and in no object.
    pub fn ended(&self, address: u64) -> Option<End> {
        let (list, next, end) = match address & STACK_HALF != 0 {
            true => (&self.stack, self.next_stack, End::Return),
            false => (&self.heap, self.next_heap, End::Free),
        };
        let within = |position| address - list.get(position).start < list.get(position).size;
        let is_live = list.find(address, &mut Position::default()).is_some_and(within);
        (self.owns(address) && address < next && !is_live).then_some(end)
    }

    /// What `size` bytes at `address` are to this thread.
    #[inline]
    pub fn locate(&mut self, address: u64, size: u64, constants: &ObjectList) -> Spot {
        if self.owns(address) {
            return match self.find_own(address) {
                Some((list, position)) => {
                    let object = self.list(list, constants).get(position);
                    if address - object.start < object.size
                        && size <= object.size - (address - object.start)
                    {
                        return match object.content {
                            Some(_) => Spot::Private(list, position),
                            None => Spot::Visible,
                        };
                    }
                    self.miss(address, size, Some(object))
                }
                None => self.miss(address, size, None),
            };
        }
        if address >> REGION_BITS == 0 {
            return self.locate_global(address, size, constants);
        }
        if self.shared && address >> REGION_BITS < 1 << 12 {
            return Spot::Visible;
        }
        Spot::bad(address, size, Miss::NoObject)
    }

    fn locate_global(&mut self, address: u64, size: u64, constants: &ObjectList) -> Spot {
        if address < INTERNAL {
            return Spot::bad(address, size, Miss::Null);
        }
        if address >= FUNCTIONS {
            return Spot::bad(address, size, Miss::Function);
        }
        let constant = constants.find(address, &mut self.hints[List::Constants as usize]);
        let global = self.globals.find(address, &mut self.hints[List::Globals as usize]);
        let inside = |object: &Object| {
            address - object.start < object.size && size <= object.size - (address - object.start)
        };
        if let Some(position) = constant
            && inside(constants.get(position))
        {
            return Spot::Private(List::Constants, position);
        }
        if self.shared {
            return Spot::Visible;
        }
        match global {
            Some(position) if inside(self.globals.get(position)) => {
                Spot::Private(List::Globals, position)
            }
            _ => Spot::bad(address, size, self.beside_global(address, size)),
        }
    }

    /// What an access to globals finds that lies within none of them: the end of one, if it starts there.
    fn beside_global(&mut self, address: u64, size: u64) -> Miss {
        let hint = &mut self.hints[List::Globals as usize];
        let before = self.globals.find(address, hint).map(|position| self.globals.get(position));
        match before {
            Some(object) if address - object.start < object.size + GAP / 2 && size > 0 => {
                Miss::Past(object.near())
            }
            _ => Miss::NotOneVariable,
        }
    }

    /// Why an address of the own region is in no live object; `before` is the one before it.
    fn miss(&self, address: u64, size: u64, before: Option<&Object>) -> Spot {
        let list = if address & STACK_HALF != 0 { &self.stack } else { &self.heap };
        let past = before.map(|object| address.saturating_sub(object.start + object.size));
        if let Some(object) = list.first_above(address)
            && object.start - address < GAP / 2
            && past.is_none_or(|past| past >= object.start - address)
        {
            return Spot::bad(address, size, Miss::Before(object.near()));
        }
        if let Some(object) = before
            && address < object.start + object.size + gap(object.size, u64::MAX)
        {
            return Spot::bad(address, size, Miss::Past(object.near()));
        }
        Spot::bad(address, size, self.ended(address).map_or(Miss::NoObject, Miss::Over))
    }
}
