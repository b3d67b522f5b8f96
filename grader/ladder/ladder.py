"""`make ladder-<name>`: runs every rung of an assignment; a table, a plot and the times as a file.

On a GPU: time, rate, share of the limit and speed-up over rung 01, rungs and library peers taking
turns. On the CPU device: the times that the model of a GPU gives, and what binds each rung.
"""

from __future__ import annotations

import datetime
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from cpudevice.model.gpu import Gpu
from cpudevice.model.model import LIMITS, estimate
from grader.base.device import Device
from grader.base.files import write_json
from grader.base.gpu_lock import gpu_to_ourselves
from grader.base.processes import default_limits
from grader.base.screen import Screen
from grader.build.make import build_or_raise
from grader.check.part_grader import list_peers, new_seed
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.course.options import fit_to_memory, needed_bytes, with_number
from grader.ladder.sweep import climb_sizes, sweep_on
from grader.ladder.views import Times, model_views, time_views
from grader.run.interleaved import Contestant, Judge, race, run_case
from grader.run.judge import judge_path
from grader.run.profiled import Job, count_all
from grader.run.runner import CaseFailure, Runner
from grader.timing.measured import is_ceiling
from grader.timing.modelled import job_for


@dataclass
class Entry:
    """One rung, the solution or a peer, over all cases of its part."""

    name: str
    kind: str  # "rung", "solution", "peer" or "ceiling"
    target: str
    right: int = 0
    tried: int = 0
    failure: str = ""  # the first: "wrong: index 5 …"
    times_ms: dict[str, float] = field(default_factory=dict)  # by speed case
    bytes: dict[str, float] = field(default_factory=dict)
    limits_ms: dict[str, float] = field(default_factory=dict)
    binds: dict[str, str] = field(default_factory=dict)  # modelled times: what takes longest
    by_size_ms: dict[str, float] = field(default_factory=dict)  # by sweep case

    def count(self, case: Case, failure: CaseFailure | None) -> None:
        self.tried += 1
        self.right += failure is None
        if failure and not self.failure:
            self.failure = f"{case.name}: {failure.verdict}, {failure.detail}"

    def rate(self, case: str) -> float | None:
        """Bytes per ms."""
        time_ms, size = self.times_ms.get(case), self.bytes.get(case)
        return size / time_ms if time_ms and size else None


@dataclass
class PartLadder:
    part: Part
    entries: list[Entry]
    views_ms: Times = field(default_factory=dict)

    def of_limit(self, entry: Entry, case: str) -> float | None:
        """The share of the link's time, or else of the copy rate, that this entry reaches."""
        time_ms, rate = entry.times_ms.get(case), entry.rate(case)
        if time_ms and case in entry.limits_ms:
            return entry.limits_ms[case] / time_ms
        copies = [e.rate(case) for e in self.entries if e.kind == "ceiling" and e.rate(case)]
        return rate / max(copies) if rate and copies else None

    def speed_up(self, entry: Entry, case: str) -> float | None:
        """Against the first rung."""
        first = next((e for e in self.entries if e.kind == "rung"), None)
        if first is None or case not in first.times_ms or case not in entry.times_ms:
            return None
        return first.times_ms[case] / entry.times_ms[case]


def climb(
    root: Path,
    assignment: Assignment,
    device: Device,
    only_part: str,
    screen: Screen,
    gpu: Gpu,
) -> list[PartLadder]:
    """Builds and runs every rung of every part (or of one); `gpu` is the one to model."""
    parts = [part for part in assignment.parts if only_part in ("", part.name)]
    listed = {part.name: entries_of(root, assignment, part, device) for part in parts}
    peers = {
        part.name: resolve.peers_target(assignment, part)
        for part in parts
        if device.kind == "gpu" and resolve.peers_file(root, assignment, part).is_file()
    }
    targets = [entry.target for entries in listed.values() for entry in entries]
    screen.step("building", 0, 0)
    if device.kind == "cpu":
        targets += [resolve.counted_target(target) for target in targets]
    build_or_raise(root, [*targets, *peers.values(), resolve.judge_target(assignment)])
    judge = judge_path(root, resolve.judge_target(assignment))
    ladders = []
    for part in parts:
        if part.name in peers:
            # Limits stand last, below the libraries.
            for name in sorted(list_peers(root, peers[part.name]), key=is_ceiling):
                kind = "ceiling" if is_ceiling(name) else "peer"
                listed[part.name].append(Entry(name, kind, peers[part.name]))
        ladder = PartLadder(part, listed[part.name])
        with gpu_to_ourselves(device, screen.say):
            run_part(root, ladder, device, Judge(judge, part.name), screen)
        if device.kind == "cpu":
            model_part(root, ladder, resolve.judge_target(assignment), screen, gpu)
            model_sweep(root, ladder, resolve.judge_target(assignment), screen, gpu)
            targets = {entry.name: entry.target for entry in ladder.entries}
            judge_target = resolve.judge_target(assignment)
            ladder.views_ms = model_views(root, part, targets, judge_target, gpu, screen.step)
        ladders.append(ladder)
    return ladders


def entries_of(root: Path, assignment: Assignment, part: Part, device: Device) -> list[Entry]:
    entries = [
        Entry(rung, "rung", resolve.rung_target(assignment, part, rung, device.kind))
        for rung in resolve.rungs(root, assignment, part)
    ]
    if resolve.solution_file(root, assignment, part).is_file():
        target = resolve.solution_target(assignment, part, device.kind)
        entries.append(Entry("solution", "solution", target))
    return entries


def runner_of(root: Path, entry: Entry, device: Device) -> Runner:
    more = ["--peer", entry.name] if entry.kind in ("peer", "ceiling") else []
    command = [str((root / entry.target).absolute()), *more]
    return Runner(command, default_limits(device.kind))


def run_part(root: Path, ladder: PartLadder, device: Device, judge: Judge, screen: Screen) -> None:
    with ExitStack() as stack:
        runners = {}
        for entry in ladder.entries:
            runners[entry.name] = stack.enter_context(runner_of(root, entry, device))
        for index, entry in enumerate(ladder.entries):
            screen.step(f"{ladder.part.name} · {entry.name}", index, len(ladder.entries))
            if entry.kind in ("rung", "solution"):
                try_correctness(ladder.part, entry, runners[entry.name], device, judge)
            runners[entry.name].close()
        for index, case in enumerate(ladder.part.speed if device.kind == "gpu" else []):
            screen.step(f"{ladder.part.name} · {case.name}", index, len(ladder.part.speed))
            time_case(ladder, case, runners, device, judge)
        if device.kind == "gpu":
            time_sweep(ladder, runners, device, judge, screen)
            ladder.views_ms = time_views(ladder.part, runners, device, judge, screen.step)


def try_correctness(part: Part, entry: Entry, runner: Runner, device: Device, judge: Judge) -> None:
    for case in part.correctness:
        options = with_number(case.options_for(device.kind), "seed", new_seed())
        try:
            run_case(runner, judge, options, case.timeout_s)
            entry.count(case, None)
        except CaseFailure as failure:
            entry.count(case, failure)


def model_part(root: Path, ladder: PartLadder, judge: str, screen: Screen, gpu: Gpu) -> None:
    """The modelled times of all entries; the time of a wrong answer is not taken."""
    jobs = {
        (entry.name, case.name): job_for(
            root, resolve.counted_target(entry.target), judge, ladder.part.name, case
        )
        for entry in ladder.entries
        for case in ladder.part.speed
    }
    done: list[Job] = []

    def told(job: Job) -> None:
        done.append(job)
        screen.step(f"{ladder.part.name} · counting", len(done), len(jobs))

    outcomes = count_all(root, list(jobs.values()), told)
    for entry in ladder.entries:
        for case in ladder.part.speed:
            outcome = outcomes[jobs[entry.name, case.name]]
            if outcome.profile is None:
                entry.count(case, CaseFailure(outcome.verdict, outcome.detail))
                continue
            entry.count(case, None)
            timed = estimate(outcome.profile, gpu.slice(case.share))
            entry.times_ms[case.name] = timed.time_ms
            entry.bytes[case.name] = outcome.bytes
            entry.binds[case.name], _ = LIMITS[timed.limit]


def model_sweep(root: Path, ladder: PartLadder, judge: str, screen: Screen, gpu: Gpu) -> None:
    """The modelled times by size; every entry climbs as far as counting is cheap."""
    sizes = sweep_on(ladder.part, "cpu")
    if not sizes:
        return
    jobs = {
        entry.name: [
            job_for(root, resolve.counted_target(entry.target), judge, ladder.part.name, case)
            for case in sizes
        ]
        for entry in ladder.entries
    }
    done: list[str] = []

    def told(name: str) -> None:
        done.append(name)
        screen.step(f"{ladder.part.name} · counting by size", len(done), len(jobs))

    profiles = climb_sizes(root, jobs, told)
    for entry in ladder.entries:
        for case, profile in zip(sizes, profiles[entry.name], strict=False):
            entry.by_size_ms[case.name] = estimate(profile, gpu.slice(case.share)).time_ms


def time_case(
    ladder: PartLadder,
    case: Case,
    runners: dict[str, Runner],
    device: Device,
    judge: Judge,
    settle: bool = False,
) -> None:
    """One speed case for everyone; the time of a wrong answer is not taken.

    With `settle` it goes on until all medians are sure, as for a grade.
    """
    contestants = race_entries(ladder, case, runners, device, judge, settle)
    for entry, contestant in zip(ladder.entries, contestants, strict=True):
        if contestant.time_ms is not None:
            entry.times_ms[case.name] = contestant.time_ms
            entry.bytes[case.name] = contestant.bytes
        if contestant.limit_ms:
            entry.limits_ms[case.name] = contestant.limit_ms


def time_sweep(
    ladder: PartLadder, runners: dict[str, Runner], device: Device, judge: Judge, screen: Screen
) -> None:
    """All sizes for everyone; what is a speed case as well has been timed."""
    sizes = sweep_on(ladder.part, "gpu")
    for index, case in enumerate(sizes):
        screen.step(f"{ladder.part.name} · n = {case.name}", index, len(sizes))
        if case in ladder.part.speed:
            times = [entry.times_ms.get(case.name) for entry in ladder.entries]
        else:
            times = [c.time_ms for c in race_entries(ladder, case, runners, device, judge)]
        for entry, time_ms in zip(ladder.entries, times, strict=True):
            if time_ms is not None:
                entry.by_size_ms[case.name] = time_ms


def race_entries(
    ladder: PartLadder,
    case: Case,
    runners: dict[str, Runner],
    device: Device,
    judge: Judge,
    settle: bool = False,
) -> list[Contestant]:
    """Times one case for all entries, in turn, and counts who was right."""
    options, _ = fit_to_memory(case, case.options_for("gpu"), device.free_bytes)
    options = with_number(options, "seed", new_seed())
    field_ = [
        Contestant(entry.name, runners[entry.name], judged=entry.kind != "ceiling")
        for entry in ladder.entries
    ]
    needed = len(field_) * needed_bytes(case, options, 0)
    together = needed <= device.free_bytes // 2
    race(field_, judge, options, case.timeout_s, together, settle=field_ if settle else ())
    for entry, contestant in zip(ladder.entries, field_, strict=True):
        entry.count(case, contestant.failure)
    return field_


def by_size(ladder: PartLadder, device: Device) -> dict[str, dict[str, float]]:
    """{"2^20": {"04_merge_path": 0.45, "solution": 0.08}}; with peers: it is for tables only."""
    return {
        case.name: {
            entry.name: entry.by_size_ms[case.name]
            for entry in ladder.entries
            if case.name in entry.by_size_ms
        }
        for case in sweep_on(ladder.part, device.kind)
    }


def rung_times(ladder: PartLadder) -> dict[str, dict[str, float]]:
    """{case: {rung: ms}}"""
    return {
        case.name: {
            entry.name: entry.times_ms[case.name]
            for entry in ladder.entries
            if entry.kind == "rung" and case.name in entry.times_ms
        }
        for case in ladder.part.speed
    }


def write_times(
    root: Path, assignment: str, device: Device, ladders: list[PartLadder], model: str
) -> Path:
    """build/ladder/<name>.json: the times of the rungs, and those of all by size.

    `model` names the GPU whose times are modelled on the CPU device.
    """
    parts = {
        ladder.part.name: {
            "target": ladder.part.target,
            "cases": rung_times(ladder),
            "by_size": by_size(ladder, device),
            "views": ladder.views_ms,
        }
        for ladder in ladders
    }
    path = root / "build" / "ladder" / f"{assignment}.json"
    date = datetime.date.today().isoformat()
    stored = {"device": device.kind, "gpu": device.name, "date": date, "parts": parts}
    if device.kind == "cpu":
        stored["model"] = model
    write_json(path, stored)
    return path
