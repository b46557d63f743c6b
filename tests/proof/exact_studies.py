"""Studies of CHARMIE with exact springs, small enough to run many times."""

import json

from program import CHARMIE, ScratchFolder

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
