//! A graph of a few events, and all graphs of a skeleton.
//!
//! Only graphs are made in which read-modify-writes are atomic: explorers see to that under every model.
//!
//! Events are numbered as a model wants them: the initial writes first, then thread by thread.

use super::skeleton::{Kind, Label, Skeleton};
use crate::events::Sink;
use crate::program::{BaseRel, BaseSet};
use crate::tiny::Fill;
use norn_action::Mode;
use std::fmt::Write;
use std::ops::ControlFlow;

/// An event that is no initial write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub thread: usize,
    /// A read, a write or a fence.
    pub kind: Kind,
    pub mode: Mode,
    pub location: usize,
    /// Half of a read-modify-write: its other half is next to it.
    pub half: bool,
}

/// A graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    pub locations: usize,
    pub events: Vec<Event>,
    /// Of each read, the number of its source.
    pub rf: Vec<usize>,
    /// The writes of each location, without the initial one.
    pub co: Vec<Vec<usize>>,
    /// Whether `po ∪ rf` has a cycle.
    pub cyclic: bool,
}

impl Small {
    /// The events of a skeleton, without `rf` and with `co` as the writes stand.
    pub(super) fn of(skeleton: &Skeleton) -> Small {
        let locations = skeleton.locations();
        let mut small = Small { locations, co: vec![Vec::new(); locations], ..Small::default() };
        for (thread, labels) in skeleton.threads.iter().enumerate() {
            labels.iter().for_each(|&label| small.add(thread, label));
        }
        small.rf = vec![0; locations + small.events.len()];
        small
    }

    fn add(&mut self, thread: usize, Label { kind, mode, location }: Label) {
        let mut add = |kind: Kind, mode: Mode, half: bool| {
            if kind == Kind::Write {
                self.co[location].push(self.locations + self.events.len());
            }
            self.events.push(Event { thread, kind, mode, location, half });
        };
        if kind == Kind::Update {
            add(Kind::Read, mode.of_read(), true);
            add(Kind::Write, mode.of_write(), true);
        } else {
            add(kind, mode, false);
        }
    }

    /// How many events there are, initial writes included.
    pub(super) fn len(&self) -> usize {
        self.locations + self.events.len()
    }

    /// The event of a number that is not that of an initial write.
    pub(super) fn event(&self, number: usize) -> &Event {
        &self.events[number - self.locations]
    }

    pub(super) fn numbers(&self, kind: Kind) -> impl Iterator<Item = usize> + '_ {
        (self.locations..self.len()).filter(move |&number| self.event(number).kind == kind)
    }

    /// Makes `events` those of the graph, without the event `without`.
    fn fill(&self, events: &mut dyn Sink, without: Option<usize>) {
        let number = |n: usize| n - usize::from(without.is_some_and(|without| without < n));
        let there = |n: &usize| Some(*n) != without;
        events.start(self.len() - usize::from(without.is_some()));
        for location in 0..self.locations {
            events.put(BaseSet::Write, location);
            events.put(BaseSet::Initial, location);
            events.relate(BaseRel::Loc, location, location);
        }
        for n in (self.locations..self.len()).filter(there) {
            self.label(n, number(n), events);
            let event = *self.event(n);
            for m in (self.locations..self.len()).filter(there) {
                let other = self.event(m);
                if other.thread == event.thread {
                    events.relate(BaseRel::Int, number(n), number(m));
                    if n < m {
                        events.relate(BaseRel::Po, number(n), number(m));
                    }
                }
                let same = event.location == other.location;
                if same && event.kind != Kind::Fence && other.kind != Kind::Fence {
                    events.relate(BaseRel::Loc, number(n), number(m));
                }
            }
            if event.kind == Kind::Read {
                events.relate(BaseRel::Rf, number(self.rf[n]), number(n));
            }
            if event.kind == Kind::Write && event.half {
                events.relate(BaseRel::Rmw, number(n - 1), number(n));
            }
        }
        for (location, order) in self.co.iter().enumerate() {
            let order: Vec<usize> = order.iter().copied().filter(there).map(number).collect();
            for (index, &write) in order.iter().enumerate() {
                events.relate(BaseRel::Co, location, write);
                order[index + 1..]
                    .iter()
                    .for_each(|&later| events.relate(BaseRel::Co, write, later));
            }
        }
        events.complete();
    }

    fn label(&self, n: usize, number: usize, events: &mut dyn Sink) {
        let event = self.event(n);
        events.put(BaseSet::of_mode(event.mode), number);
        if event.mode.is_atomic() {
            events.put(BaseSet::Atomic, number);
        }
        match event.kind {
            Kind::Fence => events.put(BaseSet::Fence, number),
            kind => {
                let set = if kind == Kind::Read { BaseSet::Read } else { BaseSet::Write };
                events.put(set, number);
                events.relate(BaseRel::Loc, event.location, number);
                events.relate(BaseRel::Loc, number, event.location);
            }
        }
    }

    /// The newest write to a location before `write` was added, which may be the initial one.
    pub(super) fn newest(&self, location: usize, without: usize) -> usize {
        self.co[location].iter().copied().rfind(|&write| write != without).unwrap_or(location)
    }

    /// Whether nothing comes after the event in `porf`.
    pub(super) fn is_last(&self, number: usize) -> bool {
        let thread = self.event(number).thread;
        let next = self.events.get(number - self.locations + 1);
        next.is_none_or(|next| next.thread != thread)
            && self.numbers(Kind::Read).all(|read| self.rf[read] != number)
    }

    /// Whether each read-modify-write writes right after what it reads.
    fn is_atomic(&self) -> bool {
        self.co.iter().enumerate().all(|(location, order)| {
            let mut before = location;
            order.iter().all(|&write| {
                let source = std::mem::replace(&mut before, write);
                !self.event(write).half || self.rf[write - 1] == source
            })
        })
    }

    /// Whether `po ∪ rf` has a cycle.
    fn has_porf_cycle(&self) -> bool {
        let mut done = vec![false; self.len()];
        done[..self.locations].fill(true);
        loop {
            let ready = (self.locations..self.len()).find(|&n| {
                let first = n == self.locations || self.event(n - 1).thread != self.event(n).thread;
                let is_read = self.event(n).kind == Kind::Read;
                !done[n] && (first || done[n - 1]) && (!is_read || done[self.rf[n]])
            });
            match ready {
                Some(n) => done[n] = true,
                None => return done.contains(&false),
            }
        }
    }

    /// Calls `visit` for every choice of `rf` and `co`.
    pub(super) fn each(
        &mut self,
        visit: &mut dyn FnMut(&Small) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let reads: Vec<usize> = self.numbers(Kind::Read).collect();
        self.each_source(&reads, visit)
    }

    fn each_source(
        &mut self,
        reads: &[usize],
        visit: &mut dyn FnMut(&Small) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((&read, rest)) = reads.split_first() else {
            self.cyclic = self.has_porf_cycle();
            return self.each_order(0, 0, visit);
        };
        let location = self.event(read).location;
        let mut sources = self.co[location].clone();
        sources.sort_unstable();
        sources.insert(0, location);
        for source in sources {
            // No read-modify-write reads what it writes.
            if self.event(read).half && source == read + 1 {
                continue;
            }
            self.rf[read] = source;
            self.each_source(rest, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Permutes the writes of `location` from `from` on, and then those of the locations after it.
    fn each_order(
        &mut self,
        location: usize,
        from: usize,
        visit: &mut dyn FnMut(&Small) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if location == self.locations {
            return if self.is_atomic() { visit(self) } else { ControlFlow::Continue(()) };
        }
        if from + 1 >= self.co[location].len() {
            return self.each_order(location + 1, 0, visit);
        }
        for other in from..self.co[location].len() {
            self.co[location].swap(from, other);
            let flow = self.each_order(location, from + 1, visit);
            self.co[location].swap(from, other);
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// The graph in lines.
    pub(super) fn describe(&self) -> String {
        let mut text = String::new();
        for n in self.locations..self.len() {
            let event = self.event(n);
            let first = n == self.locations || self.event(n - 1).thread != event.thread;
            let thread = if first { format!("P{}:", event.thread) } else { String::new() };
            let what = match event.kind {
                Kind::Fence => format!("fence ({})", event.mode),
                Kind::Read => {
                    let source = match self.rf[n] {
                        init if init < self.locations => "the initial value".to_owned(),
                        source => self.letter(source).to_string(),
                    };
                    format!("read {} ({}) from {source}", name(event.location), event.mode)
                }
                _ => format!("write {} ({})", name(event.location), event.mode),
            };
            let half = if event.half { ", half of a read-modify-write" } else { "" };
            let _ = writeln!(text, "  {thread:4} {}: {what}{half}", self.letter(n));
        }
        for (location, order) in self.co.iter().enumerate().filter(|(_, order)| order.len() > 1) {
            let order: Vec<String> = order.iter().map(|&n| self.letter(n).to_string()).collect();
            let _ = writeln!(text, "  coherence of {}: {}", name(location), order.join(", "));
        }
        text
    }

    /// What an event is called.
    pub(super) fn letter(&self, number: usize) -> char {
        char::from(b'a' + (number - self.locations) as u8)
    }
}

/// A graph without an event.
pub(super) struct Without<'g>(pub &'g Small, pub Option<usize>);

impl Without<'_> {
    /// How many events there are.
    pub(super) fn len(&self) -> usize {
        self.0.len() - usize::from(self.1.is_some())
    }
}

impl Fill for Without<'_> {
    fn tell(&self, sink: &mut dyn Sink) {
        self.0.fill(sink, self.1);
    }
}

/// What a location is called.
pub(super) fn name(location: usize) -> &'static str {
    ["x", "y", "z"][location]
}
