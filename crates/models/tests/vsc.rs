//! Random small questions of VSC, answered by trying all lines.

use norn_models::vsc::{Good, Heuristics, Instance, NO_LOCATION, Op, Step, Verifier};

/// Questions in an ordinary run.
const QUESTIONS: u64 = 60_000;

/// Random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        ((u128::from(mixed) * u128::from(count)) >> 64) as u64
    }
}

struct Question {
    instance: Instance,
    after: Vec<Vec<Op>>,
    good: Vec<Good>,
    edges: Vec<(Op, Op)>,
}

fn random_step(random: &mut Random, threads: u64, locations: u64) -> Step {
    let (thread, location) = (random.below(threads) as u32, random.below(locations) as u32);
    let (reads, writes) = match random.below(9) {
        0..4 => (true, false),
        4..7 => (false, true),
        7 => (true, true),
        _ => return Step { thread, location: NO_LOCATION, reads: false, writes: false },
    };
    Step { thread, location, reads, writes }
}

fn question(seed: u64) -> Question {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (threads, locations) = (2 + random.below(3), 1 + random.below(3));
    let count = 3 + random.below(8) as Op;
    let mut instance = Instance::default();
    let (mut after, mut good) = (Vec::new(), Vec::new());
    for op in 0..count {
        let step = random_step(&mut random, threads, locations);
        let mut earlier = Vec::new();
        if op > 0 && random.below(8) == 0 {
            earlier.push(random.below(u64::from(op)) as Op);
        }
        let mut seen = Good { initial: random.below(3) == 0, writes: Vec::new() };
        if step.reads {
            let writes = instance.writes_to(step.location).iter().copied();
            seen.writes = writes.filter(|_| random.below(3) > 0).collect();
        }
        instance.push(step, &earlier, &seen);
        after.push(earlier);
        good.push(seen);
    }
    let mut edges = Vec::new();
    if random.below(4) == 0 {
        let mut any = || random.below(u64::from(count)) as Op;
        edges.push((any(), any()));
    }
    Question { instance, after, good, edges }
}

impl Question {
    /// Whether a line has each step once, in order, and every read sees a good write.
    fn is_witness(&self, line: &[Op]) -> bool {
        line.len() == self.instance.len()
            && (0..line.len()).all(|index| self.may_follow(&line[..index], line[index]))
    }

    fn may_follow(&self, line: &[Op], op: Op) -> bool {
        let step = self.instance.step(op);
        let there = |other: &Op| line.contains(other);
        let own = |&other: &Op| other < op && self.instance.step(other).thread == step.thread;
        let mut required = (0..op).filter(own).chain(self.after[op as usize].iter().copied());
        let mut edges = self.edges.iter().filter(|edge| edge.1 == op);
        let writes = |&&other: &&Op| {
            let other = self.instance.step(other);
            other.writes && other.location == step.location
        };
        let good = &self.good[op as usize];
        let sees = match line.iter().rev().find(writes) {
            _ if !step.reads => true,
            Some(last) => good.writes.contains(last),
            None => good.initial,
        };
        !there(&op)
            && required.all(|other| there(&other))
            && edges.all(|(first, _)| there(first))
            && sees
    }

    /// Extends the line to the first `count` steps, in some way.
    fn extends(&self, count: Op, line: &mut Vec<Op>) -> bool {
        line.len() == count as usize
            || (0..count).any(|op| {
                self.may_follow(line, op) && {
                    line.push(op);
                    let found = self.extends(count, line);
                    if !found {
                        line.pop();
                    }
                    found
                }
            })
    }

    /// A line to be guided by: of all steps but the last, if that has a witness, and otherwise of all.
    fn guide(&self) -> Vec<Op> {
        let mut line = Vec::new();
        let last = self.instance.len() as Op - 1;
        if self.edges.is_empty() && self.extends(last, &mut line) {
            return line;
        }
        (0..=last).collect()
    }
}

#[test]
fn answers_are_those_of_trying_all_lines() {
    let mut answers = [0, 0];
    let mut verifier = Verifier::default();
    for seed in 0..QUESTIONS {
        let question = question(seed);
        let expected = question.extends(question.instance.len() as Op, &mut Vec::new());
        answers[usize::from(expected)] += 1;
        for (closure, guidance) in [(true, true), (true, false), (false, true), (false, false)] {
            verifier.heuristics = Heuristics { closure, guidance };
            let found = verifier.witness(&question.instance, &question.edges, &question.guide());
            assert_eq!(found.is_some(), expected, "seed {seed}, {closure} {guidance}");
            if let Some(line) = found {
                assert!(question.is_witness(line), "seed {seed}: {line:?}");
                assert!(question.instance.is_trace(line, line.len() as Op), "seed {seed}");
            }
        }
    }
    assert!(answers.iter().all(|&count| count > QUESTIONS / 10), "{answers:?}");
}

/// Lines that somebody made up: shuffled, with a step twice, too short.
#[test]
fn traces_are_told_from_other_lines() {
    let mut answers = [0, 0];
    for seed in 0..QUESTIONS {
        let question = Question { edges: Vec::new(), ..question(seed) };
        let count = question.instance.len() as Op;
        let mut line = Vec::new();
        if !question.extends(count, &mut line) {
            continue;
        }
        let mut random = Random(seed | 1);
        for _ in 0..4 {
            let (a, b) = (random.below(u64::from(count)), random.below(u64::from(count)));
            match random.below(6) {
                0 => line[a as usize] = b as Op,
                _ => line.swap(a as usize, b as usize),
            }
            let expected = question.is_witness(&line);
            answers[usize::from(expected)] += 1;
            assert_eq!(question.instance.is_trace(&line, count), expected, "seed {seed}: {line:?}");
            assert!(!question.instance.is_trace(&line[1..], count), "seed {seed}: {line:?}");
        }
    }
    assert!(answers.iter().all(|&count| count > QUESTIONS / 10), "{answers:?}");
}

/// Two threads that take a lock in turn, many times: a search that looked at each order would never end.
#[test]
fn many_sections_of_one_lock_are_soon_in_line() {
    let mut instance = Instance::default();
    let mut free = Good { initial: true, writes: Vec::new() };
    let take = |thread| Step { thread, location: 0, reads: true, writes: true };
    let give = |thread| Step { thread, location: 0, reads: false, writes: true };
    for round in 0..60 {
        let thread = round % 2;
        instance.push(take(thread), &[], &free);
        free.writes.push(instance.push(give(thread), &[], &Good::default()));
    }
    let taken = Good { initial: false, writes: vec![0] };
    // Both can take it only from the first who had it.
    instance.push(take(2), &[], &taken);
    instance.push(take(3), &[], &taken);
    let guide: Vec<Op> = (0..instance.len() as Op).collect();
    for (closure, guidance) in [(true, true), (false, false)] {
        let mut verifier = Verifier::default();
        verifier.heuristics = Heuristics { closure, guidance };
        assert!(verifier.witness(&instance, &[], &guide).is_none());
    }
}
