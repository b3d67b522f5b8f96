"""`make check`: builds the planned parts, then grades part after part."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from grader.base.lock import gpu_to_ourselves
from grader.base.progress import Screen
from grader.build.admission import Stop, stop_at_object, stop_at_source
from grader.build.make import BuildError, build, failed_build
from grader.check.part import PartCheck
from grader.course.baseline import Baseline
from grader.course.plan import PartPlan, Plan
from grader.course.results import AssignmentResult
from grader.timing.choose import choose_clock
from grader.timing.clock import Clock, programs_beside

# Called after each part with the results so far; the flag says whether an assignment is complete.
OnPart = Callable[[list[AssignmentResult], bool], object]


def check(
    plan: Plan,
    fixed_seed: int | None,
    screen: Screen,
    on_part: OnPart = lambda results, complete: None,
) -> list[AssignmentResult]:
    """Grades everything planned. Only a failure of the student's own becomes a verdict."""
    clock = choose_clock(plan.root, plan.device, plan.model)
    stops = [stop_before_build(plan.root, planned) for planned in plan.parts]
    admitted = [p for p, stop in zip(plan.parts, stops, strict=True) if p.submission and not stop]
    errors = build_parts(plan.root, admitted, clock, screen)
    results: list[AssignmentResult] = []
    with gpu_to_ourselves(plan.device, screen.say):
        for index, (planned, stop) in enumerate(zip(plan.parts, stops, strict=True)):
            name = planned.assignment.name
            if not results or results[-1].name != name:
                results.append(AssignmentResult(name, ()))
            stop = stop or stop_at_build(plan.root, planned, errors)
            usable = without_broken_target(planned, errors)
            part = PartCheck(plan, usable, clock, fixed_seed, screen)
            graded = part.grade(stop, errors.get(planned.profiled))
            results[-1] = AssignmentResult(name, (*results[-1].parts, graded))
            last = index + 1 == len(plan.parts) or plan.parts[index + 1].assignment.name != name
            on_part(results, last)
    return results


def build_parts(
    root: Path, admitted: list[PartPlan], clock: Clock, screen: Screen
) -> dict[str, BuildError]:
    """Builds what the cases need; returns the errors in student files and in sealed targets."""
    students: dict[str, Path | None] = {}
    ours: dict[str, PartPlan] = {}
    for planned in admitted:
        submission = planned.submission
        for program in filter(None, (submission.program, planned.sanitized, planned.profiled)):
            students[program] = submission.file
        ours |= dict.fromkeys(programs_beside(planned, clock), planned)
    errors = build(root, dict.fromkeys(ours) | students, screen=screen)
    for program, planned in ours.items():
        sealed = planned.baseline.sealed and program == planned.baseline.program
        if program in errors and not sealed:
            raise failed_build(program, errors[program])
    return errors


def without_broken_target(planned: PartPlan, errors: dict[str, BuildError]) -> PartPlan:
    """The plan without sealed targets of another toolkit: stored times replace their runs."""
    broken = planned.baseline.sealed and planned.baseline.program in errors
    return replace(planned, baseline=Baseline()) if broken else planned


def stop_before_build(root: Path, planned: PartPlan) -> Stop | None:
    if planned.submission is None:
        return None
    return stop_at_source(root, planned.submission.file, planned.assignment.name)


def stop_at_build(root: Path, planned: PartPlan, errors: dict[str, BuildError]) -> Stop | None:
    """A verdict for the whole part from the objects, or from their absence."""
    if planned.submission is None:
        return None
    # A redefined function of a library may be the reason why an object fails to link.
    submission = planned.submission
    programs = (submission.program, planned.sanitized, planned.profiled)
    compiled = [program for program in programs if program]
    if stop := stop_at_object(root, submission.file, compiled):
        return stop
    for program in (submission.program, planned.sanitized):
        if program in errors:
            return "build_error", errors[program]
    return None
