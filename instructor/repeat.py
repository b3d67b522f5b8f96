"""`make calibrate REPEAT=20`: measures the spread of the scores of a file.

The solution, the first and the last rung are graded for speed again and again, as a student's file
is: by a program that was just started, against the target rung, just started too, in the same run.
But answers are judged as for all programs of the course, all repeats of a round have the same
input, and a round ends after a quarter of a second. Every grading is stored in
docs/figures/repeat.json, and the next run continues until the requested number is reached; a file
that has changed starts again, and so do all files on another GPU. The table in docs/grading.md is
written from the stored gradings.
"""

import hashlib
import json
import statistics
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.base.device import Device
from grader.base.files import write_whole
from grader.base.gpu_state import measured_today
from grader.base.lock import gpu_to_ourselves, locked
from grader.base.progress import Screen
from grader.build.make import build_or_raise
from grader.check.part import PartCheck
from grader.course import resolve
from grader.course.declare import Assignment, Case
from grader.course.plan import PartPlan, Plan, make_plan
from grader.course.results import CaseResult
from grader.run.case import JudgingTime
from grader.terminal.console import emit, plain_table
from grader.timing.clock import Clock, Runners, graded_contest, programs_beside

STORE = Path("docs/figures/repeat.json")
JUDGING_S = 10.0  # no answers of a part are judged after this time
COLUMNS = (("graded", 6), ("T/Tref", 6), ("± %", 5), ("points", 6), ("from", 6), ("to", 6))


@dataclass
class Graded:
    """A file, graded many times."""

    plan: Plan
    planned: PartPlan
    file: str
    scores: list[float] = field(default_factory=list)  # in per cent of the points for speed
    ratios: list[float] = field(default_factory=list)  # T / Tref, all cases taken together
    spoilt: list[str] = field(default_factory=list)  # verdicts other than ok

    @property
    def count(self) -> int:
        return len(self.scores) + len(self.spoilt)

    @property
    def part_name(self) -> str:
        return self.planned.part.name

    @property
    def cases(self) -> list[Case]:
        return self.planned.part.speed

    @property
    def graded_text(self) -> str:
        """A hash of the graded file and its cases."""
        source = self.planned.submission.file.read_bytes()
        cases = "".join(f"{case.name}: {case.options_for('gpu')}\n" for case in self.cases)
        return hashlib.sha256(source + cases.encode()).hexdigest()[:16]

    def add(self, results: list[CaseResult]) -> None:
        bad = [f"{result.name}: {result.verdict}" for result in results if result.verdict != "ok"]
        if bad:
            self.spoilt.append("; ".join(bad))
            return
        paid = [result for result in results if result.max_score]
        worth = sum(result.max_score for result in paid)
        self.scores.append(100 * sum(result.score for result in paid) / worth if paid else 0.0)
        ratios = [result.time_ms / result.reference_ms for result in paid or results]
        self.ratios.append(statistics.geometric_mean(ratios))


def repeat(
    root: Path,
    assignments: list[Assignment],
    device: Device,
    clock: Clock,
    part: str,
    case: str,
    times: int,
    seconds: float,
    screen: Screen,
) -> list[Graded]:
    """Grades the files in turn until each has been graded `times` times, stored gradings of earlier
    runs included, but begins no new round after `seconds`. With `case` nothing is stored.
    """
    found = [
        graded
        for assignment in assignments
        for graded in files_of(root, assignment, device, part, case)
    ]
    screen.step("building", 0, 0)
    wanted: list[str] = []
    for graded in found:
        wanted += (*programs_beside(graded.planned, clock), graded.planned.submission.program)
    build_or_raise(root, wanted)
    if not case:
        recall(root, found, device)
    judging = {graded.part_name: JudgingTime(JUDGING_S) for graded in found}
    end = time.monotonic() + seconds
    with gpu_to_ourselves(device, screen.say):
        while time.monotonic() < end and (due := [one for one in found if one.count < times]):
            screen.step("grading", min(one.count for one in due), times)
            for graded in due:
                graded.add(grade(root, graded, device, clock, judging[graded.part_name], screen))
                if not case:
                    keep(root, graded, device)
    return found


def grade(
    root: Path,
    graded: Graded,
    device: Device,
    clock: Clock,
    judging: JudgingTime,
    screen: Screen,
) -> list[CaseResult]:
    """Grades a file for speed, by programs that start and end with the grading."""
    planned = graded.planned
    contest = graded_contest(planned, clock, graded.cases, None, rivals=False)
    with Runners(root, device) as runners:
        smallest, *_ = (*planned.part.correctness, *graded.cases)  # CASE= may leave a single kind
        runners.wake(contest.entries, smallest)
        contest = replace(contest, ours=True, runners=runners, judging=judging)
        part_check = PartCheck(graded.plan, planned, clock, None, screen)
        return part_check.time_alone(contest)


def read_gradings(root: Path, device: Device) -> dict[str, dict]:
    """The stored gradings on this GPU, by file."""
    store = root / STORE
    stored = json.loads(store.read_text()) if store.is_file() else {}
    return stored["files"] if stored.get("gpu") == device.name else {}


def recall(root: Path, found: list[Graded], device: Device) -> None:
    """Adds the gradings of earlier runs."""
    known = read_gradings(root, device)
    for graded in found:
        earlier = known.get(graded.file, {})
        if earlier.get("hash") == graded.graded_text:
            graded.scores, graded.ratios = earlier["scores"], earlier["T/Tref"]
            graded.spoilt = earlier["spoilt"]


def keep(root: Path, graded: Graded, device: Device) -> None:
    """Stores all gradings of a file; another GPU of the machine may store at the same time."""
    own = {
        "part": graded.part_name,
        "hash": graded.graded_text,
        "scores": [round(score, 2) for score in graded.scores],
        "T/Tref": [float(f"{ratio:.4g}") for ratio in graded.ratios],
        "spoilt": graded.spoilt,
    }
    with locked(root / "build" / "repeat.lock"):
        files = read_gradings(root, device) | {graded.file: own}
        about = measured_today(device.name)
        lines = [f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in files.items()]
        listed = ",\n".join(lines)
        write_whole(root / STORE, f'{json.dumps(about)[:-1]}, "files": {{\n{listed}\n}}}}\n')


def files_of(
    root: Path, assignment: Assignment, device: Device, only_part: str, case: str
) -> list[Graded]:
    """The solution, the first and the last rung of each part with cases for speed."""
    found = []
    for part in assignment.parts:
        rungs = resolve.rungs(root, assignment, part)
        if not part.speed or only_part not in ("", part.name) or not rungs:
            continue
        folder = resolve.directory(root, assignment, part, "ladder")
        solution = resolve.solution_file(root, assignment, part)
        for file in (folder / f"{rungs[0]}.cu", folder / f"{rungs[-1]}.cu", solution):
            if file.is_file():
                plan = make_plan(root, [assignment], device, str(file), part.name, case)
                planned = next((p for p in plan.parts if p.submission and p.part.speed), None)
                if planned:
                    found.append(Graded(plan, planned, str(file.relative_to(root))))
    return found


def show_repeats(console: Console, found: list[Graded], device: Device) -> None:
    table = plain_table(expand=True)
    table.add_column(" file", no_wrap=True, ratio=1)
    for title, width in COLUMNS:
        table.add_column(title, justify="right", no_wrap=True, width=width)
    for graded in found:
        table.add_row(f" {graded.file}", *columns(graded))
    emit(console, Text())
    emit(console, Text(f" points for speed, in per cent, on {device.title}"))
    emit(console, table)
    for graded in found:
        for verdict in dict.fromkeys(graded.spoilt):
            count = graded.spoilt.count(verdict)
            emit(console, Text(f" ✗ {graded.file}  {verdict}, {count} times"))


def columns(graded: Graded) -> list[str]:
    if not graded.scores:
        return ["0"]
    scores, ratios = graded.scores, graded.ratios
    ratio = statistics.median(ratios)
    return [
        str(len(scores)),
        f"{ratio:.3f}",
        f"{50 * (max(ratios) - min(ratios)) / ratio:.2f}",
        *(f"{value:.2f}" for value in (statistics.median(scores), min(scores), max(scores))),
    ]
