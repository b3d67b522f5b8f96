"""`make new-assignment`: a new assignment in a copy of the repository passes the tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands.checkout import copy_builds, course, run

ROOT = Path(__file__).parents[2]
NAME = "run_lengths"  # longer than the template's name, for other line breaks
# What every assignment needs, without the other assignments.
FOLDERS = ("grader", "instructor", "harness", "cpudevice", "tests", "docs")
FILES = ("Makefile", "instructor.mk", "pyproject.toml", ".clang-format", ".gitignore")
LINKED = "saxpy/README.md"  # by the page of a new assignment


class Copy:
    """The course without assignments, in git, with a built harness."""

    def __init__(self, root: Path):
        self.root = root
        for name in FOLDERS:
            ignored = shutil.ignore_patterns("__pycache__", "golden", "hardware")
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        (root / LINKED).parent.mkdir()
        for name in (*FILES, LINKED):
            shutil.copy2(ROOT / name, root / name)
        (root / "grader" / "starters.json").write_text("{}\n")
        copy_builds(root)
        self.run("git", "init", "--quiet")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"CUDACC_BUILD": str(ROOT / "build" / "cpudevice")}
        environment |= {"PYTHONPATH": str(self.root)}
        for variable in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PYTEST_ADDOPTS"):
            environment.pop(variable, None)
        for variable in [name for name in environment if name.startswith("PYTEST_XDIST")]:
            environment.pop(variable)
        return subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, timeout=500
        )

    def new(self, name: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "instructor", "new-assignment", "--name", name)

    def test(self, file: str, *which: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", file, *which)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "name the assignment"),
        ("Histogram", "small letters"),
        ("x", "2 to 24"),
        ("../up", "small letters"),
        ("a" * 25, "2 to 24"),
        ("docs", "docs/ is there already"),
        ("union", "a word of C++"),
        ("main", "a word of C++"),
    ],
)
def test_bad_names_are_refused_with_one_sentence(copy: Copy, name: str, sentence: str) -> None:
    before = sorted(copy.root.iterdir())
    done = copy.new(name)
    assert done.returncode == 2
    assert sentence in done.stderr and len(done.stderr.splitlines()) == 1
    assert sorted(copy.root.iterdir()) == before


def test_what_it_makes_passes_the_tests(copy: Copy) -> None:
    done = copy.run("make", "new-assignment", f"NAME={NAME}")
    assert done.returncode == 0, done.stdout + done.stderr
    home = copy.root / NAME
    everything = [path for path in home.rglob("*") if path.is_file()]
    assert not [path for path in everything if "backwards" in f"{path}{path.read_text()}".lower()]

    check = copy.run("make", f"check-{NAME}", "WITH=solution", "DEVICE=cpu")
    assert check.returncode == 0, check.stdout + check.stderr
    results = json.loads((copy.root / "build" / "results.json").read_text())
    assert results["score"] == results["max_score"] == 100
    first = copy.run("make", f"check-{NAME}", "WITH=ladder/01_naive.cu", "DEVICE=cpu")
    assert first.returncode == 0, first.stdout + first.stderr
    results = json.loads((copy.root / "build" / "results.json").read_text())
    assert 40 <= results["score"] < 90

    for file in ("tests/assignments/test_assignments.py", "tests/assignments/test_golden.py"):
        tested = copy.test(file)
        assert tested.returncode == 0, tested.stdout
    pages = "tests/repository/test_prose.py"
    style = copy.test(
        "tests/repository/test_style.py", pages, "-k", f"formatted or clean or {NAME}"
    )
    assert style.returncode == 0, style.stdout

    again = copy.new(NAME)
    assert again.returncode == 2 and f"{NAME}/ is there already" in again.stderr


# Tests with a value for each assignment or part of the course.
OF_ALL = (
    "tests/repository/test_handouts_teach.py",
    "tests/repository/test_tables.py",
    "tests/instructor/test_points.py",
    "tests/instructor/test_student_pages.py",
)


def test_the_tests_of_the_whole_course_accept_a_new_assignment(tmp_path: Path) -> None:
    root = course(tmp_path / "course")
    pytest_ = f"{sys.executable} -m pytest -p no:cacheprovider"
    for command in (
        "make new-assignment NAME=histogram",
        f"{pytest_} --collect-only",
        f"{pytest_} {' '.join(OF_ALL)}",
    ):
        done = run(root, command, home=tmp_path)
        assert done.returncode == 0, done.stdout


def test_nothing_is_left_of_one_that_fails(copy: Copy) -> None:
    judge = copy.root / "harness" / "judge" / "judge.cpp"
    runner = copy.root / "harness" / "runner" / "problem.h"
    kept = runner.read_text()
    starters = (copy.root / "grader" / "starters.json").read_text()
    runner.write_text("#error broken\n")
    done = copy.new("abandoned")
    runner.write_text(kept)
    assert judge.is_file() and done.returncode == 2
    assert "tests/support/golden.py abandoned failed" in done.stderr
    assert not (copy.root / "abandoned").exists()
    assert (copy.root / "grader" / "starters.json").read_text() == starters
