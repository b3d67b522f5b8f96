"""The table of a ladder: one row per rung, one block per speed case."""

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from grader.base.device import Device
from grader.base.text import rate_text, time_text
from grader.ladder.ladder import LadderEntry, PartLadder, cases_on
from grader.ladder.views import view_table
from grader.terminal.console import FAILED, emit, plain_table


def show_ladder(
    console: Console, assignment: str, device: Device, ladders: list[PartLadder], model: str
) -> None:
    where = f"on {device.title}" if device.measures else "modelled"

    def show(what: str, table: Table) -> None:
        title = Text.assemble((f" {name}", "bold"), what, (f"   {where}", "dim"))
        emit(console, Group(Text(), title, table))

    for ladder in ladders:
        name = assignment if len(ladders) == 1 else f"{assignment} · {ladder.part.name}"
        for case in ladder.part.speed:
            show(f"   {case.name}", ladder_table(ladder, case.name, device))
        if not ladder.part.speed:
            show("", ladder_table(ladder, "", device))
        if any(entry.by_size_ms for entry in ladder.entries):
            show("   by size", size_table(ladder, device))
        if ladder.views_ms:
            show("   from all around", view_table(ladder.part, ladder.views_ms))
        for entry in ladder.entries:
            if entry.failure:
                emit(console, Text(f" ✗ {entry.name}  {entry.failure}", style=FAILED))
    if model:
        emit(console, Text())
        emit(console, Text(f" times are modelled: {model}; see docs/cpu-device.md", style="dim"))


def size_table(ladder: PartLadder, device: Device) -> Table:
    """One row per size, one column per rung, solution and library; blank where not timed."""
    table = plain_table()
    table.add_column(" n", no_wrap=True)
    entries = [entry for entry in ladder.entries if entry.by_size_ms]
    for entry in entries:
        # A name is as wide as its longest word, so that a dozen of them fit beside each other.
        table.add_column(entry.name.replace("_", "\n"), justify="right", no_wrap=True)
    for case in cases_on(ladder.part.sweep, device):
        times = [time_text(entry.by_size_ms.get(case.name)) for entry in entries]
        table.add_row(f" {case.name}", *times)
    return table


def ladder_table(ladder: PartLadder, case: str, device: Device) -> Table:
    gpu = device.measures
    table = plain_table()
    table.add_column(" rung", width=26, no_wrap=True, overflow="ellipsis")
    table.add_column("right", width=9, justify="right")
    table.add_column("time" if gpu else "modelled", width=9, justify="right")
    if gpu:
        table.add_column("rate", width=10, justify="right")
        table.add_column("limit", width=6, justify="right")
    table.add_column("speed-up", width=9, justify="right")
    if not gpu:
        table.add_column("bound by", width=18, justify="right")
    kinds = [group(entry) for entry in ladder.entries]
    for index, entry in enumerate(ladder.entries):
        ends = index + 1 < len(kinds) and kinds[index + 1] != kinds[index]
        table.add_row(*row(ladder, entry, case, gpu), end_section=ends)
    return table


def group(entry: LadderEntry) -> str:
    return "library" if entry.kind in ("peer", "ceiling") else "rung"


def row(ladder: PartLadder, entry: LadderEntry, case: str, gpu: bool) -> list[Text | str]:
    right = Text(f"{entry.right} / {entry.tried}")
    right.style = "green" if entry.right == entry.tried else FAILED
    if entry.kind == "ceiling":
        right = Text("")
    time_ms = entry.times_ms.get(case)
    cells = [f" {entry.name}", right, time_text(time_ms)]
    if gpu:
        share = ladder.of_limit(entry, case)
        cells.append(rate_text(entry.bytes.get(case, 0), time_ms))
        cells.append(f"{share:.0%}" if share else "")
    speed_up = ladder.speed_up(entry, case)
    cells.append(f"{speed_up:.2f}×" if speed_up else "")
    if not gpu:
        cells.append(entry.binds.get(case, ""))
    return cells
