"""Writes a page with the numbers of each rung, for a repository without the rungs themselves.

The times were measured on a GPU (`<name>/grading/thresholds/`); the counters belong to the part's
small case for the tests (`tests/golden/`).
"""

import json
from collections import Counter
from pathlib import Path

from grader.base.text import time_text
from grader.course import resolve
from grader.course.declare import Assignment, Part

PAGE = "ladder.md"
# The kinds of memory access; their counters show whether a rung moves more than necessary.
GLOBAL, SHARED = "global_", "shared_"


def numbers_page(root: Path, assignment: Assignment) -> str:
    lines = [
        f"# {assignment.name}: the ladder in numbers",
        "",
        "The rungs are not in this repository. This is what they do: [the page](README.md) "
        f"explains each, and `make explain-{assignment.name}` shows the same counters of your "
        "file. Predict a row before you read it.",
    ]
    for part in assignment.parts:
        lines += ["", f"## {part.name}", "", *times_table(root, assignment, part)]
        lines += ["", *counters_table(root, assignment, part)]
    return "\n".join(lines) + "\n"


def times_table(root: Path, assignment: Assignment, part: Part) -> list[str]:
    folder = root / assignment.name / "grading" / "thresholds"
    lines: list[str] = []
    for path in sorted(folder.glob("*.json")):
        stored = json.loads(path.read_text())
        cases = stored["parts"].get(part.name, {}).get("cases", {})
        if not cases:
            continue
        names = list(cases)
        lines += [f"Times on one {stored['gpu']}, {stored['date']}:", ""]
        lines += [f"| rung | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
        for rung in resolve.rungs(root, assignment, part):
            times = [cases[name].get(rung) for name in names]
            target = " (target)" if rung == part.target else ""
            shown = [time_text(ms) if ms else "–" for ms in times]
            lines.append(f"| {rung}{target} | {' | '.join(shown)} |")
    return lines


def counters_table(root: Path, assignment: Assignment, part: Part) -> list[str]:
    if not part.golden:
        return []
    lines = [
        f"Counters of one call with `{part.golden}`, all kernels together. In brackets: the least "
        "that the same bytes need.",
        "",
        "| rung | launches | warp instructions | lanes active | sectors | shared wavefronts "
        "| barriers |",
        "|---|---|---|---|---|---|---|",
    ]
    folder = resolve.directory(root, assignment, part, "ladder").relative_to(root)
    for rung in resolve.rungs(root, assignment, part):
        path = root / "tests" / "golden" / folder / f"{rung}.json"
        if path.is_file():
            lines.append(f"| {rung} | {' | '.join(counters(json.loads(path.read_text())))} |")
    return lines


def counters(profile: dict) -> list[str]:
    kernels = profile["kernels"]
    total: Counter = Counter()
    for kernel in kernels:
        for line in kernel["lines"]:
            if line["access"].startswith(GLOBAL):
                total["sectors"] += line["sectors"]
                total["ideal_sectors"] += line["ideal_sectors"]
            if line["access"].startswith(SHARED):
                total["wavefronts"] += line["wavefronts"]
                total["ideal_wavefronts"] += line["ideal_wavefronts"]
    instructions = sum(kernel["warp_instructions"] for kernel in kernels)
    lanes = sum(kernel["warp_instructions"] * kernel["active_lane_average"] for kernel in kernels)
    return [
        str(sum(kernel["launches"] for kernel in kernels)),
        f"{instructions}",
        f"{lanes / instructions:.1f} of 32" if instructions else "–",
        of_least(total["sectors"], total["ideal_sectors"]),
        of_least(total["wavefronts"], total["ideal_wavefronts"]),
        str(sum(kernel["barriers"] for kernel in kernels)),
    ]


def of_least(count: int, ideal: int) -> str:
    """Requests that share sectors may need fewer sectors than the sum of separate requests."""
    return f"{count} ({min(count, ideal)})" if count else "–"
