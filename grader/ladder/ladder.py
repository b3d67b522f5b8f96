"""`make ladder-<name>`: runs every rung of an assignment; shows a table, a plot and a file of
times.

On a GPU: time, rate, share of the limit and speed-up over rung 01; rungs and library peers run in
turn. On the CPU device: the modelled times, and the resource that binds each rung.
"""

import datetime
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from cpudevice.model.model import LIMITS
from grader.base.device import Device
from grader.base.files import write_json
from grader.base.gpu_state import driver_version
from grader.base.lock import gpu_to_ourselves
from grader.base.progress import Progress, Screen
from grader.build.make import build_or_raise
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.course.needs import unmet
from grader.course.options import with_number
from grader.ladder.closing import Closing
from grader.ladder.views import Times
from grader.run.case import Judge, JudgingTime, new_seed, run_case
from grader.run.judge import judge_path
from grader.run.pool import run_jobs
from grader.run.runner import CaseFailure
from grader.timing.clock import (
    LIBRARIES,
    CaseTimes,
    Clock,
    Contest,
    Entry,
    Kind,
    Runners,
    Timed,
)

# Views per judged view: all entries have been judged in other cases before.
VIEWS_JUDGED = 12
# Rungs and solution are judged in all cases for correctness. Judging of timed answers ends after
# JUDGING_S, shared by the parts: the largest answers take seconds each.
JUDGING_S = 4.0


@dataclass
class LadderEntry:
    """A rung, the solution or a peer, over all cases of a part."""

    entry: Entry
    right: int = 0
    tried: int = 0
    failure: str = ""  # the first: "wrong: index 5 …"
    lacks: str = ""  # why the modelled GPU cannot run the program, or ""
    times_ms: dict[str, float] = field(default_factory=dict)  # by speed case
    bytes: dict[str, float] = field(default_factory=dict)
    limits_ms: dict[str, float] = field(default_factory=dict)
    # modelled times: the resource that takes longest
    binds: dict[str, str] = field(default_factory=dict)
    by_size_ms: dict[str, float] = field(default_factory=dict)  # by sweep case

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def kind(self) -> Kind:
        return self.entry.kind

    def count(self, case: Case, failure: CaseFailure | None) -> None:
        self.tried += 1
        self.right += failure is None
        if failure and not self.failure:
            self.failure = f"{case.name}: {failure.verdict}, {failure.detail}"

    def add(self, case: Case, timed: Timed) -> None:
        """Adds a case's times; a wrong answer has none."""
        self.count(case, timed.failure)
        self.lacks = self.lacks or timed.lacks
        if timed.time_ms is None:
            return
        self.times_ms[case.name], self.bytes[case.name] = timed.time_ms, timed.bytes
        if timed.link_ms:
            self.limits_ms[case.name] = timed.link_ms
        if timed.binds:
            self.binds[case.name], _ = LIMITS[timed.binds]

    def rate(self, case: str) -> float | None:
        """Bytes per ms."""
        time_ms, size = self.times_ms.get(case), self.bytes.get(case)
        return size / time_ms if time_ms and size else None


@dataclass
class Spent:
    """The seconds spent on a part."""

    correctness_s: float = 0.0  # running and judging the cases for correctness
    judging_s: float = 0.0  # of timed answers
    timing_s: float = 0.0  # timed cases, sizes and views, without judging: inputs, eviction, calls
    calls_s: float = 0.0  # of timing_s: the timed calls alone


@dataclass
class PartLadder:
    part: Part
    entries: list[LadderEntry]
    views_ms: Times = field(default_factory=dict)
    # Timed answers: judged answers, and answers with the same bytes as a judged answer.
    judged: int = 0
    same: int = 0
    unjudged: int = 0  # answers left over for lack of time
    spent: Spent = field(default_factory=Spent)

    def add_judged(self, times: CaseTimes) -> None:
        self.judged += times.judged
        self.same += times.same
        self.unjudged += times.unjudged
        self.spent.judging_s += times.judging_s
        self.spent.calls_s += times.calls_s

    def of_limit(self, entry: LadderEntry, case: str) -> float | None:
        """The share of the link's rate, or else of the copy rate, that the entry reaches."""
        time_ms, rate = entry.times_ms.get(case), entry.rate(case)
        if time_ms and case in entry.limits_ms:
            return entry.limits_ms[case] / time_ms
        copies = [e.rate(case) for e in self.entries if e.kind == Kind.CEILING and e.rate(case)]
        return rate / max(copies) if rate and copies else None

    def speed_up(self, entry: LadderEntry, case: str) -> float | None:
        """The speed-up over the first rung."""
        first = next((e for e in self.entries if e.kind == Kind.RUNG), None)
        if first is None or case not in first.times_ms or case not in entry.times_ms:
            return None
        return first.times_ms[case] / entry.times_ms[case]


@dataclass
class Climbed:
    """All ladders of an assignment."""

    ladders: list[PartLadder]
    built_s: float = 0.0  # seconds spent on building


def climb(
    root: Path,
    assignment: Assignment,
    device: Device,
    clock: Clock,
    only_part: str,
    screen: Screen,
    closing: Closing,
    with_views: bool = True,
    judging_s: float = JUDGING_S,
) -> Climbed:
    """Builds and runs every rung of every part, or of `only_part`.

    `judging_s`: the seconds of judging after which further timed answers are not judged.
    """
    started = time.monotonic()
    ladders = [
        PartLadder(part, own_entries(root, assignment, part, device, screen))
        for part in assignment.parts
        if only_part in ("", part.name)
    ]
    # The programs of the libraries take longest to compile, and begin first.
    programs = [
        program for each in ladders for program in clock.rival_programs(assignment, each.part)
    ]
    programs.append(resolve.judge_program(assignment))
    for ladder in ladders:
        own = [entry.entry for entry in ladder.entries]
        programs += [entry.program for entry in own]
        programs += clock.builds(own)
    build_or_raise(root, programs, screen)
    built_s = time.monotonic() - started
    seed = new_seed()  # for all: a program need not make a large input again
    for ladder in ladders:
        rivals = clock.rivals(assignment, ladder.part)
        ladder.entries += [LadderEntry(rival) for rival in rivals if rival.kind in LIBRARIES]
        judging = JudgingTime(judging_s / len(ladders))
        with gpu_to_ourselves(device, screen.say), closing.later(Runners(root, device)) as runners:
            started = time.monotonic()
            try_correctness(root, assignment, ladder, device, runners, screen)
            tried = time.monotonic()
            closing.wait()  # ending programs free memory and disturb the times
            entries = [entry.entry for entry in ladder.entries]
            contest = Contest(
                assignment, ladder.part, entries, [], seed=seed, runners=runners, judging=judging
            )
            time_part(ladder, device, clock, contest, screen)
            if with_views:
                time_views(ladder, device, clock, contest, screen)
        spent = ladder.spent
        spent.correctness_s = tried - started
        spent.timing_s = time.monotonic() - tried - spent.judging_s
    return Climbed(ladders, built_s)


def own_entries(
    root: Path, assignment: Assignment, part: Part, device: Device, screen: Screen
) -> list[LadderEntry]:
    """The rungs that the device can run, then the solution, if the repository has a solution."""
    entries = []
    for rung in resolve.rungs(root, assignment, part):
        if reason := unmet(resolve.rung_file(root, assignment, part, rung), device):
            screen.say(f"skipped: {reason}")
            continue
        program = resolve.rung_program(assignment, part, rung, device.kind)
        entries.append(Entry(rung, Kind.RUNG, program))
    if resolve.solution_file(root, assignment, part).is_file():
        program = resolve.solution_program(assignment, part, device.kind)
        entries.append(Entry("solution", Kind.SOLUTION, program))
    return [LadderEntry(entry) for entry in entries]


def try_correctness(
    root: Path,
    assignment: Assignment,
    ladder: PartLadder,
    device: Device,
    runners: Runners,
    screen: Screen,
) -> None:
    """Runs every case for correctness, for rungs and solution.

    Nothing is timed: a GPU runs several programs at a time. On the CPU device every program uses
    all processors.
    """
    judge = Judge(judge_path(root, resolve.judge_program(assignment)), ladder.part.name)
    entries = [entry for entry in ladder.entries if entry.kind in (Kind.RUNG, Kind.SOLUTION)]
    started = {entry.name: runners.of(entry.entry) for entry in entries}
    if device.measures:
        runners.wake([entry.entry for entry in ladder.entries], ladder.part.correctness[0])
    progress = Progress(screen, f"{ladder.part.name} · correctness", len(entries))

    def run_all(name: str) -> list[CaseFailure | None]:
        outcomes: list[CaseFailure | None] = []
        for case in ladder.part.correctness:
            options = with_number(case.options_for(device.kind), "seed", new_seed())
            try:
                run_case(started[name], judge, options, case.timeout_s)
                outcomes.append(None)
            except CaseFailure as failure:
                outcomes.append(failure)
        # A program that a thread of run_jobs() has started would end with the thread.
        if not device.measures or any(outcomes):
            started[name].close()
        return outcomes

    outcomes = run_jobs(started, run_all, progress.advance, at_once=0 if device.measures else 1)
    for entry in entries:
        for case, failure in zip(ladder.part.correctness, outcomes[entry.name], strict=True):
            entry.count(case, failure)


def time_part(
    ladder: PartLadder, device: Device, clock: Clock, contest: Contest, screen: Screen
) -> None:
    """Times the cases for speed and the sizes; `contest` has no cases yet."""
    part = ladder.part
    known: dict[str, CaseTimes] = {}
    for times in timed_cases(clock, replace(contest, cases=part.speed), screen):
        known[times.case.name] = times
        ladder.add_judged(times)
        for entry in ladder.entries:
            entry.add(times.case, times.timed[entry.name])
    sizes = cases_on(part.sweep, device)
    sized = replace(contest, cases=sizes, by_size=True, known=known)
    for times in timed_cases(clock, sized, screen):
        if times.case.name not in known:
            ladder.add_judged(times)
        for entry in ladder.entries:
            timed = times.timed.get(entry.name, Timed())
            if clock.judges and times.case.name not in known:
                entry.count(times.case, timed.failure)
            entry.lacks = entry.lacks or timed.lacks
            if timed.time_ms is not None:
                entry.by_size_ms[times.case.name] = timed.time_ms


def time_views(
    ladder: PartLadder, device: Device, clock: Clock, contest: Contest, screen: Screen
) -> None:
    """Times the views; `contest` has no cases yet."""
    part = ladder.part
    compared = [entry for entry in contest.entries if entry.name in part.views_of]
    views = cases_on(part.views, device)
    turned = replace(contest, entries=compared, cases=views, judge_every=VIEWS_JUDGED)
    for times in timed_cases(clock, turned, screen):
        ladder.add_judged(times)
        ladder.views_ms[times.case.name] = {
            name: timed.time_ms for name, timed in times.timed.items() if timed.time_ms is not None
        }


def cases_on(cases: list[Case], device: Device) -> list[Case]:
    """The cases with options for the device's kind."""
    return [case for case in cases if case.options_for(device.kind)]


def timed_cases(clock: Clock, contest: Contest, screen: Screen) -> Iterator[CaseTimes]:
    """Yields the times case by case, and reports progress."""
    if not contest.cases:
        return
    with clock.session(contest, screen) as session:
        progress = Progress(screen, contest.part.name, len(contest.cases))
        for case in contest.cases:
            progress.text = f"{contest.part.name} · {case.name}"
            yield session.time(case)
            progress.advance()


def by_size(ladder: PartLadder, device: Device) -> dict[str, dict[str, float]]:
    """{"2^20": {"04_merge_path": 0.45, "solution": 0.08}}, with peers, for the pages' tables."""
    return {
        case.name: {
            entry.name: entry.by_size_ms[case.name]
            for entry in ladder.entries
            if case.name in entry.by_size_ms
        }
        for case in cases_on(ladder.part.sweep, device)
    }


def rung_times(ladder: PartLadder) -> dict[str, dict[str, float]]:
    """{case: {rung: ms}}"""
    return case_times(ladder, [entry for entry in ladder.entries if entry.kind == Kind.RUNG])


def case_times(ladder: PartLadder, entries: list[LadderEntry]) -> dict[str, dict[str, float]]:
    """{case: {entry: ms}} for the cases for speed."""
    return {
        case.name: {
            entry.name: entry.times_ms[case.name]
            for entry in entries
            if case.name in entry.times_ms
        }
        for case in ladder.part.speed
    }


def link_limits(ladder: PartLadder) -> dict[str, float]:
    """{case: ms}: the link's time in cases limited by the link."""
    found: dict[str, float] = {}
    for entry in ladder.entries:
        for case, limit_ms in entry.limits_ms.items():
            found[case] = min(limit_ms, found.get(case, limit_ms))
    return found


def write_times(root: Path, assignment: str, device: Device, climbed: Climbed, model: str) -> Path:
    """Writes build/ladder/<name>.json: the times of rungs and of all entries, also by size and by
    view, and the seconds spent.

    `model` names the GPU of modelled times, "" for measured times.
    """
    parts = {
        ladder.part.name: {
            "target": ladder.part.target,
            "cases": rung_times(ladder),
            "times": case_times(ladder, ladder.entries),
            "limits": link_limits(ladder),
            "by_size": by_size(ladder, device),
            "views": ladder.views_ms,
            "spent": asdict(ladder.spent),
        }
        for ladder in climbed.ladders
    }
    path = root / "build" / "ladder" / f"{assignment}.json"
    date = datetime.date.today().isoformat()
    stored = {"device": device.kind, "gpu": device.name, "date": date, "parts": parts}
    stored["built_s"] = climbed.built_s
    if model:
        stored["model"] = model
    else:
        stored["driver"] = driver_version()
    write_json(path, stored)
    return path
