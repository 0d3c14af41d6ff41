"""Generated TypeScript and Python: checked by their compilers, run against a server, and compared item by item with what
the C++ entity layer writes: languages_test.py ENTITY_WRITER. STATOR is the program, MODELS and SYSTEMS are folders of models."""

import base64
import importlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import boto3

STATOR = os.environ["STATOR"]
HERE = pathlib.Path(__file__).parent
MODELS = sorted(pathlib.Path(os.environ["MODELS"]).glob("*.yaml")) + sorted(
    pathlib.Path(os.environ["SYSTEMS"]).glob("*/model.yaml"))
NOW = 1772282096000  # 2026-02-28T12:34:56Z
ENDPOINT = os.environ["STATOR_ENDPOINT"]
WRITER = sys.argv.pop(1)


def name_of(model):
    return model.parent.name + "_system" if model.stem == "model" else model.stem


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command[:2]}: {done.stdout[-3000:]}{done.stderr}")
    return done.stdout


def decoded(value):
    """Values that JSON writes in base 64 as bytes."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("B"), str):
        return {"B": base64.b64decode(value["B"])}
    if isinstance(value.get("BS"), list):
        return {"BS": [base64.b64decode(each) for each in value["BS"]]}
    return {name: decoded(each) for name, each in value.items()}


def comparable(value):
    """Sets have no order, and shards that are taken at random are any of three."""
    if isinstance(value, dict):
        random = re.fullmatch("SPREAD#[0-2]", value["S"]) if isinstance(value.get("S"), str) else None
        return {"S": "SPREAD#"} if random else {name: comparable(each) for name, each in value.items()}
    return sorted(value) if isinstance(value, list) and all(isinstance(each, (str, bytes)) for each in value) else value


class Languages(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.python = pathlib.Path(cls.folder.name, "python")
        cls.typescript = pathlib.Path(cls.folder.name, "typescript")
        for folder in (cls.python, cls.typescript):
            folder.mkdir()
        (cls.typescript / "package.json").write_text('{"type": "module"}')
        for model in MODELS:
            run(STATOR, "generate", "python", str(model), "--out", str(cls.python / (name_of(model) + ".py")))
            for style, end in (("sdk", ""), ("electrodb", "_electrodb")):
                run(STATOR, "generate", "typescript", str(model), "--style", style,
                    "--out", str(cls.typescript / (name_of(model) + end + ".ts")))
        shutil.copy(HERE / "languages_scenario.py", cls.python)
        shutil.copy(HERE / "languages_scenario.ts", cls.typescript)
        sys.path.insert(0, str(cls.python))
        cls.client = boto3.client("dynamodb", endpoint_url=ENDPOINT)
        cls.written = run(WRITER, ENDPOINT, *map(str, MODELS))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def tables(self, language):
        """The items of every table that was written in this language, by the table's name without the prefix."""
        found = {}
        for page in self.client.get_paginator("list_tables").paginate():
            for table in page["TableNames"]:
                if table.startswith(language + "-"):
                    items = [item for each in self.client.get_paginator("scan").paginate(TableName=table)
                             for item in each["Items"]]
                    found[table[len(language) + 1:]] = sorted((comparable(item) for item in items), key=repr)
        return found

    def assert_written_as_in_cpp(self, language):
        wanted, found = self.tables("cpp"), self.tables(language)
        self.assertEqual(list(found), list(wanted))
        self.assertGreater(sum(map(len, wanted.values())), 100)
        for table, items in wanted.items():
            self.assertEqual(found[table], items, table)

    def assert_electrodb_wrote_what_was_created(self):
        """ElectroDB marks its items (__edb_e__) and keeps shards in them; all else is as C++ creates it."""
        created, found = self.tables("new"), self.tables("edb")
        self.assertGreater(sum(map(len, found.values())), 100)
        for table, items in created.items():
            own = [{name: value for name, value in item.items() if not name.startswith("__")} for item in found[table]]
            # ElectroDB takes no `${` in a primary key.
            items = [item for item in items if "A\"B" not in repr(item) and "Entity\"" not in repr(item)]
            self.assertEqual(sorted(own, key=repr), items, table)

    def test_python_writes_the_items_that_cpp_writes(self):
        for line in self.written.splitlines():
            row = json.loads(line)
            code = importlib.import_module(row["model"])
            entity = next(each for each in code.entities if each.name == row["entity"])
            db = code.Connection(self.client, f"py-{row['model']}-", now=lambda: NOW)
            code.send(db, code.Write("create", entity, item=code.from_item(entity, decoded(row["item"]))))
        scenario = importlib.import_module("languages_scenario")
        db = importlib.import_module("languages").Connection(self.client, "py-languages-", now=lambda: NOW)
        scenario.play(db)
        scenario.read(db)
        self.assert_written_as_in_cpp("py")

    def test_python_passes_mypy_strictly(self):
        mypy = ["/usr/bin/python3", "-m", "mypy", "--strict", "--cache-dir", str(pathlib.Path(self.folder.name, "cache"))]
        run(*mypy, *sorted(each.name for each in self.python.glob("*.py")), cwd=self.python)

    def test_typescript_passes_tsc_strictly_and_writes_the_items_that_cpp_writes(self):
        run("node", str(HERE / "js" / "languages.js"), str(self.typescript), ENDPOINT, str(NOW), input=self.written)
        self.assert_written_as_in_cpp("ts")
        self.assert_electrodb_wrote_what_was_created()


if __name__ == "__main__":
    unittest.main()
