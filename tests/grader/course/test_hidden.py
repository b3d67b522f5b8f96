"""Hidden cases: a student learns the verdict of each, and nothing else."""

import subprocess
from pathlib import Path

import pytest
from grader_mock.house import House

from grader.course.load import load_assignments
from instructor.batch.course import course_files

HIDDEN = """
from grader.course.declare import Case

HIDDEN = {
    "twice": [
        Case("the secret of 4711", "--n 4711", timeout_s=0.5),
        Case("another", "--n 4712", timeout_s=0.5),
    ]
}
"""
# What would give a hidden case away: size, name, first mismatch, printed text.
SECRETS = ("471", "secret", "index 5", "hello from the kernel", "mock.cu")


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def everything_printed(house, done):
    """Returns the terminal's output and the contents of every remaining file."""
    files = [house.root / "build" / "results.json", *(house.root / "build").glob("**/*.html")]
    return done.shown + done.errors + "".join(file.read_text() for file in files if file.is_file())


@pytest.mark.parametrize(
    "behave",
    [
        "wrong",
        "crash",
        "cuda_error",
        "races",
        pytest.param("hang", marks=pytest.mark.slow),
        "prints",
    ],
)
def test_only_the_verdict_is_told(house, behave):
    house.write("twice/grading/hidden.py", HIDDEN)
    house.behave(behave)
    done = house.grader("check", "twice", "--case", "hidden*")
    assert done.status == 0, done.errors
    cases = done.first["cases"]
    assert [case["name"] for case in cases] == ["hidden 1", "hidden 2"]
    expected = {"crash": "crash", "races": "race", "hang": "timeout", "prints": "ok"}
    for case in cases:
        assert case["verdict"] == expected.get(behave, behave)
        assert (case["seed"], case["detail"]) == (None, "")
    printed = everything_printed(house, done)
    assert not [secret for secret in SECRETS if secret in printed]


def test_they_share_the_points_with_the_others(house):
    house.write("twice/grading/hidden.py", HIDDEN)
    done = house.grader("check", "twice")
    right = [case for case in done.first["cases"] if case["name"] != "large"]
    assert [case["max_score"] for case in right] == [0, 8, 8, 8, 8, 8]
    assert done.results["max_score"] == 100


def test_a_wrong_hidden_case_costs_the_points_for_speed(house):
    """Otherwise a file could be wrong and fast out of students' sight."""
    grade = house.root / "twice" / "grading" / "grade.py"
    seven = 'Case("seven", "--n 7", timeout_s=0.5), '
    grade.write_text(grade.read_text().replace(seven, ""))
    case = 'HIDDEN = {"twice": [Case("few", "--n 7")]}'
    house.write("twice/grading/hidden.py", f"from grader.course.declare import Case\n\n{case}\n")
    house.behave("crash_once")
    done = house.grader("check", "twice")
    hidden = next(case for case in done.first["cases"] if case["name"] == "hidden 1")
    assert hidden["verdict"] == "crash"
    assert (done.first["withheld"], done.results["score"]) == (60, pytest.approx(26.67))


@pytest.mark.slow
def test_a_file_for_all_assignments(house, tmp_path):
    elsewhere = house.write("elsewhere/cases.py", HIDDEN.replace("twice", "left"))
    done = house.grader("check", "--hidden", str(elsewhere))
    assert done.status == 0, done.errors
    left = done.results["assignments"][0]["parts"][0]
    assert [case["name"] for case in left["cases"]][2:4] == ["hidden 1", "hidden 2"]
    # Only at the search for the answer: nothing else knows hidden cases.
    assert "hidden" not in house.grader("list").shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("HIDDEN = {'twice': [secret]}", "cannot be used (NameError)"),
        ("HIDDEN = {'twice': ['secret']}", "lists of Case"),
        (HIDDEN.replace("twice", "secret"), "for none of twice"),
        (HIDDEN.replace("--n 4711", "--secret"), "hidden 1 of twice cannot be run"),
    ],
)
def test_mistakes_in_the_file_are_told_in_general(house, text, words):
    file = house.write("cases.py", text)
    if "--secret" in text:
        house.behave("option_error")
    done = house.grader("check", "twice", "--case", "hidden*", "--hidden", str(file))
    assert done.status == 2
    assert words in done.errors
    assert "secret" not in done.errors.replace("HIDDEN", "")


def test_a_class_is_graded_with_them(house):
    """The file is copied although git, which names the files to copy, does not know the file."""
    house.write(".gitignore", "hidden.py\n")
    house.write("twice/grading/hidden.py", HIDDEN)
    house.write("twice/notes.txt", "not tracked either\n")
    for words in (["init", "-q"], ["add", "-A", ":!twice/notes.txt"]):
        subprocess.run(["git", *words], cwd=house.root, check=True)
    files = course_files(house.root, load_assignments(house.root, ["twice"]), "cpu")
    assert Path("twice/grading/hidden.py") in files
    assert Path("twice/notes.txt") not in files
