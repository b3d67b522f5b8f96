"""`make progress`: every part at a glance, from what was graded so far; PART= draws one."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from grader.base.text import count_text, of_text, points_text
from grader.check.history import Attempt, bars, on_last_device, read_history
from grader.course.declare import Assignment
from grader.loop.history_plot import history_plot

SHOWN_ATTEMPTS = 24  # the last ones


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
    # Of the same device only: points for speed are not to be had everywhere.
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
