"""The handout's tables of times: python3 matmul/figures/tables.py [--take]

--take puts the times of the last `make ladder-matmul DEVICE=gpu` in place of the stored times.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.base.text import digits, time_text
from harness.figures.page_tables import Table, Times, run, titles

FIRST = "4096x4096x4096"


def with_rate(times: Times, case: str, entry: str) -> str:
    text = time_text(times[case][entry])
    if case != FIRST:
        return text
    rate = 2 * 4096**3 / times[case][entry] / 1e9  # operations per ms -> TFLOP/s
    shown = digits(rate) if rate < 1 else f"{rate:.1f}"
    return f"{text}, {shown} TFLOP/s" if entry == "01_naive" else f"{text}, {shown}"


def with_rates(times: Times, case: str, entry: str) -> str:
    """ "1.41 ms, 780": TFLOP/s behind each time"""
    operations = 2 * math.prod(map(int, case.split("x")))
    return f"{time_text(times[case][entry])}, {digits(operations / times[case][entry] / 1e9)}"


CASES = {
    FIRST: "4096 × 4096 × 4096",
    "8192x8192x8192": "8192 × 8192 × 8192",
    "4095x4097x4099": "4095 × 4097 × 4099",
    "262144x64x256": "262144 × 64 × 256",
}

run(
    Path(__file__),
    {
        "times": Table(
            "sgemm",
            CASES,
            titles(
                "01_naive",
                "02_coalesced",
                "03_shared_tile",
                "04_column_per_thread",
                "05_square_per_thread",
                "06_vectorised",
                "07_no_bank_conflicts",
                **{"08_async_copies": "8 asynchronous copies"},
                **titles("09_warp_tiles", "solution"),
                cublas_sgemm="cuBLAS sgemm",
            ),
            cell=with_rate,
        ),
        "tensor": Table(
            "tensor",
            CASES,
            titles(
                "01_shared_tile",
                "02_wmma",
                "03_large_tiles",
                **{"04_async_copies": "4 asynchronous copies"},
                **{"04_mma_sync": "4, beside: mma.sync"},
                **titles("05_swizzled", "06_warpgroups", "solution"),
                cublas_bf16="cuBLAS bf16, TFLOP/s behind the time",
            ),
            cell=with_rates,
        ),
    },
)
