#!/usr/bin/env python3
"""Couplings of URDF+: loads of gears and belts in closed form, and couplings that are wrong."""

import csv
import io
import json
import math
import unittest

from program import BAD_INPUT, ScratchFolder

HEAVY, ROTOR = 0.3, 0.002  # about the joints' axes [kg m^2]


def link(name, inertia):
    return (f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="{inertia}" iyy="{inertia}" '
            f'izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial></link>')


def joint(name, parent, child, more=""):
    """About z, at the same place for all: gravity loads none."""
    return (f'<joint name="{name}" type="continuous"{more}><parent link="{parent}"/><child link="{child}"/>'
            '<axis xyz="0 0 1"/></joint>')


def coupling(first, second, ratio, name="belt"):
    return (f'<coupling name="{name}"><predecessor link="{first}"/><successor link="{second}"/>'
            f'<ratio value="{ratio}"/></coupling>')


def robot(*parts):
    return '<robot name="r"><link name="base"/>' + "".join(parts) + "</robot>"


LEG = (link("shank", HEAVY), link("foot", HEAVY), link("rotor", ROTOR), joint("knee", "base", "shank"),
       joint("ankle", "shank", "foot"), joint("motor", "base", "rotor"))
TOOTHED = "".join(link(f"l{i}", HEAVY) + joint(f"j{i}", f"l{i - 1}" if i else "base", f"l{i}") for i in range(7))
# what is wrong, what follows the leg, and what the message has to say
WRONG = [
    ("no ratio", coupling("foot", "rotor", 12).replace("ratio", "ration"), "without <ratio>"),
    ("no number", coupling("foot", "rotor", "twelve"), "expected a number"),
    ("a ratio of 0", coupling("foot", "rotor", 0), "the ratio 0"),
    ("no such link", coupling("foot", "roter", 12), 'did you mean "rotor"'),
    ("a link below another", coupling("foot", "shank", 12), "a link with one above it"),
    ("one link", coupling("foot", "foot", 12), "a link with one above it"),
    ("a joint that floats", '<link name="loose"/><joint name="free" type="floating"><parent link="base"/>'
     '<child link="loose"/></joint>' + coupling("foot", "loose", 12), 'over the joint "free"'),
    ("more couplings than joints", "".join(coupling("foot", "rotor", 12, f"c{i}") for i in range(4)),
     "all follow others"),
    ("eight joints", TOOTHED + coupling("l6", "rotor", 2), "of 8 joints, expected at most 7"),
    ("a circle", coupling("shank", "rotor", 3) + coupling("rotor", "shank", 3, "back"), "in a circle"),
]


class Couplings(ScratchFolder):
    def imported(self, text):
        self.write("r.urdf", text)
        said = self.run_program("import", "r.urdf", "-o", "model.json")
        return json.loads((self.folder / "model.json").read_text()), said

    def loads(self, **amplitudes):
        """Rows of a motion in which joints swing: accelerations and loads by joint."""
        self.write("motion.json", {
            "format": "counterpoise-motion/1", "duration": 1, "step": 0.25, "coordinates": {
                name: {"type": "sine", "mean": 0.1, "amplitude": amplitude, "period": 1, "phase": 0.4}
                for name, amplitude in amplitudes.items()}})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        for row in csv.DictReader(io.StringIO(said)):
            swing = -4 * math.pi**2 * math.sin(2 * math.pi * float(row["t"]) + 0.4)
            yield swing, {name: float(row[f"{name}.load"]) for name in amplitudes}

    def test_a_rotor_behind_a_gear(self):
        for first, second, ratio in (("arm", "rotor", 6), ("rotor", "arm", 1 / 6)):
            model, said = self.imported(robot(
                link("arm", HEAVY), link("rotor", ROTOR), joint("j", "base", "arm", ' independent="true"'),
                joint("k", "base", "rotor", ' independent="false"'), coupling(first, second, ratio)))
            self.assertEqual(said.stderr, "")
            made, = model["couplings"]
            self.assertEqual((made["name"], made["joint"], made["of"]), ("belt", "rotor", "arm"))
            self.assertAlmostEqual(made["ratio"], 6, 14)
            for swing, loads in self.loads(j=0.3):
                self.assertAlmostEqual(loads["j"], (HEAVY + 36 * ROTOR) * 0.3 * swing, 9)

    def test_a_belt_over_a_knee(self):
        model, _ = self.imported(robot(*LEG, coupling("foot", "rotor", 12)))
        made, = model["couplings"]
        self.assertEqual((made["joint"], made["of"], made["ratio"]), ("rotor", ["foot", "shank"], [12, 12]))
        for swing, loads in self.loads(knee=0.3, ankle=-0.2):
            foot = (HEAVY + 144 * ROTOR) * (0.3 - 0.2) * swing
            self.assertAlmostEqual(loads["ankle"], foot, 9)
            self.assertAlmostEqual(loads["knee"], foot + HEAVY * 0.3 * swing, 9)

    def test_the_joint_that_the_file_says_follows(self):
        leg = [part.replace("<joint name=\"ankle\"", "<joint independent=\"false\" name=\"ankle\"")
               for part in LEG]
        model, _ = self.imported(robot(*leg, coupling("foot", "rotor", 12)))
        made, = model["couplings"]
        self.assertEqual((made["joint"], made["of"]), ("foot", ["rotor", "shank"]))
        self.assertEqual([actuator["name"] for actuator in model["actuators"]], ["knee", "motor"])
        for swing, loads in self.loads(knee=0.3, motor=0.6):  # foot and shank together turn 0.6 / 12
            foot = HEAVY * 0.6 / 12 * swing
            self.assertAlmostEqual(loads["motor"], foot / 12 + ROTOR * 0.6 * swing, 9)
            self.assertAlmostEqual(loads["knee"], HEAVY * 0.3 * swing, 9)

    def test_couplings_that_are_wrong(self):
        for what, more, words in WRONG:
            with self.subTest(what):
                self.write("r.urdf", robot(*LEG, "\n", more))
                said = self.run_program("import", "r.urdf", "-o", "model.json", code=BAD_INPUT).stderr
                self.assertIn("r.urdf:2:", said)
                self.assertIn(words, said)
                self.assertFalse((self.folder / "model.json").exists())


if __name__ == "__main__":
    unittest.main()
