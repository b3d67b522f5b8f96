"""One case on one program: run it, pick a repeat, have the judge look at it, keep the time."""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from grader.judge import judge_output
from grader.options import numbers, with_number
from grader.runner import CaseFailure, Runner, RunReply

FETCH_TIMEOUT_S = 120.0
START_ALLOWANCE_S = 5.0  # loading the program and waking the GPU are not the case's doing
ROUNDS = 2  # a speed case is run this often, all programs in turn, so that drift meets all alike


@dataclass(frozen=True)
class Judge:
    program: Path
    part: str

    def verify(self, runner: Runner, options: str, repeat: int) -> None:
        """Raises CaseFailure("wrong") unless the output of this repeat is right."""
        with runner.fetched(repeat, FETCH_TIMEOUT_S) as output_fd:
            judgement = judge_output(self.program, self.part, output_fd, repeat, options)
        if judgement.verdict != "ok":
            raise CaseFailure("wrong", judgement.detail)


def run_case(runner: Runner, judge: Judge | None, options: str, timeout_s: float) -> RunReply:
    """Runs a case once and judges one of its repeats, chosen when the times are already in."""
    repeats = numbers(options).get("repeats", 1)
    reply = runner.run(options, repeats, timeout_s + START_ALLOWANCE_S)
    if judge:
        judge.verify(runner, options, random.SystemRandom().randrange(repeats))
    return reply


@dataclass
class Contestant:
    """A program that runs a speed case: the student's, or one that it is compared with."""

    name: str
    runner: Runner
    judged: bool = True  # a plain copy solves nothing: it is only timed
    times_ms: list[float] = field(default_factory=list)
    bytes: float = 0.0
    limit_ms: float | None = None
    failure: CaseFailure | None = None

    def run(self, judge: Judge, options: str, timeout_s: float) -> None:
        """One round; a failure takes the contestant out of the race and its times with it."""
        if self.failure:
            return
        try:
            reply = run_case(self.runner, judge if self.judged else None, options, timeout_s)
        except CaseFailure as failure:
            self.failure, self.times_ms = failure, []
            return
        self.times_ms += reply.times_ms
        self.bytes, self.limit_ms = reply.bytes, reply.limit_ms

    @property
    def time_ms(self) -> float | None:
        return statistics.median(self.times_ms) if self.times_ms else None

    @property
    def bytes_per_ms(self) -> float | None:
        return self.bytes / self.time_ms if self.time_ms and self.bytes else None


def race(
    contestants: list[Contestant],
    judge: Judge,
    options: str,
    seed: int,
    timeout_s: float,
    keep_running: bool,
) -> str:
    """Times one case for all contestants, the first (the student) setting the pace.

    Returns the options of the round that the first one failed in, or of the first round. Where the
    memory of all programs together would not fit the GPU, `keep_running` is False and each gives
    its memory back before the next one starts.
    """
    repeats = numbers(options).get("repeats", 1)
    rounds = ROUNDS if repeats > 1 else 1
    first_options = ""
    for number in range(rounds):
        each = with_number(options, "repeats", -(-repeats // rounds)) if rounds > 1 else options
        each = with_number(each, "seed", seed + number)
        first_options = first_options or each
        for contestant in contestants:
            contestant.run(judge, each, timeout_s)
            if not keep_running:
                contestant.runner.close()
            if contestants[0].failure:
                return each
    return first_options
