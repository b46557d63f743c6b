#!/usr/bin/env python3
"""Every example is valid by its schema, and files with mistakes are not."""

import copy
import json
import pathlib
import unittest

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ("model", "motion", "study", "scenario")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def kind_of(document):
    return document["format"].removeprefix("counterpoise-").split("/")[0]


SCHEMAS = {kind: read(ROOT / "schemas" / f"{kind}.schema.json") for kind in KINDS}
VALIDATORS = {kind: jsonschema.Draft7Validator(schema) for kind, schema in SCHEMAS.items()}
EXAMPLES = sorted((ROOT / "examples").rglob("*.json"))
CHARMIE = ROOT / "examples" / "charmie24"


def changed(document, path, value):
    """A copy with the entry at `path` replaced, or removed if `value` is None."""
    result = copy.deepcopy(document)
    *parents, last = path
    place = result
    for key in parents:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return result


class Schemas(unittest.TestCase):
    def test_they_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft7Validator.check_schema(schema)

    def test_a_definition_means_the_same_in_all_of_them(self):
        for name in {name for s in SCHEMAS.values() for name in s["definitions"]}:
            homes = [k for k in KINDS if name in SCHEMAS[k]["definitions"] and name != "motion"]
            for kind in homes:
                with self.subTest(name=name, kind=kind):
                    self.assertEqual(
                        SCHEMAS[kind]["definitions"][name], SCHEMAS[homes[0]]["definitions"][name]
                    )

    def test_a_motion_inside_a_study_has_the_keys_of_a_motion_file(self):
        inline = SCHEMAS["study"]["definitions"]["motion"]["anyOf"][2]["properties"]
        self.assertEqual(inline, SCHEMAS["motion"]["properties"])

    def test_every_definition_is_used(self):
        for kind, schema in SCHEMAS.items():
            text = json.dumps(schema)
            for name in schema["definitions"]:
                with self.subTest(kind=kind, name=name):
                    self.assertTrue(f'"#/definitions/{name}"' in text)


class Examples(unittest.TestCase):
    def test_there_is_one_of_each_kind(self):
        self.assertEqual({kind_of(read(path)) for path in EXAMPLES}, set(KINDS))

    def test_they_are_valid(self):
        for path in EXAMPLES:
            with self.subTest(path=str(path.relative_to(ROOT))):
                document = read(path)
                VALIDATORS[kind_of(document)].validate(document)

    def test_they_name_their_schema(self):
        for path in EXAMPLES:
            with self.subTest(path=str(path.relative_to(ROOT))):
                document = read(path)
                schema = (path.parent / document["$schema"]).resolve()
                self.assertEqual(schema, ROOT / "schemas" / f"{kind_of(document)}.schema.json")


MODEL_MISTAKES = [
    (["bodies", 0, "mas"], 1.0),
    (["bodies", 0, "joint", "type"], "spherical"),
    (["bodies", 0, "joint", "axis"], None),
    (["bodies", 0, "joint", "origin"], [0, 0]),
    (["bodies", 5, "joint", "rotation"], {"zxz": [0, 0, 0], "rpy": [0, 0, 0]}),
    (["bodies", 2, "inertia"], [1, 1, 1]),
    (["bodies", 2, "name"], "left arm"),
    (["bodies"], []),
    (["format"], "counterpoise-model/2"),
    (["parameters", "lift_rate", "unit"], "lbf/cm"),
    (["parameters", "lift_rate", "value"], None),
    (["springs", 0, "connect"], ["base.left_anchor"]),
    (["springs", 0, "connect"], ["base", "left_crank"]),
    (["springs", 0, "type"], "rubber"),
    (["springs", 0, "acts"], "pulls"),
    (["springs", 0], {"name": "s", "type": "extension", "acts": "push",
                      "connect": ["base.left_anchor", "left_crank.spring"]}),
    (["springs", 0], {"name": "s", "type": "torsion", "acts": "pull", "joint": "torso"}),
    (["actuators", 0, "rotor_inertia"], 0.1),
    (["actuators", 0, "connect"], ["base.a", "torso.b"]),
    (["loops", 0, "keep"], "parallel"),
    (["forces"], [{"name": "push", "point": "torso.tip"}]),
    (["forces"], [{"name": "push", "point": "torso.tip", "force": [1, 2]}]),
]

MOTION_MISTAKES = [
    (["step"], None),
    (["duration"], True),
    (["coordinates", "lift", "type"], "cosine"),
    (["coordinates", "lift", "frequency"], 1.0),
    (["coordinates", "lift"], {"type": "spline", "times": [0, 1]}),
    (["coordinates", "lift"], {"type": "point-to-point", "to": 1, "profile": "linear"}),
    (["coordinates", "lift"], {"type": "point-to-point", "profile": "quintic", "ramp": 0.2}),
    (["coordinates", "lift"], {"type": "hold", "value": 480, "unit": "N"}),
    (["coordinates", "lift"],
     {"type": "table", "file": "lift.csv", "time": "t", "column": "x", "unit": "mm"}),
    (["coordinates", "lift"], 0.48),
    (["synchronised"], "yes"),
    (["coordinates", "lift"], {"type": "moves", "moves": []}),
    (["coordinates", "lift"], {"type": "moves", "moves": [{"to": 1}]}),
    (["coordinates", "lift"], {"type": "moves", "moves": [{"to": 1, "hold": 1}]}),
    (["coordinates", "lift"], {"type": "moves", "moves": [{"to": 1, "duration": 1, "max_speed": 1}]}),
    (["coordinates", "lift"], {"type": "moves", "moves": [{"to": 1, "max_speed": 1}]}),
    (["coordinates", "lift"], {"type": "moves", "moves": [
        {"to": 1, "max_speed": 1, "max_acceleration": 1, "profile": "s-curve"}]}),
    (["coordinates", "lift"], {"type": "spline", "times": [0, 1], "values": [0, 0], "ends": "free"}),
    (["coordinates", "lift"],
     {"type": "table", "file": "lift.csv", "time": "t", "column": "x", "smoothing": {"cutoff": 6}}),
]

STUDY_MISTAKES = [
    (["model"], None),
    (["motions"], {}),
    (["motions", "squat"], {"file": "motion_squat.json", "wieght": 2}),
    (["objectives"], []),
    (["objectives", 0], {"name": "peak", "minimize": "maximum", "of": ["lift"]}),
    (["objectives", 0], {"name": "peak", "minimize": "max", "of": []}),
    (["sampling"], None),
    (["sampling"], {"method": "sobol"}),
    (["sampling"], {"method": "grid", "count": 10}),
    (["sampling"], {"method": "halton", "count": 10}),
    (["search"], {"method": "nlopt", "algorithm": "LN_COBYLA"}),  # beside a sampling
    (["variables", "anchor_height"], {"range": [0.5]}),
    (["variables", "anchor_height"], {"range": [0.5, 0.6], "values": [0.5]}),
    (["variables", "anchor_height"], {"range": [500, 600], "unit": "inch"}),
    (["variables", "lift_spring", "unit"], "mm"),
    (["variables", "lift_spring", "sets"], None),
    (["baseline"], {"anchor_height": {"value": 500}}),
    (["constraints"], [{"name": "short", "expression": "lift.max", "max": 1, "unit": "kgf"}]),
    (["constraints"], [{"name": "short", "expression": "lift.max"}]),
    (["store"], "some"),
    (["tolerances", "of"], {}),
    (["tolerances", "percentile"], 100),
    (["tolerances", "of", "lift_rate", "percent"], 10),  # beside a catalogue's
    (["tolerances", "of", "lift_rate", "fraction"], None),
    (["tolerances", "of", "anchor_height"], {"plus_minus": -1}),
    (["tolerances", "of", "anchor_height", "unit"], "inch"),
]

WITH_UNITS = [
    ("study", ["variables", "anchor_height"], {"range": [500, 600], "unit": "mm", "count": 3}),
    ("study", ["variables", "anchor_height"], {"values": [50, 60], "unit": "cm"}),
    ("study", ["baseline"], {"anchor_height": {"value": 500, "unit": "mm"}}),
    ("study", ["constraints"],
     [{"name": "short", "expression": "lift.max", "max": 1.2, "unit": "kN"}]),
    ("motion", ["coordinates", "lift"], {"type": "hold", "value": 480, "unit": "mm"}),
    ("motion", ["coordinates", "lift"],
     {"type": "spline", "times": [0, 1], "values": [480, 400], "unit": "mm"}),
    ("motion", ["coordinates", "lift"],
     {"type": "point-to-point", "to": 90, "unit": "deg", "profile": "trapezoid"}),
    ("motion", ["coordinates", "lift"], {"type": "moves", "unit": "mm", "moves": [
        {"to": "480 + 20", "duration": 1}, {"to": 480, "max_speed": 50, "max_acceleration": 100}]}),
]

SEARCH_MISTAKES = [
    (["search", "algorithm"], "LD_MMA"),
    (["search", "algorithm"], "COBYLA"),
    (["search", "starts"], 0),
    (["search", "seed"], "one"),
    (["search", "count"], 10),
    (["search"], None),
]


SCENARIO_MISTAKES = [
    (["start"], None),
    (["duration"], 0),
    (["tolerance"], 0.01),
    (["start"], {"time": 2}),
    (["start"], {"motion": "motion.json", "time": 1, "every": 0.5}),
    (["start"], {"motion": "motion.json", "coordinates": {"shoulder": 0}}),
    (["start"], {"velocities": {"shoulder": 1}}),
    (["start"], {"coordinates": {"shoulder": {"value": 30, "unit": "N"}}}),
    (["others"], "free or held"),
    (["actuators", "elbow"], "braked"),
    (["actuators", "elbow"], {"load": {"type": "hold"}, "follow": "motion"}),
    (["actuators", "elbow"], {"load": {"type": "hold", "value": 1, "unit": "deg"}}),
    (["actuators", "elbow"], {"follow": {"type": "hold", "value": 1, "unit": "N*m"}}),
    (["contacts"], [{"name": "floor", "surface": {"type": "plane", "normal": "z"}}]),
    (["contacts"], [{"name": "floor", "points": ["tip"],
                     "surface": {"type": "plane", "normal": "z"}}]),
    (["contacts"], [{"name": "floor", "points": ["forearm.tip"],
                     "surface": {"type": "plane", "normal": "w"}}]),
    (["contacts"], [{"name": "floor", "points": ["forearm.tip"],
                     "surface": {"type": "sphere", "radius": 0, "side": "inside"}}]),
    (["contacts"], [{"name": "floor", "points": ["forearm.tip"],
                     "surface": {"type": "cylinder", "axis": "z", "radius": 1}}]),
    (["stops", 0, "min"], [0]),
    (["stops", 0, "restitution"], 1.5),
    (["stops", 0, "unit"], "N"),
    (["stops", 0], {"name": "elbow_stop", "of": "elbow"}),
]


class Mistakes(unittest.TestCase):
    def check(self, path, mistakes):
        document = read(path)
        validator = VALIDATORS[kind_of(document)]
        validator.validate(document)
        for place, value in mistakes:
            with self.subTest(place=place, value=value):
                self.assertFalse(validator.is_valid(changed(document, place, value)))

    def test_in_a_model(self):
        self.check(CHARMIE / "model.json", MODEL_MISTAKES)

    def test_in_a_motion(self):
        self.check(CHARMIE / "motion_squat.json", MOTION_MISTAKES)

    def test_in_a_study(self):
        self.check(CHARMIE / "robust.json", STUDY_MISTAKES)

    def test_in_a_scenario(self):
        self.check(ROOT / "examples" / "two_link_arm" / "power_loss.json", SCENARIO_MISTAKES)

    def test_units_are_no_mistake(self):
        for kind, place, value in WITH_UNITS:
            with self.subTest(place=place, value=value):
                document = read(CHARMIE / {"study": "robust.json", "motion": "motion_squat.json"}[kind])
                VALIDATORS[kind].validate(changed(document, place, value))

    def test_in_a_search(self):
        self.check(CHARMIE / "springs.json", SEARCH_MISTAKES)


if __name__ == "__main__":
    unittest.main()
