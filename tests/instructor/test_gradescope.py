"""`make gradescope`: the zip's layout and what run_autograder leaves, as documented."""

import json
import os
import stat
import subprocess
import sys
import zipfile

import pytest
from grader_mock.house import MOCK, House, source

VISIBILITIES = {"visible", "hidden", "after_due_date", "after_published"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
TOP = {
    "score": (int, float),
    "execution_time": (int, float),
    "output": str,
    "output_format": FORMATS,
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": VISIBILITIES,
    "stdout_visibility": VISIBILITIES,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
TEST = {
    "score": (int, float),
    "max_score": (int, float),
    "status": {"passed", "failed"},
    "name": str,
    "name_format": FORMATS,
    "number": str,
    "output": str,
    "output_format": FORMATS,
    "tags": list,
    "visibility": VISIBILITIES,
    "extra_data": dict,
}
ROW = {"name": str, "value": (int, float, str), "order": {"asc", "desc"}}


def assert_documented(value, schema):
    """Asserts: only documented keys appear, with documented types or words."""
    assert set(value) <= set(schema), set(value) - set(schema)
    for key, allowed in schema.items():
        if key in value:
            fits = value[key] in allowed if isinstance(allowed, set) else None
            assert fits if fits is not None else isinstance(value[key], allowed), (key, value[key])


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    """/autograder as it is after setup.sh, but for the installed packages."""
    root = tmp_path_factory.mktemp("gradescope")
    house = House(root / "house")
    made = house.grader("gradescope")
    assert made.status == 0, made.errors
    base = root / "autograder"
    for name in ("submission", "results"):
        (base / name).mkdir(parents=True)
    package = zipfile.ZipFile(house.root / "build" / "gradescope.zip")
    package.extractall(base / "source")
    for info in package.infolist():
        (base / "source" / info.filename).chmod(stat.S_IMODE(info.external_attr >> 16))
    python = base / "source" / "course" / "build" / "setup" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"{sys.executable}\n")
    done = run(base, sys.executable, "-m", "instructor.gradescope.run", "prepare")
    assert done.returncode == 0, done.stderr
    return base


def run(base, *command):
    return subprocess.run(
        command,
        cwd=base / "source" / "course",
        env=os.environ
        | {"AUTOGRADER": str(base), "ISOLATION": "limits", "MOCK": str(MOCK)}
        | {"PYTHON": sys.executable, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        timeout=120,
    )


def graded(base, **files):
    for path in (base / "submission").iterdir():
        path.unlink()
    for name, text in files.items():
        (base / "submission" / f"{name}.cu").write_text(text)
    (base / "results" / "results.json").unlink(missing_ok=True)
    done = run(base, str(base / "source" / "run_autograder"))
    assert done.returncode == 0, done.stderr
    return json.loads((base / "results" / "results.json").read_text())


def test_the_zip_has_what_gradescope_starts_at_its_top(autograder):
    for name in ("setup.sh", "run_autograder"):
        file = autograder / "source" / name
        assert os.access(file, os.X_OK)
        assert file.read_text().startswith("#!/usr/bin/env bash\n")
        assert subprocess.run(["bash", "-n", str(file)]).returncode == 0
    assert os.access(autograder / "source" / "course" / "grader" / "setup.sh", os.X_OK)


def test_a_right_submission(autograder):
    found = graded(autograder, twice=source("twice"), left=source("left"), right=source("right"))
    assert_documented(found, TOP)
    for test in found["tests"]:
        assert_documented(test, TEST)
        assert test["status"] == "passed"
    for row in found["leaderboard"]:
        assert_documented(row, ROW)
    assert found["score"] == 200
    assert sum(test["score"] for test in found["tests"]) == pytest.approx(200, abs=0.1)
    assert "twice" in found["output"]
    assert {row["name"] for row in found["leaderboard"]} == {"points", "twice", "left", "right"}


def test_a_wrong_and_an_incomplete_submission(autograder):
    found = graded(autograder, twice=source("twice", "wrong"))
    assert_documented(found, TOP)
    failed = [test for test in found["tests"] if test["status"] == "failed"]
    assert any("index 5: got" in test["output"] for test in failed)
    assert "pair/left.cu is missing" in found["output"]
    assert found["score"] == pytest.approx(40 / 3, abs=0.01)  # a case of three of an assignment


def test_a_submission_of_something_else_says_so(autograder):
    found = graded(autograder, essay="// no")
    assert_documented(found, TOP)
    assert (found["score"], found["tests"]) == (0.0, [])
    assert "holds none of" in found["output"]


def test_a_grader_that_fails_gives_nobody_a_grade(autograder):
    (autograder / "class" / "state" / "course").rename(autograder / "away")
    try:
        (autograder / "submission" / "twice.cu").write_text(source("twice"))
        (autograder / "results" / "results.json").unlink(missing_ok=True)
        done = run(autograder, str(autograder / "source" / "run_autograder"))
        assert done.returncode == 2
        assert done.stderr.startswith("grader: the course could not be copied")
        assert not (autograder / "results" / "results.json").exists()
    finally:
        (autograder / "away").rename(autograder / "class" / "state" / "course")


def test_the_same_course_makes_the_same_zip(tmp_path):
    house = House(tmp_path)
    zips = []
    for _ in range(2):
        assert house.grader("gradescope", "twice").status == 0
        zips.append((house.root / "build" / "gradescope.zip").read_bytes())
    assert zips[0] == zips[1]
    assert house.grader("gradescope", "--device", "gpu").status == 2
