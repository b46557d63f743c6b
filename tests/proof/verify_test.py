#!/usr/bin/env python3
"""`verify`: what it says of proofs that hold, and that results somebody changed are refused."""

import json
import unittest

from exact_studies import LEAN, MOUNT, OTHERS, SPRINGS, STOCK, StoredProofs
from program import BAD_INPUT, ERROR, altered


class Verify(StoredProofs):
    def test_proofs_that_hold(self):
        self.make(trade_off=OTHERS)
        before = self.contents()
        text = self.run_program("verify", "study.db").stdout
        found = self.run_json("verify", "study.db", "--json")
        rows = self.certificates("study.db")
        cases = self.cases("study.db")
        self.assertEqual([verdict["case"] for verdict in found], [1, 2, 3, 4])
        rows_text, *lines, last = text.splitlines()
        self.assertRegex(rows_text, r"^\d+ rows are as they were written$")
        self.assertEqual(last, "4 of 4 certificates proved")
        for verdict, row, line in zip(found, rows, lines, strict=True):
            self.assertEqual((verdict["proved"], verdict["fault"]), (True, ""))
            self.assertAlmostEqual(verdict["bound"], row["bound"], delta=1e-9 * row["bound"])
            self.assertEqual(verdict["gap"], verdict["value"] - verdict["bound"])
            self.assertEqual((verdict["combinations"], verdict["unsettled"]), (0, 0))
            self.assertIn(f"case {row['id']}: proved: ", line)
            self.assertIn(f"no springs within bounds and limits below {verdict['bound']:.9g}", line)
        self.assertEqual(found[0]["value"], cases[0]["lean_peak"])
        self.assertEqual(found[3]["value"], cases[3]["lean_mean"])
        self.assertEqual(self.run_json("verify", "study.db", "2", "--json"), [found[1]])
        self.assertEqual(self.run_program("verify", "study.db", "2").stdout,
                         rows_text + "\n" + lines[1] + "\n")
        self.assertEqual(self.contents(), before)

    def test_a_choice_is_looked_at_again(self):
        self.make(variables=STOCK)
        choice = self.run_json("run", "study.json", "--force", "--json")["proof"]["choice"]
        verdict, = self.run_json("verify", "study.db", "--json")
        self.assertTrue(verdict["proved"])
        self.assertEqual(verdict["combinations"],
                         choice["combinations"] - choice["against_own_limits"])
        self.assertEqual(verdict["value"], self.cases("study.db")[0]["worst"])
        self.assertIn(f"; {verdict['combinations']} combinations looked at again",
                      self.run_program("verify", "study.db").stdout)

    def test_results_without_certificates(self):
        study = self.use()
        study["sampling"] = {"method": "sobol", "count": 4}
        del study["search"]
        self.write("sampled.json", study)
        self.run_program("run", "sampled.json", "-o", "sampled.db")
        said = self.run_program("verify", "sampled.db")
        self.assertRegex(said.stdout, r"^\d+ rows are as they were written\n$")
        self.assertIn("missing.db", self.run_program("verify", "missing.db",
                                                     code=BAD_INPUT).stderr)
        self.make("exact")
        said = self.run_program("verify", "exact.db", "7", code=BAD_INPUT).stderr
        self.assertIn("no certificate of case 7", said)
        with altered(self.folder / "exact.db") as database:
            database.execute("DROP TABLE certificates")
        self.run_program("verify", "exact.db", code=BAD_INPUT)

    def test_numbers_that_were_changed(self):
        self.make()
        for sql, word in (
                ("UPDATE certificates SET bound = bound * 0.999", "the bound is stored as"),
                ("UPDATE certificates SET bound = bound * 1.001", "the bound is stored as"),
                ("UPDATE certificates SET gap = gap + 1e-3", "the gap is stored as"),
                ("UPDATE cases SET worst = worst * 0.999", "objective worst is stored as"),
                ("UPDATE cases SET worst = worst * 1.001", "objective worst is stored as"),
                ("UPDATE cases SET lean_mean = lean_mean + 1", "objective lean_mean is stored as"),
                ('UPDATE cases SET "lift.mean" = "lift.mean" * 1.001', "metric lift.mean is stored"),
                ("UPDATE cases SET lean_rate = lean_rate * 0.99", "is stored as"),
                ("UPDATE cases SET lean_rate = 90", "outside 100 to 20000"),
                ("UPDATE cases SET lift_free_length = 0.06", "is stored as"),
                ("UPDATE cases SET lift_initial_tension = 61", "outside 0 to 60"),
                ("UPDATE cases SET status = 'infeasible', reason = 'so'", "not feasible"),
                ("UPDATE certificates SET id = 2", "no such case"),
                ("DELETE FROM cases", "no such case")):
            with self.subTest(sql):
                self.change(sql)
                self.assert_refused(word)

    def test_a_better_case_under_an_old_proof(self):
        # springs that beat the bound by leaving their range, with the objectives they really have
        self.make(variables={**SPRINGS, "lean_rate": {"range": [100, 8000]}})
        self.use("wide")
        self.run_study("wide")
        better, = self.cases("wide.db")
        columns = [name for name in better if name not in ("id", "status", "reason")]
        self.assertLess(better["worst"], self.cases("right.db")[0]["worst"])
        self.change("UPDATE cases SET " + ", ".join(f'"{name}" = ?' for name in columns),
                    *(better[name] for name in columns))
        self.assert_refused("outside")

    def test_certificates_that_were_changed(self):
        self.make()
        right = self.certificate()
        self.assertTrue(right["instants"])

        def changed(change):
            certificate = json.loads(json.dumps(right))
            change(certificate)
            self.write_certificate(certificate)

        def scaled(entry, key, factor=1.01):
            entry[key] = entry[key] * factor

        piece = right["pieces"].index(max(right["pieces"]))
        for what, change in {
                "a piece": lambda c: c["pieces"].__setitem__(piece, 0.9),
                "another piece": lambda c: c.update(pieces=c["pieces"][::-1]),
                "a negative piece": lambda c: c["pieces"].__setitem__(piece, -1),
                "the bound": lambda c: scaled(c, "bound"),
                "a weight": lambda c: scaled(c["instants"][0], "weight"),
                "a weight's sign": lambda c: scaled(c["instants"][0], "weight", -1),
                "a sample": lambda c: c["instants"][0].update(sample=0),
                "an unknown's value": lambda c: scaled(c["unknowns"][3], "value"),
                "an unknown beyond its bounds": lambda c: c["unknowns"][0].update(value=1e6),
                "the goal's objective":
                    lambda c: c["goal"]["largest"][0].update(objective="lean_mean"),
                "the goal's weight": lambda c: c["goal"]["largest"][0].update(weight=2),
                "the goal's reference": lambda c: c["goal"]["largest"][0].update(reference=0.1),
                "an instant left out": lambda c: c["instants"].pop(),
        }.items():
            with self.subTest(what):
                changed(change)
                self.assert_refused()

    def test_certificates_that_cannot_be_read(self):
        self.make()
        right = self.certificate()
        text = json.dumps(right)
        broken = ["", "[]", "null", "{}", text[:len(text) // 2], text.replace(":", ";", 1),
                  text.replace('"worst"', '"wurst"')]
        for key in right:
            if key not in ("value", "gap"):  # for who reads it alone
                broken += [json.dumps({k: v for k, v in right.items() if k != key}),
                           json.dumps({**right, key: "x"}), json.dumps({**right, key: None})]
        for list_of in ("unknowns", "instants"):
            for key in right[list_of][0]:
                if key in ("name", "slope", "metric", "motion", "t"):
                    continue
                broken += [json.dumps({**right, list_of: [{**right[list_of][0], key: wrong}]
                                       + right[list_of][1:]})
                           for wrong in ("x", None, {}, -1, 1.5, 1e9)]
        broken += [json.dumps({**right, "pieces": [wrong]}) for wrong in ("x", None, 1)]
        broken += [json.dumps({**right, "limits": [{"index": wrong, "multiplier": 1}]})
                   for wrong in (-1, 1e9, 0.5, "x")]
        for certificate in broken:
            with self.subTest(certificate[:300]):
                self.write_certificate(certificate)
                self.assert_refused()

    def test_one_that_fails_does_not_hide_the_others(self):
        self.make(trade_off=OTHERS)
        self.write_certificate("{", case=2)
        self.assert_refused("case 1: proved", "case 2: NOT PROVED", "case 3: proved",
                            "case 4: proved")

    def test_a_choice_that_was_changed(self):
        self.make(variables=STOCK, within_percent=50)
        best, second = self.cases("right.db")[:2]
        columns = [name for name in best if name != "id"]
        # the second best, said to be the best
        self.change("UPDATE cases SET " + ", ".join(f'"{name}" = ?' for name in columns)
                    + " WHERE id = 1", *(second[name] for name in columns))
        self.assert_refused("the best combination is stored as")
        with altered(self.folder / "wrong.db") as database:
            with database:
                database.execute("UPDATE certificates SET bound = ?", (second["worst"],))
        self.assert_refused("another combination is better than the case")
        for sql, word in (
                ('UPDATE cases SET "lean_spring.row" = 9999 WHERE id = 1', "none of the study's"),
                ('UPDATE cases SET "lean_spring.row" = 0 WHERE id = 1', "none of the study's"),
                ("UPDATE certificates SET bound = bound * 0.99", "the best combination is stored"),
                ("DELETE FROM cases WHERE id = 3", "near enough to the best"),
                ("UPDATE cases SET worst = worst * 1.001 WHERE id = 3", "case 3: objective worst"),
        ):
            with self.subTest(sql):
                self.change(sql)
                self.assert_refused(word)

    def test_geometry_that_was_changed(self):
        self.make(variables={**LEAN, **MOUNT}, max_evaluations=12)
        last = max(row["id"] for row in self.certificates("right.db"))
        self.change(f"UPDATE cases SET lean_mount_y = lean_mount_y + 0.001 WHERE id = {last}")
        self.assert_refused("is stored as")

    def test_a_case_and_a_proof_of_another_goal(self):
        study = self.use("other")
        study["objectives"] = study["objectives"][::-1]
        self.write("other.json", study)
        self.run_study("other")
        (other,), (proof,) = self.cases("other.db"), self.certificates("other.db")
        self.run_program("verify", "other.db")
        self.make()
        columns = [name for name in other if name not in ("id", "status", "reason")]
        self.change("UPDATE cases SET " + ", ".join(f'"{name}" = ?' for name in columns),
                    *(other[name] for name in columns))
        with altered(self.folder / "wrong.db") as database:
            with database:
                database.execute("UPDATE certificates SET bound = ?, gap = ?, certificate = ?",
                                 (proof["bound"], proof["gap"], proof["certificate"]))
        self.assert_refused("another goal than the study's")

    def test_a_bound_that_is_true_but_worth_little(self):
        self.make()
        certificate = {**self.certificate(), "instants": [], "bound": 0, "gap": 0}
        self.write_certificate(certificate)
        with altered(self.folder / "wrong.db") as database:
            with database:
                database.execute("UPDATE certificates SET bound = 0, gap = "
                                 "(SELECT worst FROM cases WHERE cases.id = certificates.id)")
        self.assert_refused()

    def test_a_study_that_was_changed(self):
        self.make()
        self.change("UPDATE study SET value = replace(value, '20000', '25000') "
                    "WHERE value LIKE '%\"method\": \"exact-springs\"%'")
        self.assertIn("changed since", self.run_program("verify", "wrong.db", code=ERROR).stderr)


if __name__ == "__main__":
    unittest.main()
