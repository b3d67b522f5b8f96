"""Draws the handouts' figures: a few shapes, one palette, written as plain SVG.

Every figure is a light card with its own background, so that it reads the same on a light and on a
dark page. Output depends on nothing but the calls: running a figures.py again changes no byte.
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

INK = "#22303c"
MUTED = "#6b7885"
PAPER = "#fbfbf9"
FRAME = "#d5dade"
EMPTY = "#eceff1"
GOOD = "#2a8c82"
BAD = "#c8553d"
WASTE = "#f4cdc2"
UNUSED = "#c9ced3"

_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
# Ends and middle of the ramp for the threads of a warp: also told apart without colour vision.
_RAMP = [(0x2B, 0x4C, 0x7E), (0x2A, 0x9D, 0x8F), (0xE9, 0xC4, 0x6A)]


def ramp(position: float) -> str:
    """The colour at 0..1 of the ramp: thread 0 of a warp is dark blue, the last one sand."""
    scaled = min(max(position, 0.0), 1.0) * (len(_RAMP) - 1)
    index = min(int(scaled), len(_RAMP) - 2)
    part = scaled - index
    mixed = [round(a + (b - a) * part) for a, b in zip(_RAMP[index], _RAMP[index + 1], strict=True)]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def lane_colour(lane: int, lanes: int = 32) -> str:
    """The colour of one thread of a warp, the same in all figures."""
    return ramp(lane / (lanes - 1))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Figure:
    """One SVG file. Coordinates are pixels from the top left."""

    def __init__(self, width: float, height: float, description: str) -> None:
        self.width = width
        self.height = height
        self._parts = [f"<title>{escape(description)}</title>"]
        self.rect(0.5, 0.5, width - 1, height - 1, PAPER, stroke=FRAME, radius=8)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "none",
        stroke: str = "none",
        stroke_width: float = 1,
        radius: float = 0,
    ) -> None:
        position = f'x="{_number(x)}" y="{_number(y)}"'
        size = f'width="{_number(width)}" height="{_number(height)}"'
        look = f'fill="{fill}"'
        if stroke != "none":
            look += f' stroke="{stroke}" stroke-width="{_number(stroke_width)}"'
        if radius:
            look += f' rx="{_number(radius)}"'
        self._parts.append(f"<rect {position} {size} {look}/>")

    def line(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str = INK, width: float = 1
    ) -> None:
        ends = " ".join(
            f'{name}="{_number(value)}"'
            for name, value in (("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2))
        )
        self._parts.append(f'<line {ends} stroke="{stroke}" stroke-width="{_number(width)}"/>')

    def arrow(
        self, x1: float, y1: float, x2: float, y2: float, stroke: str = INK, width: float = 1.6
    ) -> None:
        """A straight arrow with its head at (x2, y2)."""
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        head = 7.0
        base_x, base_y = x2 - head * ux, y2 - head * uy
        self.line(x1, y1, base_x, base_y, stroke, width)
        corners = [
            (x2, y2),
            (base_x - 0.5 * head * uy, base_y + 0.5 * head * ux),
            (base_x + 0.5 * head * uy, base_y - 0.5 * head * ux),
        ]
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in corners)
        self._parts.append(f'<polygon points="{points}" fill="{stroke}"/>')

    def text(
        self,
        x: float,
        y: float,
        content: str,
        size: float = 13,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        """One line of text; (x, y) is the end of the base line that `anchor` names."""
        family = "'DejaVu Sans Mono', Menlo, Consolas, monospace" if mono else _FONT
        look = f'font-family="{family}" font-size="{_number(size)}" fill="{fill}"'
        if anchor != "start":
            look += f' text-anchor="{anchor}"'
        if bold:
            look += ' font-weight="bold"'
        self._parts.append(
            f'<text x="{_number(x)}" y="{_number(y)}" {look}>{escape(content)}</text>'
        )

    def write(self, path: Path) -> None:
        size = f'width="{_number(self.width)}" height="{_number(self.height)}"'
        box = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([head, *self._parts, "</svg>"]) + "\n")


class Grid:
    """A rectangle of cells, each a float of memory; fills and outlines them by row and column."""

    def __init__(self, figure: Figure, x: float, y: float, rows: int, cols: int, cell: float):
        self.figure = figure
        self.x = x
        self.y = y
        self.rows = rows
        self.cols = cols
        self.cell = cell

    @property
    def width(self) -> float:
        return self.cols * self.cell

    @property
    def height(self) -> float:
        return self.rows * self.cell

    def background(self, fill: str = EMPTY) -> None:
        self.figure.rect(self.x, self.y, self.width, self.height, fill)

    def fill(self, row: int, col: int, colour: str, cols: int = 1, rows: int = 1) -> None:
        gap = min(1.0, self.cell / 8)
        self.figure.rect(
            self.x + col * self.cell + gap / 2,
            self.y + row * self.cell + gap / 2,
            cols * self.cell - gap,
            rows * self.cell - gap,
            colour,
        )

    def outline(
        self, row: int, col: int, rows: int, cols: int, stroke: str = INK, width: float = 1.2
    ) -> None:
        self.figure.rect(
            self.x + col * self.cell,
            self.y + row * self.cell,
            cols * self.cell,
            rows * self.cell,
            stroke=stroke,
            stroke_width=width,
        )

    def rule(self, every_cols: int, every_rows: int = 1, stroke: str = PAPER) -> None:
        """Thin lines every so many columns and rows: sectors, lines, tiles."""
        for col in range(every_cols, self.cols, every_cols):
            x = self.x + col * self.cell
            self.figure.line(x, self.y, x, self.y + self.height, stroke, 1)
        for row in range(every_rows, self.rows, every_rows):
            y = self.y + row * self.cell
            self.figure.line(self.x, y, self.x + self.width, y, stroke, 1)
