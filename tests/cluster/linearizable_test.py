#!/usr/bin/env python3
"""The checker of histories is right: known histories, and random small ones compared with trying every order."""

import itertools
import random
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

# pylint: disable=wrong-import-position
from linearizable import Operation, problem_of

lost = Operation.lost


def read(called, answered, value):
    return Operation(called, answered, "read", (), value)


def write(called, answered, value):
    return Operation(called, answered, "write", (value,))


def swap(called, answered, expected, value, done):
    return Operation(called, answered, "swap", (expected, value), done)


def add(called, answered, total):
    return Operation(called, answered, "add", (1,), total)


def by_trying_every_order(operations):
    known = [one for one in operations if not one.is_lost()]
    unknown = [one for one in operations if one.is_lost()]
    for count in range(len(unknown) + 1):
        for chosen in itertools.combinations(unknown, count):
            for order in itertools.permutations(known + list(chosen)):
                if explains(order):
                    return True
    return False


def explains(order):
    value = None
    for place, one in enumerate(order):
        if any(later.answered < one.called for later in order[place + 1:]):
            return False
        value, answer = one.apply(value)
        if not one.is_lost() and answer != one.answer:
            return False
    return True


class Good(unittest.TestCase):
    def assert_good(self, *operations):
        self.assertIsNone(problem_of(operations))

    def test_nothing_happened(self):
        self.assert_good()

    def test_one_after_the_other(self):
        self.assert_good(read(0, 1, None), write(2, 3, "a"), read(4, 5, "a"), write(6, 7, None), read(8, 9, None))

    def test_a_read_during_a_write_may_see_either(self):
        self.assert_good(write(0, 10, "a"), read(1, 2, None), read(3, 4, "a"))

    def test_a_lost_write_may_have_happened_late(self):
        self.assert_good(lost(0, "write", "a"), read(1, 2, None), write(3, 4, "b"), read(5, 6, "b"), read(7, 8, "a"))

    def test_a_lost_write_may_never_have_happened(self):
        self.assert_good(write(0, 1, "a"), lost(2, "write", "b"), read(3, 4, "a"))

    def test_one_of_two_swaps_wins(self):
        self.assert_good(swap(0, 5, None, "a", True), swap(0, 5, None, "b", False), read(6, 7, "a"))

    def test_a_swap_may_have_been_refused_because_of_a_lost_write(self):
        self.assert_good(write(0, 1, "a"), lost(2, "write", "b"), swap(3, 4, "a", "c", False), read(5, 6, "b"))

    def test_lost_additions_make_up_the_difference(self):
        self.assert_good(add(0, 1, 1), lost(2, "add", 1), lost(2, "add", 1), add(3, 4, 3), lost(5, "add", 1), read(6, 7, 3))

    def test_thousands_of_operations_take_no_time(self):
        history = []
        for number in range(0, 6_000, 2):
            history.append(write(number, number + 3, number))
            history.append(read(number + 3.5, number + 3.9, number))
            if number % 100 == 0:
                history.append(lost(number, "write", f"lost{number}"))
        self.assert_good(*history)


class Bad(unittest.TestCase):
    def assert_bad(self, *operations):
        problem = problem_of(operations)
        self.assertIsNotNone(problem)
        self.assertIn("no order", problem)

    def test_an_acknowledged_write_is_lost(self):
        self.assert_bad(write(0, 1, "a"), write(2, 3, "b"), read(4, 5, "a"))

    def test_a_value_that_nobody_wrote(self):
        self.assert_bad(write(0, 1, "a"), read(2, 3, "b"))

    def test_a_read_goes_back_in_time(self):
        self.assert_bad(write(0, 1, "a"), write(2, 10, "b"), read(3, 4, "b"), read(5, 6, "a"))

    def test_a_write_is_seen_before_it_was_called(self):
        self.assert_bad(read(0, 1, "a"), write(2, 3, "a"))

    def test_a_lost_write_is_seen_before_it_was_called(self):
        self.assert_bad(read(0, 1, "a"), lost(2, "write", "a"))

    def test_a_lost_write_happens_twice(self):
        self.assert_bad(lost(0, "write", "a"), read(1, 2, "a"), write(3, 4, "b"), read(5, 6, "b"), read(7, 8, "a"))

    def test_both_swaps_win(self):
        self.assert_bad(swap(0, 5, None, "a", True), swap(0, 5, None, "b", True))

    def test_a_swap_is_refused_for_no_reason(self):
        self.assert_bad(write(0, 1, "a"), swap(2, 3, "a", "b", False), read(4, 5, "a"))

    def test_an_addition_is_lost(self):
        self.assert_bad(add(0, 1, 1), add(2, 3, 2), read(4, 5, 1))

    def test_an_addition_is_done_twice(self):
        self.assert_bad(add(0, 1, 1), lost(2, "add", 1), read(3, 4, 3))

    def test_a_deleted_item_comes_back(self):
        self.assert_bad(write(0, 1, "a"), write(2, 3, None), read(4, 5, None), read(6, 7, "a"))


class AgreesWithTryingEveryOrder(unittest.TestCase):
    def test_on_random_small_histories(self):
        seed = random.randrange(1 << 32)
        dice = random.Random(seed)
        good = bad = 0
        for _ in range(1_500):
            history = [self.any_operation(dice) for _ in range(dice.randrange(1, 7))]
            expected = by_trying_every_order(history)
            self.assertEqual(problem_of(history) is None, expected, f"seed {seed}: {history}")
            good += expected
            bad += not expected
        self.assertGreater(min(good, bad), 100)

    @staticmethod
    def any_operation(dice):
        called = dice.randrange(10)
        answered = called + dice.randrange(1, 6)
        values = ["a", "b", None]
        kind, arguments, answers = dice.choice([
            ("read", (), values), ("write", (dice.choice(values),), [None]),
            ("swap", (dice.choice(values), dice.choice(values)), [True, False])])
        if dice.random() < 0.3:
            return lost(called, kind, *arguments)
        return Operation(called, answered, kind, arguments, dice.choice(answers))

    def test_on_random_counters(self):
        dice = random.Random(7)
        for _ in range(800):
            history = []
            for _ in range(dice.randrange(1, 7)):
                called = dice.randrange(8)
                if dice.random() < 0.3:
                    history.append(lost(called, "add", 1))
                elif dice.random() < 0.6:
                    history.append(add(called, called + dice.randrange(1, 4), dice.randrange(1, 4)))
                else:
                    history.append(read(called, called + 1, dice.choice([None, 1, 2, 3])))
            self.assertEqual(problem_of(history) is None, by_trying_every_order(history), history)


if __name__ == "__main__":
    unittest.main()
