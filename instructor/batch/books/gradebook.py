"""The class as tables: gradebook.csv, and the forms that Canvas and Moodle import.

Sources: Canvas, "How do I import grades in the Gradebook?"; Moodle, "Offline grading worksheet".
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.base.text import points_text
from grader.course.load import load_assignments
from instructor.batch.record import GRADED, NOT_GRADED, Result

# A spreadsheet treats a cell with this beginning as a formula.
FORMULA = re.compile(r"^\s*[=+\-@\t\r]")
NUMBER_BEHIND = re.compile(r"(?P<name>.+)_(?P<id>\d+)")  # as submissions.owner names students
POINTS_POSSIBLE = "Points Possible"


@dataclass(frozen=True)
class Columns:
    """The columns of the table: assignments, and their parts."""

    assignments: dict[str, list[str]]

    @classmethod
    def of(cls, root: Path, only: list[str]) -> Columns:
        loaded = load_assignments(root, only)
        return cls({one.name: [part.name for part in one.parts] for one in loaded})

    @property
    def parts(self) -> list[tuple[str, str]]:
        return [(name, part) for name, parts in self.assignments.items() for part in parts]


def cell(text: str) -> str:
    """Text from a submission, as a cell that a spreadsheet never treats as a formula."""
    return f"'{text}" if FORMULA.match(text) else text


def points(value: float | None) -> str:
    return "" if value is None else points_text(value)


def parts_of(result: Result) -> dict[str, dict]:
    return {
        part["name"]: part
        for assignment in result.results.get("assignments", [])
        for part in assignment["parts"]
    }


def score_of(result: Result, assignment: str) -> float | None:
    """The score; None if nothing was graded for reasons outside the submission."""
    if result.status == NOT_GRADED:
        return None
    for graded in result.results.get("assignments", []):
        if graded["name"] == assignment:
            return graded["score"]
    return 0.0


def maximum(results: list[Result], assignment: str) -> float:
    """The maximum, the same for every graded student; 0 while no student was graded."""
    for result in results:
        for graded in result.results.get("assignments", []):
            if graded["name"] == assignment:
                return graded["max_score"]
    return 0.0


def verdicts(part: dict) -> str:
    """ "race 3, wrong 1"; "" if everything was right."""
    counted = Counter(case["verdict"] for case in part["cases"] if case["verdict"] != "ok")
    return ", ".join(f"{verdict} {count}" for verdict, count in sorted(counted.items()))


def gradebook(results: list[Result], columns: Columns, reports: list[str]) -> list[list[str]]:
    """The rows of gradebook.csv, which do not depend on when or where grading ran."""
    head = ["student", "submission", "status", "score", "maximum"]
    head += [*columns.assignments, *(f"{name}/{part}" for name, part in columns.parts)]
    rows = [[*head, "verdicts", "notes", "report"]]
    for result, report in zip(results, reports, strict=True):
        parts = parts_of(result)
        found = {name: verdicts(part) for name, part in parts.items()}
        said = "; ".join(f"{name}: {words}" for name, words in found.items() if words)
        row = [cell(result.student), cell(result.submission), result.status, points(result.score)]
        row.append(points(sum(maximum(results, name) for name in columns.assignments)))
        row += [points(score_of(result, name)) for name in columns.assignments]
        row += [points(parts[part]["score"]) if part in parts else "" for _, part in columns.parts]
        rows.append([*row, cell(said), cell("; ".join(result.notes)), report])
    return rows


def numbered(results: list[Result]) -> dict[str, Result]:
    """Results by the number after the student's name, and by the name itself."""
    found = {}
    for result in results:
        match = NUMBER_BEHIND.fullmatch(result.student)
        found[match["id"] if match else result.student] = result
        found.setdefault(result.student, result)
    return found


def canvas(
    results: list[Result], columns: Columns, roster: list[dict[str, str]]
) -> list[list[str]]:
    """Canvas's form: a column per assignment; students and titles as in a given export."""
    identity = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    known = list(roster[0]) if roster and "ID" in roster[0] else []
    titles = [
        next((title for title in known if re.fullmatch(rf"{name} \(\d+\)", title)), name)
        for name in columns.assignments
    ]
    rows = [[*identity, *titles]]
    possible = [points(maximum(results, name)) for name in columns.assignments]
    rows.append([POINTS_POSSIBLE, *[""] * (len(identity) - 1), *possible])
    by_key = numbered(results)
    for line in roster if known else made_up(results):
        if line["Student"].strip() == POINTS_POSSIBLE:
            continue
        keys = (line["ID"], line.get("SIS Login ID", ""), line["Student"])
        result = next((by_key[key] for key in keys if key and key in by_key), None)
        scores = [points(score_of(result, name)) if result else "" for name in columns.assignments]
        rows.append([*(cell(line.get(name, "")) for name in identity), *scores])
    return rows


def made_up(results: list[Result]) -> list[dict[str, str]]:
    """Rows for a class without a roster, from the names of the submissions."""
    rows = []
    for result in results:
        match = NUMBER_BEHIND.fullmatch(result.student)
        name, number = (match["name"], match["id"]) if match else (result.student, "")
        rows.append({"Student": name, "ID": number})
    return rows


def moodle(
    results: list[Result], columns: Columns, roster: list[dict[str, str]]
) -> list[list[str]]:
    """Moodle's worksheet with a single grade: the share of all points, scaled to the maximum
    grade.
    """
    head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    whole = sum(maximum(results, name) for name in columns.assignments)
    own = bool(roster) and "Identifier" in roster[0]
    lines = (
        roster
        if own
        else [
            {
                "Identifier": f"Participant {one['ID']}" if one["ID"] else "",
                "Full name": one["Student"],
            }
            for one in made_up(results)
        ]
    )
    by_key = numbered(results)
    rows = [[*lines[0], *(name for name in head if name not in lines[0])]] if own else [head]
    for line in lines:
        number = line["Identifier"].rpartition(" ")[2]
        result = by_key.get(number) or by_key.get(line.get("Full name", ""))
        line = dict(line)
        if result and result.score is not None and whole:
            most = float(line.get("Maximum Grade", "").replace(",", ".") or whole)
            line["Maximum Grade"] = points(most)
            line["Grade"] = points(result.score / whole * most)
        if result:
            line["Feedback comments"] = feedback(result)
        rows.append([cell(line.get(name, "")) for name in rows[0]])
    return rows


def feedback(result: Result) -> str:
    words = [
        f"{name}: {points(part['score'])} of {points(part['max_score'])}"
        + (f" ({verdicts(part)})" if verdicts(part) else "")
        for name, part in parts_of(result).items()
    ]
    if result.status != GRADED:
        words.append(result.status)
    return "; ".join([*words, *result.notes])
