"""The next rung of a ladder: a step up, never past the target, never without a gain."""

from pathlib import Path

import pytest

from grader.course.climb import Standing, next_rung
from grader.course.declare import Part
from grader.course.load import load_assignment
from grader.course.thresholds import load_thresholds

ROOT = Path(__file__).parents[3]
TIMES = {"01_plain": 9.0, "02_slower": 12.0, "03_tiles": 5.0, "04_level": 4.9, "05_best": 3.0}
TIMES |= {"06_past": 1.0}
PART = Part(
    name="part",
    contract="void part();",
    target="05_best",
    correctness=[],
    cures={"latency": "02_slower", "l2": "05_best", "shared": "03_tiles", "dram": "06_past"},
)


@pytest.mark.parametrize(
    ("file", "found"),
    [
        (Standing(TIMES, rung="01_plain", causes=("l2",)), "03_tiles"),
        (Standing(TIMES, rung="03_tiles", causes=("shared",)), "05_best"),
        (Standing(TIMES, rung="05_best", causes=("dram",)), ""),
        (Standing(TIMES, rung="06_past", causes=("l2",)), ""),
        # Of a file that is no rung: the first missing step beyond those already done.
        (Standing(TIMES, 2.9, causes=("l2", "shared")), "03_tiles"),
        (Standing(TIMES, 2.9, causes=("latency",)), "03_tiles"),
        (Standing(TIMES, 1.3, causes=("shared", "l2")), "05_best"),
        (Standing(TIMES, 1.3, causes=("shared",)), ""),
        (Standing(TIMES, 2.9, causes=("dram",)), ""),
        # Without times only the cures are known.
        (Standing({}, 2.9, causes=("l2", "shared")), "03_tiles"),
        # On a GPU the times alone decide.
        (Standing(TIMES, 3.0, measured=True), "03_tiles"),
        (Standing(TIMES, 1.6, measured=True), "05_best"),
        (Standing(TIMES, 4.5, measured=True), "01_plain"),
    ],
)
def test_next_rung(file, found):
    assert next_rung(PART, file) == found


@pytest.mark.parametrize(
    ("assignment", "part", "case", "rung", "found"),
    [
        ("scan", "exclusive_scan", "10 M", "02_sweeps", "03_shared"),
        ("scan", "find_repeats", "10 M", "03_single_pass", ""),
        # Handouts say that managed and pinned memory gain nothing.
        ("saxpy", "saxpy_host", "2^20", "01_pageable", "06_kept_buffers"),
    ],
)
def test_next_rung_of_the_course(assignment, part, case, rung, found):
    declared = load_assignment(ROOT, assignment).part(part)
    times = load_thresholds(ROOT, assignment, "NVIDIA H200").rungs(part)[case]
    assert next_rung(declared, Standing(times, rung=rung)) == found
