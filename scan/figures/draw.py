"""Draws the figures of the handout: python3 scan/figures/draw.py"""

from __future__ import annotations

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
    RED,
    Svg,
    blend,
)

WIDTH = 820
INPUT = [3, 1, 7, 0, 4, 1, 6, 3]


def cell(svg: Svg, x: float, y: float, size: float, text: str, colour: str = FAINT) -> None:
    svg.rect(x + 2, y, size - 4, 26, colour, radius=4)
    svg.text(x + size / 2, y + 18, text, 13, INK, "middle")


def light(colour: str) -> str:
    return blend(colour, CARD, 0.55)


def draw_sweeps() -> None:
    """The tree of sums over eight elements, up on the left and down on the right."""
    svg = Svg(WIDTH, 292, "Up-sweep and down-sweep over eight elements")
    size, row = 46, 62
    right_half = WIDTH - 8 * size
    values = list(INPUT)
    svg.text(0, 12, "Up: the right one of each pair becomes the sum", 14, BLUE, weight="bold")
    y = 26
    for i, value in enumerate(values):
        cell(svg, i * size, y, size, str(value))
    for stride in (1, 2, 4):
        for right in range(2 * stride - 1, 8, 2 * stride):
            values[right] += values[right - stride]
            x = right * size + size / 2
            svg.line(x - stride * size, y + 28, x - 5, y + row - 3, BLUE, 1.3, arrow=True)
            svg.line(x, y + 28, x, y + row - 3, BLUE, 1.3, arrow=True)
        y += row
        for i, value in enumerate(values):
            is_new = i % (2 * stride) == 2 * stride - 1
            cell(svg, i * size, y, size, str(value), light(BLUE) if is_new else FAINT)
    svg.text(0, y + 54, "7 additions in 3 steps", 13, MUTED)

    svg.text(right_half, 12, "Down: the last one becomes 0; then to the left", 14, GREEN,
             weight="bold")  # fmt: skip
    values[7] = 0
    y = 26
    for i, value in enumerate(values):
        cell(svg, right_half + i * size, y, size, str(value), light(RED) if i == 7 else FAINT)
    for stride in (4, 2, 1):
        for right in range(2 * stride - 1, 8, 2 * stride):
            left = right - stride
            values[left], values[right] = values[right], values[left] + values[right]
            x = right_half + right * size + size / 2
            x_left = x - stride * size
            svg.line(x - 4, y + 28, x_left + 4, y + row - 3, ORANGE, 1.3, arrow=True)
            svg.line(x_left + 4, y + 28, x - 6, y + row - 3, GREEN, 1.3, arrow=True)
            svg.line(x, y + 28, x, y + row - 3, GREEN, 1.3, arrow=True)
        y += row
        for i, value in enumerate(values):
            is_new = i % stride == stride - 1
            cell(svg, right_half + i * size, y, size, str(value), light(GREEN) if is_new else FAINT)
    svg.text(right_half, y + 54, "orange: a copy; green: a sum", 13, MUTED)
    svg.save(HERE / "sweeps.svg")


def draw_shuffles() -> None:
    """Hillis and Steele's scan over eight lanes."""
    svg = Svg(WIDTH, 268, "A warp of eight lanes scans eight numbers in three steps")
    size, row = 70, 62
    left = 190
    values = list(INPUT)
    y = 10
    svg.text(0, y + 18, "own number", 13, MUTED)
    for i, value in enumerate(values):
        cell(svg, left + i * size, y, size, str(value))
    for distance in (1, 2, 4):
        before = list(values)
        for lane in range(distance, 8):
            values[lane] = before[lane] + before[lane - distance]
            x = left + lane * size + size / 2
            svg.line(x - distance * size, y + 28, x - 6, y + row - 3, BLUE, 1.3, arrow=True)
        for lane in range(8):
            x = left + lane * size + size / 2
            svg.line(x, y + 28, x, y + row - 3, GREY, 1.1, arrow=True)
        y += row
        svg.text(0, y + 18, f"+ {distance} lane{'s' * (distance > 1)} below", 13, BLUE)
        for lane, value in enumerate(values):
            fill = light(BLUE) if lane >= distance else FAINT
            cell(svg, left + lane * size, y, size, str(value), fill)
    svg.text(0, y + 56, "17 additions instead of 7, in 3 steps instead of 6, and no memory.",
             13, INK)  # fmt: skip
    svg.save(HERE / "shuffles.svg")


def draw_trips() -> None:
    """What each kind of rung reads and writes per element."""
    svg = Svg(WIDTH, 192, "Trips of every element through memory")
    left, trip = 250, 92
    rows = [
        ("tiles, then an addition", "rungs 3 to 6", ["read", "write", "read", "write"]),
        ("sums first, then the scan", "rung 7", ["read", "read", "write"]),
        ("one pass", "rung 8 and solution", ["read", "write"]),
        ("a copy", "the ceiling", ["read", "write"]),
    ]
    for k, (title, rungs, trips) in enumerate(rows):
        y = 6 + 48 * k
        svg.text(0, y + 14, title, 14, INK, weight="bold")
        svg.text(0, y + 31, rungs, 12, MUTED)
        for j, kind in enumerate(trips):
            colour = BLUE if kind == "read" else ORANGE
            svg.rect(left + j * trip, y, trip - 6, 30, light(colour), colour, radius=4)
            svg.text(left + j * trip + trip / 2 - 3, y + 20, kind, 13, INK, "middle")
        svg.text(left + 4 * trip + 20, y + 20, f"{4 * len(trips)} bytes per element", 13, MUTED)
    svg.save(HERE / "trips.svg")


def draw_lookback() -> None:
    """Tile 9 looks back at tiles that have published a sum or a prefix."""
    svg = Svg(WIDTH, 252, "The look-back window of tile 9")
    size = 76
    sums = [5, 2, 8, 1, 4, 6, 3, 7, 2, 4]
    left = (WIDTH - 10 * size) / 2
    known = 5
    for tile, value in enumerate(sums):
        x = left + tile * size
        is_prefix = tile <= known
        colour = GREEN if is_prefix else (ORANGE if tile == 9 else BLUE)
        svg.rect(x + 3, 34, size - 6, 62, light(colour), colour, radius=6)
        svg.text(x + size / 2, 26, f"tile {tile}", 12, MUTED, "middle")
        svg.text(x + size / 2, 56, "prefix" if is_prefix else "sum", 12, INK, "middle")
        number = sum(sums[: tile + 1]) if is_prefix else value
        svg.text(x + size / 2, 82, str(number), 18, INK, "middle", "bold")
    end = left + 9 * size + size / 2
    for tile in (8, 7, 6, 5):
        x = left + tile * size + size / 2
        depth = 132 + 10 * (8 - tile)
        svg.path(f"M{end:.0f} 100C{end:.0f} {depth} {x:.0f} {depth} {x:.0f} 100",
                 GREEN if tile == known else BLUE, 1.4, "none", True)  # fmt: skip
    svg.text(left + 7.2 * size, 172, "2 + 7 + 3 + 26 = 38", 17, INK, "middle", "bold")
    svg.text(left + 3, 130, "No tile needs to look further:", 12, MUTED)
    svg.text(left + 3, 147, "this prefix contains them.", 12, MUTED)
    svg.text(left + 3, 208, "Tile 9 publishes its sum 4 at once, so that later tiles can pass over "
             "it. With 38 known,", 13, INK)  # fmt: skip
    svg.text(left + 3, 228, "it publishes its prefix 42 and writes its elements. A warp looks at "
             "32 tiles at a time.", 13, INK)  # fmt: skip
    svg.save(HERE / "lookback.svg")


def draw_rounds() -> None:
    """Four blocks, three rounds: the words from which a tile's prefix is computed."""
    svg = Svg(WIDTH, 250, "Rounds of four blocks, and the words one tile waits for")
    blocks, rounds, size = 4, 3, 58
    left = (WIDTH - blocks * rounds * size) / 2
    colours = [BLUE, ORANGE, GREEN, GREY]
    tile = 9
    for k in range(blocks * rounds):
        x = left + k * size
        colour = colours[k % blocks]
        svg.rect(x + 2, 40, size - 4, 40, light(colour), colour, radius=5)
        svg.text(x + size / 2, 65, str(k), 15, INK, "middle", "bold")
        if k % blocks == 0:
            svg.text(x + 2 * size, 18, f"round {k // blocks}", 13, MUTED, "middle")
            svg.line(x, 24, x, 92, GREY, 1, "3 3")
    first = left + (tile - blocks) * size
    svg.path(f"M{first + 3:.0f} 100v9H{left + tile * size - 3:.0f}v-9", INK, 1.5)
    svg.text(first + 2 * size, 130, "four words, read at once", 13, INK, "middle", "bold")
    svg.text(left + tile * size + size / 2, 100, "↑", 15, INK, "middle")
    svg.text(left + tile * size + size / 2, 116, "waits", 12, INK, "middle")
    svg.text(left + 5 * size + size / 2, 150, "prefix known", 12, ORANGE, "middle")
    svg.text(left, 192, "Block 1 (orange) scans tiles 1, 5, 9. It knew what came before tile 5; "
             "tiles 5, 6, 7, 8 have been", 13, INK)  # fmt: skip
    svg.text(left, 212, "added since. It reads their words while tile 13 would be scanned: one "
             "round later than they were due.", 13, INK)  # fmt: skip
    svg.save(HERE / "rounds.svg")


def draw_compaction() -> None:
    """Flags, the scan of the flags, and the repeats in place."""
    svg = Svg(WIDTH, 236, "Flags, their exclusive scan, and the output of find_repeats")
    values = [4, 4, 7, 7, 7, 2, 9, 9, 1, 3]
    n = len(values)
    size, left = 62, 150
    flags = [int(i + 1 < n and values[i] == values[i + 1]) for i in range(n)]
    places = [sum(flags[:i]) for i in range(n)]
    rows = [("input", values), ("flag", flags), ("place", places)]
    for k, (name, numbers) in enumerate(rows):
        y = 22 + 46 * k
        svg.text(0, y + 18, name, 14, INK, weight="bold")
        for i, number in enumerate(numbers):
            is_on = flags[i] and k > 0
            cell(svg, left + i * size, y, size, str(number), light(BLUE) if is_on else FAINT)
            if k == 0:
                svg.text(left + i * size + size / 2, 14, str(i), 11, MUTED, "middle")
    y = 196
    svg.text(0, y + 18, "output", 14, INK, weight="bold")
    for i in range(n):
        if flags[i]:
            x = left + places[i] * size
            cell(svg, x, y, size, str(i), light(GREEN))
            svg.line(left + i * size + size / 2, 142, x + size / 2, y - 3, BLUE, 1.3, arrow=True)
    svg.text(left + 4 * size + 24, y + 18, "count = place[9] = 4, for the last flag is always 0",
             13, INK)  # fmt: skip
    svg.save(HERE / "compaction.svg")


def main() -> int:
    draw_sweeps()
    draw_shuffles()
    draw_trips()
    draw_lookback()
    draw_rounds()
    draw_compaction()
    return 0


if __name__ == "__main__":
    sys.exit(main())
