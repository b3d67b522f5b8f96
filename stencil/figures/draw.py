"""Draws the figures of the handout: python3 stencil/figures/draw.py

activity.svg shows the times in measured.json; the others are drawings without measurements.
"""

from __future__ import annotations

import json
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
    RED,
    Svg,
    blend,
)

WIDTH = 820
# Which of 32 items are active in the drawings.
SPARSE = {3, 11, 12, 26}


def draw_mask() -> None:
    svg = Svg(WIDTH, 236, "What a warp reads of an int flag, a byte flag and a bit per item")
    left, cell = 130, (WIDTH - 130) / 32
    rows = [("int", 4, ORANGE), ("byte", 1, BLUE), ("bit", 1 / 8, GREEN)]
    for k, (name, size, colour) in enumerate(rows):
        y = 26 + 72 * k
        svg.text(0, y + 15, name, 15, INK, weight="bold")
        svg.text(0, y + 33, f"{size:g} bytes an item" if size >= 1 else "4 bytes a warp", 12, MUTED)
        width = 32 * cell * size / 4
        for sector in range(4 if size == 4 else 1):
            x = left + sector * 8 * cell
            svg.rect(x, y - 4, 8 * cell - 2, 34, FAINT, GREY, radius=3)
        if size == 1 / 8:
            svg.rect(left, y, width, 26, colour, radius=1)
            svg.text(
                left + 8 * cell + 12, y + 18, "the other 28 bytes: seven more warps", 12, MUTED
            )
        else:
            for item in range(32):
                x = left + item * cell * size / 4
                on = item in SPARSE
                fill = colour if on else blend(colour, CARD, 0.7)
                svg.rect(x + 0.5, y, cell * size / 4 - 1, 26, fill, radius=1)
        sectors = "4 sectors" if size == 4 else "1 sector" if size == 1 else "1 sector for 8 warps"
        svg.text(left, y + 46, sectors, 12, MUTED)
    svg.text(left, 12, "32 items of one warp; boxes are sectors of 32 bytes", 12, MUTED)
    svg.save(HERE / "mask.svg")


def draw_skip() -> None:
    svg = Svg(WIDTH, 244, "A warp reads 32 words, skips 29, and goes through three")
    cell = WIDTH / 32
    words = {5, 6, 20}
    caption = "each lane reads the word of its own number: one request, 1024 items"
    svg.text(0, 12, caption, 13, INK, weight="bold")
    for lane in range(32):
        x = lane * cell
        on = lane in words
        svg.rect(x + 2, 24, cell - 4, 24, BLUE if on else FAINT, radius=3)
        text = "…" if on else "0"
        svg.text(x + cell / 2, 41, text, 12, "#ffffff" if on else MUTED, "middle")
    caption = "a ballot tells which words are not 0: bits 5, 6 and 20"
    svg.text(0, 72, caption, 13, INK, weight="bold")
    for k, word in enumerate(sorted(words)):
        y = 118 + 56 * k
        learn = f"round {k + 1}: all lanes learn word {word} by a shuffle"
        svg.text(0, y - 8, f"{learn}; each lane has the item of its own number", 12, MUTED)
        items = {(7 * word + 5 * j) % 32 for j in range(2 + k)}
        for lane in range(32):
            fill = ORANGE if lane in items else FAINT
            svg.rect(lane * cell + 2, y, cell - 4, 20, fill, radius=3)
    svg.save(HERE / "skip.svg")


def draw_packed() -> None:
    svg = Svg(WIDTH, 252, "Eight words with few items each, and the same items in one full warp")
    cell, left = 20, 96
    active = [(w, (11 * w + 9 * j) % 32) for w in range(8) for j in range(4)]
    svg.text(left, 12, "one lane per item: 8 rounds, 4 lanes of 32 at work", 13, RED, weight="bold")
    for w in range(8):
        y = 22 + 15 * w
        svg.text(left - 10, y + 10, f"word {w}", 11, MUTED, "end")
        for lane in range(32):
            on = (w, lane) in active
            svg.rect(left + lane * cell + 1, y, cell - 2, 12, ORANGE if on else FAINT, radius=2)
    svg.text(left, 172, "packed: 1 round, all lanes at work", 13, GREEN, weight="bold")
    svg.text(left - 10, 195, "list", 11, MUTED, "end")
    for k, (w, lane) in enumerate(sorted(active)):
        svg.rect(left + k * cell + 1, 182, cell - 2, 18, ORANGE, radius=2)
        svg.text(left + k * cell + cell / 2, 195, str(32 * w + lane), 8.5, "#ffffff", "middle")
    svg.text(left, 222, "The list stands in shared memory. Its entries ascend, so lanes that are "
             "neighbours", 12, MUTED)  # fmt: skip
    svg.text(left, 239, "still touch values that lie near each other.", 12, MUTED)
    svg.save(HERE / "packed.svg")


def draw_tree() -> None:
    svg = Svg(WIDTH, 250, "Eight lanes OR their words pairwise in three steps")
    lanes, cell, left = 8, 84, 130
    values = [0x01, 0x00, 0x04, 0x08, 0x00, 0x20, 0x00, 0x80]
    shown = [f"{v:02x}" for v in values]
    for step in range(4):
        y = 8 + 64 * step
        label = ["own bit", "distance 1", "distance 2", "distance 4"][step]
        svg.text(left - 16, y + 17, label, 12, MUTED, "end")
        distance = 1 << step
        for lane in range(lanes):
            x = left + lane * cell
            live = step == 0 or lane % distance == 0
            fill = blend(BLUE, CARD, 0.55) if live else FAINT
            svg.rect(x, y, cell - 22, 26, fill, BLUE if live else GREY, radius=4)
            if live:
                svg.text(x + (cell - 22) / 2, y + 18, shown[lane], 13, INK, "middle")
        if step == 3:
            break
        for lane in range(0, lanes, 2 * distance):
            x = left + lane * cell + (cell - 22) / 2
            svg.line(x, y + 27, x, y + 62, BLUE, 1.4, arrow=True)
            svg.line(x + distance * cell, y + 27, x + 8, y + 62, BLUE, 1.4, arrow=True)
            values[lane] |= values[lane + distance]
            shown[lane] = f"{values[lane]:02x}"
        svg.line(left - 8, y + 44, WIDTH - 10, y + 44, RED, 1.2, "5 4")
        if step == 0:
            svg.text(WIDTH - 10, y + 58, "__syncwarp()", 11, RED, "end")
    svg.save(HERE / "tree.svg")


def draw_ballot() -> None:
    svg = Svg(WIDTH, 226, "A ballot of all lanes, and one to which only lane 0 comes")
    cell, left = 40, 150
    lives = [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1]

    def row(y: float, title: str, colour: str, come: list[bool]) -> None:
        svg.text(0, y + 20, title, 13, colour, weight="bold")
        for lane, alive in enumerate(lives):
            x = left + lane * cell
            fill = (GREEN if alive else GREY) if come[lane] else CARD
            svg.rect(x + 3, y, cell - 6, 28, fill, GREEN if alive else GREY, radius=5,
                     dash="none" if come[lane] else "3 3")  # fmt: skip
            svg.text(x + cell / 2, y + 19, "lives" if alive else "dies", 10,
                     "#ffffff" if come[lane] else MUTED, "middle")  # fmt: skip
            bit = alive and come[lane]
            if come[lane]:
                svg.line(x + cell / 2, y + 30, x + cell / 2, y + 50, GREY, 1.2, arrow=True)
            svg.rect(x + 3, y + 53, cell - 6, 24, blend(BLUE, CARD, 0.3 if bit else 0.9), radius=3)
            wrong = bool(alive) and not come[lane]
            svg.text(x + cell / 2, y + 70, "1" if bit else "0", 13, RED if wrong else INK, "middle",
                     "bold" if bit or wrong else "normal")  # fmt: skip

    row(6, "all lanes come", GREEN, [True] * 16)
    row(124, "if (lane == 0)", RED, [lane == 0 for lane in range(16)])
    svg.text(0, 160, "16 of 32 lanes", 12, MUTED)
    svg.text(0, 200, "the new word", 12, MUTED)
    svg.text(0, 82, "the new word", 12, MUTED)
    svg.save(HERE / "ballot.svg")


# Lengths of the items in the drawing of the schedules: 8 "warps" of 4 lanes.
ITEMS = [1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
         1, 1, 8, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7]  # fmt: skip


def schedule_warps() -> list[list[tuple[int, float, float]]]:
    """Two warps of four lanes; the warp that is free first takes the next four items."""
    lanes: list[list[tuple[int, float, float]]] = [[] for _ in range(8)]
    free = [0.0, 0.0]
    for first in range(0, 32, 4):
        warp = free.index(min(free))
        for k in range(4):
            lanes[4 * warp + k].append((first + k, free[warp], free[warp] + ITEMS[first + k]))
        free[warp] += max(ITEMS[first : first + 4])
    return lanes


def schedule_blocks() -> list[list[tuple[int, float, float]]]:
    """One block of two warps; the next block begins when both are done."""
    lanes: list[list[tuple[int, float, float]]] = [[] for _ in range(8)]
    start = 0.0
    for first in range(0, 32, 8):
        for k in range(8):
            lanes[k].append((first + k, start, start + ITEMS[first + k]))
        start += max(ITEMS[first : first + 8])
    return lanes


def schedule_lanes() -> list[list[tuple[int, float, float]]]:
    """Whichever lane is free first takes the next item."""
    lanes: list[list[tuple[int, float, float]]] = [[] for _ in range(8)]
    free = [0.0] * 8
    for item, length in enumerate(ITEMS):
        lane = free.index(min(free))
        lanes[lane].append((item, free[lane], free[lane] + length))
        free[lane] += length
    return lanes


def draw_schedules() -> None:
    svg = Svg(WIDTH, 486, "32 items on eight lanes: by blocks, by warps, by lanes")
    unit, left = 25, 110
    svg.rect(left, 0, 12, 12, BLUE)
    svg.text(left + 18, 11, "an item of one unit of time", 12, MUTED)
    svg.rect(left + 210, 0, 12, 12, PURPLE)
    svg.text(left + 228, 11, "a long one", 12, MUTED)
    svg.rect(left + 330, 0, 12, 12, FAINT)
    svg.text(left + 348, 11, "a lane that has nothing to do", 12, MUTED)
    rows = [
        ("blocks", "rung 2", schedule_blocks(), RED),
        ("warps", "rungs 5 and 6", schedule_warps(), ORANGE),
        ("lanes", "rung 7", schedule_lanes(), GREEN),
    ]
    for k, (title, rung, lanes, colour) in enumerate(rows):
        y = 36 + 138 * k
        svg.text(0, y + 40, title, 15, INK, weight="bold")
        svg.text(0, y + 58, rung, 12, MUTED)
        end = max(stop for lane in lanes for _, _, stop in lane)
        for number, lane in enumerate(lanes):
            top = y + 14 * number + (4 if number >= 4 else 0)
            svg.rect(left, top, end * unit, 12, FAINT, radius=1)
            for item, start, stop in lane:
                heavy = ITEMS[item] > 1
                fill = PURPLE if heavy else BLUE
                svg.rect(
                    left + start * unit + 1, top, (stop - start) * unit - 2, 12, fill, radius=2
                )
        svg.line(left + end * unit, y - 4, left + end * unit, y + 120, colour, 1.6, "4 3")
        svg.text(left + end * unit + 6, y + 62, f"done at {end:g}", 12, colour, weight="bold")
    base = 36 + 138 * 3
    svg.line(left, base, left + 27 * unit, base, INK, 1.2, arrow=True)
    for time in range(0, 26, 5):
        svg.line(left + time * unit, base - 4, left + time * unit, base + 4)
        svg.text(left + time * unit, base + 20, str(time), 11, MUTED, "middle")
    svg.text(0, base + 4, "time, in units", 12, MUTED)
    svg.save(HERE / "schedules.svg")


def draw_activity() -> None:
    """Times over the share of active items, both axes logarithmic; the empty mask stands apart."""
    measured = json.loads((HERE / "measured.json").read_text())["stencil_test"]["times"]
    shares = [100, 50, 10, 1, 0]
    series = [
        ("1 int flag", "01_int_flag", RED),
        ("3 bit by shift", "03_bit_by_shift", ORANGE),
        ("7 skip many", "07_skip_many", BLUE),
        ("8 compaction", "08_compaction", PURPLE),
        ("9 packed", "09_packed", MUTED),
        ("solution", "solution", GREEN),
    ]
    svg = Svg(WIDTH, 360, "Time of a stencil test over the share of active items")
    left, top, width, height = 70, 22, 560, 280

    def x_of(share: float) -> float:
        return left + (18 if share == 0 else 118 + (width - 136) * (math.log10(share) / 2))

    def y_of(us: float) -> float:
        return top + height * (1 - math.log10(us / 5) / math.log10(2000 / 5))

    for us in (5, 10, 20, 50, 100, 200, 500, 1000, 2000):
        svg.line(left, y_of(us), left + width, y_of(us), FAINT, 1)
        svg.text(left - 8, y_of(us) + 4, f"{us} µs", 11, MUTED, "end")
    for share in shares:
        svg.text(x_of(share), top + height + 18, f"{share:g} %", 11, MUTED, "middle")
    svg.text(left + width / 2, top + height + 40, "active items, at random", 12, INK, "middle")
    labels = []
    for name, rung, colour in series:
        times = [1000 * measured[f"{share} % random"][rung] for share in shares]
        points = sorted((x_of(s), y_of(t)) for s, t in zip(shares, times, strict=True))
        (x0, y0), (x1, y1) = points[:2]
        svg.line(x0, y0, x1, y1, colour, 1.6, "3 4")
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points[1:])
        svg.path(f"M{path}", colour, 2)
        for x, y in points:
            svg.rect(x - 3, y - 3, 6, 6, colour, radius=3)
        labels.append((points[-1][1], name, colour))
    last = 0.0
    for y, name, colour in sorted(labels):
        last = max(y, last + 15)
        svg.text(left + width + 12, last + 4, name, 12, colour, weight="bold")
    svg.save(HERE / "activity.svg")


def main() -> None:
    draw_mask()
    draw_skip()
    draw_packed()
    draw_tree()
    draw_ballot()
    draw_schedules()
    draw_activity()


if __name__ == "__main__":
    main()
