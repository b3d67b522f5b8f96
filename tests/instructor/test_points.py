"""Points follow the ladder: the rule of docs/grading.md, for all stored times of all rungs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpudevice.model.gpu import load_gpu
from grader.course.declare import Assignment, Case, Part
from grader.course.load import load_assignments
from grader.course.thresholds import load_thresholds
from instructor.points import BEGIN, END, PAGE, VISIBLE, PartPoints, markdown, points_of_parts

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = load_assignments(ROOT, [])
PARTS = points_of_parts(ROOT, ASSIGNMENTS)
STARTER = 20.0  # of 100
FULL = 100.0
each_part = pytest.mark.parametrize("one", PARTS, ids=lambda one: one.part.name)


def test_every_part_with_measured_times_has_points():
    stored = {
        part.name
        for assignment in ASSIGNMENTS
        for part in assignment.parts
        if load_thresholds(ROOT, assignment.name, load_gpu().name).rungs(part.name)
    }
    assert {one.part.name for one in PARTS} == stored != set()


def test_a_part_without_stored_times_is_left_out():
    part = Part("histogram", "void histogram(int n);", "02_shared", [], speed=[Case("large")])
    new = Assignment("histogram", [part])
    assert points_of_parts(ROOT, [*ASSIGNMENTS[:1], new]) == points_of_parts(ROOT, ASSIGNMENTS[:1])


@each_part
def test_a_starter_that_is_right_earns_next_to_nothing(one: PartPoints):
    """A starter with points is rung 1; `test_starter_scores` grades the file."""
    if one.part.starter_points:
        for device in (one.measured, one.modelled):
            assert device.points(one.first) <= STARTER + 1e-9


@each_part
def test_every_case_separates_on_a_gpu(one: PartPoints):
    for case in one.measured.worth:
        assert one.measured.fraction(case, one.first) <= 0.5, case
        assert one.measured.fraction(case, one.part.target) == 1
        for rung in one.below:
            assert one.measured.fraction(case, rung) < 1, (case, rung)


@each_part
def test_full_marks_need_the_targets_idea(one: PartPoints):
    for device in (one.measured, one.modelled):
        assert device.points(one.part.target) == pytest.approx(FULL)
        for rung in one.below:
            assert device.points(rung) <= FULL - VISIBLE, rung


@each_part
def test_a_rung_that_is_clearly_faster_earns_visibly_more(one: PartPoints):
    unseen = one.unseen()
    for before, after in one.steps:
        if one.stays_behind(after):
            continue
        step = one.measured.points(after) - one.measured.points(before)
        assert step >= VISIBLE, (before, after)
        if (before, after) not in unseen:
            step = one.modelled.points(after) - one.modelled.points(before)
            assert step >= VISIBLE, (before, after)


@each_part
def test_a_rung_past_the_target_that_is_faster_has_full_marks(one: PartPoints):
    past = one.measured.rungs[len(one.below) + 1 :]
    for rung in past:
        if one.measured.slowdown(rung) < 1:
            assert one.measured.points(rung) == pytest.approx(FULL), rung
            if one.modelled.has(rung):
                assert one.modelled.points(rung) >= FULL - VISIBLE, rung


def test_what_the_model_does_not_show_is_little():
    """Otherwise a student could not climb a ladder on the CPU device."""
    steps = [step for one in PARTS for step in one.steps]
    unseen = [step for one in PARTS for step in one.unseen()]
    assert len(unseen) <= 0.1 * len(steps), unseen


def test_the_page_has_the_present_points():
    text = (ROOT / PAGE).read_text()
    shown = text.partition(BEGIN)[2].partition(END)[0]
    assert shown.strip() == markdown(PARTS).strip(), "make points writes them again"
