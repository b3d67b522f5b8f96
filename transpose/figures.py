"""Draws the handout's figures into figures/: python transpose/figures.py, from anywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness.svg import (  # noqa: E402
    BAD,
    EMPTY,
    GOOD,
    INK,
    MUTED,
    UNUSED,
    WASTE,
    Figure,
    Grid,
    lane_colour,
)

WARP = 32
FLOATS_PER_SECTOR = 8
WAITING = "#dde3e7"


def memory(figure: Figure, x: float, y: float, title: str, rows: int = WARP) -> Grid:
    """32 columns of a matrix in global memory, ruled into sectors of 8 floats."""
    grid = Grid(figure, x, y, rows, WARP, 9)
    figure.text(x, y - 12, title, bold=True)
    grid.background()
    grid.rule(FLOATS_PER_SECTOR)
    return grid


def verdict(figure: Figure, x: float, y: float, good: bool, number: str, meaning: str) -> None:
    """A number worth remembering, and below it what it counts."""
    figure.text(x, y, number, size=17, fill=GOOD if good else BAD, bold=True)
    figure.text(x, y + 19, meaning, size=12, fill=MUTED)


def legend_of_warp(figure: Figure, x: float, y: float) -> None:
    """Which colour is which thread; (x, y) is the left end of its base line."""
    figure.text(x, y, "thread 0", size=12, fill=MUTED)
    for lane in range(WARP):
        figure.rect(x + 57 + 4 * lane, y - 9, 4, 9, lane_colour(lane))
    figure.text(x + 64 + 4 * WARP, y, "thread 31 of the warp", size=12, fill=MUTED)


def naive() -> Figure:
    figure = Figure(740, 446, "Rung 1: a warp reads one row in 4 sectors, writes 32 sectors")
    source = memory(figure, 40, 48, "input: one warp reads a row")
    for lane in range(WARP):
        source.fill(3, lane, lane_colour(lane))
    for sector in range(4):
        source.outline(3, sector * FLOATS_PER_SECTOR, 1, FLOATS_PER_SECTOR)

    target = memory(figure, 412, 48, "output: the same warp writes a column")
    for lane in range(WARP):
        target.fill(lane, 0, WASTE, cols=FLOATS_PER_SECTOR)
        target.fill(lane, 3, lane_colour(lane))
        target.outline(lane, 0, 1, FLOATS_PER_SECTOR, width=0.7)
    figure.arrow(source.x + source.width + 16, 192, target.x - 16, 192)
    verdict(figure, 40, 380, True, "4 sectors", "128 bytes moved, all of them asked for")
    verdict(figure, 412, 380, False, "32 sectors", "1024 bytes touched for 128 bytes of data")
    legend_of_warp(figure, 40, 426)
    return figure


def bank_counts(figure: Figure, grid: Grid, banks: Iterable[int], y: float) -> int:
    """Draws how many lanes want each bank, as a row of columns; returns the longest."""
    counts = [0] * WARP
    for bank in banks:
        counts[bank] += 1
    worst = max(counts)
    figure.text(grid.x, y + 58, "bank 0", size=11, fill=MUTED)
    figure.text(grid.x + WARP * grid.cell, y + 58, "bank 31", size=11, fill=MUTED, anchor="end")
    for bank, count in enumerate(counts):
        height = 40 * count / WARP if worst > 1 else 5
        x = grid.x + bank * grid.cell
        figure.rect(x + 1, y + 42 - height, grid.cell - 2, height, BAD if count > 1 else GOOD)
    figure.line(grid.x, y + 42.5, grid.x + WARP * grid.cell, y + 42.5, MUTED, 1)
    return worst


def shared_memory(figure: Figure, x: float, y: float, title: str, rows: int) -> Grid:
    """Shared memory as it lies in its 32 banks: a column of cells is a bank."""
    grid = Grid(figure, x, y, rows, WARP, 9)
    figure.text(x, y - 12, title, bold=True)
    grid.background()
    grid.rule(1)
    return grid


def banks_figure(
    description: str,
    note: str,
    rows: int,
    address: Callable[[int, int], int],
    unused: Iterable[int] = (),
) -> Figure:
    """A warp writes row 3 of the tile and reads column 3, both drawn where they lie in memory."""
    figure = Figure(740, 540, description)
    panels = (
        (40, "the warp writes row 3 of the tile", [address(3, lane) for lane in range(WARP)]),
        (412, "the warp reads column 3 of the tile", [address(lane, 3) for lane in range(WARP)]),
    )
    for x, title, addresses in panels:
        grid = shared_memory(figure, x, 48, title, rows)
        for place in unused:
            grid.fill(place // WARP, place % WARP, UNUSED)
        for lane, place in enumerate(addresses):
            grid.fill(place // WARP, place % WARP, lane_colour(lane))
        top = 52 + 33 * 9
        worst = bank_counts(figure, grid, [place % WARP for place in addresses], top)
        steps = "1 step" if worst == 1 else f"{worst} steps, one after the other"
        meaning = "32 lanes, 32 banks" if worst == 1 else "32 lanes, all in the same bank"
        verdict(figure, x, top + 92, worst == 1, steps, meaning)
    figure.text(40, 496, note, size=12, fill=MUTED)
    legend_of_warp(figure, 40, 520)
    return figure


def shared() -> Figure:
    return banks_figure(
        "Rung 2: a column of the tile lies in one bank",
        "float tile[32][32]: element (r, c) is in bank c.",
        32,
        lambda row, col: 32 * row + col,
    )


def padded() -> Figure:
    return banks_figure(
        "Rung 3: with rows of 33 floats a column of the tile lies in 32 banks",
        "float tile[32][33]: element (r, c) is in bank (r + c) mod 32. Grey: the 32 unused floats.",
        33,
        lambda row, col: 33 * row + col,
        [33 * row + 32 for row in range(32)],
    )


def rotated() -> Figure:
    return banks_figure(
        "Rung 4: with row r rotated by r places a column of the tile lies in 32 banks",
        "tile[r][(r + c) % 32]: the same banks as with padding, and nothing unused.",
        32,
        lambda row, col: 32 * row + (row + col) % 32,
    )


def more_per_thread() -> Figure:
    figure = Figure(740, 394, "Rung 5: four elements per thread, eight blocks per multiprocessor")
    grid = Grid(figure, 40, 74, 32, 32, 9)
    figure.text(40, 42, "one tile, 32 x 8 threads", bold=True)
    figure.text(40, 61, "threadIdx.y = 2 in colour: four rows, eight apart", size=12, fill=MUTED)
    grid.background()
    for part in range(4):
        for lane in range(WARP):
            grid.fill(2 + 8 * part, lane, lane_colour(lane))
        grid.outline(8 * part, 0, 8, 32, stroke=MUTED, width=1)
        figure.text(40 + 32 * 9 + 8, 74 + 9 * (8 * part + 5), f"i = {part}", size=12, mono=True)

    left = 412
    figure.text(left, 42, "one multiprocessor over time (a sketch)", bold=True)
    load, wait, store = lane_colour(4), WAITING, lane_colour(26)
    figure.text(left, 74, "two blocks of 1024 threads, one load each", size=12, fill=MUTED)
    for block in range(2):
        y = 82 + 34 * block
        for start in (0, 150):
            x = left + start
            figure.rect(x, y, 24, 28, load)
            figure.rect(x + 24, y, 86, 28, wait)
            figure.rect(x + 110, y, 30, 28, store)
    figure.text(left, 180, "eight blocks of 256 threads, four loads each", size=12, fill=MUTED)
    for block in range(8):
        y = 188 + 18 * block
        shift = 36 * (block % 4)
        for start in (-140, 10, 160, 310):
            for offset, width, colour in ((0, 24, load), (24, 86, wait), (110, 30, store)):
                begin = max(0, start + shift + offset)
                end = min(290, start + shift + offset + width)
                if end > begin:
                    figure.rect(left + begin, y, end - begin, 15, colour)
    for x, colour, label in (
        (left, load, "load"),
        (left + 70, wait, "wait for the last load"),
        (left + 222, store, "store"),
    ):
        figure.rect(x, 350, 12, 12, colour)
        figure.text(x + 18, 360, label, size=12, fill=MUTED)
    return figure


def vectorised() -> Figure:
    """The first of the four reads with which warp 0 gathers what it stores."""
    size, cell = 64, 5
    figure = Figure(740, 476, "Rung 6: a warp gathers from 32 banks and stores 4 x 128 bytes")
    tile = Grid(figure, 40, 66, size, size, cell)
    figure.text(40, 36, "the tile: 64 rows of 16 float4", bold=True)
    figure.text(40, 54, "row r rotated by r / 4 places of a float4", size=12, fill=MUTED)
    tile.background()
    tile.rule(4, 4)
    banks = []
    for lane in range(WARP):
        vector, x = lane % 8, lane // 8
        col = 4 * ((x // 4 + vector) % 16) + x % 4
        tile.fill(4 * vector, col, lane_colour(lane))
        banks.append((size * 4 * vector + col) % WARP)
    strip = Grid(figure, 40, 66 + size * cell + 12, 1, WARP, 10)
    for lane, bank in enumerate(banks):
        strip.fill(0, bank, lane_colour(lane))
    assert len(set(banks)) == WARP
    verdict(figure, 40, 434, True, "1 step", "first read of four: 32 lanes, 32 banks")

    left = 412
    figure.text(left, 36, "the output: one store of the warp", bold=True)
    figure.text(left, 54, "four rows, 128 bytes in each", size=12, fill=MUTED)
    output = Grid(figure, left, 66, 32, 32, 9)
    output.background()
    output.rule(FLOATS_PER_SECTOR)
    for lane in range(WARP):
        vector, x = lane % 8, lane // 8
        output.fill(x, 4 * vector, lane_colour(lane), cols=4)
    for x in range(4):
        for sector in range(4):
            output.outline(x, FLOATS_PER_SECTOR * sector, 1, FLOATS_PER_SECTOR)
    verdict(figure, left, 434, True, "16 sectors", "512 bytes moved, all of them asked for")
    return figure


def occupancy() -> Figure:
    figure = Figure(740, 330, "How many tiles of 16.0 and of 16.25 KB fit on a multiprocessor")

    def bar(
        y: float, label: str, capacity: float, block: float, reserved: float, most: int
    ) -> None:
        width = 480
        scale = width / capacity
        fitting = int(capacity / (block + reserved))
        used = min(fitting, most)
        figure.text(196, y + 20, label, size=13, anchor="end")
        figure.rect(206, y, width, 30, EMPTY)
        for index in range(fitting):
            x = 206 + index * (block + reserved) * scale
            colour = lane_colour(8 + 2 * index) if index < used else UNUSED
            figure.rect(x + 0.75, y, block * scale - 1.5, 30, colour)
        figure.rect(206, y, width, 30, stroke=INK, stroke_width=1.2)
        figure.text(206 + width + 10, y + 20, str(used), size=17, bold=True)

    figure.text(40, 36, "64 KB per multiprocessor, nothing reserved (Turing)", bold=True)
    bar(52, "16.0 KB, rotated", 64, 16, 0, 16)
    bar(92, "16.25 KB, padded", 64, 16.25, 0, 16)
    figure.text(40, 172, "228 KB per multiprocessor, 1 KB reserved per block (Hopper)", bold=True)
    bar(188, "16.0 KB, rotated", 228, 16, 1, 8)
    bar(228, "16.25 KB, padded", 228, 16.25, 1, 8)
    figure.rect(206, 282, 12, 12, lane_colour(16))
    figure.text(224, 292, "resident block", size=12, fill=MUTED)
    figure.rect(330, 282, 12, 12, UNUSED)
    figure.text(
        348, 292, "would fit, but eight blocks of 256 threads are 2048 threads", size=12, fill=MUTED
    )
    return figure


FIGURES = {
    "01_naive": naive,
    "02_shared": shared,
    "03_padded": padded,
    "04_rotated": rotated,
    "05_more_per_thread": more_per_thread,
    "06_vectorised": vectorised,
    "occupancy": occupancy,
}


def main() -> None:
    for name, draw in FIGURES.items():
        draw().write(HERE / "figures" / f"{name}.svg")


if __name__ == "__main__":
    main()
