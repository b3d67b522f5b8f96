"""Speed points on the CPU device: what was counted, put into the model of a GPU.

The student's program and the target rung are built to be counted and run on the same case; both
profiles go through cpudevice/model, and the two modelled times through the same score as measured
ones. The answer that was counted is judged too.
"""

from __future__ import annotations

from pathlib import Path

from cpudevice.model.gpu import Gpu
from cpudevice.model.model import LIMITS, Estimate, estimate, floor_ms
from grader.base.errors import GraderError
from grader.base.text import time_text
from grader.course.declare import Case
from grader.course.options import with_number
from grader.course.results import CaseResult
from grader.course.target import Reference
from grader.run import profiled
from grader.run.profiled import Job, Outcome
from grader.timing.score import formula_text, speed_fraction

FLOOR_SHARE = 0.95  # a little grace: the floor's bandwidth is a measured one


def job_for(
    root: Path, program: str, judge: str, part: str, case: Case, seed: int | None = None
) -> Job:
    options = case.options_for("cpu")
    options = with_number(options, "seed", profiled.SEED if seed is None else seed)
    paths = (str((root / path).absolute()) for path in (program, judge))
    return Job(*paths, part, options, case.timeout_s)


def reference_of(counted_target: Outcome, program: str, case: str, gpu: Gpu) -> Reference:
    """The modelled time of the target, which was counted for it."""
    if counted_target.profile is None:
        sentence = f"{counted_target.verdict}, {counted_target.detail}"
        raise GraderError(f"{program} failed {case}: {sentence}.")
    return Reference(estimate(counted_target.profile, gpu).time_ms, counted_target.bytes)


def score_modelled(case: CaseResult, student: Outcome, reference: Reference, gpu: Gpu) -> None:
    """Fills in times and points from what was counted of the student's program."""
    if student.profile is None:
        case.verdict = student.verdict
        case.detail = f"while it was counted: {student.detail}"
        return
    own = estimate(student.profile, gpu)
    # What the problem must move is taken from a program that we wrote.
    floor = floor_ms(reference.bytes, gpu) * FLOOR_SHARE
    if own.time_ms < floor:
        case.verdict = "too_fast"
        case.detail = too_fast(own, reference.bytes, floor)
        return
    case.modelled = True
    case.time_ms, case.reference_ms = own.time_ms, reference.time_ms
    case.bytes = reference.bytes
    case.limit, _ = LIMITS[own.limit]
    case.binds = own.limit
    case.score = case.max_score * speed_fraction(case.time_ms, case.reference_ms)
    case.formula = formula_text(case.max_score, case.time_ms, case.reference_ms)


def too_fast(own: Estimate, size: float, floor: float) -> str:
    return (
        f"the model comes to {time_text(own.time_ms)}, but the {size:.4g} bytes that any solution "
        f"must move take {time_text(floor)}: part of the work was done where it is not counted"
    )
