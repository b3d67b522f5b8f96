"""What `make check-scan` runs and how it is scored."""

from grader.declare import Assignment, Case, Part

# Around the edges of a vector, a warp, a block and a tile; and many tiles.
SIZES = [1, 2, 3, 31, 32, 33, 1023, 1024, 1025, 65_537, 1_000_003]


ASSIGNMENT = Assignment(
    name="scan",
    parts=[
        Part(
            name="exclusive_scan",
            weight=0.5,
            target="07_reduce_then_scan",
            contract=(
                "void exclusive_scan(const int* input, int n, int* result, Workspace& workspace);"
            ),
            correctness=[Case(f"{n}", f"--n {n} --values 0") for n in SIZES],
            speed=[
                Case("2^20", "--n 1048576"),
            ],
        ),
        Part(
            name="find_repeats",
            weight=0.5,
            target="02_fused",
            contract=(
                "int find_repeats(const int* input, int n, int* output, Workspace& workspace);"
            ),
            correctness=[Case(f"{n}", f"--n {n}") for n in SIZES],
            speed=[
                Case("2^20", "--n 1048576"),
            ],
        ),
    ],
)
