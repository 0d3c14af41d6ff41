"""Charts and failures of the commands, as a person meets them."""

import dataclasses
import itertools
import os
import re
import subprocess
import tempfile
import unittest
import xml.dom.minidom

STATOR = os.environ["STATOR"]
MODELS = os.environ["MODELS"]


def model(name):
    return os.path.join(MODELS, name + ".yaml")


def run(*arguments):
    return subprocess.run([STATOR, *arguments], capture_output=True, text=True, check=False, timeout=20)


SYSTEMS = ("calls", "downloads", "homeops", "orders", "reconciler")


def system_model(name):
    return os.path.join(os.environ["SYSTEMS"], name, "model.yaml")


@dataclasses.dataclass
class Box:
    """What a text or a node of a drawing covers."""
    name: str
    left: float
    top: float
    right: float
    bottom: float

    def contains(self, other):
        return (self.left <= other.left and other.right <= self.right and
                self.top <= other.top and other.bottom <= self.bottom)

    def overlaps(self, other):
        return (self.left < other.right and other.left < self.right and
                self.top < other.bottom and other.top < self.bottom)


def origin(element):
    """The sum of the translations around an element."""
    x = y = 0.0
    while element.nodeType == element.ELEMENT_NODE:
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)", element.getAttribute("transform"))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        element = element.parentNode
    return x, y


def text_boxes(document):
    """The font is monospaced: a character is 0.6 of its size wide."""
    for text in document.getElementsByTagName("text"):
        x, y = origin(text)
        x, y = x + float(text.getAttribute("x")), y + float(text.getAttribute("y"))
        words = text.firstChild.data.rstrip() if text.firstChild else ""
        size = {"label": 10, "title": 14}.get(text.getAttribute("class"), 12)
        width = len(words) * size * 0.6
        left = x - width / 2 if text.getAttribute("text-anchor") == "middle" else x
        yield Box(words, left, y - size * 0.8, left + width, y + size * 0.2)


def node_boxes(document):
    for rect in document.getElementsByTagName("rect"):
        if rect.hasAttribute("class"):
            x, y = origin(rect)
            x, y = x + float(rect.getAttribute("x")), y + float(rect.getAttribute("y"))
            yield Box(rect.getAttribute("class"), x, y, x + float(rect.getAttribute("width")),
                      y + float(rect.getAttribute("height")))


def boxes_of(svg):
    document = xml.dom.minidom.parseString(svg)
    return [*text_boxes(document), *node_boxes(document)]


class Charts(unittest.TestCase):
    def chart(self, *arguments):
        done = run("chart", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_charts_of_indexes_go_where_they_are_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "docs", "specs", "jobs", "calls")
            self.chart(model("calls"), "--out", target)
            self.assertEqual(sorted(os.listdir(target)), [
                "entity-chart-gsi1.md", "entity-chart-gsi2.md", "entity-chart-gsi3.md", "entity-chart.md"])
            with open(os.path.join(target, "entity-chart-gsi3.md"), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("| Entity | userStatus", text)
            self.assertIn("`<userId>#<status>`", text)

    def test_every_row_of_a_table_has_as_many_cells_as_its_head(self):
        for name in ("calls", "reconciler", "everything", "hostile"):
            cells = None
            for line in self.chart(model(name)).splitlines():
                if not line.startswith("|"):
                    cells = None
                    continue
                count = len(re.findall(r"(?<!\\)\|", line))
                cells = cells or count
                self.assertEqual(count, cells, line)

    def test_svg_is_xml(self):
        for name in ("calls", "reconciler", "everything", "hostile"):
            document = xml.dom.minidom.parseString(self.chart(model(name), "--format", "svg"))
            self.assertEqual(document.documentElement.tagName, "svg")
            self.assertTrue(document.getElementsByTagName("path"))

    def test_labels_and_nodes_do_not_overlap(self):
        for system in SYSTEMS:
            boxes = boxes_of(self.chart(system_model(system), "--format", "svg"))
            self.assertGreater(len(boxes), 2)
            for one, other in itertools.combinations(boxes, 2):
                if one.contains(other) or other.contains(one):  # a name in its node
                    continue
                self.assertFalse(one.overlaps(other), f"{system}: {one} and {other}")

    def test_a_state_that_a_move_leaves_is_not_final(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("svg", "mermaid"):
                self.chart(system_model("downloads"), "--out", folder, "--format", name)
            with open(os.path.join(folder, "file-job-states.svg"), encoding="utf-8") as file:
                document = xml.dom.minidom.parseString(file.read())
            with open(os.path.join(folder, "file-job-states.mmd"), encoding="utf-8") as file:
                mermaid = file.read()
        final = [box for box in node_boxes(document) if box.name == "final"]
        names = [box for box in text_boxes(document) if any(node.contains(box) for node in final)]
        self.assertEqual({box.name for box in names}, {"completed"})
        self.assertIn("s_completed --> [*]", mermaid)
        self.assertNotIn("s_error --> [*]", mermaid)

    def test_each_table_and_each_machine_has_a_drawing(self):
        for suffix in ("svg", "mmd"):
            with tempfile.TemporaryDirectory() as folder:
                self.chart(model("everything"), "--out", folder, "--format", {"svg": "svg", "mmd": "mermaid"}[suffix])
                self.assertEqual(sorted(os.listdir(folder)), [
                    f"file-job-states.{suffix}", f"jobs-indexes.{suffix}", f"matches-indexes.{suffix}",
                    f"plain-indexes.{suffix}"])

    def test_mermaid_names_every_node_that_its_arrows_join(self):
        drawings = re.findall(r"```mermaid\n(.*?)```", self.chart(model("everything"), "--format", "mermaid"), re.S)
        self.assertEqual(len(drawings), 4)
        for drawing in drawings:
            head, *lines = drawing.strip().splitlines()
            self.assertIn(head, ("flowchart LR", "stateDiagram-v2"))
            declared = set(re.findall(r"^\s+(n\d+)[\[(]", drawing, re.M)) | set(re.findall(r" as (\w+)$", drawing, re.M))
            self.assertTrue(declared)
            for line in lines:
                if "-->" not in line:
                    continue
                ends = re.fullmatch(r'\s+(\[\*\]|\w+)(?: -- "[^"]*")? --> (\[\*\]|\w+)(: [^:;"#]+)?', line)
                self.assertTrue(ends, line)
                for end in ends.group(1, 2):
                    self.assertIn(end, declared | {"[*]"}, line)

    def test_failures_say_what_is_wrong(self):
        for arguments, code, words in [
            (("chart", "/nowhere.yaml"), 1, "/nowhere.yaml"),
            (("generate", "terraform", "/nowhere.yaml"), 1, "/nowhere.yaml"),
            (("generate", "pulumi", model("calls")), 2, "pulumi"),
            (("generate", "terraform", model("everything"), "--env", "moon"), 1, "moon"),
            (("generate", "iam", model("calls"), "--for", "nobody"), 1, "nobody"),
            (("generate", "terraform", model("calls"), "--out", "/nowhere/at/all.tf"), 1, "/nowhere/at/all.tf"),
            (("import-workbench", model("calls")), 1, "not JSON"),
            (("import-workbench", "/nowhere.json"), 1, "/nowhere.json"),
        ]:
            done = run(*arguments)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
