"""The figures of part volume; see draw.py, which draws all."""

from __future__ import annotations

import json
from pathlib import Path

from harness.figures.svg import (
    BLUE,
    CARD,
    FAINT,
    GREEN,
    GREY,
    INK,
    MUTED,
    ORANGE,
    RED,
    Grid,
    Svg,
    blend,
)

WIDTH = 820
TURN = Path(__file__).resolve().parent / "turn.json"  # what turn.py has measured
SHAPES = [(256, 1), (128, 2), (64, 4), (32, 8), (16, 16), (8, 32), (4, 64), (2, 128), (1, 256)]


def title(svg: Svg, x: float, text: str, below: str = "") -> None:
    svg.text(x, 14, text, 15, weight="bold")
    if below:
        svg.text(x, 33, below, 13, MUTED)


def dot(svg: Svg, x: float, y: float, radius: float, fill: str) -> None:
    svg.items.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>')


def rays() -> Svg:
    """A ray's samples between voxels, and what is left of the light at each of them."""
    svg = Svg(WIDTH, 320, "The samples of a ray, and the light that is left at each")
    title(svg, 0, "a ray takes a sample every voxel", "each between the nearest voxels: 8 in space")
    cell = 32
    for row in range(7):
        for col in range(11):
            dot(svg, 16 + col * cell, 66 + row * cell, 2.5, GREY)
    svg.line(0, 78, 350, 236, INK, 1.2, arrow=True)
    length = (350**2 + 158**2) ** 0.5
    samples = [(1 + k * cell * 350 / length, 78.5 + k * cell * 158 / length) for k in range(12)]
    opacity = [0, 0, 0, 0.1, 0.35, 0.5, 0.4, 0.6, 0.7, 0.6, 0.4, 0.2]
    light = 1.0
    lights = []
    for (x, y), share in zip(samples, opacity, strict=True):
        lights.append(light)
        dot(svg, x, y, 5, blend(BLUE, FAINT, 1 - share**0.5) if share else FAINT)
        light *= 1 - share
    x0, bar, height = 440, 24, 190
    title(svg, x0, "light that is left", "what is behind 1/256 of it cannot be seen")
    for k, left in enumerate(lights):
        x = x0 + k * (bar + 6)
        svg.rect(x, 60 + height * (1 - left), bar, max(1.2, height * left), ORANGE)
        svg.text(x + bar / 2, 60 + height + 18, str(k), 12, MUTED, "middle")
    svg.line(x0, 60 + height, x0 + 12 * (bar + 6), 60 + height, INK)
    svg.text(x0, 60 + height + 40, "sample", 12, MUTED)
    return svg


def shapes() -> Svg:
    """Nine blocks of 256 pixels, and the first warp of each."""
    svg = Svg(WIDTH, 330, "Nine shapes of a block, and of the warps in it")
    title(svg, 0, "256 pixels, nine times", "orange: the 32 pixels of the first warp")
    y = 56.0
    for width, height in SHAPES[:4]:
        unit = 1.6
        warp = 32 * unit
        svg.rect(60, y, width * unit, max(2.0, height * unit), blend(BLUE, CARD, 0.45), radius=0)
        svg.rect(60, y, warp, max(2.0, unit), ORANGE, radius=0)
        svg.text(52, y + 9, f"{width} × {height}", 12, MUTED, "end")
        y += height * unit + 22
    x = 60.0
    for width, height in SHAPES[4:]:
        unit = 1.0 if height > 100 else 1.6
        top = 180.0 if height < 100 else 56.0
        left = x if height < 100 else x + 160
        svg.rect(
            left, top, max(2.5, width * unit), height * unit, blend(BLUE, CARD, 0.45), radius=0
        )
        svg.rect(left, top, max(2.5, width * unit), max(2.0, 32 / width * unit), ORANGE, radius=0)
        svg.text(left, top + height * unit + 16, f"{width} × {height}", 12, MUTED)
        x += 100
    return svg


def slices() -> Svg:
    """A row of pixels and a column of pixels, as places in the volume that is turned about y."""
    svg = Svg(WIDTH, 300, "What a warp reads at once when the volume is turned about y")
    title(svg, 0, "in memory, slice follows slice", "near in a slice, whether in x or y")
    for k in range(4):
        x = 20 + 74 * k
        grid = Grid(svg, x, 70, 4, 4, 15)
        for row in range(4):
            for col in range(4):
                grid.fill(row, col, blend(BLUE, CARD, 0.25 + 0.15 * k))
        grid.rule(1)
        svg.text(x + 30, 150, f"z = {k}", 12, MUTED, "middle")
        if k < 3:
            svg.line(x + 62, 100, x + 72, 100, GREY, arrow=True)
    svg.text(0, 196, "size × size bytes from one slice to the next:", 13)
    svg.text(0, 216, "a megabyte where there are 1024 of them", 13)
    for x0, name, vertical in ((380, "a row of pixels", False), (620, "a column of pixels", True)):
        title(svg, x0, name, "seen from above: x and z")
        grid = Grid(svg, x0, 60, 10, 10, 17)
        if vertical:
            grid.fill(4, 5, ORANGE)
        else:
            for k in range(10):
                grid.fill(k, 9 - k, ORANGE)
        grid.rule(1)
        svg.text(x0 + 178, 74, "z = 0", 11, MUTED)
        svg.text(x0 + 178, 226, "z = 9", 11, MUTED)
        slices_read = "1 slice" if vertical else "10 slices"
        svg.text(x0, 256, f"{slices_read} at once", 13, GREEN if vertical else RED)
    svg.text(620, 276, "(its pixels differ in y)", 12, MUTED)
    return svg


def bricks() -> Svg:
    """A ray over bricks, of which few have something to show."""
    svg = Svg(WIDTH, 320, "Bricks that show something, and the samples that a ray takes")
    title(svg, 0, "bricks of 8 × 8 × 8", "blue: there is something to show")
    grid = Grid(svg, 0, 50, 8, 8, 32)
    shown = {(2, 3), (2, 4), (3, 2), (3, 3), (3, 4), (3, 5), (4, 2), (4, 3), (4, 4), (4, 5)}
    shown |= {(5, 3), (5, 4)}
    for row, col in shown:
        grid.fill(row, col, blend(BLUE, CARD, 0.45))
    grid.rule(1)
    slope = 0.42
    x, places = 0.0, []
    while x < 256:
        y = 90 + slope * x
        col, row = int(x / 32), int((y - 50) / 32)
        places.append((x, y, (row, col) in shown))
        if (row, col) in shown:
            x += 4
        else:
            to_right = 32 * (col + 1) - x
            to_below = (50 + 32 * (row + 1) - y) / slope
            x += max(4.0, min(to_right, to_below) // 4 * 4 + 4)
    svg.line(0, 90, 256, 90 + slope * 256, GREY)
    for x, y, shows in places:
        dot(svg, x, y, 2.6, ORANGE if shows else RED)
    x0 = 330
    title(svg, x0, "red: the brick is empty, on to its far side")
    svg.text(x0, 60, "A sample lies between voxels, so a brick must look one voxel", 13)
    svg.text(x0, 80, "further in each direction than it is long: 9 × 9 × 9.", 13)
    svg.text(x0, 116, "What is left out has opacity 0. The picture is the same.", 13)
    return svg


def morton() -> Svg:
    """A slice of 8 x 8 voxels in Morton order, and how far neighbours are apart in memory."""
    side, cell = 8, 30
    svg = Svg(WIDTH, 330, "Slices in Morton order, and how far neighbours are apart")
    title(svg, 0, "the paper's model of a slice", "voxels in Morton order: x and y bit by bit")
    grid = Grid(svg, 0, 54, side, side, cell)
    place = {}
    for row in range(side):
        for col in range(side):
            number = sum(
                (col >> bit & 1) << 2 * bit | (row >> bit & 1) << 2 * bit + 1 for bit in range(3)
            )
            place[number] = (col * cell + cell / 2, 54 + row * cell + cell / 2)
            grid.fill(row, col, blend(BLUE, CARD, 0.9 - 0.6 * number / (side * side)))
    grid.rule(1)
    path = "L".join(f"{place[k][0]:.0f} {place[k][1]:.0f}" for k in range(side * side))
    svg.path(f"M{path}", INK, 1)
    svg.text(0, 54 + side * cell + 20, "the next slice: size × size voxels later", 12, MUTED)
    x0 = 300
    title(svg, x0, "a row of 32 neighbours, against one along x", "the mean distance, and the time")
    measured = json.loads(TURN.read_text())
    times = measured["row_ns"]
    rows = [("x", 1, BLUE), ("y", 2, ORANGE), ("z", 6, RED)]
    for k, (axis, model, colour) in enumerate(rows):
        y = 62 + 78 * k
        svg.text(x0, y + 30, axis, 16, INK, weight="bold")
        for line, (value, what) in enumerate(
            ((model, "the paper"), (times[axis] / times["x"], f"measured, {measured['gpu']}"))
        ):
            fill = blend(colour, CARD, 0.45) if line == 0 else colour
            top = y + 6 + 24 * line
            svg.rect(x0 + 24, top, 26 * value, 18, fill)
            text = f"{value:.3g} · {what}"
            svg.text(x0 + 24 + 26 * value + 8, top + 13, text, 12, MUTED)
    return svg


def views() -> Svg:
    """Frames per second over a turn about each axis, of three ways to choose a block's shape."""
    measured = json.loads(TURN.read_text())
    names = dict(zip(measured["turn"], (MUTED, BLUE, GREEN), strict=True))
    left, width, height, gap = 60, WIDTH - 90, 150, 64
    svg = Svg(WIDTH, 3 * (height + gap), "Frames per second over a turn about x, y and z")
    for k, (name, colour) in enumerate(names.items()):
        svg.line(left + 190 * k, 6, left + 24 + 190 * k, 6, colour, 2)
        svg.text(left + 30 + 190 * k, 10, name, 13, colour, weight="bold")
    most = max(
        rate for axes in measured["turn"].values() for turn in axes.values() for _, rate in turn
    )
    top_rate = 20 * (int(most / 20) + 1)
    for k, axis in enumerate("xyz"):
        top = 46 + k * (height + gap)
        svg.text(left, top - 10, f"about {axis}", 14, INK, weight="bold")
        for rate in range(0, top_rate + 1, 40):
            y = top + height * (1 - rate / top_rate)
            svg.line(left, y, left + width, y, FAINT, 1)
            svg.text(left - 8, y + 4, str(rate), 11, MUTED, "end")
        for degrees in range(0, 361, 45):
            x = left + width * degrees / 360
            svg.text(x, top + height + 17, f"{degrees}°", 11, MUTED, "middle")
        for name, colour in names.items():
            places = [
                (left + width * degrees / 360, top + height * (1 - rate / top_rate))
                for degrees, rate in measured["turn"][name][axis]
            ]
            svg.path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places), colour, 1.8)
            for x, y in places:
                dot(svg, x, y, 2.4, colour)
    return svg


def near_z() -> Svg:
    """Frames per second in the first 15 degrees about z, of two shapes with the same warps."""
    measured = json.loads(TURN.read_text())["near_z"]
    left, top, width, height = 60, 40, 560, 190
    svg = Svg(WIDTH, 264, "Frames per second from 0 to 15 degrees about z, 256 x 1 and 32 x 8")
    rates = [rate for line in measured.values() for _, rate in line]
    least, most = 5 * int(min(rates) / 5), 5 * (int(max(rates) / 5) + 1)
    svg.text(left, 14, "frames per second (the axis does not begin at 0)", 12, MUTED)
    for rate in range(least, most + 1, 5):
        y = top + height * (1 - (rate - least) / (most - least))
        svg.line(left, y, left + width, y, FAINT, 1)
        svg.text(left - 8, y + 4, str(rate), 11, MUTED, "end")
    for degrees in range(0, 16, 3):
        svg.text(left + width * degrees / 15, top + height + 18, f"{degrees}°", 11, MUTED, "middle")
    for (name, line), colour in zip(measured.items(), (ORANGE, BLUE), strict=True):
        places = [
            (left + width * d / 15, top + height * (1 - (rate - least) / (most - least)))
            for d, rate in line
        ]
        svg.path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places), colour, 1.8)
        for x, y in places:
            dot(svg, x, y, 2.6, colour)
        svg.text(left + width + 12, places[-1][1] + 4, name, 13, colour, weight="bold")
    return svg


DRAWN = {
    "volume_morton": morton,
    "volume_views": views,
    "volume_near_z": near_z,
    "volume_rays": rays,
    "volume_shapes": shapes,
    "volume_slices": slices,
    "volume_bricks": bricks,
}
