"""What a report shows beside build/results.json: plain values, gathered by collect.py.

Everything is optional: of results alone a page can be made too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.explain import Explained
from grader.history import Attempt


@dataclass(frozen=True)
class Bar:
    """One time beside others."""

    name: str
    kind: str  # "rung", "target", "yours" or "peer"
    time_ms: float


@dataclass(frozen=True)
class Ladder:
    """The rungs' times on one speed case, in their order, the student's beside them."""

    case: str
    source: str  # where the rungs' times come from, the end of a sentence
    modelled: bool  # the rungs' times too
    bars: list[Bar]

    @property
    def longest_ms(self) -> float:
        return max(bar.time_ms for bar in self.bars)


@dataclass(frozen=True)
class Picture:
    """One image of a case, as PNG."""

    title: str
    png: bytes


@dataclass(frozen=True)
class PartMaterial:
    """What is known of one part beside its results."""

    ladders: list[Ladder] = field(default_factory=list)
    explained: Explained | None = None
    pictures: dict[str, list[Picture]] = field(default_factory=dict)  # by case
    note: str = ""  # why something is left out


@dataclass(frozen=True)
class Material:
    """`parts` by (assignment, part)."""

    parts: dict[tuple[str, str], PartMaterial] = field(default_factory=dict)
    history: list[Attempt] = field(default_factory=list)
    environment: list[tuple[str, str]] = field(default_factory=list)
