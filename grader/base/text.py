"""Formats numbers and names for people: times, rates, points, and the nearest of known names."""

import difflib
from collections.abc import Iterable


def time_text(ms: float | None) -> str:
    """Three significant digits with a unit: 964 µs, 2.01 ms, 1.24 s."""
    if ms is None:
        return ""
    for limit, factor, unit in ((1.0, 1e3, "µs"), (1e3, 1.0, "ms"), (float("inf"), 1e-3, "s")):
        if ms < limit * 0.9995:
            return f"{digits(ms * factor)} {unit}"
    return ""


def digits(value: float) -> str:
    """Three significant digits, never with an exponent."""
    if value >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def rate_text(size: float, ms: float | None) -> str:
    return f"{digits(size / ms / 1e6)} GB/s" if size and ms else ""


def points_text(points: float) -> str:
    """At most two decimals and no trailing zeros: 40, 2.86, 0.5."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def of_text(score: float, maximum: float) -> str:
    return f"{points_text(score)} / {points_text(maximum)}"


def count_text(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def choose(kind: str, given: str, known: Iterable[str]) -> str:
    """`There is no assignment "transpos": did you mean transpose?`"""
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


def printable(text: str) -> str:
    """The student's output without control characters, which would move about in the terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() else "�" for c in text)


def title_of(assignment: str, part: str) -> str:
    """`scan · exclusive_scan`, or the assignment alone if its only part has the same name."""
    return " · ".join(dict.fromkeys((assignment, part)))


def replaced(text: str, begin: str, end: str, between: str) -> str:
    """A page's text with `between` in place of the text between two of its comments."""
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{between}{end}{after}"
