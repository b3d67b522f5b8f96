"""`make check`: builds, runs, judges and scores the planned parts, one after another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from grader.base.gpu_lock import gpu_to_ourselves
from grader.base.screen import Screen
from grader.build.admission import Stop, stop_at_object, stop_at_source
from grader.build.make import BuildError, build, failed_build
from grader.check.part_grader import PartGrader
from grader.course.plan import Plan
from grader.course.results import AssignmentResult
from grader.course.target import Target

Keep = Callable[[list[AssignmentResult]], object]


def check(
    plan: Plan, fixed_seed: int | None, screen: Screen, keep: Keep = lambda results: None
) -> list[AssignmentResult]:
    """Grades everything planned. Only the student's own failures become verdicts.

    After each part `keep` is called with what was found so far.
    """
    stopped = {id(p): stop for p in plan.parts if (stop := stop_at_source(plan.root, p))}
    screen.step("building", 0, 0)
    errors = build(plan.root, wanted_targets(plan, stopped))
    for planned in plan.parts:
        if planned.target.sealed and planned.target.program in errors:
            # Made with another toolkit: the stored times remain.
            planned.target = Target()
        for program in planned.programs:
            if program in errors and planned.submission:
                raise failed_build(program, errors[program])
    with gpu_to_ourselves(plan.device, screen.say):
        return grade_all(plan, stopped, errors, fixed_seed, screen, keep)


def grade_all(
    plan: Plan,
    stopped: dict[int, Stop],
    errors: dict[str, BuildError],
    fixed_seed: int | None,
    screen: Screen,
    keep: Keep,
) -> list[AssignmentResult]:
    """One part after the other; `stopped` has those that are not run at all."""
    results: list[AssignmentResult] = []
    for index, planned in enumerate(plan.parts):
        name = planned.assignment.name
        if not results or results[-1].name != name:
            results.append(AssignmentResult(name, []))
        grader = PartGrader(plan, planned, fixed_seed, screen)
        if planned.submission and id(planned) not in stopped:
            grader.count_error = errors.get(planned.counted)
            # An object that takes the place of a library's function may fail to link for that.
            if stop := stop_at_object(plan.root, planned):
                stopped[id(planned)] = stop
            for program in (planned.submission.target, planned.sanitize):
                if program in errors:
                    stopped.setdefault(id(planned), ("build_error", errors[program]))
        results[-1].parts.append(grader.grade(stopped.get(id(planned))))
        keep(results)
        last = index + 1 == len(plan.parts) or plan.parts[index + 1].assignment.name != name
        if last:
            screen.assignment(results[-1])
    return results


def wanted_targets(plan: Plan, stopped: dict[int, Stop]) -> dict[str, Path | None]:
    """{make target: the student's file it is made from}, each once."""
    targets: dict[str, Path | None] = {}
    for planned in plan.parts:
        if planned.submission and id(planned) not in stopped:
            targets.update(dict.fromkeys(planned.programs))
            targets[planned.submission.target] = planned.submission.file
            if planned.sanitize and planned.part.correctness:
                targets[planned.sanitize] = planned.submission.file
            if planned.counted:
                targets[planned.counted] = planned.submission.file
    return targets
