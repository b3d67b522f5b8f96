"""The canvas of the handouts' figures: a small SVG writer and the colours that all figures share.

Used by each assignment's figures/draw.py. Figures are plain text, the same bytes on every machine,
on a light card of their own, so that figures read well on light and dark pages alike.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

CARD = "#fcfcfa"
INK = "#24292f"
MUTED = "#6b7280"
FAINT = "#e5e7eb"
GREY = "#b8bec6"
BLUE = "#4477aa"
ORANGE = "#dd8833"
GREEN = "#44906a"
RED = "#c24b55"
PURPLE = "#8867a8"
YELLOW = "#e0c14f"
WARP_RAMP = ("#2b4c7e", "#2a9d8f", "#e9c46a")

FONT = "Inter, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"
MARGIN = 24


class Svg:
    """A canvas of width x height; x to the right, y down, in pixels, inside of a margin."""

    def __init__(self, width: float, height: float, title: str):
        self.width = width + 2 * MARGIN
        self.height = height + 2 * MARGIN
        self.title = title
        self.items: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = FAINT,
        stroke: str = "none",
        opacity: float = 1,
        radius: float = 2,
        dash: str = "none",
        stroke_width: float = 1,
    ) -> None:
        thick = f' stroke-width="{num(stroke_width)}"' if stroke_width != 1 else ""
        self.items.append(
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"'
            f' rx="{num(radius)}" fill="{fill}" stroke="{stroke}" fill-opacity="{num(opacity)}"'
            f' stroke-dasharray="{dash}"{thick}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 13,
        fill: str = INK,
        anchor: str = "start",
        weight: str = "normal",
    ) -> None:
        """Text whose baseline is at y; `anchor` says whether its start, middle or end is at x."""
        self.items.append(
            f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}" fill="{fill}"'
            f' text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'
        )

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        stroke: str = INK,
        width: float = 1.2,
        dash: str = "none",
        arrow: bool = False,
    ) -> None:
        self.path(f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}", stroke, width, dash, arrow)

    def path(
        self,
        path: str,
        stroke: str = INK,
        width: float = 1.2,
        dash: str = "none",
        arrow: bool = False,
    ) -> None:
        head = f' marker-end="url(#head-{stroke[1:]})"' if arrow else ""
        self.items.append(
            f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{num(width)}"'
            f' stroke-dasharray="{dash}"{head}/>'
        )

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(self), encoding="utf-8")

    def __str__(self) -> str:
        body = "\n".join(self.items)
        colours = sorted({item.split("url(#head-")[1][:6] for item in self.items if "url(" in item})
        heads = "".join(
            f'<marker id="head-{colour}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
            f' markerHeight="7" orient="auto">'
            f'<path d="M0 0.5L8 4L0 7.5z" fill="#{colour}"/></marker>'
            for colour in colours
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(self.width)}'
            f' {num(self.height)}" width="{num(self.width)}" height="{num(self.height)}"'
            f' font-family="{FONT}" role="img">\n<title>{escape(self.title)}</title>\n'
            f"<defs>{heads}</defs>\n"
            f'<rect width="100%" height="100%" rx="10" fill="{CARD}"/>\n'
            f'<g transform="translate({MARGIN} {MARGIN})">\n{body}\n</g>\n</svg>\n'
        )


class Grid:
    """rows x cols cells of memory, a float each, with (x, y) as their top left corner."""

    def __init__(self, svg: Svg, x: float, y: float, rows: int, cols: int, cell: float):
        self.svg = svg
        self.x = x
        self.y = y
        self.rows = rows
        self.cols = cols
        self.cell = cell
        svg.rect(x, y, self.width, self.height, FAINT, radius=0)

    @property
    def width(self) -> float:
        return self.cols * self.cell

    @property
    def height(self) -> float:
        return self.rows * self.cell

    def fill(self, row: int, col: int, colour: str, cols: int = 1) -> None:
        """Colours `cols` cells of a row, starting at `col`."""
        x = self.x + col * self.cell
        y = self.y + row * self.cell
        width = cols * self.cell - 1
        self.svg.rect(x + 0.5, y + 0.5, width, self.cell - 1, colour, radius=0)

    def outline(self, row: int, col: int, rows: int, cols: int, width: float = 1.2) -> None:
        x = self.x + col * self.cell
        y = self.y + row * self.cell
        size = (cols * self.cell, rows * self.cell)
        self.svg.rect(x, y, *size, "none", INK, radius=0, stroke_width=width)

    def rule(self, every_cols: int, every_rows: int = 1) -> None:
        """Thin lines between the cells, or after every `every` cells: sectors, vectors."""
        for col in range(every_cols, self.cols, every_cols):
            x = self.x + col * self.cell
            self.svg.line(x, self.y, x, self.y + self.height, CARD, 1)
        for row in range(every_rows, self.rows, every_rows):
            y = self.y + row * self.cell
            self.svg.line(self.x, y, self.x + self.width, y, CARD, 1)


def lane_colour(lane: int, lanes: int = 32) -> str:
    """The colour of a thread of a warp, from dark blue over teal to sand.

    Lightness grows with the lane, so that colours can be told apart without colour vision.
    """
    place = 2 * lane / (lanes - 1)
    first, middle, last = WARP_RAMP
    return blend(first, middle, place) if place <= 1 else blend(middle, last, place - 1)


def num(value: float) -> str:
    """At most two decimals, without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def blend(colour: str, towards: str, share: float) -> str:
    """The colour at `share` of the way from `colour` to `towards`."""
    pairs = zip(channels(colour), channels(towards), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
