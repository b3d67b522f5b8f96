"""Numbers as people read them: times, rates, points."""

from __future__ import annotations


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
