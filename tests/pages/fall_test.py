#!/usr/bin/env python3
"""The page of a fall: its table of impacts has the numbers of `forward --events`."""

import csv
import io
import unittest

from page_tests import Pages
from program import CHARMIE, EXAMPLES, TWO_LINK_ARM

ROWS = "[...document.querySelectorAll('.events tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
FALLS = ((TWO_LINK_ARM, "model.json", "power_loss.json"), (CHARMIE, "model.json", "power_off_scenario.json"),
         (EXAMPLES / "impact_tree", "model.json", "scenario.json"))
CLEARED = ("energy_lost", "normal_velocity_after")  # shown as 0 where they are rounding


class Falls(Pages):
    def test_the_table_of_impacts(self):
        for folder, model, scenario in FALLS:
            with self.subTest(folder.name):
                page, _ = self.view(folder / model, "--scenario", folder / scenario)
                self.run_program("forward", folder / model, "--scenario", folder / scenario, "--events", "events.csv", "-o", "fall.csv")
                events = self.read_csv("events.csv")
                summary = self.run_json("forward", folder / model, "--scenario", folder / scenario, "--json")
                rows, counts, saved, time = self.drive(
                    page, ("eval", ROWS), ("eval", "document.querySelector('.falls .counts').innerText"),
                    ("download", ".falls button[title='save impacts as CSV']"),
                    ("eval", "(document.querySelector('.events tbody tr:last-child button').click(), counterpoise.time)"))
                self.assertTrue(events)
                self.assertEqual(len(rows), min(len(events), 200))
                self.assertIn(f"events {len(events)}", " ".join(counts.split()))
                self.assertIn("energy lost in impacts", counts)
                self.assertEqual("not settled" in counts, summary["settled"] is None)
                table = list(csv.DictReader(io.StringIO(saved["text"])))
                self.assertEqual(len(table), len(events))
                for row, event in zip(table, events):
                    self.assertEqual([row["kind"], row["contact"], row["point"]], [event["kind"], event["contact"], event["point"]])
                    for name, own in (("time [s]", "t"), ("impulse", "impulse"), ("energy lost [J]", "energy_lost"),
                                      ("speed before", "normal_velocity_before"), ("speed after", "normal_velocity_after")):
                        shown, computed = float(row[name]), float(event[own])
                        if shown == 0.0 and own in CLEARED:  # beside speeds of 1 m/s, energies of 10 J
                            self.assertLess(abs(computed), 1e-11)
                        else:
                            self.assertEqual(shown, computed)
                    if event["point"]:
                        self.assertEqual(row["body"], event["point"].rsplit(".", 1)[0])
                last = float(events[min(len(events), 200) - 1]["t"])
                self.assertLessEqual(abs(time - last), 0.05)

    def test_a_motion_has_no_such_table(self):
        page, _ = self.view(TWO_LINK_ARM / "model.json", "--motion", TWO_LINK_ARM / "motion.json")
        self.assertIsNone(self.drive(page, ("eval", "document.querySelector('.falls')"))[0])


if __name__ == "__main__":
    unittest.main()
