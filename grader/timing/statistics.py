"""Statistics of measured times: medians with confidence intervals, and impossible times.

Pure functions. docs/grading.md explains the rules.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from grader.course.results import Interval

CONFIDENCE = 0.95
SETTLED = 0.01  # relative width of a median's interval that needs no more repeats
TOO_WIDE = 0.20  # of the reference's interval: a score could be off by several points
# A mixture of reads and writes can exceed the rate of a copy a little.
FLOOR_GRACE = 0.75
# How much longer than its own times a program may take, beyond the time that the reference program
# needs around its calls.
OUTSIDE_SHARE = 0.25
OUTSIDE_MS = 10.0
# The most that the grader believes about reported waits for memory and repeated timings: a call
# that frees 2 GiB makes the next call wait for 5 ms, and a call that frees memory is tried three
# times.
WAITED_MS = 5.0  # for each call
RETAKEN = 2  # calls


def median_interval(times: Sequence[float]) -> Interval:
    """The median, and an interval between two of the times, for any distribution.

    As many of n times lie below the true median as heads fall in n throws of a coin. (H. A. David,
    H. N. Nagaraja: Order Statistics, 7.1.) With fewer than six times the interval spans all times
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

    The inputs have been evicted from the cache; outputs may stay in the cache as far as they fit.
    """
    moved = max(size - cache_bytes, 0.0)
    return FLOOR_GRACE * moved / bytes_per_ms if bytes_per_ms > 0 else 0.0


@dataclass(frozen=True)
class Exchange:
    """A run seen from outside: the program's own times, and the grader's clock."""

    times_ms: Sequence[float]
    wall_ms: float
    retaken: int = 0  # calls timed again
    waited_ms: float = 0.0  # for disturbed memory

    @property
    def reported_ms(self) -> float:
        """The time of all calls, with the untimed first call and repeated timings up to RETAKEN.

        An untimed call is assumed to take the mean time.
        """
        more = 1 + min(self.retaken, RETAKEN)
        return sum(self.times_ms) * (1 + more / len(self.times_ms))

    @property
    def unreported_ms(self) -> float:
        """The rest: making inputs, evicting caches, keeping outputs."""
        waited_ms = min(self.waited_ms, WAITED_MS * len(self.times_ms))
        return self.wall_ms - self.reported_ms - waited_ms


def hidden_ms(student: Sequence[Exchange], reference: Sequence[Exchange]) -> float:
    """The time per call that a program seems to hide; 0 in case of doubt.

    Outside the timed calls both programs do the same work in about the same time. The student's
    quickest exchange is compared with the reference's slowest.
    """
    if not student or not reference:
        return 0.0
    quickest = min(student, key=lambda exchange: exchange.unreported_ms)
    usual = max(exchange.unreported_ms for exchange in reference)
    excess = quickest.unreported_ms - usual
    allowed = OUTSIDE_MS + OUTSIDE_SHARE * (max(usual, 0.0) + quickest.reported_ms)
    return excess / len(quickest.times_ms) if excess > allowed else 0.0
