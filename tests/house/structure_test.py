#!/usr/bin/env python3
"""structure.py notices what it is there for, in small wrong houses made for the purpose."""

import pathlib
import tempfile
import unittest

import structure


class WrongHouses(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in structure.README_FOLDERS:
            self.write(f"{name}/README.md", "")
        self.write("engine/math/pack.hpp", "#include <array>\n#include <Eigen/Core>\n")
        self.write("results/store.hpp", "#include <sqlite3.h>\n")

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

    def test_arrows_between_the_libraries(self):
        self.write("engine/motion/a.hpp", '#include "results/store.hpp"\n')
        self.write("results/b.hpp", '#include "engine/math/pack.hpp"\n')
        self.check("engine/motion may not include results/store.hpp",
                   "results may not include engine/math/pack.hpp",
                   "cycle: engine -> results")

    def test_arrows_inside_the_engine(self):
        self.write("engine/dynamics/up.hpp", '#include "engine/evaluation/e.hpp"\n')
        self.write("engine/evaluation/e.hpp", '#include "engine/math/pack.hpp"\n')
        self.write("engine/math/up.hpp", '#include "engine/evaluation/e.hpp"\n')
        self.check("engine/dynamics may not include", "engine/math may not include",
                   "cycle: engine/evaluation -> engine/math")

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

    def test_folders_with_one_header_for_others(self):
        self.write("studies/exact/exact.hpp", '#include "studies/exact/proof.hpp"\n')
        self.write("studies/exact/proof.hpp", "")
        self.write("studies/run.hpp", '#include "studies/exact/exact.hpp"\n')
        self.check()
        self.write("cli/a.hpp", '#include "studies/exact/proof.hpp"\n')
        self.check("only studies/exact/exact.hpp is for other folders")

    def test_one_file_prints(self):
        self.write("cli/output/streams.cpp", "std::fwrite(text, 1, size, stdout);\n")
        self.write("cli/CMakeLists.txt", "output/streams.cpp rank.cpp\n")
        self.write("cli/rank.cpp", 'fmt::print("{}", name);\n// to stdout\n')
        self.write("studies/run.hpp", "std::cerr << name;\n")
        self.write("tests/a.hpp", "std::cout << name;\n")
        self.check("cli/rank.cpp:1: prints", "studies/run.hpp:1: prints")

    def test_nobody_includes_the_command_line(self):
        self.write("cli/run.hpp", "")
        self.write("studies/a.hpp", '#include "cli/run.hpp"\n')
        self.check("studies may not include cli/run.hpp")

    def test_packages_stay_where_they_belong(self):
        for path, header in [("engine/motion/m.hpp", "nlohmann/json.hpp"),
                             ("studies/runner.hpp", "nlohmann/json.hpp"),
                             ("results/store.hpp", "nlohmann/json.hpp"),
                             ("studies/text/read.hpp", "tbb/parallel_for.h"),
                             ("cli/main.hpp", "tbb/parallel_for.h"),
                             ("studies/search.hpp", "nlopt.hpp"),
                             ("studies/save.hpp", "sqlite3.h"),
                             ("studies/stored/rows.hpp", "xxhash.h"),
                             ("optimizer/search/search.hpp", "sqlite3.h")]:
            with self.subTest(path=path):
                self.write(path, f"#include <{header}>\n")
                self.check(f"may not include {header}")
                (self.root / path).unlink()

    def test_quoted_includes_start_at_the_root(self):
        self.write("engine/math/rotation.hpp", '#include "pack.hpp"\n')
        self.check("engine/math may not include pack.hpp", "no file pack.hpp")

    def test_long_files_full_folders_and_markers(self):
        self.write("cli/long.hpp", "\n" * 321)
        for number in range(21):
            self.write(f"docs/page{number}.txt", "")
        self.write("results/late.hpp", "// " + "TO" + "DO: later\n")
        self.check("cli/long.hpp: 321 lines", "docs/: 21 entries", "results/late.hpp:1: a marker")

    def test_tests_that_look_at_a_clock(self):
        self.write("tests/CMakeLists.txt", "counterpoise_test(a SOURCES a.cpp)\n")
        self.write("tests/a.cpp", "std::this_thread::sleep_for(std::chrono::seconds(1));\n")
        self.write("tests/b.py", "process.wait()\ntime.sleep(0.1)\n")
        self.write("bench/c.py", "time.sleep(0.1)\n")
        self.check("tests/a.cpp:1: a test that looks at a clock",
                   "tests/b.py:2: a test that looks at a clock")

    def test_forgotten_sources_and_pages(self):
        self.write("tests/a.cpp", "")
        self.write("tests/b.cpp", "")
        self.write("tests/CMakeLists.txt", "counterpoise_test(b SOURCES b.cpp)\n")
        (self.root / "cli/README.md").unlink()
        self.check("tests/a.cpp: no CMakeLists.txt names", "cli/: no README.md")


if __name__ == "__main__":
    unittest.main()
