#!/usr/bin/env python3
"""The units that docs/demo.md shows are those that the models say.

demo_units.json has an entry for every line of the demo that shows units, named by a part of its text, and in it an
expression for each number of units, in their order. The expressions are over the prices of `stator cost`:

    wru('create'), rru('timeline')    one run of a pattern
    rru('timeline', page=3)           of the pattern with another field, here because the page had three calls
    wru('record', given='ok')         of the model as `given` of the system changes it, which says why
    answered                          a number that another line shows: `counts` names the line and the place among its numbers
    learn_writes                      another expression, of `terms`
    n[0]                              the first number of the line itself that is no unit
    above                             what the entries of the lines above come to

An expression that is a word of `reasons` is a number that no model can say. A line with units and without an entry fails, and so
does one whose units differ from run to run. The demo itself measures; its own test keeps the page equal to a run.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATOR = os.environ.get("STATOR_PROGRAM", str(ROOT / "build/release/stator"))
NUMBER = r"~?\d[\d,]*(?:\.\d+)?"
KINDS = {"RRU": "read", "read units": "read", "WRU": "write", "write units": "write"}
UNITS = re.compile(rf"({NUMBER}) ({'|'.join(KINDS)})\b")
PAIR = re.compile(rf"(?<![\w.])((?:\d+-)?{NUMBER}) \+ ({NUMBER})(?![\w.])")  # RRU + WRU


class Model:
    """The prices of a system's model, also as it would be with something changed."""

    def __init__(self, system, given):
        self.text = (ROOT / "systems" / system / "model.yaml").read_text(encoding="utf-8")
        self.given = given
        self.known = {}

    def price(self, kind, pattern, given=None, **fields):
        text = self.text
        for old, new in (self.given[given]["change"] if given else {}).items():
            assert text.count(old) == 1, f"`{old}` is {text.count(old)} times in the model"
            text = text.replace(old, new)
        for field, value in fields.items():
            text = with_field(text, pattern, field, value)
        if text not in self.known:
            self.known[text] = prices(text)
        return self.known[text][pattern][kind]


def with_field(text, pattern, field, value):
    """The model with a field of a pattern added or replaced; patterns are flow or block maps."""
    found = re.search(rf"^  {pattern}:(?: *(\{{.*\}})|\n((?:    .*\n)+))", text, re.MULTILINE)
    assert found, f"the model has no pattern {pattern}"
    flow, block = found.groups()
    if flow is not None:
        body = re.sub(rf"\b{field}: [^,}}]+,? ?", "", flow)
        return text[:found.start(1)] + f"{{{field}: {value}, " + body[1:] + text[found.end(1):]
    body = re.sub(rf"^    {field}: .*\n", "", block, flags=re.MULTILINE)
    return text[:found.start(2)] + f"    {field}: {value}\n" + body + text[found.end(2):]


def prices(text):
    """What one run of each pattern takes, as {"read": RRU, "write": WRU}."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        run = subprocess.run([STATOR, "cost", "--json", file.name], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return {one["pattern"]: {"read": one["rru"], "write": one["wru"]} for one in json.loads(run.stdout)["patterns"]}


def value(text):
    return float(text.replace(",", "").lstrip("~"))


def sections():
    """The lines of each system in the demo."""
    text = (ROOT / "docs/demo.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (\w+)\n.*?^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {name: lines.splitlines() for name, lines in found}


def units_of(line, columns):
    """The units of a line, as (kind, text) in their order, and what is left of it. In a table, `columns` says what its cells are."""
    cells = re.split(r" {2,}", line.strip())
    if columns and len(cells) == len(columns):
        found = [(KINDS[name], cell) for name, cell in zip(columns, cells) if name in KINDS]
        return found, " ".join(cell for name, cell in zip(columns, cells) if name not in KINDS)
    places = [(one.start(), KINDS[one.group(2)], one.group(1)) for one in UNITS.finditer(line)]
    for one in PAIR.finditer(line):
        places += [(one.start(1), "read", one.group(1)), (one.start(2), "write", one.group(2))]
    return [place[1:] for place in sorted(places)], PAIR.sub("", UNITS.sub("", line))


def lines_with_units(lines):
    columns = None
    for line in lines:
        cells = re.split(r" {2,}", line.strip())
        if not line or "read units" in cells:
            columns = cells if line else None
            continue
        units, rest = units_of(line, columns)
        if units and not set(line) <= set("- "):
            yield line, units, [value(one) for one in re.findall(rf"(?<![\w.-]){NUMBER}(?![\w-])", rest)]


class System:
    """The entries of one system, compared with its lines."""

    def __init__(self, name, entries, lines, reasons):
        self.name, self.lines, self.reasons = name, lines, reasons
        self.entries = entries["lines"]
        model = Model(name, entries.get("given", {}))
        self.names = {"__builtins__": {}, "sum": sum, "range": range,
                      "rru": lambda pattern, **how: model.price("read", pattern, **how),
                      "wru": lambda pattern, **how: model.price("write", pattern, **how)}
        for count, (text, place) in entries.get("counts", {}).items():
            line = next(line for line in lines if text in line)
            self.names[count] = value(re.findall(rf"(?<![\w.-]){NUMBER}", line)[place])
        for term, expression in entries.get("terms", {}).items():
            self.names[term] = eval(expression, self.names)
        self.above = {"read": 0.0, "write": 0.0}
        self.exact = self.reasoned = 0
        self.wrong = []

    def compare(self):
        used = []
        for line, units, counts in lines_with_units(self.lines):
            matching = [entry for entry in self.entries if entry["line"] in line]
            if len(matching) != 1:
                self.wrong.append(f"{self.name}: `{line.strip()}` shows units and has {len(matching)} entries, not one")
                continue
            used += matching
            self.compare_line(line, units, counts, matching[0])
        for entry in self.entries:
            if used.count(entry) != 1:
                self.wrong.append(f"{self.name}: `{entry['line']}` is in {used.count(entry)} lines with units, not in one")

    def compare_line(self, line, units, counts, entry):
        for kind in ("read", "write"):
            expressions = entry.get(kind, [])
            expressions = [expressions] if isinstance(expressions, str) else list(expressions)
            shown = [text for its_kind, text in units if its_kind == kind]
            # Nothing has no price: 0 needs no expression.
            if not expressions and all(text in ("0", "0.00") for text in shown):
                continue
            if len(expressions) != len(shown):
                self.wrong.append(f"{self.name}: `{line.strip()}` shows {len(shown)} numbers of {kind} units; "
                                  f"its entry has {len(expressions)}")
                continue
            for text, expression in zip(shown, expressions):
                self.compare_number(line, kind, text, expression, counts, entry)

    def compare_number(self, line, kind, text, expression, counts, entry):
        if expression in self.reasons:
            self.reasoned += 1
            return
        self.exact += 1
        expected = float(eval(expression, self.names | {"n": counts, "above": self.above[kind]}))  # of this repository
        self.above[kind] += expected
        decimals = len(text.partition(".")[2])
        if entry.get("rounded"):
            expected = float(f"{expected:.{decimals}f}")
        if text.startswith("~"):
            self.wrong.append(f"{self.name}: `{line.strip()}`: {kind} units must not differ from run to run")
        elif abs(value(text) - expected) > 1e-6:
            self.wrong.append(f"{self.name}: `{line.strip()}` shows {text} {kind} units; {expression} is {expected:g}")


def main():
    data = json.loads((ROOT / "tests/seeds/demo_units.json").read_text(encoding="utf-8"))
    wrong, exact, reasoned = [], 0, 0
    for name, lines in sections().items():
        system = System(name, data["systems"][name], lines, data["reasons"])
        system.compare()
        wrong += system.wrong
        exact += system.exact
        reasoned += system.reasoned
    print("\n".join(wrong) or f"{exact} numbers of units in docs/demo.md are those of the models, {reasoned} have a reason")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
