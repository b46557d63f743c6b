#!/usr/bin/env python3
"""The page of `view` for every example: what it shows, where it shows it, and how it is moved."""

import csv
import io
import json
import math
import unittest

from model_poses import positions
from page_tests import OPEN_LOOPS, UNSAVED, Pages
from program import CHARMIE, EXAMPLES, TWO_LINK_ARM

SINGULAR = EXAMPLES / "schoenflies" / "model_singular.json"  # its actuators cannot hold it


def every_example():
    """Each model with each motion and scenario beside it, as arguments of `view`."""
    for model in sorted(EXAMPLES.glob("*/model*.json")):
        for file in sorted(model.parent.glob("*.json")):
            kind = json.loads(file.read_text("utf-8")).get("format")
            if kind == "counterpoise-motion/1":
                yield model, "--motion", file
            if kind == "counterpoise-scenario/1":
                yield model, "--scenario", file


def of_example(name):
    return next(one for one in every_example() if one[0].parent.name == name)


class EveryExample(Pages):
    """Each example is opened once, for both what it shows and where."""

    def test_every_part_is_there_and_where_the_engine_puts_it(self):
        examples = list(every_example())
        self.assertGreater(len(examples), 12)
        for model_file, option, file in examples:
            with self.subTest(f"{model_file.parent.name}/{model_file.name} {file.name}"):
                held = model_file != SINGULAR
                document = json.loads(file.read_text("utf-8"))
                if "parameters" in document:  # else a value of each has to be chosen
                    del document["parameters"]
                    self.write("motion.json", document)
                    file = self.folder / "motion.json"
                page, _ = self.view(model_file, option, file, code=0 if held else 3)
                model = json.loads(model_file.read_text("utf-8"))
                rows = self.engine_rows(model_file, option, file) if held else []
                samples = [round(i * (len(rows) - 1) / 9) for i in range(10)] if held else []
                opened, _, shown, plots, frames, unsaved, places = self.drive(
                    page, ("wait", "window.counterpoise.frames > 0"),
                    ("eval", OPEN_LOOPS), ("eval", "counterpoise.go(0)"), ("eval", "counterpoise.shown"),
                    ("eval", "counterpoise.plots"), ("eval", "counterpoise.frames"), ("eval", UNSAVED),
                    ("eval", f"{samples}.map((k) => (counterpoise.go(k), counterpoise.positions()))"))[1:]
                self.assertGreater(frames, 0)
                self.assertEqual(opened, [])
                self.assertEqual(unsaved, [])
                self.check_parts(model, shown)
                if held:
                    self.check_lines(model, plots)
                    self.check_places(model, samples, rows, places)

    def engine_rows(self, model_file, option, file):
        columns = self.folder / "columns.csv"
        command = "simulate" if option == "--motion" else "forward"
        self.run_program(command, model_file, option, file, "-o", columns)
        return list(csv.DictReader(io.StringIO(columns.read_text("utf-8"))))

    def check_parts(self, model, shown):
        for body in model["bodies"]:
            self.assertIn(f"body {body['name']}", shown)
            self.assertIn(f"{body['joint']['type']} joint {body['name']}", shown)
            for point in body.get("points", {}):
                self.assertIn(f"point {body['name']}.{point}", shown)
        for spring in model.get("springs", []):
            self.assertTrue(any(one.endswith(f"spring {spring['name']}") for one in shown))
        for kind in ("loop", "actuator"):
            for one in model.get(f"{kind}s", []):
                self.assertIn(f"{kind} {one['name']}", shown)

    def check_lines(self, model, plots):
        lines = {line for plot in plots for line in plot["lines"]}
        for one in [*model.get("actuators", []), *model.get("springs", [])]:
            self.assertIn(one["name"], lines)

    def check_places(self, model, samples, rows, found):
        self.assertEqual(len(found), len(samples))
        for k, places in zip(samples, found):
            joints = {key[:-2]: float(value) for key, value in rows[k].items() if key.endswith(".q")}
            right = positions(model, joints)
            for one in [*places["bodies"], *places["points"]]:
                self.assertLessEqual(
                    math.dist(one["position"], right.pop(one["name"])), 1e-6, (k, one))
            self.assertEqual(right, {})


class TheTimeLine(Pages):
    def open(self, *steps, **options):
        page, _ = self.view(*of_example("two_link_arm"))
        return self.drive(page, *steps, **options)

    def test_play_and_pause(self):
        playing, sample = self.open(
            ("choose", ["select[aria-label=speed]", "0.1"]),  # no slow machine is at the end before the pause
            ("focus", ".stage canvas"),
            ("key", " "), ("eval", "counterpoise.playing"),
            ("wait", "counterpoise.sample > 2"), ("key", " "),
            ("eval", "[counterpoise.playing, counterpoise.sample]"))[3::3]
        self.assertTrue(playing)
        self.assertFalse(sample[0])
        self.assertLess(sample[1], 200)

    def test_it_stops_at_the_end(self):
        values = self.open(
            ("choose", ["select[aria-label=speed]", "10"]), ("click", "button[title^=play]"),
            ("wait", "counterpoise.sample === 200 && !counterpoise.playing"),
            ("eval", "counterpoise.speed"))
        self.assertEqual(values[-1], 10)

    def test_keys_step_and_jump(self):
        samples = self.open(("focus", ".stage canvas"), *(step for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home",
                                               "Shift+ArrowRight")
                              for step in (("key", key), ("eval", "counterpoise.sample"))))[2::2]
        self.assertEqual(samples, [1, 2, 1, 200, 0, 10])

    def test_the_slider_has_the_keys_of_sliders_and_moves_everything(self):
        sample, clock, value = self.open(
            ("focus", "input[type=range]"), ("key", "ArrowRight"), ("eval", "counterpoise.sample"),
            ("eval", "document.querySelector('.clock').textContent"),
            ("eval", "document.querySelector('input[type=range]').value"))[2:]
        self.assertEqual((sample, value), (1, "1"))
        self.assertIn("0.02 s", clock)

    def test_a_plot_moves_the_time(self):
        box, _, sample = self.open(
            ("eval", "(({x, y, width, height}) => ({x, y, width, height}))"
                     "(document.querySelector('.u-over').getBoundingClientRect())"),
            ("eval", "0"),
            ("eval", """(() => {
               const over = document.querySelector('.u-over'), box = over.getBoundingClientRect();
               over.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, buttons: 1,
                 clientX: box.x + box.width / 2, clientY: box.y + 20}));
               return counterpoise.sample;
             })()"""))
        self.assertGreater(box["width"], 100)
        self.assertAlmostEqual(sample, 100, delta=2)


class TheBodies(Pages):
    def test_hiding_hides_what_a_body_carries(self):
        page, _ = self.view(*of_example("two_link_arm"))
        hidden, shown, _, again = self.drive(
            page, ("click", ".tree input >> nth=1"), ("eval", "counterpoise.hidden"),
            ("eval", "counterpoise.shown"), ("click", ".tree input >> nth=1"),
            ("eval", "counterpoise.hidden"))[1:]
        self.assertEqual(sorted(hidden), ["forearm", "upper_arm"])
        self.assertNotIn("body upper_arm", shown)
        self.assertNotIn("body forearm", shown)
        self.assertTrue(any("spring" in one for one in shown))  # its other end is on the world
        self.assertEqual(again, [])

    def test_switches(self):
        page, _ = self.view(*of_example("charmie24"))
        before, after = self.drive(
            page, ("eval", "counterpoise.shown"), ("click", "text=Mass as ellipsoids"),
            ("click", "text=Load arrows"), ("eval", "counterpoise.shown"))[::3]
        self.assertNotIn("mass of torso", before)
        self.assertIn("mass of torso", after)
        self.assertIn("load of lift", before)
        self.assertNotIn("load of lift", after)

    def test_names_on_hover(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json")
        names = self.drive(page, ("wait", "counterpoise.frames > 0"), ("eval", """(() => {
            const canvas = document.querySelector('.stage canvas');
            const box = canvas.getBoundingClientRect(), found = new Set();
            for (let x = 8; x < box.width; x += 12) for (let y = 8; y < box.height; y += 12) {
              canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.x + x,
                clientY: box.y + y}));
              const tip = document.querySelector('.tip');
              if (!tip.hidden) found.add(tip.firstChild.textContent);
            }
            return [...found];
          })()"""))[1]
        for name in ("body upper_arm", "body forearm", "coil spring spring"):
            self.assertIn(name, names)


class Designs(Pages):
    def test_a_second_design_stands_beside_as_a_ghost(self):
        page, _ = self.view(*of_example("two_link_arm"), "--set", "post_height=0.25",
                            "--ghost", "post_height=0.15", "--ghost", "upper_length=300mm")
        own, ghost, lines, settings = self.drive(
            page, ("eval", "counterpoise.positions(0)"), ("eval", "counterpoise.positions(1)"),
            ("eval", "counterpoise.plots[0].lines"),
            ("eval", "[...document.querySelectorAll('.settings')].map((one) => one.textContent)"))
        self.assertEqual(settings, ["set post_height=0.25",
                                    "ghost post_height=0.15, upper_length=300mm"])
        place = lambda found: {one["name"]: one["position"] for one in found["points"] + found["bodies"]}
        self.assertAlmostEqual(place(own)["world.post"][2], 0.25, delta=1e-6)
        self.assertAlmostEqual(place(ghost)["world.post"][2], 0.15, delta=1e-6)
        self.assertAlmostEqual(math.dist(place(ghost)["forearm"], [0, 0, 0]), 0.3, delta=1e-6)
        self.assertIn("shoulder (ghost)", lines)

    def test_a_loop_that_cannot_close_is_drawn_as_near_as_it_gets(self):
        model = json.loads((EXAMPLES / "four_bar" / "model.json").read_text("utf-8"))
        next(body for body in model["bodies"] if body["name"] == "upper_arm")["points"]["tip"] = [0.9, 0, 0]
        path = self.folder / "open.json"
        path.write_text(json.dumps(model))
        page, said = self.view(path, code=3)
        self.assertIn("loop upper_pin cannot close", said.stderr)
        found, opened, alert = self.drive(
            page, ("eval", "counterpoise.positions()"), ("eval", "counterpoise.open"),
            ("eval", "document.querySelector('.alert').textContent"))
        self.assertEqual(opened, ["loop upper_pin"])
        self.assertIn("loop upper_pin cannot close", alert)
        place = {one["name"]: one["position"] for one in found["points"] + found["bodies"]}
        # the lower arm stays; of all places of tip and pin the nearest are on the line of pivots
        pivots = math.dist(place["head"], place["upper_arm"])
        gap = math.dist(place["upper_arm.tip"], place["head.upper_pin"])
        self.assertAlmostEqual(gap, 0.9 - pivots - 0.12, delta=1e-5)

    def test_joints_that_closing_does_not_move_stay(self):
        model, option, file = of_example("exoskeleton")
        page, _ = self.view(model, option, file)
        rows, = self.asked(page, ("ask", """[...document.querySelectorAll('[aria-label="zero configuration"] tbody tr')]
            .map((row) => [...row.cells].map((cell) => cell.textContent))"""))
        moved = {name: by for name, _, _, _, by, _ in rows}
        self.assertEqual(moved["upper_link"], "0")
        self.assertRegex(moved["bell_crank"], r"^−5\.69?")


class Sizes(Pages):
    def test_a_minute_of_charmie_is_small(self):
        page, _ = self.view(CHARMIE / "model.json", "--motion", CHARMIE / "motion_reach.json")
        self.assertLess(page.stat().st_size, 2_000_000)


if __name__ == "__main__":
    unittest.main()
