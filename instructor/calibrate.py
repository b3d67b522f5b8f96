"""`make calibrate`: times every rung on this GPU and stores the times as thresholds.

Thresholds stand in for the target rung where the rung cannot be run, and tell a student between
which rungs a time lies. Times are measured as for a grade: in turn, until every median is certain.
Each case is stored as soon as its times are known, so that a run that ends early loses a single
case at most.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.base.gpu_state import measured_today
from grader.base.lock import gpu_to_ourselves
from grader.base.progress import Screen
from grader.build.make import build_or_raise
from grader.course.declare import Assignment
from grader.course.resolve import judge_program
from grader.course.thresholds import load_thresholds
from grader.ladder.ladder import PartLadder, own_entries, rung_times, timed_cases
from grader.timing.clock import Clock, Contest, Kind


def calibrate(
    root: Path,
    assignment: Assignment,
    device: Device,
    clock: Clock,
    only_part: str,
    only_case: str,
    screen: Screen,
) -> Path:
    """Writes <assignment>/grading/thresholds/<gpu>.json; returns its path."""
    ladders = []
    for part in assignment.parts:
        if part.speed and only_part in ("", part.name):
            entries = own_entries(root, assignment, part, device, screen)
            ladders.append(PartLadder(part, [each for each in entries if each.kind == Kind.RUNG]))
    screen.step("building", 0, 0)
    programs = [each.entry.program for ladder in ladders for each in ladder.entries]
    build_or_raise(root, [*programs, judge_program(assignment)])
    with gpu_to_ourselves(device, screen.say):
        for ladder in ladders:
            for _ in time_rungs(assignment, ladder, clock, only_case, screen):
                store_thresholds(root, assignment.name, device.name, times_of([ladder]), keep=True)
    found = times_of(ladders)
    return store_thresholds(root, assignment.name, device.name, found, keep=bool(only_case))


def times_of(ladders: list[PartLadder]) -> dict[str, tuple[str, dict[str, dict[str, float]]]]:
    """{part: (target, {case: {rung: ms}})}"""
    return {ladder.part.name: (ladder.part.target, rung_times(ladder)) for ladder in ladders}


def time_rungs(
    assignment: Assignment, ladder: PartLadder, clock: Clock, only_case: str, screen: Screen
) -> Iterator[str]:
    """Adds the times of the rungs to the ladder, and yields the name of each completed case.

    Raises GraderError if a rung fails a case.
    """
    part, entries = ladder.part, [each.entry for each in ladder.entries]
    cases = [case for case in part.speed if only_case in ("", case.name)]
    contest = Contest(assignment, part, entries, cases, settle=True)
    for times in timed_cases(clock, contest, screen):
        for each in ladder.entries:
            each.add(times.case, times.timed[each.name])
        failed = next((each for each in ladder.entries if each.failure), None)
        if failed:
            raise GraderError(f"{failed.entry.program} failed {failed.failure}.")
        yield times.case.name


def store_thresholds(
    root: Path,
    assignment: str,
    gpu: str,
    parts: dict[str, tuple[str, dict[str, dict[str, float]]]],
    keep: bool,
) -> Path:
    """Writes the measurements of a GPU; the rest of the GPU's file stays. {part: (target, cases)}

    With four digits: no time is more precise. `keep`: the times of the part's other cases stay.
    """
    stored = dict(load_thresholds(root, assignment, gpu).parts)
    for part, (target, cases) in parts.items():
        rounded = {
            case: {rung: float(f"{ms:.4g}") for rung, ms in rungs.items()}
            for case, rungs in cases.items()
        }
        before = stored.get(part, {})
        cases_before = before.get("cases", {}) if keep else {}
        timed = {case: times for case, times in rounded.items() if times}
        stored[part] = before | {"target": target, "cases": cases_before | timed}
    text = json.dumps(measured_today(gpu) | {"parts": stored}, indent=1, allow_nan=False)
    path = root / assignment / "grading" / "thresholds" / f"{as_file_name(gpu)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")
    return path


def as_file_name(gpu: str) -> str:
    """ "NVIDIA H200" -> "nvidia_h200" """
    return re.sub(r"[^a-z0-9]+", "_", gpu.lower()).strip("_")
