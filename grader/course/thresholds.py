"""Stored times of the rungs, per GPU: <assignment>/grading/thresholds/*.json, by `make calibrate`.

    {"gpu": "NVIDIA H200", "date": "2026-11-21",
     "parts": {"transpose": {"target": "03_padded",
                             "cases": {"8192x8192": {"01_naive": 0.969, "03_padded": 0.316}}}}}

They stand in for the reference rung where it cannot be run (a repository without answers), and say
between which rungs a student's time lies.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean

from grader.base.errors import GraderError
from grader.course.results import CaseResult


@dataclass
class Thresholds:
    """{part: {"target": rung, "cases": {case: {rung: ms}}}} for one GPU; empty where unknown."""

    parts: dict = field(default_factory=dict)

    def reference(self, part: str, case: str) -> float | None:
        entry = self.parts.get(part, {})
        return entry.get("cases", {}).get(case, {}).get(entry.get("target"))

    def rungs(self, part: str) -> dict[str, dict[str, float]]:
        return self.parts.get(part, {}).get("cases", {})


def load_thresholds(root: Path, assignment: str, gpu: str) -> Thresholds:
    for path in sorted((root / assignment / "grading" / "thresholds").glob("*.json")):
        try:
            stored = json.loads(path.read_text())
            if stored["gpu"] == gpu:
                return Thresholds(stored["parts"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise GraderError(f"{path.relative_to(root)} cannot be used: {error}.") from error
    return Thresholds()


def place_on_ladder(
    timed: list[CaseResult], rungs: dict[str, dict[str, float]], target: str
) -> str:
    """Where the times stand: beside the target, and between rungs whose times are stored."""
    ratios = [case.time_ms / case.reference_ms for case in timed if case.reference_ms]
    if not ratios:
        return ""
    ratio = geometric_mean(ratios)
    if ratio <= 0.98:
        against = f"{1 / ratio:.2f}× as fast as the target rung {target}"
    elif ratio < 1.02:
        against = f"level with the target rung {target}"
    else:
        against = f"{ratio:.2f}× the time of the target rung {target}"
    means = mean_times(timed, rungs)
    if not means:
        return against
    own = geometric_mean([case.time_ms for case in timed])
    faster = [name for name, ms in means.items() if ms < own * 0.98]
    slower = [name for name, ms in means.items() if ms >= own * 0.98]
    if not faster:
        return f"{against}; past every stored rung"
    following = max(faster, key=means.__getitem__)
    if not slower:
        return f"{against}; below the first rung, next: {following}"
    return f"{against}; at {min(slower, key=means.__getitem__)}, next: {following}"


def mean_times(timed: list[CaseResult], rungs: dict[str, dict[str, float]]) -> dict[str, float]:
    """The geometric mean over the cases, for the rungs that have a time for each of them."""
    tables = [rungs.get(case.name, {}) for case in timed]
    common = set.intersection(*map(set, tables)) if tables else set()
    return {name: geometric_mean([table[name] for table in tables]) for name in sorted(common)}
