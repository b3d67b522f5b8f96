"""What `make check-sort` runs and how it is scored."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, Part, Scale
from grader.course.direct import grade_directly

# Around the edges of a warp and of tiles, and far from a power of two. Under sanitize large
# sizes are as small as several tiles with an incomplete last tile allow.
SIZES = [2, 3, 31, 32, 33, 1023, 1024, 1025]


def sizes() -> list[Case]:
    """n = 0 and n = 1 carry no points: the input is the answer. Two or three keys descend, as
    random keys would often be in order."""
    return [
        Case("0", "--n 0", points=0),
        Case("1", "--n 1", points=0),
        *(Case(f"{n}", f"--n {n} --input descending") for n in SIZES if n in (2, 3)),
        *(Case(f"{n}", f"--n {n}") for n in SIZES if n > 3),
        Case("65537", "--n 65537", sanitize="--n 4099"),
        Case("1000003", "--n 1000003", sanitize="--n 17011", timeout_s=30),
    ]


def inputs(*names: str) -> list[Case]:
    """Keys that are not random: by the million on a GPU. No points where they are in order."""
    return [
        Case(
            name,
            gpu=f"--n 1000003 --input {name}",
            cpu=f"--n 20011 --input {name}",
            sanitize=f"--n 2053 --input {name}",
            points=0 if name in ("equal", "ascending") else None,
        )
        for name in names
    ]


def pairs(options: dict[str, int]) -> int:
    """Keys and values, the workspace with another copy of them, and a copy of each repeat."""
    return 8 * options["n"] * (2 + options.get("repeats", 1)) + (4 << 20)


# 2^8 ... 2^27 on a GPU; networks at every power of two, merges at every other one.
POWERS = range(8, 28)


def network(options: dict[str, int]) -> float:
    """The comparators of a bitonic network: n times its k (k + 1) / 2 stages, n = 2^k."""
    stages = (options["n"] - 1).bit_length()
    return options["n"] * stages * (stages + 1)


def merges(options: dict[str, int]) -> float:
    """The comparisons of a merge sort: n log n."""
    return options["n"] * (options["n"] - 1).bit_length()


def by_size(work: Callable[[dict[str, int]], float]) -> dict[int, Case]:
    """On the CPU device a 16th of every other size, 2^8 ... 2^20, for a slice of a GPU.

    A larger input takes more rounds, so a 16th of it is less than a 16th of the work: the slice is
    the share of the work. At 2^20 a quarter of the input is sorted, which comes nearer, and is the
    same run as for 2^22.
    """
    repeats = {22: 5, 23: 5} | dict.fromkeys(range(24, 28), 3)
    found = {}
    for power in POWERS:
        n, fewer = 1 << power, 1 << power - (2 if power == 20 else 4)
        found[power] = Case(
            f"2^{power}",
            gpu=f"--n {n} --repeats {repeats.get(power, 11)}",
            cpu=f"--n {fewer}" if power in range(12, 25, 2) else "",
            gpu_bytes=pairs,
            # A single thread that merges everything, as in merge_sort's first rung, takes long.
            timeout_s=20 if power == 22 else 10,
            share=work({"n": fewer}) / work({"n": n}),
            work=work,
        )
    return found


NETWORKS, MERGES = by_size(network), by_size(merges)


ASSIGNMENT = Assignment(
    name="sort",
    order=4,
    parts=[
        Part(
            name="bitonic_sort",
            golden="--n 10007",
            weight=0.5,
            target="04_eight_per_thread",
            # Rung 3 takes 1.12 times as long, rung 1 from 2.5 times on.
            scale=Scale(1.04, 1.9),
            contract=(
                "void bitonic_sort(float* keys, unsigned* indices, int n, Workspace& workspace);"
            ),
            cures={
                "launch": "02_shared_memory_steps",
                "stores": "03_four_per_thread",
                "dram": "03_four_per_thread",
                "l2": "03_four_per_thread",
                "latency": "04_eight_per_thread",
                "shared": "06_two_steps_in_shared",
            },
            correctness=[
                *sizes(),
                *inputs(
                    "equal",
                    "few",
                    "ends",
                    "ascending",
                    "nearly",
                    "descending",
                    "saw",
                    "special",
                    "bits",
                ),
            ],
            speed=[NETWORKS[20], NETWORKS[22]],
            sweep=list(NETWORKS.values()),
        ),
        Part(
            name="merge_sort",
            golden="--n 20011",
            weight=0.5,
            target="04_merge_path",
            # Rungs 2 and 3 take 1.6 and 1.7 times as long. The model has 1.8 and 1.7 times, and for
            # rung 5 1.02 times.
            scale=Scale(1.06, 2, modelled_none=2.4),
            contract=(
                "void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace);"
            ),
            cures={
                "latency": "02_rank_merge",
                "uncoalesced": "03_sample_ranks",
                "stores": "03_sample_ranks",
                "l2": "03_sample_ranks",
                "shared": "05_in_registers",
                "issue": "05_in_registers",
            },
            correctness=[
                *sizes(),
                *inputs("equal", "few", "ends", "ascending", "nearly", "descending", "saw"),
            ],
            # At 2^20 the L2 cache holds everything, and the rungs are too close.
            speed=[replace(MERGES[20], points=0), MERGES[22]],
            sweep=[MERGES[power] for power in (*POWERS[:17:2], 27)],
        ),
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
