#!/usr/bin/env python3
"""Proofs over mounts from the command line: what `run`, `verify`, `why` and `show` say of them, and
proofs that somebody changed."""

import base64
import json
import unittest
import zlib

from exact_studies import LEAN, MOUNT, SPRINGS, StoredProofs
from program import BAD_INPUT, CHARMIE, DONE, INFEASIBLE, altered

PROVE = {"geometry": "prove", "gap": 1e-4}
PEAK = ["lean_peak"]
NEVER = [{"name": "pull", "expression": "lean_spring.max_tension", "max": 1},
         {"name": "peak", "expression": "lean.max", "max": 50}]


class Mounts(StoredProofs):
    def make_proof(self, **study):
        self.make(variables={**LEAN, **MOUNT}, objectives=PEAK, **{**PROVE, **study})

    def mounts(self, database):
        row, = self.query(database, "SELECT value FROM study WHERE key = 'search.mounts'")
        return json.loads(row["value"])

    def write_mounts(self, mounts):
        self.change("UPDATE study SET value = ? WHERE key = 'search.mounts'", json.dumps(mounts))

    def test_what_is_said(self):
        self.use(variables={**LEAN, **MOUNT}, objectives=PEAK, **PROVE)
        text = self.run_study().stdout
        proof = next(line for line in text.splitlines() if line.startswith("proof over mounts: "))
        mounts = self.mounts("study.db")
        self.assertIn(f"with lean_mount_y -0.15 to -0.06, do better than {mounts['bound']:.9g}",
                      proof)
        best = min(row["lean_peak"] for row in self.cases("study.db"))
        self.assertAlmostEqual(mounts["best"], best, delta=1e-9 * best)
        self.assertLessEqual(best - mounts["bound"], 1e-4 * best * (1 + 1e-9))
        self.assertGreater(best, mounts["bound"])
        found = self.run_json("run", "study.json", "--force", "--json")["proof"]["mounts"]
        self.assertEqual((found["bound"], found["best"], found["proved"], found["ended"]),
                         (mounts["bound"], mounts["best"], True, "proved"))
        self.assertAlmostEqual(found["by_limits"] + found["by_bound"], 1)
        self.assertNotIn("data", json.dumps(found))
        self.assertIn("mounts: proved: ", self.run_program("verify", "study.db").stdout)
        verdict = self.run_json("verify", "study.db", "--json")[-1]
        self.assertEqual((verdict["mounts"], verdict["proved"], verdict["bound"]),
                         (True, True, mounts["bound"]))
        part, = found["parts"]
        same = ("bound", "by_limits", "by_bound", "loosest", "simplices")
        self.assertEqual({key: part[key] for key in (*same, "part", "levels")},
                         {**{key: found[key] for key in same}, "part": 0, "levels": []})
        self.assertAlmostEqual(part["best"], best, delta=1e-9 * best)
        self.assertEqual(self.run_json("why", "study.db", "--json")["mounts"], found)
        self.assertEqual(self.run_json("show", "study.db", mounts["case"], "--json")["mounts"],
                         found)
        self.assertIn("hold no springs that meet all limits",
                      self.run_program("why", "study.db").stdout)
        self.assertIn("proof over mounts: ",
                      self.run_program("show", "study.db", mounts["case"]).stdout)

    def test_no_search_over_the_same_mounts_is_below(self):
        self.make_proof()
        bound = self.mounts("right.db")["bound"]
        self.use("search", variables={**LEAN, **MOUNT}, objectives=PEAK, max_evaluations=300)
        self.run_study("search")
        for command in (("why", "search.db"), ("show", "search.db", "best")):
            self.assertIsNone(self.run_json(*command, "--json")["mounts"])
        best = min(row["lean_peak"] for row in self.cases("search.db"))
        self.assertGreaterEqual(best, bound)
        self.assertLessEqual(best - bound, 2e-4 * best)

    def test_a_gap_that_is_not_reached(self):
        self.use(variables={**LEAN, **MOUNT}, objectives=PEAK, geometry="prove", gap=1e-9,
                 max_simplices=20)
        text = self.run_study().stdout
        self.assertIn("NOT PROVED over mounts as far as asked", text)
        self.assertIn("no more were allowed", text)
        self.assertIn("the bound is lowest at lean_mount_y", text)
        text = self.run_program("verify", "study.db").stdout
        self.assertIn("mounts: NOT PROVED as far as asked, as stored: ", text)
        self.assertIn("asked for", text)
        self.assertFalse(self.run_json("verify", "study.db", "--json")[-1]["proved"])
        self.assertFalse(self.run_json("run", "study.json", "--force", "--json")
                         ["proof"]["mounts"]["proved"])

    def test_a_sum_whose_parts_have_mounts_of_their_own(self):
        study = json.loads((CHARMIE / "mounts.json").read_text(encoding="utf-8"))
        study["objectives"] = [{"name": "sum", "expression": "lift.max + 0.1*lean.max"}]
        study["search"]["gap"] = 1e-4
        self.write("study.json", {**study, "name": "study"})
        self.run_study()
        mounts = self.mounts("study.db")
        upper, lower = mounts["parts"]
        self.assertTrue(mounts["adds_up"])
        self.assertAlmostEqual(mounts["bound"], upper["bound"] + lower["bound"],
                               delta=1e-12 * mounts["bound"])
        # each part has the bound of its term alone, with its own springs and mounts
        for part, term in ((upper, "lift.max"), (lower, "0.1*lean.max")):
            own = {name: variable for name, variable in study["variables"].items()
                   if name.startswith("lean") == ("lean" in term)}
            self.write("term.json", {**study, "name": "term", "variables": own,
                                     "objectives": [{"name": "term", "expression": term}]})
            self.run_program("run", "term.json", "--force")
            alone = self.mounts("term.db")
            self.assertFalse(alone.get("adds_up", False))
            self.assertAlmostEqual(part["bound"], alone["best"], delta=3e-4 * alone["best"])
        self.assertIn("mounts: proved: ", self.run_program("verify", "study.db").stdout)
        text = self.run_program("why", "study.db").stdout
        for names in ("(crank_spring_radius, anchor_height)", "(lean_mount_y)"):
            self.assertIn(f"the mounts that decide one part of the sum {names}", text)
        self.assertTrue(self.run_json("why", "study.db", "--json")["mounts"]["adds_up"])

    def test_what_has_ended_was_not_interrupted(self):
        self.make_proof()
        mounts = self.mounts("right.db")
        self.write_mounts({**mounts, "bound": 0.9 * mounts["bound"]})
        text = self.run_program("show", "wrong.db", mounts["case"]).stdout
        self.assertIn("NOT PROVED over mounts as far as asked", text)
        self.assertNotIn("interrupted", text)

    def test_a_larger_limit_is_another_study(self):
        proof = {"variables": {**LEAN, **MOUNT}, "objectives": PEAK, "geometry": "prove", "gap": 1e-9}
        self.use(max_simplices=20, **proof)
        text = self.run_study().stdout
        self.assertIn("no more were allowed", text)
        proved = self.mounts("study.db")
        # what has ended says the same again, and goes on no further
        self.assertIn("no more were allowed", self.run_study("study", "--resume").stdout)
        self.use(max_simplices=200, **proof)
        message = self.run_program("run", "study.json", "--resume", code=BAD_INPUT).stderr
        self.assertIn("belongs to another run; what differs: the text of the study \"study.json\";", message)
        self.assertIn("start afresh with --force", message)
        self.assertEqual(self.mounts("study.db"), proved)

    def test_memory_that_is_used_up(self):
        self.use(variables={**LEAN, **MOUNT}, objectives=PEAK, geometry="prove", gap=1e-9,
                 max_memory=2e-5)
        text = self.run_study().stdout
        self.assertIn("no more memory was allowed", text)
        self.assertIn("mounts: NOT PROVED as far as asked, as stored: ",
                      self.run_program("verify", "study.db").stdout)
        self.assertEqual(self.mounts("study.db")["ended"], "max_memory")

    def test_limits_that_no_mounts_meet(self):
        self.use(variables={**LEAN, **MOUNT}, objectives=PEAK, constraints=NEVER, **PROVE)
        text = self.run_program("run", "study.json", code=INFEASIBLE).stdout
        self.assertIn("no springs within bounds, at any mounts with lean_mount_y -0.15 to -0.06, meet all limits",
                      text)
        self.assertIn("meet all limits", self.run_program("verify", "study.db").stdout)
        summary = json.loads(self.run_program("run", "study.json", "--json", "--output", "again.db",
                                              code=INFEASIBLE).stdout)
        self.assertEqual(summary["proof"]["mounts"]["bound"], None)
        self.assertEqual(summary["proof"]["mounts"]["ended"], "proved")

    def test_shards_are_refused(self):
        self.use(variables={**LEAN, **MOUNT}, objectives=PEAK, **PROVE)
        message = self.run_program("run", "study.json", "--shard", "1/2", code=BAD_INPUT).stderr
        self.assertIn("/search: a proof over geometry cannot be run in shards", message)
        self.assertEqual(list(self.folder.glob("*.db")), [])

    def test_finished_results_are_not_run_again(self):
        self.make_proof()
        before = self.mounts("study.db")
        self.run_program("run", "study.json", "--resume", code=DONE)
        self.assertEqual(self.mounts("study.db"), before)

    def test_changed_proofs(self):
        self.make_proof()
        sound = self.mounts("right.db")
        changes = (
            lambda m: m.update(bound=m["bound"] * (1 + 1e-9)),
            lambda m: m["parts"][0].update(bound=m["parts"][0]["bound"] * (1 + 1e-9)),
            lambda m: m["parts"][0].update(data=m["parts"][0]["data"][:-8] + "AAAAAAAA"),
            lambda m: m["parts"][0].update(bytes=m["parts"][0]["bytes"] + 1),
            lambda m: m.update(best=m["best"] * 0.99),
            lambda m: m.update(case=77),
            lambda m: m.update(gap=1e9),
            lambda m: m.update(gap=-1),
            lambda m: m["parts"][0].update(bound=None),
            lambda m: m["parts"][0].update(part=1),
            lambda m: m["parts"][0].update(by_limits=m["parts"][0]["by_limits"] + 1e-6),
            lambda m: m["parts"][0].update(by_bound=m["parts"][0]["by_bound"] - 1e-6),
            lambda m: m["parts"][0].update(leaves=m["parts"][0]["leaves"] + 1),
            lambda m: m["parts"][0].update(simplices=m["parts"][0]["simplices"] + 1),
            lambda m: m["parts"][0]["loosest"][0].update(low=-0.15, high=-0.06),
            lambda m: m["parts"][0]["loosest"][0].update(
                low=m["parts"][0]["loosest"][0]["low"] * (1 - 1e-6)),
            lambda m: m.update(parts=[]))
        for number, change in enumerate(changes):
            mounts = json.loads(json.dumps(sound))
            change(mounts)
            self.write_mounts(mounts)
            with self.subTest(number):
                self.assert_refused("mounts: NOT PROVED: ")
        # data of another tree, with the hash of the right one, or cut short
        bytes_of = zlib.decompress(base64.b64decode(sound["parts"][0]["data"]), -15)
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(bytes_of[:-1] + b"\x00") + packer.flush()
        mounts = json.loads(json.dumps(sound))
        mounts["parts"][0]["data"] = base64.b64encode(packed).decode()
        self.write_mounts(mounts)
        self.assert_refused("changed since they were stored")

    def test_a_forged_case_without_certificates(self):
        self.make_proof()
        self.write_mounts({**self.mounts("right.db"), "best": 1.0})
        self.change_again("UPDATE cases SET lean_peak = 1.0 WHERE id = ?",
                          self.mounts("right.db")["case"])
        with altered(self.folder / "wrong.db") as database:
            database.execute("DELETE FROM certificates")
        self.assert_refused("has no certificate")

    def test_texts_that_are_no_proof(self):
        self.make_proof()
        for text in ("{}", "[", '{"parts": 3}', "null"):
            self.change("UPDATE study SET value = ? WHERE key = 'search.mounts'", text)
            for command in (("verify", "wrong.db"), ("why", "wrong.db")):
                message = self.run_program(*command, code=BAD_INPUT).stderr
                self.assertIn("search.mounts", message)

    def test_the_same_on_any_number_of_threads(self):
        self.use(variables={**SPRINGS, **MOUNT}, **PROVE)
        for threads in (1, 2, 5):
            self.run_program("run", "study.json", "-o", f"{threads}.db", "--threads", threads)
        for threads in (2, 5):
            self.assert_same_proofs(f"{threads}.db", "1.db")


if __name__ == "__main__":
    unittest.main()
