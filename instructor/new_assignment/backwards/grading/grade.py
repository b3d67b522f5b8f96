"""What backwards/ is graded on. Sizes straddle the edges of vectors, warps, blocks and grids."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, Part
from grader.course.direct import grade_directly

SIZES = [1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 65_537, 1_000_003]


def timed(name: str, n: int) -> Case:
    """21 arrays on a GPU; on the CPU device an array of a 16th of n, for the model of a slice."""
    return Case(
        name,
        gpu=f"--n {n} --repeats 21",
        cpu=f"--n {n >> 4}",
        gpu_bytes=lambda options: 2 * 4 * options["n"],
    )


ASSIGNMENT = Assignment(
    name="backwards",
    parts=[
        Part(
            name="backwards",
            contract="void backwards(const int* input, int n, int* output);",
            target="02_coalesced",
            cures={"uncoalesced": "02_coalesced", "stores": "02_coalesced"},
            golden="--n 100003",
            correctness=[
                # Nothing to write: an empty function passes, so the case earns nothing.
                Case("0", "--n 0", points=0),
                *(Case(f"{n}", f"--n {n}") for n in SIZES),
            ],
            speed=[timed("2^26", 1 << 26), timed("2^26 - 1", (1 << 26) - 1)],
        )
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
