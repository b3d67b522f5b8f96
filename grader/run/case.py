"""Runs a case on a program, picks a repeat, and has the judge look at its output."""

import hashlib
import math
import os
import random
import re
import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.course.declare import Assignment, Case, Part
from grader.course.options import numbers
from grader.run.judge import judge_output
from grader.run.runner import CaseFailure, Runner, RunReply

FETCH_TIMEOUT_S = 120.0
SEED = 1  # of programs of the course, whose counters must be the same in every check


def new_seed() -> int:
    """A seed from the operating system, unknown until the report prints the seed."""
    return int.from_bytes(os.urandom(4), "little")


def seed_of(file: Path, asked: int | None = None) -> int:
    """The seed for a student's file in runs that must give the same result each time.

    Unless given, the seed depends on every byte of the file, so no file can contain the answers for
    its own seed.
    """
    if asked is not None:
        return asked
    return int.from_bytes(hashlib.sha256(file.read_bytes()).digest()[:4], "little")


def picture_file(root: Path, assignment: str, part: str, case: str) -> Path:
    """The student's image, beside <case>-reference.png and <case>-difference.png."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", case)
    return root / "build" / "pictures" / assignment / part / f"{name}.png"


def picture_of(root: Path, assignment: Assignment, part: Part, case: Case) -> Path | None:
    """The path for the judge's pictures of a case, None if no output is a picture."""
    if not part.pictures or case.hidden:
        return None
    return picture_file(root, assignment.name, part.name, case.name)


@dataclass(frozen=True)
class Judge:
    program: Path
    part: str
    picture: Path | None = None  # where the judge writes the compared images, if any

    def verify(self, runner: Runner, options: str, repeat: int) -> None:
        """Raises CaseFailure("wrong") unless the output of the repeat is right."""
        if self.picture:
            self.picture.parent.mkdir(parents=True, exist_ok=True)
            # A picture from an earlier check must not be taken for a new picture.
            self.picture.unlink(missing_ok=True)
            options += f" --out {shlex.quote(str(self.picture))}"
        with runner.fetched(repeat, FETCH_TIMEOUT_S) as output_fd:
            judgement = judge_output(self.program, self.part, output_fd, repeat, options)
        if judgement.verdict != "ok":
            raise CaseFailure("wrong", judgement.detail, repeat)


@dataclass
class JudgingTime:
    """How long answers of programs of the course may be judged, and the time spent so far."""

    limit_s: float = math.inf
    spent_s: float = 0.0

    @property
    def is_over(self) -> bool:
        return self.spent_s >= self.limit_s

    @contextmanager
    def running(self) -> Iterator[None]:
        """Adds the time of what is done meanwhile."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.spent_s += time.monotonic() - started


class RightAnswers:
    """The answers of programs of the course that the judge found right, by the case's options.

    Another program of the course whose answer has the same bytes is right too, without a judge.
    When the time for judging is over, other answers are not judged.
    """

    def __init__(self, judging: JudgingTime | None = None) -> None:
        self.fingerprints: dict[str, set[str]] = {}
        self.judging = judging or JudgingTime()
        self.judged = self.same = 0  # answers seen by a judge, and answers with the same bytes
        self.unjudged = 0  # answers left over for lack of time

    def verify(self, runner: Runner, judge: Judge, options: str) -> None:
        """Raises CaseFailure("wrong") unless the output of the first repeat is right."""
        known = self.fingerprints.setdefault(options, set())
        with self.judging.running():
            found = runner.fingerprint(0, FETCH_TIMEOUT_S)
            if found in known:
                self.same += 1
                return
            if self.judging.is_over:
                self.unjudged += 1
                return
            judge.verify(runner, options, 0)
        self.judged += 1
        known.add(found)


def run_case(
    runner: Runner, judge: Judge | None, options: str, timeout_s: float, more_s: float = 0.0
) -> RunReply:
    """Runs a case once and judges a repeat, chosen after the times have arrived.

    Further repeats are judged for `more_s` seconds, or until all are judged.
    """
    repeats = numbers(options).get("repeats", 1)
    reply = runner.run(options, repeats, timeout_s)
    if judge:
        enough = time.monotonic() + more_s
        for repeat in random.SystemRandom().sample(range(repeats), repeats):
            judge.verify(runner, options, repeat)
            if time.monotonic() >= enough:
                break
    return reply
