"""Shows an explained case in the terminal: listing with counters, what binds, causes and cures."""

import textwrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.model import LIMITS
from grader.base.text import time_text
from grader.explain.explain import Explained
from grader.explain.listing import Cells, SourceLine, facts, listed, terms
from grader.explain.timeline import (
    has_timeline,
    hidden_kernels,
    lanes_of,
    shown_kernels,
)
from grader.terminal.console import FAILED, emit
from grader.timing.diagnose import Slowdown

MARK = "▲"
# A listing's columns: mark, line number, source; access, requests, lanes, steps per request.
LISTING_LEFT = "  {:>4} {}"
LISTING_RIGHT = "{:14} {:>8} {:>5} {:>15}"
BAR = 30
CONTEXT = 3  # lines shown around a line with counters
SHOWN_SLOWDOWNS = 6
SHOWN_US = 0.01  # a cause that costs less is shown without a time


def show_explained(console: Console, explained: Explained) -> None:
    emit(console, Text())
    title = f"{explained.title} · {explained.case.name}"
    emit(console, heading(console.width, title, explained.file))
    if has_timeline(explained):
        emit(console, Text())
        emit(console, timeline_table(explained))
    for timed in shown_kernels(explained):
        emit(console, Text())
        emit(console, kernel_heading(timed, explained.launches(timed)))
        emit(console, facts_table(timed))
        emit(console, Text())
        for file, lines in listed(explained, timed.kernel).items():
            if file != explained.file:
                emit(console, Text(f" {file}", style="dim"))
            for line in listing_lines(lines, console.width):
                emit(console, line)
        emit(console, Text())
        emit(console, terms_table(timed))
    emit(console, Text())
    for line in closing_lines(explained):
        emit(console, Padding(line, (0, 1, 0, 1)))


def heading(width: int, title: str, file: str) -> Text:
    """The title at the left; at the right as much of the file's name as fits."""
    left = f" {title}"
    room = max(width - len(left) - 3, 8)
    file = file if len(file) <= room else "…" + file[1 - room :]
    gap = " " * (width - len(left) - len(file) - 1)
    return Text.assemble((left, "bold"), gap, (file, "dim"))


def kernel_heading(timed: KernelTime, launches: str) -> Text:
    time = (time_text(timed.launch_us / 1e3), "bold")
    return Text.assemble(f" {timed.kernel.name}   ", time, f" {launches}".rstrip())


def timeline_table(explained: Explained) -> Table:
    """The call from left to right, with a row for the host and each engine of the device."""
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    table.add_column(width=24, no_wrap=True)
    table.add_column(width=8, justify="right", no_wrap=True)
    table.add_column(width=BAR, no_wrap=True)
    table.add_column(ratio=1, style="dim")
    for one in lanes_of(explained.estimate):
        cells = [" "] * BAR
        for first, last in one.spans:
            begin = min(BAR - 1, int(first * BAR))
            end = max(begin + 1, round(last * BAR))
            cells[begin:end] = "█" * (end - begin)
        table.add_row(f"   {one.name}", one.busy, Text("".join(cells[:BAR])), one.does)
    return table


def facts_table(timed: KernelTime) -> Table:
    """The kernel's facts, in two columns."""
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for width in (22, 24, 20, 24):
        table.add_column(width=width, style="dim", no_wrap=True)
    shown = facts(timed)
    half = -(-len(shown) // 2)
    for index in range(half):
        left, right = shown[index], shown[half + index] if half + index < len(shown) else ("", "")
        table.add_row(f"   {left[0]}", left[1], *right)
    return table


def listing_lines(lines: list[SourceLine], width: int) -> list[Text]:
    """The source with counters; code wider than the column has lines before the counters."""
    room = width - len(LISTING_LEFT.format("", "")) - len(LISTING_RIGHT.format("", "", "", "")) - 1
    header = LISTING_LEFT.format("line", "source".ljust(room + 1))
    header += LISTING_RIGHT.format("access", "requests", "lanes", "each (ideal)")
    shown = [Text(header.rstrip(), style="dim"), Text("─" * width, style="dim")]
    for line in folded(lines):
        if line is None:
            shown.append(Text(LISTING_LEFT.format("", "…"), style="dim"))
            continue
        left = code_lines(line, room if line.cells else width - len(LISTING_LEFT.format("", "")))
        if len(left) > 1 or not line.cells:
            left = code_lines(line, width - len(LISTING_LEFT.format("", "")))
            shown += [Text(code, style="" if line.cells else "dim") for code in left]
            left = [LISTING_LEFT.format("", "")]
        for cells in line.cells:
            shown.append(counters_line(left.pop() if left else "", cells, width))
    return shown


def code_lines(line: SourceLine, room: int) -> list[str]:
    """A line of the source with the number, wrapped to lines of the terminal."""
    code = line.text.expandtabs()
    indent = " " * (len(code) - len(code.lstrip()) + 4)
    parts = textwrap.wrap(
        code,
        max(room, len(indent) + 8),
        subsequent_indent=indent,
        break_on_hyphens=False,
        expand_tabs=False,
    )
    numbers = [str(line.number), *[""] * len(parts)]
    return [LISTING_LEFT.format(*one) for one in zip(numbers, parts or [""], strict=False)]


def counters_line(left: str, cells: Cells, width: int) -> Text:
    counters = LISTING_RIGHT.format(cells.access, cells.requests, cells.lanes, cells.per_request)
    text = left.ljust(width - len(counters)) + counters
    if not cells.slowdown:
        return Text(text)
    text = MARK + text[1:]
    return Text.assemble((MARK, FAILED), text[1 : -len(counters)], (counters, FAILED))


def folded(lines: list[SourceLine]) -> list[SourceLine | None]:
    """The lines, with None in place of every run far from all lines with counters."""
    counted = [index for index, line in enumerate(lines) if line.cells]
    near = {at + step for at in counted for step in range(-CONTEXT, CONTEXT + 1)}
    shown: list[SourceLine | None] = []
    for index, line in enumerate(lines):
        if index in near or index == 0 or {index - 1, index + 1} <= near:
            shown.append(line)
        elif shown[-1] is not None:
            shown.append(None)
    return shown


def terms_table(timed: KernelTime) -> Table:
    """The time that each part of the GPU alone would take, as bars."""
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    table.add_column(width=24)
    table.add_column(width=8, justify="right")
    table.add_column()
    shown = terms(timed)
    longest = max((us for _, us, _ in shown), default=1.0)
    for index, (name, us, words) in enumerate(shown):
        bar = "█" * max(1, round(BAR * us / longest))
        table.add_row(f"   {name}", words, Text(bar, style=FAILED if index == 0 else "dim"))
    return table


def closing_lines(explained: Explained) -> list[Text]:
    estimate = explained.estimate
    lines = [
        Text.assemble(
            (f"modelled {time_text(estimate.time_ms)}", "bold"), f" on an {estimate.gpu.name}"
        ),
        limit_line(explained),
        Text(),
    ]
    if explained.wrong:
        lines.insert(0, Text(f"✗ the answer is wrong: {explained.wrong}", style=FAILED))
    if hidden := hidden_kernels(explained):
        words = f"their lines are on the page: {', '.join(hidden)}"
        lines.insert(-1, Text(f"kernels that take less than 5 % of it; {words}", style="dim"))
    for slowdown in explained.slowdowns[:SHOWN_SLOWDOWNS]:
        lines.append(slowdown_line(explained, slowdown))
        cure = explained.cure(slowdown.kind)
        if cure:
            lines.append(Text(f"    cure: rung {cure}", style="dim"))
    if not explained.slowdowns and not has_timeline(explained):
        lines.append(Text("✓ no line does more than it must", style="green"))
    if explained.next_rung:
        lines.append(Text.assemble(("next ", "bold"), f"rung {explained.next_rung}"))
    more = len(explained.slowdowns) - SHOWN_SLOWDOWNS
    if more > 0:
        lines.append(Text(f"… and {more} more on the page", style="dim"))
    return lines


def limit_line(explained: Explained) -> Text:
    limit = explained.estimate.limit
    text = Text.assemble(("bound by ", "bold"), LIMITS[limit][1])
    cure = explained.cure(limit)
    if cure:
        text.append(f"; rung {cure} is about that", style="dim")
    return text


def slowdown_line(explained: Explained, slowdown: Slowdown) -> Text:
    where = f"{MARK} {explained.place(slowdown)}  "
    text = Text.assemble((where, f"bold {FAILED}"), slowdown.sentence)
    if slowdown.lost_us >= SHOWN_US:
        text.append(f"  (about {time_text(slowdown.lost_us / 1e3)})", style="dim")
    return text
