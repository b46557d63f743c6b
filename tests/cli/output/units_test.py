#!/usr/bin/env python3
"""Studies, motions and commands in mm and degrees give the bits of the same in SI."""

import fractions
import json
import math
import random
import unittest

from arm_files import FILES
from program import ScratchFolder

THOUSANDTH = fractions.Fraction(1, 1000)

# a cart, an arm on it, and a forearm that a linear actuator moves
CART = {
    "format": "counterpoise-model/1",
    "parameters": {"count": 3, "grip": {"value": 150, "unit": "mm"}},
    "bodies": [
        {"name": "cart", "parent": "world", "joint": {"type": "prismatic", "axis": "x"}, "mass": 4},
        {"name": "arm", "parent": "cart", "joint": {"type": "revolute", "axis": "y"}, "mass": 2,
         "com": [0.2, 0, 0], "points": {"heel": [0.1, 0, 0.05]}},
        {"name": "forearm", "parent": "arm", "mass": 1, "com": ["grip", 0, 0],
         "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0], "guess": 0.3},
         "points": {"knee": [0.1, 0, 0.05]}},
    ],
    "actuators": [{"name": "drive", "joint": "cart"}, {"name": "shoulder", "joint": "arm"},
                  {"name": "leg", "connect": ["arm.heel", "forearm.knee"]}],
}


def metres(millimetres):
    """The double nearest to a thousandth of this double."""
    return float(fractions.Fraction(millimetres) * THOUSANDTH)


def radians(degrees):
    return degrees * math.pi / 180


def decimals(choice, low, high, count=1):
    numbers = [round(choice.uniform(low, high), choice.randint(0, 4)) for _ in range(count)]
    return numbers if count > 1 else numbers[0]


def profiles(choice, low, high, unit, convert):
    """One profile of each kind in this unit, and the same in SI."""
    a, b, c = decimals(choice, low, high, 3)
    small = decimals(choice, 0, (high - low) / 4)
    times = [0, 0.4, 1]
    shapes = [
        ({"type": "hold"}, {"value": a}),
        ({"type": "bang-bang"}, {"start": a, "acceleration": small}),
        ({"type": "sine", "period": 0.9, "phase": 0.3}, {"mean": a, "amplitude": small}),
        ({"type": "point-to-point", "end_time": 0.8}, {"from": a, "to": b}),
        ({"type": "point-to-point", "profile": "trapezoid", "ramp": 0.2}, {"from": a, "to": b}),
        ({"type": "spline", "times": times}, {"values": [a, b, c]}),
    ]
    for fixed, positions in shapes:
        si = {key: [convert(x) for x in value] if isinstance(value, list) else convert(value)
              for key, value in positions.items()}
        yield {**fixed, **positions, "unit": unit}, {**fixed, **si}


class SameBits(ScratchFolder):
    def write_arm(self, **more):
        for name, text in FILES.items():
            self.write(name, text)
        study = json.loads(FILES["study.json"])
        study.update(more)
        return study

    def check_same(self, in_units, in_si):
        """Both studies with the files they share give the same results, to the last bit."""
        for name, study in (("units", in_units), ("si", in_si)):
            self.write(f"{name}.json", study)
            self.run_program("run", f"{name}.json", "-o", f"{name}.db", "--force")
        self.assert_same_results("units.db", "si.db")

    def test_variables_constraints_baselines_and_tolerances(self):
        choice = random.Random(20261124)
        for trial in range(20):
            low, high, bound, own, wide = (decimals(choice, *ends) for ends in (
                (20, 60), (70, 120), (30000, 60000), (50, 100), (0.1, 3)))
            rates = decimals(choice, 0.1, 4, 4)
            levels = choice.choice((None, 5))

            def study(unit, convert):
                numbers = lambda values: [convert(value) for value in values]
                unit_of = (lambda name: {"unit": name}) if unit else lambda name: {}
                radius = {"range": numbers([low, high]), **unit_of("mm")}
                if levels:
                    radius["count"] = levels
                newtons = convert if unit else lambda value: value * 1000
                return self.write_arm(
                    variables={"radius": radius,
                               "rate": {"values": [newtons(rate) for rate in rates],
                                        **unit_of("N/mm")}},
                    sampling={"method": "sobol", "count": 40},
                    constraints=[{"name": "most", "expression": "shoulder.max",
                                  "max": convert(bound), **unit_of("N*mm")}],
                    baseline={"radius": {"value": own, "unit": "mm"} if unit else convert(own)},
                    tolerances={"samples": 16,
                                "of": {"radius": {"plus_minus": convert(wide), **unit_of("mm")}}})

            with self.subTest(trial):
                self.check_same(study(True, lambda value: value), study(False, metres))
                said = [self.run_program("robustness", name, "--format", "json", "--top", "3").stdout
                        for name in ("units.db", "si.db")]
                self.assertEqual(*said)

    def test_degrees_of_a_variable(self):
        model = json.loads(FILES["model.json"])
        model["parameters"]["lean"] = {"value": 10, "unit": "deg"}
        model["bodies"][0]["joint"]["rotation"] = {"rpy": [0, "lean", 0]}
        choice = random.Random(20261125)
        ends = sorted(decimals(choice, -40, 40, 2))
        values = decimals(choice, -40, 40, 6)
        for unit, si in (({"values": values, "unit": "deg"}, {"values": list(map(radians, values))}),
                         ({"range": ends, "unit": "deg"}, {"range": list(map(radians, ends))})):
            sobol = {"method": "sobol", "count": 20}
            studies = [self.write_arm(variables={"lean": lean}, sampling=sobol)
                       for lean in (unit, {**si, "unit": "rad"})]
            self.write("model.json", model)
            self.check_same(*studies)

    def test_lists_in_other_units_than_their_variables(self):
        choice = random.Random(20261126)
        # decimals in millimetres whose thousandth is not the double nearest to the decimal in
        # metres
        tried = sorted({round(choice.uniform(30, 120), 2) for _ in range(300)})
        lengths = [length for length in tried if metres(length) != float(f"{length}e-3")][:4]
        self.assertEqual(len(lengths), 4)
        for variable in ({"values": lengths}, {"range": [min(lengths), max(lengths)]}):
            self.write_arm()
            study = self.write_arm(
                variables={"radius": {**variable, "unit": "mm"}, "rate": {"range": [100, 2000]}},
                sampling={"method": "list", "file": "designs.csv"})
            self.write("study.json", study)
            found = {}
            for header, shown in (("radius [mm],rate [N/mm]", [f"{x},0.8" for x in lengths]),
                                  ("radius,rate", [f"{x}e-3,800" for x in lengths]),
                                  ("rate [N/cm],radius [cm]", [f"8,{x}e-1" for x in lengths])):
                self.write("designs.csv", "\n".join([header, *shown]) + "\n")
                self.run_program("run", "study.json", "-o", "list.db", "--force")
                found[header] = [(row["radius"], row["rate"]) for row in self.cases("list.db")]
            same = [(metres(length), 800.0) for length in lengths]
            self.assertEqual(found.pop("radius [mm],rate [N/mm]"), same)
            for rows in found.values():
                for row, wanted in zip(rows, same, strict=True):
                    if "values" in variable:
                        self.assertEqual(row, wanted)
                    self.assertLess(abs(row[0] - wanted[0]), 1e-15)
                    self.assertTrue(metres(min(lengths)) <= row[0] <= metres(max(lengths)))

    def simulated(self, *more):
        return self.run_program("simulate", "model.json", "--motion", "motion.json", *more).stdout

    def test_motions(self):
        choice = random.Random(20261127)
        self.write("model.json", CART)
        motion = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.05}
        kinds = [("drive", -300, 300, "mm", metres), ("drive", -30, 30, "cm", lambda x: x / 100),
                 ("shoulder", -80, 80, "deg", radians), ("leg", 300, 380, "mm", metres)]
        for name, low, high, unit, convert in kinds:
            for in_unit, in_si in profiles(choice, low, high, unit, convert):
                with self.subTest(name=name, type=in_unit["type"]):
                    said = []
                    for profile in (in_unit, in_si):
                        self.write("motion.json", {**motion, "coordinates": {name: profile}})
                        self.run_program("check", "motion.json")
                        said.append(self.simulated())
                    self.assertEqual(*said)
                    del in_unit["unit"]
                    self.write("motion.json", {**motion, "coordinates": {name: in_unit}})
                    self.assertNotEqual(self.start("simulate", "model.json", "--motion",
                                                   "motion.json").communicate()[0], said[0])

    def test_a_motion_follows_parameters_in_its_unit(self):
        self.write("model.json", CART)
        motion = {"format": "counterpoise-motion/1", "duration": 1, "step": 0.05}
        for count in (3, 4.7):
            said = []
            for profile in ({"type": "hold", "value": "10 * count", "unit": "deg"},
                            {"type": "hold", "value": radians(10 * count)}):
                self.write("motion.json", {**motion, "coordinates": {"shoulder": profile}})
                said.append(self.simulated("--set", f"count={count}"))
            self.assertEqual(*said)

    def test_units_in_texts_are_those_beside_numbers(self):
        """The same study in SI, with units beside its numbers, and with units in its texts."""
        def study(quantity, **more):
            return self.write_arm(
                variables={"radius": quantity([40, 120], "mm", "range", count=3),
                           "rate": quantity([0.4, 0.9], "N/mm", "values")},
                constraints=[{"name": "most", "expression": "shoulder.max",
                              **quantity(4000, "N*mm", "max")}],
                baseline={"radius": quantity(80, "mm", "value")}, **more)

        def beside(numbers, unit, key, **more):
            return {key: numbers, "unit": unit, **more}

        def in_text(numbers, unit, key, **more):
            texts = ([f"{number} {unit}" for number in numbers] if isinstance(numbers, list)
                     else f"{numbers}{unit}")
            return texts if key == "value" else {key: texts, **more}

        self.check_same(study(beside), study(in_text))
        model = json.loads(FILES["model.json"])
        texts = json.loads(FILES["model.json"])
        texts["springs"][0]["free_length"] = "60 mm + 4 cm"
        texts["world"]["points"]["post"] = [0, 0, "300 mm"]
        texts["bodies"][0]["mass"] = "2000 g"
        texts["parameters"]["radius"] = "100 mm"
        self.assertEqual(model["springs"][0]["free_length"], 0.1)
        self.write("model.json", model)
        motion = json.loads(FILES["motion.json"])
        said = self.simulated()
        self.write("model.json", texts)
        self.write("motion.json", {**motion, "duration": "1000 ms", "step": "0.1 s"})
        self.assertEqual(self.simulated(), said)
        self.assertEqual(self.simulated("--set", "radius=0.08"), self.simulated("--set", "radius=8 cm"))

    def test_conditions_with_units(self):
        self.write_arm()
        self.run_program("run", "study.json", "-o", "arm.db")
        metric = next(name for name in self.cases("arm.db")[0] if name == "shoulder.max")
        middle = sorted(row[metric] for row in self.cases("arm.db"))[2]

        def ranked(condition, code=0):
            said = self.run_program("rank", "arm.db", "--where", condition, "--json", code=code)
            return said.stdout if code == 0 else said.stderr
        in_si = ranked(f"shoulder.max <= {middle!r}")
        self.assertEqual(len(json.loads(in_si)), 3)
        self.assertEqual(ranked(f"shoulder.max <= {middle!r} N*m"), in_si)
        self.assertEqual(ranked("rate < 1.2 N/mm && shoulder.max > 1 lbf*in"), ranked("rate < 1200"))
        self.assertIn('expected a unit that goes with N*m: N*m, N*mm, mN*m, lbf*in, lbf*ft',
                      ranked("shoulder.max < 20 mm", code=2))
        self.assertIn('did you mean "N*m"?', ranked("shoulder.max < 20 N*mn", code=2))
        study = json.loads(FILES["study.json"])
        study["variables"] = {"part": {"catalogue": "springs.csv", "where": "rate >= 3 lbf/in",
                                       "sets": {"rate": "rate"}}}
        self.write("study.json", study)
        self.write("springs.csv", "part,rate [lbf/in]\na,2\nb,3\nc,4\n")
        self.run_program("run", "study.json", "-o", "parts.db")
        self.assertEqual([row["part"] for row in self.cases("parts.db")], ["b", "c"])

    def test_settings_of_a_command(self):
        self.write_arm()
        for written, si in (("radius=105.3mm", metres(105.3)), ("radius=105.3 mm", metres(105.3)),
                            ("radius= +7.25  cm ", 0.0725), ("radius=-60mm", -0.06),
                            ("radius=6e1mm", 0.06), ("radius=.5 m", 0.5), ("rate=0.815N/mm", 815.0),
                            ("rate=2*400", 800.0), ("rate=1e3", 1000.0),
                            ("radius=2 * 30 mm", 0.06), ("radius=2 in + 1cm", 0.0508 + 0.01),
                            ("rate=(2 + 3) * 0.1 N/mm", 5 * 100.0)):
            with self.subTest(written):
                name = written.partition("=")[0]
                self.assertEqual(self.simulated("--set", written),
                                 self.simulated("--set", f"{name}={si!r}"))


if __name__ == "__main__":
    unittest.main()
