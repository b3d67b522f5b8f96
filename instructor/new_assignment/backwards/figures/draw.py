"""Draws the figures of the handout: python3 backwards/figures/draw.py"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.svg import MUTED, Grid, Svg, lane_colour  # noqa: E402

THREADS = 8
PER_THREAD = 4
CELL = 24


def draw(rung: int, title: str, stride: int) -> Svg:
    """Which thread stores which element; `stride` elements lie between those of two neighbours."""
    svg = Svg(THREADS * PER_THREAD * CELL, 80, f"Rung {rung}: {title}")
    svg.text(0, 14, title, 15, weight="bold")
    grid = Grid(svg, 0, 30, 1, THREADS * PER_THREAD, CELL)
    for thread in range(THREADS):
        grid.fill(0, thread * stride, lane_colour(4 * thread))
        svg.text((thread * stride + 0.5) * CELL, 72, str(thread), 12, MUTED, "middle")
    return svg


def main() -> None:
    figures = {
        "01_naive": draw(1, "the first store of eight neighbouring threads", PER_THREAD),
        "02_coalesced": draw(2, "the only store of eight neighbouring threads", 1),
    }
    for name, svg in figures.items():
        svg.save(HERE / f"{name}.svg")


if __name__ == "__main__":
    main()
