"""Entries × cases → times, with the same interface for measured and modelled times.

`check`, `ladder`, `calibrate` and all other commands that need times ask a Clock. The clock
opens a Session for the entries and cases of a part, and the session gives the times case by case.
measured.py and modelled.py implement both; choose.py chooses the clock.
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
    """The kind of an entry. The first two are also the entries' names in a graded contest."""

    STUDENT = "student"
    BASELINE = "baseline"
    RUNG = "rung"
    SOLUTION = "solution"
    PEER = "peer"  # a library
    CEILING = "ceiling"  # a plain copy, which is a limit and not a rival
    BESIDE = "beside"  # a library that computes something else, for comparison


# With no points at stake, the calls of a program end after ENOUGH_MS, in a round and in a case, and
# by size even earlier: sizes are many, and a table of sizes needs no interval.
ENOUGH_MS, ENOUGH_BY_SIZE_MS = 250, 100

UNJUDGED = (Kind.CEILING, Kind.BESIDE)  # kinds that do not solve the problem
LIBRARIES = (Kind.PEER, *UNJUDGED)


@dataclass(frozen=True)
class Entry:
    """A program whose times are wanted."""

    name: str  # "02_shared", "cub": unique among the entries of a session
    kind: Kind
    program: str  # the program that gives the answers: build/cpu/… or build/gpu/…
    file: Path | None = None  # the student's file, for a student's program


@dataclass(frozen=True)
class Timed:
    """An entry in a case; without a time if the answer was wrong or the entry was not run."""

    time_ms: float | None = None
    bytes: float = 0.0  # moved at least to solve the problem, as reported by the entry
    link_ms: float | None = None  # the time that the measured rate of the link allows
    binds: str = ""  # the model's key of the resource that takes longest
    causes: tuple[str, ...] = ()  # kinds of lost time (diagnose.py), the costliest first
    lacks: str = ""  # why the modelled GPU cannot run the entry: "NVIDIA T4 has no …"
    failure: CaseFailure | None = None
    failed_with: str = ""  # the options of the run that failed
    interval: Interval | None = None  # of a measured median
    states: Sequence[GpuState] = ()  # of the GPU, after each run
    printed: str = ""  # by a student's program


@dataclass
class CaseTimes:
    """The times of all entries of a session in a case."""

    case: Case
    timed: dict[str, Timed]  # by entry
    seed: int | None = None
    note: str = ""  # "shrunk to …"
    modelled: bool = False
    gpu: str = ""  # the GPU of the times
    # Of a session with a student:
    reference: Reference | None = None  # the baseline's time, from the session or stored
    bytes: float = 0.0  # moved at least to solve the problem, as reported by a trusted entry
    limit: str = ""  # what bounds the case, in words
    limit_ms: float | None = None
    impossible: str = ""  # why the student's time is impossible
    too_noisy: str = ""  # why no time counts on this machine now
    # How often a call of any entry was timed again after a disturbance of the GPU's memory, and how
    # long the programs waited for the end of disturbances.
    retaken: int = 0
    waited_ms: float = 0.0
    # Answers of programs of the course: judged answers, and answers with the same bytes.
    judged: int = 0
    same: int = 0
    unjudged: int = 0  # answers left over for lack of time
    judging_s: float = 0.0  # spent on judging
    calls_s: float = 0.0  # the sum of all measured times
    solution_ms: float | None = None
    peers_ms: dict[str, float] = field(default_factory=dict)  # of libraries

    @property
    def student(self) -> Timed:
        return self.timed[Kind.STUDENT]

    @property
    def baseline(self) -> Timed | None:
        return self.timed.get(Kind.BASELINE)


class Runners:
    """The running programs of entries, started once and used by contest after contest.

    A GPU takes half a second to wake for a new program.
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
        """Starts the programs of all entries; then all programs run the case at the same time.

        The outcomes do not matter. The caller's thread starts the programs, because a program ends
        with the thread that started the program.
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
        """Ends all programs; the next request starts a program again."""
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
    baseline: Baseline = field(default_factory=Baseline)  # if an entry is a student's
    seed: int | None = None  # None: measured with a new seed for each case
    # Measure until all medians are certain, not only the student's and the baseline's.
    settle: bool = False
    # The cases are sizes, smallest first; an entry is left out of sizes that cost too much.
    by_size: bool = False
    # Times of an earlier session, which need not be measured again.
    known: dict[str, CaseTimes] = field(default_factory=dict)
    # Above 1: the cases are views of a scene, all with the same seed. Every judge_every-th view is
    # judged, and an entry that failed in a view is left out of later views.
    judge_every: int = 1
    # Programs that were started before, and go on after the contest.
    runners: Runners | None = None
    judging: JudgingTime = field(default_factory=JudgingTime)  # of the programs of the course
    # The student's file belongs to the course, and is judged and timed like the course's programs.
    ours: bool = False

    @property
    def title(self) -> str:
        return title_of(self.assignment.name, self.part.name)

    @property
    def graded(self) -> bool:
        """Whether a student's program takes part."""
        return any(entry.kind == Kind.STUDENT for entry in self.entries)

    @property
    def one_input(self) -> bool:
        """Whether all repeats of a case have the same input, and end after some time.

        Only for programs of the course, none of which keeps results of earlier calls.
        """
        return self.ours or not self.graded

    @property
    def enough_ms(self) -> int:
        """The time after which the calls of a program end; 0: all calls of a case are made."""
        if not self.one_input:
            return 0
        return ENOUGH_BY_SIZE_MS if self.by_size else ENOUGH_MS


class Clock(Protocol):
    # Whether an answer is judged when timed. Otherwise the program was found right before timing.
    judges: bool

    def builds(self, entries: list[Entry]) -> list[str]:
        """The targets that make must build to time the entries."""

    def rival_programs(self, assignment: Assignment, part: Part) -> list[str]:
        """The targets that make must build before rivals() is called."""

    def rivals(self, assignment: Assignment, part: Part) -> list[Entry]:
        """The rivals of a student besides the baseline: the solution and libraries."""

    def session(self, contest: Contest, screen: Screen) -> AbstractContextManager[Session]: ...


def failure_of_ours(program: str, case: Case, failure: CaseFailure) -> GraderError:
    """The error for a failed program of the course, which is not the student's fault."""
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
    """The contest in a student's cases for speed: student, baseline and, if wanted, rivals."""
    assignment, part, submission = planned.assignment, planned.part, planned.submission
    student = Entry(Kind.STUDENT, Kind.STUDENT, submission.program, submission.file)
    entries = [student, *baseline_entries(planned)]
    if rivals:
        entries += clock.rivals(assignment, part)
    return Contest(assignment, part, entries, cases, planned.baseline, seed)


def baseline_entries(planned: PartPlan) -> list[Entry]:
    """The baseline as an entry; none if stored numbers replace the program."""
    program = planned.baseline.program
    return [Entry(Kind.BASELINE, Kind.BASELINE, program)] if program else []
