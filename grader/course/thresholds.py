"""The stored times of the rungs, per GPU: <assignment>/grading/thresholds/*.json (`make
calibrate`).

    {"gpu": "NVIDIA H200", "driver": "580.159.04", "date": "2026-11-24",
     "parts": {"transpose": {"target": "03_padded",
                             "cases": {"8192x8192": {"01_naive": 0.969, "03_padded": 0.316}}}}}

Stored times stand in for the reference rung in a repository without answers, and tell between which
rungs a student's time lies.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.errors import GraderError


@dataclass
class Thresholds:
    """{part: {"target": rung, "cases": {case: {rung: ms}}}} for a GPU; empty where unknown."""

    parts: dict = field(default_factory=dict)
    gpu: str = ""

    def reference(self, part: str, case: str) -> float | None:
        entry = self.parts.get(part, {})
        return entry.get("cases", {}).get(case, {}).get(entry.get("target"))

    def rungs(self, part: str) -> dict[str, dict[str, float]]:
        return self.parts.get(part, {}).get("cases", {})


def stored_thresholds(root: Path, assignment: str) -> Iterator[Thresholds]:
    """The stored times of each GPU, read when first needed."""
    for path in sorted((root / assignment / "grading" / "thresholds").glob("*.json")):
        try:
            stored = json.loads(path.read_text())
            found = Thresholds(stored["parts"], stored["gpu"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise GraderError(f"{path.relative_to(root)} cannot be used: {error}.") from error
        yield found


def any_thresholds(root: Path, assignment: str) -> Thresholds:
    """The times of the first GPU with times, if only names matter or any GPU will do."""
    return next(stored_thresholds(root, assignment), Thresholds())


def load_thresholds(root: Path, assignment: str, gpu: str) -> Thresholds:
    of_gpu = (one for one in stored_thresholds(root, assignment) if one.gpu == gpu)
    return next(of_gpu, Thresholds())
