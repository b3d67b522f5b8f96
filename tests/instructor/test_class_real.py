"""A small class on a real assignment: the box around each copy, and what must not get through.

A class of 60, on a single machine and on Slurm: docs/instructors.md has the commands.
"""

import csv
import os
import subprocess
import sys
from pathlib import Path

import class_of
import pytest

from grader.course.load import load_assignments
from instructor.batch.enclose import can_enclose

ROOT = Path(__file__).parents[2]
PLACE = "transpose/transpose.cu"


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Returns the rows of the class's gradebook, by student."""
    folder = tmp_path_factory.mktemp("class")
    submissions, out = folder / "in", folder / "out"
    class_of.make_class(ROOT, submissions, load_assignments(ROOT, ["transpose"]), 0)
    home = ROOT / "transpose"
    solution = {PLACE: (home / "solution.cu").read_bytes()}
    for way in (class_of.empty, class_of.nested_twice, class_of.bomb, class_of.other_course):
        way(submissions / way.__name__, solution)
    forbidden = {PLACE: (home / "wrong" / "uses_cublas.cu").read_bytes()}
    class_of.zipped(submissions / "uses_cublas", forbidden)
    # Another student's file, asked for by the path outside the box.
    secret = submissions / "does_not_compile" / "transpose.cu"
    secret.parent.mkdir()
    secret.write_text("#error the secret of another submission\n")
    thief = f'#include "transpose.h"\n#include "{secret}"\n'
    class_of.zipped(submissions / "thief", {PLACE: thief.encode()})
    command = [
        sys.executable,
        "-m",
        "instructor",
        "grade-class",
        "--only=transpose",
        "--device=cpu",
    ]
    done = subprocess.run(
        [*command, f"--submissions={submissions}", f"--out={out}"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    with (out / "gradebook.csv").open(newline="", encoding="utf-8-sig") as file:
        found = {row["student"]: row for row in csv.DictReader(file)}
    for row in found.values():
        row["text"] = (out / row["report"]).with_suffix(".txt").read_text()
    return found


def test_each_gets_what_it_earns(rows):
    for name in ("empty", "nested_twice", "bomb"):
        assert (rows[name]["status"], rows[name]["score"]) == ("rejected", "0")
    assert rows["other_course"]["score"] == rows["other_course"]["maximum"] == "100"
    assert "which does not count: Makefile and 1 more" in rows["other_course"]["notes"]
    assert "build_error" in rows["does_not_compile"]["verdicts"]
    assert "forbidden" in rows["uses_cublas"]["verdicts"]


def test_no_submission_sees_another_one(rows):
    if not can_enclose():
        pytest.skip("bubblewrap does not work here, so copies are not boxed in")
    assert "the secret of another submission" in rows["does_not_compile"]["text"]
    assert rows["thief"]["score"] == "0"
    assert "the secret of another submission" not in rows["thief"]["text"]
    assert "No such file" in rows["thief"]["text"] or "forbidden" in rows["thief"]["verdicts"]
