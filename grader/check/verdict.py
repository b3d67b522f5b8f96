"""The result of each step of a check for a case, and the verdict that follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.course.declare import Case
from grader.course.results import OK, UNTIMED, Times, Verdict


@dataclass(frozen=True)
class Answer:
    """A run of the student's program whose output was judged."""

    verdict: Verdict = OK
    seed: int | None = None
    printed: str = ""
    smaller: str = ""  # the options of a smaller case for speed on the CPU device


@dataclass(frozen=True)
class Sanitized:
    """A run of the same case under sanitize.

    A finding decides the verdict; an early end or a wrong answer of the run decides only after a
    right answer.
    """

    verdict: Verdict = OK
    is_finding: bool = False


@dataclass(frozen=True)
class TimedCase:
    """The times of a case for speed, or the reason why the case has none."""

    verdict: Verdict = OK
    times: Times = UNTIMED
    left_out: bool = False  # of points and maximum, for lack of a time to compare with
    seed: int | None = None
    note: str = ""  # "shrunk to …"
    printed: str = ""


# The results of steps left out.
NO_ANSWER, NOT_SANITIZED, NOT_TIMED = Answer(), Sanitized(), TimedCase()


def judge(
    answer: Answer, sanitized: Sanitized = NOT_SANITIZED, timed: TimedCase = NOT_TIMED
) -> Verdict:
    """Decides the verdict of a case."""
    if sanitized.is_finding:
        return sanitized.verdict
    verdicts = (answer.verdict, sanitized.verdict, timed.verdict)
    return next((verdict for verdict in verdicts if not verdict.is_ok), OK)


@dataclass(frozen=True)
class Steps:
    """What the steps of a check have shown, by case; a case without an entry was left out."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    sanitized: Mapping[str, Sanitized] = field(default_factory=dict)
    timed: Mapping[str, TimedCase] = field(default_factory=dict)

    def answer(self, case: Case) -> Answer:
        return self.answers.get(case.name, NO_ANSWER)

    def time(self, case: Case) -> TimedCase:
        return self.timed.get(case.name, NOT_TIMED)

    def verdict(self, case: Case) -> Verdict:
        found = self.sanitized.get(case.name, NOT_SANITIZED)
        return judge(self.answer(case), found, self.time(case))

    def printed(self, case: Case) -> str:
        return self.time(case).printed or self.answer(case).printed
