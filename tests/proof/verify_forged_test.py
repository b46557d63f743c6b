#!/usr/bin/env python3
"""`verify`: forged results that are consistent in themselves, and what is missing or misnamed."""

import json
import shutil
import unittest

from exact_studies import LEAN, MOUNT, OTHERS, SPRINGS, STOCK, TWO, StoredProofs
from program import ERROR

LIFT = {name: SPRINGS[name] for name in SPRINGS if name.startswith("lift")}
# lean springs from the catalogue, the lift's made to order
MIXED = {**LIFT, "lean_spring": STOCK["lean_spring"]}
PULL = [{"name": "pull", "expression": "lean_spring.max_tension", "max": 100}]


class Forged(StoredProofs):
    def replace(self, old, new, case=1):
        """One text of a certificate by another, everywhere."""
        self.change("UPDATE certificates SET certificate = replace(certificate, ?, ?) "
                    "WHERE id = ?", old, new, case)

    def test_a_worse_choice_beside_sized_springs(self):
        self.make("list", variables=MIXED, within_percent=1000)
        self.assertTrue(self.run_json("verify", "list.db", "--json")[0]["proved"])
        rows = self.cases("right.db")
        self.assertGreater(len(rows), 2)
        self.make(variables=MIXED)
        verdict, = self.run_json("verify", "study.db", "--json")
        self.assertEqual((verdict["proved"], verdict["unsettled"]), (True, 0))
        self.assertEqual(verdict["combinations"], len(rows))
        columns = [name for name in rows[0] if name != "id"]
        for worse in rows[1:]:
            certificate = self.certificate()
            certificate["choice"]["best"] = worse["worst"]
            self.write_certificate(certificate)
            self.change_again("UPDATE cases SET " + ", ".join(f'"{n}" = ?' for n in columns),
                              *(worse[n] for n in columns))
            self.change_again("UPDATE certificates SET bound = ?, gap = 0", worse["worst"])
            self.assert_refused("not settled")

    def test_a_list_beside_sized_springs_that_was_changed(self):
        self.make(variables=MIXED, within_percent=1000)
        for sql in ("DELETE FROM cases WHERE id = 3",
                    "DELETE FROM cases WHERE id = (SELECT max(id) FROM cases)"):
            with self.subTest(sql):
                self.change(sql)
                self.assert_refused("not settled")
        # a case twice, in place of another
        second, third = self.cases("right.db")[1:3]
        columns = [name for name in second if name != "id"]
        self.change("UPDATE cases SET " + ", ".join(f'"{name}" = ?' for name in columns)
                    + " WHERE id = 3", *(second[name] for name in columns))
        self.assertNotEqual(second["worst"], third["worst"])
        self.assert_refused("not settled")

    def test_a_list_beside_sized_springs_without_one_of_two_equal_rows(self):
        lines = (self.folder / "springs.csv").read_text(encoding="utf-8").splitlines()
        twice = lines + [f"twin of {line}" for line in lines[1:]]
        (self.folder / "springs.csv").write_text("\n".join(twice) + "\n", encoding="utf-8")
        self.make(variables=MIXED, within_percent=1000)
        self.run_program("verify", "right.db")
        rows = self.cases("right.db")
        self.assertGreater(len([row for row in rows if "twin" in row["lean_spring"]]), 1)
        for case in (len(rows), len(rows) - 1):
            with self.subTest(case):
                self.change("DELETE FROM cases WHERE id = ?", case)
                self.assert_refused("not settled")

    def test_a_list_whose_sized_springs_are_not_the_best(self):
        both = {"name": "both", "expression": "lift.max / without_springs.lift.max"
                                              " + lean.max / without_springs.lean.max"}
        for name, variables in (("narrow", {**MIXED, "lift_rate": {"range": [100, 300]}}),
                                ("study", MIXED)):
            study = self.use(name, variables=variables, within_percent=1000)
            study["objectives"].insert(0, both)
            self.write(f"{name}.json", study)
            self.run_study(name)
            self.run_program("verify", f"{name}.db")
        shutil.copy(self.folder / "study.db", self.folder / "right.db")
        last = self.cases("right.db")[-1]
        worse, = [case for case in self.cases("narrow.db")
                  if case["lean_spring"] == last["lean_spring"]]
        self.assertGreater(worse["both"], last["both"] * 1.001)
        columns = [name for name in last if name != "id"]
        self.change("UPDATE cases SET " + ", ".join(f'"{name}" = ?' for name in columns)
                    + " WHERE id = ?", *(worse[name] for name in columns), last["id"])
        self.assert_refused("1 of ", "combinations not settled")

    def test_an_optimum_of_zero(self):
        # rates at their least are exactly there, and the proof says so
        stiffness = {"name": "stiffness", "expression": "2*lean_rate + lift_rate"}
        for wide, tension in ((5000, 20), (100000, 20), (100000, 60)):
            for other in ("worst", "lean_mean", "lean_peak"):
                with self.subTest(wide=wide, other=other):
                    ranges = {f"{side}_{part}": {"range": [0, most]} for side in ("lift", "lean")
                              for part, most in (("rate", wide), ("initial_tension", tension))}
                    study = self.use(variables={**SPRINGS, **ranges}, objectives=[other])
                    study["objectives"].insert(0, stiffness)
                    self.write("study.json", study)
                    proof = self.run_json("run", "study.json", "--force", "--json")["proof"]
                    case, = self.cases("study.db")
                    self.assertEqual((case["lift_rate"], case["lean_rate"]), (0, 0))
                    self.assertEqual((case["stiffness"], proof["bound"], proof["gap"]), (0, 0, 0))
                    self.run_program("verify", "study.db")

    def test_a_point_of_a_trade_off_without_its_certificate(self):
        self.make(trade_off=OTHERS)
        for case in (1, 2, 3, 4):
            self.change("DELETE FROM certificates WHERE id = ?", case)
            self.assert_refused(f"the results lack the certificate of case {case}", unproved=3)
        self.change_again("DELETE FROM certificates WHERE id = 2")
        self.assert_refused("the results lack the certificates of cases 2, 4", unproved=2)

    def test_a_start_without_its_certificate(self):
        self.make(variables={**LEAN, **MOUNT}, starts=2, max_evaluations=12,
                  objectives=["lean_peak"])
        ids = [row["id"] for row in self.certificates("right.db")]
        self.assertGreater(len([case for case in ids if case <= 12]), 0)
        self.assertGreater(len([case for case in ids if case > 12]), 0)
        best = {}
        for row in self.cases("right.db"):
            start = row["id"] > 12
            if row["id"] not in ids or row["lean_peak"] >= best.get(start, float("inf")):
                continue
            best[start] = row["lean_peak"]
            self.change("DELETE FROM certificates WHERE id = ?", row["id"])
            self.assert_refused(f"the results lack the certificate of case {row['id']}",
                                unproved=len(ids) - 1)

    def test_a_trade_off_over_geometry_without_one_of_its_certificates(self):
        self.make(variables={**SPRINGS, **MOUNT}, starts=2, max_evaluations=4,
                  trade_off={**TWO, "points": 3})
        self.run_program("verify", "right.db")
        ids = [row["id"] for row in self.certificates("right.db")]
        self.assertGreater(max(ids), 8)
        first = min(case for case in ids if case > 8)  # the best so far of its start
        self.change("DELETE FROM certificates WHERE id = ?", first)
        self.assert_refused(f"lack the certificate of case {first}", unproved=len(ids) - 1)

    def test_words_of_a_certificate_that_were_changed(self):
        self.make(constraints=PULL)
        right = self.certificate()
        self.assertTrue(right["limits"])
        instant = right["instants"][0]
        for key, wrong in (("t", 99), ("t", None), ("t", "x"), ("metric", "lift.mean"),
                           ("motion", "elsewhere"), ("metric", None)):
            with self.subTest(key, wrong=wrong):
                changed = {**right, "instants": [{**instant, key: wrong}] + right["instants"][1:]}
                self.write_certificate(changed)
                self.assert_refused(f'"{key}" at /instants/0 is ', "expected")
        for list_of in ("limits", "unknowns"):
            changed = json.loads(json.dumps(right))
            changed[list_of][0]["name"] = "another"
            self.write_certificate(changed)
            self.assert_refused(f'"name" at /{list_of}/0 is "another"')
        for key in ("value", "gap"):
            self.write_certificate({**right, key: right[key] + 0.01})
            self.assert_refused(f'"{key}" of the certificate is ')

    def test_counts_of_a_choice_that_were_changed(self):
        self.make(variables=MIXED)
        for key, change in (("best", 0.01), ("combinations", 1)):
            certificate = self.certificate()
            certificate["choice"][key] += change
            self.write_certificate(certificate)
            self.assert_refused(f'"{key}" of the certificate is ')

    def test_baselines_that_were_changed(self):
        self.make(trade_off=OTHERS)
        for name in ("baseline", "without_springs"):
            for column in ("worst", "lean_mean", '"lift.mean"'):
                with self.subTest(name, column=column):
                    self.change(f"UPDATE baselines SET {column} = {column} * 1.01 WHERE name = ?",
                                name)
                    self.assert_refused(f"{name}: ", "is stored as", unproved=4)
        self.change("UPDATE baselines SET status = 'infeasible' WHERE name = 'baseline'")
        self.assert_refused("baseline is stored with another status", unproved=4)
        self.change("DELETE FROM baselines WHERE name = 'baseline'")
        self.assert_refused("1 baselines are stored, expected 2", unproved=4)

    def test_the_best_without_its_certificate_is_named_too(self):
        self.make(variables={**LEAN, **MOUNT}, max_evaluations=12, objectives=["lean_peak"])
        self.assertGreater(len(self.certificates("right.db")), 1)
        self.change("DELETE FROM certificates WHERE id = (SELECT max(id) FROM certificates)")
        said = self.run_program("verify", "wrong.db", code=ERROR)
        self.assertIn("the best, has no certificate", said.stderr)


if __name__ == "__main__":
    unittest.main()
