#!/usr/bin/env python3
"""Springs that pull and springs that push, against the plane geometry of a desk lamp."""

import json
import random
import re
import unittest

from desk_lamp import CATALOGUES, MOUNTS, RANGES, SOBOL, TABLE, Lamp, lamp, study
from program import BAD_INPUT, altered


class Sampled(Lamp):
    def rows(self, **of_springs):
        self.write("model.json", lamp(**of_springs))
        variables = {**CATALOGUES, **{name: {"range": RANGES[name]} for name in RANGES}}
        self.write("study.json", study(variables, sampling=SOBOL))
        self.run_program("run", "study.json", "-o", "all.db", "--force",
                         code=3 if of_springs.get("acts") == "push" else 0)
        return self.cases("all.db")

    def check_reason(self, row, acts):
        expected = None
        for number in (1, 2):
            expected = expected or self.broken(number, row, TABLE[row[f"spring{number}"]], acts)
        if expected is None:
            self.assertEqual((row["status"], row["reason"] or ""), ("feasible", ""))
            return
        words, time, value = expected
        self.assertEqual(row["status"], "infeasible")
        self.assertTrue(row["reason"].startswith(words), (row["reason"], expected))
        said = re.search(r"t=([\d.]+) s \((?:tension )?(-?[\d.e-]+)", row["reason"])
        self.assertAlmostEqual(float(said[1]), time, places=6)
        self.assertAlmostEqual(float(said[2]), value, delta=1e-5 * max(1, abs(value)))

    def test_designs_that_need_the_other_sense_are_infeasible_with_the_reason(self):
        for acts in ("pull", "push"):
            with self.subTest(acts):
                rows = self.rows(acts=acts)
                for row in rows:
                    self.check_reason(row, acts)
                reasons = " ".join(row["reason"] or "" for row in rows)
                words = ("push at", "shorter than free") if acts == "pull" else ("pull at",)
                for some in words:
                    self.assertIn(some, reasons)
        self.assertEqual({row["status"] for row in rows}, {"infeasible"})

    def test_the_least_tension_is_a_column_and_both_changes_nothing(self):
        rows = self.rows()
        for row in rows:
            for number in (1, 2):
                tensions = self.tensions(number, row, TABLE[row[f"spring{number}"]])
                self.assertAlmostEqual(row[f"s{number}.min_tension"], min(tensions), places=9)
                self.assertAlmostEqual(row[f"s{number}.max_tension"], max(map(abs, tensions)),
                                       places=9)
        self.assertLess(min(row["s1.min_tension"] for row in rows), -1)
        self.assertEqual(rows, self.rows(acts="both"))

    def test_results_of_versions_without_the_column_can_be_read(self):
        self.rows()
        best = self.run_json("rank", "all.db", "--top", 1, "--format", "json")[0]["case"]
        shown = self.run_json("show", "all.db", best, "--json")
        with altered(self.folder / "all.db") as database, database:
            for table in ("cases", "baselines"):
                for number in (1, 2):
                    database.execute(f'ALTER TABLE {table} DROP COLUMN "s{number}.min_tension"')
            database.execute("DELETE FROM columns WHERE name LIKE '%.min_tension'")
        again = self.run_program("show", "all.db", best, "--json")
        self.assertNotIn("differs from the stored row", again.stderr)
        self.assertEqual(json.loads(again.stdout), shown)

    def test_a_least_tension_may_be_an_objective_and_a_constraint(self):
        self.write("study.json", study(
            {**CATALOGUES, "a1": {"range": RANGES["a1"]}}, sampling=SOBOL,
            objectives=[{"name": "slack", "expression": "-min(s1.min_tension, s2.min_tension)"}],
            constraints=[{"name": "taut", "expression": "s1.min_tension", "min": 12}]))
        self.run_program("run", "study.json")
        for row in self.cases("lamp.db"):
            mounts = {**MOUNTS, "a1": row["a1"]}
            least = [min(self.tensions(number, mounts, TABLE[row[f"spring{number}"]]))
                     for number in (1, 2)]
            self.assertEqual(row["status"] == "feasible", least[0] >= 12)
            if least[0] >= 12:
                self.assertAlmostEqual(row["slack"], -min(least), places=9)

    def test_tolerances_that_close_the_coils_leave_no_worst_case(self):
        self.rows(acts="pull")
        self.write("tolerances.json", {"of": {"lf1": {"plus_minus": 0.001}}, "samples": 4})
        found = self.run_json("robustness", "all.db", "--tolerances", "tolerances.json",
                              "--format", "json", "--top", 100)
        rows = {row["id"]: row for row in self.cases("all.db")}
        broken = 0
        for design in found["motions"][0]["designs"]:
            row = rows[design["case"]]
            k, free, pull = TABLE[row["spring1"]]
            closes = not self.pulls(1, row, (k, free + 0.001, pull))
            self.assertEqual(design["worst"] is None, closes)
            if closes:
                self.assertIn("spring s1 shorter than free_length", design["worst_reason"])
            broken += closes
        self.assertGreater(broken, 0)


class Exact(Lamp):
    """Springs of the base, sized or chosen exactly at mounts where a push would help."""
    AT = {**MOUNTS, "a1": 0.1, "r1": 0.14}
    SIZES = {"k1": {"range": [1500, 3000]}, "lf1": {"range": [0.01, 0.2]},
             "f1": {"range": [-100, 20]}}

    def run_exact(self, variables, acts="pull", name="exact", at=None, **more):
        model = lamp(**({"acts": acts} if acts else {}))
        model["parameters"].update(at or self.AT)
        self.write("model.json", model)
        self.write(f"{name}.json", study(variables, search={"method": "exact-springs"}, **more))
        self.run_program("run", f"{name}.json", "-o", f"{name}.db", "--force")
        return self.cases(f"{name}.db")[0]

    def draws(self, best, count):
        """Random springs within their ranges, every other one near the best."""
        choice = random.Random(4)
        for trial in range(count):
            spring = []
            for value, key in zip(best, self.SIZES):
                low, high = self.SIZES[key]["range"]
                width = (high - low) * choice.choice((0.1, 0.01))
                drawn = (choice.uniform(low, high) if trial % 2 else
                         choice.uniform(value - width, value + width))
                spring.append(min(max(drawn, low), high))
            yield spring

    def test_no_spring_that_pulls_is_better_than_the_sized_one(self):
        row = self.run_exact(self.SIZES)
        best = [row[key] for key in self.SIZES]
        self.assertTrue(self.pulls(1, self.AT, best))
        self.assertAlmostEqual(self.peak(1, self.AT, best), row["base_peak"], places=9)
        free = self.run_exact(self.SIZES, acts=None, name="free")
        self.assertLess(free["base_peak"], 0.8 * row["base_peak"])
        self.assertLess(free["s1.min_tension"], -1)
        shortest = min(self.lengths(1, self.AT))[0]
        found = [self.peak(1, self.AT, (k, length, pull))
                 for k, length, pull in self.draws(best, 20000)
                 if length <= shortest and pull + k * (shortest - length) >= 0]
        self.assertGreater(len(found), 1000)
        self.assertGreaterEqual(min(found), row["base_peak"] * (1 - 1e-9))
        self.assertLess(min(found), 1.05 * row["base_peak"])
        self.assertIn("proved", self.run_program("verify", "exact.db").stdout)
        stored = self.query("exact.db", "SELECT certificate FROM certificates")[0]
        certificate = json.loads(stored["certificate"])
        self.assertIn("tension (acts: pull) of s1", [m["name"] for m in certificate["limits"]])

    def test_the_least_tension_has_the_shadow_price_of_a_difference(self):
        row = self.run_exact(self.SIZES)
        show = self.run_json("show", "exact.db", 1, "--json")
        price = {limit["name"]: limit for limit in show["explanation"]["optimum"]["limits"]}
        price = price["tension (acts: pull) of s1"]
        self.assertIn("tension (acts: pull) of s1: 1 N less takes ",
                      self.run_program("show", "exact.db", 1).stdout)
        step = 0.01
        looser = self.run_exact(
            {**self.SIZES, "lf1": {"range": [0.01, min(self.lengths(1, self.AT))[0]]}},
            acts=None, name="looser",
            constraints=[{"name": "taut", "expression": "s1.min_tension", "min": -step}])
        self.assertAlmostEqual(looser["s1.min_tension"], -step, places=9)
        gain = (row["base_peak"] - looser["base_peak"]) / step
        self.assertGreater(gain, 0)
        self.assertAlmostEqual(price["per_unit"], gain, delta=1e-5 * gain)

    def test_the_chosen_spring_is_the_best_of_those_that_pull(self):
        at = {**MOUNTS, "a1": 0.06, "r1": 0.1}
        row = self.run_exact({"spring1": CATALOGUES["spring1"]}, at=at)
        peaks = {part: self.peak(1, at, spring) for part, spring in TABLE.items()}
        kept = [part for part, spring in TABLE.items() if self.pulls(1, at, spring)]
        best = min(kept, key=peaks.get)
        self.assertEqual(row["spring1"], best)
        self.assertAlmostEqual(row["base_peak"], peaks[best], places=9)
        self.assertLess(min(peaks.values()), 0.8 * peaks[best])
        said = self.run_program("run", "exact.json", "-o", "exact.db", "--force").stdout
        self.assertRegex(said, rf"spring1: {len(kept)} of 10 fit; .*spring s1 would have to push: \d")
        self.assertIn("proved", self.run_program("verify", "exact.db").stdout)

    def test_a_spring_made_to_order_has_the_sense_of_those_it_replaces(self):
        table = {"a": (1500, 0.01, -40), "b": (3000, 0.03, -20), "c": (2000, 0.02, -60),
                 "d": (2500, 0.012, -100)}
        self.write_springs(table)
        row = self.run_exact({"spring1": CATALOGUES["spring1"]})
        kept = [part for part, spring in table.items() if self.pulls(1, self.AT, spring)]
        self.assertEqual(kept, ["a", "b"])
        self.assertEqual(row["spring1"], min(kept, key=lambda p: self.peak(1, self.AT, table[p])))
        said = self.run_program("run", "exact.json", "-o", "exact.db", "--force").stdout
        custom = float(re.search(r"spring1 made to order: ([\d.]+),", said)[1])
        choice, shortest = random.Random(8), min(self.lengths(1, self.AT))[0]
        box = [(min(column), max(column)) for column in zip(*table.values())]
        springs = [[choice.uniform(*ends) for ends in box] for _ in range(20000)]
        made = min(self.peak(1, self.AT, (k, length, pull)) for k, length, pull in springs
                   if length <= shortest and pull + k * (shortest - length) >= 0)
        self.assertGreaterEqual(made, custom * (1 - 1e-5))
        self.assertLess(made, 1.1 * custom)

    def test_an_upper_limit_on_the_least_tension_is_refused_at_its_place(self):
        self.write("study.json", study(
            self.SIZES, search={"method": "exact-springs"},
            constraints=[{"name": "slack", "expression": "2*s1.min_tension", "max": 40}]))
        said = self.run_program("run", "study.json", code=BAD_INPUT).stderr
        self.assertRegex(said, r"study.json:\d+:\d+: /constraints/0/expression: .*character 3: "
                               r"an upper limit on a spring's min_tension")


class Wrong(Lamp):
    def check_refused(self, pointer, *texts, **keys):
        model = lamp()
        model["springs"][0].update(keys)
        if keys.get("type") == "torsion":
            model["springs"][0] = {"name": "s1", "joint": "lower", **keys}
        if keys.get("type") == "gas":
            for key in ("rate", "free_length"):
                del model["springs"][0][key]
        self.write("model.json", model)
        before = self.contents()
        said = self.run_program("check", "model.json", code=BAD_INPUT).stderr
        self.assertRegex(said, rf"^model.json:\d+:\d+: {pointer}: ")
        for text in texts:
            self.assertIn(text, said)
        self.assertEqual(self.contents(), before)

    def test_senses_that_a_spring_cannot_have_are_refused_at_their_place(self):
        self.check_refused("/springs/0/acts", 'found "pul"', 'did you mean "pull"?', acts="pul")
        self.check_refused("/springs/0/acts", "found 1", acts=1)
        self.check_refused("/springs/0/acts", "a torsion spring", type="torsion", acts="pull")
        self.check_refused("/springs/0/acts", "of an extension spring", type="extension",
                           acts="push")
        self.check_refused("/springs/0/acts", "of a compression spring", type="compression",
                           acts="pull")

    def test_a_gas_spring_may_have_a_sense(self):
        for acts, pull, code in (("push", -60, 0), ("pull", -60, 3), ("pull", 60, 0)):
            model = lamp()
            model["springs"][0] = {"name": "s1", "type": "gas", "acts": acts,
                                   "connect": ["world.anchor", "lower.mount"],
                                   "initial_tension": pull}
            self.write("model.json", model)
            self.write("study.json", study({"k2": {"values": [300, 400]}},
                                           sampling={"method": "grid"}))
            said = self.run_program("run", "study.json", "--force", code=code).stdout
            if code:
                self.assertIn("each breaks s1 would have to push", said)
                self.assertIn("spring s1 would have to push at t=0 s (tension -60 N)",
                              self.run_program("why", "lamp.db", "1").stdout)


if __name__ == "__main__":
    unittest.main()
