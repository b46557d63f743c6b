#!/usr/bin/env python3
"""Prints what poses cost beside samples of a motion, the table of docs/WORKSPACE.md.

poses.py PROGRAM [OPTION...]: PROGRAM is the built counterpoise. CPU times cover the whole program,
run with one thread; the two studies of a row take turns. A study whose results differ from those of
another round ends the script."""

import argparse
import json
import pathlib
import tempfile

import markdown
from interleaved import in_turns, timed

FORMAT = {"format": "counterpoise-model/1"}
JOINTS = ["waist", "shoulder", "elbow", "roll", "pitch", "tool"]
AXES = [[0, 0, 1], [0, -1, 0], [0, -1, 0], [1, 0, 0], [0, -1, 0], [1, 0, 0]]


def arm():
    """Six joints in series, a payload at the last, a spring that helps the shoulder."""
    bodies = [{"name": name, "parent": ["world", *JOINTS][i], "mass": 2.0,
               "com": [0.1, 0, 0.02], "inertia": [0.002, 0.02, 0.02, 0, 0, 0],
               "joint": {"type": "revolute", "axis": AXES[i], "origin": [0.2 if i else 0, 0, 0]}}
              for i, name in enumerate(JOINTS)]
    bodies[0]["points"] = {"post": [0.0, 0, 0.3]}
    bodies[1]["points"] = {"mount": [0.1, 0, 0]}
    bodies[5]["mass"] = "1 + payload"
    return {**FORMAT, "name": "arm6", "bodies": bodies,
            "parameters": {"payload": 2, "rate": 800, "free": 0.1, "tension": 0},
            "springs": [{"name": "spring", "connect": ["waist.post", "shoulder.mount"],
                         "rate": "rate", "free_length": "free", "initial_tension": "tension"}],
            "actuators": [{"name": name, "joint": name} for name in JOINTS]}


def four_bar():
    """A crank that drives a rocker; long couplers reach fewer positions of the crank."""
    axis = [0, -1, 0]

    def link(name, parent, length, origin, guess):
        return {"name": name, "parent": parent, "mass": 1.0, "com": [f"{length}/2", 0, 0],
                "inertia": [0, 0.01, 0.01, 0, 0, 0],
                "joint": {"type": "revolute", "axis": axis, "origin": origin, "guess": guess},
                "points": {"end": [length, 0, 0]}}
    return {**FORMAT, "name": "four_bar", "parameters": {"coupler": 0.5},
            "bodies": [link("crank", "world", "0.2", [0, 0, 0], 0),
                       link("bar", "crank", "coupler", [0.2, 0, 0], 0.9),
                       link("rocker", "world", "0.4", [0.5, 0, 0], 1.5)],
            "loops": [{"name": "close", "connect": ["bar.end", "rocker.end"]}],
            "actuators": [{"name": "drive", "joint": "crank"}]}


def poses(counts, ends=(-0.6, 0.7), **more):
    return {"format": "counterpoise-motion/1", **more,
            "poses": {name: {"range": list(ends), "count": count}
                      for name, count in counts.items()}}


def sway(samples, **more):
    """As many samples of a motion in time, of the same joints."""
    return {"format": "counterpoise-motion/1", "duration": (samples - 1) * 1e-4, "step": 1e-4,
            "coordinates": {name: {"type": "sine", "mean": 0.05, "amplitude": 0.6,
                                   "period": 3.0 + i} for i, name in enumerate(JOINTS)}, **more}


class Run:
    """Runs of one study, which must all end alike."""

    def __init__(self, program, folder, name, model, motion, **study):
        self.results = folder / f"{name}.db"
        self.command = [program, "run", folder / f"{name}.json", "--output", self.results,
                        "--force", "--threads", "1", "--json"]
        self.found = None
        whole = {"format": "counterpoise-study/1", "name": name, "model": f"{name}_model.json",
                 "motions": {"all": f"{name}_motion.json"}, **study}
        for kind, part in (("_model", model), ("_motion", motion), ("", whole)):
            (folder / f"{name}{kind}.json").write_text(json.dumps(part), encoding="utf-8")

    def __call__(self):
        wall, cpu, said = timed(self.command)
        found = json.loads(said)
        found = (found["ranking"], found.get("proof"))
        if self.found not in (None, found):
            raise SystemExit(f"{self.command[2]}: other results than before")
        self.found = found
        return wall, cpu


def peak(*actuators):
    return [{"name": "peak", "minimize": "max", "of": list(actuators)}]


def questions(program, folder, quick):
    """Rows of the table: words, and the two studies that are compared."""
    few = 3 if quick else 10
    grid = {"variables": {"rate": {"range": [200, 900], "count": 2 if quick else 8}},
            "sampling": {"method": "grid"}, "objectives": peak("shoulder", "elbow")}
    every = dict.fromkeys(JOINTS, few)
    yield (f"{few ** 6:,} poses of an arm with six joints, {grid['variables']['rate']['count']} "
           "designs: beside as many samples of a motion",
           Run(program, folder, "poses", arm(), poses(every), **grid),
           Run(program, folder, "motion", arm(), sway(few ** 6), **grid))

    side = 10 if quick else 100
    exact = {"variables": {"rate": {"range": [100, 3000]}, "free": {"range": [0.05, 0.12]},
                           "tension": {"range": [0, 40]}},
             "search": {"method": "exact-springs"}, "objectives": peak("shoulder")}
    loads = {"parameters": {"payload": {"values": [0, 1, 2]}}}
    rest = {"coordinates": {name: {"type": "hold", "value": 0.1} for name in JOINTS[2:]}}
    two = {"waist": side // 5, "shoulder": 5 * side}
    motion = sway(side ** 2, **loads)
    motion["coordinates"].update(rest["coordinates"])
    every_pose = poses(two, **loads)
    every_pose["poses"].update({name: {"values": [0.1]} for name in JOINTS[2:]})
    yield (f"best springs with proof over {side ** 2:,} poses and 3 payloads: beside as many "
           "samples of a motion",
           Run(program, folder, "exact_poses", arm(), every_pose, **exact),
           Run(program, folder, "exact_motion", arm(), motion, **exact))

    count = 300 if quick else 30_000
    reached = {"sampling": {"method": "grid"}, "objectives": peak("drive"),
               "variables": {"coupler": {"range": [0.45, 0.55], "count": 4 if quick else 64}}}
    turns = [poses({"crank": count}, (-0.5, 0.5), unreachable=way) for way in ("skip", "fail")]
    yield (f'`"unreachable": "skip"`, {count:,} poses of a four-bar, '
           f"{reached['variables']['coupler']['count']} couplers: beside `\"fail\"`",
           *(Run(program, folder, motion["unreachable"], four_bar(), motion, **reached)
             for motion in turns))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="few of all, to see that it works")
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    markdown.machine(rounds)
    markdown.section("Poses: CPU time, the median")
    rows = []
    with tempfile.TemporaryDirectory() as made:
        for words, ours, beside in questions(options.program, pathlib.Path(made), options.quick):
            series = in_turns([ours, beside], rounds)
            rows.append([words, *(f"{s.median():.2g} s" for s in series),
                         f"{series[0].times_slower_than(series[1]):.2f}"])
    markdown.table(["", "poses", "beside", "ratio"], rows)


if __name__ == "__main__":
    main()
