"""What `make check-stencil` runs and how it is scored."""

import sys
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, Part, Scale
from grader.course.direct import grade_directly

# Around the edges of a word, a block and a list; at the end larger than a round of most grids.
SIZES = [1, 31, 32, 33, 1023, 1024, 1025, 9_217]
LARGE = 1_000_003
CHECKED = 20_011  # of LARGE, under sanitize
LIGHT = 1
HEAVY = 128


def large(name: str, options: str, points: float | None = None) -> Case:
    """The largest size; under sanitize a small size that still takes several blocks."""
    return Case(name, f"--n {LARGE} {options}", sanitize=f"--n {CHECKED} {options}", points=points)


def sizes() -> list[Case]:
    """Half of the items at random, of a single one all; n = 0 is right without any work."""
    cases = [Case("0", "--n 0", points=0)]
    cases += [Case(f"{n}", f"--n {n} --percent {100 if n == 1 else 50}") for n in SIZES]
    return [*cases, large(f"{LARGE}", "--percent 50")]


def masks() -> list[Case]:
    """All kinds of masks. An empty mask is right without any work."""
    return [
        large("all clear", "--percent 0", points=0),
        large("all set", "--percent 100"),
        large("alternating", "--mask alternating"),
        large("one item", "--mask one"),
        large("1 % at random", "--percent 1"),
        large("in groups", "--mask blocked --percent 40 --rounds 5"),
    ]


def lengths() -> list[Case]:
    """Full and partly filled lists. An empty list is right without any work."""
    cases = [Case("0", "--n 0", points=0), Case("empty", "--n 65537 --percent 0", points=0)]
    # The first item of a ramp has nothing to do.
    cases += [Case("1", "--n 1 --percent 100")]
    cases += [
        Case(f"{n}", f"--n {n} --work ramp --percent {70 if n > 33 else 100}") for n in SIZES[1:]
    ]
    return cases + [
        Case(
            f"{LARGE}, {kind}",
            gpu=f"--n {LARGE} --work {kind} --percent 90",
            cpu=f"--n {LARGE >> 3} --work {kind} --percent 90",
            sanitize=f"--n {CHECKED >> 3} --work {kind} --percent 90",
        )
        for kind in ("even", "tail", "warps", "ramp")
    ]


def timed_lengths(name: str, options: str, points: float | None = None) -> Case:
    """2^22 places for items on a GPU, a 16th for the model of a slice."""
    return Case(
        name,
        gpu=f"--n {1 << 22} {options} --repeats 21",
        cpu=f"--n {1 << 18} {options}",
        gpu_bytes=lambda sizes: 8 * sizes["n"],
        timeout_s=30,
        points=points,
    )


def timed(
    name: str,
    mask: str,
    rounds: int,
    log_n: int = 26,
    bytes_per_item: float = 13.2,
    scale: Scale | None = None,
    points: float | None = None,
) -> Case:
    """2^log_n items on a GPU; on the CPU device a 16th, for the model of a slice."""
    return Case(
        name,
        gpu=f"--n {1 << log_n} {mask} --rounds {rounds} --repeats 11",
        cpu=f"--n {1 << (log_n - 4)} {mask} --rounds {rounds}",
        gpu_bytes=lambda options: int(bytes_per_item * options["n"]),
        timeout_s=30,
        scale=scale,
        points=points,
    )


def masks_by_activity(ending: str, rounds: int) -> list[Case]:
    """The columns of the handout's table."""
    return [
        timed(f"{percent} % {kind}{ending}", f"{mask} --percent {percent}", rounds)
        for kind, mask, percents in (
            ("random", "", (100, 50, 10, 1, 0)),
            ("grouped", "--mask blocked", (50, 10, 1)),
        )
        for percent in percents
    ]


def on_a_gpu(case: Case) -> Case:
    """For the handout's tables: a profile on the CPU device would take minutes."""
    return replace(case, cpu="")


def timed_write_back(name: str, mask: str, none: float) -> Case:
    """Fewer items: each item meets the others of its warp, and counting takes long.

    Points end at `none` times the target's time, near the first rung.
    """
    return timed(name, mask, LIGHT, log_n=24, bytes_per_item=4.2, scale=Scale(1.2, none))


def frames() -> list[Case]:
    """All scenes; images that end within a warp, an image of a single pixel, and an empty image."""
    cases = [Case("0x0", "--width 0 --height 0", points=0)]
    for scene, width, height, depth in (
        ("mirror", 1, 1, 3),
        ("mirror", 31, 1, 1),
        ("mirror", 33, 7, 2),
        ("diffuse", 40, 30, 1),
        ("diffuse", 40, 30, 6),
        ("mirror", 64, 48, 3),
        ("mirror", 65, 31, 6),
        ("large", 32, 24, 1),
        ("large", 50, 20, 5),
    ):
        size = f"--width {width} --height {height}"
        name = f"{scene} {width}x{height}, {depth}"
        cases.append(Case(name, f"--scene {scene} {size} --depth {depth}"))
    return cases


def timed_frame(
    scene: str, depth: int, side: int = 1024, scale: Scale | None = None, name: str = ""
) -> Case:
    """A square image; on the CPU device with a 16th of the pixels, for the model of a slice."""
    return Case(
        name or f"{scene}, depth {depth}",
        gpu=f"--scene {scene} --width {side} --height {side} --depth {depth} --repeats 11",
        cpu=f"--scene {scene} --width {side // 4} --height {side // 4} --depth {depth}",
        timeout_s=30,
        scale=scale,
    )


ASSIGNMENT = Assignment(
    name="stencil",
    order=6,
    parts=[
        Part(
            name="stencil_test",
            golden="--n 100003 --percent 10",
            weight=0.3,
            target="09_packed",
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
            # Points where packing pays most: elsewhere rung 6 is as fast as the target, or faster.
            speed=[
                timed("one of 2^26", "--mask one", LIGHT, points=0),
                timed("1 % of 2^26", "--percent 1", LIGHT, scale=Scale(1.1, 6.5)),
                timed("10 % of 2^26", "--percent 10", LIGHT, scale=Scale(1.1, 2.45)),
                timed("10 % grouped, heavy", "--mask blocked --percent 10", HEAVY, points=0),
                timed("all of 2^26", "--percent 100", LIGHT, points=0),
            ],
            sweep=[
                *masks_by_activity("", LIGHT),
                *(on_a_gpu(case) for case in masks_by_activity(", heavy", HEAVY)),
            ],
        ),
        Part(
            name="write_back",
            golden="--n 100003 --percent 50",
            weight=0.2,
            target="05_many_words",
            contract="void write_back(int n, unsigned* words, int rounds, unsigned* values);",
            cures={
                "atomics": "03_reduce_or",
                "barriers": "03_reduce_or",
                "blocks": "05_many_words",
            },
            correctness=[*sizes(), *masks()],
            speed=[
                timed_write_back("10 % grouped", "--mask blocked --percent 10", none=3),
                timed_write_back("1 % of 2^24", "--percent 1", none=3.5),
                timed_write_back("all of 2^24", "--percent 100", none=2.2),
            ],
            sweep=[
                on_a_gpu(timed(f"{name} of 2^26", mask, LIGHT, bytes_per_item=4.2))
                for name, mask in (
                    ("all", "--percent 100"),
                    ("50 %", "--percent 50"),
                    ("10 % grouped", "--mask blocked --percent 10"),
                    ("1 %", "--percent 1"),
                    ("none", "--percent 0"),
                )
            ],
        ),
        Part(
            name="persistent",
            golden="--n 50003 --work tail",
            weight=0.2,
            target="07_refill",
            # With a heavy tail the rungs before take 1.78 to 2.6 times as long.
            scale=Scale(1.1, 2.6),
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
            # Refilling lanes is for heavy tails; the other kinds show the price.
            speed=[
                timed_lengths("even", "--work even", points=0),
                timed_lengths("heavy tail", "--work tail"),
                timed_lengths("uneven warps", "--work warps", points=0),
                timed_lengths("ramp, a tenth used", "--work ramp --percent 10", points=0),
            ],
        ),
        Part(
            name="mirror",
            pictures=True,
            seed_decides=True,
            golden="--width 66 --height 50 --depth 4",
            starter_points=20,
            correctness_points=20,
            weight=0.3,
            target="04_one_kernel",
            contract=(
                "void mirror(const Scene& scene, int width, int height, int depth, Vec3* image, "
                "Workspace& workspace);"
            ),
            cures={
                "latency": "04_one_kernel",
                "divergence": "03_compaction",
                "issue": "02_stencil",
            },
            correctness=frames(),
            # None from a little before the starter's time on; rung 2 takes 1.4 to 4.8 times. In
            # `large` the solution takes 1.01 times as long on an H200, and in the model, by the
            # input that its file gets, from 1.13 to 1.37 times.
            speed=[
                timed_frame("diffuse", 6, scale=Scale(1.15, 13, modelled_none=11)),
                timed_frame("mirror", 6, scale=Scale(1.15, 6, modelled_none=4.9)),
                timed_frame("large", 6, side=512, scale=Scale(1.25, 1.6, modelled_full=1.4)),
            ],
            # Frames of the handout's size.
            sweep=[
                on_a_gpu(timed_frame(scene, depth, name=f"{scene} at depth {depth}"))
                for scene in ("diffuse", "mirror", "large")
                for depth in range(1, 7)
            ],
        ),
    ],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
