#!/usr/bin/env python3
"""Runs a short ./dev bench --store postgres and looks at what it prints, so that it cannot rot. Figures are not judged.

    postgres_test.py BUILD
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

import postgres
from targets import POSTGRES_TARGETS

HERE = Path(__file__).resolve().parent
BUILD = None


class QuickRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = [sys.executable, "-B", str(HERE / "bench.py"), BUILD, "--store", "postgres", "--quick"]
        cls.found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=290)

    def test_it_succeeds(self):
        self.assertEqual(self.found.returncode, 0, self.found.stderr)

    def test_every_workload_has_its_rows_and_no_errors(self):
        for workload in postgres.WORKLOADS:
            rows = rf"\n{postgres.title(workload)} .*\n  stator +[\d,]+ .*\n  libpq floor +[\d,]+ "
            self.assertRegex(self.found.stdout, rows)
        self.assertNotRegex(self.found.stdout, r"\d+ errors")

    def test_rows_of_the_floor_are_as_large_as_stators(self):
        self.assertNotIn("not comparable", self.found.stdout)

    def test_every_target_is_measured(self):
        for target in POSTGRES_TARGETS:
            if not target.at_most:  # an index of so few items may be built before its slice has ended
                self.assertRegex(self.found.stdout, rf"\n{re.escape(target.what)} .*(pass|FAIL)\n")


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main(verbosity=0)
