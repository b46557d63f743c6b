"""Writes the texts that Debian asks of a package: texts.py SOURCE FOLDER VERSION MAINTAINER writes
FOLDER/copyright, with the licences of what is bundled into the pages of the program, and
FOLDER/changelog.Debian.gz. The date is that of SOURCE_DATE_EPOCH (s since 1970), or today's."""

import email.utils
import gzip
import json
import os
import pathlib
import sys
import time


def indented(text):
    """As the lines of a field of a control file."""
    return "".join(f" {line.strip() or '.'}\n" for line in text.strip().splitlines())


def bundled(report):
    """(name, identifier of the licence, its text) of each npm package in the pages."""
    lock = json.loads((report / "package-lock.json").read_text(encoding="utf-8"))
    for path, package in sorted(lock["packages"].items()):
        if not path or package.get("dev"):
            continue
        texts = sorted((report / path).glob("LICEN[CS]E*"))
        if not texts:
            raise SystemExit(f"{report / path}: no file LICENSE, which the package has to quote")
        yield (path.removeprefix("node_modules/"), package["license"],
               texts[0].read_text(encoding="utf-8"))


def copyright_file(source):
    text = ("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
            "Upstream-Name: Counterpoise\n\n")
    parts = [("*", "Expat", (source / "LICENSE").read_text(encoding="utf-8"))]
    for name, licence, words in bundled(source / "report"):
        parts.append((f"report/node_modules/{name}/*", "Expat" if licence == "MIT" else licence, words))
    for files, licence, words in parts:
        holders = [line.strip() for line in words.splitlines()
                   if line.strip().lower().startswith("copyright")]
        if not holders:
            raise SystemExit(f"{files}: the licence names no holder")
        text += f"Files: {files}\nCopyright:\n{indented(chr(10).join(holders))}"
        text += f"License: {licence}\n{indented(words)}\n"
    return text


def changelog(version, maintainer):
    date = email.utils.formatdate(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    return (f"counterpoise ({version}) unstable; urgency=medium\n\n"
            "  * What changed for users is in changelog.gz.\n\n"
            f" -- {maintainer}  {date.replace('-0000', '+0000')}\n")


def main():
    source, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "copyright").write_text(copyright_file(source), encoding="utf-8")
    packed = gzip.compress(changelog(*sys.argv[3:5]).encode(), mtime=0)
    (folder / "changelog.Debian.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
