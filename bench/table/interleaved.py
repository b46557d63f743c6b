"""Times of several things, taken in turns, so that a machine that changes pace does so for all."""

import resource
import statistics
import subprocess
import time


class Series:
    """What one thing took, round by round: wall and CPU time in the same unit."""

    def __init__(self, wall):
        self.by_wall = wall
        self.wall = []
        self.cpu = []

    @property
    def times(self):
        return self.wall if self.by_wall else self.cpu

    def by_cpu(self):
        """The same by CPU time."""
        series = Series(wall=False)
        series.wall, series.cpu = self.wall, self.cpu
        return series

    def median(self):
        return statistics.median(self.times)

    def spread(self):
        """Half the distance between the quartiles, over the median."""
        low, _, high = statistics.quantiles(self.times, n=4)
        return (high - low) / 2.0 / self.median()

    def times_slower_than(self, other):
        """The median over rounds of the ratio within a round."""
        return statistics.median(a / b for a, b in zip(self.times, other.times))


def timed(command):
    """Runs a program to its end: its wall time, its CPU time and its standard output. Ends the script
    where it fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {ran.returncode}\n{ran.stderr}")
    cpu = sum(getattr(after, of) - getattr(before, of) for of in ("ru_utime", "ru_stime"))
    return wall, cpu, ran.stdout


def in_turns(tasks, rounds, wall=False):
    """Runs every task once per round; a task gives its wall and CPU time. A Series for each, which
    goes by CPU time, as befits one thread, or by wall time."""
    series = [Series(wall) for _ in tasks]
    for _ in range(rounds):
        for task, times in zip(tasks, series):
            wall_time, cpu_time = task()
            times.wall.append(wall_time)
            times.cpu.append(cpu_time)
    return series


def share_of_processor(all_series, threads=1):
    """CPU time over wall time and threads: below 1 where the machine had something else to do."""
    wall = sum(sum(series.wall) for series in all_series)
    cpu = sum(sum(series.cpu) for series in all_series)
    return cpu / wall / threads
