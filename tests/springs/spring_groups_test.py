#!/usr/bin/env python3
"""Springs in series and in parallel: loads against equilibria that are found by bisection, studies against their own
loops, falls against a pendulum integrated here, what searches, pages and formats say of them, and what is refused."""

import json
import math
import random
import unittest

from arm_runs import ArmRuns
from program import DONE, INFEASIBLE, changed, trials

G = 9.81
MASS, CENTRE, INERTIA = 2.0, 0.2, 0.03
POST, MOUNT = (-0.05, 0.3), (0.2, 0.03)
STIFF = {"rate": 900, "free_length": 0.08, "initial_tension": "first"}
SOFT = {"rate": "soft", "free_length": 0.1, "initial_tension": "second"}
MODEL = {
    "format": "counterpoise-model/1",
    "parameters": {"first": 12, "second": 30, "soft": 300, "other": 100},
    "world": {"points": {"post": [POST[0], 0, POST[1]], "eye": [0.02, 0, 0.32], "low": [0.1, 0, -0.3]}},
    "bodies": [{"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": MASS,
                "com": [CENTRE, 0, 0], "inertia": [0, INERTIA, INERTIA, 0, 0, 0],
                "points": {"mount": [MOUNT[0], 0, MOUNT[1]], "tip": [0.35, 0, 0]}}],
    "springs": [{"name": "lift", "type": "extension", "connect": ["world.post", "arm.mount"], "series": [STIFF, SOFT]}],
    "actuators": [{"name": "shoulder", "joint": "arm"}],
}
MOTION = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.02, "inertia": False, "coordinates": {
    "shoulder": {"type": "sine", "mean": 0.2, "amplitude": 1, "period": 2}}}


def length(q):
    x = MOUNT[0] * math.cos(q) - MOUNT[1] * math.sin(q)
    z = MOUNT[0] * math.sin(q) + MOUNT[1] * math.cos(q)
    return math.hypot(x - POST[0], z - POST[1])


def lever(q, step=1e-6):
    return (length(q + step) - length(q - step)) / (2 * step)


def angle(k, step=0.02):
    return 0.2 + math.sin(math.pi * k * step)


def crossing(function, value, low, high):
    """The last place at which a function that does not fall is at most the value."""
    for _ in range(70):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) <= value else (low, middle)
    return low


class Group:
    """A group by its definition: what pulls, as stretch over load of its members. Nothing is added up in pieces; where a
    law cannot be turned over, the stretch or the load is found by bisection. Of springs that push, everything is the
    other way round."""

    def __init__(self, spring, pushes=False):
        self.sense = -1 if pushes else 1
        self.members = [Group(one, pushes) for one in spring.get("series", spring.get("parallel", []))]
        self.series = "series" in spring
        self.rate, self.tension = spring.get("rate", 0), abs(spring.get("initial_tension", 0))
        if not self.members:
            self.free = spring.get("free_length", 0)
        elif self.series:
            self.free = sum(one.free for one in self.members)
        else:
            self.free = (max if pushes else min)(one.free for one in self.members)

    def stretch(self, load):
        """Of a load; of all stretches that have it the largest."""
        if not self.members:
            return max(load - self.tension, 0) / self.rate
        if self.series:
            return sum(one.stretch(load) for one in self.members)
        return crossing(self.load, load, 0, 1e3)

    def load(self, stretch):
        """Of a stretch that is not negative; none where it is loose."""
        if not self.members:
            return self.tension + self.rate * stretch if stretch >= 0 else 0
        if self.series:
            return crossing(self.stretch, stretch, 0, 1e6) if stretch >= 0 else 0
        return sum(one.load(stretch - self.sense * (one.free - self.free)) for one in self.members)

    def at(self, long):
        """The tension at a length; below its free length the first straight piece goes on."""
        stretch = self.sense * (long - self.free)
        if stretch >= 0:
            return self.sense * self.load(stretch)
        near, far = self.load(1e-7), self.load(2e-7)
        return self.sense * (near + (far - near) / 1e-7 * (stretch - 1e-7))


def grouped(values, spring=MODEL["springs"][0]):
    """The group of the model's spring with numbers in place of parameters."""
    text = json.dumps({key: spring[key] for key in spring if key in ("series", "parallel")})
    for name, value in values.items():
        text = text.replace(f'"{name}"', repr(value))
    return Group(json.loads(text), spring["type"] == "compression")


VALUES = {name: value for name, value in MODEL["parameters"].items()}


def pieces_of_two(first, second, stiff=900.0, soft=300.0, free=0.18):
    """Tension and energy of two extension springs in series, by the formulas of textbooks."""
    weaker, stronger = sorted([(first, stiff), (second, soft)])
    bend = (stronger[0] - weaker[0]) / weaker[1]
    both = 1 / (1 / stiff + 1 / soft)

    def tension(long):
        stretch = long - free
        return weaker[0] + weaker[1] * stretch if stretch < bend > 0 else stronger[0] + both * (stretch - bend)

    def energy(long):
        stretch = long - free
        alone = min(stretch, bend)
        beyond = max(stretch - bend, 0)
        return weaker[0] * alone + weaker[1] * alone ** 2 / 2 + stronger[0] * beyond + both * beyond ** 2 / 2
    return tension, energy


def swings(q, asks, seconds=1.5, h=5e-5):
    """Angles every 0.01 s where the arm falls from rest, and a spring asks this of it; by the classical Runge-Kutta
    method."""
    def speed_up(at):
        return -(MASS * G * CENTRE * math.cos(at) + asks(at)) / (INERTIA + MASS * CENTRE ** 2)
    found, w = [q], 0.0
    for k in range(round(seconds / h)):
        a1 = speed_up(q)
        a2 = speed_up(q + h / 2 * w)
        a3 = speed_up(q + h / 2 * (w + h / 2 * a1))
        a4 = speed_up(q + h * (w + h / 2 * a2))
        q, w = q + h * w + h * h / 6 * (a1 + a2 + a3), w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        if (k + 1) % round(0.01 / h) == 0:
            found.append(q)
    return found


def exact_lever(q):
    x = MOUNT[0] * math.cos(q) - MOUNT[1] * math.sin(q)
    z = MOUNT[0] * math.sin(q) + MOUNT[1] * math.cos(q)
    return (-(x - POST[0]) * z + (z - POST[1]) * x) / math.hypot(x - POST[0], z - POST[1])


class SpringGroups(ArmRuns):
    MODEL, MOTION = MODEL, MOTION

    @staticmethod
    def random_group(choice, pushes, left=6):
        """A group of two to `left` springs."""
        count = choice.randint(2, min(left, 3))
        members = []
        for place in range(count):
            spare = left - len(members) - (count - place - 1)
            if spare >= 2 and choice.random() < 0.4:
                inner, used = SpringGroups.random_group(choice, pushes, spare)
                members.append(inner)
                left -= used - 1
            else:
                members.append({"rate": choice.uniform(100, 1500), "free_length": choice.uniform(0.05, 0.12),
                                "initial_tension": choice.choice((0, choice.uniform(0, 40))) * (-1 if pushes else 1)})
        used = sum(SpringGroups.count(one) for one in members)
        return {choice.choice(("series", "parallel")): members}, used

    @staticmethod
    def count(spring):
        inner = spring.get("series") or spring.get("parallel")
        return sum(map(SpringGroups.count, inner)) if inner else 1

    def test_loads_are_those_of_the_equilibrium_of_their_springs(self):
        choice = random.Random(3)
        bends = 0
        for _ in range(trials(100)):
            pushes = choice.random() < 0.4
            group, _ = self.random_group(choice, pushes)
            model = Group(group, pushes)
            spring = {"name": "lift", "type": "compression" if pushes else "extension",
                      "connect": ["world.post", "arm.mount"], **group}
            slack = choice.random() < 0.4
            if slack:
                spring["may_go_slack"] = True
            self.files({**MODEL, "springs": [spring]})
            with_springs, without = self.simulated(), self.simulated("--without-springs")
            found = set()
            for row, bare in zip(with_springs, without, strict=True):
                q, long = row["shoulder.position"], row["lift.length"]
                stretch = model.sense * (long - model.free)
                expected = 0 if slack and stretch < 0 else model.at(long)
                near = [model.at(long + way) for way in (-1e-7, 1e-7)]
                if abs(near[1] - near[0]) > 1e-3 or abs(stretch) < 1e-7:
                    continue  # a jump
                self.assertAlmostEqual(row["lift.tension"], expected, delta=1e-5 if stretch < 0 else 1e-9 * (1 + abs(expected)))
                self.assertAlmostEqual(row["shoulder.load"] - bare["shoulder.load"], row["lift.tension"] * lever(q),
                                       delta=1e-7)
                found.add(round((near[1] - near[0]) / 2e-7))
            bends += len(found) > 1
        self.assertGreater(bends, trials(100) // 3)

    def test_two_springs_in_a_row_follow_the_formulas_of_textbooks(self):
        for first, second in ((12, 30), (30, 12), (12, 12), (0, 25), (0, 0)):
            self.files(changed(MODEL, parameters__first=first, parameters__second=second))
            tension, _ = pieces_of_two(first, second)
            for row in self.simulated():
                self.assertAlmostEqual(row["lift.tension"], tension(row["lift.length"]), delta=1e-10)

    def test_an_inner_spring_of_a_compressed_pair_begins_later(self):
        pair = {"name": "lift", "type": "compression", "connect": ["world.low", "arm.mount"], "parallel": [
            {"rate": 400, "free_length": 0.45}, {"rate": 700, "free_length": 0.35}], "may_go_slack": True}
        self.files({**MODEL, "springs": [pair]})
        seen = set()
        for row in self.simulated():
            long = row["lift.length"]
            expected = 400 * min(long - 0.45, 0) + 700 * min(long - 0.35, 0)
            self.assertAlmostEqual(row["lift.tension"], expected, delta=1e-10)
            seen.add((long < 0.45, long < 0.35))
        self.assertEqual(len(seen), 3)

    def test_a_spring_of_constant_force_in_a_row_yields_for_ever(self):
        constant = {"rate": 0, "free_length": 0.1, "initial_tension": 40}
        for members in ([STIFF, constant], [constant, STIFF], [constant, {**constant, "initial_tension": 50}, STIFF]):
            self.files(changed(MODEL, springs__0__series=members))
            most = set()
            for row in self.simulated():
                stretch = row["lift.length"] - sum(one["free_length"] for one in members)
                self.assertAlmostEqual(row["lift.tension"], min(12 + 900 * stretch, 40), delta=1e-10)
                most.add(row["lift.tension"] > 39.999)
            self.assertEqual(most, {True, False} if len(members) == 2 else most)

    def test_free_lengths_that_differ_by_rounding_are_the_same(self):
        pair = {"name": "lift", "type": "extension", "connect": ["world.post", "arm.mount"], "may_go_slack": True, "parallel": [
            {"rate": 300, "free_length": 0.3, "initial_tension": 7},
            {"rate": 200, "free_length": "0.1 + 0.2", "initial_tension": 5}]}
        rows, _ = self.fall({**MODEL, "springs": [pair]}, -0.4, duration=0.1)
        self.assertTrue(all(row["lift.tension"] > 11.9 for row in rows))
        for row in self.simulated():
            expected = 12 + 500 * (row["lift.length"] - 0.3) if row["lift.length"] >= 0.3 else 0
            self.assertAlmostEqual(row["lift.tension"], expected, delta=1e-9)

    def test_a_study_varies_springs_of_a_group(self):
        self.files(variables={"soft": {"range": [100, 700], "count": 7}, "second": {"range": [0, 40], "count": 5}},
                   sampling={"method": "grid"}, store=["lift.max_tension", "lift.min_tension"])
        for row in self.run_cases():
            model = grouped({**VALUES, "soft": row["soft"], "second": row["second"]})
            loads = [MASS * G * CENTRE * math.cos(angle(k)) + model.at(length(angle(k))) * lever(angle(k)) for k in range(101)]
            self.assertAlmostEqual(row["peak"], max(map(abs, loads)), delta=1e-6)
            tensions = [model.at(length(angle(k))) for k in range(101)]
            self.assertAlmostEqual(row["lift.max_tension"], max(tensions), delta=1e-8)
            self.assertAlmostEqual(row["lift.min_tension"], min(tensions), delta=1e-8)
        self.run_program("verify", "out.db")

    def test_limits_are_those_of_the_whole(self):
        tension, _ = pieces_of_two(12, 30)
        most = max(tension(length(angle(k))) for k in range(101))
        longest = max(length(angle(k)) for k in range(101))
        for key, value in (("max_load", most), ("max_length", longest)):
            for share, status in ((1 + 1e-7, "feasible"), (1 - 1e-7, "infeasible")):
                self.files(changed(MODEL, springs__0={**MODEL["springs"][0], key: value * share}),
                           variables={"other": {"values": [1, 2]}}, sampling={"method": "grid"},
                           objectives=[{"name": "peak", "expression": "shoulder.max + 0*other"}])
                self.run_program("run", "study.json", "-o", "out.db", "--force", code=DONE if share > 1 else INFEASIBLE)
                self.assertEqual({row["status"] for row in self.cases("out.db")}, {status}, (key, share))

    def test_the_first_sample_that_breaks_its_load_is_named(self):
        tension, _ = pieces_of_two(12, 30)
        tensions = [tension(length(angle(k))) for k in range(101)]
        limit = 0.95 * max(tensions)
        first = next(k for k in range(101) if tensions[k] > limit)
        self.assertLess(tensions[0], limit)
        self.files(changed(MODEL, springs__0={**MODEL["springs"][0], "max_load": limit}),
                   variables={"other": {"values": [1, 2]}}, sampling={"method": "grid"},
                   objectives=[{"name": "peak", "expression": "shoulder.max + 0*other"}])
        self.run_program("run", "study.json", "-o", "out.db", "--force", code=INFEASIBLE)
        for row in self.cases("out.db"):
            self.assertIn(f"loaded beyond max_load at t={first * 0.02:g} s ({tensions[first]:.4g}"[:-1], row["reason"])

    def fall(self, model, at, code=DONE, **scenario):
        self.files(model)
        self.write("scenario.json", {"format": "counterpoise-scenario/1", "duration": 1.5, "step": 0.01, "others": "free",
                                     "tolerance": 1e-11, "start": {"coordinates": {"shoulder": at}}, **scenario})
        said = self.run_program("forward", "model.json", "--scenario", "scenario.json", "-o", "states.csv", code=code)
        return [{name: float(cell) for name, cell in row.items()} for row in self.read_csv("states.csv")], said.stderr

    def test_falls_stop_at_the_corners_of_their_law(self):
        rows, _ = self.fall(changed(MODEL, springs__0__series=[
            {"rate": 300, "free_length": 0.08}, {"rate": 600, "free_length": 0.1, "initial_tension": 18}]), 0.9)
        tension, energy = pieces_of_two(0, 18, stiff=300, soft=600)
        bend = 0.18 + 18 / 300
        crossed = [row["lift.length"] > bend for row in rows]
        self.assertGreater(sum(one != other for one, other in zip(crossed, crossed[1:])), 3)
        for row, q in zip(rows, swings(0.9, lambda at: tension(length(at)) * exact_lever(at)), strict=True):
            self.assertAlmostEqual(row["arm.q"], q, delta=5e-8)
            self.assertAlmostEqual(row["energy.springs"] - rows[0]["energy.springs"],
                                   energy(row["lift.length"]) - energy(rows[0]["lift.length"]), delta=1e-9)
            self.assertAlmostEqual(row["energy.total"], rows[0]["energy.total"], delta=1e-9)

    def test_falls_end_where_a_part_is_taken_up_with_its_initial_tension(self):
        pair = {"name": "lift", "type": "extension", "connect": ["world.post", "arm.mount"], "parallel": [
            {"rate": 60, "free_length": 0.1}, {"rate": 200, "free_length": 0.35, "initial_tension": 5}]}
        rows, said = self.fall({**MODEL, "springs": [pair]}, 0.5, code=INFEASIBLE)
        self.assertIn("or a part of one", said)
        self.assertAlmostEqual(rows[-1]["lift.length"], 0.35, delta=0.01)
        self.assertTrue(all(row["lift.length"] < 0.35 for row in rows))

    def test_an_exact_search_sizes_others_beside_it_with_proof(self):
        model = changed(MODEL, springs=MODEL["springs"] + [
            {"name": "sized", "connect": ["world.post", "arm.tip"], "rate": "other", "free_length": 0.1}])
        self.files(model, variables={"other": {"range": [0, 2000]}}, search={"method": "exact-springs"})
        row, = self.run_cases()
        own = grouped(VALUES)

        def tip(q):
            return math.hypot(0.35 * math.cos(q) - POST[0], 0.35 * math.sin(q) - POST[1])
        samples = [(MASS * G * CENTRE * math.cos(q) + own.at(length(q)) * lever(q),
                    (tip(q) - 0.1) * (tip(q + 1e-6) - tip(q - 1e-6)) / 2e-6) for q in map(angle, range(101))]

        def worst(rate):
            return max(abs(bare + rate * per) for bare, per in samples)
        best = min(range(200001), key=lambda i: worst(i / 100)) / 100
        self.assertAlmostEqual(row["peak"], worst(best), delta=1e-4)
        self.assertIn("case 1: proved: objective", self.run_program("verify", "out.db").stdout)

    def test_what_enters_it_is_searched_in_place_of_being_sized(self):
        exact = {"method": "exact-springs"}
        model = changed(MODEL, springs=MODEL["springs"] + [
            {"name": "sized", "connect": ["world.post", "arm.tip"], "rate": "other", "free_length": 0.1}])
        both = {"other": {"range": [0, 2000]}, "soft": {"range": [100, 700]}}
        for variables, search, words in (
                ({"soft": {"range": [100, 700]}}, exact, "nothing else is sized: search with the method \"nlopt\""),
                ({"soft": {"values": [100, 700]}, "other": {"range": [0, 1]}}, exact, "chooses among single springs"),
                (both, exact, "\"max_evaluations\""),
                (both, {**exact, "geometry": "prove"}, "\"geometry\": \"prove\" proves nothing of it")):
            self.files(model, variables=variables, search=search)
            said = self.refused("run", "study.json", "-o", "out.db")
            self.assertIn("is a group of springs", said)
            self.assertIn(words, said)
        self.files(model, variables=both, search=exact)
        self.assertNotIn("prove", self.refused("run", "study.json", "-o", "out.db"))
        single = changed(model, springs=model["springs"][1:], parameters={**MODEL["parameters"], "out": 0.35})
        single["bodies"][0]["points"]["tip"] = ["out", 0, 0]
        places = {"other": {"range": [0, 2000]}, "out": {"range": [0.2, 0.4]}}
        self.files(single, variables=places, search=exact)
        self.assertIn("or \"geometry\": \"prove\" finds the best of all mounts", self.refused("run", "study.json", "-o", "out.db"))
        self.files(changed(single, springs__0__mass=0.2), variables=places, search=exact)
        self.assertNotIn("prove", self.refused("run", "study.json", "-o", "out.db"))
        self.files(model, variables=both, search={**exact, "max_evaluations": 40, "seed": 1})
        best = min(row["peak"] for row in self.run_cases() if row["status"] == "feasible")
        self.assertIn("no springs beside these groups within bounds", self.run_program("verify", "out.db").stdout)
        self.files(model, variables={"other": {"range": [0, 2000], "count": 81}, "soft": {"range": [100, 700], "count": 25}},
                   sampling={"method": "grid"})
        self.assertLess(best, min(row["peak"] for row in self.run_cases("--force")) + 0.02)

    def test_tolerances_and_sensitivities_deviate_its_springs(self):
        self.files(variables={"soft": {"range": [200, 500], "count": 3}}, sampling={"method": "grid"})
        self.run_cases()
        self.write("tolerances.json", {"samples": 30, "of": {"soft": {"percent": 10}, "second": {"plus_minus": 3}}})

        def peak(**values):
            own = grouped({**VALUES, **values})
            return max(abs(MASS * G * CENTRE * math.cos(q) + own.at(length(q)) * lever(q)) for q in map(angle, range(101)))
        for design in self.run_json("robustness", "out.db", "--tolerances", "tolerances.json", "--json")["motions"][0]["designs"]:
            found = [peak(soft=design["soft"] * share, second=30 + more) for share in (0.9, 0.95, 1, 1.05, 1.1)
                     for more in (-3, 0, 3)]
            self.assertAlmostEqual(design["worst"], max(found), delta=1e-3)

    def test_the_parts_list_and_the_sheet_name_each_spring(self):
        (self.folder / "stock.csv").write_text("part,k [N/mm],l [mm],f [N]\nA,0.2,90,5\nB,0.4,110,9\n", encoding="utf-8")
        model = changed(MODEL, parameters={**MODEL["parameters"], "k": {"value": 300, "unit": "N/m"},
                                           "l": {"value": 0.1, "unit": "m"}, "f": {"value": 5, "unit": "N"}})
        model["springs"][0]["series"] = [STIFF, {"rate": "k", "free_length": "l", "initial_tension": "f"}]
        self.files(model, variables={"bought": {"catalogue": "stock.csv",
                                                "sets": {"k": "k", "l": "l", "f": "f"}}}, sampling={"method": "grid"})
        self.run_cases()
        lift, = self.run_json("show", "out.db", "2", "--bill", "--json")["springs"]
        self.assertEqual((lift["joined"], lift["rate"]), ("1 in series with 2", None))
        self.assertEqual([one["part"] for one in lift["springs"]], [None, "B"])
        self.assertEqual([one["rate"] for one in lift["springs"]], [900, 400])
        self.assertAlmostEqual(lift["free_length"], 0.19, delta=1e-15)
        self.assertEqual(lift["initial_tension"], 9)
        shown = self.run_program("show", "out.db", "2", "--bill").stdout
        self.assertRegex(shown, r"lift: 1 in series with 2\n +spring 1 +made to order: rate 0\.9 N/mm, free length 80 mm")
        self.assertIn("B of stock.csv: rate 0.4 N/mm", shown)
        sheet = self.run_json("sheet", "out.db", "2", "--json")
        self.assertEqual([one["row"] for one in sheet["springs"][0]["springs"]], [None, 2])
        self.run_program("apply", "out.db", "2", "-o", "best.json")
        self.assertEqual(json.loads((self.folder / "best.json").read_text(encoding="utf-8"))["springs"], model["springs"])

    def test_other_formats_and_cams_refuse_it(self):
        self.files()
        self.assertIn("its law has corners", self.refused("convert", "model.json", "--to", "mjcf", "-o", "robot.xml"))
        self.files(changed(MODEL, springs__0__series=[STIFF | {"initial_tension": 0}, SOFT | {"initial_tension": 0}]))
        self.run_program("convert", "model.json", "--to", "mjcf", "-o", "robot.xml")
        self.assertIn('stiffness="225"', (self.folder / "robot.xml").read_text(encoding="utf-8"))

    def test_what_is_refused(self):
        single = {"rate": 100, "free_length": 0.1}
        two = [single, single]
        deep = {"series": two}
        for _ in range(4):
            deep = {"parallel": [single, deep]}
        for change, pointer, words in (
                ({"series": []}, "series", "expected two springs or more"),
                ({"series": [single]}, "series", "expected two springs or more"),
                ({"series": single}, "series", "expected an array of springs"),
                ({"series": [single, 3]}, "series/1", "found 3"),
                ({"series": [single, {}]}, "series/1", "\"rate\""),
                ({"series": [single, {"rate": "stiff"}]}, "series/1/rate", "stiff"),
                ({"series": [single, {"rate": -1}]}, "series/1/rate", "the rate of its part 2 is -1 N/m, expected 0 or more"),
                ({"series": [single, {"rate": "-soft"}]}, "series/1/rate", "the rate of its part 2 is -300 N/m"),
                ({"series": [single, {**single, "free_length": -0.1}]}, "series/1/free_length", "is -0.1 m, expected 0 or more"),
                ({"series": [{"parallel": two}, {**single, "initial_tension": -5}]}, "series/1/initial_tension",
                 "the initial_tension of its part 3 is -5 N, expected 0 or more, as it pulls"),
                ({"type": "compression", "series": [{"parallel": [single, {**single, "initial_tension": 5}]}, single]},
                 "series/0/parallel/1/initial_tension", "expected 0 or less, as it pushes"),
                ({"series": [single, {"rate": "1 kg"}]}, "series/1/rate", "kg"),
                ({"series": [single, {**single, "preload": 1}]}, "series/1/preload", "expected a key of a spring of a group"),
                ({"series": [single, {**single, "series": two}]}, "series/1/rate", "expected a key of a group of springs"),
                ({"series": [single, {"series": two, "parallel": two}]}, "series/1/parallel", "expected one of them"),
                ({"series": [single, {"parallel": [single]}]}, "series/1/parallel", "expected two springs or more"),
                ({"series": [single] * 7}, "series/6", "found more than 6 springs in a group"),
                ({"series": [deep, single]}, "series/1", "found more than 6 springs in a group"),
                ({"series": two, "parallel": two}, "parallel", "beside \"series\""),
                ({"series": two, "rate": 100}, "rate", "have numbers of their own"),
                ({"series": two, "free_length": 0.1}, "free_length", "have numbers of their own"),
                ({"series": two, "initial_tension": 3}, "initial_tension", "have numbers of their own"),
                ({"series": two, "friction": 3}, "friction", "it is known of single springs"),
                ({"series": two, "mass": 1}, "mass", "it is known of single springs"),
                ({"series": two, "type": None}, "series", "without \"type\""),
                ({"series": two, "type": "gas"}, "series", "expected a key of a gas spring"),
                ({"serie": two}, "serie", "did you mean \"series\"?"),
                ({"series": two, "acts": "push"}, "acts", "of an extension spring"),
                ({"series": two, "acts": "pull", "may_go_slack": True}, "acts", "expected one of them")):
            with self.subTest(change=change):
                spring = {key: value for key, value in {
                    "name": "lift", "type": "extension", "connect": ["world.post", "arm.mount"], **change}.items()
                    if value is not None}
                self.files({**MODEL, "springs": [spring]})
                said = self.refused("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
                self.assertRegex(said, rf"^model\.json:\d+:\d+: /springs/0/{pointer}: ")
                self.assertIn(words, said)

    def test_an_impossible_spring_of_a_group_is_an_infeasible_row(self):
        self.files(variables={"soft": {"range": [-100, 100], "count": 3}}, sampling={"method": "grid"})
        self.assertEqual([row["status"] for row in self.run_cases()], ["infeasible", "feasible", "feasible"])
        self.assertIn("the rate of its part 2 is -100 N/m", self.run_program("show", "out.db", "1").stdout)


if __name__ == "__main__":
    unittest.main()
