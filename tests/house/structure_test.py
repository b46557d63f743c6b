#!/usr/bin/env python3
"""structure.py notices what it is there for, in small wrong houses made for the purpose."""

import pathlib
import tempfile
import unittest

import structure

LIBRARIES = {
    "engine": "counterpoise_library(engine\n  math/pack.cpp)\n"
              "target_link_libraries(counterpoise_engine PUBLIC Eigen3::Eigen)\n",
    "results": "counterpoise_library(results\n  store.cpp\n  rows/rows.cpp)\n"
               "target_link_libraries(counterpoise_results PRIVATE SQLite::SQLite3)\n",
    "input": "counterpoise_library(text\n  text/csv.cpp\n  text/json.cpp)\n"
             "counterpoise_library(input\n  reading/read.cpp)\n"
             "target_link_libraries(counterpoise_input\n"
             "  PUBLIC counterpoise::engine counterpoise::text  # not counterpoise::results\n"
             "  PRIVATE fmt::fmt)\n",
    "studies": "counterpoise_library(studies\n  run.cpp)\n"
               "target_link_libraries(counterpoise_studies\n"
               "  PUBLIC counterpoise::input counterpoise::results)\n",
    "cli": "counterpoise_library(commands\n  rank.cpp)\n"
           "target_link_libraries(counterpoise_commands PUBLIC counterpoise::studies)\n",
}


class WrongHouses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in LIBRARIES.items():
            self.write(f"{name}/CMakeLists.txt", text)
        self.write("engine/math/pack.hpp", "#include <array>\n#include <Eigen/Core>\n")
        self.write("results/store.hpp", "#include <sqlite3.h>\n")
        self.write("input/text/csv.hpp", "")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def found(self):
        return list(structure.findings(self.root))

    def check(self, *expected):
        found = self.found()
        self.assertEqual(len(found), len(expected), found)
        for text, part in zip(found, expected):
            self.assertIn(part, text)

    def test_a_right_house_has_no_findings(self):
        self.check()

    def test_what_a_target_links_may_be_included(self):
        self.write("studies/run.hpp", '#include "results/store.hpp"\n#include "input/text/csv.hpp"\n'
                                      '#include "engine/math/pack.hpp"\n#include <sqlite3.h>\n')
        self.check()

    def test_what_no_target_links_may_not(self):
        self.write("input/reading/read.hpp", '#include "results/store.hpp"\n')
        self.check("input/reading/read.hpp:1: includes results/store.hpp, but input links no library")

    def test_libraries_of_one_room(self):
        self.write("input/reading/read.hpp", '#include "input/text/csv.hpp"\n')
        self.check()
        self.write("input/text/csv.hpp", '#include "input/reading/write.hpp"\n')
        self.write("input/reading/write.hpp", "")
        self.check("input/text/csv.hpp:1: includes input/reading/write.hpp, but text links no",
                   "cycle: input/reading -> input/text")

    def test_nobody_includes_the_command_line(self):
        self.write("cli/run.hpp", "")
        self.write("studies/a.hpp", '#include "cli/run.hpp"\n')
        self.check("studies/a.hpp:1: includes cli/run.hpp, but studies links")

    def test_three_libraries_stay_apart_whatever_they_link(self):
        self.write("results/CMakeLists.txt", LIBRARIES["results"].replace(
            "PRIVATE", "PUBLIC counterpoise::engine PRIVATE"))
        self.write("results/b.hpp", '#include "engine/math/pack.hpp"\n')
        self.check("results/b.hpp:1: includes engine/math/pack.hpp")

    def test_one_header_is_shared(self):
        self.write("optimizer/CMakeLists.txt", "counterpoise_library(optimizer\n  search.cpp)\n")
        self.write("optimizer/search.hpp", "")
        self.write("optimizer/sampling/random_bits.hpp", "")
        self.write("results/rows/rows.hpp", '#include "optimizer/sampling/random_bits.hpp"\n')
        self.check()
        self.write("results/rows/rows.hpp", '#include "optimizer/search.hpp"\n')
        self.check("results/rows/rows.hpp:1: includes optimizer/search.hpp")

    def test_packages_are_linked_by_who_includes_them(self):
        for path, header in [("engine/math/m.hpp", "nlohmann/json.hpp"),
                             ("input/text/read.hpp", "tbb/parallel_for.h"),
                             ("input/text/save.hpp", "sqlite3.h"),
                             ("cli/search.hpp", "nlopt.hpp"),
                             ("results/rows/hash.hpp", "xxhash.h")]:
            with self.subTest(path=path):
                self.write(path, f"#include <{header}>\n")
                self.check(f"{path}:1: includes {header}, but")
                (self.root / path).unlink()

    def test_cycles_of_folders_at_any_depth(self):
        self.write("studies/a/one.hpp", '#include "studies/b/deep/two.hpp"\n')
        self.write("studies/b/deep/two.hpp", "")
        self.write("studies/b/three.hpp", '#include "studies/c/four.hpp"\n')
        self.write("studies/c/four.hpp", "")
        self.check()
        self.write("studies/c/four.hpp", '#include "studies/a/one.hpp"\n')
        self.check("cycle: studies/a -> studies/b (studies/a/one.hpp), "
                   "studies/b -> studies/c (studies/b/three.hpp), "
                   "studies/c -> studies/a (studies/c/four.hpp)")

    def test_cycles_between_a_folder_and_its_own(self):
        self.write("results/top.hpp", '#include "results/rows/row.hpp"\n')
        self.write("results/rows/row.hpp", '#include "results/store.hpp"\n')
        self.check("cycle: results -> results/rows")

    def test_one_file_prints(self):
        self.write("cli/output/streams.cpp", "std::fwrite(text, 1, size, stdout);\n")
        self.write("cli/CMakeLists.txt", LIBRARIES["cli"].replace("rank", "output/streams.cpp rank"))
        self.write("cli/rank.cpp", 'fmt::print("{}", name);\n// to stdout\n')
        self.write("studies/run.hpp", "std::cerr << name;\n")
        self.write("tests/a.hpp", "std::cout << name;\n")
        self.check("cli/rank.cpp:1: prints", "studies/run.hpp:1: prints")

    def test_quoted_includes_start_at_the_root(self):
        self.write("engine/math/rotation.hpp", '#include "pack.hpp"\n')
        self.check("no file pack.hpp", "includes pack.hpp, but engine links no")

    def test_long_files_full_folders_and_markers(self):
        self.write("cli/long.hpp", "\n" * 601)
        for number in range(31):
            self.write(f"docs/page{number}.txt", "")
        self.write("results/late.hpp", "// " + "TO" + "DO: later\n")
        self.check("cli/long.hpp: 601 lines", "docs/: 31 entries", "results/late.hpp:1: a marker")

    def test_tests_that_look_at_a_clock(self):
        self.write("tests/CMakeLists.txt", "counterpoise_test(a SOURCES a.cpp)\n")
        self.write("tests/a.cpp", "std::this_thread::sleep_for(std::chrono::seconds(1));\n")
        self.write("tests/b.py", "process.wait()\ntime.sleep(0.1)\n")
        self.write("bench/c.py", "time.sleep(0.1)\n")
        self.check("tests/a.cpp:1: a test that looks at a clock",
                   "tests/b.py:2: a test that looks at a clock")

    def test_forgotten_sources(self):
        self.write("tests/a.cpp", "")
        self.write("tests/b.cpp", "")
        self.write("tests/CMakeLists.txt", "counterpoise_test(b SOURCES b.cpp)\n")
        self.check("tests/a.cpp: no CMakeLists.txt names")


if __name__ == "__main__":
    unittest.main()
