"""What an operator does to the names beside it, as far as the tokens show."""

from __future__ import annotations

from ..tokens import Tokens
from .statements import KEYWORDS

COMPOUND = set("+-*/%&|^")
SHIFTS = {("<", "<="), (">", ">=")}  # the tokens of <<= and >>=


def is_changed(code: Tokens, place: int) -> bool:
    """Whether a name here may be changed: assigned to, counted, or pointed at."""
    if not code.is_name(place):
        return False
    return code.text(place - 1) in ("++", "--", "&") or is_assigned_before(code, place + 1)


def is_prefix(code: Tokens, place: int) -> bool:
    """Whether the operator here is a prefix: it has no operand on its left."""
    before = code.text(place - 1)
    if code.is_name(place - 1):
        return before in KEYWORDS
    if before == ")":  # as in `if (t == 0) *sum = s;`
        return closes_head(code, place - 1)
    return code.token(place - 1).kind == "punctuation" and before != "]"


def is_assigned_before(code: Tokens, place: int) -> bool:
    """Whether the operator at this place changes what stands before it."""
    sign, behind = code.text(place), code.text(place + 1)
    if sign in ("++", "--", "="):
        return True
    return (sign in COMPOUND and behind == "=") or (sign, behind) in SHIFTS


def closes_head(code: Tokens, place: int) -> bool:
    """Whether the head of a statement, as of `if (n > 0)`, ends with the parenthesis here."""
    opening = code.partner.get(place, place)
    return code.text(opening - 1) in ("if", "for", "while", "constexpr")
