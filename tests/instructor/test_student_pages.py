"""A student repository prints only commands with a use, and shows rungs as numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.base.progress import SilentScreen
from grader.course.load import load_assignments
from grader.course.thresholds import any_thresholds
from instructor.handout.make import Maker
from instructor.handout.pages import student_page

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = load_assignments(ROOT, [])
NAMES = [assignment.name for assignment in ASSIGNMENTS]
PARTS = {part.name for assignment in ASSIGNMENTS for part in assignment.parts}
FENCED = re.compile(r"^```.*?\n(.*?)^```", re.M | re.S)
SPAN = re.compile(r"`([^`]+)`")
COMMAND = re.compile(
    r"(?<![\w-])make (?!sure)(?:-s )?([a-z][\w/%<>…-]*)((?: [A-Z]+=(?:'[^']*'|\S+))*)"
)
PROGRAM = re.compile(r"build/(?:cpu|gpu|sanitize|profile)/([\w./-]+)")
FORBIDDEN = re.compile(r"(?<![\w/])(?:wrong|solution|ladder)/[\w./-]*|occupancy\.cu|WITH=solution")


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("student")
    maker = Maker(ROOT, ASSIGNMENTS, folder, SilentScreen())
    maker.copy()
    maker.write_starters()
    maker.write_own()
    return folder


def pages(folder: Path) -> list[Path]:
    return [page for page in sorted(folder.rglob("*.md")) if "cpudevice" not in page.parts]


def code_of(text: str) -> str:
    """What a page shows as commands: fenced blocks and spans, continued lines joined."""
    blocks = FENCED.findall(text)
    spans = SPAN.findall(FENCED.sub("", text))
    return "\n".join([*blocks, *spans]).replace("\\\n", " ")


def is_target(makefile: str, target: str) -> bool:
    known = re.findall(r"^([a-z%-]+):.*## ", makefile, re.M)
    known += [f"{word}%" for word in ("build/",)]
    if re.search(r"<name>|…", target):
        return re.sub(r"<name>|…", "%", target) in known
    for rule in known:
        stem = re.fullmatch(rule.replace("%", "(.+)"), target)
        if stem and ("%" not in rule or rule == "build/%" or stem[1] in NAMES):
            return True
    return False


def broken_commands(folder: Path, page: Path) -> list[str]:
    makefile = (folder / "Makefile").read_text()
    code = code_of(page.read_text())
    broken = []
    for target, settings in COMMAND.findall(code):
        values = dict(re.findall(r"([A-Z]+)=('[^']*'|\S+)", settings))
        file = values.get("WITH", values.get("A", "")).strip("'…")
        place = folder / target.partition("-")[2] / file
        if not is_target(makefile, target):
            broken.append(f"make {target}")
        elif file and not file.startswith("/") and not place.is_file():
            broken.append(f"make {target} WITH={file}")
        elif values.get("PART", next(iter(PARTS))) not in {*PARTS, "…"}:
            broken.append(f"make {target} PART={values['PART']}")
    for program in PROGRAM.findall(code):
        if not (folder / f"{program}.cu").is_file() and not program.endswith(".so"):
            broken.append(f"build/…/{program}")
    return broken


def test_every_command_of_a_page_can_be_run(student: Path) -> None:
    broken = {
        str(page.relative_to(student)): found
        for page in pages(student)
        if (found := broken_commands(student, page))
    }
    assert broken == {}


def test_pages_speak_of_no_file_that_is_not_there(student: Path) -> None:
    found = {}
    for page in pages(student):
        if page.relative_to(student).parts[0] in NAMES:
            for name in FORBIDDEN.findall(page.read_text()):
                found.setdefault(str(page.relative_to(student)), []).append(name)
    assert found == {}


def test_rungs_are_numbers_and_not_source(student: Path) -> None:
    assert not list(student.glob("*/ladder/**/*.cu"))
    for assignment in ASSIGNMENTS:
        page = (student / assignment.name / "ladder.md").read_text()
        for part in assignment.parts:
            if any_thresholds(ROOT, assignment.name).rungs(part.name):
                assert f"| {part.target} (target) | " in page
            assert page.count(f"| {part.target} | ") == 1, "counters"


def test_no_starter_holds_a_first_rung(student: Path) -> None:
    """Nor another part's; a starter whose comment says right and slow is an answer."""
    for assignment in ASSIGNMENTS:
        for part in assignment.parts:
            source = (student / assignment.student_file(part)).read_text()
            assert "TODO" in source or "slow" in source
    host = (student / "saxpy" / "saxpy_host.cu").read_text()
    assert "result[i] =" not in host.partition("#include")[2]


def test_a_page_can_say_something_else_to_students() -> None:
    page = "a <!-- course -->[b](wrong/b.cu)<!-- else c `d` --> e ([f](wrong/f.cu)).\n"
    kept = student_page(page, Path("x/README.md"), set(), set())
    assert kept == "a c `d` e.\n"
    gone = student_page(
        "g<!-- course --> h\n\ni<!-- else -->.\n", Path("x/README.md"), set(), set()
    )
    assert gone == "g.\n"


def test_a_command_that_cannot_work_is_noticed(student: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "`make check-scan WITH=ladder/08.cu`, `make fly`, `make hint-pear`, `make check PART=x`\n"
        "```\nbuild/gpu/scan/solution/x --n 5\nmake check-saxpy\n```\n"
    )
    assert broken_commands(student, page) == [
        "make check-scan WITH=ladder/08.cu".replace("WITH=ladder/08.cu", "WITH=ladder/08.cu"),
        "make fly",
        "make hint-pear",
        "make check PART=x",
        "build/…/scan/solution/x",
    ]
