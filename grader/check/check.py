"""`make check`: builds the planned parts, then grades them one after another."""

from collections.abc import Callable
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

# Called after each part with the results so far; the flag says that an assignment is complete.
OnPart = Callable[[list[AssignmentResult], bool], object]


def check(
    plan: Plan,
    fixed_seed: int | None,
    screen: Screen,
    on_part: OnPart = lambda results, complete: None,
) -> list[AssignmentResult]:
    """Grades everything planned. Only a failure of the student's own becomes a verdict."""
    clock = choose_clock(plan.root, plan.device, plan.model)
    stops = {id(p): stop for p in plan.parts if (stop := stop_before_build(plan.root, p))}
    admitted = [p for p in plan.parts if p.submission and id(p) not in stops]
    errors = build_parts(plan, admitted, clock, screen)
    results: list[AssignmentResult] = []
    with gpu_to_ourselves(plan.device, screen.say):
        for index, planned in enumerate(plan.parts):
            name = planned.assignment.name
            if not results or results[-1].name != name:
                results.append(AssignmentResult(name, []))
            stop = stops.get(id(planned)) or stop_at_build(plan.root, planned, errors)
            part = PartCheck(plan, planned, clock, fixed_seed, screen)
            results[-1].parts.append(part.grade(stop, errors.get(planned.profiled)))
            last = index + 1 == len(plan.parts) or plan.parts[index + 1].assignment.name != name
            on_part(results, last)
    return results


def build_parts(
    plan: Plan, admitted: list[PartPlan], clock: Clock, screen: Screen
) -> dict[str, BuildError]:
    """Builds what the cases need; returns the errors in the student's files."""
    students: dict[str, Path | None] = {}
    ours: dict[str, PartPlan] = {}
    for planned in admitted:
        submission = planned.submission
        for program in filter(None, (submission.program, planned.sanitized, planned.profiled)):
            students[program] = submission.file
        ours |= dict.fromkeys(programs_beside(planned, clock), planned)
    errors = build(plan.root, dict.fromkeys(ours) | students, screen=screen)
    for program, planned in ours.items():
        if program not in errors:
            continue
        if not planned.baseline.sealed or program != planned.baseline.program:
            raise failed_build(program, errors[program])
        # Made with another toolkit: the stored times are used instead.
        planned.baseline = Baseline()
    return errors


def stop_before_build(root: Path, planned: PartPlan) -> Stop | None:
    if planned.submission is None:
        return None
    return stop_at_source(root, planned.submission.file, planned.assignment.name)


def stop_at_build(root: Path, planned: PartPlan, errors: dict[str, BuildError]) -> Stop | None:
    """A verdict for the whole part from its objects, or from their absence."""
    if planned.submission is None:
        return None
    # An object that replaces a library's function may fail to link because of that.
    submission = planned.submission
    programs = (submission.program, planned.sanitized, planned.profiled)
    compiled = [program for program in programs if program]
    if stop := stop_at_object(root, submission.file, compiled):
        return stop
    for program in (submission.program, planned.sanitized):
        if program in errors:
            return "build_error", errors[program]
    return None
