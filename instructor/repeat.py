"""`make calibrate REPEAT=20`: measures the spread of the scores of one file.

The solution, the first and the last rung are graded for speed again and again, as a student's file
is: by a program that was just started, against the target rung, just started too, in the same run.
But its answers are judged as those of all programs of the course, all repeats of a round have one
input, and they end after a quarter of a second. Every grading is stored
in build/repeat/<gpu>.json, and the next run goes on from there until there are as many as asked
for; a file that has changed begins at none. The parts whose files all have as many as asked for go
into the table in docs/grading.md.
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
from grader.base.files import write_json
from grader.base.lock import gpu_to_ourselves, locked
from grader.base.progress import Screen
from grader.build.make import build_or_raise
from grader.check.part import PartCheck
from grader.course import resolve
from grader.course.declare import Assignment
from grader.course.plan import PartPlan, Plan, make_plan
from grader.course.results import CaseResult
from grader.run.case import JudgingTime
from grader.terminal.console import emit, plain_table
from grader.timing.clock import Clock, Runners, graded_contest, programs_beside
from instructor.calibrate import as_file_name

JUDGING_S = 10.0  # after as much time, answers of a part are judged no more
COLUMNS = (("graded", 6), ("T/Tref", 6), ("± %", 5), ("points", 6), ("from", 6), ("to", 6))


@dataclass
class Graded:
    """One file, graded many times."""

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
    def key(self) -> str:
        """The part, its cases, and the file as it is now."""
        part = self.planned.part
        source = self.planned.submission.file.read_bytes()
        cases = ",".join(case.name for case in part.speed)
        return f"{part.name} {cases} {self.file} {hashlib.sha256(source).hexdigest()[:16]}"

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
    """Grades the files in turn until each has been graded `times` times, with what is stored of
    earlier runs, but begins no new round after `seconds`.
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
    store = stored_gradings(root, device)
    recall(store, found)
    judging = {graded.part_name: JudgingTime(JUDGING_S) for graded in found}
    end = time.monotonic() + seconds
    with gpu_to_ourselves(device, screen.say):
        while time.monotonic() < end and (due := [one for one in found if one.count < times]):
            screen.step("grading", min(one.count for one in due), times)
            for graded in due:
                graded.add(grade(root, graded, device, clock, judging[graded.part_name], screen))
                keep(store, graded)
    return found


def grade(
    root: Path,
    graded: Graded,
    device: Device,
    clock: Clock,
    judging: JudgingTime,
    screen: Screen,
) -> list[CaseResult]:
    """Grades one file for speed, by programs that are started for it and end with it."""
    planned = graded.planned
    contest = graded_contest(planned, clock, planned.part.speed, None, rivals=False)
    with Runners(root, device) as runners:
        runners.wake(contest.entries, planned.part.correctness[0])
        contest = replace(contest, ours=True, runners=runners, judging=judging)
        part_check = PartCheck(graded.plan, planned, clock, None, screen)
        return part_check.time_alone(contest)


def stored_gradings(root: Path, device: Device) -> Path:
    return root / "build" / "repeat" / f"{as_file_name(device.name)}.json"


def read_gradings(store: Path) -> dict[str, dict]:
    return json.loads(store.read_text()) if store.is_file() else {}


def recall(store: Path, found: list[Graded]) -> None:
    """Adds the gradings of earlier runs."""
    known = read_gradings(store)
    for graded in found:
        if earlier := known.get(graded.key):
            graded.scores, graded.ratios = earlier["scores"], earlier["ratios"]
            graded.spoilt = earlier["spoilt"]


def keep(store: Path, graded: Graded) -> None:
    """Stores all gradings of a file; another GPU's may be stored at the same time."""
    own = {"scores": graded.scores, "ratios": graded.ratios, "spoilt": graded.spoilt}
    with locked(store.with_suffix(".lock")):
        write_json(store, read_gradings(store) | {graded.key: own})


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
