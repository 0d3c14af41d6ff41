#!/usr/bin/env python3
"""docs/model.schema.json, which editors use, through a real validator: it takes every model of the repository, and refuses
what `stator check` refuses to read.

    model_schema_test.py [REPOSITORY]
"""

import json
import sys
import unittest
from pathlib import Path

import jsonschema
import yaml

ROOT = Path(sys.argv.pop() if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
MODELS = sorted([*ROOT.glob("systems/**/*.yaml"), *ROOT.glob("tests/generate/models/*.yaml")])


class ModelSchema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = json.loads((ROOT / "docs/model.schema.json").read_text(encoding="utf-8"))
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        cls.validator = kind(schema)
        cls.good = yaml.safe_load((ROOT / "systems/calls/model.yaml").read_text(encoding="utf-8"))

    def errors(self, model):
        return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}" for error in self.validator.iter_errors(model)]

    def test_every_model_of_the_repository_is_valid(self):
        self.assertGreater(len(MODELS), 20)
        for path in MODELS:
            self.assertEqual(self.errors(yaml.safe_load(path.read_text(encoding="utf-8"))), [], path)

    def test_a_word_that_is_not_known_is_refused(self):
        self.assertTrue(self.errors({**self.good, "tabels": {}}))
        for part in ("tables", "entities", "patterns"):
            name, first = next(iter(self.good[part].items()))
            self.assertTrue(self.errors({**self.good, part: {name: {**first, "colour": "red"}}}), part)

    def test_a_wrong_type_is_refused(self):
        for part in ("tables", "entities", "patterns"):
            self.assertTrue(self.errors({**self.good, part: [1, 2]}), part)
        self.assertTrue(self.errors({**self.good, "model": "one"}))

    def test_a_model_without_a_version_is_refused(self):
        self.assertTrue(self.errors({part: value for part, value in self.good.items() if part != "model"}))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
