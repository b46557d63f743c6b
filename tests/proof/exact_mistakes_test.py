#!/usr/bin/env python3
"""Wrong exact searches: found before anything runs, located, with the way out."""

import dataclasses
import unittest

from wrong_table import RUN, Wrong, WrongTable

GRID = '"sampling": {"method": "grid"}'
SPACE = '"rate": {"range": [100, 2000], "count": 5}'
ONE = '{"name": "peak", "minimize": "max", "of": ["shoulder"]}'
TWO = ONE + ', {"name": "mean", "minimize": "mean", "of": ["shoulder"]}'
RATE = '"rate": {"range": [100, 2000]}'
STOCK = '"part": {"catalogue": "springs.csv", "sets": {"rate": "rate"}}'
RADIUS = '"radius": {"range": [0.05, 0.2]}'
BOTH = '"objectives": ["peak", "mean"]'


def exact(what, rest, pointer, *texts, space=RATE, objectives=ONE, after="",
          method='"exact-springs"', spare='"spare": 50'):
    """`rest`: the search's keys behind its method; `spare`: one more parameter of the model, which
    is the spring's max_load if it is called strongest."""
    search = '"search": {"method": ' + (method + (", " + rest if rest else "")) + "}"
    limit = ', "max_load": "strongest"' if "strongest" in spare else ""
    return Wrong(what, [("study.json", GRID, search + after), ("study.json", SPACE, space),
                        ("study.json", ONE, objectives),
                        ("model.json", '"weight": 2', '"weight": 2, ' + spare),
                        ("model.json", '"free_length": 0.1', '"free_length": 0.1' + limit)],
                 pointer, list(texts), command=RUN)


def front(what, rest, pointer, *texts, **more):
    more.setdefault("objectives", TWO)
    return exact(what, f'"trade_off": {rest}', pointer, *texts, **more)


MISTAKES = [
    exact("a key misspelt", '«"within_percnt": 3', "/search/within_percnt",
          'did you mean "within_percent"?'),
    exact("nothing to keep near the best", '"within_percent": 3', "/search", "needs catalogues"),
    exact("a negative share", '"within_percent": «-3', "/search/within_percent", "found -3",
          "from 0 to 1000", space=STOCK),
    exact("a share that is no number", '"within_percent": «true', "/search/within_percent",
          "found true", space=STOCK),
    exact("no cases", '"within_percent": 5, "max_cases": «0', "/search/max_cases", "found 0",
          space=STOCK),
    exact("cases near nothing", '«"max_cases": 7', "/search/max_cases", '"within_percent"',
          space=STOCK),
    exact("combinations of every geometry", '"within_percent": 5, "max_evaluations": 9', "/search",
          "no geometry to search over", space=STOCK + ", " + RADIUS),
    exact("geometry without a budget", "", "/search", "variable radius", '"max_evaluations"',
          space=RATE + ", " + RADIUS),
    exact("another way to treat geometry", '"geometry": «"search"', "/search/geometry",
          'found "search"', 'expected one of prove', space=RATE + ", " + RADIUS),
    exact("a proof and a search", '«"geometry": "prove", "max_evaluations": 9', "/search/geometry",
          "expected one of them", space=RATE + ", " + RADIUS),
    exact("a proof over nothing", '"geometry": "prove"', "/search", "variables that move mounts"),
    exact("no gap", '"geometry": "prove", "gap": «0', "/search/gap", "from 1e-9 to 1",
          space=RATE + ", " + RADIUS),
    exact("a gap of nothing", '«"gap": 0.1', "/search/gap", '"geometry": "prove"'),
    exact("no simplices", '"geometry": "prove", "max_simplices": «0', "/search/max_simplices",
          "found 0", space=RATE + ", " + RADIUS),
    exact("no memory", '"geometry": "prove", "max_memory": «0', "/search/max_memory",
          "from 1e-6 to 1e6", space=RATE + ", " + RADIUS),
    exact("a proof over what the mechanism weighs", '"geometry": "prove"', "/variables/weight",
          "variable weight sizes a mass", '"max_evaluations"',
          space=RATE + ', «"weight": {"range": [1, 3]}'),
    exact("a proof over mounts and what the mechanism weighs", '"geometry": "prove"', "/variables/weight",
          "variable weight sizes a mass", space=RADIUS + ', «"weight": {"range": [1, 3]}'),
    exact("masses of levels", "", "/variables/weight", "without \"count\"",
          space='«"weight": {"values": [1, 3]}, ' + RATE),
    exact("a mass below nothing", "", "/variables/weight", "the range of weight ends at -1, where",
          space='«"weight": {"range": [-1, 3]}'),
    exact("a budget for masses alone", '"max_evaluations": 9', "/search", "nothing to search",
          space='"weight": {"range": [1, 3]}'),
    exact("a product of a load and a mass", "", "/objectives/0/expression", "not convex",
          space='"weight": {"range": [1, 3]}',
          objectives='{"name": "peak", "expression": "shoulder.max * weight"}'),
    exact("a mass that has to be large in a square", "", "/objectives/0/expression", "not convex",
          space='"weight": {"range": [1, 3]}',
          objectives='{"name": "peak", "expression": "shoulder.max + weight^2"}'),
    exact("a proof over too many springs", '"geometry": "prove"', "/variables/rate",
          "10001 combinations of springs", '"algorithm"',
          space='«"rate": {"range": [100, 900], "count": 10001}, ' + RADIUS),
    exact("a budget without geometry", '"max_evaluations": 9', "/search", "nothing to search"),
    exact("no evaluations", '"max_evaluations": «0', "/search/max_evaluations", "found 0",
          space=RATE + ", " + RADIUS),
    *(exact(f"{key} without geometry", f'«"{key}": {value}', f"/search/{key}",
            "search over geometry", '"max_evaluations"')
      for key, value in (("algorithm", '"LN_SBPLX"'), ("starts", 2), ("seed", 3),
                         ("settings", "{}"))),
    exact("an algorithm misspelt", '"max_evaluations": 9, "algorithm": «"LN_SBLX"',
          "/search/algorithm", "LN_SBPLX", space=RATE + ", " + RADIUS),
    exact("a population of none", '"max_evaluations": 9, "settings": {"population": «0}',
          "/search/settings/population", "found 0", space=RATE + ", " + RADIUS),
    exact("a variable that nothing reads", "", "/variables/slack",
          "variable slack has no effect on the mechanism", "remove it",
          space=RATE + ', «"slack": {"range": [0.1, 0.2]}', spare='"slack": 0.1'),
    exact("a variable that nothing reads, of levels", "", "/variables/slack",
          "variable slack has no effect on the mechanism",
          space=RATE + ', «"slack": {"values": [0.1, 0.2]}', spare='"slack": 0.1'),
    exact("a limit to size", "", "/variables/strongest",
          "variable strongest is a limit, max_load of spring spring", "max_evaluations",
          space=RATE + ', «"strongest": {"range": [10, 20]}', spare='"strongest": 50'),
    exact("no spring to size", '"max_evaluations": 9', "/search",
          "no variable enters springs' laws alone", space=RADIUS),
    exact("geometry of levels", '"max_evaluations": 9', "/variables/radius", "without \"count\"",
          space=RATE + ', «"radius": {"values": [0.05, 0.2]}'),
    exact("a motion variable", "", "/variables/which", "runs all motions",
          space=RATE + ', «"which": {"motion": ["swing"]}'),
    exact("a product of loads", "", "/objectives/0/expression", "not convex",
          objectives='{"name": "peak", "expression": "shoulder.max * shoulder.mean"}'),
    exact("the negative of a load", "", "/objectives/0/expression", "not convex",
          objectives='{"name": "peak", "expression": "-shoulder.max"}'),
    exact("the negative of a load to settle ties", "", "/objectives/1/expression", "not convex",
          objectives=ONE + ', {"name": "other", "expression": "1 - shoulder.mean"}'),
    exact("a load that has to be large", "", "/constraints/0/expression", "not convex",
          'a "min" of a load', "lower limit", "nlopt",
          after=', "constraints": [{"name": "c", "expression": "shoulder.max", "min": 2}]'),
    front("one objective", '{"objectives": «["peak"]}', "/search/trade_off/objectives",
          "two or three objectives"),
    front("an objective twice", '{"objectives": ["peak", «"peak"]}',
          "/search/trade_off/objectives/1", "twice"),
    front("an objective misspelt", '{"objectives": ["peak", «"maen"]}',
          "/search/trade_off/objectives/1", 'did you mean "mean"?'),
    front("no objectives", '«{"points": 4}', "/search/trade_off", '"objectives"'),
    front("a front of one point", "{" + BOTH + ', "points": «1}', "/search/trade_off/points",
          "found 1", "a whole number from 2 to 10000"),
    front("a front of too many points", "{" + BOTH + ', "points": «1e9}',
          "/search/trade_off/points", "from 2 to 10000"),
    front("a key of a front misspelt", "{" + BOTH + ', «"point": 4}', "/search/trade_off/point",
          'did you mean "points"?'),
    front("a front that is a list", '«["peak", "mean"]', "/search/trade_off", "a trade-off"),
    front("a front from catalogues", "{" + BOTH + "}", "/search", "rank --pareto", space=STOCK),
    front("a front and near the best", "«{" + BOTH + '}, "within_percent": 5',
          "/search/trade_off", '"within_percent" does not go with it', space=STOCK),
    *(exact(f"{key} of NLopt", f'«"{key}": {value}', f"/search/{key}", "exact-springs",
            method='"nlopt", "algorithm": "LN_SBPLX"')
      for key, value in (("within_percent", 5), ("max_cases", 5),
                         ("trade_off", "{" + BOTH + "}"))),
]


class Mistakes(WrongTable):
    def test_mistakes(self):
        self.check_all(MISTAKES)

    def test_a_front_in_shards(self):
        wrong = front("shards", "{" + BOTH + "}", "/search", "shards")
        self.check(dataclasses.replace(wrong, command=(*RUN, "--shard", "1/2")))

    def test_check_finds_them_too(self):
        self.check_all([dataclasses.replace(wrong, command=("check", "study.json"))
                        for wrong in MISTAKES])


if __name__ == "__main__":
    unittest.main()
