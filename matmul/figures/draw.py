"""Draws the figures of the handout: python3 matmul/figures/draw.py"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from functools import partial
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
    Grid,
    Svg,
    blend,
    lane_colour,
)

WARP = 32
WIDTH = 820
CELL = 11
RIGHT = 440
TIMES = HERE.parent / "grading" / "thresholds" / "nvidia_h200.json"
# What an H200 can do: 132 multiprocessors of 128 lanes, a multiplication and an addition each at
# 1.98 GHz; and the rate of a copy, measured.
PEAK_TFLOPS = 132 * 128 * 2 * 1.98e-3
COPY_TB = 4.27
# Floating-point operations for each byte that a block reads from global memory: a tile of C of
# rows x cols needs 4 * (rows + cols) bytes for 2 * rows * cols operations.
SGEMM_TILES = {
    "01_naive": (1, 1),
    "02_coalesced": (1, 1),
    "03_shared_tile": (32, 32),
    "04_column_per_thread": (64, 64),
    "05_square_per_thread": (128, 128),
    "06_vectorised": (128, 128),
    "07_no_bank_conflicts": (128, 128),
    "08_async_copies": (128, 128),
    "09_warp_tiles": (128, 128),
}


# The same on tensor cores, for bf16 numbers of two bytes.
TENSOR_TFLOPS = 132 * 2048 * 2 * 1.98e-3
TENSOR_TILES = {
    "01_shared_tile": (32, 32),
    "02_wmma": (32, 32),
    "03_large_tiles": (128, 128),
    "04_async_copies": (128, 128),
    "04_mma_sync": (128, 128),
    "05_swizzled": (128, 128),
    "06_warpgroups": (128, 256),
}
STAGES = 4


@dataclass(frozen=True)
class Roofline:
    """The rungs of a part at one size, under what the GPU can do."""

    part: str
    size: int  # of m, n and k
    element_bytes: int
    peak_tflops: float
    tiles: dict[str, tuple[int, int]]
    least: tuple[float, float]  # operations for each byte, at the edges
    most: tuple[float, float]  # TFLOP/s


ROOFLINES = {
    "roofline": Roofline("sgemm", 4096, 4, PEAK_TFLOPS, SGEMM_TILES, (0.125, 128), (0.25, 128)),
    "tensor_roofline": Roofline(
        "tensor", 8192, 2, TENSOR_TFLOPS, TENSOR_TILES, (4, 512), (4, 2048)
    ),
}


def title(svg: Svg, x: float, text: str, below: str = "") -> None:
    svg.text(x, 14, text, 15, weight="bold")
    if below:
        svg.text(x, 33, below, 13, MUTED)


def verdict(svg: Svg, x: float, y: float, good: bool, number: str, meaning: str) -> None:
    svg.text(x, y, number, 19, GREEN if good else RED, weight="bold")
    svg.text(x, y + 20, meaning, 13, MUTED)


def draw_coalesced() -> Svg:
    """At one step l, what does a warp read of A and of B, and what will it write of C?"""
    svg = Svg(WIDTH, 470, "Rungs 1 and 2: what a warp reads at one step")
    size, cell = 16, 9
    panels = (
        (0, "rung 1: threadIdx.x is the row", True),
        (RIGHT, "rung 2: threadIdx.x is the column", False),
    )
    for left, heading, down in panels:
        title(svg, left, heading, "16 of the warp's 32 threads")
        for name, x, y in (("B", left + 180, 50), ("A", left, 230), ("C", left + 180, 230)):
            grid = Grid(svg, x, y, size, size, cell)
            svg.text(x - 14, y + 12, name, 15, weight="bold")
            for thread in range(size):
                row, col = (thread, 5) if down else (5, thread)
                if name == "A":
                    place = (row, 9) if down else (5, 9)
                elif name == "B":
                    place = (9, 5) if down else (9, col)
                else:
                    place = (row, col)
                grid.fill(*place, lane_colour(2 * thread))
        svg.text(left + 9.2 * cell, 222, "l", 13, MUTED)
        svg.text(left + 168, 50 + 10 * cell, "l", 13, MUTED)
    verdict(svg, 0, 430, False, "33 sectors", "32 rows of A, one element of B")
    verdict(svg, RIGHT, 430, True, "5 sectors", "one element of A, 32 neighbours of B")
    return svg


def draw_tile() -> Svg:
    svg = Svg(WIDTH, 400, "Rung 3: a tile of A and one of B make their part of a tile of C")
    title(svg, 0, "one step of a block", "both tiles are read once, by all of its threads together")
    size, cell, tile = 24, 6, 4
    grids = {"B": (220, 50), "A": (50, 220), "C": (220, 220)}
    for name, (x, y) in grids.items():
        grid = Grid(svg, x, y, size, size, cell)
        svg.text(x - 16, y + 12, name, 15, weight="bold")
        for step in range(size // tile):
            done = step == 2
            for r in range(tile):
                for c in range(tile):
                    if name == "A":
                        grid.fill(8 + r, tile * step + c, BLUE if done else FAINT)
                    elif name == "B":
                        grid.fill(tile * step + r, 12 + c, ORANGE if done else FAINT)
        if name == "C":
            for r in range(tile):
                for c in range(tile):
                    grid.fill(8 + r, 12 + c, GREEN)
        else:
            grid.rule(tile, tile)
    svg.line(50 + 72, 220 + 60, 50 + 140, 220 + 60, INK, 1.4, arrow=True)
    svg.line(220 + 84, 50 + 72, 220 + 84, 50 + 140, INK, 1.4, arrow=True)
    verdict(svg, RIGHT, 110, True, "32 times", "each element that was read is used")
    verdict(svg, RIGHT, 170, True, "8 operations a byte", "2 · 32 · 32 for 4 · (32 + 32) bytes")
    verdict(svg, RIGHT, 230, False, "2 loads", "from shared memory for each multiplication")
    return svg


def draw_square() -> Svg:
    svg = Svg(WIDTH, 360, "Rungs 3 to 5: what a thread loads at one step, and what it multiplies")
    title(svg, 0, "one step of one thread", "blue: of A, orange: of B, green: products")
    panels = (
        (40, "rung 3", 1, 1, "2 loads for 1"),
        (240, "rung 4", 8, 1, "9 loads for 8"),
        (480, "rung 5", 8, 8, "16 loads for 64"),
    )
    cell = 18
    for left, name, rows, cols, text in panels:
        a = Grid(svg, left, 120, rows, 1, cell)
        b = Grid(svg, left + 28, 92, 1, cols, cell)
        c = Grid(svg, left + 28, 120, rows, cols, cell)
        for row in range(rows):
            a.fill(row, 0, BLUE)
            for col in range(cols):
                c.fill(row, col, blend(GREEN, CARD, 0.25))
        for col in range(cols):
            b.fill(0, col, ORANGE)
        svg.text(left, 78, name, 15, weight="bold")
        verdict(
            svg, left, 310, rows * cols > 8, text, f"{(rows + cols) / (rows * cols):.2g} a product"
        )
    return svg


def draw_banks() -> Svg:
    """The first float4 of b_tile[l] that each of a warp's 16 columns of threads reads."""
    svg = Svg(WIDTH, 300, "Rungs 6 and 7: the banks of one load of a float4")
    for y, heading, stride in (
        (0, "rung 6: thread x begins at column 8 x", 8),
        (150, "rung 7: thread x begins at column 4 x", 4),
    ):
        svg.text(0, y + 14, heading, 15, weight="bold")
        grid = Grid(svg, 0, y + 30, 4, WARP, 18)
        grid.rule(4)
        for thread in range(16):
            for word in range(4):
                place = thread * stride + word
                grid.fill(place // WARP, place % WARP, lane_colour(2 * thread))
        rows = -(-16 * stride // WARP)
        svg.text(0, y + 120, "bank 0", 12, MUTED)
        svg.text(grid.width, y + 120, "bank 31", 12, MUTED, "end")
        good = rows == 2
        verdict(svg, 600, y + 60, good, f"{rows} rows", "256 bytes that are asked for")
    return svg


def draw_warp_tiles() -> Svg:
    svg = Svg(WIDTH, 340, "Rung 9: the part of a tile that a warp computes")
    panels = (
        (0, "until rung 8: 16 x 128", 16, 128, "144 elements a step"),
        (RIGHT, "rung 9: 64 x 32", 64, 32, "96 elements a step"),
    )
    scale = 1.7
    for left, heading, rows, cols, text in panels:
        title(svg, left, heading)
        svg.rect(left + 30, 60, 128 * scale, 128 * scale, FAINT, radius=0)
        across = 128 // cols
        for warp in range(8):
            x, y = warp % across * cols * scale, warp // across * rows * scale
            colour = lane_colour(4 * warp) if warp == 0 else blend(lane_colour(4 * warp), CARD, 0.6)
            svg.rect(left + 31 + x, 61 + y, cols * scale - 2, rows * scale - 2, colour, radius=0)
        svg.rect(left + 31, 40, cols * scale - 2, 12, ORANGE, radius=0)
        svg.rect(left + 10, 61, 12, rows * scale - 2, BLUE, radius=0)
        verdict(svg, left + 30, 310, rows == 64, text, f"{rows} of A and {cols} of B for 2048")
    return svg


def draw_roofline(what: Roofline) -> Svg:
    """Operations a second over operations for each byte, both logarithmic."""
    size = what.size
    svg = Svg(WIDTH, 420, "The rungs under the roofline of an H200")
    title(
        svg,
        0,
        f"{size} x {size} x {size} on one H200",
        "by what a block reads from global memory",
    )
    left, bottom, width, height = 60, 390, 560, 330
    least, most = what.least, what.most

    def x_of(intensity: float) -> float:
        return left + width * math.log(intensity / least[0]) / math.log(least[1] / least[0])

    def y_of(tflops: float) -> float:
        return bottom - height * math.log(tflops / most[0]) / math.log(most[1] / most[0])

    for power in range(-3, 12):
        tick = 2.0**power
        if 2 * least[0] < tick <= least[1]:
            svg.line(x_of(tick), bottom, x_of(tick), bottom - height, FAINT, 1)
            svg.text(x_of(tick), bottom + 16, f"{tick:g}", 12, MUTED, "middle")
        if 2 * most[0] <= tick <= most[1]:
            svg.line(left, y_of(tick), left + width, y_of(tick), FAINT, 1)
            svg.text(left - 8, y_of(tick) + 4, f"{tick:g}", 12, MUTED, "end")
    svg.text(left + width, bottom + 32, "operations for each byte", 12, MUTED, "end")
    svg.text(left + 6, bottom - height + 12, "TFLOP/s", 12, MUTED)
    ridge = what.peak_tflops / COPY_TB
    first = max(least[0], most[0] / COPY_TB)
    svg.line(x_of(first), y_of(first * COPY_TB), x_of(ridge), y_of(what.peak_tflops), INK, 2)
    svg.line(x_of(ridge), y_of(what.peak_tflops), x_of(least[1]), y_of(what.peak_tflops), INK, 2)
    cases = json.loads(TIMES.read_text())["parts"][what.part]["cases"]
    times = cases[f"{size}x{size}x{size}"]
    for place, (rung, (rows, cols)) in enumerate(what.tiles.items(), 1):
        tflops = 2 * size**3 / times[rung] * 1e-9
        x, y = x_of(2 * rows * cols / (what.element_bytes * (rows + cols))), y_of(tflops)
        colour = lane_colour(31 * place // len(what.tiles))
        svg.rect(x - 5, y - 5, 10, 10, colour, radius=5)
        to_the_left = place % 2 == 0
        number = f"{int(rung[:2])}"
        svg.text(
            x - 10 if to_the_left else x + 10,
            y + 4,
            number,
            13,
            INK,
            "end" if to_the_left else "start",
        )
        row = 60 + 22 * place
        svg.text(left + width + 24, row, f"{number}  {rung[3:].replace('_', ' ')}", 13)
        svg.text(WIDTH, row, f"{tflops:.3g}", 13, MUTED, "end")
    svg.text(WIDTH, 60, "TFLOP/s", 12, MUTED, "end")
    return svg


def draw_fragments() -> Svg:
    """The owners of A's, B's and C's elements in mma.sync.m16n8k16, as PTX states them."""
    svg = Svg(WIDTH, 446, "mma.sync m16n8k16: which lane holds which element")
    cell = 20
    places = {"A": (0, 60, 16, 16), "B": (390, 60, 16, 8), "C": (620, 60, 16, 8)}
    for name, (x, y, rows, cols) in places.items():
        extent = {"A": "16 rows, k along", "B": "k down, 8 columns", "C": "16 x 8 sums"}[name]
        svg.text(x, y - 36, name, 15, weight="bold")
        svg.text(x, y - 14, extent, 13, MUTED)
        grid = Grid(svg, x, y, rows, cols, cell)
        for row in range(rows):
            for col in range(cols):
                # Eight rows of a matrix, four lanes each; of B columns, as it lies transposed.
                line, along = (col, row) if name == "B" else (row, col)
                lane = line % 8 * 4 + along % 8 // 2
                grid.fill(row, col, blend(lane_colour(lane), CARD, 0.35))
                svg.text(
                    x + cell * (col + 0.5), y + cell * (row + 0.68), f"{lane}", 10, INK, "middle"
                )
        grid.rule(8, 8)
    svg.text(
        0, 420, "The number is the lane's. Lane 5 holds two neighbours in each 8 x 8 part:", 13
    )
    svg.text(0, 440, "eight elements of A, four of B, four sums.", 13)
    return svg


def draw_swizzle() -> Svg:
    """Eight rows of B's tile; of each the first eight chunks of 16 bytes, four banks each."""
    svg = Svg(WIDTH, 370, "Rungs 4 and 5: where the chunks of eight rows lie")
    cell = 40
    for left, heading, swizzled in (
        (0, "rung 4: chunk c at place c", False),
        (RIGHT, "rung 5: chunk c at place c ^ r", True),
    ):
        svg.text(left, 14, heading, 15, weight="bold")
        grid = Grid(svg, left, 30, 8, 8, cell)
        for row in range(8):
            for chunk in range(8):
                place = chunk ^ row if swizzled else chunk
                colour = ORANGE if chunk == 2 else blend(lane_colour(4 * chunk), CARD, 0.75)
                grid.fill(row, place, colour)
                svg.text(
                    left + cell * (place + 0.5),
                    30 + cell * (row + 0.62),
                    f"{chunk}",
                    13,
                    INK,
                    "middle",
                )
        svg.text(left, 30 + 8 * cell + 18, "banks 0 to 3", 12, MUTED)
        svg.text(left + grid.width, 30 + 8 * cell + 18, "banks 28 to 31", 12, MUTED, "end")
    return svg


def draw_warpgroups() -> Svg:
    svg = Svg(WIDTH, 300, "Rung 6: who does what in a block")
    title(svg, 0, "one block on a multiprocessor", "384 threads, 192 KB of stages")
    svg.rect(0, 110, 150, 90, blend(BLUE, CARD, 0.6))
    svg.text(75, 140, "warpgroup 0", 14, INK, "middle", "bold")
    svg.text(75, 162, "1 thread starts copies", 12, INK, "middle")
    svg.text(75, 180, "56 registers", 12, MUTED, "middle")
    for stage in range(STAGES):
        x = 220 + 80 * stage
        full = stage != 3
        svg.rect(x, 120, 70, 34, ORANGE if full else FAINT)
        svg.rect(x, 158, 70, 34, ORANGE if full else FAINT)
        svg.text(x + 35, 142, "A 16 KB", 12, INK, "middle")
        svg.text(x + 35, 180, "B 32 KB", 12, INK, "middle")
        svg.text(x + 35, 112, f"stage {stage}", 12, MUTED, "middle")
    svg.line(152, 155, 214, 155, INK, 1.6, arrow=True)
    svg.text(183, 147, "full", 12, MUTED, "middle")
    for group, y in ((1, 60), (2, 190)):
        svg.rect(640, y, 180, 80, blend(GREEN, CARD, 0.6))
        svg.text(730, y + 26, f"warpgroup {group}", 14, INK, "middle", "bold")
        svg.text(730, y + 46, "wgmma: 64 x 256 sums", 12, INK, "middle")
        svg.text(730, y + 64, "224 registers", 12, MUTED, "middle")
        svg.line(540, 155, 634, y + 40, INK, 1.6, arrow=True)
    svg.path("M 640 262 C 480 300, 240 300, 80 206", MUTED, 1.4, "5 4", True)
    svg.text(360, 276, "empty", 12, MUTED, "middle")
    return svg


DRAWINGS = {
    "02_coalesced": draw_coalesced,
    "03_shared_tile": draw_tile,
    "05_square_per_thread": draw_square,
    "07_no_bank_conflicts": draw_banks,
    "09_warp_tiles": draw_warp_tiles,
    "fragments": draw_fragments,
    "swizzle": draw_swizzle,
    "warpgroups": draw_warpgroups,
    **{name: partial(draw_roofline, what) for name, what in ROOFLINES.items()},
}


def main() -> None:
    for name, draw in DRAWINGS.items():
        draw().save(HERE / f"{name}.svg")


if __name__ == "__main__":
    main()
