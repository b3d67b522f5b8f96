"""The table of a ladder: a row per rung, a block per speed case."""

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from grader.base.device import Device
from grader.base.text import rate_text, time_text
from grader.ladder.ladder import Climbed, LadderEntry, PartLadder, cases_on
from grader.ladder.views import view_table
from grader.terminal.console import FAILED, emit, plain_table
from grader.timing.clock import LIBRARIES, UNJUDGED, Kind


def show_ladder(
    console: Console, assignment: str, device: Device, climbed: Climbed, model: str
) -> None:
    ladders = climbed.ladders
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
        for table in size_tables(ladder, device, console.width):
            show("   by size", table)
        if ladder.part.course_score:
            course = ladder.part.course_score
            show(f"   as {course.course} would pay", course_table(ladder))
            emit(console, Text(f" {course.rule}", style="dim"))
        if ladder.same or ladder.unjudged:
            emit(console, Text(f" {judged_text(ladder)}", style="dim"))
        if ladder.views_ms:
            show("   from all around", view_table(ladder.part, ladder.views_ms))
        for entry in ladder.entries:
            if entry.failure:
                emit(console, Text(f" ✗ {entry.name}  {entry.failure}", style=FAILED))
        for why, names in without_times(ladder).items():
            emit(console, Text(f" no time of {', '.join(names)}: {why}", style="dim"))
    emit(console, Text())
    emit(console, Text(f" {spent_text(climbed)}", style="dim"))
    if model:
        emit(console, Text(f" times are modelled: {model}; see docs/cpu-device.md", style="dim"))


def without_times(ladder: PartLadder) -> dict[str, list[str]]:
    """The entries that the modelled GPU cannot run, by the reason."""
    found: dict[str, list[str]] = {}
    for entry in ladder.entries:
        if entry.lacks:
            found.setdefault(entry.lacks, []).append(entry.name)
    return found


def judged_text(ladder: PartLadder) -> str:
    """Says which of the timed answers were judged."""
    text = (
        f"of the timed answers {ladder.judged} were judged, and {ladder.same} had the same bytes "
        "as one of these"
    )
    if ladder.unjudged:
        text += (
            f"; {ladder.unjudged} were not judged, to save time "
            "(every rung is judged in all cases for correctness)"
        )
    return text


def spent_text(climbed: Climbed) -> str:
    """ "built in 21 s; circles: 4 s for correctness, judged in 3 s, timed in 9 s (calls 2 s)" """
    parts = [f"built in {climbed.built_s:.1f} s"]
    for ladder in climbed.ladders:
        spent = ladder.spent
        text = f"{ladder.part.name}: {spent.correctness_s:.1f} s for correctness"
        if spent.judging_s:
            text += f", judged in {spent.judging_s:.1f} s"
        text += f", timed in {spent.timing_s:.1f} s"
        if spent.calls_s:
            text += f" (calls {spent.calls_s:.1f} s)"
        parts.append(text)
    return "; ".join(parts)


def size_tables(ladder: PartLadder, device: Device, width: int) -> list[Table]:
    """A row per size, a column per rung, solution and library; blank if not timed.

    The columns are split over several tables, none wider than `width` letters.
    """
    cases = cases_on(ladder.part.sweep, device)
    first = [" n", *(f" {case.name}" for case in cases)]
    left = width - column_width(first)
    columns: list[list[list[str]]] = [[]]
    for entry in ladder.entries:
        if not entry.by_size_ms:
            continue
        # A word of the name per line, so that many columns fit beside each other.
        times = [time_text(entry.by_size_ms.get(case.name)) for case in cases]
        column = [entry.name.replace("_", "\n"), *times]
        left -= column_width(column)
        if left < 0 and columns[-1]:
            columns.append([])
            left = width - column_width(first) - column_width(column)
        columns[-1].append(column)
    return [size_table(first, each) for each in columns if each]


def course_table(ladder: PartLadder) -> Table:
    """The points for each rung and the solution in the course that the part comes from."""
    table = plain_table()
    table.add_column(" rung", width=26, no_wrap=True, overflow="ellipsis")
    table.add_column("points", justify="right")
    course = ladder.part.course_score
    target = next((e.times_ms for e in ladder.entries if e.name == ladder.part.target), {})
    for entry in ladder.entries:
        if entry.kind not in (Kind.RUNG, Kind.SOLUTION):
            continue
        ratios = {case: ms / target[case] for case, ms in entry.times_ms.items() if case in target}
        points = course.of(ratios)
        paid = "–" if points is None else f"{points:.2f} / {course.most:g}"
        table.add_row(f" {entry.name}", paid)
    return table


def column_width(cells: list[str]) -> int:
    """The width of a column in letters, with the two blanks before the next column."""
    return 2 + max(len(line) for cell in cells for line in cell.split("\n"))


def size_table(first: list[str], columns: list[list[str]]) -> Table:
    table = plain_table()
    table.add_column(first[0], no_wrap=True)
    for head, *_ in columns:
        table.add_column(head, justify="right", no_wrap=True)
    for row in zip(first[1:], *(cells for _, *cells in columns), strict=True):
        table.add_row(*row)
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
    return "library" if entry.kind in LIBRARIES else "rung"


def row(ladder: PartLadder, entry: LadderEntry, case: str, gpu: bool) -> list[Text | str]:
    right = Text(f"{entry.right} / {entry.tried}")
    right.style = "green" if entry.right == entry.tried else FAILED
    if entry.kind in UNJUDGED:
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
