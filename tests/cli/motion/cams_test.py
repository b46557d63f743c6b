#!/usr/bin/env python3
"""Cams that springs' cables are fixed to, as tables and as curves, of several turns, and the command that makes them: loads
that are left, closed forms of published balancers, drawings, words, and what is refused."""

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


def with_profile(profile, model=MODEL, **changes):
    return changed(model, bodies__0__pulleys__cam__profile=profile, actuators__0={"name": "turn", "joint": "arm"}, **changes)


def geared(profile, ratio=5.0, growth=0.0, wave=0.0):
    """An arm that turns a spool five times as fast, on which the cable winds up."""
    return {
        "format": "counterpoise-model/1", "parameters": {"growth": growth, "wave": wave},
        "world": {"points": {"anchor": [-0.05, 0, -0.4]}},
        "bodies": [
            {"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": MASS, "com": [0, 0, ARM]},
            {"name": "spool", "parent": "world", "mass": 0.1, "joint": {"type": "revolute", "axis": "y", "origin": [0.02, 0, 0.1]},
             "pulleys": {"cam": {"centre": [0.001, 0, 0.002], "axis": "y", "zero": "x", "profile": profile}}}],
        "couplings": [{"name": "gears", "joint": "spool", "ratio": ratio, "of": "arm"}],
        "springs": [{"name": "lift", "connect": ["world.anchor", "spool.cam"], "rate": 100, "free_length": 0.3}],
        "actuators": [{"name": "turn", "joint": "arm"}]}


SPIRAL = {"lever": "40 mm + growth*angle + wave*cos(angle)", "from": "-720 deg", "to": "900 deg", "start": "180 deg"}


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
        over = changed(MODEL, bodies__0__points={"hook": [0.1, 0, 0]}, springs__0__connect=["arm.hook", "world.anchor", "arm.cam"])
        self.refused("--spring", "runs over arm.hook and world.anchor", "move against each other", model=over)

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

    # profiles by expressions, of several turns, and cams over pulleys

    def test_an_eccentric_circle_is_a_pulley_about_its_middle(self):
        """In a model, and in a study that varies the circle: loads as over a drum whose cable ends on its rim."""
        lever = with_profile({"lever": "round + off*cos(angle - aside)", "from": "-30 deg", "to": "210 deg"},
                             parameters={"rate": RATE, "free": 0.2, "round": 0.05, "off": {"value": 12, "unit": "mm"}, "aside": "35 deg"})
        distance = with_profile({"distance": "off*cos(angle - aside) + sqrt(round^2 - off^2*sin(angle - aside)^2)",
                                 "from": "-40 deg", "to": "210 deg"}, parameters=lever["parameters"])
        last = math.radians(210)
        drum = changed(lever, bodies__0__pulleys={"drum": {"centre": ["off*cos(aside)", 0, "-off*sin(aside)"], "axis": "y", "radius": "round"}},
                       bodies__0__points={"end": [f"off*cos(aside) + round*cos({last!r})", 0, f"-off*sin(aside) - round*sin({last!r})"]},
                       springs__0__connect=["world.anchor", "arm.drum", "arm.end"])
        for name, model in (("lever.json", lever), ("distance.json", distance), ("drum.json", drum)):
            self.write(name, model)
        for settings in ([], ["--set", "off=20mm"], ["--set", "off=0", "--set", "round=0.03"]):
            values = [0.1, 0.4, 0.9, 1.3]
            wound, round_ = (self.poses(values, model=name, settings=settings) for name in ("lever.json", "drum.json"))
            far = self.poses(values, model="distance.json", settings=settings)
            for one, other, by_distance in zip(wound, round_, far):
                self.assertAlmostEqual(one["lift.length"], other["lift.length"], delta=1e-9)
                self.assertAlmostEqual(one["turn.load"], other["turn.load"], delta=1e-9 * abs(other["lift.tension"]))
                # it ends elsewhere, at the place that is seen at 210 deg, so only its lever is the same
                self.assertAlmostEqual(by_distance["lift.length"] - far[0]["lift.length"],
                                       one["lift.length"] - wound[0]["lift.length"], delta=1e-11)
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [0.1, 0.4, 0.9, 1.3]}}})
        peaks = []
        for model in ("lever.json", "drum.json"):
            self.write("study.json", {
                "format": "counterpoise-study/1", "model": model, "motions": {"poses": "poses.json"},
                "variables": {"off": {"range": [0, 0.02]}, "aside": {"range": [-1, 1]}, "round": {"range": [0.03, 0.06]}},
                "objectives": [{"name": "peak", "minimize": "max", "of": ["turn"]}], "sampling": {"method": "sobol", "count": 40, "seed": 1}})
            self.run_program("run", "study.json", "-o", "r.db", "--force")
            self.run_program("export", "r.db", "-o", "rows.csv")
            peaks.append([float(row["peak"]) for row in sorted(self.read_csv("rows.csv"), key=lambda row: int(row["id"]))])
        self.assertEqual(len(peaks[0]), 40)
        for one, other in zip(*peaks):
            self.assertAlmostEqual(one, other, delta=1e-8 * abs(other))

    def test_levers_of_several_turns_are_slopes_of_lengths(self):
        """A spiral with waves, geared five times: the load by virtual work, from differences of lengths; and reactions with it."""
        chance = random.Random(44)
        step = 1e-6
        for _ in range(trials(20)):
            model = geared(SPIRAL, growth=chance.uniform(-1e-3, 1.5e-3), wave=chance.uniform(0, 4e-3))
            self.write("model.json", model)
            values = [chance.uniform(-2.2, 2.2) for _ in range(20)]  # 7 turns of the spool
            rows = self.poses(values, extra=["--reactions"])
            bare = self.poses(values, extra=["--without-springs"])
            ahead, behind = (self.poses([value + by for value in values]) for by in (step, -step))
            for row, one, more, less in zip(rows, bare, ahead, behind):
                slope = (more["lift.length"] - less["lift.length"]) / (2 * step)
                self.assertAlmostEqual(row["turn.load"] - one["turn.load"], row["lift.tension"] * slope, delta=1e-6 * row["lift.tension"])
                q = 5 * row["turn.position"]  # the spool's joint carries its weight and the pull
                x, z = row["spool.reaction.fx"], row["spool.reaction.fz"]
                x, z = x * math.cos(q) + z * math.sin(q), z * math.cos(q) - x * math.sin(q)
                self.assertAlmostEqual(math.hypot(x, z - 0.1 * GRAVITY), row["lift.tension"], delta=1e-9 * row["lift.tension"])

    def test_a_spool_of_several_turns_in_closed_form(self):
        model = geared({"lever": "50 mm", "from": "-720 deg", "to": "900 deg", "start": "180 deg"})
        self.write("model.json", model)
        values = [-2.0, -1.0, 0.0, 1.0, 2.0]
        rows = self.poses(values)
        self.assertGreater(rows[-1]["lift.length"], rows[0]["lift.length"])
        # the centre moves about the joint by 2.2 mm; without that each radian of the arm winds up 5 * 50 mm
        centred = changed(model, bodies__1__pulleys__cam__centre=[0, 0, 0])
        self.write("model.json", centred)
        rows = self.poses(values)
        for row, value in zip(rows, values):
            self.assertAlmostEqual(row["lift.length"] - rows[2]["lift.length"], 5 * 0.05 * value, delta=1e-13)
        # one that is wound up in no order, as poses are, has the same lengths
        shuffled = self.poses(values[::-1])
        self.assertEqual([row["lift.length"] for row in shuffled], [row["lift.length"] for row in rows[::-1]])
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [4.0]}}})
        said = self.run_program("simulate", "model.json", "--motion", "poses.json", code=INFEASIBLE)
        self.assertIn("leaves its cam", said.stderr)

    def test_a_fall_winds_up_several_turns_and_keeps_its_energy(self):
        model = changed(geared(SPIRAL, growth=1e-3, wave=3e-3), bodies__0__com=[0, 0, -ARM], springs__0__rate=20, springs__0__free_length=0)
        self.write("model.json", model)
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 2, "step": 0.02,
                                 "start": {"coordinates": {"turn": -0.1}}, "actuators": {"turn": "free"}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "states.csv")
        rows = [{key: float(cell) for key, cell in row.items()} for row in self.read_csv("states.csv")]
        turned = [row["spool.q"] for row in rows]
        self.assertGreater(max(turned) - min(turned), 2 * math.pi)
        lengths = self.poses([row["arm.q"] for row in rows])
        energies = [0.5 * MASS * ARM ** 2 * row["arm.qd"] ** 2 - MASS * GRAVITY * ARM * math.cos(row["arm.q"])
                    + 10 * length["lift.length"] ** 2 for row, length in zip(rows, lengths)]
        for energy in energies:
            self.assertAlmostEqual(energy, energies[0], delta=1e-7 * abs(energies[0]))

    def test_a_table_made_by_cam_balances_as_a_part_of_a_longer_one(self):
        made = self.made()
        rows = self.read_csv("cam.csv")
        first, last = float(rows[0]["angle [rad]"]), float(rows[-1]["angle [rad]"])
        whole = changed(MODEL, bodies__0__pulleys__cam__profile={"table": "cam.csv", "from": first, "to": last, "start": (first + last) / 2},
                        actuators__0={"name": "turn", "joint": "arm"})
        self.write("model.json", whole)
        self.assert_balanced(made, whole)

    def test_a_made_spool_of_several_turns_balances(self):
        """The gears turn the spool five times as fast as the arm: its cam has more than a turn, and leaves no load."""
        def spool(start):
            return changed(geared({"table": "cam.csv", "start": start}, ratio=4), parameters__free=0.2, springs__0__free_length="free",
                           springs__0__rate=60, bodies__1__pulleys__cam__centre=[0, 0, 0], actuators__0={
                               "name": "turn", "joint": "arm", "min_position": "20 deg", "max_position": "140 deg"})
        firsts = []
        for model in (spool("180 deg"), spool("900 deg")):
            made = self.made(model, tension="20 N")
            firsts.append(made["angles"][0])
            self.assertGreater(made["angles"][1] - made["angles"][0], 2 * math.pi)
            self.assert_balanced(made, model)
        self.assertAlmostEqual(firsts[1] - firsts[0], 4 * math.pi, delta=1e-9)
        refusals = (({"table": "cam.csv", "start": "900 deg", "from": firsts[1] + 0.1}, "a part of its table"), ({"lever": 0.1, "from": 0, "to": 1}, "an expression"))
        for profile, words in refusals:
            self.refused("--spring", words, model=changed(model, bodies__1__pulleys__cam__profile=profile))
        self.no_cam("more than a turn", "\"start\"", model=changed(model, bodies__1__pulleys__cam__profile="none.csv"))

    def test_turns_are_counted_from_the_body_that_all_hangs_from(self):
        """A spool and its spring on an arm, which turns about a parallel axis and moves an obstacle past them: length, load and
        clearance are those of an arm that stands still."""
        inner = geared({"lever": "40 mm + 2 mm*angle", "from": "-720 deg", "to": "900 deg", "start": "180 deg"})
        bodies = [{"name": "base", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "points": {"anchor": [-0.05, 0, -0.4]}},
                  *({**body, "parent": "base"} for body in inner["bodies"])]
        model = {**inner, "gravity": [0, 0, 0], "bodies": bodies, "springs": [{**inner["springs"][0], "connect": ["base.anchor", "spool.cam"]}],
                 "world": {"obstacles": {"post": {"centre": [-2, 0, 0], "radius": 0.01}}},
                 "actuators": [{"name": "base", "joint": "base"}, {"name": "turn", "joint": "arm"}]}
        def rows(of, turned):
            self.write("model.json", of)
            self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"base": {"values": turned}, "turn": {"values": [0.7]}}})
            said = self.run_program("simulate", "model.json", "--motion", "poses.json")
            return [{key: float(cell) for key, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]
        for row in rows(model, [-9, -3, -1, 0, 2, 4, 9]):
            q = row["base.position"]
            back = changed(model, world__obstacles__post__centre=[-2 * math.cos(q), 0, -2 * math.sin(q)])
            still, = rows(back, [0])
            for name in ("lift.length", "lift.clearance", "turn.load"):
                self.assertAlmostEqual(row[name], still[name], delta=1e-9 * max(1, abs(still[name])))

    def test_a_closed_table_repeats(self):
        count = 72
        lines = [f"{5 * i},{50 + 6 * math.cos(math.radians(5 * i))!r}\n" for i in range(count + 1)]
        self.write("cam.csv", "angle [deg],lever [mm]\n" + "".join(lines))
        self.write("model.json", geared({"table": "cam.csv", "from": "-720 deg", "to": "900 deg", "start": "180 deg"}))
        self.write("curve.json", geared({"lever": "50 mm + 6 mm*cos(angle)", "from": "-720 deg", "to": "900 deg", "start": "180 deg"}))
        for one, other in zip(self.poses([-2, -0.3, 1.9]), self.poses([-2, -0.3, 1.9], model="curve.json")):
            self.assertAlmostEqual(one["lift.length"], other["lift.length"], delta=1e-7)

    def test_a_cam_over_pulleys_balances_its_pendulum(self):
        """From the cam over a pulley and an eye of the base to the spring; from a pulley of the arm to a cam of the base."""
        def world(axis):
            return {"points": {"anchor": [0.5 * axis, 0, -0.3], "eye": [0.4 * axis, 0, -0.5]},
                    "pulleys": {"guide": {"centre": [-0.1, 0.02, -0.4], "axis": [0, axis, 0], "radius": 0.04}}}
        for axis in (1, -1):
            for stops in (["eye", "guide"], ["guide"], ["eye"]):
                model = changed(MODEL, world=world(axis), springs__0__connect=["world.anchor", *("world." + stop for stop in stops), "arm.cam"])
                with self.subTest(axis=axis, stops=stops):
                    self.assert_balanced(self.made(model), model)
        start = changed(MODEL, world={**world(1), "pulleys": world(-1)["pulleys"]}, springs__0__connect=["arm.cam", "world.guide", "world.anchor"],
                        bodies__0__pulleys__cam__axis=[0, -1, 0])
        self.assert_balanced(self.made(start), start)
        base = changed(MODEL, world={"pulleys": {"cam": {"centre": [-0.19, 0, 0.18], "axis": [0, -1, 0], "zero": "z", "profile": "cam.csv"}}},
                       springs__0__connect=["arm.hook", "arm.wheel", "world.cam"])
        base["bodies"][0] = {**{key: value for key, value in base["bodies"][0].items() if key != "pulleys"},
                             "points": {"hook": [-0.1, 0, -0.3]},
                             "pulleys": {"wheel": {"centre": [-0.33, 0, -0.39], "axis": "y", "radius": 0.03}}}
        self.assert_balanced(self.made(base), base)

    def test_what_a_model_has_is_drawn(self):
        self.write("model.json", with_profile({"lever": "round + 10 mm*cos(angle)", "from": 0, "to": "200 deg"}, parameters={
            "rate": RATE, "free": 0.2, "round": 0.05}))
        said = self.run_program("cam", "model.json", "--draw", "arm.cam", "--set", "round=60mm", "-o", "drawn.csv", "-o", "drawn.svg",
                                "-o", "drawn.dxf", "--cable", "3mm", "--json")
        figures = json.loads(said.stdout)
        self.assertAlmostEqual(figures["lever"]["greatest"], 0.07, delta=1e-12)
        self.assertAlmostEqual(figures["length"], 0.06 * math.radians(200), delta=1e-12)
        for row in self.read_csv("drawn.csv"):
            self.assertAlmostEqual(float(row["lever [mm]"]), 60 + 10 * math.cos(float(row["angle [rad]"])), delta=1e-10)
        self.write("table.json", with_profile("drawn.csv"))
        for one, other in zip(self.poses([0.3, 1.2], settings=["--set", "round=60mm"]), self.poses([0.3, 1.2], model="table.json")):
            self.assertAlmostEqual(one["turn.load"], other["turn.load"], delta=1e-12)
        self.assertIn("deg of tangents", self.run_program("cam", "model.json", "--draw", "arm.cam").stdout)
        for words, arguments in ((("--draw", "did you mean \"arm.cam\""), ["--draw", "arm.camm"]),
                                 (("--draw", "expected a cam"), ["--draw", "world.anchor"]),
                                 (("--tension", "not for --draw"), ["--draw", "arm.cam", "--tension", "3"]),
                                 (("--spring", "expected one of"), ["--draw", "arm.cam", "--spring", "lift"]),
                                 (("--spring", "expected one of"), [])):
            said = self.run_program("cam", "model.json", *arguments, "-o", "none.csv", code=BAD_INPUT)
            for word in words:
                self.assertIn(word, said.stderr)
        said = self.run_program("cam", "model.json", "--draw", "arm.cam", "--cable", "200mm", "-o", "none.csv", code=INFEASIBLE)
        self.assertIn("undercut", said.stderr)
        self.assertFalse((self.folder / "none.csv").exists())

    def test_curves_that_are_no_edge_are_named_where_they_are(self):
        at = "/bodies/0/pulleys/cam/profile"
        parameters = {"rate": RATE, "free": 0.2, "off": 0.01, "far": "-0.06"}
        def wrong(*words, where="", **profile):
            self.mistaken(at + where, *words, model=with_profile(profile, parameters=parameters))
        whole = {"from": 0, "to": 3}
        wrong("found 0 of", "expected one", **whole)
        wrong("found 2 of", lever=0.1, distance=0.1, **whole)
        wrong("\"to\"", "missing", lever=0.1, **{"from": 0})
        wrong("levr", "did you mean", levr=0.1, **whole)
        wrong("N", where="/lever", lever="3 N", **whole)
        wrong("angl", where="/lever", lever="off + 0.01*angl", **whole)
        wrong("m", where="/to", lever=0.1, **{"from": 0, "to": "3 mm"})
        wrong("expected an end above its beginning", lever=0.1, **{"from": 3, "to": 0})
        wrong("expected a convex edge", "at 0 rad", lever="0.01 + 0.05*cos(3*angle)", **whole)
        wrong("expected a convex edge", lever="off + far", **whole)
        wrong("expected one above 0", distance="far", **whole)
        wrong("has a corner", lever="0.05 + off*abs(angle - 1)", **whole)
        wrong("not finite", lever="0.05 + sqrt(off - 1)", **whole)
        wrong("more than one turn", "\"start\"", lever=0.1, **{"from": 0, "to": 7})
        wrong("at most 100 turns", lever=0.1, **{"from": 0, "to": 7000, "start": 0})
        wrong("closed table", table="cam.csv", **{"from": -1, "to": 2})
        wrong("none.csv", where="/table", table="none.csv")
        named = with_profile({"lever": "0.05 + 0.001*angle", **whole}, parameters={**parameters, "angle": 1})
        self.mistaken(at + "/lever", "has a parameter \"angle\"", model=named)
        self.mistaken(at, "found", model=with_profile(3))

    def test_a_design_whose_curve_is_no_edge_is_infeasible(self):
        self.write("model.json", with_profile({"lever": "0.05 + wave*cos(2*angle)", "from": -2, "to": 3},
                                              parameters={"rate": RATE, "free": 0.2, "wave": 0.001}))
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {"turn": {"values": [0.4]}}})
        said = self.run_program("simulate", "model.json", "--motion", "poses.json", "--set", "wave=0.03", code=BAD_INPUT)
        self.assertIn("cam arm.cam: its radius of curvature is", said.stderr)
        self.write("study.json", {
            "format": "counterpoise-study/1", "model": "model.json", "motions": {"poses": "poses.json"},
            "variables": {"wave": {"range": [0, 0.05], "count": 6}},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["turn"]}], "sampling": {"method": "grid"}})
        self.run_program("run", "study.json", "-o", "r.db")
        self.run_program("export", "r.db", "-o", "rows.csv")
        rows = self.read_csv("rows.csv")
        feasible = [row for row in rows if row["status"] == "feasible"]
        self.assertEqual(len(feasible), 2)  # 0 and 0.01; convex up to 0.05 / 3
        self.assertTrue(all("radius of curvature" in row["reason"] for row in rows if row not in feasible), rows[-1])


if __name__ == "__main__":
    unittest.main()
