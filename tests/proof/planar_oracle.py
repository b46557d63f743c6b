"""The best springs of a planar arm by plane trigonometry and linear programs.

The arm turns in the plane of x and z, whose points are complex numbers x + iz; its joints turn from x to
z. Loads are affine in the rates, tensions and products of rates and free lengths of its springs, so that
a sizing is a linear program, which HiGHS solves, or a least-squares problem with linear limits. Arrays
have the indices [geometry, sample, unknown], with the constant behind the unknowns."""

from dataclasses import dataclass

import numpy
from scipy.optimize import linprog, nnls

TINY = 1e-10  # beyond which HiGHS lets no row of size 1 be broken
FUNCTIONS = {"__builtins__": {}, "sin": numpy.sin, "cos": numpy.cos, "sqrt": numpy.sqrt}


def value_of(text, names):
    """The value of an expression that is written as in models; a number is itself."""
    return eval(text.replace("^", "**"), FUNCTIONS, names) if isinstance(text, str) else text


def slack_of(bound, term):
    """What rounding may break a bound by, of a number whose largest term is given."""
    return max(1e-9 * abs(bound), 1e-12 * abs(term))


@dataclass
class Link:
    length: float  # to the next joint
    mass: float
    com: complex
    inertia: float


@dataclass
class Spring:
    """Numbers are numbers or names of variables; ends are (link, x, z) with link -1 for the world and
    expressions of mounts for x and z. A torsion spring has a joint in place of ends."""

    name: str
    rate: object
    free: object
    tension: object
    ends: tuple = ()
    joint: int = -1
    min_length: object = None  # a number or "free"
    max_length: object = None
    max_load: object = None
    acts: str = "both"


class Arm:
    def __init__(self, links, gravity, times, position, velocity, acceleration, inertia):
        self.links, self.inertia, self.times = links, inertia, times
        self.velocity = velocity
        self.position = position
        self.turns = numpy.exp(1j * numpy.cumsum(position, axis=0))  # of links
        speed, change = numpy.cumsum(velocity, axis=0), numpy.cumsum(acceleration, axis=0)
        if not inertia:
            speed, change = 0 * speed, 0 * change
        self.origins = [numpy.zeros(len(times), complex)]
        self.moved = [numpy.zeros(len(times), complex)]  # accelerations of joints
        self.swing, self.change, self.gravity = 1j * change - speed**2, change, gravity
        for i, link in enumerate(links):
            self.origins.append(self.origins[i] + link.length * self.turns[i])
            self.moved.append(self.moved[i] + link.length * self.swing[i] * self.turns[i])
        self.own_loads = sum(self.loads_of(i, link.mass, link.com, link.inertia)
                             for i, link in enumerate(links))
        spans = numpy.diff(times)
        self.shares = (numpy.append(spans, 0) + numpy.append(0, spans)) / 2  # trapezoid rule

    def loads_of(self, link, mass, com, inertia):
        """The loads [joint, sample] of a mass on a link."""
        loads = numpy.zeros(self.position.shape)
        place = self.origins[link] + com * self.turns[link]
        pull = mass * (self.moved[link] + com * self.swing[link] * self.turns[link] - self.gravity)
        for j in range(link + 1):
            lever = 1j * (place - self.origins[j])
            loads[j] = (pull.conj() * lever).real + inertia * self.change[link]
        return loads

    def place(self, end, mounts):
        """A spring's end in the world, [geometry, sample]."""
        link, x, z = end
        own = numpy.atleast_1d(value_of(x, mounts) + 1j * value_of(z, mounts))[:, None]
        if link < 0:
            return own + 0 * self.times
        return self.origins[link] + own * self.turns[link]

    def shape(self, spring, mounts):
        """Lengths of a spring [geometry, sample] and their slopes [joint, geometry, sample]."""
        joints = range(len(self.links))
        if not spring.ends:
            length = self.position[spring.joint][None, :]
            return length, numpy.array([0 * length + (j == spring.joint) for j in joints])
        near, far = (self.place(end, mounts) for end in spring.ends)
        apart = far - near
        length = numpy.abs(apart)
        slopes = []
        for j in joints:
            moves = [1j * (place - self.origins[j]) * (end[0] >= j)
                     for place, end in zip((near, far), spring.ends)]
            along = (apart.conj() * (moves[1] - moves[0])).real
            slopes.append(numpy.divide(along, length, out=0 * length, where=length > 1e-12))
        return length, numpy.array(slopes)

    def meeting(self, spring, mounts, longest):
        """The length up to which the ends of a spring meet, at geometries where it is this long at most."""
        size = numpy.array(longest)
        for _, x, z in spring.ends:
            size = size + numpy.abs(value_of(x, mounts) + 1j * value_of(z, mounts))
        first, last = sorted(link for link, _, _ in spring.ends)
        return 1e-9 * (size + sum(link.length for link in self.links[max(first, 0):last]))

    def statistic(self, name, joint, loads):
        """A statistic of loads [..., sample], and the factors with which it takes them."""
        factors = numpy.ones(len(self.times))
        if name in ("energy", "peak_power"):
            factors = numpy.abs(self.velocity[joint])
        if name == "energy":
            factors = factors * self.shares
        if name in ("mean", "rms"):
            factors = self.shares / self.times[-1]
        if name == "rms":
            return numpy.sqrt((factors * loads**2).sum(-1)), numpy.sqrt(factors)
        sizes = factors * numpy.abs(loads)
        return sizes.max(-1) if name in ("max", "peak_power") else sizes.sum(-1), factors


@dataclass
class Task:
    """What is sized: an arm, springs, ranges of variables by name, and what is asked of them."""

    arm: Arm
    springs: list
    ranges: dict  # of variables of springs
    choices: dict  # variable -> values to choose from
    mounts: dict  # variable -> range
    pieces: list  # the objective is the largest of sums of (weight, statistic, joint)
    prices: list  # (weight, variable), added to the objective
    factor: str  # of mounts, which multiplies the objective
    linear: list  # bounds (slopes by variable, constant, least, most) of springs' variables
    reaches: list  # bounds (expression, least, most) of mounts
    load_limits: dict  # joint -> most
    tension_limits: list  # (spring, least tension, most size)
    length_limits: list  # (spring, least, most)
    stat_limits: list  # (joint, statistic, most)
    weights: list  # (variable, loads [joint, sample] per unit of it)

    def objective(self, mounts, values):
        """The objective of a design, and by what it breaks its limits, as shares of what rounding
        may break them by: at most 1 for a design that keeps them all."""
        loads = self.arm.own_loads.copy()
        worst = 0.0

        def bounded(number, least, most, term):
            nonlocal worst
            for bound, sign in ((least, -1), (most, 1)):
                if bound is not None:
                    beyond = sign * (number - bound)
                    if beyond > 0:
                        worst = max(worst, beyond / max(slack_of(bound, term), 1e-300))

        for name, (low, high) in self.ranges.items():
            bounded(values[name], low, high, 0)
        tensions = {}
        for spring in self.springs:
            rate, free, tension = (values.get(x, x) for x in (spring.rate, spring.free,
                                                              spring.tension))
            length, slopes = self.arm.shape(spring, mounts)
            length, slopes = length[0], slopes[:, 0]
            pull = tension + rate * (length - free)
            term = abs(tension) + rate * (abs(length).max() + abs(free))
            loads += pull * slopes
            tensions[spring.name] = pull, length, term
            if spring.ends:
                meeting = self.arm.meeting(spring, mounts, length.max()).item()
                if length.min() <= meeting:
                    bounded(max(abs(tension - rate * free) - rate * meeting, 0), None, 0, term)
            least = free if spring.min_length == "free" else spring.min_length
            bounded(length.min(), least, None, 1)
            bounded(length.max(), None, spring.max_length, 1)
            bounded(abs(pull).max(), None, spring.max_load, term)
            if spring.acts == "pull":
                bounded(pull.min(), 0, None, term)
                bounded(length.min(), free, None, 1)
        for name, per_unit in self.weights:
            loads += values[name] * per_unit
        for slopes, constant, least, most in self.linear:
            terms = [slope * values[name] for name, slope in slopes.items()] + [constant]
            bounded(sum(terms), least, most, max(map(abs, terms)))
        for text, least, most in self.reaches:
            bounded(float(value_of(text, mounts)), least, most, 1)
        term = abs(loads).max() + abs(self.arm.own_loads).max()
        for joint, most in self.load_limits.items():
            bounded(abs(loads[joint]).max(), None, most, term)
        for name, least, most in self.tension_limits:
            pull, _, term = tensions[name]
            bounded(pull.min(), least, None, term)
            bounded(abs(pull).max(), None, most, term)
        for name, least, most in self.length_limits:
            bounded(tensions[name][1].min(), least, None, 1)
            bounded(tensions[name][1].max(), None, most, 1)
        for joint, statistic, most in self.stat_limits:
            bounded(self.arm.statistic(statistic, joint, loads[joint])[0], None, most, term)
        value = max(sum(weight * self.arm.statistic(statistic, joint, loads[joint])[0]
                        for weight, statistic, joint in piece) for piece in self.pieces)
        value += sum(weight * values[name] for weight, name in self.prices)
        return float(value_of(self.factor, mounts) * value), worst

    def without_springs(self):
        """The size of the objective without springs, at no mounts."""
        return max(sum(weight * self.arm.statistic(name, joint, self.arm.own_loads[joint])[0]
                       for weight, name, joint in piece) for piece in self.pieces)


class Sizing:
    """The problems of a task at many geometries, with one choice of springs."""

    def __init__(self, task, mounts, chosen):
        self.task, self.mounts = task, {name: numpy.asarray(at) for name, at in mounts.items()}
        self.count = len(next(iter(mounts.values()))) if mounts else 1
        self.names, self.spans = [], []
        self.products = {}  # (rate, free length) -> unknown
        for name, span in task.ranges.items():
            of = next((s.rate for s in task.springs if s.free == name and isinstance(s.rate, str)
                       and s.rate not in chosen), None)
            if of is not None:
                self.products[of, name] = len(self.names)
                rates = task.ranges[of]
                ends = [rate * length for rate in rates for length in span]
                span = min(ends), max(ends)
            self.names.append(name)
            self.spans.append(span)
        self.low, high = numpy.array(self.spans).T if self.spans else numpy.zeros((2, 0))
        self.width = high - self.low
        self.chosen = chosen
        self.clear = numpy.ones(self.count, bool)  # no spring is nearly without length
        self.rows, self.rooms = [], []  # of limits: at most 0
        self.loads = self.constant(task.arm.own_loads[:, None, :])
        self.tensions = {}
        for name, per_unit in task.weights:
            self.loads = self.loads + per_unit[:, None, :, None] * self.form(name)
        for spring in task.springs:
            self.add(spring)
        self.limit()

    def constant(self, number):
        """A number, or an array of numbers, as a form in the unknowns."""
        number = numpy.asarray(number, float)
        form = numpy.zeros((*number.shape, len(self.names) + 1))
        form[..., -1] = number
        return form

    def form(self, number):
        """A spring's number as a form in the unknowns."""
        if number in self.names:
            form = self.constant(0)
            form[self.names.index(number)] = 1
            return form
        return self.constant(self.chosen.get(number, number))

    def times_rate(self, spring, length):
        """The rate times (length - free length), where the length is an array."""
        rate = self.form(spring.rate)
        form = numpy.multiply.outer(length, rate)
        if (spring.rate, spring.free) in self.products:
            form[..., self.products[spring.rate, spring.free]] -= 1
        elif spring.free in self.names:
            form -= rate[-1] * self.form(spring.free)
        else:
            form -= self.chosen.get(spring.free, spring.free) * rate
        return form

    def at_most(self, forms, room=1.0):
        """Limits [geometry, row, unknown] <= 0; one half of an equation has no room for a margin."""
        self.rows.append(numpy.broadcast_to(forms, (self.count, *forms.shape[-2:])))
        self.rooms += [room] * forms.shape[-2]

    def add(self, spring):
        arm = self.task.arm
        length, slopes = arm.shape(spring, self.mounts)
        length = numpy.broadcast_to(length, (self.count, length.shape[1]))
        pull = self.times_rate(spring, length) + self.form(spring.tension)
        self.tensions[spring.name] = pull, length
        self.loads = self.loads + slopes[..., None] * pull
        if spring.max_load is not None:
            self.at_most(pull - self.constant(spring.max_load))
            self.at_most(-pull - self.constant(spring.max_load))
        least, most = length.min(1), length.max(1)
        if spring.ends:
            meets = least <= arm.meeting(spring, self.mounts, most)
            self.clear &= meets | (least > 1e-5)
            none = self.times_rate(spring, numpy.zeros((self.count, 1))) + self.form(spring.tension)
            self.at_most(none * meets[:, None, None], room=0.0)
            self.at_most(-none * meets[:, None, None], room=0.0)
        coils = spring.min_length == "free" or spring.acts == "pull"
        if coils:
            low = self.task.ranges[spring.free][0] if spring.free in self.names else spring.free
            self.at_most(self.constant((low - least)[:, None]))
            # a free length that is sized beside its rate is multiplied by the rate
            if (spring.rate, spring.free) in self.products:
                self.at_most(-self.times_rate(spring, least[:, None]))
            else:
                self.at_most(self.form(spring.free) - self.constant(least[:, None]))
        if spring.acts == "pull":
            self.at_most(-pull)
        if isinstance(spring.min_length, float):
            self.at_most(self.constant((spring.min_length - least)[:, None]))
        if spring.max_length is not None:
            self.at_most(self.constant((most - spring.max_length)[:, None]))

    def limit(self):
        task = self.task
        for (rate, free), product in self.products.items():
            low, high = task.ranges[free]
            for sign, length in ((1, high), (-1, low)):
                row = self.constant(numpy.zeros((1, 1)))
                row[..., product] = sign
                row[..., self.names.index(rate)] = -sign * length
                self.at_most(row)
        for slopes, constant, least, most in task.linear:
            row = self.constant(numpy.full((1, 1), constant))
            for name, slope in slopes.items():
                row[..., self.names.index(name)] += slope
            if most is not None:
                self.at_most(row - self.constant(most))
            if least is not None:
                self.at_most(self.constant(least) - row)
        for text, least, most in task.reaches:
            reach = numpy.atleast_1d(value_of(text, self.mounts) + numpy.zeros(self.count))[:, None]
            if most is not None:
                self.at_most(self.constant(reach - most))
            if least is not None:
                self.at_most(self.constant(least - reach))
        peaks = [*task.load_limits.items(), *((j, most) for j, s, most in task.stat_limits if s == "max")]
        for joint, most in peaks:
            for sign in (1, -1):
                self.at_most(sign * self.loads[joint] - self.constant(most))
        self.means = [(j, most) for j, s, most in task.stat_limits if s == "mean"]
        for name, least, most in task.tension_limits:
            pull, _ = self.tensions[name]
            if least is not None:
                self.at_most(self.constant(least) - pull)
            if most is not None:
                self.at_most(pull - self.constant(most))
                self.at_most(-pull - self.constant(most))
        for name, least, most in task.length_limits:
            _, length = self.tensions[name]
            if least is not None:
                self.at_most(self.constant((least - length.min(1))[:, None]))
            if most is not None:
                self.at_most(self.constant((length.max(1) - most)[:, None]))
        rows = self.scaled(numpy.concatenate(self.rows, axis=1))
        size = numpy.abs(rows).max(-1, keepdims=True)
        self.rows = rows / numpy.maximum(size, 1e-9)

    def scaled(self, forms):
        """Forms of unknowns as shares of their ranges."""
        shares = forms.copy()
        shares[..., :-1] *= self.width
        shares[..., -1] += forms[..., :-1] @ self.low
        return shares

    def solve(self, costs, rows, bounds):
        """The optimum of a linear program in columns whose first are the unknowns, or None."""
        found = linprog(costs, rows[:, :-1], -rows[:, -1], bounds=bounds, method="highs",
                        options={"primal_feasibility_tolerance": TINY,
                                 "dual_feasibility_tolerance": TINY})
        if found.status == 2:
            return None
        if found.status != 0:
            raise ArithmeticError(found.message)
        return found

    def margin(self, at):
        """By how much all limits can be kept at once, of rows of size 1: below 0 where they cannot."""
        rows = self.rows[at]
        told = numpy.abs(rows[:, :-1]).max(1, initial=0) + numpy.maximum(rows[:, -1], 0) > 0
        rows, rooms = rows[told], numpy.array(self.rooms)[told]
        if not len(rows) and not self.means:
            return 1.0
        n, samples = len(self.names), len(self.task.arm.times)
        whole = n + samples * len(self.means)  # behind the sizes of loads stands the margin
        blocks = [numpy.insert(rows, [n] * (whole - n), 0.0, axis=1)]
        for i, (joint, most) in enumerate(self.means):
            loads = self.scaled(self.loads[joint][at]) / most
            sizes = n + samples * i + numpy.arange(samples)
            for sign in (1, -1):
                block = numpy.insert(sign * loads, [n] * (whole - n), 0.0, axis=1)
                block[numpy.arange(samples), sizes] = -1
                blocks.append(block)
            row = numpy.zeros((1, whole + 1))
            row[0, sizes], row[0, -1] = self.task.arm.statistic("mean", joint, loads[:, -1])[1], -1
            blocks.append(row)
        wide = numpy.vstack(blocks)
        # the sizes of loads are exact, and limits have the margin
        slack = numpy.append(rooms, numpy.ones(len(wide) - len(rows)))
        start = len(rows)
        for _ in self.means:
            slack[start:start + 2 * samples] = 0
            start += 2 * samples + 1
        wide = numpy.insert(wide, whole, -slack, axis=1)
        costs = numpy.append(numpy.zeros(whole), 1.0)
        bounds = [(0, 1)] * n + [(0, None)] * (whole - n) + [(-1, None)]
        found = self.solve(costs, wide, bounds)
        return -1.0 if found is None else -found.fun

    def best(self, at):
        """The least objective at a geometry and the springs that have it, or None if none do."""
        task, n = self.task, len(self.names)
        own = [(weight, statistic, joint) for piece in task.pieces for weight, statistic, joint in piece]
        if any(statistic == "rms" for _, statistic, _ in own):
            return self.least_squares(at, *own[0])
        norms = list(dict.fromkeys([(s, j) for _, s, j in own] +
                                   [(s, j) for j, s, _ in task.stat_limits]))
        scale = max(task.without_springs(), 1e-3)
        blocks, columns = [], 0  # rows of forms, and the columns behind them that they take
        sums = {}  # norm -> its columns
        for statistic, joint in norms:
            loads = self.scaled(self.loads[joint][at])
            own_scale = max(float(task.arm.statistic(statistic, joint,
                                                     task.arm.own_loads[joint])[0]), 1e-3)
            series = task.arm.statistic(statistic, joint, loads[:, -1])[1][:, None] * loads / own_scale
            wide = 1 if statistic in ("max", "peak_power") else len(series)
            sums[statistic, joint] = range(n + columns, n + columns + wide), own_scale
            blocks.append((series, columns, wide))
            columns += wide
        whole = n + columns + 1  # the last one is the objective
        rows = [numpy.insert(self.rows[at], [n] * (whole - n), 0.0, axis=1)]
        for series, first, wide in blocks:
            for sign in (1, -1):
                block = numpy.insert(sign * series, [n] * (whole - n), 0.0, axis=1)
                index = numpy.arange(len(series))
                block[index, n + first + (index if wide > 1 else 0)] = -1
                rows.append(block)
        for joint, statistic, most in task.stat_limits:
            taken, own_scale = sums[statistic, joint]
            row = numpy.zeros((1, whole + 1))
            row[0, list(taken)] = 1
            row[0, -1] = -most / own_scale
            rows.append(row)
        constant = 0.0
        for piece in task.pieces:
            row = numpy.zeros((1, whole + 1))
            row[0, whole - 1] = -1
            for weight, statistic, joint in piece:
                taken, own_scale = sums[statistic, joint]
                row[0, list(taken)] += weight * own_scale / scale
            rows.append(row)
        costs = numpy.zeros(whole)
        costs[whole - 1] = 1
        for weight, name in task.prices:
            i = self.names.index(name)
            costs[i] += weight * self.width[i] / scale
            constant += weight * self.low[i] / scale
        bounds = [(0, 1)] * n + [(0, None)] * (columns + 1)
        found = self.solve(costs, numpy.vstack(rows), bounds)
        if found is None:
            return None
        return self.times_factor(at, scale * (found.fun + constant)), self.values(found.x[:n])

    def least_squares(self, at, weight, statistic, joint):
        """The least root mean square, as the least distance of Lawson and Hanson."""
        if self.margin(at) < -TINY:
            return None
        n = len(self.names)
        loads = self.scaled(self.loads[joint][at])
        series = self.task.arm.statistic(statistic, joint, loads[:, -1])[1][:, None] * loads
        scale = max(numpy.abs(series).max(), 1e-12)
        matrix = numpy.vstack([series[:, :n] / scale, 1e-9 * numpy.eye(n)])
        target = numpy.append(-series[:, n] / scale, numpy.zeros(n))
        q, r = numpy.linalg.qr(matrix)
        ends = numpy.vstack([numpy.eye(n), -numpy.eye(n)])
        slopes = numpy.vstack([-self.rows[at][:, :n], ends])
        least = numpy.concatenate([self.rows[at][:, n], numpy.zeros(n), -numpy.ones(n)])
        turned = numpy.linalg.solve(r.T, slopes.T).T
        own = q.T @ target
        need = least - turned @ own
        size = numpy.maximum(numpy.hypot(numpy.abs(turned).max(1), numpy.abs(need)), 1e-300)
        stack = numpy.vstack([turned.T / size, need / size])
        weights, _ = nnls(stack, numpy.append(numpy.zeros(n), 1.0), maxiter=1000)
        left = stack @ weights - numpy.append(numpy.zeros(n), 1.0)
        x = numpy.linalg.solve(r, own - left[:n] / left[n])
        value = numpy.linalg.norm(series[:, :n] @ x + series[:, n])
        return self.times_factor(at, weight * value), self.values(x)

    def times_factor(self, at, value):
        mounts = {name: values[at] for name, values in self.mounts.items()}
        return float(value_of(self.task.factor, mounts) * value)

    def values(self, shares):
        """Values of variables by the unknowns' shares of their ranges."""
        unknowns = self.low + self.width * numpy.clip(shares, 0, 1)
        values = {**dict(zip(self.names, unknowns)), **self.chosen}
        for (rate, free), product in self.products.items():
            low, high = self.task.ranges[free]
            at = values[rate]
            values[free] = min(max(unknowns[product] / at, low), high) if at > 0 else low
        return values
