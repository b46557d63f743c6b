#!/usr/bin/env python3
"""The scene of a page: arrows of loads, motion between samples, keys, lost contexts, and the still picture
that stands in its place."""

import csv
import json
import math
import unittest

from page_tests import COLOURED, DRAWN, Pages
from program import EXAMPLES, TWO_LINK_ARM

MOVING_ARM = (TWO_LINK_ARM / "model.json", "--motion", TWO_LINK_ARM / "motion.json")

LABEL = """[...document.querySelectorAll('.labels .load')].map((one) => [one.textContent, one.offsetLeft,
  one.offsetTop + one.offsetHeight / 2])"""
VISIBLE = "document.querySelector('%s')?.checkVisibility() === true && document.querySelector('%s').getBoundingClientRect().height > 100"


def seen(selector):
    return VISIBLE.replace("%s", selector)


class Loads(Pages):
    def jack(self, gravity):
        """A slider that an actuator holds, inside a box that hides both."""
        corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.6, 0.1)]
        faces = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
        (self.folder / "box.obj").write_text(
            "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {face}\n" for face in faces))
        model = {
            "format": "counterpoise-model/1", "name": "jack", "gravity": [0, 0, gravity],
            "world": {"points": {"foot": [0, 0, 0]}},
            "bodies": [{"name": "slide", "parent": "world", "mass": 10, "com": [0, 0, 0],
                        "inertia": [0.1, 0.1, 0.1, 0, 0, 0], "points": {"head": [0, 0, 0]},
                        "joint": {"type": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, 0.5]},
                        "visual": {"mesh": "box.obj"}}],
            "actuators": [{"name": "lift", "connect": ["world.foot", "slide.head"]}]}
        path = self.folder / "jack.json"
        path.write_text(json.dumps(model), "utf-8")
        return self.view(path)[0]

    def test_a_load_that_pulls_is_as_visible_as_one_that_pushes_and_nothing_hides_it(self):
        found = {}
        for gravity in (-9.81, 9.81):
            *_, found[gravity], labels = self.drive(self.jack(gravity), DRAWN, ("eval", COLOURED % "scene-load"),
                                                    ("eval", LABEL))
            (text, x, y), = labels
            self.assertEqual(text, f"lift {'−' if gravity > 0 else ''}98.1 N")
            left, top, right, bottom = found[gravity]["box"]
            self.assertTrue(right < x < right + 40 and top - 20 < y < bottom, (labels, found))
        push, pull = (found[gravity]["count"] for gravity in (-9.81, 9.81))
        self.assertGreater(push, 300)
        self.assertLess(abs(push - pull), 0.1 * push)

    def test_a_force_from_outside_stands_at_its_point(self):
        """Up and down in world axes; in those of the arm it turns with it."""
        middles = {}
        for name, axes, force, angle in (("up", "world", [0, 0, 50], 0), ("down", "world", [0, 0, -50], 0),
                                         ("turned", "body", [0, 0, 50], 180)):
            model = {
                "format": "counterpoise-model/1", "name": "arm", "parameters": {"angle": angle},
                "bodies": [{"name": "arm", "parent": "world", "mass": 1, "com": [0.2, 0, 0], "points": {"tip": [0.4, 0, 0]},
                            "joint": {"type": "revolute", "axis": [1, 0, 0], "guess": f"{math.radians(angle)}"}}],
                "actuators": [{"name": "motor", "joint": "arm"}],
                "forces": [{"name": "push", "point": "arm.tip", "axes": axes, "force": force}]}
            path = self.folder / f"{name}.json"
            path.write_text(json.dumps(model), "utf-8")
            *_, found = self.drive(self.view(path)[0], DRAWN, ("eval", COLOURED % "scene-force"))
            self.assertGreater(found["count"], 100, name)
            left, top, right, bottom = found["box"]
            middles[name] = (top + bottom) / 2
            self.assertGreater(bottom - top, right - left)
        self.assertGreater(middles["down"] - middles["up"], 20)
        self.assertAlmostEqual(middles["turned"], middles["down"], delta=3)

    def test_the_number_stands_beside_the_largest_load_of_each_unit_at_every_instant(self):
        page, _ = self.view(*MOVING_ARM)
        last = 200
        steps = [step for k in range(0, last + 1, 20)
                 for step in (("eval", f"counterpoise.go({k})"), ("eval", COLOURED % "scene-load"), ("eval", LABEL))]
        found = self.drive(page, DRAWN, *steps)[1:]
        self.run_program("simulate", MOVING_ARM[0], *MOVING_ARM[1:], "-o", "loads.csv")
        rows = self.read_csv("loads.csv")
        for k, labels in zip(range(0, last + 1, 20), found[2::3]):
            largest = max(("shoulder", "elbow"), key=lambda name: abs(float(rows[k][f"{name}.load"])))
            self.assertEqual(len(labels), 1)
            name, value, unit = labels[0][0].split(" ")
            self.assertEqual((name, unit), (largest, "N·m"))
            self.assertAlmostEqual(float(value.replace("−", "-")), float(rows[k][f"{largest}.load"]),
                                   delta=1e-3 * abs(float(value.replace("−", "-"))))
        for seen_now in found[1::3]:
            self.assertGreater(seen_now["count"], 60)


# How many pixels of the scene are red, and how many blue, by far more than anything else.
RED_AND_BLUE = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const canvas = document.querySelector('.stage canvas'), copy = document.createElement('canvas');
  const [width, height] = [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  const data = context.getImageData(0, 0, width, height).data;
  const counts = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > 1.7 * Math.max(data[i + 1], data[i + 2])) ++counts[0];
    if (data[i + 2] > 1.7 * Math.max(data[i], data[i + 1])) ++counts[1];
  }
  done(counts);
})))"""


class Looks(Pages):
    def colours(self, first="", second=None, *options):
        """What of the scene is red and blue where two boxes have these colours."""
        faces = "".join(f"f {face}\n" for face in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))
        corners = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
        body = {"mass": 1, "com": [0, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0], "parent": "world"}
        bodies = []
        for name, x, colour in (("left", -0.2, first), ("right", 0.2, "")):
            (self.folder / f"{name}.obj").write_text(
                "".join(f"v {x} {y} {z} {colour}\n" for x, y, z in corners) + faces)
            visual = {"mesh": f"{name}.obj", **({"color": second} if second and name == "right" else {})}
            bodies.append({"name": name, **body, "visual": visual,
                           "joint": {"type": "revolute", "axis": [0, 0, 1], "origin": [x, 0, 0]}})
        model = {"format": "counterpoise-model/1", "name": "boxes", "bodies": bodies,
                 "actuators": [{"name": "turn_left", "joint": "left"}, {"name": "turn_right", "joint": "right"}]}
        (self.folder / "boxes.json").write_text(json.dumps(model), "utf-8")
        page, _ = self.view(self.folder / "boxes.json", *options)
        return self.drive(page, DRAWN, ("eval", RED_AND_BLUE))[-1]

    def test_bodies_have_the_colours_of_their_vertices_and_of_the_model(self):
        self.assertEqual(self.colours(), [0, 0])
        red, blue = self.colours("1 0 0", [0, 0, 1])
        self.assertGreater(red, 1000)
        self.assertGreater(blue, 1000)


class Drawn(Pages):
    def drawn(self, model, motion, what):
        """The page of a model, the rows of `simulate`, and for each of them what the page draws: its cables or approaches."""
        for name, document in (("model.json", model), ("motion.json", motion)):
            (self.folder / name).write_text(json.dumps(document), "utf-8")
        rows = list(csv.DictReader(self.run_program(
            "simulate", "model.json", "--motion", "motion.json").stdout.splitlines()))
        page, _ = self.view("model.json", "--motion", "motion.json")
        return page, rows, self.asked(page, DRAWN, *(step for k in range(len(rows)) for step in (
            ("eval", f"counterpoise.go({k})"), ("ask", f"Object.values(counterpoise.{what}())"))))


class Cables(Drawn):
    def test_they_are_drawn_where_the_engine_lays_them(self):
        """Over two pulleys, one of which they leave and come back to: as long as the engine says."""
        model = {
            "format": "counterpoise-model/1",
            "world": {"points": {"anchor": [-0.1, 0.05, -0.35]},
                      "pulleys": {"guide": {"centre": [-0.04, 0, 0.2], "axis": "y", "radius": 0.04}}},
            "bodies": [
                {"name": "upper", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
                 "pulleys": {"elbow": {"centre": [0.4, 0, 0.05], "axis": [0, 2, 0], "radius": 0.02},
                             "below": {"centre": [0.5, 0, -0.02], "axis": [0, -1, 0], "radius": 0.03}}},
                {"name": "fore", "parent": "upper", "points": {"hook": [0.25, -0.02, 0.03]},
                 "joint": {"type": "revolute", "axis": "y", "origin": [0.4, 0, 0]}}],
            "springs": [{"name": "pull", "rate": 300, "free_length": 0.4, "connect": [
                "world.anchor", "world.guide", "upper.elbow", "upper.below", "fore.hook"]}],
            "actuators": [{"name": "shoulder", "joint": "upper"}, {"name": "elbow", "joint": "fore"}]}
        motion = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.1, "coordinates": {
            "shoulder": {"type": "sine", "mean": 0.1, "amplitude": 0.4, "period": 2},
            "elbow": {"type": "sine", "mean": 0.2, "amplitude": 0.6, "period": 1}}}
        _, rows, drawn = self.drawn(model, motion, "cables")
        counts = set()
        for row, courses in zip(rows, drawn, strict=True):
            places = list(zip(*[iter(courses[0])] * 3))
            length = sum(math.dist(one, other) for one, other in zip(places, places[1:]))
            self.assertAlmostEqual(length, float(row["pull.length"]), delta=1e-4)
            counts.add(len(places))
        self.assertGreater(len(counts), 3)


class Cams(Drawn):
    def test_discs_have_the_edge_and_cables_lie_on_the_turn_that_they_are_on(self):
        """A spiral of several turns, which an arm turns five times as fast: the cable is as long as the engine says, and
        ends on the disc of the farthest turn, which is a plate about the axis."""
        model = {
            "format": "counterpoise-model/1", "world": {"points": {"anchor": [-0.05, 0, -0.4]}},
            "bodies": [
                {"name": "arm", "parent": "world", "joint": {"type": "revolute", "axis": "y"}},
                {"name": "spool", "parent": "world", "joint": {"type": "revolute", "axis": "y", "origin": [0.02, 0, 0.1]},
                 "pulleys": {"cam": {"centre": [0, 0, 0], "axis": "y", "zero": "x", "profile": {
                     "lever": "40 mm + 1 mm*angle", "from": "-720 deg", "to": "900 deg", "start": "180 deg"}}}}],
            "couplings": [{"name": "gears", "joint": "spool", "ratio": 5, "of": "arm"}],
            "springs": [{"name": "pull", "rate": 100, "free_length": 0.1, "connect": ["world.anchor", "spool.cam"]}],
            "actuators": [{"name": "turn", "joint": "arm"}]}
        motion = {"format": "counterpoise-motion/1", "poses": {"turn": {"range": [-2.2, 2.2], "count": 12}}}
        page, rows, drawn = self.drawn(model, motion, "cables")
        ends = []
        for row, courses in zip(rows, drawn, strict=True):
            places = list(zip(*[iter(courses[0])] * 3))
            length = sum(math.dist(one, other) for one, other in zip(places, places[1:]))
            self.assertAlmostEqual(length, float(row["pull.length"]), delta=1e-3)
            ends.append(places[-1])
        discs = self.asked(page, DRAWN, *(step for k in range(len(rows)) for step in (
            ("eval", f"counterpoise.go({k})"), ("ask", "counterpoise.cams()"))))
        for end, disc in zip(ends, discs, strict=True):
            corners = list(zip(*[iter(disc["cam spool.cam"])] * 3))
            away = [math.hypot(x - 0.02, z - 0.1) for x, _, z in corners]
            lever = 0.04 + 0.001 * math.radians(900)
            self.assertAlmostEqual(max(away), math.hypot(lever, 0.001), delta=1e-6)
            rim = [one for one in away if one > 1e-4]
            self.assertAlmostEqual(min(rim), math.hypot(lever - 0.001 * 2 * math.pi, 0.001), delta=1e-4)
            self.assertLess(min(math.hypot(x - end[0], z - end[2]) for x, _, z in corners), 1e-6)


class Obstacles(Drawn):
    def test_a_line_goes_from_the_spring_to_the_nearest_obstacle_and_alarms_where_it_is_too_near(self):
        """A spring along x at rest, and a bar across it that comes down: nearest at a known place."""
        model = {
            "format": "counterpoise-model/1",
            "world": {"points": {"left": [0, 0, 0], "right": [1, 0, 0]},
                      "obstacles": {"far": {"centre": [0.2, 0, -0.9], "radius": 0.1}}},
            "bodies": [{"name": "slide", "parent": "world", "mass": 1, "points": {"end": [0.4, 0.1, 0]},
                        "joint": {"type": "prismatic", "axis": "z", "origin": [0, 0, 0]},
                        "obstacles": {"bar": {"from": [0.4, -0.3, 0], "to": "slide.end", "radius": 0.05}}}],
            "springs": [{"name": "pull", "rate": 300, "free_length": 0.4, "radius": 0.02, "min_clearance": 0.1,
                         "connect": ["world.left", "world.right"]}],
            "actuators": [{"name": "lift", "joint": "slide"}]}
        motion = {"format": "counterpoise-motion/1", "duration": 2, "step": 0.1, "coordinates": {
            "lift": {"type": "sine", "mean": 0.6, "amplitude": 0.5, "period": 2}}}
        page, rows, drawn = self.drawn(model, motion, "approaches")
        seen = set()
        for k, (row, lines) in enumerate(zip(rows, drawn, strict=True)):
            height = 0.6 + 0.5 * math.sin(math.pi * 0.1 * k)
            bar = height < 0.8 + 0.05
            seen.add(bar)
            expected = [0.4, 0, 0, 0.4, 0, height - 0.05] if bar else [0.2, 0, 0, 0.2, 0, -0.8]
            self.assertAlmostEqual(float(row["pull.clearance"]), math.dist(expected[:3], expected[3:]) - 0.02, delta=1e-12)
            for one, other in zip(lines[0], expected, strict=True):
                self.assertAlmostEqual(one, other, delta=1e-6)
        self.assertEqual(seen, {True, False})
        alarms = [found["count"] for *_, found in (
            self.drive(page, DRAWN, ("eval", f"counterpoise.go({k})"), ("eval", COLOURED % "scene-alarm")) for k in (0, 15))]
        self.assertEqual(alarms[0], 0)
        self.assertGreater(alarms[1], 5)


class Rest(Pages):
    def test_a_scene_is_drawn_once_and_again_only_where_something_changed(self):
        page, _ = self.view(*MOVING_ARM)
        frames = ("ask", """(async () => {
            for (let i = 0; i < 9; ++i) await new Promise(requestAnimationFrame);
            return counterpoise.frames;
          })()""")
        found = self.asked(
            page, DRAWN, frames, ("eval", "counterpoise.go(9)"), frames, ("eval", "counterpoise.go(9)"), frames,
            ("click", "text=Grid"), frames, ("viewport", [1300, 800]), frames)
        self.assertEqual(found, [1, 2, 2, 3, 4])


class Motion(Pages):
    def wide_turns(self):
        """An arm about a fixed pivot, with a good part of a turn from each sample to the next."""
        motion = {"format": "counterpoise-motion/1", "name": "turns", "duration": 3, "step": 1,
                  "coordinates": {"shoulder": {"type": "point-to-point", "from": 0, "to": 4.5,
                                               "profile": "quintic"},
                                  "elbow": {"type": "hold", "value": 0}}}
        path = self.folder / "turns.json"
        path.write_text(json.dumps(motion), "utf-8")
        return path

    def test_bodies_turn_evenly_between_samples(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json", "--motion", self.wide_turns())
        mounts = self.drive(page, DRAWN, *(step for at in (0, 1, 0.5, 1.25)
                            for step in (("eval", f"counterpoise.place({at})"),
                                         ("eval", "counterpoise.positions().points.find((one) => one.name === 'upper_arm.spring').position"))))[2::2]
        angles = [math.atan2(z, x) % (2 * math.pi) for x, _, z in mounts]
        first, second = angles[:2]
        step = (second - first) % (2 * math.pi)
        self.assertAlmostEqual(angles[2], first + step / 2, delta=1e-5)
        for x, _, z in mounts:
            self.assertAlmostEqual(math.hypot(x, z), 0.08, delta=1e-6)

    def test_play_goes_on_between_samples_and_repeats(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json", "--motion", self.wide_turns())
        *_, places, repeats = self.drive(
            page, DRAWN, ("click", "button[title^=repeat]"), ("choose", ["select[aria-label=speed]", "10"]),
            ("focus", ".stage canvas"), ("key", " "),
            ("eval", """new Promise((done) => {
               const places = new Set();
               let turns = 0, before = 0;  // a slow machine sees few places in each turn
               const look = () => {
                 places.add(JSON.stringify(counterpoise.positions().bodies[1].position));
                 if (counterpoise.sample < before) ++turns;
                 before = counterpoise.sample;
                 if ((turns >= 2 && places.size > 8) || turns === 50) done(places.size); else requestAnimationFrame(look);
               };
               look();
             })"""),
            ("eval", "counterpoise.playing"))
        self.assertTrue(repeats)
        self.assertGreater(places, 8)  # of 4 samples

    def test_keys_act_only_where_the_scene_has_the_focus(self):
        page, _ = self.view(*MOVING_ARM)
        keys = (("key", "ArrowRight"), ("key", "End"), ("key", " "), ("eval", "[counterpoise.sample, counterpoise.playing]"))
        found = self.drive(page, DRAWN, *keys, ("focus", ".tree input"), *keys, ("focus", ".findings"), *keys,
                           ("focus", ".stage canvas"), ("key", "ArrowRight"), ("eval", "counterpoise.sample"))
        self.assertEqual([one for one in found if isinstance(one, list)], [[0, False]] * 3)
        self.assertEqual(found[-1], 1)

    def test_a_click_gives_the_scene_the_focus(self):
        page, _ = self.view(*MOVING_ARM)
        sample = self.drive(page, DRAWN, ("click", ".stage canvas"), ("key", "ArrowRight"),
                            ("eval", "counterpoise.sample"))[-1]
        self.assertEqual(sample, 1)


class Contexts(Pages):
    STILL = ".stage .still svg"
    POINT = ("eval", "document.querySelector('.stage').dispatchEvent(new PointerEvent('pointerenter'))")

    def test_a_context_that_was_lost_is_drawn_in_again(self):
        page, _ = self.view(*MOVING_ARM)
        still, ink = self.asked(
            page, DRAWN, ("eval", """(() => {
               const context = document.querySelector('.stage canvas').getContext('webgl2');
               window.losing = context.getExtension('WEBGL_lose_context');
               window.losing.loseContext();
             })()"""),
            ("wait", "!counterpoise.drawn"), ("ask", seen(self.STILL)),
            ("eval", "window.losing.restoreContext()"), DRAWN, ("ask", COLOURED % "scene-load"),
            quiet=False)
        self.assertTrue(still)
        self.assertGreater(ink["count"], 60)

    def test_more_scenes_than_a_browser_has_contexts(self):
        page, _ = self.view(*MOVING_ARM)
        before, still, after, ink = self.asked(
            page, DRAWN, ("eval", "counterpoise.go(150)"), ("ask", "counterpoise.camera"),
            ("eval", """(window.others = Array.from({length: 20}, () => {
               const canvas = document.createElement('canvas');
               canvas.getContext('webgl2');
               return canvas;
             })).length"""),
            ("wait", "!counterpoise.drawn"), ("ask", seen(self.STILL)), self.POINT, DRAWN,
            ("ask", "counterpoise.camera"), ("ask", COLOURED % "scene-load"), quiet=False)
        self.assertTrue(still)
        self.assertEqual(before, after)
        self.assertGreater(ink["count"], 60)

    def test_no_observer_complains_while_the_window_changes(self):
        page, _ = self.view(*MOVING_ARM)
        self.drive(page, DRAWN, *(step for width in (500, 1400, 390, 900, 1181)
                                  for step in (("viewport", [width, 700]), ("eval", "new Promise((done) => setTimeout(done, 60))"))))


class Still(Pages):
    def test_it_is_there_before_any_script_runs(self):
        page, _ = self.view(*MOVING_ARM)
        shown, text = self.asked(page, ("ask", seen("#still .still svg")),
                                 ("ask", "document.querySelector('.still').textContent"), scripts=False)
        self.assertTrue(shown)
        self.assertIn("the largest load", text)

    def test_it_stands_in_for_the_scene_without_webgl(self):
        page, _ = self.view(*MOVING_ARM)
        shown, said = self.asked(
            page, ("wait", "document.querySelector('.no-webgl') !== null"), ("ask", seen(".stage .still svg")),
            ("ask", "document.querySelector('.stage').textContent"), webgl=False)
        self.assertTrue(shown)
        self.assertIn("WebGL is missing", said)

    def test_paper_has_it_and_not_the_canvas(self):
        page, _ = self.view(*MOVING_ARM)
        canvas, still = self.asked(page, DRAWN, ("media", "print"), ("ask", seen(".stage canvas")),
                                   ("ask", seen(".stage .still svg")))
        self.assertEqual((canvas, still), (False, True))


if __name__ == "__main__":
    unittest.main()
