#!/usr/bin/env python3
"""Variants of a study: each is the study that a person would have written for it alone, bit by bit, and the
comparison of all is the ranking of all their rows."""

import copy
import json
import random
import shutil
import unittest

from program import BAD_INPUT, EXAMPLES, INFEASIBLE, ScratchFolder, trials

WAYS = EXAMPLES / "ways"
POSES = {"poses": {"lift": {"range": [-60, 60], "count": 7, "unit": "deg"},
                   "bend": {"range": [0, 90], "count": 4, "unit": "deg"}}}
ROBOT = {
    "format": "counterpoise-model/1",
    "parameters": {"load": {"value": 1.5, "unit": "kg"}, "pull": {"value": 10, "unit": "N"}},
    "world": {"points": {"post": [0, 0, 0.2]}},
    "bodies": [
        {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 2,
         "com": [0.2, 0, 0], "points": {"hook": [0.15, 0, 0]}},
        {"name": "fore", "parent": "upper",
         "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0.4, 0, 0]}, "mass": "load",
         "com": [0.2, 0, 0]}],
    "springs": [{"name": "old", "connect": ["world.post", "upper.hook"], "rate": 100, "free_length": 0.1,
                 "initial_tension": "pull"}],
    "actuators": [{"name": "lift", "joint": "upper"}, {"name": "bend", "joint": "fore"}]}


def random_way(draw, name):
    """What a way adds to the robot and to the study, and how designs of it are chosen."""
    model, variables = {"parameters": {}}, {}
    kind = draw.choice(["spring", "pulley", "weight", "change"])
    if kind == "spring":
        model["parameters"][f"{name}_rate"] = {"value": draw.uniform(0, 300), "unit": "N/m"}
        model["world"] = {"points": {f"{name}_post": [0, 0, draw.uniform(0.1, 0.3)]}}
        model["bodies"] = [{"name": "fore", "points": {f"{name}_eye": [draw.uniform(0.05, 0.2), 0, 0]}}]
        model["springs"] = [{"name": name, "connect": [f"world.{name}_post", f"fore.{name}_eye"],
                             "rate": f"{name}_rate", "free_length": 0.05}]
        variables[f"{name}_rate"] = {"range": [0, 800]}
    elif kind == "pulley":
        model["parameters"][f"{name}_rate"] = {"value": draw.uniform(0, 300), "unit": "N/m"}
        model["world"] = {
            "points": {f"{name}_base": [-0.1, 0, -0.3]},
            "pulleys": {f"{name}_guide": {"centre": [0, 0, 0.2], "axis": "y", "radius": 0.01}}}
        model["bodies"] = [{"name": "upper", "points": {f"{name}_eye": [0.2, 0, 0]}}]
        model["springs"] = [{"name": name, "connect": [f"world.{name}_base", f"world.{name}_guide",
                                                       f"upper.{name}_eye"],
                             "rate": f"{name}_rate", "free_length": 0.3}]
        variables[f"{name}_rate"] = {"range": [0, 800]}
    elif kind == "weight":
        model["parameters"][f"{name}_mass"] = {"value": 0, "unit": "kg", "min": 0}
        model["bodies"] = [{"name": name, "parent": "upper",
                            "joint": {"type": "fixed", "origin": [-draw.uniform(0.1, 0.3), 0, 0]},
                            "mass": f"{name}_mass"}]
        variables[f"{name}_mass"] = {"range": [0, 5]}
    else:
        model["springs"] = [{"name": "old", "rate": draw.uniform(50, 400), "initial_tension": "2*pull"}]
        model["bodies"] = [{"name": "upper", "mass": draw.uniform(1, 3)}]
    if draw.random() < 0.5:
        variables["pull"] = {"range": [0, draw.uniform(20, 80)]}
    if not variables:
        variables["load"] = {"range": [1, 2]}
    method = draw.choice([{"sampling": {"method": "sobol", "count": 20}},
                          {"sampling": {"method": "random", "count": 15, "seed": draw.randrange(99)}},
                          {"search": {"method": "exact-springs"}}])
    if "load" in variables:
        method = {"sampling": {"method": "sobol", "count": 8}}
    constraints = [{"name": f"{name}_limit", "expression": "lift.max", "max": draw.uniform(3, 12)}]
    return {"model": model, "variables": variables, **method,
            **({"constraints": constraints} if draw.random() < 0.3 else {})}


def written_out(robot, model):
    """The model of one way as a person writes it down, with everything in its place."""
    robot = copy.deepcopy(robot)
    robot["parameters"].update(model.get("parameters", {}))
    for section in ("points", "pulleys"):
        for name, value in model.get("world", {}).get(section, {}).items():
            robot["world"].setdefault(section, {})[name] = value
    for kind in ("bodies", "springs"):
        for element in model.get(kind, []):
            for own in robot[kind]:
                if own["name"] == element["name"]:
                    points = {**own.get("points", {}), **element.get("points", {})}
                    own.update(element, **({"points": points} if points else {}))
                    break
            else:
                robot[kind].append(element)
    return robot


class Variants(ScratchFolder):
    def write_ways(self, **changes):
        """The example, with some keys of the study changed (None: left out)."""
        self.copy_example(WAYS, "ways.json", **changes)

    def test_the_example(self):
        said = self.run_program("run", WAYS / "ways.json").stdout
        self.assertEqual(sorted(path.name for path in (self.folder / "ways").iterdir()),
                         ["cable.db", "counterweight.db", "spring.db"])
        for words in ("variant spring", "1 spring on a cable", "1 weight of 6 kg", "10 of 202 feasible designs"):
            self.assertIn(words, said)
        compared, = self.run_json("compare", "ways", "--json")
        self.assertEqual([one["name"] for one in compared["results"]], ["cable", "spring", "counterweight"])
        for name in ("cable", "spring", "counterweight"):
            self.assertIn("proved", self.run_program("verify", f"ways/{name}.db").stdout)
            self.run_program("report", f"ways/{name}.db", "-o", f"{name}.html")

    def test_a_design_becomes_a_model(self):
        self.run_program("run", WAYS / "ways.json")
        self.run_program("apply", "ways/counterweight.db", "best", "-o", "heavy.json")
        self.run_program("simulate", "heavy.json", "--motion", WAYS / "swing.json", "-o", "loads.csv")
        case, = self.cases("ways/counterweight.db")
        largest = max(abs(float(row["lift.load"])) for row in self.read_csv("loads.csv"))
        self.assertAlmostEqual(largest, case["peak"], delta=1e-9)

    def test_each_is_the_study_that_stands_alone(self):
        draw = random.Random(20)
        for trial in range(trials(100)):
            robot, names = copy.deepcopy(ROBOT), ["first", "second", "third"][:draw.choice([2, 3])]
            ways = {name: random_way(draw, name) for name in names}
            shared = {"format": "counterpoise-study/1", "motions": {"all": POSES}, "ties": 1e-13,
                      "objectives": [{"name": "peak", "expression": "max(lift.max, bend.max)"},
                                     {"name": "lift_peak", "minimize": "max", "of": ["lift"]}]}
            self.write("robot.json", robot)
            self.write("ways.json", {**shared, "model": "robot.json", "search": {"method": "exact-springs"},
                                     "variants": ways})
            rows = []
            with self.subTest(trial):
                self.start("run", "ways.json", "--force").communicate()
                for name, way in ways.items():
                    self.write(f"{name}_model.json", written_out(robot, way["model"]))
                    alone = {**shared, "model": f"{name}_model.json",
                             **{key: value for key, value in way.items() if key != "model"}}
                    self.write(f"{name}.json", alone)
                    self.start("run", f"{name}.json", "-o", f"{name}.db", "--force").communicate()
                    self.assert_same_results(f"ways/{name}.db", f"{name}.db")
                    rows += [(case["peak"], case["lift_peak"], names.index(name), case["id"])
                             for case in self.cases(f"{name}.db") if case["status"] == "feasible"]
                files = [f"ways/{name}.db" for name in names]
                self.assertGreater(len(rows), 0)
                self.check_comparison(names, files, rows)

    def check_comparison(self, names, files, rows):
        """The ranking and the front of all files against plain sorting."""
        found, = self.run_json("compare", *files, "--top", 5, "--json")
        listed = [(*one["objectives"], names.index(one["results"]), one["case"]) for one in found["designs"]]
        self.assertEqual(found["matches"], len(rows))
        ordered = sorted(rows)
        for one, place in zip(listed, (one["rank"] for one in found["designs"])):
            self.assertEqual(one, ordered[place - 1])
        self.assertEqual(listed[0], ordered[0])
        front = [row for row in rows
                 if not any(a <= row[0] and b <= row[1] and (a, b) != row[:2] for a, b, *_ in rows)]
        found, = self.run_json("compare", *files, "--pareto", "--top", 1000, "--json")
        self.assertEqual(found["matches"], len(front))
        self.assertEqual({one["name"]: one["on_front"] for one in found["results"]},
                         {name: sum(names[row[2]] == name for row in front) for name in names})

    def test_a_run_goes_on(self):
        self.run_program("run", WAYS / "ways.json", "-o", "whole")
        (self.folder / "part").mkdir()
        for name, change in (("spring", shutil.copy), ("cable", None)):
            if change:
                change(self.folder / f"whole/{name}.db", self.folder / f"part/{name}.db")
        said = self.run_program("run", WAYS / "ways.json", "-o", "part", code=BAD_INPUT).stderr
        self.assertIn("part/spring.db: holds results; --resume continues, --force replaces", said)
        self.run_program("run", WAYS / "ways.json", "-o", "part", "--resume")
        for name in ("spring", "cable", "counterweight"):
            self.assert_same_results(f"part/{name}.db", f"whole/{name}.db")

    def test_one_variant(self):
        self.run_program("run", f"{WAYS / 'ways.json'}#spring", "-o", "spring.db")
        self.run_program("run", WAYS / "ways.json")
        self.assert_same_results("spring.db", "ways/spring.db")
        checked = self.run_json("check", f"{WAYS / 'ways.json'}#spring", "--json")
        self.assertEqual(checked["name"], "ways_spring")
        self.assertEqual(len(self.run_json("check", WAYS / "ways.json", "--json")), 3)

    def test_json_and_plan(self):
        answer = self.run_json("run", WAYS / "ways.json", "--json")
        self.assertEqual(list(answer["variants"]), ["spring", "cable", "counterweight"])
        self.assertEqual(answer["variants"]["cable"]["cases"], 200)
        self.assertEqual(answer["comparison"], self.run_json("compare", "ways", "--json"))
        plan = self.run_json("run", WAYS / "ways.json", "-o", "none", "--plan", "--json")
        self.assertEqual(plan["variants"]["spring"]["kind"], "single")
        self.assertFalse((self.folder / "none").exists())

    def test_a_way_without_a_design(self):
        self.write_ways(constraints=[{"name": "light", "expression": "lift.max", "max": 9}])
        said = self.run_program("run", "study.json", "-o", "all").stdout
        self.assertRegex(said, r"counterweight +- +- +0 +none is feasible; case 1: ")
        self.write_ways(constraints=[{"name": "light", "expression": "lift.max", "max": 1}])
        self.run_program("run", "study.json", "-o", "none", code=INFEASIBLE)

    def test_a_single_variant_has_a_folder_too(self):
        study = json.loads((WAYS / "ways.json").read_text("utf-8"))
        self.write_ways(variants={"spring": study["variants"]["spring"]})
        self.run_program("run", "study.json", "-o", "one")
        self.assertEqual([path.name for path in (self.folder / "one").iterdir()], ["spring.db"])

    def test_other_results(self):
        self.copy_example(EXAMPLES / "cable_arm")
        for name in ("cable", "direct"):
            self.run_program("run", f"{name}.json", "-o", f"{name}.db")
        compared, = self.run_json("compare", "cable.db", "direct.db", "--json")
        self.assertEqual([one["name"] for one in compared["results"]], ["cable", "direct"])
        self.run_program("run", WAYS / "ways.json")
        said = self.run_program("compare", "cable.db", "ways/spring.db", code=BAD_INPUT).stderr
        self.assertIn('cable.db and ways/spring.db cannot be compared: only the first has an objective "mean"', said)
        (self.folder / "other").mkdir()
        shutil.copy(self.folder / "cable.db", self.folder / "other/cable.db")
        compared, = self.run_json("compare", "cable.db", "other", "--json")
        self.assertEqual([one["name"] for one in compared["results"]], ["cable.db", "other/cable.db"])
        self.write_ways(motions={"swing": "swing.json"})
        self.run_program("run", "study.json#spring", "-o", "swing.db")
        said = self.run_program("compare", "ways/spring.db", "swing.db").stderr
        self.assertIn("note: spring and swing were made for different motions", said)

    def refuse(self, expected, *arguments, change=None):
        """The study of the example with a change is refused at a place, and nothing is written."""
        self.copy_example(WAYS)
        study = json.loads((WAYS / "ways.json").read_text("utf-8"))
        if change:
            change(study)
        self.write("ways.json", study)
        before = self.contents()
        said = self.run_program(*(arguments or ("run", "ways.json")), code=BAD_INPUT).stderr
        self.assertIn(expected, said)
        self.assertEqual(self.contents(), before)

    def test_wrong_inputs(self):
        spring = ("variants", "spring")

        def put(*path):
            *keys, last, value = path

            def change(study):
                for key in keys:
                    study = study[key]
                study[last] = value
            return change

        for change, expected in (
            (put("variants", 3), "/variants: found 3, expected an object: variants by name"),
            (put("variants", {}), "/variants: found an object, expected at least one variant"),
            (put("variants", "two words", {}), '/variants/two words: found "two words", expected a name'),
            (put(*spring, 7), "/variants/spring: found 7, expected an object: a variant"),
            (put(*spring, "springs", []), '/variants/spring/springs: found "springs", expected a key of a variant'),
            (put(*spring, "motions", {}), '/variants/spring/motions: found "motions", expected a key of a variant'),
            (put(*spring, "model", 5), "/variants/spring/model: found 5, expected the file of a model"),
            (put(*spring, "model", "none.json"), "/variants/spring/model: file none.json"),
            (put(*spring, "model", "springs", 0, "rate", "ratee"),
             '/variants/spring/model/springs/0/rate: '),
            (put(*spring, "model", "springs", 0, "connect", ["world.post", "arm.hock"]),
             '/variants/spring/model/springs/0/connect/1: found "arm.hock"'),
            (put(*spring, "model", "bodys", []), '/variants/spring/model/bodys: found "bodys"'),
            (put(*spring, "model", "bodies", [{"name": "arm", "mass": -1}]),
             "/variants/spring/model/bodies/0/mass: "),
            (put(*spring, "model", "parameters", "rate", "value", "x +"),
             "/variants/spring/model/parameters/rate"),
            (put(*spring, "variables", "rato", {"range": [0, 1]}), '/variants/spring/variables/rato: found "rato"'),
            (put(*spring, "sampling", {"method": "sobel"}), '/variants/spring/sampling/method: found "sobel"'),
            (put(*spring, "constraints", [{"name": "room", "expression": "lift.mux", "max": 1}]),
             "/variants/spring/constraints/0/expression: "),
            (put("objectives", 0, "of", ["lifts"]), '/objectives/0/of/0: found "lifts"'),
        ):
            with self.subTest(expected):
                self.refuse(expected, change=change)
                self.assertRegex(expected, "^/")

    def test_a_name_that_a_variant_has_twice_is_a_mistake(self):
        study = json.loads((WAYS / "ways.json").read_text("utf-8"))
        springs = study["variants"]["spring"]["model"]["springs"]
        springs.append({**springs[0], "rate": 100})
        self.copy_example(WAYS)
        self.write("study.json", study)
        said = self.run_program("check", "study.json", code=BAD_INPUT).stderr
        self.assertIn('/variants/spring/model/springs/1/name: duplicate spring "lift_spring"', said)

    def test_a_front_counts_what_is_not_settled(self):
        self.write_ways(objectives=[{"name": "peak", "minimize": "max", "of": ["lift"]},
                                    {"name": "swing", "expression": "lift.rms"}], motions={"swing": "swing.json"})
        self.run_program("run", "study.json", "-o", "all")
        found, = self.run_json("compare", "all", "--pareto", "--json")
        unknown = sum(case["swing"] is None for name in ("spring", "cable", "counterweight")
                      for case in self.cases(f"all/{name}.db") if case["status"] == "feasible")
        self.assertGreater(unknown, 0)
        self.assertEqual(found["unsettled"], unknown)
        self.assertIn(f"{unknown} cases are not settled", self.run_program("compare", "all", "--pareto").stdout)

    def test_sensitivity_takes_all_or_one(self):
        ways, options = WAYS / "ways.json", ("--samples", "64", "--json")
        all_of_them = self.run_json("sensitivity", ways, *options)
        self.assertEqual(list(all_of_them), ["variants"])
        self.assertEqual(list(all_of_them["variants"]), ["spring", "cable", "counterweight"])
        for name, one in all_of_them["variants"].items():
            self.assertEqual(one, self.run_json("sensitivity", f"{ways}#{name}", *options))
        said = self.run_program("sensitivity", ways, "--samples", "64").stdout
        self.assertRegex(said, r"(?s)^variant spring\n.+\n\nvariant cable\n.+\n\nvariant counterweight\n")
        alone = self.run_program("sensitivity", f"{ways}#cable", "--samples", "64").stdout
        self.assertIn("variant cable\n" + alone, said)

    def test_wrong_commands(self):
        for expected, *arguments in (
            ("ways.json: found a study without variants", "run", "plain.json#spring"),
            ('has no "cabel"; the variants are spring, cable, counterweight; did you mean "cable"?',
             "run", "ways.json#cabel"),
            ("expected the name of a folder", "run", "ways.json", "-o", "ways.db"),
            ("swing.json: is a file, expected a folder", "run", "ways.json", "-o", "swing.json"),
            ("--shard auto: ", "run", "ways.json", "--shard", "auto"),
            ("has no results file", "compare", "."),
            ("none.db", "compare", "none.db"),
        ):
            with self.subTest(arguments):
                if "plain.json#spring" in arguments:
                    study = json.loads((WAYS / "ways.json").read_text("utf-8"))
                    del study["variants"]
                    self.write("plain.json", study)
                    expected = expected.replace("ways.json", "plain.json:1:1")
                self.refuse(expected, *arguments)


if __name__ == "__main__":
    unittest.main()
