"""Points: pure functions of declarations and times. Nothing here runs or reads anything."""

import math

FULL_AT = 1.2  # T <= 1.2 Tref earns all of a case's speed points
NONE_AT = 10.0  # T >= 10 Tref earns none; log-linear between
BONUS_MARGIN = 0.98  # "faster than every peer" means by at least 2 %


def speed_fraction(time_ms: float, reference_ms: float) -> float:
    """The share of a speed case's points that `time_ms` earns: 1 … 0, continuous, never rising."""
    if not (math.isfinite(time_ms) and math.isfinite(reference_ms)):
        return 0.0
    if time_ms <= 0 or reference_ms <= 0:
        return 0.0
    slowdown = time_ms / reference_ms
    if slowdown <= FULL_AT:
        return 1.0
    if slowdown >= NONE_AT:
        return 0.0
    return math.log(NONE_AT / slowdown) / math.log(NONE_AT / FULL_AT)


def formula_text(maximum: float, time_ms: float, reference_ms: float) -> str:
    """How a case's points come about, with its numbers filled in."""
    slowdown = time_ms / reference_ms
    points = maximum * speed_fraction(time_ms, reference_ms)
    if slowdown <= FULL_AT:
        return f"T = {slowdown:.2f} Tref, at most {FULL_AT:g}: {points:.4g} of {maximum:.4g}"
    if slowdown >= NONE_AT:
        return f"T = {slowdown:.1f} Tref, {NONE_AT:g} or more: 0 of {maximum:.4g}"
    return (
        f"{maximum:.4g} × (1 − log({slowdown:.2f} / {FULL_AT:g}) / log({NONE_AT:g} / {FULL_AT:g}))"
        f" = {points:.3g}"
    )


def share_points(claims: list[float | None], total: float) -> list[float]:
    """Gives every case its points: what it claims, or an equal share of what the others leave."""
    sharing = sum(claim is None for claim in claims)
    left = total - sum(claim for claim in claims if claim is not None)
    return [left / sharing if claim is None else float(claim) for claim in claims]


def earns_bonus(time_ms: float, rivals_ms: list[float]) -> bool:
    """Faster, by a margin above the noise, than the solution and every library peer."""
    return bool(rivals_ms) and time_ms <= BONUS_MARGIN * min(rivals_ms)
