#!/usr/bin/env python3
"""Accelerations and falls of trees beside other libraries.

forward.py FOLDER: compares answers, prints the largest differences, and ends with exit code 1 where
one is too large. FOLDER holds the programs that bench/ builds. Nothing is timed."""

import math
import pathlib
import sys

import contestants
import markdown
from interleaved import in_turns, share_of_processor

TREES = 300  # random ones
STATES = 4  # of each
TOLERANCE = 1e-10  # of a tree's largest acceleration
# MuJoCo rounds non-diagonal inertias to their principal axes; trees with an odd number have
# diagonal ones
ROUNDED = 1e-5
# the mass matrix of a long chain is nearly singular; articulated bodies do not form it
NEARLY_SINGULAR = 1e-6

FALLING = ["random4", "random6", "random8"]  # of 32, 32 and 20 joints
SECONDS = 2
STEPS = [0.002, 0.001, 0.0005]
ORDER = 4  # of MuJoCo's Runge-Kutta steps
CLOSE = 1e-7  # at the shortest step, of the largest position or velocity

TIMED = ["arm7", "charmie21", "bush100", "bush400", "arm100", "arm400"]
SHORTEST = 0.03  # time of one contestant on one tree in one round, at least [s]


class Way:
    """One way of one library to find accelerations."""

    def __init__(self, program, peer, way):
        self.program = program
        self.peer = peer
        self.way = way
        self.label = f"{peer}, {way.replace('-', ' ')}"

    def ask(self, *words):
        """Numbers, or nothing where this way cannot."""
        answer = self.program.ask(*words)
        return None if answer == ["cannot"] else [float(line) for line in answer]

    def accelerations(self, tree):
        return self.ask("accelerations", self.way, tree, STATES)

    def fall(self, tree, step):
        return self.ask("fall", self.way, tree, SECONDS, step)

    def time(self, tree):
        return self.program.numbers("forward-time", self.way, tree, SHORTEST)


def start(folder):
    """All ways, ours by articulated bodies first."""
    ways = []
    for program in contestants.programs(folder):
        peer = program.ask("ways")[0]
        ways += [Way(program, peer, way) for way in program.ask("forward-ways")]
    return ways


def difference(expected, found):
    """The largest one, over the largest number expected."""
    if len(found) != len(expected) or not all(map(math.isfinite, found)):
        return math.inf
    return max(abs(a - b) for a, b in zip(expected, found)) / max(map(abs, expected))


def tolerance_of(way, tree):
    if way.way == "mass-matrix" and tree == "arm400":
        return NEARLY_SINGULAR
    odd = tree.startswith("random") and int(tree.removeprefix("random")) % 2
    return ROUNDED if odd and way.peer.startswith("MuJoCo") else TOLERANCE


def check_accelerations(ways):
    """Prints the largest difference of each way from the first; returns what differs too much."""
    trees = [f"random{seed}" for seed in range(1, TREES + 1)] + TIMED
    largest = {}
    wrong = []
    for tree in trees:
        expected = ways[0].accelerations(tree)
        for way in ways[1:]:
            found = way.accelerations(tree)
            if found is None:
                continue
            off = difference(expected, found)
            allowed = tolerance_of(way, tree)
            largest[way, allowed] = max(largest.get((way, allowed), (0.0, "")), (off, tree))
            if not off <= allowed:
                wrong.append(f"{way.label} on {tree}: accelerations differ by {off:.1e}")
    for (way, allowed), (off, tree) in largest.items():
        print(f"{way.label}: accelerations differ by {off:.1e} at most, on {tree}; "
              f"allowed is {allowed:.0e}")
    return wrong


def check_falls(ways):
    """Compares falls of the first way with libraries that step, whose error has to vanish with the
    step as their order says."""
    wrong = []
    for tree in FALLING:
        expected = ways[0].fall(tree, SECONDS)
        for way in {way.peer: way for way in ways if way.peer != ways[0].peer}.values():
            falls = [way.fall(tree, step) for step in STEPS]
            if None in falls:
                continue
            errors = [difference(expected, fall) for fall in falls]
            orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
            print(f"{way.peer}: a fall of {SECONDS} s of {tree} differs by "
                  + ", ".join(f"{e:.1e}" for e in errors) + " at steps of "
                  + ", ".join(f"{1e3 * step:g}" for step in STEPS) + " ms")
            if not errors[-1] <= CLOSE or not all(abs(o - ORDER) < 0.3 for o in orders):
                wrong.append(f"{way.peer}: the error of the fall of {tree} does not vanish with "
                             f"the step as order {ORDER} says")
    return wrong


def tables(folder, rounds):
    """Times of accelerations, one table; ends the program where answers differ."""
    ways = start(folder)
    able = {(way, tree) for way in ways for tree in TIMED if way.accelerations(tree) is not None}
    for way, tree in able:
        off = difference(ways[0].accelerations(tree), way.accelerations(tree))
        if not off <= tolerance_of(way, tree):
            raise SystemExit(f"{way.label} on {tree}: accelerations differ by {off:.1e}")
    every = []
    rows = {way: [way.label] for way in ways}
    for tree in TIMED:
        those = [way for way in ways if (way, tree) in able]
        series = in_turns([lambda w=way: w.time(tree) for way in those], rounds)
        every += series
        for way in ways:
            if way not in those:
                rows[way].append("cannot")
                continue
            own = series[those.index(way)]
            rows[way].append(f"{own.median() / 1e3:.2f} ({own.times_slower_than(series[0]):.2f})")
    markdown.section("Accelerations of trees, one core: µs per state (times ours)")
    markdown.table(["", *TIMED], rows.values())
    markdown.pace(share_of_processor(every))


def main():
    ways = start(pathlib.Path(sys.argv[1]))
    if len({way.peer for way in ways}) < 2:
        print("Accelerations and falls are compared with no library: MuJoCo is not installed.", file=sys.stderr)
        return
    wrong = check_accelerations(ways) + check_falls(ways)
    if wrong:
        raise SystemExit("\n".join(wrong))


if __name__ == "__main__":
    main()
