"""The tables of times in docs/: python docs/figures/tables.py [--measure]"""

from __future__ import annotations

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


run(
    Path(__file__),
    {"freed_memory": freed_memory},
    experiments=[["freed_memory.py"]],
    page="grading.md",
)
