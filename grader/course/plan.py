"""What one `make check` does: which cases of which parts, on which files and programs."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field, replace
from pathlib import Path

from cpudevice.model.gpu import Gpu, ModelError, load_gpu
from grader.base.device import Device, can_count
from grader.base.errors import UsageError
from grader.base.nearest import choose
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.course.resolve import Submission
from grader.course.target import Target, find_target


@dataclass
class PartPlan:
    """One part to grade, or to leave out where `submission` is None."""

    assignment: Assignment
    part: Part  # with the cases that were asked for
    whole: Part  # as declared: points are shared among all its cases
    submission: Submission | None
    judge: str
    sanitize: str = ""  # the student's file built for the CPU device's sanitize mode
    target: Target = field(default_factory=Target)
    solution: str = ""
    peers: str = ""
    counted: str = ""  # on the CPU device: the student's program, built to be counted

    @property
    def programs(self) -> list[str]:
        """What is built beside the student's program."""
        return [
            program
            for program in (
                self.judge,
                self.target.program,
                self.solution,
                self.peers,
            )
            if program
        ]


@dataclass
class Plan:
    root: Path
    device: Device
    parts: list[PartPlan] = field(default_factory=list)
    model: Gpu = field(default_factory=load_gpu)  # whose times are modelled on the CPU device

    @property
    def model_title(self) -> str:
        """The GPU whose times are modelled, "" where none are."""
        return self.model.slice().name if any(part.counted for part in self.parts) else ""


def make_plan(
    root: Path,
    assignments: list[Assignment],
    device: Device,
    with_: str,
    part: str,
    case: str,
    model: str = "",
) -> Plan:
    plan = Plan(root, device, model=choose_model(model))
    assignments = choose_part(assignments, part)
    served = None
    if with_:
        served = resolve.resolve_with(root, assignments, with_, device.kind)
    for assignment in assignments:
        if served is not None and assignment.name not in served:
            continue
        files = resolve.student_submissions(root, assignment, device.kind)
        files = files if served is None else served[assignment.name]
        for declared in assignment.parts:
            if not part or declared.name == part:
                submission = files.get(declared.name)
                plan.parts.append(plan_part(plan, assignment, declared, submission))
    return choose_cases(plan, case) if case else plan


def plan_part(
    plan: Plan, assignment: Assignment, part: Part, submission: Submission | None
) -> PartPlan:
    planned = PartPlan(assignment, part, part, submission, resolve.judge_target(assignment))
    if plan.device.kind == "cpu" and submission and can_count():
        planned.sanitize = resolve.sanitized_target(submission.target)
    if not submission or not part.speed:
        return planned
    target = find_target(plan.root, assignment, part, plan.device)
    if plan.device.kind == "cpu" and target and can_count():
        planned.target = target
        planned.counted = resolve.counted_target(submission.target)
    if plan.device.kind == "gpu":
        planned.target = target
        if resolve.solution_file(plan.root, assignment, part).is_file():
            planned.solution = resolve.solution_target(assignment, part, "gpu")
        if resolve.peers_file(plan.root, assignment, part).is_file():
            planned.peers = resolve.peers_target(assignment, part)
    return planned


def choose_model(wanted: str) -> Gpu:
    try:
        return load_gpu(wanted)
    except ModelError as error:
        raise UsageError(str(error)) from error


def choose_part(assignments: list[Assignment], wanted: str) -> list[Assignment]:
    """The assignments that have the part PART= asks for."""
    if not wanted:
        return assignments
    found = [a for a in assignments if any(part.name == wanted for part in a.parts)]
    if not found:
        known = [part.name for a in assignments for part in a.parts]
        raise UsageError(choose("part", wanted, known))
    return found


def choose_cases(plan: Plan, wanted: str) -> Plan:
    """Leaves the cases that CASE= names (exactly, or as a pattern like 1x*)."""
    kept = []
    for planned in plan.parts:
        part = planned.part
        some = replace(
            part,
            correctness=[c for c in part.correctness if fnmatch.fnmatchcase(c.name, wanted)],
            speed=[c for c in part.speed if fnmatch.fnmatchcase(c.name, wanted)],
        )
        if some.correctness or some.speed:
            kept.append(replace(planned, part=some))
    if not kept:
        parts = [planned.part for planned in plan.parts]
        known = [case.name for part in parts for case in part.correctness + part.speed]
        raise UsageError(choose("case", wanted, known))
    return replace(plan, parts=kept)
