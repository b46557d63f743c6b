"""Random robots in MJCF as MuJoCo of today has it: frames, copies, attached and included files, classes
and attributes that are newer than MuJoCo 2.2."""

import math

TETRAHEDRON = "0 0 0  0.2 0 0  0 0.15 0  0 0 0.1  0.15 0.12 0.08"
FACES = "0 2 1  0 1 3  0 3 2  1 4 3  3 4 2  1 2 4"


class Robots:
    """Writes one robot after another into a folder."""

    def __init__(self, generator, folder):
        self.random = generator
        self.folder = folder
        self.count = 0

    def number(self, least, most):
        return self.random.uniform(least, most)

    def vector(self, reach):
        return " ".join(f"{self.number(-reach, reach):.6g}" for _ in range(3))

    def chance(self, share):
        return self.random.random() < share

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def orientation(self):
        angle = 180.0 if self.degrees else math.pi
        return self.random.choice([
            "", f' quat="{self.number(0.2, 1):.6g} {self.vector(1)}"', f' euler="{self.vector(angle / 2)}"',
            f' axisangle="{self.vector(1)} {self.number(-angle, angle):.6g}"',
            f' xyaxes="1 {self.number(-1, 1):.6g} 0 {self.number(-1, 1):.6g} 1 0.3"',
            f' zaxis="{self.vector(1)}"'])

    def geom(self):
        shape = self.random.choice(["sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh", "ends"])
        pose = f' pos="{self.vector(0.1)}"{self.orientation()}'
        size = " ".join(f"{self.number(0.03, 0.2):.6g}" for _ in range(3))
        weight = self.random.choice(["", ' mass="0.7"', ' density="400"', ' class="light"'])
        shell = ' shellinertia="true"' if self.chance(0.3) else ""
        if shape == "mesh":
            kind = self.random.choice(["legacy", "exact", "convex", "shell"])
            return f'<geom type="mesh" mesh="{kind}"{pose}{weight}/>'
        if shape == "ends":
            return (f'<geom type="{self.random.choice(["capsule", "cylinder", "box"])}" size="0.04" '
                    f'fromto="0 0 0 {self.vector(0.3)}"{weight}{shell}/>')
        return f'<geom type="{shape}" size="{size}"{pose}{weight}{shell} surfacevel="0 0 1"/>'

    def joint(self):
        name = self.name("joint")
        self.joints.append(name)
        kind = self.random.choice(["hinge", "hinge", "slide"])
        wide = 90.0 if self.degrees and kind == "hinge" else 1.0
        more = ""
        if self.chance(0.4):
            more += f' range="{-wide:.6g} {wide:.6g}"'
        if self.chance(0.3):
            more += ' actuatorfrcrange="-20 30"'
        if self.chance(0.3):
            more += f' stiffness="{self.number(1, 9):.6g} 0 0" springref="{self.number(-wide, wide) / 3:.6g}"'
        if self.chance(0.3):
            more += f' ref="{self.number(-wide, wide) / 3:.6g}"'
        if self.chance(0.3):
            more += ' damping="1 0.1" class="stiff"'
        return (f'<joint name="{name}" type="{kind}" axis="{self.vector(1)}" pos="{self.vector(0.1)}"'
                f'{more}/>')

    def inside(self, depth):
        """What a body has, some of it in frames."""
        parts = [self.geom() for _ in range(self.random.randint(1, 3))]
        if self.chance(0.3):
            inertia = self.random.choice([f'diaginertia="0.01 0.02 0.025"{self.orientation()}',
                                          'fullinertia="0.01 0.02 0.025 0.001 0.002 -0.001"'])
            parts = [f'<inertial pos="{self.vector(0.1)}" mass="1.2" {inertia}/>', self.geom()]
        parts += [self.joint() for _ in range(self.random.randint(0 if depth else 1, 2))]
        site = self.name("site")
        self.sites.append(site)
        parts.append(f'<site name="{site}" pos="{self.vector(0.2)}"/>')
        for _ in range(self.random.randint(0, 2) if depth < 2 else 0):
            parts.append(self.body(depth + 1))
        if self.chance(0.6):
            cut = self.random.randint(0, len(parts))
            childclass = ' childclass="light"' if self.chance(0.4) else ""
            frame = f'<frame pos="{self.vector(0.2)}"{self.orientation()}{childclass}>'
            parts = parts[:cut] + [frame + "".join(parts[cut:]) + "</frame>"]
        return "".join(parts)

    def body(self, depth=0):
        more = self.random.choice(["", ' childclass="stiff"', ' simple="false"', ' gravcomp="0"'])
        return (f'<body name="{self.name("body")}" pos="{self.vector(0.3)}"{self.orientation()}{more}>'
                f"{self.inside(depth)}</body>")

    def copies(self):
        """A leg several times, each with an actuator and a spring of its own."""
        hip = self.name("hip")
        self.tendons += (f'<spatial name="{hip}_spring" stiffness="90" springlength="0.1 0.1">'
                         f'<site site="{hip}_a"/><site site="{hip}_b"/></spatial>')
        self.actuators += f'<position name="{hip}_servo" joint="{hip}" kp="5" dampratio="1"/>'
        return (f'<replicate count="{self.random.randint(2, 12)}" euler="0 0 {30 if self.degrees else 0.5}" '
                f'offset="{self.vector(0.1)}" sep="-"><site name="{hip}_a" pos="{self.vector(0.2)}"/>'
                f'<body name="{hip}_leg" pos="0.3 0 0"><joint name="{hip}" axis="0 1 0"/>{self.geom()}'
                f'<site name="{hip}_b" pos="{self.vector(0.2)}"/></body></replicate>')

    def start(self):
        self.degrees = self.chance(0.5)
        self.joints, self.sites, self.tendons, self.actuators = [], [], "", ""

    def head(self):
        meshes = "".join(f'<mesh name="{kind}" inertia="{kind}" vertex="{TETRAHEDRON}" face="{FACES}" '
                         f'scale="1 {self.number(0.5, 1.5):.6g} 1"/>'
                         for kind in ("legacy", "exact", "convex", "shell"))
        return (f'<compiler angle="{"degree" if self.degrees else "radian"}" '
                f'eulerseq="{self.random.choice(["xyz", "zyx", "XYZ"])}" saveinertial="false"/>'
                '<default><geom density="700"/><default class="light"><geom density="300"/><site group="3"/>'
                '<default class="stiff"><joint stiffness="2" armature="0.1"/></default></default></default>'
                f"<asset>{meshes}</asset>")

    def write(self):
        """Writes a file, and those that it includes and attaches, and returns its path."""
        self.start()
        name = self.name("part")
        attached = self.head() + f"<worldbody>{self.body()}</worldbody>"
        first = attached.split('<body name="', 1)[1].split('"', 1)[0]
        (self.folder / f"{name}.xml").write_text(f"<mujoco model=\"{name}\">{attached}</mujoco>",
                                                 encoding="utf-8")
        self.start()
        world = self.body() + self.copies()
        if self.chance(0.5):
            world += (f'<frame pos="{self.vector(0.2)}"><attach model="{name}" body="{first}" '
                      'prefix="at_"/></frame>')
        if len(self.sites) > 1:
            self.tendons += (f'<spatial name="spring" stiffness="120 0" springlength="0.2">'
                             f'<site site="{self.sites[0]}"/><site site="{self.sites[1]}"/></spatial>')
        for joint in self.joints[:2]:
            self.actuators += f'<motor joint="{joint}" gear="7" forcerange="-3 3" delay="0.01" nsample="1"/>'
        couplings = ""
        if len(self.joints) > 2:
            couplings = (f'<joint joint1="{self.joints[2]}" joint2="{self.joints[0]}" '
                         f'polycoef="0 {self.number(0.3, 1.5):.6g} 0 0 0"/>')
        included = self.name("included")
        (self.folder / f"{included}.xml").write_text(
            f"<mujoco><worldbody>{world}</worldbody></mujoco>", encoding="utf-8")
        path = self.folder / f"{self.name('robot')}.xml"
        path.write_text(
            f'<mujoco model="random"><option integrator="implicitfast" gravity="{self.vector(9)}" '
            f'ls_iterations="20"><flag eulerdamp="disable"/></option>{self.head()}'
            f'<asset><model name="{name}" file="{name}.xml"/></asset><include file="{included}.xml"/>'
            f"<tendon>{self.tendons}</tendon><equality>{couplings}</equality>"
            f"<actuator>{self.actuators}</actuator></mujoco>", encoding="utf-8")
        return path
