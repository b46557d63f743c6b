"""Writes a study of an arm with a spring from a catalogue at each joint.

    catalogues.py COUNT ROWS max|sum own|base FOLDER

makes FOLDER/study.json, its model, motion and COUNT catalogues of ROWS springs at random. The objective is the largest
load of all actuators, or the sum of their largest loads. The spring of a joint is between its two links, or goes to
the base and loads the joints before it as well.
"""

import json
import pathlib
import random
import sys


def main(count, rows, objective, ends, folder):
    chance = random.Random(5)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    parameters, bodies, springs, actuators, variables, coordinates = {}, [], [], [], {}, {}
    for i in range(count):
        joint = {"type": "revolute", "axis": [0, -1, 0], "origin": [0.3 if i > 0 else 0, 0, 0]}
        base = "world" if i == 0 else f"link{i - 1}"
        bodies.append({"name": f"link{i}", "parent": base, "joint": joint, "mass": chance.uniform(2, 3), "com": [0.15, 0, 0.01],
                       "points": {"spring": [chance.uniform(0.08, 0.1), 0, 0], "post": [0.28, 0, 0.15]}})
        springs.append({"name": f"spring{i}", "rate": f"rate{i}", "free_length": f"free{i}", "initial_tension": f"initial{i}",
                        "connect": ["world.post" if ends == "base" else f"{base}.post", f"link{i}.spring"]})
        parameters |= {f"rate{i}": 1000, f"free{i}": 0.1, f"initial{i}": 10}
        actuators.append({"name": f"motor{i}", "joint": f"link{i}"})
        variables[f"catalogue{i}"] = {"catalogue": f"springs{i}.csv", "sets": {
            f"rate{i}": "rate", f"free{i}": "free", f"initial{i}": "initial"}}
        coordinates[f"motor{i}"] = {"type": "sine", "mean": chance.uniform(0, 0.2), "amplitude": chance.uniform(0.3, 0.5), "period": 4}
        lines = (f"{chance.uniform(200, 4000):.3f},{chance.uniform(0.03, 0.12):.5f},{chance.uniform(0, 20):.3f}" for _ in range(rows))
        (folder / f"springs{i}.csv").write_text("\n".join(["rate [N/m],free [m],initial [N]", *lines, ""]))
    motors = [one["name"] for one in actuators]
    documents = {
        "model": {"name": "arm", "parameters": parameters, "world": {"points": {"post": [0, 0, 0.2]}}, "bodies": bodies,
                  "springs": springs, "actuators": actuators},
        "motion": {"duration": 4, "step": 0.04, "coordinates": coordinates},
        "study": {"name": "catalogues", "model": "model.json", "motions": {"swing": "motion.json"}, "variables": variables,
                  "search": {"method": "exact-springs"},
                  "objectives": [{"name": "load", "minimize": "max", "of": motors} if objective == "max" else
                                 {"name": "load", "expression": " + ".join(f"{motor}.max" for motor in motors)}]}}
    for kind, document in documents.items():
        (folder / f"{kind}.json").write_text(json.dumps({"format": f"counterpoise-{kind}/1", **document}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:6])
