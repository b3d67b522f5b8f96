"""Draws the figures of the handout: python3 sort/figures/draw.py"""

from __future__ import annotations

import math
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.svg import (  # noqa: E402
    BLUE,
    CARD,
    FAINT,
    GREEN,
    GREY,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    Svg,
    blend,
    lane_colour,
)

WIDTH = 820


def dot(svg: Svg, x: float, y: float, colour: str, size: float = 8) -> None:
    svg.rect(x - size / 2, y - size / 2, size, size, colour, radius=size / 2)


def draw_network() -> Svg:
    """Eight places as lines; each comparator a stroke. Comparators of a step that would overlap
    stand beside each other."""
    svg = Svg(WIDTH, 290, "The network for eight places: three stages, six steps")
    top, gap, left, between = 66, 30, 60, 26
    x = left + 30
    stages = []
    for stage in (1, 2, 3):
        begin = x
        for step in range(stage):
            distance = 1 << (stage - 1 - step)
            mirrored = step == 0
            colour = ORANGE if mirrored else BLUE
            run = 2 * distance
            for within in range(distance):
                for first in range(0, 8, run):
                    low = first + within
                    high = first + run - 1 - within if mirrored else low + distance
                    at = x + within * between
                    svg.line(at, top + low * gap, at, top + high * gap, colour, 2.2)
                    dot(svg, at, top + low * gap, colour)
                    dot(svg, at, top + high * gap, colour)
            x += distance * between + 22
        stages.append((begin, stage))
        x += 26
    for place in range(8):
        y = top + place * gap
        svg.items.insert(0, f'<path d="M{left} {y}L{x - 10} {y}" stroke="{GREY}" fill="none"/>')
        svg.text(left - 14, y + 5, str(place), 13, MUTED, "end")
    for begin, stage in stages:
        svg.text(begin - 8, 20, f"stage {stage}", 15, weight="bold")
        svg.text(begin - 8, 40, f"runs of {1 << stage}", 13, MUTED)
    svg.rect(x + 40, 84, 13, 13, ORANGE)
    svg.text(x + 62, 95, "mirrored: a stage's first step", 13)
    svg.rect(x + 40, 112, 13, 13, BLUE)
    svg.text(x + 62, 123, "at a distance of 2, then 1", 13)
    svg.text(x + 40, 170, "The lesser key always goes up.", 13)
    svg.text(x + 40, 190, "With seven elements, place 7 is", 13, MUTED)
    svg.text(x + 40, 208, "empty, and what ends in it is", 13, MUTED)
    svg.text(x + 40, 226, "left out.", 13, MUTED)
    return svg


# Two sorted halves of sixteen keys, 1 to 16.
LOWER = [1, 2, 3, 5, 6, 9, 12, 15]
UPPER = [4, 7, 8, 10, 11, 13, 14, 16]
RISE_AND_FALL = LOWER + UPPER[::-1]


def bars(
    svg: Svg,
    x: float,
    y: float,
    keys: list[int],
    colours: list[str],
    cell: float,
    unit: float = 5,
) -> None:
    """A bar for each key, standing on y, `unit` high for the key 1."""
    for i, (key, colour) in enumerate(zip(keys, colours, strict=True)):
        height = unit * key
        svg.rect(x + i * cell + 0.5, y - height, cell - 1, height, colour, radius=1)


def draw_bitonic() -> Svg:
    svg = Svg(WIDTH, 168, "Two sorted halves, the second half backwards, and the same turned round")
    halves = [BLUE] * 8 + [ORANGE] * 8
    turn = 5
    turned = RISE_AND_FALL[-turn:] + RISE_AND_FALL[:-turn]
    of_turned = halves[-turn:] + halves[:-turn]
    panels = (
        (LOWER + UPPER, halves, "two sorted halves", "of sixteen keys"),
        (RISE_AND_FALL, halves, "the second half backwards", "up once, down once: bitonic"),
        (turned, of_turned, "turned by five places", "up and down once on a circle: bitonic"),
    )
    cell = 13.5
    for index, (keys, colours, text, below) in enumerate(panels):
        x = index * 285
        svg.text(x, 14, text, 15, weight="bold")
        svg.text(x, 34, below, 13, MUTED)
        bars(svg, x, 150, keys, colours, cell)
        svg.line(x, 151, x + 16 * cell, 151, GREY)
    return svg


def draw_half_cleaner() -> Svg:
    svg = Svg(WIDTH, 300, "The lesser half of a bitonic sequence is half of the circle")
    half, count, radius = 8, 16, 104
    centre_x, centre_y = 150, 170
    svg.text(0, 14, "the eight least are neighbours on the circle", 15, weight="bold")

    def place(i: float, distance: float) -> tuple[float, float]:
        angle = 2 * math.pi * i / count - math.pi / 2
        return centre_x + distance * math.cos(angle), centre_y + distance * math.sin(angle)

    for i in range(half):
        svg.line(*place(i, radius - 16), *place(i + half, radius - 16), GREY, 1)
    for i, key in enumerate(RISE_AND_FALL):
        x, y = place(i, radius)
        dot(svg, x, y, GREEN if key <= half else PURPLE, 27)
        svg.text(x, y + 5, str(key), 14, CARD, "middle", "bold")
    lesser = [min(RISE_AND_FALL[i], RISE_AND_FALL[i + half]) for i in range(half)]
    greater = [max(RISE_AND_FALL[i], RISE_AND_FALL[i + half]) for i in range(half)]
    x, cell, ground, unit = 400, 24, 250, 10
    svg.text(x, 14, "after the comparison of opposite places", 15, weight="bold")
    bars(svg, x, ground, lesser, [GREEN] * half, cell, unit)
    bars(svg, x + half * cell + 10, ground, greater, [PURPLE] * half, cell, unit)
    level = ground - unit * (half + 0.5)
    svg.line(x - 8, level, x + count * cell + 18, level, INK, 1.4, "5 4")
    svg.line(x, ground + 1, x + count * cell + 10, ground + 1, GREY)
    for i, key in enumerate(lesser + greater):
        at = x + (i + 0.5) * cell + (10 if i >= half else 0)
        svg.text(at, ground + 18, str(key), 12, MUTED, "middle")
    svg.text(x, ground + 42, "lower half: 8 least, bitonic", 13)
    svg.text(x + half * cell + 10, ground + 42, "upper half: bitonic", 13)
    svg.rect(x, 40, 13, 13, GREEN)
    svg.text(x + 22, 51, "the lesser key of each pair", 13)
    svg.rect(x + half * cell + 30, 40, 13, 13, PURPLE)
    svg.text(x + half * cell + 52, 51, "the greater key", 13)
    return svg


def steps_of_a_stage() -> list[list[int]]:
    """Two sorted halves, and the keys after each step of the stage that merges them."""
    keys = LOWER + UPPER
    found = [keys]
    count, distance = len(keys), len(keys) // 2
    while distance:
        keys = list(keys)
        for i in range(count):
            first = distance == count // 2
            partner = count - 1 - i if first else i ^ distance
            if i < partner and keys[i] > keys[partner]:
                keys[i], keys[partner] = keys[partner], keys[i]
        found.append(keys)
        distance //= 2
    return found


def draw_stage() -> Svg:
    svg = Svg(WIDTH, 164, "Sixteen keys after each step of a stage")
    names = ("before", "mirrored", "distance 4", "distance 2", "distance 1")
    cell, apart = 8.6, 169
    for index, (keys, name) in enumerate(zip(steps_of_a_stage(), names, strict=True)):
        x = index * apart
        svg.text(x, 14, name, 14, weight="bold")
        bars(svg, x, 128, keys, [lane_colour(key - 1, len(keys)) for key in keys], cell)
        together = len(keys) >> index
        for begin in range(0, len(keys), together):
            left, right = x + begin * cell + 1, x + (begin + together) * cell - 1
            svg.line(left, 134, right, 134, INK, 2)
    svg.text(0, 158, "no key of a stroke is less than a key of a stroke to its left", 13, MUTED)
    return svg


def draw_steps() -> Svg:
    stages, tile, cell = 27, 10, 15
    svg = Svg(WIDTH, 480, "Steps by stage and distance: global memory and tiles")
    left, top = 92, 34
    svg.text(left, 14, "every step of the network for 2^27 pairs", 15, weight="bold")
    for stage in range(1, stages + 1):
        for distance in range(stage):
            inside = distance < tile
            colour = ORANGE if not inside else GREEN if stage > tile else blend(GREEN, CARD, 0.45)
            x = left + (stage - 1) * cell
            y = top + (stages - 1 - distance) * cell
            svg.rect(x + 0.5, y + 0.5, cell - 1, cell - 1, colour, radius=1)
    bottom = top + stages * cell
    svg.text(left - 8, top + 11, "2^26", 12, MUTED, "end")
    svg.text(left - 8, top + (stages - tile) * cell + 11, "2^9", 12, MUTED, "end")
    svg.text(left - 8, bottom - 3, "1", 12, MUTED, "end")
    svg.text(left - 8, top + 120, "distance", 13, INK, "end")
    svg.text(left, bottom + 18, "stage 1", 12, MUTED)
    svg.text(left + stages * cell, bottom + 18, "27", 12, MUTED, "end")
    x = left + stages * cell + 30
    rows = (
        (ORANGE, "153 steps in global memory:", "a launch each in rungs 1 and 2"),
        (GREEN, "170 steps at the ends of stages:", "from rung 2 on, 17 launches"),
        (
            blend(GREEN, CARD, 0.45),
            "55 steps of the first ten stages:",
            "from rung 2 on, one launch",
        ),
    )
    for index, (colour, text, below) in enumerate(rows):
        y = 60 + 56 * index
        svg.rect(x, y, 14, 14, colour)
        svg.text(x + 24, y + 12, text, 13)
        svg.text(x + 24, y + 30, below, 13, MUTED)
    return svg


def draw_four_per_thread() -> Svg:
    svg = Svg(WIDTH, 230, "Four elements meet each other in two steps, and no other element")
    left, cell, count, distance, first = 20, 24, 32, 16, 5
    mine = [first, first + distance // 2, first + distance, first + 3 * distance // 2]
    svg.text(
        0,
        14,
        "two steps, at the distances d = 16 and d / 2 = 8: one thread's elements",
        15,
        weight="bold",
    )
    for index in range(count):
        colour = BLUE if index in mine else FAINT
        svg.rect(left + index * cell + 1, 100, cell - 2, cell - 2, colour)
        svg.text(left + (index + 0.5) * cell, 142, str(index), 11, MUTED, "middle")

    def arc(a: int, b: int, y: float, bend: float, colour: str) -> None:
        x1, x2 = left + (a + 0.5) * cell, left + (b + 0.5) * cell
        svg.path(f"M{x1} {y}Q{(x1 + x2) / 2} {y + bend} {x2} {y}", colour, 2)

    for low in mine[:2]:
        arc(low, low + distance, 98, -84, ORANGE)
    for low in (mine[0], mine[2]):
        arc(low, low + distance // 2, 150, 64, GREEN)
    svg.rect(0, 206, 13, 13, ORANGE)
    svg.text(22, 217, "first step", 13)
    svg.rect(130, 206, 13, 13, GREEN)
    svg.text(152, 217, "second step", 13)
    svg.text(
        270, 217, "whichever comes after whichever: the four never leave the thread", 13, MUTED
    )
    return svg


A = [1, 3, 3, 6, 7, 9]
B = [2, 3, 5, 5, 8, 9]


def merged() -> list[tuple[int, str, int]]:
    """(key, run, index) in the order of the stable merge."""
    pairs = [(key, 0, i) for i, key in enumerate(A)] + [(key, 1, i) for i, key in enumerate(B)]
    return [(key, "ab"[run], i) for key, run, i in sorted(pairs)]


def boxes(svg: Svg, x: float, y: float, keys: list[int], colours: list[str], cell: float) -> None:
    for i, (key, colour) in enumerate(zip(keys, colours, strict=True)):
        svg.rect(x + i * cell + 1, y, cell - 2, cell - 2, colour)
        svg.text(x + (i + 0.5) * cell, y + cell / 2 + 4, str(key), 14, CARD, "middle", "bold")


def draw_ranks() -> Svg:
    svg = Svg(WIDTH, 244, "Ranks: where a pair of each run goes")
    cell = 34
    svg.text(
        0,
        14,
        "a pair's place: its place in its own run, and its rank in the other",
        15,
        weight="bold",
    )
    svg.text(0, 62, "run a", 14)
    boxes(svg, 60, 40, A, [BLUE] * len(A), cell)
    svg.text(400, 62, "run b", 14)
    boxes(svg, 460, 40, B, [ORANGE] * len(B), cell)
    svg.text(0, 222, "merge", 14)
    order = merged()
    x = 150
    boxes(
        svg,
        x,
        200,
        [key for key, _, _ in order],
        [BLUE if run == "a" else ORANGE for _, run, _ in order],
        cell,
    )
    for run, index, begin, colour in (("a", 2, 60, BLUE), ("b", 1, 460, ORANGE)):
        place = next(p for p, (_, r, i) in enumerate(order) if (r, i) == (run, index))
        svg.line(
            begin + (index + 0.5) * cell, 76, x + (place + 0.5) * cell, 197, colour, 1.6, arrow=True
        )
    svg.text(0, 110, "second 3 of a: place 2,", 13)
    svg.text(0, 128, "1 lesser key in b: 3", 13, MUTED)
    svg.text(560, 110, "the 3 of b: place 1, and 3 keys", 13)
    svg.text(560, 128, "of a are less or equal: 4", 13, MUTED)
    return svg


def draw_merge_path() -> Svg:
    svg = Svg(WIDTH, 310, "The path of a merge, and the diagonals that cut it into equal parts")
    cell, left, top = 38, 90, 66
    svg.text(0, 14, "down: take a pair of a.  To the right: take a pair of b.", 15, weight="bold")
    rows, cols = len(A), len(B)
    boxes(svg, left, top - cell - 2, B, [ORANGE] * cols, cell)
    for i, key in enumerate(A):
        svg.rect(left - cell - 2, top + i * cell + 1, cell - 2, cell - 2, BLUE)
        svg.text(
            left - cell / 2 - 3, top + (i + 0.5) * cell + 4, str(key), 14, CARD, "middle", "bold"
        )
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            colour = blend(BLUE, CARD, 0.8) if a <= b else blend(ORANGE, CARD, 0.8)
            svg.rect(
                left + j * cell + 0.5, top + i * cell + 0.5, cell - 1, cell - 1, colour, radius=0
            )
    x, y = float(left), float(top)
    for _, run, _ in merged():
        nx, ny = (x, y + cell) if run == "a" else (x + cell, y)
        svg.line(x, y, nx, ny, INK, 3)
        x, y = nx, ny
    for diagonal in (4, 8):
        i0 = min(diagonal, rows)
        j0 = diagonal - i0
        j1 = min(diagonal, cols)
        i1 = diagonal - j1
        svg.line(
            left + j0 * cell, top + i0 * cell, left + j1 * cell, top + i1 * cell, GREEN, 2, "5 4"
        )
        taken = merged()[:diagonal]
        a = sum(run == "a" for _, run, _ in taken)
        dot(svg, left + (diagonal - a) * cell, top + a * cell, GREEN, 12)
    x = left + cols * cell + 50
    notes = (
        (blend(BLUE, CARD, 0.8), "a's key comes first: a <= b"),
        (blend(ORANGE, CARD, 0.8), "b's key comes first"),
    )
    for index, (colour, text) in enumerate(notes):
        svg.rect(x, 80 + 28 * index, 14, 14, colour, GREY)
        svg.text(x + 24, 92 + 28 * index, text, 13)
    svg.line(x, 146, x + 16, 146, INK, 3)
    svg.text(x + 24, 150, "the merge: between the two", 13)
    svg.line(x, 174, x + 16, 174, GREEN, 2, "5 4")
    svg.text(x + 24, 178, "diagonals: 4 and 8 pairs have been taken", 13)
    svg.text(x, 226, "Three equal parts, for three threads. Each finds its", 13, MUTED)
    svg.text(x, 244, "corner by a binary search along one diagonal.", 13, MUTED)
    return svg


DRAWINGS = {
    "network": draw_network,
    "bitonic": draw_bitonic,
    "half_cleaner": draw_half_cleaner,
    "stage": draw_stage,
    "steps": draw_steps,
    "03_four_per_thread": draw_four_per_thread,
    "ranks": draw_ranks,
    "merge_path": draw_merge_path,
}


def main() -> None:
    for name, draw in DRAWINGS.items():
        draw().save(HERE / f"{name}.svg")


if __name__ == "__main__":
    main()
