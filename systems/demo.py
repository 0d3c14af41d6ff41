#!/usr/bin/env python3
"""Plays the demo of each system, one after the other, each on fresh data in a temporary directory.

    demo.py PROGRAMS [NAME…]             PROGRAMS is the folder of the built programs
    demo.py PROGRAMS --check DOCUMENT    the account must be that of the document
    demo.py PROGRAMS --write DOCUMENT    writes it, from several runs

In the document, a word that is not the same in every run, such as a duration, has a ~ before it. --write marks the words in
which its runs differ, and those that the document has marked already.
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
    "reconciler": "a sparse index of calls that need another look, until they are mended",
    "calls": "timelines, lookups, and new times without a lost or doubled call",
    "orders": "an overloaded table, and an index added to it while writers go on",
    "downloads": "a daily pipeline of encrypted files, claimed and finished exactly once",
    "homeops": "what a chat bot remembers and learns",
}
SECONDS_MAX = 120
RUNS = 4  # of --write
HEAD = """# The demo

What `./dev demo` prints: each of the five systems plays its part on fresh data and says what it cost. `systems/demo.py` wrote this
page, and a test compares it with a new run. A word after a ~ differs from run to run.
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


def same_line(documented, line):
    """Word for word, but for the marked ones; with another number of words, up to the first mark."""
    old, new = documented.split(), line.split()
    if len(old) != len(new):
        first = next((place for place, word in enumerate(old) if word.startswith("~")), None)
        return first is not None and old[:first] == new[:first]
    return all(word.startswith("~") or word == other for word, other in zip(old, new))


def varying_words(line, runs, known):
    """The places of the words that are not the same in every run, are marked in the document, or count seconds."""
    words = line.split()
    places = {place for place, word in enumerate(words[:-1])
              if re.fullmatch(r"[\d.,]+", word) and words[place + 1] in ("s", "s.", "s,", "ms")}
    for other in (run.split() for run in runs):
        if len(other) == len(words):
            places |= {place for place, word in enumerate(words) if other[place] != word}
        else:
            common = next((place for place, pair in enumerate(zip(words, other)) if pair[0] != pair[1]),
                          min(len(words), len(other)))
            places.add(min(common, len(words) - 1))
    if known is not None and same_line(known, line):
        places |= {place for place, word in enumerate(known.split()[:len(words)]) if word.startswith("~")}
    return places


def marked(line, places):
    """The line with a ~ before the words at these places; its columns stay."""
    pieces, index = re.split(r"(\s+)", line), 0
    for place, piece in enumerate(pieces):
        if piece.strip():
            if index in places:
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
        first, *others = [play(programs / name) for _ in range(RUNS)]
        if any(len(other) != len(first) for other in others):
            sys.exit(f"demo: not all runs of {name} have the same number of lines")
        known = before.get(name, [])
        known = known if len(known) == len(first) else [None] * len(first)
        lines = [marked(line, varying_words(line, [other[i] for other in others], known[i]))
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
        if len(wanted) != len(lines):
            problems.append(f"{name}: {len(wanted)} lines documented, {len(lines)} printed")
        problems += [f"{name}:\n  documented  {old}\n  printed     {new}"
                     for old, new in zip(wanted, lines) if not same_line(old, new)]
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
