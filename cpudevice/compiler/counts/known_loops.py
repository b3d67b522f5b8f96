"""Finds the values of a loop's variables in each round, if the compiler knows the values.

nvcc unrolls a loop of a known, small number of rounds; in each copy the loop's variables are
constants, and so are all values that depend only on them. A division by a constant is then a
shift, or a multiplication, where g++ -O1, which keeps the loop, divides. Read from the same dump as
everything (dump.py):

      # d_23 = PHI <d_15(3), 128(2)>         128 at first, then d_15
      d_15 = d_23 / 2;
      if (d_15 != 0) goto <bb 3>; else goto <bb 4>;
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .dump import GOTO, HEAD

MOST_ROUNDS = 64  # of a loop that is fully unrolled
MOST_STEPS = 16  # from a value to the values from which it is computed

PHI = re.compile(r"^# (\S+) = PHI <(\S+)\((\d+)\), (\S+)\((\d+)\)>$")
BINARY = re.compile(r"^(\S+) = (\S+) (\+|-|\*|/|%|<<|>>|&|\|) (\S+);$")
CAST = re.compile(r"^(\S+) = (?:\([\w ]+\) )?([\w.$]+);$")
CONDITION = re.compile(r"^if \((\S+) (==|!=|<|<=|>|>=) (\S+)\)$")
NUMBER = re.compile(r"-?\d+$")

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
Values = dict[str, int]


class Unknown(Exception):
    """A value that depends on more than a loop's variables and constants."""


class KnownLoops:
    """The loops of a function."""

    def __init__(self, lines: Iterable[str], type_of: Callable[[str], str]) -> None:
        self.type_of = type_of
        self.made: dict[str, tuple[str, str, str]] = {}  # {name: (operand, operation, operand)}
        self.phis: dict[int, dict[str, tuple[str, str]]] = {}  # {block: {name: (first, next)}}
        self.latches: dict[int, list[tuple[tuple[str, str, str], bool]]] = {}
        self.read(lines)
        self.rounds = [rounds for block in self.phis if (rounds := self.rounds_of(block))]

    def values(self, name: str) -> list[int]:
        """The values of `name` in each round of the loop; [] if the values are unknown."""
        for rounds in self.rounds:
            try:
                return [self.value(name, variables) for variables in rounds]
            except Unknown:
                continue
        return []

    def read(self, lines: Iterable[str]) -> None:
        block, condition = 0, None
        for line in lines:
            statement = line.strip()
            if head := HEAD.match(line):
                block, condition = int(head[1]), None
            elif phi := PHI.match(statement):
                first, following = (phi[2], phi[4]) if NUMBER.match(phi[2]) else (phi[4], phi[2])
                if NUMBER.match(first) and not NUMBER.match(following):
                    self.phis.setdefault(block, {})[phi[1]] = (first, following)
            elif binary := BINARY.match(statement):
                self.made[binary[1]] = (binary[2], binary[3], binary[4])
            elif cast := CAST.match(statement):
                self.made[cast[1]] = (cast[2], "+", "0")
            elif found := CONDITION.match(statement):
                condition, goes_on = (found[1], found[2], found[3]), True
            elif (target := GOTO.search(statement)) and condition:
                # back to a head: while the condition is true, or while the condition is false
                if int(target[1]) <= block:
                    self.latches.setdefault(int(target[1]), []).append((condition, goes_on))
                goes_on = False

    def rounds_of(self, block: int) -> list[Values]:
        """The loop's variables in each round, [] if the number of rounds is unknown or large."""
        variables = {name: int(first) for name, (first, _) in self.phis[block].items()}
        rounds: list[Values] = []
        latches = self.latches.get(block, [])
        while len(latches) == 1 and len(rounds) < MOST_ROUNDS:
            rounds.append(variables)
            try:
                (a, comparison, b), goes_on = latches[0]
                holds = OPERATIONS[comparison](self.value(a, variables), self.value(b, variables))
                if bool(holds) != goes_on:
                    return rounds
                variables = self.following(block, variables)
            except Unknown:
                return []
        return []

    def following(self, block: int, variables: Values) -> Values:
        """The variables of the next round, without variables whose values are unknown by then."""
        found: Values = {}
        for name, (_, following) in self.phis[block].items():
            try:
                found[name] = self.value(following, variables)
            except Unknown:
                continue
        return found

    def value(self, name: str, variables: Values, steps: int = MOST_STEPS) -> int:
        if NUMBER.match(name):
            return int(name)
        if name in variables:
            return variables[name]
        if name not in self.made or steps == 0:
            raise Unknown
        a, operation, b = self.made[name]
        left, right = (self.value(one, variables, steps - 1) for one in (a, b))
        shifts_by_none = operation in ("<<", ">>") and not 0 <= right < 64
        if shifts_by_none or (operation in "/%" and right == 0):
            raise Unknown
        return self.wrapped(name, OPERATIONS[operation](left, right))

    def wrapped(self, name: str, value: int) -> int:
        """The value as the variable's type holds it."""
        kind = self.type_of(name)
        bits = 64 if "long" in kind or kind in ("size_t", "sizetype") else 32
        value &= (1 << bits) - 1
        signed = "unsigned" not in kind and kind not in ("size_t", "sizetype")
        return value - (1 << bits) if signed and value >> (bits - 1) else value
