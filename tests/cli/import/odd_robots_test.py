#!/usr/bin/env python3
"""Robots that are written in odd ways: names, flags, couplings and files that a careless import or
conversion would take for something else."""

import csv
import io
import json
import os
import subprocess
import unittest

from program import BAD_INPUT, ScratchFolder

MASS = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>")
I = '<inertial pos="0.5 0 0" mass="1" diaginertia="1 1 1"/>'
TWO = (f'<body name="a">{I}<joint name="j" axis="0 1 0"/><body name="b" pos="1 0 0">{I}'
       '<joint name="k" axis="0 1 0"/></body></body>')


def urdf(link="b", joint="j", inside="", more=""):
    return (f'<robot name="r"><link name="a"/><link name="{link}">{MASS}</link><joint name="{joint}" '
            f'type="continuous"><parent link="a"/><child link="{link}"/>{inside}</joint>{more}</robot>')


def mjcf(bodies=TWO, more="", before=""):
    return f'<mujoco model="m">{before}<worldbody>{bodies}</worldbody>{more}</mujoco>'


class OddRobots(ScratchFolder):
    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def imported(self, name, text, *options):
        self.write(name, text)
        said = self.run_program("import", name, "-o", "model.json", *options)
        return json.loads(self.read("model.json")), said.stderr

    def refused(self, name, text, *options):
        self.write(name, text)
        before = self.contents()
        said = self.run_program("import", name, "-o", "model.json", *options, code=BAD_INPUT).stderr
        self.assertEqual(self.contents(), before)
        return said

    def loads(self, **held):
        """Of all actuators of model.json while these stand still."""
        self.write("motion.json", json.dumps({
            "format": "counterpoise-motion/1", "duration": 1, "step": 1,
            "coordinates": {name: {"type": "hold", "value": value} for name, value in held.items()}}))
        said = self.run_program("simulate", "model.json", "--motion", "motion.json").stdout
        row = next(csv.DictReader(io.StringIO(said)))
        return {name[:-5]: float(value) for name, value in row.items() if name.endswith(".load")}


class Urdf(OddRobots):
    def test_names_that_two_parsers_read_apart(self):
        for name in ("j\tk", "j\nk", "&#xE9;", "&#x1F600;", "caf\u00e9", "&amp;"):
            for place in ("link", "joint"):
                with self.subTest(name=name, place=place):
                    model, _ = self.imported("r.urdf", urdf(**{place: name}))
                    self.assertEqual(len(model["actuators"]), 1)
        _, said = self.imported("r.urdf", urdf(more='<?x > <link name="q"/> ?>'))
        self.assertEqual(said, "")

    def test_what_is_misspelt_is_listed(self):
        text = urdf(inside='<axes xyz="0 0 1"/><origin xzy="0 0 1"/>').replace("<inertial>",
                                                                               '<inertial><orgin/>')
        _, said = self.imported("r.urdf", text)
        for words in ('<axes> is left out; did you mean "axis"?', 'xzy="0 0 1" is left out',
                      '<orgin> is left out; did you mean "origin"?'):
            self.assertIn(words, said)

    def test_what_counts_once_stands_once(self):
        for twice in ('<axis xyz="1 0 0"/>', '<mimic joint="j"/>', '<parent link="a"/>'):
            self.assertIn("found a second", self.refused("r.urdf", urdf(inside=twice * 2)))
        self.assertIn("found a second <inertial>",
                      self.refused("r.urdf", urdf().replace(MASS, MASS * 2)))

    def test_looks_that_are_no_looks_are_listed(self):
        broken = "<visual><geometry><mesh/></geometry></visual>"
        box = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
        _, said = self.imported("r.urdf", urdf().replace(MASS, MASS + broken + box))
        self.assertIn("1 x look that cannot be read", said)

    def test_options_that_do_not_fit(self):
        self.assertIn('did you mean "j"', self.refused("r.urdf", urdf(), "--actuate", "jj"))
        self.assertIn("a second time",
                      self.refused("r.urdf", urdf(), "--package", "a=1", "--package", "a=2"))
        self.assertIn("<axis xyz", self.refused("r.urdf", urdf(inside="<axis/>")))
        self.assertIn("no mass on anything", self.refused(
            "r.urdf", '<robot name="r"><link name="base"/></robot>', "--base", "floating"))

    def test_springs_between_links_whose_names_become_one(self):
        other = f'<link name="a.b">{MASS}</link><link name="a-b">{MASS}</link>' + "".join(
            f'<joint name="{j}" type="continuous"><parent link="b"/><child link="{child}"/>'
            '<axis xyz="0 1 0"/></joint>' for j, child in (("k", "a.b"), ("l", "a-b")))
        self.imported("r.urdf", urdf(more=other), "--suggest-springs", "a-b,b")
        model = json.loads(self.read("model.json"))
        self.assertTrue(model["springs"][0]["connect"][0].startswith("a_b_2."))
        self.run_program("check", "model.json")


    def test_springs_relieve_actuators_that_move_by_couplings(self):
        other = (f'<link name="c">{MASS}</link><joint name="k" type="continuous"><parent link="b"/>'
                 '<child link="c"/><axis xyz="0 1 0"/><mimic joint="j"/></joint>')
        self.imported("r.urdf", urdf(more=other), "--suggest-springs", "c,b")
        study = json.loads(self.read("model_study.json"))
        self.assertEqual(study["objectives"][0]["of"], ["j"])


class Mjcf(OddRobots):
    def test_flags(self):
        self.imported("r.xml", mjcf(before='<option><flag gravity="disable"/></option>'))
        self.assertEqual(self.loads(j=0.3, k=0.2), {"j": 0.0, "k": 0.0})
        springs = TWO.replace('<joint name="j"', '<joint name="j" stiffness="5" springref="30"')
        model, said = self.imported(
            "r.xml", mjcf(springs, before='<option><flag passive="disable"/></option>'))
        self.assertNotIn("springs", model)
        self.assertIn("the stiffness of j is left out: it is disabled", said)
        joined = '<equality><joint joint1="k" joint2="j" polycoef="0 2 0 0 0"/></equality>'
        model, said = self.imported(
            "r.xml", mjcf(more=joined, before='<option><flag equality="disable"/></option>'))
        self.assertNotIn("couplings", model)
        self.assertIn("it is not active", said)

    def test_a_site_with_the_name_of_a_point_of_a_loop(self):
        bodies = f"""<site name="w" pos="0 0 1"/>
          <body name="a">{I}<joint name="j" axis="0 1 0"/><site name="pin_1" pos="1 0 0"/>
           <body name="b" pos="1 0 0">{I}<joint name="k" axis="0 1 0"/></body></body>
          <body name="c" pos="0 0 2">{I}<joint name="l" axis="0 1 0"/></body>"""
        more = """<tendon><spatial name="t" stiffness="10" springlength="0.2"><site site="w"/>
          <site site="pin_1"/></spatial></tendon><equality><connect name="pin" body1="b" body2="c"
          anchor="1 0 0"/></equality><actuator><motor joint="j"/></actuator>"""
        model, _ = self.imported("r.xml", mjcf(bodies, more))
        self.assertEqual(model["springs"][0]["connect"], ["world.w", "a.pin_1"])

    def test_suggested_mounts_move_no_other_spring(self):
        bodies = ('<site name="w" pos="0 0 1"/>' +
                  TWO.replace('<body name="b"', '<site name="a_spring" pos="1 0 0"/><body name="b"'))
        more = ('<tendon><spatial name="t" stiffness="10"><site site="w"/><site site="a_spring"/>'
                "</spatial></tendon>")
        model, _ = self.imported("r.xml", mjcf(bodies, more), "--suggest-springs", "a,world")
        a = next(body for body in model["bodies"] if body["name"] == "a")
        self.assertEqual(a["points"]["a_spring"], [1, 0, 0])
        self.assertEqual(len(model["springs"]), 2)

    def test_constraints_that_do_not_act_do_not_choose_actuators(self):
        idle = '<equality><connect body1="b" anchor="1 0 0" active="false"/></equality>'
        model, _ = self.imported("r.xml", mjcf(
            more=idle + '<actuator><motor name="m" joint="k"/></actuator>'))
        self.assertEqual([a["name"] for a in model["actuators"]], ["j", "m"])

    def test_joints_beside_a_loop_have_actuators_of_their_own(self):
        bodies = f"""<body name="a">{I}<joint name="ja" axis="0 1 0" ref="1"/><body name="c" pos="0 0 1">
          {I}<joint name="jc" axis="0 1 0"/></body></body><body name="b" pos="1.2 0 0">{I}
          <joint name="jb" axis="0 1 0"/></body><body name="z" pos="0 3 0">{I}<joint name="jz"
          axis="0 1 0"/></body>"""
        more = """<equality><connect body1="c" body2="b" anchor="1.2 0 0"/></equality>
          <actuator><motor name="m" joint="ja"/></actuator>"""
        model, _ = self.imported("r.xml", mjcf(bodies, more))
        self.assertEqual([a["name"] for a in model["actuators"]], ["m", "jz"])

    def test_names_that_are_made_give_way(self):
        bodies = TWO.replace('name="j"', "").replace('name="k"', 'name="joint_0"')
        model, _ = self.imported("r.xml", mjcf(bodies))
        self.assertEqual(len({a["joint"] for a in model["actuators"]}), 2)

    def test_what_vanishes_is_listed(self):
        joined = '<equality><joint joint1="k" joint2="j" polycoef="0 2 0 0 0"/></equality>'
        motors = """<actuator><motor name="m1" joint="k"/><motor name="m2" joint="j" gear="-3"
          forcelimited="true" forcerange="-5 2" ctrllimited="true" ctrlrange="-1 1"/>
          <motor name="m3" joint="j"/><position name="p" joint="j" gear="0"/></actuator>"""
        sensed = '<sensor><jointpos joint="j"/></sensor><keyframe><key/></keyframe>'
        limited = TWO.replace('<joint name="k"', '<joint name="k" limited="true" range="-9 9"')
        _, said = self.imported("r.xml", mjcf(limited.replace('name="j"', 'name="j" stiffness="-5"'),
                                              joined + motors + sensed))
        for words in ("m1 is left out: its joint follows another", "m3 is left out: its joint has",
                      "p is left out: its gear is 0", "from -5 to 2",
                      "left out: 1 key frame, 1 range of a control, 1 sensor", "left out of k: the range",
                      "the stiffness of j is left out: it is negative"):
            self.assertIn(words, said)

    def test_bodies_that_others_move_stand_still(self):
        held = '<equality><weld body1="b" body2="m"/></equality>'
        model, said = self.imported("r.xml", mjcf(TWO + '<body name="m" mocap="true"/>', held))
        self.assertIn("1 bodies of motion capture stand still", said)
        self.assertIn("1 constraint of a body of motion capture", said)
        self.assertNotIn("loops", model)
        self.assertEqual(len(model["actuators"]), 2)

    def test_numbers_that_are_none(self):
        for old, new in (('pos="0.5 0 0"', 'pos="nan 0 0"'), ('axis="0 1 0"', 'axis="nan 0 0"'),
                         ('pos="1 0 0"', 'pos="1 0 0" quat="0 0 0 0"')):
            with self.subTest(new):
                said = self.refused("r.xml", mjcf(TWO.replace(old, new, 1)))
                self.assertNotIn("null", said)
                self.assertNotIn("NaN is", said)

    def test_sizes_that_no_computer_has(self):
        for text in (mjcf(before='<size nkey="100000000"/>'), mjcf(before='<size nuser_body="2000000000"/>')):
            self.imported("r.xml", text)
        self.assertIn("found <composite>", self.refused(
            "r.xml", mjcf(TWO + '<body><composite type="grid" count="300 300 1" spacing="0.1"><geom '
                          'size="0.01"/></composite></body>')))
        self.assertIn("found no <body>", self.refused("r.xml", mjcf("")))

    def test_a_pipe(self):
        os.mkfifo(self.folder / "pipe")
        with subprocess.Popen(["sh", "-c", "cat > pipe"], cwd=self.folder, text=True,
                              stdin=subprocess.PIPE) as writer:
            writer.stdin.write(mjcf())
            writer.stdin.close()
            self.run_program("import", "pipe", "-o", "model.json")
        self.assertEqual(len(json.loads(self.read("model.json"))["bodies"]), 2)

    def test_many_of_a_kind_are_said_together(self):
        damped = TWO.replace('axis="0 1 0"', 'axis="0 1 0" damping="2"')
        _, said = self.imported("r.xml", mjcf(damped, '<actuator><position joint="j"/><position joint="k"/>'
                                              "</actuator>"))
        self.assertIn("left out of 2 joints: damping up to 2", said)
        self.assertIn("2 actuators are taken as motors", said)


class There(OddRobots):
    """Files that convert writes."""

    def chain(self, driven, couplings):
        bodies = [{"name": name, "parent": parent, "mass": 1, "com": [0.5, 0, 0],
                   "inertia": [1, 1, 1, 0, 0, 0],
                   "joint": {"type": "revolute", "axis": "y", "origin": [0 if parent == "world" else 1, 0, 0]}}
                  for name, parent in (("a", "world"), ("b", "a"), ("c", "b"))]
        self.write("model.json", json.dumps({
            "format": "counterpoise-model/1", "bodies": bodies, "couplings": couplings,
            "actuators": [{"name": "m", "joint": driven}]}))

    def test_couplings_lead_from_the_joint_that_is_driven(self):
        for couplings in ([("b", "a", 2), ("c", "b", 3)], [("b", "a", 2), ("b", "c", 3)]):
            self.chain("c", [{"name": f"x{i}", "joint": joint, "of": of, "ratio": ratio}
                             for i, (joint, of, ratio) in enumerate(couplings)])
            before = self.loads(m=0.6)
            self.run_program("convert", "model.json", "--to", "urdf", "-o", "r.urdf")
            self.run_program("import", "r.urdf", "-o", "model.json")
            after = self.loads(m=0.6)
            self.assertEqual(after.keys(), before.keys())
            self.assertAlmostEqual(after["m"], before["m"], places=9)

    def convert_and_import(self, model, to="mjcf"):
        self.write("model.json", json.dumps({"format": "counterpoise-model/1", **model}))
        name = "r.xml" if to == "mjcf" else "r.urdf"
        said = self.run_program("convert", "model.json", "--to", to, "-o", name).stderr
        self.run_program("import", name, "-o", "again.json")
        return json.loads(self.read("again.json")), said

    def arm(self, **changes):
        return {"bodies": [{"name": "a", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
                            "mass": 1, "com": [0.5, 0, 0], "inertia": [1, 1, 1, 0, 0, 0],
                            "points": {"p": [1, 0, 0]}}],
                "world": {"points": {"w": [0, 0, 1]}}, "actuators": [{"name": "m", "joint": "a"}], **changes}

    def test_inertia_without_mass(self):
        model = self.arm()
        model["bodies"].append({"name": "f", "parent": "a", "joint": {"type": "fixed"},
                                "mass": 0, "inertia": [1, 1.5, 1, 0, 0, 0]})
        again, _ = self.convert_and_import(model)
        self.assertEqual(again["bodies"][1]["inertia"][:3], [1, 1.5, 1])

    def test_names_and_limits_that_mujoco_would_refuse(self):
        spring = {"name": "m", "connect": ["world.w", "a.p"], "rate": 10, "free_length": 0.1}
        gas = {"name": "s", "type": "gas", "connect": ["world.w", "a.p"], "initial_tension": -5}
        for changes in ({"springs": [spring]},
                        {"springs": [gas], "actuators": [{"name": "s_constant", "joint": "a"}]},
                        {"actuators": [{"name": "m", "joint": "a", "max_load": 0}]},
                        {"actuators": [{"name": "m", "joint": "a", "min_position": 1, "max_position": 1}]},
                        {"name": "odd \u0001 name"}):
            with self.subTest(changes):
                self.convert_and_import(self.arm(**changes))
        deep = [{"name": f"b{i}", "parent": f"b{i - 1}" if i else "world", "mass": 1,
                 "joint": {"type": "revolute", "axis": "y"}} for i in range(150)]
        self.write("model.json", json.dumps({"format": "counterpoise-model/1", "bodies": deep, "actuators": [
            {"name": f"m{i}", "joint": f"b{i}"} for i in range(150)]}))
        said = self.run_program("convert", "model.json", "--to", "mjcf", "-o", "deep.xml", code=BAD_INPUT)
        self.assertIn("/bodies/90: found a chain of more than 90 bodies", said.stderr)

    def test_limits_in_urdf(self):
        for limits in ({"min_position": -5000, "max_position": 5000}, {"min_position": 2000, "max_position": 3000}):
            again, _ = self.convert_and_import(
                self.arm(actuators=[{"name": "m", "joint": "a", **limits}]), "urdf")
            self.assertEqual({k: again["actuators"][0][k] for k in limits}, limits)
        _, said = self.convert_and_import(
            self.arm(actuators=[{"name": "m", "joint": "a", "min_position": 0}]), "urdf")
        self.assertIn("m has no end above, which URDF does not have: it ends at 1000", said)
        again, _ = self.convert_and_import(self.arm(name=""), "urdf")
        self.assertEqual(again["name"], "robot")


class Files(OddRobots):
    def test_all_files_or_none(self):
        self.write("r.urdf", urdf())
        (self.folder / "x.json").mkdir()
        before = sorted(path.name for path in self.folder.iterdir())
        self.run_program("import", "r.urdf", "-o", "x.json", "--suggest-springs", "b,a",
                         code=BAD_INPUT)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_paths_that_json_does_not_hold(self):
        self.write("r.urdf", urdf())
        said = self.run_program("import", "r.urdf", "-o", os.fsdecode(b"\xfd.json"), code=BAD_INPUT)
        self.assertIn("-o \\xfd.json: expected a path in UTF-8", said.stderr)
        said = self.run_program("import", "r.urdf", "-o", "model.json", "--package",
                                os.fsdecode(b"p=d\xff"), code=BAD_INPUT)
        self.assertIn("expected a path in UTF-8", said.stderr)

    def test_what_was_read_is_not_replaced(self):
        self.write("body.xml", f"<mujoco>{TWO}</mujoco>")
        self.write("r.xml", mjcf('<include file="body.xml"/>'))
        self.run_program("import", "r.xml", "-o", "body.xml", code=BAD_INPUT)
        self.assertIn("<mujoco>", self.read("body.xml"))
        self.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        looks = '<visual><geometry><mesh filename="m.obj"/></geometry></visual>'
        self.write("r.urdf", urdf().replace(MASS, MASS + looks))
        self.run_program("import", "r.urdf", "-o", "m.obj", code=BAD_INPUT)
        self.run_program("import", "r.urdf", "-o", "model.json")
        self.run_program("convert", "model.json", "--to", "mjcf", "-o", "m.obj", code=BAD_INPUT)
        self.assertIn("v 0 0 0", self.read("m.obj"))


if __name__ == "__main__":
    unittest.main()
