#!/usr/bin/env python3
"""MJCF of today: imported models have the loads that MuJoCo of today computes."""

import random
import unittest

from compared import HERE, NotCompared, Today, difference, imported
from meshes import FORMATS, SOLIDS, robot_of
from program import ScratchFolder, trials
from random_robots import Robots

ROBOTS = HERE / "robots"


class MujocoToday(ScratchFolder):
    @classmethod
    def setUpClass(cls):
        cls.today = Today()

    @classmethod
    def tearDownClass(cls):
        cls.today.__exit__()

    def model(self, name, *options):
        model, said = imported(ROBOTS / name, self.folder / "model.json", *options)
        self.assertIsNotNone(model, said)
        return model, said

    def refused(self, name, *options):
        model, said = imported(ROBOTS / name, self.folder / "model.json", *options)
        self.assertIsNone(model)
        return said

    def check(self, file, *options, seed=1):
        missing, largest, gap = difference(self.today, file, options, seed=seed)
        self.assertGreater(largest, 0.0)
        self.assertLessEqual(missing, 1e-9 * largest)
        self.assertLessEqual(gap, 1e-9)

    def test_limits_of_joints_and_actuators(self):
        model, _ = self.model("actfrc.xml")
        self.assertEqual(model["actuators"], [{
            "name": "j", "joint": "body_1", "min_position": -1, "max_position": 1, "max_load": 20,
            "source": "inferred"}])
        self.check(ROBOTS / "actfrc.xml")
        model, _ = self.model("autolimits.xml")
        self.assertEqual(model["actuators"][0]["max_position"], 1)
        self.check(ROBOTS / "autolimits.xml")

    def test_compensated_weight_is_refused_or_carried(self):
        said = self.refused("gravcomp.xml")
        self.assertIn('gravcomp.xml:1:46: /mujoco/worldbody/body: found gravcomp="1"', said)
        self.assertIn("--ignore-gravcomp", said)
        _, said = self.model("gravcomp.xml", "--ignore-gravcomp")
        self.assertIn("gravcomp of one body is left out", said)
        self.check(ROBOTS / "gravcomp.xml", "--ignore-gravcomp")

    def test_meshes_that_inertia_does_not_follow_from_need_not_be_there(self):
        model, said = self.model("mesh_missing.xml")
        self.assertIn("left out: 1 geom that touches", said)
        self.assertEqual(model["bodies"][0]["mass"], 1)
        self.assertEqual(self.model("mesh_missing.xml", "--no-meshes")[0], model)
        text = (ROBOTS / "mesh_missing.xml").read_text(encoding="utf-8")
        text = text.replace('<inertial pos="0.2 0 0" mass="1" diaginertia="0.001 0.01 0.01"/>', "")
        (self.folder / "r.xml").write_text(text, encoding="utf-8")
        model, said = imported(self.folder / "r.xml", self.folder / "model.json")
        self.assertIsNone(model)
        self.assertIn("r.xml:1:42: /mujoco/asset/mesh: found no mesh from which the inertia", said)
        self.assertIn("/gone.stl\" is no file", said)

    def test_options_that_change_no_load(self):
        _, said = self.model("new.xml")
        self.assertIn("is taken as a motor", said)
        self.check(ROBOTS / "new.xml")

    def test_a_tendon_around_a_pulley_is_refused(self):
        self.assertIn("a spring goes straight", self.refused("pulley.xml"))

    def test_what_convert_writes_has_its_actuators(self):
        model, _ = self.model("roundtrip.xml")
        self.assertEqual([a["name"] for a in model["actuators"]], ["cylinder", "elbow"])
        self.assertIn("connect", model["actuators"][0])

    def test_meshes_of_every_format_and_kind_of_inertia(self):
        for name in SOLIDS:
            for kind in FORMATS:
                with self.subTest(name, kind=kind):
                    self.check(robot_of(self.folder, name, kind))

    def test_random_robots(self):
        generator = random.Random(20261128)
        robots = Robots(generator, self.folder)
        for trial in range(trials(60)):
            path = robots.write()
            with self.subTest(trial=trial):
                try:
                    self.check(path, seed=trial)
                except NotCompared as why:
                    self.fail(f"{why}\n{path.read_text(encoding='utf-8')}")


if __name__ == "__main__":
    unittest.main()
