#!/usr/bin/env python3
"""Closed chains that cannot close, are singular or jump: the table of docs/mechanisms/CLOSED_CHAINS.md holds
what the user is told, word by word."""

import pathlib
import re
import unittest

from closed_chain_models import all_chains
from program import BAD_INPUT, ScratchFolder

DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs" / "mechanisms" / "CLOSED_CHAINS.md"
ROW = re.compile(r"^\| \*\*(?P<name>[^*]+)\*\*.*\| (?P<code>\d) \| `(?P<message>[^`]+)` \|$", re.M)
PLACE = re.compile(r"^model\.json:\d+:\d+: ")
# what rounding leaves of zero differs from processor to processor
RESIDUE = re.compile(r"value \d\.?\d*e-(?:0[7-9]|1\d)")
NUMBER = re.compile(r"(?:by|value) ([-+.e\d]+)")


def told():
    """Name, exit code and message of each row of the table."""
    rows = [(m["name"], int(m["code"]), m["message"]) for m in ROW.finditer(DOCS.read_text())]
    return {name: (code, message) for name, code, message in rows}, len(rows)


class ClosedChains(ScratchFolder):
    def said(self, chain):
        """The program's message, without the place in a wrong file, which must be there."""
        self.write("model.json", chain.model)
        command = ("check", "model.json")
        if chain.motion is not None:
            self.write("motion.json", chain.motion)
            command = ("simulate", "model.json", "--motion", "motion.json", "-o", "loads.csv")
        result = self.run_program(*command, code=chain.code)
        self.assertEqual(result.stdout, "")
        self.assertFalse((self.folder / "loads.csv").exists())
        message = RESIDUE.sub("value 0", result.stderr.removesuffix("\n"))
        if chain.code != BAD_INPUT:
            return message
        self.assertRegex(message, PLACE)
        return PLACE.sub("", message)

    def test_the_table_is_what_the_program_says(self):
        table, rows = told()
        chains = all_chains()
        self.assertEqual(list(table), list(chains))
        self.assertEqual(rows, len(chains))
        for name, chain in chains.items():
            with self.subTest(name):
                self.assertEqual((chain.code, self.said(chain)), table[name])

    def test_numbers_in_messages_are_those_of_the_geometry(self):
        for name, chain in all_chains().items():
            if chain.number is None:
                continue
            with self.subTest(name):
                found = NUMBER.search(self.said(chain))
                # six digits are printed
                self.assertAlmostEqual(float(found[1]), chain.number,
                                       delta=1e-5 * abs(chain.number) + 1e-15)


if __name__ == "__main__":
    unittest.main()
