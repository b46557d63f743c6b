#!/usr/bin/env python3
"""Units that do not fit or are not known are refused at their place; numbers without one warn."""

import json
import unittest

from arm_files import FILES
from program import EXAMPLES, ScratchFolder
from wrong_table import RUN, SIMULATE, Wrong, WrongTable, wrong_command, wrong_motion, wrong_study

RANGE = '{"range": [100, 2000], "count": 5}'
PROFILE = '{"type": "sine", "amplitude": 0.5, "period": 1}'
GRID = '{"method": "grid"}'
LIST = '{"method": "list", "file": "springs.csv"}'


def wrong_constraint(what, expression, unit, *texts):
    constraint = f'{{"name": "c", "expression": "{expression}", "max": 1, "unit": «"{unit}"}}'
    return wrong_study(what, '"objectives"', f'"constraints": [{constraint}],\n  "objectives"',
                       "/constraints/0/unit", *texts)


def wrong_list(what, text, *texts, variables=RANGE):
    return Wrong(what, [("study.json", GRID, LIST), ("study.json", RANGE, variables),
                        ("springs.csv", None, text)], None, texts, RUN)


def wrong_table(what, header, *texts, unit=""):
    profile = f'{{"type": "table", "file": "springs.csv", "time": "t", "column": "q"{unit}}}'
    return Wrong(what, [("motion.json", PROFILE, profile),
                        ("springs.csv", None, f"{header}\n0,1\n1,2\n")], None, texts)


OF_RATE = "expected a unit that goes with N/m, the unit of rate: N/m, N/mm, N/cm"
OF_LOAD = "expected a unit that goes with N*m, the unit of"
TABLE = [
    wrong_study("a variable in a unit that does not fit", RANGE,
                '{"range": [1, 2], "unit": «"mm", "count": 5}', "/variables/rate/unit",
                f'found "mm", {OF_RATE}'),
    wrong_study("values in a unit that does not fit", RANGE,
                '{"values": [1, 2], "unit": «"1"}', "/variables/rate/unit", f'found "1", {OF_RATE}'),
    wrong_study("the second of two parameters in a unit that does not fit", RANGE,
                '{"values": [1], "unit": «"mm", "sets": ["radius", "rate"]}',
                "/variables/rate/unit", f'found "mm", {OF_RATE}'),
    wrong_study("a variable in an unknown unit", RANGE, '{"values": [1, 2], "unit": «"N/Mm"}',
                "/variables/rate/unit", 'did you mean "N/mm"?'),
    wrong_study("a variable whose unit is no text", RANGE, '{"values": [1, 2], "unit": «1}',
                "/variables/rate/unit", "found 1, expected one of N, kN"),
    wrong_study("a unit of a catalogue", RANGE,
                '{"catalogue": "springs.csv", «"unit": "N/mm", "sets": {"rate": "rate"}}',
                "/variables/rate/unit", "in the header: rate [N/mm]"),
    wrong_study("a unit of a choice of motions", RANGE, '{"motion": ["swing"], «"unit": "s"}',
                "/variables/rate/unit", '"unit" goes with "values" or "range"'),
    wrong_study("a range in a unit upside down", RANGE, '{"range": «[2, 1], "unit": "N/mm"}',
                "/variables/rate/range", "found [2, 1] N/mm, expected the lower end first"),
    wrong_study("a number too large for SI", RANGE, '{"values": [«1e306], "unit": "N/mm"}',
                "/variables/rate/values/0", "finite in SI"),
    wrong_study("a range beyond the parameter's max", RANGE, '{"range": [1, 9], "unit": "N/mm"}',
                "/variables/rate", "found 9000 for rate, expected at most its max 5000"),
    wrong_list("a list in a unit that does not fit", "«rate [mm]\n1\n", f'found "mm", {OF_RATE}'.replace(
        "unit of rate", "unit of variable rate")),
    wrong_list("a list in an unknown unit", "«rate [N/Mm]\n1\n", 'found the unit "N/Mm"',
               'did you mean "N/mm"?'),
    wrong_list("a list without the variable's unit", "rate\n0.8\n", "springs.csv:2:",
               "found 0.8 for rate, expected 100 to 2000; the column has no unit, so its numbers "
               'are in N/m: write "rate [N/mm]" if they are in N/mm',
               variables='{"range": [0.1, 2], "unit": "N/mm"}'),
    wrong_list("a list of levels without the variable's unit", "rate\n1\n", "springs.csv:2:",
               "found 1, which is no value of variable rate; the column has no unit",
               variables='{"values": [1, 2], "unit": "N/mm"}'),
    wrong_list("a list with a unit of names", "rate,«which [s]\n500,1\n", 'found the unit "s"',
               "chooses by name", variables=RANGE + ', "which": {"motion": ["swing"]}'),
    wrong_motion("a turning coordinate in a length", '"amplitude": 0.5',
                 '"amplitude": 5, "unit": «"mm"', "/coordinates/shoulder/unit",
                 "expected a unit that goes with rad, the unit of shoulder: rad, deg"),
    wrong_motion("a motion in an unknown unit", '"amplitude": 0.5',
                 '"amplitude": 5, "unit": «"deq"', "/coordinates/shoulder/unit",
                 'did you mean "deg"?'),
    Wrong("a motion that no coordinate can have",
          [("motion.json", '"amplitude": 0.5', '"amplitude": 5, "unit": «"N"')],
          "/coordinates/shoulder/unit", ["expected a unit of positions"], ("check", "motion.json")),
    wrong_table("a unit beside a table", "t,q", "columns have their units in the header",
                unit=', «"unit": "deg"'),
    wrong_table("a table in a unit that does not fit", "t,«q [mm]",
                "expected a unit that goes with rad, the unit of shoulder: rad, deg"),
    wrong_table("a table whose times are lengths", "«t [mm],q",
                "expected a unit that goes with s, the unit of times: s, ms"),
    wrong_constraint("a limit of a load in a length", "shoulder.max", "mm",
                     f'found "mm", {OF_LOAD} shoulder.max: N*m, N*mm'),
    wrong_constraint("a limit of a difference of loads", "abs(shoulder.max - baseline.shoulder.rms)",
                     "N", f'found "N", {OF_LOAD}'),
    wrong_constraint("a limit of the largest load", "max(1, -shoulder.max)", "J", OF_LOAD),
    wrong_constraint("a limit of a spring's length", "spring.max_length", "N", "the unit of "
                     "spring.max_length: m, mm, cm"),
    wrong_constraint("a limit of a spring's tension", "spring.max_tension", "mm", "N, kN"),
    wrong_constraint("a limit of an energy", "shoulder.energy", "N*m", "goes with J"),
    wrong_constraint("a limit of a power", "without_springs.shoulder.peak_power", "J", "with W"),
    wrong_constraint("a limit of a parameter", "rate + 3", "mm", "N/m, N/mm, N/cm"),
    wrong_constraint("a limit in an unknown unit", "2 * rate", "MM", 'did you mean "mm"?'),
    wrong_study("a baseline in a unit that does not fit", '"objectives"',
                '"baseline": {"rate": {"value": 1, "unit": «"mm"}}, "objectives"',
                "/baseline/rate/unit", OF_RATE),
    wrong_study("a baseline's value without its unit", '"objectives"',
                '"baseline": {"rate": «{"value": 1}}, "objectives"', "/baseline/rate",
                '"unit" of a parameter\'s value is missing'),
    wrong_study("a tolerance in a unit that does not fit", '"objectives"',
                '"tolerances": {"of": {"rate": {"plus_minus": 1, "unit": «"deg"}}}, "objectives"',
                "/tolerances/of/rate/unit", OF_RATE),
    wrong_command("a setting in a unit that does not fit", *SIMULATE, "--set", "rate=60mm",
                  texts=["--set rate=60mm: ", OF_RATE]),
    wrong_command("a setting in an unknown unit", *SIMULATE, "--set", "rate=60 N/Mm",
                  texts=["--set rate=60 N/Mm: ", 'did you mean "N/mm"?']),
    wrong_command("a setting in a unit that goes on as no other does", *SIMULATE, "--set", "rate=2 N/inch",
                  texts=['at character 3: unknown unit "N/inch"; there are N/m, N/mm, N/cm']),
    wrong_command("a setting in a power of a unit", *SIMULATE, "--set", "rate=2 N/mm^2",
                  texts=['at character 3: unknown unit "N/mm^2"; did you mean "N/mm"?']),
    wrong_study("a level in an unknown unit", RANGE, '{"values": [«"2 N/inch"]}', "/variables/rate/values/0",
                'unknown unit "N/inch"; there are N/m, N/mm, N/cm'),
    wrong_command("a setting with words behind its unit", *SIMULATE, "--set", "rate=60 N/mm more",
                  texts=['found "more", expected an operator']),
    wrong_command("an expression with a unit", *SIMULATE, "--set", "rate=(2*3) N/mm",
                  texts=["--set rate=(2*3) N/mm: "]),
    wrong_command("a setting beyond the parameter's max", *SIMULATE, "--set", "rate=6N/mm",
                  texts=["rate = 6000", "max 5000"]),
    wrong_command("a setting too large for SI", *SIMULATE, "--set", "radius=1e306kN",
                  texts=["1e306kN is not finite in N"]),
    wrong_command("a setting of a sum in a unit that does not fit", *SIMULATE, "--set",
                  "rate=2 * (3 N + 4 N)", texts=['found "N", ' + OF_RATE]),
    wrong_command("a sum of different quantities", *SIMULATE, "--set", "rate=2 N/m + 1 mm",
                  texts=['character 9: found "mm", expected a unit that goes with N/m: N/m, N/mm']),
    wrong_study("levels in a unit that does not fit", RANGE, '{"values": ["1 mm", "2 mm"]}',
                "/variables/rate", OF_RATE),
    wrong_study("levels in units that do not fit each other", RANGE,
                '{"values": ["1 N/mm", «"2 mm"]}', "/variables/rate/values/1", 'found "mm"'),
    wrong_study("a unit in a text and beside it", RANGE,
                '{"values": [«"1 N/mm"], "unit": "N/mm"}', "/variables/rate/values/0",
                'found the unit "N/mm" in "1 N/mm", expected a number without one'),
    wrong_study("what a variable sets, in a unit that does not fit", RANGE,
                '{"values": [1], "sets": {"rate": «"5 mm"}}', "/variables/rate/sets/rate",
                'found "mm", expected a unit that goes with N/m'),
    wrong_study("a load against a length", '"objectives"',
                '"constraints": [{"name": "c", "expression": «"shoulder.max - 20 mm", "max": 0}],\n'
                '  "objectives"', "/constraints/0/expression",
                'character 16: found "mm", expected a unit that goes with N*m: N*m, N*mm'),
    wrong_study("a limit in a unit that does not fit", '"objectives"',
                '"constraints": [{"name": "c", "expression": "shoulder.max", "max": «"20 N"}],\n'
                '  "objectives"', "/constraints/0/max", f'found "N", {OF_LOAD} shoulder.max'),
    wrong_study("a count with a unit", '"objectives"',
                '"tolerances": {"percentile": «"90 mm", "of": {"rate": {"percent": 5}}}, '
                '"objectives"', "/tolerances/percentile", 'found the unit "mm"'),
    Wrong("a rate in a unit of lengths", [("model.json", '"rate": "rate"', '"rate": «"3 mm"')],
          "/springs/0/rate", ['found "mm", expected a unit that goes with N/m']),
    Wrong("an axis with a unit", [("model.json", '"axis": "y"', '"axis": [0, «"1 m", 0]')],
          "/bodies/0/joint/axis/1", ['found the unit "m"']),
    wrong_motion("a turning coordinate in a length, in its text", '"amplitude": 0.5',
                 '"amplitude": «"5 mm"', "/coordinates/shoulder/amplitude",
                 "expected a unit that goes with rad, the unit of shoulder: rad, deg"),
    wrong_motion("a duration in a length", '"duration": 1', '"duration": «"1000 mm"', "/duration",
                 "the unit of duration: s, ms"),
]


class WrongUnits(WrongTable):
    def test_they_are_refused_at_their_place(self):
        self.check_all(TABLE)


class Accepted(ScratchFolder):
    def test_constraints_whose_unit_is_not_known_take_any(self):
        for name, text in FILES.items():
            self.write(name, text)
        study = json.loads(FILES["study.json"])
        for expression in ("2 * shoulder.max", "shoulder.max * rate", "rate + shoulder.max",
                           "radius", "sqrt(shoulder.max)", "3", "rate < 3"):
            study["constraints"] = [{"name": "c", "expression": expression, "min": -1, "unit": "mm"}]
            self.write("study.json", study)
            with self.subTest(expression):
                self.run_program("check", "study.json")


class Warnings(ScratchFolder):
    def write_files(self, **more):
        for name, text in FILES.items():
            self.write(name, text.replace('"value": 800, "unit": "N/m"', '"value": 0.8, "unit": "N/mm"')
                       .replace('"max": 5000', '"max": 5'))
        self.write("study.json", {**json.loads(FILES["study.json"]), **more})

    def warned(self, place, *texts):
        told = self.run_program("check", "study.json")
        self.assertNotIn("warning", told.stdout)
        messages = told.stderr.splitlines()
        self.assertEqual(len(messages), 1, messages)
        self.assertRegex(messages[0], rf"^{place}: warning: ")
        for text in texts:
            self.assertIn(text, messages[0])
        self.assertEqual(self.run_json("check", "study.json", "--json")["warnings"], messages)
        ran = self.run_program("run", "study.json", "-o", "all.db", "--force")
        self.assertEqual(ran.stderr.splitlines()[0], messages[0])

    def test_a_number_without_unit_for_a_parameter_in_mm(self):
        both = ("100 is read as 100 N/m; parameter rate is given in N/mm, so 100 N/mm would be "
                '100000 N/m: write "unit"')
        place = r"study\.json:\d+:\d+: /variables/rate"
        for numbers in ({"range": [100, 2000], "count": 5}, {"values": [0, 100]},
                        {"range": [100, 2000], "sets": ["rate"]},
                        {"range": [100, 2000], "sets": {"rate": "rate"}}):
            if "count" not in numbers and "range" in numbers:
                self.write_files(variables={"rate": numbers}, sampling={"method": "sobol", "count": 4})
            else:
                self.write_files(variables={"rate": numbers})
            with self.subTest(numbers):
                self.warned(place, "variable rate: ", both)

    def test_a_column_and_a_baseline_without_unit(self):
        self.write_files(variables={"s": {"catalogue": "springs.csv", "sets": {"rate": "rate"}}})
        self.write("springs.csv", "part,rate\na,300\nb,400\n")
        self.warned(r"springs\.csv:1:6", "column rate: 300 is read as 300 N/m",
                    'write "rate [N/mm]"')
        self.write_files(variables={"radius": {"values": [0.1, 0.2]}}, baseline={"rate": 700})
        self.warned(r"study\.json:\d+:\d+: /baseline/rate", "700 N/mm would be 700000 N/m",
                    'write {"value": 700, "unit": "N/m"}')

    def test_nothing_is_said_where_the_unit_is_known(self):
        for variable in ({"range": [0.1, 2], "count": 5, "unit": "N/mm"},
                         {"range": [100, 2000], "count": 5, "unit": "N/m"}, {"values": [0]},
                         {"values": [1], "sets": {"rate": "500 * rate"}},
                         {"values": [0.1], "sets": "radius"},
                         {"catalogue": "springs.csv", "sets": {"rate": "rate"}}):
            self.write_files(variables={"rate": variable})
            with self.subTest(variable):
                self.assertEqual(self.run_program("check", "study.json").stderr, "")
                self.assertEqual(self.run_json("check", "study.json", "--json")["warnings"], [])

    def test_no_example_warns(self):
        studies = [path for path in sorted(EXAMPLES.rglob("*.json"))
                   if '"counterpoise-study/1"' in path.read_text(encoding="utf-8")]
        self.assertGreater(len(studies), 5)
        for path in studies:
            with self.subTest(path.name):
                self.assertEqual(self.run_program("check", path).stderr, "")


if __name__ == "__main__":
    unittest.main()
