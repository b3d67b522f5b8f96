"""The attempts at one part as a small plot of letters: the target's time on top."""

from __future__ import annotations

import math

from rich.text import Text

from grader.check.history import Attempt
from grader.timing.score import NONE_AT

ROWS = 9
STEP = 2  # columns for each attempt
LABELS = 8  # columns left of the axis
TICKS = (1.0, 2.0, 5.0, 10.0)


def history_plot(attempts: list[Attempt], width: int) -> list[Text]:
    """The last attempts that fit into `width` columns; faster is higher."""
    shown = attempts[-max(1, (width - LABELS - 2) // STEP) :]
    times = [one.slowdown for one in shown if one.slowdown]
    scale = Scale(min([1.0, *times]), max([NONE_AT, *times]))
    labels = {scale.row(tick): f"{tick:g}×" for tick in TICKS}
    lines = []
    for row in range(ROWS):
        line = Text(f" {labels.get(row, ''):>{LABELS - 2}} ", style="dim").append("│", "dim")
        for one in shown:
            line.append_text(cell(one, row, scale))
        lines.append(line)
    right = "".join("✗ " if not one.slowdown else "  " for one in shown)
    lines.append(Text(" " * (LABELS - 1)).append("└", "dim").append(right.rstrip(), "red"))
    first = len(attempts) - len(shown) + 1
    words = f"attempts {first} to {len(attempts)}: time as a multiple of the target rung's"
    lines.append(Text(f"{'':{LABELS}}{words}", style="dim"))
    return lines


class Scale:
    """Rows for times, logarithmic, the fastest on top."""

    def __init__(self, fastest: float, slowest: float):
        self.top = math.log(fastest)
        self.span = math.log(slowest) - self.top

    def row(self, slowdown: float) -> int:
        return round((math.log(slowdown) - self.top) / self.span * (ROWS - 1))


def cell(attempt: Attempt, row: int, scale: Scale) -> Text:
    if attempt.slowdown and scale.row(attempt.slowdown) == row:
        return Text("●", "cyan").append("─" if row == scale.row(1.0) else " ", "green")
    return Text("─" * STEP, "green") if row == scale.row(1.0) else Text(" " * STEP)
