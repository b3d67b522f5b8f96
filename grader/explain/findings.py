"""`make sanitize-<name>`: runs every correctness case under sanitize and shows the findings."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from grader.base.errors import GraderError
from grader.base.files import short, source_lines
from grader.base.progress import Progress, Screen
from grader.base.text import count_text, title_of
from grader.build.admission import stop_at_source
from grader.build.make import build
from grader.check.replay import by_hand
from grader.check.sarif import Diagnostic, placed, with_cases
from grader.course.plan import PartPlan, Plan
from grader.run.case import seed_of
from grader.run.sanitized import Sighting, jobs_for, sanitize_all, sightings_of
from grader.terminal.console import emit


@dataclass
class PartFindings:
    planned: PartPlan
    stopped: str = ""  # why nothing was run
    cases: int = 0
    unfinished: dict[str, str] = field(default_factory=dict)  # {case: why}
    sightings: list[Sighting] = field(default_factory=list)
    replays: dict[str, str] = field(default_factory=dict)  # {case: the command to repeat the run}


def sanitize(plan: Plan, fixed_seed: int | None, screen: Screen) -> list[PartFindings]:
    """Runs every correctness case of the planned parts under sanitize."""
    wanted = [p for p in plan.parts if p.submission and p.part.correctness]
    results = [PartFindings(planned) for planned in wanted]
    targets = {}
    for result in results:
        own = result.planned
        if stop := stop_at_source(plan.root, own.submission.file, own.assignment.name):
            result.stopped = stop[1].sentence
        else:
            targets[result.planned.sanitized] = result.planned.submission.file
            targets[result.planned.judge] = None
    errors = build(plan.root, targets, screen=screen)
    for result in results:
        if result.planned.sanitized in errors:
            result.stopped = errors[result.planned.sanitized].sentence
        if not result.stopped:
            sanitize_part(plan.root, result, fixed_seed, screen)
    return results


def sanitize_part(root: Path, result: PartFindings, fixed_seed: int | None, screen: Screen) -> None:
    planned = result.planned
    seed = seed_of(planned.submission.file, fixed_seed)
    jobs = jobs_for(root, planned.sanitized, planned.judge, planned.part, seed)
    text = title_of(planned.assignment.name, planned.part.name)
    progress = Progress(screen, text, len(jobs))
    runs = sanitize_all(root, list(jobs.values()), progress.advance)
    result.cases = len(jobs)
    result.sightings = sightings_of({name: runs[job] for name, job in jobs.items()})
    for name, job in jobs.items():
        result.replays[name] = by_hand(root, planned.sanitized, job.options)
        if why := runs[job].unfinished:
            result.unfinished[name] = why


def diagnostics_found(root: Path, results: list[PartFindings]) -> list[Diagnostic]:
    """The shown findings, for build/findings.sarif."""
    found = []
    for result in results:
        file = short(root, result.planned.submission.file)
        if result.stopped:
            found.append(placed(file, "build_error", "error", result.stopped))
        for sighting in result.sightings:
            one = sighting.finding
            where = f"{one.place}: " if one.place else ""
            diagnostic = placed(file, one.kind, "error", where + one.sentence)
            found.append(with_cases(diagnostic, sighting.cases))
        for name, why in result.unfinished.items():
            found.append(with_cases(placed(file, "timeout", "warning", why), [name]))
    return found


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
        for sighting in result.sightings:
            replay = result.replays[sighting.cases[0]]
            lines = describe(root, result.planned.submission.file, sighting, replay)
            emit(console, Text("\n").join([Text(), *lines]))
        for name, why in result.unfinished.items():
            emit(console, Text(f" {name} did not finish: {why}", style="yellow"))
        causes = len(result.sightings)
        cases = count_text(result.cases, "case")
        if causes:
            emit(console, Text(f"\n ✗ {count_text(causes, 'finding')} in {cases}", style="red"))
        elif ended := result.cases - len(result.unfinished):
            seen = f"{ended} of {cases}, the others did not end" if result.unfinished else cases
            style = "yellow" if result.unfinished else "green"
            mark = "" if result.unfinished else "✓ "
            emit(console, Text(f" {mark}nothing found in {seen}", style=style))
        else:
            emit(console, Text(f" ✗ none of {cases} finished", style="red"))


def describe(root: Path, own: Path, sighting: Sighting, replay: str) -> list[Text]:
    """A few lines on the finding: where, the source, what happened, how to repeat it."""
    finding = sighting.finding
    heading = Text.assemble((f" {finding.kind.replace('_', ' ')}", "bold red"))
    if finding.place:
        heading.append(f"   {finding.place}")
    lines = [heading]
    places = [(finding.file, finding.line), (finding.other_file, finding.other_line)]
    for file, line in dict.fromkeys(place for place in places if place[0]):
        source = source_lines(root, file, own.parent)[line - 1 : line]
        if source:
            lines.append(Text.assemble((f"  {line:>5} │ ", "dim"), source[0].strip()[:90]))
    lines.append(Text(f"   {finding.sentence}"))
    facts = []
    if finding.kernel:
        facts.append(f"kernel {finding.kernel}")
        facts.append(f"block ({','.join(map(str, finding.block))})")
        many = len(ranges_of(finding.threads)) > 1 or "-" in finding.threads
        facts += [f"thread{'s' if many else ''} {shortened(finding.threads)}"]
    if finding.count > 1:
        facts.append(f"{finding.count} times")
    more = len(sighting.cases) - 1
    facts.append(f"case {sighting.cases[0]}" + (f" and {more} more" if more else ""))
    lines.append(Text(f"   {', '.join(facts)}", style="dim"))
    lines.append(Text(f"   {replay}", style="dim"))
    return lines


def ranges_of(threads: str) -> list[str]:
    """The ranges in "0-31,64" or "(0,0)-(15,1),(0,4)"."""
    return re.split(r",(?![^(]*\))", threads)


def shortened(threads: str) -> str:
    """The first few of a list of ranges."""
    ranges = ranges_of(threads)
    return threads if len(ranges) <= 4 else ",".join(ranges[:3]) + ",…"
