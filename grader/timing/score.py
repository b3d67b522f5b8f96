"""Points: pure functions of declarations and times."""

import math

from grader.course.declare import Scale

STAR_MARGIN = 0.98  # "faster than every library" means by at least 2 %


def speed_fraction(time_ms: float, reference_ms: float, scale: Scale) -> float:
    """The share of a speed case's points that `time_ms` earns: 1 … 0, continuous, never rising."""
    if not (math.isfinite(time_ms) and math.isfinite(reference_ms)):
        return 0.0
    if time_ms <= 0 or reference_ms <= 0:
        return 0.0
    slowdown = time_ms / reference_ms
    if slowdown <= scale.full:
        return 1.0
    if slowdown >= scale.none:
        return 0.0
    return math.log(scale.none / slowdown) / math.log(scale.none / scale.full)


def formula_text(maximum: float, time_ms: float, reference_ms: float, scale: Scale) -> str:
    """The formula of a case's points, with numbers filled in."""
    slowdown = time_ms / reference_ms
    points = maximum * speed_fraction(time_ms, reference_ms, scale)
    full, none = scale.full, scale.none
    if slowdown <= full:
        return f"T = {slowdown:.2f} Tref, at most {full:g}: {points:.4g} of {maximum:.4g}"
    if slowdown >= none:
        return f"T = {slowdown:.2f} Tref, {none:g} or more: 0 of {maximum:.4g}"
    return (
        f"{maximum:.4g} × (1 − log({slowdown:.2f} / {full:g}) / log({none:g} / {full:g}))"
        f" = {points:.3g}"
    )


def share_points(claims: list[float | None], total: float) -> list[float]:
    """Gives every case the declared points, or an equal share of the rest."""
    sharing = sum(claim is None for claim in claims)
    left = total - sum(claim for claim in claims if claim is not None)
    return [left / sharing if claim is None else float(claim) for claim in claims]


def is_faster(time_ms: float, rival_ms: float) -> bool:
    """Faster than a rival by a margin above the noise."""
    return time_ms <= STAR_MARGIN * rival_ms
