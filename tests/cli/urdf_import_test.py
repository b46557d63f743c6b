#!/usr/bin/env python3
"""Importing URDF: what is carried over, what is said of the rest, and files that are wrong."""

import json
import pathlib
import unittest

from program import BAD_INPUT, ScratchFolder

INERTIA = '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>'
INERTIAL = f'<inertial><origin xyz="0.1 0 0"/><mass value="2"/>{INERTIA}</inertial>'
LIMIT = '<limit lower="-1" upper="2" effort="30" velocity="4"/>'
ARM = f"""<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper-arm">{INERTIAL}</link>
  <link name="hand">{INERTIAL}</link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.5" rpy="0 0 1.5"/>
    <parent link="base"/>
    <child link="upper-arm"/>
    <axis xyz="0 1 0"/>
    {LIMIT}
  </joint>
  <joint name="wrist" type="continuous">
    <parent link="upper-arm"/>
    <child link="hand"/>
  </joint>
</robot>
"""
MOTION = """{"format": "counterpoise-motion/1", "duration": 1, "step": 0.5,
  "coordinates": {"shoulder": {"type": "hold", "value": 0.3}}}"""
BOMB = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<robot name="&b;"><link name="base"/></robot>
"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY x SYSTEM "secret.txt">]>
<robot name="r"><link name="&x;"/></robot>
"""


def changed(old, new):
    if ARM.count(old) != 1:
        raise ValueError(f"{old!r} is {ARM.count(old)} times in the robot")
    return ARM.replace(old, new)


def with_joint(text):
    return changed("</robot>", text + "\n</robot>")


def visual(mesh, more=""):
    return changed('<link name="base"/>', f'<link name="base"><visual><geometry><mesh filename='
                   f'"{mesh}"{more}/></geometry></visual></link>')


# what is wrong, the text, and what the message has to say, its place first
WRONG = [
    ("no robot", "<sdf/>", ["1:1", "<sdf>", "expected <robot>"]),
    ("no name", "<robot><link name='a'/></robot>", ["1:1", "without name"]),
    ("no link", "<robot name='a'/>", ["found no <link>"]),
    ("not closed", "<robot name='a'><link name='b'>", ["well-formed"]),
    ("empty", "", ["well-formed"]),
    ("JSON", "{}", ["well-formed"]),
    ("two roots of XML", "<robot name='a'><link name='b'/></robot><robot/>", ["well-formed"]),
    ("entities", BOMB, [":2:", "document type declaration"]),
    ("an external entity", OUTSIDE, [":2:", "document type declaration"]),
    ("no UTF-8", ARM.replace("arm", "\xe4rm", 1).encode("latin-1"), [":2:", "UTF-8"]),
    ("UTF-16 that says UTF-8", ARM.encode("utf-16"), ["UTF-16", "expected UTF-8"]),
    ("too deep", "<a>" * 200 + "</a>" * 200, ["nested more than 100 deep"]),
    ("100 MB", b"<robot name='" + b"a" * 100_000_000 + b"'/>", ["larger than 32 MiB"]),
    ("xacro", changed('value="2"', 'value="${m}"') if ARM.count('value="2"') == 1 else
     ARM.replace('value="2"', 'value="${m}"', 1), ["macro of xacro", "xacro robot.urdf"]),
    ("a second link of a name", changed('<link name="hand">', '<link name="base">'),
     [":5:3", "second link \"base\""]),
    ("a second joint of a name", changed('name="wrist"', 'name="shoulder"'),
     [":13:3", "second joint \"shoulder\""]),
    ("a link without name", changed('<link name="base"/>', "<link/>"), [":3:3", "without name"]),
    ("a negative mass", ARM.replace('value="2"', 'value="-2"', 1), [":4:", "mass of -2 kg"]),
    ("a mass that is no number", ARM.replace('value="2"', 'value="two"', 1),
     [":4:", "value=\"two\"", "expected a number"]),
    ("an infinite mass", ARM.replace('value="2"', 'value="inf"', 1), [":4:", "expected a number"]),
    ("no mass", ARM.replace('<mass value="2"/>', "", 1), [":4:", "without <mass>"]),
    ("no inertia", ARM.replace(INERTIA, "", 1), [":4:", "without <inertia>"]),
    ("half an inertia", ARM.replace('iyy="0.01" ', "", 1), [":4:", "without iyy"]),
    ("an impossible inertia", ARM.replace('izz="0.01"', 'izz="0.5"', 1), [":4:3", "inertia"]),
    ("no inertial", changed(f'<link name="hand">{INERTIAL}</link>', '<link name="hand"/>'),
     [":5:3", "no <inertial>", "--massless", "wrist"]),
    ("no mass on a link that moves", changed(f'<link name="hand">{INERTIAL}</link>',
     f'<link name="hand">{INERTIAL.replace("2", "0", 1)}</link>'.replace('value="2"',
                                                                      'value="0"')),
     [":5:", "no mass above 0"]),
    ("two numbers for three", changed('xyz="0 0 0.5"', 'xyz="0 0.5"'),
     [":7:5", "three numbers"]),
    ("a word in a vector", changed('rpy="0 0 1.5"', 'rpy="0 0 pi"'), [":7:5", "three numbers"]),
    ("no direction", changed('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>'),
     [":10:5", "length 0"]),
    ("an unknown type", changed('"continuous"', '"continous"'),
     [":13:3", "joint type", 'did you mean "continuous"']),
    ("no type", changed(' type="continuous"', ""), [":13:3", "without type"]),
    ("no parent", changed('<parent link="upper-arm"/>', ""), [":13:3", "without <parent>"]),
    ("a parent that is not there", changed('<parent link="upper-arm"/>',
                                           '<parent link="upper_arm"/>'),
     [":14:5", 'did you mean "upper-arm"']),
    ("a link below itself", changed('<parent link="base"/>', '<parent link="hand"/>'),
     ["below itself"]),
    ("its own parent", changed('<parent link="upper-arm"/>', '<parent link="hand"/>'),
     [":13:3", "as parent and child"]),
    ("two parents", with_joint('<joint name="again" type="fixed"><parent link="base"/>'
                               '<child link="hand"/></joint>'), ["second joint of the link"]),
    ("two roots", changed("</robot>", '<link name="loose"/>\n</robot>'),
     [":17:", '"loose"', "one root link"]),
    ("no limit", changed(LIMIT, ""), [":6:3", "without <limit>"]),
    ("limits the wrong way round", changed('lower="-1"', 'lower="3"'), [":11:5", "above upper"]),
    ("no effort", changed(' effort="30"', ""), [":11:5", "without effort"]),
    ("a mimic of nothing", changed('<child link="hand"/>',
                                   '<child link="hand"/><mimic joint="sholder"/>'),
     [":15:", 'did you mean "shoulder"']),
    ("a mimic of itself", changed('<child link="hand"/>',
                                  '<child link="hand"/><mimic joint="wrist"/>'),
     [":15:", "in a circle"]),
    ("a mimic of a fixed joint",
     changed('<child link="hand"/>', '<child link="hand"/><mimic joint="tool"/>').replace(
         "</robot>", '<link name="tip"/><joint name="tool" type="fixed"><parent link="hand"/>'
         '<child link="tip"/></joint></robot>'), [":15:", "fixed joint \"tool\""]),
    ("a mesh that is not there", visual("absent.stl"), [":3:", "there is no", "--no-meshes"]),
    ("an unknown package", visual("package://arm/a.stl"), [":3:", "--package arm=FOLDER"]),
]


class UrdfImport(ScratchFolder):
    def imported(self, text, *options):
        self.write("robot.urdf", text)
        said = self.run_program("import", "robot.urdf", "-o", "model.json", *options)
        return json.loads(self.read("model.json")), said

    def read(self, name):
        return (self.folder / name).read_text()

    def test_an_arm(self):
        model, said = self.imported(ARM)
        base, upper, hand = model["bodies"]
        self.assertEqual(base["joint"], {"type": "fixed"})
        self.assertEqual(upper["name"], "upper_arm")
        self.assertIn("upper-arm", upper["note"])
        self.assertEqual(upper["source"], "urdf")
        self.assertEqual(upper["joint"], {"type": "revolute", "axis": [0, 1, 0],
                                          "origin": [0, 0, 0.5], "rotation": {"rpy": [0, 0, 1.5]}})
        self.assertEqual(upper["mass"], 2)
        self.assertEqual(upper["com"], [0.1, 0, 0])
        self.assertEqual(hand["parent"], "upper_arm")
        self.assertEqual(hand["joint"]["axis"], [1, 0, 0])
        shoulder, wrist = model["actuators"]
        self.assertEqual(shoulder, {"name": "shoulder", "joint": "upper_arm", "min_position": -1,
                                    "max_position": 2, "max_load": 30, "max_speed": 4,
                                    "source": "urdf"})
        self.assertEqual(wrist, {"name": "wrist", "joint": "hand", "source": "urdf"})
        self.assertIn("3 bodies, 2 actuators, 0 couplings; nothing left out", said.stdout)
        self.write("motion.json", MOTION)
        self.run_program("check", "model.json", "motion.json")
        self.run_program("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")

    def test_what_is_left_out_is_said_at_its_place(self):
        text = changed(LIMIT, '<limit lower="-1" upper="2" effort="0" velocity="4"/>'
                       '<dynamics damping="0.5" friction="0.1"/>').replace(
            "</robot>", '<gazebo reference="hand"/><transmission name="t"/></robot>')
        model, said = self.imported(text)
        for words in ("robot.urdf:6:3: /robot/joint: note: effort 0 is taken as no limit",
                      "damping 0.5 and friction 0.1 are left out", "<gazebo> is left out",
                      "the transmission is left out"):
            self.assertIn(words, said.stderr)
        self.assertEqual(len(model["notes"]), 4)
        self.assertNotIn("max_load", model["actuators"][0])
        listed = self.run_json("import", "robot.urdf", "-o", "model.json", "--json")
        self.assertEqual([(r["line"], r["element"]) for r in listed["remarks"]],
                         [(6, "/robot/joint"), (11, "/robot/joint/dynamics"),
                          (17, "/robot/gazebo"), (17, "/robot/transmission")])
        (self.folder / "model.json").unlink()
        self.run_program("import", "robot.urdf", "-o", "model.json", "--strict", code=BAD_INPUT)
        self.assertFalse((self.folder / "model.json").exists())

    def test_joints_that_mimic_others_are_coupled(self):
        model, _ = self.imported(changed(
            '<child link="hand"/>',
            '<child link="hand"/><mimic joint="shoulder" multiplier="-2" offset="0.5"/>'))
        self.assertEqual(model["couplings"], [{"name": "wrist", "joint": "hand", "ratio": -2,
                                               "of": "upper_arm", "offset": 0.5,
                                               "source": "urdf"}])
        self.assertEqual([a["name"] for a in model["actuators"]], ["shoulder"])

    def test_a_base_that_floats(self):
        model, said = self.imported(ARM, "--base", "floating")
        self.assertEqual([b["name"] for b in model["bodies"]][:6],
                         ["base_x", "base_y", "base_z", "base_yaw", "base_pitch", "base"])
        self.assertEqual([a["name"] for a in model["actuators"]],
                         ["base_x", "base_y", "base_z", "base_yaw", "base_pitch", "base_roll",
                          "shoulder", "wrist"])
        self.assertIn("singular", said.stderr)
        self.run_program("check", "model.json")

    def test_planar_joints_stand_still_or_move(self):
        text = changed('type="continuous"', 'type="planar"')
        model, said = self.imported(text)
        self.assertEqual(model["bodies"][2]["joint"]["type"], "fixed")
        self.assertIn("--base floating", said.stderr)
        model, _ = self.imported(text, "--base", "floating")
        self.assertEqual([(b["name"], b["joint"]["type"]) for b in model["bodies"][2:]],
                         [("hand_first", "prismatic"), ("hand_second", "prismatic"),
                          ("hand", "revolute")])
        self.run_program("check", "model.json")

    def test_names_that_become_the_same(self):
        model, _ = self.imported(ARM.replace('"hand"', '"upper_arm"'))
        self.assertEqual([b["name"] for b in model["bodies"]], ["base", "upper_arm", "upper_arm_2"])

    def test_a_link_named_world_is_the_world(self):
        model, _ = self.imported(ARM.replace('"base"', '"world"'))
        self.assertEqual([b["name"] for b in model["bodies"]], ["upper_arm", "hand"])

    def test_massless_links_where_they_are_asked_for(self):
        text = changed(f'<link name="hand">{INERTIAL}</link>', '<link name="hand"/>')
        model, _ = self.imported(text, "--massless")
        self.assertNotIn("mass", model["bodies"][2])
        self.run_program("check", "model.json")

    def test_meshes_are_named_from_the_model(self):
        folder = self.folder / "meshes"
        folder.mkdir()
        (folder / "a.stl").write_text("solid a\nendsolid a\n")
        model, _ = self.imported(visual("package://arm/a.stl", ' scale="0.001 0.001 0.001"'),
                                 "--package", "arm=meshes")
        self.assertEqual(model["bodies"][0]["visual"]["mesh"], "meshes/a.stl")
        self.assertEqual(model["bodies"][0]["visual"]["scale"], 0.001)
        _, said = self.imported(visual("absent.stl"), "--no-meshes")
        self.assertEqual(said.stderr, "")

    def test_suggested_springs_run_as_they_are(self):
        model, said = self.imported(ARM, "--suggest-springs", "upper-arm,base")
        self.assertIn("model_study.json: a study of 1 suggested spring", said.stdout)
        self.assertEqual(model["springs"][0]["connect"],
                         ["upper_arm.upper_arm_spring", "base.upper_arm_spring"])
        self.run_program("check", "model.json", "model_study.json")
        said = self.run_program("run", "model_study.json", "-o", "results.db")
        best, = self.query("results.db", "SELECT min(peak) AS peak FROM cases")
        bare, = self.query("results.db", "SELECT peak FROM baselines WHERE name = 'without_springs'")
        self.assertLess(best["peak"], 0.5 * bare["peak"])
        self.write("model_study.json", "edited")
        said = self.run_program("import", "robot.urdf", "-o", "model.json", "--suggest-springs",
                                "upper-arm,base", code=BAD_INPUT)
        self.assertIn("model_study.json: exists", said.stderr)
        self.assertEqual(self.read("model_study.json"), "edited")
        for wrong, words in (("upper-arm", "two bodies"), ("upper-arm,bas", 'did you mean "base"'),
                             ("hand,hand", "different")):
            with self.subTest(wrong):
                said = self.run_program("import", "robot.urdf", "-o", "other.json",
                                        "--suggest-springs", wrong, code=BAD_INPUT)
                self.assertIn(words, said.stderr)
                self.assertFalse((self.folder / "other.json").exists())

    def test_wrong_files_leave_nothing(self):
        (self.folder / "secret.txt").write_text("a secret")
        for what, text, words in WRONG:
            with self.subTest(what):
                path = self.folder / "robot.urdf"
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
                said = self.run_program("import", "robot.urdf", "-o", "model.json", code=BAD_INPUT)
                for word in words:
                    self.assertIn(word, said.stderr)
                self.assertIn("robot.urdf", said.stderr)
                self.assertNotIn("a secret", said.stderr)
                self.assertEqual(said.stdout, "")
                self.assertFalse((self.folder / "model.json").exists())

    def test_wrong_calls(self):
        self.write("robot.urdf", ARM)
        for options in (["--package", "arm"], ["--base", "flying"], ["-o", "robot.urdf"]):
            with self.subTest(options):
                self.run_program("import", "robot.urdf", "-o", "model.json", *options,
                                 code=BAD_INPUT)
        self.run_program("import", "absent.urdf", "-o", "model.json", code=BAD_INPUT)
        self.assertEqual(self.read("robot.urdf"), ARM)


if __name__ == "__main__":
    unittest.main()
