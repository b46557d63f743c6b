#!/usr/bin/env python3
"""No stored design dominates the one named best, and the output says what decided between them."""

import random
import unittest

from program import BAD_INPUT, TWO_LINK_ARM, ScratchFolder, trials

VARIABLES = {"spring_rate": (500, 2500), "post_height": (0.14, 0.28), "mount_radius": (0.03, 0.1)}


def dominates(a, b):
    return all(x <= y for x, y in zip(a, b)) and a != b


def random_objectives(choice):
    """Two or three objectives, some of them equal, or nearly, for many designs."""
    level = choice.uniform(4, 30)
    kinds = [
        {"minimize": "max", "of": ["shoulder"]},
        {"minimize": "mean", "of": ["shoulder", "elbow"]},
        {"expression": f"max(shoulder.max, {level})"},
        {"expression": f"max(shoulder.max, {level}) + 1e-8 * shoulder.mean"},
        {"expression": f"max(shoulder.mean, {level / 3}) + 3e-6 * spring.max_length"},
        {"expression": "elbow.max"},
    ]
    return [{"name": f"o{i}", **kind}
            for i, kind in enumerate(choice.sample(kinds, choice.choice((2, 3))))]


class Ties(ScratchFolder):
    def write_study(self, choice, **more):
        names = choice.sample(sorted(VARIABLES), choice.choice((1, 2, 3)))
        grid = choice.random() < 0.7
        variables = {name: {"range": VARIABLES[name]} for name in names}
        for variable in variables.values():
            if grid:
                variable["count"] = choice.randint(2, 6)
        sampling = {"method": "grid"} if grid else {"method": "sobol", "count": choice.randint(2, 60)}
        self.objectives = random_objectives(choice)
        self.copy_example(TWO_LINK_ARM, "study.json", variables=variables, sampling=sampling,
                          objectives=self.objectives, constraints=None, **more)

    def best_of(self, database):
        return self.run_json("rank", database, "--top", "1", "--json")[0]["case"]

    def told(self, rows, ties, bare):
        """The rule's best: at each objective those stay that tie with the best of those left."""
        left = rows
        for objective in self.objectives:
            name = objective["name"]
            least = min(row[name] for row in left)
            near = ties * max(abs(least), 1e-6 * abs(bare[name]))
            left = [row for row in left if row[name] <= least + near]
        return min(left, key=lambda row: ([row[o["name"]] for o in self.objectives], row["id"]))["id"]

    def check_best(self, database, ties):
        rows = [row for row in self.cases(database) if row["status"] == "feasible"
                and not row["reason"].startswith("not settled")]
        bare = self.query(database, "SELECT * FROM baselines WHERE name = 'without_springs'")[0]
        best = self.best_of(database)
        self.assertEqual(best, self.told(rows, ties, bare))
        values = {row["id"]: [row[o["name"]] for o in self.objectives] for row in rows}
        for other, numbers in values.items():
            self.assertFalse(dominates(numbers, values[best]), f"{other} dominates {best}")
        return best

    def test_no_stored_design_dominates_the_best(self):
        choice = random.Random(20261122)
        decided = 0
        for trial in range(trials(210)):
            ties = choice.choice((1e-6, 1e-6, 0, 0.05))
            self.write_study(choice, ties=None if ties == 1e-6 else ties)
            with self.subTest(trial):
                said = self.run_program("run", "study.json", "-o", "all.db", "--force").stdout
                best = self.check_best("all.db", ties)
                self.assertIn(f"best: case {best}\n", said)
                decided += "designs tie within" in said
                if trial % 10 == 0:
                    self.check_other_ways(best)
        self.assertGreater(decided, trials(60))

    def write_exact_study(self, choice):
        """Springs sized or chosen exactly at mounts that a search moves."""
        level = choice.uniform(4, 30)
        catalogue = choice.random() < 0.5
        (self.folder / "springs.csv").write_text("part,rate,length,pull\n" + "".join(
            f"s{i},{choice.uniform(500, 2500)},{choice.uniform(0.05, 0.1)},{choice.choice((0, 5))}\n"
            for i in range(choice.randint(2, 9))))
        sets = {"spring_rate": "rate", "spring_free_length": "length", "spring_initial_tension": "pull"}
        variables = ({"spring": {"catalogue": "springs.csv", "sets": sets}} if catalogue else
                     {"spring_rate": {"range": [500, 2500]}})
        mounts = choice.sample(("post_height", "mount_radius"), choice.choice((1, 2)))
        self.objectives = [{"name": f"o{i}", **kind} for i, kind in enumerate(choice.sample([
            {"minimize": "max", "of": ["shoulder"]},
            {"minimize": "mean", "of": ["shoulder"]},
            {"expression": f"max(shoulder.max, {level})"},
            {"expression": f"max(shoulder.max, {level}) + 1e-8 * shoulder.mean"},
            {"expression": "elbow.max"}], choice.choice((2, 3))))]
        self.copy_example(
            TWO_LINK_ARM, "study.json", objectives=self.objectives, constraints=None, sampling=None,
            variables={**variables, **{name: {"range": VARIABLES[name]} for name in mounts}},
            search={"method": "exact-springs", "starts": choice.choice((1, 2, 3)),
                    "max_evaluations": choice.randint(5, 25), "seed": choice.randint(1, 99)})

    def check_unsettled(self, database):
        """Rows that were not settled have their goal alone; returns how many there are."""
        unsettled = self.query(database, "SELECT * FROM cases WHERE reason LIKE 'not settled%'")
        for row in unsettled:
            self.assertIsNotNone(row["o0"])
            self.assertEqual({row[o["name"]] for o in self.objectives[1:]}, {None})
        front = self.run_json("rank", database, "--pareto", "--json")
        self.assertFalse({row["id"] for row in unsettled} & {row["case"] for row in front})
        return len(unsettled)

    def test_exact_searches_settle_what_may_be_the_best(self):
        choice = random.Random(20261123)
        unsettled = decided = 0
        for trial in range(trials(90)):
            self.write_exact_study(choice)
            with self.subTest(trial):
                said = self.run_program("run", "study.json", "-o", "all.db", "--force").stdout
                best = self.check_best("all.db", 1e-6)
                self.assertIn(f"best: case {best}\n", said)
                self.assertIn("\nproof: ", said)
                self.run_program("verify", "all.db")
                unsettled += self.check_unsettled("all.db")
                decided += "designs tie within" in said
                if trial % 10 == 0:
                    self.check_other_ways(best)
        self.assertGreater(unsettled, trials(150))
        self.assertGreater(decided, trials(10))

    def check_other_ways(self, best):
        for threads in (1, 2, 5):
            self.run_program("run", "study.json", "-o", "again.db", "--force", "--threads", threads)
            self.assertEqual(self.best_of("again.db"), best)
        for i in (1, 2, 3):
            self.start("run", "study.json", "-o", f"part{i}.db", "--force", "--shard",
                       f"{i}/3").communicate()
        self.run_program("merge", "part1.db", "part2.db", "part3.db", "-o", "again.db", "--force")
        self.assertEqual(self.best_of("again.db"), best)
        (self.folder / "again.db").unlink()
        self.start("run", "study.json", "-o", "again.db",
                   disturbance="kill 1 remove again.db-journal").communicate()
        self.run_program("run", "study.json", "-o", "again.db", "--resume")
        self.assertEqual(self.best_of("again.db"), best)

    def test_the_ranking_says_what_decided(self):
        self.copy_example(TWO_LINK_ARM, "study.json", constraints=None, objectives=[
            {"name": "bounded", "expression": "max(shoulder.max, 40)"},
            {"name": "mean", "minimize": "mean", "of": ["shoulder"]}])
        said = self.run_program("run", "study.json", "-o", "all.db").stdout
        tied = len(self.query("all.db", "SELECT id FROM cases WHERE bounded <= 40.00004"))
        self.assertGreater(tied, 1)
        self.assertIn(f"{tied} designs tie within 1e-06 in bounded; decided by mean\n", said)
        least = self.query("all.db", "SELECT id FROM cases WHERE bounded <= 40.00004 "
                                     "ORDER BY mean LIMIT 1")[0]["id"]
        self.assertEqual(self.best_of("all.db"), least)

    def test_every_objective_may_have_its_own_ties(self):
        self.copy_example(TWO_LINK_ARM, "study.json", constraints=None,
                          ties={"shoulder_peak": 0.5})
        said = self.run_program("run", "study.json", "-o", "all.db").stdout
        self.assertRegex(said, r"\d+ designs tie within 0.5 in shoulder_peak; "
                               r"decided by shoulder_mean\n")
        rows = self.query("all.db", "SELECT * FROM cases WHERE status = 'feasible'")
        least = min(row["shoulder_peak"] for row in rows)
        near = [row for row in rows if row["shoulder_peak"] <= 1.5 * least]
        mean = min(row["shoulder_mean"] for row in near)
        self.assertEqual(self.best_of("all.db"), min(
            row["id"] for row in near if row["shoulder_mean"] <= mean * (1 + 1e-6)))

    def test_wrong_ties_are_located(self):
        for ties, found in ((1, "expected a relative tolerance from 0 to below 1"),
                            (-1e-6, "expected a relative tolerance from 0 to below 1"),
                            ("much", "expected a relative tolerance"),
                            ({"shoulder_pek": 1e-3}, 'did you mean "shoulder_peak"?')):
            self.copy_example(TWO_LINK_ARM, "study.json", ties=ties)
            before = self.contents()
            said = self.run_program("run", "study.json", code=BAD_INPUT).stderr
            self.assertRegex(said, r"study.json:\d+:\d+: .*ties")
            self.assertIn(found, said)
            self.assertEqual(self.contents(), before)


if __name__ == "__main__":
    unittest.main()
