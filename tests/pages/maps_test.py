#!/usr/bin/env python3
"""Maps of a workspace in the pages of `view` and `report`: their colours are the loads that the program
computes, in the places of the poses, and the robot goes where they are clicked."""

import csv
import json
import math
import unittest

from appearance_test import CONTRASTS, OVERFLOWING
from program import TWO_LINK_ARM
from report_pages import Reports

DEG = math.pi / 180
SHOULDER = {"range": [-30, 45], "count": 16, "unit": "deg"}
ELBOW = {"values": [70, 40, 20, 10, 0, 30, 55], "unit": "deg"}  # neither in order nor evenly apart
WRIST = {"range": [-60, 60], "count": 5, "unit": "deg"}
GRID = {"shoulder": SHOULDER, "elbow": ELBOW, "wrist": WRIST}

# A canvas whose numbers are read.
COPY = """const copyOf = (canvas) => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    return context;
  };"""

# The colours at places of a map, which are shares of its width and height, and those along the legend.
COLOURS = """(([map, places]) => {
  """ + COPY + """
  const canvas = document.querySelectorAll('.map canvas')[map], ramp = document.querySelector('.map-ramp');
  const at = (context, x, y) => [...context.getImageData(x, y, 1, 1).data];
  const [inMap, inRamp] = [copyOf(canvas), copyOf(ramp)];
  return {
    cells: places.map(([x, y]) => at(inMap, Math.floor(x * canvas.width), Math.floor((1 - y) * canvas.height))),
    ramp: Array.from({length: ramp.width}, (_, i) => at(inRamp, i, 0)),
  };
})(%s)"""

# The inks within a rectangle of a map.
INKS = """(([map, left, bottom, right, top]) => {
  """ + COPY + """
  const canvas = document.querySelectorAll('.map canvas')[map];
  const [x, y] = [Math.ceil(left * canvas.width) + 1, Math.ceil((1 - top) * canvas.height) + 1];
  const {data} = copyOf(canvas).getImageData(x, y, Math.floor((right - left) * canvas.width) - 2,
                                                      Math.floor((top - bottom) * canvas.height) - 2);
  return [...new Set(Array.from({length: data.length / 4}, (_, i) => [...data.slice(4 * i, 4 * i + 4)].join(' ')))];
})(%s)"""

# Where a mark stands, as shares of the map.
MARK = """(([map, mark]) => {
  const canvas = document.querySelectorAll('.map canvas')[map].getBoundingClientRect();
  const box = document.querySelectorAll('.map')[map].querySelector(`svg .${mark} path`).getBoundingClientRect();
  return [(box.left + box.width / 2 - canvas.left) / canvas.width, 1 - (box.top + box.height / 2 - canvas.top) / canvas.height];
})(%s)"""

# Where a place of a map is on the screen; it is scrolled to first.
ON_SCREEN = """(([map, x, y]) => {
  const canvas = document.querySelectorAll('.map canvas')[map];
  canvas.scrollIntoView({block: 'center'});
  const box = canvas.getBoundingClientRect();
  return [box.left + x * box.width, box.top + (1 - y) * box.height];
})(%s)"""

# The edges that the line of a limit consists of, as shares of the map, each with its lower end first.
EDGES = """(([map, limit]) => {
  const figure = document.querySelectorAll('.map')[map], canvas = figure.querySelector('canvas');
  const [left, top] = [canvas.offsetLeft, canvas.offsetTop];
  return [...figure.querySelectorAll(`.limits path[data-limit="${limit}"]`)].at(-1).getAttribute('d').split('M').slice(1)
    .flatMap((line) => {
      const places = line.split('L').map((place) => place.split(',').map(Number))
        .map(([x, y]) => [(x - left) / canvas.clientWidth, 1 - (y - top) / canvas.clientHeight]);
      return places.slice(1).map((to, i) => [places[i], to].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
    });
})(%s)"""

# Where marks stand in the scale of the colours, as shares of it.
BAR_MARKS = """[...document.querySelectorAll('.bar-mark')].map((one) => {
  const [mark, bar] = [one.getBoundingClientRect(), document.querySelector('.map-ramp').getBoundingClientRect()];
  return [one.title, (mark.left + mark.width / 2 - bar.left) / bar.width];
})"""

MAPS = ("ask", "counterpoise.maps")
SAMPLE = ("ask", "counterpoise.sample")
DRAWN = ("wait", "document.querySelector('.map canvas').width > 100")


def text(selector):
    return ("ask", f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)")


def asked(code, *arguments):
    return ("ask", code % json.dumps(arguments))


def levels(axis):
    """The positions of an axis, ascending [rad]."""
    if "values" in axis:
        return sorted(value * DEG for value in axis["values"])
    low, high = axis["range"]
    return [(low + (high - low) * i / (axis["count"] - 1)) * DEG for i in range(axis["count"])]


def ends(axis):
    """From where to where each level reaches, as shares of the axis: half-way to its neighbours."""
    of = levels(axis)
    between = [(a + b) / 2 for a, b in zip(of, of[1:])]
    all_ends = [2 * of[0] - between[0], *between, 2 * of[-1] - between[-1]]
    return [(end - all_ends[0]) / (all_ends[-1] - all_ends[0]) for end in all_ends]


def rectangle(x, y, shoulder, elbow):
    """Left, bottom, right and top of the pose at two positions."""
    sides = []
    for axis, position in ((x, shoulder), (y, elbow)):
        place = min(range(len(levels(axis))), key=lambda i: abs(levels(axis)[i] - position))
        sides.append(ends(axis)[place:place + 2])
    return [sides[0][0], sides[1][0], sides[0][1], sides[1][1]]


def middle(box):
    return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]


def lightness(colour):
    """L* of CIE 1976."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour[:3])]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


class Maps(Reports):
    """The arm with a hand. It leaves out the poses in which its elbow is nearly straight or its shoulder
    is high."""

    def setUp(self):
        super().setUp()
        model = json.loads((TWO_LINK_ARM / "model.json").read_text("utf-8"))
        del model["bodies"][1]["visual"]
        model["bodies"].append({"name": "hand", "parent": "forearm", "mass": 0.8, "com": [0.1, 0, 0],
                                "joint": {"type": "revolute", "axis": [0, -1, 0], "origin": [0.4, 0, 0]}})
        model["actuators"].append({"name": "wrist", "joint": "hand"})
        model["actuators"][0]["max_position"] = 0.65
        model["actuators"][1]["min_position"] = 0.3
        self.write("model.json", model)

    def page_of(self, poses, *arguments, **options):
        self.write("motion.json", {"format": "counterpoise-motion/1", "name": "reach", "poses": poses,
                                   "unreachable": "skip", **options})
        return self.view("model.json", "--motion", "motion.json", *arguments)[0]

    def rows(self, model="model.json"):
        """The poses that are not left out by their numbers, from 0, as `simulate` has them."""
        self.run_program("simulate", model, "--motion", "motion.json", "-o", "rows.csv")
        with (self.folder / "rows.csv").open(encoding="utf-8") as file:
            return {round(float(row["t"])): {name: float(cell) for name, cell in row.items()}
                    for row in csv.DictReader(file)}

    def without_springs(self):
        model = json.loads((self.folder / "model.json").read_text("utf-8"))
        model["springs"] = []
        self.write("bare.json", model)
        return "bare.json"


class Colours(Maps):
    def test_they_are_the_loads_in_the_places_of_the_poses(self):
        page = self.page_of(GRID)
        for scheme in ("light", "dark"):
            loads = {"with springs": self.rows(), "without springs": self.rows(self.without_springs())}
            # where the engine says that poses are, whether the maps have them or not
            here = [{k: row for k, row in loads[name].items() if row["wrist.position"] < -59.9 * DEG}
                    for name in ("without springs", "with springs")]
            places = [[middle(rectangle(SHOULDER, ELBOW, row["shoulder.position"], row["elbow.position"]))
                       for row in rows.values()] for rows in here]
            maps, *colours = self.asked(page, DRAWN, MAPS, *(asked(COLOURS, number, places[number]) for number in (0, 1)),
                                        scheme=scheme)
            self.assertEqual([one["name"] for one in maps], ["without springs", "with springs"])
            # both have one scale, from 0 to the largest load of both in all poses
            top = max(abs(row["shoulder.load"]) for rows in loads.values() for row in rows.values())
            for number, one in enumerate(maps):
                self.assertAlmostEqual(one["top"], top, delta=1e-6 * top)
                self.assertEqual(len(one["samples"]), 16 * 7)
                rows, found = here[number], colours[number]
                self.assertEqual(len(rows), 14 * 5)
                self.assertEqual({k for k in one["samples"] if not one["leftOut"][k]}, set(rows))
                for cell, (k, row) in zip(found["cells"], rows.items(), strict=True):
                    load = abs(row["shoulder.load"])
                    self.assertAlmostEqual(abs(one["loads"][k]), load, delta=1e-6 * top)
                    right = found["ramp"][min(round(load / top * 127), 127)]
                    self.assertLess(math.dist(cell, right), 6, (scheme, one["name"], k))

    def test_poses_out_of_reach_are_hatched_and_told(self):
        page = self.page_of(GRID)
        reached, beyond = rectangle(SHOULDER, ELBOW, 0, 40 * DEG), rectangle(SHOULDER, ELBOW, 0, 0)
        for scheme, line in (("light", "90 102 117 255"), ("dark", "154 167 180 255")):
            full, hatched, legend, told, readout = self.asked(
                page, DRAWN, asked(INKS, 1, *reached), asked(INKS, 1, *beyond), text(".map-legend"), text(".map-worst"),
                ("eval", "counterpoise.go(4)"), text(".map-readout"), scheme=scheme)
            self.assertEqual(len(full), 1)
            self.assertEqual(sorted(hatched), ["0 0 0 0", line])
            self.assertIn("poses out of reach, left out", legend[0])
            self.assertIn("left out: 42 of 112 poses", told[1])
        page = self.page_of({**GRID, "elbow": {"values": [0.5, 0.7, 0.9]}, "shoulder": {"values": [0.1, 0.2]}})
        legend, told = self.asked(page, DRAWN, text(".map-legend"), text(".map-worst"))
        self.assertNotIn("left out", legend[0] + told[0])

    def test_the_scale_has_even_steps_of_lightness(self):
        page = self.page_of(GRID)
        for scheme, sign in (("light", -1), ("dark", 1)):
            found, back = self.asked(page, DRAWN, asked(COLOURS, 0, []), ("ask", """(() => {
                const text = getComputedStyle(document.querySelector('.panel')).backgroundColor;
                return text.match(/\\d+/g).map(Number);
              })()"""), scheme=scheme)
            steps = [sign * (lightness(after) - lightness(before))
                     for before, after in zip(found["ramp"][::16], found["ramp"][16::16])]
            self.assertGreater(min(steps), 0.6 * max(steps))
            for colour in found["ramp"]:
                self.assertGreater(math.dist(colour[:3], back), 50)  # neither end is lost in the panel

    def test_colours_may_reach_to_the_largest_load_of_the_design_alone(self):
        page = self.page_of(GRID)
        rows = self.rows()
        both, own, legend = self.asked(page, DRAWN, MAPS, ("click", ".map-chooser input"), MAPS, text(".map-legend"))
        most = max(abs(row["shoulder.load"]) for row in rows.values())
        self.assertGreater(both[1]["top"], 2 * most)
        self.assertEqual({round(one["top"] / most, 6) for one in own}, {1})
        self.assertIn(f"{most:.4g} N·m and more", legend[0])


class Poses(Maps):
    def test_the_worst_is_marked_and_named(self):
        page = self.page_of(GRID)
        rows = self.rows()
        here = {k: row for k, row in rows.items() if row["wrist.position"] < -59.9 * DEG}
        load = lambda k: abs(rows[k]["shoulder.load"])
        worst, worst_of_all = max(here, key=load), max(rows, key=load)
        self.assertNotEqual(worst, worst_of_all)
        maps, mark, told, sample, moved, mark_there = self.asked(
            page, DRAWN, ("choose", [".units select", "mm"]), MAPS, asked(MARK, 1, "worst"), text(".map-worst p"),
            ("click", ".map:nth-child(2) .map-worst p:last-child button"), SAMPLE, MAPS, asked(MARK, 1, "now"))
        self.assertEqual(maps[1]["worst"], worst)
        place = middle(rectangle(SHOULDER, ELBOW, rows[worst]["shoulder.position"], rows[worst]["elbow.position"]))
        self.assertLess(math.dist(mark, place), 0.01)
        name = lambda k: ", ".join(f"{joint} {round(rows[k][joint + '.position'] / DEG)} deg".replace("-", "−")
                                   for joint in ("shoulder", "elbow", "wrist"))
        bare = self.rows(self.without_springs())
        for of, among in ((rows, here), (bare, here), (rows, rows), (bare, rows)):
            k = max(among, key=lambda k: abs(of[k]["shoulder.load"]))
            words = "here" if among is here else "of all 560"
            self.assertIn(f"largest {words}: {abs(of[k]['shoulder.load']):.4g} N·m in pose {k + 1}: {name(k)}", told)
        # its button leads there, and the maps are those around it
        self.assertEqual((sample, moved[1]["worst"]), (worst_of_all, worst_of_all))
        place = middle(rectangle(SHOULDER, ELBOW, *(rows[worst_of_all][f"{joint}.position"] for joint in ("shoulder", "elbow"))))
        self.assertLess(math.dist(mark_there, place), 0.01)

    def test_a_click_moves_the_robot(self):
        page = self.page_of(GRID)
        k, row = next((k, row) for k, row in self.rows().items() if row["wrist.position"] < -59.9 * DEG
                      and abs(row["shoulder.position"] - 10 * DEG) < 1e-9 and abs(row["elbow.position"] - 55 * DEG) < 1e-9)
        place = middle(rectangle(SHOULDER, ELBOW, 10 * DEG, 55 * DEG))
        where = ON_SCREEN % json.dumps([0, *place])
        before, hovered, still, sample, clock, after, mark, readout = self.asked(
            page, DRAWN, ("wait", "counterpoise.frames > 0"), ("ask", "counterpoise.positions()"),
            ("move", where), text(".map-readout"), SAMPLE,
            ("press", where), SAMPLE, text(".clock"), ("ask", "counterpoise.positions()"), asked(MARK, 1, "now"),
            text(".map-readout"), webgl=True)
        self.assertEqual((still, sample, clock[0]), (0, k, f"pose {k + 1} of 560"))
        self.assertIn(f"pointer at pose {k + 1}: shoulder 0.1745 rad, elbow 0.9599 rad, wrist −1.047 rad: ", hovered[0])
        self.assertIn(f"with springs {row['shoulder.load']:.4g} N·m".replace("-", "−"), hovered[0])
        self.assertLess(math.dist(mark, place), 0.01)
        self.assertNotEqual(before, after)
        forearm = next(one["position"] for one in after["bodies"] if one["name"] == "forearm")
        self.assertAlmostEqual(math.atan2(forearm[2], forearm[0]), 10 * DEG, delta=1e-6)

    def test_keys_move_it_and_the_map_says_where(self):
        page = self.page_of(GRID)
        rows = self.rows()
        label = ("ask", "document.activeElement.getAttribute('aria-label')")
        steps = [step for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "Enter")
                 for step in (("key", key), SAMPLE, label)]
        found = self.asked(page, DRAWN, ("eval", "document.querySelectorAll('.map-frame')[1].focus()"), *steps)
        expected = [(-25, 70), (-25, 55), (-25, 40), (-30, 40), (-30, 40)]  # it stops at the edge
        for (shoulder, elbow), k, words in zip(expected, found[::2], found[1::2]):
            self.assertLess(math.dist((shoulder * DEG, elbow * DEG, -60 * DEG),
                                      [rows[k][f"{joint}.position"] for joint in ("shoulder", "elbow", "wrist")]), 1e-9)
            self.assertIn(f"pose {k + 1}: shoulder {shoulder * DEG:.4g} rad".replace("-", "−"), words)
            self.assertIn(f": {rows[k]['shoulder.load']:.4g} N·m; arrows go", words)
        here = {k: row for k, row in rows.items() if row["wrist.position"] < -59.9 * DEG}
        self.assertEqual(found[-2], max(here, key=lambda k: abs(here[k]["shoulder.load"])))

    def test_sliders_and_small_maps_choose_other_levels(self):
        page = self.page_of(GRID)
        rows = self.rows()
        wrist = lambda one: {round(rows[k]["wrist.position"] / DEG) for k in one["samples"] if k in rows}
        small = text(".small-maps button")
        pressed = ("ask", "[...document.querySelectorAll('.small-maps button')].map((one) => one.getAttribute('aria-pressed'))")
        words, first, labels, slid, after, sample, said, where, last, clicked = self.asked(
            page, DRAWN, text(".maps > p"), MAPS, small, ("focus", ".map-sliders input"), ("key", "ArrowRight"), MAPS,
            text(".maps > p"), SAMPLE, text(".map-sliders span"), pressed,
            ("click", ".small-maps button:last-child"), MAPS, pressed)
        self.assertIn("560 poses at rest: all combinations of 16 x 7 x 5 positions of shoulder, elbow, wrist. "
                      "Shown are 112 with wrist −1.047 rad.", words[0])
        self.assertEqual((wrist(first[1]), wrist(slid[1]), wrist(last[1])), ({-60}, {-30}, {60}))
        self.assertIn("Shown are 112 with wrist −0.5236 rad.", after[0])
        self.assertEqual((said[0], where), ("wrist −0.5236 rad", ["false", "true", "false", "false", "false"]))
        self.assertAlmostEqual(rows.get(sample, {"wrist.position": -30 * DEG})["wrist.position"], -30 * DEG, delta=1e-9)
        self.assertEqual(clicked[-1], "true")
        for label, level in zip(labels, levels(WRIST), strict=True):
            most = max(abs(row["shoulder.load"]) for row in rows.values() if abs(row["wrist.position"] - level) < 1e-9)
            self.assertTrue(label.endswith(f"largest {most:.4g} N·m"), label)

    def test_other_axes_and_actuators_are_chosen_and_kept_in_the_address(self):
        page = self.page_of(GRID)
        rows = self.rows()
        first, chosen, again, swapped = self.asked(
            page, DRAWN, MAPS, ("choose", ["select[aria-label^='load of']", "wrist"]),
            ("choose", ["select[aria-label^=upwards]", "wrist"]), MAPS,
            ("wait", "location.hash.includes('map=')"), ("open", "#map=wrist%2C,,wrist,,&t=0"),
            ("open", "#map=wrist,,wrist,,"), DRAWN, MAPS,
            ("choose", ["select[aria-label^=across]", "elbow"]), ("choose", ["select[aria-label^=across]", "wrist"]), MAPS)
        titles = lambda maps: (maps[1]["actuator"], maps[1]["x"], maps[1]["y"])
        self.assertEqual(titles(first), ("shoulder", "shoulder [rad]", "elbow [rad]"))
        self.assertEqual(titles(chosen), ("wrist", "shoulder [rad]", "wrist [rad]"))
        self.assertEqual(again, chosen)
        self.assertEqual(titles(swapped), ("wrist", "wrist [rad]", "elbow [rad]"))
        self.assertEqual({rows[k]["elbow.position"] for k in chosen[1]["samples"] if k in rows}, {rows[0]["elbow.position"]})
        for k, row in rows.items():
            self.assertAlmostEqual(chosen[1]["loads"][k], row["wrist.load"], delta=1e-6)

    def test_samples_are_points_with_the_largest_load_on_top(self):
        for poses, words in (({"sobol": 300, "ranges": {"shoulder": {"range": [-0.5, 0.6]}, "elbow": {"range": [0.4, 1.2]},
                                                        "wrist": {"range": [-1, 1]}}},
                              "300 poses at rest: samples of a Sobol sequence in the ranges of shoulder, elbow, wrist."),
                             ({"file": "poses.csv", "columns": {"shoulder": "a", "elbow": "b", "wrist": "c"}},
                              "40 poses at rest: rows of poses.csv.")):
            # each two are at one place of the map
            self.write("poses.csv", "a,b,c\n" + "".join(f"{0.01 * i},{0.6 + 0.25 * math.sin(i)},{wrist}\n"
                                                        for i in range(20) for wrist in (0, 1.5)))
            page = self.page_of(poses)
            rows = self.rows()
            worst = max(rows, key=lambda k: abs(rows[k]["shoulder.load"]))
            place = []
            for joint in ("shoulder", "elbow"):
                low, high = (of(row[f"{joint}.position"] for row in rows.values()) for of in (min, max))
                place.append((rows[worst][f"{joint}.position"] - low + 0.03 * (high - low)) / (1.06 * (high - low)))
            maps, mark, said, small, found, *samples = self.asked(
                page, DRAWN, MAPS, asked(MARK, 1, "worst"), text(".maps > p"), text(".small-maps button"), asked(COLOURS, 1, [place]),
                ("press", ON_SCREEN % json.dumps([1, *place])), SAMPLE,
                *(step for key in ("ArrowLeft", "ArrowUp", "ArrowRight") for step in (("key", key), SAMPLE)))
            self.assertEqual((len(maps[1]["samples"]), maps[1]["worst"], small), (len(rows), worst, []))
            self.assertIn(words, said[0])
            self.assertIn("the largest load is seen", said[0])
            self.assertLess(math.dist(mark, place), 0.01)
            right = found["ramp"][round(abs(rows[worst]["shoulder.load"]) / maps[1]["top"] * 127)]
            self.assertLess(math.dist(found["cells"][0], right), 6)
            self.assertEqual(samples[0], worst)
            before = worst
            for k, joint, sign in zip(samples[1:], ("shoulder", "elbow", "shoulder"), (-1, 1, 1)):
                moved = sign * (rows[k][f"{joint}.position"] - rows[before][f"{joint}.position"])
                self.assertTrue(k == before or moved > 0, (before, k))
                before = k

    def test_poses_of_one_coordinate_stay_a_curve_over_it(self):
        page = self.page_of({"shoulder": {"range": [-30, 30], "count": 13, "unit": "deg"}, "elbow": {"values": [0.5]}})
        drawing, maps, hidden = self.asked(page, ("ask", "counterpoise.svg(0)"), MAPS, text(".workspace"))
        self.assertIn(">shoulder [rad]<", drawing)
        self.assertIn(">−0.5<", drawing)
        self.assertEqual((maps, hidden), ([], []))
        page = self.page_of(GRID)
        drawing, = self.asked(page, ("ask", "counterpoise.svg(0)"))
        self.assertIn(">pose<", drawing)


class Limits(Maps):
    def setUp(self):
        super().setUp()
        model = json.loads((self.folder / "model.json").read_text("utf-8"))
        model["actuators"][0] |= {"max_load": 9, "holding_load": "spring_rate / 300"}
        self.write("model.json", model)
        self.poses = {"shoulder": SHOULDER, "elbow": ELBOW, "wrist": {"values": [0, 60], "unit": "deg"}}

    def beyond(self, rows, limit):
        return sum(abs(row["shoulder.load"]) > limit for row in rows.values())

    def edges(self, rows, limit):
        """Those between poses on both sides of a limit, in the places of the map."""
        cells = {}
        for row in rows.values():
            place = tuple(min(range(len(levels(axis))), key=lambda i: abs(levels(axis)[i] - row[f"{joint}.position"]))
                          for joint, axis in (("shoulder", SHOULDER), ("elbow", ELBOW)))
            cells[place] = abs(row["shoulder.load"]) > limit
        x, y = ends(SHOULDER), ends(ELBOW)
        found = []
        for (i, j), is_beyond in cells.items():
            if cells.get((i + 1, j), is_beyond) != is_beyond:
                found.append([[x[i + 1], y[j]], [x[i + 1], y[j + 1]]])
            if cells.get((i, j + 1), is_beyond) != is_beyond:
                found.append([[x[i], y[j + 1]], [x[i + 1], y[j + 1]]])
        return found

    def test_lines_stand_between_poses_within_and_beyond_and_are_named(self):
        page = self.page_of(self.poses)
        maps, legend, marks, words, held, broken, svg = self.asked(
            page, DRAWN, MAPS, text(".map-legend"), ("ask", BAR_MARKS), text(".map:nth-child(2) .map-worst"),
            asked(EDGES, 1, "holding_load"), asked(EDGES, 1, "max_load"), ("download", ".map:nth-child(2) button[title$=SVG]"))
        rows = self.rows()
        here = {k: row for k, row in rows.items() if abs(row["wrist.position"]) < 1e-9}
        for name, limit, drawn, dash in (("holding_load", 5, held, "dashed"), ("max_load", 9, broken, "solid")):
            right = self.edges(here, limit)
            self.assertGreater(len(right), 5)
            self.assertEqual(len(drawn), len(right))
            for edge in right:
                self.assertLess(min(math.dist(sum(edge, []), sum(one, [])) for one in drawn), 3e-3)
            self.assertIn(f"{name} {limit} N·m", legend[0])
            count = f"beyond {name}: {self.beyond(here, limit)} of 112 poses here, {self.beyond(rows, limit)} of all 224"
            self.assertIn(count, words[0])
            self.assertRegex(svg["text"], f"{dash} line: {name} {limit} .{{3,4}}; {count}")
        self.assertEqual([title for title, _ in marks], ["max_load 9 N·m", "holding_load 5 N·m"])
        for (_, share), limit in zip(marks, (9, 5)):
            self.assertAlmostEqual(share, limit / maps[1]["top"], delta=0.01)

    def test_designs_with_limits_of_their_own_keep_them(self):
        page = self.page_of(self.poses, "--ghost", "spring_rate=1200")
        legend, own, ghost, other, gone = self.asked(
            page, DRAWN, text(".map-legend"), asked(EDGES, 1, "holding_load"), asked(EDGES, 0, "holding_load"),
            ("choose", ["select[aria-label^='load of']", "wrist"]), text(".map-legend"), text(".bar-mark, .limits path"))
        self.assertIn("max_load 9 N·m", legend[0])
        self.assertIn("holding_load 4 N·m of ghost", legend[0])
        self.assertIn("holding_load 5 N·m of design", legend[0])
        self.assertNotEqual(own, ghost)
        self.assertNotIn("holding_load", other[0])
        self.assertEqual(gone, [])

    def test_points_and_limits_above_all_loads_have_no_lines(self):
        page = self.page_of({"sobol": 200, "ranges": {"shoulder": {"range": [-0.5, 0.6]}, "elbow": {"range": [0.4, 1.2]}}},
                            "--set", "spring_rate=60000", "--ghost", "spring_rate=1500")
        legend, lines, marks, words = self.asked(
            page, DRAWN, text(".map-legend"), ("ask", "[...document.querySelectorAll('.limits path')].map((one) => one.getAttribute('d'))"),
            ("ask", BAR_MARKS), text(".map:nth-child(1) .map-worst"))
        self.assertEqual(set(lines), {""})
        self.assertEqual(len(marks), 3)
        self.assertIn(f"beyond holding_load: {self.beyond(self.rows(), 5)} of 200 poses", words[0])
        self.assertNotIn("above all loads", legend[0])
        page = self.page_of(self.poses, "--set", "spring_rate=30000", "--ghost", "spring_rate=1500")
        legend, = self.asked(page, DRAWN, ("click", ".map-chooser input"), text(".map-legend"))
        self.assertNotIn("above all loads", legend[0])
        model = json.loads((self.folder / "model.json").read_text("utf-8"))
        model["actuators"][0]["max_load"] = 1000
        self.write("model.json", model)
        legend, marks = self.asked(self.page_of(self.poses), DRAWN, text(".map-legend"), ("ask", BAR_MARKS))
        self.assertIn("max_load 1000 N·m, above all loads", legend[0])
        self.assertEqual([title for title, _ in marks], ["holding_load 5 N·m"])


class Appearance(Maps):
    def test_nothing_is_wider_than_the_window_and_text_stands_out(self):
        self.page_of(GRID)
        self.view("model.json", "--motion", "motion.json")
        page = self.folder / "view.html"
        looks = (("ask", OVERFLOWING), ("ask", "document.documentElement.scrollWidth - innerWidth"),
                 ("ask", CONTRASTS), ("ask", "document.querySelector('.map canvas').clientWidth"))
        for width, first, second in ((1440, "light", "dark"), (1024, "dark", "light"), (390, "light", "dark")):
            found = self.asked(page, DRAWN, *looks, ("scheme", second), *looks, width=width, scheme=first)
            for over, scrolls, (contrast, where), map_width in (found[:4], found[4:]):
                self.assertEqual(over, [])
                self.assertLessEqual(scrolls, 0)
                self.assertGreater(contrast, 4.5, where)
                self.assertGreater(map_width, 150)

    def test_units_and_scheme_change_all_numbers_and_colours(self):
        page = self.page_of(GRID)
        light, mm, dark = self.asked(
            page, DRAWN, asked(COLOURS, 1, [[0.03, 0.9]]), ("choose", [".units select", "mm"]),
            text(".map-axes text, .map-sliders span, .map-readout, .small-maps span"),
            ("scheme", "dark"), asked(COLOURS, 1, [[0.03, 0.9]]))
        for words in ("shoulder [deg]", "−30", "70", "wrist −60 deg"):
            self.assertTrue(any(words in one for one in mm), words)
        self.assertFalse(any("rad" in one for one in mm))
        self.assertNotEqual(light, dark)

    def test_maps_are_saved_as_pictures(self):
        page = self.page_of(GRID)
        svg, png = self.asked(page, DRAWN, ("download", ".map:nth-child(2) button[title$=SVG]"),
                              ("download", ".map:nth-child(2) button[title$=PNG]"))
        self.assertEqual((svg["name"], png["name"]), ("Load of shoulder, with springs.svg", "Load of shoulder, with springs.png"))
        self.assertTrue(png["text"].startswith("\x89PNG"))
        for words in ("data:image/png;base64", ">shoulder [rad]<", "560 poses at rest: all combinations of 16 x 7 x 5",
                      "Shown are 112 with", "largest: ", "out of reach"):
            self.assertIn(words, svg["text"])


class InReports(Maps):
    def study(self, **changes):
        study = json.loads((TWO_LINK_ARM / "workspace.json").read_text("utf-8"))
        if "sampling" in changes:
            del study["search"]
        study["motions"] = {"workspace": {"poses": {"shoulder": SHOULDER, "elbow": ELBOW}, "unreachable": "skip"}}
        self.write("study.json", {**study, **changes})
        results = self.run_study("study.json")
        return results, self.report(results)[0]

    def test_the_design_stands_beside_the_baseline_and_no_springs(self):
        results, page = self.study()
        self.run_program("show", results, "best", "-o", "best.csv")
        with (self.folder / "best.csv").open(encoding="utf-8") as file:
            rows = {round(float(row["t"])): row for row in csv.DictReader(file)
                    if not math.isnan(float(row["shoulder.load"]))}
        baseline, bare, address, words = self.ask(
            page, DRAWN, MAPS, ("choose", ["select[aria-label^=beside]", "without springs"]), MAPS,
            ("ask", "counterpoise.address()"), text(".maps > p"))
        again, = self.ask(page, ("open", f"#{address}"), ("wait", "document.documentElement.dataset.ready === 'yes'"), DRAWN, MAPS)
        self.assertEqual([one["name"] for one in baseline + bare], ["baseline", "case 1", "without springs", "case 1"])
        self.assertEqual(again, bare)
        self.assertIn("112 poses at rest: all combinations of 16 x 7 positions of shoulder, elbow.", words[0])
        self.write("motion.json", {"format": "counterpoise-motion/1", "unreachable": "skip", "poses": {"shoulder": SHOULDER, "elbow": ELBOW}})
        columns = {0: "baseline.shoulder.load", 1: "shoulder.load"}
        for number, column in columns.items():
            one = baseline[number]
            self.assertEqual({k for k in one["samples"] if not one["leftOut"][k]}, set(rows))
            for k, row in rows.items():
                self.assertAlmostEqual(one["loads"][k], float(row[column]), delta=1e-9)
        for k, row in self.rows(self.without_springs()).items():
            self.assertAlmostEqual(bare[0]["loads"][k], row["shoulder.load"], delta=1e-9)
        tops = [max(abs(float(row[column])) for row in rows.values()) for column in columns.values()]
        self.assertAlmostEqual(baseline[0]["top"], max(tops), delta=1e-9)
        self.assertEqual(baseline[1]["worst"], max(rows, key=lambda k: abs(float(rows[k]["shoulder.load"]))))

    def test_a_click_moves_the_design_and_a_map_follows_the_time_line(self):
        _, page = self.study()
        place = middle(rectangle(SHOULDER, ELBOW, 0, 40 * DEG))
        maps, sample, clock, mark, other = self.ask(
            page, DRAWN, MAPS, ("press", ON_SCREEN % json.dumps([1, *place])), SAMPLE, text(".clock"),
            asked(MARK, 0, "now"), ("eval", "counterpoise.go(0)"), asked(MARK, 0, "now"))
        self.assertIn(sample, maps[0]["samples"])
        self.assertEqual(clock[0], f"pose {sample + 1} of 112")
        self.assertLess(math.dist(mark, place), 0.01)
        self.assertLess(math.dist(other, middle(rectangle(SHOULDER, ELBOW, -30 * DEG, 70 * DEG))), 0.01)

    def test_limits_of_a_study_are_drawn_too(self):
        _, page = self.study(constraints=[{"name": "gentle", "expression": "2*shoulder.max + 1 N*m", "max": 13},
                                          {"name": "saved", "expression": "baseline.shoulder.max", "max": 900},
                                          {"name": "both", "expression": "shoulder.max + elbow.max", "max": 800}])
        legend, baseline, own = self.ask(page, DRAWN, text(".map-legend"), asked(EDGES, 0, "gentle"), asked(EDGES, 1, "gentle"))
        self.assertIn("gentle 6 N·m", legend[0])
        self.assertNotIn("saved", legend[0])
        self.assertNotIn("both", legend[0])
        self.assertNotEqual((baseline, own), ([], []))
        self.assertEqual(own, [])

    def test_where_poses_differ_it_says_why_there_is_no_map(self):
        poses = {"shoulder": {"range": [-20, "20 + 100*mount_radius"], "count": 4, "unit": "deg"}, "elbow": {"values": [0.3, 0.9]}}
        study = {"motions": {"workspace": {"poses": poses}}, "sampling": {"method": "grid"},
                 "variables": {"mount_radius": {"values": [0.05, 0.06]}}}
        page = self.study(**study)[1]
        told, maps = self.ask(page, DRAWN, text(".maps > p"), MAPS)
        self.assertRegex(told[0], r"The baseline and case \d go through other poses, so that no map of them stands here\.$")
        self.assertEqual(len(maps), 1)
        self.write("motion.json", {"format": "counterpoise-motion/1", "poses": poses})
        page, _ = self.view("model.json", "--motion", "motion.json", "--ghost", "mount_radius=0.05")
        told, maps = self.asked(page, DRAWN, text(".maps > p"), MAPS)
        self.assertIn(" The ghost goes through other poses, so that no map of it stands here.", told[0])
        self.assertEqual([one["name"] for one in maps], ["without springs", "with springs"])

    def test_load_cases_have_maps_of_their_own(self):
        model = json.loads((self.folder / "model.json").read_text("utf-8"))
        model["parameters"]["payload"] = {"value": 1, "unit": "kg", "min": 0}
        model["bodies"][2]["mass"] = "payload"
        self.write("model.json", model)
        poses = {"shoulder": {"values": [0, 0.2, 0.4]}, "elbow": {"values": [0.5, 0.9]}}
        _, page = self.study(motions={"few": {"poses": poses, "parameters": {"payload": {"values": [0.5, 3]}}}})
        light, heavy, narrow = self.ask(
            page, DRAWN, MAPS, ("choose", ["select[aria-label=motion]", "few@payload=3kg"]), MAPS,
            ("viewport", [390, 800]), ("ask", "document.documentElement.scrollWidth - innerWidth"))
        self.assertLessEqual(narrow, 0)
        for name, maps in (("payload=0.5", light), ("payload=3", heavy)):
            self.write("motion.json", {"format": "counterpoise-motion/1", "poses": poses})
            said = self.run_program("simulate", "model.json", "--motion", "motion.json", "--set", name)
            for row in csv.DictReader(said.stdout.splitlines()):
                self.assertAlmostEqual(maps[0]["loads"][round(float(row["t"]))], float(row["shoulder.load"]), delta=1e-9)


if __name__ == "__main__":
    unittest.main()
