"""What `make check-sort` runs and how it is scored."""

from dataclasses import replace

from grader.course.declare import Assignment, Case, Part, Scale

# Around the edges of a warp and of tiles, and far from a power of two. Under sanitize large ones
# are as small as several tiles with an incomplete last one allow.
SIZES = [2, 3, 31, 32, 33, 1023, 1024, 1025]


def sizes() -> list[Case]:
    """n = 0 and n = 1 carry no points: there the input is the answer. Two or three keys descend, as
    random ones would often be in order."""
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


def by_size() -> dict[int, Case]:
    """On the CPU device a 16th of every other size, 2^8 ... 2^20, for a slice of a GPU."""
    repeats = {22: 5, 23: 5} | dict.fromkeys(range(24, 28), 3)
    return {
        power: Case(
            f"2^{power}",
            gpu=f"--n {1 << power} --repeats {repeats.get(power, 11)}",
            cpu=f"--n {1 << power - 4}" if power in range(12, 25, 2) else "",
            gpu_bytes=pairs,
            # One thread that merges everything, as in the first rung of merge_sort, takes its time.
            timeout_s=20 if power == 22 else 10,
        )
        for power in POWERS
    }


BY_SIZE = by_size()


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
            scale=Scale(1.04, 2.6),
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
            speed=[BY_SIZE[20], BY_SIZE[22]],
            sweep=list(BY_SIZE.values()),
        ),
        Part(
            name="merge_sort",
            golden="--n 20011",
            weight=0.5,
            target="04_merge_path",
            # Rungs 2 and 3 take 1.6 and 1.7 times as long.
            scale=Scale(1.05, 2),
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
            speed=[replace(BY_SIZE[20], points=0), BY_SIZE[22]],
            sweep=[BY_SIZE[power] for power in (*POWERS[:17:2], 27)],
        ),
    ],
)
