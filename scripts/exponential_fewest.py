#!/usr/bin/env python3
"""With how few maximal traces of exponential_bug Algorithm 2 can do if the order at each node is the best one.

    scripts/exponential_fewest.py [--size N]

exponential_rvf.py runs Algorithm 2 of "Stateless Model Checking under a Reads-Value-From Equivalence" with some of the
orders in which the enabled reads of a node can be gone through. This script considers all of them, at each node on
its own: first those with reads without a causal map in front, as lines 6 to 11 have it, then any order of all enabled
reads.

To be sure that both count the same, it first leaves only one order and compares with the runs of exponential_rvf.py.
"""

import argparse
import itertools
import sys

sys.dont_write_bytecode = True
from exponential_rvf import NUMBERS, THREADS, Exploration, arranged, extended, sources, verify, with_read


class Fewest:
    """The best choices of an order at each node. What a call comes to is a set of pairs: how many traces it visits, and
    which variables its new events write, by thread, which is all that backtrack signals depend on. More writes never
    lead to fewer traces further up, so of two pairs one is left out if it has no fewer traces and no fewer writes."""

    def __init__(self, size, candidates):
        """`candidates`: which of the enabled reads that are left may come next, given the causal map."""
        self.size, self.candidates = size, candidates
        self.results = {}
        self.traces = min(self.visit(((),) * len(THREADS), (0,) * len(THREADS), {}, {}))[0]

    def visit(self, answers, known, good, causal):
        sequences, enabled = extended(self.size, answers)
        writes = frozenset((number, event[0]) for number in NUMBERS for event in sequences[number][known[number]:])
        if not enabled:
            return [(1, writes)]
        causal = {read: causal[read] for read in enabled if read in causal}
        key = (answers, frozenset(good.items()), frozenset(causal.items()))
        if key not in self.results:
            self.results[key] = self.choose(answers, sequences, good, causal, enabled)
        return [(traces, writes | more) for traces, more in self.results[key]]

    def choose(self, answers, sequences, good, causal, left):
        """The rest of the loop in line 13 when these reads are left."""
        if not left:
            return [(0, frozenset())]
        results = []
        for read in self.candidates(left, causal):
            these = [(0, frozenset())]
            for value, writes in sources(read, sequences, causal):
                wanted = {**good, read[:2]: writes}
                if verify(self.size, answers, read, sequences, wanted):
                    called = self.visit(*with_read(answers, sequences, read, value), wanted, causal)
                    these = best(sums(these, called))
            rest = self.choose(answers, sequences, good, {**causal, read: tuple(map(len, sequences))},
                               [other for other in left if other != read])
            for result in these:
                signal = any(number != read[0] and variable == read[2] for number, variable in result[1])
                results += sums([result], rest) if signal or read in causal else [result]
        return best(results)


def sums(some, others):
    return [(one[0] + other[0], one[1] | other[1]) for one in some for other in others]


def best(results):
    kept = []
    for traces, writes in sorted(results, key=lambda result: (result[0], len(result[1]))):
        if not any(others <= writes for _, others in kept):
            kept.append((traces, writes))
    return kept


def agrees(size, order, turned):
    """Whether the one order that is left leads to as many traces as a run with this order."""
    arrange = arranged(order, turned)
    return Fewest(size, lambda left, causal: arrange(left, causal)[:1]).traces == Exploration(size, arrange).traces


def main():
    arguments = argparse.ArgumentParser(description="Fewest traces of exponential_bug; see the head of this file.")
    arguments.add_argument("--size", type=int, default=5)
    size = arguments.parse_args().size
    for order, turned in itertools.product(itertools.permutations(NUMBERS), (False, True)):
        assert agrees(size, order, turned), f"another number with the order {order}, {turned}"
    first = Fewest(size, lambda left, causal: [read for read in left if read not in causal] or left).traces
    print(f"exponential_bug({size}): {first} traces at least, reads without a causal map first", flush=True)
    any_order = Fewest(size, lambda left, _: left).traces
    print(f"exponential_bug({size}): {any_order} traces at least, any order", flush=True)


if __name__ == "__main__":
    main()
