#!/usr/bin/env python3
"""Importing URDF: what is carried over, what is said of the rest, and files that are wrong."""

import csv
import io
import json
import math
import os
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
    ("no robot", "<robots/>", ["1:1", "<robots>", "expected <robot>"]),
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
    ("no inertial", ARM.replace(INERTIAL, ""), [":4:3", "no mass on anything that moves",
                                                "--masses", "--massless"]),
    ("no mass on what moves", ARM.replace('value="2"', 'value="0"'),
     [":4:", "no mass on anything that moves"]),
    ("an attribute twice", changed('name="hand"', 'name="hand" name="foot"'),
     [":5:3", "name twice", "well-formed"]),
    ("a coupling of nothing", changed("</robot>", '<coupling name="c"/></robot>'),
     [":17:", "<coupling> without <predecessor>"]),
    ("a loop that slides", changed("</robot>", '<loop name="l" type="prismatic"><predecessor '
     'link="hand"/><successor link="base"/></loop></robot>'), [":17:", '"prismatic"', "continuous"]),
    ("a loop without axis", changed("</robot>", '<loop name="l" type="continuous"><predecessor '
     'link="hand"/><successor link="base"/></loop></robot>'), [":17:", "without <axis>"]),
    ("a loop of a link that is not there", changed("</robot>", '<loop name="l" type="ball">'
     '<predecessor link="hnd"/><successor link="base"/></loop></robot>'),
     [":17:", 'did you mean "hand"']),
    ("a loop with one end", changed("</robot>", '<loop_joint name="l" type="ball"><child '
     'link="hand"/></loop_joint></robot>'), [":17:", "without <predecessor>"]),
    ("a spring of no joint", changed("</robot>", '<gazebo reference="wirst"><springStiffness>5'
     '</springStiffness></gazebo></robot>'), [":17:", 'did you mean "wrist"']),
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
            "</robot>", '<gazebo reference="hand"><mu1>1</mu1></gazebo><transmission name="t"/></robot>')
        model, said = self.imported(text)
        self.assertEqual(len(said.stderr.splitlines()), 2)
        for words in ("left out, as it is seldom the robot's own: shoulder (damping 0.5 N m "
                      "s/rad, friction 0.1 N m)",
                      "1 x <gazebo>", "1 x transmission", "1 x limit of 0"):
            self.assertIn(words, said.stderr)
        _, said = self.imported(text, "--verbose")
        for words in ("robot.urdf:11:5: /robot/joint/limit: note: effort 0 is taken as no limit",
                      "<gazebo> is left out", "the transmission is left out"):
            self.assertIn(words, said.stderr)
        self.assertEqual(len(model["notes"]), 4)
        self.assertNotIn("max_load", model["actuators"][0])
        listed = self.run_json("import", "robot.urdf", "-o", "model.json", "--json")
        self.assertEqual([(r["line"], r["element"]) for r in listed["remarks"]],
                         [(6, "/robot/joint"), (11, "/robot/joint/limit"),
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

    def test_links_without_mass_are_told(self):
        text = changed(f'<link name="hand">{INERTIAL}</link>', '<link name="hand"/>')
        model, said = self.imported(text)
        self.assertNotIn("mass", model["bodies"][2])
        self.assertIn("1 link that moves has no mass: hand", said.stderr)
        self.run_program("check", "model.json")
        _, said = self.imported(ARM.replace(INERTIAL, ""), "--massless")
        self.assertIn("nothing that moves has mass: all loads are 0 but for springs", said.stderr)
        said = self.run_program("check", "model.json")
        self.assertIn("no body that moves has mass", said.stdout + said.stderr)

    def loads(self, model):
        """Of all actuators over a motion, by name."""
        self.write("moved.json", json.dumps({
            "format": "counterpoise-motion/1", "duration": 1, "step": 0.25, "coordinates": {
                actuator["name"]: {"type": "sine", "mean": 0.3, "amplitude": 0.2, "period": 1,
                                   "phase": 0.4} for actuator in model["actuators"]}}))
        said = self.run_program("simulate", "model.json", "--motion", "moved.json").stdout
        rows = list(csv.DictReader(io.StringIO(said)))
        return {name: [float(row[name]) for row in rows] for name in rows[0] if name.endswith(".load")}

    def test_masses_by_a_total_a_density_or_a_table(self):
        def box(x, y, z, at=0.0):
            return (f'<collision><origin xyz="{at} 0 0"/><geometry><box size="{x} {y} {z}"/></geometry>'
                    "</collision>")
        bare = ARM.replace(f'<link name="upper-arm">{INERTIAL}', '<link name="upper-arm">'
                           + box(0.4, 0.1, 0.05, 0.2)).replace(INERTIAL, box(0.2, 0.1, 0.1, 0.1))
        # volumes of 0.002 m^3 each
        model, said = self.imported(bare, "--density", "2000")
        self.assertIn("the masses of 2 links are estimates from the volumes of their shapes: 8 kg at 2000",
                      said.stderr)
        upper = model["bodies"][1]
        self.assertAlmostEqual(upper["mass"], 4, 12)
        self.assertEqual([round(x, 12) for x in upper["com"]], [0.2, 0, 0])
        for moment, expected in zip(upper["inertia"], (4 / 12 * (0.1**2 + 0.05**2), 4 / 12 * (0.4**2 + 0.05**2),
                                                       4 / 12 * (0.4**2 + 0.1**2), 0, 0, 0)):
            self.assertAlmostEqual(moment, expected, 14)
        model, _ = self.imported(bare, "--total-mass", "6000 g")
        self.assertEqual([round(body.get("mass", 0), 12) for body in model["bodies"]], [0, 3, 3])
        self.write("masses.csv", "link,mass [g],com_x [mm],com_y [mm],com_z [mm]\nhand,1500,50,0,0\n")
        model, _ = self.imported(bare, "--masses", "masses.csv", "--total-mass", "6")
        self.assertEqual([round(body.get("mass", 0), 12) for body in model["bodies"]], [0, 4.5, 1.5])
        self.assertEqual(model["bodies"][2]["com"], [0.05, 0, 0])
        self.write("wrong.csv", "link,mass\nhnd,1\n")
        for options, words in ((["--masses", "wrong.csv"], 'wrong.csv:2:1: found "hnd"'),
                               (["--masses", "absent.csv"], "absent.csv"),
                               (["--total-mass", "1", "--masses", "masses.csv"], "more than the 1.5 kg"),
                               (["--total-mass", "-1"], "above 0"), (["--density", "iron"], "--density"),
                               (["--density", "1", "--total-mass", "1"], "--total-mass")):
            with self.subTest(options):
                said = self.run_program("import", "robot.urdf", "-o", "other.json", *options, code=BAD_INPUT)
                self.assertIn(words, said.stderr)
                self.assertFalse((self.folder / "other.json").exists())
        self.write("robot.urdf", ARM.replace(INERTIAL, ""))
        said = self.run_program("import", "robot.urdf", "-o", "other.json", "--density", "1", code=BAD_INPUT)
        self.assertIn("no link without mass that has a shape", said.stderr)

    def test_looks_become_one_mesh_for_each_body(self):
        def look(shape, colour):
            return (f"<visual><geometry>{shape}</geometry><material name='{colour}'><color rgba='{colour} 1'/>"
                    "</material></visual>")
        model, said = self.imported(changed('<link name="base"/>', '<link name="base">'
                                            + look('<box size="1 2 3"/>', "1 0 0")
                                            + look('<sphere radius="0.2"/>', "0 0 1") + "</link>"))
        self.assertEqual(model["bodies"][0]["visual"], {"mesh": "model_meshes/base.obj"})
        self.assertIn("1 mesh in model_meshes", said.stdout)
        lines = (self.folder / "model_meshes/base.obj").read_text().splitlines()
        corners = [line for line in lines if line.startswith("v ") and line.endswith(" 1 0 0")]
        self.assertEqual(len(corners), 8)
        self.assertIn("v 0.5 1 1.5 1 0 0", corners)
        self.assertTrue(any(line.endswith(" 0 0 1") for line in lines))
        self.run_program("view", "model.json", "-o", "view.html")

    def test_inertias_that_no_body_has(self):
        wrong = ARM.replace('izz="0.01"', 'izz="0.05"', 1)  # of upper-arm
        model, said = self.imported(wrong)
        self.assertIn("the inertia of 1 link (upper-arm; the worst is upper-arm, by 60 % of its "
                      "largest principal moment): kept as it is", said.stderr)
        self.assertEqual((model["bodies"][1]["inertia"][2], model["bodies"][1]["any_inertia"]),
                         (0.05, True))
        kept = self.loads(model)
        model, said = self.imported(wrong, "--inertia", "nearest")
        self.assertIn("the nearest that a body can have takes its place", said.stderr)
        # 0.01 and 0.01 grow and 0.05 shrinks by a third of 0.05 - 0.01 - 0.01
        for moment, expected in zip(model["bodies"][1]["inertia"], (0.02, 0.02, 0.04, 0, 0, 0)):
            self.assertAlmostEqual(moment, expected, 14)
        self.assertNotEqual(self.loads(model), kept)
        self.run_program("import", "robot.urdf", "-o", "other.json", "--inertia", "refuse",
                         code=BAD_INPUT)
        self.assertFalse((self.folder / "other.json").exists())
        # a negative principal moment, that of the whole part still positive, and not
        negative = ARM.replace('ixx="0.01"', 'ixx="-0.001"', 1)
        model, _ = self.imported(negative)
        self.assertNotIn("any_inertia", model["bodies"][1])
        self.run_program("import", "robot.urdf", "-o", "other.json", "--inertia", "as-is",
                         code=BAD_INPUT)
        heavy = '<link name="lead"><inertial><mass value="9"/>' + INERTIA.replace("0.01", "1") + (
            '</inertial></link><joint name="bolt" type="fixed"><parent link="upper-arm"/>'
            '<child link="lead"/></joint>')
        model, _ = self.imported(negative.replace("</robot>", heavy + "</robot>"))
        self.assertTrue(model["bodies"][1]["any_inertia"])

    def test_inertias_of_what_cannot_move(self):
        for inertia in ('ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.01"',
                        'ixx="0" ixy="0.000003" ixz="0" iyy="0" iyz="0" izz="0.000003"'):
            model, said = self.imported(changed('<link name="base"/>', '<link name="base"><inertial>'
                                                f'<mass value="4"/><inertia {inertia}/></inertial></link>'))
            self.assertNotIn("no real body", said.stderr)
            self.assertIn("1 x inertia of a link that cannot move", said.stderr)
            own = self.loads(model)
            self.assertEqual(own, self.loads(self.imported(ARM)[0]))

    def test_springs_of_joints(self):
        model, _ = self.imported(with_joint(
            '<gazebo reference="shoulder"><springStiffness>5</springStiffness>'
            '<springReference>0.3</springReference></gazebo>'))
        self.assertEqual(model["springs"], [{"name": "shoulder_spring", "type": "torsion",
                                             "joint": "upper_arm", "rate": 5, "free_angle": 0.3,
                                             "source": "urdf"}])
        sprung = self.loads(model)["shoulder.load"]
        bare = self.loads(self.imported(ARM)[0])["shoulder.load"]
        angles = [0.3 + 0.2 * math.sin(2 * math.pi * t + 0.4) for t in (0, 0.25, 0.5, 0.75, 1)]
        for with_spring, without, angle in zip(sprung, bare, angles):
            self.assertAlmostEqual(with_spring, without + 5 * (angle - 0.3), 9)

    def test_blanks_around_numbers(self):
        model, _ = self.imported(ARM)
        for old, new in (('izz="0.01"', 'izz=" 0.01 "'), ('lower="-1"', 'lower=" -1"'),
                         ('xyz="0.1 0 0"', 'xyz="  0.1   0\t0 "'), ('value="2"', 'value="2 "')):
            self.assertEqual(self.imported(ARM.replace(old, new))[0], model)

    def test_the_same_words_stand_once(self):
        _, said = self.imported(ARM.replace("<parent ", "<axiz/><gains/><parent "))
        self.assertIn('<axiz> is left out; did you mean "axis"? (and at 1 more places)', said.stderr)
        self.assertIn("2 x <gains>", said.stderr)
        self.assertEqual(len(said.stderr.splitlines()), 2)

    def test_files_as_people_have_them(self):
        model, _ = self.imported(changed('name="arm"', 'name=""'))
        self.assertEqual(model["name"], "robot")
        tip = ('<link name="tip"/><joint name="tool" type="fixed"><parent link="hand"/>'
               '<child link="tip"/><mimic joint="wrist" multiplier="-1"/></joint>')
        model, said = self.imported(with_joint(tip))
        self.assertIn("1 x <mimic> of a fixed joint", said.stderr)
        self.assertNotIn("couplings", model)
        model, said = self.imported(changed('lower="-1" upper="2"', 'lower="0" upper="0"'))
        self.assertNotIn("max_position", model["actuators"][0])
        grey = '<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>'
        _, said = self.imported(with_joint(grey + grey))
        self.assertEqual(said.stderr, "")

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
        for absent in ("absent.stl", "package://legs/a.stl", "file:///absent.stl"):
            model, said = self.imported(visual(absent))
            self.assertNotIn("visual", model["bodies"][0])
            self.assertIn("1 x mesh that is not found (--package NAME=FOLDER", said.stderr)

    def test_packages_are_found_above_the_file(self):
        for folder in ("arm/urdf", "arm/meshes"):
            (self.folder / folder).mkdir(parents=True)
        (self.folder / "arm/meshes/a.stl").write_text("solid a\nendsolid a\n")
        (self.folder / "arm/urdf/arm.urdf").write_text(visual("package://arm/meshes/a.stl"))
        self.run_program("import", "arm/urdf/arm.urdf", "-o", "model.json")
        self.assertEqual(json.loads(self.read("model.json"))["bodies"][0]["visual"]["mesh"],
                         "arm/meshes/a.stl")

    def test_xacro_is_run_where_it_is(self):
        text = ARM.replace('value="2"', 'value="${m}"')
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "xacro").write_text('#!/bin/sh\nsed "s/\\${m}/2/" "$1"\n')
        (tools / "xacro").chmod(0o755)
        self.write("o'ne.urdf", text)
        said = self.run_program("import", "o'ne.urdf", "-o", "model.json",
                                env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        self.assertIn("note: xacro was run, which evaluates the Python expressions", said.stderr)
        # which leaves nothing out and changes nothing
        strict = self.run_program("import", "o'ne.urdf", "-o", "model.json", "--strict", "--json",
                                  env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        self.assertTrue(json.loads(strict.stdout)["xacro"])
        expanded = json.loads(self.read("model.json"))
        self.assertEqual(expanded["bodies"], self.imported(ARM)[0]["bodies"])
        (tools / "xacro").write_text("#!/bin/sh\nexit 1\n")
        said = self.run_program("import", "o'ne.urdf", "-o", "other.json", code=BAD_INPUT,
                                env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
        self.assertIn("see why xacro fails", said.stderr)

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
