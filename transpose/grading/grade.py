"""The cases of transpose/. Sizes straddle the edges of tiles (32, 64) and of grids (65535)."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, Part, Scale
from grader.course.direct import grade_directly


def matrix(rows: int, cols: int, points: float | None = None) -> Case:
    """A matrix of the shape, on either device."""
    return Case(f"{rows}x{cols}", f"--rows {rows} --cols {cols}", points=points)


def timed(gpu: tuple[int, int], cpu: tuple[int, int]) -> Case:
    """21 matrices on a GPU; on the CPU device a matrix of about a 16th, for a 16th of a GPU."""
    return Case(
        f"{gpu[0]}x{gpu[1]}",
        gpu=f"--rows {gpu[0]} --cols {gpu[1]} --repeats 21",
        cpu=f"--rows {cpu[0]} --cols {cpu[1]}",
        gpu_bytes=lambda options: 2 * 4 * options["rows"] * options["cols"],
        share=cpu[0] * cpu[1] / (gpu[0] * gpu[1]),
    )


ASSIGNMENT = Assignment(
    name="transpose",
    order=2,
    parts=[
        Part(
            name="transpose",
            golden="--rows 200 --cols 132",
            starter_points=20,
            correctness_points=20,
            contract="void transpose(const float* input, int rows, int cols, float* output);",
            target="05_more_per_thread",
            # The starter takes 4.5 to 6.4 times as long, by the model at least 3.85 times; rung 3
            # at least 1.47 and 1.25 times.
            scale=Scale(1.15, 3.8),
            cures={
                "uncoalesced": "02_shared",
                "stores": "02_shared",
                "bank_conflict": "03_padded",
                "shared": "03_padded",
                "latency": "05_more_per_thread",
            },
            correctness=[
                # Nothing to write: an empty function passes, so the cases earn nothing.
                matrix(0, 0, points=0),
                matrix(0, 5, points=0),
                matrix(7, 0, points=0),
                matrix(1, 1),
                matrix(2, 3),
                matrix(3, 2),
                matrix(31, 33),
                matrix(32, 32),
                matrix(33, 31),
                matrix(63, 65),
                matrix(64, 64),
                matrix(64, 68),
                matrix(100, 36),
                matrix(256, 257),
                matrix(1023, 1025),
                matrix(1024, 1024),
                matrix(1000, 33),
                matrix(1, 1000),
                # More than 65535 tiles one below the other, in the input and in the output; on a
                # GPU also with tiles of up to 152 rows.
                Case(
                    "tall",
                    gpu="--rows 10000000 --cols 1",
                    cpu="--rows 2100000 --cols 1",
                    sanitize="--rows 100000 --cols 1",
                    timeout_s=30,
                ),
                Case(
                    "wide",
                    gpu="--rows 1 --cols 10000000",
                    cpu="--rows 1 --cols 2100000",
                    sanitize="--rows 1 --cols 100000",
                    timeout_s=30,
                ),
            ],
            speed=[
                timed(gpu=(8192, 8192), cpu=(2048, 2048)),
                # Rows begin in the same places of a sector and of a line on both devices.
                timed(gpu=(1000, 100_000), cpu=(232, 26_000)),
                # No row but the first begins on a 16-byte boundary.
                timed(gpu=(8191, 8193), cpu=(2047, 2049)),
            ],
        )
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
