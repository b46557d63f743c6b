"""Whole studies beside plain loops over inverse dynamics."""

import markdown
from contestants import Program
from interleaved import Series, in_turns, share_of_processor

THREADS = 2
SAMPLES = 601  # of a motion of the studies
LOOP_CASES = 200
PAPER_CASES = 47570
STUDIES = ["paper", "grid"]
REUSE_STUDIES = ["charmie24/paper", "charmie24/grid", "charmie24/robust", "charmie24/springs",
                 "two_link_arm/study"]
REUSE_CASES = 2000
COUNTS = [1000, 10000, 100000, 1000000]


class Evaluation:
    """Our evaluation of a study's cases, whose results must be the same bits every time."""

    def __init__(self, program, command, file, cases, threads):
        self.program = program
        self.question = (command, file, cases, threads)
        self.found = None
        self.cases = self.feasible = 0

    def __call__(self):
        wall, cpu, *found = self.program.ask(*self.question)[0].split()
        if self.found not in (None, found):
            raise SystemExit(f"{' '.join(map(str, self.question))}: other results than before")
        self.found = found
        self.cases, self.feasible = int(found[0]), int(found[1])
        return float(wall), float(cpu)


def beside_loops(field, program, examples, rounds):
    """Every case a loop over one inverse dynamics per sample, beside our evaluation with springs,
    linkages and metrics; ratios are per case."""
    loops = [lambda c=c: c.brute_force("charmie21", LOOP_CASES, SAMPLES, THREADS) for c in field]
    ours = [Evaluation(program, "study", examples / f"{name}.json", 0, THREADS)
            for name in STUDIES]
    series = in_turns([*ours, *loops], rounds, wall=True)
    rows = []
    for c, s in zip([*STUDIES, *field], series):
        study = c in STUDIES
        cases = ours[STUDIES.index(c)].cases if study else LOOP_CASES
        per_case = s.median() / cases
        ratios = [by(s).times_slower_than(by(other)) * evaluation.cases / cases
                  for by in (lambda x: x, Series.by_cpu)
                  for other, evaluation in zip(series, ours)]
        rows.append([f"Counterpoise, {c}.json" if study else f"{c.label}, loop",
                     f"{1e6 * per_case:.2f}", f"± {100 * s.spread():.0f} %",
                     f"{per_case * PAPER_CASES:.3g}", *(f"{r:,.1f}" for r in ratios)])
    markdown.section(f"Studies of CHARMIE, {THREADS} threads, {SAMPLES} samples a case")
    markdown.table(["", "µs per case", "spread", f"s for {PAPER_CASES:,} cases",
                    *(f"times {name}" for name in STUDIES),
                    *(f"times {name}, CPU" for name in STUDIES)], rows)
    print("\nFeasible: " + ", ".join(f"{e.feasible:,} of the {e.cases:,} cases of {name}.json"
                                    for name, e in zip(STUDIES, ours)) + ".")
    markdown.pace(share_of_processor(series, THREADS))


def threads(program, examples, rounds):
    """One thread against two. The check sums in the answers hold their results together."""
    rows = []
    for name in STUDIES:
        tasks = [Evaluation(program, "study", examples / f"{name}.json", 0, n) for n in (1, 2)]
        one, two = in_turns(tasks, rounds, wall=True)
        if tasks[0].found != tasks[1].found:
            raise SystemExit(f"{name}.json: two threads give other results than one")
        rows.append([f"{name}.json", f"{one.median():.3g}", f"{two.median():.3g}",
                     f"{one.times_slower_than(two):.2f}"])
    markdown.section("One thread and two: s for the whole study")
    markdown.table(["", "1 thread", "2 threads", "ratio"], rows)


def reuse(program, examples, rounds):
    """What remembering from case to case saves. Either way the check sums are the same."""
    rows = []
    for name in REUSE_STUDIES:
        tasks = [Evaluation(program, command, examples / f"{name}.json", REUSE_CASES, 1)
                 for command in ("study", "recompute")]
        with_reuse, without = in_turns(tasks, rounds)
        if tasks[0].found != tasks[1].found:
            raise SystemExit(f"{name}.json: remembering changes results")
        rows.append([f"{name}.json", f"{tasks[0].cases:,}",
                     *(f"{1e6 * s.median() / tasks[0].cases:.2f}" for s in (with_reuse, without)),
                     f"{without.times_slower_than(with_reuse):.1f}"])
    markdown.section("Remembering from case to case: µs per case of the first cases, one thread")
    markdown.table(["", "cases", "remember", "recompute", "ratio"], rows)


def counts(program, examples, rounds, most):
    """The Sobol study with more and more cases."""
    wanted = [count for count in COUNTS if count <= most]
    tasks = [Evaluation(program, "sobol", examples / "paper.json", n, THREADS) for n in wanted]
    series = in_turns(tasks, rounds, wall=True)
    rows = [[f"{n:,}", f"{1e6 * s.median() / n:.2f}"] for n, s in zip(wanted, series)]
    markdown.section(f"Cost of a case by their number: paper.json, {THREADS} threads")
    markdown.table(["cases", "µs per case"], rows)


def tables(field, folder, examples, rounds, most):
    program = Program(folder / "bench_study")
    charmie = examples / "charmie24"
    beside_loops(field, program, charmie, rounds)
    threads(program, charmie, rounds)
    reuse(program, examples, rounds)
    counts(program, charmie, min(rounds, 3), most)
