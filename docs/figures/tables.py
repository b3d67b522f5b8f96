"""The tables of times in docs/: python3 docs/figures/tables.py [--measure]"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from grader.base.text import time_text  # noqa: E402
from harness.figures.page_tables import markdown, run  # noqa: E402


def freed_memory(stored: dict) -> str:
    rows = (
        [
            event,
            time_text(found["first"]),
            time_text(found["usual"]),
            f"{found['slow']:.0f}",
            time_text(found["slow for"]) if found["slow"] else "",
        ]
        for event, found in stored["freed_memory"]["times"].items()
    )
    head = ["what happened before", "first copy", "usual", "slow copies", "they take together"]
    return markdown(head, rows)


def repeat(stored: dict) -> str:
    """A row for each part: its first and its last rung and its solution, graded many times."""
    parts: dict[str, list[dict]] = {}
    for graded in stored["repeat"]["files"].values():
        parts.setdefault(graded["part"], []).append(graded)
    rows = ([part, counts(files), *map(spread, files)] for part, files in parts.items())
    return markdown(["part", "gradings", "first rung", "last rung", "solution"], rows)


def counts(files: list[dict]) -> str:
    least, most = (f(len(each["scores"]) for each in files) for f in (min, max))
    return f"{least}" if least == most else f"{least} to {most}"


def spread(graded: dict) -> str:
    """ "36.1 to 36.4, ± 0.3 %" """
    ratios, scores = graded["T/Tref"], graded["scores"]
    if not ratios:
        return "too noisy"
    low, high = (f"{value:.1f}".removesuffix(".0") for value in (min(scores), max(scores)))
    apart = 50 * (max(ratios) - min(ratios)) / statistics.median(ratios)
    return f"{low if low == high else f'{low} to {high}'}, ± {apart:.1f} %"


if __name__ == "__main__":
    run(
        Path(__file__),
        {"freed_memory": freed_memory, "repeat": repeat},
        experiments=[["freed_memory.py"]],
        page="grading.md",
        more={"repeat": HERE / "repeat.json"},
    )
