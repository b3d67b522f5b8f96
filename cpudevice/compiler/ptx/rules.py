"""Rules, which say how instructions become C++.

A rule is a pattern for an instruction's name without the predicate, the number of the instruction's
operands, and a function that writes the statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .registers import Registers, Unknown
from .types import BITS, TYPES, UNSIGNED

HINT = r"(?P<hint>\.L2::cache_hint)?"
Rule = Callable[[Registers, "re.Match[str]", list[str]], str]


class Rules(list[tuple[str, int, Rule]]):
    """The rules of a topic, in the order in which the patterns are tried.

    A pattern is compiled at its first match: most files have no assembly.
    """

    def rule(self, pattern: str, operands: int) -> Callable[[Rule], Rule]:
        """A rule for instructions with a matching name; `operands` is their number, -1 for any."""

        def add(function: Rule) -> Rule:
            self.append((pattern, operands, function))
            return function

        return add

    def simple(self, pattern: str, write: str, reads: tuple[str, ...], expression: str) -> None:
        """An instruction that is an expression of the operands a, b, c.

        `write` and `reads` are types; {t} is the group t of the pattern, {u} the unsigned type of
        the same width; in the expression, {T} and {U} are the C++ types for {t} and {u}. The name
        of any other group of the pattern may be in braces too.
        """

        @self.rule(pattern, 1 + len(reads))
        def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
            words = filled(r, m, o[1:], reads)
            return r.write(o[0], write.format(**words), expression.format(**words))

    def statement(self, pattern: str, reads: tuple[str, ...], text: str) -> None:
        """An instruction without a result, as a statement of the operands a, b, c."""

        @self.rule(pattern, len(reads))
        def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
            return text.format(**filled(r, m, o, reads))


def policy(r: Registers, m: re.Match[str], o: list[str], operands: int) -> str:
    """An expression that uses the operand of a cache policy, which the CPU device ignores.

    The operand stands behind the other operands, if the name has HINT.
    """
    if len(o) != operands + bool(m["hint"]):
        raise Unknown
    return f"static_cast<void>({r.read(o[operands], 'b64')}); " if m["hint"] else ""


def filled(
    r: Registers, m: re.Match[str], operands: list[str], reads: tuple[str, ...]
) -> dict[str, str]:
    """The texts for the names in braces."""
    t = m.groupdict().get("t") or "u32"
    words = m.groupdict() | {"t": t, "u": UNSIGNED.get(BITS[t], t), "T": TYPES[t]}
    words["U"] = TYPES[words["u"]]
    values = {
        letter: r.read(operand, kind.format(**words))
        for letter, operand, kind in zip("abcd", operands, reads, strict=False)
    }
    return words | values
