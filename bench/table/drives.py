#!/usr/bin/env python3
"""Prints what choosing drives adds to a study, the table of docs/DRIVES.md.

drives.py PROGRAM [OPTION...]: PROGRAM is the built counterpoise. CPU times cover the whole program,
run with one thread; the study without drives and with them take turns. A study whose loads differ
from those of the other ends the script."""

import argparse
import json
import math
import pathlib
import tempfile

import markdown
from interleaved import in_turns, timed

CHARMIE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "charmie24"


def motors(count):
    """Sizes from 5 mN m to 0.6 N m, two makers who trade inertia for speed."""
    rows = ["name,rated_torque [N*m],peak_torque [N*m],rated_speed [rpm],no_load_speed [rpm],"
            "torque_constant [N*m/A],resistance [ohm],rotor_inertia [kg*m^2],mass [kg],price"]
    for n in range(count):
        torque = 0.005 * 120 ** (n / count)
        maker = n % 2
        speed = (8500 - 4500 * n / count) * (1 + 0.1 * maker)
        rows.append(f"M{n},{torque},{torque * (3 - 0.2 * maker)},{0.85 * speed},{speed},0.04,"
                    f"{0.02 / torque},{4e-4 * torque ** 1.5 * (1 + 0.3 * maker)},"
                    f"{0.04 + 4 * torque},{40 + 700 * torque ** 0.8 + 3 * maker}")
    return "\n".join(rows) + "\n"


def gearboxes(count):
    rows = ["name,ratio,efficiency,back_efficiency,rated_torque [N*m],peak_torque [N*m],"
            "input_speed [rpm],inertia [kg*m^2],mass [kg],price"]
    for n in range(count):
        size, stage = n // 10, n % 10
        ratio = 3 * 1.5 ** stage
        rated = 0.1 * 1.7 ** size
        efficiency = 0.9 ** (1 + math.log(ratio, 6))
        rows.append(f"G{n},{ratio},{efficiency},{max(0, 2 - 1 / efficiency)},{rated},{2 * rated},8000,"
                    f"{1e-8 * 2 ** size},{0.04 * 1.5 ** size},{30 + 6 * 1.5 ** size + 4 * stage}")
    return "\n".join(rows) + "\n"


class Run:
    """Runs of one study, which must all end alike."""

    def __init__(self, program, folder, name, study):
        self.results = folder / f"{name}.db"
        (folder / f"{name}.json").write_text(json.dumps(study), encoding="utf-8")
        self.command = [program, "run", folder / f"{name}.json", "--output", self.results, "--force",
                        "--threads", "1", "--json"]
        self.found = None

    def __call__(self):
        wall, cpu, said = timed(self.command)
        found = json.loads(said)["ranking"]
        if self.found not in (None, found):
            raise SystemExit(f"{self.command[2]}: other results than before")
        self.found = found
        return wall, cpu


def example(name):
    """A study of CHARMIE that may stand in any folder."""
    study = json.loads((CHARMIE / name).read_text(encoding="utf-8"))
    study["model"] = str(CHARMIE / study["model"])
    study["motions"] = {name: str(CHARMIE / file) for name, file in study["motions"].items()}
    for variable in study["variables"].values():
        if "catalogue" in variable:
            variable["catalogue"] = str(CHARMIE / variable["catalogue"])
    return study


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="few of all, to see that it works")
    options = parser.parse_args()
    rounds, designs = (1, 300) if options.quick else (options.rounds, 100_000)
    kinds, gears = (20, 10) if options.quick else (200, 100)
    study, exact = example("robust.json"), example("exact.json")
    study.pop("tolerances")
    study["sampling"]["count"] = designs
    study["keep"] = {"best": 10, "front": False, "sample": 0}
    markdown.machine(rounds)
    markdown.section("Drives: CPU time, the median")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "motors.csv").write_text(motors(kinds), encoding="utf-8")
        (folder / "gearboxes.csv").write_text(gearboxes(gears), encoding="utf-8")
        drive = {"motors": "motors.csv", "gearboxes": "gearboxes.csv",
                 "transmission": "200 turn/m", "margin": 1.3}
        mounted = {**drive, "mounted_on": {"body": "trunk", "point": [0.05, 0, 0.1]}}
        for of, one, words in ((["lift"], drive, ""), (["lift", "lean"], drive, ""),
                               (["lift"], mounted, ", mounted on the trunk"),
                               (["lift", "lean"], mounted, ", mounted on the trunk")):
            plain, driven = in_turns(
                [Run(options.program, folder, "loads", study),
                 Run(options.program, folder, "drives", {**study, "drives": dict.fromkeys(of, one)})],
                rounds)
            rows.append([f"{designs:,} designs of `robust.json`, drives of {' and '.join(of)} among "
                         f"{kinds} motors by {gears} gearboxes{words}",
                         f"{driven.median():.3g} s", f"{plain.median():.3g} s",
                         f"{driven.times_slower_than(plain):.2f}"])
        found_together = {**exact, "drives": dict.fromkeys(["lift", "lean"], drive),
                          "objectives": [{"name": "price", "expression": "drives.price"}, *exact["objectives"]]}
        plain, driven = in_turns([Run(options.program, folder, "springs", exact),
                                  Run(options.program, folder, "together", found_together)], rounds)
        rows.append(["`exact.json`, springs made to order, found together with drives of lift and lean among as many",
                     f"{driven.median():.3g} s", f"{plain.median():.3g} s", f"{driven.times_slower_than(plain):.2f}"])
    markdown.table(["", "with drives", "loads alone", "ratio"], rows)


if __name__ == "__main__":
    main()
