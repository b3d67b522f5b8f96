"""The handout's tables of times: python3 saxpy/figures/tables.py [--take]

--take puts the times of the last `make ladder-saxpy DEVICE=gpu` in place of the stored times first.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.base.text import time_text
from harness.figures.page_tables import Table, Times, run, titles

BYTES = {"2^24": 12 << 24, "10^8 + 1": 12 * (10**8 + 1), "2^28": 12 << 28}


def with_rate(times: Times, case: str, entry: str) -> str:
    rate = BYTES[case] / times[case][entry] / 1e6
    return f"{time_text(times[case][entry])}, {rate:.0f} GB/s"


def of_the_limit(stored: dict, entry: str) -> str:
    share = stored["limits"]["2^26"] / stored["times"]["2^26"][entry]
    return f"{share:.0%}".replace("%", " %")


run(
    Path(__file__),
    {
        "saxpy": Table(
            "saxpy",
            {"2^24": "2²⁴", "10^8 + 1": "10⁸ + 1", "2^28": "2²⁸"},
            titles(
                "01_first_kernel",
                **{"02_grid_stride": "2 grid-stride"},
                **titles("03_vectorised", "04_more_in_flight", "solution"),
                cublas_saxpy="cuBLAS copy + axpy",
                thrust_transform="thrust",
                cub_transform="CUB DeviceTransform",
                copy="copy",
            ),
            cell=with_rate,
        ),
        "saxpy_host": Table(
            "saxpy_host",
            {"2^20": "2²⁰", "2^26": "2²⁶"},
            titles(
                "01_pageable",
                "02_managed",
                **{"03_managed_prefetch": "3 prefetch"},
                **titles("04_pinned", "05_streams", "06_kept_buffers", "07_host_threads"),
                solution="solution",
                thrust_vectors="thrust vectors",
            ),
            last=("of the limit", of_the_limit),
        ),
    },
)
