"""What `make check-render` runs and how it is scored."""

import math
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from grader.course.declare import Assignment, Case, CourseScore, Part, Scale
from grader.course.direct import grade_directly

# Circles around the edges of a warp, a block and several blocks.
COUNTS = [1, 31, 32, 33, 255, 256, 257, 1023, 1025]


def circles(name: str, options: str, sanitize: str | None = None, **more) -> Case:
    sanitize = sanitize and f"--scene {sanitize}"
    return Case(name, f"--scene {options}", sanitize=sanitize, **more)


def small(scene: str, more: str = "", sanitize: str | None = None) -> Case:
    options = f"{scene} --size 64"
    sanitize = sanitize and f"{options} {sanitize}"
    return circles(f"{scene} 64x64", f"{options} {more}".strip(), sanitize)


def circles_bytes(options: dict[str, int], most: int = 2_000_000) -> int:
    """Image and workspace; 28 + 64 bytes for each of `most` circles at most."""
    size = options["size"]
    return 2 * 16 * size * size + 92 * most


def circles_speed(
    scene: str, cpu_circles: int, cpu_size: int = 128, points: float | None = None
) -> Case:
    """The course's picture on a GPU; on the CPU device a smaller picture of fewer circles.

    How many circles lie on a pixel depends on the number alone.
    """
    return Case(
        scene,
        gpu=f"--scene {scene} --size 1024 --repeats 5",
        cpu=f"--scene {scene} --size {cpu_size} --circles {cpu_circles}",
        points=points,
        gpu_bytes=circles_bytes,
        timeout_s=60,
    )


def as_in_cs149(ratio: float) -> float:
    """Points of a scene in CS149's assignment 3, which counts whole ones."""
    if ratio <= 1.2:
        return 9
    return 2 if ratio > 10 else 2 + math.ceil(7 / ratio)


CS149 = CourseScore(
    "CS149",
    ("rgb", "rand10k", "rand100k", "pattern", "snowsingle", "biglittle", "rand1M", "micro2M"),
    as_in_cs149,
    "9 a scene up to 1.2 times the target's time, fewer up to 10 times, then 2",
)

# Three circles everywhere, so a 16th of the pixels is a 16th of the work.
RGB = replace(
    circles_speed("rgb", 3, cpu_size=256, points=0),
    gpu="--scene rgb --size 1024 --circles 3 --repeats 5",
)
# A lattice: with a 16th of the dots in a 16th of the pixels, each dot is as many pixels wide as on
# a GPU, and as many dots touch a tile.
PATTERN = circles_speed("pattern", 76, cpu_size=256, points=0)
MICRO2M = replace(circles_speed("micro2M", 40_000, cpu_size=96), scale=Scale(1.25, 6))

CIRCLES = Part(
    name="circles",
    golden="--scene rand10k --size 40 --circles 600",
    weight=0.4,
    target="05_bins",
    # The rungs below take 2.1 times as long at least, the first one 90 times. The model has 1.19
    # times and 23.
    scale=Scale(1.15, 6),
    course_score=CS149,
    pictures=True,
    seed_decides=True,
    contract="void render_circles(const CircleScene& scene, float4* image, Workspace& workspace);",
    cures={"latency": "03_full_lists", "issue": "02_tiles", "l2": "04_packed"},
    correctness=[
        # Untouched output is wrong, too, but a starter that draws the background is right.
        circles("no circles", "rgb --size 40 --circles 0", points=0),
        small("rgb"),
        small("rgby"),
        circles("1x1", "rgb --size 1"),
        circles(
            "1023x517",
            "rand10k --width 1023 --height 517 --circles 60",
            sanitize="rand10k --width 203 --height 117 --circles 60",
        ),
        circles("33x31", "rand10k --width 33 --height 31 --circles 200"),
        circles("1x300", "rand10k --width 1 --height 300 --circles 200"),
        *(circles(f"{n} circles", f"rand10k --size 64 --circles {n}") for n in COUNTS),
        small("rand100k", "--circles 3000"),
        small("rand1M", "--circles 20000"),
        # So many circles under sanitize once: it takes longest.
        small("micro2M", "--circles 20000", sanitize="--circles 4000"),
        small("micro10M", "--circles 20000", sanitize="--circles 2000"),
        small("biglittle", "--circles 1000"),
        small("littlebig", "--circles 1000"),
        small("pattern"),
        small("bouncingballs", "--frame 20"),
        small("hypnosis", "--frame 20"),
        small("fireworks", "--frame 20"),
        small("snow", "--circles 5000 --frame 20"),
        circles("hostile", "hostile --size 128"),
        circles("hostile, odd", "hostile --width 97 --height 61"),
        circles("stack", "stack --size 32"),
    ],
    # The scenes that the course grades. Three are only timed: in `rgb` and `pattern` bins are no
    # faster than earlier rungs, and in `biglittle` not on the CPU device.
    speed=[
        RGB,
        # The pixels are cut down, and not the circles: of few of them nothing would be hidden.
        circles_speed("rand10k", 10_000),
        circles_speed("rand100k", 20_000),
        PATTERN,
        circles_speed("snowsingle", 10_000),
        circles_speed("biglittle", 10_000, points=0),
        circles_speed("rand1M", 40_000, cpu_size=96),
        MICRO2M,
    ],
    # A rung that is slow in `micro2M` is left out of `micro10M`: the first would take ten seconds.
    sweep=[
        replace(MICRO2M, cpu=""),
        replace(
            circles_speed("micro10M", 0),
            cpu="",
            gpu_bytes=partial(circles_bytes, most=10_000_000),
        ),
    ],
)

CARD = Part(
    name="card",
    golden="--size 20 --samples 4",
    starter_points=20,
    correctness_points=20,
    weight=0.3,
    target="05_sphere_list",
    # The starter takes 1.59 times as long (± 2 %), on the CPU device 2.62 times; rung 3 1.36 times.
    scale=Scale(1.1, 1.55, modelled_none=2.55),
    pictures=True,
    seed_decides=True,
    contract="void render_card(const CardScene& scene, float4* image, Workspace& workspace);",
    correctness=[
        Case("1x1", "--size 1 --samples 64"),
        Case("7x5", "--width 7 --height 5 --samples 16"),
        Case("100x40", "--width 100 --height 40 --samples 16"),
        Case("64x64, 1 sample", "--size 64 --samples 1"),
        Case("64x64, 33 samples", "--size 64 --samples 33"),
        Case("96x96", "--size 96 --samples 16"),
    ],
    speed=[
        Case(
            "512x512",
            gpu="--size 512 --samples 64 --repeats 11",
            cpu="--size 48 --samples 8",
            timeout_s=60,
        )
    ],
)


def volume_bytes(options: dict[str, int]) -> int:
    """Voxels in memory and as a texture, a workspace of a 16th, and image and its copies."""
    return 33 * options["volume"] ** 3 // 16 + 8 * 16 * options["size"] ** 2


def volume_speed(name: str, turn: str, points: float | None = None) -> Case:
    """1024 x 1024 pixels on a GPU."""
    return Case(
        name,
        gpu=f"--volume 512 --size 1024 {turn} --repeats 2",
        cpu=f"--volume 128 --size 128 {turn}",
        points=points,
        gpu_bytes=volume_bytes,
        timeout_s=60,
    )


def view(axis: str, degrees: int) -> Case:
    """One of a full turn; on the CPU device of the first quarter, and small."""
    turn = f"--axis {axis} --frame {degrees}"
    return Case(
        f"{axis} {degrees}",
        gpu=f"--volume 512 --size 1024 {turn}",
        cpu=f"--volume 64 --size 64 {turn}" if degrees <= 90 else "",
        gpu_bytes=volume_bytes,
        timeout_s=60,
    )


VOLUME = Part(
    name="volume",
    golden="--size 30 --volume 48 --view 20,30,0",
    weight=0.3,
    target="07_skip",
    # Rungs 2 to 6 take 3.5 to 5.3 times as long, on the CPU device from 1.16 times on.
    scale=Scale(1.2, 10),
    pictures=True,
    seed_decides=True,
    contract="void render_volume(const VolumeScene& scene, float4* image, Workspace& workspace);",
    cures={"issue": "02_texture", "latency": "07_skip"},
    correctness=[
        # From the side: there is something to see in the middle.
        Case("1x1", "--size 1 --volume 32 --view 90,0,0"),
        Case("7x5", "--width 7 --height 5 --volume 32"),
        # Rays a whole volume apart, none of which meets the cloud: black is right.
        Case("1x300", "--width 1 --height 300 --volume 32 --view 0,0,0", points=0),
        Case("33x31", "--width 33 --height 31 --volume 48"),
        Case("64x64", "--size 64 --volume 64"),
        Case("front", "--size 40 --volume 32 --view 0,0,0"),
        Case("right", "--size 40 --volume 48 --view 0,90,0"),
        Case("top", "--size 40 --volume 48 --view 90,0,0"),
        Case("45 degrees", "--size 40 --volume 48 --view 0,0,45"),
        Case("129x67", "--width 129 --height 67 --volume 96", sanitize="--width 65 --height 35"),
    ],
    # About each axis, in degrees, and the paper's volume. About x the first rung is ahead of all up
    # to the sixth, so that is only timed.
    speed=[
        volume_speed("x 45", "--axis x --frame 45", points=0),
        volume_speed("y 90", "--axis y --frame 90"),
        volume_speed("z 60", "--axis z --frame 60"),
        Case(
            "large, y 75",
            gpu="--volume 1024 --size 1024 --axis y --frame 75",
            cpu="--volume 256 --size 256 --axis y --frame 75",
            gpu_bytes=volume_bytes,
            timeout_s=120,
        ),
    ],
    views=[view(axis, degrees) for axis in "xyz" for degrees in range(0, 361, 15)],
    # Static, dynamic: the paper's and ours, which is also the best one's.
    views_of=["03_square", "05_bands", "06_slices"],
)

ASSIGNMENT = Assignment(
    name="render",
    order=5,
    parts=[CIRCLES, CARD, VOLUME],
)

if __name__ == "__main__":
    grade_directly(ASSIGNMENT)
