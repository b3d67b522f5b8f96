"""One sentence for a name that does not exist, with the nearest that do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def choose(kind: str, given: str, known: Iterable[str]) -> str:
    """'There is no assignment "transpos": did you mean transpose?'"""
    known = list(dict.fromkeys(known))
    by_lower = {name.lower(): name for name in known}
    near = difflib.get_close_matches(given.lower(), by_lower, n=3, cutoff=0.55)
    near += [low for low in by_lower if given.lower() in low and low not in near][: 3 - len(near)]
    start = f'There is no {kind} "{given}"'
    if near:
        return f"{start}: did you mean {join_or([by_lower[low] for low in near])}?"
    if not known:
        return f"{start}: there is none at all."
    if len(known) > 12:
        return f"{start}; there is {', '.join(known[:12])}, …"
    return f"{start}; there is {', '.join(known)}."


def join_or(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
