"""Runs the commands of pages, headers of sources, messages and `make help`, as printed.

The commands run in a copy of the repository, in the order of the pages: a page shows
`make new-assignment NAME=histogram` before `make check-histogram`.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from commands.checkout import course, in_git, run
from commands.shown import Shown, shown_commands

from grader.base.device import choose_device
from grader.base.errors import GraderError
from grader.course.load import load_assignments
from grader.course.plan import make_plan

ROOT = Path(__file__).parents[2]
SHOWN = shown_commands(ROOT)
ASSIGNMENTS = load_assignments(ROOT, [])
NAMES = [assignment.name for assignment in ASSIGNMENTS]
PARTS = [part.name for assignment in ASSIGNMENTS for part in assignment.parts]

# Commands without a test in this module: {pattern of the command: reason}.
NOT_RUN = {
    r".*DEVICE=gpu.*": "needs a GPU",
    r"(make )?build/gpu/.*": "needs a GPU",
    r"nvcc .*": "needs nvcc and a GPU",
    r"make (measure|calibrate).*": "needs a GPU",
    r"python3 \w+/figures/(freed_memory|card_gpu|turn|indirect|occupancy)\.py.*": "needs a GPU",
    r".*/tables\.py --take": "takes the times of a ladder on a GPU",
    r".*ENGINE=slurm.*": "needs Slurm",
    r"make watch-.*": "grades until Ctrl-C; tests/grader/loop/ starts and ends watches",
    r"make lock": "needs `uv` and an index of Python packages",
    r"make check( DEVICE=cpu)?": "minutes: all assignments, whose checks run one by one",
    r"make test.*": "minutes, and runs this test",
    r"PYTHONPATH=\. python3 -m pytest .*": "part of the tests",
    r"make (golden|gallery|suite|nvcc-check)\b.*": "minutes: all rungs, the gallery, all files",
    r"make handout OUT=dir": "minutes: the target rungs of all assignments",
    r"make (climb|crosscheck|bench-cpudevice)\b.*": "minutes: measures all assignments",
    r"make grade-class .*": "minutes: a class; tests/instructor/test_class_real.py grades a class",
    r"diff .*": "compares the grades of two classes",
    r"PYTHONPATH=\. python3 tests/support/class_of\.py .*": "makes a class, which is then graded",
    r"python3 render/figures/(draw\.py --pictures|cpu/rungs\.py)": "minutes: renders pictures",
    r"build/judge/.*": "reads an output from a file descriptor, as the grader hands it over",
    r"build/cpu/render/volume --axis y .*": "minutes: 360 pictures",
}
# Commands that ask for more: {pattern of the command: the sentence}.
INCOMPLETE = {
    r"make handout": "name the folder to make",
    r"make new-assignment": "name the assignment",
    r"make grade-class": "needs SUBMISSIONS=dir and OUT=dir",
    r"make ladder": "of which assignment",
    r"make compare-<name>": "compare needs a file beside yours",
    r"make predict-.*": "predict asks in a terminal",
    # The starter of saxpy computes nothing.
    r".*python saxpy/managed\.py.*": "are not numpy's 2 * x + y",
}
# {pattern of the command: the program without which the command does not run}
NEEDS = {r"make registers-.*": "nvcc", r"make sass-.*": "nvdisasm", r"make debug-.*": "gdb"}
# What a reader writes in place of words.
PLACEHOLDERS = (
    (r"(?<=-)(<\w+>|…)", "saxpy"),
    (r"PART=<\w+>", "PART=saxpy"),
    (r"(?<=explain-matmul WITH=)…", "sgemm.cu"),
    (r"(?<=[A-Z]=)(…|<\w+>)", "saxpy.cu"),
    (r"(?<=[A-Z]{3}=)(…|<\w+>)", "saxpy.cu"),
    (r"02_…", "02_coalesced"),
    (r"\bbackwards\b", "histogram"),
    (r"(?<![\w.])/tmp/", "../"),
    # A runner's header names the program alone.
    (r"^(build/cpu/\S+)", r"make \1 && \1"),
)
# Commands of a few seconds, which all run. Of longer commands the first of a kind runs.
SECONDS = (
    r"make (help|setup|hint|progress|reset|submit|findings|job-summary|record-starters).*"
    r"|make check-transpose WITH=wrong.*|cpudevice/cudacc .*|git .*"
)
PLANNED = ("check", "sanitize", "explain", "compare", "registers")
BROKEN = re.compile(r"Traceback|it failed itself|No rule to make target|\bError\b")


def matches(pattern: str, shown: Shown) -> bool:
    return re.fullmatch(pattern, shown.text) is not None


def not_run(shown: Shown) -> bool:
    missing = [pattern for pattern, program in NEEDS.items() if not shutil.which(program)]
    return any(matches(pattern, shown) for pattern in [*NOT_RUN, *missing])


def filled(text: str) -> str:
    for pattern, value in PLACEHOLDERS:
        text = re.sub(pattern, value, text)
    return text


def kind(shown: Shown) -> str:
    """The command without the names of assignments, parts, files and cases."""
    if matches(SECONDS, shown):
        return shown.text
    text = re.sub(rf"\b({'|'.join(PARTS + NAMES)})\b", "name", filled(shown.text))
    return re.sub(r"CASE=('[^']*'|\S+)", "CASE", re.sub(r"(WITH=\w+/)\S+", r"\1", text))


def by_kind(commands: Iterable[Shown]) -> list[Shown]:
    first: dict[str, Shown] = {}
    for shown in commands:
        first.setdefault(kind(shown), shown)
    return list(first.values())


def failures(commands: Iterable[Shown], folder: Path) -> list[str]:
    """Runs commands in a repository; returns a text per failed command."""
    shutil.copy(ROOT / "saxpy" / "hello.cu", folder / "program.cu")
    shutil.copy(ROOT / "saxpy" / "saxpy.cu", folder.parent / "mine.cu")
    failed = []
    for shown in sorted(commands, key=lambda one: one.text == "make clean"):
        if not_run(shown):
            continue
        done = run(folder, filled(shown.text), home=folder.parent)
        last = (done.stdout.strip().splitlines() or [""])[-1]
        asked = [words for pattern, words in INCOMPLETE.items() if matches(pattern, shown)]
        works = done.returncode == 0 and not BROKEN.search(last)
        if not (done.returncode and asked[0] in done.stdout if asked else works):
            failed.append(f"{shown}: status {done.returncode}\n{done.stdout[-600:]}")
    return failed


@pytest.mark.parametrize("pattern", [*NOT_RUN, *INCOMPLETE, *NEEDS])
def test_a_reason_belongs_to_a_command_that_is_shown(pattern: str) -> None:
    assert any(matches(pattern, shown) for shown in SHOWN)


def test_files_parts_and_cases_of_commands_are_there() -> None:
    """Makes the plan of every command for grading or profiling; builds and runs nothing."""
    wrong = []
    for shown in SHOWN:
        words = shlex.split(filled(shown.text)) if matches(r"make [a-z]+-.*", shown) else []
        goal, _, name = words[1].partition("-") if words else ("", "", "")
        given = dict(word.split("=", 1) for word in words[2:])
        # A reader's own file and the assignment of docs/new-assignment.md do not exist yet.
        if goal not in PLANNED or name == "histogram" or given.get("WITH", "").startswith("../"):
            continue
        chosen = [one for one in ASSIGNMENTS if one.name == name]
        values = [given.get(name, "") for name in ("WITH", "PART", "CASE", "MODEL")]
        try:
            assert chosen, "there is no such assignment"
            make_plan(ROOT, chosen, choose_device("cpu"), *values)
        except (GraderError, AssertionError) as error:
            wrong.append(f"{shown}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_commands_of_seconds_work(tmp_path: Path) -> None:
    commands = [
        one for one in SHOWN if matches(SECONDS, one) and "histogram" not in filled(one.text)
    ]
    failed = failures(commands, course(tmp_path / "course"))
    assert not failed, "\n".join(failed)


@pytest.mark.exhaustive
def test_a_command_of_each_kind_works_here_and_for_students(tmp_path: Path) -> None:
    """The command in docs/handout.md makes the student repository."""
    failed = failures(by_kind(SHOWN), course(tmp_path / "course"))
    student = in_git(tmp_path / "ladder-students")
    theirs = {assignment.name for assignment in load_assignments(student, [])}
    others = "|".join({*NAMES, "histogram"} - theirs)
    commands = [
        one
        for one in shown_commands(student)
        if not re.search(rf"[-/]({others})\b", filled(one.text))
    ]
    failed += failures(by_kind(commands), student)
    assert not failed, "\n".join(failed)
