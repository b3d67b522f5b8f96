"""Rules, which say how instructions become C++.

A rule is a pattern for an instruction's name, without the predicate before it, the number of its
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
    """The rules of one topic, in the order in which their patterns are tried.

    A pattern is compiled when it is first matched: most files have no assembly.
    """

    def rule(self, pattern: str, operands: int) -> Callable[[Rule], Rule]:
        """A rule for instructions whose names match; `operands` is their number, -1 for any."""

        def add(function: Rule) -> Rule:
            self.append((pattern, operands, function))
            return function

        return add

    def simple(self, pattern: str, write: str, reads: tuple[str, ...], expression: str) -> None:
        """An instruction that is an expression of its operands a, b, c.

        `write` and `reads` are types; {t} is the group t of the pattern, {u} the unsigned type of
        its width, and so in the expression {T} and {U}, which are those types in C++. Any other
        group of the pattern stands there by its name too.
        """

        @self.rule(pattern, 1 + len(reads))
        def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
            words = filled(r, m, o[1:], reads)
            return r.write(o[0], write.format(**words), expression.format(**words))

    def statement(self, pattern: str, reads: tuple[str, ...], text: str) -> None:
        """An instruction without a result, that is a statement of its operands a, b, c."""

        @self.rule(pattern, len(reads))
        def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
            return text.format(**filled(r, m, o, reads))


def policy(r: Registers, m: re.Match[str], o: list[str], operands: int) -> str:
    """What keeps the operand of a cache policy, which means nothing here, in use.

    It stands behind the other operands, if the name has HINT.
    """
    if len(o) != operands + bool(m["hint"]):
        raise Unknown
    return f"static_cast<void>({r.read(o[operands], 'b64')}); " if m["hint"] else ""


def filled(
    r: Registers, m: re.Match[str], operands: list[str], reads: tuple[str, ...]
) -> dict[str, str]:
    """What the names in braces stand for."""
    t = m.groupdict().get("t") or "u32"
    words = m.groupdict() | {"t": t, "u": UNSIGNED.get(BITS[t], t), "T": TYPES[t]}
    words["U"] = TYPES[words["u"]]
    values = {
        letter: r.read(operand, kind.format(**words))
        for letter, operand, kind in zip("abcd", operands, reads, strict=False)
    }
    return words | values
