"""What a report shows besides build/results.json: plain values, gathered by collect.py.

Everything is optional: a page can be made from results alone.
"""

from dataclasses import dataclass, field

from grader.check.history import Attempt
from grader.explain.explain import Explained
from grader.report.work_log import LogEntry

CUT_AT = 12.0  # times the target's; points end at 10


@dataclass(frozen=True)
class Bar:
    """A time in a chart."""

    name: str
    kind: str  # "rung", "target", "yours" or "peer"
    length: float  # in the unit of the other bars
    text: str  # the same, as text


@dataclass(frozen=True)
class Ladder:
    """The rungs' times in a speed case, in order, with the student's."""

    case: str
    source: str  # the compared values and their origin
    bars: list[Bar]

    cut_at = CUT_AT

    @property
    def is_cut(self) -> bool:
        return any(bar.length > 1.001 * self.longest for bar in self.bars)

    @property
    def longest(self) -> float:
        """The length that fills the width; bars of much slower rungs are cut, to leave room."""
        target = next(bar.length for bar in self.bars if bar.kind == "target")
        return min(max(bar.length for bar in self.bars), CUT_AT * target)


@dataclass(frozen=True)
class Picture:
    """An image of a case, as PNG."""

    title: str
    png: bytes

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, which are at the same place in every PNG."""
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")


@dataclass(frozen=True)
class PartMaterial:
    """Everything known about a part besides the results."""

    ladders: list[Ladder] = field(default_factory=list)
    explained: Explained | None = None
    pictures: dict[str, list[Picture]] = field(default_factory=dict)  # by case
    note: str = ""  # why something is missing


@dataclass(frozen=True)
class Material:
    """The material of a whole report; `parts` by (assignment, part)."""

    parts: dict[tuple[str, str], PartMaterial] = field(default_factory=dict)
    history: list[Attempt] = field(default_factory=list)
    environment: list[tuple[str, str]] = field(default_factory=list)
    log: list[LogEntry] = field(default_factory=list)
