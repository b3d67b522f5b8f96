"""Hidden cases: cases of an instructor, in a file kept from students.

`hidden.py` beside a grade.py, or the file that HIDDEN= names for all assignments, declares cases
for right answers, by part:

    from grader.course.declare import Case

    HIDDEN = {"exclusive_scan": [Case("two tiles", "--n 4097 --values 3")]}

Hidden cases share the part's points for right answers with the other cases. The report shows the
verdict and the points of each hidden case, and nothing else, not even the name.
"""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.course.declare import Assignment, Case, Part
from grader.course.results import CaseResult, Verdict

HIDDEN_FILE = "hidden.py"  # in an assignment's grading/


def add_hidden(root: Path, assignments: list[Assignment], file: str) -> list[Assignment]:
    """The assignments with their hidden cases; `file` is the value of HIDDEN=, or ""."""
    everywhere = read_hidden(Path(file)) if file else {}
    if file:
        known = {part.name for assignment in assignments for part in assignment.parts}
        if not known & set(everywhere):
            raise UsageError(f"HIDDEN: the file has cases for none of {', '.join(sorted(known))}.")
    found = []
    for assignment in assignments:
        beside = root / assignment.name / "grading" / HIDDEN_FILE
        cases = everywhere or (read_hidden(beside) if beside.is_file() else {})
        parts = [with_cases(part, cases.get(part.name, [])) for part in assignment.parts]
        found.append(replace(assignment, parts=parts))
    return found


def with_cases(part: Part, cases: list[Case]) -> Part:
    """Adds the cases under numbers: an instructor's name for a case may reveal too much."""
    numbered = [
        replace(case, name=f"hidden {number}", hidden=True) for number, case in enumerate(cases, 1)
    ]
    return replace(part, correctness=[*part.correctness, *numbered])


def read_hidden(path: Path) -> dict[str, list[Case]]:
    """The cases declared in the file. The file may hold secrets, so errors name no details."""
    try:
        spec = importlib.util.spec_from_file_location("hidden_cases", path)
        module = importlib.util.module_from_spec(spec)
        write_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        try:
            spec.loader.exec_module(module)
        finally:
            sys.dont_write_bytecode = write_bytecode
        declared = {part: list(cases) for part, cases in module.HIDDEN.items()}
    except Exception as error:
        kind = type(error).__name__
        raise GraderError(f"The file of hidden cases cannot be used ({kind}).") from None
    if not all(isinstance(case, Case) for cases in declared.values() for case in cases):
        raise GraderError("The file of hidden cases cannot be used: HIDDEN holds lists of Case.")
    return declared


def conceal(result: CaseResult) -> CaseResult:
    """The result of a hidden case: nothing but its verdict and points."""
    return CaseResult(result.name, result.kind, Verdict(result.verdict), result.points)
