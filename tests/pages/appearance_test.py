#!/usr/bin/env python3
"""The page fits every window and sheet, in light and dark, and everything can be reached by keys."""

import re
import unittest

from page_tests import Pages
from program import CHARMIE

PAGE = (CHARMIE / "model.json", "--motion", CHARMIE / "motion_squat.json")

OVERFLOWING = """[...document.querySelectorAll('body *')].filter((one) => {
  if (one.closest('.scroll, .tree, svg, .stage') || one.offsetParent === null) return false;
  return one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5;
}).map((one) => one.outerHTML.slice(0, 80))"""

CONTRASTS = """[...document.querySelectorAll('h1, h2, p, label, button, td, th, .clock, .badge')]
  .filter((one) => one.offsetParent !== null && one.textContent.trim() !== '').map((one) => {
    const light = (text) => {
      const [r, g, b] = text.match(/[\\d.]+/g).map((part) => {
        const c = part / 255;
        return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let back = one;
    while (getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)') back = back.parentElement;
    const a = light(getComputedStyle(one).color), b = light(getComputedStyle(back).backgroundColor);
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.className || one.tagName];
  }).sort((a, b) => a[0] - b[0])[0]"""

# Where the scene has ink at a sample: the ends of its box as shares of the picture.
INK_AT = """new Promise((done) => {
  counterpoise.go(%s);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const canvas = document.querySelector('.stage canvas'), copy = document.createElement('canvas');
    const [width, height] = [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) {
      if (pixels[y * width + x] === pixels[0]) continue;
      left = Math.min(left, x), right = Math.max(right, x + 1);
      top = Math.min(top, y), bottom = Math.max(bottom, y + 1);
    }
    done([left / width, top / height, right / width, bottom / height]);
  }));
})"""


class Appearance(Pages):
    def test_mechanisms_are_whole_in_view_over_their_run_and_fill_it(self):
        two_designs = (*PAGE, "--ghost", "anchor_height=0.5")
        travelling = (CHARMIE / "model.json", "--motion", CHARMIE / "motion_reach.json")
        for arguments, width in ((two_designs, 1440), (two_designs, 390), (travelling, 1024)):
            with self.subTest(arguments[2:], width=width):
                page, _ = self.view(*arguments)
                steps = [("eval", INK_AT % f"Math.round((counterpoise.samples - 1) * {k} / 12)") for k in range(13)]
                boxes = self.drive(page, ("wait", "counterpoise.frames > 0"), ("click", "text=Grid"),
                                   *steps, width=width, height=800)[2:]
                left, top, right, bottom = zip(*boxes)
                for low, high in ((left, right), (top, bottom)):
                    self.assertTrue(0 < min(low) < max(high) < 1, boxes)
                self.assertGreater(max(max(right) - min(left), max(bottom) - min(top)), 0.85)

    def test_nothing_is_cut_off_in_windows_of_any_width(self):
        page, _ = self.view(*PAGE)
        for width in (1440, 1024, 390):
            with self.subTest(width):
                over, stage, scrolls = self.drive(
                    page, ("wait", "counterpoise.frames > 0"), ("eval", OVERFLOWING),
                    ("eval", "document.querySelector('.stage').clientWidth"),
                    ("eval", "document.documentElement.scrollWidth - innerWidth"),
                    width=width, height=800)[1:]
                self.assertEqual(over, [])
                self.assertLessEqual(scrolls, 0)
                self.assertGreater(stage, 0.45 * width)

    def test_text_stands_out_in_light_and_dark(self):
        page, _ = self.view(*PAGE)
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                (contrast, where), background = self.drive(
                    page, ("eval", CONTRASTS),
                    ("eval", "getComputedStyle(document.body).backgroundColor"), scheme=scheme, webgl=False)
                self.assertGreater(contrast, 4.5, where)  # of WCAG, level AA
                lightness = sum(map(float, re.findall(r"[\d.]+", background)[:3])) / 3
                self.assertEqual(lightness > 128, scheme == "light")

    def test_a_change_of_scheme_recolours_the_scene(self):
        page, _ = self.view(*PAGE)
        corner = """(() => {
          const canvas = document.querySelector('.stage canvas'), copy = document.createElement('canvas');
          copy.width = copy.height = 4;
          const context = copy.getContext('2d');
          context.drawImage(canvas, 0, 0, 4, 4, 0, 0, 4, 4);
          return context.getImageData(1, 1, 1, 1).data[0];
        })()"""
        light, dark = self.drive(page, ("wait", "counterpoise.frames > 0"), ("eval", corner),
                                 ("scheme", "dark"), ("wait", f"{corner} < 60"),
                                 ("eval", corner))[1::3]
        self.assertGreater(light, 200)
        self.assertLess(dark, 60)

    def test_every_control_is_reached_by_tab_and_named(self):
        page, _ = self.view(*PAGE)
        count, names = self.drive(page, ("eval", """
          document.querySelectorAll('button, input, select, summary').length"""), ("eval", """
          [...document.querySelectorAll('button, input, select, summary')]
            .filter((one) => one.tabIndex < 0 || !(one.getAttribute('aria-label') || one.title ||
              one.textContent.trim() || one.closest('label')?.textContent.trim()))
            .map((one) => one.outerHTML)"""), webgl=False)
        self.assertGreater(count, 60)
        self.assertEqual(names, [])

    def test_keys_turn_the_camera(self):
        page, _ = self.view(*PAGE)
        before, after = self.drive(
            page, ("wait", "counterpoise.frames > 0"), ("focus", ".stage canvas"),
            ("eval", "counterpoise.camera"), ("key", "Alt+ArrowLeft"),
            ("eval", "counterpoise.camera"))[2::2]
        self.assertNotEqual(before, after)

    def test_it_prints_on_a4(self):
        page, _ = self.view(*PAGE)
        sheet = self.folder / "view.pdf"
        self.drive(page, ("eval", "counterpoise.go(20)"), ("pdf", str(sheet)), scheme="dark")
        text = sheet.read_bytes()
        self.assertTrue(text.startswith(b"%PDF"))
        sizes = {tuple(round(float(one)) for one in box.split())
                 for box in re.findall(rb"/MediaBox\s*\[([^\]]*)\]", text)}
        self.assertTrue(sizes)
        for _, _, width, height in sizes:  # in points
            self.assertLessEqual(abs(width - 595), 1)
            self.assertLessEqual(abs(height - 842), 1)

    def test_tables_and_plots_are_saved(self):
        page, _ = self.view(*PAGE)
        table, svg = self.drive(page, ("download", "button[title='save actuators as CSV']"),
                                ("download", "button[title^='save Actuator loads as SVG'] >> nth=0"), webgl=False)
        lines = table["text"].splitlines()
        self.assertEqual(table["name"], "actuators.csv")
        self.assertEqual(len(lines), 1 + 19)
        self.assertTrue(lines[0].startswith("actuator,units,load now"))
        self.assertIn("<svg", svg["text"])
        self.assertIn("lift", svg["text"])


if __name__ == "__main__":
    unittest.main()
