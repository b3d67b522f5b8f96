"""Draws the figures of the handout: python3 render/figures/draw.py

The pictures are made by the programs themselves: python3 render/figures/draw.py --pictures
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

import volume  # noqa: E402

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
    YELLOW,
    Grid,
    Svg,
    blend,
    lane_colour,
)

WIDTH = 820
SCENES = {
    "rgb": "--scene rgb",
    "rand10k": "--scene rand10k",
    "pattern": "--scene pattern",
    "biglittle": "--scene biglittle",
    "rand1M": "--scene rand1M --circles 40000",
    "hypnosis": "--scene hypnosis",
    "fireworks": "--scene fireworks --frame 12",
    "snowsingle": "--scene snowsingle --circles 8000",
}
PICTURE_SIZE = 192
VIEWS = {"volume_top": "0,0,0", "volume_side": "90,0,0", "volume_turned": "70,30,0"}


def title(svg: Svg, x: float, text: str, below: str = "") -> None:
    svg.text(x, 14, text, 15, weight="bold")
    if below:
        svg.text(x, 33, below, 13, MUTED)


def circle(
    svg: Svg, x: float, y: float, radius: float, fill: str, opacity: float = 0.5, stroke: str = ""
) -> None:
    outline = f' stroke="{stroke}" stroke-width="1.4"' if stroke else ""
    svg.items.append(
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"'
        f' fill-opacity="{opacity:g}"{outline}/>'
    )


def order() -> Svg:
    """Red over blue is not blue over red."""
    svg = Svg(WIDTH, 210, "Two half-transparent circles, drawn in either order")
    for x, first, second, names in (
        (0, BLUE, RED, "blue, then red"),
        (420, RED, BLUE, "red, then blue"),
    ):
        title(svg, x, names)
        circle(svg, x + 80, 120, 70, first)
        circle(svg, x + 150, 120, 70, second)
        below = blend("#ffffff", first, 0.5)
        mixed = blend(below, second, 0.5)
        for k, (colour, text) in enumerate(
            (
                ("#ffffff", "1 white"),
                (below, "½ · first + ½ · white"),
                (mixed, "½ · second + ½ · that"),
            )
        ):
            svg.rect(x + 240, 62 + 44 * k, 26, 26, colour, GREY)
            svg.text(x + 274, 80 + 44 * k, text, 12, MUTED)
    return svg


def tiles() -> Svg:
    """A block's threads as circles, and the list that a scan makes of the answers."""
    svg = Svg(WIDTH, 330, "Which circles touch the tile: a flag per circle, a scan, a list")
    title(svg, 0, "a tile and its neighbourhood", "the block's 16 × 16 pixels are the square")
    left, top, tile = 110, 130, 80
    circles = [
        (30, 90, 34, BLUE),
        (150, 110, 44, ORANGE),
        (250, 280, 30, GREEN),
        (205, 190, 26, RED),
        (60, 250, 30, PURPLE),
        (120, 215, 22, YELLOW),
        (260, 80, 24, BLUE),
        (140, 160, 14, GREEN),
    ]
    hits = [1, 3, 5, 7]
    svg.rect(left, top, tile, tile, FAINT, INK, radius=0)
    for i, (x, y, radius, colour) in enumerate(circles):
        hit = i in hits
        circle(svg, x, y, radius, colour, 0.5 if hit else 0.15, colour)
        svg.text(x, y + 4, str(i), 12, INK if hit else MUTED, "middle")
    x0, cell = 400, 46
    title(svg, x0, "the same threads as circles")
    rows = [
        ("circle", [str(i) for i in range(8)], 60),
        ("touches?", ["1" if i in hits else "0" for i in range(8)], 110),
        ("before it", [str(sum(h < i for h in hits)) for i in range(8)], 160),
    ]
    for name, values, y in rows:
        svg.text(x0 - 8, y + 19, name, 12, MUTED, "end")
        for i, value in enumerate(values):
            fill = blend(circles[i][3], CARD, 0.4) if i in hits else FAINT
            svg.rect(x0 + i * cell, y, cell - 4, 28, fill)
            svg.text(x0 + i * cell + 21, y + 19, value, 13, INK, "middle")
    svg.text(x0 - 8, 279, "list", 12, MUTED, "end")
    for place, i in enumerate(hits):
        svg.rect(x0 + place * cell, 260, cell - 4, 28, blend(circles[i][3], CARD, 0.4))
        svg.text(x0 + place * cell + 21, 279, str(i), 13, INK, "middle")
        svg.line(x0 + i * cell + 21, 190, x0 + place * cell + 21, 256, GREY, arrow=True)
    svg.text(x0, 318, "in order of the circles, without gaps", 12, MUTED)
    return svg


def nearest_point() -> Svg:
    """The square around a circle meets the tile, the circle does not."""
    svg = Svg(WIDTH, 280, "The tile's point that is nearest to the circle's centre")
    title(svg, 0, "the square meets the tile", "rung 2 puts this circle on the list")
    title(svg, 420, "the nearest point is outside", "rung 3 does not")
    centre_x, centre_y, radius = 185, 122, 70
    for x in (0, 420):
        svg.rect(x + 30, 170, 100, 100, FAINT, INK, radius=0)
        circle(svg, x + centre_x, centre_y, radius, BLUE, 0.25, BLUE)
        svg.text(x + 42, 258, "tile", 12, MUTED)
    left, top = centre_x - radius, centre_y - radius
    svg.rect(left, top, 2 * radius, 2 * radius, "none", RED, dash="5 4", radius=0)
    svg.rect(left, 170, 130 - left, top + 2 * radius - 170, RED, opacity=0.4, radius=0)
    svg.line(420 + centre_x, centre_y, 550, 170, RED, 1.6)
    circle(svg, 420 + centre_x, centre_y, 3, INK, 1)
    circle(svg, 550, 170, 4, RED, 1)
    svg.text(428 + centre_x, centre_y - 4, "centre", 12, MUTED)
    return svg


def bins() -> Svg:
    """The bits of one bin: words of 32 circles, most of them zero."""
    svg = Svg(WIDTH, 300, "A bit per circle and bin")
    title(svg, 0, "16 × 16 bins", "each of many tiles")
    grid = Grid(svg, 0, 60, 16, 16, 13)
    grid.rule(1)
    grid.fill(6, 9, ORANGE)
    svg.text(0, 292, "bin (6, 9)", 12, MUTED)
    x0 = 300
    title(svg, x0, "its bits, 32 circles to a word", "in the order of the circles: nothing to sort")
    words = [[], [5, 17], [], [], [28], [], [], [2, 3]]
    for row, bits in enumerate(words):
        y = 60 + 24 * row
        line = Grid(svg, x0 + 70, y, 1, 32, 12)
        line.rule(1)
        for bit in bits:
            line.fill(0, bit, ORANGE)
        svg.text(x0 + 60, y + 11, f"{32 * row} …", 11, MUTED, "end")
        if not bits:
            svg.text(x0 + 462, y + 11, "0: next", 11, MUTED)
    svg.text(
        x0,
        278,
        "A block's 256 threads look at 256 words, 8192 circles, at once. The five set",
        12,
        MUTED,
    )
    svg.text(x0, 294, "bits are the candidates, which are then tested against the tile.", 12, MUTED)
    return svg


def front_to_back() -> Svg:
    """How much light is left behind k circles."""
    svg = Svg(WIDTH, 300, "What is left to see behind so many half-transparent circles")
    title(svg, 0, "light that comes through", "behind 1, 2, 3 … half-transparent circles")
    height, bar = 190, 50
    for k in range(11):
        light = 0.5**k
        x = 10 + k * (bar + 18)
        svg.rect(
            x, 60 + height * (1 - light), bar, max(1.2, height * light), BLUE if k < 10 else RED
        )
        text = "1" if k == 0 else f"1/{2**k}"
        svg.text(x + bar / 2, 60 + height * (1 - light) - 6, text, 12, INK, "middle")
        svg.text(x + bar / 2, 60 + height + 18, str(k), 12, MUTED, "middle")
    svg.line(0, 60 + height, WIDTH, 60 + height, INK)
    svg.text(WIDTH, 292, "the contract allows an error of 1/512", 12, MUTED, "end")
    return svg


def patches() -> Svg:
    """The eight patches of a 32 x 32 tile, one per warp, and a small circle."""
    svg = Svg(WIDTH, 330, "A warp's patch of the tile, and a lane's four pixels in it")
    title(
        svg, 0, "a tile of 32 × 32 pixels", "one patch of 8 × 16 per warp; this circle concerns two"
    )
    grid = Grid(svg, 0, 50, 32, 32, 8)
    for warp in range(8):
        for row in range(16):
            colour = blend(lane_colour(warp, 8), CARD, 0.6)
            grid.fill(row + 16 * (warp // 4), 8 * (warp % 4), colour, 8)
    grid.rule(1)
    for warp in range(8):
        grid.outline(16 * (warp // 4), 8 * (warp % 4), 16, 8, 2)
    circle(svg, 128, 130, 26, RED, 0.35, RED)
    x0 = 420
    title(svg, x0, "a patch", "the four pixels of lane 9")
    patch = Grid(svg, x0, 50, 16, 8, 16)
    patch.rule(1)
    for k in range(4):
        patch.fill(4 * k + 1, 1, ORANGE)
    for k in range(1, 4):
        svg.line(x0, 50 + 64 * k, x0 + 128, 50 + 64 * k, INK)
    return svg


def card_rows() -> Svg:
    """The bitmap, and the few spheres that a ray can meet."""
    bitmap = [247570, 280596, 280600, 249748, 18578, 18577, 231184, 16, 16]
    svg = Svg(WIDTH, 300, "The bitmap of the card, and the spheres near a ray")
    title(
        svg,
        0,
        "49 spheres on a lattice",
        "a ray is in their plane only while |y| ≤ 1: a short stretch",
    )
    cell, top = 24, 60
    for row, bits in enumerate(bitmap):
        for col in range(19):
            # As seen from the eye: x grows to the left, z upwards.
            x = 460 - (col + 1) * cell + cell / 2
            y = top + (8 - row) * cell + cell / 2
            if bits >> col & 1:
                near = 3 <= row <= 5 and 9 <= col <= 12
                circle(svg, x, y, 11, ORANGE if near else BLUE, 0.75 if near else 0.3)
            else:
                circle(svg, x, y, 1.5, GREY, 1)
    svg.line(236, top + 5.2 * cell, 172, top + 3.8 * cell, RED, 2.4, arrow=True)
    x = 460 - 13 * cell
    svg.rect(x, top + 3 * cell, 4 * cell, 3 * cell, "none", RED, dash="5 4", radius=0)
    svg.text(520, 100, "the stretch touches columns 9 to 12", 13)
    svg.text(520, 122, "of rows 3 to 5:", 13)
    svg.text(520, 152, "rows[j] & 0b0001111000000000", 13, MUTED)
    svg.text(520, 182, "leaves a handful of spheres to test,", 13)
    svg.text(520, 204, "whatever the letters are", 13)
    return svg


def make_pictures() -> None:
    """The handout's pictures, drawn by the solutions."""
    programs = [f"build/cpu/render/solution/{part}" for part in ("circles", "card", "volume")]
    subprocess.run(["make", "-s", *programs, "build/judge/render"], check=True, cwd=ROOT)
    for name, options in SCENES.items():
        draw(name, [programs[0], *options.split(), "--size", str(PICTURE_SIZE)])
    draw("card", [programs[1], *["--size", "384", "--samples", "64", "--document"]])
    for name, angles in VIEWS.items():
        draw(name, [programs[2], *["--size", "256", "--volume", "256", "--view", angles]])


def draw(name: str, command: list[str]) -> None:
    """The program's picture alone, without the pictures for comparison."""
    subprocess.run([*command, "--out", f"render/figures/{name}.png"], check=True, cwd=ROOT)
    for more in ("reference", "difference"):
        (HERE / f"{name}-{more}.png").unlink()


DRAWN: dict[str, Callable[[], Svg]] = {
    "order": order,
    "02_tiles": tiles,
    "03_full_lists": nearest_point,
    "05_bins": bins,
    "06_front_to_back": front_to_back,
    "patches": patches,
    "card_rows": card_rows,
    **volume.DRAWN,
}


def main() -> int:
    for name, draw in DRAWN.items():
        draw().save(HERE / f"{name}.svg")
    if "--pictures" in sys.argv[1:]:
        make_pictures()
    return 0


if __name__ == "__main__":
    sys.exit(main())
