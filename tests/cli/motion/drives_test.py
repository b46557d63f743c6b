#!/usr/bin/env python3
"""Drives chosen from catalogues: the winner of all pairs, words, tables, and what is refused."""

import csv
import io
import json
import math
import random
import unittest

import wrong_drives
from program import DONE, INFEASIBLE, ScratchFolder, altered, trials
from wrong_drives import GEARBOXES, MODEL, MOTORS, MOTIONS, STUDY
from wrong_table import WrongTable

SCALES = {"N*m": 1.0, "mN*m": 1e-3, "rpm": math.pi / 30, "rad/s": 1.0, "g*cm^2": 1e-7, "kg*m^2": 1.0, "ohm": 1.0,
          "mN*m/A": 1e-3, "kg": 1.0, "g": 1e-3}


def read(text):
    """A catalogue in SI, by the units of its headings."""
    rows = []
    for row in csv.DictReader(io.StringIO(text)):
        part = {}
        for heading, cell in row.items():
            name, _, unit = heading.partition(" [")
            part[name] = cell if name == "name" else float(cell) * SCALES[unit.rstrip("]")] if unit else float(cell)
        rows.append(part)
    return rows


def asked(motor, gears, margin, samples):
    """The shares of one pair: what is asked over what it can do, by the words of its demands."""
    i, eta = gears["ratio"], gears["efficiency"]
    back = gears.get("back_efficiency", eta)
    inertia = motor["rotor_inertia"] + gears.get("inertia", 0.0)
    torques, line = [], 0.0
    for u, v, a, w in samples:
        torque = (u / eta if u * v > 0 else u * back if u * v < 0 else u) / i + inertia * i * a
        torques.append((torque, w))
        if torque * v > 0:
            droop = (motor["no_load_speed"] - motor["rated_speed"]) / motor["rated_torque"]
            line = max(line, (margin * abs(torque) * droop + i * abs(v)) / motor["no_load_speed"])
    time = sum(w for *_, w in samples)
    rms = math.sqrt(sum(w * torque ** 2 for torque, w in torques) / time)
    load_rms = math.sqrt(sum(w * u ** 2 for u, _, _, w in samples) / time)
    fastest = i * max(abs(v) for _, v, _, _ in samples)
    return {"peak torque": margin * max(abs(torque) for torque, _ in torques) / motor["peak_torque"],
            "rated torque": margin * rms / motor["rated_torque"], "speed": fastest / motor["no_load_speed"],
            "torque at speed": line,
            "peak torque of the gearbox": margin * max(abs(u) for u, *_ in samples) / gears.get("peak_torque", math.inf),
            "rated torque of the gearbox": margin * load_rms / gears.get("rated_torque", math.inf),
            "input speed of the gearbox": fastest / gears.get("input_speed", math.inf)}


class Drives(ScratchFolder):
    def setUp(self):
        super().setUp()
        self.model, self.study = json.loads(MODEL), json.loads(STUDY)
        for name, text in MOTIONS.items():
            self.write(name, text)
        self.write("motors.csv", MOTORS)
        self.write("gearboxes.csv", GEARBOXES)

    def samples(self, case, weights):
        """(load, velocity, acceleration, seconds) of the lift over all motions, by `simulate`."""
        found = []
        for name, weight in weights.items():
            said = self.run_program("simulate", "model.json", "--motion", name,
                                    *(text for key in self.study["variables"]
                                      for text in ("--set", f"{key}={case[key]!r}")))
            rows = list(csv.DictReader(said.stdout.splitlines()))
            for k, row in enumerate(rows):
                step = float(rows[1]["t"]) * (0.5 if k in (0, len(rows) - 1) else 1.0)
                found.append((float(row["lift.load"]), float(row["lift.velocity"]), float(row["arm.qdd"]), weight * step))
        return found

    def run_study(self):
        self.write("model.json", self.model)
        self.write("study.json", self.study)
        process = self.start("run", "study.json", "-o", "drives.db", "--force")
        said = process.communicate()
        self.assertIn(process.returncode, (DONE, INFEASIBLE), said)
        return self.cases("drives.db")

    def check_choices(self, motors, gearboxes, margin, minimise, weights):
        chosen = lacking = 0
        for case in self.run_study():
            samples = self.samples(case, weights)
            other = "mass" if minimise == "price" else "price"
            pairs = []
            for m, motor in enumerate(motors):
                for g, gears in enumerate(gearboxes):
                    shares = asked(motor, gears, margin, samples)
                    pairs.append((motor[minimise] + gears[minimise], motor[other] + gears[other], m, g, shares))
            sufficing = [pair for pair in sorted(pairs, key=lambda pair: pair[:4])
                         if max(pair[4].values()) <= 1 + 1e-9]
            if not sufficing:
                nearest = min(sorted(pairs, key=lambda pair: pair[:4]), key=lambda pair: max(pair[4].values()))
                hardest = max(nearest[4], key=nearest[4].get)
                self.assertEqual(case["status"], "infeasible")
                words = (f"the nearest, {motors[nearest[2]]['name']} with {gearboxes[nearest[3]]['name']}, falls short by "
                         f"{100 * (nearest[4][hardest] - 1):.3g} % in {hardest}")
                self.assertIn(words, case["reason"])
                lacking += 1
                continue
            _, _, m, g, _ = sufficing[0]
            self.assertEqual(case["status"], "feasible", case["reason"])
            self.assertEqual((case["drive.lift.motor"], case["drive.lift.gearbox"]), (m + 1, g + 1))
            self.assertAlmostEqual(case["price"], motors[m]["price"] + gearboxes[g]["price"])
            self.assertAlmostEqual(case["drives.mass"], motors[m]["mass"] + gearboxes[g]["mass"])
            used = max(asked(motors[m], gearboxes[g], 1.0, samples).values())
            self.assertAlmostEqual(case["drive.lift.utilisation"], used, delta=1e-9 * used)
            chosen += 1
        return chosen, lacking

    def test_all_pairs(self):
        """Every case of a study with two weighted motions has the winner of all pairs, or the nearest."""
        found = self.check_choices(read(MOTORS), read(GEARBOXES), 1.3, "price", {"lift.json": 1, "hold.json": 4})
        self.assertGreater(min(found), 1)

    def write_random_catalogues(self, rng):
        motors = [{"name": f"M{n}", "rated_torque": (size := math.exp(rng.uniform(-3.5, 1))),
                   "peak_torque": size * rng.uniform(1, 4), "rated_speed": (fast := rng.uniform(100, 600)),
                   "no_load_speed": fast * rng.uniform(1, 1.4), "rotor_inertia": size ** 1.5 * rng.uniform(1e-5, 2e-4),
                   "mass": round(size * rng.uniform(1, 3), 1), "price": round(20 + 60 * size * rng.uniform(0.7, 1.3))}
                  for n in range(rng.randint(1, 9))]
        gearboxes = [{"name": f"G{n}", "ratio": math.exp(rng.uniform(1, 5)), "efficiency": rng.uniform(0.5, 1),
                      "back_efficiency": rng.uniform(0, 1), "rated_torque": (size := math.exp(rng.uniform(0, 5))),
                      "peak_torque": size * rng.uniform(1, 2), "input_speed": rng.uniform(200, 900),
                      "inertia": rng.uniform(0, 2e-5), "mass": round(rng.uniform(0.1, 3), 1),
                      "price": round(rng.uniform(10, 80))} for n in range(rng.randint(1, 6))]
        for name, parts in (("motors.csv", motors), ("gearboxes.csv", gearboxes)):
            text = ",".join(parts[0]) + "\n"
            self.write(name, text + "".join(",".join(str(cell) for cell in part.values()) + "\n" for part in parts))
        return motors, gearboxes

    def test_random_catalogues(self):
        rng = random.Random(20261103)
        total = [0, 0]
        for _ in range(trials(80)):
            motors, gearboxes = self.write_random_catalogues(rng)
            margin, minimise = rng.uniform(1, 1.6), rng.choice(["price", "mass"])
            self.study["drives"]["lift"] = {"motors": "motors.csv", "gearboxes": "gearboxes.csv", "margin": margin,
                                            "minimise": minimise}
            self.study["variables"]["rate"]["values"] = [0, rng.uniform(50, 600)]
            self.study["variables"]["payload"]["values"] = [math.exp(rng.uniform(-1, 5))]
            found = self.check_choices(motors, gearboxes, margin, minimise, {"lift.json": 1, "hold.json": 4})
            total = [one + other for one, other in zip(total, found)]
        self.assertGreater(min(total), 0)

    def vary(self, rng, heaviest=90):
        """Random catalogues, motions, friction and payloads. Returns what drives minimise."""
        self.model["parameters"]["free"] = 0.1
        self.model["springs"][0]["free_length"] = "free"
        self.write_random_catalogues(rng)
        cost = rng.choice(["price", "mass"])
        self.study["motions"] = {"lift": {"file": "lift.json", "pause": rng.choice([0, 3])},
                                 "hold": {"file": "hold.json", "weight": rng.uniform(0.5, 5)}}
        self.study["drives"]["lift"] = {"motors": "motors.csv", "gearboxes": "gearboxes.csv", "minimise": cost,
                                        "margin": rng.uniform(1, 1.6), "brake": rng.choice([True, False]),
                                        "at_rest": rng.choice(["worst", "favourable"])}
        self.model["bodies"][0]["joint"]["friction"] = {"coulomb": rng.choice([0, 0.3, 3])}
        self.study["baseline"] = {"payload": math.exp(rng.uniform(-1, math.log(heaviest)))}
        self.model["parameters"]["payload"]["value"] = self.study["baseline"]["payload"]
        return cost

    def exact_case(self, rng, chosen):
        """The case of an exact search of the spring, chosen from some or made to order."""
        rates = [rng.uniform(0, 1200) for _ in range(rng.randint(2, 12))]
        self.study["variables"] = {"rate": {"values": rates}} if chosen else {
            "rate": {"range": [0, 1200]}, "free": {"range": [0.05, 0.13]}}
        self.study.pop("sampling", None)
        self.study["search"] = {"method": "exact-springs"}
        (exact,) = self.run_study()
        return exact

    def cases_of_grid(self, chosen):
        """The feasible cases of the same springs, or of a grid, by an ordinary study."""
        self.study.pop("search")
        self.study["sampling"] = {"method": "grid"}
        if not chosen:
            self.study["variables"] = {"rate": {"values": [25 * n for n in range(49)]},
                                       "free": {"values": [0.05 + 0.01 * n for n in range(9)]}}
        return [case for case in self.run_study() if case["status"] == "feasible"]

    def test_springs_and_drives_found_together(self):
        """An exact search for the cheapest drive comes to what all catalogue springs come to, and no springs of a grid do
        better than those that it sizes; the peak decides between equal prices."""
        rng = random.Random(20261129)
        found = {"chosen": 0, "sized": 0, "neither": 0, "mattered": 0}
        for i in range(trials(120)):
            cost, chosen = self.vary(rng), i % 2 == 0
            self.study["objectives"] = [{"name": "cost", "expression": f"drives.{cost}"},
                                        {"name": "peak", "minimize": "max", "of": ["lift"]}]
            exact = self.exact_case(rng, chosen)
            cases = self.cases_of_grid(chosen)
            least = min(((case["cost"], case["peak"]) for case in cases), default=None)
            if exact["status"] == "infeasible":
                self.assertIsNone(least)
                self.assertIn("no pair of the catalogues suffices for lift, whatever the springs", exact["reason"])
                found["neither"] += 1
                continue
            self.assertEqual(exact["status"], "feasible", exact["reason"])
            found["chosen" if chosen else "sized"] += 1
            if least is None:
                self.assertFalse(chosen)
                continue
            found["mattered"] += max(case["cost"] for case in cases) > exact["cost"]
            if chosen:
                self.assertEqual((exact["cost"], exact["peak"]), least)
            else:
                self.assertLessEqual((exact["cost"], exact["peak"]), (least[0], least[1] * (1 + 1e-9)))
        self.assertGreater(min(found.values()), 0, found)

    def test_best_springs_that_drives_suffice_for(self):
        """With loads or a rate as first objective an exact search comes to the best of all catalogue springs that have a
        drive within the constraints, and no springs of a grid that have one are better than those that it sizes."""
        rng = random.Random(20261203)
        found = {"chosen": 0, "sized": 0, "neither": 0, "bounds mattered": 0, "drives mattered": 0}
        for i in range(trials(200)):
            cost, chosen = self.vary(rng, 20), i % 2 == 0
            of_loads = [{"name": "peak", "minimize": "max", "of": ["lift"]}, {"name": "spring", "expression": "rate"}]
            self.study["objectives"] = of_loads if rng.random() < 0.3 else of_loads[::-1]
            self.study["constraints"] = []
            most = (self.exact_case(rng, chosen)[f"drives.{cost}"] or 100) * rng.uniform(0.6, 1.05)
            bound = {"name": "budget", "expression": rng.choice([f"drives.{cost}", f"drive.lift.{cost}"]), "max": most}
            self.study["constraints"] = [bound] if rng.random() < 0.6 else []
            exact = self.exact_case(rng, chosen)
            cases = self.cases_of_grid(chosen)
            first, second = (objective["name"] for objective in self.study["objectives"])
            least = min(((case[first], case[second]) for case in cases), default=None)
            if exact["status"] == "infeasible":
                self.assertIsNone(least, exact["reason"])
                words = " and keeps constraint budget" if self.study["constraints"] else ""
                self.assertIn(f"no pair of the catalogues suffices for lift{words}, whatever the springs; with the springs "
                              "that are best without drives, ", exact["reason"])
                self.assertRegex(exact["reason"], r"falls short by \S+ % in |constraint budget is [^,]+, above ")
                found["neither"] += 1
                continue
            self.assertEqual(exact["status"], "feasible", exact["reason"])
            if self.study["constraints"]:
                self.assertLessEqual(exact[f"drives.{cost}"], most * (1 + 1e-9))
            found["chosen" if chosen else "sized"] += 1
            if least is None:
                self.assertFalse(chosen)
                continue
            if chosen:
                self.assertEqual((exact[first], exact[second]), least)
            else:
                self.assertLessEqual(exact[first], least[0] * (1 + 1e-9) + 1e-9)
            if self.study["constraints"]:
                self.study["constraints"] = []
                without = min(case[first] for case in self.run_study() if case["status"] == "feasible")
                found["bounds mattered"] += without < least[0]
            self.study["drives"] = {}
            found["drives mattered"] += min(case[first] for case in self.run_study()) < least[0]
        self.assertGreater(min(found.values()), 0, found)

    def test_trade_off_of_springs_that_drives_suffice_for(self):
        """No springs of a grid that have a drive within the constraint are better in both objectives than a design of the
        front, and designs of the front do not dominate each other."""
        rng = random.Random(20261205)
        compared = decided = mixed = 0
        for _ in range(trials(120)):
            cost = self.vary(rng)
            self.study["objectives"] = [{"name": "peak", "minimize": "max", "of": ["lift"]},
                                        {"name": "spring", "expression": "rate"}]
            most = rng.uniform(40, 160) if cost == "price" else rng.uniform(0.4, 5)
            self.study["constraints"] = [{"name": "budget", "expression": f"drives.{cost}", "max": most}]
            self.study["variables"] = {"rate": {"range": [0, 1200]}, "free": {"range": [0.05, 0.13]}}
            self.study.pop("sampling", None)
            self.study["search"] = {"method": "exact-springs", "trade_off": {"objectives": ["peak", "spring"], "points": 4}}
            front = self.run_study()
            certificates = self.query("drives.db", "SELECT * FROM certificates")
            decided += not certificates
            if certificates and front[0]["status"] == "feasible":
                # as if drives had decided the best case, too
                with altered(self.folder / "drives.db") as database:
                    database.execute("DELETE FROM certificates WHERE id = (SELECT min(id) FROM certificates)")
                if len(certificates) > 1:
                    self.run_program("verify", "drives.db")
                    mixed += 1
            grid = self.cases_of_grid(False)
            if front[0]["status"] == "infeasible":
                self.assertFalse(grid)
                continue
            for case in front:
                self.assertEqual(case["status"], "feasible", case["reason"])
                for other in grid + front:
                    better = all(other[name] < case[name] * (1 - 1e-6) - 1e-6 for name in ("peak", "spring"))
                    self.assertFalse(better, (case, other))
                compared += len(grid)
        self.assertGreater(compared, trials(1000))
        self.assertGreater(decided, 0)
        self.assertGreater(mixed, 0)

    def test_show_tells_what_balancing_is_worth(self):
        self.study["cycles_per_year"] = 90000
        self.run_study()
        text = self.run_program("show", "drives.db", "best").stdout
        best = json.loads(self.run_program("show", "drives.db", "best", "--json").stdout)
        (drive,) = best["drives"]
        self.assertIn("drives: what the balancing is worth", text)
        for robot in ("baseline", "without_springs", "design"):
            for part in ("motor", "gearbox"):
                self.assertRegex(text, rf"\n +{'lift' if part == 'motor' else ''} +{part} .*{drive[robot][part]}")
        self.assertLess(drive["design"]["price"], drive["without_springs"]["price"])
        self.assertEqual(best["metrics"]["drives.price"], drive["design"]["price"])
        year = drive["design"]["motor_energy"] * 90000 / 3.6e6
        self.assertRegex(text, rf"energy of a year \[kWh\].* {year:.4g}")
        bill = self.run_program("show", "drives.db", "best", "--bill").stdout
        self.assertRegex(bill, rf"drives\n\n.*\n *lift +{drive['design']['motor']} +{drive['design']['gearbox']} ")
        bill = json.loads(self.run_program("show", "drives.db", "best", "--bill", "--format", "json").stdout)
        self.assertEqual(bill["drives"][0]["motor"], drive["design"]["motor"])

    def test_a_baseline_for_which_none_suffices(self):
        self.study["baseline"] = {"payload": 60}
        self.run_study()
        said = self.run_program("run", "study.json", "-o", "again.db").stdout
        self.assertIn("; the baseline has none", said)
        self.assertNotIn("nan", said)
        text = self.run_program("show", "drives.db", "best").stdout
        self.assertIn("none suffices", text)
        self.study["objectives"].append({"name": "saved", "expression": "drives.price / baseline.drives.price"})
        self.write("study.json", self.study)
        said = self.run_program("run", "study.json", "-o", "other.db", code=2)
        self.assertIn("uses baseline.drives.price, but no drive of the catalogues suffices for the baseline", said.stderr)

    def test_why_names_the_demand(self):
        self.study["variables"]["payload"]["values"] = [0, 40, 80]
        self.run_study()
        said = self.run_program("why", "drives.db").stdout
        self.assertRegex(said, r"lift drive, (peak|rated) torque")

    def test_objectives_and_fronts(self):
        """The price of the drive against the rate of the spring; constraints of the drive's use."""
        self.study["objectives"] = [{"name": "price", "expression": "drives.price"}, {"name": "spring", "expression": "rate"}]
        self.study["constraints"] = [{"name": "calm", "expression": "drive.lift.utilisation", "max": 0.7}]
        cases = [case for case in self.run_study() if case["status"] == "feasible"]
        self.assertTrue(all(case["drive.lift.utilisation"] <= 0.7 for case in cases))
        front = json.loads(self.run_program("rank", "drives.db", "--pareto", "--format", "json").stdout)
        least = {(case["price"], case["spring"]) for case in cases}
        least = {one for one in least if not any(o != one and o[0] <= one[0] and o[1] <= one[1] for o in least)}
        self.assertEqual({(row["price"], row["spring"]) for row in front}, least)

    def test_threads_and_a_merge_have_the_same_bits(self):
        self.run_study()
        self.run_program("run", "study.json", "-o", "three.db", "--threads", "3")
        self.assert_same_results("three.db", "drives.db")
        for part, code in ((1, DONE), (2, INFEASIBLE)):
            self.run_program("run", "study.json", "-o", f"part{part}.db", "--shard", f"{part}/2", code=code)
        self.run_program("merge", "part1.db", "part2.db", "-o", "merged.db")
        self.assert_same_results("merged.db", "drives.db")

    def test_poses_have_no_energy(self):
        self.study["motions"] = {"poses": "poses.json"}
        self.study["objectives"] = [{"name": "energy", "expression": "lift.motor_energy"}]
        self.write("model.json", self.model)
        self.write("study.json", self.study)
        said = self.run_program("run", "study.json", "-o", "poses.db", code=2)
        self.assertIn("motor_energy, which is 0 in poses", said.stderr)
        self.study["motions"]["lift"] = "lift.json"
        self.study["objectives"] = [{"name": "price", "expression": "drives.price"}]
        self.write("study.json", self.study)
        said = self.run_program("run", "study.json", "-o", "poses.db", code=2)
        self.assertIn("over poses at rest and motions in time together; expected poses", said.stderr)

    def test_a_search_finds_its_way_to_a_drive(self):
        """From springs with which none suffices: the shortfall is the violation."""
        self.study.pop("sampling")
        self.study["variables"] = {"rate": {"range": [0, 900]}}
        self.study["search"] = {"method": "nlopt", "algorithm": "LN_COBYLA", "starts": 3, "max_evaluations": 60}
        self.study["objectives"] = [{"name": "torque", "expression": "lift.motor_torque"}]
        cases = self.run_study()
        self.assertTrue(any(case["status"] == "feasible" for case in cases))


class WrongDrives(WrongTable):
    def test_studies(self):
        self.check_all(wrong_drives.STUDIES)


if __name__ == "__main__":
    unittest.main()
