#!/usr/bin/env python3
"""Cams that springs' cables are fixed to, and the command that makes them: loads that are left, closed forms of published
balancers, drawings, words, and what is refused."""

import csv
import json
import math
import random
import re
import unittest

from program import BAD_INPUT, INFEASIBLE, ScratchFolder, changed, trials

MASS, ARM, GRAVITY = 2.0, 0.3, 9.81
RATE = 800.0
MODEL = {
    "format": "counterpoise-model/1",
    "parameters": {"rate": RATE, "free": 0.2},
    "world": {"points": {"anchor": [-0.05, 0, -0.4]}},
    "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": MASS, "com": [0, 0, ARM],
                "pulleys": {"cam": {"centre": [0, 0, 0], "axis": "y", "zero": "x", "profile": "cam.csv"}}}],
    "springs": [{"name": "lift", "connect": ["world.anchor", "arm.cam"], "rate": "rate", "free_length": "free"}],
    "actuators": [{"name": "turn", "joint": "arm", "min_position": "20 deg", "max_position": "140 deg"}],
}


class Cams(ScratchFolder):
    def made(self, model=MODEL, *arguments, tension="20 N", settings=()):
        self.write("model.json", model)
        said = self.run_program("cam", "model.json", "--spring", "lift", *(["--tension", tension] if tension else []),
                                "-o", "cam.csv", "--json", *arguments, *settings)
        return json.loads(said.stdout)

    def poses(self, values, name="turn", model="model.json", settings=(), extra=()):
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {name: {"values": values}}})
        said = self.run_program("simulate", model, "--motion", "poses.json", *settings, *extra)
        return [{key: float(cell) for key, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def assert_balanced(self, made, model=MODEL, only=True):
        chance = random.Random(4)
        values = [made["from"], made["to"]] + [chance.uniform(made["from"], made["to"]) for _ in range(300)]
        settings = ["--set", f"free={made['free_length']!r}"]
        rows = self.poses(values, settings=settings)
        bare = self.poses(values, extra=["--without-springs"])
        largest = max(abs(row["turn.load"]) for row in bare) if only else made["load_without"]
        self.assertGreater(largest, 0.1)
        self.assertAlmostEqual(made["load_without"], largest, delta=1e-2 * largest)
        self.assertLess(max(abs(row["turn.load"]) for row in rows), 1e-9 * largest)
        self.assertLess(made["load_left"], 1e-9 * largest)
        return rows, bare

    def test_a_cam_balances_its_pendulum_over_the_whole_range(self):
        made = self.made()
        rows, _ = self.assert_balanced(made)
        self.assertAlmostEqual(rows[0]["lift.tension"], 20, delta=1e-9)
        energies = [0.5 * RATE * (row["lift.length"] - made["free_length"]) ** 2
                    + MASS * GRAVITY * ARM * math.cos(row["turn.position"]) for row in rows]
        for energy in energies:  # none of it comes or goes
            self.assertAlmostEqual(energy, energies[0], delta=1e-9)

    def test_random_cams(self):
        chance = random.Random(4413)
        some = 0
        for _ in range(trials(100)):
            angle, away, mass, rate = chance.uniform(1.0, 2.6), chance.uniform(0.3, 0.8), chance.uniform(0.5, 4), chance.uniform(400, 1500)
            com, first = (chance.uniform(-0.1, 0.1), 0, chance.uniform(0.1, 0.4)), chance.uniform(0.1, 0.7)
            model = changed(
                MODEL, bodies__0__mass=mass, bodies__0__com=com, parameters__rate=rate,
                world__points__anchor=[away * math.cos(angle), 0, -away * math.sin(angle)],
                actuators__0__min_position=first, actuators__0__max_position=chance.uniform(1.2, 2.5))
            reach = math.hypot(*com)  # the tension of a spring that is slack in the upright pose, and less
            slack = 2 * math.sqrt(mass * GRAVITY * reach * rate) * math.sin((first + math.atan2(com[0], com[2])) / 2)
            self.write("model.json", model)
            process = self.start("cam", "model.json", "--spring", "lift", "--tension", f"{slack * chance.uniform(0.8, 1)} N",
                                 "-o", "cam.csv", "--json")
            output, messages = process.communicate()
            if process.returncode == INFEASIBLE:
                self.assertIn("no cam: ", messages)
                continue
            some += 1
            self.assert_balanced(json.loads(output), model)
        self.assertGreater(some, trials(30))

    def test_the_published_cam_of_a_pendulum(self):
        """The non-circular pulley by which a linear spring that is slack in the upright pose carries a pendulum: at the angle
        theta from upright, its lever is sqrt(m g l / k) cos(theta / 2), its tension 2 sqrt(m g l k) sin(theta / 2) (the
        passive compensation of Ulrich and Kumar, 1991)."""
        root = math.sqrt(MASS * GRAVITY * ARM / RATE)
        model = changed(MODEL, actuators__0__min_position="10 deg",
                        actuators__0__max_position="150 deg")
        first, last = math.radians(10), math.radians(150)
        tension = lambda theta: 2 * root * RATE * math.sin(theta / 2)
        made = self.made(model, tension=repr(tension(first)))
        rows, _ = self.assert_balanced(made, model)
        for row in rows:
            self.assertAlmostEqual(row["lift.tension"], tension(row["turn.position"]), delta=1e-9)
        self.assertAlmostEqual(root, 0.0857758707330, delta=1e-12)  # 85.8 mm
        ends = sorted(root * math.cos(theta / 2) for theta in (first, last))
        self.assertAlmostEqual(min(abs(made["lever"]["least"]), abs(made["lever"]["greatest"])), ends[0], delta=1e-12)
        self.assertAlmostEqual(max(abs(made["lever"]["least"]), abs(made["lever"]["greatest"])), ends[1], delta=1e-12)
        for row in self.read_csv("cam.csv"):  # each tangent, turned with the arm, goes through the anchor
            angle, lever = float(row["angle [rad]"]), float(row["lever [mm]"]) / 1e3
            theta = 2 * math.acos(min(1, abs(lever) / root))
            x, z = -0.05, -0.4  # into the arm's axes; about y, x goes to -z
            u, v = x * math.cos(theta) - z * math.sin(theta), -(x * math.sin(theta) + z * math.cos(theta))
            self.assertAlmostEqual(u * math.cos(angle) + v * math.sin(angle), lever, delta=1e-10)

    def test_the_edge_is_the_envelope_of_its_tangents(self):
        self.made()
        rows = [{key: float(cell) for key, cell in row.items()} for row in self.read_csv("cam.csv")]
        self.assertEqual(list(rows[0]), ["angle [rad]", "lever [mm]", "offset [mm]", "radius [mm]", "x [mm]", "y [mm]"])
        for before, row, behind in zip(rows, rows[1:], rows[2:]):
            a, b, angle, lever = (before["angle [rad]"], behind["angle [rad]"], row["angle [rad]"], row["lever [mm]"])
            crossing = [(other["lever [mm]"] - lever * math.cos(other["angle [rad]"] - angle)) / math.sin(other["angle [rad]"] - angle)
                        for other in (before, behind)]  # of the tangents before and behind, along this one
            self.assertLess(crossing[0], row["offset [mm]"])
            self.assertGreater(crossing[1], row["offset [mm]"])
            self.assertAlmostEqual(row["x [mm]"], lever * math.cos(angle) - row["offset [mm]"] * math.sin(angle), delta=1e-9)
            self.assertAlmostEqual(row["y [mm]"], lever * math.sin(angle) + row["offset [mm]"] * math.cos(angle), delta=1e-9)
            step = math.hypot(behind["x [mm]"] - before["x [mm]"], behind["y [mm]"] - before["y [mm]"])
            self.assertAlmostEqual(step / (b - a) / row["radius [mm]"], 1, delta=1e-2)

    def test_cams_of_other_mechanisms(self):
        """A cable that begins at its cam; a cam in the base, beside the joint; a load that another spring shares;
        a spring of constant force against a torsion spring."""
        start = changed(MODEL, springs__0__connect=["arm.cam", "world.anchor"], bodies__0__pulleys__cam__axis=[0, -1, 0])
        self.assert_balanced(self.made(start), start)
        base = changed(MODEL, world={"pulleys": {"cam": {"centre": [-0.19, 0, 0.18], "axis": [0, -1, 0], "zero": "z", "profile": "cam.csv"}}},
                       springs__0__connect=["arm.hook", "world.cam"])
        base["bodies"][0] = {**{key: value for key, value in base["bodies"][0].items() if key != "pulleys"}, "points": {"hook": [-0.33, 0, -0.39]}}
        self.assert_balanced(self.made(base), base)
        shared = changed(MODEL, bodies__0__points={"hook": [0, 0, 0.1]})
        shared["springs"].append({"name": "other", "connect": ["world.anchor", "arm.hook"], "rate": 30, "free_length": 0.1})
        self.assert_balanced(self.made(shared), shared, only=False)
        constant = changed(MODEL, bodies__0__com=[0, 0, 0], springs=[
            {"name": "lift", "connect": ["world.anchor", "arm.cam"], "initial_tension": 60, "free_length": "free"},
            {"name": "load", "type": "torsion", "joint": "arm", "rate": 3}])
        constant["bodies"][0]["pulleys"]["cam"]["axis"] = [0, -1, 0]
        made = self.made(constant, tension=None)
        self.assert_balanced(made, constant, only=False)
        self.assertAlmostEqual(made["lever"]["greatest"], 3 * math.radians(140) / 60, delta=1e-12)

    def test_the_basic_balancer_with_a_zero_free_length_spring(self):
        """m g l = k a r (Carwardine's balancer, as in French and Widden 2000): 2 kg at 0.3 m, a = 0.2 m, r = 0.12 m give
        k = 245.25 N/m. And the linkage of two such springs, the desk lamp: the second one acts on a parallelogram's bar,
        which keeps its direction to the base; the first carries the second link's weight at the elbow, too."""
        rate = MASS * GRAVITY * ARM / (0.2 * 0.12)
        self.assertAlmostEqual(rate, 245.25)
        model = changed(MODEL, parameters={}, world__points={"post": [0, 0, 0.2]},
                        bodies__0={**{key: MODEL["bodies"][0][key] for key in ("name", "parent", "joint", "mass")}, "com": [ARM, 0, 0],
                                   "points": {"hook": [0.12, 0, 0]}},
                        springs__0={"name": "ideal", "connect": ["world.post", "arm.hook"], "rate": rate},
                        actuators__0={"name": "turn", "joint": "arm"})
        self.write("model.json", model)
        for row in self.poses([-1.5, -0.7, 0, 0.4, 1.2, 1.5]):
            self.assertAlmostEqual(row["turn.load"], 0, delta=1e-12)
        lamp = {
            "format": "counterpoise-model/1",
            "world": {"points": {"post": [0, 0, 0.2], "foot": [0, 0, 0.1]}},
            "bodies": [
                {"name": "lower", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 1.0, "com": [0.2, 0, 0],
                 "points": {"hook": [0.12, 0, 0]}},
                {"name": "bar", "parent": "lower", "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0]}, "mass": 0,
                 "points": {"top": [0, 0, 0.1], "post": [0, 0, 0.15]}},
                {"name": "link", "parent": "world", "joint": {"type": "revolute", "axis": "y", "origin": [0, 0, 0.1]}, "mass": 0,
                 "points": {"end": [0.4, 0, 0]}},
                {"name": "upper", "parent": "lower", "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0]}, "mass": 1.5,
                 "com": [0.25, 0, 0], "points": {"hook": [0.1, 0, 0]}}],
            "loops": [{"name": "parallel", "connect": ["bar.top", "link.end"]}],
            "springs": [
                {"name": "first", "connect": ["world.post", "lower.hook"], "rate": (1.0 * 0.2 + 1.5 * 0.4) * GRAVITY / (0.2 * 0.12)},
                {"name": "second", "connect": ["bar.post", "upper.hook"], "rate": 1.5 * GRAVITY * 0.25 / (0.15 * 0.1)}],
            "actuators": [{"name": "lower", "joint": "lower"}, {"name": "upper", "joint": "upper"}]}
        self.write("model.json", lamp)
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {
            "lower": {"values": [-1.0, -0.5, 0.3]}, "upper": {"values": [-0.6, 0.2, 1.1]}}})
        said = self.run_program("simulate", "model.json", "--motion", "poses.json")
        for row in csv.DictReader(said.stdout.splitlines()):
            self.assertAlmostEqual(float(row["lower.load"]), 0, delta=1e-11)
            self.assertAlmostEqual(float(row["upper.load"]), 0, delta=1e-11)

    def test_the_joint_carries_the_weight_and_the_pull(self):
        made = self.made()
        rows = self.poses([0.4, 0.9, 1.6, 2.4], settings=["--set", f"free={made['free_length']!r}"], extra=["--reactions"])
        for row in rows:
            q = row["turn.position"]
            x, z = row["arm.reaction.fx"], row["arm.reaction.fz"]  # in the arm's axes; into the world's
            x, z = x * math.cos(q) + z * math.sin(q), z * math.cos(q) - x * math.sin(q)
            self.assertAlmostEqual(math.hypot(x, z - MASS * GRAVITY), row["lift.tension"], delta=1e-9)
            self.assertAlmostEqual(row["arm.reaction.my"], 0, delta=1e-9)

    def test_what_is_balanced_stays_where_it_is_let_go(self):
        made = self.made()
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 1, "step": 0.1,
                                 "start": {"coordinates": {"turn": 0.9}}, "actuators": {"turn": "free"}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "states.csv", "--set", f"free={made['free_length']!r}")
        rows = self.read_csv("states.csv")
        self.assertEqual(len(rows), 11)
        for row in rows:
            self.assertAlmostEqual(float(row["arm.q"]), 0.9, delta=1e-9)

    def test_a_profile_of_levers_alone_and_its_study(self):
        """A round cam of 50 mm: the moment is the tension times that, whatever the range."""
        self.write("cam.csv", "angle [deg],lever [mm]\n" + "".join(f"{angle},50\n" for angle in range(0, 331, 10)))
        self.write("model.json", MODEL)
        for row, bare in zip(self.poses([0.4, 1, 1.7]), self.poses([0.4, 1, 1.7], extra=["--without-springs"])):
            self.assertAlmostEqual(abs(row["turn.load"] - bare["turn.load"]), row["lift.tension"] * 0.05, delta=1e-11)
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [0.4, 1, 1.7]}}})
        self.write("study.json", {
            "format": "counterpoise-study/1", "model": "model.json", "motions": {"poses": "poses.json"},
            "variables": {"rate": {"range": [0, 900]}, "free": {"range": [0.1, 0.3]}},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["turn"]}], "sampling": {"method": "sobol", "count": 20, "seed": 1}})
        self.run_program("run", "study.json", "-o", "r.db")
        said = self.run_program("show", "r.db", "best")
        self.assertIn("lift", said.stdout)

    def test_drawings_are_the_groove_in_true_scale(self):
        self.write("model.json", MODEL)
        self.run_program("cam", "model.json", "--spring", "lift", "--tension", "20 N", "--cable", "3 mm",
                         "-o", "cam.csv", "-o", "cam.dxf", "-o", "cam.svg")
        rows = [{key: float(cell) for key, cell in row.items()} for row in self.read_csv("cam.csv")]
        codes = (self.folder / "cam.dxf").read_text().split("\n")
        pairs = list(zip(codes[0::2], codes[1::2]))
        self.assertEqual((pairs[0], pairs[-1]), (("0", "SECTION"), ("0", "EOF")))
        self.assertIn(("1", "AC1009"), pairs)
        starts = [i for i, pair in enumerate(pairs) if pair == ("0", "VERTEX")]
        groove = [(float(pairs[i + 2][1]), float(pairs[i + 3][1])) for i in starts]
        self.assertEqual(len(groove), len(rows))
        svg = (self.folder / "cam.svg").read_text()
        path = re.search('id="profile" d="([^"]*)"', svg)[1]
        drawn = [tuple(map(float, place.strip(" ML").split())) for place in path.split(" L")]
        wide, width = float(re.search('width="([0-9.]+)mm"', svg)[1]), re.search('viewBox="([^"]*)"', svg)[1].split()
        self.assertEqual(wide, float(width[2]))
        for row, (x, y), (across, down) in zip(rows, groove, drawn):
            angle = row["angle [rad]"]
            self.assertAlmostEqual(x, row["x [mm]"] - 1.5 * math.cos(angle), delta=1e-8)
            self.assertAlmostEqual(y, row["y [mm]"] - 1.5 * math.sin(angle), delta=1e-8)
            self.assertAlmostEqual(across, x, delta=1e-5)
            self.assertAlmostEqual(down, -y, delta=1e-5)

    def no_cam(self, *words, model=MODEL, arguments=(), tension="20 N"):
        self.write("model.json", model)
        said = self.run_program("cam", "model.json", "--spring", "lift", "--tension", tension, "-o", "none.csv", *arguments, code=INFEASIBLE)
        for word in ("no cam: ", *words):
            self.assertIn(word, said.stderr)
        self.assertFalse((self.folder / "none.csv").exists())

    def test_a_load_that_no_cam_balances_is_named_with_the_way_out(self):
        self.no_cam("turn the cam's \"axis\" around", model=changed(MODEL, bodies__0__pulleys__cam__axis=[0, -1, 0]))
        self.no_cam("the tension would fall to nothing", "a --tension of", tension="5 N",
                    model=changed(MODEL, bodies__0__com=[-0.3, 0, 0], bodies__0__pulleys__cam__axis=[0, -1, 0]))
        self.no_cam("below initial_tension, 200 N", model=changed(MODEL, springs__0__initial_tension=200))
        self.no_cam("the cable's length would have to change", "more --tension", tension="3 N")
        self.no_cam("--least-radius is 0.9 m", arguments=["--least-radius", "900mm"])
        self.no_cam("the groove of a cable", arguments=["--cable", "900mm"])
        self.no_cam("beside the plane of the cam", model=changed(MODEL, world__points__anchor=[-0.05, 0.01, -0.4]))
        self.no_cam("its spring would have to be stretched by", tension="27 N", arguments=["--from", "100deg"],
                    model=changed(MODEL, parameters__rate=48, world__points__anchor=[-0.05, 0, -0.29], bodies__0__pulleys__cam__axis=[0, -1, 0]))
        self.no_cam("undercut", "with the least at", tension="30 N")

    def refused(self, *words, model=MODEL, arguments=("--tension", "20 N"), spring="lift"):
        self.write("model.json", model)
        said = self.run_program("cam", "model.json", "--spring", spring, *arguments, "-o", "none.csv", code=BAD_INPUT)
        for word in words:
            self.assertIn(word, said.stderr)
        self.assertFalse((self.folder / "none.csv").exists())

    def test_demands_that_make_no_sense_are_refused(self):
        self.refused("--spring", "did you mean \"lift\"", spring="lit")
        self.refused("--tension", "has a rate, expected --tension", arguments=())
        self.refused("--tension", "above 0", arguments=("--tension", "-3"))
        self.refused("--tension", "mm", arguments=("--tension", "3 mm"))
        self.refused("--tension", "expected no --tension", model=changed(MODEL, parameters__rate=0))
        self.refused("neither a rate nor an initial_tension", model=changed(MODEL, parameters__rate=0), arguments=())
        self.refused("--to", "expected an end above", arguments=("--tension", "20", "--from", "1", "--to", "0.5"))
        self.refused("--from", "no min_position", model=changed(MODEL, actuators__0={"name": "turn", "joint": "arm"}))
        self.refused("--actuator", "did you mean \"turn\"", arguments=("--tension", "20", "--actuator", "tun"))
        self.refused("--output", "ends in .csv, .dxf or .svg", arguments=("--tension", "20", "-o", "cam.step"))
        straight = changed(MODEL, bodies__0__points={"hook": [0.1, 0, 0]}, springs__0__connect=["world.anchor", "arm.hook"])
        self.refused("--spring", "is not on a cam", model=straight)
        over = changed(MODEL, world__points__eye=[0, 0, -0.2], springs__0__connect=["world.anchor", "world.eye", "arm.cam"])
        self.refused("--spring", "straight from a point to the cam", model=over)

    def mistaken(self, *words, model=MODEL, profile=None):
        self.write("model.json", model)
        self.write("cam.csv", profile or "angle [rad],lever [mm]\n0,50\n3,50\n")
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [0]}}})
        said = self.run_program("simulate", "model.json", "--motion", "poses.json", code=BAD_INPUT)
        for word in words:
            self.assertIn(word, said.stderr)

    def test_mistakes_are_named_where_they_are(self):
        cam = "bodies__0__pulleys__cam"
        at = "/bodies/0/pulleys/cam"
        whole = MODEL["bodies"][0]["pulleys"]["cam"]
        without = lambda key: {name: value for name, value in whole.items() if name != key}
        self.mistaken(at, "\"zero\"", "missing", model=changed(MODEL, **{cam: without("zero")}))
        self.mistaken(at, "\"axis\"", "missing", model=changed(MODEL, **{cam: without("axis")}))
        self.mistaken(at, "radius", "a cam", model=changed(MODEL, **{cam: {**whole, "radius": 0.1}}))
        self.mistaken(at + "/zero", "not perpendicular", model=changed(MODEL, **{cam: {**whole, "zero": [1, 0.5, 0]}}))
        self.mistaken(at + "/zero", "has no direction", model=changed(MODEL, **{cam: {**whole, "zero": [0, 0, 0]}}))
        self.mistaken(at + "/axis", "has no direction", model=changed(MODEL, **{cam: {**whole, "axis": [0, 0, 0]}}))
        self.mistaken(at + "/profile", "none.csv", "`counterpoise cam` writes profiles", model=changed(MODEL, **{cam: {**whole, "profile": "none.csv"}}))
        self.mistaken(at + "/profile", "a CSV file", model=changed(MODEL, **{cam: {**whole, "profile": 3}}))
        self.mistaken("/springs/0/connect/1", "found cam", "fixed to its cam",
                      model=changed(MODEL, bodies__0__points={"hook": [0.1, 0, 0]}, springs__0__connect=["world.anchor", "arm.cam", "arm.hook"]))
        self.mistaken("/springs/0/connect/1", "a second cam",
                      model=changed(MODEL, world__pulleys={"other": whole}, springs__0__connect=["world.other", "arm.cam"]))
        self.mistaken("/springs/0/acts", "cannot push", model=changed(MODEL, springs__0__acts="push"))
        lines = lambda *rows: "angle [rad],lever [mm]\n" + "".join(row + "\n" for row in rows)
        self.mistaken("cam.csv:3", "ascending", profile=lines("1,50", "1,50"))
        self.mistaken("cam.csv:3", "more than one turn", profile=lines("0,50", "6.3,50"))
        self.mistaken("cam.csv:2", "at least two", profile=lines("0,50"))
        self.mistaken("cam.csv", "at least two", profile=lines())
        self.mistaken("cam.csv:2", "convex", profile=lines("0,50", "1,150", "2,50"))
        self.mistaken("cam.csv:1", "\"lever [mm]\"", "missing", profile="angle [rad]\n0\n1\n")
        self.mistaken("cam.csv:1", "\"angle [rad]\"", "missing", profile="lever [mm]\n0\n1\n")
        self.mistaken("cam.csv:1:1", "has no unit", profile="angle,lever [mm]\n0,50\n1,50\n")
        self.mistaken("cam.csv:1:13", "lever", profile="angle [rad],lever [N]\n0,50\n1,50\n")
        self.mistaken("cam.csv:1", "radius", profile="angle [rad],lever [mm],radius [mm]\n0,50,50\n1,50,50\n")
        self.mistaken("cam.csv:1", "found column \"colour\"", profile="angle [rad],lever [mm],colour\n0,50,1\n1,50,1\n")
        self.mistaken("cam.csv:3", "x", profile=lines("0,50", "x,50"))

    def test_a_cable_that_leaves_its_cam_is_infeasible_with_a_reason(self):
        made = self.made()
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [made["to"] + 0.1]}}})
        self.write("model.json", changed(MODEL, actuators__0={"name": "turn", "joint": "arm"}))
        said = self.run_program("simulate", "model.json", "--motion", "poses.json", code=INFEASIBLE)
        self.assertIn("spring lift has a cable that leaves its cam", said.stderr)
        self.assertIn("whose angles are", said.stderr)

    def test_pages_and_other_formats(self):
        self.made()
        self.run_program("view", "model.json", "-o", "page.html")
        self.assertIn('"cam":', (self.folder / "page.html").read_text())
        said = self.run_program("convert", "model.json", "--to", "mjcf", "-o", "model.xml", code=BAD_INPUT)
        self.assertIn("cam", said.stderr)


if __name__ == "__main__":
    unittest.main()
