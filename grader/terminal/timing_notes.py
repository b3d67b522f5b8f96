"""What stands below a part's table about its times: how sure they are, how points come about."""

from __future__ import annotations

from rich.text import Text

from grader.base.gpu_state import merge
from grader.course.results import CaseResult, PartResult


def timing_notes(part: PartResult) -> list[Text]:
    timed = [case for case in part.cases if case.time_ms is not None]
    lines = []
    if any(case.timing for case in timed):
        lines.append(Text.assemble(("timing  ", "bold"), timing_text(timed)))
    # The case that lost most, with its numbers: the others follow the same formula.
    scored = [case for case in timed if case.formula and case.max_score]
    worst = max(scored, key=lambda case: case.max_score - case.score, default=None)
    if worst and worst.score < worst.max_score - 1e-9:
        lines.append(Text.assemble(("points  ", "bold"), f"{worst.name}: {worst.formula}"))
    return lines


def timing_text(timed: list[CaseResult]) -> str:
    """Medians of 22 to 66 calls, 95 % sure within ± 0.4 %; 1980 MHz, 41 °C, held back by: …"""
    timings = [case.timing for case in timed if case.timing]
    fewest = min(timing.interval.count for timing in timings)
    most = max(timing.interval.count for timing in timings)
    widest = max(timing.interval.width for timing in timings)
    calls = f"{fewest} to {most}" if fewest < most else f"{fewest}"
    text = f"medians of {calls} calls, 95 % sure within ± {widest / 2:.1%}"
    gpu = merge([timing.gpu for timing in timings])
    if gpu.clock_mhz is not None:
        text += f"; {gpu.clock_mhz} MHz"
    if gpu.temperature_c is not None:
        text += f", {gpu.temperature_c} °C"
    if gpu.throttle:
        text += f"; held back by: {', '.join(gpu.throttle)}"
    return text
