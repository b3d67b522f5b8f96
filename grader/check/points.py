"""Puts what was found into points: what a case is worth, and what its times earn."""

import math
from statistics import geometric_mean

from grader.base.gpu_state import merge
from grader.course.declare import CORRECTNESS_POINTS, SPEED_POINTS, Case, Part
from grader.course.results import CaseResult, PartResult, Timing
from grader.timing.clock import CaseTimes
from grader.timing.score import FULL_AT, earns_bonus, formula_text, share_points, speed_fraction

BONUS_POINTS = 1.0


def blank_results(
    part: Part, whole: Part, can_time: bool
) -> tuple[list[CaseResult], list[CaseResult]]:
    """The cases for correctness and for speed, each with its points, nothing yet found wrong.

    Points are shared among the cases of the `whole` part, of which `part` has some.
    """
    worth = worths(whole, whole.correctness, CORRECTNESS_POINTS)
    correctness = [CaseResult(c.name, "correctness", "ok", worth[c.name]) for c in part.correctness]
    worth = worths(whole, whole.speed, SPEED_POINTS)
    speed = [CaseResult(c.name, "speed", "ok", worth[c.name]) for c in part.speed]
    if not can_time:
        for result in speed:
            result.needs_gpu, result.max_score = result.max_score, 0.0
    return correctness, speed


def worths(whole: Part, cases: list[Case], total: float) -> dict[str, float]:
    """What the cases are worth: each has its share among all of its kind, run now or not."""
    shares = share_points([case.points for case in cases], total)
    return {c.name: whole.weight * s for c, s in zip(cases, shares, strict=True)}


def score_speed(result: CaseResult, times: CaseTimes) -> None:
    """Fills in times, rates and points of a case that the student's program finished."""
    if times.impossible:
        result.verdict, result.detail = "too_fast", times.impossible
        return
    if times.too_noisy:
        result.verdict, result.max_score, result.detail = "too_noisy", 0.0, times.too_noisy
        return
    student, reference = times.student, times.reference
    if reference is None and times.modelled:
        # Nor is there a floor that the time could be held against.
        result.leave_out(times.gpu)
        return
    result.time_ms, result.bytes, result.modelled = student.time_ms, times.bytes, times.modelled
    result.limit, result.binds = times.limit, student.binds
    if times.limit_ms and student.time_ms:
        result.of_limit = times.limit_ms / student.time_ms
    if student.interval:
        interval = times.baseline.interval if times.baseline else None
        result.timing = Timing(student.interval, interval, merge(student.states), times.limit_ms)
    result.solution_ms, result.peers_ms = times.solution_ms, times.peers_ms
    result.peer_ms = min(times.peers_ms.values(), default=None)
    if reference is None:
        result.leave_out(times.gpu)
        return
    result.reference_ms = reference.time_ms
    result.score = result.max_score * speed_fraction(student.time_ms, reference.time_ms)
    result.formula = formula_text(result.max_score, student.time_ms, reference.time_ms)


def compare_with_others(
    result: PartResult, whole: Part, rungs: dict[str, dict[str, float]]
) -> None:
    """The bonus, and where on the ladder the times leave the student; `rungs` are stored times."""
    timed = [case for case in result.cases if case.time_ms is not None]
    speed = [case for case in result.cases if case.kind == "speed"]
    if not timed:
        return
    beaten = [
        earns_bonus(
            case.time_ms,
            [ms for ms in (case.solution_ms, *case.peers_ms.values()) if ms is not None],
        )
        for case in timed
    ]
    if len(timed) == len(speed) == len(whole.speed) and all(beaten):
        result.bonus = BONUS_POINTS
    result.position = place_on_ladder(timed, rungs, whole.target) + next_rung(whole, timed)


def next_rung(part: Part, timed: list[CaseResult]) -> str:
    """Modelled times say what binds, and so which rung is next."""
    slowest = max(timed, key=lambda case: case.time_ms / (case.reference_ms or math.inf))
    rung = part.cures.get(slowest.binds)
    if not rung or slowest.time_ms <= FULL_AT * slowest.reference_ms:
        return ""
    return f"; next: {rung}, which is about {slowest.limit}"


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
