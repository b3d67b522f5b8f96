"""The handout's table of times: python3 transpose/figures/tables.py [--take]

--take puts the times of the last `make ladder-transpose DEVICE=gpu` in place of the stored times
first.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from harness.figures.page_tables import Table, markdown, run, share_of, titles

BLOCKS = range(8, 0, -1)  # on a multiprocessor
BLOCK_SHARE = 256 / 2048  # of the threads of a multiprocessor


def occupancy(stored: dict) -> str:
    """The rotated kernel, with a ballast of shared memory that lets so many blocks fit."""
    times = stored["occupancy"]["times"]
    shares = [f"{int(100 * blocks * BLOCK_SHARE)} %" for blocks in BLOCKS]
    shown = [f"{1000 * times[f'{blocks} blocks']['rotated']:.1f} µs" for blocks in BLOCKS]
    head = ["blocks per multiprocessor", *map(str, BLOCKS)]
    return markdown(head, [["occupancy", *shares], ["time", *shown]])


run(
    Path(__file__),
    {
        "times": Table(
            "transpose",
            {
                "8192x8192": "8192 × 8192",
                "1000x100000": "1000 × 100 000",
                "8191x8193": "8191 × 8193",
            },
            titles(
                "01_naive",
                "02_shared",
                "03_padded",
                "04_rotated",
                "05_more_per_thread",
                "06_vectorised",
                "solution",
                cublas_geam="cuBLAS geam",
                copy="copy",
            ),
            cell=share_of("copy"),
        ),
        "occupancy": occupancy,
    },
    experiments=[["occupancy.py"]],
)
