#!/usr/bin/env python3
"""Room to build: the distance of springs from obstacles over motions, against the plane kinematics of a two-link arm;
as metric, limit and constraint, in samples, exact searches and words; what is refused."""

import csv
import json
import math
import unittest

from arm_runs import ArmRuns
from program import BAD_INPUT, trials

MODEL = {
    "format": "counterpoise-model/1",
    "parameters": {"post": 0.3, "mount": 0.2, "tube": 0.03, "rate": 500, "coil": 0.012, "least": 0.0055},
    "world": {"points": {"post": [-0.02, 0, "post"]},
              "obstacles": {"wall": {"centre": [-0.2, 0.05, 0.4], "radius": 0.02}}},
    "bodies": [
        {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 2,
         "com": [0.2, 0, 0], "points": {"spring": ["mount", 0, 0.03], "elbow": [0.4, 0.02, 0]},
         "obstacles": {"motor": {"centre": "upper.elbow", "radius": 0.05}}},
        {"name": "fore", "parent": "upper", "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0.4, 0, 0]},
         "mass": 1, "com": [0.15, 0, 0],
         "obstacles": {"tube": {"from": [0.02, 0.03, 0.01], "to": [0.35, 0.03, -0.02], "radius": "tube"}}}],
    "springs": [{"name": "lift", "connect": ["world.post", "upper.spring"], "rate": "rate", "free_length": 0.05,
                 "radius": "coil"}],
    "actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "fore"}],
}
MOTION = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.05, "inertia": False, "coordinates": {
    "shoulder": {"type": "sine", "mean": 0.1, "amplitude": 0.5, "period": 2},
    "elbow": {"type": "sine", "mean": 1.43, "amplitude": 0.9, "period": 1.3}}}
PARAMETERS = MODEL["parameters"]
LEAST = PARAMETERS["least"]


def changed(**changes):
    """The model with other keys of its spring."""
    model = json.loads(json.dumps(MODEL))
    model["springs"][0].update(changes)
    return model


def turned(place, angle):
    """(x, z), turned up about the axis -y."""
    return (place[0] * math.cos(angle) - place[1] * math.sin(angle), place[0] * math.sin(angle) + place[1] * math.cos(angle))


def to_segment(p, a, b):
    """The distance in the plane of a place from a segment."""
    way = (b[0] - a[0], b[1] - a[1])
    square = way[0] ** 2 + way[1] ** 2
    share = 0 if square == 0 else ((p[0] - a[0]) * way[0] + (p[1] - a[1]) * way[1]) / square
    share = min(max(share, 0), 1)
    return math.hypot(p[0] - a[0] - share * way[0], p[1] - a[1] - share * way[1])


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def in_plane(a, b, c, d):
    """The distance of two segments in the plane: nothing where they cross, else that of an end."""
    if cross(a, b, c) * cross(a, b, d) < 0 and cross(c, d, a) * cross(c, d, b) < 0:
        return 0
    return min(to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b))


def clearances(time, values=None):
    """The distances of the spring from wall, motor and tube. All of them lie in planes y = const, so that the squares of
    the distance in the plane and of that between the planes add up."""
    v = {**PARAMETERS, **(values or {})}
    shoulder = 0.1 + 0.5 * math.sin(math.pi * time)
    both = shoulder + 1.43 + 0.9 * math.sin(2 * math.pi * time / 1.3)
    elbow = turned((0.4, 0), shoulder)
    fore = lambda place: (elbow[0] + turned(place, both)[0], elbow[1] + turned(place, both)[1])
    axis = ((-0.02, v["post"]), turned((v["mount"], 0.03), shoulder))
    others = {"world.wall": ((-0.2, 0.4), (-0.2, 0.4), 0.05, 0.02), "upper.motor": (elbow, elbow, 0.02, 0.05),
              "fore.tube": (fore((0.02, 0.01)), fore((0.35, -0.02)), 0.03, v["tube"])}
    return {name: math.hypot(in_plane(*axis, a, b), aside) - radius - v["coil"]
            for name, (a, b, aside, radius) in others.items()}


def clearance(time, values=None):
    return min(clearances(time, values).values())


def swept(values=None):
    return min(clearance(k * 0.05, values) for k in range(41))


class Clearance(ArmRuns):
    MODEL, MOTION = MODEL, MOTION

    def test_every_sample_has_the_distance_of_plane_kinematics(self):
        self.files()
        found = []
        for tube in (0.03, 0.06):
            rows = self.simulated("--set", f"tube={tube}")
            self.assertEqual(len(rows), 41)
            for row in rows:
                found.append(row["lift.clearance"])
                self.assertAlmostEqual(found[-1], clearance(row["t"], {"tube": tube}), places=12)
        self.assertLess(min(found), -0.02)
        self.assertGreater(max(found), 0.1)
        self.assertNotIn("lift.clearance", self.simulated("--without-springs")[0])

    def test_a_study_has_the_least_distance_over_its_motions_whatever_changed_before(self):
        points = {"mount": {"range": [0.08, 0.3], "count": 3}, "tube": {"range": [0.01, 0.06], "count": 3},
                  "coil": {"range": [0, 0.02], "count": 2}, "rate": {"range": [100, 900], "count": 2}}
        for sampling in ({"method": "random", "seed": 3, "count": trials(300)}, {"method": "grid"}):
            self.files(**{"variables": points, "sampling": sampling, "store": ["lift.clearance"],
                              "objectives": [{"name": "room", "expression": "-lift.clearance"}]})
            for row in self.run_cases():
                values = {name: row[name] for name in points}
                self.assertAlmostEqual(row["lift.clearance"], swept(values), places=12)
                self.assertAlmostEqual(row["room"], -swept(values), places=12)

    def test_a_limit_refuses_with_the_sample_the_obstacle_and_how_far(self):
        at = min(k for k in range(41) if clearance(k * 0.05) < LEAST) * 0.05
        name = min(clearances(at), key=clearances(at).get)
        self.files(changed(min_clearance="least"), **{
            "variables": {"mount": {"range": [0.05, 0.3], "count": 11}}, "sampling": {"method": "grid"}})
        words = (f"spring lift nearer than min_clearance to obstacle {name} at t={at:.6g} s "
                 f"({clearance(at):.6g} m against {LEAST} m)")
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
        self.assertIn(words, said.stderr)
        rows = self.run_cases()
        for row in rows:
            room = swept({"mount": float(row["mount"])})
            self.assertEqual(row["status"] == "feasible", room >= LEAST, (room, row))
            if room < LEAST:
                self.assertIn("spring lift nearer than min_clearance to obstacle ", row["reason"])
        self.assertGreater(sum(row["status"] == "feasible" for row in rows), 0)
        self.assertGreater(sum(row["status"] != "feasible" for row in rows), 0)
        self.assertIn("lift min_clearance", self.run_program("why", "out.db").stdout)

    def test_long_motions_are_swept_whole(self):
        motion = {**MOTION, "duration": 12, "step": 0.0005}
        self.files(changed(min_clearance=0.03, ignore=["fore", "upper.motor"]), motion)
        with_limit = self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
        with open(self.folder / "loads.csv", encoding="utf-8") as file:
            found = [float(row["lift.clearance"]) for row in csv.DictReader(file)]
        self.assertEqual(len(found), 24001)
        expected = clearances(5.25)["world.wall"]
        self.assertAlmostEqual(found[10500], expected, places=12)
        self.assertNotIn("min_clearance", with_limit.stderr)
        self.files(changed(min_clearance=2 * max(found), ignore=["fore", "upper.motor"]), motion)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "again.csv")
        self.assertIn("to obstacle world.wall at t=0 s", said.stderr)

    def test_an_exact_search_keeps_the_limit_and_reads_clearances(self):
        study = {"variables": {"rate": {"range": [0, 5000]}}, "search": {"method": "exact-springs"}, "store": "all"}
        room = {"constraints": [{"name": "room", "expression": "lift.clearance", "min": LEAST}]}
        kept = set()
        for mount in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3):
            least = swept({"mount": mount})
            peaks = []
            for limit, extra in (({}, {}), ({"min_clearance": "least"}, {}), ({}, room)):
                model = changed(**limit)
                model["parameters"]["mount"] = mount
                self.files(model, **{**study, **extra})
                if (limit or extra) and least < LEAST:
                    self.start("run", "study.json", "-o", "none.db").communicate()
                    self.assertFalse(any(row["status"] == "feasible" for row in self.cases("none.db")))
                    (self.folder / "none.db").unlink()
                    continue
                row = self.run_cases()[0]
                self.assertEqual(row["status"], "feasible", row)
                self.assertAlmostEqual(row["lift.clearance"], least, places=12)
                peaks.append(row["peak"])
            self.assertEqual(len(set(peaks)), 1)
            kept.add(least >= LEAST)
        self.assertEqual(kept, {True, False})

    def test_a_chosen_spring_is_as_thick_as_its_row_says(self):
        (self.folder / "springs.csv").write_text("rate [N/m],coil [m]\n500,0.03\n600,0.012\n900,0\n", encoding="utf-8")
        room = min(clearance(k * 0.05, {"coil": 0, "mount": 0.1}) for k in range(41))
        model = changed(min_clearance=room - 0.02)
        model["parameters"]["mount"] = 0.1
        self.files(model, **{"variables": {"spring": {"catalogue": "springs.csv", "sets": {"rate": "rate", "coil": "coil"}}},
                                 "search": {"method": "exact-springs"}, "store": "all"})
        row = self.run_cases()[0]
        self.assertEqual((row["status"], row["spring.row"]), ("feasible", 2))
        self.assertAlmostEqual(float(row["lift.clearance"]), room - 0.012, places=12)

    def test_a_proof_over_mounts_refuses_what_it_does_not_bound(self):
        study = {"variables": {"rate": {"range": [0, 5000]}, "mount": {"range": [0.05, 0.3]}},
                 "search": {"method": "exact-springs", "geometry": "prove", "gap": 0.1}}
        unbounded = "whose clearance from obstacles a proof over geometry does not bound"
        self.files(changed(min_clearance="least"), **study)
        said = self.run_program("run", "study.json", "-o", "out.db", code=BAD_INPUT)
        self.assertIn(f"/springs/0/min_clearance: limits spring lift, {unbounded}", said.stderr)
        self.files(**{**study, "constraints": [{"name": "room", "expression": "lift.clearance", "min": 0}]})
        said = self.run_program("run", "study.json", "-o", "out.db", code=BAD_INPUT)
        self.assertIn(f"reads lift.clearance, {unbounded}", said.stderr)
        self.assertFalse((self.folder / "out.db").exists())

    def test_straight_parts_of_cables_count_and_arcs_do_not(self):
        model = {"format": "counterpoise-model/1",
                 "world": {"points": {"anchor": [0, 0, 0]},
                           "pulleys": {"guide": {"centre": [0.1, 0, 0.5], "axis": "y", "radius": 0.1}},
                           "obstacles": {"rim": {"centre": [0.1, 0, 0.65], "radius": 0.03}}},
                 "bodies": [{"name": "weight", "parent": "world", "mass": 1, "points": {"hook": [0, 0, 0]},
                             "joint": {"type": "prismatic", "axis": "z", "origin": [0.2, 0, 0]}}],
                 "springs": [{"name": "rope", "connect": ["world.anchor", "world.guide", "weight.hook"], "rate": 10,
                              "radius": 0.004}],
                 "actuators": [{"name": "lift", "joint": "weight"}]}
        motion = {**MOTION, "coordinates": {"lift": {"type": "sine", "mean": 0.1, "amplitude": 0.1, "period": 2}}}
        self.files(model, motion)
        for row in self.simulated():  # both parts are vertical, x = 0 and x = 0.2, and end at z = 0.5
            self.assertAlmostEqual(row["rope.clearance"], math.hypot(0.1, 0.15) - 0.034, places=12)
        model["world"]["obstacles"] = {"beside": {"from": [0.3, -1, 0.4], "to": [0.3, 1, 0.4]}}
        self.files(model, motion)
        for row in self.simulated():
            self.assertAlmostEqual(row["rope.clearance"], 0.096, places=12)

    def test_a_cable_counts_up_to_where_it_touches_a_cam(self):
        """A cam that is a round drum on a lid: tangents to a circle, on one side of it in all poses."""
        lines = [f"{-3 + 0.1 * k},0.08,0,0.08" for k in range(60)]
        (self.folder / "drum.csv").write_text("\n".join(["angle [rad],lever [m],offset [m],radius [m]", *lines, ""]))
        model = {"format": "counterpoise-model/1",
                 "world": {"points": {"anchor": [0.5, 0, 0.1]},
                           "obstacles": {"knob": {"centre": [0.2, 0, 0.16]}, "pin": {"centre": [0.25, 0, -0.01]}}},
                 "bodies": [{"name": "lid", "parent": "world", "mass": 1, "joint": {"type": "revolute", "axis": "y"},
                             "pulleys": {"drum": {"centre": [0.1, 0, 0], "axis": "y", "zero": "x", "profile": "drum.csv"}}}],
                 "springs": [{"name": "rope", "connect": ["world.anchor", "lid.drum"], "rate": 10}],
                 "actuators": [{"name": "hinge", "joint": "lid"}]}
        motion = {**MOTION, "coordinates": {"hinge": {"type": "sine", "mean": 0, "amplitude": 0.4, "period": 2}}}
        self.files(model, motion)
        sides = set()
        for row in self.simulated():
            turn = 0.4 * math.sin(math.pi * row["t"])
            centre = (0.1 * math.cos(turn), -0.1 * math.sin(turn))
            way = (0.5 - centre[0], 0.1 - centre[1])
            apart, towards = math.hypot(*way), math.atan2(way[1], way[0])
            fits = []
            for side in (1, -1):
                angle = towards + side * math.acos(0.08 / apart)
                touch = (centre[0] + 0.08 * math.cos(angle), centre[1] + 0.08 * math.sin(angle))
                distance = min(to_segment(one, (0.5, 0.1), touch) for one in ((0.2, 0.16), (0.25, -0.01)))
                if abs(distance - row["rope.clearance"]) < 1e-9:
                    fits.append(side)
            self.assertEqual(len(fits), 1, row)
            sides.add(fits[0])
        self.assertEqual(len(sides), 1)

    def test_the_worst_of_tolerances_has_the_thickest_spring(self):
        """Corners with the same law and another radius are other corners, for numbers and for limits."""
        study = {"variables": {"mount": {"range": [0.1, 0.3], "count": 3}}, "sampling": {"method": "grid"},
                 "objectives": [{"name": "room", "expression": "-lift.clearance"}],
                 "tolerances": {"of": {"coil": {"plus_minus": 0.002}}}}
        for least in (-1, 0.0033):
            model = changed(min_clearance="least")
            model["parameters"]["least"] = least
            self.files(model, **study)
            self.run_cases()
            (ranking,) = self.run_json("robustness", "out.db", "--json")["motions"]
            worst = {row["mount"]: row for row in ranking["designs"]}
            for mount in (0.1, 0.2, 0.3):
                thin, thick = (swept({"mount": mount, "coil": coil}) for coil in (0.012, 0.014))
                if thin < least:
                    self.assertNotIn(mount, worst)
                elif thick < least:
                    self.assertIn("nearer than min_clearance", worst[mount]["worst_reason"])
                else:
                    self.assertAlmostEqual(worst[mount]["worst"], -thick, delta=1e-12)

    def test_words_say_so_where_a_mount_is_too_near_by_itself(self):
        model = changed(min_clearance=0.01)
        model["bodies"][0]["obstacles"]["bar"] = {"from": [0, 0, 0], "to": [0.4, 0, 0], "radius": 0.025}
        self.files(model)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
        self.assertIn('its mount upper.spring is as near to it in any pose: move it, or list under "ignore" what it may '
                      'touch', said.stderr)

    def test_mistakes_are_told_at_their_place(self):
        def obstacle(value):
            def change(model):
                model["bodies"][0]["obstacles"]["motor"] = value
            return change

        def spring(**changes):
            return lambda model: model["springs"][0].update(changes)

        def torsion(model):
            model["springs"] = [{"name": "coil", "type": "torsion", "joint": "upper", "rate": 1, "min_clearance": 0.1}]

        def no_obstacles(model):
            for owner in (model["world"], *model["bodies"]):
                owner.pop("obstacles", None)
            model["springs"][0]["min_clearance"] = 0.01

        at = "/bodies/0/obstacles/motor"
        for change, place, words in (
                (obstacle({"radius": 0.1}), at, "from"),
                (obstacle({"centre": [0, 0, 0], "radius": -0.1}), f"{at}/radius", "-0.1 m, expected 0 or more"),
                (obstacle({"centre": [0, 0], "radius": 0.1}), f"{at}/centre", "body.point"),
                (obstacle({"centre": "upper.nothing"}), f"{at}/centre", "upper.nothing"),
                (obstacle({"centre": "upper.elbow", "to": [0, 0, 0]}), f"{at}/to", '"to"'),
                (obstacle({"from": "upper.elbow", "to": [0, 0, "length"]}), f"{at}/to/2", "length"),
                (obstacle({"from": "upper.elbow", "to": "fore.x"}), f"{at}/to", "fore.x"),
                (obstacle([0, 0, 0]), at, "an object"),
                (spring(radius=-1), "/springs/0/radius", "-1 m, expected 0 or more"),
                (spring(ignore=["fore.tub"]), "/springs/0/ignore/0", 'did you mean "fore.tube"'),
                (spring(ignore="fore"), "/springs/0/ignore", "body.obstacle"),
                (spring(min_clearance=0.1, ignore=["fore", "upper", "world"]), "/springs/0/min_clearance",
                 "ignores all obstacles"),
                (spring(min_clearence=0.1), "/springs/0/min_clearence", 'did you mean "min_clearance"'),
                (no_obstacles, "/springs/0/min_clearance", "in a model without obstacles"),
                (torsion, "/springs/0/min_clearance", "expected a key of a torsion spring")):
            model = json.loads(json.dumps(MODEL))
            change(model)
            self.files(model)
            said = self.run_program("check", "model.json", code=BAD_INPUT)
            self.assertIn(f"{place}: ", said.stderr)
            self.assertIn(words, said.stderr)
        self.files(changed(ignore=["fore", "upper", "world"]), **{
            "variables": {"rate": {"range": [0, 500], "count": 3}}, "sampling": {"method": "grid"},
            "constraints": [{"name": "room", "expression": "lift.clearance", "min": 0}]})
        said = self.run_program("check", "study.json", code=BAD_INPUT)
        self.assertIn("/constraints/0/expression: ", said.stderr)
        self.assertIn("lift.clearance", said.stderr)


if __name__ == "__main__":
    unittest.main()
