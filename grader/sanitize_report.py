"""`make sanitize-<name>`: every correctness case under sanitize; what it finds, in the source."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.build import build, short
from grader.check import Screen, stop_at_source
from grader.errors import GraderError
from grader.plan import PartPlan, Plan
from grader.sanitize import SECONDS_PER_CASE, Finding, run_sanitized, sanitize_options
from grader.table import emit
from grader.text import count_text


@dataclass
class Sighting:
    """A finding, the cases that show it, and how to see it again."""

    finding: Finding
    cases: list[str]
    replay: str


@dataclass
class PartFindings:
    planned: PartPlan
    stopped: str = ""  # why nothing was run
    cases: int = 0
    timed_out: list[str] = field(default_factory=list)
    sightings: dict[tuple[object, ...], Sighting] = field(default_factory=dict)


def sanitize(plan: Plan, seed: int, screen: Screen) -> list[PartFindings]:
    """Every correctness case of the planned parts."""
    targets = {
        p.sanitize: p.submission.file
        for p in plan.parts
        if p.submission and not stop_at_source(plan.root, p)
    }
    screen.step("building", 0, 0)
    errors = build(plan.root, targets)
    results = []
    for planned in plan.parts:
        if planned.submission is None:
            continue
        result = PartFindings(planned)
        results.append(result)
        stop = stop_at_source(plan.root, planned)
        if stop:
            result.stopped = stop[1].sentence
        elif planned.sanitize in errors:
            result.stopped = errors[planned.sanitize].sentence
        else:
            sanitize_part(plan.root, result, seed, screen)
    return results


def sanitize_part(root: Path, result: PartFindings, seed: int, screen: Screen) -> None:
    cases = result.planned.part.correctness
    result.cases = len(cases)
    for index, case in enumerate(cases):
        names = (result.planned.assignment.name, result.planned.part.name, case.name)
        screen.step(" · ".join(dict.fromkeys(names)), index, len(cases))
        options = sanitize_options(case, seed)
        run = run_sanitized(root, result.planned.sanitize, options, SECONDS_PER_CASE)
        if run.timed_out:
            result.timed_out.append(case.name)
        for finding in run.findings:
            replay = f"{result.planned.sanitize} {options}"
            known = result.sightings.setdefault(finding.key, Sighting(finding, [], replay))
            known.cases.append(case.name)


def show_findings(console: Console, root: Path, results: list[PartFindings]) -> None:
    if not results:
        raise GraderError("there is no case to run under sanitize.")
    for result in results:
        part = result.planned.part.name
        file = short(root, result.planned.submission.file)
        emit(console, Text.assemble("\n", (f" {part}", "bold"), f"   {file}", style="dim"))
        if result.stopped:
            emit(console, Text(f" {result.stopped}", style="red"))
            continue
        for sighting in result.sightings.values():
            emit(console, Text("\n").join([Text(), *told(root, sighting)]))
        for name in result.timed_out:
            sentence = f" {name} was still running after {SECONDS_PER_CASE:g} s"
            emit(console, Text(sentence, style="yellow"))
        causes = len(result.sightings)
        cases = count_text(result.cases, "case")
        if causes:
            emit(console, Text(f"\n ✗ {count_text(causes, 'finding')} in {cases}", style="red"))
        else:
            emit(console, Text(f" ✓ nothing found in {cases}", style="green"))


def told(root: Path, sighting: Sighting) -> list[Text]:
    """The finding as a few lines: where, the source there, what happened, how to see it again."""
    finding = sighting.finding
    heading = Text.assemble((f" {finding.kind.replace('_', ' ')}", "bold red"))
    if finding.place:
        heading.append(f"   {finding.place}")
    lines = [heading]
    places = [(finding.file, finding.line), (finding.other_file, finding.other_line)]
    for file, line in dict.fromkeys(place for place in places if place[0]):
        source = source_line(root, file, line)
        if source:
            lines.append(Text.assemble((f"  {line:>5} │ ", "dim"), source))
    lines.append(Text(f"   {finding.sentence}"))
    facts = []
    if finding.kernel:
        facts.append(f"kernel {finding.kernel}")
        facts.append(f"block ({','.join(map(str, finding.block))})")
        many = "," in finding.threads or "-" in finding.threads
        facts += [f"thread{'s' if many else ''} {shortened(finding.threads)}"]
    if finding.count > 1:
        facts.append(f"{finding.count} times")
    more = len(sighting.cases) - 1
    facts.append(f"case {sighting.cases[0]}" + (f" and {more} more" if more else ""))
    lines.append(Text(f"   {', '.join(facts)}", style="dim"))
    lines.append(Text(f"   {sighting.replay}", style="dim"))
    return lines


def shortened(threads: str) -> str:
    """The first few of a list of ranges."""
    ranges = threads.split(",")
    return threads if len(ranges) <= 4 else ",".join(ranges[:3]) + ",…"


def source_line(root: Path, file: str, line: int) -> str:
    """That line of a file of the student's, "" if there is none."""
    path = Path(root, file)
    try:
        return path.read_text(errors="replace").splitlines()[line - 1].strip()[:90]
    except (OSError, IndexError):
        return ""
