"""Finds out whether a pointer may outlive a variable's place: arrays keep values, not places."""

from __future__ import annotations

from dataclasses import dataclass

from ..tokens import Tokens
from .operators import is_prefix
from .statements import Reader, Variable
from .uniform import Uniform


@dataclass
class Pointers:
    code: Tokens
    reader: Reader
    uniform: Uniform

    def is_pointed_at(
        self, variable: Variable, first: int, last: int, pointers: list[tuple[int, int, bool]]
    ) -> bool:
        """Whether a pointer to a variable may outlive the loop, which keeps only its value."""
        text, uniform = self.code.text, self.uniform
        dimensions = 0 if variable.is_plain else variable.type.count("[")
        for p in uniform.places.get(variable.name, ()):
            before, behind = text(p - 1), p + 1
            if not first <= p <= last:
                continue
            if before == "&" and is_prefix(self.code, p - 1):
                return True
            if before == "(" and uniform.is_changed_as_a_whole(p - 1):
                return True
            if dimensions and p != variable.position and text(behind) != "[":
                return True
            if self.is_argument_that_is_kept(p, first):
                return True
            within = [binds for a, b, binds in pointers if a < p <= b]
            if not within or p == variable.position:
                continue
            subscripts = 0
            while text(behind) == "[":
                behind, subscripts = self.code.partner[behind] + 1, subscripts + 1
            # A row of an array or an array in a class, as in `float* row = tile[1];`.
            if subscripts < dimensions:
                return True
            if text(behind) == "." and variable.name in uniform.holders:
                return True
            # A reference in a class, as in `Reference r{value};`.
            if any(within):
                return True
        return False

    def is_argument_that_is_kept(self, place: int, first: int) -> bool:
        """Whether it stands in a call of a function that may keep its argument's address."""
        code = self.code
        return any(
            code.text(p) == "("
            and code.partner.get(p, p) > place
            and self.uniform.calls.keeps_addresses(code.text(p - 1))
            for p in range(first, place)
        )

    def values(self, first: int, last: int, short_lived: set[str]) -> list[tuple[int, int, bool]]:
        """Where variables that may hold addresses behind the loop get their values.

        Each is the name's place, the end of the statement, and whether it may bind references.
        """
        text = self.code.text
        found = []
        holders = {**dict.fromkeys(self.uniform.pointers, False), **self.uniform.holders}
        for name in holders.keys() - short_lived:
            for p in self.uniform.places.get(name, ()):
                behind = p + 1
                while text(behind) in ("[", ".", "->"):
                    behind = self.code.partner[behind] + 1 if text(behind) == "[" else behind + 2
                if first <= p <= last and text(behind) in ("=", "{", "("):
                    found.append((p, self.reader.end(p), holders[name]))
        return found
