"""`make progress`: every part at a glance, from earlier checks; PART= draws a part's attempts."""

import math
from collections.abc import Iterable
from pathlib import Path

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from grader.base.text import count_text, of_text, points_text
from grader.check.history import Attempt, on_last_device, read_history
from grader.course.declare import Assignment

SHOWN_ATTEMPTS = 24  # the last attempts, a bar each
SLOWEST = 10.0  # in units of the target's time: the axis reaches at least so far


def progress(
    root: Path, assignments: list[Assignment], console: Console, only_part: str = ""
) -> Group:
    history = read_history(root)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=True, width=console.width)
    table.add_column("assignment")
    table.add_column("part")
    table.add_column("last", justify="right", no_wrap=True)
    table.add_column("best", justify="right", no_wrap=True)
    table.add_column("right", justify="right", no_wrap=True)
    table.add_column("of the target", justify="right", no_wrap=True)
    table.add_column("attempts", ratio=1, no_wrap=True)
    for assignment in assignments:
        parts = [part for part in assignment.parts if only_part in ("", part.name)]
        for part in parts:
            own = attempts_at(history, assignment.name, part.name)
            first = part is parts[0]
            table.add_row(assignment.name if first else "", part.name, *row(own))
    attempts = attempts_at(history, assignments[0].name, only_part)
    if not attempts:
        return Group(Text(), table, Text(), *notes(history))
    attempts = on_last_device(attempts)
    return Group(Text(), table, Text(), *history_plot(attempts, console.width))


def attempts_at(history: list[Attempt], assignment: str, part: str) -> list[Attempt]:
    return [one for one in history if (one.assignment, one.part) == (assignment, part)]


def row(attempts: list[Attempt]) -> list[Text]:
    if not attempts:
        return [Text("–", style="dim")] * 4 + [Text("none yet", style="dim")]
    last = attempts[-1]
    # Of the same device only: points for speed are not available on every device.
    best = max(one.score for one in on_last_device(attempts))
    style = "green" if last.complete else "red"
    ran = "" if last.slowdown is None else f"{last.slowdown:.2f}× its time"
    return [
        Text(of_text(last.score, last.max_score)),
        Text(points_text(best)),
        Text(f"{last.right} / {last.cases}", style=style),
        Text(ran),
        Text(bars(a.slowdown for a in attempts[-SHOWN_ATTEMPTS:]), style="cyan"),
    ]


def notes(history: list[Attempt]) -> list[Text]:
    if not history:
        return [Text(" make check grades your files; this page remembers.", style="dim")]
    lines = [" A bar per attempt: full is the target rung's time, the lowest ten times it,"]
    lines += [f" · an answer that was not right. {count_text(len(history), 'attempt')} so far."]
    return [Text(line, style="dim") for line in lines]


BARS = "▁▂▃▄▅▆▇█"
ROWS = 9
STEP = 2  # columns for each attempt
LABELS = 8  # columns left of the axis
TICKS = (1.0, 2.0, 5.0, 10.0)


def history_plot(attempts: list[Attempt], width: int) -> list[Text]:
    """The last attempts that fit into `width` columns; faster is higher."""
    shown = attempts[-max(1, (width - LABELS - 2) // STEP) :]
    times = [one.slowdown for one in shown if one.slowdown]
    scale = Scale(min([1.0, *times]), max([SLOWEST, *times]))
    labels = {scale.row(tick): f"{tick:g}×" for tick in TICKS}
    lines = []
    for row in range(ROWS):
        line = Text(f" {labels.get(row, ''):>{LABELS - 2}} ", style="dim").append("│", "dim")
        for one in shown:
            line.append_text(plot_cell(one, row, scale))
        lines.append(line)
    right = "".join("✗ " if not one.slowdown else "  " for one in shown)
    lines.append(Text(" " * (LABELS - 1)).append("└", "dim").append(right.rstrip(), "red"))
    first = len(attempts) - len(shown) + 1
    words = f"attempts {first} to {len(attempts)}: time as a multiple of the target rung's"
    lines.append(Text(f"{'':{LABELS}}{words}", style="dim"))
    return lines


class Scale:
    """Maps times to the rows of a chart: logarithmic, with the fastest on top."""

    def __init__(self, fastest: float, slowest: float):
        self.top = math.log(fastest)
        self.span = math.log(slowest) - self.top

    def row(self, slowdown: float) -> int:
        return round((math.log(slowdown) - self.top) / self.span * (ROWS - 1))


def plot_cell(attempt: Attempt, row: int, scale: Scale) -> Text:
    if attempt.slowdown and scale.row(attempt.slowdown) == row:
        return Text("●", "cyan").append("─" if row == scale.row(1.0) else " ", "green")
    return Text("─" * STEP, "green") if row == scale.row(1.0) else Text(" " * STEP)


def bars(slowdowns: Iterable[float | None]) -> str:
    """A bar per attempt: full at the target's time, lowest at ten times as long; · for no time."""
    return "".join(bar(value) for value in slowdowns)


def bar(value: float | None) -> str:
    if value is None:
        return "·"
    share = 1 - math.log10(max(value, 1e-9))
    return BARS[round(min(max(share, 0.0), 1.0) * (len(BARS) - 1))]
