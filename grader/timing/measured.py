"""Times on a GPU: runs programs in turn, times calls by events, has the answers judged."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.base.gpu_state import watch_gpu
from grader.base.progress import Screen
from grader.base.text import time_text
from grader.course.baseline import Reference
from grader.course.declare import Assignment, Case, Part
from grader.course.options import fit_to_memory, needed_bytes, with_number
from grader.course.resolve import (
    judge_program,
    peers_file,
    peers_program,
    solution_file,
    solution_program,
)
from grader.course.thresholds import load_thresholds
from grader.run.case import Judge, new_seed, picture_of
from grader.run.judge import judge_path
from grader.timing.clock import (
    UNJUDGED,
    CaseTimes,
    Contest,
    Entry,
    Kind,
    Runners,
    Timed,
    failure_of_ours,
)
from grader.timing.interleaved import Contestant, time_interleaved
from grader.timing.statistics import TOO_WIDE, floor_ms, hidden_ms

BESIDE = "tf32"  # the end of the name of a peer that rounds the factors
TOO_SLOW_MS = 500  # a program with a longer time is not run at larger sizes
RETRIES = 2  # of a student's case on a noisy GPU, or with impossible times

Contestants = dict[str, Contestant]


class MeasuredClock:
    """A Clock (clock.py) for a GPU."""

    judges = True

    def __init__(self, root: Path, device: Device):
        self.root, self.device = root, device
        self.look = watch_gpu(device.uuid)

    def builds(self, entries: list[Entry]) -> list[str]:
        return [entry.program for entry in entries]

    def rival_programs(self, assignment: Assignment, part: Part) -> list[str]:
        programs = []
        if solution_file(self.root, assignment, part).is_file():
            programs.append(solution_program(assignment, part, self.device.kind))
        if peers_file(self.root, assignment, part).is_file():
            programs.append(peers_program(assignment, part))
        return programs

    def rivals(self, assignment: Assignment, part: Part) -> list[Entry]:
        """The solution, then the libraries, and last the plain copies."""
        found = []
        peers = peers_program(assignment, part)
        for program in self.rival_programs(assignment, part):
            if program != peers:
                found.append(Entry("solution", Kind.SOLUTION, program))
                continue
            names = sorted(list_peers(self.root, peers), key=is_ceiling)
            found += [Entry(name, kind_of(name), peers) for name in names]
        return found

    @contextmanager
    def session(self, contest: Contest, screen: Screen) -> Iterator[MeasuredSession]:
        with Runners(self.root, self.device) as own:
            yield MeasuredSession(self, contest, contest.runners or own)


def kind_of(peer: str) -> Kind:
    """The kind of a peer: peers that compute less than the problem asks for are no rivals."""
    if is_ceiling(peer):
        return Kind.CEILING
    return Kind.BESIDE if peer.endswith(BESIDE) else Kind.PEER


def is_ceiling(peer: str) -> bool:
    """Peers that only copy are limits, not rivals."""
    return peer.startswith(("copy", "memcpy"))


def list_peers(root: Path, program: str) -> list[str]:
    """The names of the peers in a program."""
    try:
        done = subprocess.run(
            [str((root / program).absolute()), "--list"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=True,
        )
        names = json.loads(done.stdout)
        return [str(name) for name in names]
    except (subprocess.SubprocessError, OSError, ValueError, TypeError) as error:
        raise GraderError(f"{program} --list did not name its peers: {error}.") from error


class MeasuredSession:
    """The running programs of a contest."""

    def __init__(self, clock: MeasuredClock, contest: Contest, runners: Runners):
        self.clock, self.contest, self.device = clock, contest, clock.device
        judge = judge_path(clock.root, judge_program(contest.assignment))
        self.judge = Judge(judge, contest.part.name)
        self.entries = {entry.name: entry for entry in contest.entries}
        self.runners = {name: runners.of(entry) for name, entry in self.entries.items()}
        self.failed: set[str] = set()
        self.slow: set[str] = set()  # entries that take too long for larger sizes
        self.one_seed = contest.seed
        if contest.judge_every > 1 and contest.seed is None:
            self.one_seed = new_seed()

    def time(self, case: Case) -> CaseTimes:
        times = self.contest.known.get(case.name) or self.time_at_last(case)
        self.slow |= {n for n, timed in times.timed.items() if (timed.time_ms or 0) > TOO_SLOW_MS}
        return times

    def time_at_last(self, case: Case) -> CaseTimes:
        for _ in range(1 + RETRIES):
            times = self.time_once(case)
            if not (times.too_noisy or times.impossible):
                break
        return times

    def time_once(self, case: Case) -> CaseTimes:
        """The times of all entries, with a new seed."""
        seed = new_seed() if self.one_seed is None else self.one_seed
        fitting, note = fit_to_memory(
            case, case.options_for(self.device.kind), self.device.free_bytes
        )
        options = with_number(fitting, "seed", seed)
        judged_before_s = self.contest.judging.spent_s
        field = self.contestants(case)
        together = len(field) * needed_bytes(case, options, 0) <= self.device.free_bytes // 2
        settle = [c for name, c in field.items() if self.settles(self.entries[name])]
        # The student leads: a wrong answer leaves nothing to compare.
        right = time_interleaved(
            list(field.values()),
            self.judge,
            options,
            case.timeout_s,
            together,
            leader=field.get(Kind.STUDENT),
            settle=settle,
            judging=self.contest.judging,
            one_input=self.contest.one_input,
        )
        self.failed |= {name for name, contestant in field.items() if contestant.failure}
        timed = {name: self.timed(contestant) for name, contestant in field.items()}
        times = CaseTimes(case, timed, seed, note, gpu=self.device.name)
        replies = [reply for contestant in field.values() for reply in contestant.replies]
        times.judged, times.same, times.unjudged = right.judged, right.same, right.unjudged
        times.judging_s = self.contest.judging.spent_s - judged_before_s
        times.calls_s = sum(sum(reply.times_ms) for reply in replies) / 1e3
        times.retaken = sum(reply.retaken for reply in replies)
        times.waited_ms = sum(reply.waited_ms for reply in replies)
        if self.contest.graded and not field[Kind.STUDENT].failure:
            self.grade(times, field)
        return times

    def contestants(self, case: Case) -> Contestants:
        every = self.contest.judge_every
        judged = self.contest.cases.index(case) % every == 0
        root, assignment, part = self.clock.root, self.contest.assignment, self.contest.part
        field = {}
        for name, entry in self.entries.items():
            if (every > 1 and name in self.failed) or (self.contest.by_size and name in self.slow):
                continue
            contestant = Contestant(name, self.runners[name], judged and entry.kind not in UNJUDGED)
            contestant.enough_ms = self.contest.enough_ms
            if entry.kind == Kind.STUDENT:
                contestant.trusted, contestant.look = self.contest.ours, self.clock.look
                contestant.picture = picture_of(root, assignment, part, case)
            field[name] = contestant
        return field

    def settles(self, entry: Entry) -> bool:
        return self.contest.settle or (
            self.contest.graded and entry.kind in (Kind.STUDENT, Kind.BASELINE)
        )

    def timed(self, contestant: Contestant) -> Timed:
        student = self.entries[contestant.name].kind == Kind.STUDENT
        return Timed(
            contestant.time_ms,
            contestant.bytes,
            contestant.limit_ms,
            failure=contestant.failure,
            failed_with=contestant.failed_with,
            interval=contestant.interval,
            states=contestant.states,
            printed=contestant.runner.take_printed() if student else "",
        )

    def grade(self, times: CaseTimes, field: Contestants) -> None:
        """Adds the values that a student's time is compared with."""
        baseline = field.get(Kind.BASELINE)
        if baseline and baseline.failure:
            program = self.contest.baseline.program
            raise failure_of_ours(program, times.case, baseline.failure)
        trusted, rate = trusted_entry(field), self.copy_rate(field)
        times.bytes = trusted.bytes
        if not self.contest.ours:
            times.impossible = why_impossible(field, self.device, rate)
        times.too_noisy = why_noisy(field)
        ours = baseline.time_ms if baseline else None
        if ours is None:
            assignment, part = self.contest.assignment.name, self.contest.part.name
            stored = load_thresholds(self.clock.root, assignment, self.device.name)
            ours = stored.reference(part, times.case.name)
        if ours is not None:
            times.reference = Reference(ours, trusted.bytes)
        if solution := times.timed.get(Kind.SOLUTION):
            times.solution_ms = solution.time_ms
        for name, peer in times.timed.items():
            if self.entries[name].kind == Kind.PEER and peer.time_ms is not None:
                times.peers_ms[name] = peer.time_ms
        if trusted.limit_ms:
            times.limit, times.limit_ms = trusted.limit, trusted.limit_ms
        elif rate and trusted.bytes:
            times.limit, times.limit_ms = "copy", trusted.bytes / rate

    def copy_rate(self, field: Contestants) -> float:
        """Bytes per ms of the fastest plain copy; 0 without a copy."""
        copies = [
            contestant.bytes_per_ms
            for name, contestant in field.items()
            if self.entries[name].kind == Kind.CEILING and contestant.bytes_per_ms
        ]
        return max(copies, default=0.0)


def trusted_entry(field: Contestants) -> Contestant:
    """The entry whose byte counts are trusted: a program of the course, if any."""
    return field.get(Kind.BASELINE) or field.get(Kind.SOLUTION) or field[Kind.STUDENT]


def why_noisy(field: Contestants) -> str:
    """Why the GPU is too busy or unsteady for grading, "" on a steady GPU.

    A program of the course decides. A student's own spread does not count: a program that sleeps
    now and then could otherwise avoid being graded.
    """
    ours = field.get(Kind.BASELINE) or field.get(Kind.SOLUTION)
    if not (ours and ours.interval and ours.interval.width > TOO_WIDE):
        return ""
    spread = f"{time_text(ours.interval.low)} or {time_text(ours.interval.high)}"
    return (
        f"right, but on this GPU even our own program takes {spread} "
        "now and then: something else runs on it. The case is left out; try again"
    )


def why_impossible(field: Contestants, device: Device, copy_rate: float) -> str:
    """Why the student's time is impossible, "" if possible: moving bytes takes time, and the
    grader has a clock of its own.
    """
    student, trusted = field[Kind.STUDENT], trusted_entry(field)
    floor = floor_ms(trusted.bytes, device.cache_bytes, copy_rate)
    if student.time_ms < floor:
        return (
            f"a time of {time_text(student.time_ms)}, but the {trusted.bytes:.4g} bytes that any "
            f"solution must move cannot be moved on this GPU in less than {time_text(floor)}"
        )
    # A student's program alone has no program to be compared with.
    hidden = 0.0 if trusted is student else hidden_ms(student.exchanges, trusted.exchanges)
    if hidden:
        return (
            f"a time of {time_text(student.time_ms)}, but on the grader's own clock each call took "
            f"{time_text(hidden)} longer: some work is done outside the timed part"
        )
    return ""
