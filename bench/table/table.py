#!/usr/bin/env python3
"""Prints the tables of docs/project/PERFORMANCE.md: Counterpoise beside other libraries, in one run.

table.py FOLDER EXAMPLES [OPTION...]: FOLDER holds the programs that bench/ builds,
EXAMPLES is the project's folder of that name."""

import argparse
import pathlib
import sys

import agreement
import closed_chains
import contestants
import forward
import kernels
import markdown
import studies
from interleaved import in_turns, share_of_processor

ARMS = ["arm2", "arm4", "arm6"]
TREES = [*ARMS, "charmie21"]
CHAINS = ["arm10", "arm20", "arm50", "arm100", "arm200"]
SAMPLES = 1000
SECONDS = 0.03  # of one contestant on one tree in one round, at least


def say(text):
    print(text, file=sys.stderr, flush=True)


def beside_peers(field, agreed, rounds):
    """A table a tree: time of one inverse dynamics, and how many times ours it is."""
    for tree in TREES:
        say(f"timing {tree}")
        able = [c for c in field if (c, tree) in agreed]
        series = in_turns([lambda c=c: c.time(tree, SECONDS) for c in able], rounds)
        rows = [[c.label, f"{s.median():.1f}", f"± {100 * s.spread():.0f} %",
                 f"{s.times_slower_than(series[0]):.2f}", f"{agreed[c, tree]:.0e}"]
                for c, s in zip(able, series)]
        markdown.section(f"Inverse dynamics of {tree}, one core")
        markdown.table(["", "ns per sample", "spread", "times ours", "disagreement"], rows)
        markdown.pace(share_of_processor(series))


def new_designs(field, agreed, rounds):
    """What other numbers of the same tree cost before the first inverse dynamics."""
    able = [c for c in field if (c, "charmie21") in agreed]
    series = in_turns([lambda c=c: c.new_design("charmie21", SECONDS) for c in able], rounds)
    rows = [[c.label, f"{s.median() / 1e3:.2f}", f"± {100 * s.spread():.0f} %",
             f"{s.times_slower_than(series[0]):.2f}"] for c, s in zip(able, series)]
    markdown.section("Another design of charmie21: other lengths and masses, one core")
    markdown.table(["", "µs", "spread", "times ours"], rows)


def bodies(chain):
    return int(chain.removeprefix("arm"))


def by_size(field, agreed, rounds):
    """Time per body of chains that grow."""
    tasks = [(c, tree) for c in field for tree in CHAINS if (c, tree) in agreed]
    say("timing chains of 10 to 200 bodies")
    series = dict(zip(tasks, in_turns([lambda c=c, t=t: c.time(t, SECONDS) for c, t in tasks],
                                      rounds)))
    rows = []
    for c in field:
        times = {t: series[c, t].median() / bodies(t) for t in CHAINS if (c, t) in series}
        growth = times[CHAINS[-1]] / times[CHAINS[0]] if CHAINS[-1] in times else None
        rows.append([c.label, *(f"{times[t]:.2f}" if t in times else "cannot" for t in CHAINS),
                     f"{growth:.2f}" if growth else ""])
    markdown.section("Growth with the number of bodies: ns per sample and body, one core")
    markdown.table(["bodies", *(str(bodies(t)) for t in CHAINS), "last / first"], rows)
    markdown.pace(share_of_processor(series.values()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", choices=["peers", "size", "forward", "kernels", "studies", "chains"])
    parser.add_argument("--most", type=int, default=1000000, help="cases of the longest study")
    options = parser.parse_args()
    rounds = max(options.rounds, 2)

    if options.only == "forward":
        markdown.machine(rounds)
        forward.tables(options.folder, rounds)
        return
    if options.only == "chains":
        markdown.machine(rounds)
        closed_chains.tables(options.folder, rounds)
        return

    field, missing = contestants.start(options.folder)
    say("comparing answers")
    trees = {"size": CHAINS, "kernels": ["charmie21"], "studies": ["charmie21"]}.get(options.only, [*TREES, *CHAINS])
    agreed = agreement.check(field, trees, SAMPLES)

    markdown.machine(rounds)
    for library in missing:
        print(f"\n{library} is not installed and left out.")
    if options.only in (None, "peers"):
        beside_peers(field, agreed, rounds)
        new_designs(field, agreed, rounds)
    if options.only in (None, "size"):
        by_size([c for c in field if (c, CHAINS[0]) in agreed], agreed, rounds)
    if options.only is None:
        say("timing accelerations")
        forward.tables(options.folder, rounds)
    if options.only in (None, "kernels"):
        say("timing kernels")
        kernels.table(options.folder / "bench_kernels", rounds)
    if options.only in (None, "studies"):
        say("timing studies")
        able = [c for c in field if (c, "charmie21") in agreed]
        studies.tables(able, options.folder, options.examples, rounds, options.most)
    if options.only is None:
        say("timing closed chains")
        closed_chains.tables(options.folder, rounds)


if __name__ == "__main__":
    main()
