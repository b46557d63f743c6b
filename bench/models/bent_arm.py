"""Writes a model of a planar arm of many equal links with a motor each.

    bent_arm.py COUNT ANGLE NAME

makes NAME.json, whose joints but the first stand at ANGLE [rad].
"""

import json
import sys


def main(count, angle, name):
    bodies, actuators, parent = [], [], "world"
    for i in range(count):
        joint = {"type": "revolute", "axis": [0, -1, 0], "origin": [0.1 if i else 0, 0, 0],
                 "guess": angle if i else 0.3}
        bodies.append({"name": f"link{i}", "parent": parent, "joint": joint, "mass": 1,
                       "com": [0.05, 0, 0], "inertia": [0.001, 0.001, 0.001, 0, 0, 0]})
        actuators.append({"name": f"motor{i}", "joint": f"link{i}"})
        parent = f"link{i}"
    model = {"format": "counterpoise-model/1", "name": "bent_arm", "bodies": bodies,
             "actuators": actuators}
    with open(name + ".json", "w", encoding="utf-8") as file:
        json.dump(model, file)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3])
