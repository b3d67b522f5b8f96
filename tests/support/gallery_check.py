"""Grades files of the gallery and compares the outcome with line 1.

A file against the source check is never built, a file against the object check is never linked,
and all others are built by a single call of make.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from gallery import ANY_SPEED, ROOT, Example, build_plans, failures, grade_plan

import grader.build.make
from grader.base.device import Device
from grader.build.admission import Stop, stop_at_object, stop_at_source
from grader.build.make import build
from grader.course.declare import Scale
from grader.course.plan import Plan
from grader.course.results import CaseResult, PartResult
from grader.timing.score import speed_fraction

HONEST_SPEED = (0.9, 1.0)  # of the speed points, where line 1 does not say otherwise
STATED_SCALE = Scale()  # of the shares in line 1; a part may have another scale for its grades


@dataclass(frozen=True)
class Outcome:
    """The outcome of a file; `complaint` is the difference from line 1, "" for none."""

    verdict: str
    complaint: str
    result: PartResult | None = None  # None if the file was refused before a run

    @property
    def points(self) -> float:
        return sum(map(points_of, self.result.cases)) if self.result else 0.0

    @property
    def max_points(self) -> float:
        return (
            sum(c.max_score + c.points.needs_all for c in self.result.cases) if self.result else 0.0
        )


def is_only_refused(example: Example, device: Device) -> bool:
    """Whether the source or the object check must refuse the file, so nothing is linked."""
    return example.expected(device.kind) == {"forbidden"}


def build_examples(chosen: list[Example], device: Device, *, whole: bool = False) -> None:
    """Builds what the outcomes of all given files need; `whole` as in short_plan."""
    objects: dict[str, Path | None] = {}
    plans: list[Plan] = []
    for example in chosen:
        if example.stated("compiler_s"):
            continue  # alone, with a separate limit
        if not is_only_refused(example, device):
            plans.append(example.short_plan(device, whole=whole))
        elif not stop_at_source(ROOT, example.file, example.assignment.name):
            for program in programs_checked(example, device):
                objects[f"{program}.o"] = example.file
                objects |= dict.fromkeys(objects_of_ours(program, example))
    if objects:
        build(ROOT, objects)
    if plans:
        build_plans(plans)


def programs_checked(example: Example, device: Device) -> list[str]:
    """The programs whose objects are checked: a file may hide something in a single mode."""
    (planned,) = (p for p in example.plan(device).parts if p.submission)
    programs = (planned.submission.program, planned.sanitized, planned.profiled)
    return [program for program in programs if program]


def objects_of_ours(program: str, example: Example) -> list[str]:
    """The objects of the runner and the harness, whose names no other file may define."""
    tree = "/".join(program.split("/")[:2])
    runner = f"{tree}/{example.assignment.name}/grading/runner"
    runner += f"/{example.part.name}" if len(example.assignment.parts) > 1 else ""
    return [f"{runner}.o", f"{tree}/libharness.a"]


def stopped(example: Example, device: Device) -> Stop | None:
    """The verdict of the source check and the object check alone."""
    stop = stop_at_source(ROOT, example.file, example.assignment.name)
    return stop or stop_at_object(ROOT, example.file, programs_checked(example, device))


@contextmanager
def own_compiler_limit(example: Example) -> Iterator[None]:
    seconds = int(example.stated("compiler_s") or grader.build.make.COMPILER.cpu_s)
    limits = dataclasses.replace(grader.build.make.COMPILER, cpu_s=seconds)
    with patch.object(grader.build.make, "COMPILER", limits):
        yield


def cheat_outcome(example: Example, device: Device) -> Outcome:
    if is_only_refused(example, device):
        stop = stopped(example, device)
        verdict = stop[0] if stop else "not refused"
        return Outcome(verdict, "" if verdict == "forbidden" else f"it is {verdict}")
    with own_compiler_limit(example):
        result = grade_plan(example.short_plan(device))
    found = set(verdicts(result))
    return Outcome(verdict_of(result), cheat_complaint(example, device, found, result), result)


def cheat_complaint(example: Example, device: Device, found: set[str], result: PartResult) -> str:
    expected, bounds = example.expected(device.kind), example.speed(device.kind)
    if not found & expected or not found <= expected | {"ok"}:
        return f"expected {expected}, found {failures(result) or 'ok'}"
    if bounds:
        # An allowed verdict besides "ok" may have ended the run before the time was taken.
        timed = speed_share(result) is not None or bounds == ANY_SPEED or found != {"ok"}
        return speed_complaint(result, bounds) if timed else "no case was timed"
    if "ok" in expected:
        return "a cheat that is right must be slow: state its speed"
    return "it has all points" if found == {"ok"} else ""


def honest_outcome(example: Example, device: Device, *, whole: bool = False) -> Outcome:
    result = grade_plan(example.short_plan(device, whole=whole))
    verdict = verdict_of(result)
    answers = [case for case in result.cases if case.kind == "correctness"]
    if found := failures(result):
        return Outcome(verdict, "; ".join(found), result)
    if any(case.score < case.max_score for case in answers):
        return Outcome(verdict, "right answers have not all their points", result)
    bounds = example.speed(device.kind) or HONEST_SPEED
    return Outcome(verdict, speed_complaint(result, bounds), result)


def verdicts(result: PartResult) -> list[str]:
    """Each once, in the order of the cases; a case without a run, since an earlier case was
    wrong, has none."""
    ran = [case.verdict for case in result.cases if case.verdict != "skipped"]
    return list(dict.fromkeys(ran))


def verdict_of(result: PartResult) -> str:
    """Returns the verdicts other than ok; ok if there are none."""
    return ", ".join(verdict for verdict in verdicts(result) if verdict != "ok") or "ok"


def speed_complaint(result: PartResult, bounds: tuple[float, float]) -> str:
    share = speed_share(result)
    if share is None or bounds[0] <= share <= bounds[1]:
        return ""
    return f"it has {share:.3f} of the speed points, and not {bounds[0]} to {bounds[1]}"


def speed_share(result: PartResult) -> float | None:
    """The share of the timed cases, on the scale of line 1; None if none was timed."""
    shares = [
        speed_fraction(case.time_ms, case.reference_ms, STATED_SCALE)
        for case in result.cases
        if case.kind == "speed" and case.time_ms and case.reference_ms
    ]
    return sum(shares) / len(shares) if shares else None


def points_of(case: CaseResult) -> float:
    """The points of the case in a grade of the whole part."""
    times, worth = case.times, case.points.needs_all
    if not (worth and times.time_ms and times.reference_ms and times.scale):
        return case.score
    return worth * speed_fraction(times.time_ms, times.reference_ms, times.scale)
