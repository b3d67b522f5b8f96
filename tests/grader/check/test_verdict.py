"""The verdict of a case and the points, from the frozen results of the steps."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from grader.check.points import is_right, points_for_answer, points_for_time, withhold
from grader.check.verdict import NOT_SANITIZED, NOT_TIMED, Answer, Sanitized, TimedCase, judge
from grader.course.declare import Case, Part, Scale
from grader.course.plan import PartPlan, Plan
from grader.course.results import (
    NO_POINTS,
    OK,
    AssignmentResult,
    CaseResult,
    PartResult,
    Points,
    Times,
    Verdict,
)

WRONG, TIMEOUT = Verdict("wrong", "index 0"), Verdict("timeout", "no answer")
RACE, LATE = Verdict("race", "line 7"), Verdict("timeout", "under sanitize")
TOO_FAST = Verdict("too_fast", "impossible")
TIMED = TimedCase(times=Times(time_ms=2.0, reference_ms=1.0, scale=Scale(1.0, 4.0)))


@pytest.mark.parametrize(
    ("answer", "sanitized", "timed", "verdict"),
    [
        (OK, NOT_SANITIZED, NOT_TIMED, OK),
        (WRONG, NOT_SANITIZED, NOT_TIMED, WRONG),
        (OK, Sanitized(RACE, is_finding=True), NOT_TIMED, RACE),
        (WRONG, Sanitized(RACE, is_finding=True), NOT_TIMED, RACE),
        (OK, Sanitized(LATE), NOT_TIMED, LATE),
        (WRONG, Sanitized(LATE), NOT_TIMED, WRONG),
        (OK, NOT_SANITIZED, TimedCase(TOO_FAST), TOO_FAST),
        (TIMEOUT, NOT_SANITIZED, TimedCase(TOO_FAST), TIMEOUT),
    ],
)
def test_a_finding_comes_first_then_the_answer_then_the_rest(
    answer: Verdict, sanitized: Sanitized, timed: TimedCase, verdict: Verdict
) -> None:
    assert judge(Answer(answer), sanitized, timed) is verdict


def test_points_follow_from_the_verdict_and_the_times() -> None:
    assert points_for_answer(5, OK) == Points(5, 5)
    assert points_for_answer(5, WRONG) == Points(0, 5)
    assert points_for_time(8, TIMED).score == pytest.approx(4)
    assert points_for_time(8, NOT_TIMED) == Points(0, 8)
    assert points_for_time(8, TimedCase(Verdict("too_noisy"), left_out=True)) == NO_POINTS


def case_results(answer: Verdict) -> list[CaseResult]:
    return [
        CaseResult("small", "correctness", answer, points_for_answer(40, answer)),
        CaseResult("large", "speed", OK, points_for_time(60, TIMED), TIMED.times),
    ]


def test_speed_is_paid_for_a_right_and_whole_part() -> None:
    part = Part("part", "void f();", "01", [Case("small")], [Case("large")])
    longer = Part("part", "void f();", "01", [Case("small"), Case("odd")], [Case("large")])
    right, wrong = case_results(OK), case_results(WRONG)
    assert is_right(case.judged for case in right)
    assert withhold(right, part) == right
    assert [case.points for case in withhold(wrong, part)] == [Points(0, 40), Points(0, 60)]
    paid_later = withhold(right, longer)[1].points
    assert (paid_later.score, paid_later.max_score, paid_later.needs_all) == (0, 0, 60)
    assert paid_later.formula


@pytest.mark.parametrize(
    "kind",
    [
        *(Answer, Sanitized, TimedCase, Verdict, Times, Points),
        *(CaseResult, PartResult, AssignmentResult, PartPlan, Plan),
    ],
)
def test_results_and_plans_are_values(kind: type) -> None:
    value = object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(value, fields(kind)[0].name, None)
