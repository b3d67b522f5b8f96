"""The handout's tables of times: python3 sort/figures/tables.py [--take]

--take puts the times of the last `make ladder-sort DEVICE=gpu` in place of the stored times first.
The passes of a rung over the memory are counted as by the rung's loops: a launch is a pass.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.base.text import time_text
from harness.figures.page_tables import Table, markdown, run, titles

SIZES = {f"2^{power}": f"2^{power}" for power in (20, 22, 24, 27)}
LARGEST = 27
PAIR_BYTES = 8
PEAK_GBS = 4800  # of an H200, by its data sheet
NETWORKS = {
    "01_one_step_per_launch": "1 one step per launch (B2)",
    "02_shared_memory_steps": "2 steps in shared memory (+ C2)",
    "03_four_per_thread": "3 four per thread (+ B4)",
    "04_eight_per_thread": "4 eight per thread (+ B8)",
    "05_sixteen_per_thread": "5 sixteen per thread (+ B16)",
    "06_two_steps_in_shared": "6 two steps in shared memory (C4 for C2)",
    "07_without_shared": "7 without shared memory",
    "08_transposed": "8 transposed",
    "solution": "solution",
}
SHORT = ("1 B2", "2 + C2", "3 + B4", "4 + B8", "5 + B16", "6 C4", "7 no C", "8 turned", "solution")
# 2^27 pairs on an RTX 2080 Ti of 616 GB/s, from toropippi's notes: milliseconds by rung, and the
# bandwidth of B2 B4 B8 B16 C2 C4.
NOTES = {
    "01_one_step_per_launch": 1744,
    "02_shared_memory_steps": 1095,
    "03_four_per_thread": 735,
    "04_eight_per_thread": 614,
    "05_sixteen_per_thread": 556,
    "06_two_steps_in_shared": 552,
    "07_without_shared": 670,
}
SOURCE = ["toropippi, RTX 2080 Ti", "82", "176 GB", "552 ms", "319 GB/s", "51.8 %"]


def in_shared(stages: int, tile: int, steps: int) -> int:
    """Stages up to the tile's in a launch; of each later stage the last steps, and before the last
    steps the others, so many at a time."""
    later = range(1, stages - tile + 1)
    return 1 + sum(-(-left // steps) + 1 for left in later)


def turned(stages: int) -> int:
    """Rung 8: mirrored steps and short rests by themselves, five to ten steps in three passes."""
    passes = 1
    for bit in range(10, stages):
        passes += 2  # the mirrored step, and the last ten
        left = bit
        while left > 10:
            together = min(left - 10, 10)
            passes, left = (
                (passes + 3, left - together) if together >= 5 else (passes + 1, left - 1)
            )
    return passes


def passes_of(entry: str, stages: int) -> int:
    """Launches for 2^stages pairs."""
    if entry == "01_one_step_per_launch":
        return stages * (stages + 1) // 2
    if entry == "07_without_shared":
        return sum(-(-stage // 4) for stage in range(1, stages + 1))
    if entry == "08_transposed":
        return turned(stages)
    if entry == "solution":
        return in_shared(stages, tile=12, steps=8)
    if entry == "06_two_steps_in_shared":
        return in_shared(stages, tile=11, steps=4)
    return in_shared(stages, tile=10, steps=int(entry[:2]) - 1)


def every_size(stored: dict) -> str:
    times = stored["bitonic_sort"]["times"]
    sizes = [f"2^{power}" for power in range(8, LARGEST + 1)]
    rows = [[size, *(time_text(times[size][entry]) for entry in NETWORKS)] for size in sizes]
    return markdown(["n", *SHORT], rows)


def notes(stored: dict) -> str:
    """Times of 2^27 pairs beside the notes', with the speed-up over the first rung of each."""
    times = stored["bitonic_sort"]["times"][f"2^{LARGEST}"]
    first = next(iter(NOTES))
    rows = []
    for entry, ms in NOTES.items():
        theirs = (f"{ms} ms", f"{NOTES[first] / ms:.2f}×")
        ours = (time_text(times[entry]), f"{times[first] / times[entry]:.2f}×")
        rows.append([NETWORKS[entry], *theirs, *ours])
    head = ["2^27 pairs", "toropippi, RTX 2080 Ti", "speed-up", "H200", "speed-up"]
    return markdown(head, rows)


def bandwidth(stored: dict) -> str:
    """Each pass reads and writes all pairs."""
    times = stored["bitonic_sort"]["times"][f"2^{LARGEST}"]
    rows = []
    for entry, name in NETWORKS.items():
        passes = passes_of(entry, LARGEST)
        size = passes * 2 * PAIR_BYTES << LARGEST
        rate = size / times[entry] / 1e6
        share = f"{100 * rate / PEAK_GBS:.1f} %"
        figures = (f"{size / 1e9:.0f} GB", time_text(times[entry]), f"{rate:.0f} GB/s", share)
        rows.append([name, str(passes), *figures])
    return markdown(["2^27", "passes", "moved", "time", "rate", "of peak"], [*rows, SOURCE])


def against(first: str):
    def speed_up(stored: dict, entry: str) -> str:
        largest = stored["times"][f"2^{LARGEST}"]
        return f"{largest[first] / largest[entry]:.1f}×" if entry in largest else "–"

    return ("speed-up", speed_up)


TABLES = {
    "bitonic_sort": Table(
        "bitonic_sort",
        SIZES,
        NETWORKS,
        head="bitonic_sort",
        last=against("01_one_step_per_launch"),
    ),
    "notes": notes,
    "every_size": every_size,
    "bandwidth": bandwidth,
    "merge_sort": Table(
        "merge_sort",
        SIZES,
        titles(
            "01_thread_per_merge",
            "02_rank_merge",
            "03_sample_ranks",
            "04_merge_path",
            "05_in_registers",
            solution="solution",
            cub_merge_sort="CUB DeviceMergeSort",
            **titles("06_radix"),
            cub_radix_sort="CUB DeviceRadixSort",
        ),
        head="merge_sort",
        last=against("02_rank_merge"),
    ),
}

if __name__ == "__main__":
    run(Path(__file__), TABLES)
