"""Finds addresses that cost nothing, because a load or store can add a constant to an address.

In the statements below, with a signed i, the second address is the first address plus 128 bytes:

      _1 = (long unsigned int) i_9;         _4 = i_9 + 32;
      _2 = _1 * 4;                          _5 = (long unsigned int) _4;
      _3 = in_7(D) + _2;                    _6 = _5 * 4;
                                            _8 = in_7(D) + _6;

Every value is a sum of names, each times a factor, and of a constant. A value that differs from an
earlier value in the constant alone is free, if only addresses are computed from the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .dump import BINARY, HEAD, NAME

Terms = frozenset[tuple[str, int]]  # names and their factors

NUMBER = re.compile(r"-?\d+")
CAST = re.compile(r"^\([^()]*\) ([\w.$]+(?:\(D\))?)$")
MEMORY = re.compile(r"^(?:MEM\b|\*)|->|\.\w+$|\]$")


class Addresses:
    """The names of a function's free values are in `free`; those used in other blocks in `carried`.

    `is_floating`: whether a name is a float or a double. `widens`: whether a conversion from the
    second name's type to the first name's fills with zeros, so that a sum that wraps is another
    number afterwards.
    """

    def __init__(
        self,
        lines: list[str],
        is_floating: Callable[[str], bool],
        widens: Callable[[str, str], bool],
    ) -> None:
        self.is_floating = is_floating
        self.widens = widens
        self.terms: dict[str, Terms] = {}
        self.made: dict[str, str] = {}  # how sums, products by a number and conversions are made
        self.block_of: dict[str, int] = {}
        self.carried: set[str] = set()
        kept = self.find_kept(lines)
        self.free: set[str] = set()
        seen: set[Terms] = set()
        for name, value in self.made.items():
            terms = self.terms[name] = self.sum_of(value)
            if terms in seen and name not in kept:
                self.free.add(name)
            seen.add(terms)
            seen.update(frozenset([term]) for term in terms if term[1] == 1)
        self.carried &= self.free

    def find_kept(self, lines: list[str]) -> set[str]:
        """The names with a use besides addresses."""
        kept: set[str] = set()
        block = 0
        for line in lines:
            statement = line.strip()
            block += bool(HEAD.match(line))
            used = NAME.findall(statement)
            self.carried.update(one for one in used if self.block_of.get(one, block) != block)
            if "__tsan_" in statement:
                continue
            target, equals, value = statement.rstrip(";").partition(" = ")
            if not equals or statement.startswith(("if ", "#")):
                kept.update(used)
            elif NAME.fullmatch(target) and self.is_sum(value):
                cast = CAST.match(value)
                if cast and (self.is_floating(target) or self.widens(target, cast[1])):
                    kept.add(cast[1])
                elif not self.is_floating(target):
                    self.made[target] = value
                    self.block_of[target] = block
            elif not MEMORY.search(value):
                kept.update(NAME.findall(value))
        for name, value in reversed(self.made.items()):
            if name in kept:
                kept.update(NAME.findall(value))
        return kept

    @staticmethod
    def is_sum(value: str) -> bool:
        binary = BINARY.match(value)
        if not binary:
            return bool(CAST.match(value))
        by_number = binary[2] in ("*", "<<") and NUMBER.fullmatch(binary[3])
        return binary[2] in ("+", "-") or bool(by_number)

    def sum_of(self, value: str) -> Terms:
        if cast := CAST.match(value):
            return self.of(cast[1])
        a, operator, b = BINARY.match(value).groups()
        if operator in ("*", "<<"):
            factor = int(b) if operator == "*" else 1 << int(b)
            return frozenset((term, factor * count) for term, count in self.of(a))
        sign = 1 if operator == "+" else -1
        counts = dict(self.of(a))
        for term, count in self.of(b):
            counts[term] = counts.get(term, 0) + sign * count
        return frozenset((term, count) for term, count in counts.items() if count)

    def of(self, operand: str) -> Terms:
        if NUMBER.fullmatch(operand):
            return frozenset()
        return self.terms.get(operand) or self.alone(operand)

    @staticmethod
    def alone(name: str) -> Terms:
        return frozenset([(name, 1)])
