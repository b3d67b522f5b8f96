"""The figures of part volume; see draw.py, which draws all."""

from __future__ import annotations

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


DRAWN = {
    "volume_rays": rays,
    "volume_shapes": shapes,
    "volume_slices": slices,
    "volume_bricks": bricks,
}
