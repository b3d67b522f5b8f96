"""What `make check-stencil` runs and how it is scored."""

from grader.declare import Assignment, Case, Part

# Around the edges of a word, a block and a list; at the end larger than one round of most grids.
SIZES = [1, 31, 32, 33, 1023, 1024, 1025, 65_537]
LARGE = 1_000_003
LIGHT = 1
HEAVY = 128


def sizes(n_of_last: int = LARGE) -> list[Case]:
    """Half of the items at random; n = 0 earns nothing, since nothing is right without any work."""
    cases = [Case("0", "--n 0", points=0)]
    # Of few items some are active in any case: all.
    cases += [Case(f"{n}", f"--n {n} --percent {100 if n < 31 else 50}") for n in SIZES]
    return [*cases, Case(f"{n_of_last}", f"--n {n_of_last}")]


def masks() -> list[Case]:
    """One size, all kinds of masks. An empty one is right without any work."""
    return [
        Case("all clear", f"--n {LARGE} --percent 0", points=0),
        Case("all set", f"--n {LARGE} --percent 100"),
        Case("alternating", f"--n {LARGE} --mask alternating"),
        Case("one item", f"--n {LARGE} --mask one"),
        Case("1 % at random", f"--n {LARGE} --percent 1"),
        Case("in groups", f"--n {LARGE} --mask blocked --percent 40 --rounds 5"),
    ]


def lengths() -> list[Case]:
    """Full and partly filled lists. An empty list is right without any work."""
    kinds = ["even", "tail", "warps", "ramp"]
    cases = [Case("0", "--n 0", points=0), Case("empty", "--n 65537 --percent 0", points=0)]
    cases += [Case(f"{n}", f"--n {n} --work ramp --percent {70 if n > 33 else 100}") for n in SIZES]
    return cases + [
        Case(
            f"{LARGE}, {kind}",
            gpu=f"--n {LARGE} --work {kind} --percent 90",
            cpu=f"--n {LARGE >> 3} --work {kind} --percent 90",
        )
        for kind in kinds
    ]


def timed_lengths(name: str, options: str) -> Case:
    """2^22 places for items on a GPU, a 16th of them for the model of a slice."""
    return Case(
        name,
        gpu=f"--n {1 << 22} {options} --repeats 21",
        cpu=f"--n {1 << 18} {options}",
        gpu_bytes=lambda sizes: 8 * sizes["n"],
        timeout_s=30,
    )


def timed(name: str, mask: str, rounds: int, bytes_per_item: float) -> Case:
    """2^26 items on a GPU; on the CPU device a 16th of them, for the model of a slice."""
    return Case(
        name,
        gpu=f"--n {1 << 26} {mask} --rounds {rounds} --repeats 11",
        cpu=f"--n {1 << 22} {mask} --rounds {rounds}",
        gpu_bytes=lambda options: int(bytes_per_item * options["n"]),
        timeout_s=30,
    )


ASSIGNMENT = Assignment(
    name="stencil",
    parts=[
        Part(
            name="stencil_test",
            weight=0.4,
            target="07_skip_many",
            contract=(
                "void stencil_test"
                "(int n, Stencil active, int rounds, unsigned* values, Workspace& workspace);"
            ),
            cures={
                "blocks": "06_skip_words",
                "latency": "07_skip_many",
                "divergence": "09_packed",
            },
            correctness=[*sizes(), *masks()],
            speed=[
                timed("one of 2^26", "--mask one", LIGHT, 13.2),
                timed("1 % of 2^26", "--percent 1", LIGHT, 13.2),
                timed("10 % grouped, heavy", "--mask blocked --percent 10", HEAVY, 13.2),
                timed("all of 2^26", "--percent 100", LIGHT, 13.2),
            ],
        ),
        Part(
            name="write_back",
            weight=0.25,
            target="04_ballot",
            contract="void write_back(int n, unsigned* words, int rounds, unsigned* values);",
            cures={
                "atomics": "03_reduce_or",
                "barriers": "03_reduce_or",
                "blocks": "05_many_words",
            },
            correctness=[*sizes(), *masks()],
            speed=[
                timed("10 % grouped", "--mask blocked --percent 10", LIGHT, 4.2),
                timed("half, heavy", "--percent 50", HEAVY, 4.2),
                timed("all of 2^26", "--percent 100", LIGHT, 4.2),
            ],
        ),
        Part(
            name="persistent",
            weight=0.35,
            target="07_refill",
            contract=(
                "void persistent(int capacity, const int* count, const int* rounds, "
                "unsigned* values, Workspace& workspace);"
            ),
            cures={
                "blocks": "04_grid_stride",
                "atomics": "06_larger_chunks",
                "divergence": "07_refill",
            },
            correctness=lengths(),
            speed=[
                timed_lengths("even", "--work even"),
                timed_lengths("heavy tail", "--work tail"),
                timed_lengths("uneven warps", "--work warps"),
                timed_lengths("ramp, a tenth used", "--work ramp --percent 10"),
            ],
        ),
    ],
)
