"""Studies of CHARMIE with exact springs, small enough to run many times."""

import json
import shutil

from program import CHARMIE, ERROR, ScratchFolder, altered

EXACT = json.loads((CHARMIE / "exact.json").read_text(encoding="utf-8"))
SPRINGS = {name: EXACT["variables"][name] for name in EXACT["variables"]}
LEAN = {name: SPRINGS[name] for name in SPRINGS if name.startswith("lean")}
MOUNT = {"lean_mount_y": {"range": [-0.15, -0.06]}}
PARTS = ("rate", "free_length", "initial_tension", "max_length", "max_load")
STOCK = {f"{spring}_spring": {"catalogue": "springs.csv",
                              "sets": {f"{spring}_{part}": part for part in PARTS}}
         for spring in ("lift", "lean")}
TWO = {"objectives": ["lift_peak", "lift_mean"], "points": 7}
# the best of the objectives named is not that of the study's first
OTHERS = {"objectives": ["lean_peak", "lean_mean"], "points": 4}


class ExactStudies(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.copy_example(CHARMIE)

    def use(self, name="study", variables=None, constraints=None, objectives=None, **search):
        """Writes NAME.json: the example with other variables, constraints, objectives, search."""
        study = {**EXACT, "name": name, "variables": variables or SPRINGS,
                 "objectives": [o for o in EXACT["objectives"]
                                if not objectives or o["name"] in objectives],
                 "search": {"method": "exact-springs", **search}}
        if constraints:
            study["constraints"] = constraints
        self.write(f"{name}.json", study)
        return study

    def run_study(self, name="study", *options):
        return self.run_program("run", f"{name}.json", *options)

    def certificates(self, database):
        return self.query(database, "SELECT * FROM certificates ORDER BY id")

    def assert_same_proofs(self, database, reference):
        self.assert_same_results(database, reference)
        self.assertEqual(self.certificates(database), self.certificates(reference))
        noted = [self.query(file, "SELECT * FROM study WHERE key LIKE 'search.%' ORDER BY key")
                 for file in (database, reference)]
        self.assertEqual(*noted)


class StoredProofs(ExactStudies):
    """Right results in right.db, and what somebody made of them in wrong.db."""

    def make(self, name="study", **study):
        """Runs a study; its results are there to be changed again and again."""
        self.use(name, **study)
        self.run_study(name, "--force")
        shutil.copy(self.folder / f"{name}.db", self.folder / "right.db")

    def change(self, sql, *values):
        """The right results with one thing changed."""
        shutil.copy(self.folder / "right.db", self.folder / "wrong.db")
        with altered(self.folder / "wrong.db") as database:
            with database:
                changed = database.execute(sql, values).rowcount
        self.assertEqual(changed, 1, sql)

    def assert_refused(self, *words, unproved=1):
        before = self.contents()
        text = self.run_program("verify", "wrong.db", code=ERROR).stdout
        self.assertEqual(text.count("NOT PROVED: "), unproved, text)
        for word in words:
            self.assertIn(word, text)
        found = json.loads(self.run_program("verify", "wrong.db", "--json", code=ERROR).stdout)
        wrong = [verdict for verdict in found if not verdict["proved"]]
        self.assertEqual(len(wrong), unproved)
        for verdict in wrong:
            self.assertTrue(verdict["fault"])
            self.assertEqual((verdict["value"], verdict["bound"], verdict["gap"]), (None,) * 3)
        self.assertEqual(self.contents(), before)

    def certificate(self, case=1):
        text, = self.query("right.db", f"SELECT certificate FROM certificates WHERE id = {case}")
        return json.loads(text["certificate"])

    def write_certificate(self, certificate, case=1):
        text = certificate if isinstance(certificate, str) else json.dumps(certificate)
        self.change("UPDATE certificates SET certificate = ? WHERE id = ?", text, case)

    def change_again(self, sql, *values):
        """One more thing in the wrong results."""
        with altered(self.folder / "wrong.db") as database:
            with database:
                changed = database.execute(sql, values).rowcount
        self.assertEqual(changed, 1, sql)
