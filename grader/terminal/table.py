"""What `make check` shows: progress while it works, a table per assignment, a total at the end."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from grader.base.device import Device
from grader.base.text import count_text, of_text, points_text, rate_text, time_text
from grader.course.results import AssignmentResult, CaseResult, PartResult
from grader.run.sandbox import isolation
from grader.terminal.plain_letters import reconfigure
from grader.terminal.timing_notes import timing_notes

MAX_WIDTH = 100
PLAIN_WIDTH = 100
SMALLER = "on the CPU device: "  # how the note begins that a case for speed has there
STARTER = "this is still the starter: its TODOs, and the handout in README.md, say where to begin"
SHOWN_PRINT = 20  # lines of what the student's program printed
SHOWN_FAILURES = 3  # per part; the file has them all
STYLES = {"ok": "green", "skipped": "dim", "timeout": "yellow", "too_noisy": "yellow"}
FAILED = "red"
MARKS = {"ok": "✓", "skipped": "–"}
WHOLE_PART = {"build_error", "forbidden", "skipped"}  # verdicts that all cases of a part share
WIDE = 92
GPU_COLUMNS = (("time", 7), ("reference", 9), ("peer", 7), ("rate", 9), ("limit", 5))
# On the CPU device every time that is shown comes from the model.
MODEL_COLUMNS = (("modelled", 8), ("reference", 9), ("bound by", 17))


def make_console() -> Console:
    """Colours and motion in a terminal only; plain text of a fixed width when piped."""
    reconfigure(sys.stdout)
    console = Console(highlight=False, markup=False, soft_wrap=False)
    if not console.is_terminal:
        width = os.environ.get("COLUMNS", "")
        chosen = int(width) if width.isdigit() else PLAIN_WIDTH
        console = Console(highlight=False, markup=False, width=max(60, min(chosen, MAX_WIDTH)))
    elif console.width > MAX_WIDTH:
        console.width = MAX_WIDTH
    return console


class TerminalScreen:
    """Shows each assignment as soon as it is graded, and one moving line until then.

    The tables go to another console where one is given. `folded`: the cases for correctness that
    are right share a row.
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
        if self.progress:
            self.progress.update(self.task, description=text, completed=done, total=total or None)

    def say(self, text: str) -> None:
        emit(self.console, Text(f" {text}", style="yellow"))

    def assignment(self, result: AssignmentResult) -> None:
        for part in result.parts:
            emit(self.tables, part_report(self.tables, result, part, self.device, self.folded))


def emit(console: Console, renderable: RenderableType) -> None:
    """Prints; piped text has no blanks at the ends of its lines."""
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as capture:
        console.print(renderable)
    for line in capture.get().splitlines():
        console.file.write(line.rstrip() + "\n")
    console.file.flush()


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
        *(Padding(line, (0, 1, 0, 1)) for line in lines),
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
    # One blank between columns in a narrow terminal, two in a wide one.
    wide = console.width >= WIDE
    padding = (0, 1, 0, 0) if wide else (0, 0)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=padding, expand=True)
    table.header_style = table.border_style = "dim"
    table.add_column(" case", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("verdict", width=13, no_wrap=True)
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


def fold(cases: list[CaseResult]) -> list[CaseResult]:
    """The right ones for correctness as one, where there are several."""
    right = [case for case in cases if case.kind == "correctness" and case.verdict == "ok"]
    if len(right) < 2:
        return cases
    together = replace(
        right[0],
        name=f"{len(right)} cases",
        score=sum(case.score for case in right),
        max_score=sum(case.max_score for case in right),
    )
    return [together, *(case for case in cases if case not in right)]


def shared_verdict(part: PartResult) -> str:
    """The verdict that the whole part has, where it was not run at all."""
    verdicts = {case.verdict for case in part.cases}
    untimed = all(case.time_ms is None for case in part.cases)
    return verdicts.pop() if len(verdicts) == 1 and untimed and verdicts <= WHOLE_PART else ""


def verdict_text(verdict: str) -> Text:
    mark = MARKS.get(verdict, "✗")
    return Text(f"{mark} {verdict.replace('_', ' ')}", style=STYLES.get(verdict, FAILED))


def whole_part_row(part: PartResult, gpu: bool, wide: bool) -> list[Text | str]:
    blanks = [""] * len(GPU_COLUMNS if gpu else MODEL_COLUMNS)
    points = points_of(part.score, part.max_score, wide) if part.max_score else "–"
    every = f"all {len(part.cases)}" if len(part.cases) > 1 else part.cases[0].name
    return [f" {every}", verdict_text(part.cases[0].verdict), *blanks, points]


def case_row(case: CaseResult, gpu: bool, wide: bool) -> list[Text | str]:
    row: list[Text | str] = [f" {case.name}", verdict_text(case.verdict), time_text(case.time_ms)]
    row.append(time_text(case.reference_ms))
    if gpu:
        row += [time_text(case.peer_ms), rate_text(case.bytes, case.time_ms)]
        row.append(f"{case.of_limit:.0%}" if case.of_limit else "")
    else:
        row.append(case.limit)
    row.append(points_cell(case, wide))
    return row


def points_of(score: float, maximum: float, wide: bool) -> str:
    text = of_text(score, maximum)
    return text if wide else text.replace(" ", "")


def points_cell(case: CaseResult, wide: bool) -> Text:
    if case.needs_gpu:
        return Text("needs a GPU", style="dim")
    if not case.max_score:
        return Text("–", style="dim")
    full = case.score >= case.max_score - 1e-9
    style = "" if full else FAILED if case.score == 0 else "yellow"
    return Text(points_of(case.score, case.max_score, wide), style=style)


def notes(part: PartResult) -> list[Text]:
    """What stands below a part's table: what went wrong, what was printed, where you stand."""
    shared = shared_verdict(part)
    if shared == "skipped":
        return [Text(part.cases[0].detail, style="dim")]
    if shared:
        lines = [Text(part.cases[0].detail, style=FAILED)]
        return [*lines, Text(f"    {part.excerpt}")] if part.excerpt else lines
    lines = [Text(STARTER, style="bold")] if part.untouched else []
    lines += failure_notes(part)
    if part.printed.strip():
        lines.append(Text.assemble(("printed ", "bold"), f"in case {part.printed_in}:"))
        printed = part.printed.rstrip().splitlines()
        shown = printed[:SHOWN_PRINT] + ["…"] * (len(printed) > SHOWN_PRINT)
        lines += [Text(f"  {line}", style="dim") for line in shown]
    lines += size_notes(part)
    lines += peer_notes(part)
    lines += timing_notes(part)
    if part.position:
        lines.append(Text.assemble(("ladder  ", "bold"), part.position))
    if part.bonus:
        lines.append(Text("★ faster than the solution and every peer", style="bold green"))
    lines.append(part_summary(part))
    return lines


def size_notes(part: PartResult) -> list[Text]:
    """What a case was that is not what its name says: smaller, or not seen to its end."""
    noted = [
        case
        for case in part.cases
        if case.note and (case.kind == "correctness" or case.time_ms is not None)
    ]
    smaller = [case for case in noted if case.note.startswith(SMALLER)]
    shown = [f"{case.name}: {case.note}" for case in noted if case not in smaller]
    if smaller:
        sizes = [f"{case.name} is {case.note.removeprefix(SMALLER)}" for case in smaller]
        shown.append(SMALLER + "; ".join(sizes))
    return [Text(line, style="dim") for line in shown]


def failure_notes(part: PartResult) -> list[Text]:
    """The first failures with their first mismatch, the seed and the command that repeats them.

    One cause is shown once, however many cases it spoils.
    """
    causes: dict[str, list[CaseResult]] = {}
    for case in part.cases:
        if case.verdict != "ok":
            causes.setdefault(case.cause or case.detail or case.name, []).append(case)
    lines = []
    shown = list(causes.values())[:SHOWN_FAILURES]
    for case, *others in shown:
        mark, style = MARKS.get(case.verdict, "✗"), STYLES.get(case.verdict, FAILED)
        name = case.name + (f" and {count_text(len(others), 'more case')}" if others else "")
        lines.append(Text.assemble((f"{mark} {name}  ", f"bold {style}"), case.detail))
        if case.replay:
            lines.append(Text(f"    {case.replay}", style="dim"))
    more = sum(map(len, causes.values())) - sum(map(len, shown))
    if more > 0:
        lines.append(Text(f"… and {count_text(more, 'more case')}: CASE=<name> shows one", "dim"))
    return lines


def peer_notes(part: PartResult) -> list[Text]:
    """The peers and the solution by name, for the last (largest) speed case."""
    timed = [case for case in part.cases if case.time_ms is not None]
    if not timed:
        return []
    last = timed[-1]
    ranked = sorted(last.peers_ms.items(), key=lambda item: item[1])
    times = [f"{name} {time_text(ms)}" for name, ms in ranked]
    if last.solution_ms is not None:
        times.append(f"our solution {time_text(last.solution_ms)}")
    lines = (
        [Text.assemble(("peers   ", "bold"), f"{last.name}: {', '.join(times)}")] if times else []
    )
    if last.of_limit:
        meaning = {
            "copy": "limit is the share of the rate at which this GPU copies memory",
            "link": "limit is the share of the measured rate of the link to the GPU",
        }
        roofline = time_text(last.time_ms * last.of_limit)
        lines.append(Text(f"{meaning[last.limit]}: {roofline} for {last.name}", style="dim"))
    return lines


def hint_note(assignment: AssignmentResult, part: PartResult) -> list[Text]:
    """Where to go on, below a student's own file that has not all its points."""
    own = part.file == f"{assignment.name}/{part.name}.cu"
    if not own or shared_verdict(part) == "skipped" or part.score >= part.max_score - 1e-9:
        return []
    return [Text(f"stuck? make hint-{assignment.name} PART={part.name}", style="dim")]


def part_summary(part: PartResult) -> Text:
    right = sum(case.verdict == "ok" for case in part.cases)
    total = len(part.cases)
    if right == total:
        text = Text(f"✓ right in all {total} cases" if total > 1 else "✓ right", style="green")
    else:
        text = Text(f"right in {right} of {count_text(total, 'case')}")
    if any(case.kind == "speed" and case.note and case.time_ms is None for case in part.cases):
        text.append(", those for speed at a smaller size", style="default")
    if part.needs_gpu:
        worth = points_text(part.needs_gpu)
        text.append(f" · {worth} more points, for speed, need a GPU", style="default dim")
    return text


def show_summary(
    console: Console, results: list[AssignmentResult], device: Device, model: str = ""
) -> None:
    """The score of each assignment and the total, and on which device it was reached."""
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
