#!/usr/bin/env python3
"""Conditions on the page of `report` work as in `rank --where`: random ones let through the same
designs, and what the one refuses, the other refuses with the same words."""

import json
import random
import unittest

from program import BAD_INPUT, EXAMPLES, trials
from report_pages import Reports

REFUSED = ("", "shoulder_peak <", "shoulder_peak < 10)", "(shoulder_peak < 10", "no_such < 1",
           "shoulder_peek < 1", "shoulder_peak = 3", "!pull", "sqrt < 2", "sqrt(1, 2) < 2", "min() < 1",
           "shoulder_peak < 'text'", "'text'", "1e999 < 2", "frob(3) < 1", "a ? b : c", "3 % 2 == 1",
           "shoulder_peak # 3", "1, 2", "'open", "shoulder_peak 3", "atan2(1) > 0", "& 3",
           "shoulder_peak < 3 mm", "shoulder_peak < 3 N*mn", "shoulder_peak < 3 newtons",
           "mount_radius + 2 N > 0", "max(shoulder_peak, 2 kg) > 1", "1e306 kN > shoulder_peak",
           "2 mm mm < mount_radius", "shoulder_peak < 2 N/inch", "shoulder_peak < 9 m/s^2")


class Conditions:
    """Random conditions over columns whose numbers are given."""

    def __init__(self, seed, columns, texts):
        self.draw = random.Random(seed)
        self.columns = columns
        self.texts = texts

    def number(self, depth):
        kind = self.draw.random()
        name = self.draw.choice(list(self.columns))
        if depth == 0 or kind < 0.3:
            low, high = self.columns[name]
            return self.draw.choice([name, name, f"{self.draw.uniform(low, high):.6g}",
                                     str(self.draw.randint(0, 9)), "pi", ".5", "2e-1"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        if kind < 0.75:
            return f"{a} {self.draw.choice('+-*/^')} {b}"
        if kind < 0.85:
            return self.draw.choice([f"-{a}", f"(+{a})", f"({a})", f"--{a}"])
        function = self.draw.choice(["sqrt", "sin", "cos", "atan", "abs", "min", "max", "atan2"])
        return f"{function}({a})" if function not in ("min", "max", "atan2") else f"{function}({a}, {b})"

    def near(self):
        """A bound within a column's range, so that neither all nor no designs pass."""
        name = self.draw.choice(list(self.columns))
        low, high = self.columns[name]
        return f"{name} {self.draw.choice(['<', '<=', '>', '>='])} {self.draw.uniform(low, high)!r}"

    def condition(self, depth=3):
        kind = self.draw.random()
        if depth > 0 and kind < 0.4:
            sides = self.condition(depth - 1), self.condition(depth - 1)
            return self.draw.choice(["{} && {}", "{} || {}", "({}) && {}", "({} || {})"]).format(*sides)
        if self.texts and kind < 0.5:
            name = self.draw.choice(list(self.texts))
            label = self.draw.choice(self.texts[name])
            return f"{name} {self.draw.choice(['==', '!='])} '{label}'"
        if kind < 0.75:
            return self.near()
        sign = self.draw.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{self.number(2)} {sign} {self.number(2)}"


def ends_of(rows, name):
    """A case that is not settled lacks some numbers."""
    values = [row[name] for row in rows if row[name] is not None]
    return min(values), max(values)


class Filters(Reports):
    def check(self, results, page, conditions):
        steps = [("eval", f"counterpoise.where({json.dumps(text)})") for text in conditions]
        steps = [step for one in steps for step in (one, ("eval", "counterpoise.passing()"))]
        found = self.drive(page, *steps)
        some = 0
        for text, wrong, passing in zip(conditions, found[::2], found[1::2]):
            with self.subTest(text):
                self.assertEqual(wrong, "")
                right = [row["case"] for row in self.ranked(results, "--where", text)]
                self.assertEqual(sorted(passing), sorted(right))
                some += 0 < len(right)
        self.assertGreater(some, len(conditions) / 4)

    def test_random_conditions_of_numbers(self):
        results, page = self.two_link_arm()
        rows = [row for row in self.cases(results) if row["status"] == "feasible"]
        columns = {name: ends_of(rows, name)
                   for name in ("spring_rate", "post_height", "mount_radius", "shoulder_peak",
                                "shoulder_mean", "shoulder.max", "spring.max_length")}
        columns["case"] = (1, 576)
        conditions = Conditions(7, columns, {})
        self.check(results, page, [conditions.condition() for _ in range(trials(500))])

    def test_conditions_with_units(self):
        results, page = self.two_link_arm()
        self.check(results, page, [
            "shoulder_peak < 3 N*m", "shoulder_peak<30lbf*in", "mount_radius > 60mm && post_height < 9 in",
            "spring_rate >= 1.5 N/mm", "2 * mount_radius + 1 cm <= 0.5 ft", "sin(30 deg) * spring_rate < 9 lbf/in",
            "spring.max_length * 10 N > 2 N*m", "max(shoulder_peak, 2500 N*mm) < 3"])

    def test_random_conditions_of_texts(self):
        results = self.run_study(EXAMPLES / "charmie24" / "stock.json")
        rows = [row for row in self.cases(results) if row["status"] == "feasible"]
        columns = {name: ends_of(rows, name)
                   for name in ("lift_peak", "lift_spring.row", "anchor_height")}
        texts = {name: sorted({row[name] for row in rows}) for name in ("lift_spring", "lean_spring")}
        page, _ = self.report(results)
        conditions = Conditions(11, columns, texts)
        self.check(results, page, [conditions.condition() for _ in range(trials(200))])

    def test_what_is_refused(self):
        results, page = self.two_link_arm()
        found = self.drive(page, *[("eval", f"counterpoise.where({json.dumps(text)})") for text in REFUSED])
        for text, wrong in zip(REFUSED[1:], found[1:]):
            with self.subTest(text):
                said = self.run_program("rank", results, "--where", text, code=BAD_INPUT).stderr
                place = said.split(" at character ", 1)[1].split(":", 1)[0]
                self.assertTrue(wrong.startswith(f"at character {place}: "), (wrong, said))


if __name__ == "__main__":
    unittest.main()
