#!/usr/bin/env python3
"""Springs on cables over pulleys: lengths by a closed form of their own, loads by virtual work, reactions by equilibrium,
studies, words, and what is refused."""

import copy
import csv
import json
import math
import random
import unittest

from program import BAD_INPUT, INFEASIBLE, ScratchFolder, changed, trials

RATE, FREE, INITIAL = 300.0, 0.4, 5.0
MODEL = {
    "format": "counterpoise-model/1",
    "parameters": {"radius": 0.04, "height": 0.2, "rate": RATE},
    "world": {"points": {"anchor": [-0.1, 0, -0.35]},
              "pulleys": {"guide": {"centre": [-0.04, 0, "height"], "axis": "y", "radius": "radius"}}},
    "bodies": [
        {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 2, "com": [0.2, 0, 0],
         "pulleys": {"elbow": {"centre": [0.4, 0, 0.05], "axis": "y", "radius": 0.02}}},
        {"name": "fore", "parent": "upper", "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0]},
         "mass": 1, "com": [0.15, 0, 0], "points": {"hook": [0.25, 0, 0.03]}}],
    "springs": [{"name": "pull", "connect": ["world.anchor", "world.guide", "upper.elbow", "fore.hook"],
                 "rate": "rate", "free_length": FREE, "initial_tension": INITIAL}],
    "actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "fore"}],
}
MOTION = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.05, "inertia": False, "coordinates": {
    "shoulder": {"type": "sine", "mean": 0.1, "amplitude": 0.4, "period": 2},
    "elbow": {"type": "sine", "mean": 0.4, "amplitude": 0.3, "period": 1}}}


def turned(place, angle):
    """(x, z) about y."""
    return (place[0] * math.cos(angle) + place[1] * math.sin(angle), place[1] * math.cos(angle) - place[0] * math.sin(angle))


def tangent(one, other):
    """Of two circles (x, z, radius), the line from the first to the second that has both on its right side, where x points
    right and z up, which is how a cable turns about +y: its length and its angle."""
    x, z = other[0] - one[0], other[1] - one[1]
    across = other[2] - one[2]
    distance = math.hypot(x, z)
    return math.sqrt(distance ** 2 - across ** 2), math.atan2(z, x) + math.asin(across / distance)


def cable(q, radius=0.04, centre=(-0.04, 0.2)):
    """The length over both pulleys, and the angles of its straight parts: from the pulley on the world to the elbow's, and from
    there, which are the same where the cable is lifted off the elbow's."""
    shoulder, elbow = q
    upper = lambda place: turned(place, shoulder)
    fore = turned((0.25, 0.03), shoulder + elbow)
    at_elbow = upper((0.4, 0))
    hook = (at_elbow[0] + fore[0], at_elbow[1] + fore[1])
    circles = [(-0.1, -0.35, 0), (*centre, radius), (*upper((0.4, 0.05)), 0.02), (*hook, 0)]
    while True:
        parts = [tangent(one, other) for one, other in zip(circles, circles[1:])]
        wraps = [(before[1] - behind[1]) % (2 * math.pi) for before, behind in zip(parts, parts[1:])]
        if len(circles) == 4 and wraps[1] > 5:
            del circles[2]  # it would have to turn the other way
            continue
        arcs = sum(circle[2] * wrap for circle, wrap in zip(circles[1:], wraps))
        return sum(part[0] for part in parts) + arcs, (parts[1][1], parts[-1][1], len(circles))


class Cables(ScratchFolder):
    def files(self, model=None, motion=None):
        self.write("model.json", model or MODEL)
        self.write("motion.json", motion or MOTION)

    def simulated(self, *arguments):
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", *arguments)
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def test_lengths_are_those_of_the_closed_form_and_loads_those_of_virtual_work(self):
        self.files()
        step = 1e-5
        with_springs, without = self.simulated(), self.simulated("--without-springs")
        self.assertEqual(len(with_springs), 41)
        self.assertEqual({cable((row["shoulder.position"], row["elbow.position"]))[1][2] for row in without}, {3, 4})
        for row, bare in zip(with_springs, without):
            q = (row["shoulder.position"], row["elbow.position"])
            length = cable(q)[0]
            self.assertAlmostEqual(row["pull.length"], length, delta=1e-13)
            tension = INITIAL + RATE * (length - FREE)
            self.assertAlmostEqual(row["pull.tension"], tension, delta=1e-10)
            for k, name in enumerate(("shoulder", "elbow")):
                moved = [list(q), list(q)]
                moved[0][k] += step
                moved[1][k] -= step
                slope = (cable(moved[0])[0] - cable(moved[1])[0]) / (2 * step)
                self.assertAlmostEqual(row[f"{name}.load"] - bare[f"{name}.load"], tension * slope, delta=1e-6)

    def test_long_motions_that_are_held_in_stretches_give_the_same(self):
        self.files()
        coarse = self.simulated()
        self.files(motion={**MOTION, "step": 1e-4})
        fine = self.simulated()
        self.assertEqual(len(fine), 20001)
        for one, other in zip(coarse, fine[::500], strict=True):
            self.assertAlmostEqual(one["pull.length"], other["pull.length"], delta=1e-12)
            self.assertAlmostEqual(one["shoulder.load"], other["shoulder.load"], delta=1e-9)

    def test_with_inertia_the_springs_add_the_same(self):
        self.files(motion={key: of for key, of in MOTION.items() if key != "inertia"})
        difference = [one["elbow.load"] - other["elbow.load"]
                      for one, other in zip(self.simulated(), self.simulated("--without-springs"))]
        self.files()
        still = [one["elbow.load"] - other["elbow.load"]
                 for one, other in zip(self.simulated(), self.simulated("--without-springs"))]
        for one, other in zip(difference, still, strict=True):
            self.assertAlmostEqual(one, other, delta=1e-11)

    def test_reactions_keep_each_body_in_equilibrium(self):
        """Of the forearm: its weight, the cable at the hook, and the joint; of both: also the cable at the shoulder's
        side of the pulley on the upper arm."""
        self.files()
        for row in self.simulated("--reactions"):
            q = (row["shoulder.position"], row["elbow.position"])
            _, angles = cable(q)
            weight = 9.81
            for body, frame, mass, angle in (("fore", sum(q), 1, angles[1]), ("upper", q[0], 3, angles[0])):
                pull = (-row["pull.tension"] * math.cos(angle), -row["pull.tension"] * math.sin(angle))
                found = turned((row[f"{body}.reaction.fx"], row[f"{body}.reaction.fz"]), frame)
                self.assertAlmostEqual(found[0] + pull[0], 0, delta=1e-9)
                self.assertAlmostEqual(found[1] + pull[1], mass * weight, delta=1e-9)

    def study(self, **more):
        self.files()
        self.write("study.json", {
            "format": "counterpoise-study/1", "model": "model.json", "motions": {"move": "motion.json"},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}], **more})
        return "study.json"

    def test_radius_and_place_of_a_pulley_are_variables_like_any(self):
        study = self.study(variables={"radius": {"values": [0.02, 0.03, 0.05]}, "height": {"values": [0.15, 0.25]}},
                           sampling={"method": "grid"})
        self.run_program("run", study, "-o", "r.db")
        rows = json.loads(self.run_program("rank", "r.db", "--all", "--top", "9", "--format", "json").stdout)
        self.assertEqual(len(rows), 6)
        for row in rows:
            model = copy.deepcopy(MODEL)
            model["parameters"].update(radius=row["radius"], height=row["height"])
            self.files(model)
            peak = max(abs(one["shoulder.load"]) for one in self.simulated())
            self.assertAlmostEqual(row["peak"], peak, delta=1e-12 * peak)

    def test_exact_springs_know_cables(self):
        model = copy.deepcopy(MODEL)
        model["parameters"]["preload"] = INITIAL
        model["springs"][0]["initial_tension"] = "preload"
        study = self.study(variables={"rate": {"range": [0, 900]}, "preload": {"range": [0, 40]}},
                           search={"method": "exact-springs"})
        self.write("model.json", model)
        self.run_program("run", study, "-o", "r.db")
        best = json.loads(self.run_program("rank", "r.db", "--top", "1", "--format", "json").stdout)[0]
        grid = [(rate, preload) for rate in range(0, 901, 50) for preload in range(0, 41, 5)]
        self.files(model)
        bare = self.simulated("--without-springs")
        worst = lambda rate, preload: max(
            abs(row["shoulder.load"] + (preload + rate * (length - FREE)) * slope)
            for row, (length, slope) in zip(bare, self.slopes(bare)))
        least = min(worst(*one) for one in grid)
        self.assertLessEqual(best["peak"], least * (1 + 1e-9))
        self.assertAlmostEqual(best["peak"], worst(best["rate"], best["preload"]), delta=1e-5)

    def slopes(self, rows):
        step = 1e-5
        found = []
        for row in rows:
            q = (row["shoulder.position"], row["elbow.position"])
            ends = [cable((q[0] + by, q[1]))[0] for by in (step, -step)]
            found.append((cable(q)[0], (ends[0] - ends[1]) / (2 * step)))
        return found

    def test_random_pulleys(self):
        chance = random.Random(44)
        for _ in range(trials(100)):
            centre = (chance.uniform(-0.06, 0.02), chance.uniform(0.12, 0.3))
            radius = chance.uniform(0.01, 0.05)
            model = copy.deepcopy(MODEL)
            model["world"]["pulleys"]["guide"].update(centre=[centre[0], 0, centre[1]], radius=radius)
            self.files(model)
            for row in self.simulated():
                q = (row["shoulder.position"], row["elbow.position"])
                self.assertAlmostEqual(row["pull.length"], cable(q, centre=centre, radius=radius)[0], delta=1e-12)

    def test_a_cable_that_cannot_be_laid_is_infeasible_with_a_reason(self):
        model = copy.deepcopy(MODEL)
        model["world"]["pulleys"]["guide"]["radius"] = 0.6
        self.files(model)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=INFEASIBLE)
        self.assertIn("spring pull has a cable that cannot go round a pulley", said.stderr)

    def test_a_cable_whose_ends_pass_each_other_is_refused_and_not_wound_up(self):
        model = {
            "format": "counterpoise-model/1",
            "world": {"points": {"anchor": [0, 0, 1]}, "pulleys": {"drum": {"centre": [0, 0, 0], "axis": "y", "radius": 0.1}}},
            "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 1,
                        "com": [0.1, 0, 0], "points": {"hook": [0.3, 0, 0]}}],
            "springs": [{"name": "pull", "connect": ["world.anchor", "world.drum", "arm.hook"], "rate": 10}],
            "actuators": [{"name": "turn", "joint": "arm"}]}
        motion = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.01, "coordinates": {
            "turn": {"type": "point-to-point", "from": 0, "to": 5.5, "profile": "quintic"}}}
        for step in (0.01, 1e-4):
            self.files(model, {**motion, "step": step})
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=INFEASIBLE)
            self.assertIn("has a cable without a course at t=0.7", said.stderr)
        self.files(model, {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [0, 4, 0.1]}}})
        lengths = [row["pull.length"] for row in self.simulated()]
        self.assertAlmostEqual(lengths[1], math.sqrt(0.99) + math.sqrt(0.08) + 0.1 * (
            4 + math.pi / 2 - math.acos(0.1) - math.acos(0.1 / 0.3)), delta=1e-12)

    ARM = {
        "format": "counterpoise-model/1",
        "world": {"points": {"anchor": [0, 0, 0.6]},
                  "pulleys": {"drum": {"centre": [-0.1, 0, 0.1], "axis": "y", "radius": 0.05}}},
        "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 1.5,
                    "com": [0.3, 0, 0], "inertia": [0, 0.02, 0.02, 0, 0, 0], "points": {"hook": [0.4, 0, 0]}}],
        "springs": [{"name": "pull", "connect": ["world.anchor", "world.drum", "arm.hook"], "rate": 10, "free_length": 0.5}],
        "actuators": [{"name": "turn", "joint": "arm"}]}

    def fallen(self, start, duration, code=0, **of_spring):
        model = copy.deepcopy(self.ARM)
        model["springs"][0].update(of_spring)
        self.write("model.json", model)
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": duration, "step": 0.05,
                                 "start": {"coordinates": {"turn": start}}, "actuators": {"turn": "free"}})
        said = self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "states.csv", code=code)
        return said, self.read_csv("states.csv")

    def test_a_fall_is_that_of_a_simple_integrator(self):
        """An arm that swings to the other side, where its cable lies on the drum, and back."""
        def length(q):
            x, z = 0.4 * math.cos(q), -0.4 * math.sin(q)
            around = (math.atan2(0.5, 0.1) - math.atan2(z - 0.1, x + 0.1)) % (2 * math.pi)
            wrap = around - math.acos(0.05 / math.hypot(0.1, 0.5)) - math.acos(0.05 / math.hypot(x + 0.1, z - 0.1))
            if wrap <= 0:
                return math.hypot(x, z - 0.6)
            return math.sqrt(0.26 - 0.0025) + math.sqrt((x + 0.1) ** 2 + (z - 0.1) ** 2 - 0.0025) + 0.05 * wrap

        def faster(q):
            slope = (length(q + 1e-6) - length(q - 1e-6)) / 2e-6
            return (1.5 * 9.81 * 0.3 * math.cos(q) - 10 * (length(q) - 0.5) * slope) / (0.02 + 1.5 * 0.09)
        _, rows = self.fallen(-0.3, 1.5)
        q, v, h = -0.3, 0.0, 1e-3
        detours = []
        for k, row in enumerate(rows):
            self.assertAlmostEqual(float(row["arm.q"]), q, delta=1e-5)
            self.assertAlmostEqual(float(row["pull.length"]), length(float(row["arm.q"])), delta=1e-12)
            self.assertAlmostEqual(float(row["energy.total"]), float(rows[0]["energy.total"]), delta=1e-4)
            detours.append(length(q) - math.hypot(0.4 * math.cos(q), -0.4 * math.sin(q) - 0.6))
            for _ in range(50):  # a step of the classical Runge-Kutta method
                k1, l1 = v, faster(q)
                k2, l2 = v + h / 2 * l1, faster(q + h / 2 * k1)
                k3, l3 = v + h / 2 * l2, faster(q + h / 2 * k2)
                k4, l4 = v + h * l3, faster(q + h * k3)
                q, v = q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        self.assertEqual(len(rows), 31)
        self.assertEqual(min(detours), 0)
        self.assertGreater(max(detours), 0.05)

    def test_a_cable_only_pulls(self):
        model = copy.deepcopy(MODEL)
        model["springs"][0]["free_length"] = 1.35
        self.files(model)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json")
        self.assertIn("note: spring pull would have to push", said.stderr)
        self.assertIn("note: spring pull shorter than free_length", said.stderr)
        model["springs"] = [{"name": "strut", "type": "gas", "connect": MODEL["springs"][0]["connect"],
                             "initial_tension": -50}]
        self.files(model)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json")
        self.assertIn("note: spring strut would have to push", said.stderr)
        model["springs"][0]["initial_tension"] = 50
        self.files(model)
        self.assertEqual({row["strut.tension"] for row in self.simulated()}, {50})
        self.refused("/springs/0/type", "which cannot push", springs__0__type="compression")
        self.refused("/springs/0/acts", "which cannot push", springs__0__acts="push")
        self.refused("/springs/0/acts", "which cannot push", springs__0__acts="both")

    def test_a_fall_ends_where_a_cable_would_have_to_push(self):
        said, rows = self.fallen(1.2, 1.5, code=INFEASIBLE, free_length=0.9, rate=600)
        self.assertIn("the cable of a spring would have to push", said.stderr)
        self.assertLess(len(rows), 31)

    def refused(self, *words, **changes):
        self.files(changed(MODEL, **changes))
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=BAD_INPUT)
        for word in words:
            self.assertIn(word, said.stderr)

    def test_mistakes_are_named_where_they_are(self):
        path = "springs__0__connect"
        guide = "world__pulleys__guide"
        self.refused("/springs/0/connect/3", '"upper.elbow"', "found pulley", **{path: ["world.anchor", "world.guide", "fore.hook", "upper.elbow"]})
        self.refused("/springs/0/connect/0", "found pulley", "pulleys stand between", **{path: ["world.guide", "fore.hook"]})
        self.refused("/springs/0/connect/1", "did you mean", **{path: ["world.anchor", "world.guid", "fore.hook"]})
        self.refused("/springs/0/connect/2", "another point or pulley", **{path: ["world.anchor", "world.guide", "world.guide", "fore.hook"]})
        self.refused("/springs/0/connect", "two points", **{path: ["world.anchor"]})
        self.refused("/springs/0/connect", "two points", **{path: []})
        self.refused("/world/pulleys/guide", '"radius"', "missing", **{guide: {"centre": [0, 0, 0], "axis": "y"}})
        self.refused("/world/pulleys/guide", '"axis"', "missing", **{guide: {"centre": [0, 0, 0], "radius": 0.1}})
        self.refused("/world/pulleys/guide", '"centre"', "missing", **{guide: {"axis": "y", "radius": 0.1}})
        self.refused("/world/pulleys/guide/radius", "not positive", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": 0}})
        self.refused("/world/pulleys/guide/radius", "not positive", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": "-radius"}})
        self.refused("/world/pulleys/guide/axis", "an axis", **{guide: {"centre": [0, 0, 0], "axis": "w", "radius": 1}})
        self.refused("/world/pulleys/guide/axis", "has no direction", **{guide: {"centre": [0, 0, 0], "axis": [0, 0, 0], "radius": 1}})
        self.refused("/world/pulleys/guide/centre", "a point", **{guide: {"centre": 1, "axis": "y", "radius": 1}})
        self.refused("/world/pulleys/guide", "side", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": 1, "side": "left"}})
        self.refused("/world/pulleys", "the name of point", **{"world__pulleys": {"anchor": {"centre": [0, 0, 0], "axis": "y", "radius": 1}}})
        self.refused("/springs/0/connect", "two points", **{path: "world.anchor"})
        self.refused("/springs/0/connect", "two points", **{path: {"from": "world.anchor"}})
        self.refused("/springs/0/connect/1", "a point", **{path: ["world.anchor", 1, "fore.hook"]})
        self.refused("/springs/0/connect/1", "a point", **{path: ["world.anchor", ["world.guide"], "fore.hook"]})
        self.refused("/springs/0/connect/1", "guide", **{path: ["world.anchor", "guide", "fore.hook"]})
        self.refused("/springs/0/connect/1", "sky.guide", **{path: ["world.anchor", "sky.guide", "fore.hook"]})
        self.refused("/springs/0/connect/1", "another point", **{path: ["world.anchor", "world.anchor"]})
        self.refused("/springs/0/connect/0", "found pulley", **{path: ["world.guide", "upper.elbow", "fore.hook"]})
        self.refused("/springs/0/over", "a key of a spring", springs__0__over=["world.guide"])
        self.refused("/actuators/0/connect", "two points", actuators__0={
            "name": "shoulder", "connect": ["world.anchor", "world.guide", "fore.hook"]})
        self.refused("/loops/0/connect", "two points", loops=[{"name": "l", "connect": ["world.anchor", "world.guide", "fore.hook"]}])
        self.refused("/world/pulleys", "name ->", world__pulleys=[])
        self.refused("/world/pulleys/guide", "a pulley", **{guide: [0, 0, 0.2]})
        self.refused("/world/pulleys/guide/centre", "found an array of 2", **{guide: {"centre": [0, 0], "axis": "y", "radius": 1}})
        self.refused("/world/pulleys/guide/radius", "kg", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": "1 kg"}})
        self.refused("/world/pulleys/guide/radius", "did you mean", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": "radus"}})
        self.refused("/world/pulleys/guide/radius", "a number", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": [1]}})
        self.refused("/world/pulleys/guide/radius", "a number", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": None}})
        self.refused("/world/pulleys/guide/axis", "an axis", **{guide: {"centre": [0, 0, 0], "axis": 1, "radius": 1}})
        self.refused("/world/pulleys/guide/note", "a note", **{guide: {"centre": [0, 0, 0], "axis": "y", "radius": 1, "note": 1}})
        self.refused("/bodies/0/pulleys/elbow/radius", "not positive", bodies__0__pulleys__elbow__radius=-1)
        self.refused("/bodies/0/pulley", "did you mean", bodies__0__pulley={})
        self.refused("/world/pulley", "pulleys", world__pulley={})
        self.refused("/world/pulleys", "the name of a pulley", **{"world__pulleys": {"a b": {"centre": [0, 0, 0], "axis": "y", "radius": 1}}})

    def test_pulleys_that_are_not_parallel_need_a_point_between_them(self):
        model = copy.deepcopy(MODEL)
        model["world"]["pulleys"]["guide"]["axis"] = [0, 1, 0.2]
        self.files(model)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", code=INFEASIBLE)
        self.assertIn("whose axes are not parallel", said.stderr)

    def test_what_cables_do_not_do_yet_says_so(self):
        self.write("fall.json", {
            "format": "counterpoise-scenario/1", "duration": 1, "step": 0.01, "start": {"coordinates": {"shoulder": 0}},
            "stops": [{"name": "end", "of": "pull", "max": 0.5}]})
        self.files()
        said = self.run_program("forward", "model.json", "--scenario", "fall.json", code=BAD_INPUT)
        self.assertIn("/stops/0", said.stderr)
        self.assertIn("has a cable over points or pulleys, expected a spring between two points", said.stderr)
        study = self.study(variables={"height": {"range": [0.1, 0.3]}, "rate": {"range": [0, 900]}},
                           search={"method": "exact-springs", "geometry": "prove"})
        said = self.run_program("run", study, "-o", "r.db", code=BAD_INPUT)
        self.assertIn("whose length a proof over geometry does not know", said.stderr)


if __name__ == "__main__":
    unittest.main()
