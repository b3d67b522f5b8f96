"""`make climb`: climbs a student repository from each starter to the target, step by step.

The student's file becomes rung after rung of the ladder, as a student would edit the file, and each
time `make check-…` runs in the student repository, which has neither rungs nor solutions. The table
has the lines that each edit changes, the points of 100 that the file then earns, and the speed-up
over the previous step on an H200. Points must follow the rule of docs/grading.md: points rise
visibly where an H200 is clearly faster, unless the model shows no step. Other differences are
named.
"""

import difflib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.base.errors import GraderError
from grader.base.progress import Screen
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.terminal.console import emit, plain_table
from instructor.handout.make import make_handout
from instructor.points import LEVEL, VISIBLE, PartPoints, points_of_parts

STARTER = "starter"
LONGEST_S = 900.0  # for a check, with all its builds
SAME = 0.1  # points of 100 by which two gradings of a file may differ
COLUMNS = (("lines", 5), ("points", 6), ("H200", 7))


@dataclass
class Step:
    """An edit of a student's file, and the points that the file then earns."""

    rung: str  # the rung's name, or "starter"
    changed: int = 0  # lines that the edit removes or adds
    points: float = 0.0  # of 100 for the part
    gain: float | None = None  # the speed-up over the previous step on an H200
    complaint: str = ""  # the rule that the points break
    remark: str = ""  # another difference between the points and an H200


@dataclass
class Climb:
    assignment: Assignment
    part: Part
    steps: list[Step]


def climb(root: Path, assignments: list[Assignment], only_part: str, screen: Screen) -> list[Climb]:
    """Makes a student repository of the assignments and climbs every part, or only one."""
    with tempfile.TemporaryDirectory(prefix="climb-") as temporary:
        folder = Path(temporary) / "handout"
        make_handout(root, assignments, folder, screen)
        found = []
        for one in points_of_parts(root, assignments):
            if only_part in ("", one.part.name):
                assignment = next(a for a in assignments if one.part in a.parts)
                found.append(climb_part(root, folder, assignment, one, screen))
        return found


def climb_part(
    root: Path, folder: Path, assignment: Assignment, one: PartPoints, screen: Screen
) -> Climb:
    student = folder / assignment.student_file(one.part)
    starter = student.read_bytes()
    ladder = resolve.directory(root, assignment, one.part, "ladder")
    rungs = [*one.below, one.part.target]
    steps: list[Step] = []
    try:
        for number, rung in enumerate((STARTER, *rungs)):
            screen.step(f"climbing {one.part.name}", number, len(rungs) + 1)
            before = student.read_text()
            if rung != STARTER:
                shutil.copy(ladder / f"{rung}.cu", student)
            step = Step(rung, lines_changed(before, student.read_text()))
            step.points = checked(folder, assignment, one.part)
            if steps:
                judge(one, steps[-1], step)
            steps.append(step)
    finally:
        student.write_bytes(starter)
    return Climb(assignment, one.part, steps)


def lines_changed(before: str, after: str) -> int:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return sum(line.startswith(("- ", "+ ")) for line in lines)


def checked(folder: Path, assignment: Assignment, part: Part) -> float:
    """The points of `make check-<name>` for the student's file, of 100 for the part."""
    words = ["make", f"check-{assignment.name}", f"PART={part.name}", "DEVICE=cpu"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST_S
    )
    if done.returncode:
        raise GraderError(f"{' '.join(words)} failed: {(done.stderr or done.stdout)[-500:]}")
    results = json.loads((folder / "build" / "results.json").read_text())
    (found,) = (
        kept
        for one in results["assignments"]
        for kept in one["parts"]
        if kept["name"] == part.name and one["name"] == assignment.name
    )
    return 100 * found["score"] / found["max_score"]


def judge(one: PartPoints, before: Step, step: Step) -> None:
    """Writes into `step` the speed-up on an H200, and the rule that the points break."""
    if before.rung == STARTER:
        return
    step.gain = one.measured.gain(before.rung, step.rung)
    rise = step.points - before.points
    clear = (before.rung, step.rung) in one.steps and not one.stays_behind(step.rung)
    if (before.rung, step.rung) in one.unseen():
        clear, step.remark = False, "the model shows no step"
    elif rise < -SAME and step.gain >= LEVEL:
        step.remark = "points fall, an H200 is faster"
    elif rise > VISIBLE and step.gain <= 1 / LEVEL:
        step.remark = "points rise, an H200 is slower"
    if step.rung == one.part.target and step.points < 100 - SAME:
        step.complaint = "the target rung has not all points"
    elif clear and rise < VISIBLE:
        step.complaint = "no visible gain"


def show_climbs(console: Console, climbs: list[Climb]) -> int:
    """Prints the table; returns how many steps do not earn their due points."""
    table = plain_table(expand=True)
    table.add_column(" part", no_wrap=True)
    table.add_column("step", no_wrap=True)
    for title, width in COLUMNS:
        table.add_column(title, justify="right", no_wrap=True, width=width)
    table.add_column("", ratio=1)
    for found in climbs:
        for step in found.steps:
            name = f" {found.part.name}" if step.rung == STARTER else ""
            gain = f"{step.gain:.2f}×" if step.gain else ""
            mark = f"✗ {step.complaint}" if step.complaint else f"✓ {step.remark}".rstrip()
            cells = (str(step.changed or ""), f"{step.points:.1f}", gain, mark)
            table.add_row(name, step.rung, *cells)
    emit(console, Text())
    emit(console, table)
    return sum(bool(step.complaint) for found in climbs for step in found.steps)
