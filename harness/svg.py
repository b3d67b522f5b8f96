"""Draws the handouts' figures: a small SVG canvas and the colours that all figures share.

Used by the figures.py of each assignment. Figures are plain text, the same bytes on every machine,
and stand on a light card of their own, so that they read on light and dark pages alike.
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
    ) -> None:
        self.items.append(
            f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}"'
            f' rx="{num(radius)}" fill="{fill}" stroke="{stroke}" fill-opacity="{num(opacity)}"'
            f' stroke-dasharray="{dash}"/>'
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
        """The text's baseline is at y; `anchor` start, middle or end is at x."""
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

    def polygon(self, points: list[tuple[float, float]], fill: str, stroke: str = "none") -> None:
        corners = " ".join(f"{num(x)},{num(y)}" for x, y in points)
        self.items.append(f'<polygon points="{corners}" fill="{fill}" stroke="{stroke}"/>')

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


def num(value: float) -> str:
    """At most two decimals, without trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def blend(colour: str, towards: str, share: float) -> str:
    """The colour that lies `share` of the way from one to the other."""
    pairs = zip(channels(colour), channels(towards), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
