"""`make job-summary`: build/results.json as Markdown, for the summary page of a build server."""

import re
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.text import of_text, time_text, title_of
from grader.course.results import NO_FAULT, RESULTS, read_results, withheld_text

SHOWN_FAILURES = 10  # of a part


def escape(text: str) -> str:
    """Turns the output of a student's program into plain text for a cell of a table."""
    return re.sub(r"([\\`*_{}\[\]<>|#!~])", r"\\\1", " ".join(text.split()))


def job_summary(results: dict) -> str:
    device = results["device"]
    name = device.get("model") or device["name"]
    lines = [f"# {of_text(results['score'], results['max_score'])} points", ""]
    modelled = "modelled: " if device.get("model") else ""
    lines += [f"Times are {modelled}{escape(name)}." if name else "", ""]
    lines += ["| part | points | right | slowest against the target |", "|---|---|---|---|"]
    failures = []
    for assignment in results["assignments"]:
        for part in assignment["parts"]:
            lines.append(part_row(assignment["name"], part))
            failures += part_failures(part)
    return "\n".join([*lines, "", *failures]) + "\n"


def part_row(assignment: str, part: dict) -> str:
    cases = [case for case in part["cases"] if case["verdict"] != "skipped"]
    right = sum(case["verdict"] == "ok" for case in cases)
    timed = [case for case in cases if case["time_ms"] and case["scale"] and case["max_score"]]
    slowest = max(timed, key=lambda case: case["time_ms"] / case["reference_ms"], default=None)
    against = ""
    if slowest:
        times = (time_text(slowest[key]) for key in ("time_ms", "reference_ms"))
        against = f"{escape(slowest['name'])}: {' against '.join(times)}"
    points = f"{of_text(part['score'], part['max_score'])} {'★' * len(part['stars'])}".rstrip()
    name = title_of(assignment, part["name"])
    return f"| {name} | {points} | {right} of {len(cases)} | {against} |"


def part_failures(part: dict) -> list[str]:
    failed = [case for case in part["cases"] if case["verdict"] not in NO_FAULT]
    if not failed:
        return []
    lines = [f"## {part['name']}", ""]
    if part["withheld"]:
        lines += [withheld_text([case["verdict"] for case in part["cases"]]), ""]
    for case in failed[:SHOWN_FAILURES]:
        verdict = case["verdict"].replace("_", " ")
        lines.append(f"- {escape(case['name'])}: **{verdict}**, {escape(case['detail'])}")
    if len(failed) > SHOWN_FAILURES:
        lines.append(f"- and {len(failed) - SHOWN_FAILURES} more")
    return [*lines, ""]


def read_job_summary(root: Path) -> str:
    try:
        return job_summary(read_results(root))
    except KeyError as error:
        raise GraderError(f"{RESULTS} lacks {error}: `make check` writes it again.") from error
