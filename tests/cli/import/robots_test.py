#!/usr/bin/env python3
"""Small robots that were once read wrongly or refused: each has the right answer here. Robots in the
MJCF of today are in tests/exchange/today/robots."""

import csv
import io
import json
import math
import pathlib
import unittest

from program import BAD_INPUT, ScratchFolder

ROBOTS = pathlib.Path(__file__).resolve().parent / "robots"
ANGLES = (-0.7, 0.0, 0.4)


def carried(angle):
    """The torque that holds 1 kg, 0.2 m from a level axis along y, at an angle below the horizon [N m]."""
    return -9.81 * 0.2 * math.cos(angle)


class Robots(ScratchFolder):
    def imported(self, name, *options):
        said = self.run_program("import", ROBOTS / name, "-o", "model.json", *options)
        return json.loads((self.folder / "model.json").read_text()), said

    def refused(self, name, *options):
        said = self.run_program("import", ROBOTS / name, "-o", "model.json", *options, code=BAD_INPUT)
        self.assertEqual((said.stdout, list(self.folder.iterdir())), ("", []))
        self.assertIn(f"{name}:", said.stderr)
        return said.stderr

    def check_loads(self, expected):
        """Checks the loads of the imported robot's joint j, held at some angles."""
        for angle in ANGLES:
            self.write("motion.json", {"format": "counterpoise-motion/1", "duration": 1, "step": 1,
                                       "coordinates": {"j": {"type": "hold", "value": angle}}})
            said = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
            for row in csv.DictReader(io.StringIO(said)):
                self.assertAlmostEqual(float(row["j.load"]), expected(angle), 12)

    def test_numbers_with_blanks_and_a_robot_without_name(self):
        files = ("spaces.urdf", "spaces_limit.urdf", "spaces_trailing.urdf", "spaces_xyz.urdf")
        models = [self.imported(name)[0] for name in files]
        for name, model in zip(files, models):
            with self.subTest(name):
                self.assertEqual(model["bodies"], models[0]["bodies"])
                self.assertEqual(model["actuators"], models[0]["actuators"])
        self.assertEqual((models[0]["bodies"][1]["inertia"][2], models[0]["bodies"][1]["com"]),
                         (0.01, [0.2, 0, 0]))
        model, said = self.imported("emptyname.urdf")
        self.assertEqual((model["name"], model["bodies"], said.stderr),
                         ("emptyname", models[0]["bodies"], ""))
        self.check_loads(carried)

    def test_inertias_of_a_base_that_cannot_move_are_not_asked_for(self):
        for name in ("base_inertia.urdf", "base_inertia_tiny.urdf"):
            with self.subTest(name):
                _, said = self.imported(name)
                self.assertIn("1 x inertia of a link that cannot move", said.stderr)
                self.check_loads(carried)

    def test_friction_is_named_with_its_numbers(self):
        _, said = self.imported("friction.urdf")
        self.assertIn("j (damping 0.6 N m s/rad, friction 1.5 N m)", said.stderr)
        self.check_loads(carried)

    def test_a_spring_that_gazebo_adds_carries(self):
        model, _ = self.imported("gazebo_spring.urdf")
        self.assertEqual([spring["name"] for spring in model["springs"]], ["j_spring"])
        self.check_loads(lambda angle: carried(angle) + 5 * (angle - 0.3))

    def test_a_fixed_joint_mimics_nothing(self):
        model, said = self.imported("mimic_fixed.urdf")
        self.assertNotIn("couplings", model)
        self.assertIn("1 x <mimic> of a fixed joint", said.stderr)
        self.check_loads(carried)

    def test_a_robot_without_masses_is_refused_or_warned_of(self):
        said = self.refused("massless_all.urdf")
        for option in ("--masses", "--total-mass", "--density", "--massless"):
            self.assertIn(option, said)
        _, said = self.imported("massless_all.urdf", "--massless")
        warning = "nothing that moves has mass: all loads are 0 but for springs"
        self.assertIn(warning, said.stderr.splitlines()[0])
        said = self.run_program("check", "model.json")
        self.assertIn("no body that moves has mass", said.stdout + said.stderr)
        self.check_loads(lambda angle: 0.0)

    def test_loops_are_read_or_refused(self):
        model, said = self.imported("loop_left_out.urdf")
        self.assertEqual(model["loops"], [{
            "name": "l", "connect": ["b.l", "c.l"], "axes": [[0, 1, 0], [0, 1, 0]],
            "keep": "parallel", "source": "urdf"}])
        self.assertEqual([body["points"] for body in model["bodies"] if "points" in body],
                         [{"l": [0.4, 0, 0]}, {"l": [0.2, 0, 0]}])
        self.assertEqual([actuator["name"] for actuator in model["actuators"]], ["ja"])
        self.assertIn("--actuate names others", said.stderr)
        (self.folder / "model.json").unlink()
        said = self.refused("constraint.urdf")
        self.assertIn("1:341: /robot/constraint: found <constraint> without <axis>", said)
        _, said = self.imported("constraint.urdf", "--open-loops")
        self.assertIn("<constraint> is left out (--open-loops)", said.stderr)
        self.check_loads(carried)

    def test_two_cranks_whose_tips_are_one_cannot_move(self):
        # they meet stretched, where no motion of finite size keeps them together
        self.assertIn("2 actuators for 0 degrees of freedom", self.refused("connect_sites.xml"))

    def test_limits_the_wrong_way_round(self):
        self.assertIn("/robot/joint/limit: found lower 1 above upper -1",
                      self.refused("prismatic_big.urdf"))


if __name__ == "__main__":
    unittest.main()
