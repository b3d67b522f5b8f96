"""What `make check-scan` runs and how it is scored."""

import sys
from collections.abc import Iterable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from cpudevice.model.gpu import SLICE
from grader.course.declare import Assignment, Case, CourseScore, Part, Scale
from grader.course.direct import grade_directly

# Around the edges of a vector, a warp, a block and a tile; many tiles, the last tile incomplete.
SIZES = [1, 2, 3, 31, 32, 33, 1023, 1024, 1025, 65_537, 1_000_003]


def plain(n: int, values: str, points: float | None = None) -> Case:
    """Under sanitize large inputs are cut to some tiles, enough to see tiles meet."""
    sanitize = f"--n 20011 --values {values}" if n > 65_537 else None
    return Case(f"{n}", f"--n {n} --values {values}", sanitize=sanitize, points=points)


def special(name: str, options: str) -> Case:
    return Case(name, f"--n 100003 {options}", sanitize=f"--n 10007 {options}")


def right(cases: list[Case], values: str) -> list[Case]:
    """n = 0 carries no points: an output of nothing is right without any work."""
    return [
        Case("0", "--n 0", points=0),
        *cases,
        special("aligned for int only", f"--offset 1 --values {values}"),
    ]


def repeats(n: int) -> Case:
    """Enough repeats that finding none is not right by chance; a single element has no repeat."""
    values = "1" if n < 31 else "2" if n < 1023 else "10"
    return plain(n, values, points=0 if n == 1 else None)


def device_bytes(options: dict[str, int]) -> int:
    """Input, output, four arrays of scratch, and a copy of the output."""
    return 7 * 4 * options["n"]


# CS149's sizes, and smaller sizes, which take as long as the launches.
TIMED = {
    "10 k": 10_000,
    "100 k": 100_000,
    "1 M": 1_000_000,
    "2 M": 2_000_000,
    "10 M": 10_000_000,
    "20 M": 20_000_000,
    "40 M": 40_000_000,
}
GRADED = ("10 k", "1 M", "10 M", "20 M", "40 M")
# At small sizes the rungs below the target are as fast as the target, or faster.
ONLY_TIMED = ("10 k", "1 M")


def as_in_cs149(ratio: float) -> float:
    """Points of a size in CS149's assignment 3."""
    return 1.25 if ratio <= 1.2 else 1.25 / ratio


CS149 = CourseScore(
    "CS149",
    ("1 M", "10 M", "20 M", "40 M"),
    as_in_cs149,
    "1.25 a size up to 1.2 times the target's time, then in proportion to 1 / time",
)

# What occupies a few multiprocessors is not cut down: a 16th would need fewer launches.
SMALL = 100_000


def timed(names: Iterable[str], cpu: str = "") -> list[Case]:
    """Timed on a GPU; on the CPU device a 16th, for the model of a 16.5th of a GPU."""
    return [
        Case(
            name,
            gpu=f"--n {TIMED[name]} --repeats {21 if TIMED[name] < 40_000_000 else 11}",
            cpu=f"--n {TIMED[name] if TIMED[name] <= SMALL else TIMED[name] >> 4}{cpu}",
            gpu_bytes=device_bytes,
            timeout_s=30,
            points=0 if name in ONLY_TIMED else None,
            share=1 if TIMED[name] <= SMALL else SLICE,
        )
        for name in names
    ]


# With repeats the first call is not timed: a program makes kept objects then.
KEPT = " --repeats 2"
# A single thread takes seconds for each call.
HUGE = [
    Case("2^28", gpu=f"--n {1 << 28} --repeats 3", gpu_bytes=device_bytes, cpu="", timeout_s=60)
]


ASSIGNMENT = Assignment(
    name="scan",
    order=3,
    parts=[
        Part(
            name="exclusive_scan",
            golden="--n 40003",
            weight=0.5,
            target="07_reduce_then_scan",
            # From 1.26 (rung 6, ± 1.5 %; 1.2 in the model) to 18 times (rung 2).
            scale=Scale(1.06, 22),
            contract=(
                "void exclusive_scan(const int* input, int n, int* result, Workspace& workspace);"
            ),
            cures={
                "launch": "03_shared",
                "uncoalesced": "03_shared",
                "stores": "03_shared",
                "bank_conflict": "04_no_bank_conflicts",
                "shared": "05_warp_shuffles",
                "barriers": "05_warp_shuffles",
                "issue": "06_vectorised",
                "latency": "06_vectorised",
                "dram": "07_reduce_then_scan",
                "l2": "07_reduce_then_scan",
            },
            # All 32 bits: sums wrap around; and sums that stay 0 all the way.
            correctness=[
                *right([plain(n, "0") for n in SIZES], "0"),
                special("zeros", "--values 1"),
            ],
            speed=timed(GRADED),
            course_score=CS149,
            sweep=[*timed(TIMED), *HUGE],
        ),
        Part(
            name="find_repeats",
            golden="--n 40003",
            weight=0.5,
            target="02_fused",
            # Rung 1 takes 3.6 to 5 times as long.
            scale=Scale(1.2, 6),
            contract=(
                "int find_repeats(const int* input, int n, int* output, Workspace& workspace);"
            ),
            cures={
                "launch": "02_fused",
                "stores": "02_fused",
                "dram": "02_fused",
                "l2": "03_single_pass",
                "latency": "03_single_pass",
            },
            correctness=[
                *right([repeats(n) for n in SIZES], "10"),
                special("all repeats", "--values 1"),
                special("few repeats", "--values 1000"),
            ],
            speed=timed(GRADED, KEPT),
            course_score=CS149,
            sweep=[*timed(TIMED, KEPT), *HUGE],
        ),
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
