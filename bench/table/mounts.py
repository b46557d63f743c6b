#!/usr/bin/env python3
"""Prints the tables of docs/BEST_MOUNTS.md: what proofs over mounts cost.

mounts.py PROGRAM EXAMPLES [OPTION...]: PROGRAM is the built counterpoise, EXAMPLES the project's
folder of that name. CPU times cover the whole program, run with one thread. A run whose numbers
differ from those of another round, or that proves less than it must, ends the script."""

import argparse
import json
import pathlib
import shutil
import tempfile

import markdown
from interleaved import in_turns, timed

CHARMIE_GAPS = [1e-3, 1e-6]
GROWTH_GAPS = [1e-2, 1e-3, 1e-4, 1e-6]
GROWTH_WIDTHS = [1.0, 0.1]  # of the ranges of mounts, about the same middle

# Two links in a vertical plane. All coordinates of the mounts of the shoulder's spring may vary.
ARM = {
    "format": "counterpoise-model/1",
    "parameters": {"rate": 1000, "free": 0.05, "tension": 0,
                   "post_z": 0.2, "mount_x": 0.08, "post_x": 0, "mount_z": 0, "post_y": 0,
                   "mount_y": 0},
    "world": {"points": {"post": ["post_x", "post_y", "post_z"]}},
    "bodies": [
        {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
         "mass": 3, "com": [0.2, 0, 0], "inertia": [0.002, 0.04, 0.04, 0, 0, 0],
         "points": {"mount": ["mount_x", "mount_y", "mount_z"]}},
        {"name": "lower", "parent": "upper",
         "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0.4, 0, 0]},
         "mass": 2, "com": [0.2, 0, 0], "inertia": [0.001, 0.02, 0.02, 0, 0, 0]}],
    "springs": [{"name": "spring", "connect": ["world.post", "upper.mount"], "rate": "rate",
                 "free_length": "free", "initial_tension": "tension"}],
    "actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "lower"}]}
SWING = {
    "format": "counterpoise-motion/1", "duration": 4, "step": 0.04,
    "coordinates": {
        "shoulder": {"type": "point-to-point", "from": -0.5, "to": 0.8, "profile": "quintic"},
        "elbow": {"type": "sine", "mean": 0.6, "amplitude": 0.5, "period": 4}}}
SPRING = {"rate": [100, 3000], "free": [0.05, 0.12], "tension": [0, 40]}
PLACES = {"post_z": [0.14, 0.28], "mount_x": [0.03, 0.1], "post_x": [-0.05, 0.05],
          "mount_z": [-0.03, 0.03], "post_y": [0, 0.05], "mount_y": [0, 0.05]}


class Proof:
    """Runs of one study, which must all prove the same."""

    def __init__(self, program, folder, name, study):
        self.command = [program, "run", folder / f"{name}.json", "--output",
                        folder / f"{name}.db", "--force", "--threads", "1", "--json"]
        self.found = None
        study = {"format": "counterpoise-study/1", "name": name, **study}
        (folder / f"{name}.json").write_text(json.dumps(study), encoding="utf-8")

    def __call__(self):
        wall, cpu, said = timed(self.command)
        found = json.loads(said)["proof"]["mounts"]
        if self.found not in (None, found):
            raise SystemExit(f"{self.command[2]}: another proof than before")
        if not found["bound"] <= found["best"]:
            raise SystemExit(f"{self.command[2]}: a bound above the best")
        self.found = found
        return wall, cpu

    @property
    def proved(self):
        return self.found["proved"]

    @property
    def gap(self):
        """That the bound leaves, as a part of the best objective."""
        return self.found["gap"] / self.found["best"]

    @property
    def simplices(self):
        return self.found["simplices"]


def search(gap, most):
    return {"method": "exact-springs", "geometry": "prove", "gap": gap, "max_simplices": most}


def variables(ranges):
    return {name: {"range": ends} for name, ends in ranges.items()}


def narrowed(ends, width):
    middle, half = sum(ends) / 2, (ends[1] - ends[0]) / 2
    return [middle - width * half, middle + width * half]


def short(number, digits=0):
    """1e-3 instead of 1e-03."""
    return f"{number:.{digits}e}".replace("e-0", "e-")


def seconds(series):
    return f"{series.median():.2g} s"


def charmie_questions(examples):
    """Studies of the objectives of mounts.json, each of one actuator with its variables alone."""
    whole = json.loads((examples / "charmie24/mounts.json").read_text(encoding="utf-8"))
    common = {key: whole[key] for key in ("model", "motions")}
    own = {"lift": ("lift_", "crank_", "anchor_"), "lean": ("lean_",)}
    for objective in whole["objectives"]:
        actuator, _, kind = objective["name"].partition("_")
        own_variables = {name: of for name, of in whole["variables"].items()
                         if name.startswith(own.get(actuator, ""))}
        mounts = [name for name in own_variables
                  if not name.endswith(("_rate", "_tension", "_free_length"))]
        label = f"{actuator}, {kind}" if kind else f"`{actuator}` of all four"
        yield label, len(mounts), {**common, "variables": own_variables, "objectives": [objective]}


def weighed_questions(examples):
    """The lift's objectives, and the worst ratio, with weights or a term that mounts change."""
    asked = {label: (mounts, study) for label, mounts, study in charmie_questions(examples)}
    mounts, study = asked["lift, peak"]
    for text in ("lift.max / anchor_height", "lift.max * (1 + 2*crank_spring_radius)",
                 "lift.mean / anchor_height"):
        yield f"`{text}`", mounts, {**study, "objectives": [{"name": "o", "expression": text}]}
    mounts, study = asked["`worst` of all four"]
    text = study["objectives"][0]["expression"] + " + 0.02*anchor_height"
    yield ("`worst + 0.02*anchor_height`", mounts,
           {**study, "objectives": [{"name": "o", "expression": text}]})


def charmie_table(program, folder, questions, rounds, gaps):
    rows, proofs = [], []
    for label, mounts, study in questions:
        for gap in gaps:
            name = f"charmie_{len(proofs)}"
            proofs.append(Proof(program, folder, name, {**study, "search": search(gap, 1000000)}))
        rows.append([label, str(mounts)])
    series = in_turns(proofs, rounds)
    for i, row in enumerate(rows):
        for j in range(i * len(gaps), (i + 1) * len(gaps)):
            if not proofs[j].proved:
                raise SystemExit(f"{row[0]}: not proved")
            row += [seconds(series[j]), f"{proofs[j].simplices:,}", short(proofs[j].gap, 1)]
    markdown.section(f"CHARMIE-24, ranges of mounts.json: CPU time, the median of {rounds} run(s)")
    markdown.table(["minimised", "mounts",
                    *(head for gap in gaps for head in (f"gap {short(gap)}", "simplices", "left"))],
                   rows)


def growth_table(program, folder, width, counts, gaps, most):
    """One row for each number of mounts, which ends with the first gap that is not reached."""
    (folder / "arm.json").write_text(json.dumps(ARM), encoding="utf-8")
    (folder / "swing.json").write_text(json.dumps(SWING), encoding="utf-8")
    places = {name: narrowed(ends, width) for name, ends in PLACES.items()}
    rows = []
    for count in counts:
        row = [str(count)]
        ranges = {**SPRING, **dict(list(places.items())[:count])}
        for gap in gaps:
            proof = Proof(program, folder, f"arm_{count}",
                          {"model": "arm.json", "motions": {"swing": "swing.json"},
                           "variables": variables(ranges), "search": search(gap, most),
                           "objectives": [{"name": "peak", "minimize": "max",
                                           "of": ["shoulder"]}]})
            series, = in_turns([proof], 1)
            row.append(f"{proof.simplices:,}; {seconds(series)}")
            if not proof.proved:
                left = f"gap {short(proof.gap, 1)}" if proof.found["bound"] > 0 else "nothing proved"
                row[-1] += f": {left}"
                break
        rows.append(row + [""] * (len(gaps) + 1 - len(row)))
    widths = "whole ranges" if width == 1 else f"ranges {width:g} as wide"
    markdown.section(f"An arm, {widths}: simplices (at most {most:,}) and CPU time of one run")
    markdown.table(["mounts", *(f"gap {short(gap)}" for gap in gaps)], rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each study of CHARMIE-24")
    parser.add_argument("--most", type=int, default=100000, help="simplices of the arm")
    parser.add_argument("--quick", action="store_true", help="few of all, to see that it works")
    options = parser.parse_args()
    quick = options.quick
    rounds = 1 if quick else options.rounds
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        markdown.machine(rounds)
        for file in (options.examples / "charmie24").glob("*.json"):
            shutil.copy(file, folder)
        for questions, runs in ((charmie_questions, rounds), (weighed_questions, 1)):
            asked = list(questions(options.examples))
            charmie_table(options.program, folder, asked[:3] if quick else asked, runs,
                          CHARMIE_GAPS[:1] if quick else CHARMIE_GAPS)
        for width in GROWTH_WIDTHS:
            growth_table(options.program, folder, width, range(1, 3 if quick else 7),
                         GROWTH_GAPS[:2] if quick else GROWTH_GAPS, 200 if quick else options.most)


if __name__ == "__main__":
    main()
