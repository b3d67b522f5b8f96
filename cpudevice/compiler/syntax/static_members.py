"""Constants of a class: nvcc takes a value for a static member of type float or double too.

static const float x = 1;     static constexpr float x = 1;
"""

from __future__ import annotations

from ..tokens import Tokens

FLOATING = {"float", "double"}


def allow_value(tokens: Tokens, static: int) -> None:
    """Makes the member constexpr, as C++ wants it, if it is such a constant with a value."""
    words = {tokens.text(static + 1): static + 1, tokens.text(static + 2): static + 2}
    if "const" in words and FLOATING & words.keys() and tokens.text(static + 4) == "=":
        tokens.token(words["const"]).out = "constexpr"
