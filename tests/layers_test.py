#!/usr/bin/env python3
"""Checks the shape of the source tree: who includes whom, names, sizes, include guards.

src/LAYERS is the rule: a file of a layer may include headers of its own layer and of the layers on its
line. A public header "stator/x.h" counts as a header of the layer that the second list gives it.
Programs under systems/ and console/ see include/stator/ alone.

Run it anywhere: tests/layers_test.py [REPOSITORY]
"""

import os
import re
import sys
import tempfile
import unittest
from pathlib import Path

LINES_MAX = 500
VAGUE_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"}
# Split, so that this file does not report itself.
MARKS = re.compile("TO" r"DO|FIX" r"ME")
NAMESPACE = re.compile(r"namespace ([\w:]*) ?\{|\}  // namespace")
TYPE = re.compile(r"(?:struct|class|enum class) (?:\[\[\w+\]\] |alignas\(\w+\) )?(\w+)(?: final)?(?: : [^;{]+)? \{")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
CHECKED_FOLDERS = ("include", "src", "systems", "console", "tests", "fuzz", "bench", "tools", "cmake", "docs")
CHECKED_SUFFIXES = {".h", ".cc", ".c", ".py", ".js", ".mjs", ".ts", ".tsx", ".sh", ".cmake", ".txt", ".md"}
SKIPPED_FOLDERS = {"node_modules", "__pycache__", "build", "corpus"}


class Layers:
    """The two lists of src/LAYERS."""

    def __init__(self, text):
        self.allowed = {}  # layer -> layers it may include
        self.wing = {}  # layer -> the folder of src/ that holds it
        self.public = {}  # "database.h" -> layer
        for line in text.splitlines():
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            if line.startswith("["):
                wing = line.strip("[]")
                continue
            name, _, rest = line.partition(":")
            if name.startswith("@"):
                self.public[name[1:]] = rest.strip()
            else:
                self.allowed[name.strip()] = set(rest.split())
                self.wing[name.strip()] = wing

    def problems(self):
        seen = set()
        for layer, below in self.allowed.items():
            for name in sorted(below - seen):
                yield f"src/LAYERS: '{layer}' names '{name}', which is not a line above it"
            seen.add(layer)
        for header, layer in self.public.items():
            if layer not in self.allowed:
                yield f"src/LAYERS: '@{header}' belongs to '{layer}', which has no line"


class Tree:
    def __init__(self, root):
        self.root = Path(root)
        self.layers = Layers((self.root / "src/LAYERS").read_text())

    def files(self, *folders):
        for folder in folders:
            for directory, subfolders, names in os.walk(self.root / folder):
                subfolders[:] = sorted(set(subfolders) - SKIPPED_FOLDERS)
                for name in sorted(names):
                    if Path(name).suffix in CHECKED_SUFFIXES:
                        yield Path(directory, name).relative_to(self.root)

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def layer_of(self, path):
        """The layer of a source file or header, or None when no list names it."""
        if path.parts[0] == "src":
            wing, layer = path.parts[1:3]
            return layer if self.layers.wing.get(layer) == wing else None
        return self.layers.public.get("/".join(path.parts[2:]))

    def source_of(self, include):
        """The path of a header that an #include names from its wing."""
        return Path("src", self.layers.wing.get(include.split("/")[0], ""), include)

    def problems(self):
        yield from self.layers.problems()
        yield from self.include_problems()
        yield from self.client_problems()
        yield from self.guard_problems()
        yield from self.type_problems()
        yield from self.name_problems()
        yield from self.text_problems()

    def include_problems(self):
        for path in self.files("include", "src"):
            if path.suffix not in {".h", ".cc", ".c"}:
                continue
            layer = self.layer_of(path)
            if layer is None:
                yield f"{path}: belongs to no layer; add its folder (or @{path.name}) to src/LAYERS"
                continue
            allowed = self.layers.allowed.get(layer, set()) | {layer}
            for include in INCLUDE.findall(self.read(path)):
                yield from self.include_problem(path, layer, allowed, include)

    def include_problem(self, path, layer, allowed, include):
        is_public = include.startswith("stator/")
        target = Path("include", include) if is_public else self.source_of(include)
        if not (self.root / target).is_file():
            yield (f'{path}: includes "{include}", which does not exist; '
                   "name it from its wing or include/ (\"value/number.h\", \"stator/item.h\")")
            return
        if path.parts[0] == "include" and not is_public:
            yield f'{path}: includes "{include}"; a public header may include only "stator/…"'
            return
        target_layer = self.layer_of(target)
        if target_layer is None:
            yield f'{path}: includes "{include}", which belongs to no layer of src/LAYERS'
        elif target_layer not in allowed:
            yield (f'{path}: includes "{include}" of layer {target_layer}, but {layer} may include only '
                   f"{', '.join(sorted(allowed))}; move the code, or change src/LAYERS if the design changed")

    def client_problems(self):
        for path in self.files("systems", "console"):
            if path.suffix not in {".h", ".cc"}:
                continue
            for include in INCLUDE.findall(self.read(path)):
                beside = (self.root / path.parent / include).is_file()
                own = (self.root / Path(*path.parts[:2]) / include).is_file()
                shared = path.parts[0] == "systems" and include.startswith(
                    ("systems/program/", f"systems/{path.parts[1]}/"))
                # Tests may look behind the curtain.
                test = path.name.endswith(("_test.cc", "_fixture.h")) and (
                    (self.root / include).is_file() or (self.root / self.source_of(include)).is_file())
                if not include.startswith("stator/") and not beside and not own and not shared and not test:
                    yield f'{path}: includes "{include}"; programs see only "stator/…" and their own files'

    def guard_problems(self):
        for path in self.files("include", "src", "tests", "fuzz", "bench", "systems"):
            if path.suffix != ".h":
                continue
            parts = path.parts[{"src": 2, "include": 1}.get(path.parts[0], 0):]
            if parts[0] != "stator":
                parts = ("stator", *parts)
            guard = re.sub(r"[^A-Z0-9]", "_", "_".join(parts).upper()) + "_"
            text = self.read(path)
            if f"#ifndef {guard}\n#define {guard}\n" not in text or f"#endif  // {guard}" not in text:
                yield f"{path}: its include guard must be {guard}"

    def types_of(self, path):
        """The types that a header defines, with their namespaces."""
        inside = []
        for line in self.read(path).splitlines():
            if name := NAMESPACE.match(line):
                inside.append(name[1]) if name[1] is not None else inside.pop()
            elif name := TYPE.match(line):
                yield "::".join([*inside, name[1]])

    def type_problems(self):
        """Two types of one name are one to the linker, which then takes the destructor of either."""
        seen = {}
        for path in self.files("include", "src"):
            for name in self.types_of(path) if path.suffix == ".h" else ():
                if name in seen:
                    yield f"{path}: defines {name}, and so does {seen[name]}; give one of them another name"
                seen[name] = path

    def name_problems(self):
        for path in self.files(*CHECKED_FOLDERS):
            words = set(re.split(r"[^a-z]+", path.stem.lower()))
            if words & VAGUE_NAMES:
                yield f"{path}: says nothing by its name; call it after what it does"

    def text_problems(self):
        for path in self.files(*CHECKED_FOLDERS):
            text = self.read(path)
            for number, line in enumerate(text.splitlines(), 1):
                if MARKS.search(line):
                    yield f"{path}:{number}: leaves a mark ({MARKS.search(line)[0]}); do it, or write an issue"
            lines = text.count("\n")
            if path.suffix in {".h", ".cc", ".py", ".js", ".ts", ".tsx"} and lines > LINES_MAX:
                yield f"{path}: has {lines} lines; split it before {LINES_MAX}, by reason to change"


class TheRuleItself(unittest.TestCase):
    """A check that cannot fail proves nothing: each rule is shown a tree that breaks it."""

    LAYERS = "[low]\nbase:\nvalue: base\n[high]\nserver: base value\n@item.h: value\n"

    def problems(self, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"src/LAYERS": self.LAYERS, **files}.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(Tree(root).problems())

    @staticmethod
    def header(guard, body=""):
        return f"#ifndef {guard}\n#define {guard}\n{body}#endif  // {guard}\n"

    def assert_only(self, files, words):
        found = self.problems(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_tree_that_keeps_the_rules_has_no_problem(self):
        self.assertEqual(self.problems({
            "src/low/base/check.h": self.header("STATOR_BASE_CHECK_H_"),
            "src/low/value/number.cc": '#include "base/check.h"\n#include "stator/item.h"\n',
            "include/stator/item.h": self.header("STATOR_ITEM_H_"),
        }), [])

    def test_including_upwards(self):
        self.assert_only({
            "src/low/value/number.h": self.header("STATOR_VALUE_NUMBER_H_"),
            "src/low/base/check.cc": '#include "value/number.h"\n',
        }, "base may include only base")

    def test_a_public_header_counts_as_its_layer(self):
        self.assert_only({
            "include/stator/item.h": self.header("STATOR_ITEM_H_"),
            "src/low/base/check.cc": '#include "stator/item.h"\n',
        }, "of layer value")

    def test_a_public_header_may_not_include_the_inside(self):
        self.assert_only({
            "src/low/value/number.h": self.header("STATOR_VALUE_NUMBER_H_"),
            "include/stator/item.h": self.header("STATOR_ITEM_H_", '#include "value/number.h"\n'),
        }, "a public header may include only")

    def test_a_header_without_a_layer(self):
        self.assert_only({"include/stator/new.h": self.header("STATOR_NEW_H_")}, "belongs to no layer")

    def test_a_file_that_is_not_there(self):
        self.assert_only({"src/low/base/check.cc": '#include "check.h"\n'}, "does not exist")

    def test_a_program_that_looks_inside(self):
        self.assert_only({
            "src/low/value/number.h": self.header("STATOR_VALUE_NUMBER_H_"),
            "systems/calls/main.cc": '#include "stator/item.h"\n#include "value/number.h"\n',
        }, "programs see only")

    def test_an_include_guard_of_another_path(self):
        self.assert_only({"src/low/base/check.h": self.header("CHECK_H")}, "STATOR_BASE_CHECK_H_")

    def test_two_types_of_one_name(self):
        def page(guard):
            return self.header(guard, "namespace stator {\nstruct Page {\n};\n}  // namespace stator\n")
        self.assert_only({"src/low/base/page.h": page("STATOR_BASE_PAGE_H_"), "src/low/value/page.h": page("STATOR_VALUE_PAGE_H_")},
                         "defines stator::Page, and so does src/low/base/page.h")

    def test_a_vague_name(self):
        self.assert_only({"src/low/base/string_util.cc": ""}, "says nothing by its name")

    def test_a_mark(self):
        self.assert_only({"src/low/base/check.cc": "// TO" + "DO: later\n"}, "leaves a mark")

    def test_a_long_file(self):
        self.assert_only({"src/low/base/check.cc": "\n" * (LINES_MAX + 1)}, "has 501 lines")

    def test_a_layer_named_below_itself(self):
        self.LAYERS = "[low]\nbase: value\nvalue: base\n"
        self.assert_only({}, "not a line above it")


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TheRuleItself)
    if not unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful():
        return 1
    tree = Tree(root)
    problems = list(tree.problems())
    for problem in problems:
        print(problem)
    count = sum(1 for _ in tree.files(*CHECKED_FOLDERS))
    print(f"{count} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
