#!/usr/bin/env python3
"""Springs that may go slack, and torsion springs on stops: loads against the slopes of their energy, metrics of studies,
cables, reactions, falls against a pendulum integrated here, exact searches beside them, words, and what is refused."""

import json
import math
import random
import unittest

from arm_runs import ArmRuns
from program import DONE, INFEASIBLE, changed, trials

G = 9.81
MASS, CENTRE, INERTIA = 2.0, 0.2, 0.03
POST, MOUNT = (-0.05, 0.3), (0.2, 0.03)
MODEL = {
    "format": "counterpoise-model/1",
    "parameters": {"rate": 400, "free": 0.25, "initial": 0, "mount": MOUNT[0], "other": 100},
    "world": {"points": {"post": [POST[0], 0, POST[1]], "eye": [0.02, 0, 0.32], "low": [0.1, 0, -0.3]}},
    "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": MASS,
                "com": [CENTRE, 0, 0], "inertia": [0, INERTIA, INERTIA, 0, 0, 0],
                "points": {"mount": ["mount", 0, MOUNT[1]], "tip": [0.35, 0, 0]}}],
    "springs": [{"name": "lift", "type": "extension", "connect": ["world.post", "arm.mount"], "rate": "rate",
                 "free_length": "free", "initial_tension": "initial", "may_go_slack": True}],
    "actuators": [{"name": "shoulder", "joint": "arm"}],
}
PUSHES = changed(MODEL, springs__0__type="compression")
MOTION = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.02, "inertia": False, "coordinates": {
    "shoulder": {"type": "sine", "mean": 0.2, "amplitude": 1, "period": 2}}}
VALUES = {"rate": 400, "free": 0.25, "initial": 0, "mount": MOUNT[0]}


def up(place, angle):
    """(x, z), turned up about the axis -y."""
    return (place[0] * math.cos(angle) - place[1] * math.sin(angle), place[0] * math.sin(angle) + place[1] * math.cos(angle))


def length(q, v, before=POST):
    x, z = up((v["mount"], MOUNT[1]), q)
    return math.hypot(x - before[0], z - before[1])


def tension(long, v, pushes=False):
    side = -1 if pushes else 1
    taut = side * (long - v["free"]) >= 0
    return side * max(side * (v["initial"] + v["rate"] * (long - v["free"])), 0) if taut else 0


def energy(long, v, pushes=False):
    """The work of the tension from the free length on; none where it hangs loose."""
    stretch = long - v["free"]
    return v["initial"] * stretch + v["rate"] * stretch ** 2 / 2 if (stretch < 0) == pushes else 0


def spring_torque(q, v, pushes=False):
    """What the spring asks of the shoulder, as the slope of its energy."""
    step = 1e-6
    return (energy(length(q + step, v), v, pushes) - energy(length(q - step, v), v, pushes)) / (2 * step)


def swings(q, asks, h=1e-4):
    """Angles every 0.01 s where the arm falls from rest, and a spring asks this of it; by the classical Runge-Kutta
    method."""
    def speed_up(at):
        return -(MASS * G * CENTRE * math.cos(at) + asks(at)) / (INERTIA + MASS * CENTRE ** 2)
    found, w = [q], 0.0
    for k in range(15000):
        a1 = speed_up(q)
        a2 = speed_up(q + h / 2 * w)
        a3 = speed_up(q + h / 2 * (w + h / 2 * a1))
        a4 = speed_up(q + h * (w + h / 2 * a2))
        q, w = q + h * w + h * h / 6 * (a1 + a2 + a3), w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        if k % 100 == 99:
            found.append(q)
    return found


def angle(k, step=0.02):
    return 0.2 + math.sin(math.pi * k * step)


class SlackFiles(ArmRuns):
    MODEL, MOTION = MODEL, MOTION

    def fall(self, code=DONE, **start):
        self.write("scenario.json", {"format": "counterpoise-scenario/1", "duration": 1.5, "step": 0.01, "others": "free",
                                     "tolerance": 1e-11, "start": {"coordinates": {"shoulder": start.pop("at")}}})
        settings = [one for name, value in start.items() for one in ("--set", f"{name}={value}")]
        said = self.run_program("forward", "model.json", "--scenario", "scenario.json", "-o", "states.csv", *settings,
                                code=code)
        return [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("states.csv")], said.stderr


class SlackSprings(SlackFiles):
    def test_loads_are_the_slopes_of_the_energy_and_none_where_it_hangs_loose(self):
        choice = random.Random(1)
        loose = taut = 0
        for _ in range(trials(60)):
            pushes = choice.random() < 0.4
            v = {"rate": choice.uniform(0, 900), "free": choice.uniform(0.15, 0.5), "mount": choice.uniform(0.1, 0.3),
                 "initial": choice.choice((0, choice.uniform(0, 40))) * (-1 if pushes else 1)}
            self.files(PUSHES if pushes else MODEL)
            settings = [one for name, value in v.items() for one in ("--set", f"{name}={value}")]
            with_springs, without = self.simulated(*settings), self.simulated(*settings, "--without-springs")
            self.assertEqual(len(with_springs), 101)
            for row, bare in zip(with_springs, without, strict=True):
                q, long = row["shoulder.position"], row["lift.length"]
                self.assertAlmostEqual(long, length(q, v), delta=1e-13)
                if abs(long - v["free"]) < 1e-5:
                    continue  # the slope changes within the step
                self.assertAlmostEqual(row["lift.tension"], tension(long, v, pushes), delta=1e-9)
                self.assertAlmostEqual(row["shoulder.load"] - bare["shoulder.load"], spring_torque(q, v, pushes), delta=1e-6)
                if row["lift.tension"] == 0 and v["rate"] > 0:
                    loose += 1
                    self.assertEqual(row["shoulder.load"], bare["shoulder.load"])
                else:
                    taut += 1
        self.assertGreater(loose, 100)
        self.assertGreater(taut, 100)

    def test_at_the_free_length_it_has_its_initial_tension_whatever_the_rounding(self):
        for q in (0.3, 0.7, 0.9):
            self.files(motion={**MOTION, "coordinates": {"shoulder": {"type": "hold", "value": q}}})
            for share, pulled in ((1 - 1e-8, True), (1 - 1e-13, True), (1, True), (1 + 1e-13, True), (1 + 1e-8, False)):
                free = length(q, VALUES) * share
                for row in self.simulated("--set", f"free={free!r}", "--set", "initial=12"):
                    self.assertAlmostEqual(row["lift.tension"], 12 if pulled else 0, delta=1e-4)

    def test_metrics_of_studies_follow_whatever_changed_before(self):
        names = ("rate", "free", "initial", "mount")
        self.files(variables={"rate": {"range": [0, 800], "count": 3}, "free": {"range": [0.2, 0.4], "count": 4},
                              "initial": {"range": [0, 30], "count": 2}, "mount": {"range": [0.1, 0.3], "count": 3}},
                   sampling={"method": "grid"},
                   store=["shoulder.mean", "shoulder.rms", "lift.max_tension", "lift.min_tension", "lift.min_length"])
        rows = self.run_cases()
        self.assertEqual(len(rows), 72)
        weights = [0.5 if k in (0, 100) else 1 for k in range(101)]
        slack = 0
        for row in rows:
            v = {name: row[name] for name in names}
            lengths = [length(angle(k), v) for k in range(101)]
            tensions = [tension(long, v) for long in lengths]
            loads = []
            for k, (long, force) in enumerate(zip(lengths, tensions)):
                step = 1e-6
                slope = (length(angle(k) + step, v) - length(angle(k) - step, v)) / (2 * step)
                loads.append(MASS * G * CENTRE * math.cos(angle(k)) + force * slope)
            slack += min(tensions) == 0 and v["rate"] > 0
            self.assertAlmostEqual(row["peak"], max(map(abs, loads)), delta=1e-6)
            self.assertAlmostEqual(row["shoulder.mean"], sum(w * abs(f) for w, f in zip(weights, loads)) / 100, delta=1e-6)
            self.assertAlmostEqual(row["shoulder.rms"], math.sqrt(sum(w * f * f for w, f in zip(weights, loads)) / 100),
                                   delta=1e-6)
            self.assertAlmostEqual(row["lift.max_tension"], max(tensions), delta=1e-9)
            self.assertAlmostEqual(row["lift.min_tension"], min(tensions), delta=1e-9)
            self.assertAlmostEqual(row["lift.min_length"], min(lengths), delta=1e-12)
        self.assertGreater(slack, 20)

    def test_no_length_is_a_limit_but_those_that_are_stated(self):
        plain = json.loads(json.dumps(MODEL))
        del plain["springs"][0]["may_go_slack"]
        self.files(changed(plain, springs__0__acts="pull"))
        self.assertIn("would have to push", self.run_program("simulate", "model.json", "--motion", "motion.json").stderr)
        self.files(plain)
        self.assertIn("would have to push", self.run_program("simulate", "model.json", "--motion", "motion.json").stderr)
        self.files()
        self.assertEqual(self.run_program("simulate", "model.json", "--motion", "motion.json").stderr, "")
        long = max(length(angle(k), VALUES) for k in range(101))
        most = tension(long, VALUES)
        for limit, words in (("max_load", "loaded beyond max_load"), ("min_length", "shorter than min_length")):
            short = min(length(angle(k), VALUES) for k in range(101))
            at = {"max_load": most, "min_length": short}[limit]
            for share, broken in ((0.99, limit == "max_load"), (1.01, limit == "min_length")):
                self.files(changed(MODEL, **{f"springs__0__{limit}": at * share}))
                said = self.run_program("simulate", "model.json", "--motion", "motion.json").stderr
                self.assertEqual(words in said, broken, said)

    def test_long_motions_that_are_held_in_stretches_give_the_same(self):
        self.files()
        coarse = self.simulated()
        self.files(motion={**MOTION, "step": 1e-4})
        fine = self.simulated()
        self.assertEqual(len(fine), 20001)
        for one, other in zip(coarse, fine[::200], strict=True):
            self.assertAlmostEqual(one["lift.tension"], other["lift.tension"], delta=1e-9)
            self.assertAlmostEqual(one["shoulder.load"], other["shoulder.load"], delta=1e-9)

    def test_a_cable_hangs_loose_in_place_of_being_refused(self):
        cable = changed(MODEL, springs__0__connect=["world.low", "world.eye", "arm.mount"])
        to_eye = math.hypot(0.1 - 0.02, -0.3 - 0.32)
        v = {**VALUES, "free": to_eye + 0.25}
        course = lambda q: to_eye + length(q, v, (0.02, 0.32))
        for gas in (False, True):
            if gas:
                cable["springs"][0] = {**cable["springs"][0], "type": "gas"}
            self.files(cable)
            tensions = set()
            for row, bare in zip(self.simulated("--set", f"free={v['free']!r}"),
                                 self.simulated("--set", f"free={v['free']!r}", "--without-springs"), strict=True):
                q, step = row["shoulder.position"], 1e-6
                force = tension(course(q), v)
                slope = (course(q + step) - course(q - step)) / (2 * step)
                self.assertAlmostEqual(row["lift.length"], course(q), delta=1e-12)
                self.assertAlmostEqual(row["lift.tension"], force, delta=1e-9)
                self.assertAlmostEqual(row["shoulder.load"] - bare["shoulder.load"], force * slope, delta=1e-6)
                tensions.add(force)
            self.assertIn(0, tensions)
            self.assertGreater(max(tensions), 10)
        cable["springs"][0].pop("may_go_slack")
        self.files(cable, variables={"free": {"values": [v["free"]]}}, sampling={"method": "grid"})
        self.run_program("run", "study.json", "-o", "out.db", code=INFEASIBLE)
        self.files({**cable, "springs": [{**cable["springs"][0], "may_go_slack": True}]},
                   variables={"free": {"values": [v["free"]]}}, sampling={"method": "grid"})
        self.assertEqual(self.run_cases("--force")[0]["status"], "feasible")

    def test_reactions_keep_the_arm_in_equilibrium(self):
        self.files()
        for row in self.simulated("--reactions"):
            q = row["shoulder.position"]
            x, z = up((VALUES["mount"], MOUNT[1]), q)
            long = math.hypot(x - POST[0], z - POST[1])
            force = tension(long, VALUES)
            pull = (force * (POST[0] - x) / long, force * (POST[1] - z) / long)
            found = up((row["arm.reaction.fx"], row["arm.reaction.fz"]), q)
            self.assertAlmostEqual(found[0] + pull[0], 0, delta=1e-9)
            self.assertAlmostEqual(found[1] + pull[1], MASS * G, delta=1e-9)

    def pendulum(self, q, v, pushes=False):
        def asks(at):
            step = 1e-5
            return tension(length(at, v), v, pushes) * (length(at + step, v) - length(at - step, v)) / (2 * step)
        return swings(q, asks)

    def test_falls_go_slack_and_take_up_again(self):
        for model, pushes, at in ((MODEL, False, 0.9), (PUSHES, True, 1.2)):
            self.files(model)
            rows, _ = self.fall(at=at)
            loose = [row["lift.tension"] == 0 for row in rows]
            self.assertGreater(sum(one != other for one, other in zip(loose, loose[1:])), 2)
            for row, q in zip(rows, self.pendulum(at, VALUES, pushes), strict=True):
                self.assertAlmostEqual(row["arm.q"], q, delta=2e-6)  # of the oracle
                self.assertAlmostEqual(row["energy.springs"], energy(row["lift.length"], VALUES, pushes), delta=1e-9)
                self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=1e-11)

    def test_a_fall_ends_where_an_initial_tension_comes_or_goes_at_once(self):
        self.files()
        v = {**VALUES, "initial": 8.0}
        rows, said = self.fall(code=INFEASIBLE, at=0.9, initial=8)
        self.assertIn("a spring goes slack or is taken up, or a part of one, where its initial tension or preload is there at "
                      "once", said)
        self.assertGreater(len(rows), 3)
        self.assertTrue(all(row["lift.tension"] == 0 for row in rows))
        self.assertAlmostEqual(rows[-1]["lift.length"], v["free"], delta=0.01)
        for row, q in zip(rows, self.pendulum(0.9, v)):
            self.assertAlmostEqual(row["arm.q"], q, delta=1e-6)
        rows, _ = self.fall(at=0.9, initial=8, free=3)  # never taken up
        self.assertEqual(len(rows), 151)

    def test_an_exact_search_sizes_others_beside_it_with_proof(self):
        model = json.loads(json.dumps(MODEL))
        model["springs"].append({"name": "sized", "connect": ["world.post", "arm.tip"], "rate": "other",
                                 "free_length": 0.1})
        model["springs"][0]["max_load"] = 500
        model["parameters"]["free"] = 0.36
        v = {**VALUES, "free": 0.36}
        self.files(model, variables={"other": {"range": [0, 2000]}}, search={"method": "exact-springs"},
                   store=["lift.max_tension"])
        row, = self.run_cases()
        samples = []
        for k in range(101):
            q, step = angle(k), 1e-6
            long = lambda a: math.hypot(up((0.35, 0), a)[0] - POST[0], up((0.35, 0), a)[1] - POST[1])
            slope = (long(q + step) - long(q - step)) / (2 * step)
            samples.append((MASS * G * CENTRE * math.cos(q) + spring_torque(q, v), (long(q) - 0.1) * slope))
        worst = lambda rate: max(abs(bare + rate * per) for bare, per in samples)
        low, high = 0.0, 2000.0
        for _ in range(200):  # the largest of lines in size is convex
            one, other = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, other) if worst(one) < worst(other) else (one, high)
        self.assertLess(worst(low), worst(0) - 1)
        self.assertAlmostEqual(row["peak"], worst(low), delta=1e-5)
        self.assertAlmostEqual(row["lift.max_tension"], max(tension(length(angle(k), v), v) for k in range(101)), delta=1e-9)
        self.assertIn("case 1: proved: objective", self.run_program("verify", "out.db").stdout)

    def test_what_follows_it_is_searched_in_place_of_being_sized(self):
        model = json.loads(json.dumps(MODEL))
        model["springs"].append({"name": "sized", "connect": ["world.post", "arm.tip"], "rate": "other",
                                 "free_length": 0.1})
        both = {"other": {"range": [0, 2000]}, "free": {"range": [0.2, 0.4]}}
        self.files(model, variables=both, search={"method": "exact-springs"})
        said = self.refused("run", "study.json", "-o", "out.db")
        self.assertIn("variable free enters the law of spring lift, which may go slack, so that loads are not affine in it: "
                      "\"max_evaluations\"", said)
        self.files(model, variables=both, search={"method": "exact-springs", "max_evaluations": 60, "seed": 1})
        best = min(row["peak"] for row in self.run_cases() if row["status"] == "feasible")
        self.assertIn("no springs beside these slack ones within bounds", self.run_program("verify", "out.db").stdout)
        self.assertIn("in this geometry no springs beside these slack ones", self.run_program("show", "out.db", "best").stdout)
        self.files(model, variables={"other": {"range": [0, 2000], "count": 81}, "free": {"range": [0.2, 0.4], "count": 41}},
                   sampling={"method": "grid"})
        on_grid = min(row["peak"] for row in self.run_cases("--force"))
        self.assertLess(best, on_grid + 0.02)

    def test_weights_are_sized_beside_it_as_a_fine_search_finds_them(self):
        model = json.loads(json.dumps(MODEL))
        model["parameters"].update(weight=0, rate=40, free=0.1)
        model["bodies"].append({"name": "behind", "parent": "arm", "joint": {"type": "fixed", "origin": [-0.15, 0, 0]},
                                "mass": "weight"})
        self.files(model, variables={"weight": {"range": [0, 6]}}, search={"method": "exact-springs"})
        row, = self.run_cases()
        samples = [(math.cos(angle(k)), spring_torque(angle(k), {**VALUES, "rate": 40, "free": 0.1})) for k in range(101)]
        worst = lambda weight: max(abs(G * (MASS * CENTRE - 0.15 * weight) * c + torque) for c, torque in samples)
        best = min(range(60001), key=lambda i: worst(i / 10000)) / 10000
        self.assertLess(worst(best), worst(0) - 0.5)
        self.assertAlmostEqual(row["peak"], worst(best), delta=1e-3)
        self.assertLessEqual(row["peak"], worst(best) + 1e-9)
        self.run_program("verify", "out.db")

    def test_a_least_tension_of_none_is_met_where_it_hangs_loose(self):
        model = json.loads(json.dumps(MODEL))
        model["springs"].append({"name": "sized", "connect": ["world.post", "arm.tip"], "rate": "other",
                                 "free_length": 0.1})
        for free in range(300, 380, 8):  # mm
            model["parameters"]["free"] = free / 1000
            self.files(model, variables={"other": {"range": [0, 40]}}, search={"method": "exact-springs"},
                       constraints=[{"name": "taut", "expression": "lift.min_tension", "min": 0}])
            self.assertEqual([row["status"] for row in self.run_cases()], ["feasible"], free)

    def test_words_of_searches_that_cannot_size_it(self):
        exact = {"method": "exact-springs"}
        places = {"mount": {"range": [0.1, 0.3]}, "other": {"range": [0, 2000]}}
        model = changed(MODEL, springs=MODEL["springs"] + [
            {"name": "sized", "connect": ["world.post", "arm.mount"], "rate": "other", "free_length": 0.1}])
        for variables, search, words in (
                ({"rate": {"range": [0, 900]}}, exact, "nothing else is sized: search with the method \"nlopt\""),
                ({"rate": {"values": [1, 2]}}, exact, "has levels; an exact search chooses among springs that never go slack"),
                (places, {**exact, "geometry": "prove"}, "\"geometry\": \"prove\" proves nothing of it")):
            self.files(model, variables=variables, search=search)
            said = self.refused("run", "study.json", "-o", "out.db")
            self.assertIn("may go slack", said)
            self.assertIn(words, said)

    def test_show_splits_the_load_with_the_tension_as_it_is(self):
        self.files(variables={"free": {"range": [0.2, 0.4], "count": 5}}, sampling={"method": "grid"})
        self.run_cases()
        for case in range(1, 6):
            shown = self.run_json("show", "out.db", str(case), "--json")
            free = self.cases("out.db")[case - 1]["free"]
            for instant in shown["explanation"]["critical_instants"][0]["instants"]:
                q = angle(round(instant["t"] / 0.02))
                share = instant["springs"]["lift"]
                self.assertAlmostEqual(share, spring_torque(q, {**VALUES, "free": free}), delta=1e-5)
                self.assertAlmostEqual(instant["load"], MASS * G * CENTRE * math.cos(q) + share, delta=1e-9)

    def test_tolerances_deviate_it_as_it_is(self):
        self.files(variables={"free": {"range": [0.2, 0.4], "count": 3}}, sampling={"method": "grid"})
        self.run_cases()
        self.write("tolerances.json", {"samples": 30, "of": {"rate": {"percent": 10}, "free": {"percent": 2}}})
        for design in self.run_json("robustness", "out.db", "--tolerances", "tolerances.json", "--json")["motions"][0]["designs"]:
            found = []
            for rate in (360, 400, 440):
                for share in (0.98, 1, 1.02):
                    v = {**VALUES, "rate": rate, "free": design["free"] * share}
                    found.append(max(abs(MASS * G * CENTRE * math.cos(angle(k)) + spring_torque(angle(k), v))
                                     for k in range(101)))
            self.assertLessEqual(design["worst"], max(found) + 1e-5)
            self.assertGreater(design["worst"], found[4] - 1e-5)

    def test_mjcf_has_a_tendon_that_is_slack_between_two_lengths(self):
        self.files(changed(MODEL, springs=[
            {**MODEL["springs"][0], "free_length": 0.25, "rate": 400},
            {**PUSHES["springs"][0], "name": "below", "free_length": 0.25, "rate": 400}]))
        self.run_program("convert", "model.json", "--to", "mjcf", "-o", "robot.xml")
        text = (self.folder / "robot.xml").read_text(encoding="utf-8")
        self.assertRegex(text, r'stiffness="400" springlength="0 0.25"')
        self.assertRegex(text, r'stiffness="400" springlength="0.25 1e\+06"')
        self.files(changed(MODEL, springs__0__initial_tension=3))
        said = self.refused("convert", "model.json", "--to", "mjcf", "-o", "other.xml")
        self.assertIn("taken up without a jump", said)

    def test_what_is_refused(self):
        spring = MODEL["springs"][0]
        cable = ["world.low", "world.eye", "arm.mount"]
        torsion = {"type": "torsion", "connect": None, "joint": "arm", "free_length": None, "initial_tension": None,
                   "acts": "above"}
        for change, pointer, words in (
                ({"may_go_slack": 1}, "/springs/0/may_go_slack", "found 1, expected true or false"),
                ({"may_go_slack": "yes"}, "/springs/0/may_go_slack", "expected true or false"),
                ({"may_go_slack": None}, "/springs/0/may_go_slack", "found null"),
                ({"may_go_slack": "free"}, "/springs/0/may_go_slack", "expected true or false"),
                ({"may_go_slak": True}, "/springs/0/may_go_slak", "did you mean \"may_go_slack\"?"),
                ({"goes_slack": True}, "/springs/0/goes_slack", "expected a key of a spring"),
                ({"acts": "pull"}, "/springs/0/acts", "expected one of them: a spring that goes slack never pushes"),
                ({"acts": "both"}, "/springs/0/acts", "beside \"may_go_slack\""),
                ({"type": "compression", "acts": "push"}, "/springs/0/acts", "never pulls"),
                ({"acts": "pull", "connect": cable}, "/springs/0/acts", "beside \"may_go_slack\""),
                ({"type": None}, "/springs/0/may_go_slack", "without \"type\", expected \"extension\""),
                ({"type": "gas"}, "/springs/0/may_go_slack", "of a gas spring between two points"),
                ({"type": "compression", "connect": cable}, "/springs/0/type", "on a cable, which cannot push"),
                ({**torsion, "acts": None}, "/springs/0/may_go_slack", "of a torsion spring without \"acts\""),
                ({**torsion, "acts": "pull"}, "/springs/0/acts", "expected one of above, below"),
                ({**torsion, "acts": "both"}, "/springs/0/acts", "expected one of above, below"),
                ({**torsion, "acts": 1}, "/springs/0/acts", "found 1"),
                ({**torsion, "acts": None, "may_go_slack": 1}, "/springs/0/may_go_slack", "expected true or false"),
                ({**torsion, "may_go_slack": False}, "/springs/0/acts", "without \"may_go_slack\""),
                ({**torsion, "may_go_slack": None}, "/springs/0/acts", "without \"may_go_slack\""),
                ({"acts": "above", "may_go_slack": None}, "/springs/0/acts", "found \"above\"")):
            with self.subTest(change=change):
                wrong = {key: value for key, value in {**spring, **change}.items()
                         if value is not None or change == {"may_go_slack": None}}
                self.files({**MODEL, "springs": [wrong]})
                said = self.refused("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
                self.assertRegex(said, rf"^model\.json:\d+:\d+: {pointer}: ")
                self.assertIn(words, said)
        self.files({**MODEL, "springs": [{**spring, "may_go_slack": False, "acts": "pull"}]})
        self.run_program("check", "model.json")

FLAP_VALUES = {"rate": 9, "free": 0.25, "initial": 0}
FLAP = changed(MODEL, parameters={**MODEL["parameters"], **FLAP_VALUES}, springs=[
    {"name": "coil", "type": "torsion", "joint": "arm", "rate": "rate", "free_angle": "free", "preload": "initial",
     "may_go_slack": True, "acts": "above"}])
SIDES = (("above", 1), ("below", -1))


def flap(acts="above", **changes):
    return changed(FLAP, springs=[{**FLAP["springs"][0], "acts": acts, **changes}])


def torque(q, v, side):
    """Of the spring against the axis of the joint; none on the stop, and never of the other sign."""
    return side * max(side * (v["initial"] + v["rate"] * (q - v["free"])), 0) if side * (q - v["free"]) >= 0 else 0


class TorsionSpringsOnStops(SlackFiles):
    def test_loads_are_those_without_it_and_its_torque_on_one_side(self):
        choice = random.Random(2)
        on_stop = off = 0
        for _ in range(trials(40)):
            acts, side = choice.choice(SIDES)
            v = {"rate": choice.uniform(0, 30), "free": choice.uniform(-0.6, 1),
                 "initial": choice.choice((0, choice.uniform(-3, 6))) * side}
            self.files(flap(acts))
            settings = [one for name, value in v.items() for one in ("--set", f"{name}={value}")]
            for row, bare in zip(self.simulated(*settings), self.simulated(*settings, "--without-springs"), strict=True):
                q = row["shoulder.position"]
                self.assertEqual(row["coil.angle"], q)
                self.assertAlmostEqual(row["coil.torque"], torque(q, v, side), delta=1e-12)
                self.assertAlmostEqual(row["shoulder.load"], MASS * G * CENTRE * math.cos(q) + torque(q, v, side), delta=1e-10)
                on_stop += row["shoulder.load"] == bare["shoulder.load"]
                off += row["shoulder.load"] != bare["shoulder.load"]
        self.assertGreater(min(on_stop, off), 40)

    def test_along_a_joint_that_slides_it_is_a_force(self):
        for acts, side in SIDES:
            model = flap(acts)
            model["bodies"][0]["joint"] = {"type": "prismatic", "axis": "z"}
            self.files(model)
            v = {**FLAP_VALUES, "initial": 4 * side}
            for row in self.simulated("--set", f"initial={4 * side}"):
                self.assertAlmostEqual(row["shoulder.load"], MASS * G + torque(row["shoulder.position"], v, side), delta=1e-10)

    def test_at_its_free_angle_it_has_its_preload_even_where_that_is_0(self):
        for acts, side in SIDES:
            for free in (0, 0.3, -2.1):
                for beyond, loaded in ((0, True), (1e-13, True), (-1e-13, True), (1e-8 * side, True), (-1e-8 * side, False)):
                    self.files(flap(acts), {**MOTION, "coordinates": {"shoulder": {"type": "hold", "value": free + beyond}}})
                    for row in self.simulated("--set", f"free={free}", "--set", f"initial={2 * side}"):
                        self.assertAlmostEqual(row["coil.torque"], 2 * side * loaded, delta=1e-6)

    def test_metrics_and_limits_of_studies(self):
        for acts, side in SIDES:
            model = flap(acts, max_load=6)
            self.files(model, variables={"rate": {"range": [0, 12], "count": 4}, "free": {"range": [-0.5, 0.8], "count": 5},
                                         "initial": {"values": [0, 2 * side]}},
                       sampling={"method": "grid"}, store=["shoulder.mean", "coil.max_tension", "coil.min_tension"])
            broken = 0
            for row in self.run_cases():
                torques = [torque(angle(k), row, side) for k in range(101)]
                if max(map(abs, torques)) > 6:
                    self.assertIn("spring coil loaded beyond max_load", row["reason"])
                    broken += 1
                    continue
                loads = [MASS * G * CENTRE * math.cos(angle(k)) + torques[k] for k in range(101)]
                mean = (sum(map(abs, loads)) - (abs(loads[0]) + abs(loads[-1])) / 2) / 100
                self.assertAlmostEqual(row["peak"], max(map(abs, loads)), delta=1e-9)
                self.assertAlmostEqual(row["shoulder.mean"], mean, delta=1e-9)
                self.assertAlmostEqual(row["coil.max_tension"], max(map(abs, torques)), delta=1e-9)
                self.assertAlmostEqual(row["coil.min_tension"], min(torques), delta=1e-9)
            self.assertTrue(3 < broken < 30, broken)

    def test_falls_swing_off_the_stop_and_back(self):
        for (acts, side), start, rate in zip(SIDES, (-0.3, 0.4), (9, 40)):
            self.files(flap(acts))
            for initial, whole in ((0, True), (-2 * side, True), (2 * side, False)):
                v = {"rate": rate, "free": -0.9, "initial": initial}
                rows, said = self.fall(code=DONE if whole else INFEASIBLE, at=start, **v)
                states = swings(start, lambda at: torque(at, v, side))
                torques = [torque(q, v, side) for q in states]
                for row, q in zip(rows, states):
                    self.assertAlmostEqual(row["arm.q"], q, delta=2e-5)
                    self.assertAlmostEqual(row["coil.torque"], torque(q, v, side), delta=1e-3)
                if whole:
                    self.assertEqual(len(rows), 151)
                    loose = [one == 0 for one in torques]
                    self.assertGreater(sum(one != other for one, other in zip(loose, loose[1:])), 2)
                    self.assertAlmostEqual(rows[-1]["energy.total"], rows[0]["energy.total"], delta=1e-4)
                else:
                    self.assertIn("where its initial tension or preload is there at once", said)
                    self.assertAlmostEqual(rows[-1]["arm.q"], -0.9, delta=0.1)

    def test_an_exact_search_sizes_others_beside_it(self):
        model = flap("below", rate=3, preload=-1, free_angle=-0.3)
        model["springs"].append({"name": "sized", "connect": ["world.post", "arm.tip"], "rate": "other", "free_length": 0.1})
        self.files(model, variables={"other": {"range": [0, 2000]}}, search={"method": "exact-springs"})
        row, = self.run_cases()
        v = {"rate": 3, "free": -0.3, "initial": -1}
        samples = []
        for k in range(101):
            q, step = angle(k), 1e-6
            long = lambda a: math.hypot(up((0.35, 0), a)[0] - POST[0], up((0.35, 0), a)[1] - POST[1])
            slope = (long(q + step) - long(q - step)) / (2 * step)
            samples.append((MASS * G * CENTRE * math.cos(q) + torque(q, v, -1), (long(q) - 0.1) * slope))
        worst = lambda rate: max(abs(bare + rate * per) for bare, per in samples)
        low, high = 0.0, 2000.0
        for _ in range(200):
            one, other = low + (high - low) / 3, high - (high - low) / 3
            low, high = (low, other) if worst(one) < worst(other) else (one, high)
        self.assertLess(worst(low), worst(0) - 1)
        self.assertAlmostEqual(row["peak"], worst(low), delta=1e-5)
        self.assertIn("case 1: proved: objective", self.run_program("verify", "out.db").stdout)

    def test_searches_that_cannot_size_it_and_formats_without_it_say_so(self):
        exact = {"method": "exact-springs"}
        sized = {"name": "sized", "connect": ["world.post", "arm.mount"], "rate": "other", "free_length": 0.1}
        for variables, search, words in (
                ({"rate": {"range": [0, 9]}}, exact, "nothing else is sized"),
                ({"rate": {"values": [1, 2]}}, exact, "has levels"),
                ({"mount": {"range": [0.1, 0.3]}, "other": {"range": [0, 2000]}}, {**exact, "geometry": "prove"},
                 "\"geometry\": \"prove\" proves nothing of it")):
            self.files(changed(FLAP, springs=FLAP["springs"] + [sized]), variables=variables, search=search)
            said = self.refused("run", "study.json", "-o", "out.db")
            self.assertIn("coil", said)
            self.assertIn("may go slack", said)
            self.assertIn(words, said)
        for initial in (0, 2):
            self.files(changed(FLAP, springs__0__preload=initial))
            for form, words in (("mjcf", "found the torsion spring \"coil\" that may go slack"),
                                ("urdf", "found the spring \"coil\""), ("sdf", "found the spring \"coil\"")):
                said = self.refused("convert", "model.json", "--to", form, "-o", "robot.xml")
                self.assertRegex(said, r"^model\.json:\d+:\d+: /springs/0: ")
                self.assertIn(words, said)
                self.assertNotIn("mjcf writes it", said)
        self.run_program("convert", "model.json", "--to", "sdf", "--without-springs", "-o", "robot.sdf")

    def test_what_is_ordered_says_on_which_side_it_acts(self):
        for acts, _ in SIDES:
            self.files(flap(acts), variables={"rate": {"values": [4]}}, sampling={"method": "grid"})
            self.run_cases()
            self.assertRegex(self.run_program("show", "out.db", "best", "--bill").stdout, f"acts +{acts} its free angle only")
            self.assertEqual(self.run_json("show", "out.db", "best", "--bill", "--json")["springs"][0]["acts"], acts)
            (self.folder / "sheet.svg").unlink(missing_ok=True)
            self.run_program("sheet", "out.db", "best", "-o", "sheet.svg")
            self.assertIn(f"{acts} that only: its leg lies on a stop", (self.folder / "sheet.svg").read_text(encoding="utf-8"))
        said = self.run_json("show", "out.db", "best", "--json")["explanation"]["critical_instants"][0]["instants"]
        for instant in said:
            q = angle(round(instant["t"] / 0.02))
            self.assertAlmostEqual(instant["springs"]["coil"], torque(q, {"rate": 4, "free": 0.25, "initial": 0}, -1), delta=1e-9)



if __name__ == "__main__":
    unittest.main()
