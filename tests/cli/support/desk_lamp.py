"""A desk lamp with an extension spring at either joint, and its plane geometry by hand."""

import csv
import io
import math

from program import ScratchFolder

MASSES = {"l1": 0.4, "l2": 0.35, "m1": 0.35, "m2": 0.25}
MOUNTS = {"a1": 0.1, "r1": 0.11, "a2": 0.05, "r2": 0.09}
SPRINGS = {"k1": 900, "lf1": 0.06, "f1": 5, "k2": 400, "lf2": 0.05, "f2": 3}
RANGES = {"a1": [0.04, 0.14], "r1": [0.05, 0.15], "a2": [0.02, 0.1], "r2": [0.03, 0.15]}
TABLE = {"A1": (200, 0.04, 2), "A2": (300, 0.04, 3), "A3": (500, 0.05, 4), "B1": (150, 0.06, 2),
         "B2": (250, 0.06, 3), "B3": (450, 0.06, 5), "C1": (350, 0.03, 3), "C2": (600, 0.035, 5),
         "C3": (1000, 0.04, 8), "C4": (1500, 0.045, 10)}
MOTION = {"format": "counterpoise-motion/1", "duration": 6, "step": 0.02, "coordinates": {
    "base": {"type": "sine", "mean": "70*pi/180", "amplitude": "25*pi/180", "period": 6},
    "elbow": {"type": "spline", "times": [0, 3, 6],
              "values": ["-80*pi/180", "-20*pi/180", "-80*pi/180"]}}}
JOINT = {"type": "revolute", "axis": [0, -1, 0]}
SLACK = 1e-9


def arm(name, parent, number, origin, points):
    m, l = f"m{number}", f"l{number}"
    inertia = f"{m}*{l}^2/12"
    return {"name": name, "parent": parent, "joint": {**JOINT, "origin": [origin, 0, 0]},
            "mass": m, "com": [f"{l}/2", 0, 0], "inertia": [0, inertia, inertia, 0, 0, 0],
            "points": points}


def lamp(**of_springs):
    """A lamp with an extension spring at either joint; `of_springs` are further keys of both."""
    def spring(number, *ends):
        return {"name": f"s{number}", "connect": ends, "rate": f"k{number}",
                "free_length": f"lf{number}", "initial_tension": f"f{number}", **of_springs}
    return {
        "format": "counterpoise-model/1", "name": "lamp",
        "parameters": {**MASSES, **MOUNTS, **SPRINGS},
        "world": {"points": {"anchor": [-0.01, 0, "a1"]}},
        "bodies": [
            arm("lower", "world", 1, 0, {"mount": ["r1", 0, 0], "ear": ["l1", 0, "a2"]}),
            arm("upper", "lower", 2, "l1", {"mount": ["r2", 0, 0]}),
            {"name": "head", "parent": "upper", "mass": 0.5, "com": [0.05, 0, -0.02],
             "joint": {"type": "fixed", "origin": ["l2", 0, 0]}}],
        "springs": [spring(1, "world.anchor", "lower.mount"), spring(2, "lower.ear", "upper.mount")],
        "actuators": [{"name": "base", "joint": "lower"}, {"name": "elbow", "joint": "upper"}]}


def study(variables, **more):
    return {"format": "counterpoise-study/1", "name": "lamp", "model": "model.json",
            "motions": {"poses": "motion.json"}, "variables": variables,
            "objectives": [{"name": "base_peak", "minimize": "max", "of": ["base"]}], **more}


CATALOGUES = {f"spring{i}": {"catalogue": "springs.csv", "sets": {
    f"k{i}": "rate", f"lf{i}": "free_length", f"f{i}": "pull"}} for i in (1, 2)}
SOBOL = {"method": "sobol", "count": 600, "seed": 3}


class Lamp(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.write("model.json", lamp())
        self.write("motion.json", MOTION)
        self.write_springs(TABLE)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json",
                                "--without-springs").stdout
        self.bare = [{name: float(value) for name, value in row.items()}
                     for row in csv.DictReader(io.StringIO(said))]

    def write_springs(self, table):
        self.write("springs.csv", "part,rate,free_length,pull\n" + "".join(
            f"{part},{k},{free},{pull}\n" for part, (k, free, pull) in table.items()))

    def lengths(self, number, mounts):
        """A spring's length at every sample, and its slope by the angle of its joint."""
        if number == 1:
            x, z, r, joint = -0.01, mounts["a1"], mounts["r1"], "base.position"
        else:
            x, z, r, joint = 0.0, mounts["a2"], mounts["r2"], "elbow.position"
        found = []
        for row in self.bare:
            c, s = math.cos(row[joint]), math.sin(row[joint])
            length = math.hypot(r * c - x, r * s - z)
            found.append((length, r * (x * s - z * c) / length))
        return found

    def tensions(self, number, mounts, spring):
        k, free, pull = spring
        return [pull + k * (length - free) for length, _ in self.lengths(number, mounts)]

    def peak(self, number, mounts, spring):
        joint = "base.load" if number == 1 else "elbow.load"
        return max(abs(row[joint] + tension * slope) for row, tension, (_, slope) in zip(
            self.bare, self.tensions(number, mounts, spring), self.lengths(number, mounts)))

    def pulls(self, number, mounts, spring):
        return (min(self.tensions(number, mounts, spring)) >= -SLACK and
                min(self.lengths(number, mounts))[0] >= spring[1] * (1 - SLACK))

    def broken(self, number, mounts, spring, acts):
        """What a spring of this sense would break first, in the words of a reason."""
        lengths = [length for length, _ in self.lengths(number, mounts)]
        sign, verb, than = (1, "push", "shorter") if acts == "pull" else (-1, "pull", "longer")
        for k, tension in enumerate(self.tensions(number, mounts, spring)):
            if sign * tension < -SLACK:
                return f"spring s{number} would have to {verb} at t=", k * 0.02, tension
        for k, length in enumerate(lengths):
            if sign * (length - spring[1]) < -SLACK * spring[1]:
                return f"spring s{number} {than} than free_length at t=", k * 0.02, length
        return None
