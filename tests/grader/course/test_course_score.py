"""What CS149 would pay for the same times, compared with the rules of CS149's assignment 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.check.points import elsewhere_text
from grader.course.declare import CourseScore
from grader.course.load import load_assignment
from grader.course.results import CaseResult, Times, Verdict

ROOT = Path(__file__).parents[3]
PARTS = {
    (name, part.name): part
    for name in ("scan", "render")
    for part in load_assignment(ROOT, name).parts
}
SCAN = PARTS["scan", "exclusive_scan"]
CIRCLES = PARTS["render", "circles"]


def course_of(name: str, part: str) -> CourseScore:
    course = PARTS[name, part].course_score
    assert course
    return course


@pytest.mark.parametrize("part", ["exclusive_scan", "find_repeats"])
@pytest.mark.parametrize(("ratio", "points"), [(0.5, 1.25), (1.2, 1.25), (1.25, 1.0), (5, 0.25)])
def test_a_size(part: str, ratio: float, points: float) -> None:
    assert course_of("scan", part).pay(ratio) == pytest.approx(points)


@pytest.mark.parametrize(
    ("ratio", "points"), [(1, 9), (1.2, 9), (1.21, 8), (2, 6), (7, 3), (10, 3), (10.1, 2)]
)
def test_a_scene(ratio: float, points: int) -> None:
    assert course_of("render", "circles").pay(ratio) == points


def test_the_whole() -> None:
    assert course_of("scan", "exclusive_scan").most == course_of("scan", "find_repeats").most == 5
    assert course_of("render", "circles").most == 72


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_its_cases_are_timed_here(part) -> None:
    if part.course_score:
        assert set(part.course_score.cases) <= {case.name for case in part.speed}


def timed(name: str, ms: float, reference: float | None = 1.0, verdict: str = "ok") -> CaseResult:
    times = Times(time_ms=ms, reference_ms=reference)
    return CaseResult(name, "speed", Verdict(verdict), times=times)


def test_it_is_said_where_all_its_cases_are_timed_and_right() -> None:
    names = course_of("scan", "exclusive_scan").cases
    right = [timed(name, 2.4) for name in names]
    assert "would pay 2.08 of 5" in elsewhere_text(SCAN, right)
    assert elsewhere_text(SCAN, right[1:]) == ""
    assert elsewhere_text(SCAN, [*right[1:], timed(names[0], 1, verdict="wrong")]) == ""
    assert elsewhere_text(SCAN, [*right[1:], timed(names[0], 1, reference=None)]) == ""
    assert elsewhere_text(PARTS["render", "card"], right) == ""
