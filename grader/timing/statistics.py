"""Statistics of measured times: medians with confidence intervals, and impossible times.

Pure functions. docs/grading.md explains their rules.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.results import Interval

CONFIDENCE = 0.95
SETTLED = 0.01  # an interval of the median that is this narrow needs no more repeats
TOO_WIDE = 0.20  # of the reference: a score could be off by several points
# The rate of a copy is not quite the highest that a mixture of reads and writes can reach.
FLOOR_GRACE = 0.75
# How much longer than its own times a program may take, in addition to what the reference program
# needs around its times.
OUTSIDE_SHARE = 0.25
OUTSIDE_MS = 10.0
# What is believed of a program that says it waited for memory, or timed calls again: a call that
# frees 2 GiB makes the next one wait for 5 ms, and one that frees memory is tried three times.
WAITED_MS = 5.0  # for each call
RETAKEN = 2  # calls


def median_interval(times: Sequence[float]) -> Interval:
    """The interval between two of the times, whatever their distribution is.

    As many of n times lie below the true median as heads fall in n throws of a coin. (H. A. David,
    H. N. Nagaraja: Order Statistics, 7.1.) With fewer than six times the interval spans all of them
    and is less certain.
    """
    ordered = sorted(times)
    n = len(ordered)
    below, outside = 0.0, 0
    while outside < (n - 1) // 2:
        below += math.comb(n, outside) * 0.5**n
        if 2 * below > 1 - CONFIDENCE:
            break
        outside += 1
    rank = max(outside - 1, 0)
    return Interval(statistics.median(ordered), ordered[rank], ordered[n - 1 - rank], n)


def floor_ms(size: float, cache_bytes: float, bytes_per_ms: float) -> float:
    """The shortest time in which `size` bytes can be moved at the rate of a copy.

    The inputs have been evicted from the cache; the outputs may stay in it as far as they fit.
    """
    moved = max(size - cache_bytes, 0.0)
    return FLOOR_GRACE * moved / bytes_per_ms if bytes_per_ms > 0 else 0.0


@dataclass(frozen=True)
class Exchange:
    """One run seen from outside: the program's own times, and the grader's clock."""

    times_ms: Sequence[float]
    wall_ms: float
    retaken: int = 0  # calls that were timed again
    waited_ms: float = 0.0  # for memory that was disturbed

    @property
    def reported_ms(self) -> float:
        """All calls, with the first, which is not timed and is assumed to be like the others, and
        as many of those that were timed again as are believed.
        """
        more = 1 + min(self.retaken, RETAKEN)
        return sum(self.times_ms) * (1 + more / len(self.times_ms))

    @property
    def unreported_ms(self) -> float:
        """The rest: making inputs, evicting caches, keeping outputs."""
        waited_ms = min(self.waited_ms, WAITED_MS * len(self.times_ms))
        return self.wall_ms - self.reported_ms - waited_ms


def hidden_ms(student: Sequence[Exchange], reference: Sequence[Exchange]) -> float:
    """The time per call that a program seems to hide: 0 unless it is beyond doubt.

    Outside their times both programs do the same, so they need about the same time for it. The
    quickest exchange of one is compared with the slowest of the other.
    """
    if not student or not reference:
        return 0.0
    quickest = min(student, key=lambda exchange: exchange.unreported_ms)
    usual = max(exchange.unreported_ms for exchange in reference)
    excess = quickest.unreported_ms - usual
    allowed = OUTSIDE_MS + OUTSIDE_SHARE * (max(usual, 0.0) + quickest.reported_ms)
    return excess / len(quickest.times_ms) if excess > allowed else 0.0
