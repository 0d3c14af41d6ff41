"""Is there an order of these operations on one value that explains every answer?

Wing and Gong's search, with Lowe's memory of what was tried: operations are put in a row one after the other, each at a
moment between its call and its answer, such that a simple variable would have given the same answers. An operation
without an answer may have happened at any moment after its call, or never.
"""

import math
from dataclasses import dataclass, field

UNKNOWN = object()  # the answer of an operation that nobody got
STEPS_MAX = 2_000_000


@dataclass(frozen=True)
class Operation:
    """kind and arguments:  read → the value          write value → None
                            swap expected value → whether it was expected
                            add number → the sum; of None, which is no value, as of 0"""
    called: float
    answered: float
    kind: str
    arguments: tuple = ()
    answer: object = None
    note: str = field(default="", compare=False)  # for those who read an explanation

    @staticmethod
    def lost(called, kind, *arguments, note=""):
        return Operation(called, math.inf, kind, arguments, UNKNOWN, note)

    def is_lost(self):
        return self.answer is UNKNOWN

    def apply(self, value):
        """The value afterwards, and the answer."""
        if self.kind == "read":
            return value, value
        if self.kind == "write":
            return self.arguments[0], None
        if self.kind == "swap":
            expected, new = self.arguments
            return (new, True) if value == expected else (value, False)
        if self.kind == "add":
            total = (value or 0) + self.arguments[0]
            return total, total
        raise ValueError(self.kind)


class Undecided(Exception):
    """The search took too long."""


class Search:
    """Depth first. A position is the set of operations that are placed (bits) and the value they leave."""

    def __init__(self, operations, initial):
        ordered = sorted(operations, key=lambda one: (one.called, one.answered))
        # A read that nobody got tells nothing.
        self.lost = [one for one in ordered if one.is_lost() and one.kind != "read"]
        self.known = [one for one in ordered if not one.is_lost()]
        self.initial = initial
        self.furthest = 0, initial  # placed, value

    def first_open(self, placed, start):
        while start < len(self.known) and placed >> start & 1:
            start += 1
        return start

    def next_positions(self, position):
        """(known placed, lost placed, first open, value, whether the last one was a lost one) after one more."""
        placed, lost_placed, start, value, after_lost = position
        bound = math.inf  # the first answer among those that are open: nothing that was called later comes before it
        found = []
        for number in range(start, len(self.known)):
            one = self.known[number]
            if one.called > bound:
                break
            if placed >> number & 1:
                continue
            bound = min(bound, one.answered)
            # A lost operation that is overwritten at once need not have happened.
            if after_lost and one.kind == "write":
                continue
            left, answer = one.apply(value)
            if answer == one.answer:
                now = placed | 1 << number
                found.append((one.answered, (now, lost_placed, self.first_open(now, start), left, False)))
        found.sort(key=lambda pair: pair[0])
        yield from (position for _, position in found)

        tried = set()  # two of the same kind and arguments are as good as each other, the earlier one first
        for number, one in enumerate(self.lost):
            if one.called > bound:
                break
            if lost_placed >> number & 1 or (one.kind, one.arguments) in tried or (after_lost and one.kind == "write"):
                continue
            tried.add((one.kind, one.arguments))
            left, _ = one.apply(value)
            if left != value:
                yield placed, lost_placed | 1 << number, start, left, True

    def succeeds(self):
        begin = 0, 0, 0, self.initial, False
        seen = {begin}
        stack = [self.next_positions(begin)]
        if not self.known:
            return True
        while stack:
            position = next(stack[-1], None)
            if position is None:
                stack.pop()
                continue
            if position in seen:
                continue
            seen.add(position)
            if len(seen) > STEPS_MAX:
                raise Undecided(f"after {STEPS_MAX} positions of {len(self.known)} operations and {len(self.lost)} lost ones")
            if position[2] == len(self.known):
                return True
            if position[2] > self.furthest[0]:
                self.furthest = position[2], position[3]
            stack.append(self.next_positions(position))
        return False

    def explanation(self):
        number, value = self.furthest
        around = self.known[max(0, number - 6):number + 8]
        lines = [f"  {one.called:.6f} to {one.answered:.6f}: {one.kind} {one.arguments} → {one.answer!r} {one.note}" for one in around]
        lost = [f"  {one.called:.6f}: {one.kind} {one.arguments} → ? {one.note}" for one in self.lost]
        return (f"no order of {len(self.known)} operations explains the answers. The first {number} can be placed, and leave "
                f"{value!r}, which those that follow do not fit:\n" + "\n".join(lines)
                + ("\nwithout an answer:\n" + "\n".join(lost) if lost else ""))


def problem_of(operations, initial=None):
    """None if the history is linearizable, otherwise what is wrong with it."""
    search = Search(operations, initial)
    return None if search.succeeds() else search.explanation()
