"""Closed chains: formulations beside each other, and the arms of paper 000, Table 5."""

import json
import pathlib
import subprocess
import tempfile

import markdown

TITLE = "one core (Google Benchmark, CPU time)"
NODES = 6000  # of paper 004, Table 2: 0.768 s by momentum screws, 0.923 s by Newton-Euler


def timed(program, rounds):
    """What the program prints before its benchmarks, and median and deviation of each one."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        said = subprocess.run(
            [program, f"--benchmark_repetitions={rounds}", "--benchmark_min_time=0.02",
             "--benchmark_enable_random_interleaving=true", f"--benchmark_out={out}",
             "--benchmark_out_format=json"],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        found = {}
        for entry in json.loads(out.read_text())["benchmarks"]:
            if entry["run_type"] == "aggregate":
                found.setdefault(entry["run_name"], {})[entry["aggregate_name"]] = entry
    return said.split("\n---")[0], found


def microseconds(of, counter):
    return f"{1e6 * of['median'][counter]:.2f}"


def deviation(of, counter):
    return f"± {100 * of['cv'][counter]:.0f} %"


def arms(program, rounds):
    print("\n" + subprocess.run([program, str(rounds)], check=True, stdout=subprocess.PIPE,
                                text=True).stdout.strip(), flush=True)


def exoskeleton(program, rounds):
    said, found = timed(program, rounds)
    counted = {line.split()[0]: line.split()[1:] for line in said.splitlines()[1:] if line}
    markdown.section(f"Exoskeleton, as paper 003, Table 1: counted operations, and time, {TITLE}")
    markdown.table(["", "±", "*", "/", "√", "sin", "atan", ":=", "weighted", "µs", "deviation"],
                   [[name.replace("_", " "), *counted[name], microseconds(of, "pose"),
                     deviation(of, "pose")]
                    for name, of in ((n, found[n]) for n in counted)])


def schoenflies(program, rounds):
    said, found = timed(program, rounds)
    markdown.section(f"Schoenflies manipulator, {NODES} nodes, {TITLE}")
    markdown.table(["", "µs per node", f"ms for {NODES}", "deviation"],
                   [[name.split("/")[1].replace("_", " "), microseconds(of, "node"),
                     f"{1e3 * NODES * of['median']['node']:.2f}", deviation(of, "node")]
                    for name, of in found.items()])
    print(f"\n{said.strip()}")


def rod_trees(program, rounds):
    said, found = timed(program, rounds)
    counted = [line.split() for line in said.splitlines()[1:] if line]
    markdown.section("Trees of rods, as paper 002, Table 1: counted operations")
    markdown.table(["", "branches", "rods each", "*", "+", "* but constants", "+ but constants",
                    "Table 1: *", "Table 1: +"],
                   [[cells[0].replace("_", " "), *cells[1:], *["-"] * (9 - len(cells))]
                    for cells in counted])
    markdown.section(f"Trees of rods: accelerations of paper 002's ten rods, {TITLE}")
    markdown.table(["", "µs", "deviation"],
                   [[name.split("/")[1].replace("_", " "),
                     f"{1e-3 * of['median']['cpu_time']:.2f}", deviation(of, "cpu_time")]
                    for name, of in found.items()])


def tables(folder, rounds):
    arms(folder / "formulations" / "bench_arms", rounds)
    exoskeleton(folder / "formulations" / "bench_exoskeleton", rounds)
    schoenflies(folder / "formulations" / "bench_parallel", rounds)
    rod_trees(folder / "formulations" / "bench_rod_tree", rounds)
