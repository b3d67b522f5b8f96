"""A result as Gradescope's results.json.

Source: Gradescope autograder documentation, "Autograder Specifications", "Output Format".
"""

from grader.base.text import time_text
from grader.course.results import NO_FAULT
from instructor.batch.books.summary import speed_ratio


def gradescope_results(
    results: dict, notes: list[str], nickname: str, report: str, seconds: float
) -> dict:
    """Every case is a test; the report of `make check` comes first.

    `notes` are remarks on the submission, `report` is preformatted text.
    """
    tests = []
    assignments = results.get("assignments", [])
    for assignment in assignments:
        for part in assignment["parts"]:
            for case in part["cases"]:
                tests.append(as_test(assignment["name"], part["name"], case, len(tests) + 1))
    return {
        "score": results.get("score", 0.0),
        "execution_time": round(seconds, 1),
        "output": "\n".join([*notes, report]) if notes else report,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": leaderboard(results),
        "extra_data": {
            "device": results.get("device", {}),
            "isolation": results.get("isolation", ""),
            "nickname": nickname,
        },
    }


def as_test(assignment: str, part: str, case: dict, number: int) -> dict:
    words = [case["verdict"].replace("_", " ")]
    if case["time_ms"] is not None:
        modelled = " (modelled)" if case["modelled"] else ""
        words.append(f"{time_text(case['time_ms'])}{modelled}")
        words.append(f"target {time_text(case['reference_ms'])}" if case["reference_ms"] else "")
    words.append(case["detail"])
    return {
        "score": case["score"],
        "max_score": case["max_score"],
        "status": "passed" if case["verdict"] in NO_FAULT else "failed",
        "name": " · ".join(dict.fromkeys((assignment, part, case["name"]))),
        "number": str(number),
        "output": ", ".join(word for word in words if word),
        "tags": [assignment, part],
        "visibility": "visible",
    }


def leaderboard(results: dict) -> list[dict]:
    """Points first, then each part's time over its target's, which only right parts have."""
    rows: list[dict] = [{"name": "points", "value": results.get("score", 0.0), "order": "desc"}]
    parts = [part for assignment in results.get("assignments", []) for part in assignment["parts"]]
    for part in parts:
        ratio = speed_ratio(part)
        if ratio is not None:
            rows.append({"name": part["name"], "value": round(ratio, 3), "order": "asc"})
    return rows
