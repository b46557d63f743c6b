#!/usr/bin/env python3
"""`show` of exact searches: what it says of a case agrees with what `run` stored, promises no gain
that cannot be had, and takes no rounding for a number."""

import copy
import json
import re
import unittest

from program import INFEASIBLE, TWO_LINK_ARM, ScratchFolder, altered

SIZED = {"spring_rate": {"range": [0, 3000]}, "spring_initial_tension": {"range": [0, 40]}}
PEAK = {"name": "peak", "minimize": "max", "of": ["shoulder"]}
MEAN = {"name": "mean", "minimize": "mean", "of": ["shoulder"]}
ENERGY = {"name": "energy", "minimize": "energy", "of": ["shoulder"]}
NEVER = [{"name": "pull", "expression": "spring.max_tension", "max": 20},
         {"name": "load", "expression": "shoulder.max", "max": 5}]
STILL = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.1, "coordinates": {}}


class Show(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(TWO_LINK_ARM)
        self.model = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))

    def run_study(self, objectives=(PEAK,), variables=None, search=None, motions=None, code=0,
                  constraints=()):
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "arm", "model": "model.json",
            "motions": motions or {"move": "motion.json"},
            "variables": variables or SIZED, "objectives": list(objectives),
            "constraints": list(constraints),
            "search": {"method": "exact-springs", **(search or {})}})
        self.run_program("run", "study.json", "--force", code=code)

    def change_model(self, change):
        model = copy.deepcopy(self.model)
        change(model)
        self.write("model.json", model)

    def change(self, sql):
        with altered(self.folder / "arm.db") as database:
            database.execute(sql)
            database.commit()

    def show(self, case=1):
        """The text and the document, which come without a note."""
        shown = self.run_program("show", "arm.db", case)
        self.assertEqual(shown.stderr, "")
        return shown.stdout, self.run_json("show", "arm.db", case, "--json")

    def limits_text(self, case=1):
        text = self.show(case)[0]
        return text[text.index("limits that bind"):text.index("the next best")]

    def check_reason_is_kept(self, row):
        text, shown = self.show(row["id"])
        self.assertEqual((shown["status"], shown["reason"]), (row["status"], row["reason"]))
        self.assertIn(row["reason"], text)
        self.assertIsNone(shown["explanation"])
        self.assertEqual(set(shown["metrics"].values()), {None})
        self.assertEqual(set(shown["objectives"].values()), {None})


class NoSprings(Show):
    """Cases in which no springs meet all limits."""

    def test_the_limits_that_exclude_each_other_are_named_again(self):
        self.run_study(constraints=NEVER, code=INFEASIBLE)
        row = self.cases("arm.db")[0]
        self.assertTrue(row["reason"].startswith("no springs can meet all of: constraint pull"))
        self.check_reason_is_kept(row)

    def test_over_a_geometry(self):
        self.run_study(constraints=NEVER, code=INFEASIBLE,
                       variables={**SIZED, "mount_radius": {"range": [0.03, 0.05]}},
                       search={"starts": 1, "max_evaluations": 5})
        rows = self.cases("arm.db")
        self.assertGreater(len(rows), 1)
        for row in rows:
            self.assertIn("no springs within bounds meet all limits", row["reason"])
            self.check_reason_is_kept(row)

    def test_in_a_trade_off(self):
        self.run_study([PEAK, ENERGY], constraints=NEVER, code=INFEASIBLE,
                       search={"trade_off": {"objectives": ["peak", "energy"], "points": 3}})
        rows = self.cases("arm.db")
        self.assertEqual(len(rows), 3)
        for row in rows:
            self.check_reason_is_kept(row)

    def test_a_reason_that_is_another_now_is_noted(self):
        self.run_study(constraints=NEVER, code=INFEASIBLE)
        self.change("UPDATE cases SET reason = 'none'")
        self.assertIn("differs from the stored row", self.run_program("show", "arm.db", 1).stderr)


class Limits(Show):
    def test_a_limit_with_a_shadow_price_in_one_motion_is_not_without_in_another(self):
        def limit(model):
            model["actuators"][0]["max_load"] = 3.3

        self.change_model(limit)
        motions = {"move": "motion.json", "again": "motion.json"}
        self.run_study([MEAN], motions=motions)
        explanation = self.show()[1]["explanation"]
        priced = [price["name"] for price in explanation["optimum"]["limits"]]
        self.assertTrue(any("max_load of actuator shoulder in motion" in name for name in priced))
        self.assertNotIn("max_load of actuator shoulder",
                         [limit["name"] for limit in explanation["binding"]])

    def test_a_spring_without_a_rate_cannot_have_less(self):
        # a spring that only harms: the best has none
        def harmful(model):
            del model["parameters"]["spring_rate"]["min"]
            model["world"]["points"]["post"] = [0, 0, "-post_height"]

        self.change_model(harmful)
        self.run_study([MEAN])
        text = self.limits_text()
        for name in ("spring_rate at its lower bound 0 N/m",
                     "spring_initial_tension at its lower bound 0 N"):
            self.assertIn(f"  {name}: no less is possible\n", text)
        self.assertNotIn(" less takes ", text)
        binding = self.show()[1]["explanation"]["binding"]
        self.assertEqual([limit["beyond"] for limit in binding], ["no less is possible"] * 2)

    def test_the_least_that_the_model_allows_is_named_as_such(self):
        def at_least(model):
            model["world"]["points"]["post"] = [0, 0, "-post_height"]
            model["parameters"]["spring_rate"]["min"] = 0.2

        self.change_model(at_least)
        self.run_study([MEAN], variables={"spring_rate": {"range": [200, 3000]},
                                          "spring_initial_tension": {"range": [5, 40]}})
        text = self.limits_text()
        self.assertIn("  spring_rate at its lower bound 200 N/m: the model allows no less "
                      "(range of parameter spring_rate)\n", text)
        self.assertIn("  spring_initial_tension at its lower bound 5 N: 0.05 N less takes ", text)

    def test_a_value_far_from_a_bound_is_not_at_it_however_wide_the_range(self):
        self.run_study(variables={**SIZED, "spring_rate": {"range": [0, 1e11]}})
        rate = self.cases("arm.db")[0]["spring_rate"]
        self.assertGreater(rate, 100)
        self.assertLess(rate, 10000)
        self.assertNotIn("spring_rate at its", self.limits_text())

    def test_of_a_trade_off_the_heading_says_what_stays(self):
        self.run_study([PEAK, ENERGY],
                       search={"trade_off": {"objectives": ["peak", "energy"], "points": 3}})
        stays = "shadow prices while this point's direction and references stay\n"
        self.assertEqual([stays in self.limits_text(case) for case in (1, 2, 3)],
                         [False, True, False])


class Rounding(Show):
    def test_a_perfect_balance_has_no_gap_in_percent(self):
        self.run_study(motions={"hold": STILL},
                       variables={"spring_initial_tension": {"range": [0, 400]}})
        text, shown = self.show()
        self.assertLess(abs(shown["objectives"]["peak"]), 1e-12)
        self.assertIn("  peak is 0 N*m: ", text)
        self.assertNotIn("it is held up by", text)
        self.assertEqual(shown["explanation"]["optimum"]["held_by"], [])
        self.assertIn(" get it below 0 N*m (gap below 1e-9 of what it is without springs)", text)

    def test_no_number_is_a_negative_zero(self):
        def idle(model):
            model["springs"].append({
                "name": "idle", "connect": ["world.post", "upper_arm.spring"], "rate": 0,
                "free_length": 0.1})

        self.change_model(idle)
        self.run_study()
        row = re.search(r"motion +t .*idle.*\n(.*)\n", self.show()[0]).group(1)
        self.assertEqual(row.split()[-2], "0")


if __name__ == "__main__":
    unittest.main()
