#!/usr/bin/env python3
"""`forward`: what it writes and prints, against a pendulum integrated here, and the scenarios that it
and `check` refuse."""

import csv
import io
import json
import math
import unittest

import wrong_scenarios
from arm_files import FILES
from pendulum import FLOOR, Pendulum
from program import BAD_INPUT, DONE, ERROR, INFEASIBLE, TWO_LINK_ARM, ScratchFolder, file_size_limit
from wrong_table import WrongTable

PENDULUM = Pendulum(rate=50, weight=2.5, restitution=0.3)
INERTIA, RESTITUTION = PENDULUM.inertia, PENDULUM.restitution
WEAK = ("--set", "rate=50")
LET_GO = ("forward", "model.json", "--scenario", "scenario.json")


class Arm(ScratchFolder):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)

    def scenario(self, **changes):
        """The right scenario with some keys changed, or left out if they are None."""
        document = json.loads(FILES["scenario.json"])
        document.update(changes)
        self.write("scenario.json", {k: v for k, v in document.items() if v is not None})

    def states(self, *options, code=DONE):
        self.run_program(*LET_GO, *WEAK, "-o", "states.csv", *options, code=code)
        rows = list(csv.reader(io.StringIO((self.folder / "states.csv").read_text())))
        return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}

    def events(self, *options, code=DONE):
        self.run_program(*LET_GO, *WEAK, "--events", "events.csv", *options, code=code)
        return self.read_csv("events.csv")


class Falls(Arm):
    def test_columns(self):
        self.assertEqual(list(self.states()), [
            "t", "shoulder.position", "shoulder.velocity", "shoulder.load", "upper.q", "upper.qd",
            "upper.qdd", "spring.length", "spring.tension", "energy.kinetic", "energy.potential",
            "energy.springs", "energy.total", "energy.lost", "energy.work"])
        self.assertEqual(list(self.events()[0]), [
            "t", "group", "contact", "point", "kind", "angle", "normal_velocity_before",
            "normal_velocity_after", "impulse", "energy_lost"])

    def test_the_motion_is_that_of_the_pendulum(self):
        found = self.states()
        states, impacts = PENDULUM.fall(0.5, 0.0, duration=1.0)
        self.assertGreater(len(impacts), 3)
        times = [k / 10 for k in range(11)]
        for t in times:
            at = [k for k, time in enumerate(found["t"]) if abs(time - t) < 1e-12]
            q, v = states[round(t / 2e-4)]
            self.assertAlmostEqual(found["upper.q"][at[-1]], q, delta=1e-7)
            self.assertAlmostEqual(found["upper.qd"][at[-1]], v, delta=1e-6)
        # between the samples two rows of every instant with an event
        instants = {event["group"] for event in self.events()}
        self.assertEqual(len(found["t"]), len(times) + 2 * len(instants))

    def test_the_events_are_those_of_the_pendulum(self):
        found = self.events()
        _, impacts = PENDULUM.fall(0.5, 0.0, duration=1.0)
        hits = [event for event in found if event["kind"] == "impact"]
        self.assertEqual(len(hits), len(impacts))
        arm = 0.1 * math.cos(FLOOR)  # the mount's height by the angle
        for event, (t, v) in zip(hits, impacts):
            self.assertEqual((event["contact"], event["point"]), ("floor", "upper.mount"))
            self.assertAlmostEqual(float(event["t"]), t, delta=1e-6)
        for event, (t, v) in zip(hits[:-1], impacts):  # the last one ends in rest
            for key, expected in {
                    "normal_velocity_before": -v * arm,
                    "normal_velocity_after": v * RESTITUTION * arm, "angle": FLOOR,
                    "impulse": INERTIA * v * (1 + RESTITUTION) / arm,
                    "energy_lost": INERTIA / 2 * v**2 * (1 - RESTITUTION**2)}.items():
                self.assertAlmostEqual(float(event[key]), expected, delta=1e-6, msg=(t, key))
        self.assertEqual(found[-1]["kind"], "rest")
        self.assertEqual([int(event["group"]) for event in found[:2]], [1, 2])

    def test_energy_is_lost_in_impacts_only(self):
        found = self.states()
        lost = sum(float(event["energy_lost"]) for event in self.events())
        self.assertGreater(lost, 0.5)
        self.assertAlmostEqual(found["energy.lost"][-1], lost, delta=1e-12)
        for total, gone in zip(found["energy.total"], found["energy.lost"]):
            self.assertAlmostEqual(total, found["energy.total"][0] - gone, delta=1e-7)

    def test_a_stop(self):
        self.scenario(contacts=None, stops=[
            {"name": "end", "of": "upper", "max": 50, "unit": "deg", "restitution": 1}])
        hits = self.events()
        self.assertEqual((hits[0]["contact"], hits[0]["point"]), ("end", ""))
        before, after = (float(hits[0]["normal_velocity_" + when]) for when in ("before", "after"))
        self.assertAlmostEqual(after, -before, delta=1e-9)
        self.assertAlmostEqual(max(self.states()["upper.q"]), math.radians(50), delta=1e-9)


class Rules(Arm):
    BARE = {"contacts": None, "stops": None, "duration": 0.5}

    def test_a_held_actuator_stays(self):
        self.scenario(**self.BARE, actuators={}, others="held")
        found = self.states()
        for q, v, load in zip(found["upper.q"], found["upper.qd"], found["shoulder.load"]):
            self.assertEqual((q, v), (0.5, 0.0))
            self.assertAlmostEqual(load, -PENDULUM.torque(0.5), delta=1e-9)

    def test_a_held_actuator_that_moves_is_stopped_with_an_event(self):
        self.scenario(**self.BARE, actuators={"shoulder": "held"},
                      start={"coordinates": {"shoulder": 0.5}, "velocities": {"shoulder": 2}})
        event, = self.events()
        self.assertEqual((event["contact"], event["point"], event["kind"]), ("shoulder", "", "impact"))
        self.assertAlmostEqual(float(event["impulse"]), -2 * INERTIA, delta=1e-12)
        self.assertAlmostEqual(float(event["energy_lost"]), 2 * INERTIA, delta=1e-12)

    def test_a_load_that_balances(self):
        self.scenario(**self.BARE, actuators={"shoulder": {
            "load": {"type": "hold", "value": -1000 * PENDULUM.torque(0.5), "unit": "N*mm"}}})
        for q in self.states()["upper.q"]:
            self.assertAlmostEqual(q, 0.5, delta=1e-8)

    def test_the_motion_goes_on_and_holds_at_its_end(self):
        self.scenario(**{**self.BARE, "duration": 1}, others="follow", actuators={})
        found = self.states()
        for t, q, load in zip(found["t"], found["shoulder.position"], found["shoulder.load"]):
            angle = 2 * math.pi * (t + 0.25)
            expected = 0.5 * math.sin(angle) if t < 0.75 else 0.0
            self.assertAlmostEqual(q, expected, delta=1e-9)
            if t < 0.75:
                force = -INERTIA * 0.5 * (2 * math.pi)**2 * math.sin(angle) - PENDULUM.torque(q)
                self.assertAlmostEqual(load, force, delta=1e-8)

    def test_a_profile_is_followed(self):
        path = {"type": "sine", "mean": 0.5, "amplitude": 0.2, "period": 1, "phase": "pi/2"}
        self.scenario(**self.BARE, start={"coordinates": {"upper": 0.7}},
                      actuators={"shoulder": {"follow": path}})
        found = self.states()
        for t, q in zip(found["t"], found["upper.q"]):
            self.assertAlmostEqual(q, 0.5 + 0.2 * math.cos(2 * math.pi * t), delta=1e-9)

    def test_units_and_expressions_give_the_same_bits(self):
        self.scenario(start={"coordinates": {"shoulder": "20*pi/180"}, "velocities": {"shoulder": "pi/180"}})
        before = self.states("--events", "events.csv"), self.read_csv("events.csv")
        self.scenario(
            start={"coordinates": {"upper": {"value": "200*radius", "unit": "deg"}},
                   "velocities": {"upper": {"value": 1, "unit": "deg"}}},
            stops=[{"name": "shoulder_stop", "of": "shoulder", "min": "-60*pi/180",
                    "max": "80*pi/180"}])
        found = self.states("--events", "events.csv"), self.read_csv("events.csv")
        self.assertEqual(found, before)

    def test_set_comes_before_the_scenario(self):
        heavy = self.states("--set", "weight=4")
        self.scenario(parameters={"weight": 4})
        self.assertEqual(self.states(), heavy)
        self.scenario()
        self.assertNotEqual(self.states(), heavy)


class Outputs(Arm):
    def test_a_summary_is_printed_without_an_output(self):
        said = self.run_program(*LET_GO, *WEAK)
        self.assertEqual(said.stderr, "")
        for text in ("before [m/s]", "impulse [N*s]", "upper.mount", "settled at ", "energy lost in"):
            self.assertIn(text, said.stdout)
        self.assertEqual(self.run_program(*LET_GO, *WEAK, "-o", "states.csv").stdout, "")

    def test_json_has_the_events_and_goes_with_an_output(self):
        found = self.run_json(*LET_GO, *WEAK, "--json", "-o", "states.csv", "--events", "events.csv")
        written = self.read_csv("events.csv")
        self.assertEqual(len(found["events"]), len(written))
        for event, row in zip(found["events"], written):
            self.assertEqual({k: str(v) for k, v in event.items() if isinstance(v, str)},
                             {k: row[k] for k, v in event.items() if isinstance(v, str)})
            for key, value in event.items():
                if not isinstance(value, str):
                    self.assertEqual(value, float(row[key]))
        self.assertEqual(found["contacts"][0]["impacts"],
                         sum(row["kind"] == "impact" for row in written))
        self.assertLess(found["settled"], 1.0)
        self.assertIsNone(found["stopped"])
        self.assertTrue((self.folder / "states.csv").exists())

    def test_a_fall_that_ends_early_keeps_its_rows(self):
        self.scenario(max_events=1)
        result = self.run_program(*LET_GO, *WEAK, "-o", "states.csv", "--events", "events.csv",
                                  code=INFEASIBLE)
        self.assertRegex(result.stderr, r"^the fall ends at t=0\.\d+ s, before its time: .*max_events")
        last = float(self.read_csv("events.csv")[-1]["t"])
        self.assertLess(last, 1.0)
        self.assertEqual(float(self.read_csv("states.csv")[-1]["t"]), last)

    def test_outputs_are_replaced_whole(self):
        self.write("states.csv", "mine")
        self.scenario(step=0.001)
        before = self.contents()
        self.run_program(*LET_GO, *WEAK, "-o", "states.csv", code=ERROR,
                         preexec_fn=file_size_limit(4096))
        self.assertEqual(self.contents(), before)
        self.states()
        self.assertEqual(set(self.contents()), set(before))


class Check(ScratchFolder):
    def test_a_scenario_is_summed_up(self):
        scenario, model = TWO_LINK_ARM / "power_loss.json", TWO_LINK_ARM / "model.json"
        found = self.run_json("check", scenario, "--json")
        self.assertEqual({k: found[k] for k in ("samples", "instants", "contacts", "stops")},
                         {"samples": 401, "instants": 1, "contacts": 0, "stops": 1})
        text = self.run_program("check", scenario, "--model", model).stdout
        self.assertIn("start: motion.json at 2 s", text)

    def test_a_motion_is_held_against_its_model(self):
        for name, text in FILES.items():
            self.write(name, text.replace("shoulder", "sholder") if name == "motion.json" else text)
        self.run_program("check", "motion.json")
        said = self.run_program("check", "motion.json", "--model", "model.json", code=BAD_INPUT)
        self.assertIn('did you mean "shoulder"?', said.stderr)


class WrongScenarios(WrongTable):
    def test_tables(self):
        for name, table in wrong_scenarios.TABLES.items():
            with self.subTest(name):
                self.check_all(table)


class Mistakes(Arm):
    def test_all_of_a_file_are_told_at_once(self):
        text = FILES["scenario.json"]
        for old, new in (('"step": 0.1', '"step": 0.3'), ('"time": 0.25', '"time": 9'),
                         ('"upper.mount"', '"upper.mout"'), ('"min": -60', '"min": 600'),
                         ('"weight"', '"heavy"')):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.write("scenario.json", text)
        said = self.run_program(*wrong_scenarios.FORWARD, code=BAD_INPUT).stderr
        for pointer in ("/step", "/start/time", "/contacts/0/points/0", "/stops/0",
                        "/parameters/heavy"):
            self.assertIn(f": {pointer}: ", said)
        self.assertEqual(said.count("\n"), 5)


if __name__ == "__main__":
    unittest.main()
