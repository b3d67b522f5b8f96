"""Plans a `make check`: which cases of which parts, on which files and programs."""

import fnmatch
from dataclasses import dataclass, field, replace
from pathlib import Path

from cpudevice.model.gpu import Gpu, ModelError, load_gpu
from grader.base.device import Device, can_profile
from grader.base.errors import UsageError
from grader.base.text import choose
from grader.course import resolve
from grader.course.baseline import Baseline, find_baseline
from grader.course.declare import Assignment, Part
from grader.course.needs import unmet
from grader.course.resolve import Submission


@dataclass(frozen=True)
class PartPlan:
    """A part to grade, or to leave out if `submission` is None."""

    assignment: Assignment
    part: Part  # with the cases of the request
    whole: Part  # as declared: points are shared among all cases
    submission: Submission | None
    judge: str
    left_out: str = ""  # why a requested submission is left out
    baseline: Baseline = field(default_factory=Baseline)
    # The submission's other builds, on the CPU device; "" if no case needs the build.
    sanitized: str = ""
    profiled: str = ""
    can_time: bool = False


@dataclass(frozen=True)
class Plan:
    """Everything that a check grades."""

    root: Path
    device: Device
    parts: tuple[PartPlan, ...] = ()
    model: Gpu = field(default_factory=load_gpu)  # whose times are modelled on the CPU device

    @property
    def served(self) -> list[str]:
        """The names of the parts that are graded."""
        return [planned.part.name for planned in self.parts if planned.submission]

    @property
    def model_title(self) -> str:
        """The GPU whose times are modelled, "" if none are."""
        return self.model.slice().name if any(part.profiled for part in self.parts) else ""


def make_plan(
    root: Path,
    assignments: list[Assignment],
    device: Device,
    with_: str,
    part: str,
    case: str,
    model: str = "",
) -> Plan:
    """Makes a plan; `with_`, `part`, `case` and `model` are the values of WITH=, PART=, … or ""."""
    gpu = choose_model(model)
    parts: list[PartPlan] = []
    chosen = choose_part(assignments, part)
    served = resolve.resolve_with(root, chosen, with_, device.kind) if with_ else None
    left_out: list[Part] = []
    for assignment in chosen:
        if served is None:
            files = resolve.student_submissions(root, assignment, device.kind)
        elif assignment.name in served:
            files = served[assignment.name]
        else:
            continue
        for whole in assignment.parts:
            if part and whole.name != part:
                continue
            some = choose_cases(whole, case)
            if some.correctness or some.speed:
                submission = files.get(whole.name)
                parts.append(plan_part(root, device, assignment, some, whole, submission))
            else:
                left_out.append(whole)
    if case and not parts:
        known = [one.name for whole in left_out for one in whole.correctness + whole.speed]
        raise UsageError(choose("case", case, known))
    return Plan(root, device, tuple(parts), gpu)


def plan_part(
    root: Path,
    device: Device,
    assignment: Assignment,
    part: Part,
    whole: Part,
    submission: Submission | None,
) -> PartPlan:
    """Plans a part; `part` has the requested cases of `whole`."""
    judge = resolve.judge_program(assignment)
    left_out = ""
    if submission and resolve.is_ours(root, assignment, part, submission.file):
        left_out = unmet(submission.file, device)
    if submission is None or left_out:
        return PartPlan(assignment, part, whole, None, judge, left_out)
    baseline = find_baseline(root, assignment, part, device) if part.speed else Baseline()
    sanitized = profiled = ""
    if not device.measures and can_profile():
        if part.correctness:
            sanitized = resolve.sanitized_program(submission.program)
        if baseline:
            profiled = resolve.profiled_program(submission.program)
    return PartPlan(
        assignment,
        part,
        whole,
        submission,
        judge,
        baseline=baseline,
        sanitized=sanitized,
        profiled=profiled,
        can_time=device.measures or bool(profiled),
    )


def choose_model(wanted: str) -> Gpu:
    try:
        return load_gpu(wanted)
    except ModelError as error:
        raise UsageError(str(error)) from error


def choose_part(assignments: list[Assignment], wanted: str) -> list[Assignment]:
    """The assignments with the part named by PART=."""
    if not wanted:
        return assignments
    found = [a for a in assignments if any(part.name == wanted for part in a.parts)]
    if not found:
        known = [part.name for a in assignments for part in a.parts]
        raise UsageError(choose("part", wanted, known))
    return found


def choose_cases(part: Part, wanted: str) -> Part:
    """The part with the cases that CASE= names, exactly or as a pattern like 1x*; "" means all."""
    if not wanted:
        return part
    return replace(
        part,
        correctness=[c for c in part.correctness if fnmatch.fnmatchcase(c.name, wanted)],
        speed=[c for c in part.speed if fnmatch.fnmatchcase(c.name, wanted)],
    )
