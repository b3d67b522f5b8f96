"""The handout's tables of times: python3 render/figures/tables.py [--take]

--take puts the times of the last `make ladder-render DEVICE=gpu` in place of the stored times.
What is said of turns and of block shapes is from turn.json, by turn.py.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from grader.base.text import time_text  # noqa: E402
from harness.figures.page_tables import Table, markdown, run, titles  # noqa: E402

SCENES = "rgb rand10k rand100k pattern snowsingle biglittle rand1M micro2M micro10M"
SHAPES = (
    "256 × 1",
    "128 × 2",
    "64 × 4",
    "32 × 8",
    "16 × 16",
    "8 × 32",
    "4 × 64",
    "2 × 128",
    "1 × 256",
)
# Frames per second on a GeForce GT 740M: S. Du, S. Zhang 2016.
PAPER = {
    "x": ("35.2", "38.0 (1.08×)"),
    "y": ("14.1", "16.0 (1.14×)"),
    "z": ("26.0", "25.6 (0.98×)"),
}


# Notes in Chinese on CS149's assignment 3, on an RTX 3090, in ms: the course's program, the
# author's last program, and the points of 12.
CS149_NOTES = {
    "rgb": (0.0769, 0.0920, 12),
    "rand10k": (1.1239, 1.0955, 12),
    "rand100k": (10.7049, 10.3191, 12),
    "pattern": (0.1531, 0.1693, 12),
    "snowsingle": (7.1459, 8.4992, 11),
    "biglittle": (6.7287, 3.8204, 12),
}


def circles_notes(stored: dict) -> str:
    """The notes' times beside those of rung 4, which has the same ideas, and of the solution."""
    rows = []
    for scene, (course, author, points) in CS149_NOTES.items():
        times = stored["circles"]["times"][scene]
        ours = (time_text(times[entry]) for entry in ("04_packed", "solution"))
        rows.append([scene, time_text(course), time_text(author), f"{points} of 12", *ours])
    head = ["", "CS149's program", "the notes, RTX 3090", "paid", "rung 4, H200", "solution"]
    return markdown(head, rows)


NONE = ("", "")

# How an entry is called; registers and bytes of stack of a thread, and how many warps fit on a
# multiprocessor: `make registers-render PART=card`.
CARD = {
    "00_recursion": ("0 recursion", "137", "80, and 272 a call", "8 of 64, 12 %"),
    "01_loop": ("1 loop", "53", "0", "32, 50 %"),
    "02_intrinsics": ("2 intrinsics", "54", "0", "32, 50 %"),
    "02_one_double": ("2, one double", "54", "0", "32, 50 %"),
    "03_fast_math": ("3 fast math", "47", "0", "40, 62 %"),
    "04_no_allocation": ("4 no allocation", "54", "0", "32, 50 %"),
    "05_sphere_list": ("5 sphere list", "53", "0", "32, 50 %"),
    "06_bounding_box": ("6 bounding box", "52", "0", "32, 50 %"),
    "07_warp_per_pixel": ("7 warp per pixel", "54", "0", "32, 50 %"),
    "solution": ("solution", "47", "72", "40, 62 %"),
}


def card(stored: dict) -> str:
    times = stored["card"]["times"]["512x512"]
    rows = []
    for entry, (name, *more) in CARD.items():
        theirs = f"{ARTICLE_MS[entry]} ms" if entry in ARTICLE_MS else ""
        rows.append([name, theirs, time_text(times[entry]), *more])
    head = ["", "Sanglard, GTX 1050 Ti", "H200", "registers", "stack", "resident warps"]
    return markdown(head, rows)


# F. Sanglard's article: CUDA 10.2 on a GeForce GTX 1050 Ti. Times of the whole program, and what
# NVIDIA's profiler says.
ARTICLE_MS = {
    "00_recursion": 984,
    "01_loop": 546,
    "02_intrinsics": 218,
    "03_fast_math": 203,
    "04_no_allocation": 150,
}
ARTICLE = {"00_recursion": ("12.4 %", "99.9 %"), "01_loop": ("28.2 %", "")}


def card_flags(stored: dict) -> str:
    times = stored["card_flags"]["times"]
    rows = [[name, f"{case['render']:.2f} ms"] for name, case in times.items()]
    return markdown(["rung 2, compiled with", "time"], rows)


def card_counters(stored: dict) -> str:
    """Of a launch of each rung, in per cent."""
    rows = [
        [CARD[rung][0], *(f"{share:.1f} %" for share in shares.values()), *ARTICLE.get(rung, NONE)]
        for rung, shares in stored["card_counters"]["per cent"].items()
    ]
    names = next(iter(stored["card_counters"]["per cent"].values()))
    return markdown(["", *names, "Sanglard: occupancy", "Sanglard: branches"], rows)


def card_host(stored: dict) -> str:
    """What the calls around rung 4's kernel take, by the host's clock."""
    times = stored["card_host"]["times"]["rung 4"]
    whole = sum(times.values())
    rows = [[name, time_text(ms), share_text(ms / whole)] for name, ms in times.items()]
    return markdown(["rung 4 as a program", "time", "share"], rows)


def share_text(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def measured_turn() -> dict:
    return json.loads((HERE / "turn.json").read_text())


def turn(_: dict) -> str:
    """Means over a turn; in brackets against the first one, and the worst view of all."""
    turned = measured_turn()["turn"]
    static, *others = turned
    rows = []
    for axis, paper in PAPER.items():
        base = [rate for _, rate in turned[static][axis]]
        cells = [f"{fmean(base):.1f} frames/s"]
        for name in others:
            rates = [rate for _, rate in turned[name][axis]]
            gain = fmean(rates) / fmean(base)
            least = min(own / other for own, other in zip(rates, base, strict=True))
            cells.append(f"{fmean(rates):.1f} ({gain:.2f}×, at least {least:.2f}×)")
        rows.append([axis, *cells, *paper])
    return markdown(["about", static, *others, "paper: 16 × 16", "paper: bands"], rows)


def shapes(_: dict) -> str:
    """The best of each view in bold, and what is within 0.1 % of it."""
    rows = []
    for view, times in measured_turn()["shapes"]["ms"].items():
        axis, degrees = view.split()
        best = 1.001 * min(times)
        rows.append(
            [f"{axis}, {degrees}°", *(f"**{t:.2f}**" if t <= best else f"{t:.2f}" for t in times)]
        )
    return markdown(["", *SHAPES], rows)


run(
    Path(__file__),
    {
        "circles": Table(
            "circles",
            {scene: scene for scene in SCENES.split()},
            titles(
                "01_pixels",
                "02_tiles",
                "03_full_lists",
                "04_packed",
                "05_bins",
                "06_front_to_back",
                "solution",
            ),
        ),
        "volume": Table(
            "volume",
            {
                "x 45": "512³, x, 45°",
                "y 90": "y, 90°",
                "z 60": "z, 60°",
                "large, y 75": "1024³, y, 75°",
            },
            {
                "01_global": "1 by hand",
                "02_texture": "2 textures, 256 × 1",
                "03_square": "3 square blocks",
                "04_shapes": "4 nine shapes, 8 × 32",
                "05_bands": "5 bands",
                "06_slices": "6 along the slices",
                "07_skip": "7 skip",
                "solution": "solution",
            },
        ),
        "circles_notes": circles_notes,
        "card": card,
        "card_flags": card_flags,
        "card_host": card_host,
        "card_counters": card_counters,
        "turn": turn,
        "shapes": shapes,
    },
    experiments=[["turn.py", "--keep"], ["turn.py", "--shapes", "--keep"], ["card_gpu.py"]],
)
