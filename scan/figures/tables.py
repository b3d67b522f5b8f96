"""The handout's tables of times: python3 scan/figures/tables.py [--take]

--take puts the times of the last `make ladder-scan DEVICE=gpu` in place of the stored times first.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.base.text import time_text
from harness.figures.page_tables import Table, Times, markdown, run, title, titles

SIZES = {name: name for name in ("10 k", "1 M", "10 M", "40 M")}
# Bytes that any solution must move at 2^28: a copy; a read, and a tenth written.
HUGE = "2^28"
# Notes in Chinese on CS149's assignment 3, on an RTX 3090: the times in ms of the course's program
# and of the author's, which sweeps a tree in global memory, as rung 2 does.
NOTES = {
    "exclusive_scan": {
        "10 k": (0.190, 0.092),
        "100 k": (0.325, 0.127),
        "1 M": (0.481, 0.293),
        "2 M": (0.725, 0.522),
    },
    "find_repeats": {
        "10 k": (0.227, 0.087),
        "100 k": (0.384, 0.142),
        "1 M": (0.815, 0.615),
        "2 M": (1.243, 0.942),
    },
}
MOVED = {"exclusive_scan": 8 << 28, "find_repeats": 4.4 * (1 << 28)}
SHOWN = {
    "exclusive_scan": ("02_sweeps", "cub_exclusive_sum", "solution"),
    "find_repeats": ("cub_flagged", "solution"),
}
NAMES = {
    "cub_exclusive_sum": "CUB ExclusiveSum",
    "thrust_exclusive_scan": "thrust",
    "copy": "copy",
    "cub_flagged": "CUB Select::Flagged",
    "cub_if": "CUB Select::If",
    "thrust_copy_if": "thrust copy_if",
}


def named(*entries: str) -> dict[str, str]:
    return {entry: NAMES.get(entry, title(entry)) for entry in entries}


def with_share(times: Times, case: str, entry: str) -> str:
    text = time_text(times[case][entry])
    if case != "40 M" or entry == "01_one_thread":
        return text
    share = times[case]["copy"] / times[case][entry]
    return f"{text} ({share:.0%})".replace("%", " %")


def huge(stored: dict) -> str:
    rows = []
    for part, entries in SHOWN.items():
        times = stored[part]["times"][HUGE]
        for entry, name in named(*entries).items():
            rate = f"{MOVED[part] / times[entry] / 1e6:.0f} GB/s"
            rows.append([f"{part}, {name}", time_text(times[entry]), rate])
    return markdown(["2²⁸", "time", "rate"], rows)


def notes(stored: dict) -> str:
    """The notes' times beside those of rung 2, of the target rung and of the solution."""
    rows = []
    for part, sizes in NOTES.items():
        swept = {"exclusive_scan": "02_sweeps", "find_repeats": "01_flags_scan_scatter"}[part]
        for size, theirs in sizes.items():
            times = stored[part]["times"][size]
            ours = (times[swept], times["solution"])
            rows.append([f"{part}, {size}", *map(time_text, (*theirs, *ours))])
    head = ["", "CS149's program", "the notes, RTX 3090", "our rung", "our solution, H200"]
    return markdown(head, rows)


run(
    Path(__file__),
    {
        "exclusive_scan": Table(
            "exclusive_scan",
            SIZES,
            titles(
                "01_one_thread",
                "02_sweeps",
                "03_shared",
                "04_no_bank_conflicts",
                "05_warp_shuffles",
                "06_vectorised",
                **{
                    "07_reduce_then_scan": "7 reduce, then scan",
                    "08_decoupled_lookback": "8 decoupled look-back",
                },
                **named("solution", "cub_exclusive_sum", "thrust_exclusive_scan", "copy"),
            ),
            head="exclusive_scan",
            cell=with_share,
        ),
        "find_repeats": Table(
            "find_repeats",
            SIZES,
            {"01_flags_scan_scatter": "1 flags, scan, scatter"}
            | named("02_fused", "03_single_pass", "solution")
            | named("cub_flagged", "cub_if", "thrust_copy_if"),
            head="find_repeats, 10 % repeats",
        ),
        "huge": huge,
        "notes": notes,
    },
)
