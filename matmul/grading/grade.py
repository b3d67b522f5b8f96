"""What matmul/ is graded on. Sizes straddle the edges of vectors, warps and tiles."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, Part, Scale
from grader.course.direct import grade_directly


def options(m: int, n: int, k: int) -> str:
    return f"--m {m} --n {n} --k {k}"


def product(
    m: int, n: int, k: int, points: float | None = None, small: tuple[int, int, int] | None = None
) -> Case:
    """An m x k matrix times a k x n matrix; `small` is what sanitize sees of a larger one."""
    sanitize = options(*small) if small else None
    return Case(f"{m}x{n}x{k}", options(m, n, k), sanitize=sanitize, points=points)


def device_bytes(options: dict[str, int]) -> int:
    """Three matrices, and a copy of the result for each repeat; as if all were floats."""
    m, n, k = options["m"], options["n"], options["k"]
    return 4 * (m * k + k * n + m * n * (1 + options.get("repeats", 1)))


SHARE = 2 / 132  # of an H200's multiprocessors


def timed(
    gpu: tuple[int, int, int],
    cpu: tuple[int, int, int],
    repeats: int,
    points: float | None = None,
    share: float = SHARE,
) -> Case:
    """On the CPU device a small product for two multiprocessors: a slice of a large product is
    too much to count, and the small product is in proportion where the intensity is the same. A
    large product has eight tiles of 128 x 128, as many as the CPU device has multiprocessors: with
    fewer, a program would choose smaller tiles than on a GPU. A product that is small on a GPU too
    is run as declared, beside a whole GPU."""
    return Case(
        "x".join(map(str, gpu)),
        gpu=f"{options(*gpu)} --repeats {repeats}",
        cpu=options(*cpu),
        gpu_bytes=device_bytes,
        timeout_s=60,
        points=points,
        share=share,
    )


# Of both parts. Sizes straddle the edges of 16-byte chunks, fragments and tiles.
CORRECTNESS = [
    # Nothing to write: an empty function passes, so the cases earn nothing.
    product(0, 5, 3, points=0),
    product(4, 0, 3, points=0),
    # A sum of no products is 0.
    product(5, 7, 0),
    product(1, 1, 1),
    product(2, 3, 5),
    product(31, 33, 32),
    product(32, 32, 32),
    product(33, 31, 65),
    product(64, 64, 64),
    product(65, 66, 7),
    product(127, 129, 17),
    product(128, 128, 16),
    product(130, 260, 36),
    product(1, 1000, 100),
    product(1000, 1, 100),
    product(100, 100, 1),
    product(17, 19, 3001),
    product(255, 257, 259, small=(129, 130, 19)),
]

ASSIGNMENT = Assignment(
    name="matmul",
    order=7,
    parts=[
        Part(
            name="sgemm",
            weight=0.5,
            golden="--m 131 --n 148 --k 36",
            contract=("void sgemm(int m, int n, int k, const float* a, const float* b, float* c);"),
            target="07_no_bank_conflicts",
            # Rung 6 takes 1.15 times as long or more, rung 2 up to 5.7 times.
            scale=Scale(1.04, 6),
            cures={
                "uncoalesced": "02_coalesced",
                "stores": "02_coalesced",
                "l2": "03_shared_tile",
                "dram": "03_shared_tile",
                "shared": "05_square_per_thread",
                "issue": "05_square_per_thread",
                "bank_conflict": "07_no_bank_conflicts",
                "latency": "08_async_copies",
                "barriers": "09_warp_tiles",
            },
            correctness=CORRECTNESS,
            speed=[
                timed((4096, 4096, 4096), (512, 256, 256), repeats=11),
                timed((8192, 8192, 8192), (256, 512, 256), repeats=5),
                # No row but the first begins on a 16-byte boundary.
                timed((4095, 4097, 4099), (255, 257, 259), repeats=11),
                # Half of the columns of the target's tiles are empty: rung 4 is as fast.
                timed((262144, 64, 256), (2048, 64, 128), repeats=11, points=0),
                # Four tiles of the target's: no measure of it.
                timed((256, 256, 256), (256, 256, 256), repeats=21, points=0, share=1),
            ],
        ),
        Part(
            name="tensor",
            weight=0.5,
            golden="--m 131 --n 152 --k 40",
            contract=(
                "void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, "
                "float* c);"
            ),
            target="05_swizzled",
            # Rung 4 takes 3.5 times as long, rung 2 16 times; the model has 1.4 and 4.8.
            scale=Scale(1.1, 40, modelled_none=16),
            cures={
                "issue": "02_wmma",
                "shared": "03_large_tiles",
                "latency": "04_async_copies",
                "bank_conflict": "05_swizzled",
            },
            correctness=CORRECTNESS,
            speed=[
                timed((4096, 4096, 4096), (512, 256, 256), repeats=11),
                timed((8192, 8192, 8192), (256, 512, 256), repeats=11),
                # No row but the first begins on a 16-byte boundary: elements go singly through
                # registers on every rung, and the ladder's ideas do not decide.
                timed((4095, 4097, 4099), (255, 257, 259), repeats=11, points=0),
                # What memory delivers counts as much as what is done with it.
                timed((262144, 64, 256), (2048, 64, 128), repeats=11, points=0),
                # Four tiles of the target's: no measure of it.
                timed((256, 256, 256), (256, 256, 256), repeats=21, points=0, share=1),
            ],
        ),
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
