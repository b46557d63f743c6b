#!/usr/bin/env python3
"""`forward` where a fall ends before its time: what is written up to there, and what is said."""

import csv
import json
import math
import unittest

from arm_files import FILES
from program import DONE, INFEASIBLE, ScratchFolder

G = 9.81
LET_GO = ("forward", "model.json", "--scenario", "scenario.json", "-o", "states.csv",
          "--events", "events.csv")


def rod(name, parent, x, angle):
    """A uniform rod of 1 m and 1 kg that turns in the plane of x and z, upwards positive."""
    return {"name": name, "parent": parent, "mass": 1, "com": [0.5, 0, 0],
            "inertia": [0, 1 / 12, 1 / 12, 0, 0, 0], "points": {"end": [1, 0, 0]},
            "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [x, 0, 0], "guess": angle}}


def double_four_bar():
    """Three cranks, 1 m apart, and two couplers between their upright ends."""
    up = math.pi / 2
    return {
        "format": "counterpoise-model/1",
        "bodies": [rod("first", "world", 0, up), rod("left", "first", 1, -up),
                   rod("middle", "world", 1, up), rod("right", "middle", 1, -up),
                   rod("third", "world", 2, up)],
        "loops": [{"name": "left_pin", "connect": ["left.end", "middle.end"]},
                  {"name": "right_pin", "connect": ["right.end", "third.end"]}],
        "actuators": [{"name": "drive", "joint": "first"}]}


def time_to_level(speed, steps=20000):
    """From the upright to the level, by 1.5 a'^2 + 3.5 g sin a = const: the couplers do not turn."""
    def slowness(angle):
        return 1 / math.sqrt(speed**2 + 3.5 / 1.5 * G * (1 - math.sin(angle)))
    width = math.pi / 2 / steps
    return width * sum(slowness((k + 0.5) * width) for k in range(steps))


class EndedFalls(ScratchFolder):
    def scenario(self, **keys):
        self.write("scenario.json", json.dumps({"format": "counterpoise-scenario/1", **keys}))

    def states(self):
        with open(self.folder / "states.csv", encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()}
                    for row in csv.DictReader(file)]

    def test_a_singular_pose_ends_the_fall_and_the_rows_are_kept(self):
        self.write("model.json", json.dumps(double_four_bar()))
        self.scenario(duration=2, step=0.01, start={
            "coordinates": {"first": math.pi / 2}, "velocities": {"first": -1}})
        said = self.run_program(*LET_GO, code=INFEASIBLE).stderr
        self.assertRegex(said, r"^the fall ends at t=0\.71\d* s, before its time: .*singular")
        known = time_to_level(1)
        rows = self.states()
        self.assertAlmostEqual(rows[-1]["t"], math.floor(known / 0.01) * 0.01, delta=1e-9)
        for row in rows:
            self.assertAlmostEqual(row["energy.total"], 1.5 + 3.5 * G, delta=1e-6)
            self.assertAlmostEqual(row["first.q"], row["third.q"], delta=1e-9)

    def follow_into_the_floor(self, **keys):
        """The arm follows a path that takes the mount 0.02 m below the floor and back."""
        for name, text in FILES.items():
            self.write(name, text)
        path = {"type": "sine", "amplitude": 1.5, "period": 4}
        contacts = json.loads(FILES["scenario.json"])["contacts"]
        self.scenario(duration=4, step=0.1, start={
            "coordinates": {"shoulder": 0}, "velocities": {"shoulder": 1.5 * math.pi / 2}},
                      actuators={"shoulder": {"follow": path}}, contacts=contacts, **keys)

    def test_what_is_followed_hits_the_floor_once_and_goes_on(self):
        self.follow_into_the_floor()
        self.run_program(*LET_GO, code=DONE)
        event, = self.read_csv("events.csv")
        self.assertEqual((event["contact"], event["kind"], float(event["impulse"])),
                         ("floor", "impact", 0))
        # the mount is at -0.1 sin(q), and the floor at -0.08 m
        self.assertAlmostEqual(1.5 * math.sin(math.pi / 2 * float(event["t"])), math.asin(0.8),
                               delta=1e-9)


if __name__ == "__main__":
    unittest.main()
