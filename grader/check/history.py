"""build/history.jsonl: a line per part and check of the student's own file, oldest first.

Only complete checks are recorded: WITH= grades another file, and CASE= leaves cases out.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from statistics import geometric_mean

from grader.base.device import Device
from grader.course.results import AssignmentResult, PartResult

FILE = Path("build") / "history.jsonl"


@dataclass(frozen=True)
class Prediction:
    """What a student expected of a rung before the file was graded (`make predict-…`)."""

    rung: str
    text: str
    time_ms: float | None = None  # the first time mentioned in the text


@dataclass(frozen=True)
class Attempt:
    assignment: str
    part: str
    when: str  # ISO 8601, local time, to the second
    device: str  # the name
    score: float
    max_score: float
    right: int  # cases with the verdict ok
    cases: int
    # The student's time in units of the target rung's: the geometric mean over the cases for speed
    # with points. None without a time for every case: an answer was wrong, or nothing was timed.
    slowdown: float | None
    sha256: str = ""  # of the graded file
    # Of the cases for speed: the file's times, modelled on the CPU device and measured on a GPU.
    times_ms: dict[str, float] = field(default_factory=dict)
    prediction: Prediction | None = None
    model: str = ""  # the GPU of modelled times; "" for measured times

    @property
    def complete(self) -> bool:
        return self.right == self.cases

    def is_beside(self, other: "Attempt") -> bool:
        """Whether both attempts have the same device and the times of the same GPU."""
        return (self.device, self.model) == (other.device, other.model)


def slowdown(part: PartResult) -> float | None:
    timed = [case for case in part.cases if case.kind == "speed" and case.max_score]
    if not timed or not all(case.time_ms and case.reference_ms for case in timed):
        return None
    return round(geometric_mean([case.time_ms / case.reference_ms for case in timed]), 4)


def attempts_of(
    results: Iterable[AssignmentResult],
    device: Device,
    model: str,
    when: datetime,
    digests: dict[str, str],
    prediction: Prediction | None = None,
) -> list[Attempt]:
    """An attempt for each part with a graded file; `digests` has the files' digests."""
    return [
        Attempt(
            assignment=result.name,
            part=part.name,
            when=when.isoformat(timespec="seconds"),
            device=device.name,
            score=round(part.score, 2),
            max_score=round(part.max_score, 2),
            right=sum(case.verdict == "ok" for case in part.cases),
            cases=len(part.cases),
            slowdown=slowdown(part),
            sha256=digests.get(part.name, ""),
            times_ms={case.name: case.time_ms for case in part.cases if case.time_ms is not None},
            prediction=prediction,
            model=model,
        )
        for result in results
        for part in result.parts
        if any(case.verdict != "skipped" for case in part.cases)
    ]


def record(root: Path, attempts: list[Attempt]) -> None:
    path = root / FILE
    path.parent.mkdir(exist_ok=True)
    lines = "".join(json.dumps(asdict(attempt)) + "\n" for attempt in attempts)
    # A single write: two checks at a time do not mix their lines.
    with path.open("a") as file:
        file.write(lines)


def read_history(root: Path) -> list[Attempt]:
    """The recorded attempts; lines of any other form are skipped."""
    found = []
    with suppress(OSError):
        for line in (root / FILE).read_text().splitlines():
            with suppress(ValueError, TypeError, KeyError):
                found.append(read_attempt(json.loads(line)))
    return found


def read_attempt(entry: dict) -> Attempt:
    if "model" not in entry:
        # Older lines join both names: "a processor, NVIDIA H200, …".
        device, comma, model = entry["device"].partition(", NVIDIA ")
        entry |= {"device": device, "model": f"NVIDIA {model}" if comma else ""}
    attempt = Attempt(**entry)
    kept = attempt.prediction
    return replace(attempt, prediction=Prediction(**kept)) if kept else attempt


def on_last_device(attempts: list[Attempt]) -> list[Attempt]:
    """The attempts comparable with the last attempt: on the same device."""
    return [one for one in attempts if one.is_beside(attempts[-1])]
