"""Speed points on a GPU: the times of a race, whether they can be, and what they are worth."""

from __future__ import annotations

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.base.gpu_state import merge
from grader.base.text import time_text
from grader.course.declare import Case
from grader.course.options import needed_bytes
from grader.course.results import CaseResult, Timing
from grader.run.interleaved import Contestant, Judge, race
from grader.run.runner import Runner
from grader.timing.score import formula_text, speed_fraction
from grader.timing.statistics import TOO_WIDE, floor_ms, hidden_ms

STUDENT, TARGET, SOLUTION, PEER = "student", "target", "solution", "peer:"


def is_ceiling(peer: str) -> bool:
    """Peers that only copy are limits, not rivals."""
    return peer.removeprefix(PEER).startswith(("copy", "memcpy"))


def run_race(
    student: Contestant,
    references: dict[str, Runner],
    judge: Judge,
    case: Case,
    options: str,
    device: Device,
) -> dict[str, Contestant]:
    """Times one case for the student and for all that it is compared with; returns them by name."""
    field = {STUDENT: student}
    for name, runner in references.items():
        field[name] = Contestant(name, runner, judged=not is_ceiling(name))
    together = len(field) * needed_bytes(case, options, 0) <= device.free_bytes // 2
    settle = [field[name] for name in (STUDENT, TARGET) if name in field]
    # With a wrong answer the race is over: it needs no reference times.
    everyone = list(field.values())
    race(everyone, judge, options, case.timeout_s, together, leader=student, settle=settle)
    return field


def is_noisy(field: dict[str, Contestant]) -> bool:
    """Is this GPU too busy or unsteady to grade on?

    That is told by a program of ours. The student's own spread is its own affair: whoever slept now
    and then could otherwise choose not to be graded.
    """
    ours = field.get(TARGET) or field.get(SOLUTION)
    return bool(ours and ours.interval and ours.interval.width > TOO_WIDE)


def score_measured(
    case: CaseResult,
    field: dict[str, Contestant],
    target_program: str,
    device: Device,
    stored_ms: float | None,
) -> None:
    """Fills in times, rates and points from a race that the student finished.

    `stored_ms` stands in for the target rung's time where it is not among the contestants.
    """
    student, target, solution = (field.get(name) for name in (STUDENT, TARGET, SOLUTION))
    if target and target.failure:
        failure = target.failure
        sentence = f"{failure.verdict}, {failure.detail}"
        raise GraderError(f"{target_program} failed {case.name}: {sentence}.")
    honest, rate = honest_one(field), copy_rate(field)
    peers = {n.removeprefix(PEER): c for n, c in field.items() if n.startswith(PEER)}
    rivals = {n: c for n, c in peers.items() if not is_ceiling(n)}
    impossible = why_impossible(field, device)
    if impossible:
        case.verdict, case.detail = "too_fast", impossible
        return
    if is_noisy(field):
        case.verdict, case.max_score = "too_noisy", 0.0
        case.detail = (
            f"right, but on this GPU even our own program takes {spread_text(target or solution)} "
            "now and then: something else runs on it. The case is left out; try again"
        )
        return
    case.time_ms, case.bytes = student.time_ms, honest.bytes
    case.reference_ms = target.time_ms if target else stored_ms
    case.solution_ms = solution.time_ms if solution else None
    case.peers_ms = {n: c.time_ms for n, c in rivals.items() if c.time_ms is not None}
    case.peer_ms = min(case.peers_ms.values(), default=None)
    roofline_ms = None
    if honest.limit_ms:
        case.limit, roofline_ms = "link", honest.limit_ms
    elif rate and case.bytes:
        case.limit, roofline_ms = "copy", case.bytes / rate
    if roofline_ms and case.time_ms:
        case.of_limit = roofline_ms / case.time_ms
    reference = target.interval if target else None
    case.timing = Timing(student.interval, reference, merge(student.states), roofline_ms)
    if case.reference_ms is None:
        case.leave_out(device.name)
        return
    case.score = case.max_score * speed_fraction(case.time_ms, case.reference_ms)
    case.formula = formula_text(case.max_score, case.time_ms, case.reference_ms)


def spread_text(contestant: Contestant) -> str:
    interval = contestant.interval
    return f"{time_text(interval.low)} or {time_text(interval.high)}"


def why_impossible(field: dict[str, Contestant], device: Device) -> str:
    """Why the student's time is none; "" if it may be one: moving bytes takes time, and the grader
    has a clock."""
    student, honest = field[STUDENT], honest_one(field)
    floor = floor_ms(honest.bytes, device.cache_bytes, copy_rate(field))
    if student.time_ms < floor:
        return (
            f"a time of {time_text(student.time_ms)}, but the {honest.bytes:.4g} bytes that any "
            f"solution must move cannot be moved on this GPU in less than {time_text(floor)}"
        )
    # A program cannot be held against itself.
    hidden = 0.0 if honest is student else hidden_ms(student.exchanges, honest.exchanges)
    if hidden:
        return (
            f"a time of {time_text(student.time_ms)}, but on the grader's own clock each call took "
            f"{time_text(hidden)} longer: work is done where its own clock does not see it"
        )
    return ""


def honest_one(field: dict[str, Contestant]) -> Contestant:
    """Whose word counts on what a case moves: a program of ours, where there is one."""
    return field.get(TARGET) or field.get(SOLUTION) or field[STUDENT]


def copy_rate(field: dict[str, Contestant]) -> float:
    """Bytes per ms of the fastest plain copy; 0 where none was run."""
    copies = [c.bytes_per_ms for name, c in field.items() if is_ceiling(name) and c.bytes_per_ms]
    return max(copies, default=0.0)


def in_doubt(field: dict[str, Contestant], device: Device) -> bool:
    """Should the race be run again, before anything is made of it?"""
    return is_noisy(field) or bool(why_impossible(field, device))
