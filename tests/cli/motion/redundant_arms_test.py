#!/usr/bin/env python3
"""Arms with more joints than the path of their tool needs: the free ones move with the least norm. Paths
are compared with numpy's pseudo-inverse, integrated in small steps."""

import csv
import json
import math
import unittest

import numpy as np
from program import INFEASIBLE, ScratchFolder, trials

ABOUT_Y = np.array([0.0, -1.0, 0.0])
AXES = {"z": np.array([0.0, 0.0, 1.0]), "-y": ABOUT_Y, "x": np.array([1.0, 0.0, 0.0])}


def rotation(axis, angle):
    """By the formula of Rodrigues."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


class Arm:
    """Links in series, each with its axis and its length along x."""

    def __init__(self, axes, lengths):
        self.axes, self.lengths = [AXES[a] for a in axes], lengths
        self.names = [f"link{i}" for i in range(len(axes))]

    def model(self):
        bodies = [{"name": name, "parent": "world" if i == 0 else self.names[i - 1], "mass": 1, "com": [0.1, 0, 0],
                   "joint": {"type": "revolute", "axis": list(self.axes[i]),
                             "origin": [self.lengths[i - 1] if i else 0, 0, 0]}}
                  for i, name in enumerate(self.names)]
        bodies[-1]["points"] = {"tip": [self.lengths[-1], 0, 0]}
        return {"format": "counterpoise-model/1", "name": "arm", "bodies": bodies,
                "actuators": [{"name": f"motor{i}", "joint": name} for i, name in enumerate(self.names)]}

    def pose(self, q):
        """Where the tip is, how the last link is turned, and each joint's place and axis in the world."""
        p, r, joints = np.zeros(3), np.eye(3), []
        for axis, length, angle in zip(self.axes, self.lengths, q):
            joints.append((p, r @ axis))
            r = r @ rotation(axis, angle)
            p = p + r @ np.array([length, 0, 0])
        return p, r, joints

    def jacobian(self, q, turns):
        p, _, joints = self.pose(q)
        move = np.array([np.cross(axis, p - place) for place, axis in joints]).T
        return np.vstack([move, np.array([axis for _, axis in joints]).T]) if turns else move[[0, 2]]


def yaw_pitch_roll(r):
    return math.atan2(r[1, 0], r[0, 0]), math.asin(-r[2, 0]), math.atan2(r[2, 1], r[2, 2])


class RedundantArms(ScratchFolder):
    def simulated(self, arm, motion, *arguments):
        self.write("model.json", arm.model())
        self.write("motion.json", {"format": "counterpoise-motion/1", "redundant": "least-norm", **motion})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", *arguments)
        rows = [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]
        return [row["t"] for row in rows], *(np.array([[row[f"{name}.{what}"] for name in arm.names] for row in rows])
                                             for what in ("q", "qd", "qdd"))

    def check_least_norm(self, arm, times, q, v, speed_of_tip, turns=False):
        """That no part of the velocities leaves the tool where it is, and that positions are what
        pseudo-inverses lead to."""
        for row, rates in zip(q, v):
            jacobian = arm.jacobian(row, turns)
            least = np.linalg.pinv(jacobian) @ jacobian @ rates
            self.assertLess(np.linalg.norm(rates - least), 2e-6 * (1 + np.linalg.norm(rates)))
        substeps = 4
        at = q[0].copy()
        for k, t in enumerate(times[:-1]):
            h = (times[k + 1] - t) / substeps
            for i in range(substeps):
                def rate(t, q):
                    return np.linalg.pinv(arm.jacobian(q, turns)) @ speed_of_tip(t)
                s = t + i * h
                one = rate(s, at)
                two = rate(s + h / 2, at + h / 2 * one)
                three = rate(s + h / 2, at + h / 2 * two)
                four = rate(s + h, at + h * three)
                at = at + h / 6 * (one + 2 * two + 2 * three + four)
            self.assertLess(np.abs(q[k + 1] - at).max(), 1e-7)

    def check_derivatives(self, times, q, v, a):
        h = times[1] - times[0]
        slopes = (8 * (q[3:-1] - q[1:-3]) - (q[4:] - q[:-4])) / (12 * h)
        self.assertLess(np.abs(slopes - v[2:-2]).max(), 1e-4 * (1 + np.abs(v).max()))
        slopes = (v[2:] - v[:-2]) / (2 * h)
        self.assertLess(np.abs(slopes - a[1:-1]).max(), 1e-2 * (1 + np.abs(a).max()))

    def circle(self, arm, q, radius, period):
        """A motion of the tip around where it is in this pose, and how fast it goes."""
        (x, _, z), _, _ = arm.pose(q)
        turn = 2 * math.pi / period
        motion = {"duration": period, "step": period / 200, "guess": dict(zip(arm.names, map(float, q))),
                  "points": {f"{arm.names[-1]}.tip": {
                      "x": {"type": "sine", "mean": x, "amplitude": radius, "period": period},
                      "z": {"type": "sine", "mean": z - radius, "amplitude": radius, "period": period,
                            "phase": math.pi / 2}}}}
        return motion, lambda t: radius * turn * np.array([math.cos(turn * t), -math.sin(turn * t)])

    def test_circles_of_plane_arms(self):
        random = np.random.default_rng(41)
        for _ in range(trials(60)):
            joints = int(random.integers(3, 6))
            arm = Arm(["-y"] * joints, list(map(float, random.uniform(0.3, 0.6, joints))))
            start = np.concatenate([[random.uniform(-1, 0)], random.uniform(0.4, 1.2, joints - 1)])
            motion, speed = self.circle(arm, start, 0.05, float(random.uniform(1, 3)))
            times, q, v, a = self.simulated(arm, motion)
            self.check_least_norm(arm, times, q, v, speed)
            self.check_derivatives(times, q, v, a)
            self.assertLess(np.abs(q[0] - start).max(), 1e-9)
            profiles = motion["points"][f"{arm.names[-1]}.tip"]
            for t, row in zip(times, q):
                turned = 2 * math.pi * t / profiles["x"]["period"]
                tip = arm.pose(row)[0]
                self.assertAlmostEqual(tip[0], profiles["x"]["mean"] + 0.05 * math.sin(turned), delta=1e-12)
                self.assertAlmostEqual(tip[2], profiles["z"]["mean"] + 0.05 * math.cos(turned), delta=1e-12)
            # the path closes, and the joints need not
            self.assertGreater(np.abs(q[-1] - q[0]).max(), 1e-6)

    def test_seven_joints_that_keep_the_direction_of_the_tool(self):
        arm = Arm(["z", "-y", "x", "-y", "x", "-y", "x"], [0.2, 0.15, 0.3, 0.15, 0.25, 0.1, 0.1])
        start = np.array([0.3, 0.6, 0.2, -1.1, 0.3, 0.9, -0.2])
        (x, y, z), r, _ = arm.pose(start)
        yaw, pitch, roll = yaw_pitch_roll(r)

        def hold(value):
            return {"type": "hold", "value": value}
        times, q, v, a = self.simulated(arm, {
            "duration": 2, "step": 0.01, "guess": dict(zip(arm.names, map(float, start))),
            "points": {"link6.tip": {"x": hold(x), "z": hold(z),
                                     "y": {"type": "sine", "mean": y, "amplitude": 0.1, "period": 2}}},
            "orientations": {"link6": {"roll": hold(roll), "pitch": hold(pitch), "yaw": hold(yaw)}}})
        self.check_least_norm(arm, times, q, v,
                              lambda t: np.array([0, 0.1 * math.pi * math.cos(math.pi * t), 0, 0, 0, 0]), turns=True)
        self.check_derivatives(times, q, v, a)
        for t, row in zip(times, q):
            tip, turned, _ = arm.pose(row)
            self.assertLess(np.abs(tip - [x, y + 0.1 * math.sin(math.pi * t), z]).max(), 1e-12)
            self.assertLess(np.abs(turned - r).max(), 1e-11)

    def test_a_coordinate_that_is_given_is_kept(self):
        arm = Arm(["-y"] * 4, [0.4, 0.4, 0.3, 0.2])
        motion, _ = self.circle(arm, np.array([-0.5, 0.6, 0.7, 0.8]), 0.05, 2.0)
        _, q, _, _ = self.simulated(arm, {**motion, "coordinates": {
            "motor1": {"type": "point-to-point", "from": 0.6, "to": 0.7}}})
        self.assertAlmostEqual(q[0][1], 0.6, delta=1e-12)
        self.assertAlmostEqual(q[-1][1], 0.7, delta=1e-12)

    def test_the_norm_is_that_of_actuators(self):
        """A cylinder lifts the first link, so that its speed counts in m/s, and not the joint's in rad/s."""
        arm = Arm(["-y"] * 3, [0.4, 0.4, 0.3])
        motion, _ = self.circle(arm, np.array([-0.5, 0.8, 0.7]), 0.05, 2.0)
        motion["guess"] = {"link0": -0.5, "motor1": 0.8, "motor2": 0.7}
        model = arm.model()
        model["world"] = {"points": {"foot": [0.1, 0, -0.3]}}
        model["bodies"][0]["points"] = {"lug": [0.2, 0, 0]}
        model["actuators"][0] = {"name": "cylinder", "connect": ["world.foot", "link0.lug"]}
        arm.model = lambda: model
        _, q, v, _ = self.simulated(arm, motion)
        for row, rates in zip(q, v):
            lug = 0.2 * np.array([math.cos(row[0]), 0, math.sin(row[0])])
            line = lug - [0.1, 0, -0.3]
            per_angle = line @ np.cross(ABOUT_Y, lug) / np.linalg.norm(line)
            free = np.linalg.svd(arm.jacobian(row, False))[2][2]
            scale = np.array([per_angle, 1, 1])
            self.assertLess(abs((scale * free) @ (scale * rates)), 2e-6 * (1 + np.linalg.norm(rates)))
        joints = np.linalg.svd(arm.jacobian(q[50], False))[2][2] @ v[50]
        self.assertGreater(abs(joints), 1e-3)  # it is not that of the joints

    def test_designs_share_the_course_of_the_free_joint(self):
        arm = Arm(["-y"] * 3, [0.4, 0.4, 0.3])
        motion, _ = self.circle(arm, np.array([-0.5, 0.8, 0.7]), 0.05, 2.0)
        model = arm.model()
        model["parameters"] = {"last": 0.3}
        model["bodies"][-1]["points"]["tip"] = ["last", 0, 0]
        arm.model = lambda: model
        told = {}
        for last in (0.3, 0.33):
            _, q, _, _ = self.simulated(arm, motion, "--set", f"last={last}")
            arm.lengths[-1] = last
            for row, t in zip(q, np.linspace(0, 2, len(q))):
                x = motion["points"]["link2.tip"]["x"]["mean"] + 0.05 * math.sin(math.pi * t)
                self.assertAlmostEqual(arm.pose(row)[0][0], x, delta=1e-12)
            told[last] = q
        same = [joint for joint in range(3) if np.abs(told[0.3] - told[0.33])[:, joint].max() < 1e-12]
        self.assertEqual(len(same), 1)

    def test_a_path_out_of_reach_is_named(self):
        arm = Arm(["-y"] * 3, [0.4, 0.4, 0.3])
        self.write("model.json", arm.model())
        self.write("motion.json", {
            "format": "counterpoise-motion/1", "redundant": "least-norm", "step": 0.01,
            "guess": {"motor0": -0.5, "motor1": 0.8, "motor2": 0.7},
            "points": {"link2.tip": {"start": [0.6, 0, 0.2], "moves": [{"to": [1.6, 0, 0.2], "duration": 1}]}}})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=INFEASIBLE)
        self.assertIn("link2.tip", said.stderr)


if __name__ == "__main__":
    unittest.main()
