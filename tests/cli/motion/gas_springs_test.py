#!/usr/bin/env python3
"""Gas springs as they are sold: forces of catalogues, makers' worked examples, temperatures, friction, and what is
refused."""

import csv
import itertools
import json
import math
import unittest

import numpy as np

import load_friction_test as pins
from program import BAD_INPUT, EXAMPLES, ScratchFolder, changed

GRAVITY = 9.81
COUNT = 2  # of gas springs, which are one in the model
# Makers' examples of lids that are carried where they are closed: (mass [kg], centre of mass and mount from the hinge [m],
# force of one gas spring [N], force at a handle 1.2 m from the hinge that closes the open lid [N]).
# https://eurekaknowledge.co.uk, "Mounting positions, gas spring sizing": with the mount at 0.3 m it prints a force of 523.2 N
# to open and to close, but its formula gives 654 and 327 N.
EUREKA = [(50, 0.8, 0.25, 784.8, 327), (50, 0.8, 0.2, 981, 327), (50, 0.8, 0.3, 654, 327), (50, 0.6, 0.25, 588, 245),
          (50, 1.0, 0.25, 981, 408)]
# http://www.bertholdmarx.com, "Decision making aid": a lid of even weight and 1.5 m; 5 kg of its 784.8 N are for friction
MARX = (50, 0.75, 0.25, 784.8 - 5 * GRAVITY)


def lid(mass, centre, mount, post, tension):
    return {"format": "counterpoise-model/1", "parameters": {"force": 0}, "world": {"points": {"post": post}},
            "bodies": [{"name": "lid", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": mass,
                        "com": [centre, 0, 0], "points": {"mount": [mount, 0, 0]}}],
            "springs": [{"name": "struts", "type": "gas", "connect": ["world.post", "lid.mount"], "initial_tension": tension}],
            "actuators": [{"name": "hinge", "joint": "lid"}]}


class GasSprings(ScratchFolder):
    def simulated(self, *options):
        self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv", *options)
        return [{name: float(number) for name, number in row.items()} for row in self.read_csv("loads.csv")]

    def hold(self, angle):
        self.write("motion.json", {"format": "counterpoise-motion/1", "duration": 1, "step": 1, "inertia": False,
                                   "coordinates": {"hinge": {"type": "hold", "value": angle}}})

    def test_forces_that_makers_find_for_lids(self):
        for mass, centre, mount, force, *close in [*EUREKA, MARX]:
            with self.subTest(mass=mass, centre=centre, mount=mount):
                self.write("model.json", lid(mass, centre, mount, [mount, 0, -0.4], f"-{COUNT} * force"))
                self.hold(0)
                self.write("study.json", {
                    "format": "counterpoise-study/1", "model": "model.json", "motions": {"closed": "motion.json"},
                    "variables": {"force": {"range": [0, 3000]}}, "search": {"method": "exact-springs"},
                    "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}]})
                self.run_program("run", "study.json", "--force", "-o", "study.db")
                row, = self.cases("study.db")
                self.assertLess(row["peak"], 1e-9)
                self.assertAlmostEqual(row["force"], force, delta=1)  # as they round
                if close:  # open, where the weight has no lever and the springs stand across the lid
                    self.write("model.json", lid(mass, centre, mount, [-0.4, 0, mount], -COUNT * row["force"]))
                    self.hold("90 deg")
                    for sample in self.simulated():
                        self.assertAlmostEqual(abs(sample["hinge.load"]) / 1.2, close[0], delta=1)

    def test_tensions_go_from_one_force_of_the_catalogue_to_the_other_at_any_temperature(self):
        self.copy_example(EXAMPLES / "hatch")
        self.write("motion.json", {"format": "counterpoise-motion/1", "duration": 1, "step": 0.05, "inertia": False,
                                   "coordinates": {"hinge": {"type": "point-to-point", "from": 0, "to": "75 deg"}}})
        for temperature in (-30, 20, 80):
            for sample in self.simulated("--set", f"temperature={temperature}", "--set", "foot=0.3", "--set", "mount=0.2"):
                pressed = (0.585 - sample["springs.length"]) / 0.25  # share of the stroke
                force = 2 * 800 * (1 + 0.35 * pressed) * (273.15 + temperature) / 293.15
                self.assertAlmostEqual(sample["springs.tension"], -force, places=9)

    def test_a_catalogue_and_an_exact_search_agree_on_the_force(self):
        self.copy_example(EXAMPLES / "hatch")
        study = json.loads((self.folder / "hatch.json").read_text(encoding="utf-8"))
        study["variables"] = {"force": study["variables"]["force"]}
        study["search"] = {"method": "exact-springs"}
        self.write("sized.json", study)
        self.run_program("run", "sized.json", "-o", "sized.db")
        sized, = self.cases("sized.db")
        (self.folder / "stock.csv").write_text("part,F1 [N]\n" + "".join(
            f"G{force},{force}\n" for force in (600, 700, 800, 900, 1000, 1100, sized["force"])), encoding="utf-8")
        study["variables"] = {"part": {"catalogue": "stock.csv", "sets": {"force": "F1"}}}
        for method in ({"search": {"method": "exact-springs"}}, {"sampling": {"method": "grid"}}):
            self.write("stock.json", {**{k: v for k, v in study.items() if k != "search"}, **method})
            self.run_program("run", "stock.json", "--force", "-o", "stock.db")
            best = min((row for row in self.cases("stock.db") if row["status"] == "feasible"), key=lambda row: row["hand"])
            self.assertEqual(best["part"], f"G{sized['force']}")
            self.assertAlmostEqual(best["hand"], sized["hand"], places=9)

    def test_the_bill_has_what_is_to_be_ordered_of_one_spring_at_20_degrees(self):
        self.copy_example(EXAMPLES / "hatch")
        study = json.loads((self.folder / "hatch.json").read_text(encoding="utf-8"))
        (self.folder / "stock.csv").write_text("part,F1 [N]\nG700,700\nG800,800\n", encoding="utf-8")
        study.update(variables={"part": {"catalogue": "stock.csv", "sets": {"force": "F1"}}}, search={"method": "exact-springs"})
        self.write("stock.json", study)
        self.run_program("run", "stock.json", "-o", "stock.db")
        spring, = self.run_json("show", "stock.db", "best", "--bill", "--json")["springs"]
        self.assertEqual((spring["pieces"], spring["initial_tension"], spring["not_as_the_part_has_it"]),
                         (2, -float(spring["part"][1:]), []))

    def test_a_force_of_nothing_is_found_where_a_limit_asks_for_it(self):
        model = lid(5, 0.4, 0.25, [0.25, 0, -0.4], "-force")
        model["springs"][0]["acts"] = "pull"
        self.write("model.json", model)
        self.write("study.json", {
            "format": "counterpoise-study/1", "model": "model.json", "variables": {"force": {"range": [-100, 333]}},
            "motions": {"all": {"poses": {"hinge": {"range": [0, 1.2], "count": 26}}}},
            "search": {"method": "exact-springs"}, "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}]})
        study = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        model["springs"].append({"name": "coil", "connect": ["world.post", "lid.mount"], "rate": "rate", "free_length": 1})
        model["parameters"]["rate"] = 0
        for variables in (study["variables"], {**study["variables"], "rate": {"values": [0, 1e-9]}}):  # sized, and beside a choice
            self.write("model.json", model)
            self.write("study.json", {**study, "variables": variables})
            self.run_program("run", "study.json", "--force", "-o", "study.db")
            row, = self.cases("study.db")
            self.assertEqual(row["force"], 0)
            self.assertAlmostEqual(row["peak"], 5 * GRAVITY * 0.4)

    def test_energy_is_kept_in_a_fall(self):
        self.copy_example(EXAMPLES / "hatch")
        self.hold("60 deg")
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 0.6, "step": 0.01,
                                 "start": {"motion": "motion.json"}, "actuators": {"hinge": "free"}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "fall.csv", "--set", "force=300 N")
        ranges = {}
        for energy in ("springs", "total"):
            series = [float(row[f"energy.{energy}"]) for row in self.read_csv("fall.csv")]
            ranges[energy] = max(series) - min(series)
        self.assertGreater(ranges["springs"], 10)
        self.assertLess(ranges["total"], 1e-6 * ranges["springs"])

    def test_wrong_gas_springs_are_refused_at_their_place(self):
        good = lid(50, 0.8, 0.25, [0.25, 0, -0.4], -800)
        for pointer, words, keys in (
                ("/springs/0/rate", 'without "free_length"', {"rate": 900}),
                ("/springs/0/rate", "its rate is negative", {"rate": -900, "free_length": 0.6}),
                ("/springs/0/free_length", "its free length is negative", {"rate": 900, "free_length": -0.6}),
                ("/springs/0/progression", "expected a key of a gas spring", {"progression": 1.3}),
                ("/springs/0/acts", 'did you mean "push"', {"acts": "puhs"}),
                ("/springs/0/rate", "expected", {"rate": "900 N", "free_length": 0.6})):
            with self.subTest(keys=keys):
                model = json.loads(json.dumps(good))
                model["springs"][0].update(keys)
                self.write("model.json", model)
                before = self.contents()
                said = self.run_program("check", "model.json", code=BAD_INPUT).stderr
                self.assertRegex(said, rf"^model.json:\d+:\d+: {pointer}: ")
                self.assertIn(words, said)
                self.assertEqual(self.contents(), before)

INERTIA, FOOT, EYE, PUSH = 0.9, (0.05, -0.35), (0.3, 0.05), 80
STRUT = {"format": "counterpoise-model/1", "parameters": {"force": PUSH, "seal": 30, "eye": EYE[0], "rate": 0},
         "world": {"points": {"foot": [FOOT[0], 0, FOOT[1]], "post": [-0.1, 0, 0.5]}},
         "bodies": [{"name": "lid", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 6,
                     "com": [0.4, 0, 0], "inertia": [INERTIA, INERTIA, INERTIA, 0, 0, 0],
                     "points": {"eye": ["eye", 0, EYE[1]]}}],
         "springs": [{"name": "strut", "type": "gas", "connect": ["world.foot", "lid.eye"], "initial_tension": "-force",
                      "rate": 400, "free_length": 0.6, "friction": "seal"}],
         "actuators": [{"name": "hinge", "joint": "lid"}]}
SWING = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.01,
         "coordinates": {"hinge": {"type": "sine", "mean": 0.4, "amplitude": 0.7, "period": 2}}}
ABOUT = INERTIA + 6 * 0.4 ** 2  # inertia about the hinge


def course(t):
    return (0.4 + 0.7 * math.sin(math.pi * t), 0.7 * math.pi * math.cos(math.pi * t), -0.7 * math.pi ** 2 * math.sin(math.pi * t))


def long(q):
    """The length of the strut, and its slope by the angle, by the law of cosines."""
    one, other = math.hypot(*FOOT), math.hypot(*EYE)
    between = q + math.atan2(EYE[1], EYE[0]) - math.atan2(FOOT[1], FOOT[0])
    length = math.sqrt(one ** 2 + other ** 2 - 2 * one * other * math.cos(between))
    return length, one * other * math.sin(between) / length


def weight(q):
    return 6 * GRAVITY * 0.4 * math.cos(q)


def way(rate):
    return 0 if abs(rate) <= 1e-9 else math.copysign(1, rate)


class FrictionOfSprings(ScratchFolder):
    def simulated(self, model=None, motion=None, *options):
        self.write("model.json", model or STRUT)
        self.write("motion.json", motion or SWING)
        said = self.run_program("simulate", "model.json", "--motion", "motion.json", *options)
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(said.stdout.splitlines())]

    def study(self, **keys):
        self.write("study.json", {"format": "counterpoise-study/1", "model": "model.json", "motions": {"m": "motion.json"},
                                  "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}], **keys})
        self.run_program("run", "study.json", "--force", "-o", "out.db")
        return self.cases("out.db")

    @staticmethod
    def load(t, seal, force=PUSH):
        q, v, a = course(t)
        length, slope = long(q)
        return weight(q) + ABOUT * a + (400 * (length - 0.6) - force + seal * way(slope * v)) * slope

    def test_it_adds_to_the_push_of_a_strut_that_is_compressed(self):
        for seal in (0, 30, 95.5):
            rows = self.simulated(None, None, "--set", f"seal={seal}")
            for row in rows:
                q, v, _ = course(row["t"])
                self.assertAlmostEqual(row["hinge.load"], self.load(row["t"], seal), delta=1e-9)
                self.assertAlmostEqual(row["strut.tension"], 400 * (long(q)[0] - 0.6) - PUSH, delta=1e-9)
                self.assertEqual(row["strut.friction"], seal * way(long(q)[1] * v))
        # over a whole period the hinge gives what the seal takes, on the way there and back
        rows = self.simulated()
        work = sum(row["hinge.load"] * row["hinge.velocity"] for row in rows[:-1]) * 0.01
        lengths = [row["strut.length"] for row in rows]
        self.assertAlmostEqual(work, 30 * sum(abs(a - b) for a, b in zip(lengths, lengths[1:])), delta=0.05)
        self.assertNotIn("strut.friction", self.simulated(None, None, "--without-springs")[0])

    def test_at_rest_loads_take_the_middle_and_motors_an_end(self):
        angles = [0, 0.4, 1, 1.1]
        motions = {"poses": ({"format": "counterpoise-motion/1", "poses": {"hinge": {"values": angles}}}, angles),
                   "still": ({**SWING, "inertia": False}, None),
                   "hold": ({**SWING, "coordinates": {"hinge": {"type": "hold", "value": 0.3}}}, None)}
        model = changed(STRUT, actuators=[{"name": "hinge", "joint": "lid", "ratio": 40, "friction": {"coulomb": 0.5}}])
        middles = {}
        for name, (motion, _) in motions.items():
            rows = self.simulated(model, motion)
            middles[name] = []
            for row in rows:
                length, slope = long(row["hinge.position"])
                expected = weight(row["hinge.position"]) + (400 * (length - 0.6) - PUSH) * slope
                self.assertAlmostEqual(row["hinge.load"], expected, delta=1e-9)
                self.assertEqual(row["strut.friction"], 0)
                middles[name].append((expected, 30 * abs(slope) + 0.5))
                self.assertAlmostEqual(abs(row["hinge.motor_torque"]), (abs(expected) + 30 * abs(slope) + 0.5) / 40, delta=1e-11)
        for name in motions:
            self.write("motion.json", motions[name][0])
            for end, expected in (("worst", max(abs(u) + most for u, most in middles[name])),
                                  ("favourable", max(max(0, abs(u) - most) for u, most in middles[name]))):
                row, = self.study(variables={"seal": {"values": [30]}}, sampling={"method": "grid"},
                                  drives={"hinge": {"at_rest": end}},
                                  objectives=[{"name": "motor", "expression": "hinge.motor_torque"}])
                self.assertAlmostEqual(row["motor"], expected / 40, delta=1e-11)
                row, = self.study(variables={"force": {"range": [PUSH - 0.01, PUSH + 0.01]}}, search={"method": "exact-springs"},
                                  drives={"hinge": {"at_rest": end}}, store=["hinge.motor_torque"])
                self.assertAlmostEqual(row["hinge.motor_torque"], expected / 40, delta=1e-4)

    def test_studies_remember_nothing_wrong(self):
        self.simulated()
        rows = self.study(variables={"seal": {"values": [0, 20, 70]}, "force": {"values": [200, 300]},
                                     "eye": {"values": [0.2, 0.3]}},
                          sampling={"method": "grid"}, store=["hinge.mean", "strut.max_tension"], objectives=[
                              {"name": "peak", "expression": "hinge.max"},
                              {"name": "share", "expression": "hinge.max / without_springs.hinge.max"}])
        self.assertEqual(len(rows), 12)
        for row in rows:
            settings = [text for name in ("seal", "force", "eye") for text in ("--set", f"{name}={row[name]}")]
            samples = self.simulated(None, None, *settings)
            loads = [abs(sample["hinge.load"]) for sample in samples]
            self.assertAlmostEqual(row["peak"], max(loads), delta=1e-9)
            self.assertAlmostEqual(row["hinge.mean"], (sum(loads) - (loads[0] + loads[-1]) / 2) / 200, delta=1e-9)
            self.assertAlmostEqual(row["strut.max_tension"], max(abs(sample["strut.tension"]) for sample in samples), delta=1e-9)
            bare = max(abs(weight(course(k / 100)[0]) + ABOUT * course(k / 100)[2]) for k in range(201))
            self.assertAlmostEqual(row["share"], row["peak"] / bare, delta=1e-9)

    def test_an_exact_search_takes_it_as_known(self):
        self.simulated()
        for seal in (0, 40):
            self.write("model.json", changed(STRUT, parameters__seal=seal))
            row, = self.study(variables={"force": {"range": [0, 900]}}, search={"method": "exact-springs"})
            worst = lambda force: max(abs(self.load(k / 100, seal, force)) for k in range(201))
            low, high = 0.0, 900.0
            for _ in range(200):  # the largest of lines in size is convex
                one, other = low + (high - low) / 3, high - (high - low) / 3
                low, high = (low, other) if worst(one) < worst(other) else (one, high)
            self.assertAlmostEqual(row["peak"], worst(low), delta=1e-7)
            self.assertIn("case 1: proved: objective", self.run_program("verify", "out.db").stdout)
        shown = self.run_json("show", "out.db", "best", "--json")
        for instant in shown["explanation"]["critical_instants"][0]["instants"]:
            q, v, _ = course(instant["t"])
            length, slope = long(q)
            self.assertAlmostEqual(instant["friction"], 40 * way(slope * v) * slope, delta=1e-9)
            self.assertAlmostEqual(instant["springs"]["strut"], (400 * (length - 0.6) - row["force"]) * slope, delta=1e-6)
            self.assertAlmostEqual(instant["load"], instant["gravity"] + instant["inertia"] + instant["friction"]
                                   + instant["springs"]["strut"], delta=1e-9)
        self.assertEqual(self.run_json("show", "out.db", "best", "--bill", "--json")["springs"][0]["friction"], 40)
        self.assertRegex(self.run_program("show", "out.db", "best", "--bill").stdout, "friction +40 N")

    def test_searches_that_cannot_size_it_say_so(self):
        self.simulated()
        exact = {"method": "exact-springs"}
        for variables, search, words in (
                ({"seal": {"range": [0, 9]}}, exact, "no variable enters springs' laws alone"),
                ({"seal": {"range": [0, 9]}, "force": {"range": [0, 900]}}, exact,
                 "variable seal enters the friction of spring strut, which is known to a search"),
                ({"seal": {"values": [0, 9]}, "force": {"range": [0, 900]}}, exact, "and has levels"),
                ({"eye": {"range": [0.2, 0.3]}, "force": {"range": [0, 900]}}, {**exact, "geometry": "prove"},
                 "spring strut has friction")):
            self.write("study.json", {"format": "counterpoise-study/1", "model": "model.json", "motions": {"m": "motion.json"},
                                      "objectives": [{"name": "peak", "minimize": "max", "of": ["hinge"]}],
                                      "variables": variables, "search": search})
            before = self.contents()
            said = self.run_program("run", "study.json", "-o", "out.db", code=BAD_INPUT)
            self.assertIn(words, said.stderr)
            self.assertEqual(self.contents(), before)
        rows = self.study(variables={"seal": {"range": [10, 60]}, "force": {"range": [0, 900]}},
                          search={**exact, "max_evaluations": 40, "seed": 1})
        self.assertLess(min(row["seal"] for row in rows), 11)

    def test_reactions_carry_it(self):
        for row in self.simulated(None, SWING, "--reactions"):
            q, v, a = course(row["t"])
            force = row["strut.tension"] + 30 * way(long(q)[1] * v)
            eye = (EYE[0] * math.cos(q) - EYE[1] * math.sin(q), EYE[0] * math.sin(q) + EYE[1] * math.cos(q))
            pull = [force * (FOOT[i] - eye[i]) / long(q)[0] for i in (0, 1)]
            moves = (0.4 * (-math.sin(q) * a - math.cos(q) * v * v), 0.4 * (math.cos(q) * a - math.sin(q) * v * v))
            x, z = row["lid.reaction.fx"], row["lid.reaction.fz"]
            found = (x * math.cos(q) - z * math.sin(q), x * math.sin(q) + z * math.cos(q))
            self.assertAlmostEqual(found[0] + pull[0], 6 * moves[0], delta=1e-9)
            self.assertAlmostEqual(found[1] + pull[1], 6 * (moves[1] + GRAVITY), delta=1e-9)

    def fall(self, model, start, seal):
        self.write("model.json", model)
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 3, "step": 0.01, "others": "free",
                                 "start": {"coordinates": {"hinge": start}}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "--set", f"seal={seal}", "-o", "fall.csv")
        return [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("fall.csv")]

    def test_it_brakes_and_holds_a_lid_that_is_let_go(self):
        def drives(q):
            length, slope = long(q)
            return -weight(q) - (400 * (length - 0.6) - PUSH) * slope

        self.assertEqual({row["strut.friction"] for row in self.fall(STRUT, 0.2, 0)}, {0})

        def stepped(q, v, side, seal, h):
            """A step of the classical Runge-Kutta method while it moves to one side."""
            speed_up = lambda at: (drives(at) - side * seal * abs(long(at)[1])) / ABOUT
            a1 = speed_up(q)
            a2 = speed_up(q + h / 2 * v)
            a3 = speed_up(q + h / 2 * (v + h / 2 * a1))
            a4 = speed_up(q + h * (v + h / 2 * a2))
            return q + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

        for start, seal in ((0.2, 15), (0.9, 15), (0.5, 60)):
            q, v, side = start, 0.0, 0
            states = [q]
            for k in range(6000):
                left = 5e-4
                while left > 1e-12:
                    if side == 0 and abs(drives(q)) <= seal * abs(long(q)[1]):
                        break
                    side = side or way(drives(q))
                    ahead = stepped(q, v, side, seal, left)
                    if ahead[1] * side >= 0:
                        q, v = ahead
                        break
                    still = left * v / (v - ahead[1])  # it turns round in between
                    q, v, side, left = stepped(q, v, side, seal, still)[0], 0.0, 0, left - still
                if k % 20 == 19:
                    states.append(q)
            rows = self.fall(STRUT, start, seal)
            for row, angle in zip(rows, states, strict=True):
                self.assertAlmostEqual(row["lid.q"], angle, delta=1e-5)
                self.assertAlmostEqual(row["energy.total"] - rows[0]["energy.total"], row["energy.work"], delta=1e-7)
                if abs(row["lid.qd"]) > 1e-4:
                    self.assertEqual(row["strut.friction"], seal * way(row["lid.qd"] * long(row["lid.q"])[1]))
            self.assertNotIn(".position", "".join(name for name in rows[0] if not name.startswith("hinge")))
            if seal == 60:  # it stands where it was let go, and the seal carries what is left
                self.assertEqual({row["lid.q"] for row in rows}, {0.5})
                self.assertAlmostEqual(rows[-1]["strut.friction"] * long(0.5)[1], drives(0.5), delta=1e-9)
            else:
                lost = seal * sum(abs(one["strut.length"] - other["strut.length"]) for one, other in zip(rows, rows[1:]))
                self.assertAlmostEqual(rows[-1]["energy.work"], -lost, delta=0.02 * lost)

    def test_it_takes_its_energy_from_a_loop_that_is_let_go(self):
        model = json.loads((EXAMPLES / "four_bar" / "model.json").read_text(encoding="utf-8"))
        model["springs"][0]["friction"] = 20
        self.write("model.json", model)
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 0.6, "step": 0.002, "others": "free",
                                 "start": {"coordinates": {model["actuators"][0]["name"]: 0.4}}})
        self.run_program("forward", "model.json", "--scenario", "fall.json", "-o", "fall.csv")
        rows = [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("fall.csv")]
        ways = [other["spring.length"] - one["spring.length"] for one, other in zip(rows, rows[1:])]
        lost = 20 * sum(map(abs, ways))
        self.assertGreater(lost, 1)
        self.assertAlmostEqual(rows[-1]["energy.total"] - rows[0]["energy.total"], -lost, delta=1e-3 * lost)
        for row, way_there in zip(rows[1:], ways[1:]):
            if abs(way_there) > 1e-4:
                self.assertEqual(row["spring.friction"], math.copysign(20, way_there))

    def test_in_studies_it_falls_with_the_robot_and_not_without_springs(self):
        self.simulated()
        self.write("fall.json", {"format": "counterpoise-scenario/1", "duration": 0.6, "step": 0.01, "others": "free",
                                 "start": {"coordinates": {"hinge": 0.5}}})
        rows = self.study(variables={"seal": {"values": [0, 8, 60]}}, sampling={"method": "grid"},
                          scenarios={"fall": "fall.json"}, objectives=[
                              {"name": "moved", "expression": "fall.hinge.moved"},
                              {"name": "more", "expression": "fall.hinge.moved - without_springs.fall.hinge.moved"}])
        bare = {row["moved"] - row["more"] for row in rows}
        for row in rows:
            states = self.fall(STRUT, 0.5, row["seal"])[:61]
            self.assertAlmostEqual(row["moved"], max(abs(state["lid.q"] - 0.5) for state in states), delta=1e-6)
        self.assertEqual(rows[2]["moved"], 0)
        q, v = 0.5, 0.0
        for _ in range(6000):  # without a strut, by the leapfrog method
            v -= weight(q) / ABOUT * 1e-4
            q += v * 1e-4
        for found in bare:
            self.assertAlmostEqual(found, 0.5 - q, delta=1e-3)

    def test_tolerances_deviate_it_with_the_force(self):
        self.simulated()
        self.study(variables={"force": {"values": [60, 90]}, "seal": {"values": [10, 40]}}, sampling={"method": "grid"})
        self.write("tolerances.json", {"samples": 40, "of": {"force": {"percent": 5}, "seal": {"percent": 30}}})
        report = self.run_json("robustness", "out.db", "--tolerances", "tolerances.json", "--json")
        designs = {row["id"]: row for row in self.cases("out.db")}
        for design in report["motions"][0]["designs"]:
            row = designs[design["case"]]
            corners = [max(abs(self.load(k / 100, row["seal"] * rubs, row["force"] * push)) for k in range(201))
                       for rubs in (0.7, 1.3) for push in (0.95, 1.05)]
            self.assertAlmostEqual(design["worst"], max(corners), delta=1e-9)

    def test_other_formats(self):
        self.simulated()
        self.run_program("convert", "model.json", "--to", "mjcf", "-o", "robot.xml")
        self.assertIn('frictionloss="30"', (self.folder / "robot.xml").read_text(encoding="utf-8"))

    def test_what_is_refused(self):
        strut = STRUT["springs"][0]
        for spring, pointer, words in (
                ({**strut, "friction": -3}, "/springs/0/friction", "its friction is -3 N, expected 0 or more"),
                ({**strut, "friction": "3 N*m"}, "/springs/0/friction", "N*m"),
                ({**strut, "friction": {"coulomb": 3}}, "/springs/0/friction", "expected"),
                ({**strut, "friction": "1 / rate"}, "/springs/0/friction", "expected"),
                ({**strut, "frictoin": 3}, "/springs/0/frictoin", "did you mean \"friction\"?"),
                ({**strut, "connect": ["world.foot", "world.post", "lid.eye"], "acts": "pull"}, "/springs/0/friction",
                 "of a spring on a cable"),
                ({**strut, "type": "extension", "may_go_slack": True}, "/springs/0/friction", "beside \"may_go_slack\""),
                ({"name": "strut", "type": "torsion", "joint": "lid", "friction": 1}, "/springs/0/friction",
                 "expected a key of a torsion spring")):
            with self.subTest(spring=spring):
                self.write("model.json", changed(STRUT, springs=[spring]))
                before = self.contents()
                said = self.run_program("check", "model.json", code=BAD_INPUT).stderr
                self.assertRegex(said, rf"^model\.json:\d+:\d+: {pointer}: ")
                self.assertIn(words, said)
                self.assertEqual(self.contents(), before)

    def test_ends_that_meet_are_refused_for_the_friction_alone(self):
        model = changed(STRUT, springs=[{"name": "strut", "connect": ["world.foot", "lid.eye"], "rate": 10, "friction": "seal"}])
        model["world"]["points"]["foot"] = [*(EYE[0], 0), EYE[1]]
        self.write("model.json", model)
        self.write("motion.json", {"format": "counterpoise-motion/1", "poses": {"hinge": {"values": [0, 0.5]}}})
        for seal, code in ((0, 0), (5, 3)):
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", "--set", f"seal={seal}", code=code)
            self.assertEqual("where its ends count as meeting, and it has friction" in said.stderr, seal > 0, said.stderr)



class BesidePins(pins.Runs):
    """Friction of springs beside friction that grows with reactions."""

    at_rest = pins.OneJoint.at_rest

    def strut(self, q, friction):
        """What a strut that rubs pulls with, the direction from its foot to the arm's eye, and the slope of its length."""
        eye = pins.turned((0.25, 0.05), q)
        apart = eye - np.array([-0.3, 0.1])
        along = apart / np.hypot(*apart)
        return 80 * (np.hypot(*apart) - 0.2) + friction, along, np.array([-eye[1], eye[0]]) @ along

    def test_friction_of_a_spring_loads_the_pin(self):
        strut = {**pins.CYLINDER[0], "name": "strut", "rate": 80, "free_length": 0.2, "friction": 12}
        model = changed(pins.PIN, springs=[strut])
        for row in self.simulated(model, None, "--reactions"):
            moment, force = pins.pendulum(row)
            v = row["arm.qd"]
            slope = self.strut(row["arm.q"], 0)[2]
            pull, along, slope = self.strut(row["arm.q"], 12 * pins.sign(v * slope))
            through = np.hypot(*(force + pull * along))
            self.near(row["lift.load"], moment + pull * slope + (0.3 + 0.02 * through) * pins.sign(v) + 0.1 * v, row["t"])
            self.near(np.hypot(row["arm.reaction.fx"], row["arm.reaction.fz"]), through, row["t"])
        plain = changed(model, springs__0__friction=0)
        for row, bare in zip(self.simulated(model, None, "--without-springs"), self.simulated(plain, None, "--without-springs"),
                             strict=True):
            self.assertEqual(row["lift.load"], bare["lift.load"])

    def test_motors_at_rest_carry_springs_that_rub_too(self):
        motor = {"name": "lift", "joint": "arm", "ratio": 50, "friction": {"coulomb": 0.2}}
        strut = {**pins.CYLINDER[0], "name": "strut", "rate": 80, "free_length": 0.2, "friction": 15}
        expected = {"worst": [], "favourable": []}
        for row in self.simulated(changed(pins.PIN, actuators=[motor], springs=[strut], parameters__pin=0.1), pins.POSES):
            q = row["lift.position"]
            ends = []
            for side, other in itertools.product((1, -1), repeat=2):
                pull, along, slope = self.strut(q, 15 * side)
                through = np.hypot(*(np.array([0, 2 * pins.G]) + pull * along))
                ends.append(pins.G * math.cos(q) + pull * slope + other * (0.3 + 0.1 * through))
            pull, _, slope = self.strut(q, 0)
            self.near(row["lift.load"], pins.G * math.cos(q) + pull * slope, q)
            worst = max(map(abs, ends)) + 0.2
            least = max(0.0, min(map(abs, ends)) - 0.2) if max(ends) * min(ends) > 0 else 0.0
            self.near(abs(row["lift.motor_torque"]), worst / 50, q)
            expected["worst"].append(worst)
            expected["favourable"].append(least)
        self.assertGreater(max(expected["favourable"]), 0)
        for end, loads in expected.items():
            self.at_rest(end, {"lift": {"at_rest": end}})
            self.near(self.cases(f"{end}.db")[0]["peak"], max(loads) / 50, end)

    def test_a_spring_along_a_guide_does_not_load_it(self):
        model = {
            "format": "counterpoise-model/1", "world": {"points": {"stop": [-1, 0, 0]}},
            "bodies": [{"name": "block", "parent": "world", "mass": 3, "points": {"eye": [0, 0, 0]},
                        "joint": {"type": "prismatic", "axis": "x", "friction": {"load_coefficient": 0.2}}}],
            "springs": [{"name": "spring", "connect": ["world.stop", "block.eye"], "rate": 50, "free_length": 0.2, "friction": 7}],
            "actuators": [{"name": "pull", "joint": "block", "ratio": 100}]}
        motion = {"format": "counterpoise-motion/1", "poses": {"pull": {"values": [-0.3, 0.1]}}}
        for row in self.simulated(model, motion):
            load = 50 * (row["block.q"] + 0.8)
            self.near(row["pull.load"], load, "middle")
            self.near(abs(row["pull.motor_torque"]), (load + 7 + 0.2 * 3 * pins.G) / 100, "end")


if __name__ == "__main__":
    unittest.main()
