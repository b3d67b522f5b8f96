"""Compares modelled with measured times, and fits the model's parameters to the measured times.

Pure arithmetic: crosscheck.py collects the points.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations

from cpudevice.model.gpu import SLICE, Gpu
from cpudevice.model.model import estimate
from cpudevice.model.profile import Profile

TIE = 1.05  # measured times closer than TIE say nothing about an order
GRAVE = 1.5  # a pair that differs by GRAVE must not be inverted
NEAR = 0.25  # errors up to this share of the measured time count as near

# Parameters that cannot be looked up or timed alone, and so may be fitted. Each has a meaning
# (gpu.py), so a fit may move a parameter no further than LEEWAY from its hand-set value, and the
# exponent not below 1.
FREE = (
    "issue_slots",
    "l2_bytes_per_ns",
    "l1_line_clocks",
    "store_lines_per_ns",
    "block_clocks",
    "barrier_clocks",
    "overlap_exponent",
    "chain_exponent",
    "sides_overlap",
    "sides_overlap_growth",
    "pinning_bytes_per_ns",
    "pageable_bytes_per_ns",
    "host_copy_bytes_per_ns",
    "host_memory_bytes_per_ns",
    "fault_bytes_per_ns",
    "prefetch_bytes_per_ns",
    "thread_start_us",
    "thread_wake_us",
)
LEEWAY = 2.0
STEPS = (1.3, 1.1, 1.03)
ROUNDS = 40
CLOSENESS = 0.02  # how strongly a parameter keeps its value if no point depends on it


@dataclass(frozen=True)
class Point:
    """A program on a case: measured on a GPU, and profiled on the CPU device."""

    assignment: str
    part: str
    case: str
    rung: str
    measured_ms: float
    profile: Profile = field(compare=False)
    fitted: bool  # in the half to which parameters may be fitted
    share: float = SLICE  # of the GPU: the modelled share
    # the same problem but for the share; otherwise only the order is meaningful
    comparable: bool = True

    @property
    def group(self) -> tuple[str, str, str]:
        """Only programs on the same case are compared."""
        return self.assignment, self.part, self.case


@dataclass(frozen=True)
class Ranking:
    """How well the model orders the points."""

    points: int
    pairs: int  # measured to differ by more than TIE
    tau: float  # Kendall's tau-b over the pairs, nan without any
    grave: list[tuple[Point, Point]]  # inverted although GRAVE apart


@dataclass(frozen=True)
class Accuracy:
    """How near modelled times are to measured times; an error is a share of the measured time."""

    points: int  # number of comparable points
    error: float  # mean absolute error, nan without any point
    near: float  # share of the points whose error is at most NEAR


def modelled_ms(point: Point, gpu: Gpu) -> float:
    """Returns the point's time on its slice of `gpu`, which is a whole GPU."""
    return estimate(point.profile, gpu.slice(point.share)).time_ms


def accuracy(points: Iterable[Point], times_ms: dict[Point, float]) -> Accuracy:
    """Compares the times of points that are comparable; only the order of the others counts."""
    errors = [abs(times_ms[p] / p.measured_ms - 1) for p in points if p.comparable]
    if not errors:
        return Accuracy(0, math.nan, math.nan)
    near = sum(error <= NEAR for error in errors)
    return Accuracy(len(errors), sum(errors) / len(errors), near / len(errors))


def rank(points: Iterable[Point], times_ms: dict[Point, float]) -> Ranking:
    points = list(points)
    agree = against = tied = 0
    grave = []
    for a, b in pairs_of(points):
        fast, slow = sorted((a, b), key=lambda point: point.measured_ms)
        difference = math.log(times_ms[slow] / times_ms[fast])
        if abs(difference) < 1e-6:
            tied += 1
        elif difference > 0:
            agree += 1
        else:
            against += 1
            if slow.measured_ms > GRAVE * fast.measured_ms:
                grave.append((fast, slow))
    ordered = agree + against
    weight = math.sqrt(ordered * (ordered + tied))
    tau = (agree - against) / weight if weight else math.nan
    return Ranking(len(points), ordered + tied, tau, grave)


def pairs_of(points: list[Point]) -> Iterable[tuple[Point, Point]]:
    """The pairs within a case whose measured times differ."""
    for a, b in combinations(points, 2):
        ratio = a.measured_ms / b.measured_ms
        if a.group == b.group and max(ratio, 1 / ratio) > TIE:
            yield a, b


def typical_factor(points: list[Point], gpu: Gpu) -> float:
    """The typical factor between modelled and measured times: exp of the RMS of log ratios."""
    squares = [
        math.log(modelled_ms(point, gpu) / point.measured_ms) ** 2
        for point in points
        if point.comparable
    ]
    return math.exp(math.sqrt(sum(squares) / len(squares))) if squares else math.nan


def allowed(gpu: Gpu, start: Gpu) -> bool:
    factors = [getattr(gpu, name) / getattr(start, name) for name in FREE]
    within = all(1 / LEEWAY <= factor <= LEEWAY for factor in factors)
    return within and gpu.overlap_exponent >= 1


def fit(
    points: list[Point], whole: Gpu, on_progress: Callable[[float], None] = lambda loss: None
) -> Gpu:
    """Moves the GPU's free parameters to the best match of the fitted half of the points.

    Coordinate descent with ever smaller steps; deterministic.
    """
    training = [point for point in points if point.fitted and point.comparable]
    best, least = whole, loss(training, whole, whole)
    for step in STEPS:
        for _ in range(ROUNDS):
            before = least
            for name in FREE:
                for factor in (step, 1 / step):
                    moved = dataclasses.replace(best, **{name: getattr(best, name) * factor})
                    if not allowed(moved, whole):
                        continue
                    found = loss(training, moved, whole)
                    if found < least:
                        best, least = moved, found
            on_progress(least)
            if least > before * 0.999:
                break
    return best


def loss(points: list[Point], gpu: Gpu, start: Gpu) -> float:
    """The mean square of the ratios' logarithms, and a little for every parameter that moved."""
    errors = [math.log(modelled_ms(point, gpu) / point.measured_ms) ** 2 for point in points]
    moves = [math.log(getattr(gpu, name) / getattr(start, name)) ** 2 for name in FREE]
    return sum(errors) / len(errors) + CLOSENESS * sum(moves) / len(moves)
