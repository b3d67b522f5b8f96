"""One case on one program: run it, pick a repeat, have the judge look at it, keep the time."""

from __future__ import annotations

import random
import shlex
import statistics
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.judge import judge_output
from grader.options import numbers, with_number
from grader.runner import CaseFailure, Runner, RunReply

FETCH_TIMEOUT_S = 120.0
ROUNDS = 2  # a speed case is run this often, all programs in turn, so that drift meets all alike


@dataclass(frozen=True)
class Judge:
    program: Path
    part: str
    picture: Path | None = None  # where the judge leaves the images it has compared, if it has any

    def verify(self, runner: Runner, options: str, repeat: int) -> None:
        """Raises CaseFailure("wrong") unless the output of this repeat is right."""
        if self.picture:
            self.picture.parent.mkdir(parents=True, exist_ok=True)
            options += f" --out {shlex.quote(str(self.picture))}"
        with runner.fetched(repeat, FETCH_TIMEOUT_S) as output_fd:
            judgement = judge_output(self.program, self.part, output_fd, repeat, options)
        if judgement.verdict != "ok":
            raise CaseFailure("wrong", judgement.detail, repeat)


def run_case(runner: Runner, judge: Judge | None, options: str, timeout_s: float) -> RunReply:
    """Runs a case once and judges one of its repeats, chosen when the times are already in."""
    repeats = numbers(options).get("repeats", 1)
    reply = runner.run(options, repeats, timeout_s)
    if judge:
        judge.verify(runner, options, random.SystemRandom().randrange(repeats))
    return reply


@dataclass
class Contestant:
    """A program that runs a speed case: the student's, or one that it is compared with."""

    name: str
    runner: Runner
    judged: bool = True  # a plain copy solves nothing: it is only timed
    picture: Path | None = None
    times_ms: list[float] = field(default_factory=list)
    bytes: float = 0.0
    limit_ms: float | None = None
    failure: CaseFailure | None = None
    failed_with: str = ""  # the options of the run that failed

    def run(self, judge: Judge, options: str, timeout_s: float) -> None:
        """One round; a failure takes the contestant out of the race and its times with it."""
        if self.failure:
            return
        try:
            own_judge = replace(judge, picture=self.picture) if self.judged else None
            reply = run_case(self.runner, own_judge, options, timeout_s)
        except CaseFailure as failure:
            self.failure, self.failed_with, self.times_ms = failure, options, []
            return
        self.times_ms += reply.times_ms
        self.bytes, self.limit_ms = reply.bytes, reply.limit_ms

    @property
    def time_ms(self) -> float | None:
        return statistics.median(self.times_ms) if self.times_ms else None

    @property
    def bytes_per_ms(self) -> float | None:
        return self.bytes / self.time_ms if self.time_ms and self.bytes else None


def rounds_of(options: str) -> list[str]:
    """The case's repeats shared out over several rounds, each with inputs of its own."""
    repeats, seed = numbers(options).get("repeats", 1), numbers(options)["seed"]
    if repeats == 1:
        return [options]
    each = with_number(options, "repeats", -(-repeats // ROUNDS))
    return [with_number(each, "seed", seed + number) for number in range(ROUNDS)]


def race(
    contestants: list[Contestant],
    judge: Judge,
    options: str,
    timeout_s: float,
    together: bool,
    leader: Contestant | None = None,
) -> None:
    """Times one case for all contestants, in turn; a failure of the leader ends the race.

    Where the memory of all programs would not fit the GPU, `together` is False and each gives its
    memory back before the next one starts.
    """
    for one_round in rounds_of(options):
        for contestant in contestants:
            contestant.run(judge, one_round, timeout_s)
            if not together:
                contestant.runner.close()
            if leader and leader.failure:
                return
