#!/usr/bin/env python3
"""What the program says of itself follows the commit, and nothing is compiled for one that stays.
build_info_test.py CMAKE SOURCE: runs cmake/build_info.cmake in small repositories."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE = sys.argv[1:3]


@unittest.skipUnless(shutil.which("git"), "there is no git")
class BuildInfo(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=".")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve() / "project"
        self.root.mkdir()
        self.output = self.root.parent / "build_info.cpp"
        (self.root / "file").write_text("1\n")

    def git(self, *arguments, folder=None):
        return subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *arguments],
                              cwd=folder or self.root, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, folder=None):
        self.git("add", ".", folder=folder)
        self.git("commit", "-q", "--allow-empty", "-m", "x", folder=folder)
        return self.git("rev-parse", "HEAD", folder=folder)

    def made(self, git=shutil.which("git")):
        subprocess.run([CMAKE, f"-DGIT={git}", f"-DSOURCE={self.root}", "-DVERSION=1.2.3",
                        "-DCOMPILER=Some 4.5", "-DFLAGS=-O3 \"-Dx=y\"",
                        f"-DINPUT={SOURCE}/cmake/build_info.cpp.in", f"-DOUTPUT={self.output}",
                        "-P", f"{SOURCE}/cmake/build_info.cmake"], check=True)
        return self.output.read_text()

    def test_it_follows_the_commit_and_is_written_only_where_that_moves(self):
        self.git("init", "-q")
        first = self.commit()
        text = self.made()
        for word in (f'"{first}"', '"1.2.3"', '"Some 4.5"', 'R"(-O3 "-Dx=y")"'):
            self.assertIn(word, text)
        os.utime(self.output, (1, 1))
        self.made()
        self.assertEqual(self.output.stat().st_mtime, 1)
        (self.root / "file").write_text("2\n")
        self.assertIn(f'"{first}-dirty"', self.made())
        second = self.commit()
        self.git("tag", "v1")
        self.assertNotEqual(first, second)
        self.assertIn(f'"{second}"', self.made())

    def test_outside_git_the_commit_is_unknown(self):
        self.assertIn('"unknown"', self.made())
        self.git("init", "-q", folder=self.root.parent)
        self.commit(folder=self.root.parent)
        self.assertIn('"unknown"', self.made())
        self.assertIn('"unknown"', self.made(git=""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
