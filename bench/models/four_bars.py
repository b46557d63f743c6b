"""Writes a model of many four-bars with a motor each, and a motion of 101 samples.

    four_bars.py side|hung|row COUNT NAME

makes NAME.json and NAME.motion.json. The four-bars stand side by side, or each hangs on the rocker
of the one before, or they are in a row: the rocker of each is the crank of the next, and one motor
moves all.
"""

import json
import sys


def main(arrangement, count, name):
    bodies, loops, actuators, coordinates = [], [], [], {}
    base, origin = "world", [0, 0, 0]
    row = arrangement == "row"

    def link(body, parent, at, guess, mass, com, **points):
        joint = {"type": "revolute", "axis": [0, -1, 0], "origin": at, "guess": guess}
        bodies.append({"name": body, "parent": parent, "joint": joint, "mass": mass, "com": com,
                       "points": points})

    for i in range(count):
        crank, coupler, rocker, motor = (f"{kind}{i}" for kind in ("crank", "coupler", "rocker", "motor"))
        if row and i > 0:
            crank = f"rocker{i - 1}"
        else:
            link(crank, base, origin, 1.0, 1 + 0.01 * i, [0.1, 0, 0.01])
            actuators.append({"name": motor, "joint": crank})
            coordinates[motor] = {"type": "point-to-point", "from": 0.95, "to": 1.1 + 0.001 * i,
                                  "profile": "quintic"}
        link(coupler, crank, [0.2, 0, 0], -1.0 if row else -0.6, 2, [0.25, 0, 0.05], end=[0.5, 0, 0])
        pin = [origin[0] + 0.5, 0, 0.01 * (7 * i % 3) if row else origin[2]]
        link(rocker, base, pin, 1.0 if row else 1.5, 1.5, [0.2, 0, 0.02], end=[0.2 if row else 0.4, 0, 0])
        loops.append({"name": f"loop{i}", "connect": [f"{coupler}.end", f"{rocker}.end"]})
        if row:
            origin = pin
        elif arrangement == "hung":
            base, origin = rocker, [0.4, 0, 0]
        else:
            origin = [2.0 * (i + 1), 0, 0]
    model = {"format": "counterpoise-model/1", "name": "four_bars", "bodies": bodies, "loops": loops,
             "actuators": actuators}
    motion = {"format": "counterpoise-motion/1", "name": "swing", "duration": 1, "step": 0.01,
              "coordinates": coordinates}
    for text, value in ((".json", model), (".motion.json", motion)):
        with open(name + text, "w", encoding="utf-8") as file:
            json.dump(value, file)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
