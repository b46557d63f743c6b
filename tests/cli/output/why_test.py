#!/usr/bin/env python3
"""Why designs fail: counted again from the reasons, and limits loosened to see what they open."""

import collections
import itertools
import json
import re
import unittest

from program import BAD_INPUT, CHARMIE, INFEASIBLE, TWO_LINK_ARM, ScratchFolder, altered

TOLD = {  # patterns of reasons, and the name of each
    r"spring (\w+) shorter than min_length": "min_length",
    r"spring (\w+) longer than max_length": "max_length",
    r"spring (\w+) loaded beyond max_load": "max_load",
    r"actuator (\w+) loaded beyond max_load": "max_load",
    r"loop (\w+) cannot close": "cannot close",
    r"constraint (\w+) is \S+( \S+)? above": "max",
    r"constraint (\w+) is \S+( \S+)? below": "min",
    r"parameter (\w+) = \S+ is below its min": "min",
    r"parameter (\w+) = \S+ is above its max": "max",
}


def named(reason):
    for pattern, what in TOLD.items():
        found = re.match(pattern, reason.replace(",", ""))
        if found:
            return found[1], what
    raise AssertionError(reason)


class Why(ScratchFolder):
    def test_nearly_all_is_not_all(self):
        for failing, share in ((3999, "> 99.9 %"), (4000, "100.0 %"), (1, "< 0.1 %"), (0, "0.0 %")):
            self.copy_example(TWO_LINK_ARM, "study.json", sampling={"method": "grid"}, constraints=[
                {"name": "soft", "expression": "spring_rate", "max": 4000.5 - failing}],
                variables={"spring_rate": {"range": [1, 4000], "count": 4000}})
            self.run_program("run", "study.json", "-o", "near.db", "--force",
                             code=INFEASIBLE if failing == 4000 else 0)
            said = self.run_program("why", "near.db").stdout
            self.assertIn(f"{failing} of 4000 designs failed ({share})", said)

    def why(self, database, *arguments):
        return self.run_json("why", database, "--json", *arguments)

    def failed(self, database):
        return [row for row in self.cases(database) if row["status"] != "feasible"]

    def check_tally(self, database):
        report = self.why(database)
        counted = collections.Counter(named(row["reason"]) for row in self.failed(database))
        found = {}
        for tally in report["first_reasons"]:
            for element in tally["element"].split(", "):
                found[element, tally["what"]] = tally["count"]
        self.assertLessEqual(counted.keys(), found.keys())
        for name, count in counted.items():
            self.assertEqual(found[name], count, name)
        self.assertEqual(report["failed"], sum(counted.values()))
        self.assertEqual(sum(t["count"] for t in report["first_reasons"]), report["failed"])
        for shares in report["variables"].values():
            self.assertEqual(sum(share["cases"] for share in shares), report["cases"])
            self.assertEqual(sum(share["failed"] for share in shares), report["failed"])
        return report

    def test_the_tally_is_that_of_the_reasons(self):
        self.copy_example(TWO_LINK_ARM)
        said = self.run_program("run", "study.json", "-o", "arm.db").stdout
        report = self.check_tally("arm.db")
        self.assertTrue(report["complete"])
        self.assertIn(f"{report['failed']} of {report['cases']} designs failed", said)
        self.copy_example(CHARMIE)
        for study in ("paper.json", "robust.json"):
            self.run_program("run", study, "-o", "charmie.db", "--force")
            self.check_tally("charmie.db")

    def test_a_table_of_numbers_says_the_same_as_the_words(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        rows = self.query("arm.db", "SELECT c.id, c.reason, n.element, n.what, f.value, f.bound "
                          "FROM cases c JOIN failures f ON f.id = c.id JOIN failure_names n "
                          "ON n.kind = f.kind AND n.of = f.of")
        self.assertEqual([row["id"] for row in rows], [row["id"] for row in self.failed("arm.db")])
        for row in rows:
            self.assertEqual(named(row["reason"]), (row["element"], row["what"]))
            for number in (row["value"], row["bound"]):
                self.assertIn(f"{number:.6g}".rstrip("0").rstrip("."), row["reason"])
        first = rows[0]
        said = self.run_program("why", "arm.db", str(first["id"]), "--format", "csv", "--json").stdout
        one = next(f for f in json.loads(said)
                   if (f["element"], f["what"]) == (first["element"], first["what"]))
        self.assertEqual((one["value"], one["bound"]), (first["value"], first["bound"]))

    def test_loosening_a_limit_opens_what_was_said(self):
        model = json.loads((TWO_LINK_ARM / "model.json").read_text(encoding="utf-8"))
        model["parameters"]["clearance"] = {"value": "post_height - mount_radius", "unit": "m",
                                            "min": 0.1}
        model["springs"][0]["max_length"] = 0.27
        study = {"constraints": [{"name": "pull", "expression": "spring.max_tension", "max": 250}]}
        self.copy_example(TWO_LINK_ARM, "study.json", **study)
        self.write("model.json", model)
        self.run_program("run", "study.json", "-o", "arm.db")
        before = self.why("arm.db")
        self.assertTrue(before["complete"])
        opened = {(o["element"], o["what"]): o for o in before["openings"]}
        self.assertGreaterEqual(len(opened), 3)
        for (element, what), opening in opened.items():
            changed, loose = json.loads(json.dumps(model)), json.loads(json.dumps(study))
            for part in ("all", "nearly all", "half"):
                amount = opening[part.split()[-1]] * (0.999 if part == "nearly all" else 1)
                if what == "max" and element == "pull":
                    loose["constraints"][0]["max"] = 250 + amount
                elif what == "min":
                    changed["parameters"]["clearance"]["min"] = 0.1 - amount
                elif what == "max_length":
                    changed["springs"][0]["max_length"] = 0.27 + amount
                else:
                    changed["springs"][0]["min_length"] = f"spring_free_length - {amount}"
                self.copy_example(TWO_LINK_ARM, "study.json", **loose)
                self.write("model.json", changed)
                self.run_program("run", "study.json", "-o", "loose.db", "--force")
                more = self.why("loose.db")["feasible"] - before["feasible"]
                with self.subTest(element=element, what=what, part=part):
                    if part == "all":
                        self.assertEqual(more, opening["count"])
                    elif part == "nearly all":
                        self.assertLess(more, opening["count"])
                    else:
                        self.assertGreaterEqual(more, opening["count"] / 2)
            nearest = self.run_json("why", "arm.db", str(opening["nearest_case"]), "--json")
            self.assertEqual(len(nearest), 1)
            self.assertAlmostEqual(nearest[0]["excess"], opening["nearest_excess"], delta=1e-12)

    def test_limits_that_exclude_all_are_a_smallest_set(self):
        self.copy_example(TWO_LINK_ARM, "study.json", variables={
            "spring_rate": {"range": [500, 2500], "count": 4},
            "mount_radius": {"range": [0.03, 0.1], "count": 4}},
            constraints=[{"name": "pull", "expression": "spring.max_tension", "max": 60},
                         {"name": "strong", "expression": "shoulder.max", "max": 16},
                         {"name": "soft", "expression": "shoulder.mean", "max": 9}])
        said = self.run_program("run", "study.json", "-o", "arm.db", code=INFEASIBLE).stdout
        self.assertTrue(said.startswith("no design is feasible: each breaks "), said[:300])
        sets = [frozenset((f["element"], f["what"])
                          for f in self.run_json("why", "arm.db", str(row["id"]), "--json"))
                for row in self.cases("arm.db")]
        self.assertNotIn(frozenset(), sets)
        names = sorted(set().union(*sets))
        smallest = next(size for size in range(1, len(names) + 1)
                        if any(all(set(chosen) & one for one in sets)
                               for chosen in itertools.combinations(names, size)))
        excluding = self.why("arm.db")["excluding"]
        self.assertTrue(excluding["smallest"])
        found = {(name["element"], name["what"]) for name in excluding["all_break_one_of"]}
        self.assertEqual(len(found), smallest)
        self.assertTrue(all(found & one for one in sets))

    def test_results_without_numbers_are_evaluated_again(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        expected = self.why("arm.db")
        with altered(self.folder / "arm.db") as database:
            database.executescript("DROP TABLE failures; DROP TABLE failure_names;")
        found = self.why("arm.db")
        self.assertFalse(found["typed"])
        self.assertIn("earlier version", self.run_program("why", "arm.db").stdout)
        self.assertEqual({**found, "typed": True, "first_reasons": 0},
                         {**expected, "first_reasons": 0})
        best = self.run_json("rank", "arm.db", "--top", "1", "--json")
        self.assertEqual(len(best), 1)
        self.run_program("show", "arm.db", "best")

    def test_files_that_number_kinds_in_another_way_say_the_same(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        told = self.run_program("why", "arm.db").stdout
        with altered(self.folder / "arm.db") as database:
            for table in ("failures", "failure_names"):
                database.execute(f"UPDATE {table} SET kind = kind + 100 WHERE kind < 900")
        self.assertEqual(self.run_program("why", "arm.db").stdout, told)

    def test_numbers_that_are_none_of_the_study_are_refused(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        for sql in ("UPDATE failures SET kind = 13.5", "UPDATE failures SET id = id + 100000",
                    "UPDATE failures SET kind = 77777", "UPDATE failures SET of = 99",
                    "UPDATE failures SET value = 'x'"):
            self.run_program("run", "study.json", "-o", "arm.db", "--force")
            with altered(self.folder / "arm.db") as database:
                with database:
                    database.execute(sql)
            self.run_program("why", "arm.db", code=BAD_INPUT)
        self.assertRegex(self.run_program("why", "arm.db", "99999", code=BAD_INPUT).stderr,
                         "has no case 99999")

    def test_a_run_ends_with_what_why_says_first(self):
        for sampling in ({"method": "sobol", "count": 3000, "seed": 4},
                         {"method": "latin-hypercube", "count": 2000, "seed": 2}):
            self.copy_example(CHARMIE, "paper.json", sampling=sampling)
            for shard in ("1/1", "2/2"):  # whose points do not begin with the first
                said = self.run_program("run", "study.json", "-o", "r.db", "--force", "--shard",
                                        shard).stdout
                brief = re.search("alone would open most: (.*)", said)[1]
                why = self.run_program("why", "r.db").stdout
                first = re.search("what loosening one limit alone would open\n +(.*)", why)[1]
                self.assertEqual(first.split("; nearest")[0], brief)
                nearest = re.search("nearest miss: (case [0-9]+),", said)[1]
                self.assertIn(nearest + " by", why)

    def springs_that(self, acts, **more):
        """`why` about springs of many lengths that are held against their free length."""
        self.write("model.json", {
            "format": "counterpoise-model/1", "parameters": {"free": 0.2, "up": 0.3, "hard": 500},
            "world": {"points": {"post": [0, 0, "up"]}},
            "bodies": [{"name": "link", "parent": "world", "mass": 2, "com": [0.3, 0, 0],
                        "joint": {"type": "revolute", "axis": [0, -1, 0]},
                        "points": {"hook": [0.1, 0, 0]}}],
            "springs": [{"name": "lift", "type": "extension", "connect": ["world.post", "link.hook"],
                         "rate": "hard", "free_length": "free", "initial_tension": 3, **acts,
                         **more}],
            "actuators": [{"name": "motor", "joint": "link", "max_load": 9}]})
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "acts", "model": "model.json",
            "motions": {"swing": {"duration": 1, "step": 0.1, "coordinates": {
                "motor": {"type": "point-to-point", "from": -0.5, "to": 0.9}}}},
            "variables": {"free": {"range": [0.1, 0.4]}, "up": {"range": [0.2, 0.6]},
                          "hard": {"range": [10, 400]}},
            "sampling": {"method": "sobol", "count": 500, "seed": 1},
            "objectives": [{"name": "peak", "minimize": "max", "of": ["motor"]}]})
        self.run_program("run", "study.json", "--force")
        return self.why("acts.db")

    def test_every_limit_counts_whatever_speaks_first(self):
        pull = {"acts": "pull"}
        expected = self.springs_that({}, min_length="free")
        known = {o["what"]: o for o in expected["openings"]}
        self.assertGreater(known["min_length"]["count"], 20)
        self.assertFalse(known["min_length"]["acts"])
        found = self.springs_that(pull, min_length="free")
        self.assertEqual([{**o, "acts": 0} for o in found["openings"]],
                         [{**o, "acts": 0} for o in expected["openings"]])
        self.assertTrue(found["openings"][0]["acts"])
        count = known["min_length"]["count"]
        self.assertRegex(self.run_program("why", "acts.db").stdout,
                         rf"lift min_length -[0-9.]+ mm would make {count} designs feasible, "
                         r"-[0-9.]+ mm half of them, if lift may be shorter than free_length and push;")
        alone = self.springs_that(pull)["openings"][0]
        for key in ("count", "half", "all", "nearest_case"):
            self.assertEqual(alone[key], known["min_length"][key], key)
        self.assertRegex(self.run_program("why", "acts.db").stdout,
                         rf"lift shorter than free_length by [0-9.]+ mm would make {count} designs")

    def test_csv_and_shards(self):
        self.copy_example(TWO_LINK_ARM)
        self.run_program("run", "study.json", "-o", "arm.db")
        whole = self.run_program("why", "arm.db", "--format", "csv").stdout
        self.assertTrue(whole.startswith("element,what,unit,first_reason,share,alone,half,all,"))
        for i in (1, 2, 3):
            self.run_program("run", "study.json", "-o", f"part{i}.db", "--shard", f"{i}/3")
        self.run_program("merge", "part1.db", "part2.db", "part3.db", "-o", "merged.db")
        self.assertEqual(self.run_program("why", "merged.db", "--format", "csv").stdout, whole)
        self.assertEqual(self.query("merged.db", "SELECT * FROM failures"),
                         self.query("arm.db", "SELECT * FROM failures"))


NUMBERED = {  # an arm that no spring can hold: every name ends in a digit
    "model.json": {
        "format": "counterpoise-model/1", "parameters": {"k1": 500},
        "world": {"points": {"p": [0, 0, 0.3]}},
        "bodies": [{"name": "arm", "parent": "world",
                    "joint": {"type": "revolute", "axis": [0, -1, 0]},
                    "mass": 2, "com": [0.3, 0, 0], "points": {"s": [0.1, 0, 0]}}],
        "springs": [{"name": name, "connect": ["world.p", "arm.s"], "rate": "k1", **limit}
                    for name, limit in (("s1", {"max_length": 0.2}), ("s2", {}))],
        "actuators": [{"name": "a1", "joint": "arm"}]},
    "study.json": {
        "format": "counterpoise-study/1", "model": "model.json",
        "motions": {name: {"duration": 1, "step": 0.1, "coordinates": {
            "a1": {"type": "point-to-point", "from": -0.5, "to": 0.5}}} for name in ("p0", "p1")},
        "variables": {"k1": {"range": [100, 1000]}},
        "search": {"method": "exact-springs"},
        "objectives": [{"name": "peak1", "minimize": "max", "of": ["a1"]}]}}


class Names(ScratchFolder):
    def test_names_that_end_in_digits_are_told_whole(self):
        for name, content in NUMBERED.items():
            self.write(name, content)
        said = self.run_program("run", "study.json", "-o", "r.db", code=INFEASIBLE).stdout
        whole = "no springs can meet max_length of s1 in motion p0"
        self.assertEqual(self.cases("r.db")[0]["reason"], whole)
        self.assertIn(f"100.0 %  {whole}\n", said)
        self.assertIn(f"\n{whole}  ", self.run_program("why", "r.db").stdout)
        first, = self.run_json("why", "r.db", "--json")["first_reasons"]
        self.assertEqual(first["what"], whole)


if __name__ == "__main__":
    unittest.main()
