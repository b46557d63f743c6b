#!/usr/bin/env python3
"""Importing MJCF and writing MJCF and URDF: what is said, and files that are wrong."""

import json
import unittest

from arm_files import FOUR_BAR
from program import BAD_INPUT, CHARMIE, EXAMPLES, TWO_LINK_ARM, ScratchFolder

ARM = """<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <site name="post" pos="0 0 0.3"/>
    <body name="upper-arm" pos="0 0 0.1">
      <inertial pos="0.1 0 0" mass="2" diaginertia="0.01 0.02 0.02"/>
      <joint name="shoulder" axis="0 1 0" ref="0.5" armature="0.1" damping="0.2" range="-1 2" limited="true"/>
      <site name="mount" pos="0.1 0 0"/>
      <body name="hand" pos="0.4 0 0">
        <geom type="sphere" size="0.05"/>
        <joint name="wrist" axis="0 1 0"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="spring" stiffness="800" springlength="0.1"><site site="post"/><site site="mount"/></spatial>
  </tendon>
  <actuator>
    <motor name="motor" joint="shoulder" gear="50" forcelimited="true" forcerange="-2 2"/>
  </actuator>
</mujoco>
"""


def changed(old, new):
    if ARM.count(old) != 1:
        raise ValueError(f"{old!r} is {ARM.count(old)} times in the robot")
    return ARM.replace(old, new)


# what is wrong, the text, and what the message has to say
WRONG = [
    ("not closed", ARM.replace("</mujoco>", ""), ["well-formed"]),
    ("a document type", "<!DOCTYPE mujoco [<!ENTITY x SYSTEM 'secret.txt'>]>" + ARM,
     ["document type declaration"]),
    ("an unknown element", changed('<site name="mount"', '<sight name="mount"'),
     [":8:7", "found <sight> in <body>", "did you mean \"light\"?"]),
    ("an unknown attribute", changed('mass="2"', 'mas="2"'),
     [":6:7", "the attribute \"mas\" of <inertial>", "did you mean \"mass\"?"]),
    ("an element in a wrong place", changed("</actuator>", "<geom/></actuator>"),
     [":20", "found <geom> in <actuator>"]),
    ("a class that is not there", changed('name="wrist"', 'name="wrist" class="fast"'),
     [":11:9", 'the class "fast"']),
    ("a text for a number", changed('axis="0 1 0" ref="0.5"', 'axis="0 l 0" ref="0.5"'),
     [":7:7", 'axis="0 l 0", expected 3 numbers']),
    ("too few numbers", changed('pos="0 0 0.1"', 'pos="0 0"'), [":5:5", "expected 3 numbers"]),
    ("a range without a width", changed('range="-1 2"', 'range="2 2"'), [":7:7", "range"]),
    ("global coordinates", changed('angle="radian"', 'coordinate="global"'), [":2:3", "2.3.3"]),
    ("a stiffness that grows", changed('stiffness="800"', 'stiffness="800 5"'), [":16:5", "one rate"]),
    ("a tendon that is slack between two lengths",
     changed('springlength="0.1"', 'springlength="0.1 0.2"'), [":16:5", "one free length"]),
    ("bodies that bend", changed("</worldbody>", '<flexcomp name="f"/></worldbody>'), [":14", "<flexcomp>"]),
    ("a cable", changed("</worldbody>", '<composite type="cable"/></worldbody>'), [":14", "<composite>"]),
    ("a plugin of a body", changed('<body name="hand" pos="0.4 0 0">',
                                   '<body name="hand"><plugin plugin="x"/>'), ["<plugin> of a body"]),
    ("a joint of the world", changed("<worldbody>", "<worldbody><joint/>"), [":3", "<joint> of the world"]),
    ("a copy without a count", changed("</worldbody>", "<replicate/></worldbody>"), [":14", "count"]),
    ("too many copies", changed("</worldbody>", '<replicate count="9999"><replicate count="9999"><body/>'
                                "</replicate></replicate></worldbody>"), [":14", "more than 200000"]),
    ("a model that is not there", changed("</worldbody>", '<attach model="m" prefix="p"/></worldbody>'),
     [":14", 'the model "m"']),
    ("a file that attaches itself",
     changed("<worldbody>", '<asset><model file="robot.xml"/></asset><worldbody>'), [":3", "attaches itself"]),
    ("two connected sites, one missing",
     changed("<actuator>", '<equality><connect site1="mount" site2="no"/></equality><actuator>'),
     [":18:", "site2"]),
    ("a second body of a name", changed('name="hand"', 'name="upper-arm"'), ["MuJoCo refuses"]),
    ("no mass", changed('mass="2"', 'mass="0"'), ["MuJoCo refuses"]),
    ("an impossible inertia", changed("0.01 0.02 0.02", "0.01 0.02 0.5"),
     [":5:5", "MuJoCo refuses", "A + B >= C"]),
    ("a site that is not there", changed('site="mount"', 'site="mont"'), ["MuJoCo refuses"]),
    ("an included file that is not there", changed("<worldbody>", '<include file="no.xml"/><worldbody>'),
     [":3:3", "no file to include", "no.xml"]),
    ("a file that includes itself",
     changed("<worldbody>", '<include file="robot.xml"/><worldbody>'), [":3:3", "a second time"]),
    ("a tendon over three sites", changed('<site site="mount"/>', '<site site="mount"/><site site="post"/>'),
     [":16:5", '"spring"', "3 parts", "pulley"]),
    ("a tendon with a pulley",
     changed('<site site="mount"/>', '<site site="mount"/><pulley divisor="2"/>'
             '<site site="post"/><site site="mount"/>'), [":16:5", "pulley"]),
    ("a constraint that is not linear",
     changed("<actuator>", '<equality><joint name="e" joint1="wrist" joint2="shoulder" '
             'polycoef="0 1 2 0 0"/></equality><actuator>'), [":18:", "not linear"]),
    ("a constraint of tendons",
     changed("<actuator>", '<equality><tendon name="e" tendon1="spring"/></equality><actuator>'),
     [":18:", "constraint of tendons"]),
]


class Mjcf(ScratchFolder):
    def read(self, name):
        return (self.folder / name).read_text()

    def imported(self, text, *options):
        self.write("robot.xml", text)
        said = self.run_program("import", "robot.xml", "-o", "model.json", *options)
        return json.loads(self.read("model.json")), said

    def test_an_arm(self):
        model, said = self.imported(ARM)
        upper, hand = model["bodies"]
        self.assertEqual((upper["name"], upper["note"]), ("upper_arm", 'the body "upper-arm"'))
        self.assertEqual((upper["source"], hand["source"]), ("mjcf", "inferred"))
        self.assertEqual(upper["joint"]["guess"], 0.5)
        self.assertEqual(model["world"]["points"], {"post": [0, 0, 0.3]})
        self.assertEqual(model["springs"], [{
            "name": "spring", "connect": ["world.post", "upper_arm.mount"], "rate": 800,
            "free_length": 0.1, "source": "mjcf"}])
        self.assertEqual(model["actuators"], [
            {"name": "motor", "joint": "upper_arm", "min_position": -1, "max_position": 2,
             "max_load": 100, "source": "mjcf"},
            {"name": "wrist", "joint": "hand", "source": "inferred"}])
        for words in ("armature 0.1, damping 0.2", "left out: 1 geom that touches", "gear of 50"):
            self.assertIn(words, said.stderr)
        self.assertIn("robot.xml:7:7: /mujoco/worldbody/body/joint: note: left out", said.stderr)
        self.run_program("check", "model.json")
        (self.folder / "model.json").unlink()
        self.run_program("import", "robot.xml", "-o", "model.json", "--strict", code=BAD_INPUT)
        self.assertFalse((self.folder / "model.json").exists())
        self.assertFalse((self.folder / "MUJOCO_LOG.TXT").exists())

    def test_bases_that_float(self):
        text = ARM.replace('<joint name="shoulder" axis="0 1 0" ref="0.5" armature="0.1" '
                           'damping="0.2" range="-1 2" limited="true"/>', '<freejoint name="base"/>')
        text = text.replace('<motor name="motor" joint="shoulder" gear="50" forcelimited="true" '
                            'forcerange="-2 2"/>', "")
        model, said = self.imported(text)
        self.assertEqual(model["bodies"][0]["joint"]["type"], "fixed")
        self.assertIn("--base floating", said.stderr)
        model, _ = self.imported(text, "--base", "floating")
        self.assertEqual([a["name"] for a in model["actuators"]],
                         ["base_x", "base_y", "base_z", "base_yaw", "base_pitch", "base_roll", "wrist"])
        self.assertEqual(model["bodies"][2]["joint"]["guess"], 0.1)
        self.run_program("check", "model.json")

    def test_loops_come_back(self):
        self.write("model.json", FOUR_BAR)
        self.run_program("convert", "model.json", "--to", "mjcf", "-o", "robot.xml")
        before = self.run_json("check", "model.json", "--json")
        self.run_program("import", "robot.xml", "-o", "again.json")
        after = self.run_json("check", "again.json", "--json")
        # an axis that stays parallel is a second point that stays
        self.assertEqual([m[key] for m in (before, after) for key in ("degrees_of_freedom",)],
                         [before["degrees_of_freedom"]] * 2)

    def test_joints_to_drive_where_loops_leave_a_choice(self):
        self.write("model.json", FOUR_BAR)
        self.run_program("convert", "model.json", "--to", "mjcf", "-o", "robot.xml")
        text = self.read("robot.xml")
        start, end = text.index("<actuator>"), text.index("</actuator>") + len("</actuator>")
        self.write("robot.xml", text[:start] + text[end:])
        said = self.run_program("import", "robot.xml", "-o", "again.json", code=BAD_INPUT)
        self.assertIn("--actuate", said.stderr)
        driven = json.loads(self.read("model.json"))["actuators"][0]["joint"]
        self.run_program("import", "robot.xml", "-o", "again.json", "--actuate", driven)
        self.run_program("import", "robot.xml", "-o", "again.json", "--actuate", "nothing",
                         code=BAD_INPUT)

    def test_wrong_files_leave_nothing(self):
        (self.folder / "secret.txt").write_text("a secret")
        for what, text, words in WRONG:
            with self.subTest(what):
                self.write("robot.xml", text)
                said = self.run_program("import", "robot.xml", "-o", "model.json", code=BAD_INPUT)
                for word in words:
                    self.assertIn(word, said.stderr)
                self.assertIn("robot.xml", said.stderr)
                self.assertNotIn("a secret", said.stderr)
                self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                                 ["robot.xml", "secret.txt"])


class Convert(ScratchFolder):
    def test_what_urdf_does_not_hold_is_named_at_its_place(self):
        said = self.run_program("convert", TWO_LINK_ARM / "model.json", "--to", "urdf", "-o", "a.urdf",
                                code=BAD_INPUT)
        self.assertIn("/springs/0: found the spring \"spring\", expected none", said.stderr)
        said = self.run_program("convert", EXAMPLES / "schoenflies/model.json", "--to", "mjcf", "-o",
                                "a.xml", code=BAD_INPUT)
        self.assertIn("/loops/0: found the loop \"leg1_end\" that keeps axes perpendicular", said.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_values_are_set(self):
        self.run_program("convert", TWO_LINK_ARM / "model.json", "--to", "mjcf", "-o", "a.xml",
                         "--set", "spring_rate=2 N/mm")
        self.assertIn('stiffness="2000"', (self.folder / "a.xml").read_text())
        said = self.run_program("convert", TWO_LINK_ARM / "model.json", "--to", "mjcf", "-o", "b.xml",
                                "--set", "spring_rate=-1", code=BAD_INPUT)
        self.assertIn("spring_rate", said.stderr)
        self.assertFalse((self.folder / "b.xml").exists())

    def test_what_is_left_out_is_listed(self):
        told = self.run_json("convert", CHARMIE / "model.json", "--to", "mjcf", "-o", "a.xml", "--json")
        self.assertEqual((told["output"], told["format"]), ("a.xml", "mjcf"))
        self.assertTrue(told["remarks"])


if __name__ == "__main__":
    unittest.main()
