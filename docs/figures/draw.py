"""Draws the picture of docs/architecture.md: python3 docs/figures/draw.py"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.svg import (  # noqa: E402
    BLUE,
    CARD,
    FAINT,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    RED,
    Svg,
    blend,
)

WIDTH = 860
ROOM, GAP = 26, 5
# From the roof to the cellar: what a room is for, and the steps of a check that happen in it.
ROOMS = (
    ("cli", "the commands behind make", ""),
    ("loop", "watch, hint, debug, progress, submit", ""),
    ("report", "the page of results", ""),
    ("ladder", "every rung: table and plots", ""),
    ("explain", "why it is slow or wrong, by line", ""),
    ("terminal", "console and tables", "10  table"),
    ("check", "answers → sanitize → time → points", "9  points"),
    ("timing", "measured or modelled, one interface", "8  times"),
    ("run", "sandbox, runner, judge, pool", "5  run · 6  judge · 7  sanitize"),
    ("build", "admission and make", "3  admit · 4  build"),
    ("course", "assignments, cases, plans, results", "1  the case · 2  plan"),
    ("base", "files, processes, locks, device", ""),
)
LEFT, STEPS, RIGHT = 0, 352, 610


def panel(svg: Svg, x: float, y: float, width: float, height: float, colour: str) -> None:
    svg.rect(x, y, width, height, blend(colour, CARD, 0.88), colour, radius=5)


def program(svg: Svg, y: float, colour: str, name: str, *lines: str) -> None:
    height = 34 + 19 * len(lines)
    panel(svg, RIGHT, y, WIDTH - RIGHT, height, colour)
    svg.text(RIGHT + 12, y + 22, name, 14, weight="bold")
    for number, line in enumerate(lines):
        svg.text(RIGHT + 12, y + 43 + 19 * number, line, 12.5, MUTED)


def draw() -> Svg:
    bottom = 54 + len(ROOMS) * (ROOM + GAP)
    svg = Svg(WIDTH, bottom + 34, "The rooms of grader/, and the way of one case through them")
    svg.text(LEFT, 14, "grader/", 15, weight="bold")
    svg.text(LEFT, 34, "a room imports only from rooms below it", 13, MUTED)
    svg.text(STEPS, 14, "the way of one case", 15, weight="bold")
    svg.text(STEPS, 34, "from the declaration to the points", 13, MUTED)
    svg.text(RIGHT, 14, "the programs", 15, weight="bold")
    svg.text(RIGHT, 34, "that the rooms start", 13, MUTED)
    for number, (name, purpose, steps) in enumerate(ROOMS):
        y = 50 + number * (ROOM + GAP)
        svg.rect(LEFT, y, STEPS - 24, ROOM, blend(BLUE, CARD, 0.88) if steps else FAINT, radius=4)
        svg.text(LEFT + 10, y + 18, name, 13, INK, weight="bold")
        svg.text(LEFT + 84, y + 18, purpose, 12.5, MUTED)
        if steps:
            svg.rect(STEPS, y, RIGHT - STEPS - 40, ROOM, "none", BLUE, radius=4)
            svg.text(STEPS + 10, y + 18, steps, 12.5)
    program(
        svg, 50, RED, "runner: not trusted", "harness/runner + harness/shared",
        "grading/runner.cpp", "the student's file, in a sandbox",
    )  # fmt: skip
    program(
        svg, 160, GREEN, "judge: trusted", "harness/judge + harness/shared",
        "grading/reference.cpp",
    )  # fmt: skip
    program(
        svg, 251, ORANGE, "cpudevice/", "cudacc compiles .cu files for it",
        "src: run, sanitize and profile", "model: counts become a time",
    )  # fmt: skip
    program(svg, 361, BLUE, "make", "harness/rules.mk: all build rules")
    svg.text(LEFT, bottom + 24, "instructor/ stands on top of all of it and is not handed out.", 13)
    return svg


if __name__ == "__main__":
    draw().save(HERE / "architecture.svg")
