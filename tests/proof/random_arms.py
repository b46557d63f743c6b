"""Random studies of planar arms with springs, as files and as tasks of planar_oracle."""

import math

import numpy

from planar_oracle import Arm, Link, Spring, Task, value_of

STATISTICS = ("max", "mean", "rms", "energy", "peak_power")


class RandomArm:
    """One random study. `proves` says that mounts vary, `bounded` that a parameter with a bound follows
    from springs, `meets` that a spring can have no length."""

    def __init__(self, number):
        self.random = numpy.random.default_rng([20261127, number])
        self.of_weights = numpy.random.default_rng([20261130, number])
        self.proves = number % 5 < 3
        self.joints = 1 + number % 2
        self.bounded = self.chance(0.45)
        self.meets = self.chance(0.3)
        self.parameters, self.variables = {}, {}
        self.ranges, self.choices, self.mounts = {}, {}, {}
        self.world, self.points = {}, [{} for _ in range(self.joints)]
        self.springs, self.spring_files = [], []
        self.make_arm()
        self.make_springs()
        self.make_weights()
        self.nominal = {name: self.parameters[name]["value"]
                        for name in [*self.ranges, *self.choices]}
        self.at = {name: self.parameters[name]["value"] for name in self.mounts}
        self.make_objective()
        self.make_limits()
        self.task = Task(self.arm, self.springs, self.ranges, self.choices, self.mounts, self.pieces,
                         self.prices, self.factor, self.linear, self.reaches, self.load_limits,
                         self.tension_limits, self.length_limits, self.stat_limits, self.weights)

    def chance(self, share):
        return self.random.random() < share

    def between(self, low, high):
        return float(self.random.uniform(low, high))

    def below(self, count):
        return int(self.random.integers(count))

    def make_arm(self):
        links, self.bodies, self.actuators = [], [], []
        for i in range(self.joints):
            link = Link(self.between(0.25, 0.5), self.between(0.5, 4),
                        complex(self.between(0.1, 0.3), self.between(-0.05, 0.05)),
                        self.between(0.005, 0.1))
            links.append(link)
            self.bodies.append({
                "name": f"b{i}", "parent": f"b{i - 1}" if i else "world", "mass": link.mass,
                "joint": {"type": "revolute", "axis": [0, -1, 0],
                          "origin": [links[i - 1].length, 0, 0] if i else [0, 0, 0]},
                "com": [link.com.real, 0, link.com.imag],
                "inertia": [link.inertia, link.inertia, link.inertia, 0, 0, 0],
                "points": self.points[i]})
            self.actuators.append({"name": f"a{i}", "joint": f"b{i}"})
        steps = 7 + self.below(23)
        duration = float(self.random.choice([1.0, 2.0]))
        times = numpy.arange(steps + 1) * (duration / steps)
        paths, profiles = [], {}
        for i in range(self.joints):
            if self.chance(0.5):
                mean, size = self.between(-0.6, 0.6), self.between(0.3, 1)
                period, phase = self.between(0.7, 3), self.between(0, 6)
                profiles[f"a{i}"] = {"type": "sine", "mean": mean, "amplitude": size,
                                     "period": period, "phase": phase}
                turn, angle = 2 * math.pi / period, 2 * math.pi * times / period + phase
                paths.append((mean + size * numpy.sin(angle), size * turn * numpy.cos(angle),
                              -size * turn**2 * numpy.sin(angle)))
            else:
                start, end = self.between(-1.2, 0.2), self.between(0.4, 1.6)
                profiles[f"a{i}"] = {"type": "point-to-point", "from": start, "to": end}
                u, way = times / duration, end - start
                paths.append((start + way * u**3 * (10 - 15 * u + 6 * u**2),
                              way / duration * 30 * u**2 * (1 - u)**2,
                              way / duration**2 * 60 * u * (1 - u) * (1 - 2 * u)))
        self.motion = {"format": "counterpoise-motion/1", "duration": duration,
                       "step": duration / steps, "inertia": self.chance(0.4), "coordinates": profiles}
        gravity = complex(self.random.choice([0.0, 0.5]), -9.81)
        self.gravity = [gravity.real, 0, gravity.imag]
        self.arm = Arm(links, gravity, times, *numpy.array(paths).swapaxes(0, 1),
                       self.motion["inertia"])

    def number(self, name, low, high):
        """A parameter that is sized within a range."""
        self.parameters[name] = {"value": self.between(low, high)}
        self.ranges[name] = (low, high)
        self.variables[name] = {"range": [low, high]}
        return name

    def mount(self, middle, half):
        """The name of a variable that moves a mount, whose range holds the middle."""
        name = f"g{len(self.mounts)}"
        share = float(self.random.choice([0, 0.25, 0.5, 0.7, 1]))
        low = middle - 2 * half * share
        self.parameters[name] = {"value": middle}
        self.mounts[name] = (low, low + 2 * half)
        self.variables[name] = {"range": list(self.mounts[name])}
        return name

    def coordinates(self, x, z, moved):
        """Two coordinates, and the texts by which variables of mounts move them."""
        if moved == 0:
            return (x, z), (x, z)
        wide = self.between(0.02, 0.12)
        if moved == 2 and self.chance(0.4):
            radius, angle = abs(complex(x, z)), math.atan2(z, x)
            r, a = self.mount(radius, min(wide, 0.4 * radius)), self.mount(angle, self.between(0.2, 1))
            return (x, z), (f"{r}*cos({a})", f"{r}*sin({a})")
        kind = self.below(4)
        if kind == 0:
            first = self.mount(-x, wide), "-{}"
        elif kind == 1:
            first = self.mount((x - 0.05) / 0.5, wide), "0.05 + 0.5*{}"
        else:
            first = self.mount(x, wide), "{}"
        text = first[1].format(first[0])
        if moved == 2:
            return (x, z), (text, self.mount(z, wide))
        return (x, z), (text, f"{z!r} + 0.3*{first[0]}" if kind == 3 else z)

    def make_ends(self, s, moved):
        """Ends of a coil spring, the far one on a link."""
        far = self.below(self.joints)
        near = far - 1 if self.chance(0.6) else -1
        middle = self.between(0.05, 0.3), self.between(-0.1, 0.1)
        own, texts = self.coordinates(*middle, moved)
        if self.meets and s == 0:  # the post is where the mount comes by
            sample = self.below(len(self.arm.times))
            own = tuple(float(value_of(text, {name: self.parameters[name]["value"]
                                              for name in self.mounts})) for text in texts)
            place = self.arm.origins[far][sample] + complex(*own) * self.arm.turns[far][sample]
            if near >= 0:
                place = (place - self.arm.origins[near][sample]) / self.arm.turns[near][sample]
            post = place.real, place.imag
        elif near < 0:
            post = self.between(-0.3, 0.2), self.between(0.1, 0.6)
        else:
            post = self.between(-0.1, 0.15), self.between(0.05, 0.25)
        points = self.points[near] if near >= 0 else self.world
        points[f"p{s}"] = [post[0], 0, post[1]]
        self.points[far][f"m{s}"] = [texts[0], 0, texts[1]]
        ends = (near, *post), (far, *texts)
        names = [f"b{near}.p{s}" if near >= 0 else f"world.p{s}", f"b{far}.m{s}"]
        return (ends, names) if self.chance(0.5) else (ends[::-1], names[::-1])

    def make_springs(self):
        count = int(self.random.choice([1, 1, 2, 2, 3]))
        moved = [0] * count
        if self.proves:
            total = 1 + self.below(2)
            for _ in range(total):
                moved[self.below(count) if self.chance(0.4) else 0] += 1
        torsion = self.chance(0.3) and count > 1
        for s in range(count):
            if torsion and s == count - 1 and not moved[s]:
                joint = self.below(self.joints)
                spring = Spring(f"s{s}", self.number(f"k{s}", 0, self.between(2, 30)),
                                self.number(f"l{s}", -1.0, 1.0) if self.chance(0.4) else 0.3,
                                self.number(f"f{s}", 0, 5) if self.chance(0.4) else 0.5, joint=joint)
                self.spring_files.append({"name": spring.name, "type": "torsion",
                                          "joint": f"b{joint}", "rate": spring.rate,
                                          "free_angle": spring.free, "preload": spring.tension})
                self.springs.append(spring)
                continue
            ends, names = self.make_ends(s, moved[s])
            rate, free, tension = self.law(s)
            spring = Spring(f"s{s}", rate, free, tension, ends)
            self.spring_files.append({"name": spring.name, "connect": names, "rate": rate,
                                      "free_length": free, "initial_tension": tension})
            self.springs.append(spring)

    def make_weights(self):
        """Counterweights whose masses are sized; none where a proof goes over mounts."""
        self.weights = []
        draw = self.of_weights
        for w in range(0 if self.proves else int(draw.choice([0, 1, 2]))):
            link = int(draw.integers(self.joints))
            place = complex(*draw.uniform([-0.3, -0.1], [0.05, 0.1]))
            own, per_unit = float(draw.choice([0, 0.4])), float(draw.choice([1, 2]))  # of its mass
            inertia = float(draw.choice([0, 0.02]))  # per mass
            name = f"w{w}"
            self.parameters[name] = {"value": 0}
            self.ranges[name] = (float(draw.choice([0, 0.3])), float(draw.uniform(0.5, 6)))
            self.variables[name] = {"range": list(self.ranges[name])}
            mass = f"{own} + {per_unit}*{name}"
            self.bodies.append({
                "name": f"weight{w}", "parent": f"b{link}", "mass": mass,
                "joint": {"type": "fixed", "origin": [place.real, 0, place.imag]},
                "inertia": [f"{inertia}*({mass})"] * 3 + [0, 0, 0]})
            per_mass = self.arm.loads_of(link, 1.0, place, inertia)
            self.arm.own_loads = self.arm.own_loads + own * per_mass
            self.weights.append((name, per_unit * per_mass))

    def law(self, s):
        """Which of a spring's numbers are sized."""
        if s == 2 and self.chance(0.5) and "k1" in self.ranges:  # a pair
            return self.springs[1].rate, self.springs[1].free, self.springs[1].tension
        kind = self.below(6)
        if s == 1 and kind == 5:
            values = sorted(self.between(50, 900) for _ in range(3))
            self.parameters["k1"] = {"value": values[1]}
            self.choices["k1"] = values
            self.variables["k1"] = {"values": values}
            return "k1", self.between(0.02, 0.1), self.between(0, 10)
        high = self.between(200, 1500)
        rate = self.between(100, 600) if kind == 4 else self.number(
            f"k{s}", float(self.random.choice([0, 0, 50])), high)
        free = self.number(f"l{s}", self.between(0.01, 0.06), self.between(0.08, 0.25)) if (
            kind in (0, 1, 4)) else self.between(0.02, 0.12)
        tension = self.number(f"f{s}", 0, self.between(5, 60)) if kind in (0, 2, 3) else (
            self.between(0, 10))
        return rate, free, tension

    def make_objective(self):
        self.prices, self.factor = [], "1"
        joint = self.below(self.joints)
        self.objective = {"name": "o"}
        kind = self.below(8)
        if kind < 4:
            statistic = STATISTICS[self.below(5)]
            self.pieces = [[(1.0, statistic, joint)]]
            self.objective.update({"minimize": statistic, "of": [f"a{joint}"]})
        elif kind == 4:
            share = 1 / self.joints
            statistic = ("max", "mean")[self.below(2)]
            each = [(share if statistic == "mean" else 1.0, statistic, j) for j in range(self.joints)]
            self.pieces = [each] if statistic == "mean" else [[one] for one in each]
            self.objective.update({"minimize": statistic,
                                   "of": [f"a{j}" for j in range(self.joints)]})
        else:
            terms = [(round(self.between(0.3, 2), 3), ("max", "mean")[self.below(2)], j)
                     for j in range(self.joints)]
            texts = [f"{w}*a{j}.{s}" for w, s, j in terms]
            if kind == 5:
                own = [self.arm.statistic(s, j, self.arm.own_loads[j])[0] for _, s, j in terms]
                texts = [f"{t} / without_springs.a{j}.{s}" for t, (_, s, j) in zip(texts, terms)]
                self.pieces = [[(w / size, s, j)] for (w, s, j), size in zip(terms, own)]
                text = f"max({', '.join(texts)})" if len(texts) > 1 else texts[0]
            else:
                self.pieces = [terms]
                text = " + ".join(texts)
                rate = next((s.rate for s in self.springs
                             if s.rate in self.ranges and self.ranges[s.rate][0] >= 0), None)
                if kind == 6 and rate:
                    self.prices = [(0.001, rate)]
                    text += f" + 0.001*{rate}"
                if self.weights:
                    self.prices.append((0.3, "w0"))
                    text += " + 0.3*w0"
            if self.mounts and self.chance(0.4):
                self.factor = self.random.choice(["(1 + g0^2)", "1/(2 + g0)", "(1.5 + 0.3*sin(g0))"])
                text = f"{self.factor} * ({text})"
            self.objective["expression"] = text

    def make_limits(self):
        self.linear, self.reaches, self.load_limits = [], [], {}
        self.tension_limits, self.length_limits, self.stat_limits = [], [], []
        self.constraints = []
        for spring, file in zip(self.springs, self.spring_files):
            self.limit(spring, file)
        own = numpy.abs(self.arm.own_loads).max(1)
        for j in range(self.joints):
            if self.chance(0.1):
                # what objectives are divided by has to meet all limits
                least = 1.05 if "without_springs" in self.objective.get("expression", "") else 0.5
                self.load_limits[j] = self.actuators[j]["max_load"] = self.between(least, 1.2) * own[j]
            if self.chance(0.12):
                squares = any(name == "rms" for piece in self.pieces for _, name, _ in piece)
                statistic = "max" if squares else ("max", "mean")[self.below(2)]
                most = self.between(0.4, 1.2) * float(
                    self.arm.statistic(statistic, j, self.arm.own_loads[j])[0])
                self.stat_limits.append((j, statistic, most))
                self.constrain(f"a{j}.{statistic}", max=most)
        if self.bounded:
            self.bound_parameters()
        if self.mounts and self.chance(0.3):
            texts = [f"{self.between(0.5, 2)}*{name}" for name in self.mounts]
            text = " + ".join(texts)
            high = sum(max(value_of(t, dict(zip(self.mounts, ends)))
                           for ends in zip(*self.mounts.values())) for t in texts)
            value = value_of(text, self.at)
            least, most = None, value + self.between(0.05, 0.9) * max(high - value, 1e-3)
            if self.chance(0.3):
                least = value - self.between(0.01, 0.1)
            self.compute("reach", text, least, most)
            self.reaches.append((text, least, most))

    def constrain(self, expression, **bounds):
        self.constraints.append({"name": f"c{len(self.constraints)}", "expression": expression,
                                 **bounds})

    def limit(self, spring, file):
        """Limits about what the spring has in the model."""
        length, _ = self.arm.shape(spring, {name: numpy.array([at]) for name, at in self.at.items()})
        rate, free, tension = (self.nominal.get(x, x) for x in (spring.rate, spring.free,
                                                                spring.tension))
        pull = float(abs(tension + rate * (length - free)).max())
        if self.chance(0.3):
            spring.max_load = file["max_load"] = self.between(0.3, 1.5) * pull
        if self.chance(0.25):
            most = self.between(0.4, 1.5) * pull
            self.tension_limits.append((spring.name, None, most))
            self.constrain(f"{spring.name}.max_tension", max=most)
        if not spring.ends:
            return
        if self.chance(0.1):
            least = self.between(-0.5, 0.1) * pull
            self.tension_limits.append((spring.name, least, None))
            self.constrain(f"{spring.name}.min_tension", min=least)
        if self.chance(0.2):
            spring.max_length = file["max_length"] = self.between(0.97, 1.25) * float(length.max())
        if length.min() > 0.02 and self.chance(0.2):
            if self.chance(0.5):
                spring.min_length, file["min_length"] = "free", spring.free
            else:
                spring.min_length = file["min_length"] = self.between(0.6, 1.03) * float(length.min())
        if self.chance(0.15):
            spring.acts = file["acts"] = "pull"
        moves = any(isinstance(x, str) for end in spring.ends for x in end[1:])
        if moves and self.chance(0.2):
            most = self.between(1, 1.2) * float(length.max())
            self.length_limits.append((spring.name, None, most))
            self.constrain(f"{spring.name}.max_length", max=most)

    def compute(self, name, text, least, most):
        self.parameters[name] = {"value": text}
        for key, bound in (("min", least), ("max", most)):
            if bound is not None:
                self.parameters[name][key] = bound

    def bound_parameters(self):
        """Parameters whose bounds the springs' numbers have to keep."""
        sized = [name for name in self.ranges if name[0] in "kf"]
        if not sized:
            self.bounded = False
            return
        for i in range(1 + self.below(2)):
            names = [name for name in sized if self.chance(0.7)] or sized[:1]
            slopes = {name: self.between(0.02, 0.15) if name[0] == "k" else
                      float(self.random.choice([1.0, 0.5, -0.4])) for name in names}
            constant = self.between(-5, 5)
            value = constant + sum(slope * self.nominal[name] for name, slope in slopes.items())
            low, high = (constant + sum(pick(slope * end for end in self.ranges[name])
                                        for name, slope in slopes.items()) for pick in (min, max))
            least = value - self.between(0.05, 0.6) * (value - low) if self.chance(0.6) else None
            most = value + self.between(0.02, 0.6) * (high - value)
            if least is not None and self.chance(0.3):
                most = None
            text = " + ".join(f"{slope!r}*{name}" for name, slope in slopes.items())
            self.compute(f"wire{i}", f"{text} + {constant!r}", least, most)
            self.linear.append((slopes, constant, least, most))

    def files(self):
        """The study's files by name."""
        search = {"method": "exact-springs"}
        if self.proves:
            search.update({"geometry": "prove", "gap": float(self.random.choice([1e-3, 1e-4, 1e-5])),
                           "max_simplices": int(self.random.choice([200, 600, 1500]))})
        model = {"format": "counterpoise-model/1", "gravity": self.gravity,
                 "parameters": self.parameters, "world": {"points": self.world},
                 "bodies": self.bodies, "springs": self.spring_files, "actuators": self.actuators}
        study = {"format": "counterpoise-study/1", "model": "model.json",
                 "motions": {"m": "motion.json"}, "variables": self.variables, "search": search,
                 "objectives": [self.objective], "constraints": self.constraints}
        return {"model.json": model, "motion.json": self.motion, "study.json": study}
