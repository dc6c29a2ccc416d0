#!/usr/bin/env python3
"""What bench/programs/README.md says about exponential_bug under sc, counted without Norn.

    scripts/exponential_rvf.py [--size N] [--part combinations|classes|traces|random]

The three threads of bench/programs/exponential_bug.c are written down again below; nothing else is known of the
program, and nothing of Norn is used. "The paper" is "Stateless Model Checking under a Reads-Value-From Equivalence".

combinations  how many combinations of the values that each thread reads there are: a search through all states,
              where a state holds what each thread has read.
classes       how many classes of the reads-value-from equivalence there are (same events, same values, same causal
              order between reads). The same search; a state also holds, for each read, how many reads of each thread
              are causally before it. Three times, for three ways to see a lock:
                reads    taking it is a read of the release before (appendix A of the paper);
                orders   it is no event, but what is before a release is causally before what follows the next
                         acquisition;
                nothing  it is no event and orders nothing; it only keeps threads from being inside together.
traces        how many maximal traces Algorithm 2 of the paper visits. Each acquisition is a read with one release as
              its only good write (appendix A). The paper leaves open in which order the enabled reads of a node are
              gone through (line 7), so there is one run for each order of the threads, twice: "printed" is the
              algorithm to the letter, where line 11 puts reads without a causal map in front and so turns them
              around; "straight" leaves them in the order of the threads. In both, reads with a causal map come after.
              An end in vain is a node that has enabled reads but calls nothing.
random        the same in 80 seeded runs, each with a random order of the threads at each node.

Without --part, all of them; without --size, 5. Every run of Algorithm 2 must find exactly the combinations of the first
part, and no more traces than there are classes where taking a lock is a read; the script fails if one does not. Takes
less than a minute.
"""

import argparse
import itertools
import random
from functools import lru_cache

X, Y, LOCK = range(3)
VARIABLES = (X, Y, LOCK)
RUNS = 80

# -- The program ------------------------------------------------------------------------------------------------------
#
# A thread yields its events, (variable, value to be written) or (variable, None) for a read, and is sent what it reads.
# A release writes to the lock; an acquisition reads from it and takes it, and is sent None.

READ = None


def writer(size):
    for _ in range(2):
        yield LOCK, READ
        yield X, 1
        for _ in range(size):
            yield Y, 1
        yield LOCK, 0


def resetter(_size):
    for _ in range(2):
        yield LOCK, READ
        yield X, 0
        yield LOCK, 0
        if (yield X, READ) > 0:
            value = yield Y, READ
            yield Y, value + 1
            yield X, 2


def observer(_size):
    for _ in range(2):
        if (yield X, READ) > 1:
            if (yield Y, READ) == 3:
                break
            yield Y, 2


THREADS = (writer, resetter, observer)
NUMBERS = range(len(THREADS))


@lru_cache(maxsize=None)
def events_of(size, thread, answers):
    """The events of a thread whose reads were answered like this, and the read that comes next, if any."""
    code = THREADS[thread](size)
    events, answers = [], list(answers)
    try:
        event = next(code)
        while event[1] is not READ or answers:
            events.append(event)
            event = code.send(answers.pop(0) if event[1] is READ else None)
    except StopIteration:
        return tuple(events), None
    return tuple(events), event


def values_read(answers):
    """What the threads have read, without their acquisitions."""
    return tuple(tuple(value for value in thread if value is not None) for thread in answers)


def replaced(sequence, index, item):
    return sequence[:index] + (item,) + sequence[index + 1:]


# -- Combinations and classes: all states -----------------------------------------------------------------------------


def join(one, other):
    return tuple(map(max, one, other))


def outcomes(size, causal, lock_is_read=False, lock_orders=False):
    """What the maximal traces come to: for each thread the values it reads and, if `causal`, for each read how many
    reads of each thread are causally before it. All states, one layer for each number of steps."""
    nothing = (0,) * len(THREADS)
    thread = ((), 0, nothing, ())  # answers, number of events, reads causally before what comes next, record
    memory = ((0, nothing),) * len(VARIABLES)  # value (READ: a lock that is taken), reads causally before the write
    layer, found = {((thread,) * len(THREADS), memory)}, set()
    while layer:
        following = set()
        for state in layer:
            steps = [after for number in NUMBERS
                     if (after := step(size, state, number, causal, lock_is_read, lock_orders))]
            following.update(steps)
            if not steps:
                assert all(events_of(size, number, state[0][number][0])[1] is None for number in NUMBERS), "stuck"
                found.add(tuple(thread[3] for thread in state[0]))
        layer = following
    return found


def step(size, state, number, causal, lock_is_read, lock_orders):
    """The state after the next event of a thread, or None if there is none or it has to wait."""
    threads, memory = state
    answers, done, before, record = threads[number]
    events, request = events_of(size, number, answers)
    variable, written = events[done] if done < len(events) else (request or (None, None))
    if variable is None:
        return None
    value, source = memory[variable]
    if written is not READ:
        memory = replaced(memory, variable, (written, before))
    elif value is READ:
        return None
    elif variable == LOCK:
        answers += (None,)
        memory = replaced(memory, LOCK, (READ, source))
        if lock_orders:
            before = join(before, source)
        if lock_is_read:
            record += (before,)  # which release it reads from follows: acquisitions are all ordered
            before = replaced(before, number, before[number] + 1)
    else:
        answers += (value,)
        if causal:
            before = join(before, source)
            record += ((value, before),)
            before = replaced(before, number, before[number] + 1)
        else:
            record += (value,)
    return replaced(threads, number, (answers, done + 1, before, record)), memory


@lru_cache(maxsize=None)
def combinations(size):
    return outcomes(size, causal=False)


@lru_cache(maxsize=None)
def classes(size, lock):
    return len(outcomes(size, causal=True, lock_is_read=lock == "reads", lock_orders=lock != "nothing"))


# -- VerifySC ---------------------------------------------------------------------------------------------------------

INITIAL = (None, None)  # the write that is there at first; others are (thread, index among its events)


def has_witness(sequences, good):
    """Whether the events can be put in an order in which each read reads from one of its good writes: a search through
    all pairs of what each thread has done and the last write to each variable."""
    ends = tuple(map(len, sequences))
    start = ((0,) * len(sequences), (INITIAL,) * len(VARIABLES))
    seen, stack = {start}, [start]
    while stack:
        done, last = stack.pop()
        if done == ends:
            return True
        following = []
        for number, index in enumerate(done):
            if index == ends[number]:
                continue
            variable, written = sequences[number][index]
            after = replaced(done, number, index + 1)
            if written is not READ:
                following.append((after, replaced(last, variable, (number, index))))
            elif last[variable] not in good[number, index]:
                continue
            elif variable == LOCK:
                following.append((after, replaced(last, LOCK, None)))  # nobody else gets it before it is released
            else:
                following = [(after, last)]  # what can be read now changes nothing for others: do it first
                break
        for state in following:
            if state not in seen:
                seen.add(state)
                stack.append(state)
    return False


VERIFIED = {}


def verify(size, answers, read, sequences, good):
    """Lines 20 and 22 of Algorithm 2; what was found is kept from node to node and from run to run."""
    key = (size, answers, read, frozenset(good.items()))
    if key not in VERIFIED:
        wanted = replaced(tuple(sequences), read[0], sequences[read[0]] + ((read[2], READ),))
        VERIFIED[key] = has_witness(wanted, good)
    return VERIFIED[key]


# -- Algorithm 2 ------------------------------------------------------------------------------------------------------


def sources(read, sequences, causal):
    """The visible writes that the causal map does not forbid, by value (lines 17 and 18); each release of a lock is a
    value of its own. Each group with what the read is then answered."""
    thread, _, variable = read
    writes = [[(number, index) for index, event in enumerate(sequences[number])
               if event[0] == variable and event[1] is not READ] for number in NUMBERS]
    visible = writes[thread][-1:] or [INITIAL]
    visible += [write for number in NUMBERS if number != thread for write in writes[number]]
    groups = {}
    for write in visible:
        if read in causal and (write == INITIAL or write[1] < causal[read][write[0]]):
            continue
        value = 0 if write == INITIAL else sequences[write[0]][write[1]][1]
        groups.setdefault(write if variable == LOCK else value, set()).add(write)
    return [(None if variable == LOCK else value, frozenset(group)) for value, group in groups.items()]


def extended(size, answers):
    """Line 1: the events of each thread up to its next read, and the reads that are then enabled."""
    code = [events_of(size, number, answers[number]) for number in NUMBERS]
    return ([events for events, _ in code],
            [(number, len(events), request[0]) for number, (events, request) in enumerate(code) if request])


def with_read(answers, sequences, read, value):
    """The answers and the numbers of events in X of the call in line 26."""
    return (replaced(answers, read[0], answers[read[0]] + (value,)),
            tuple(len(events) + (number == read[0]) for number, events in enumerate(sequences)))


class Exploration:
    """One run of RVF-SMC. A read is (thread, index among its events, variable). Comments give the paper's lines. The
    trace of a node is left out: only its events are used, and these follow from what the reads were answered."""

    def __init__(self, size, arrange):
        self.size, self.arrange = size, arrange
        self.traces, self.in_vain, self.found = 0, 0, set()
        self.ancestors = {}
        self.visit(((),) * len(THREADS), (0,) * len(THREADS), {}, {})

    def visit(self, answers, known, good, causal):
        """`known`: how many events of each thread are in X. `causal`: how many events of each thread a read had before
        it when it was last gone through."""
        sequences, enabled = extended(self.size, answers)  # 1
        for number in NUMBERS:  # 2 to 5
            for variable, _ in sequences[number][known[number]:]:
                for read in self.ancestors:
                    if read[2] == variable and read[0] != number:
                        self.ancestors[read] = True
        if not enabled:
            self.traces += 1
            self.found.add(values_read(answers))
            return
        backtrack, called = True, False  # 12
        for read in self.arrange(enabled, causal):  # 6 to 11, 13, 14
            if not backtrack:
                break
            if read not in causal:  # 15, 16
                backtrack = False
            for value, writes in sources(read, sequences, causal):  # 17 to 19
                wanted = {**good, read[:2]: writes}  # 21
                if verify(self.size, answers, read, sequences, wanted):  # 20, 22, 23
                    called = True
                    self.ancestors[read] = backtrack  # 25
                    self.visit(*with_read(answers, sequences, read, value), wanted, dict(causal))  # 24, 26
                    backtrack = self.ancestors.pop(read)  # 27, 28
            causal[read] = tuple(map(len, sequences))  # 29, 30
        self.in_vain += not called


def explore(size, arrange):
    run = Exploration(size, arrange)
    assert run.found == combinations(size), "a combination of values was missed or made up"
    assert len(run.found) <= run.traces <= classes(size, "reads"), "more traces than classes"
    return run


def arranged(order, turned):
    """Goes through the threads in an order; see "printed" and "straight" above."""
    def arrange(enabled, causal):
        enabled = sorted(enabled, key=lambda read: order.index(read[0]))
        fresh = [read for read in enabled if read not in causal]
        return (fresh[::-1] if turned else fresh) + [read for read in enabled if read in causal]
    return arrange


def shuffled(seed):
    generator = random.Random(seed)

    def arrange(enabled, causal):
        order = list(NUMBERS)
        generator.shuffle(order)
        return arranged(order, turned=True)(enabled, causal)
    return arrange


# -- What is printed --------------------------------------------------------------------------------------------------


def show_combinations(size):
    print(f"exponential_bug({size}): {len(combinations(size))} combinations of values that are read", flush=True)


def show_classes(size):
    for lock in ("reads", "orders", "nothing"):
        print(f"exponential_bug({size}): {classes(size, lock)} classes, locks: {lock}", flush=True)


def show_traces(size):
    for order in itertools.permutations(NUMBERS):
        for turned in (False, True):
            run = explore(size, arranged(order, turned))
            names = ", ".join(THREADS[number].__name__ for number in order)
            print(f"exponential_bug({size}): {run.traces} traces, {run.in_vain} ends in vain, "
                  f"{'printed' if turned else 'straight'}: {names}", flush=True)


def show_random(size):
    runs = [explore(size, shuffled(seed)) for seed in range(RUNS)]
    traces = sorted(run.traces for run in runs)
    print(f"exponential_bug({size}): {traces[0]} to {traces[-1]} traces, median {traces[RUNS // 2]}, "
          f"{sum(run.in_vain for run in runs)} ends in vain, in {RUNS} runs with random orders", flush=True)


PARTS = {"combinations": show_combinations, "classes": show_classes, "traces": show_traces, "random": show_random}


def main():
    arguments = argparse.ArgumentParser(description="Figures of exponential_bug under sc; see the head of this file.")
    arguments.add_argument("--size", type=int, default=5)
    arguments.add_argument("--part", choices=PARTS)
    chosen = arguments.parse_args()
    for part, show in PARTS.items():
        if chosen.part in (None, part):
            show(chosen.size)


if __name__ == "__main__":
    main()
