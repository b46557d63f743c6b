#!/usr/bin/env python3
"""Importing SDF, and loops of URDF and SDF: the same robot in several formats has the same loads."""

import csv
import io
import json
import random
import unittest

import numpy as np
from program import BAD_INPUT, ScratchFolder

AXES = ([1, 0, 0], [0, 1, 0], [0, 0, 1])
INERTIA = "<ixx>0.01</ixx><iyy>0.02</iyy><izz>0.02</izz>"


def rotation(rpy):
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                     [-sp, cp * sr, cp * cr]])


def rpy_of(r):
    return np.array([np.arctan2(r[2, 1], r[2, 2]), np.arcsin(-r[2, 0]), np.arctan2(r[1, 0], r[0, 0])])


def pose(transform):
    return " ".join(map(repr, [*map(float, transform[:3, 3]), *map(float, rpy_of(transform[:3, :3]))]))


def transform(xyz, rpy):
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = rotation(rpy), xyz
    return made


class Chance(random.Random):
    def vector(self, size):
        return np.array([self.uniform(-size, size) for _ in range(3)])

    def inertia(self):
        """Of a body with mass: principal moments of three positive second moments."""
        a, b, c = (self.uniform(0.001, 0.1) for _ in range(3))
        r = rotation(self.vector(3))
        return r @ np.diag([b + c, a + c, a + b]) @ r.T


def random_robot(chance):
    """The same tree as URDF, and as SDF whose poses stand in frames of every kind."""
    urdf, sdf = ['<robot name="r"><link name="link_0"/>'], ['<link name="link_0"/>']
    placed, names = [np.eye(4)], []
    for i in range(1, chance.randint(2, 6)):
        above = chance.randrange(i)
        kind = chance.choice(["fixed", "revolute", "continuous", "prismatic"])
        origin = transform(chance.vector(0.5), chance.vector(1.2))
        placed.append(placed[above] @ origin)
        axis = chance.vector(1)
        com, turn, mass, inertia = chance.vector(0.2), chance.vector(1.2), chance.uniform(0.1, 5), chance.inertia()
        entries = {"ixx": inertia[0, 0], "ixy": inertia[0, 1], "ixz": inertia[0, 2],
                   "iyy": inertia[1, 1], "iyz": inertia[1, 2], "izz": inertia[2, 2]}
        text = " ".join(f'{name}="{float(value)!r}"' for name, value in entries.items())
        numbers = lambda v: " ".join(repr(float(x)) for x in v)
        limit = '<limit lower="-9" upper="9" effort="1e6" velocity="1e3"/>'
        urdf.append(f'<link name="link_{i}"><inertial><origin xyz="{numbers(com)}" rpy="{numbers(turn)}"/>'
                    f'<mass value="{mass!r}"/><inertia {text}/></inertial></link>'
                    f'<joint name="joint_{i}" type="{kind}"><origin xyz="{numbers(origin[:3, 3])}" '
                    f'rpy="{numbers(rpy_of(origin[:3, :3]))}"/><parent link="link_{above}"/>'
                    f'<child link="link_{i}"/><axis xyz="{numbers(axis)}"/>'
                    f'{"" if kind == "continuous" else limit}</joint>')
        # the link's own frame lies elsewhere than the joint's
        offset = transform(chance.vector(0.3), chance.vector(1.2))
        link = placed[i] @ offset
        local = np.linalg.inv(offset) @ transform(com, turn)
        base = chance.choice(["", "link_0", "frame"])
        inside = {"": np.eye(4), "link_0": np.eye(4), "frame": transform([0.1, 0.2, 0.3], [0.3, 0, 0])}[base]
        relative = f' relative_to="{base}"' if base else ""
        sdf.append(f'<link name="link_{i}"><pose{relative}>{pose(np.linalg.inv(inside) @ link)}</pose>'
                   f'<inertial><pose>{pose(local)}</pose><mass>{mass!r}</mass><inertia>'
                   + "".join(f"<{name}>{float(value)!r}</{name}>" for name, value in entries.items())
                   + "</inertia></inertial></link>")
        expressed = chance.random() < 0.5
        direction = placed[i][:3, :3] @ axis if expressed else axis
        sdf.append(f'<joint name="joint_{i}" type="{kind}"><pose>{pose(np.linalg.inv(offset))}</pose>'
                   f'<parent>link_{above}</parent><child>link_{i}</child><axis><xyz'
                   f'{" expressed_in=" + chr(34) + "__model__" + chr(34) if expressed else ""}>'
                   f'{numbers(direction)}</xyz></axis></joint>')
        if kind != "fixed":
            names.append(f"joint_{i}")
    chance.shuffle(sdf)
    model = ('<sdf version="1.10"><model name="r"><frame name="frame"><pose>0.1 0.2 0.3 0.3 0 0</pose>'
             '</frame>' + "".join(sdf) + "</model></sdf>")
    return "".join(urdf) + "</robot>", model, names


class SdfImport(ScratchFolder):
    def imported(self, name, text, *options):
        self.write(name, text)
        self.run_program("import", name, "-o", "model.json", *options)
        return json.loads((self.folder / "model.json").read_text())

    def loads(self, names):
        self.write("motion.json", {
            "format": "counterpoise-motion/1", "duration": 1, "step": 0.25, "coordinates": {
                name: {"type": "sine", "mean": 0.1 * i, "amplitude": 0.4, "period": 1.5, "phase": i}
                for i, name in enumerate(names)}})
        said = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        rows = list(csv.DictReader(io.StringIO(said)))
        return np.array([[float(row[f"{name}.load"]) for name in names] for row in rows])

    def check_same(self, ours, expected):
        self.assertLessEqual(np.abs(ours - expected).max(), 1e-9 * np.abs(expected).max())


class Trees(SdfImport):
    def test_random_trees_have_the_loads_of_the_same_robot_in_urdf(self):
        chance = Chance(20261127)
        compared = 0
        while compared < 20:
            urdf, sdf, names = random_robot(chance)
            if not names:
                continue
            self.imported("robot.urdf", urdf)
            expected = self.loads(names)
            self.imported("robot.sdf", sdf)
            self.check_same(self.loads(names), expected)
            compared += 1

    def test_a_joint_with_the_name_of_its_link(self):
        model = self.imported("r.sdf", sdf(LINK + JOINT.replace('name="j"', 'name="a"')))
        self.assertEqual([a["name"] for a in model["actuators"]], ["a"])

    def test_a_model_that_stands_askew(self):
        urdf, sdf, names = random_robot(Chance(5))
        askew = transform([1, 2, 3], [0.3, 0.4, 0.5])
        self.imported("robot.sdf", sdf.replace('<model name="r">', f'<model name="r"><pose>{pose(askew)}</pose>'))
        ours = self.loads(names)
        holder = (f'<link name="holder"/><joint name="held" type="fixed"><origin xyz="1 2 3" '
                  f'rpy="0.3 0.4 0.5"/><parent link="holder"/><child link="link_0"/></joint>')
        self.imported("robot.urdf", urdf.replace("</robot>", holder + "</robot>"))
        self.check_same(ours, self.loads(names))


def inertial(x):
    return f'<inertial><origin xyz="{x} 0 0"/><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" ' \
           'iyy="0.01" iyz="0" izz="0.01"/></inertial>'


# a four-bar linkage: the crank a, the coupler b and the rocker c stand on a post each
CRANK = (f'<robot name="four_bar"><link name="base"/><link name="a">{inertial(0.1)}</link>'
         f'<link name="b">{inertial(0.15)}</link><link name="c">{inertial(0.1)}</link>'
         '<joint name="ja" type="continuous"><origin rpy="0 -1.2 0"/><parent link="base"/><child link="a"/>'
         '<axis xyz="0 1 0"/></joint>'
         '<joint name="jb" type="continuous"><origin xyz="0.2 0 0" rpy="0 1.4 0"/><parent link="a"/>'
         '<child link="b"/><axis xyz="0 1 0"/></joint>'
         '<joint name="jc" type="continuous"><origin xyz="0.4 0 0" rpy="0 -1.3 0"/><parent link="base"/>'
         '<child link="c"/><axis xyz="0 1 0"/></joint>')
B_TIP, C_TIP = "0.45 0 0", "0.25 0 0"
LOOPS = {
    "loop": f'<loop name="pin" type="continuous"><predecessor link="b"><origin xyz="{B_TIP}"/></predecessor>'
            f'<successor link="c"><origin xyz="{C_TIP}"/></successor><axis xyz="0 1 0"/></loop>',
    "loop_joint": f'<loop_joint name="pin" type="revolute"><parent link="b"/><child link="c"/><parent_origin '
                  f'xyz="{B_TIP}"/><child_origin xyz="{C_TIP}"/><axis xyz="0 1 0" frame="parent"/></loop_joint>',
    "link1": f'<loop_joint name="pin" type="revolute"><link1 link="b" xyz="{B_TIP}" rpy="0 0 0"/>'
             f'<link2 link="c" xyz="{C_TIP}" rpy="0 0 0"/><axis xyz="0 1 0"/></loop_joint>',
    "constraint": f'<constraint name="pin" type="revolute"><parent link="b"/><parent_origin xyz="{B_TIP}"/>'
                  f'<child link="c"/><child_origin xyz="{C_TIP}"/><axis xyz="0 1 0"/></constraint>',
    "ball": f'<loop name="pin" type="ball"><predecessor link="b"><origin xyz="{B_TIP}"/></predecessor>'
            f'<successor link="c"><origin xyz="{C_TIP}"/></successor></loop>'}
BY_HAND = {
    "format": "counterpoise-model/1", "name": "four_bar", "bodies": [
        {"name": name, "parent": parent, "mass": 1, "com": [x, 0, 0], "inertia": [0.001, 0.01, 0.01, 0, 0, 0],
         "joint": {"type": "revolute", "axis": "y", "origin": origin, "rotation": {"rpy": [0, turn, 0]}},
         "points": points}
        for name, parent, x, origin, turn, points in (
            ("a", "world", 0.1, [0, 0, 0], -1.2, {}),
            ("b", "a", 0.15, [0.2, 0, 0], 1.4, {"tip": [0.45, 0, 0]}),
            ("c", "world", 0.1, [0.4, 0, 0], -1.3, {"tip": [0.25, 0, 0]}))],
    "loops": [{"name": "pin", "connect": ["b.tip", "c.tip"], "axes": ["y", "y"], "keep": "parallel"}],
    "actuators": [{"name": "ja", "joint": "a"}]}


class Loops(SdfImport):
    def by_hand(self):
        self.write("model.json", BY_HAND)
        return self.loads(["ja"])

    def test_a_loop_in_every_dialect(self):
        expected = self.by_hand()
        for name, loop in LOOPS.items():
            with self.subTest(name):
                model = self.imported("robot.urdf", CRANK + loop + "</robot>")
                self.assertEqual([a["name"] for a in model["actuators"]], ["ja"])
                self.assertEqual(len(model["loops"]), 1)
                self.check_same(self.loads(["ja"]), expected)

    def test_a_loop_that_gazebo_adds(self):
        # a joint of SDF closes where its child stands in the zero configuration: a parallelogram
        bars = "".join(
            f'<joint name="{name}" type="continuous"><origin xyz="{xyz}"/><parent link="{parent}"/>'
            f'<child link="{child}"/><axis xyz="0 1 0"/></joint>'
            for name, xyz, parent, child in (("ja", "0 0 0", "base", "a"), ("jb", "0 0 0.2", "a", "b"),
                                             ("jc", "0.4 0 0", "base", "c")))
        links = '<link name="base"/>' + "".join(f'<link name="{n}">{inertial(0.1)}</link>' for n in "abc")
        gazebo = ('<gazebo><joint name="pin" type="revolute"><parent>b</parent><child>c</child>'
                  '<pose>0 0 0.2 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint></gazebo>')
        pin = ('<loop name="pin" type="continuous"><predecessor link="b"><origin xyz="0.4 0 0"/></predecessor>'
               '<successor link="c"><origin xyz="0 0 0.2"/></successor><axis xyz="0 1 0"/></loop>')
        robot = f'<robot name="r">{links}{bars}'
        self.imported("robot.urdf", robot + pin + "</robot>")
        expected = self.loads(["ja"])
        self.imported("robot.urdf", robot + gazebo + "</robot>")
        self.check_same(self.loads(["ja"]), expected)
        # and in SDF, where one link has two parents
        sdf = "".join(
            f'<link name="{name}"><pose>{xyz} 0 0 0</pose><inertial><pose>0.1 0 0 0 0 0</pose><mass>1</mass>'
            "<inertia><ixx>0.001</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>"
            for name, xyz in (("a", "0 0 0"), ("b", "0 0 0.2"), ("c", "0.4 0 0")))
        axis = "<axis><xyz>0 1 0</xyz></axis>"
        for reverse in (False, True):  # whichever of c's joints comes first is in the tree
            joints = [f'<joint name="ja" type="revolute"><parent>world</parent><child>a</child>{axis}</joint>',
                      f'<joint name="jb" type="revolute"><parent>a</parent><child>b</child>{axis}</joint>',
                      f'<joint name="jc" type="revolute"><parent>world</parent><child>c</child>{axis}</joint>',
                      f'<joint name="pin" type="revolute"><pose>0 0 0.2 0 0 0</pose><parent>b</parent>'
                      f'<child>c</child>{axis}</joint>']
            if reverse:
                joints[2], joints[3] = joints[3], joints[2]
            model = self.imported("robot.sdf", '<sdf version="1.9"><model name="r">' + sdf + "".join(joints)
                                  + "</model></sdf>")
            self.assertEqual([loop["name"] for loop in model["loops"]], ["jc" if reverse else "pin"])
            self.check_same(self.loads(["ja"]), expected)

    def test_which_joints_are_driven(self):
        robot = CRANK + LOOPS["loop"]
        motor = '<transmission name="t"><joint name="jc"/></transmission>'
        self.assertEqual([a["name"] for a in self.imported("r.urdf", robot + motor + "</robot>")["actuators"]],
                         ["jc"])
        self.assertEqual([a["name"] for a in self.imported("r.urdf", robot + "</robot>", "--actuate",
                                                           "jb")["actuators"]], ["jb"])
        self.write("r.urdf", robot + "</robot>")
        said = self.run_program("import", "r.urdf", "-o", "m.json", "--actuate", "ja,jb", code=BAD_INPUT)
        self.assertIn("2 actuators for 1 degrees of freedom", said.stderr)

    def test_loops_are_never_opened(self):
        for loop in (LOOPS["constraint"].replace('<axis xyz="0 1 0"/>', ""),
                     LOOPS["loop"].replace("continuous", "planar"), '<coupling name="c"/>'):
            with self.subTest(loop):
                self.write("r.urdf", CRANK + loop + "</robot>")
                self.run_program("import", "r.urdf", "-o", "other.json", code=BAD_INPUT)
                self.assertFalse((self.folder / "other.json").exists())
                said = self.run_program("import", "r.urdf", "-o", "tree.json", "--open-loops").stderr
                self.assertIn("is left out (--open-loops)", said)
                self.assertEqual(len(json.loads((self.folder / "tree.json").read_text())["actuators"]), 3)


def sdf(inside, version="1.7"):
    return f'<sdf version="{version}"><model name="m">{inside}</model></sdf>'


LINK = f'<link name="a"><inertial><mass>1</mass><inertia>{INERTIA}</inertia></inertial></link>'
JOINT = '<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>'
WRONG = [
    ("no model", '<sdf version="1.7"/>', ["no <model>"]),
    ("two models", '<sdf><model name="a"/><model name="b"/></sdf>', ["2 models", "alone"]),
    ("no link", sdf(""), ["no <link>"]),
    ("a model in it", sdf(LINK + '<include><uri>x</uri></include>'), ["<include>", "gz sdf -p"]),
    ("a name twice", sdf(LINK + LINK), ["second link", '"a"']),
    ("no number", sdf(LINK.replace("<mass>1", "<mass>one")), ['"one"', "expected a number"]),
    ("a negative mass", sdf(LINK.replace("<mass>1", "<mass>-1")), ["mass of -1 kg"]),
    ("five numbers", sdf(LINK.replace("<inertial>", "<pose>0 0 0 0 0</pose><inertial>")), ["six numbers"]),
    ("an unknown type", sdf(LINK + JOINT.replace("revolute", "revolut")), ['did you mean "revolute"']),
    ("a child that is not there", sdf(LINK + JOINT.replace("<child>a", "<child>aa")), ['did you mean "a"']),
    ("no axis", sdf(LINK + JOINT.replace("<axis><xyz>0 1 0</xyz></axis>", "")), ["without <axis>"]),
    ("an axis of length 0", sdf(LINK + JOINT.replace("0 1 0", "0 0 0")), ["length 0"]),
    ("a frame in a circle", sdf(LINK + '<frame name="f"><pose relative_to="g"/></frame><frame name="g">'
                                '<pose relative_to="f"/></frame>'
                                + JOINT.replace("0 1 0", "0 1 0").replace(
                                    "<xyz>", '<xyz expressed_in="f">')), ["relative to itself"]),
    ("a screw", sdf(LINK + JOINT.replace("revolute", "screw")), ['"screw"']),
]


class WrongFiles(SdfImport):
    def test_wrong_files_leave_nothing(self):
        for what, text, words in WRONG:
            with self.subTest(what):
                self.write("r.sdf", text)
                said = self.run_program("import", "r.sdf", "-o", "other.json", code=BAD_INPUT).stderr
                for word in words:
                    self.assertIn(word, said)
                self.assertFalse((self.folder / "other.json").exists())


if __name__ == "__main__":
    unittest.main()
