#!/usr/bin/env python3
"""Plays the demo of each system, one after the other, each on fresh data in a temporary directory.

    demo.py PROGRAMS [NAME…]             PROGRAMS is the folder of the built programs
    demo.py PROGRAMS --check DOCUMENT    every demo must end well, and be the one of the document in most of its lines
    demo.py PROGRAMS --write DOCUMENT    writes it, from two runs

In the document a word that is not the same in every run, such as a duration, has a ~ before it. --write marks the words in
which its two runs differ, and those that the document has marked already.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SYSTEMS = {
    "reconciler": "a sparse, sharded index of calls that need another look",
    "calls": "timelines, lookups, and new times without a lost or doubled call",
    "orders": "an overloaded table, and an index added to it while writers go on",
    "downloads": "a daily pipeline of encrypted files, claimed and finished exactly once",
    "homeops": "what a chat bot remembers and learns",
}
SECONDS_MAX = 120
HEAD = """# The demo

What `./dev demo` prints: each of the five systems plays its part on fresh data and says what it cost. `systems/demo.py` wrote this
page, and a test compares it with a new run. A word behind a ~ is another one each time.
"""


def play(program, show=None):
    """Runs one demo; returns its lines."""
    with tempfile.TemporaryDirectory(prefix="stator-demo-") as directory:
        process = subprocess.Popen([program, "demo"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, text=True, cwd=directory,
                                   env={**os.environ, "TMPDIR": directory})
        lines = []
        try:
            for line in process.stdout:
                line = line.rstrip().replace(directory, "…")
                if not line and not lines:
                    continue
                lines.append(line)
                if show:
                    show(line)
            status = process.wait(SECONDS_MAX)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    if status != 0:
        sys.exit("\n".join([*lines, f"demo: {program.name} demo ended with status {status}"]))
    return lines


def play_all(programs, names):
    began = time.monotonic()
    for name in names:
        print(f"\n══ {name}: {SYSTEMS[name]} ══\n", flush=True)
        play(programs / name, lambda line: print(line, flush=True))
    print(f"\nAll of it took {time.monotonic() - began:.1f} s.")


def same_word(documented, word):
    return documented == word or documented.startswith("~")


def same_line(documented, line):
    old, new = documented.split(), line.split()
    return len(old) == len(new) and all(map(same_word, old, new))


def marked(line, *others):
    """The line with a ~ before each word that another run, or the document, does not have in its place."""
    pieces = re.split(r"(\s+)", line)
    for other in others:
        words = other.split()
        if len(words) != len(line.split()):
            continue
        index = 0
        for place, piece in enumerate(pieces):
            if not piece.strip():
                continue
            different = words[index] != piece.removeprefix("~")
            if different and (words[index].startswith("~") or other is others[0]) and not piece.startswith("~"):
                pieces[place] = "~" + piece
            index += 1
    return "".join(pieces)


def sections(document):
    """The lines of each system in the document."""
    text = document.read_text(encoding="utf-8") if document.exists() else ""
    found = re.findall(r"^## (\w+)\n.*?^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {name: lines.splitlines() for name, lines in found}


def write(programs, names, document):
    before = sections(document)
    out = HEAD
    for name in names:
        first, second = play(programs / name), play(programs / name)
        if len(first) != len(second):
            sys.exit(f"demo: two runs of {name} have {len(first)} and {len(second)} lines")
        known = before.get(name, [])
        lines = [marked(line, second[i], *(known[i:i + 1] if len(known) == len(first) else []))
                 for i, line in enumerate(first)]
        out += f"\n## {name}\n{SYSTEMS[name].capitalize()}.\n\n```text\n" + "\n".join(lines) + "\n```\n"
    document.write_text(out, encoding="utf-8")


def check(programs, names, document):
    documented = sections(document)
    problems = []
    if sorted(documented) != sorted(names):
        problems.append(f"it has {sorted(documented)}, the programs are {sorted(names)}")
    for name in names:
        wanted, lines = documented.get(name, []), play(programs / name)
        # Threads race and clocks run in a demo: what must agree is how much of it is documented, not every figure.
        same = sum(any(same_line(old, new) for new in lines) for old in wanted)
        if same < len(wanted) // 2:
            problems.append(f"{name}: only {same} of {len(wanted)} documented lines were printed again")
    if problems:
        sys.exit(f"{document} differs from what the demos print; demo.py --write mends it:\n" + "\n".join(problems))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--check", type=Path, metavar="DOCUMENT")
    parser.add_argument("--write", type=Path, metavar="DOCUMENT")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in SYSTEMS:
            parser.error(f"{name} is none of {', '.join(SYSTEMS)}")
    programs = arguments.programs.resolve()
    names = arguments.names or [name for name in SYSTEMS if (programs / name).exists()]
    if arguments.write:
        write(programs, names, arguments.write)
    elif arguments.check:
        check(programs, names, arguments.check)
    else:
        play_all(programs, names)


if __name__ == "__main__":
    main()
