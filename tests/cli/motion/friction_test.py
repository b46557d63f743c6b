#!/usr/bin/env python3
"""Friction in joints and the motors of actuators: loads, columns and metrics by closed forms."""

import json
import math
import unittest

from arm_runs import ArmRuns
from program import EXAMPLES

PENDULUM = {
    "format": "counterpoise-model/1", "name": "pendulum", "parameters": {"dry": 0.7, "slow": 0.2},
    "world": {"points": {"peg": [-0.3, 0, 0.1]}},
    "bodies": [{"name": "arm", "parent": "world",
                "joint": {"type": "revolute", "axis": [0, -1, 0], "friction": {"coulomb": "dry", "viscous": "slow"}},
                "mass": 2, "com": [0.5, 0, 0], "inertia": [0.04, 0.04, 0.04, 0, 0, 0],
                "points": {"eye": [0.25, 0, 0.05]}}],
    "actuators": [{"name": "lift", "joint": "arm"}]}
SWING = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
         "coordinates": {"lift": {"type": "sine", "mean": 0.3, "amplitude": 0.4, "period": 0.5}}}
CYLINDER = {"name": "lift", "connect": ["world.peg", "arm.eye"]}


def swing(t):
    """Position, velocity and acceleration of SWING."""
    rate = 2 * math.pi / 0.5
    return (0.3 + 0.4 * math.sin(rate * t), 0.4 * rate * math.cos(rate * t), -0.4 * rate ** 2 * math.sin(rate * t))


def sign(x):
    return 0.0 if abs(x) <= 1e-9 else math.copysign(1.0, x)


class Runs(ArmRuns):
    def simulated(self, model, motion=None, *arguments):
        self.files(model, motion or SWING)
        return super().simulated(*arguments)

    def each_equal(self, rows, name, expected, tolerance=1e-11):
        for row in rows:
            size = 1.0 + abs(expected(row))
            self.assertAlmostEqual(row[name], expected(row), delta=tolerance * size, msg=(name, row["t"]))


class Friction(Runs):
    def test_a_pendulum(self):
        def load(row):
            q, v, a = swing(row["t"])
            return 2 * 9.81 * 0.5 * math.cos(q) + (0.04 + 2 * 0.25) * a + 0.9 * sign(v) + 0.2 * v
        self.each_equal(self.simulated(PENDULUM, None, "--set", "dry=0.9 N*m"), "lift.load", load)

    def test_what_is_at_rest_has_none(self):
        for motion in ({"format": "counterpoise-motion/1", "poses": {"lift": {"values": [0, 0.5, 1]}}},
                       {**SWING, "inertia": False},
                       {**SWING, "coordinates": {"lift": {"type": "hold", "value": 0.4}}}):
            rows = self.simulated(PENDULUM, motion)
            self.each_equal(rows, "lift.load", lambda row: 9.81 * math.cos(row["lift.position"]))

    def test_joints_of_a_loop_rub_as_fast_as_they_turn(self):
        """By virtual work: what the one actuator adds times its velocity is what all joints lose."""
        model = json.loads((EXAMPLES / "four_bar" / "model.json").read_text())
        motion = {**SWING, "coordinates": {model["actuators"][0]["name"]: SWING["coordinates"]["lift"]}}
        without = self.simulated(model, motion)
        rubs = {"lower_arm": (1.5, 0.3), "upper_arm": (0.4, 0), "head": (0, 0.25)}
        for body in model["bodies"]:
            dry, slow = rubs[body["name"]]
            body["joint"]["friction"] = {"coulomb": dry, "viscous": slow}
        found = self.simulated(model, motion)
        of = model["actuators"][0]["name"]
        compared = 0
        for row, smooth in zip(found, without, strict=True):
            v = row[f"{of}.velocity"]
            if abs(v) < 1e-3:
                continue
            lost = sum(dry * abs(row[f"{name}.qd"]) + slow * row[f"{name}.qd"] ** 2 for name, (dry, slow) in rubs.items())
            self.assertAlmostEqual((row[f"{of}.load"] - smooth[f"{of}.load"]) * v, lost, delta=1e-11 * (1 + lost))
            compared += 1
        self.assertGreater(compared, 90)

    def test_a_sliding_joint(self):
        model = {**PENDULUM, "bodies": [{"name": "arm", "parent": "world", "mass": 2, "joint": {
            "type": "prismatic", "axis": "z", "friction": {"coulomb": "5 N", "viscous": "3 N*s/m"}}}]}

        def load(row):
            _, v, a = swing(row["t"])
            return 2 * (9.81 + a) + 5 * sign(v) + 3 * v
        self.each_equal(self.simulated(model), "lift.load", load)

    def test_a_study_remembers_nothing_wrong(self):
        """Friction and the spring vary; each case is as simulated alone, and exact springs are the best of a grid."""
        model = {**PENDULUM, "parameters": {"dry": 0.7, "slow": 0.2, "rate": 300},
                 "springs": [{"name": "spring", "connect": ["world.peg", "arm.eye"], "rate": "rate",
                              "free_length": 0.2}]}
        study = {"format": "counterpoise-study/1", "name": "all", "model": "model.json",
                 "motions": {"swing": "motion.json"}, "sampling": {"method": "grid"},
                 "variables": {"dry": {"values": [0, 0.7, 2]}, "slow": {"values": [0, 0.3]},
                               "rate": {"values": [0, 150, 300]}},
                 "objectives": [{"name": "peak", "minimize": "max", "of": ["lift"]},
                                {"name": "mean", "minimize": "mean", "of": ["lift"]}]}
        self.simulated(model)
        self.write("study.json", study)
        self.run_program("run", "study.json", "-o", "all.db", "--threads", "1")
        cases = self.cases("all.db")
        self.assertEqual(len(cases), 18)
        for case in cases:
            rows = self.simulated(model, None, *(text for name in study["variables"]
                                                 for text in ("--set", f"{name}={case[name]!r}")))
            self.assertAlmostEqual(case["peak"], max(abs(row["lift.load"]) for row in rows), delta=1e-10)
        study["variables"] = {"rate": {"range": [0, 600]}}
        study["objectives"] = study["objectives"][:1]
        del study["sampling"]
        self.write("study.json", {**study, "search": {"method": "exact-springs"}})
        self.run_program("run", "study.json", "-o", "best.db")
        self.run_program("verify", "best.db")
        best = self.cases("best.db")[0]
        study["variables"]["rate"]["count"] = 401
        self.write("study.json", {**study, "sampling": {"method": "grid"}})
        self.run_program("run", "study.json", "-o", "grid.db")
        least = min(case["peak"] for case in self.cases("grid.db"))
        self.assertLessEqual(best["peak"], least + 1e-9)
        self.assertLess(least, best["peak"] * 1.01)
        split = json.loads(self.run_program("show", "best.db", "best", "--json").stdout)
        for instant in split["explanation"]["critical_instants"][0]["instants"]:
            parts = instant["gravity"] + instant["inertia"] + instant["friction"] + sum(instant["springs"].values())
            self.assertAlmostEqual(parts, instant["load"], delta=1e-9)
            _, v, _ = swing(instant["t"])
            self.assertAlmostEqual(instant["friction"], 0.7 * sign(v) + 0.2 * v, delta=1e-9)
        self.assertIn("load = gravity + inertia + friction + springs", self.run_program("show", "best.db", "best").stdout)

    def test_it_holds_or_brakes_what_is_let_go(self):
        """Below the limit the arm stays where it is, to the last digit; beyond it friction takes what it is said to."""
        self.write("model.json", PENDULUM)
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 2, "step": 0.01,
                                 "start": {"coordinates": {"lift": 0.4}}, "actuators": {"lift": "free"}})
        weight = 9.81 * math.cos(0.4)
        for dry, holds in ((weight * 1.001, True), (weight * 0.6, False)):
            self.run_program("forward", "model.json", "--scenario", "fall.json", "--set", f"dry={dry!r}", "-o", "f.csv")
            rows = [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("f.csv")]
            if holds:
                self.assertEqual({(row["arm.q"], row["arm.qd"]) for row in rows}, {(0.4, 0.0)})
                continue
            lost = 0.0
            for one, other in zip(rows, rows[1:]):
                lost += abs(other["arm.q"] - one["arm.q"]) * dry
                lost += 0.2 * 0.01 / 6 * (one["arm.qd"] ** 2 + other["arm.qd"] ** 2 +
                                          4 * ((one["arm.qd"] + other["arm.qd"]) / 2) ** 2)
                total = other["energy.total"] - rows[0]["energy.total"]
                self.assertAlmostEqual(total, other["energy.work"], delta=1e-8)
                self.assertAlmostEqual(total, -lost, delta=2e-3)
            self.assertLess(lost, 30)
            self.assertGreater(lost, 3)

    def test_dry_friction_holds_a_loop_that_is_let_go(self):
        model = json.loads((EXAMPLES / "four_bar" / "model.json").read_text())
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 0.1, "step": 0.01,
                                 "start": {"coordinates": {model["actuators"][0]["name"]: 0.2}},
                                 "actuators": {model["actuators"][0]["name"]: "free"}})
        for friction, holds in (({"coulomb": 1000}, True), ({"viscous": 1}, False)):
            model["bodies"][2]["joint"]["friction"] = friction
            self.write("model.json", model)
            self.assertEqual(self.run_json("forward", "model.json", "--scenario", "fall.json", "--json")["stays"], holds)

    def test_other_formats_get_it(self):
        self.write("model.json", PENDULUM)
        for name, to, damping, friction in (
                ("a.urdf", "urdf", 'damping="0.2"', 'friction="0.7"'),
                ("a.xml", "mjcf", 'damping="0.2"', 'frictionloss="0.7"'),
                ("a.sdf", "sdf", "<damping>0.2</damping>", "<friction>0.7</friction>")):
            self.run_program("convert", "model.json", "--to", to, "-o", name)
            text = (self.folder / name).read_text()
            self.assertIn(damping, text)
            self.assertIn(friction, text)


class Motors(Runs):
    motor = {"ratio": 60, "rotor_inertia": "80 g*cm^2", "efficiency": 0.8, "back_efficiency": 0.55,
             "friction": {"coulomb": 0.3, "viscous": 0.05}}

    def torque(self, row, a, ratio=60, rest=0.0):
        """By hand: load and friction through the gears, and the rotor's own inertia."""
        u, v = row["lift.load"], row["lift.velocity"]
        if abs(v) <= 1e-9:
            u += math.copysign(rest + 0.3, u)
            return u / ratio + 80e-7 * ratio * a
        u += 0.3 * sign(v) + 0.05 * v + (math.copysign(rest, u + 0.3 * sign(v) + 0.05 * v) if rest else 0.0)
        return (u / 0.8 if u * v > 0 else u * 0.55) / ratio + 80e-7 * ratio * a

    def test_columns_of_a_joint(self):
        rows = self.simulated({**PENDULUM, "actuators": [{"name": "lift", "joint": "arm", **self.motor}]})
        self.each_equal(rows, "lift.motor_speed", lambda row: 60 * swing(row["t"])[1])
        self.each_equal(rows, "lift.motor_torque", lambda row: self.torque(row, swing(row["t"])[2]))
        self.each_equal(rows, "lift.motor_power", lambda row: row["lift.motor_torque"] * row["lift.motor_speed"])

    def test_columns_of_a_screw(self):
        """The cylinder lengthens by the law of cosines."""
        ratio = 400 * math.pi
        model = {**PENDULUM, "actuators": [{**CYLINDER, **self.motor, "ratio": "200 turn/m",
                                            "friction": {"coulomb": "0.3 N", "viscous": "0.05 N*s/m"}}]}
        rows = self.simulated(model, {**SWING, "coordinates": {"arm": SWING["coordinates"]["lift"]}})
        one, other = math.hypot(0.3, 0.1), math.hypot(0.25, 0.05)

        def second(t):
            q, v, a = swing(t)
            angle = math.atan2(0.1, -0.3) - (q + math.atan2(0.05, 0.25))
            length = math.sqrt(one ** 2 + other ** 2 - 2 * one * other * math.cos(angle))
            slope = -one * other * math.sin(angle) / length
            return slope * a + (one * other * math.cos(angle) - slope ** 2) / length * v ** 2
        self.each_equal(rows, "lift.motor_torque", lambda row: self.torque(row, second(row["t"]), ratio), 1e-10)
        self.each_equal(rows, "lift.motor_speed", lambda row: ratio * row["lift.velocity"])

    def test_a_rotor_is_a_body_behind_a_gear(self):
        """An explicit rotor that a coupling turns loads the actuator as the motor's inertia does."""
        model = {**PENDULUM, "actuators": [{"name": "lift", "joint": "arm", "ratio": 60, "rotor_inertia": 8e-6}]}
        motor = self.simulated(model)
        rotor = {"name": "rotor", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]},
                 "inertia": [0, 8e-6, 0, 0, 0, 0], "any_inertia": True}
        geared = self.simulated({**PENDULUM, "bodies": [*PENDULUM["bodies"], rotor],
                                 "couplings": [{"name": "gear", "joint": "rotor", "of": "arm", "ratio": 60}]})
        for row, other in zip(motor, geared, strict=True):
            self.assertAlmostEqual(row["lift.motor_torque"] * 60, other["lift.load"],
                                   delta=1e-10 * (1 + abs(other["lift.load"])))

    def test_metrics(self):
        """As sums over the columns of `simulate`, weighted by the trapezoid rule, over two motions."""
        held = {**SWING, "coordinates": {"lift": {"type": "hold", "value": 0.4}}, "duration": 2}
        model = {**PENDULUM, "actuators": [{"name": "lift", "joint": "arm", **self.motor, "torque_constant": 0.024,
                                            "resistance": 0.6}]}
        names = ["motor_torque", "motor_rms", "motor_speed", "motor_power", "motor_energy", "holding_power"]
        study = {"format": "counterpoise-study/1", "name": "motor", "model": "model.json",
                 "motions": {"swing": "motion.json", "held": {"file": "held.json", "weight": 3}},
                 "variables": {"dry": {"values": [0, 0.7]}}, "sampling": {"method": "grid"}, "store": "all",
                 "drives": {"lift": {"recuperated": 0.4}},
                 "objectives": [{"name": name, "expression": f"lift.{name}"} for name in names]}
        self.write("held.json", held)
        self.simulated(model)
        self.write("study.json", study)
        self.run_program("run", "study.json", "-o", "motor.db")
        for case in self.cases("motor.db"):
            samples = []  # torque, speed, seconds
            for motion, weight in ((SWING, 1), (held, 3)):
                rows = self.simulated(model, motion, "--set", f"dry={case['dry']}")
                for k, row in enumerate(rows):
                    time = 0.01 * weight * (0.5 if k in (0, len(rows) - 1) else 1)
                    samples.append((row["lift.motor_torque"], row["lift.motor_speed"], time, motion is held))
            heat = [0.6 * (torque / 0.024) ** 2 for torque, *_ in samples]
            power = [torque * speed + loss for (torque, speed, *_), loss in zip(samples, heat)]
            total = sum(time for *_, time, _ in samples)
            expected = {
                "motor_torque": max(abs(torque) for torque, *_ in samples),
                "motor_rms": math.sqrt(sum(torque ** 2 * time for torque, _, time, _ in samples) / total),
                "motor_speed": max(abs(speed) for _, speed, *_ in samples),
                "motor_power": max(abs(torque * speed) for torque, speed, *_ in samples),
                "motor_energy": sum(time * (p if p > 0 else 0.4 * p) for (_, _, time, _), p in zip(samples, power)),
                "holding_power": max(loss for (*_, still), loss in zip(samples, heat) if still)}
            for name in names:
                self.assertAlmostEqual(case[name], expected[name], delta=1e-9 * expected[name], msg=name)

    def test_pauses(self):
        """The robot stands in the last pose; a brake takes the load off the motor."""
        model = {**PENDULUM, "actuators": [{"name": "lift", "joint": "arm", **self.motor, "torque_constant": 0.024,
                                            "resistance": 0.6}]}
        motion = {**SWING, "coordinates": {"lift": {"type": "point-to-point", "from": 0.2, "to": 0.9}}}
        rows = self.simulated(model, motion)
        moving = [(row["lift.motor_torque"], row["lift.motor_speed"], 0.01 * (0.5 if k in (0, 100) else 1))
                  for k, row in enumerate(rows)]
        for brake, held in ((False, (9.81 * math.cos(0.9) + 0.7 + 0.3) / 60), (True, 0.0)):
            self.write("study.json", {
                "format": "counterpoise-study/1", "name": "pause", "model": "model.json", "sampling": {"method": "grid"},
                "motions": {"swing": {"file": "motion.json", "weight": 2, "pause": "3 s"}},
                "variables": {"dry": {"values": [0.7]}}, "drives": {"lift": {"brake": brake}},
                "objectives": [{"name": name, "expression": f"lift.{name}"}
                               for name in ("motor_rms", "motor_energy", "holding_power")]})
            self.run_program("run", "study.json", "-o", "pause.db", "--force")
            case = self.cases("pause.db")[0]
            square = sum(torque ** 2 * time for torque, _, time in moving) + 3 * held ** 2
            self.assertAlmostEqual(case["motor_rms"], math.sqrt(square / 4), delta=1e-12)
            heat = 0.6 * (held / 0.024) ** 2
            energy = sum(time * max(0.0, torque * speed + 0.6 * (torque / 0.024) ** 2) for torque, speed, time in moving)
            self.assertAlmostEqual(case["motor_energy"], 2 * (energy + 3 * heat), delta=1e-9)
            at_rest = [0.6 * (rows[k]["lift.motor_torque"] / 0.024) ** 2 for k in (0, 100)]
            self.assertAlmostEqual(case["holding_power"], max(heat, *at_rest), delta=1e-9)

    def test_the_end_of_the_range_at_rest(self):
        """Dry friction of joint and gears holds up to its size; the motor carries the worse or the better end."""
        model = {**PENDULUM, "actuators": [{"name": "lift", "joint": "arm", "ratio": 50, "friction": {"coulomb": 0.3}}]}
        poses = {"format": "counterpoise-motion/1", "poses": {"lift": {"values": [0, 0.5, 1.5, 1.6]}}}
        self.simulated(model, poses)
        loads = [9.81 * math.cos(q) for q in (0, 0.5, 1.5, 1.6)]
        for end, expected in (("worst", [abs(u) + 1.0 for u in loads]),
                              ("favourable", [max(0.0, abs(u) - 1.0) for u in loads])):
            self.write("study.json", {
                "format": "counterpoise-study/1", "name": end, "model": "model.json", "motions": {"at": "motion.json"},
                "variables": {"dry": {"values": [0.7]}}, "sampling": {"method": "grid"},
                "drives": {"lift": {"at_rest": end}},
                "objectives": [{"name": "peak", "expression": "lift.motor_torque"},
                               {"name": "rms", "expression": "lift.motor_rms"}]})
            self.run_program("run", "study.json", "-o", f"{end}.db")
            case = self.cases(f"{end}.db")[0]
            self.assertAlmostEqual(case["peak"], max(expected) / 50, delta=1e-12)
            self.assertAlmostEqual(case["rms"], math.sqrt(sum(u * u for u in expected) / 4) / 50, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
