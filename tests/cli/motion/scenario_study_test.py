#!/usr/bin/env python3
"""Studies with scenarios: their metrics against a pendulum integrated here, when scenarios are run,
what is refused, and that threads, shards and interruptions change nothing."""

import json
import math
import signal
import unittest

from arm_files import FILES
from disturbed_runs import DisturbedRuns
from pendulum import Pendulum
from program import BAD_INPUT, DONE, INFEASIBLE, INTERRUPTED, ScratchFolder

RATES = [20, 60, 300, 900]
WEIGHT, RESTITUTION, DURATION = 2.5, 0.3, 1.0
NAMES = ["upper.mount.drop", "upper.mount.max_speed", "floor.max_impact_speed",
         "floor.max_impulse", "energy_lost", "settled"]
ACCURACY = {"settled": 1e-3, "energy_lost": 3e-6, "floor.max_impulse": 3e-6}


def at(time):
    """Where the motion of arm_files.py is."""
    return 0.5 * math.sin(2 * math.pi * time), math.pi * math.cos(2 * math.pi * time)


def by_hand(rate, times=(0.25,), weight=WEIGHT):
    """The metrics of the arm's fall: the worst over the instants that it starts from."""
    pendulum = Pendulum(rate, weight, RESTITUTION)
    falls = [pendulum.metrics(*at(time), DURATION) for time in times]
    return {name: max(fall[name] for fall in falls) for name in NAMES}


class ArmStudy(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        self.study()
        self.scenario()

    def study(self, **changes):
        document = json.loads(FILES["study.json"])
        document.update({
            "scenarios": {"off": "scenario.json"},
            "variables": {"rate": {"values": RATES}},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]},
                           {"name": "drop", "expression": "off.upper.mount.drop"}],
            "store": ["off." + name for name in NAMES]})
        document.update(changes)
        self.write("study.json", {k: v for k, v in document.items() if v is not None})

    def scenario(self, **changes):
        document = json.loads(FILES["scenario.json"])
        document.update({"stops": [], "start": {"motion": "motion.json", "time": 0.25}})
        document.update(changes)
        self.write("scenario.json", document)

    def run_study(self, *options, code=DONE):
        return json.loads(self.run_program("run", "study.json", "-o", "results.db", "--force",
                                           "--json", *options, code=code).stdout)

    def check(self, row, expected, prefix="off."):
        for name, value in expected.items():
            self.assertAlmostEqual(row[prefix + name], value, msg=(row["id"], name),
                                   delta=ACCURACY.get(name, 1e-6) * max(1.0, abs(value)))

    def refused(self, pattern, **changes):
        self.study(**changes)
        result = self.run_program("run", "study.json", "-o", "none.db", code=BAD_INPUT)
        self.assertRegex(result.stderr, pattern)
        self.assertFalse((self.folder / "none.db").exists())


class Metrics(ArmStudy):
    def test_the_metrics_are_those_of_the_pendulum(self):
        summary = self.run_study()
        rows = self.cases("results.db")
        self.assertEqual([row["status"] for row in rows], ["feasible"] * len(RATES))
        # every design once, then the baseline and the robot without springs
        self.assertEqual(summary["falls"]["runs"], len(RATES) + 2)
        for row in rows:
            expected = by_hand(row["rate"])
            self.check(row, expected)
            self.assertEqual(row["drop"], row["off.upper.mount.drop"])
        hits = {row["rate"]: row["off.floor.max_impulse"] > 0 for row in rows}
        self.assertTrue(hits[20] and not hits[900], hits)

    def test_the_worst_of_several_instants_counts(self):
        self.scenario(start={"motion": "motion.json", "times": [0.05, 0.25, 0.6]})
        summary = self.run_study()
        self.assertEqual(summary["falls"]["runs"], 3 * (len(RATES) + 2))
        for row in self.cases("results.db"):
            self.check(row, by_hand(row["rate"], (0.05, 0.25, 0.6)))
        self.scenario(start={"motion": "motion.json", "every": 0.5})
        self.run_study()
        for row in self.cases("results.db"):
            self.check(row, by_hand(row["rate"], (0.0, 0.5, 1.0)))

    def test_a_scenario_may_set_parameters_that_the_design_does_not(self):
        self.scenario(parameters={"weight": 1.5})
        self.study(variables={"rate": {"values": RATES}, "weight": {"values": [1, 4]}},
                   baseline={"weight": 3})
        self.run_study()
        rows = self.cases("results.db")
        self.assertEqual(len(rows), 2 * len(RATES))
        for row in rows:
            self.check(row, by_hand(row["rate"], weight=1.5))
        self.scenario(parameters={})
        self.run_study()
        for row in self.cases("results.db"):
            self.check(row, by_hand(row["rate"], weight=row["weight"]))

    def test_both_baselines_fall(self):
        self.study(objectives=[{"name": "saved", "expression":
                                "off.upper.mount.max_speed / without_springs.off.upper.mount.max_speed"
                                " + off.energy_lost / baseline.off.energy_lost"}],
                   baseline={"rate": 60})
        self.run_study()
        bare, base = by_hand(0), by_hand(60)
        for row in self.cases("results.db"):
            own = by_hand(row["rate"])
            self.assertAlmostEqual(
                row["saved"], own["upper.mount.max_speed"] / bare["upper.mount.max_speed"] +
                own["energy_lost"] / base["energy_lost"], delta=1e-5)
        for baseline in self.query("results.db", "SELECT * FROM baselines"):
            baseline["id"] = baseline["name"]
            self.check(baseline, bare if baseline["name"] == "without_springs" else base)

    def test_a_variable_of_the_scenario_alone(self):
        model = json.loads(FILES["model.json"])
        model["parameters"]["bounce"] = 0.3
        self.write("model.json", model)
        scenario = json.loads((self.folder / "scenario.json").read_text())
        scenario["contacts"][0]["restitution"] = "bounce"
        self.write("scenario.json", scenario)
        self.study(variables={"bounce": {"values": [0, 0.5, 1, 1.5]}, "rate": {"values": [60]}},
                   baseline={"rate": 60}, objectives=[
                       {"name": "lost", "expression": "off.energy_lost / baseline.off.energy_lost"}])
        self.run_study("--threads", "1")
        rows = self.cases("results.db")
        self.assertEqual([row["status"] for row in rows], ["feasible"] * 3 + ["infeasible"])
        self.assertAlmostEqual(rows[2]["off.energy_lost"], 0.0, delta=1e-12)
        self.assertGreater(rows[0]["off.energy_lost"], rows[1]["off.energy_lost"])
        self.assertRegex(rows[3]["reason"], "scenario scenario at /contacts/0/restitution: found 1.5, "
                                            "expected a restitution from 0 to 1 in scenario off")
        self.assertNotIn("no effect", self.run_program("check", "study.json").stderr)

    def test_units_of_metrics(self):
        self.study(constraints=[
            {"name": "sinks", "expression": "off.upper.mount.drop", "max": 50, "unit": "mm"},
            {"name": "hits", "expression": "off.floor.max_impact_speed", "max": 900, "unit": "mm/s"},
            {"name": "loses", "expression": "off.energy_lost", "max": 900, "unit": "J"}])
        self.run_study()
        for row in self.cases("results.db"):
            fall = by_hand(row["rate"])
            holds = fall["upper.mount.drop"] <= 0.05 and fall["floor.max_impact_speed"] <= 0.9
            self.assertEqual(row["status"], "feasible" if holds else "infeasible")
        self.refused("found \"mm\", expected a unit that goes with m/s", constraints=[
            {"name": "hits", "expression": "off.floor.max_impact_speed", "max": 1, "unit": "mm"}])


class Order(ArmStudy):
    def test_what_fails_before_does_not_fall(self):
        peak = {"name": "peaks", "expression": "shoulder.max / baseline.shoulder.max", "max": 1}
        sinks = {"name": "sinks", "expression": "off.upper.mount.drop", "max": 0.02}
        self.study(constraints=[sinks, peak], baseline={"rate": 400})
        summary = self.run_study()
        rows = self.cases("results.db")
        by_peak = [row for row in rows if "constraint peaks" in row["reason"]]
        self.assertTrue(0 < len(by_peak) < len(rows), rows)
        self.assertEqual(summary["falls"]["runs"], len(rows) - len(by_peak) + 2)
        for row in rows:
            if row not in by_peak:
                sinks = by_hand(row["rate"])["upper.mount.drop"] > 0.02
                self.assertEqual("constraint sinks" in row["reason"], sinks)
        # asked for the whole of it, the program lets all of them fall
        why = self.run_json("why", "results.db", "--json")
        self.assertIn("sinks", json.dumps(why))

    def test_a_scenario_that_nothing_reads_is_not_run(self):
        self.study(objectives=[{"name": "peak", "minimize": "max", "of": ["shoulder"]}], store=None)
        self.assertEqual(self.run_study()["falls"]["runs"], 0)
        self.assertIn("scenario off is not run", self.run_program("check", "study.json").stderr)
        found = self.run_json("show", "results.db", "1", "--json")["metrics"]
        self.assertIsNone(found["off.settled"])

    def test_a_fall_that_cannot_be_is_a_reason_with_its_time(self):
        self.scenario(max_events=2)
        self.run_study()
        for row in self.cases("results.db"):
            bounces = by_hand(row["rate"])["floor.max_impulse"] > 0
            self.assertEqual(row["status"], "infeasible" if bounces else "feasible")
            if bounces:
                self.assertRegex(row["reason"],
                                 r"^the fall ends at t=0\.\d+ s, before its time: .* in scenario off$")
        names = {(row["element"], row["what"])
                 for row in self.query("results.db", "SELECT * FROM failure_names")}
        self.assertIn(("off", "too many events"), names)
        self.scenario(start={"coordinates": {"shoulder": 1.2}})
        self.run_study(code=INFEASIBLE)
        for row in self.cases("results.db"):
            self.assertRegex(row["reason"], "^the fall cannot begin: a point starts beyond floor by "
                                            r"0\.0\d+ m in scenario off$")

    def test_show_and_rank_tell_of_falls(self):
        self.run_study()
        text = self.run_program("show", "results.db", "best").stdout
        self.assertRegex(text, r"off\.upper\.mount\.max_speed +0\.\d+ +m/s\n")
        self.assertRegex(text, r"off\.floor\.max_impulse +[\d.e-]+ +N\*s\n")
        ranked = self.run_json("rank", "results.db", "--by", "drop", "--json")
        drops = [row["drop"] for row in ranked]
        for drop, next_drop in zip(drops, drops[1:]):  # two may tie
            self.assertLess(drop, next_drop + 1e-9)
        few = self.run_json("rank", "results.db", "--where", "off.floor.max_impulse > 0", "--json")
        self.assertLess(len(few), len(drops))
        self.run_program("export", "results.db", "-o", "all.csv")
        self.assertIn("off.settled", self.read_csv("all.csv")[0])

    def test_searches_minimise_falls(self):
        self.study(variables={"rate": {"range": [20, 900]}}, sampling=None,
                   objectives=[{"name": "speed", "expression": "off.upper.mount.max_speed"}],
                   search={"method": "nlopt", "algorithm": "LN_SBPLX", "starts": 2,
                           "max_evaluations": 60})
        self.run_study()
        best = min((row for row in self.cases("results.db") if row["status"] == "feasible"),
                   key=lambda row: row["speed"])
        around = [by_hand(rate)["upper.mount.max_speed"] for rate in range(20, 901, 40)]
        self.assertLessEqual(best["speed"], min(around) + 1e-6)

    def test_robustness_and_sensitivity(self):
        self.study(variables={"rate": {"range": [300, 900], "count": 3}},
                   objectives=[{"name": "drop", "expression": "off.upper.mount.drop"}],
                   tolerances={"samples": 4, "of": {"radius": {"plus_minus": 5, "unit": "mm"},
                                                    "rate": {"percent": 10}}})
        self.run_study()
        found = self.run_json("robustness", "results.db", "--json")
        for design in found["motions"][0]["designs"] if "motions" in found else found["designs"]:
            self.assertGreaterEqual(design["worst"], design["nominal"])
            self.assertGreaterEqual(design["worst"], design["percentile"])
            self.assertEqual(design["sampled"], 1)
        self.assertIn("nothing is known of those in between",
                      self.run_program("robustness", "results.db").stdout)
        self.run_program("sensitivity", "study.json", "--samples", "16")


    def test_limits_of_a_motion_hold_for_all_springs_of_the_box(self):
        """max_load lies just below the tension of the stiffest spring in its tolerance."""
        self.study(variables={"rate": {"values": [660]}}, scenarios=None, store=["spring.max_tension"],
                   objectives=[{"name": "peak", "minimize": "max", "of": ["shoulder"]}])
        self.run_study()
        stiffest = self.cases("results.db")[0]["spring.max_tension"]
        model = json.loads(FILES["model.json"])
        for share, broken in ((0.9999, True), (1.0001, False)):
            model["springs"][0]["max_load"] = share * stiffest
            self.write("model.json", model)
            self.study(variables={"rate": {"values": [600]}}, tolerances={"samples": 1, "of": {"rate": {"percent": 10}}})
            self.run_study()
            design, = self.run_json("robustness", "results.db", "--json", "--by", "peak")["motions"][0]["designs"]
            self.assertEqual(design["worst"] is None, broken)
            if broken:
                self.assertIn("spring loaded beyond max_load", design["worst_reason"])
            self.assertIn("worst: limits for 1 number of springs over their whole box",
                          self.run_program("robustness", "results.db", "--by", "peak").stdout)


class Refused(ArmStudy):
    def test_names(self):
        for scenarios, pattern in (
                ({"off": "none.json"}, r'/scenarios/off: file .*none\.json '),
                ({"baseline": "scenario.json"}, r'/scenarios/baseline: found "baseline", expected a '),
                ({"2off": "scenario.json"}, r'found "2off", expected a name'),
                ({"off": "motion.json"}, r'motion\.json:2:.*expected "counterpoise-scenario/1"'),
                ([], r"/scenarios: found an array of 0, expected an object: an object of scenarios")):
            with self.subTest(pattern):
                self.refused(pattern, scenarios=scenarios)

    def test_metrics(self):
        for metric, pattern in (
                ("off.upper.mount.drops", 'did you mean "off.upper.mount.drop"'),
                ("off.stop.max_impulse", "expected a parameter or a metric such as actuator.max or"),
                ("on.settled", 'did you mean "off.settled"')):
            with self.subTest(metric):
                self.refused(pattern, objectives=[{"name": "x", "expression": metric}])

    def test_exact_searches(self):
        exact = {"variables": {"rate": {"range": [100, 900]}}, "sampling": None,
                 "search": {"method": "exact-springs"}, "store": None}
        peak = {"name": "peak", "minimize": "max", "of": ["shoulder"]}
        cannot = "metric of a scenario, which an exact search "
        self.refused("/objectives/1/expression: reads off.settled, a " + cannot + "cannot prove",
                     **exact, objectives=[peak, {"name": "x", "expression": "off.settled"}])
        self.refused("/constraints/0/expression: reads baseline.off.settled", **exact,
                     objectives=[peak], constraints=[
                         {"name": "x", "expression": "baseline.off.settled", "max": 1}])
        self.refused("/store: stores off.upper.mount.drop, a " + cannot + "does not run",
                     **{**exact, "store": "all"}, objectives=[peak])

    def test_tolerances_of_what_a_scenario_or_a_motion_sets(self):
        """No value may have a tolerance that is without effect; the remedy in the message works."""
        tolerances = {"samples": 4, "of": {"weight": {"percent": 10}}}
        self.refused("/tolerances/of/weight: parameter weight cannot have a tolerance: scenario off "
                     "sets it for itself, .* let weight be \"weight_nominal [+] weight_error\"",
                     tolerances=tolerances)
        loaded = {"swing": {"file": "motion.json", "parameters": {"weight": 4}}}
        plain = {"scenarios": None, "store": None, "motions": loaded,
                 "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]}]}
        self.refused("motion swing sets it for itself, .* let the motion set weight_nominal",
                     tolerances=tolerances, **plain)
        model = json.loads(FILES["model.json"])
        model["parameters"].update({"weight_nominal": 2, "weight_error": 0,
                                    "weight": "weight_nominal + weight_error"})
        self.write("model.json", model)
        loaded["swing"]["parameters"] = {"weight_nominal": 4}
        self.study(**plain, tolerances={"samples": 4, "of": {"weight_error": {"plus_minus": 0.4}}})
        self.run_study()
        ranking, = self.run_json("robustness", "results.db", "--json")["motions"]
        peaks = []
        for weight in (3.6, 4.4):
            loaded["swing"]["parameters"] = {"weight_nominal": weight}
            self.study(**plain)
            self.run_study()
            peaks.append({row["id"]: row["peak"] for row in self.cases("results.db")})
        for design in ranking["designs"]:
            at_ends = max(peak[design["case"]] for peak in peaks)
            self.assertAlmostEqual(design["worst"], at_ends, delta=1e-9 * at_ends)


class Same(DisturbedRuns, ArmStudy):
    def setUp(self):
        super().setUp()
        self.study(variables={"rate": {"range": [20, 900]}, "radius": {"range": [0.08, 0.12]}},
                   sampling={"method": "sobol", "count": 400, "seed": 3},
                   objectives=[{"name": "drop",  # by its tangent evaluations are counted
                                "expression": "off.upper.mount.drop + 0 * tan(radius)"}],
                   constraints=[{"name": "slow", "expression": "off.floor.max_impact_speed",
                                 "max": 0.25}])

    def test_threads_and_shards(self):
        self.run_program("run", "study.json", "-o", "whole.db", "--threads", "1")
        statuses = {row["status"] for row in self.cases("whole.db")}
        self.assertEqual(statuses, {"feasible", "infeasible"})
        for threads in (2, 5):
            self.run_program("run", "study.json", "-o", f"{threads}.db", "--threads", threads)
            self.assert_same_results(f"{threads}.db", "whole.db")
        for shard in (1, 2, 3):
            self.run_program("run", "study.json", "-o", f"part{shard}.db", "--shard", f"{shard}/3")
        self.run_program("merge", "part1.db", "part2.db", "part3.db", "-o", "merged.db")
        self.assert_same_results("merged.db", "whole.db")

    def test_resumed_runs(self):
        self.run_whole()
        self.run_program(*self.arguments(), code=-signal.SIGKILL, disturbance="kill 100 evaluate")
        self.run_program(*self.arguments("--resume"), code=INTERRUPTED,
                         disturbance="interrupt 200 evaluate")
        self.assertTrue(0 < self.kept() < self.total, self.kept())
        self.run_program(*self.arguments("--resume"))
        self.assert_same_results("results.db", "whole.db")

    def test_another_scenario_is_another_run(self):
        self.run_program("run", "study.json", "-o", "results.db")
        self.scenario(duration=0.9)
        result = self.run_program("run", "study.json", "-o", "results.db", "--resume",
                                  code=BAD_INPUT)
        self.assertRegex(result.stderr, "belongs to another run; what differs: .*scenario")


if __name__ == "__main__":
    unittest.main()
