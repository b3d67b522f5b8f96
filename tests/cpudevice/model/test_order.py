"""Compares the speed points of every rung with an H200's; `make crosscheck` writes the times."""

import json
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from grader.course.declare import Scale
from grader.course.load import load_assignment
from grader.timing.score import speed_fraction
from instructor.crosscheck.fit import TIE

HARDLY = 0.1  # of a case's points: what the model may have the wrong way round
ROOT = Path(__file__).parents[3]
ROWS = json.loads((ROOT / "tests" / "cpudevice" / "model" / "times" / "h200.json").read_text())
CASES = [(key, list(rows)) for key, rows in groupby(ROWS, key=lambda row: tuple(row[:3]))]


def target_of(assignment: str, part: str) -> str:
    return next(p.target for p in load_assignment(ROOT, assignment).parts if p.name == part)


def fractions(key: tuple[str, ...], rows: list) -> dict[str, float]:
    """Returns the fraction of the speed points that each rung gets on the CPU device."""
    modelled = {rung: time for *_, rung, _, time in rows}
    target = modelled[target_of(*key[:2])]
    return {rung: speed_fraction(time, target, Scale()) for rung, time in modelled.items()}


@pytest.mark.parametrize(("key", "rows"), CASES, ids=[" ".join(key[1:]) for key, _ in CASES])
def test_a_rung_that_is_faster_on_a_gpu_earns_hardly_less_than_the_one_before(key, rows):
    """tests/instructor/test_points.py checks that the rung earns more over all cases of a part."""
    earned = fractions(key, rows)
    for before, after in pairwise(rows):
        if before[4] > TIE * after[4]:
            assert earned[after[3]] >= earned[before[3]] - HARDLY, (before, after)


@pytest.mark.parametrize(("key", "rows"), CASES, ids=[" ".join(key[1:]) for key, _ in CASES])
def test_the_target_earns_everything_and_a_first_rung_that_is_far_slower_does_not(key, rows):
    earned = fractions(key, rows)
    measured = {row[3]: row[4] for row in rows}
    target = target_of(*key[:2])
    assert earned[target] == 1
    first = rows[0][3]
    if measured[first] > 3 * measured[target]:
        assert earned[first] < 1
