"""Finds loops that end whatever other threads do, so that no thread can wait in one."""

from __future__ import annotations

from ..tokens import Tokens
from .operators import is_changed
from .statements import LOOPS, NotInLockstep, Reader


def is_in_counted_loops(code: Tokens, place: int, first: int) -> bool:
    """Whether all loops around this place, in the code from `first` on, count to a fixed end.

    The result of an atomic function decides in no such loop whether there is another round, as it
    does in the loop of a lock.
    """
    reader = Reader(code)
    try:
        return all(
            is_counted(reader, p)
            for p in range(first, place)
            if code.text(p) in LOOPS and reader.end(p) >= place
        )
    except NotInLockstep:
        return False


def is_counted(reader: Reader, loop: int) -> bool:
    code, text = reader.code, reader.code.text
    if text(loop) != "for":
        return False
    closing, begin = code.partner[loop + 1], reader.end(loop + 2)
    if begin > closing:
        return False  # over a range, which may be of any class
    end = reader.end(begin + 1)
    condition, last = range(begin + 1, end), reader.end(loop)
    if any(text(p) in ("(", "[", "*", "->", "::") or is_changed(code, p) for p in condition):
        return False
    names = {text(p) for p in condition if code.is_name(p)}
    counted = {text(p) for p in range(end + 1, closing) if is_changed(code, p)}
    return bool(names & counted) and not any(
        text(p) in names and is_changed(code, p) for p in range(closing + 1, last + 1)
    )
