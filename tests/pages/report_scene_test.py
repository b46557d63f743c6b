#!/usr/bin/env python3
"""The scene of a report: the best design and what it is compared with, in one size, at one instant and
from one side."""

import json
import unittest

from page_tests import COLOURED, DRAWN, OPEN_LOOPS
from program import EXAMPLES
from report_pages import Reports

NAMES = "[...document.querySelectorAll('.labels .name')].map((one) => one.textContent)"
PLACES = "[counterpoise.pixels(0), counterpoise.pixels(1)]"
BOTTOM = """Object.fromEntries(['.stage', '.timeline'].map((one) =>
  [one, document.querySelector(one).getBoundingClientRect().bottom]))"""


class Scene(Reports):
    webgl = True

    def four_bar(self, *arguments):
        results = self.run_study(EXAMPLES / "four_bar" / "study.json")
        return results, self.report(results, *arguments)[0]

    def test_no_loop_that_closes_is_marked_as_open(self):
        _, page = self.four_bar()
        self.assertEqual(self.ask(page, DRAWN, ("ask", OPEN_LOOPS)), [[]])

    def test_both_designs_have_one_size_and_are_seen_from_one_side(self):
        _, page = self.four_bar()
        both = ("ask", NAMES), ("ask", PLACES)
        found = self.ask(page, DRAWN, *both, *(step for place in ("front", "top") for step in (
            ("click", f"button[title='look from: {place}']"), *both)))
        for names, (design, baseline) in zip(found[::2], found[1::2], strict=True):
            self.assertEqual(names[1], "baseline")
            self.assertTrue(names[0].startswith("case "))
            # what both have at the same place is right of it by the same way, and no higher or lower
            ways = [(b[0] - design[name][0], b[1] - design[name][1]) for name, b in baseline.items()
                    if name not in ("world.anchor", "lower_arm.mount")]
            self.assertGreater(len(ways), 1)
            for right, up in ways:
                self.assertAlmostEqual(right, ways[0][0], delta=0.1)
                self.assertAlmostEqual(up, 0, delta=0.1)
            self.assertGreater(ways[0][0], 100)

    def test_the_scene_and_its_time_line_are_above_the_fold(self):
        _, page = self.four_bar()
        for width, height in ((1440, 900), (1280, 720)):
            bottom, = self.ask(page, DRAWN, ("ask", BOTTOM), width=width, height=height)
            self.assertLessEqual(bottom[".stage"], height)
            self.assertLessEqual(bottom[".timeline"], height)

    def test_both_are_whole_in_view_over_the_motion(self):
        _, page = self.four_bar()
        size, *found = self.ask(
            page, DRAWN, ("ask", "[document.querySelector('.stage').clientWidth, document.querySelector('.stage').clientHeight]"),
            *(step for k in range(0, 201, 25)
              for step in (("eval", f"counterpoise.go({k})"), ("ask", PLACES), ("ask", COLOURED % "scene-load"))))
        places = [place for both in found[::2] for one in both for place in one.values()]
        for x, y in places:
            self.assertTrue(0 < x < size[0] and 0 < y < size[1], (x, y, size))
        for inked in found[1::2]:
            if inked["count"]:
                left, top, right, bottom = inked["box"]
                self.assertTrue(0 < left < right < size[0] - 1 and 0 < top < bottom < size[1] - 1, inked)
        wide, high = (max(one) - min(one) for one in zip(*places))
        self.assertGreater(max(wide / size[0], high / size[1]), 0.5)

    def test_any_two_designs_stand_beside_each_other(self):
        results, _ = self.four_bar()
        first, second = [row["case"] for row in self.ranked(results)[:2]]
        page, _ = self.report(results, first, second)
        before, after, camera, alone = self.ask(
            page, DRAWN, ("eval", "counterpoise.go(40)"), ("ask", "counterpoise.sample"),
            ("choose", ["select[aria-label='compared with']", str(second)]),
            ("ask", "counterpoise.sample"), ("ask", NAMES + ".concat([counterpoise.sample])"),
            ("choose", ["select[aria-label='compared with']", ""]), ("ask", NAMES))
        self.assertEqual((before, after), (40, 40))
        self.assertEqual(camera, [f"case {first}", f"case {second}", 40])
        self.assertEqual(alone, [])

    def test_numbers_and_scene_compare_the_same_two_designs(self):
        results, _ = self.four_bar()
        first, second, third = [row["case"] for row in self.ranked(results)[:3]]
        page, _ = self.report(results, first, second, third)
        both = ("ask", f"[counterpoise.compared, {NAMES}, counterpoise.address()]")
        named = lambda *ids: [f"case {one}" for one in ids]
        scene, numbers, other = self.ask(
            page, DRAWN, ("choose", ["select[aria-label='compared with']", str(third)]), DRAWN, both,
            ("choose", ["select[aria-label='second design']", str(second)]), DRAWN, both,
            ("choose", ["select[aria-label='first design']", str(third)]), DRAWN, both)
        self.assertEqual(scene[:2], [[first, third], named(first, third)])
        self.assertEqual(numbers[:2], [[first, second], named(first, second)])
        self.assertEqual(other[:2], [[third, second], named(third, second)])
        again, = self.ask(page, ("open", f"#{other[2]}"), DRAWN, both)
        self.assertEqual(again, other)

    def test_springs_have_the_colour_of_what_the_run_does_to_them(self):
        _, page = self.four_bar()
        legend, = self.ask(page, ("ask", "document.querySelector('#scene .scene-legend').textContent"), webgl=False)
        self.assertIn("spring changed", legend)
        self.assertNotIn("spring added", legend)

    def test_each_design_has_a_still_picture(self):
        _, page = self.four_bar()
        shown, = self.asked(page, ("ask", "document.querySelector('#still .still svg').checkVisibility()"),
                            scripts=False)
        self.assertTrue(shown)
        caption = ("ask", "document.querySelector('.stage .still figcaption').textContent")
        second = self.data_of(page)["designs"][1]["case"]
        captions = self.ask(page, ("media", "print"), caption, ("media", "screen"),
                            ("choose", ["select[aria-label=design]", str(second)]), ("media", "print"), caption)
        for case, said in zip((self.data_of(page)["designs"][0]["case"], second), captions):
            # the springs of both balance the bar, so that the picture has no load to name
            self.assertRegex(said, fr"case {case} beside the baseline in raise at 0 s$")

    def test_the_picture_before_all_shows_the_largest_load_of_all_motions(self):
        example = EXAMPLES / "counterweights"
        results = self.run_study(example / "weights.json")
        best = self.ranked(results)[0]
        weights = [word for name in ("upper_weight", "fore_weight") for word in ("--set", f"{name}={best[name]}")]
        of_motion = {}
        for motion in ("slow", "fast"):
            columns = json.loads(self.run_program("simulate", example / "model.json", "--motion", example / f"{motion}.json",
                                                  "--json", *weights).stdout)
            of_motion[motion] = max(abs(load) for joint in ("shoulder", "elbow") for load in columns[f"{joint}.load"])
        self.assertGreater(of_motion["fast"], 1.2 * of_motion["slow"])
        said, = self.asked(self.report(results)[0], ("ask", "document.querySelector('#still figcaption').textContent"),
                           scripts=False)
        self.assertIn(" in fast at ", said)
        self.assertIn(f"the largest load, {of_motion['fast']:.3g}", said.replace("-", ""))


if __name__ == "__main__":
    unittest.main()
