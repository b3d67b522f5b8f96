"""`make progress`: every part at a glance, from what was graded so far."""

from __future__ import annotations

from pathlib import Path

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from grader.declare import Assignment
from grader.history import Attempt, bars, read_history
from grader.text import count_text, of_text, points_text

SHOWN_ATTEMPTS = 24  # the last ones


def progress(root: Path, assignments: list[Assignment], console: Console) -> Group:
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
        for part in assignment.parts:
            own = [a for a in history if (a.assignment, a.part) == (assignment.name, part.name)]
            first = part is assignment.parts[0]
            table.add_row(assignment.name if first else "", part.name, *row(own))
    return Group(Text(), table, Text(), *notes(history))


def row(attempts: list[Attempt]) -> list[Text]:
    if not attempts:
        return [Text("–", style="dim")] * 4 + [Text("none yet", style="dim")]
    last = attempts[-1]
    # Of the same device only: points for speed are not to be had everywhere.
    best = max(a.score for a in attempts if a.device == last.device)
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
