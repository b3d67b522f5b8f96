"""The results of a case, a part and an assignment, as frozen values."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.gpu_state import GpuState
from grader.course.declare import Scale

RESULTS = Path("build") / "results.json"
# Verdicts without a fault of the student's: right, or left out of the maximum.
NO_FAULT = ("ok", "skipped", "too_noisy")
# The stars for a part's times, and their text in a report.
STARS = {
    "target": "all points for speed",
    "library": "faster than every library",
    "solution": "faster than our solution",
}


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


@dataclass(frozen=True)
class Timing:
    """The certainty of a measured time, and the state of the GPU meanwhile."""

    interval: Interval
    reference: Interval | None  # of the target rung, if the rung was run
    gpu: GpuState
    roofline_ms: float | None  # at the measured copy rate, or at the link's
    # Calls timed again after a disturbance of the GPU's memory, and the time that the programs of
    # the case waited for the end of the disturbance.
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


@dataclass(frozen=True)
class Verdict:
    """The verdict of a case, with the text shown beside the verdict."""

    name: str = "ok"
    detail: str = ""
    cause: str = ""  # shared with other failed cases, "" if unknown
    replay: str = ""  # the command to repeat the case by hand

    @property
    def is_ok(self) -> bool:
        return self.name == "ok"


OK = Verdict()


@dataclass(frozen=True)
class Times:
    """The student's time for a case for speed, with all values to compare the time with."""

    time_ms: float | None = None  # None: the case was not timed
    reference_ms: float | None = None  # the target rung, same run, same inputs
    scale: Scale | None = None  # from times to points; None without a reference
    peers_ms: Mapping[str, float] = field(default_factory=dict)  # of libraries
    solution_ms: float | None = None
    bytes: float = 0.0  # what the problem must move, for the rate
    limit: str = ""  # what bounds the case: "copy", "link", "peak" or the model's word
    of_limit: float | None = None  # the share of the limit reached
    modelled: bool = False  # for the GPU named in the report
    binds: str = ""  # modelled times: the model's key of the limit
    causes: tuple[str, ...] = ()  # modelled times: kinds of lost time
    timing: Timing | None = None  # measured times

    @property
    def peer_ms(self) -> float | None:
        """The time of the fastest library."""
        return min(self.peers_ms.values(), default=None)


UNTIMED = Times()


@dataclass(frozen=True)
class Points:
    """The points of a case."""

    score: float = 0.0
    max_score: float = 0.0  # 0 where the case is left out of the maximum
    formula: str = ""  # how the points for speed were computed
    needs_gpu: float = 0.0  # the worth of the case on a GPU, in points
    # The worth of the case in points if all cases for correctness had been run (without CASE=).
    needs_all: float = 0.0


NO_POINTS = Points()


@dataclass(frozen=True)
class CaseResult:
    """The result of a case."""

    name: str
    kind: str  # "correctness" or "speed"
    judged: Verdict = OK
    points: Points = NO_POINTS
    times: Times = UNTIMED
    seed: int | None = None
    note: str = ""  # "shrunk to …"
    smaller: str = ""  # the options of a smaller case for speed on the CPU device

    @property
    def verdict(self) -> str:
        return self.judged.name

    @property
    def detail(self) -> str:
        """Why the case is not right, else what was different about the run."""
        smaller = f"on the CPU device: {self.smaller}" if self.smaller else ""
        return self.judged.detail or self.note or smaller

    @property
    def score(self) -> float:
        return self.points.score

    @property
    def max_score(self) -> float:
        return self.points.max_score

    @property
    def time_ms(self) -> float | None:
        return self.times.time_ms

    @property
    def reference_ms(self) -> float | None:
        return self.times.reference_ms

    def to_json(self) -> dict:
        times, scale = self.times, self.times.scale
        return {
            "name": self.name,
            "verdict": self.verdict,
            "score": round(self.score, 2),
            "max_score": round(self.max_score, 2),
            "time_ms": times.time_ms,
            "reference_ms": times.reference_ms,
            "peer_ms": times.peer_ms,
            "modelled": times.modelled,
            "seed": self.seed,
            "detail": self.detail,
            "formula": self.points.formula,
            "scale": {"full": scale.full, "none": scale.none} if scale else None,
            "timing": times.timing.to_json() if times.timing else None,
        }


@dataclass(frozen=True)
class PartResult:
    """The result of a part: the cases, and the notes below their table."""

    name: str
    file: str  # as a student types the path
    cases: tuple[CaseResult, ...]
    stars: tuple[str, ...] = ()  # the stars reached, in the order of STARS
    excerpt: str = ""  # the line a compiler's error points at
    warnings: tuple[str, ...] = ()  # of what is not an error in the file
    withheld: float = 0.0  # points for speed withheld because not all cases are right
    printed: str = ""  # by the student's program in a case, limited in length
    printed_in: str = ""  # the name of the case of `printed`
    untouched: bool = False  # the file is the starter
    position: str = ""  # the position on the ladder
    elsewhere: str = ""  # the pay of the course that the part comes from

    @property
    def score(self) -> float:
        return sum(case.score for case in self.cases)

    @property
    def max_score(self) -> float:
        return sum(case.max_score for case in self.cases)

    @property
    def needs_gpu(self) -> float:
        return sum(case.points.needs_gpu for case in self.cases)

    def to_json(self) -> dict:
        return {
            "name": self.name,
            "file": self.file,
            "score": round(self.score, 2),
            "max_score": round(self.max_score, 2),
            "stars": list(self.stars),
            "withheld": round(self.withheld, 2),
            "cases": [case.to_json() for case in self.cases],
        }


def withheld_text(verdicts: list[str]) -> str:
    """Why a part gets no points for speed."""
    right = verdicts.count("ok")
    return f"speed is paid when all cases are right: {right} of {len(verdicts)} are"


def stars_text(stars: Sequence[str]) -> str:
    return f"{'★' * len(stars)} {', '.join(STARS[star] for star in stars)}"


@dataclass(frozen=True)
class AssignmentResult:
    """The result of an assignment: the graded parts."""

    name: str
    parts: tuple[PartResult, ...]

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
