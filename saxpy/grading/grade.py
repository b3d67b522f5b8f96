"""What `make check-saxpy` runs and how it is scored."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, Part, Scale
from grader.course.direct import grade_directly

# Around the edges of a float4, a warp and a block; odd and even; larger than a round of a grid.
SIZES = [1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1025, 100_003]


def sizes(extra: list[int]) -> list[Case]:
    """n = 0 carries no points: an output of nothing is right without any work."""
    return [Case("0", "--n 0", points=0)] + [Case(f"{n}", f"--n {n}") for n in SIZES + extra]


def three_arrays(options: dict[str, int]) -> int:
    return 3 * 4 * options["n"]


def speed(name: str, n: int, repeats: int, timeout_s: float = 10) -> Case:
    """Timed on a GPU; on the CPU device a 16th, for the model of a 16.5th of a GPU."""
    return Case(
        name,
        gpu=f"--n {n} --repeats {repeats}",
        cpu=f"--n {n >> 4}",
        gpu_bytes=three_arrays,
        timeout_s=timeout_s,
    )


def host_speed(
    name: str,
    n: int,
    repeats: int,
    share: float,
    scale: Scale,
    timeout_s: float = 10,
    points: float | None = None,
) -> Case:
    """The same for the host's work, which cannot be cut down as far with chunks of 2^18.

    24 chunks can be shared out evenly by 2, 3, 4, 6, 8 or 12 threads.
    """
    return Case(
        name,
        gpu=f"--n {n} --repeats {repeats}",
        cpu=f"--n {int(n * share)} --repeats 2",
        gpu_bytes=three_arrays,
        timeout_s=timeout_s,
        share=share,
        scale=scale,
        points=points,
    )


ASSIGNMENT = Assignment(
    name="saxpy",
    order=1,
    extras=("hello.cu", "managed.cu", "managed.py"),
    parts=[
        Part(
            name="saxpy",
            golden="--n 100003",
            weight=0.5,
            target="03_vectorised",
            # The first kernel takes 1.19 to 1.27 times as long on an H200. ± 1 % is noise, but
            # while the driver clears freed memory the solution has taken 1.05 times the target's
            # time.
            scale=Scale(1.08, 1.3),
            contract=(
                "void saxpy(int n, float scale, const float* x, const float* y, float* result);"
            ),
            cures={
                "blocks": "02_grid_stride",
                "latency": "03_vectorised",
                "issue": "03_vectorised",
                "misaligned": "03_vectorised",
            },
            correctness=[
                *sizes([]),
                # Under sanitize some rounds of the CPU device's grid do.
                Case("5000011", "--n 5000011", sanitize="--n 300011"),
                Case("aligned for float only", "--n 100003 --offset 1"),
                Case("each aligned differently", "--n 100003 --skew 1"),
            ],
            # Long enough that the launch is no part of the result: 50 us and more on an H200.
            speed=[
                speed("2^24", 1 << 24, 21),
                speed("10^8 + 1", 10**8 + 1, 21),
                speed("2^28", 1 << 28, 11, timeout_s=30),
            ],
        ),
        Part(
            name="saxpy_host",
            golden="--n 600001",
            weight=0.5,
            target="07_host_threads",
            contract=(
                "void saxpy_host"
                "(int n, float scale, const float* x, const float* y, float* result);"
            ),
            cures={
                "faults": "03_managed_prefetch",
                "pageable": "04_pinned",
                "no_overlap": "05_streams",
                "allocation": "06_kept_buffers",
                "host": "07_host_threads",
            },
            correctness=sizes([1_000_003]),
            # A call with buffers of an earlier call, and a long call.
            speed=[
                # With repeats the first call is not timed: a program keeps its buffers then.
                # Few points: from one start of a program to the next, a short copy of pageable
                # memory is as much as 14 % faster or slower (docs/grading.md).
                host_speed("2^20", 1 << 20, 21, share=1, points=10, scale=Scale(1.2, 2.8)),
                host_speed(
                    "2^26",
                    1 << 26,
                    7,
                    share=24 / 256,
                    timeout_s=60,
                    scale=Scale(1.2, 7, modelled_none=12),
                ),
            ],
        ),
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
