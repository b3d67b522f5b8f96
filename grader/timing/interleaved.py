"""Times programs in turn, so that drift affects all programs, until the medians are certain."""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.base.gpu_state import GpuState
from grader.course.options import numbers, with_number
from grader.course.results import Interval
from grader.run.case import Judge, JudgingTime, RightAnswers, run_case
from grader.run.runner import CaseFailure, Runner, RunReply
from grader.timing.statistics import SETTLED, Exchange, median_interval

ROUNDS = 2  # rounds of a speed case
MOST_ROUNDS = 6  # with further rounds for a median that is not yet certain
SETTLE_S = 5.0  # no further round begins later
JUDGED_S = 0.25  # for judging more repeats of a round, after the first


@dataclass(eq=False)
class Contestant:
    """A program that takes turns with other programs in a case."""

    name: str
    runner: Runner
    judged: bool = True  # False: timed only, like a plain copy, which solves nothing
    trusted: bool = True  # a program of the course: right once, right always
    # The sum of times after which no further repeat or round begins; 0: no limit.
    enough_ms: int = 0
    picture: Path | None = None
    look: Callable[[], GpuState] = GpuState  # of the GPU, after each run
    replies: list[RunReply] = field(default_factory=list)
    states: list[GpuState] = field(default_factory=list)
    failure: CaseFailure | None = None
    failed_with: str = ""  # the options of the run that failed

    def run(self, judge: Judge, options: str, timeout_s: float, right: RightAnswers) -> None:
        """Runs a round; a failure ends the program's turns and discards its times."""
        if self.failure or self.has_enough:
            return
        try:
            reply = (
                self.run_ours(judge, options, timeout_s, right)
                if self.trusted
                else self.run_theirs(judge, options, timeout_s)
            )
        except CaseFailure as failure:
            self.failure, self.failed_with, self.replies = failure, options, []
            return
        finally:
            if not self.trusted:
                self.runner.pause()
        self.replies.append(reply)
        self.states.append(self.look())

    def run_ours(
        self, judge: Judge, options: str, timeout_s: float, right: RightAnswers
    ) -> RunReply:
        repeats = numbers(options).get("repeats", 1)
        reply = self.runner.run(options, repeats, timeout_s, self.enough_ms)
        if self.judged and not self.replies:
            right.verify(self.runner, judge, options)
        return reply

    def run_theirs(self, judge: Judge, options: str, timeout_s: float) -> RunReply:
        own_judge = replace(judge, picture=self.picture) if self.judged else None
        return run_case(self.runner, own_judge, options, timeout_s, JUDGED_S)

    @property
    def has_enough(self) -> bool:
        return 0 < self.enough_ms <= sum(self.times_ms)

    @property
    def times_ms(self) -> list[float]:
        return [ms for reply in self.replies for ms in reply.times_ms]

    @property
    def exchanges(self) -> list[Exchange]:
        """The runs to compare with the grader's own clock: all but a run that includes loading."""
        return [
            Exchange(reply.times_ms, reply.wall_ms, reply.retaken, reply.waited_ms)
            for reply in self.replies
            if reply.warm
        ]

    @property
    def bytes(self) -> float:
        return self.replies[-1].bytes if self.replies else 0.0

    @property
    def limit_ms(self) -> float | None:
        return self.replies[-1].limit_ms if self.replies else None

    @property
    def limit(self) -> str:
        return self.replies[-1].limit if self.replies else ""

    @property
    def interval(self) -> Interval | None:
        return median_interval(self.times_ms) if self.replies else None

    @property
    def time_ms(self) -> float | None:
        return self.interval.median if self.interval else None

    @property
    def settled(self) -> bool:
        """Whether the median is known well enough, or never will be."""
        known = bool(self.interval and self.interval.width <= SETTLED)
        return self.failure is not None or self.has_enough or known

    @property
    def bytes_per_ms(self) -> float | None:
        return self.bytes / self.time_ms if self.time_ms and self.bytes else None


def rounds_of(options: str, one_input: bool) -> Iterator[str]:
    """Options of round after round: half the repeats, and new inputs unless `one_input`."""
    repeats, seed = numbers(options).get("repeats", 1), numbers(options)["seed"]
    each = with_number(options, "repeats", -(-repeats // ROUNDS)) if repeats > 1 else options
    for number in itertools.count():
        yield each if one_input else with_number(each, "seed", seed + number)


def time_interleaved(
    contestants: list[Contestant],
    judge: Judge,
    options: str,
    timeout_s: float,
    together: bool,
    leader: Contestant | None = None,
    settle: Sequence[Contestant] = (),
    judging: JudgingTime | None = None,
    one_input: bool = False,
) -> RightAnswers:
    """Times a case for all programs, in turn; a failure of the leader ends the case for all.

    Returns the judged answers of programs of the course. Programs in `settle` go on until the
    medians are certain, or for MOST_ROUNDS. `together` is False if the GPU's memory cannot hold all
    programs: then each program runs all rounds, and frees its memory before the next program
    starts. With `one_input` all rounds have the same input.
    """
    right = RightAnswers(judging)
    for group in [contestants] if together else [[each] for each in contestants]:
        rounds = rounds_of(options, one_input)
        several = numbers(options).get("repeats", 1) > 1
        run_rounds(group, judge, rounds, several, timeout_s, leader, settle, right)
        if not together:
            group[0].runner.close()
        if leader and leader.failure:
            break
    return right


def run_rounds(
    group: list[Contestant],
    judge: Judge,
    rounds: Iterator[str],
    several: bool,
    timeout_s: float,
    leader: Contestant | None,
    settle: Sequence[Contestant],
    right: RightAnswers,
) -> None:
    """`rounds`: the options of each round; `several`: whether the case has several."""

    def run_round(due: list[Contestant]) -> bool:
        """Runs a round; False after a failure of the leader."""
        one_round = next(rounds)
        for contestant in due:
            contestant.run(judge, one_round, timeout_s, right)
            if leader and leader.failure:
                return False
        return True

    for _ in range(ROUNDS if several else 1):
        if not run_round(group):
            return
    due = [each for each in group if each in settle]
    enough = time.monotonic() + SETTLE_S
    for _ in range(ROUNDS, MOST_ROUNDS if several else ROUNDS):
        if all(each.settled for each in due) or time.monotonic() > enough or not run_round(due):
            return
