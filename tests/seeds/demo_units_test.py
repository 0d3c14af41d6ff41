#!/usr/bin/env python3
"""The units that docs/demo.md shows are those that the models say.

demo_units.json names lines of the demo, by a part of their text, and what the model of the system makes of them:
wru('create') is the price of one run of a pattern in `stator cost`; where not every run is alike, the least and the most. The
demo itself measures; its own test keeps the page equal to a run. A line that is gone or has other units fails here.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATOR = os.environ.get("STATOR_PROGRAM", str(ROOT / "build/release/stator"))
NUMBER = r"([\d,]+(?:\.\d+)?)"
UNITS = {"read": rf"{NUMBER} (?:RRU|read units)", "write": rf"{NUMBER} (?:WRU|write units)"}


def sections():
    """The lines of each system in the demo."""
    text = (ROOT / "docs/demo.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (\w+)\n.*?^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {name: lines.splitlines() for name, lines in found}


def prices(system):
    """What one run of each pattern takes, as (RRU, WRU)."""
    run = subprocess.run([STATOR, "cost", "--json", str(ROOT / "systems" / system / "model.yaml")], capture_output=True,
                         text=True, timeout=60, check=True)
    return {one["pattern"]: (one["rru"], one["wru"]) for one in json.loads(run.stdout)["patterns"]}


def shown(kind, line):
    """The units of a line; of homeops' table, the column of classified messages."""
    found = re.search(UNITS[kind], line)
    if found:
        return float(found.group(1).replace(",", ""))
    pairs = re.findall(rf"{NUMBER} \+ {NUMBER}", line)
    return float(pairs[1][0 if kind == "read" else 1]) if len(pairs) > 1 else None


def expected(entry, kind):
    """The least and the most that the model says, as expressions; None: nothing of this kind."""
    if kind in entry:
        return entry[kind], entry[kind]
    return entry.get(f"{kind}_between")


def compare(system, entry, lines, priced):
    known = {"rru": lambda name: priced[name][0], "wru": lambda name: priced[name][1]}
    matching = [line for line in lines if entry["line"] in line]
    if len(matching) != 1:
        return [f"{system}: `{entry['line']}` is in {len(matching)} lines of docs/demo.md, not in one"]
    wrong = []
    for kind in ("read", "write"):
        bounds = expected(entry, kind)
        if bounds is None:
            continue
        least, most = (eval(one, {"__builtins__": {}}, known) for one in bounds)  # expressions of this repository
        units = shown(kind, matching[0])
        if units is None or not least - 1e-6 <= units <= most + 1e-6:
            wrong.append(f"{system}: `{matching[0].strip()}` shows {units} {kind} units; "
                         f"{' to '.join(dict.fromkeys(bounds))} is {least:g} to {most:g}")
    return wrong


def main():
    demo, wrong, count = sections(), [], 0
    for system, entries in json.loads((ROOT / "tests/seeds/demo_units.json").read_text(encoding="utf-8")).items():
        priced = prices(system)
        for entry in entries:
            count += 1
            wrong += compare(system, entry, demo.get(system, []), priced)
    print("\n".join(wrong) or f"{count} lines of docs/demo.md have the units of the models")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
