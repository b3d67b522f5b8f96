"""Calls of function templates that need the word `template` before the name.

nvcc accepts `x.f<3>()` and `X<T>::f<3>()` without it, even if the type of x, or X<T>, depends on
another.
"""

from __future__ import annotations

from ..tokens import Tokens
from .attributes import ALIGNED


def names_of_templates(tokens: Tokens) -> set[str]:
    """The names of all function templates: those of classes need `template` before some."""
    names = set()
    for p in range(len(tokens.code) - 1):
        if tokens.text(p) != "template" or tokens.text(p + 1) != "<":
            continue
        q = tokens.skip_angles(p + 1)
        while q < len(tokens.code) and tokens.text(q) not in ("(", ";", "{", "}", "="):
            q += 1
            if tokens.text(q) == "(" and tokens.text(q - 1) in (*ALIGNED, "decltype"):
                q = tokens.partner.get(q, q) + 1
        if tokens.text(q) == "(" and tokens.is_name(q - 1):
            names.add(tokens.text(q - 1))
    return names


def is_member(tokens: Tokens, position: int, in_function: bool) -> bool:
    """Whether the name is that of a member of an object, or of `X<T>::`.

    Outside of a function the name behind `X<T>::` is that of a member that is being defined.
    """
    before = tokens.text(position - 1)
    return before in (".", "->") or (
        before == "::" and tokens.text(position - 2) == ">" and in_function
    )


def call_template(tokens: Tokens, position: int) -> None:
    """Writes `template` before the name of a function template that is called by name<…>()."""
    if tokens.text(tokens.skip_angles(position + 1)) == "(" and tokens.text(position + 1) == "<":
        tokens.token(position).before += "template "
