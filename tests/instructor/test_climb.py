"""The climb of a student repository: each step's points in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.base.progress import SilentScreen
from grader.course.load import load_assignment
from instructor.climb import STARTER, Step, climb_part, judge, lines_changed
from instructor.points import points_of_parts

ROOT = Path(__file__).parents[2]
ASSIGNMENT = load_assignment(ROOT, "transpose")
(TRANSPOSE,) = points_of_parts(ROOT, [ASSIGNMENT])
# What a check is made to give of 50 points, by a word in the student's file.
WORTH = {"__shared__": 30, "float4": 50}
MAKEFILE = """check-%:
\t@test "$(PART)" = transpose && test "$(DEVICE)" = cpu && python3 results.py
"""
RESULTS = f"""
import json, pathlib
text = pathlib.Path("transpose/transpose.cu").read_text()
score = max([10, *(points for word, points in {WORTH}.items() if word in text)])
part = {{"name": "transpose", "score": score, "max_score": 50}}
found = {{"assignments": [{{"name": "transpose", "parts": [part]}}]}}
pathlib.Path("build").mkdir(exist_ok=True)
pathlib.Path("build/results.json").write_text(json.dumps(found))
"""


def test_lines_that_change_are_those_removed_and_added() -> None:
    assert lines_changed("a\nb\nc\n", "a\nx\ny\nc\n") == 3
    assert lines_changed("a\n", "a\n") == 0


@pytest.mark.parametrize(
    ("before", "after", "points", "said"),
    [
        ("01_naive", "02_shared", (20, 59), ""),
        ("01_naive", "02_shared", (20, 21), "no visible gain"),
        ("02_shared", "03_padded", (60, 55), "no visible gain"),
        ("03_padded", "04_rotated", (89, 88), ""),
        ("04_rotated", "05_more_per_thread", (88, 100), ""),
        ("04_rotated", "05_more_per_thread", (88, 99), "the target rung has not all points"),
    ],
)
def test_points_follow_the_rule(before: str, after: str, points: tuple, said: str) -> None:
    step = Step(after, points=points[1])
    judge(TRANSPOSE, Step(before, points=points[0]), step)
    assert step.complaint == said
    assert step.gain == TRANSPOSE.measured.gain(before, after)


def test_a_student_repository_is_climbed_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "results.py").write_text(RESULTS)
    student = tmp_path / "transpose" / "transpose.cu"
    student.parent.mkdir()
    student.write_text("// the starter\n")
    found = climb_part(ROOT, tmp_path, ASSIGNMENT, TRANSPOSE, SilentScreen())
    assert [step.rung for step in found.steps] == [STARTER, *TRANSPOSE.below, "05_more_per_thread"]
    assert [step.points for step in found.steps] == [20, 20, 60, 60, 60, 60]
    assert [bool(step.complaint) for step in found.steps] == [0, 0, 0, 1, 0, 1]
    assert student.read_text() == "// the starter\n"
