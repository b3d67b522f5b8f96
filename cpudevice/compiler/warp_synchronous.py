"""Makes warp-synchronous code correct: the lanes of a warp wait for each other at volatile stores.

Programs for GPUs before compute capability 7.0 add up a warp's values without a barrier, because
all lanes of those GPUs execute the same instruction at a time:

    volatile int* v = sums;         v[t] += v[t + 16];
    v[t] += v[t + 16];              becomes { v[t] += ::cudacpu::in_step((v[t + 16]));
    v[t] += v[t + 8];                         ::cudacpu::warp_step(); }

So every lane has computed its value before any lane stores, and every lane has stored before any
lane continues. The rewriting concerns arrays that are `__shared__ volatile`, and arrays with at
least one store that reads an element which another lane may have stored. A flag that other threads
wait for is not rewritten. Sanitize still reports the data race.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .tokens import OPENERS, Tokens

# Tokens that may precede a statement.
BEFORE_STATEMENT = ("", ";", "{", "}", ")", "else", "do")
OPERATORS = "+-*/%&|^<>"


@dataclass
class VolatileArray:
    """A volatile pointer or array, and the tokens of the scope of its name."""

    name: str
    first: int
    last: int
    shared: bool  # a __shared__ array
    stores: list[Store] = field(default_factory=list)

    def keep_in_step(self, tokens: Tokens) -> None:
        if self.shared or any(store.takes_others(tokens) for store in self.stores):
            for store in self.stores:
                store.step(tokens)


def keep_in_step(tokens: Tokens) -> None:
    arrays = list(volatile_arrays(tokens))
    if not arrays:
        return
    names = {array.name for array in arrays}
    for p in range(len(tokens.code)):
        if store := Store.at(tokens, p, names):
            # Another array of the same name, in another function, may be an ordinary array.
            visible = [a for a in arrays if a.name == store.name and a.first <= p <= a.last]
            if visible:
                max(visible, key=lambda array: array.first).stores.append(store)
    for array in arrays:
        array.keep_in_step(tokens)


def volatile_arrays(tokens: Tokens) -> Iterator[VolatileArray]:
    opened: list[int] = []  # brackets
    for position in range(len(tokens.code)):
        if tokens.text(position) in ("(", "{") and position in tokens.partner:
            opened.append(position)
        elif opened and position == tokens.partner[opened[-1]]:
            opened.pop()
        if tokens.text(position) != "volatile" or tokens.text(position - 1) == "asm":
            continue
        p = position + 1
        while tokens.is_name(p) or tokens.text(p) in ("*", "::", "<"):
            p = tokens.skip_angles(p) if tokens.text(p) == "<" else p + 1
            if tokens.text(p) == "<" and tokens.skip_angles(p) == p:
                break
        words = {tokens.text(q) for q in range(max(position - 3, 0), p)}
        is_pointer = any(tokens.text(q) == "*" for q in range(position, p))
        if "const" in words or not tokens.is_name(p - 1):
            continue
        if is_pointer or tokens.text(p) == "[":
            shared = "__shared__" in words and tokens.text(p) == "["
            yield VolatileArray(tokens.text(p - 1), *scope(tokens, opened), shared)


def scope(tokens: Tokens, opened: list[int]) -> tuple[int, int]:
    """The scope of a name declared within the given brackets; everywhere for a member."""
    everywhere = (0, len(tokens.code))
    if not opened:
        return everywhere
    inner = opened[-1]
    if tokens.text(inner) == "(":  # a parameter
        body = tokens.partner[inner] + 1
        while tokens.text(body) in ("const", "noexcept", "mutable"):
            body += 1
        known = tokens.text(body) == "{" and body in tokens.partner
        return (inner, tokens.partner[body]) if known else everywhere
    in_function = any(tokens.text(p - 1) == ")" for p in opened if tokens.text(p) == "{")
    return (inner, tokens.partner[inner]) if in_function else everywhere


class Store:
    """A statement `name[index] = value;`, or with an operator before the `=`."""

    def __init__(self, first: int, value: int, end: int, name: str) -> None:
        self.first, self.value, self.end, self.name = first, value, end, name

    @staticmethod
    def at(tokens: Tokens, position: int, names: set[str]) -> Store | None:
        name = tokens.text(position)
        if name not in names or tokens.text(position + 1) != "[":
            return None
        if tokens.text(position - 1) not in BEFORE_STATEMENT:
            return None
        p = position + 1
        while tokens.text(p) == "[" and p in tokens.partner:
            p = tokens.partner[p] + 1
        while tokens.text(p) and tokens.text(p) in OPERATORS:
            p += 1
        if tokens.text(p) != "=" or tokens.text(p + 1) == "{":
            return None
        value = end = p + 1
        while tokens.text(end) not in (";", ",", "}", ""):
            end = tokens.partner.get(end, end) + 1 if tokens.text(end) in OPENERS else end + 1
        is_whole = tokens.text(end) == ";" and end > value
        return Store(position, value, end, name) if is_whole else None

    def takes_others(self, tokens: Tokens) -> bool:
        """Whether the value reads an element of the array itself."""
        return any(
            tokens.text(p) == self.name and tokens.text(p + 1) == "["
            for p in range(self.value, self.end)
        )

    def step(self, tokens: Tokens) -> None:
        if self.end == self.value + 1:
            # A 0 may mean a null pointer, which the value of a function does not.
            tokens.token(self.first).before += "{ ::cudacpu::warp_step(); "
        else:
            tokens.token(self.first).before += "{ "
            tokens.token(self.value).before += "::cudacpu::in_step(("
            tokens.token(self.end - 1).after += "))"
        tokens.token(self.end).after += " ::cudacpu::warp_step(); }"
