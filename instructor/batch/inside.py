"""Grades the student files of a copy of the course. Runs inside the copy's box (enclose.py).

    python -m instructor.batch.inside ROOT \
        '{"only": [], "device": "cpu", "model": "", "seed": null}'

Writes build/class.json: build/results.json with, for each part, its position on the ladder and the
causes of `make explain`; build/report.txt, the terminal output that a student would see; and
build/report.html, the page of `make report`.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from grader.base.device import choose_device
from grader.base.errors import GraderError
from grader.base.files import write_json
from grader.base.processes import adopt_orphans
from grader.base.progress import Screen
from grader.check.check import OnPart, check
from grader.check.results_file import results_json, write_results
from grader.course.declare import Assignment
from grader.course.hidden import add_hidden
from grader.course.load import load_assignments
from grader.course.plan import Plan, make_plan
from grader.course.results import PartResult, read_results
from grader.explain.explain import explain_part
from grader.report import render_report
from grader.report.collect import collect
from grader.terminal.table import TerminalScreen, show_summary

WIDTH = 100
CAUSES = 5  # of a part, the most expensive first


def grade(root: Path, words: dict) -> dict:
    assignments = take_hidden(root, load_assignments(root, words["only"]))
    device = choose_device(words["device"])
    plan = make_plan(root, assignments, device, "", "", "", words["model"])
    adopt_orphans()
    with (root / "build" / "report.txt").open("w") as file:
        console = Console(file=file, highlight=False, markup=False, width=WIDTH)
        with TerminalScreen(console, device) as screen:
            results = check(plan, words["seed"], screen, shown_on(screen))
            write_results(root, device, results, plan.model_title)
            write_page(root, words.get("title", ""), screen)
        show_summary(console, results, device, plan.model_title)
    found = results_json(device, results, plan.model_title)
    for assignment, graded in zip(found["assignments"], results, strict=True):
        for part, result in zip(assignment["parts"], graded.parts, strict=True):
            part["position"] = result.position
            part["excerpt"] = result.excerpt
            part["causes"] = causes(plan, result, words["seed"])
    return found


def shown_on(screen: TerminalScreen) -> OnPart:
    """Shows each assignment when it is complete."""
    return lambda results, complete: complete and screen.assignment(results[-1])


def take_hidden(root: Path, assignments: list[Assignment]) -> list[Assignment]:
    """Reads the hidden cases and removes their files, which a source could make a compiler
    quote.
    """
    everywhere = root / "hidden.py"
    assignments = add_hidden(root, assignments, str(everywhere) if everywhere.is_file() else "")
    for path in (everywhere, *root.glob("*/grading/hidden.py")):
        path.unlink(missing_ok=True)
    return assignments


def write_page(root: Path, title: str, screen: Screen) -> None:
    """Writes the page, an extra: an error in the page must not cost a student the grade."""
    # The list of fonts is made with the prepared course and copied along.
    os.environ.setdefault("MPLCONFIGDIR", str(root / "build" / "matplotlib"))
    try:
        results = read_results(root)
        page = render_report(results, collect(root, results, screen), title)
        (root / "build" / "report.html").write_text(page)
    except Exception as error:
        print(f"no page: {error}")


def causes(plan: Plan, result: PartResult, seed: int | None) -> list[dict]:
    """The causes of the part's slowness, with the rungs that cure them; from cached profiles."""
    planned = next(one for one in plan.parts if one.part.name == result.name)
    right = {case.name for case in result.cases if case.kind == "speed" and case.times.modelled}
    case = next((case for case in planned.part.speed if case.name in right), None)
    if case is None:
        return []
    with suppress(GraderError):
        explained = explain_part(plan, planned, case, None, seed)
        return [
            {
                "kind": one.kind,
                "sentence": one.sentence,
                "line": one.line.line if one.line else 0,
                "cure": explained.cure(one.kind),
            }
            for one in explained.slowdowns[:CAUSES]
        ]
    return []


def main(arguments: list[str]) -> int:
    root, words = Path(arguments[0]), json.loads(arguments[1])
    try:
        found = grade(root, words)
    except GraderError as error:
        print(error)
        return 2
    write_json(root / "build" / "class.json", found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
