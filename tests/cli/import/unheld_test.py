#!/usr/bin/env python3
"""What files say of loads and models do not hold is told in words, with its number and its joint."""

import unittest

from program import BAD_INPUT, ScratchFolder

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
SDF_MASS = "<inertial><mass>1</mass></inertial>"
INERTIAL = '<inertial pos="0.5 0 0" mass="1" diaginertia="1 1 1"/>'


def urdf(joint="", link="", more=""):
    return (f'<robot name="r"><link name="base"/><link name="arm">{MASS}{link}</link>'
            '<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>'
            f'{joint}</joint>{more}</robot>')


def sdf(joint="", link="", more="", kind="revolute"):
    return (f'<sdf version="1.9"><model name="r"><link name="base"/><link name="arm">{SDF_MASS}{link}</link>'
            f'<joint name="j" type="{kind}"><parent>base</parent><child>arm</child>'
            f'<axis><xyz>0 1 0</xyz></axis>{joint}</joint>{more}</model></sdf>')


def mjcf(joint="", actuator="", tendon=""):
    return (f'<mujoco><worldbody><site name="w"/><body>{INERTIAL}<joint name="j" axis="0 1 0" {joint}/>'
            f'<site name="s" pos="1 0 0"/></body></worldbody><actuator>{actuator}</actuator>'
            f'<tendon>{tendon}</tendon></mujoco>')


PIN = ('<joint name="pin" type="ball"><parent>base</parent><child>arm</child><axis><dynamics><damping>3</damping>'
       "<spring_stiffness>7</spring_stiffness></dynamics></axis></joint>")
# what is in a file, and what has to be told of it
TOLD = [
    ("r.urdf", urdf('<dynamics damping="0.5"/>'), "j (damping 0.5 N m s/rad)"),
    ("r.urdf", urdf("<dynamics><damping>0.5</damping></dynamics>"), "damping 0.5 of j"),
    ("r.urdf", urdf('<armature value="0.1"/>'), "armature 0.1 of j"),
    ("r.urdf", urdf('<dynamics armature="0.1"/>'), 'armature="0.1" is left out'),
    ("r.urdf", urdf(link='<spring stiffness="4"/>'), "stiffness 4 of arm"),
    ("r.urdf", urdf(more='<transmission name="t"><actuator name="m"><drake:rotor_inertia value="0.002"/>'
                    "</actuator></transmission>"), "rotor inertia 0.002 of t"),
    ("r.urdf", urdf(more='<drake:linear_spring_damper><drake:linear_spring_damper_stiffness value="9"/>'
                    "</drake:linear_spring_damper>"), "linear spring damper stiffness 9 of <drake:linear_spring"),
    ("r.urdf", urdf(more="<gazebo><springStiffness>5</springStiffness></gazebo>"),
     "spring stiffness 5 of <gazebo>"),
    ("r.sdf", sdf("<drake:rotor_inertia>0.002</drake:rotor_inertia>"), "rotor inertia 0.002 of j"),
    ("r.sdf", sdf("<axis2><xyz>1 0 0</xyz><dynamics><spring_stiffness>6</spring_stiffness></dynamics></axis2>",
                  kind="universal"), "spring stiffness 6 of j"),
    ("r.sdf", sdf(kind="ball").replace("</xyz>", "</xyz><dynamics><friction>2</friction></dynamics>"),
     "friction 2 of j"),
    ("r.sdf", sdf(link="<pose>0 0 0 0 0 0</pose>", more='<link name="rod">' + SDF_MASS + "</link>"
                  + PIN.replace('"pin"', '"k"').replace("<parent>base", "<parent>arm")
                  .replace("<child>arm", "<child>rod") + PIN.replace("<child>arm", "<child>rod")),
     "damping 3 of k, spring stiffness 7 of k, damping 3 of pin, spring stiffness 7 of pin"),
    ("r.xml", mjcf('damping="0 0.3" armature="0.1"'), "left out of j: armature 0.1, damping 0.3"),
    ("r.xml", mjcf(actuator='<motor joint="j" armature="0.1"/>'), "armature of an actuator"),
    ("r.xml", mjcf('springdamper="0.1 1"', '<motor joint="j" armature="0.1"/>'),
     "joint: note: springdamper of 1 joint becomes the stiffness for inertias without the armature"),
    ("r.xml", mjcf('springdamper="0.1 1"', tendon='<fixed name="t" armature="0.1"><joint joint="j" coef="1"/></fixed>'),
     "joint: note: springdamper of 1 joint becomes the stiffness for inertias without the armature"),
    ("r.xml", mjcf(tendon='<spatial name="t" armature="0.1" damping="0 2" stiffness="5"><site site="w"/>'
                   '<site site="s"/></spatial>'), "damping and friction loss of the tendon t"),
]
# what loads do not depend on
QUIET = [
    urdf(link='<collision><surface><friction>1</friction></surface></collision>'),
    urdf(more='<gazebo reference="arm"><mu1>1</mu1><kp>1e6</kp><implicitSpringDamper>true</implicitSpringDamper>'
              "</gazebo>"),
    urdf('<dynamics damping="0" friction="0"/>', more='<gazebo><plugin name="p"><stiffness>5</stiffness></plugin>'
                                                      "</gazebo>"),
]


class Unheld(ScratchFolder):
    def said(self, name, text, code=0):
        self.write(name, text)
        return self.run_program("import", name, "-o", "model.json", code=code).stderr

    def test_what_loads_depend_on_is_told_with_its_number(self):
        for name, text, words in TOLD:
            with self.subTest(words, name=name):
                self.assertIn(words, self.said(name, text))

    def test_armature_is_not_told_to_change_no_load(self):
        said = self.said("r.xml", mjcf(actuator='<motor joint="j" armature="0.1" damping="0.2"/>'))
        self.assertIn("1 armature of an actuator, 1 damping of an actuator", said)
        self.assertNotIn("no load", said)

    def test_what_they_do_not_depend_on_is_not(self):
        for text in QUIET:
            with self.subTest(text):
                self.assertNotIn("loads depend", self.said("r.urdf", text))

    def test_constraints_that_are_not_read_are_refused(self):
        for name, text in (("r.urdf", urdf(more="<drake:ball_constraint/>")),
                           ("r.sdf", sdf(more="<drake:ball_constraint/>"))):
            self.assertIn("found <drake:ball_constraint>, which holds links together",
                          self.said(name, text, BAD_INPUT))


if __name__ == "__main__":
    unittest.main()
