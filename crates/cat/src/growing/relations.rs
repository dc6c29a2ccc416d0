//! The relations of a model on an execution to which events are added at the end, and taken back.
//!
//! An event is added with its row and column of each base relation. What follows for the other nodes is worked out
//! from rows and columns of their parts; whether it relates events that were there before, as the closure of a
//! relation may, is noted as a *gain*. So a check need only look for what the new event breaks.

use super::plan::{Plan, Side, Step};
use super::row::Row;
use crate::eval::Test;
use crate::program::{BaseRel, BaseSet, Node, NodeId, Program};

/// What an event is to the events before it.
#[derive(Clone, Debug)]
pub(super) struct Added<const W: usize> {
    pub sets: [bool; BaseSet::ALL.len()],
    /// The operation of a library that it is an access of, or zero.
    pub operation: u8,
    /// The row and the column of each base relation.
    pub rows: [Row<W>; BaseRel::ALL.len()],
    pub columns: [Row<W>; BaseRel::ALL.len()],
}

impl<const W: usize> Added<W> {
    pub(super) fn new() -> Added<W> {
        Added {
            sets: [false; BaseSet::ALL.len()],
            operation: 0,
            rows: [Row::EMPTY; BaseRel::ALL.len()],
            columns: [Row::EMPTY; BaseRel::ALL.len()],
        }
    }
}

/// A relation, as far as it is kept: by rows, and by rows of its inverse. Those of an event have what it was related to
/// when it was added. What later events are to it is put in when somebody looks, who often never comes: hardly
/// anything is related to events before it.
#[derive(Clone, Debug, Default)]
struct Kept<const W: usize> {
    rows: Vec<Row<W>>,
    columns: Vec<Row<W>>,
    /// How many events were put into the rows, and the columns, of others.
    in_rows: usize,
    in_columns: usize,
}

impl<const W: usize> Kept<W> {
    #[inline]
    fn settle(&mut self, forward: bool) {
        let Kept { rows, columns, in_rows, in_columns } = self;
        let (rows, columns, done) =
            if forward { (rows, columns, in_rows) } else { (columns, rows, in_columns) };
        while *done < columns.len() {
            let event = *done;
            columns[event].without(event).members().for_each(|i| rows[i].add(event));
            *done += 1;
        }
    }

    fn pop(&mut self) {
        let (row, column) = (self.rows.pop(), self.columns.pop());
        let (row, column) = (row.expect("a row"), column.expect("a column"));
        let gone = self.rows.len();
        if self.in_rows > gone {
            self.in_rows = gone;
            column.without(gone).members().for_each(|i| self.rows[i].remove(gone));
        }
        if self.in_columns > gone {
            self.in_columns = gone;
            row.without(gone).members().for_each(|j| self.columns[j].remove(gone));
        }
    }
}

/// What the newest event is to a relation.
#[derive(Clone, Copy, Debug)]
struct Ends<const W: usize> {
    row: Row<W>,
    column: Row<W>,
    /// Where the gains are that came with it.
    gains: (u32, u32),
}

/// What is to be taken back with the event that brought it.
#[derive(Clone, Copy, Debug)]
enum Gained<const W: usize> {
    Members(NodeId, Row<W>),
    Row(NodeId, u32, Row<W>),
    Column(NodeId, u32, Row<W>),
}

/// See the head of this file.
#[derive(Clone, Debug)]
pub(super) struct Relations<const W: usize> {
    /// How many events there are.
    n: usize,
    kept: Vec<Kept<W>>,
    sets: Vec<Row<W>>,
    /// What the event that was added last is to each relation, and which members each set won with it.
    ends: Vec<Ends<W>>,
    joined: Vec<Row<W>>,
    /// Whether any has won one.
    any_joined: bool,
    /// What earlier events are related to by it.
    gains: Vec<(u32, Row<W>)>,
    log: Vec<Gained<W>>,
    /// For each event how long the log was before it.
    marks: Vec<u32>,
    work: Vec<(u32, Row<W>)>,
}

impl<const W: usize> Relations<W> {
    pub(super) fn new(program: &Program) -> Relations<W> {
        let count = program.nodes.len();
        Relations {
            n: 0,
            kept: vec![Kept::default(); count],
            sets: vec![Row::EMPTY; count],
            ends: vec![Ends { row: Row::EMPTY, column: Row::EMPTY, gains: (0, 0) }; count],
            joined: vec![Row::EMPTY; count],
            any_joined: false,
            gains: Vec::new(),
            log: Vec::new(),
            marks: Vec::new(),
            work: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// Adds an event; whether all checks pass. If `gives_up`, the event is not there afterwards if one fails.
    pub(super) fn push(
        &mut self,
        program: &Program,
        plan: &Plan,
        added: &Added<W>,
        gives_up: bool,
    ) -> bool {
        self.marks.push(self.log.len() as u32);
        self.n += 1;
        self.gains.clear();
        self.any_joined = false;
        let (mut passes, mut next) = (true, 0);
        for &(until, test) in &plan.checks {
            for step in &plan.steps[next..until] {
                self.step(step, added);
            }
            next = until;
            if passes && !self.passes(program, test) {
                if gives_up {
                    self.take_back(plan, next);
                    return false;
                }
                passes = false;
            }
        }
        for step in &plan.steps[next..] {
            self.step(step, added);
        }
        passes
    }

    /// Takes the event back that was added last.
    pub(super) fn pop(&mut self, plan: &Plan) {
        self.take_back(plan, plan.steps.len());
    }

    /// Likewise where only so many steps were taken.
    fn take_back(&mut self, plan: &Plan, steps: usize) {
        self.n -= 1;
        let new = self.n;
        for step in &plan.steps[..steps] {
            let (index, keeps) = (step.id.index(), step.keeps);
            if step.is_set {
                self.sets[index].remove(new);
            } else if keeps.any() {
                self.kept[index].pop();
            }
        }
        let mark = self.marks.pop().expect("an event") as usize;
        for gained in self.log.drain(mark..).rev() {
            match gained {
                Gained::Members(id, new) => {
                    self.sets[id.index()] = self.sets[id.index()] & !new;
                }
                Gained::Row(id, i, new) => {
                    let row = &mut self.kept[id.index()].rows[i as usize];
                    *row = *row & !new;
                }
                Gained::Column(id, j, new) => {
                    let column = &mut self.kept[id.index()].columns[j as usize];
                    *column = *column & !new;
                }
            }
        }
    }

    // ---- looking up ----------------------------------------------------------------------------

    /// Makes a side of a relation ready to be looked at.
    #[inline]
    pub(super) fn settle(&mut self, side: Side) {
        self.kept[side.node.index()].settle(side.forward);
    }

    /// The row, or the column, of an event in a relation of which that is kept, and ready if the event is not the
    /// newest.
    #[inline]
    pub(super) fn look(&self, program: &Program, id: NodeId, forward: bool, i: usize) -> Row<W> {
        self.look_at(Side::of(program, id, forward), i)
    }

    #[inline]
    fn look_at(&self, side: Side, i: usize) -> Row<W> {
        let row = self.side(side)[i];
        if side.reflexive { row | Row::one(i) } else { row }
    }

    pub(super) fn set(&self, id: NodeId) -> Row<W> {
        self.sets[id.index()]
    }

    /// All rows of a side of a relation that is kept and ready.
    #[inline]
    fn side(&self, side: Side) -> &[Row<W>] {
        let Kept { rows, columns, .. } = &self.kept[side.node.index()];
        if side.forward { rows } else { columns }
    }

    /// Everything that is related to one of `from`, or that one of them is related to.
    #[inline]
    fn image(&mut self, side: Side, from: Row<W>) -> Row<W> {
        if from.is_empty() {
            return from;
        }
        self.settle(side);
        let rows = self.side(side);
        let mut image = if side.reflexive { from } else { Row::EMPTY };
        let mut left = from;
        if side.transitive {
            // What a later event leads to, or comes from, leads no further.
            while let Some(i) = left.last() {
                left.remove(i);
                left = left & !rows[i];
                image |= rows[i];
            }
        } else {
            left.members().for_each(|i| image |= rows[i]);
        }
        image
    }

    /// Everything that `from` leads to, by any number of steps; itself included.
    pub(super) fn reach(&mut self, program: &Program, id: NodeId, from: Row<W>) -> Row<W> {
        let (mut all, mut new) = (from, from);
        if new.is_empty() {
            return all;
        }
        let side = Side::of(program, id, true);
        self.settle(side);
        let rows = self.side(side);
        while let Some(i) = new.members().next() {
            new.remove(i);
            let more = rows[i] & !all;
            all |= more;
            new |= more;
        }
        all
    }

    // ---- checks --------------------------------------------------------------------------------

    /// Whether a check that the events before the newest pass is passed with it.
    fn passes(&mut self, program: &Program, test: Test) -> bool {
        let new = self.n - 1;
        match test {
            Test::Acyclic(node) => {
                let Ends { row, column, .. } = self.ends[node.index()];
                if !column.is_empty() && self.reach(program, node, row).meets(column) {
                    return false;
                }
                self.range_of(node).all(|index| {
                    let (i, more) = self.gains[index];
                    !self.reach(program, node, more).has(i as usize)
                })
            }
            Test::Irreflexive(node) => {
                let has = |&(i, more): &(u32, Row<W>)| more.has(i as usize);
                !self.ends[node.index()].row.has(new) && !self.gains_of(node).iter().any(has)
            }
            Test::NoRoundTrip(a, b) => {
                let (one, other) = (self.ends[a.index()], self.ends[b.index()]);
                !one.row.meets(other.column)
                    && !other.row.meets(one.column)
                    && !self.gain_returns(program, a, b)
                    && !self.gain_returns(program, b, a)
            }
            Test::Empty(node) => {
                let Ends { row, column, .. } = self.ends[node.index()];
                row.is_empty()
                    && column.is_empty()
                    && self.gains_of(node).iter().all(|(_, more)| more.is_empty())
            }
        }
    }

    /// Whether `other` leads back from what `node` has won.
    fn gain_returns(&mut self, program: &Program, node: NodeId, other: NodeId) -> bool {
        if self.gains_of(node).is_empty() {
            return false;
        }
        let side = Side::of(program, other, false);
        self.settle(side);
        let mut gains = self.gains_of(node).iter();
        gains.any(|&(i, more)| more.meets(self.look_at(side, i as usize)))
    }

    fn gains_of(&self, id: NodeId) -> &[(u32, Row<W>)] {
        let (start, end) = self.ends[id.index()].gains;
        &self.gains[start as usize..end as usize]
    }

    // ---- steps ---------------------------------------------------------------------------------

    fn step(&mut self, step: &Step, added: &Added<W>) {
        let Step { id, node, keeps, .. } = *step;
        if step.is_set {
            self.set_step(id, node, added);
            return;
        }
        let start = self.gains.len() as u32;
        let (row, column) = match node {
            Node::BaseRel(rel) => (added.rows[rel as usize], added.columns[rel as usize]),
            Node::Plus(a) => self.closure(step, a),
            _ => self.ends(step),
        };
        if step.gains {
            self.gain(step);
        }
        let gains = (start, self.gains.len() as u32);
        self.ends[id.index()] = Ends { row, column, gains };
        if keeps.any() {
            let Kept { rows, columns, .. } = &mut self.kept[id.index()];
            rows.push(row);
            columns.push(column);
        }
    }

    fn set_step(&mut self, id: NodeId, node: Node, added: &Added<W>) {
        let new = self.n - 1;
        let set = |id: NodeId| self.sets[id.index()];
        let joined = |id: NodeId| self.joined[id.index()];
        let old = set(id);
        let (is_in, more) = match node {
            Node::BaseSet(set) => (added.sets[set as usize], Row::EMPTY),
            Node::Operation(operation) => (added.operation == operation, Row::EMPTY),
            Node::SetUnion(a, b) => (set(a).has(new) || set(b).has(new), joined(a) | joined(b)),
            Node::SetAnd(a, b) => {
                (set(a).has(new) && set(b).has(new), (joined(a) & set(b)) | (set(a) & joined(b)))
            }
            Node::SetMinus(a, b) => (set(a).has(new) && !set(b).has(new), joined(a) & !set(b)),
            Node::Domain(rel) => {
                let gains = self.gains_of(rel).iter();
                let more = gains.fold(self.ends[rel.index()].column, |mut all, (i, _)| {
                    all.add(*i as usize);
                    all
                });
                (!self.ends[rel.index()].row.is_empty(), more)
            }
            Node::Range(rel) => {
                let gains = self.gains_of(rel).iter();
                let more = gains.fold(self.ends[rel.index()].row, |all, &(_, more)| all | more);
                (!self.ends[rel.index()].column.is_empty(), more)
            }
            _ => unreachable!("a set"),
        };
        let more = more.without(new) & !old;
        self.joined[id.index()] = more;
        let set = &mut self.sets[id.index()];
        if is_in {
            set.add(new);
        }
        if !more.is_empty() {
            *set |= more;
            self.any_joined = true;
            self.log.push(Gained::Members(id, more));
        }
    }

    /// The row and the column of the newest event.
    #[inline]
    fn ends(&mut self, step: &Step) -> (Row<W>, Row<W>) {
        let new = self.n - 1;
        if let Node::Sequence(a, b) = step.node {
            let (from, to) = (self.ends[a.index()].row, self.ends[b.index()].column);
            return (self.image(step.sides[1], from), self.image(step.sides[0], to));
        }
        let row = |id: NodeId| self.ends[id.index()].row;
        let column = |id: NodeId| self.ends[id.index()].column;
        let set = |id: NodeId| self.sets[id.index()];
        let when = |is: bool, row: Row<W>| if is { row } else { Row::EMPTY };
        let myself = || Row::one(new);
        match step.node {
            Node::Identity(a) => {
                let own = when(set(a).has(new), myself());
                (own, own)
            }
            Node::Product(a, b) => (when(set(a).has(new), set(b)), when(set(b).has(new), set(a))),
            Node::Union(a, b) => (row(a) | row(b), column(a) | column(b)),
            Node::And(a, b) => (row(a) & row(b), column(a) & column(b)),
            Node::Minus(a, b) => (row(a) & !row(b), column(a) & !column(b)),
            Node::From(s, a) => (when(set(s).has(new), row(a)), column(a) & set(s)),
            Node::To(a, s) => (row(a) & set(s), when(set(s).has(new), column(a))),
            Node::Inverse(a) => (column(a), row(a)),
            Node::Option(a) => (row(a) | myself(), column(a) | myself()),
            _ => (Row::EMPTY, Row::EMPTY),
        }
    }

    /// What events that were there before are related to by the newest, in a node that is no closure.
    #[inline]
    fn gain(&mut self, step: &Step) {
        let new = self.n - 1;
        if let Node::Sequence(a, b) = step.node {
            let through = self.ends[b.index()].row.without(new);
            if !through.is_empty() {
                for i in self.ends[a.index()].column.without(new).members() {
                    self.relate(step, i, through);
                }
            }
        }
        if self.any_joined || !self.gains.is_empty() {
            self.pass_on(step);
        }
    }

    /// Likewise because of what has been won by its parts.
    fn pass_on(&mut self, step: &Step) {
        let new = self.n - 1;
        let [one, other] = step.sides;
        if step.looks {
            self.settle(one);
            self.settle(other);
        }
        match step.node {
            Node::Identity(s) => {
                for i in self.joined[s.index()].members() {
                    self.relate(step, i, Row::one(i));
                }
            }
            Node::Product(a, b) => {
                let (of_a, of_b) = (self.sets[a.index()], self.sets[b.index()]);
                let (to_a, to_b) = (self.joined[a.index()], self.joined[b.index()]);
                for i in to_a.members() {
                    self.relate(step, i, of_b);
                }
                if !to_b.is_empty() {
                    for i in of_a.without(new).members() {
                        self.relate(step, i, to_b);
                    }
                }
            }
            Node::Union(a, b) => {
                self.each_gain(step, a, |_, _, more| more);
                self.each_gain(step, b, |_, _, more| more);
            }
            Node::And(a, b) => {
                self.each_gain(step, a, |all, i, more| more & all.look_at(other, i));
                self.each_gain(step, b, |all, i, more| more & all.look_at(one, i));
            }
            Node::Minus(a, _) => {
                self.each_gain(step, a, |all, i, more| more & !all.look_at(other, i));
            }
            Node::From(s, a) => {
                let set = self.sets[s.index()];
                self.each_gain(step, a, |_, i, more| if set.has(i) { more } else { Row::EMPTY });
                for i in self.joined[s.index()].members() {
                    let row = self.look_at(one, i);
                    self.relate(step, i, row);
                }
            }
            Node::To(a, s) => {
                let set = self.sets[s.index()];
                self.each_gain(step, a, |_, _, more| more & set);
                for j in self.joined[s.index()].members() {
                    for i in self.look_at(one, j).without(new).members() {
                        self.relate(step, i, Row::one(j));
                    }
                }
            }
            Node::Inverse(a) => {
                for index in self.range_of(a) {
                    let (i, more) = self.gains[index];
                    for j in more.members() {
                        self.relate(step, j, Row::one(i as usize));
                    }
                }
            }
            Node::Option(a) => self.each_gain(step, a, |_, _, more| more),
            Node::Sequence(a, b) => {
                self.each_gain(step, a, |all, _, more| all.image(other, more));
                for index in self.range_of(b) {
                    let (j, more) = self.gains[index];
                    for i in self.look_at(one, j as usize).without(new).members() {
                        self.relate(step, i, more);
                    }
                }
            }
            _ => {}
        }
    }

    fn range_of(&self, id: NodeId) -> std::ops::Range<usize> {
        let (start, end) = self.ends[id.index()].gains;
        start as usize..end as usize
    }

    /// Relates the events of each gain of `part` to what `to` makes of it.
    #[inline]
    fn each_gain(
        &mut self,
        step: &Step,
        part: NodeId,
        to: impl Fn(&mut Relations<W>, usize, Row<W>) -> Row<W>,
    ) {
        for index in self.range_of(part) {
            let (i, more) = self.gains[index];
            let more = to(self, i as usize, more);
            self.relate(step, i as usize, more);
        }
    }

    /// Relates an event to others, all of which were there before the newest.
    fn relate(&mut self, step: &Step, i: usize, to: Row<W>) {
        let Step { id, keeps, .. } = *step;
        let mut to = to.without(self.n - 1);
        let kept = &mut self.kept[id.index()];
        if keeps.forward {
            kept.settle(true);
        }
        if keeps.backward {
            kept.settle(false);
        }
        let Kept { rows, columns, .. } = kept;
        if keeps.forward {
            to = to & !rows[i];
            if to.is_empty() {
                return;
            }
            rows[i] |= to;
            self.log.push(Gained::Row(id, i as u32, to));
        }
        if keeps.backward {
            for j in to.members() {
                if !columns[j].has(i) {
                    columns[j].add(i);
                    self.log.push(Gained::Column(id, j as u32, Row::one(i)));
                }
            }
        }
        if !to.is_empty() {
            self.gains.push((i as u32, to));
        }
    }

    /// Brings the closure of `a` up to date.
    fn closure(&mut self, step: &Step, a: NodeId) -> (Row<W>, Row<W>) {
        let (new, id) = (self.n - 1, step.id);
        if !self.gains_of(a).is_empty() {
            let mut work = std::mem::take(&mut self.work);
            work.clear();
            work.extend_from_slice(self.gains_of(a));
            for side in step.sides {
                self.settle(side);
            }
            for &(i, more) in &work {
                let i = i as usize;
                for j in more.members() {
                    let Kept { rows, columns, .. } = &self.kept[id.index()];
                    if rows[i].has(j) {
                        continue;
                    }
                    let (mut heads, mut tails) = (columns[i], rows[j]);
                    heads.add(i);
                    tails.add(j);
                    for k in heads.members() {
                        self.relate(step, k, tails);
                    }
                }
            }
            self.work = work;
        }
        let Ends { row, column, .. } = self.ends[a.index()];
        let (row_before, column_before) = (row.without(new), column.without(new));
        let mut to = row_before | self.image(step.sides[0], row_before);
        let mut from = column_before | self.image(step.sides[1], column_before);
        if to.is_empty() && !row.has(new) {
            return (to, from);
        }
        let turns = row.has(new) || to.meets(from);
        if !to.is_empty() {
            for k in from.members() {
                self.relate(step, k, to);
            }
        }
        if turns {
            to.add(new);
            from.add(new);
        }
        (to, from)
    }
}
