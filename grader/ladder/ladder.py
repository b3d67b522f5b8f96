"""`make ladder-<name>`: runs every rung of an assignment; shows a table, a plot and a file of
times.

On a GPU: time, rate, share of the limit and speed-up over rung 01; rungs and library peers run in
turn. On the CPU device: the modelled times, and what binds each rung.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
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
from grader.ladder.views import Times
from grader.run.case import Judge, new_seed, run_case
from grader.run.judge import judge_path
from grader.run.runner import CaseFailure, runner_for
from grader.timing.clock import LIBRARIES, CaseTimes, Clock, Contest, Entry, Kind, Timed

# Entries have been judged in all cases before, so one picture in this many is judged here.
VIEWS_JUDGED = 6


@dataclass
class LadderEntry:
    """One rung, the solution or a peer, over all cases of its part."""

    entry: Entry
    right: int = 0
    tried: int = 0
    failure: str = ""  # the first: "wrong: index 5 …"
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
class PartLadder:
    part: Part
    entries: list[LadderEntry]
    views_ms: Times = field(default_factory=dict)
    # Answers of timed cases that were judged, and those with the same bytes as a judged one.
    judged: int = 0
    same: int = 0

    def add_judged(self, times: CaseTimes) -> None:
        self.judged += times.judged
        self.same += times.same

    def of_limit(self, entry: LadderEntry, case: str) -> float | None:
        """The share of the link's time, or else of the copy rate, that this entry reaches."""
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


def climb(
    root: Path,
    assignment: Assignment,
    device: Device,
    clock: Clock,
    only_part: str,
    screen: Screen,
    with_views: bool = True,
) -> list[PartLadder]:
    """Builds and runs every rung of every part, or of one part."""
    ladders = [
        PartLadder(part, own_entries(root, assignment, part, device, screen))
        for part in assignment.parts
        if only_part in ("", part.name)
    ]
    programs = [resolve.judge_program(assignment)]
    for ladder in ladders:
        own = [entry.entry for entry in ladder.entries]
        programs += [entry.program for entry in own]
        programs += clock.builds(own) + clock.rival_programs(assignment, ladder.part)
    build_or_raise(root, programs, screen)
    for ladder in ladders:
        rivals = clock.rivals(assignment, ladder.part)
        ladder.entries += [LadderEntry(rival) for rival in rivals if rival.kind in LIBRARIES]
        with gpu_to_ourselves(device, screen.say):
            try_correctness(root, assignment, ladder, device, screen)
            time_part(assignment, ladder, device, clock, screen)
            if with_views:
                time_views(assignment, ladder, device, clock, screen)
    return ladders


def own_entries(
    root: Path, assignment: Assignment, part: Part, device: Device, screen: Screen
) -> list[LadderEntry]:
    """The rungs that this device can run, then the solution if the repository has it."""
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
    root: Path, assignment: Assignment, ladder: PartLadder, device: Device, screen: Screen
) -> None:
    """Runs every case for correctness, for rungs and solution."""
    judge = Judge(judge_path(root, resolve.judge_program(assignment)), ladder.part.name)
    entries = [entry for entry in ladder.entries if entry.kind in (Kind.RUNG, Kind.SOLUTION)]
    for index, entry in enumerate(entries):
        screen.step(f"{ladder.part.name} · {entry.name}", index, len(entries))
        with runner_for(root, entry.entry.program, device.kind) as runner:
            for case in ladder.part.correctness:
                options = with_number(case.options_for(device.kind), "seed", new_seed())
                try:
                    run_case(runner, judge, options, case.timeout_s)
                    entry.count(case, None)
                except CaseFailure as failure:
                    entry.count(case, failure)


def time_part(
    assignment: Assignment, ladder: PartLadder, device: Device, clock: Clock, screen: Screen
) -> None:
    """Times the cases for speed and the sizes."""
    part, everyone = ladder.part, [entry.entry for entry in ladder.entries]
    known: dict[str, CaseTimes] = {}
    for times in timed_cases(clock, Contest(assignment, part, everyone, part.speed), screen):
        known[times.case.name] = times
        ladder.add_judged(times)
        for entry in ladder.entries:
            entry.add(times.case, times.timed[entry.name])
    sizes = cases_on(part.sweep, device)
    contest = Contest(assignment, part, everyone, sizes, by_size=True, known=known)
    for times in timed_cases(clock, contest, screen):
        if times.case.name not in known:
            ladder.add_judged(times)
        for entry in ladder.entries:
            timed = times.timed.get(entry.name, Timed())
            if clock.judges and times.case.name not in known:
                entry.count(times.case, timed.failure)
            if timed.time_ms is not None:
                entry.by_size_ms[times.case.name] = timed.time_ms


def time_views(
    assignment: Assignment, ladder: PartLadder, device: Device, clock: Clock, screen: Screen
) -> None:
    part, everyone = ladder.part, [entry.entry for entry in ladder.entries]
    compared = [entry for entry in everyone if entry.name in part.views_of]
    views = cases_on(part.views, device)
    contest = Contest(assignment, part, compared, views, judge_every=VIEWS_JUDGED)
    for times in timed_cases(clock, contest, screen):
        ladder.views_ms[times.case.name] = {
            name: timed.time_ms for name, timed in times.timed.items() if timed.time_ms is not None
        }


def cases_on(cases: list[Case], device: Device) -> list[Case]:
    """Returns the cases that have options for this kind of device."""
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
    """{"2^20": {"04_merge_path": 0.45, "solution": 0.08}}; with the peers, only for tables."""
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
    """{case: ms} that the link takes, where it is what limits a case."""
    found: dict[str, float] = {}
    for entry in ladder.entries:
        for case, limit_ms in entry.limits_ms.items():
            found[case] = min(limit_ms, found.get(case, limit_ms))
    return found


def write_times(
    root: Path, assignment: str, device: Device, ladders: list[PartLadder], model: str
) -> Path:
    """build/ladder/<name>.json: the times of the rungs, and those of all, also by size.

    `model` names the GPU whose times are modelled, "" where none are.
    """
    parts = {
        ladder.part.name: {
            "target": ladder.part.target,
            "cases": rung_times(ladder),
            "times": case_times(ladder, ladder.entries),
            "limits": link_limits(ladder),
            "by_size": by_size(ladder, device),
            "views": ladder.views_ms,
        }
        for ladder in ladders
    }
    path = root / "build" / "ladder" / f"{assignment}.json"
    date = datetime.date.today().isoformat()
    stored = {"device": device.kind, "gpu": device.name, "date": date, "parts": parts}
    if model:
        stored["model"] = model
    else:
        stored["driver"] = driver_version()
    write_json(path, stored)
    return path
