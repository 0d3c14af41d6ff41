#!/usr/bin/env python3
"""Runs a tiny ./dev bench and looks at what it prints, so that it cannot rot. Figures are not judged.

    bench_test.py BUILD
"""

import contextlib
import io
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import bench
import plot
from slices import Rounds
from targets import TARGETS, Target, print_targets

HERE = Path(__file__).resolve().parent
BUILD = None


def run(*arguments):
    command = [sys.executable, "-B", str(HERE / "bench.py"), BUILD, "--quick", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


class QuickRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = run()

    def test_it_succeeds(self):
        self.assertEqual(self.found.returncode, 0, self.found.stderr)

    def test_every_workload_has_its_rows_and_no_errors(self):
        for title in bench.WORKLOADS.values():
            self.assertIn(f"\n{title}", self.found.stdout)
        for name in ("durable", "sync off", "memory", "constant floor", "store floor", "store floor, sync off"):
            self.assertRegex(self.found.stdout, rf"\n  {name} +[\d,]+ ")
        self.assertNotRegex(self.found.stdout, r"\d+ errors")

    def test_floors_answer_with_as_many_bytes_as_stator(self):
        self.assertNotIn("not comparable", self.found.stdout)

    def test_every_target_is_printed(self):
        for target in TARGETS:
            self.assertRegex(self.found.stdout, rf"\n{re.escape(target.what)} +\S+")

    def test_all_but_the_large_and_the_peers_are_measured(self):
        for target in TARGETS:
            if not target.only and "dynalite" not in target.what:
                self.assertRegex(self.found.stdout, rf"\n{re.escape(target.what)} .*(pass|FAIL)\n")


class QuickLargeRun(unittest.TestCase):
    def test_the_large_targets_are_measured(self):
        found = run("--large", "--expiry", "--workloads", "get", "--only-workloads")
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertIn("expire", found.stdout)
        for target in TARGETS:
            # So few items are indexed, and expire, before a slice has ended.
            if target.only and "while a" not in target.what:
                self.assertRegex(found.stdout, rf"\n{re.escape(target.what)} .*(pass|FAIL)\n")


class QuickSweep(unittest.TestCase):
    def test_its_pictures_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            found = run("--sweep", "--data", folder)
            self.assertEqual(found.returncode, 0, found.stderr)
            self.assertEqual(len(list(Path(folder).rglob("*.svg"))), 6)


class Judgement(unittest.TestCase):
    def test_bounds_are_judged_in_their_direction(self):
        at_least = Target("a", 2, lambda figures: figures["a"])
        at_most = Target("b", 2, lambda figures: figures["a"], at_most=True)
        self.assertEqual([at_least.judge({"a": value})[1] for value in (1, 2, 3)], ["FAIL", "pass", "pass"])
        self.assertEqual([at_most.judge({"a": value})[1] for value in (1, 2, 3)], ["pass", "pass", "FAIL"])

    def test_what_was_not_measured_is_no_failure(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertTrue(print_targets({}))

    def test_a_ratio_is_the_median_of_the_rounds(self):
        rounds = Rounds()
        for ours, floor in ((50, 100), (90, 100), (5, 10)):  # the third round was slow for both
            rounds.add("ours", {"all": {"ops_per_second": ours}})
            rounds.add("floor", {"all": {"ops_per_second": floor}})
        self.assertEqual(rounds.ratio("ours", "floor"), 0.5)
        self.assertIsNone(rounds.ratio("ours", "absent"))


class Plots(unittest.TestCase):
    def test_pictures_are_well_formed(self):
        line = [{"x": x, "ops_per_second": 1000.0 * x, "p99_us": 50.0} for x in (1, 10, 100)]
        sweep = {dimension: {kind: line for kind in plot.NAMES} for dimension in plot.TITLES}
        with tempfile.TemporaryDirectory() as folder:
            pictures = list(plot.draw_all(sweep, folder))
            self.assertEqual(len(pictures), 6)
            for picture in pictures:
                self.assertTrue(ElementTree.parse(picture).getroot().tag.endswith("svg"))


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main(verbosity=0)
