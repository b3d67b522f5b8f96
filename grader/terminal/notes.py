"""The notes below a part's table: failures, printed output, times, the position on the ladder."""

from rich.text import Text

from grader.base.gpu_state import merge
from grader.base.text import count_text, points_text, time_text
from grader.course.results import (
    AssignmentResult,
    CaseResult,
    PartResult,
    Timing,
    stars_text,
    withheld_text,
)
from grader.terminal.console import FAILED, MARKS, STYLES
from grader.timing.score import speed_fraction

STARTER = "this is still the starter: its TODOs, and the handout in README.md, say where to begin"
SHOWN_PRINT = 20  # lines of what the student's program printed
SHOWN_FAILURES = 3  # per part; the file has all failures
# verdicts common to all cases of a part
WHOLE_PART = {"build_error", "forbidden", "skipped"}


def notes(part: PartResult) -> list[Text]:
    """All notes below a part's table, in order."""
    shared = shared_verdict(part)
    if shared == "skipped":
        return [Text(part.cases[0].detail, style="dim")]
    if shared:
        lines = [Text(part.cases[0].detail, style=FAILED)]
        return lines + [Text(f"    {line}") for line in part.excerpt.splitlines()]
    lines = [Text(STARTER, style="bold")] if part.untouched else []
    lines += [Text(warning, style="yellow") for warning in part.warnings]
    lines += failure_notes(part)
    if part.printed.strip():
        lines.append(Text.assemble(("printed ", "bold"), f"in case {part.printed_in}:"))
        printed = part.printed.rstrip().splitlines()
        shown = printed[:SHOWN_PRINT] + ["…"] * (len(printed) > SHOWN_PRINT)
        lines += [Text(f"  {line}", style="dim") for line in shown]
    lines += size_notes(part)
    lines += peer_notes(part)
    lines += timing_notes(part)
    if part.position:
        lines.append(Text.assemble(("ladder  ", "bold"), part.position))
    if part.elsewhere:
        lines.append(Text(part.elsewhere, style="dim"))
    if part.stars:
        lines.append(Text(stars_text(part.stars), style="bold green"))
    lines.append(part_summary(part))
    return lines


def size_notes(part: PartResult) -> list[Text]:
    """Notes on cases smaller than their names say, and on runs without an end."""
    known = [case for case in part.cases if case.kind == "correctness" or case.time_ms is not None]
    shown = [f"{case.name}: {case.note}" for case in known if case.note]
    if smaller := [f"{case.name} is {case.smaller}" for case in known if case.smaller]:
        shown.append(f"on the CPU device: {'; '.join(smaller)}")
    return [Text(line, style="dim") for line in shown]


def failure_notes(part: PartResult) -> list[Text]:
    """The first failures with their first mismatch, the seed and the command to repeat the case.

    A cause shared by several cases is shown once.
    """
    causes: dict[str, list[CaseResult]] = {}
    for case in part.cases:
        if case.verdict != "ok":
            causes.setdefault(case.judged.cause or case.detail or case.name, []).append(case)
    lines = []
    shown = list(causes.values())[:SHOWN_FAILURES]
    for case, *others in shown:
        mark, style = MARKS.get(case.verdict, "✗"), STYLES.get(case.verdict, FAILED)
        name = case.name + (f" and {count_text(len(others), 'more case')}" if others else "")
        lines.append(Text.assemble((f"{mark} {name}  ", f"bold {style}"), case.detail))
        if case.judged.replay:
            lines.append(Text(f"    {case.judged.replay}", style="dim"))
    more = sum(map(len, causes.values())) - sum(map(len, shown))
    if more > 0:
        lines.append(Text(f"… and {count_text(more, 'more case')}: CASE=<name> shows one", "dim"))
    return lines


def peer_notes(part: PartResult) -> list[Text]:
    """The peers and the solution by name, for the last (largest) speed case."""
    timed = [case for case in part.cases if case.time_ms is not None]
    if not timed:
        return []
    last = timed[-1]
    ranked = sorted(last.times.peers_ms.items(), key=lambda item: item[1])
    times = [f"{name} {time_text(ms)}" for name, ms in ranked]
    if last.times.solution_ms is not None:
        times.append(f"our solution {time_text(last.times.solution_ms)}")
    lines = (
        [Text.assemble(("peers   ", "bold"), f"{last.name}: {', '.join(times)}")] if times else []
    )
    if last.times.of_limit:
        meaning = {
            "copy": "limit is the share of the rate at which this GPU copies memory",
            "peak": "limit is the share of what this GPU could compute at its highest clock",
            "link": "limit is the share of the measured rate of the link to the GPU",
        }
        roofline = time_text(last.time_ms * last.times.of_limit)
        lines.append(Text(f"{meaning[last.times.limit]}: {roofline} for {last.name}", style="dim"))
    return lines


def hint_note(assignment: AssignmentResult, part: PartResult) -> list[Text]:
    """The next step, below a student's own file without all points."""
    own = part.file == f"{assignment.name}/{part.name}.cu"
    if not own or shared_verdict(part) == "skipped" or part.score >= part.max_score - 1e-9:
        return []
    return [Text(f"stuck? make hint-{assignment.name} PART={part.name}", style="dim")]


def part_summary(part: PartResult) -> Text:
    right = sum(case.verdict == "ok" for case in part.cases)
    total = len(part.cases)
    if right == total:
        text = Text(f"✓ right in all {total} cases" if total > 1 else "✓ right", style="green")
    elif part.withheld:
        text = Text(withheld_text([case.verdict for case in part.cases]))
    else:
        text = Text(f"right in {right} of {count_text(total, 'case')}")
    if needs_all := sum(case.points.needs_all for case in part.cases):
        worth = points_text(needs_all)
        text.append(f" · {worth} points for speed are paid for a check of all cases", "default dim")
    if any(case.smaller and case.time_ms is None for case in part.cases):
        text.append(", those for speed at a smaller size", style="default")
    if part.needs_gpu:
        worth = points_text(part.needs_gpu)
        text.append(f" · {worth} more points, for speed, need a GPU", style="default dim")
    return text


def timing_notes(part: PartResult) -> list[Text]:
    timed = [case for case in part.cases if case.time_ms is not None]
    lines = []
    if any(case.times.timing for case in timed):
        lines.append(Text.assemble(("timing  ", "bold"), timing_text(timed)))
    # The case that lost most, with its numbers: the other cases follow the same formula.
    scored = [case for case in timed if case.points.formula]
    worst = max(scored, key=lost, default=None)
    if worst and lost(worst) > 1e-9:
        lines.append(Text.assemble(("points  ", "bold"), f"{worst.name}: {worst.points.formula}"))
    return lines


def lost(case: CaseResult) -> float:
    """The points lost by a case's time."""
    maximum = case.max_score or case.points.needs_all
    return maximum - maximum * speed_fraction(case.time_ms, case.reference_ms, case.times.scale)


def timing_text(timed: list[CaseResult]) -> str:
    """Medians of 22 to 66 calls, 95 % sure within ± 0.4 %; 1980 MHz, 41 °C, held back by: …"""
    timings = [case.times.timing for case in timed if case.times.timing]
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
    return text + disturbances_text(timings)


def disturbances_text(timings: list[Timing]) -> str:
    """; waited 41.0 ms while freed memory was cleared, 3 calls timed again"""
    retaken = sum(timing.retaken for timing in timings)
    waited_ms = sum(timing.waited_ms for timing in timings)
    text = f"; waited {time_text(waited_ms)} while freed memory was cleared" if waited_ms else ""
    return text + (f", {count_text(retaken, 'call')} timed again" if retaken else "")


def shared_verdict(part: PartResult) -> str:
    """The verdict of a whole part that was never run."""
    verdicts = {case.verdict for case in part.cases}
    untimed = all(case.time_ms is None for case in part.cases)
    return verdicts.pop() if len(verdicts) == 1 and untimed and verdicts <= WHOLE_PART else ""
