"""Draws the figures of the handout: python3 transpose/figures/draw.py"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.svg import (  # noqa: E402
    CARD,
    FAINT,
    GREEN,
    GREY,
    INK,
    MUTED,
    RED,
    Grid,
    Svg,
    blend,
    lane_colour,
)

WARP = 32
FLOATS_PER_SECTOR = 8
CELL = 11
WIDTH = 820
# The left edge of the right panel of two.
RIGHT = WIDTH - WARP * CELL
WASTE = blend(RED, CARD, 0.7)


def title(svg: Svg, x: float, text: str, below: str = "") -> None:
    svg.text(x, 14, text, 15, weight="bold")
    if below:
        svg.text(x, 33, below, 13, MUTED)


def verdict(svg: Svg, x: float, y: float, good: bool, number: str, meaning: str) -> None:
    """Draws a number in large letters, and what the number counts below."""
    svg.text(x, y, number, 19, GREEN if good else RED, weight="bold")
    svg.text(x, y + 20, meaning, 13, MUTED)


def key_of_warp(svg: Svg, y: float) -> None:
    """Draws the key: which colour stands for which thread."""
    ramp = RIGHT + 64
    svg.text(RIGHT, y, "thread 0", 13, MUTED)
    for lane in range(WARP):
        svg.rect(ramp + 4 * lane, y - 10, 4, 10, lane_colour(lane), radius=0)
    svg.text(ramp + 4 * WARP + 8, y, "thread 31 of the warp", 13, MUTED)


def draw_naive() -> Svg:
    svg = Svg(WIDTH, 464, "Rung 1: a warp reads one row in 4 sectors and writes 32 sectors")
    title(svg, 0, "input: one warp reads a row")
    source = Grid(svg, 0, 30, WARP, WARP, CELL)
    source.rule(FLOATS_PER_SECTOR)
    for lane in range(WARP):
        source.fill(3, lane, lane_colour(lane))
    for sector in range(4):
        source.outline(3, sector * FLOATS_PER_SECTOR, 1, FLOATS_PER_SECTOR)

    title(svg, RIGHT, "output: the same warp writes a column")
    target = Grid(svg, RIGHT, 30, WARP, WARP, CELL)
    target.rule(FLOATS_PER_SECTOR)
    for lane in range(WARP):
        target.fill(lane, 0, WASTE, cols=FLOATS_PER_SECTOR)
        target.fill(lane, 3, lane_colour(lane))
        target.outline(lane, 0, 1, FLOATS_PER_SECTOR, width=0.7)
    middle = 30 + source.height / 2
    svg.line(source.width + 22, middle, RIGHT - 22, middle, INK, 1.6, arrow=True)
    verdict(svg, 0, 416, True, "4 sectors", "128 bytes, all of them asked for")
    verdict(svg, RIGHT, 416, False, "32 sectors", "1024 bytes touched for 128 bytes of data")
    key_of_warp(svg, 462)
    return svg


def bank_counts(svg: Svg, grid: Grid, banks: Iterable[int], y: float) -> int:
    """Draws how many threads want each bank, as columns that stand on y; returns the most."""
    counts = [0] * WARP
    for bank in banks:
        counts[bank] += 1
    worst = max(counts)
    for bank, count in enumerate(counts):
        if count == 0:
            continue
        height = 6 if count == 1 else 6 + 34 * count / WARP
        x = grid.x + bank * grid.cell
        svg.rect(x + 1, y - height, grid.cell - 2, height, GREEN if count == 1 else RED, radius=0)
    svg.line(grid.x, y + 0.5, grid.x + grid.width, y + 0.5, MUTED, 1)
    svg.text(grid.x, y + 17, "bank 0", 12, MUTED)
    svg.text(grid.x + grid.width, y + 17, "bank 31", 12, MUTED, "end")
    return worst


def draw_banks(
    name: str,
    note: str,
    rows: int,
    address: Callable[[int, int], int],
    unused: Iterable[int] = (),
) -> Svg:
    """A warp writes row 3 of the tile and reads column 3: in which places and banks?

    Shared memory is drawn 32 words to a line: a column of cells is a bank.
    """
    svg = Svg(WIDTH, 540, name)
    panels = (
        (0, "the warp writes row 3 of the tile", [address(3, lane) for lane in range(WARP)]),
        (RIGHT, "the warp reads column 3 of the tile", [address(lane, 3) for lane in range(WARP)]),
    )
    for x, heading, addresses in panels:
        title(svg, x, heading)
        grid = Grid(svg, x, 30, rows, WARP, CELL)
        grid.rule(1)
        for place in unused:
            grid.fill(place // WARP, place % WARP, GREY)
        for lane, place in enumerate(addresses):
            grid.fill(place // WARP, place % WARP, lane_colour(lane))
        worst = bank_counts(svg, grid, [place % WARP for place in addresses], 446)
        steps = "1 step" if worst == 1 else f"{worst} steps, one after the other"
        meaning = "32 threads, 32 banks" if worst == 1 else "32 threads, one bank"
        verdict(svg, x, 494, worst == 1, steps, meaning)
    svg.text(0, 540, note, 13, MUTED)
    key_of_warp(svg, 540)
    return svg


def draw_shared() -> Svg:
    return draw_banks(
        "Rung 2: a column of the tile lies in one bank",
        "tile[32][32]: (r, c) is in bank c",
        32,
        lambda row, col: 32 * row + col,
    )


def draw_padded() -> Svg:
    return draw_banks(
        "Rung 3: with rows of 33 floats a column of the tile lies in 32 banks",
        "tile[32][33]: (r, c) is in bank (r + c) mod 32; grey: unused",
        33,
        lambda row, col: 33 * row + col,
        [33 * row + 32 for row in range(32)],
    )


def draw_rotated() -> Svg:
    return draw_banks(
        "Rung 4: with row r rotated by r places a column of the tile lies in 32 banks",
        "tile[r][(r + c) % 32]: the same banks, nothing unused",
        32,
        lambda row, col: 32 * row + (row + col) % 32,
    )


def draw_more_per_thread() -> Svg:
    svg = Svg(WIDTH, 400, "Rung 5: four elements per thread, eight blocks per multiprocessor")
    title(svg, 0, "one tile, 32 x 8 threads", "in colour: the threads with threadIdx.y = 2")
    tile = Grid(svg, 0, 48, WARP, WARP, CELL)
    for part in range(4):
        for lane in range(WARP):
            tile.fill(2 + 8 * part, lane, lane_colour(lane))
        tile.outline(8 * part, 0, 8, WARP)
        svg.text(tile.width + 10, 48 + CELL * (8 * part + 2.9), f"i = {part}", 13, MUTED)

    title(svg, RIGHT, "one multiprocessor over time (a sketch)")
    load, wait, store = lane_colour(4), blend(GREY, CARD, 0.5), lane_colour(26)
    phases = ((0, 26, load), (26, 104, wait), (130, 36, store))

    def lives(y: float, height: float, begins: Iterable[float]) -> None:
        """Blocks that follow each other in a place of the multiprocessor."""
        for begin in begins:
            for offset, width, colour in phases:
                left = max(0.0, begin + offset)
                right = min(WARP * CELL, begin + offset + width)
                if right > left:
                    svg.rect(RIGHT + left, y, right - left, height, colour, radius=0)

    svg.text(RIGHT, 58, "two blocks of 1024 threads, one load each", 13, MUTED)
    for block in range(2):
        lives(68 + 44 * block, 38, (0, 184))
    svg.text(RIGHT, 186, "eight blocks of 256 threads, four loads each", 13, MUTED)
    for block in range(8):
        lives(196 + 20 * block, 16, [184 * turn + 46 * (block % 4) for turn in (-1, 0, 1)])
    keys = ((0, load, "load"), (70, wait, "wait for the last load"), (242, store, "store"))
    for x, colour, text in keys:
        svg.rect(RIGHT + x, 386, 13, 13, colour, radius=0)
        svg.text(RIGHT + x + 20, 397, text, 13, MUTED)
    return svg


def draw_vectorised() -> Svg:
    """The first of the four reads with which warp 0 gathers what it stores."""
    svg = Svg(WIDTH, 490, "Rung 6: a warp gathers from 32 banks and stores 4 x 128 bytes")
    title(svg, 0, "the tile: 64 rows of 16 float4", "row r is rotated by r / 4 places of a float4")
    size, cell = 64, 5.5
    tile = Grid(svg, 0, 48, size, size, cell)
    tile.rule(4, 4)
    banks = []
    for lane in range(WARP):
        vector, x = lane % 8, lane // 8
        col = 4 * ((x // 4 + vector) % 16) + x % 4
        svg.rect(col * cell, 48 + 4 * vector * cell, cell, cell, lane_colour(lane), radius=0)
        banks.append((size * 4 * vector + col) % WARP)
    assert len(set(banks)) == WARP
    strip = Grid(svg, 0, 412, 1, WARP, CELL)
    for lane, bank in enumerate(banks):
        strip.fill(0, bank, lane_colour(lane))
    svg.text(0, 437, "bank 0", 12, MUTED)
    svg.text(strip.width, 437, "bank 31", 12, MUTED, "end")
    verdict(svg, 0, 468, True, "1 step", "the first read of four: 32 threads, 32 banks")

    title(svg, RIGHT, "the output: one store of the warp", "four rows, 128 bytes of each")
    output = Grid(svg, RIGHT, 48, WARP, WARP, CELL)
    output.rule(FLOATS_PER_SECTOR)
    for lane in range(WARP):
        output.fill(lane // 8, 4 * (lane % 8), lane_colour(lane), cols=4)
    for x in range(4):
        for sector in range(4):
            output.outline(x, FLOATS_PER_SECTOR * sector, 1, FLOATS_PER_SECTOR)
    verdict(svg, RIGHT, 468, True, "16 sectors", "512 bytes, all of them asked for")
    return svg


def draw_occupancy() -> Svg:
    svg = Svg(WIDTH, 290, "How many tiles of 16.0 and of 16.25 KB fit on a multiprocessor")
    left, width = 150, 610

    def bar(
        y: float, label: str, capacity: float, block: float, reserved: float, most: int
    ) -> None:
        """`most` is the number of blocks at which another limit than shared memory is reached."""
        scale = width / capacity
        fitting = int(capacity / (block + reserved))
        used = min(fitting, most)
        svg.text(left - 12, y + 21, label, 13, anchor="end")
        svg.rect(left, y, width, 32, FAINT, radius=0)
        for index in range(fitting):
            x = left + index * (block + reserved) * scale
            colour = lane_colour(8 + 2 * index) if index < used else GREY
            svg.rect(x + 0.75, y, block * scale - 1.5, 32, colour, radius=0)
        svg.rect(left, y, width, 32, "none", INK, radius=0)
        svg.text(left + width + 14, y + 23, str(used), 19, weight="bold")

    title(svg, 0, "64 KB per multiprocessor, nothing reserved: Turing")
    bar(30, "16.0 KB, rotated", 64, 16, 0, 4)
    bar(72, "16.25 KB, padded", 64, 16.25, 0, 4)
    svg.text(
        0, 150, "228 KB per multiprocessor, 1 KB of each block reserved: Hopper", 15, weight="bold"
    )
    bar(166, "16.0 KB, rotated", 228, 16, 1, 8)
    bar(208, "16.25 KB, padded", 228, 16.25, 1, 8)
    svg.rect(left, 270, 13, 13, lane_colour(16), radius=0)
    svg.text(left + 20, 281, "resident block", 13, MUTED)
    svg.rect(left + 150, 270, 13, 13, GREY, radius=0)
    svg.text(left + 170, 281, "room for more, but 8 x 256 threads are all there may be", 13, MUTED)
    return svg


DRAWINGS = {
    "01_naive": draw_naive,
    "02_shared": draw_shared,
    "03_padded": draw_padded,
    "04_rotated": draw_rotated,
    "05_more_per_thread": draw_more_per_thread,
    "06_vectorised": draw_vectorised,
    "occupancy": draw_occupancy,
}


def main() -> None:
    for name, draw in DRAWINGS.items():
        draw().save(HERE / f"{name}.svg")


if __name__ == "__main__":
    main()
