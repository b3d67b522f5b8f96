"""Chooses the part of a command for a single part."""

from collections.abc import Sequence
from pathlib import Path

from grader.base.errors import UsageError
from grader.base.text import choose
from grader.check.history import read_history
from grader.course.declare import Assignment, Part

ROUNDING = 1e-6  # in points: a smaller distance from the maximum counts as full marks


def current_part(
    root: Path, assignment: Assignment, wanted: str, among: Sequence[str] = ()
) -> Part:
    """The part `wanted`, from PART=, else the first part without full marks in its last check.

    If all parts have full marks, the first part. `among` names the parts to choose from; empty: all
    parts.
    """
    names = [part.name for part in assignment.parts if part.name in among or not among]
    if wanted:
        if wanted not in names:
            raise UsageError(choose("part", wanted, names))
        return assignment.part(wanted)
    finished = finished_parts(root, assignment)
    return assignment.part(next((name for name in names if name not in finished), names[0]))


def finished_parts(root: Path, assignment: Assignment) -> set[str]:
    """The names of parts with full marks in their last check."""
    last = {one.part: one for one in read_history(root) if one.assignment == assignment.name}
    return {
        name
        for name, attempt in last.items()
        if attempt.complete and attempt.score >= attempt.max_score - ROUNDING
    }
