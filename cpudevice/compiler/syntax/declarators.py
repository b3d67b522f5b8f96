"""Declarations: where they end, and the names that they declare."""

from __future__ import annotations

from ..tokens import OPENERS, Tokens

# Words between a pointer's star and its name.
POINTER_WORDS = ("const", "volatile", "__restrict__", "__restrict", "restrict")
CLASS_KEYS = {"struct", "union", "class", "enum"}
# Tokens between the names of a type, and words that begin no declaration.
TYPE_SIGNS = ("::", "*", "&")
NOT_A_TYPE = ("return", "else", "do", "case", "goto", "delete", "throw", "sizeof", "not")


def declarators(tokens: Tokens, first: int, end: int) -> list[tuple[int, int]]:
    """(name, first position after the declarator) of each variable declared in [first, end)."""
    found: list[tuple[int, int]] = []
    name, p = -1, first
    naming = True  # until the name's brackets or its initial value begin
    while p <= end:
        text = tokens.text(p)
        if p == end or text == ",":
            if name >= 0:
                found.append((name, p))
            name, naming = -1, True
        elif text in ("alignas", "__align__", "__attribute__", "decltype", "__builtin_align__"):
            p = tokens.partner.get(p + 1, p)
        elif text == "<" and naming and tokens.is_name(p - 1):
            p = max(tokens.skip_angles(p) - 1, p)
        elif text == "(" and naming and name_in_brackets(tokens, p) >= 0:
            name = name_in_brackets(tokens, p)
            naming = False
            p = tokens.partner.get(p, p)
        elif text in OPENERS:
            if text == "[" and tokens.text(p + 1) != "[":
                naming = False
            if text == "{":
                # `struct { ... } name` or `name{value}`
                words = {tokens.text(q) for q in range(first, p)}
                naming = naming and bool(words & CLASS_KEYS)
                name = -1 if naming else name  # that of the type
            p = tokens.partner.get(p, p)
        elif text == "=":
            naming = False
        elif naming and tokens.token(p).kind == "name":
            name = p
        p += 1
    return found


def name_in_brackets(tokens: Tokens, opening: int) -> int:
    """The name in the brackets of `int (*name)(int)`, `int (&name)[4]` or `int (T::*name)`; -1
    if there is none.
    """
    p = opening + 1
    while tokens.is_name(p) and tokens.text(p + 1) == "::":
        p += 2
    if tokens.text(p) not in ("*", "&"):
        return -1
    inside = range(p, tokens.partner.get(opening, p))
    names = (q for q in inside if tokens.is_name(q) and tokens.text(q) not in POINTER_WORDS)
    return next(names, -1)


def statement_end(tokens: Tokens, position: int) -> int:
    """The semicolon that ends the declaration or statement; an error if there is none."""
    p = position
    while p < len(tokens.code) and tokens.text(p) != ";":
        if tokens.text(p) == "}":
            raise tokens.error(position, "this declaration does not end with a semicolon")
        p = tokens.partner.get(p, p) + 1 if tokens.text(p) in OPENERS else p + 1
    return p


def declares(tokens: Tokens, first: int, position: int) -> bool:
    """Whether the statement from `first` to the name is a type, so that it declares a variable."""
    p = first
    while p < position:
        text = tokens.text(p)
        if text == "<":
            after = tokens.skip_angles(p)
            if after == p:
                return False
            p = after
        elif (tokens.is_name(p) and text not in NOT_A_TYPE) or text in TYPE_SIGNS:
            p += 1
        else:
            return False
    return p == position > first and tokens.is_name(first)
