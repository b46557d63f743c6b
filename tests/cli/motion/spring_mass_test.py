#!/usr/bin/env python3
"""Springs that have mass of their own: loads against Lagrange's equations by differences, falls against an integration
done here, metrics, exact searches beside it, words, and what is refused."""

import csv
import math
import unittest

from program import BAD_INPUT, ScratchFolder, changed

G = 9.81
POST, HOOK, ELBOW, TIP = (-0.1, 0.4), (0.25, 0.04), 0.5, (0.3, -0.02)
ARM = {"mass": 2.0, "com": 0.2, "inertia": 0.03}
HAND = {"mass": 0.7, "com": 0.15, "inertia": 0.01}
MODEL = {
    "format": "counterpoise-model/1", "parameters": {"coil": 0.8, "strut": 0.5, "rate": 300, "hook": HOOK[0]},
    "world": {"points": {"post": [POST[0], 0, POST[1]]}},
    "bodies": [
        {"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": ARM["mass"],
         "com": [ARM["com"], 0, 0], "inertia": [0, ARM["inertia"], ARM["inertia"], 0, 0, 0],
         "points": {"hook": ["hook", 0, HOOK[1]]}},
        {"name": "hand", "parent": "arm", "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [ELBOW, 0, 0]},
         "mass": HAND["mass"], "com": [HAND["com"], 0, 0], "inertia": [0, HAND["inertia"], HAND["inertia"], 0, 0, 0],
         "points": {"tip": [TIP[0], 0, TIP[1]]}}],
    "springs": [
        {"name": "coil", "type": "extension", "connect": ["world.post", "hand.tip"], "rate": "rate", "free_length": 0.2,
         "mass": "coil"},
        {"name": "strut", "type": "gas", "connect": ["arm.hook", "hand.tip"], "initial_tension": -40, "mass": "strut"}],
    "actuators": [{"name": "shoulder", "joint": "arm"}, {"name": "elbow", "joint": "hand"}]}
MOTION = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.02, "coordinates": {
    "shoulder": {"type": "sine", "mean": 0.2, "amplitude": 0.8, "period": 2},
    "elbow": {"type": "sine", "mean": 0.4, "amplitude": 0.6, "period": 1}}}
VALUES = {"coil": 0.8, "strut": 0.5, "rate": 300}


def course(t):
    """Angles, velocities and accelerations."""
    a, b = math.pi, 2 * math.pi
    return ((0.2 + 0.8 * math.sin(a * t), 0.4 + 0.6 * math.sin(b * t)), (0.8 * a * math.cos(a * t), 0.6 * b * math.cos(b * t)),
            (-0.8 * a * a * math.sin(a * t), -0.6 * b * b * math.sin(b * t)))


def turned(place, angle):
    return complex(*place) * complex(math.cos(angle), math.sin(angle))


def places(q):
    """What has mass or holds a spring, as complex numbers x + i z."""
    elbow = turned((ELBOW, 0), q[0])
    return {"arm": turned((ARM["com"], 0), q[0]), "hook": turned(HOOK, q[0]),
            "hand": elbow + turned((HAND["com"], 0), q[0] + q[1]), "tip": elbow + turned(TIP, q[0] + q[1]),
            "post": complex(*POST)}


def lagrangian(q, v, values):
    """Kinetic less potential energy. A spring is 60 pieces between its ends, weighed by Simpson's rule."""
    h = 1e-5
    there, here = places([x + h * u for x, u in zip(q, v)]), places([x - h * u for x, u in zip(q, v)])
    at = places(q)
    speed = {name: (there[name] - here[name]) / (2 * h) for name in at}
    total = 0.0
    for body, name, turn in ((ARM, "arm", v[0]), (HAND, "hand", v[0] + v[1])):
        total += body["mass"] * abs(speed[name]) ** 2 / 2 + body["inertia"] * turn ** 2 / 2 - body["mass"] * G * at[name].imag
    for mass, ends in ((values["coil"], ("post", "tip")), (values["strut"], ("hook", "tip"))):
        for i in range(61):
            weight = (1 if i in (0, 60) else 4 if i % 2 else 2) / 180
            share = i / 60
            fast = speed[ends[0]] * (1 - share) + speed[ends[1]] * share
            high = at[ends[0]].imag * (1 - share) + at[ends[1]].imag * share
            total += mass * weight * (abs(fast) ** 2 / 2 - G * high)
    total -= values["rate"] / 2 * (abs(at["tip"] - at["post"]) - 0.2) ** 2 + -40 * abs(at["tip"] - at["hook"])
    return total


def loads(t, values, still=False):
    """By Lagrange's equations, with differences along the motion."""
    (q, v, a), h = course(t), 1e-4
    if still:
        v = a = (0.0, 0.0)
    found = []
    for i in (0, 1):
        def momentum(s):
            at = [x + s * u + s * s / 2 * w for x, u, w in zip(q, v, a)]
            fast = [u + s * w for u, w in zip(v, a)]
            ahead, back = list(fast), list(fast)
            ahead[i] += 1e-3
            back[i] -= 1e-3
            return (lagrangian(at, ahead, values) - lagrangian(at, back, values)) / 2e-3
        ahead, back = list(q), list(q)
        ahead[i] += h
        back[i] -= h
        slope = (lagrangian(ahead, v, values) - lagrangian(back, v, values)) / (2 * h)
        found.append((momentum(h) - momentum(-h)) / (2 * h) - slope)
    return found


class SpringMasses(ScratchFolder):
    def files(self, model=None, motion=None):
        self.write("model.json", model or MODEL)
        self.write("motion.json", motion or MOTION)

    def simulated(self, *options):
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", *options)
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def study(self, code=0, **keys):
        self.write("study.json", {"format": "counterpoise-study/1", "model": "model.json", "motions": {"m": "motion.json"},
                                  "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}], **keys})
        said = self.run_program("run", "study.json", "--force", "-o", "out.db", code=code)
        return self.cases("out.db") if code == 0 else said.stderr

    def test_loads_are_those_of_lagrange(self):
        for values in ({}, {"coil": 0, "strut": 0}, {"coil": 2.5, "strut": 0}, {"coil": 0, "strut": 3}):
            self.files()
            rows = self.simulated(*(text for name, value in values.items() for text in ("--set", f"{name}={value}")))
            for row in rows[::5]:
                for name, load in zip(("shoulder", "elbow"), loads(row["t"], {**VALUES, **values})):
                    self.assertAlmostEqual(row[f"{name}.load"], load, delta=2e-4)

    def test_at_rest_half_of_it_hangs_on_each_end(self):
        self.files(motion={**MOTION, "inertia": False})
        for row in self.simulated()[::7]:
            for name, load in zip(("shoulder", "elbow"), loads(row["t"], VALUES, still=True)):
                self.assertAlmostEqual(row[f"{name}.load"], load, delta=1e-4)

    def test_tensions_and_their_metrics_are_without_it(self):
        self.files()
        heavy = self.simulated()
        light = self.simulated("--set", "coil=0", "--set", "strut=0")
        for one, other in zip(heavy, light, strict=True):
            for name in ("coil.length", "coil.tension", "strut.length", "strut.tension"):
                self.assertEqual(one[name], other[name])
        self.assertEqual([row["shoulder.load"] for row in self.simulated("--without-springs")],
                         [row["shoulder.load"] for row in self.simulated("--without-springs", "--set", "coil=0")])

    def test_studies_remember_nothing_wrong(self):
        self.files()
        rows = self.study(variables={"coil": {"values": [0, 0.8, 2]}, "rate": {"values": [100, 300]},
                                     "hook": {"values": [0.2, 0.25]}},
                          sampling={"method": "grid"}, store=["elbow.mean"], objectives=[
                              {"name": "peak", "expression": "shoulder.max"},
                              {"name": "share", "expression": "shoulder.max / without_springs.shoulder.max"}])
        self.assertEqual(len(rows), 12)
        for row in rows:
            samples = self.simulated(*(text for name in ("coil", "rate", "hook") for text in ("--set", f"{name}={row[name]}")))
            elbow = [abs(sample["elbow.load"]) for sample in samples]
            self.assertAlmostEqual(row["peak"], max(abs(sample["shoulder.load"]) for sample in samples), delta=1e-9)
            self.assertAlmostEqual(row["elbow.mean"], (sum(elbow) - (elbow[0] + elbow[-1]) / 2) / 100, delta=1e-9)
        bare = max(abs(row["shoulder.load"]) for row in self.simulated("--without-springs"))
        for row in rows:
            self.assertAlmostEqual(row["share"], row["peak"] / bare, delta=1e-12)

    def test_an_exact_search_takes_it_as_known(self):
        self.files()
        row, = self.study(variables={"rate": {"range": [0, 900]}}, search={"method": "exact-springs"})
        none, one = ([sample["shoulder.load"] for sample in self.simulated("--set", f"rate={rate}")] for rate in (0, 1))
        worst = lambda rate: max(abs(a + rate * (b - a)) for a, b in zip(none, one))
        low, high = 0.0, 900.0
        for _ in range(200):  # the largest of lines in size is convex
            left, right = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, right) if worst(left) < worst(right) else (left, high)
        self.assertAlmostEqual(row["peak"], worst(low), delta=1e-7)
        self.assertIn("case 1: proved: objective", self.run_program("verify", "out.db").stdout)
        shown = self.run_json("show", "out.db", "best", "--json")
        for instant in shown["explanation"]["critical_instants"][0]["instants"]:
            parts = instant["gravity"] + instant["inertia"] + sum(instant["springs"].values())
            self.assertAlmostEqual(instant["load"], parts, delta=1e-9)
        bill = self.run_json("show", "out.db", "best", "--bill", "--json")["springs"]
        self.assertEqual([part["mass"] for part in bill], [0.8, 0.5])
        self.assertRegex(self.run_program("show", "out.db", "best", "--bill").stdout, "mass +0.8 kg")

    def test_searches_that_cannot_size_it_say_so(self):
        self.files()
        exact = {"method": "exact-springs"}
        for variables, search, words in (
                ({"coil": {"range": [0, 2]}}, exact, "no variable enters springs' laws alone"),
                ({"coil": {"range": [0, 2]}, "rate": {"range": [0, 900]}}, exact,
                 "variable coil enters the mass of spring coil, which is known to a search"),
                ({"coil": {"values": [0, 2]}, "rate": {"range": [0, 900]}}, exact, "and has levels"),
                ({"hook": {"range": [0.2, 0.3]}, "rate": {"range": [0, 900]}}, {**exact, "geometry": "prove"},
                 "spring coil has mass")):
            self.assertIn(words, self.study(code=BAD_INPUT, variables=variables, search=search))
        rows = self.study(variables={"coil": {"range": [0.1, 2]}, "rate": {"range": [0, 900]}},
                          search={**exact, "max_evaluations": 30, "seed": 1})
        self.assertTrue(all(row["status"] == "feasible" for row in rows))

    def test_reactions_carry_it(self):
        self.files(changed(MODEL, parameters__rate=0, parameters__strut=0), {**MOTION, "inertia": False})
        for row in self.simulated("--reactions")[::9]:
            q = course(row["t"])[0][0]
            up = turned((row["arm.reaction.fx"], row["arm.reaction.fz"]), q)
            self.assertAlmostEqual(up.imag, G * (ARM["mass"] + HAND["mass"] + 0.8 / 2), delta=1e-9)
            self.assertAlmostEqual(up.real, 0, delta=1e-9)

    def test_an_arm_that_is_let_go_swings_with_it(self):
        mass, rate = 1.5, 120.0
        model = changed(MODEL, bodies=MODEL["bodies"][:1], actuators=MODEL["actuators"][:1], springs=[
            {"name": "coil", "connect": ["world.post", "arm.hook"], "rate": rate, "free_length": 0.3, "mass": mass}])
        self.files(model)
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 2, "step": 0.01, "others": "free",
                                 "start": {"coordinates": {"shoulder": 0.6}}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "fall.csv")
        rows = [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("fall.csv")]
        about = ARM["inertia"] + ARM["mass"] * ARM["com"] ** 2 + mass / 3 * abs(complex(*HOOK)) ** 2

        def potential(q):
            hook = turned(HOOK, q)
            return (ARM["mass"] * G * turned((ARM["com"], 0), q).imag + mass / 2 * G * hook.imag
                    + rate / 2 * (abs(hook - complex(*POST)) - 0.3) ** 2)

        def speed_up(q):
            return -(potential(q + 1e-5) - potential(q - 1e-5)) / 2e-5 / about

        q, v, h = 0.6, 0.0, 1e-3
        for k, row in enumerate(rows):
            self.assertAlmostEqual(row["arm.q"], q, delta=1e-6)
            self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=1e-6)
            self.assertAlmostEqual(row["energy.kinetic"], about * v * v / 2, delta=1e-4)
            for _ in range(10):
                a1 = speed_up(q)
                a2 = speed_up(q + h / 2 * v)
                a3 = speed_up(q + h / 2 * (v + h / 2 * a1))
                a4 = speed_up(q + h * (v + h / 2 * a2))
                q, v = q + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    def test_two_bodies_that_fall_keep_their_energy_and_accelerate_as_they_are_driven(self):
        self.files()
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 0.5, "step": 0.01, "others": "free",
                                 "tolerance": 1e-12, "start": {"coordinates": {"shoulder": 0.6, "elbow": 0.3}}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "fall.csv")
        rows = [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("fall.csv")]
        for row in rows:
            self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=1e-7)
            q, v = (row["arm.q"], row["hand.q"]), (row["arm.qd"], row["hand.qd"])
            kept = row["energy.kinetic"] - row["energy.potential"] - row["energy.springs"]
            first = rows[0]["energy.kinetic"] - rows[0]["energy.potential"] - rows[0]["energy.springs"]
            begun = lagrangian((rows[0]["arm.q"], rows[0]["hand.q"]), (0, 0), VALUES)
            self.assertAlmostEqual(kept - first, lagrangian(q, v, VALUES) - begun, delta=1e-5)

    def test_formats_and_what_is_refused(self):
        self.files()
        before = self.contents()
        said = self.run_program("convert", "model.json", "--to", "mjcf", "-o", "robot.xml", code=BAD_INPUT).stderr
        self.assertRegex(said, r"^model\.json:\d+:\d+: /springs/0: ")
        self.assertIn("with a mass of its own", said)
        coil = MODEL["springs"][0]
        for spring, pointer, words in (
                ({**coil, "mass": -1}, "/springs/0/mass", "its mass is -1 kg, expected 0 or more"),
                ({**coil, "mass": "3 N"}, "/springs/0/mass", "N"),
                ({**coil, "mass": "coil / 0"}, "/springs/0/mass", "expected"),
                ({**coil, "mass": [1]}, "/springs/0/mass", "expected"),
                ({**coil, "mas": 1}, "/springs/0/mas", "did you mean \"mass\"?"),
                ({**coil, "connect": ["world.post", "arm.hook", "hand.tip"]}, "/springs/0/mass", "of a spring on a cable"),
                ({**coil, "may_go_slack": True}, "/springs/0/mass", "beside \"may_go_slack\""),
                ({"name": "coil", "type": "torsion", "joint": "hand", "mass": 1}, "/springs/0/mass",
                 "expected a key of a torsion spring")):
            with self.subTest(spring=spring):
                self.write("model.json", changed(MODEL, springs=[spring]))
                said = self.run_program("check", "model.json", code=BAD_INPUT).stderr
                self.assertRegex(said, rf"^model\.json:\d+:\d+: {pointer}: ")
                self.assertIn(words, said)
        self.assertEqual(sorted(before), sorted(self.contents()))


if __name__ == "__main__":
    unittest.main()
