"""build/graded.json: the last complete check of each part, for a report of everything graded.

build/results.json holds the last check alone, perhaps of a single part.
"""

import json
from contextlib import suppress
from pathlib import Path

from grader.base.files import write_json
from grader.course.declare import Assignment

FILE = Path("build") / "graded.json"


def keep(root: Path, results: dict, when: float) -> None:
    """Stores the parts of a complete check, made at `when`, beside the parts of earlier checks."""
    kept = read_kept(root)
    for assignment in results["assignments"]:
        for part in assignment["parts"]:
            if any(case["verdict"] != "skipped" for case in part["cases"]):
                entry = {"device": results["device"], "when": when, "part": part}
                kept[f"{assignment['name']}/{part['name']}"] = entry
    write_json(root / FILE, kept)


def everything(root: Path, results: dict, assignments: list[Assignment]) -> dict:
    """`results`, with the other parts graded on the same device, in teaching order."""
    latest = {
        (assignment["name"], part["name"]): part
        for assignment in results["assignments"]
        for part in assignment["parts"]
    }
    kept = read_kept(root)
    found = []
    for assignment in assignments:
        parts = []
        for part in assignment.parts:
            own = latest.get((assignment.name, part.name))
            earlier = kept.get(f"{assignment.name}/{part.name}", {})
            if own:
                parts.append(own)
            elif earlier.get("device") == results["device"]:
                parts.append(earlier["part"] | {"graded_at": earlier["when"]})
        if parts:
            found.append({"name": assignment.name, **totals(parts), "parts": parts})
    return results | totals(found) | {"assignments": found}


def totals(entries: list[dict]) -> dict:
    return {key: round(sum(one[key] for one in entries), 2) for key in ("score", "max_score")}


def read_kept(root: Path) -> dict:
    with suppress(OSError, ValueError):
        kept = json.loads((root / FILE).read_text())
        if isinstance(kept, dict):
            return kept
    return {}
