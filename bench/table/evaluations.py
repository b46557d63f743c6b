"""Times evaluations from Python beside the C++ evaluator: single calls with an array and with a dict, and
batches. evaluations.py STUDY... --points N --rounds R, with PYTHONPATH=build/release/python and
--program build/release/bench/bench_points.

All evaluate the same random points in the same order, in turns; the least CPU time of the rounds counts. Their
objectives have to be the same to the last bit. Prints a table: nanoseconds a point, and beyond C++."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

import counterpoise as cp


def check_sum(objectives):
    known = objectives[numpy.isfinite(objectives).all(axis=1)]
    return int(numpy.ascontiguousarray(known).view(numpy.uint64).sum(dtype=numpy.uint64))


def timed(work):
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def ways(f, points, arguments, study_path):
    """Each way to evaluate all points: its name, and a function that returns seconds and a check sum."""
    rows = list(points)
    dicts = [f.values(row) for row in rows[:arguments.points]]

    def cpp():
        with tempfile.NamedTemporaryFile() as file:
            points.tofile(file.name)
            said = subprocess.run([arguments.program, study_path, file.name], text=True, check=True,
                                  capture_output=True).stdout.split()
        return float(said[0]), int(said[1])

    def single(given):
        def work():
            for point in given:
                f(point)

        seconds, _ = timed(work)
        return seconds, None

    def batch():
        seconds, found = timed(lambda: f.batch(points))
        return seconds, check_sum(found.objectives)

    return {"C++": cpp, "array": lambda: single(rows), "dict": lambda: single(dicts), "batch": batch}


def measure(path, arguments):
    study = cp.Study.load(path)
    f = study.evaluator()
    rng = numpy.random.default_rng(1)
    lows, highs = numpy.array(f.bounds).T
    points = lows + rng.random((arguments.points, len(lows))) * (highs - lows)
    points[:, f.integrality] = points[:, f.integrality].round()
    best, sums = {}, set()
    for _ in range(arguments.rounds):
        for name, way in ways(f, points, arguments, path).items():
            seconds, total = way()
            best[name] = min(best.get(name, seconds), seconds)
            if total is not None:
                sums.add(total)
    if len(sums) != 1:
        sys.exit(f"{path}: the objectives differ")
    each = {name: seconds / arguments.points * 1e9 for name, seconds in best.items()}
    cells = [f"{each['C++']:.0f}"] + [f"{each[name]:.0f} | {each[name] - each['C++']:+.0f}"
                                      for name in ("array", "dict", "batch")]
    name = pathlib.Path(path)
    print(f"| {name.parent.name}/{name.name} | {len(lows)} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="+")
    parser.add_argument("--program", required=True)
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print("| study | variables | C++ [ns] | array [ns] | beyond | dict [ns] | beyond | batch [ns] | beyond |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in arguments.studies:
        measure(path, arguments)


if __name__ == "__main__":
    main()
