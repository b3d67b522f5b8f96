"""The output of `make check`: progress, a table per assignment, a total at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console, Group
from rich.padding import Padding
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from grader.base.device import Device
from grader.base.text import of_text, points_text, rate_text, time_text
from grader.course.results import AssignmentResult, CaseResult, PartResult, Points
from grader.run.sandbox import isolation
from grader.terminal.console import FAILED, MARKS, STYLES, emit, plain_table
from grader.terminal.markdown import Note
from grader.terminal.notes import hint_note, notes, shared_verdict

VERDICT_WIDTH = 15  # the longest is an uninitialised read
WIDE = 92
GPU_COLUMNS = (("time", 7), ("target", 9), ("peer", 7), ("rate", 9), ("limit", 5))
# On the CPU device every time shown comes from the model.
MODEL_COLUMNS = (("modelled", 8), ("target", 9), ("bound by", 17))


class TimeLeft(ProgressColumn):
    """The time until the present stage is done, if the rest goes on as quickly."""

    def render(self, task: Task) -> Text:
        left_s = task.time_remaining
        return Text(f"{left_s:.0f} s left" if left_s else "", style="dim")


class TerminalScreen:
    """Shows each assignment as soon as graded, and a moving line until then.

    The tables go to another console if given. `folded`: the right cases for correctness share a
    row.
    """

    def __init__(
        self, console: Console, device: Device, tables: Console | None = None, folded: bool = False
    ):
        self.console = console
        self.device = device
        self.tables = tables or console
        self.folded = folded
        self.progress: Progress | None = None
        self.task = None

    def __enter__(self) -> TerminalScreen:
        if self.console.is_terminal:
            self.progress = Progress(
                SpinnerColumn(style="cyan"),
                TextColumn("{task.description}"),
                BarColumn(bar_width=24, style="dim", complete_style="cyan", pulse_style="dim"),
                TimeLeft(),
                console=self.console,
                transient=True,
            )
            self.task = self.progress.add_task("starting", total=None)
            self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.progress:
            self.progress.stop()

    def step(self, text: str, done: int, total: int) -> None:
        if not self.progress:
            return
        (shown,) = self.progress.tasks
        if (total or None) != shown.total or done < shown.completed:
            self.progress.reset(self.task)  # another stage, with another pace
        self.progress.update(self.task, description=text, completed=done, total=total or None)

    def say(self, text: str) -> None:
        emit(self.console, Text(f" {text}", style="yellow"))

    def assignment(self, result: AssignmentResult) -> None:
        for part in result.parts:
            emit(self.tables, part_report(self.tables, result, part, self.device, self.folded))


def part_report(
    console: Console,
    assignment: AssignmentResult,
    part: PartResult,
    device: Device,
    folded: bool = False,
) -> Group:
    lines = [*notes(part), *hint_note(assignment, part)]
    return Group(
        Text(),
        heading(console, assignment, part),
        case_table(console, part, device, folded),
        Text(),
        *(Padding(Note(line), (0, 1, 0, 1)) for line in lines),
    )


def heading(console: Console, assignment: AssignmentResult, part: PartResult) -> Text:
    """`saxpy · saxpy_host` on the left, the file on the right."""
    name = assignment.name
    if part.name != assignment.name or len(assignment.parts) > 1:
        name += f" · {part.name}"
    room = max(console.width - len(name) - 4, 8)
    file = part.file if len(part.file) <= room else "…" + part.file[1 - room :]
    gap = console.width - len(name) - len(file) - 2
    return Text.assemble((f" {name}", "bold"), " " * gap, (file, "dim"))


def case_table(console: Console, part: PartResult, device: Device, folded: bool) -> Table:
    gpu = device.measures
    # One blank between columns in a narrow terminal, two blanks in a wide terminal.
    wide = console.width >= WIDE
    padding = (0, 1, 0, 0) if wide else (0, 0)
    table = plain_table(padding=padding, expand=True)
    table.add_column(" case", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("verdict", width=VERDICT_WIDTH, no_wrap=True)
    for title, width in GPU_COLUMNS if gpu else MODEL_COLUMNS:
        table.add_column(title, width=width, justify="right", no_wrap=True)
    table.add_column("points", width=13 if wide else 11, justify="right", no_wrap=True)
    if shared_verdict(part):
        table.add_row(*whole_part_row(part, gpu, wide))
        return table
    cases = fold(part.cases) if folded else part.cases
    kinds = [case.kind for case in cases]
    for index, case in enumerate(cases):
        ends = index + 1 < len(kinds) and kinds[index + 1] != kinds[index]
        table.add_row(*case_row(case, gpu, wide), end_section=ends)
    return table


def fold(cases: Sequence[CaseResult]) -> Sequence[CaseResult]:
    """Combines the right cases for correctness into a single row, if several are right."""
    right = [case for case in cases if case.kind == "correctness" and case.verdict == "ok"]
    if len(right) < 2:
        return cases
    together = replace(
        right[0],
        name=f"{len(right)} cases",
        points=Points(sum(case.score for case in right), sum(case.max_score for case in right)),
    )
    return [together, *(case for case in cases if case not in right)]


def verdict_text(verdict: str) -> Text:
    mark = MARKS.get(verdict, "✗")
    return Text(f"{mark} {verdict.replace('_', ' ')}", style=STYLES.get(verdict, FAILED))


def whole_part_row(part: PartResult, gpu: bool, wide: bool) -> list[Text | str]:
    blanks = [""] * len(GPU_COLUMNS if gpu else MODEL_COLUMNS)
    points = points_of(part.score, part.max_score, wide) if part.max_score else "–"
    every = f"all {len(part.cases)}" if len(part.cases) > 1 else part.cases[0].name
    return [f" {every}", verdict_text(part.cases[0].verdict), *blanks, points]


def case_row(case: CaseResult, gpu: bool, wide: bool) -> list[Text | str]:
    times = case.times
    row: list[Text | str] = [f" {case.name}", verdict_text(case.verdict)]
    row += [time_text(times.time_ms), time_text(times.reference_ms)]
    if gpu:
        row += [time_text(times.peer_ms), rate_text(times.bytes, times.time_ms)]
        row.append(f"{times.of_limit:.0%}" if times.of_limit else "")
    else:
        row.append(times.limit)
    row.append(points_cell(case, wide))
    return row


def points_of(score: float, maximum: float, wide: bool) -> str:
    text = of_text(score, maximum)
    return text if wide else text.replace(" ", "")


def points_cell(case: CaseResult, wide: bool) -> Text:
    if case.points.needs_gpu:
        return Text("needs a GPU", style="dim")
    if not case.max_score:
        return Text("–", style="dim")
    full = case.score >= case.max_score - 1e-9
    style = "" if full else FAILED if case.score == 0 else "yellow"
    return Text(points_of(case.score, case.max_score, wide), style=style)


def show_summary(
    console: Console, results: list[AssignmentResult], device: Device, model: str = ""
) -> None:
    """The score of each assignment, the total, and the device."""
    names = [result.name for result in results] if len(results) > 1 else []
    width = max(map(len, [*names, "total"]))
    scores = [of_text(result.score, result.max_score) for result in results]
    total = of_text(sum(r.score for r in results), sum(r.max_score for r in results))
    column = max(map(len, [*scores, total]))
    emit(console, Text())
    emit(console, Text("─" * console.width, style="dim"))
    if len(results) > 1:
        for result, score in zip(results, scores, strict=True):
            emit(console, Text(f" {result.name:<{width}}  {score:>{column}}"))
    line = Text(f" {'total':<{width}}  {total:>{column}}", style="bold")
    line.append(f"   on {device.title}" if device.measures else f"   on the {device.title}")
    left_out = sum(result.needs_gpu for result in results)
    if left_out:
        more = f"; {points_text(left_out)} points for speed need a GPU"
        line.append(more, style="not bold dim")
    emit(console, line)
    if model:
        emit(console, Text(f" times are modelled: {model}; see docs/cpu-device.md", style="dim"))
    emit(console, Text(f" isolation: {isolation()}", style="dim"))
    if device.note:
        emit(console, Text(f" {device.note}", style="yellow"))
