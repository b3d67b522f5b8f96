"""make's command line reaches the grader as typed; no character is executed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(ROOT.glob("*/grading/grade.py"))
ODD = [
    "it's.cu",
    'a "quoted" name.cu',
    "$HOME/${HOME}/$(HOME)/$$.cu",
    "$(shell touch owned)",
    "`touch owned`",
    "a; touch owned",
    "a\ntouch owned",
    "a && touch owned | cat > owned # no",
    "back\\slash\\",
    "*",
    "two   blanks ",
    "größe",
    "--help",
]
# The target, the variable and the resulting option.
GIVEN = [
    ("check-saxpy", "WITH", "--with"),
    ("check-saxpy", "PART", "--part"),
    ("check", "CASE", "--case"),
    ("check", "HIDDEN", "--hidden"),
    ("check", "SEED", "--seed"),
    ("check", "MODEL", "--model"),
    ("debug-saxpy", "BLOCK", "--block"),
    ("compare-saxpy", "A", "--a"),
    ("hint-saxpy", "HINT", "--hint"),
    ("submit", "ONLY", "--only"),
    ("handout", "OUT", "--out"),
    ("new-assignment", "NAME", "--name"),
    ("calibrate", "REPEAT", "--repeat"),
]


MAKE = ("make", "-s", "--no-print-directory")


def arguments(
    tmp_path: Path, folder: Path, *words: str, command: Sequence[str | Path] = MAKE
) -> list[str]:
    """Returns the arguments of the grader, which a script replaces."""
    script, seen = tmp_path / "it's python", tmp_path / "seen"
    script.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" > "{seen}"\n')
    script.chmod(0o755)
    subprocess.run([*command, f"PYTHON={script}", *words], cwd=folder, check=True, timeout=60)
    assert not (folder / "owned").exists()
    return seen.read_text().split("\0")[:-1]


@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize(("target", "variable"), [("check-saxpy", "WITH"), ("check", "CASE")])
def test_any_text_arrives(tmp_path: Path, target: str, variable: str, value: str) -> None:
    words = arguments(tmp_path, ROOT, target, f"{variable}={value}")
    assert words[words.index(f"--{variable.lower()}") + 1] == value


@pytest.mark.parametrize(("target", "variable", "option"), GIVEN)
def test_any_variable_is_safe(tmp_path: Path, target: str, variable: str, option: str) -> None:
    value = "it's `touch owned` $(shell touch owned); touch owned"
    words = arguments(tmp_path, ROOT, target, f"{variable}={value}")
    assert words[words.index(option) + 1] == value


def test_from_inside_an_assignment(tmp_path: Path) -> None:
    words = arguments(tmp_path, ROOT / "saxpy", "check", "WITH=it's $HOME.cu")
    assert words[words.index("--with") + 1] == "it's $HOME.cu"


@pytest.mark.parametrize("goal", [["help"], ["clean", "--dry-run"], []])
def test_the_whole_course_from_inside_an_assignment(goal: list[str]) -> None:
    command = ["make", "--no-print-directory", *goal]
    inside, outside = (
        subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        for folder in (ROOT / "saxpy", ROOT)
    )
    assert inside.returncode == outside.returncode == 0
    assert inside.stdout.splitlines()[-1] == outside.stdout.splitlines()[-1]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda one: one.parents[1].name)
def test_a_grading_script_that_is_run_grades(tmp_path: Path, script: Path) -> None:
    name = script.parents[1].name
    assert arguments(tmp_path, tmp_path, "CASE=it's", command=[sys.executable, script]) == [
        *("-m", "grader", "check", name, "--case", "it's")
    ]


def test_the_name_in_a_target(tmp_path: Path) -> None:
    assert "it's;touch$IFS.owned" in arguments(tmp_path, ROOT, "check-it's;touch$IFS.owned")


def rules_for(*goals: str) -> str:
    """The rules in use for the given targets."""
    command = ["make", "-s", "--question", "--print-data-base", *goals]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60).stdout


def test_for_programs_alone_make_reads_their_rules_alone() -> None:
    judge, program = "build/judge/saxpy", "build/cpu/saxpy/ladder/saxpy/%"
    assert f"\n{program}:" in rules_for("build/cpu/saxpy/saxpy")
    for elsewhere in ("build/judge/scan", "build/profile/saxpy/saxpy", "build/cpu/libharness.a"):
        assert f"\n{judge}:" in rules_for(elsewhere, "help")
        assert f"\n{program}:" in rules_for(elsewhere, "help")
    assert f"\n{program}:" not in rules_for("build/profile/saxpy/saxpy")
    assert f"\n{judge}:" not in rules_for("build/judge/scan")
    assert "\nbuild/cpu/libharness.a:" in rules_for("build/cpu/libharness.a")


def said_by(folder: Path, *words: str) -> str:
    """What make says about an erroneous command line."""
    command = ["make", "--no-print-directory", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    return done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("check-saxpy with=solution", 'no variable "with": the nearest is WITH'),
        ("check-saxpy PRAT=saxpy", 'no variable "PRAT": the nearest is PART'),
        ("check transpose", 'no target "transpose": the nearest is check-transpose'),
        ("hint scan", 'no target "scan": the nearest is hint-scan'),
        ("saxpy", 'no target "saxpy": the nearest is check-saxpy'),
        ("chekc", 'no target "chekc": the nearest is check'),
        ("check xyzzy", 'no target "xyzzy": `make help` lists'),
        ("check-saxpy qqqqq=1", 'no variable "qqqqq": `make help` lists'),
    ],
)
def test_a_word_without_a_meaning_is_named(words: str, sentence: str) -> None:
    said = said_by(ROOT, *words.split())
    assert said.count("\n") == 1
    assert sentence in said


def test_a_word_without_a_meaning_inside_an_assignment() -> None:
    assert 'no target "ladder.md" here, but check' in said_by(ROOT / "saxpy", "check", "ladder.md")
    assert 'no variable "with": the nearest is WITH' in said_by(ROOT / "saxpy", "check", "with=a")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The Makefiles and declarations of a course of two assignments."""
    for name in ("saxpy", "scan"):
        for file in (f"{name}/Makefile", f"{name}/grading/grade.py"):
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, tmp_path / file)
    for folder in ("harness", "cpudevice/compiler", "cpudevice/include", "cpudevice/src"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy2(ROOT / "Makefile", tmp_path)
    shutil.copy2(ROOT / "harness" / "rules.mk", tmp_path / "harness")
    return tmp_path


def help_in(course: Path) -> tuple[str, str]:
    """The first line of `make help`, and the words on standard error."""
    command = ["make", "--no-print-directory", "help"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    return " ".join(done.stdout.split("\n")[0].split()), done.stderr


def test_a_copied_folder_says_what_it_needs_beside_it(course: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone" / "saxpy"
    shutil.copytree(course / "saxpy", alone)
    assert "saxpy/ needs harness/, grader/ and cpudevice/" in said_by(alone, "check")


def test_a_copy_of_an_assignment_is_no_assignment(course: Path) -> None:
    assert help_in(course) == ("CUDA Ladder. Assignments: saxpy scan", "")
    for copy in ("saxpy2", "saxpy (copy)"):
        shutil.copytree(course / "saxpy", course / copy)
    first, said = help_in(course)
    assert first == "CUDA Ladder. Assignments: saxpy scan"
    assert "saxpy2/ is not graded: its Makefile and grading/grade.py are those of saxpy" in said
    assert said.count("is not graded") == 2
    assert "overriding recipe" not in said
    # Nor do the rules of the copy replace the rules of the original.
    question = ["make", "-n", "build/cpu/saxpy/path/saxpy/saxpy2/saxpy"]
    done = subprocess.run(question, cwd=course, capture_output=True, text=True, timeout=60)
    assert "overriding recipe" not in done.stderr


def test_another_project_in_the_folder_is_no_assignment(course: Path) -> None:
    shutil.copytree(course, course / "checkout")
    (course / "mine").mkdir()
    (course / "mine" / "Makefile").write_text("NAME := mine\nall:\n\tfalse\n$(error read)\n")
    assert help_in(course) == ("CUDA Ladder. Assignments: saxpy scan", "")
