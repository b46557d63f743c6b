#!/usr/bin/env python3
"""Drives that the mechanism carries: all combinations of pairs, each with the masses of its parts put into the
bodies by hand, and everything that shows such a design again."""

import copy
import csv
import itertools
import json
import math
import random
import unittest

from drives_test import asked
from program import BAD_INPUT, DONE, INFEASIBLE, ScratchFolder, trials

MOTOR = ("name", "rated_torque", "peak_torque", "rated_speed", "no_load_speed", "rotor_inertia", "mass", "price")
GEARS = ("name", "ratio", "efficiency", "back_efficiency", "mass", "price")


def with_mass(body, mass, at):
    """A body with a point mass: mass, centre of mass, and inertia about it by the parallel axes of both."""
    total = body["mass"] + mass
    com = [(body["mass"] * c + mass * p) / total for c, p in zip(body["com"], at)]
    inertia = list(body["inertia"])
    for part, place in ((body["mass"], body["com"]), (mass, at)):
        x, y, z = (p - c for p, c in zip(place, com))
        for i, term in enumerate((y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z)):
            inertia[i] += part * term
    return {**body, "mass": total, "com": com, "inertia": inertia}


def catalogue(parts, columns):
    return "".join(",".join(str(cell) for cell in row) + "\n"
                   for row in [columns, *([part[column] for column in columns] for part in parts)])


class Robot:
    """An arm of one to three joints, its springs, motions and catalogues, all at random."""

    def __init__(self, rng, joints, catalogues):
        self.rng, self.joints = rng, joints
        self.names = ["shoulder", "elbow", "wrist"][:joints]
        length = [rng.uniform(0.2, 0.5) for _ in self.names]
        self.bodies = []
        for j, name in enumerate(self.names):
            size = rng.uniform(0.02, 0.2)
            axis = [rng.gauss(0, 0.2), -1, rng.gauss(0, 0.2)]
            joint = {"type": "revolute", "axis": axis}
            if rng.random() < 0.4:
                joint["friction"] = {"coulomb": rng.uniform(0, 3), "viscous": rng.uniform(0, 0.5)}
            if j > 0:
                joint["origin"] = [length[j - 1], 0, rng.gauss(0, 0.02)]
            self.bodies.append({
                "name": name, "parent": self.names[j - 1] if j else "world", "joint": joint, "mass": rng.uniform(0.5, 4),
                "com": [rng.uniform(0, length[j]), rng.gauss(0, 0.03), rng.gauss(0, 0.03)],
                "inertia": [size, size * rng.uniform(0.8, 1), size * rng.uniform(0.8, 1), 0, 0, 0],
                "points": {"lug": [rng.uniform(0.05, 0.2), 0, 0.03], "flange": [rng.uniform(-0.5, 0.4), 0, rng.gauss(0, 0.05)]}})
        self.payload = rng.uniform(0, 3)
        self.rates = [0, rng.uniform(50, 400)]
        self.motors, self.gears = catalogues(rng)
        self.minimise, self.margin = rng.choice(["price", "price", "mass"]), rng.uniform(1, 1.4)
        # a drive sits behind its joint, as a counterweight, or on the body that it turns, or anywhere before
        self.mounts = {}
        for j, name in enumerate(self.names):
            if joints > 1 and rng.random() < 0.2:
                continue
            on = rng.choice(self.names[:j + 1])
            self.mounts[name] = f"{on}.flange" if rng.random() < 0.3 else {
                "body": on, "point": [rng.uniform(-0.8, 0.4), rng.gauss(0, 0.05), "50 mm"]}
        if not self.mounts:
            self.mounts[self.names[-1]] = f"{self.names[-1]}.flange"
        self.brakes = {name: rng.random() < 0.3 for name in self.names}
        self.at_rest = {name: rng.choice(["worst", "favourable"]) for name in self.names}
        self.motions = {}
        for name, weight, pause in (("reach", 1, 0), ("back", 3, rng.choice([0, 0.5, 4]))):
            self.motions[name] = weight, pause, {
                "format": "counterpoise-motion/1", "duration": 1, "step": 0.05, "coordinates": {
                    actuator: {"type": "point-to-point", "from": rng.uniform(-0.9, 0.2), "to": rng.uniform(0.2, 1.2)}
                    for actuator in self.names}}

    def place(self, actuator):
        """The body and the point of a drive, in metres."""
        mount = self.mounts[actuator]
        if isinstance(mount, str):
            body = mount.split(".")[0]
            return body, next(one for one in self.bodies if one["name"] == body)["points"]["flange"]
        return mount["body"], [*mount["point"][:2], 0.05]

    def model(self, payload=None, rate=None, masses=None):
        """The model with its parameters, or one with numbers and with the masses of drives."""
        bodies = copy.deepcopy(self.bodies)
        if payload is not None:
            bodies[-1]["mass"] += payload
            for actuator, mass in (masses or {}).items():
                body, at = self.place(actuator)
                index = self.names.index(body)
                bodies[index] = with_mass(bodies[index], mass, at)
        else:
            bodies[-1]["mass"] = f"{bodies[-1]['mass']} + payload"
        return {"format": "counterpoise-model/1", "name": "arm", "parameters": {"rate": 100, "payload": self.payload},
                "world": {"points": {"post": [-0.05, 0, 0.35]}}, "bodies": bodies,
                "springs": [{"name": "spring", "connect": ["world.post", "shoulder.lug"],
                             "rate": "rate" if rate is None else rate, "free_length": 0.1}],
                "actuators": [{"name": name, "joint": name} for name in self.names]}

    def study(self, **changes):
        drives = {}
        for name in self.names:
            drives[name] = {"motors": "motors.csv", "gearboxes": "gearboxes.csv", "margin": self.margin,
                            "minimise": self.minimise, "brake": self.brakes[name], "at_rest": self.at_rest[name]}
            if name in self.mounts:
                drives[name]["mounted_on"] = self.mounts[name]
        return {"format": "counterpoise-study/1", "name": "mounted", "model": "model.json",
                "motions": {name: {"file": f"{name}.json", "weight": weight, "pause": pause}
                            for name, (weight, pause, _) in self.motions.items()},
                "variables": {"rate": {"values": self.rates}}, "store": "all", "sampling": {"method": "grid"},
                "drives": drives, "objectives": [{"name": "cost", "expression": f"drives.{self.minimise}"}], **changes}

    def pairs(self):
        """All pairs of a drive, in the order of their rows."""
        return list(itertools.product(range(len(self.motors)), range(len(self.gears))))

    def cost(self, pair, key):
        return self.motors[pair[0]][key] + self.gears[pair[1]][key]


def small_catalogues(motors, gears, least=0.4):
    """Makers of catalogues; the smallest motor has about this torque [N m], the largest ten times as much."""
    def make(rng):
        sizes = [least * math.exp(rng.uniform(0, 2.3)) for _ in range(motors)]
        return ([{"name": f"M{n}", "rated_torque": size, "peak_torque": size * rng.uniform(1.5, 3),
                  "rated_speed": (fast := rng.uniform(150, 500)), "no_load_speed": fast * rng.uniform(1, 1.4),
                  "rotor_inertia": 1e-5 * size, "mass": size * rng.uniform(0.5, 3), "price": 20 + 70 * size * rng.uniform(0.6, 1.4)}
                 for n, size in enumerate(sizes)],
                [{"name": f"G{n}", "ratio": math.exp(rng.uniform(2, 4)), "efficiency": rng.uniform(0.6, 1),
                  "back_efficiency": rng.uniform(0.2, 1), "mass": rng.uniform(0.1, 3), "price": rng.uniform(10, 50)}
                 for n in range(gears)])
    return make


class Mounted(ScratchFolder):
    """Robots, and the answers of all combinations of pairs."""

    def write_robot(self, robot, **changes):
        self.write("model.json", robot.model())
        for name, (*_, motion) in robot.motions.items():
            self.write(f"{name}.json", motion)
        self.write("motors.csv", catalogue(robot.motors, MOTOR))
        self.write("gearboxes.csv", catalogue(robot.gears, GEARS))
        self.write("study.json", robot.study(**changes))

    def run_study(self, *options):
        process = self.start("run", "study.json", "-o", "mounted.db", "--force", *options)
        said = process.communicate()
        self.assertIn(process.returncode, (DONE, INFEASIBLE), said)
        return self.cases("mounted.db")

    def simulated(self, robot, model, *options):
        """The runs of a model in all motions: (weight, pause, step, rows)."""
        self.write("by_hand.json", model)
        runs = []
        for name, (weight, pause, motion) in robot.motions.items():
            said = self.run_program("simulate", "by_hand.json", "--motion", f"{name}.json", *options)
            runs.append((weight, pause, motion["step"], [{key: float(cell) for key, cell in row.items()}
                                                  for row in csv.DictReader(said.stdout.splitlines())]))
        return runs

    @staticmethod
    def largest(runs, actuator):
        return max(abs(row[f"{actuator}.load"]) for *_, rows in runs for row in rows)

    @staticmethod
    def samples(robot, runs, actuator):
        """(load, velocity, acceleration, seconds) of the motor: at rest dry friction adds to the load, or carries it."""
        friction = robot.bodies[robot.names.index(actuator)]["joint"].get("friction", {}).get("coulomb", 0)
        most = robot.at_rest[actuator] == "worst"

        def at_rest(load):
            return math.copysign(abs(load) + friction if most else max(0, abs(load) - friction), load)
        found = []
        for weight, pause, step, rows in runs:
            for k, row in enumerate(rows):
                u, v = row[f"{actuator}.load"], row[f"{actuator}.velocity"]
                found.append((at_rest(u) if abs(v) <= 1e-9 else u, 0 if abs(v) <= 1e-9 else v, row[f"{actuator}.qdd"],
                              weight * step * (0.5 if k in (0, len(rows) - 1) else 1.0)))
            held = 0 if robot.brakes[actuator] else at_rest(rows[-1][f"{actuator}.load"])
            found.append((held, 0, 0, weight * pause))
        return found

    def all_combinations(self, robot, rate, *options):
        """(costs, pairs, largest share of each drive, its samples, its largest load) of all combinations of pairs."""
        loaded, other, found = {}, "mass" if robot.minimise == "price" else "price", []
        for pairs in itertools.product(robot.pairs(), repeat=robot.joints):
            masses = {name: robot.cost(pair, "mass") for name, pair in zip(robot.names, pairs) if name in robot.mounts}
            key = tuple(sorted(masses.items()))
            if key not in loaded:
                runs = self.simulated(robot, robot.model(robot.payload, rate, masses), *options)
                loaded[key] = ({name: self.samples(robot, runs, name) for name in robot.names},
                               {name: self.largest(runs, name) for name in robot.names})
            shares = [max(asked(robot.motors[m], robot.gears[g], robot.margin, loaded[key][0][name]).values())
                      for name, (m, g) in zip(robot.names, pairs)]
            costs = tuple(sum(robot.cost(pair, cost) for pair in pairs) for cost in (robot.minimise, other))
            found.append((costs, pairs, shares, *loaded[key]))
        return found

    def check_case(self, robot, case, found):
        """Returns whether drives were found."""
        fitting = [one for one in found if max(one[2]) <= 1 + 1e-9]
        if not fitting:
            self.assertEqual(case["status"], "infeasible")
            self.assertRegex(case["reason"], "no drive of .* suffices for .* with what the drives weigh")
            if robot.joints == 1:
                _, ((m, g),), (share,), samples, _ = min(found, key=lambda one: one[2][0])
                shares = asked(robot.motors[m], robot.gears[g], robot.margin, samples["shoulder"])
                self.assertIn(f"the nearest, M{m} with G{g}, falls short by {100 * (share - 1):.3g} % in "
                              f"{max(shares, key=shares.get)}", case["reason"])
            return False
        self.assertEqual(case["status"], "feasible", case["reason"])
        costs = min(one[0] for one in fitting)
        # two drives may change parts and cost the same but for rounding
        best = {one[1]: one for one in fitting if all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(one[0], costs))}
        pairs = tuple((case[f"drive.{name}.motor"] - 1, case[f"drive.{name}.gearbox"] - 1) for name in robot.names)
        self.assertIn(pairs, best)
        _, pairs, _, samples, largest = best[pairs]
        self.assertAlmostEqual(case["cost"], costs[0], delta=1e-9 * costs[0])
        for name, (m, g) in zip(robot.names, pairs):
            self.assertAlmostEqual(case[f"{name}.max"], largest[name], delta=1e-9 * largest[name])
            used = max(asked(robot.motors[m], robot.gears[g], 1.0, samples[name]).values())
            self.assertAlmostEqual(case[f"drive.{name}.utilisation"], used, delta=1e-9 * used)
        return True

    def iterated(self, robot, found):
        """What evaluating with the pairs of the last round leads to: its costs, or nothing where it does not settle."""
        def first(name, samples):
            other = "mass" if robot.minimise == "price" else "price"
            order = sorted(robot.pairs(), key=lambda pair: (robot.cost(pair, robot.minimise), robot.cost(pair, other), pair))
            return next((pair for pair in order if max(asked(
                robot.motors[pair[0]], robot.gears[pair[1]], robot.margin, samples[name]).values()) <= 1 + 1e-9), None)
        by_pairs = {one[1]: one for one in found}
        runs = self.simulated(robot, robot.model(robot.payload, self.rate))
        samples, before = {name: self.samples(robot, runs, name) for name in robot.names}, None
        for _ in range(20):
            pairs = tuple(first(name, samples) for name in robot.names)
            if None in pairs:
                return None
            if pairs == before:
                return by_pairs[pairs][0]
            before, samples = pairs, by_pairs[pairs][3]
        return None


class AllCombinations(Mounted):
    def check_robots(self, seed, joints, count, catalogues):
        """Studies of random robots. Returns how many designs have drives, have none, and are better or found at all
        where rounds of evaluations settle on dearer ones or on none."""
        rng = random.Random(seed)
        chosen = lacking = better = 0
        for _ in range(trials(count)):
            robot = Robot(rng, joints, catalogues)
            self.write_robot(robot)
            for case in self.run_study():
                self.rate = case["rate"]
                found = self.all_combinations(robot, self.rate)
                if not self.check_case(robot, case, found):
                    lacking += 1
                    continue
                chosen += 1
                rounds = self.iterated(robot, found)
                better += rounds is None or case["cost"] < rounds[0] * (1 - 1e-9)
        return chosen, lacking, better

    def test_one_drive(self):
        chosen, lacking, better = self.check_robots(20261129, 1, 40, small_catalogues(4, 3, least=0.15))
        self.assertGreater(chosen, 0)
        if trials(40) == 40:
            self.assertGreater(min(lacking, better), 0)

    def test_two_drives(self):
        chosen, lacking, better = self.check_robots(20261130, 2, 20, small_catalogues(3, 2, least=0.5))
        self.assertGreater(chosen, 0)
        if trials(20) == 20:
            self.assertGreater(min(lacking, better), 0)

    def test_three_drives(self):
        chosen, lacking, _ = self.check_robots(20261202, 3, 10, small_catalogues(2, 2, least=1))
        self.assertGreater(chosen, 0)
        if trials(10) == 10:
            self.assertGreater(lacking, 0)


class ByHand(Mounted):
    """An arm that is held level: 11 N m, and what the drive adds or takes off."""

    def weigh(self, x, motors, load=1.1):
        """The answer for motors of (torque, mass, price) on the arm at x."""
        self.write("model.json", {
            "format": "counterpoise-model/1", "gravity": [0, 0, -10], "parameters": {"load": load}, "bodies": [
                {"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": [0, -1, 0]}, "mass": 1,
                 "com": ["load", 0, 0]}],
            "actuators": [{"name": "lift", "joint": "arm"}]})
        self.write("hold.json", {"format": "counterpoise-motion/1", "duration": 1, "step": 0.5,
                                 "coordinates": {"lift": {"type": "hold", "value": 0}}})
        self.write("motors.csv", catalogue([dict(zip(MOTOR, (f"M{n}", torque, torque, 1, 1, 0, mass, price)))
                                            for n, (torque, mass, price) in enumerate(motors)], MOTOR))
        self.write("study.json", {
            "format": "counterpoise-study/1", "model": "model.json", "motions": {"hold": "hold.json"},
            "variables": {"load": {"values": [load]}}, "sampling": {"method": "grid"}, "store": "all",
            "drives": {"lift": {"motors": "motors.csv", "mounted_on": {"body": "arm", "point": [x, 0, 0]}}},
            "objectives": [{"name": "price", "expression": "drives.price"}]})
        return self.run_study()[0]

    def test_a_counterweight_that_rounds_of_evaluations_never_settle_on(self):
        """Without its mass the small motor falls short; beside the large one it would suffice, and then not again."""
        case = self.weigh(-0.1, [(10, 0.5, 10), (12, 2, 20)])
        self.assertEqual((case["drive.lift.motor"], case["status"]), (2, "feasible"))
        self.assertAlmostEqual(case["lift.max"], 9)

    def test_the_cheaper_of_two_that_rounds_would_stay_with(self):
        """Either keeps once it is there; without its mass the cheap one falls short, and the dear one weighs nothing."""
        case = self.weigh(-0.5, [(9, 2, 10), (12, 0, 20)])
        self.assertEqual(case["drive.lift.motor"], 1)
        self.assertAlmostEqual(case["lift.max"], 1)

    def test_none_that_carries_itself(self):
        """Each suffices for the arm alone, or for the mass of the other."""
        case = self.weigh(0.1, [(10, 1, 10), (12, 3, 20)], load=0.95)
        self.assertEqual(case["status"], "infeasible")
        self.assertIn("no drive of motors.csv suffices for lift with what the drives weigh: the nearest, M1, falls short by "
                      "4.17 % in peak torque", case["reason"])
        said = self.run_program("why", "mounted.db").stdout
        self.assertIn("lift drive, peak torque", said)
        said = self.run_program("show", "mounted.db", "1").stdout
        self.assertIn("no drive of motors.csv suffices", said)
        said = self.run_program("apply", "mounted.db", "1", "-o", "applied.json", code=BAD_INPUT).stderr
        self.assertIn("no drive of motors.csv suffices", said)

    def test_a_baseline_for_which_none_suffices_carries_the_nearest(self):
        self.weigh(0.1, [(10, 1, 10), (15, 3, 20)])
        study = json.loads((self.folder / "study.json").read_text())
        study["variables"] = {"load": {"values": [0.8]}}
        study["baseline"] = {"load": 1.3}
        study["objectives"].append({"name": "less", "expression": "lift.max / baseline.lift.max"})
        self.write("study.json", study)
        (case,) = self.run_study()
        self.assertAlmostEqual(case["less"], 9 / 16)
        rows = {row["name"]: row for row in self.query("mounted.db", "SELECT * FROM baselines")}
        self.assertAlmostEqual(rows["baseline"]["lift.max"], 16)
        self.assertIsNone(rows["baseline"]["drives.price"])
        self.run_program("show", "mounted.db", "1", "-o", "loads.csv")
        self.assertAlmostEqual(float(self.read_csv("loads.csv")[0]["baseline.lift.load"]), 16)
        self.assertIn("none suffices", self.run_program("show", "mounted.db", "1").stdout)
        study["objectives"][1]["expression"] = "drives.price / baseline.drives.price"
        self.write("study.json", study)
        said = self.run_program("run", "study.json", "-o", "other.db", code=BAD_INPUT).stderr
        self.assertIn("no drive of the catalogues suffices for the baseline", said)

    def test_limits_of_loads_hold_with_the_masses(self):
        """A limit that the arm keeps with the lightest drive and breaks with its own, and the other way round."""
        self.weigh(0.1, [(15, 2, 10), (15, 0, 50)])
        model = json.loads((self.folder / "model.json").read_text())
        for most, x, status in ((12, 0.1, "infeasible"), (14, 0.1, "feasible"), (10, -0.1, "feasible")):
            model["actuators"][0]["max_load"] = most
            study = json.loads((self.folder / "study.json").read_text())
            study["drives"]["lift"]["mounted_on"]["point"][0] = x
            self.write("model.json", model)
            self.write("study.json", study)
            (case,) = self.run_study()
            self.assertEqual(case["status"], status, (most, x, case["reason"]))
            if status == "infeasible":
                self.assertRegex(case["reason"], "lift.*max_load")
        self.assertAlmostEqual(case["lift.max"], 9)

    def test_a_point_that_a_variable_moves(self):
        """A drive at a named point: the variable has an effect, and each design its own loads."""
        self.weigh(0.1, [(15, 2, 10)])
        model, study = (json.loads((self.folder / name).read_text()) for name in ("model.json", "study.json"))
        model["parameters"]["place"] = 0.1
        model["bodies"][0]["points"] = {"flange": ["place", 0, 0]}
        study["drives"]["lift"]["mounted_on"] = "arm.flange"
        study["variables"] = {"place": {"values": [-0.2, 0, 0.2]}}
        self.write("model.json", model)
        self.write("study.json", study)
        said = self.run_program("run", "study.json", "-o", "mounted.db", "--force").stderr
        self.assertNotIn("no effect", said)
        for case, load in zip(self.cases("mounted.db"), (7, 11, 15)):
            self.assertAlmostEqual(case["lift.max"], load)


class ShownAgain(Mounted):
    """A robot of two joints, whose results are shown, applied, reported and made again in parts."""

    def setUp(self):
        super().setUp()
        self.robot = Robot(random.Random(94), 2, small_catalogues(3, 2))
        self.write_robot(self.robot, baseline={"rate": 150})
        self.found = {case["rate"]: case for case in self.run_study()}
        self.baselines = {row["name"]: row for row in self.query("mounted.db", "SELECT * FROM baselines")}
        self.assertEqual({row["status"] for row in (*self.found.values(), *self.baselines.values())}, {"feasible"})
        self.assertEqual(len(self.robot.mounts), 2)
        self.assertNotEqual(*(row["drives.mass"] for row in self.baselines.values()))

    def test_baselines_carry_drives_of_their_own(self):
        for name, options in (("baseline", ()), ("without_springs", ("--without-springs",))):
            found = self.all_combinations(self.robot, 150, *options)
            costs, *_, largest = min((one for one in found if max(one[2]) <= 1 + 1e-9), key=lambda one: one[0])
            row = self.baselines[name]
            self.assertAlmostEqual(row["cost"], costs[0], delta=1e-9 * costs[0])
            for actuator in self.robot.names:
                self.assertAlmostEqual(row[f"{actuator}.max"], largest[actuator], delta=1e-9 * largest[actuator])

    def test_show_evaluates_the_same_design(self):
        for case in self.found.values():
            shown = self.run_json("show", "mounted.db", str(case["id"]), "--json")
            for actuator in self.robot.names:
                self.assertEqual(shown["metrics"][f"{actuator}.max"], case[f"{actuator}.max"])
            said = self.run_program("show", "mounted.db", str(case["id"]), "-o", "loads.csv")
            self.assertNotIn("differ", said.stdout + said.stderr)
            rows = self.read_csv("loads.csv")
            for actuator in self.robot.names:
                for prefix, row in (("", case), ("baseline.", self.baselines["baseline"])):
                    largest = max(abs(float(one[f"{prefix}{actuator}.load"])) for one in rows)
                    self.assertAlmostEqual(row[f"{actuator}.max"], largest, delta=1e-12 * largest)

    def test_explanations_compare_robots_with_drives_of_their_own(self):
        """The largest loads of critical instants, and the work of all three robots, are those of the rows."""
        for case in self.found.values():
            told = self.run_json("show", "mounted.db", str(case["id"]), "--json")["explanation"]
            for instants in told["critical_instants"]:
                largest = max(abs(one["load"]) for one in instants["instants"])
                self.assertAlmostEqual(largest, case[f"{instants['actuator']}.max"], delta=1e-9 * largest)
            work = told["side_effects"]["actuators"]
            for actuator in self.robot.names:
                for robot, row in (("case", case), *self.baselines.items()):
                    powers = [one[robot]["peak_power"] for one in work if one["actuator"] == actuator]
                    self.assertAlmostEqual(max(powers), row[f"{actuator}.peak_power"], delta=1e-9 * max(powers))

    def test_an_applied_model_weighs_what_was_evaluated(self):
        for case in self.found.values():
            said = self.run_program("apply", "mounted.db", str(case["id"]), "-o", "applied.json")
            self.assertIn("shoulder_drive, elbow_drive", said.stderr)
            runs = self.simulated(self.robot, json.loads((self.folder / "applied.json").read_text()))
            for actuator in self.robot.names:
                largest = self.largest(runs, actuator)
                self.assertAlmostEqual(case[f"{actuator}.max"], largest, delta=1e-9 * largest)

    def check_applied(self, case, motions, *own):
        """The applied model has the loads of the case in these motions; `own`: with the parameters of each."""
        largest = 0
        for motion in motions:
            self.run_program("apply", "mounted.db", str(case["id"]), "-o", "applied.json", *own, *([motion] if own else []))
            said = self.run_program("simulate", "applied.json", "--motion", f"{motion}.json").stdout
            largest = max(largest, *(abs(float(row["shoulder.load"])) for row in csv.DictReader(said.splitlines())))
        self.assertAlmostEqual(case["shoulder.max"], largest, delta=1e-9 * largest)
        shown = self.run_json("show", "mounted.db", str(case["id"]), "--json")
        self.assertEqual(shown["metrics"]["shoulder.max"], case["shoulder.max"])

    def test_motions_that_are_selected_or_have_parameters_or_poses(self):
        study = self.robot.study()
        study["variables"]["motion"] = {"motion": ["reach", "back"]}
        self.write("study.json", study)
        for case in self.run_study():
            self.check_applied(case, [case["motion"]])
        study = self.robot.study()
        study["motions"]["reach"]["parameters"] = {"payload": 0.2}
        study["motions"]["back"]["parameters"] = {"payload": 1.5}
        self.write("study.json", study)
        for case in self.run_study():
            self.check_applied(case, ["reach", "back"], "--motion")
        self.write("poses.json", {"format": "counterpoise-motion/1", "poses": {
            "shoulder": {"values": [-0.4, 0, 0.9]}, "elbow": {"values": [0, 0.5]}}})
        self.write("study.json", self.robot.study(motions={"poses": "poses.json"}))
        for case in self.run_study():
            self.check_applied(case, ["poses"])

    def test_reports_and_bills_and_explanations(self):
        self.run_program("report", "mounted.db", "-o", "page.html")
        bill = self.run_json("show", "mounted.db", "best", "--bill", "--format", "json")
        self.assertEqual(len(bill["drives"]), 2)
        self.run_program("why", "mounted.db")
        self.run_program("sensitivity", "study.json")

    def test_threads_shards_and_a_resumed_run_have_the_same_bits(self):
        study = self.robot.study(baseline={"rate": 150})
        study["variables"] = {"rate": {"range": [0, 300], "count": 40}, "payload": {"values": [0, 0.5, 1]}}
        self.write("study.json", study)
        self.run_study("--threads", "1")
        self.run_program("run", "study.json", "-o", "three.db", "--threads", "3")
        self.assert_same_results("three.db", "mounted.db")
        for part in (1, 2):
            self.run_program("run", "study.json", "-o", f"part{part}.db", "--shard", f"{part}/2")
        self.run_program("merge", "part1.db", "part2.db", "-o", "merged.db")
        self.assert_same_results("merged.db", "mounted.db")
        self.run_program("run", "study.json", "-o", "merged.db", "--resume")
        self.assert_same_results("merged.db", "mounted.db")

    def test_a_search_carries_drives(self):
        study = self.robot.study()
        study.pop("sampling")
        study["variables"] = {"rate": {"range": [0, 400]}}
        study["search"] = {"method": "nlopt", "algorithm": "LN_COBYLA", "starts": 2, "max_evaluations": 25}
        study["objectives"] = [{"name": "torque", "expression": "shoulder.motor_torque"}]
        self.write("study.json", study)
        cases = [case for case in self.run_study() if case["status"] == "feasible"]
        shown = self.run_json("show", "mounted.db", str(cases[-1]["id"]), "--json")
        self.assertEqual(shown["metrics"]["shoulder.max"], cases[-1]["shoulder.max"])

    def test_falls_carry_drives(self):
        """A fall of the design is that of the model that is applied."""
        way = self.robot.motions["reach"][-1]["coordinates"]["elbow"]
        middle = (way["from"] + way["to"]) / 2
        self.write("off.json", {"format": "counterpoise-scenario/1", "duration": 0.3, "step": 0.1,
                                "start": {"motion": "reach.json", "time": 0.5},
                                "actuators": {name: "free" for name in self.robot.names},
                                "stops": [{"name": "end", "of": "elbow", "min": middle - 0.05, "max": middle + 0.05}]})
        for body in self.robot.bodies:
            body["joint"].pop("friction", None)
        self.write("model.json", self.robot.model())
        study = self.robot.study(scenarios={"off": "off.json"})
        study["store"] = ["off.energy_lost"]
        self.write("study.json", study)
        for case in self.run_study():
            self.run_program("apply", "mounted.db", str(case["id"]), "-o", "applied.json")
            fallen = self.run_json("forward", "applied.json", "--scenario", "off.json", "--json")
            self.assertGreater(case["off.energy_lost"], 0)
            self.assertAlmostEqual(fallen["energy_lost"], case["off.energy_lost"], delta=1e-6 * fallen["energy_lost"])

    def test_one_cost_for_all_that_are_chosen_together(self):
        study = self.robot.study()
        study["drives"]["elbow"]["minimise"] = "mass" if self.robot.minimise == "price" else "price"
        self.write("study.json", study)
        said = self.run_program("run", "study.json", "-o", "other.db", code=BAD_INPUT).stderr
        self.assertRegex(said, r"study.json:\d+:\d+: /drives/elbow: minimises another cost")

    def test_robustness_is_refused(self):
        self.write("tolerances.json", {"of": {"rate": {"percent": 5}}})
        study = self.robot.study(objectives=[{"name": "load", "minimize": "max", "of": ["elbow"]}])
        self.write("study.json", study)
        self.run_study()
        said = self.run_program("robustness", "mounted.db", "--tolerances", "tolerances.json", code=BAD_INPUT).stderr
        self.assertIn("robustness chooses no drives", said)
        self.assertRegex(said, r"study.json:\d+:\d+: /drives/shoulder/mounted_on: ")


if __name__ == "__main__":
    unittest.main()
