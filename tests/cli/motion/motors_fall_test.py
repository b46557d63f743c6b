#!/usr/bin/env python3
"""Falls with motors, brakes and courses of forces, as users run them: against a pendulum integrated here,
torques by hand, and what `simulate` says of the motor."""

import csv
import io
import json
import math
import unittest

from arm_files import FILES
from pendulum import FLOOR, Pendulum
from program import BAD_INPUT, DONE, ScratchFolder

RATIO, ROTOR = 50, 8e-6  # 80 g cm^2
WEIGHT = 2.5
LET_GO = ("forward", "model.json", "--scenario", "scenario.json")


class Driven(Pendulum):
    """The arm without a spring, whose rotor turns with it and whom a force lifts at the mount."""

    def __init__(self, rotor=RATIO**2 * ROTOR, push=lambda t: 0.0):
        super().__init__(0.0, WEIGHT, 0.3)
        self.inertia += rotor
        self.push, self.time = push, 0.0

    def torque(self, q):
        return super().torque(q) - 0.1 * math.cos(q) * self.push(self.time)

    def pushed(self, q, v, duration, h=1e-4):
        """States at multiples of h without a floor; in the middle of a step the push is that of there."""
        states = [(q, v)]
        for step in range(round(duration / h)):
            def slope(q, v, t):
                self.time = t
                return v, self.torque(q) / self.inertia
            t = step * h
            k1 = slope(q, v, t)
            k2 = slope(q + h / 2 * k1[0], v + h / 2 * k1[1], t + h / 2)
            k3 = slope(q + h / 2 * k2[0], v + h / 2 * k2[1], t + h / 2)
            k4 = slope(q + h * k3[0], v + h * k3[1], t + h)
            q += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            v += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
            states.append((q, v))
        return states


class Motors(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        self.model()

    def model(self, forces=None, **motor):
        document = json.loads(FILES["model.json"])
        document["actuators"][0].update({"ratio": RATIO, "rotor_inertia": "80 g*cm^2", **motor})
        if forces:
            document["forces"] = forces
        self.write("model.json", document)

    def scenario(self, **changes):
        document = json.loads(FILES["scenario.json"])
        document.update({"contacts": None, "stops": None, "start": {"coordinates": {"shoulder": 0.3}}})
        document.update(changes)
        self.write("scenario.json", {k: v for k, v in document.items() if v is not None})

    def states(self, *options):
        self.run_program(*LET_GO, "--set", "rate=0", "-o", "states.csv", *options, code=DONE)
        rows = list(csv.reader(io.StringIO((self.folder / "states.csv").read_text())))
        return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}

    def summary(self):
        return self.run_json(*LET_GO, "--set", "rate=0", "--json")

    def test_a_rotor_slows_the_fall_and_hits_the_harder(self):
        contacts = json.loads(FILES["scenario.json"])["contacts"]
        self.scenario(contacts=contacts)
        states, impacts = Driven().fall(0.3, 0.0, duration=1.0)
        found = self.states("--events", "events.csv")
        for t, q in zip(found["t"], found["upper.q"]):
            if abs(10 * t - round(10 * t)) < 1e-9:
                self.assertAlmostEqual(q, states[round(t / 2e-4)][0], delta=1e-6)
        hits = [event for event in self.read_csv("events.csv") if event["kind"] == "impact"]
        arm = 0.1 * math.cos(FLOOR)
        self.assertAlmostEqual(float(hits[0]["t"]), impacts[0][0], delta=1e-7)
        self.assertAlmostEqual(float(hits[0]["impulse"]), Driven().inertia * impacts[0][1] * 1.3 / arm, delta=1e-5)

    def test_simulate_finds_no_torque_in_the_motor_of_a_free_fall(self):
        """What arrives at the mechanism is what gears and rotor leave, so the motor itself gives nothing."""
        self.model(friction={"coulomb": 0.4, "viscous": 0.1})
        self.scenario(step=0.01)
        found = self.states()
        for q, v, a, load in zip(*(found[name][1:] for name in ("upper.q", "upper.qd", "upper.qdd", "shoulder.load"))):
            asked = 0.02 * a + WEIGHT * 0.2**2 * a - WEIGHT * 9.81 * 0.2 * math.cos(q)
            self.assertAlmostEqual(load, asked, delta=1e-9)
            motor = (load + math.copysign(0.4, v) + 0.1 * v) / RATIO + ROTOR * RATIO * a
            self.assertAlmostEqual(motor, 0, delta=1e-10)

    def test_does_it_stay_put(self):
        hangs = WEIGHT * 9.81 * 0.2 * math.cos(0.3)
        for motor, rule, stays in (({}, "free", False), ({"back_efficiency": 0}, "free", True),
                                   ({"friction": {"coulomb": 1.001 * hangs}}, "free", True),
                                   ({"friction": {"coulomb": 0.999 * hangs}}, "free", False),
                                   ({}, {"brake": {"torque": f"{1.001 * hangs / RATIO} N*m"}}, True),
                                   ({}, {"brake": {"load": "999 * 0.001 * 4.6"}}, False),
                                   ({"holding_load": 1.001 * hangs}, {"brake": {}}, True),
                                   ({"friction": {"coulomb": 0.6 * hangs}}, {"brake": {"load": 0.41 * hangs}}, True),
                                   ({"torque_constant": 0.02, "resistance": 1}, {"shorted": True}, False)):
            with self.subTest(motor=motor, rule=rule):
                self.model(**motor)
                self.scenario(actuators={"shoulder": rule})
                found = self.summary()
                self.assertEqual(found["stays"], stays)
                said = self.run_program(*LET_GO, "--set", "rate=0").stdout
                if stays:
                    self.assertEqual(found["moved"], 0)
                    self.assertAlmostEqual(found["actuators"][0]["load"], -hangs, delta=1e-9)
                    self.assertIn("\nstays put: no joint moves\n", said)
                else:
                    self.assertRegex(said, r"\ndoes not stay put: upper turns by up to [0-9.]+ rad, "
                                           r"upper.mount sinks by up to [0-9.]+ m\n")

    def test_what_has_hardly_begun_to_fall_does_not_stay_put(self):
        self.scenario(duration=1e-5, step=1e-5)
        found = self.summary()
        self.assertLess(found["joints"][0]["moved"], 1e-9 * 10)
        self.assertFalse(found["stays"])
        self.assertIn("\ndoes not stay put: ", self.run_program(*LET_GO, "--set", "rate=0").stdout)

    def test_how_far_it_moves(self):
        self.scenario(duration=0.2, step=0.01)
        found, states = self.summary(), Driven().pushed(0.3, 0.0, 0.2)
        way = states[-1][0] - 0.3
        self.assertEqual([joint["name"] for joint in found["joints"]], ["upper"])
        self.assertAlmostEqual(found["joints"][0]["moved"], way, delta=1e-6)
        self.assertAlmostEqual(found["actuators"][0]["moved"], way, delta=1e-6)
        self.assertAlmostEqual(found["moved"], 0.4 * math.sin(way / 2), delta=1e-6)  # the centre of mass
        self.assertAlmostEqual(found["points"][0]["drop"], 0.1 * (math.sin(states[-1][0]) - math.sin(0.3)), delta=1e-6)
        said = self.run_program(*LET_GO, "--set", "rate=0", "--display", "deg", "--display", "mm").stdout
        self.assertIn(f"upper turns by up to {math.degrees(way):.4g}"[:31], said)

    def test_a_brake_that_closes_late_and_shorted_windings(self):
        """From the closing on the arm slows down by hand: the brake less the weight, over the whole inertia."""
        self.model(torque_constant="20 mN*m/A", resistance=2)
        self.scenario(actuators={"shoulder": {"brake": {"torque": "150 mN*m", "at": "100 ms"}, "shorted": False}},
                      duration=0.5, step=0.005)
        found = self.states()
        inertia = Driven().inertia
        for t, q, v, a in zip(*(found[name] for name in ("t", "upper.q", "upper.qd", "upper.qdd"))):
            weight = WEIGHT * 9.81 * 0.2 * math.cos(q)
            if t > 0.1 + 1e-9 and v != 0:
                self.assertAlmostEqual(a, (weight - RATIO * 0.15) / inertia, delta=1e-9)
            if t < 0.1 - 1e-9:
                self.assertAlmostEqual(a, weight / inertia, delta=1e-9)
        self.assertEqual((found["upper.qd"][-1], found["upper.q"][-1]), (0, found["upper.q"][-2]))
        self.scenario(actuators={"shoulder": {"shorted": True}}, duration=0.5, step=0.05)
        found = self.states()
        for q, v, a in zip(found["upper.q"], found["upper.qd"], found["upper.qdd"]):
            damping = 0.02**2 / 2 * RATIO**2
            self.assertAlmostEqual(a, (WEIGHT * 9.81 * 0.2 * math.cos(q) - damping * v) / inertia, delta=1e-9)

    def test_a_force_takes_its_course_from_the_motion_or_a_profile(self):
        """The course of the motion goes on from the start's instant, and its last value stays."""
        self.model(forces=[{"name": "lift", "point": "upper.mount", "force": [0, 0, 20]}])
        motion = json.loads(FILES["motion.json"])
        times, factors = [0, 0.4, 0.6, 1], [0, 1, -0.5, 2]
        motion["forces"] = {"lift": {"type": "spline", "times": times, "values": factors, "ends": "natural"}}
        self.write("motion.json", motion)
        self.scenario(start={"motion": "motion.json", "time": 0.25}, forces={"lift": "motion"}, duration=1, step=0.1)
        going_on = self.states()
        # the same pieces by hand: natural cubic through the knots
        course = natural_spline(times, factors)
        driven = Driven(push=lambda t: 20 * course(min(0.25 + t, 1.0)))
        states = driven.pushed(0.5, 0.0, 1.0)
        for t, q in zip(going_on["t"], going_on["upper.q"]):
            self.assertAlmostEqual(q, states[round(t / 1e-4)][0], delta=1e-6)
        self.scenario(start={"motion": "motion.json", "time": 0.25}, duration=1, step=0.1)
        constant = self.states()
        states = Driven(push=lambda t: 20.0).pushed(0.5, 0.0, 1.0)
        self.assertAlmostEqual(constant["upper.q"][-1], states[-1][0], delta=1e-6)
        self.scenario(start={"motion": "motion.json", "time": 0.25}, duration=1, step=0.1,
                      forces={"lift": {"type": "sine", "mean": 0.2, "amplitude": 0.5, "period": 0.3}})
        found = self.states()
        states = Driven(push=lambda t: 20 * (0.2 + 0.5 * math.sin(2 * math.pi * t / 0.3))).pushed(0.5, 0.0, 1.0)
        self.assertAlmostEqual(found["upper.q"][-1], states[-1][0], delta=1e-6)

    def test_a_brake_beside_a_stop_bears_no_more_than_it_can(self):
        """A beam rests on a stop with its brake closed while a force begins to lift it."""
        self.write("model.json", {
            "format": "counterpoise-model/1", "bodies": [{
                "name": "beam", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 1, "com": [0.2, 0, 0],
                "inertia": [0.01, 0.01, 0.01, 0, 0, 0], "points": {"tip": [0.3, 0, 0]}}],
            "actuators": [{"name": "motor", "joint": "beam"}],
            "forces": [{"name": "lift", "point": "beam.tip", "force": [0, 0, 30]}]})
        self.write("scenario.json", {
            "format": "counterpoise-scenario/1", "duration": 0.6, "step": 0.05, "start": {"coordinates": {}},
            "actuators": {"motor": {"brake": {"load": 3, "at": 0}}},
            "stops": [{"name": "end", "of": "beam", "max": 0, "min": -2}],
            "forces": {"lift": {"type": "spline", "times": [0, 0.6], "values": [0, 1]}}})
        self.run_program(*LET_GO, "-o", "states.csv")
        rows = list(csv.DictReader(io.StringIO((self.folder / "states.csv").read_text())))
        loads = [abs(float(row["motor.load"])) for row in rows]
        self.assertLessEqual(max(loads), 3 * (1 + 1e-12))
        positions = {round(float(row["t"]), 9): float(row["beam.q"]) for row in rows}
        self.assertEqual(positions[0.3], 0)  # 4.5 N m lift it, 1.962 weigh it down, the brake holds 3
        self.assertLess(positions[0.4], 0)
        self.assertLess(positions[0.6], positions[0.4] - 0.5)

    def test_a_held_loop_asks_no_more_of_its_motor_than_dry_friction_may_add(self):
        point = lambda place: {"end": place}
        body = lambda name, parent, mass, com, **more: {
            "name": name, "parent": parent, "mass": mass, "com": com, "inertia": [0.01, 0.01, 0.01, 0, 0, 0], **more}
        turns = lambda **more: {"joint": {"type": "revolute", "axis": "y", **more}}
        held = []
        for coulomb in (0, 0.001):
            self.write("model.json", {
                "format": "counterpoise-model/1", "bodies": [
                    body("crank", "world", 1, [0.1, 0, 0], **turns(friction={"coulomb": coulomb})),
                    body("coupler", "crank", 2, [0.2, 0, 0], points=point([0.4, 0, 0.1]), **turns(origin=[0, 0, 0.3])),
                    body("rocker", "world", 1, [0, 0, 0.2], points=point([0, 0, 0.4]), **turns(origin=[0.4, 0, 0]))],
                "loops": [{"name": "pin", "connect": ["coupler.end", "rocker.end"], "keep": "parallel", "axes": ["y", "y"]}],
                "actuators": [{"name": "drive", "joint": "coupler"}]})
            self.write("scenario.json", {"format": "counterpoise-scenario/1", "duration": 0.02, "step": 0.01,
                                         "start": {"coordinates": {}}, "actuators": {"drive": "held"}})
            self.run_program(*LET_GO, "-o", "states.csv")
            rows = list(csv.DictReader(io.StringIO((self.folder / "states.csv").read_text())))
            held.append([float(row["drive.load"]) for row in rows])
        self.assertGreater(abs(held[0][0]), 0.5)
        for without, with_friction in zip(*held):
            self.assertAlmostEqual(without, with_friction, delta=0.01)

    def test_studies_read_how_far_it_moves(self):
        self.scenario(actuators={"shoulder": {"brake": {"load": 3}}}, duration=0.3, step=0.01, parameters={"rate": 0})
        study = json.loads(FILES["study.json"])
        weights = [0.5, 1, 2, 2.5]
        study.update({"scenarios": {"off": "scenario.json"}, "variables": {"weight": {"values": weights}},
                      "constraints": [{"name": "stays", "expression": "off.shoulder.moved", "max": 1, "unit": "deg"}],
                      "store": ["off.moved", "off.shoulder.moved"]})
        self.write("study.json", study)
        self.run_program("run", "study.json", "-o", "bound.db")
        del study["constraints"]
        self.write("study.json", study)
        self.run_program("run", "study.json", "-o", "free.db")
        bound, free = ({row["weight"]: row for row in self.cases(name)} for name in ("bound.db", "free.db"))
        for weight in weights:
            holds, row = weight * 9.81 * 0.2 * math.cos(0.3) < 3, free[weight]
            self.assertEqual(bound[weight]["status"], "feasible" if holds else "infeasible")
            self.assertEqual(row["off.moved"] == 0, holds)
            self.assertAlmostEqual(row["off.moved"], 0.4 * math.sin(row["off.shoulder.moved"] / 2), delta=1e-9)


def natural_spline(x, y):
    """The natural cubic through the points, by the tridiagonal system of its second derivatives."""
    n = len(x)
    lower, diagonal, upper, right = [0.0] * n, [1.0] * n, [0.0] * n, [0.0] * n
    for i in range(1, n - 1):
        h0, h1 = x[i] - x[i - 1], x[i + 1] - x[i]
        lower[i], diagonal[i], upper[i] = h0, 2 * (h0 + h1), h1
        right[i] = 6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0)
    for i in range(1, n):
        factor = lower[i] / diagonal[i - 1]
        diagonal[i] -= factor * upper[i - 1]
        right[i] -= factor * right[i - 1]
    bend = [0.0] * n
    for i in reversed(range(n)):
        bend[i] = (right[i] - (upper[i] * bend[i + 1] if i + 1 < n else 0.0)) / diagonal[i]

    def at(t):
        i = max(k for k in range(n - 1) if x[k] <= t or k == 0)
        h, u = x[i + 1] - x[i], t - x[i]
        slope = (y[i + 1] - y[i]) / h - h * (2 * bend[i] + bend[i + 1]) / 6
        return y[i] + u * (slope + u * (bend[i] / 2 + u * (bend[i + 1] - bend[i]) / (6 * h)))
    return at


if __name__ == "__main__":
    unittest.main()
