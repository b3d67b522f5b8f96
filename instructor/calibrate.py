"""`make calibrate`: times every rung on this GPU and keeps the times as thresholds.

They stand in for the target rung where it cannot be run, and tell a student between which rungs a
time lies. Measured as for a grade: in turn, until every median is sure.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.base.gpu_lock import gpu_to_ourselves
from grader.base.screen import Screen
from grader.build.make import build_or_raise
from grader.course import resolve
from grader.course.declare import Assignment
from grader.course.thresholds import store_thresholds
from grader.ladder.ladder import PartLadder, entries_of, rung_times, runner_of, time_case
from grader.run.interleaved import Judge
from grader.run.judge import judge_path


def calibrate(
    root: Path, assignment: Assignment, device: Device, only_part: str, screen: Screen
) -> Path:
    """Writes <assignment>/grading/thresholds/<gpu>.json; returns its path."""
    judge = resolve.judge_target(assignment)
    ladders = []
    for part in assignment.parts:
        if part.speed and only_part in ("", part.name):
            entries = entries_of(root, assignment, part, device)
            ladders.append(PartLadder(part, [each for each in entries if each.kind == "rung"]))
    screen.step("building", 0, 0)
    targets = [entry.target for ladder in ladders for entry in ladder.entries]
    build_or_raise(root, [*targets, judge])
    with gpu_to_ourselves(device, screen.say):
        for ladder in ladders:
            time_rungs(
                root, ladder, device, Judge(judge_path(root, judge), ladder.part.name), screen
            )
    parts = {ladder.part.name: (ladder.part.target, rung_times(ladder)) for ladder in ladders}
    return store_thresholds(root, assignment.name, device.name, parts)


def time_rungs(
    root: Path, ladder: PartLadder, device: Device, judge: Judge, screen: Screen
) -> None:
    with ExitStack() as stack:
        runners = {
            entry.name: stack.enter_context(runner_of(root, entry, device))
            for entry in ladder.entries
        }
        for index, case in enumerate(ladder.part.speed):
            screen.step(f"{ladder.part.name} · {case.name}", index, len(ladder.part.speed))
            time_case(ladder, case, runners, device, judge, settle=True)
    failed = next((entry for entry in ladder.entries if entry.failure), None)
    if failed:
        raise GraderError(f"{failed.target} failed {failed.failure}.")
