"""Finds the assignments, reads their grade.py and reports a mistake in grade.py in a sentence."""

import importlib.util
import itertools
import sys
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.text import choose
from grader.course.declare import Assignment, Part


def assignment_names(root: Path) -> list[str]:
    """Every directory with a grading/grade.py, sorted by name."""
    return sorted(path.parents[1].name for path in root.glob("*/grading/grade.py"))


def load_assignment(root: Path, name: str) -> Assignment:
    path = root / name / "grading" / "grade.py"
    spec = importlib.util.spec_from_file_location(f"grade_{name}", path)
    if spec is None or spec.loader is None:
        raise GraderError(f"{path} cannot be read.")
    module = importlib.util.module_from_spec(spec)
    # No __pycache__ in a student's directory, which holds only the student's own files.
    write_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
        assignment = module.ASSIGNMENT
    except Exception as error:
        raise GraderError(f"{name}/grading/grade.py cannot be used: {error}") from error
    finally:
        sys.dont_write_bytecode = write_bytecode
    problem = first_problem(assignment, name)
    if problem:
        raise GraderError(f"{name}/grading/grade.py: {problem}")
    return assignment


def load_assignments(root: Path, wanted: list[str]) -> list[Assignment]:
    """The assignments named in `wanted`, or all, in teaching order.

    For a misspelt name the error suggests the nearest names.
    """
    names = assignment_names(root)
    if not names:
        raise GraderError(
            f"No assignment (a directory with a grading/grade.py) was found in {root}."
        )
    for name in wanted:
        if name not in names:
            raise UsageError(choose("assignment", name, names))
    found = [load_assignment(root, name) for name in dict.fromkeys(wanted or names)]
    return sorted(found, key=lambda assignment: (assignment.order, assignment.name))


def first_problem(assignment: object, directory: str) -> str | None:
    """Why a declaration cannot be graded fairly, or None."""
    if not isinstance(assignment, Assignment):
        return "ASSIGNMENT must be a grader.course.declare.Assignment."
    if assignment.name != directory:
        return f"it is called {assignment.name!r} but stands in {directory}/."
    if not assignment.parts:
        return "it has no parts."
    part_names = [part.name for part in assignment.parts]
    if len(set(part_names)) != len(part_names):
        return "two parts have the same name."
    if abs(sum(part.weight for part in assignment.parts) - 1.0) > 1e-9:
        return "the weights of the parts do not add up to 1."
    for part in assignment.parts:
        cases = part.correctness + part.speed
        if len({case.name for case in cases}) != len(cases):
            return f"two cases of {part.name} have the same name."
        if problem := first_problem_of_points(part):
            return problem
    return None


def first_problem_of_points(part: Part) -> str | None:
    kinds = ((part.correctness, part.correctness_points), (part.speed, part.speed_points))
    for cases, total in kinds:
        fixed = sum(case.points for case in cases if case.points is not None)
        if fixed > total + 1e-9:
            return f"the cases of {part.name} claim {fixed:g} of {total:g} points."
        if any(case.points is not None and case.points < 0 for case in cases):
            return f"a case of {part.name} has negative points."
    for case, modelled in itertools.product(part.speed, (False, True)):
        scale = part.scale_of(case, modelled)
        if not 1 <= scale.full < scale.none:
            return f"the scale of {part.name}, {case.name} must have 1 <= full < none."
    return None
