"""python3 cmake/manual PROGRAM FOLDER [VARIANT...]: reads the program's --help and that of each
command, and writes from it completions for bash (counterpoise.bash) and zsh (_counterpoise), and man
pages (counterpoise.1 and counterpoise-<command>.1), into FOLDER. The page of a program that chooses
among variants where it runs says how to name one."""

import datetime
import os
import pathlib
import sys

from completions import bash_completion, zsh_completion
from help_text import NAME, ask, read_help
from man_pages import man_page


def today():
    """SOURCE_DATE_EPOCH makes a build say the same again."""
    now = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    return datetime.datetime.fromtimestamp(now, datetime.timezone.utc).strftime("%Y-%m-%d")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, folder, *variants = sys.argv[1:]
    program = read_help(path)
    commands = [read_help(path, entry.names[0]) for entry in program.entries]
    version = ask(path, "--version").strip()
    files = {f"{NAME}.bash": bash_completion(program, commands),
             f"_{NAME}": zsh_completion(program, commands)}
    for help_ in [program, *commands]:
        files[f"{help_.page}.1"] = man_page(help_, commands, variants, version, today())
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
