"""Programs with a library each, as contestants that answer lines."""

import pathlib
import subprocess


class Program:
    """A running program. It answers a line with lines, the last of them empty."""

    def __init__(self, path):
        self.name = path.name
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == "\n":
                return lines
            lines.append(line.rstrip("\n"))
        raise SystemExit(f"{self.name} ended while it was asked: {' '.join(map(str, words))}")

    def numbers(self, *words):
        return [float(word) for line in self.ask(*words) for word in line.split()]


class Contestant:
    """One way of calling one library."""

    def __init__(self, program, peer, way):
        self.program = program
        self.peer = peer
        self.way = way
        self.label = f"{peer}, {way}"

    def torques(self, tree, design):
        """A number per sample and joint, or nothing where this way cannot do this tree."""
        answer = self.program.ask("torques", self.way, tree, design)
        return None if answer == ["cannot"] else [float(line) for line in answer]

    def time(self, tree, seconds):
        """Wall and CPU time of one inverse dynamics [ns]."""
        return self.program.numbers("time", self.way, tree, seconds)

    def new_design(self, tree, seconds):
        """Wall and CPU time of setting other numbers of the same tree [ns]."""
        return self.program.numbers("design", self.way, tree, seconds)

    def brute_force(self, tree, cases, samples, threads):
        """Wall and CPU time of a study by a plain loop [s]."""
        return self.program.numbers("study", self.way, tree, cases, samples, threads)


OURS = "bench_counterpoise"
PEERS = {"bench_mujoco": "MuJoCo", "bench_kdl": "Orocos KDL"}


def programs(folder):
    """A program for each library that is installed, ours first."""
    paths = [pathlib.Path(folder) / name for name in [OURS, *PEERS]]
    return [Program(path) for path in paths if path == paths[0] or path.is_file()]


def start(folder):
    """All contestants, ours first, and the names of the libraries that are not installed."""
    found = programs(folder)
    contestants = []
    for program in found:
        library, *ways = program.ask("ways")
        contestants += [Contestant(program, library, way) for way in ways]
    names = {program.name for program in found}
    return contestants, [peer for name, peer in PEERS.items() if name not in names]
