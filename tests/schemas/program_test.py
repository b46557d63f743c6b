#!/usr/bin/env python3
"""The program has the defaults and bounds that the schemas state: writing a default into a file
changes no result, and a number beyond its bound is refused while the bound itself is not."""

import copy
import json
import pathlib
import unittest

import jsonschema

from program import BAD_INPUT, DONE, EXAMPLES, TWO_LINK_ARM, ScratchFolder

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = {kind: json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8"))
           for kind in ("model", "motion", "study", "scenario")}


def schema_of(document):
    return SCHEMAS[document["format"].removeprefix("counterpoise-").split("/")[0]]


class Places:
    """Every place of a document that a schema says something about."""

    def __init__(self, document):
        self.schema = schema_of(document)
        self.places = []
        self.walk(document, self.schema, ())

    def valid(self, value, schema):
        return jsonschema.Draft7Validator(
            {**schema, "definitions": self.schema["definitions"]}).is_valid(value)

    def resolved(self, schema):
        """The schema with what it refers to, its own words first."""
        reference = schema.get("$ref") or (schema.get("allOf") or [{}])[0].get("$ref")
        if reference:
            named = self.schema["definitions"][reference.removeprefix("#/definitions/")]
            schema = {**self.resolved(named), **schema}
        return schema

    def walk(self, value, schema, path):
        schema = self.resolved(schema)
        self.places.append((path, value, schema))
        for branch in schema.get("oneOf", []) + schema.get("anyOf", []):
            if "required" in branch and len(branch) == 1:
                continue
            if self.valid(value, branch):
                self.walk(value, branch, path)
                break
        if isinstance(value, list):
            for index, item in enumerate(value):
                self.walk(item, schema.get("items", {}), (*path, index))
        elif isinstance(value, dict):
            for key, item in value.items():
                inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
                if isinstance(inner, dict):
                    self.walk(item, inner, (*path, key))


def put(document, path, value):
    """A copy of the document with another value at a place."""
    document = copy.deepcopy(document)
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return document


def at(document, path):
    for step in path:
        document = document[step]
    return document


def with_defaults(document):
    """The document with every default that may stand in it, and the keys that were added."""
    added = set()
    places = Places(document)
    for path, value, schema in places.places:
        for key, inner in schema.get("properties", {}).items():
            inner = places.resolved(inner)
            if "default" not in inner or key in at(document, path):
                continue
            filled = put(document, (*path, key), inner["default"])
            if jsonschema.Draft7Validator(places.schema).is_valid(filled):
                document = filled
                added.add(key)
    return document, added


ANGLES = "t [ms],angle [deg]\n0,10\n500,40\n1000,20\n"

MODEL = {
    "format": "counterpoise-model/1",
    "parameters": {"radius": {"value": 0.1}, "payload": 1, "rate": {"value": 800, "unit": "N/m"}},
    "world": {"points": {"post": [0, 0, 0.3]}},
    "bodies": [
        {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": "y"}, "mass": 2,
         "com": [0.2, 0, 0], "inertia": [0.001, 0.02, 0.02, 0, 0, 0],
         "points": {"mount": ["radius", 0, 0]}},
        {"name": "hand", "parent": "upper", "mass": "payload",
         "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0]}},
        {"name": "finger", "parent": "hand", "mass": 0.1, "com": [0.1, 0, 0],
         "joint": {"type": "revolute", "axis": "x", "friction": {"load_coefficient": 0}}},
        {"name": "thumb", "parent": "hand", "mass": 0.1, "com": [0.1, 0, 0],
         "joint": {"type": "revolute", "axis": "x"}},
        {"name": "slide", "parent": "world", "mass": 1, "points": {"eye": [0, 0, 0]},
         "joint": {"type": "prismatic", "axis": "x", "origin": [0, 1, 0], "guess": 0.2}}],
    "couplings": [{"name": "claw", "joint": "thumb", "of": "finger"}],
    "springs": [
        {"name": "coil", "connect": ["world.post", "upper.mount"], "rate": "rate", "free_length": 0.1},
        {"name": "slack", "connect": ["world.post", "upper.mount"]},
        {"name": "strut", "type": "gas", "connect": ["world.post", "upper.mount"]},
        {"name": "hinge", "type": "torsion", "joint": "hand", "rate": 2},
        {"name": "row", "type": "extension", "connect": ["world.post", "upper.mount"], "series": [
            {"rate": 900}, {"parallel": [{"rate": 250, "free_length": 0.1}, {"rate": 300, "free_length": 0.1}]}]}],
    "actuators": [
        {"name": "shoulder", "joint": "upper"}, {"name": "wrist", "joint": "hand"},
        {"name": "grip", "joint": "finger"},
        {"name": "cylinder", "connect": ["world.post", "slide.eye"],
         "tube": {"mass": 0.4, "inertia": [0.01, 0]}, "rod": {"com": 0.1}}]}

MOTION = {
    "format": "counterpoise-motion/1", "duration": 1, "step": 0.1,
    "coordinates": {
        "shoulder": {"type": "table", "file": "angles.csv", "time": "t", "column": "angle"},
        "wrist": {"type": "point-to-point", "to": 1, "profile": "trapezoid"},
        "grip": {"type": "sine", "amplitude": 0.5, "period": 1},
        "slide": {"type": "moves", "start": 0.2, "moves": [
            {"hold": 0.1}, {"to": 0.3, "duration": 0.2, "profile": "trapezoid", "ramp": 0.2},
            {"to": 0.4, "duration": 0.2}, {"to": 0.35, "max_speed": 1, "max_acceleration": 10, "max_jerk": 1000},
            {"to": 0.4, "max_speed": 1, "max_acceleration": 10}]}}}

STUDY = {
    "format": "counterpoise-study/1", "model": "model.json",
    "motions": {"empty": {"file": "motion.json", "parameters": {"payload": 0}}},
    "objectives": [{"name": "peak", "minimize": "max", "of": ["shoulder"]},
                   {"name": "mean", "minimize": "mean", "of": ["shoulder"]}]}
GEOMETRY = {"radius": {"range": [0.05, 0.2]}}
SPRING = {"rate": {"range": [0, 2000]}}
CHOICE = {"rate": {"values": [500, 900, 1000]}}
STUDIES = [
    {**STUDY, "variables": GEOMETRY, "ties": 0.01,
     "motions": {"empty": {"file": "motion.json", "weight": 2}},
     "sampling": {"method": "sobol", "count": 10, "seed": 1, "max_cases": 1000},
     "tolerances": {"samples": 10, "seed": 1, "percentile": 90,
                    "of": {"radius": {"percent": 1}, "rate": {"plus_minus": 50}}}},
    {**STUDY, "variables": GEOMETRY,
     "search": {"method": "nlopt", "algorithm": "LN_SBPLX", "starts": 2, "max_evaluations": 10,
                "seed": 1, "settings": {"tolerance": 1e-6, "initial_step": 0.1, "restarts": 3,
                                        "population": 10}}},
    {**STUDY, "variables": {**SPRING, **GEOMETRY},
     "search": {"method": "exact-springs", "max_evaluations": 10, "starts": 2, "seed": 1}},
    {**STUDY, "variants": {"spring": {
        "description": "A spring.", "model": {"parameters": {"rate": {"value": 100, "unit": "N/m"}}},
        "variables": SPRING, "search": {"method": "exact-springs"}, "store": "all"}}},
    {**STUDY, "variables": CHOICE,
     "search": {"method": "exact-springs", "within_percent": 5, "max_cases": 10}},
    {**STUDY, "variables": SPRING,
     "search": {"method": "exact-springs",
                "trade_off": {"objectives": ["peak", "mean"], "points": 3}}},
    {**STUDY, "variables": {"rate": {"range": [500, 2000], "count": 4}},
     "sampling": {"method": "grid"}}]
SCENARIO = {
    "format": "counterpoise-scenario/1", "duration": 0.2, "step": 0.1, "parameters": {"payload": 2},
    "start": {"motion": "motion.json"}, "tolerance": 1e-10, "simultaneous": 1e-8, "rest_speed": 1e-4,
    "settled_speed": 1e-3, "max_events": 100,
    "actuators": {"shoulder": {"load": {"type": "hold", "unit": "N*m"}}, "wrist": "held",
                  "grip": {"follow": "motion"}},
    "contacts": [
        {"name": "floor", "points": ["upper.mount"], "restitution": 0.5,
         "surface": {"type": "plane", "point": [0, 0, -0.5], "normal": "z"}},
        {"name": "ball", "points": ["upper.mount"],
         "surface": {"type": "sphere", "radius": 2, "side": "inside"}},
        {"name": "tube", "points": ["slide.eye"],
         "surface": {"type": "cylinder", "axis": "x", "radius": 2, "side": "inside"}}],
    "stops": [{"name": "end", "of": "upper", "max": 2, "restitution": 0.5}]}
# what another key refuses within these bounds
BY_OTHERS = {("sampling", "count"), ("sampling", "max_cases"), ("search", "within_percent")}
# a search with as few keys as it may have, and defaults that have to turn up in it
SHORT_SEARCHES = [
    ({**STUDY, "variables": GEOMETRY,
      "search": {"method": "nlopt", "algorithm": "GN_CRS2_LM", "settings": {}}},
     {"starts", "max_evaluations", "seed", "weight", "tolerance", "initial_step", "restarts"}),
    ({**STUDY, "variables": {**SPRING, **GEOMETRY},
      "search": {"method": "exact-springs", "max_evaluations": 3}}, {"algorithm", "starts", "seed"}),
    ({**STUDY, "variables": CHOICE, "search": {"method": "exact-springs", "within_percent": 50}},
     {"max_cases"}),
    ({**STUDY, "variables": SPRING,
      "search": {"method": "exact-springs", "trade_off": {"objectives": ["peak", "mean"]}}},
     {"points"})]


def write_files(test):
    """The model and the motion that the studies here name."""
    test.write("model.json", MODEL)
    test.write("motion.json", MOTION)
    (test.folder / "angles.csv").write_text(ANGLES)


class Defaults(ScratchFolder):
    def fill(self, name):
        """Writes the file with its defaults in place of the original."""
        document, added = with_defaults(json.loads((self.folder / name).read_text(encoding="utf-8")))
        self.write(name, document)
        return added

    def simulated(self, example, model, motion):
        self.copy_example(EXAMPLES / example)
        before = self.run_program("simulate", model, "--motion", motion).stdout
        added = self.fill(model) | self.fill(motion)
        self.assertEqual(self.run_program("simulate", model, "--motion", motion).stdout, before)
        return added

    def test_of_models_and_motions(self):
        added = self.simulated("two_link_arm", "model.json", "motion.json")
        self.assertLessEqual({"gravity", "rotation", "guess", "origin", "start_time", "inertia"}, added)
        self.assertIn("phase", self.simulated("exoskeleton", "model.json", "motion.json"))
        self.simulated("charmie24", "model.json", "motion_squat.json")

    def test_of_springs_and_profiles_that_no_example_has(self):
        write_files(self)
        before = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        added = self.fill("model.json") | self.fill("motion.json")
        self.assertLessEqual({"free_angle", "preload", "initial_tension", "ratio", "ramp", "phase",
                              "mean", "from", "rate", "unit", "com", "mass", "profile",
                              "synchronised"}, added)
        after = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        self.assertEqual(after, before)

    def test_of_scenarios(self):
        write_files(self)
        self.write("scenario.json", {key: value for key, value in SCENARIO.items() if key not in
                                     ("tolerance", "simultaneous", "rest_speed", "settled_speed")})
        run = ("forward", "model.json", "--scenario", "scenario.json", "-o", "states.csv", "--json")
        before = self.run_program(*run).stdout, (self.folder / "states.csv").read_text()
        self.assertLessEqual({"others", "tolerance", "simultaneous", "rest_speed", "settled_speed",
                              "time", "on", "point", "center", "restitution", "value"},
                             self.fill("scenario.json"))
        self.assertEqual((self.run_program(*run).stdout, (self.folder / "states.csv").read_text()),
                         before)

    def study(self, example, name):
        self.copy_example(example, name, name="before")
        self.run_program("run", "study.json", "--force")
        added = self.fill("study.json")
        document = json.loads((self.folder / "study.json").read_text(encoding="utf-8"))
        self.write("study.json", {**document, "name": "after"})
        self.run_program("run", "study.json", "--force")
        self.assert_same_results("after.db", "before.db")
        return added

    def test_of_studies(self):
        self.assertLessEqual({"ties", "max_cases"}, self.study(TWO_LINK_ARM, "study.json"))

    def test_of_searches(self):
        write_files(self)
        for study, expected in SHORT_SEARCHES:
            self.write("study.json", {**study, "name": "before"})
            self.run_program("run", "study.json", "--force")
            document, added = with_defaults({**study, "name": "after"})
            self.assertLessEqual(expected, added)
            self.write("study.json", document)
            self.run_program("run", "study.json", "--force")
            self.assert_same_results("after.db", "before.db")


NUMBERS = {"minimum": -1, "maximum": 1, "exclusiveMinimum": 0, "exclusiveMaximum": 0}


class Bounds(ScratchFolder):
    def setUp(self):
        super().setUp()
        write_files(self)

    def check(self, document, least):
        count = 0
        for path, value, schema in Places(document).places:
            for word, step in NUMBERS.items():
                if word not in schema or isinstance(value, (str, list, dict)):
                    continue
                with self.subTest(path=path, word=word):
                    count += 1
                    bound = schema[word]
                    beyond = bound + step * (2 if bound >= 2**53 else 1)  # as doubles count there
                    self.write("changed.json", put(document, path, beyond))
                    self.run_program("check", "changed.json", code=BAD_INPUT)
                    if step and path not in BY_OTHERS:
                        self.write("changed.json", put(document, path, bound))
                        self.run_program("check", "changed.json", code=DONE)
        self.assertGreaterEqual(count, least)

    def test_of_a_model(self):
        self.check(MODEL, 7)

    def test_of_a_motion(self):
        self.check(MOTION, 12)

    def test_of_a_scenario(self):
        self.check(SCENARIO, 15)

    def test_of_studies(self):
        for study, least in zip(STUDIES, (14, 13, 6, 0, 4, 2, 2), strict=True):
            self.check(study, least)


if __name__ == "__main__":
    unittest.main()
