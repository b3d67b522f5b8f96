"""Entries × cases → times, the same whether they are measured on a GPU or modelled.

`check`, `ladder`, `calibrate` and all other commands that need times ask a Clock. It opens a
Session for the entries and cases of one part, and the session gives their times case by case.
measured.py and modelled.py implement both; choose.py chooses one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.base.gpu_state import GpuState
from grader.base.progress import Screen
from grader.base.text import title_of
from grader.course.baseline import Baseline, Reference
from grader.course.declare import Assignment, Case, Part
from grader.course.options import with_number
from grader.course.plan import PartPlan
from grader.course.results import Interval
from grader.run.case import JudgingTime, new_seed
from grader.run.pool import run_jobs
from grader.run.runner import CaseFailure, Runner, runner_for


class Kind(str, Enum):
    """The kind of an entry. The first two are also the names under which a grade stores them."""

    STUDENT = "student"
    BASELINE = "baseline"
    RUNG = "rung"
    SOLUTION = "solution"
    PEER = "peer"  # a library
    CEILING = "ceiling"  # a plain copy, which is a limit and not a rival
    BESIDE = "beside"  # a library that computes something else, to compare with


# Where it is not for points, a program's calls end after as much time, in a round and in a case.
# Sizes are many, and the table of them needs no interval.
ENOUGH_MS, ENOUGH_BY_SIZE_MS = 250, 100

UNJUDGED = (Kind.CEILING, Kind.BESIDE)  # they do not solve the problem
LIBRARIES = (Kind.PEER, *UNJUDGED)


@dataclass(frozen=True)
class Entry:
    """A program whose times are wanted."""

    name: str  # "02_shared", "cub": unique among the entries of a session
    kind: Kind
    program: str  # the program that gives the answers: build/cpu/… or build/gpu/…
    file: Path | None = None  # the student's, if this is a student's program


@dataclass(frozen=True)
class Timed:
    """One entry in one case; without a time if the answer was wrong or the entry was not run."""

    time_ms: float | None = None
    bytes: float = 0.0  # the bytes that the problem must move, as this entry reports them
    link_ms: float | None = None  # the time that the measured rate of the link allows
    binds: str = ""  # the model's key of the resource that takes longest
    causes: tuple[str, ...] = ()  # kinds of lost time (diagnose.py), the costliest first
    lacks: str = ""  # why the modelled GPU cannot run this entry: "NVIDIA T4 has no …"
    failure: CaseFailure | None = None
    failed_with: str = ""  # the options of the run that failed
    interval: Interval | None = None  # of a measured median
    states: Sequence[GpuState] = ()  # of the GPU, after each run
    printed: str = ""  # by a student's program


@dataclass
class CaseTimes:
    """One case for all entries of a session."""

    case: Case
    timed: dict[str, Timed]  # by entry
    seed: int | None = None
    note: str = ""  # "shrunk to …"
    modelled: bool = False
    gpu: str = ""  # the GPU of the times
    # Of a session with a student:
    reference: Reference | None = None  # the baseline's time: from this run, or stored
    # the bytes that the problem must move, as a program of the course reports them
    bytes: float = 0.0
    limit: str = ""  # what bounds the case, in words
    limit_ms: float | None = None
    impossible: str = ""  # why the student's time is impossible
    too_noisy: str = ""  # why no time counts on this machine now
    # How often a call of any entry was timed again because the GPU's memory was disturbed, and how
    # long the programs waited until it was not.
    retaken: int = 0
    waited_ms: float = 0.0
    # Answers of programs of the course that were judged, and those with the same bytes as these.
    judged: int = 0
    same: int = 0
    unjudged: int = 0  # there was no time to judge these
    judging_s: float = 0.0  # the time that judging took
    calls_s: float = 0.0  # the sum of all times that were taken
    solution_ms: float | None = None
    peers_ms: dict[str, float] = field(default_factory=dict)  # of libraries

    @property
    def student(self) -> Timed:
        return self.timed[Kind.STUDENT]

    @property
    def baseline(self) -> Timed | None:
        return self.timed.get(Kind.BASELINE)


class Runners:
    """The running programs of entries: each is started once and used by one contest after the
    other, because a GPU takes half a second to wake for a new program.
    """

    def __init__(self, root: Path, device: Device):
        self.root, self.device = root, device
        self.started: dict[tuple[str, str], Runner] = {}

    def of(self, entry: Entry) -> Runner:
        key = (entry.program, entry.name)
        if key not in self.started:
            more = ["--peer", entry.name] if entry.kind in LIBRARIES else []
            self.started[key] = runner_for(self.root, entry.program, self.device.kind, *more)
        return self.started[key]

    def wake(self, entries: list[Entry], case: Case) -> None:
        """Starts the programs of all entries at once, each with this case, whose outcome is not
        looked at. A program ends with the thread that starts it: here, with the caller's.
        """
        options = with_number(case.options_for(self.device.kind), "seed", new_seed())
        started = [self.of(entry) for entry in entries]
        for runner in started:
            runner.start(case.timeout_s)

        def run(runner: Runner) -> None:
            with suppress(CaseFailure):
                runner.run(options, 1, case.timeout_s)

        run_jobs(started, run)

    def close(self) -> None:
        """Ends all programs; the next request starts one again."""
        for runner in self.started.values():
            runner.close()

    def __enter__(self) -> Runners:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Session(Protocol):
    def time(self, case: Case) -> CaseTimes: ...


@dataclass(frozen=True)
class Contest:
    """The programs to time and their cases: the arguments of a session."""

    assignment: Assignment
    part: Part
    entries: list[Entry]
    cases: list[Case]
    baseline: Baseline = field(default_factory=Baseline)  # if one of the entries is a student's
    seed: int | None = None  # None: measured with a new seed for each case
    # Measure until all medians are certain, not only those of the student and the baseline.
    settle: bool = False
    # The cases are sizes, smallest first; an entry may stop before the next one costs too much.
    by_size: bool = False
    # Times of an earlier session, which need not be measured again.
    known: dict[str, CaseTimes] = field(default_factory=dict)
    # The cases are views of one scene: one seed for all, one view in this many is judged, and an
    # entry that was wrong in one view is left out of the others.
    judge_every: int = 1
    # Programs that have been started before, and go on after this contest.
    runners: Runners | None = None
    judging: JudgingTime = field(default_factory=JudgingTime)  # of the programs of the course
    # The student's file is one of the course: it is judged, and timed no longer, than these are.
    ours: bool = False

    @property
    def title(self) -> str:
        return title_of(self.assignment.name, self.part.name)

    @property
    def graded(self) -> bool:
        """Whether this is for a student's points."""
        return any(entry.kind == Kind.STUDENT for entry in self.entries)

    @property
    def one_input(self) -> bool:
        """Whether all repeats of a case have the same input, and end after some time: it is not for
        points, and no program of the course keeps what it has computed before.
        """
        return self.ours or not self.graded

    @property
    def enough_ms(self) -> int:
        """The time after which the calls of a program end; 0: all of a case's are made."""
        if not self.one_input:
            return 0
        return ENOUGH_BY_SIZE_MS if self.by_size else ENOUGH_MS


class Clock(Protocol):
    # Whether an answer is judged when it is timed. Otherwise a program is timed that was found
    # right before.
    judges: bool

    def builds(self, entries: list[Entry]) -> list[str]:
        """The targets that make must build to time these entries."""

    def rival_programs(self, assignment: Assignment, part: Part) -> list[str]:
        """The targets that make must build before rivals() is called."""

    def rivals(self, assignment: Assignment, part: Part) -> list[Entry]:
        """The rivals of a student besides the baseline: the solution and libraries."""

    def session(self, contest: Contest, screen: Screen) -> AbstractContextManager[Session]: ...


def failure_of_ours(program: str, case: Case, failure: CaseFailure) -> GraderError:
    """Reports that a program of the course failed, which is not the student's fault."""
    return GraderError(f"{program} failed {case.name}: {failure.verdict}, {failure.detail}.")


def programs_beside(planned: PartPlan, clock: Clock) -> list[str]:
    """The targets that make must build to grade a part, besides the student's programs."""
    programs = [planned.judge]
    if planned.part.speed and planned.can_time:
        programs += clock.builds(baseline_entries(planned))
        programs += clock.rival_programs(planned.assignment, planned.part)
    return programs


def graded_contest(
    planned: PartPlan, clock: Clock, cases: list[Case], seed: int | None, rivals: bool
) -> Contest:
    """The contest of a student's cases for speed: the student's program and the others."""
    assignment, part, submission = planned.assignment, planned.part, planned.submission
    student = Entry(Kind.STUDENT, Kind.STUDENT, submission.program, submission.file)
    entries = [student, *baseline_entries(planned)]
    if rivals:
        entries += clock.rivals(assignment, part)
    return Contest(assignment, part, entries, cases, planned.baseline, seed)


def baseline_entries(planned: PartPlan) -> list[Entry]:
    """The baseline as an entry; None if only numbers stand for it."""
    program = planned.baseline.program
    return [Entry(Kind.BASELINE, Kind.BASELINE, program)] if program else []
