#!/usr/bin/env python3
"""Warnings of `check`, `run`, `simulate` and `show`: springs that act against what they are built
for, and parts of models and studies that change nothing."""

import re
import unittest

from desk_lamp import CATALOGUES, MOUNTS, RANGES, SOBOL, SPRINGS, TABLE, Lamp, lamp, study
from program import BAD_INPUT, CHARMIE, EXAMPLES, INFEASIBLE, TWO_LINK_ARM, ScratchFolder

MOUNT_RANGES = {name: {"range": RANGES[name]} for name in RANGES}
BOTH = [{"name": "base_peak", "minimize": "max", "of": ["base"]},
        {"name": "elbow_peak", "minimize": "max", "of": ["elbow"]}]


def warnings_in(process):
    return [line.replace(": warning: ", ": ", 1) for line in process.stderr.splitlines()
            if ": warning: " in line]


class Senses(Lamp):
    def worst(self, number, mounts, spring):
        """When and how an extension spring would have to push most, in a warning's words."""
        tensions = self.tensions(number, mounts, spring)
        lengths = [length for length, _ in self.lengths(number, mounts)]
        if min(tensions) < -1e-9:
            k = tensions.index(min(tensions))
            return f"spring s{number} would have to push at t=", k * 0.02, min(tensions)
        if min(lengths) < spring[1] * (1 - 1e-9):
            k = lengths.index(min(lengths))
            return f"spring s{number} shorter than free_length at t=", k * 0.02, min(lengths)
        return None

    def check_sense(self, warning, expected):
        words, time, value = expected
        said = re.search(re.escape(words) + r"([\d.]+) s \((?:tension )?(-?[\d.]+)", warning)
        self.assertIsNotNone(said, (warning, expected))
        self.assertAlmostEqual(float(said[1]), time, places=6)
        self.assertAlmostEqual(float(said[2]), value, delta=1e-5 * max(1, abs(value)))

    def simulate(self, **of_springs):
        self.write("model.json", lamp(**of_springs))
        return warnings_in(self.run_program("simulate", "model.json", "--motion", "motion.json",
                                            "-o", "loads.csv"))

    def expected(self):
        springs = [(SPRINGS[f"k{i}"], SPRINGS[f"lf{i}"], SPRINGS[f"f{i}"]) for i in (1, 2)]
        return [found for found in (self.worst(i + 1, MOUNTS, springs[i]) for i in (0, 1)) if found]

    def test_simulate_tells_where_an_extension_spring_pushes_most(self):
        expected = self.expected()
        self.assertEqual(len(expected), 1)
        for keys in ({}, {"type": "extension"}):
            warnings = self.simulate(**keys)
            self.assertEqual(len(warnings), 1)
            self.check_sense(warnings[0], expected[0])
            self.assertRegex(warnings[0], r"^model.json:\d+:\d+: /springs/0: .*\"acts\": \"pull\"")

    def test_what_the_model_says_of_its_springs_ends_the_warning(self):
        self.assertEqual(self.simulate(acts="both"), [])
        self.assertEqual(self.simulate(acts="both", type="extension"), [])
        self.assertEqual(self.simulate(initial_tension=0), [])  # may be a compression spring
        self.assertEqual(len(self.simulate(initial_tension=0, type="extension")), 1)
        pulls = self.simulate(initial_tension=0, type="compression")
        self.assertEqual(len(pulls), 2)
        for warning in pulls:
            self.assertRegex(warning, r"spring s\d would have to pull at .*\"acts\": \"push\"")

    def test_check_warns_of_the_baseline(self):
        self.write("study.json", study({**CATALOGUES, **MOUNT_RANGES}, sampling=SOBOL,
                                       objectives=BOTH))
        process = self.run_program("check", "study.json")
        self.assertEqual(len(warnings_in(process)), 1)
        self.check_sense(warnings_in(process)[0], self.expected()[0])
        self.assertNotIn("warning", process.stdout)
        told = self.run_json("check", "study.json", "--json")["warnings"]
        self.assertEqual([line.replace("warning: ", "") for line in told], warnings_in(process))

    def test_run_counts_the_best_designs_that_need_such_springs_and_show_tells_of_one(self):
        worst = [{"name": "worst", "expression": "max(base.max / without_springs.base.max, "
                                                 "elbow.max / without_springs.elbow.max)"}]
        self.write("study.json", study({**CATALOGUES, **MOUNT_RANGES}, sampling=SOBOL,
                                       objectives=worst))
        process = self.run_program("run", "study.json")
        best = self.run_json("rank", "lamp.db", "--top", 10, "--format", "json")
        wrong = []
        for row in best:
            case = self.query("lamp.db", f"SELECT * FROM cases WHERE id = {row['case']}")[0]
            found = [self.worst(i, case, TABLE[case[f"spring{i}"]]) for i in (1, 2)]
            found = [one for one in found if one]
            shown = warnings_in(self.run_program("show", "lamp.db", row["case"]))
            self.assertEqual(len(shown), len(found))
            for warning, expected in zip(shown, found):
                self.check_sense(warning, expected)
            wrong += [(row["case"], found[0])] if found else []
        self.assertTrue(0 < len(wrong) < 10)
        warning, = warnings_in(process)
        self.assertTrue(warning.startswith(f"study.json: {len(wrong)} of the 10 best designs need"))
        self.assertIn(f"; the best of them is case {wrong[0][0]}: spring", warning)
        self.check_sense(warning, wrong[0][1])

        self.write("model.json", lamp(acts="pull"))
        self.assertEqual(warnings_in(self.run_program("run", "study.json", "--force")), [])


class IdleParts(Lamp):
    def warn_of(self, change, file="model.json"):
        """What `check` warns of in a lamp that was changed; senses are not the subject."""
        model = lamp(acts="both")
        change(model)
        self.write("model.json", model)
        return warnings_in(self.run_program("check", file))

    def check_one(self, change, pointer, words):
        warning, = self.warn_of(change)
        self.assertRegex(warning, rf"^model.json:\d+:\d+: {pointer}: ")
        self.assertIn(words, warning)

    def test_springs_that_can_have_no_force(self):
        def without(*keys, **more):
            def change(model):
                model["springs"][1].update(more)
                for key in ("rate", "free_length", "initial_tension", *keys):
                    model["springs"][1].pop(key, None)
                for name in ("k2", "lf2", "f2"):
                    del model["parameters"][name]
            return change
        self.check_one(without(), "/springs/1",
                       "spring s2 has no rate and no initial_tension, so it has no force")
        self.check_one(without(type="gas"), "/springs/1",
                       "spring s2 has no rate and no initial_tension, so it has no force")

        def torsion(model):
            without()(model)
            model["springs"][1] = {"name": "s2", "type": "torsion", "joint": "upper",
                                   "free_angle": 1}
        self.check_one(torsion, "/springs/1", "has no rate and no preload")
        for key, value in (("initial_tension", 4), ("rate", "k1"), ("rate", 3)):
            def kept(model):
                without()(model)
                model["springs"][1][key] = value
            self.assertEqual(self.warn_of(kept), [])

    def test_springs_that_move_nothing(self):
        def ends(*points):
            def change(model):
                model["bodies"][2]["points"] = {"bulb": [0.01, 0, 0]}
                model["world"]["points"]["foot"] = [0.1, 0, 0]
                model["springs"][1]["connect"] = points
            return change
        self.check_one(ends("lower.ear", "lower.mount"), "/springs/1",
                       "both ends of spring s2 are on one body")
        self.check_one(ends("world.foot", "world.anchor"), "/springs/1", "on one body")
        self.check_one(ends("head.bulb", "upper.mount"), "/springs/1",
                       "on bodies fixed to each other")
        self.assertEqual(self.warn_of(ends("head.bulb", "lower.ear")), [])

    def test_parameters_that_nothing_reads(self):
        def add(model):
            model["parameters"].update({"colour": 3, "stretch": "2 * colour"})
        self.check_one(add, "/parameters/stretch", "nothing in the model reads parameter stretch")
        def bound(model):
            model["parameters"].update({"colour": 3, "stretch": {"value": "2 * colour", "max": 9}})
        self.assertEqual(self.warn_of(bound), [])  # its max limits the colour
        for reads, count in ((None, 1), ("base.max + stretch", 0)):
            objectives = [{"name": "o", "expression": reads or "base.max + elbow.max"}]
            self.write("study.json", study({"k1": {"range": [1, 9]}}, sampling=SOBOL,
                                           objectives=objectives))
            self.assertEqual(len(self.warn_of(add, "study.json")), count)
            self.assertEqual(len(warnings_in(self.run_program("run", "study.json", "--force"))),
                             count)
        motion = {"coordinates": {"base": {"type": "sine", "amplitude": "stretch/9", "period": 6}}}
        self.write("study.json", study(
            {"k1": {"range": [1, 9]}}, sampling=SOBOL,
            motions={"swing": {"duration": 1, "step": 0.1, **motion}}))
        self.assertEqual(self.warn_of(add, "study.json"), [])

    def test_the_warning_of_an_idle_parameter_names_it_and_who_could_read_it(self):
        def add(model):
            model["parameters"]["colour"] = 3
        fall = {"fall": "scenario.json"}
        self.write("scenario.json", {
            "format": "counterpoise-scenario/1", "duration": 0.1, "step": 0.01,
            "start": {"coordinates": {"base": 0, "elbow": 0}},
            "actuators": {"base": "held", "elbow": "free"}})
        for more, readers in (({}, "no motion, objective"),
                              ({"scenarios": fall}, "no motion, scenario, objective")):
            self.write("study.json", study({"k1": {"range": [1, 9]}}, sampling=SOBOL,
                                           objectives=BOTH, **more))
            said = [words for words in self.warn_of(add, "study.json") if "colour" in words]
            self.assertEqual(len(said), 1, said)
            self.assertTrue(said[0].endswith(f"nothing reads parameter colour: not the model, "
                                             f"{readers} or constraint"), said[0])

    def warned_variables(self, objectives, change=lambda model: None, **more):
        self.write("study.json", study({**CATALOGUES, **MOUNT_RANGES}, sampling=SOBOL,
                                       objectives=objectives, **more))
        found = [re.search(r"variable (\w+) has no effect", warning)
                 for warning in self.warn_of(change, "study.json")]
        return {said[1] for said in found}

    def test_variables_that_no_objective_and_no_limit_feels(self):
        base, elbow = BOTH
        other = {"spring2", "a2", "r2"}
        self.assertEqual(self.warned_variables([base]), other)
        self.assertEqual(self.warned_variables([elbow]), {"spring1", "a1", "r1"})
        self.assertEqual(self.warned_variables(BOTH), set())
        limited = [{"name": "c", "expression": "s2.max_length", "max": 0.3}]
        self.assertEqual(self.warned_variables([base], constraints=limited), set())
        self.assertEqual(self.warned_variables([base, {"name": "o", "expression": "k2"}]),
                         {"a2", "r2"})

        def limit(key, value, part="springs"):
            def change(model):
                model[part][1][key] = value
            return change
        for change in (limit("max_load", 90), limit("min_length", "lf2"), limit("acts", "pull"),
                       limit("max_load", 90, "actuators")):
            self.assertEqual(self.warned_variables([base], change), set())


POSES = {"format": "counterpoise-motion/1", "duration": 2, "step": 1, "inertia": False,
         "coordinates": {"a": {"type": "table", "file": "p.csv", "time": "t", "column": "q"}}}
ARM = {"format": "counterpoise-model/1", "parameters": {"k": 500},
       "world": {"points": {"p": [0, 0, 0.3]}},
       "bodies": [{"name": "arm", "parent": "world",
                   "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 2,
                   "com": [0.3, 0, 0], "points": {"s": [0.1, 0, 0]}}],
       "springs": [{"name": "s", "connect": ["world.p", "arm.s"], "rate": "k"}],
       "actuators": [{"name": "a", "joint": "arm", "max_speed": 1}]}


class Poses(ScratchFolder):
    """A table of unrelated poses: from one to the next the profile goes at 3.85 rad/s."""

    def setUp(self):
        super().setUp()
        self.write("p.csv", "t,q\n0,0\n1,1.4\n2,-1.4\n")
        self.write("model.json", ARM)

    def write_study(self, inertia, minimize="max"):
        self.write("motion.json", {**POSES, "inertia": inertia})
        self.write("study.json", {
            "format": "counterpoise-study/1", "name": "arm", "model": "model.json",
            "motions": {"poses": "motion.json"}, "variables": {"k": {"range": [100, 900],
                                                                     "count": 3}},
            "sampling": {"method": "grid"},
            "objectives": [{"name": "o", "minimize": minimize, "of": ["a"]}]})

    def test_no_speed_is_judged_between_poses_and_the_program_says_so(self):
        self.write_study(inertia=False)
        run = self.run_program("run", "study.json")
        warning, = warnings_in(run)
        self.assertRegex(warning, r"^model.json:\d+:\d+: /actuators/0/max_speed: max_speed of "
                                  "actuator a is not judged in motion poses, as times only order ")
        self.assertEqual([row["status"] for row in self.cases("arm.db")], ["feasible"] * 3)
        self.assertEqual(warnings_in(self.run_program("check", "study.json")), [warning])
        self.assertNotIn("max_speed", self.run_program("show", "arm.db", "best").stdout)
        simulated = self.run_program("simulate", "model.json", "--motion", "motion.json")
        self.assertIn("note: no max_speed is judged", simulated.stderr)
        self.assertNotIn("faster", simulated.stderr)

    def test_a_motion_in_time_is_judged(self):
        self.write_study(inertia=True)
        self.assertEqual(warnings_in(self.run_program("run", "study.json", code=INFEASIBLE)), [])
        self.assertTrue(all("faster than max_speed" in row["reason"]
                            for row in self.cases("arm.db")), self.cases("arm.db")[0])

    def test_the_power_between_poses_is_warned_of(self):
        self.write_study(inertia=False, minimize="peak_power")
        self.write("model.json", {**ARM, "actuators": [{"name": "a", "joint": "arm"}]})
        warning, = warnings_in(self.run_program("check", "study.json"))
        self.assertIn("/objectives/0: objective o reads peak_power, which in motion poses says "
                      "how fast", warning)
        self.write_study(inertia=False, minimize="energy")
        self.assertEqual(warnings_in(self.run_program("check", "study.json")), [])


class Examples(ScratchFolder):
    def test_no_example_is_warned_of(self):
        for path in sorted(EXAMPLES.glob("*/*.json")):
            code = BAD_INPUT if path.name == "model_singular.json" else 0
            with self.subTest(path.name):
                self.assertEqual(warnings_in(self.run_program("check", path, code=code)), [])
        for path in (CHARMIE / "exact.json", TWO_LINK_ARM / "study.json"):
            self.assertEqual(warnings_in(self.run_program("run", path, "-o", "all.db", "--force")),
                             [])


if __name__ == "__main__":
    unittest.main()
