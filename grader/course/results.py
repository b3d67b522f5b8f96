"""The results of a case, a part and an assignment, as plain values."""

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.gpu_state import GpuState
from grader.course.declare import Scale


@dataclass(frozen=True)
class Interval:
    """The median of some times, and its 95 % confidence interval."""

    median: float
    low: float
    high: float
    count: int

    @property
    def width(self) -> float:
        """The interval's width, relative to the median."""
        return (self.high - self.low) / self.median if self.median > 0 else math.inf


# Verdicts that are not the student's fault: right, or left out of the maximum.
NO_FAULT = ("ok", "skipped", "too_noisy")
# The stars that a part's times can reach, and their text in a report.
STARS = {
    "target": "all points for speed",
    "library": "faster than every library",
    "solution": "faster than our solution",
}


@dataclass(frozen=True)
class Timing:
    """How certain a measured time is, and the state of the GPU meanwhile."""

    interval: Interval
    reference: Interval | None  # of the target rung, if it was run
    gpu: GpuState
    roofline_ms: float | None  # at the measured copy rate, or at the link's
    # Calls that were timed again because the GPU's memory was disturbed, and the time that the
    # programs of the case waited until it was not.
    retaken: int = 0
    waited_ms: float = 0.0

    def to_json(self) -> dict:
        reference = self.reference
        return {
            "repeats": self.interval.count,
            "interval_ms": [self.interval.low, self.interval.high],
            "reference_repeats": reference.count if reference else None,
            "reference_interval_ms": [reference.low, reference.high] if reference else None,
            "roofline_ms": self.roofline_ms,
            "retaken": self.retaken,
            "waited_ms": round(self.waited_ms, 1),
            **asdict(self.gpu),
        }


RESULTS = Path("build") / "results.json"


@dataclass
class CaseResult:
    name: str
    kind: str  # "correctness" or "speed"
    verdict: str
    max_score: float  # 0 where the case is left out of the maximum
    score: float = 0.0
    time_ms: float | None = None
    reference_ms: float | None = None  # the target rung, same run, same inputs
    peer_ms: float | None = None  # the fastest library peer
    seed: int | None = None
    detail: str = ""
    formula: str = ""  # how the points for speed were computed
    scale: Scale | None = None  # of a case for speed that has a time and a reference
    timing: Timing | None = None  # of a time measured on a GPU
    # Shown, but not part of the file:
    cause: str = ""  # what other failed cases share with this one, "" if unknown
    replay: str = ""  # the command that repeats the case by hand
    bytes: float = 0.0  # what the problem must move, for the rate
    limit: str = ""  # what bounds the case: "copy", "link" or the model's word
    binds: str = ""  # modelled times: the model's key for the same
    causes: tuple[str, ...] = ()  # modelled times: kinds of lost time
    of_limit: float | None = None  # the share of that limit that was reached
    solution_ms: float | None = None
    peers_ms: dict[str, float] = field(default_factory=dict)
    note: str = ""  # "shrunk to …"
    smaller: str = ""  # the options of a case for speed that is smaller on the CPU device
    modelled: bool = False  # the times are modelled, for the GPU that the report names
    needs_gpu: float = 0.0  # points that this case would be worth on a GPU
    # Points that it would be worth if all cases for correctness had been run, not some (CASE=).
    needs_all: float = 0.0

    def leave_out(self, gpu: str) -> None:
        """Leaves the case out of points and maximum: its time has nothing to be compared with."""
        self.verdict, self.max_score = "skipped", 0.0
        self.detail = f"right, but there is no reference time for {gpu}"

    def to_json(self) -> dict:
        return {
            "name": self.name,
            "verdict": self.verdict,
            "score": round(self.score, 2),
            "max_score": round(self.max_score, 2),
            "time_ms": self.time_ms,
            "reference_ms": self.reference_ms,
            "peer_ms": self.peer_ms,
            "modelled": self.modelled,
            "seed": self.seed,
            "detail": self.detail,
            "formula": self.formula,
            "scale": {"full": self.scale.full, "none": self.scale.none} if self.scale else None,
            "timing": self.timing.to_json() if self.timing else None,
        }


@dataclass
class PartResult:
    name: str
    file: str  # as a student types it
    cases: list[CaseResult]
    stars: list[str] = field(default_factory=list)  # of STARS, in their order: those reached
    excerpt: str = ""  # the line a compiler's error points at
    warnings: list[str] = field(default_factory=list)  # of what is not an error in the file
    withheld: float = 0.0  # points for speed that are withheld because not all cases are right
    printed: str = ""  # what the student's program printed in one case, limited in length
    printed_in: str = ""  # that case
    untouched: bool = False  # the file is the starter
    position: str = ""  # the position on the ladder
    elsewhere: str = ""  # what the course that the part comes from would pay

    @property
    def score(self) -> float:
        return sum(case.score for case in self.cases)

    @property
    def max_score(self) -> float:
        return sum(case.max_score for case in self.cases)

    @property
    def needs_gpu(self) -> float:
        return sum(case.needs_gpu for case in self.cases)

    def to_json(self) -> dict:
        return {
            "name": self.name,
            "file": self.file,
            "score": round(self.score, 2),
            "max_score": round(self.max_score, 2),
            "stars": self.stars,
            "withheld": round(self.withheld, 2),
            "cases": [case.to_json() for case in self.cases],
        }


def withheld_text(verdicts: list[str]) -> str:
    """Why a part gets no points for speed."""
    right = verdicts.count("ok")
    return f"speed is paid when all cases are right: {right} of {len(verdicts)} are"


def stars_text(stars: list[str]) -> str:
    return f"{'★' * len(stars)} {', '.join(STARS[star] for star in stars)}"


@dataclass
class AssignmentResult:
    name: str
    parts: list[PartResult]

    @property
    def score(self) -> float:
        return sum(part.score for part in self.parts)

    @property
    def max_score(self) -> float:
        return sum(part.max_score for part in self.parts)

    @property
    def needs_gpu(self) -> float:
        return sum(part.needs_gpu for part in self.parts)

    def to_json(self) -> dict:
        return {
            "name": self.name,
            "score": round(self.score, 2),
            "max_score": round(self.max_score, 2),
            "parts": [part.to_json() for part in self.parts],
        }


def read_results(root: Path) -> dict:
    """Reads what write_results() wrote."""
    path = root / RESULTS
    if not path.is_file():
        raise GraderError("there are no results yet: `make check` makes them.")
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        sentence = f"{RESULTS} cannot be read ({error}): `make check` writes it again."
        raise GraderError(sentence) from error
