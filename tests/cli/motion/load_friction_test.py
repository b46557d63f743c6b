#!/usr/bin/env python3
"""Friction of joints that grows with their reactions: loads by closed forms and by the balances of the single bodies,
power, what joints at rest may carry, studies and searches, what locks, and what is refused."""

import csv
import itertools
import json
import math
import random
import unittest

import numpy as np

from arm_runs import ArmRuns
from program import BAD_INPUT, EXAMPLES, INFEASIBLE, changed, trials
from wrong_load_friction import MOTORS, TABLE
from wrong_table import WrongTable

G = 9.81
PIN = {
    "format": "counterpoise-model/1", "name": "pendulum", "parameters": {"pin": 0.02, "dry": 0.3, "slow": 0.1},
    "world": {"points": {"peg": [-0.3, 0, 0.1]}},
    "bodies": [{"name": "arm", "parent": "world",
                "joint": {"type": "revolute", "axis": [0, -1, 0],
                          "friction": {"coulomb": "dry", "viscous": "slow", "load_coefficient": "pin"}},
                "mass": 2, "com": [0.5, 0, 0], "inertia": [0.04, 0.04, 0.04, 0, 0, 0],
                "points": {"eye": [0.25, 0, 0.05]}}],
    "actuators": [{"name": "lift", "joint": "arm"}]}
CYLINDER = [{"name": "lift", "connect": ["world.peg", "arm.eye"]}]
SWING = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
         "coordinates": {"arm": {"type": "sine", "mean": 0.3, "amplitude": 0.4, "period": 0.5}}}
POSES = {"format": "counterpoise-motion/1", "poses": {"lift": {"values": [-0.4, 0.2, 0.9, 1.5]}}}


def sign(x):
    return 0.0 if abs(x) <= 1e-9 else math.copysign(1.0, x)


def pendulum(row):
    """What the pendulum asks of its pin: the moment, and the force (x, z), without friction."""
    q, v, a = row["arm.q"], row["arm.qd"], row["arm.qdd"]
    out, across = np.array([math.cos(q), math.sin(q)]), np.array([-math.sin(q), math.cos(q)])
    force = 2 * (0.5 * a * across - 0.5 * v * v * out + np.array([0, G]))
    return (0.04 + 2 * 0.25) * a + 2 * G * 0.5 * math.cos(q), force


def turned(place, q):
    return np.array([place[0] * math.cos(q) - place[1] * math.sin(q), place[0] * math.sin(q) + place[1] * math.cos(q)])


def settled(next_of, start):
    """The fixed point of a contraction."""
    x = np.array(start, float)
    for _ in range(2000):
        following = next_of(x)
        if np.max(np.abs(following - x)) <= 1e-15 * (1 + np.max(np.abs(x))):
            return following
        x = following
    raise AssertionError("no fixed point")


class Runs(ArmRuns):
    def simulated(self, model, motion=None, *arguments):
        self.files(model, motion or SWING)
        return super().simulated(*arguments)

    def near(self, found, expected, message, tolerance=1e-10):
        self.assertAlmostEqual(found, expected, delta=tolerance * (1 + abs(expected)), msg=message)


class OneJoint(Runs):
    def test_a_pin(self):
        for row in self.simulated(PIN, None, "--set", "pin=30 mm"):
            moment, force = pendulum(row)
            v = row["arm.qd"]
            rub = (0.3 + 0.03 * np.hypot(*force)) * sign(v) + 0.1 * v
            self.near(row["lift.load"], moment + rub, row["t"])

    def test_a_pin_alone_and_one_without_any(self):
        """The key may stand alone; 0 is as if it were not there, to the last bit."""
        model = changed(PIN, bodies__0__joint__friction={"load_coefficient": "pin"})
        for row in self.simulated(model):
            moment, force = pendulum(row)
            self.near(row["lift.load"], moment + 0.02 * np.hypot(*force) * sign(row["arm.qd"]), row["t"])
        plain = changed(PIN, bodies__0__joint__friction={"coulomb": "dry", "viscous": "slow"})
        self.assertEqual(self.simulated(PIN, None, "--set", "pin=0"), self.simulated(plain))

    def test_a_slide_on_a_slope(self):
        """A force from outside presses on the guide across the slope; the part of the spring's pull that does so counts."""
        tilt, mu = 0.5, 0.2
        along, across = np.array([math.cos(tilt), math.sin(tilt)]), np.array([-math.sin(tilt), math.cos(tilt)])
        model = {
            "format": "counterpoise-model/1", "name": "slope", "world": {"points": {"post": [0.2, 0, 0.9]}},
            "bodies": [{"name": "block", "parent": "world", "mass": 3, "points": {"eye": [0, 0, 0]},
                        "joint": {"type": "prismatic", "axis": "x", "rotation": {"rpy": [0, -tilt, 0]},
                                  "friction": {"load_coefficient": mu}}}],
            "springs": [{"name": "spring", "connect": ["world.post", "block.eye"], "rate": 150, "free_length": 0.2}],
            "forces": [{"name": "push", "point": "block.eye", "force": [4, 7, -20]}],
            "actuators": [{"name": "pull", "joint": "block"}]}
        motion = {**SWING, "coordinates": {"block": SWING["coordinates"]["arm"]}}
        rows = self.simulated(model, motion, "--reactions")
        for row in rows:
            q, v, a = row["block.q"], row["block.qd"], row["block.qdd"]
            apart = np.array([0.2, 0.9]) - q * along
            long = np.hypot(*apart)
            given = apart / long * 150 * (long - 0.2) + np.array([4, -20]) + np.array([0, -3 * G])
            normal = np.hypot(given @ across, 7)
            self.near(row["pull.load"], 3 * a - given @ along + mu * normal * sign(v), row["t"])
            printed = np.hypot(row["block.reaction.fy"], row["block.reaction.fz"])
            self.near(printed, normal, row["t"])

    def test_the_whole_force_of_a_turning_joint_counts(self):
        """About an upright axis, a weight on the axis is carried along it alone."""
        model = changed(PIN, bodies__0__joint__axis="z", bodies__0__joint__friction={"load_coefficient": "pin"})
        for row in self.simulated(model):
            v, a = row["arm.qd"], row["arm.qdd"]
            force = 2 * np.linalg.norm([0.5 * v * v, 0.5 * a, G])
            self.near(row["lift.load"], (0.04 + 0.5) * a + 0.02 * force * sign(v), row["t"])

    def test_a_cylinder_loads_the_pin_that_it_turns(self):
        """u h = moment + c |force - u e| sign: a quadratic in u, of which one root has the right sign."""
        model = changed(PIN, actuators=CYLINDER, bodies__0__joint__friction={"load_coefficient": "pin"})
        for pin in (0.005, 0.05):
            for row in self.simulated(model, None, "--set", f"pin={pin}"):
                moment, force = pendulum(row)
                eye = turned((0.25, 0.05), row["arm.q"])
                e = (eye - np.array([-0.3, 0.1])) / np.hypot(*(eye - np.array([-0.3, 0.1])))
                h = eye[0] * e[1] - eye[1] * e[0]  # about -y
                s = sign(row["arm.qd"])
                if s == 0:
                    self.near(row["lift.load"], moment / h, row["t"])
                    continue
                roots = np.roots([h * h - pin * pin, -2 * h * moment + 2 * pin * pin * (force @ e),
                                  moment ** 2 - pin * pin * (force @ force)])
                right = [u.real for u in roots if abs(u.imag) < 1e-12 and (u.real * h - moment) * s > 0]
                self.assertEqual(len(right), 1)
                self.near(row["lift.load"], right[0], row["t"], 1e-9)

    def test_at_rest_loads_are_those_without_it(self):
        for motion in (POSES, {**SWING, "inertia": False}):
            for row in self.simulated(PIN, motion):
                self.near(row["lift.load"], G * math.cos(row["lift.position"]), row["t"])

    def test_motors_at_rest_carry_an_end_of_the_range(self):
        motor = {"name": "lift", "joint": "arm", "ratio": 50, "friction": {"coulomb": 0.2}}
        model = changed(PIN, actuators=[motor])
        expected = {"worst": [], "favourable": []}
        for row in self.simulated(model, POSES):
            play = 0.2 + 0.3 + 0.02 * 2 * G
            self.near(abs(row["lift.motor_torque"]), (abs(row["lift.load"]) + play) / 50, row["t"])
            expected["worst"].append(abs(row["lift.load"]) + play)
            expected["favourable"].append(max(0.0, abs(row["lift.load"]) - play))
        for end, loads in expected.items():
            self.at_rest(end, {"lift": {"at_rest": end}})
            case = self.cases(f"{end}.db")[0]
            self.near(case["peak"], max(loads) / 50, end)
            self.near(case["rms"], math.sqrt(sum(u * u for u in loads) / len(loads)) / 50, end)

    def at_rest(self, name, drives):
        self.write(f"{name}.json", {
            "format": "counterpoise-study/1", "name": name, "model": "model.json", "motions": {"at": "motion.json"},
            "variables": {"dry": {"values": [0.3]}}, "sampling": {"method": "grid"}, "drives": drives,
            "objectives": [{"name": "peak", "expression": "lift.motor_torque"},
                           {"name": "rms", "expression": "lift.motor_rms"}]})
        self.run_program("run", f"{name}.json", "-o", f"{name}.db")

    def test_drives_from_catalogues(self):
        loads = [abs(row["lift.load"]) + 0.3 + 0.02 * 2 * G for row in self.simulated(PIN, POSES)]
        self.write("motors.csv", MOTORS)
        self.at_rest("drive", {"lift": {"motors": "motors.csv", "transmission": 20, "margin": 1, "minimise": "price"}})
        self.near(self.cases("drive.db")[0]["peak"], max(loads) / 20, "peak")
        said = self.run_program("show", "drive.db", "best").stdout
        self.assertIn("drives: what the balancing is worth", said)

    def test_ends_of_a_cylinder_are_not_alike(self):
        """Friction that helps unloads the pin, friction that hinders loads it: the ends are roots of two quadratics."""
        model = changed(PIN, actuators=[{**CYLINDER[0], "ratio": "200 turn/m"}])
        motion = {"format": "counterpoise-motion/1", "poses": {"arm": {"values": [0.1, 0.4, 0.8]}}}
        ratio = 400 * math.pi
        expected = {"worst": [], "favourable": []}
        for row in self.simulated(model, motion, "--set", "pin=0.03"):
            q, c, dry = row["arm.q"], 0.03, 0.3
            moment, force = 2 * G * 0.5 * math.cos(q), np.array([0, 2 * G])
            eye = turned((0.25, 0.05), q)
            e = (eye - np.array([-0.3, 0.1])) / np.hypot(*(eye - np.array([-0.3, 0.1])))
            h = eye[0] * e[1] - eye[1] * e[0]
            ends = [settled(lambda u, s=s: (moment + s * (dry + c * np.hypot(*(force - u[0] * e)))) / h + 0 * u, [0.0])[0]
                    for s in (1, -1)]
            low, high = min(ends), max(ends)
            u = row["lift.load"]
            self.near(u, moment / h, q)
            self.assertGreater(abs((high - u) - (u - low)), 1e-2)
            expected["worst"].append(max(abs(low), abs(high)))
            expected["favourable"].append(0.0 if low <= 0 <= high else min(abs(low), abs(high)))
            self.near(abs(row["lift.motor_torque"]) * ratio, expected["worst"][-1], q, 1e-9)
        self.write("model.json", changed(model, parameters__pin=0.03))
        for end, loads in expected.items():
            self.at_rest(end, {"lift": {"at_rest": end}})
            self.near(self.cases(f"{end}.db")[0]["rms"] * ratio, math.sqrt(sum(u * u for u in loads) / 3), end, 1e-9)


class Trees(Runs):
    def random_tree(self, rng):
        """Bodies, and the same as JSON. Axes, origins and rotations are any; each joint has an actuator."""
        def vector(size):
            return [rng.uniform(-size, size) for _ in range(3)]
        bodies = []
        for b in range(rng.randint(2, 5)):
            axis = np.array(vector(1))
            kind = "revolute" if rng.random() < 0.7 else "prismatic"
            bodies.append({"name": f"b{b}", "parent": "world" if b == 0 else f"b{rng.randrange(b)}", "mass": rng.uniform(1, 4),
                           "com": vector(0.3), "inertia": [0.3, 0.35, 0.4, 0.02, -0.01, 0.03], "points": {"eye": vector(0.3)},
                           "joint": {"type": kind, "axis": (axis / np.linalg.norm(axis)).tolist(), "origin": vector(0.5),
                                     "rotation": {"rpy": vector(1)},
                                     "friction": {"load_coefficient": rng.uniform(0, 0.3), "coulomb": rng.uniform(0, 1)}}})
        model = {"format": "counterpoise-model/1", "name": "tree", "world": {"points": {"post": vector(1)}}, "bodies": bodies,
                 "springs": [{"name": "s", "connect": ["world.post", f"b{len(bodies) - 1}.eye"], "rate": 80, "free_length": 0.3}],
                 "forces": [{"name": "f", "point": f"b{len(bodies) - 1}.eye", "force": vector(20)}],
                 "actuators": [{"name": f"a{b}", "joint": f"b{b}"} for b in range(len(bodies))]}
        motion = {**SWING, "step": 0.05, "coordinates": {
            f"a{b}": {"type": "sine", "mean": rng.uniform(-1, 1), "amplitude": rng.uniform(0.1, 0.5), "period": rng.choice([0.5, 1])}
            for b in range(len(bodies))}}
        return model, motion

    def newton_euler(self, model, row):
        """Loads by the balance of the bodies behind each joint, in world axes."""
        bodies = model["bodies"]
        at = {"world": (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3))}
        wrench = {}  # force and moment about the world's origin that all forces but the joint's ask of it
        for body in bodies:
            turn, place, omega, alpha, acceleration = at[body["parent"]]
            joint, name = body["joint"], body["name"]
            q, v, a = row[f"{name}.q"], row[f"{name}.qd"], row[f"{name}.qdd"]
            r, p, y = joint["rotation"]["rpy"]
            own = turn @ rotation([0, 0, 1], y) @ rotation([0, 1, 0], p) @ rotation([1, 0, 0], r)
            axis = own @ np.array(joint["axis"])
            slides = joint["type"] == "prismatic"
            arm = turn @ np.array(joint["origin"]) + (axis * q if slides else 0)
            moved = acceleration + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
            if slides:
                moved += 2 * np.cross(omega, axis * v) + axis * a
                state = (own, place + arm, omega, alpha, moved)
            else:
                state = (own @ rotation(joint["axis"], q), place + arm, omega + axis * v,
                         alpha + axis * a + np.cross(omega, axis * v), moved)
            at[name] = state
            turn, place, omega, alpha, moved = state
            com = turn @ np.array(body["com"])
            force = body["mass"] * (moved + np.cross(alpha, com) + np.cross(omega, np.cross(omega, com)) + np.array([0, 0, G]))
            xx, yy, zz, xy, xz, yz = body["inertia"]
            inertia = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
            moment = inertia @ alpha + np.cross(omega, inertia @ omega) + np.cross(place + com, force)
            wrench[name] = [force, moment, axis]
        last = bodies[-1]
        eye = at[last["name"]][1] + at[last["name"]][0] @ np.array(last["points"]["eye"])
        apart = np.array(model["world"]["points"]["post"]) - eye
        long = np.linalg.norm(apart)
        given = apart / long * 80 * (long - 0.3) + np.array(model["forces"][0]["force"])
        wrench[last["name"]][0] = wrench[last["name"]][0] - given
        wrench[last["name"]][1] = wrench[last["name"]][1] - np.cross(eye, given)
        loads = {}
        for body in reversed(bodies):
            name, joint = body["name"], body["joint"]
            force, moment, axis = wrench[name]
            v = row[f"{name}.qd"]
            about = moment - np.cross(at[name][1], force)
            slides = joint["type"] == "prismatic"
            size = np.linalg.norm(force - axis * (axis @ force) if slides else force)
            friction = joint["friction"]
            loads[name] = (axis @ (force if slides else about) +
                           sign(v) * (friction["coulomb"] + friction["load_coefficient"] * size))
            if body["parent"] != "world":
                wrench[body["parent"]][0] = wrench[body["parent"]][0] + force
                wrench[body["parent"]][1] = wrench[body["parent"]][1] + moment
        return loads

    def test_random_trees(self):
        rng = random.Random(11)
        for _ in range(trials(60)):
            model, motion = self.random_tree(rng)
            for row in self.simulated(model, motion):
                for name, load in self.newton_euler(model, row).items():
                    self.near(row[f"a{name[1:]}.load"], load, (name, row["t"]), 1e-9)


def rotation(axis, angle):
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


CRANK, ROD = 0.12, 0.35
SLIDER_CRANK = {
    "format": "counterpoise-model/1", "name": "slider crank", "parameters": {"mu": 0.15, "first": 0.01, "second": 0.008},
    "bodies": [
        {"name": "crank", "parent": "world", "mass": 1.5, "com": [0.05, 0, 0], "inertia": [0, 0.004, 0, 0, 0, 0],
         "any_inertia": True,
         "joint": {"type": "revolute", "axis": [0, -1, 0], "friction": {"load_coefficient": "first"}}},
        {"name": "rod", "parent": "crank", "mass": 0.8, "com": [0.15, 0, 0], "inertia": [0, 0.009, 0, 0, 0, 0],
         "any_inertia": True, "points": {"end": [ROD, 0, 0]},
         "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [CRANK, 0, 0], "guess": -0.5,
                   "friction": {"load_coefficient": "second"}}},
        {"name": "slider", "parent": "world", "mass": 2.5, "points": {"pin": [0, 0, 0], "face": [0.05, 0, 0]},
         "joint": {"type": "prismatic", "axis": "x", "guess": 0.4,
                   "friction": {"load_coefficient": "mu", "coulomb": 1.5, "viscous": 3}}}],
    "loops": [{"name": "pin", "connect": ["rod.end", "slider.pin"]}],
    "forces": [{"name": "press", "point": "slider.face", "force": [-60, 0, -25]}],
    "actuators": [{"name": "drive", "joint": "crank"}]}
TURN = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
        "coordinates": {"crank": {"type": "sine", "mean": 0.9, "amplitude": 0.5, "period": 0.7}}}


class Loops(Runs):
    def slider_crank(self, row, mu, first, second, rubs=(1.5, 3)):
        """The load by the balances of the three bodies in the plane (x, z), moments about -y. `rubs`: dry and viscous
        friction of the slider."""
        def cross(r, f):
            return r[0] * f[1] - r[1] * f[0]
        one = row["crank.q"]
        two = one + row["rod.q"]
        w1, a1 = row["crank.qd"], row["crank.qdd"]
        w2, a2 = w1 + row["rod.qd"], a1 + row["rod.qdd"]

        def acceleration(r, w, a):
            return np.array([-a * r[1] - w * w * r[0], a * r[0] - w * w * r[1]])
        b = turned((CRANK, 0), one)
        g1, g2 = turned((0.05, 0), one), turned((0.15, 0), two)
        end = turned((ROD, 0), two)
        f1 = 1.5 * (acceleration(g1, w1, a1) + np.array([0, G]))
        f2 = 0.8 * (acceleration(b, w1, a1) + acceleration(g2, w2, a2) + np.array([0, G]))
        f3 = np.array([2.5 * row["slider.qdd"], 2.5 * G]) - np.array([-60, -25])
        v1, v2, v3 = w1, row["rod.qd"], row["slider.qd"]

        def balance(torques):
            """Unknowns: A on the crank, B on the rod, C on the slider (by what precedes), N, u."""
            t1, t2, t3 = torques
            m, right = np.zeros((8, 8)), np.zeros(8)
            m[0, 0] = m[1, 1] = 1  # crank: A - B = f1; moments about its joint
            m[0, 2] = m[1, 3] = -1
            right[0:2] = f1
            m[2, 2:4] = [b[1], -b[0]]
            m[2, 7] = 1
            right[2] = 0.004 * a1 + cross(g1, f1) + t1 - t2
            m[3, 2] = m[4, 3] = 1  # rod: B - C = f2; moments about its joint
            m[3, 4] = m[4, 5] = -1
            right[3:5] = f2
            m[5, 4:6] = [end[1], -end[0]]
            right[5] = 0.009 * a2 + cross(g2, f2) + t2
            m[6, 4] = 1  # slider: C + (0, N) - friction = f3
            m[7, 5] = m[7, 6] = 1
            right[6] = f3[0] + t3
            right[7] = f3[1]
            return np.linalg.solve(m, right)

        def rub(torques):
            x = balance(torques)
            return np.array([first * np.hypot(x[0], x[1]) * sign(v1), second * np.hypot(x[2], x[3]) * sign(v2),
                             (rubs[0] + mu * abs(x[6])) * sign(v3) + rubs[1] * v3])
        x = balance(settled(rub, [0, 0, 0]))
        return x[7], np.hypot(x[0], x[1]), np.hypot(x[2], x[3]), abs(x[6])

    def test_a_slider_crank(self):
        for mu, first, second in ((0.15, 0.01, 0.008), (0.5, 0, 0), (0, 0.03, 0), (0, 0, 0.02), (0.4, 0.02, 0.015)):
            rows = self.simulated(SLIDER_CRANK, TURN, "--reactions", "--set", f"mu={mu}", "--set", f"first={first}",
                                  "--set", f"second={second}")
            for row in rows:
                load, pin, rod, normal = self.slider_crank(row, mu, first, second)
                self.near(row["drive.load"], load, (mu, first, second, row["t"]), 1e-9)
                for name, size in (("crank", pin), ("rod", rod)):
                    printed = np.linalg.norm([row[f"{name}.reaction.f{i}"] for i in "xyz"])
                    self.near(printed, size, (name, row["t"]), 1e-9)
                self.near(np.hypot(row["slider.reaction.fy"], row["slider.reaction.fz"]), normal, row["t"], 1e-9)

    def test_power(self):
        """What friction adds to the loads, times velocities, is what the joints lose by the reactions that are printed:
        in a four-bar, with a spring, and in a welded loop that equilibrium leaves open."""
        model = json.loads((EXAMPLES / "four_bar" / "model.json").read_text())
        of = model["actuators"][0]["name"]
        four_bar = {**SWING, "coordinates": {of: SWING["coordinates"]["arm"]}}
        overheld = changed(SLIDER_CRANK, loops__0__keep="parallel", loops__0__axes=[[0, 1, 0], [0, 1, 0]])
        for model, motion in ((model, four_bar), (SLIDER_CRANK, TURN),
                              (overheld, TURN)):
            coefficients = {}
            for body in model["bodies"]:
                body["joint"].pop("friction", None)
            without = self.simulated(model, motion)
            for b, body in enumerate(model["bodies"]):
                coefficients[body["name"]] = 0.01 + 0.004 * b
                body["joint"]["friction"] = {"load_coefficient": coefficients[body["name"]]}
            found = self.simulated(model, motion, "--reactions")
            of = model["actuators"][0]["name"]
            for row, smooth in zip(found, without, strict=True):
                lost = 0.0
                for body in model["bodies"]:
                    name, axis = body["name"], body["joint"]["axis"]
                    force = np.array([row[f"{name}.reaction.f{i}"] for i in "xyz"])
                    if body["joint"]["type"] == "prismatic":
                        force[0] = 0
                    self.assertIn(axis, ("x", "y", "z", [0, -1, 0]))
                    lost += coefficients[name] * np.linalg.norm(force) * abs(row[f"{name}.qd"])
                self.near((row[f"{of}.load"] - smooth[f"{of}.load"]) * row[f"{of}.velocity"], lost, row["t"], 1e-9)

    def test_ends_at_rest_in_a_loop(self):
        """The friction of each joint acts in full, to the sides that load the crank most. That need not be the side
        of the crank's own motion: friction may do more by loading another joint."""
        numbers = {"mu": 0.24147485090824178, "first": 0.016483261807027423, "second": 0.021537205940847154}
        model = changed(SLIDER_CRANK, actuators__0__ratio=20, parameters=numbers,
                        bodies__2__joint__friction={"load_coefficient": "mu"})
        motion = {"format": "counterpoise-motion/1", "poses": {"crank": {"values": [0.042222, 0.4, 0.9, 1.4]}}}
        otherwise = 0
        for row in self.simulated(model, motion):
            one, two = row["crank.q"], row["crank.q"] + row["rod.q"]
            rod = -CRANK * math.cos(one) / (ROD * math.cos(two)) - 1
            along = (1, sign(rod), sign(-CRANK * math.sin(one) - ROD * math.sin(two) * (rod + 1)))
            row = {**row, "crank.qdd": 0.0, "rod.qdd": 0.0, "slider.qdd": 0.0}

            def load(sides, row=row):
                speeds = {f"{name}.qd": 2e-9 * side for name, side in zip(("crank", "rod", "slider"), sides)}
                return self.slider_crank({**row, **speeds}, *numbers.values(), rubs=(0, 0))[0]
            middle = load((0, 0, 0))
            self.near(row["drive.load"], middle, one)
            ends = [load(sides) for sides in itertools.product((1, -1), repeat=3)]
            self.assertGreater(abs(max(ends) + min(ends) - 2 * middle), 1e-3)
            worst = max(map(abs, ends))
            otherwise += worst > 1.01 * max(abs(load(along)), abs(load([-side for side in along])))
            self.near(abs(row["drive.motor_torque"]), worst / 20, one, 1e-9)
        self.assertGreater(otherwise, 0)

    def test_rules_that_share_reactions(self):
        """The guide of a slider is held twice; which of the two carries decides what rubs. Rules that cannot hold
        refuse the design."""
        overheld = changed(SLIDER_CRANK, loops__0__keep="parallel", loops__0__axes=[[0, 1, 0], [0, 1, 0]])
        overheld["forces"] = [{"name": "press", "point": "slider.face", "force": [-60, 30, -25]}]
        loads = []
        for rule in ("slider.fy", "pin.fy"):
            rows = self.simulated({**overheld, "reactions": [{"none": [rule]}]}, TURN, "--reactions")
            carried = [row["slider.reaction.fy"] for row in rows]
            self.assertLess(max(abs(fy) for fy in carried) if rule == "slider.fy" else
                            max(abs(fy + 30) for fy in carried), 1e-9)
            loads.append(rows[5]["drive.load"])
        self.assertGreater(abs(loads[0] - loads[1]), 0.01)
        self.write("model.json", {**overheld, "reactions": [{"none": ["pin.fx"]}]})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=INFEASIBLE)
        self.assertIn("rule 1 of \"reactions\" cannot hold together with the equilibrium of the bodies and the rules "
                      "before it at t=0 s, so that friction which grows with reactions is not known", said.stderr)

    def test_a_guide_that_jams(self):
        """A cylinder at 10 degrees to a guide's normal cannot raise the carriage from mu = tan 10 on."""
        tilt = math.radians(10)
        model = {
            "format": "counterpoise-model/1", "name": "lift", "parameters": {"mu": 0.1},
            "world": {"points": {"foot": [-math.cos(tilt), 0, -math.sin(tilt)]}},
            "bodies": [{"name": "carriage", "parent": "world", "mass": 5, "points": {"eye": [0, 0, 0]},
                        "joint": {"type": "prismatic", "axis": "z", "friction": {"load_coefficient": "mu"}}}],
            "actuators": [{"name": "push", "connect": ["world.foot", "carriage.eye"]}]}
        motion = {"format": "counterpoise-motion/1", "duration": 0.2, "step": 0.1, "coordinates": {
            "carriage": {"type": "point-to-point", "from": -1e-3, "to": 1e-3}}}
        limit = math.tan(tilt)
        below = self.simulated(model, motion, "--set", f"mu={0.9 * limit!r}")
        height = math.sin(tilt)
        expected = (5 * G) / (height - 0.9 * limit * math.cos(tilt))
        self.near(below[1]["push.load"], expected, "half way", 1e-9)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", "--set", f"mu={1.1 * limit!r}",
                                code=INFEASIBLE)
        self.assertEqual(said.stdout, "")
        self.assertIn("friction of joint carriage, which grows with its reaction, may lock the mechanism at t=0.1 s",
                      said.stderr)
        self.assertIn("adds 1.1 times", said.stderr)
        poses = {"format": "counterpoise-motion/1", "poses": {"carriage": {"values": [0, 1e-3]}}}
        resting = self.simulated(model, poses, "--set", "mu=0.4")
        self.near(resting[0]["push.load"], 5 * G / height, "at rest", 1e-9)
        self.write("driven.json", changed(model, actuators__0__ratio=1000))
        said = self.run_program("simulate", "driven.json", "--motion", "motion.json", "--set", "mu=0.4", code=INFEASIBLE)
        self.assertIn("may lock the mechanism in pose 1 of 2", said.stderr)
        self.write("motion.json", motion)
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "jams", "model": "model.json", "motions": {"up": "motion.json"},
            "variables": {"mu": {"values": [0.1, 0.17, 0.18, 0.4]}}, "sampling": {"method": "grid"}, "store": "all",
            "objectives": [{"name": "peak", "minimize": "max", "of": ["push"]}]})
        self.run_program("run", "study.json", "-o", "jams.db")
        cases = {case["mu"]: case for case in self.cases("jams.db")}
        self.assertEqual([cases[mu]["status"] for mu in (0.1, 0.17, 0.18, 0.4)], ["feasible"] * 2 + ["infeasible"] * 2)
        self.assertIn("may lock the mechanism", cases[0.4]["reason"])
        self.assertIn("carriage friction may lock it", self.run_program("why", "jams.db").stdout)


class Studies(Runs):
    model = {**changed(PIN, actuators=[{**CYLINDER[0], "ratio": 900}]), "parameters": {"pin": 0.02, "dry": 0.3, "slow": 0.1, "rate": 300},
             "springs": [{"name": "spring", "connect": ["world.peg", "arm.eye"], "rate": "rate", "free_length": 0.2}]}
    study = {"format": "counterpoise-study/1", "name": "all", "model": "model.json", "motions": {"swing": "motion.json"},
             "objectives": [{"name": "peak", "minimize": "max", "of": ["lift"]},
                            {"name": "torque", "expression": "lift.motor_torque"}]}
    grid = {**study, "sampling": {"method": "grid"}, "store": "all",
            "variables": {"pin": {"values": [0, 0.02, 0.05]}, "rate": {"values": [0, 150, 300]}, "dry": {"values": [0, 1]}}}

    def run_study(self, study, name, *arguments, **options):
        self.write(f"{name}.json", study)
        return self.run_program("run", f"{name}.json", "-o", f"{name}.db", *arguments, **options)

    def test_each_case_is_as_simulated_alone(self):
        self.simulated(self.model)
        self.run_study(self.grid, "one", "--threads", "1")
        self.run_study(self.grid, "two", "--threads", "2")
        cases = self.cases("one.db")
        self.assertEqual(len(cases), 18)
        self.assertEqual([(case["peak"], case["torque"]) for case in cases],
                         [(case["peak"], case["torque"]) for case in self.cases("two.db")])
        for case in cases:
            rows = self.simulated(self.model, None, *(text for name in self.grid["variables"]
                                                      for text in ("--set", f"{name}={case[name]!r}")))
            self.near(case["peak"], max(abs(row["lift.load"]) for row in rows), case, 1e-12)
            self.near(case["torque"], max(abs(row["lift.motor_torque"]) for row in rows), case, 1e-12)

    def test_a_search_finds_what_a_grid_does(self):
        self.simulated(self.model)
        search = {**self.study, "objectives": self.study["objectives"][:1], "variables": {"rate": {"range": [0, 600]}},
                  "search": {"method": "nlopt", "algorithm": "LN_COBYLA", "starts": 2, "max_evaluations": 300, "seed": 1}}
        self.run_study(search, "search")
        best = min(case["peak"] for case in self.cases("search.db") if case["status"] == "feasible")
        grid = {**search, "sampling": {"method": "grid"}, "variables": {"rate": {"range": [0, 600], "count": 401}}}
        del grid["search"]
        self.run_study(grid, "grid")
        least = min(case["peak"] for case in self.cases("grid.db"))
        self.assertLess(abs(best - least), 0.01 * least)

    def test_show_and_report(self):
        """The parts of a load add up; friction is all that it costs, with what springs add to it."""
        self.simulated(self.model)
        self.run_study({**self.grid, "objectives": self.grid["objectives"][:1]}, "grid")
        case = next(case for case in self.cases("grid.db") if (case["pin"], case["rate"], case["dry"]) == (0.05, 300, 1))
        split = self.run_json("show", "grid.db", str(case["id"]), "--json")
        instants = split["explanation"]["critical_instants"][0]["instants"]
        self.assertTrue(instants)
        rows = self.simulated(self.model, None, "--set", "pin=0.05", "--set", "dry=1")
        without = self.simulated(self.model, None, "--set", "pin=0", "--set", "dry=0", "--set", "slow=0")
        for instant in instants:
            parts = instant["gravity"] + instant["inertia"] + instant["friction"] + sum(instant["springs"].values())
            self.assertAlmostEqual(parts, instant["load"], delta=1e-9)
            k = round(instant["t"] / 0.01)
            self.near(instant["load"], rows[k]["lift.load"], k, 1e-11)
            self.near(instant["friction"], rows[k]["lift.load"] - without[k]["lift.load"], k, 1e-9)
        self.assertIn("load = gravity + inertia + friction + springs", self.run_program("show", "grid.db", "best").stdout)
        self.run_program("report", "grid.db", "-o", "report.html")
        self.write("tolerances.json", {"samples": 20, "of": {"rate": {"percent": 10}, "pin": {"percent": 20}}})
        report = self.run_json("robustness", "grid.db", "--tolerances", "tolerances.json", "--top", "2", "--json")
        for design in report["motions"][0]["designs"]:
            self.assertGreaterEqual(design["worst"], design["nominal"])

    def test_friction_at_a_dead_centre_loads_the_pin_too(self):
        self.write("model.json", {
            "format": "counterpoise-model/1", "gravity": [0, 0, 0], "world": {"points": {"anchor": [3, 0, 0]}},
            "bodies": [
                {"name": "crank", "parent": "world", "joint": {"type": "revolute", "axis": "y", "friction": {"load_coefficient": 0.01}}},
                {"name": "rod", "parent": "crank", "points": {"end": [1, 0, 0]}, "joint": {"type": "revolute", "axis": "y", "origin": [0.3, 0, 0]}},
                {"name": "piston", "parent": "world", "points": {"pin": [0, 0, 0]},
                 "joint": {"type": "prismatic", "axis": "x", "origin": [1.3, 0, 0], "friction": {"coulomb": 100}}}],
            "loops": [{"name": "loop", "connect": ["rod.end", "piston.pin"]}],
            "springs": [{"name": "pull", "connect": ["piston.pin", "world.anchor"], "rate": 100}],
            "actuators": [{"name": "motor", "joint": "crank", "ratio": 1}]})
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"motor": {"values": [0, 1e-6]}}})
        said = self.run_program("simulate", "model.json", "--motion", "poses.json")
        for row in csv.DictReader(said.stdout.splitlines()):
            self.assertAlmostEqual(abs(float(row["motor.motor_torque"])), 0.01 * (170 + 100), delta=2e-4)

    def test_exact_searches_refuse_it(self):
        self.simulated(self.model)
        exact = {**self.study, "variables": {"rate": {"range": [0, 600]}}, "objectives": [
            {"name": "peak", "minimize": "max", "of": ["lift"]}, {"name": "mean", "minimize": "mean", "of": ["lift"]}]}
        for name, search in (("sized", {"method": "exact-springs"}),
                             ("proved", {"method": "exact-springs", "geometry": "prove"}),
                             ("near", {"method": "exact-springs", "within_percent": 2}),
                             ("front", {"method": "exact-springs", "trade_off": {"objectives": ["peak", "mean"], "points": 3}})):
            said = self.run_study({**exact, "search": search}, name, code=BAD_INPUT)
            self.assertIn("friction of the joint arm grows with its reaction, so that loads are not affine", said.stderr)
            self.assertIn("\"nlopt\", or sample", said.stderr)
            self.assertFalse((self.folder / f"{name}.db").exists())

    def test_other_formats_tell_that_they_lose_it(self):
        self.write("model.json", PIN)
        for to in ("urdf", "mjcf", "sdf"):
            said = self.run_program("convert", "model.json", "--to", to, "-o", f"robot.{to}")
            self.assertIn("the friction of arm that grows with its reaction is left out", said.stderr + said.stdout)

    def test_long_motions_in_stretches(self):
        """As many samples as are held several times over; the same load wherever the pose is the same."""
        long = {**SWING, "duration": 200, "step": 0.01}
        rows = self.simulated(self.model, long)
        self.assertEqual(len(rows), 20001)
        for k in range(0, 20001, 50):  # a period apart
            self.near(rows[k]["lift.load"], rows[0]["lift.load"], k, 1e-9)


class WrongInputs(WrongTable):
    def test_wrong_inputs(self):
        self.check_all(TABLE)


if __name__ == "__main__":
    unittest.main()
