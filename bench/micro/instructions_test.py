#!/usr/bin/env python3
"""What instructions.py accepts and what it refuses."""

import unittest

import instructions

CALLGRIND_FILE = """\
events: Ir
summary: 0

fn=(1) Serve
12 100
cfn=(2) operator new(unsigned long)
calls=3 0
12 60

fn=(2)
0 30
cfn=(3) malloc
calls=3 0
0 30

totals: 190
"""


class Judgement(unittest.TestCase):
    def accepted(self, now, before):
        return instructions.judge({"instructions": now}, before and {"instructions": before})[0]

    def test_three_percent_more_is_accepted_and_a_little_above_is_not(self):
        self.assertTrue(self.accepted(10_300, 10_000))
        self.assertFalse(self.accepted(10_301, 10_000))

    def test_fewer_instructions_are_accepted(self):
        self.assertTrue(self.accepted(5_000, 10_000))

    def test_a_request_without_a_baseline_is_refused(self):
        self.assertFalse(self.accepted(10_000, None))


class CallgrindFile(unittest.TestCase):
    def test_gives_the_total_and_the_calls_of_malloc(self):
        profile = instructions.Profile(CALLGRIND_FILE)
        self.assertEqual((profile.instructions, profile.allocations), (190, 3))


if __name__ == "__main__":
    unittest.main()
