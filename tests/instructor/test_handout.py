"""`make handout`: what a student repository holds, without answers, and how the copy grades."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grader_mock.house import House
from prose import broken_links

from grader.base.errors import GraderError, UsageError
from grader.base.lock import locked
from grader.base.progress import SilentScreen
from grader.build.make import build
from grader.course.load import load_assignment, load_assignments
from instructor.handout import targets
from instructor.handout.choose import handed_out
from instructor.handout.make import Maker, make_handout
from instructor.handout.pages import student_page

ROOT = Path(__file__).parents[2]
SOLUTION = "transpose/solution.cu"
# What a build makes of files in a handout without a change.
UNCHANGED = ("harness", "transpose", "libharness.a")
DEVICES = ("cpu", "sanitize", "profile")


def handout(out: Path) -> Path:
    make_handout(ROOT, [load_assignment(ROOT, "transpose")], out, SilentScreen())
    return out


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return handout(tmp_path_factory.mktemp("course") / "handout")


def tree(folder: Path) -> dict[str, tuple]:
    """Every file's bytes, mode and time."""
    return {
        str(path.relative_to(folder)): (
            path.read_bytes() if path.is_file() else b"",
            path.stat().st_mode,
            path.stat().st_mtime,
        )
        for path in folder.rglob("*")
    }


@pytest.mark.exhaustive
def test_it_is_the_same_twice(made: Path, tmp_path: Path) -> None:
    assert tree(made) == tree(handout(tmp_path / "again"))


def test_it_holds_what_students_need_and_nothing_else(made: Path) -> None:
    cuda = {str(path.relative_to(made)) for path in made.glob("transpose/**/*.cu")}
    assert cuda == {
        "transpose/transpose.cu",
        "transpose/grading/peers.cu",
    }
    for name in (
        "grading/reference.cpp",
        "hints.md",
        "ladder.md",
        "grading/thresholds/nvidia_h200.json",
        "target/target.json",
    ):
        assert (made / "transpose" / name).is_file()
    assert {path.parents[1].name for path in made.glob("*/grading/grade.py")} == {"transpose"}
    assert not (made / "instructor.mk").exists() and not (made / "instructor").exists()
    assert not list(made.rglob("__pycache__"))


def test_no_link_leads_nowhere_and_no_answer_is_in_any_assignment(tmp_path: Path) -> None:
    maker = Maker(ROOT, load_assignments(ROOT, []), tmp_path, SilentScreen())
    maker.copy()
    maker.write_starters()
    maker.write_own()
    for page in tmp_path.rglob("*.md"):
        assert not broken_links(page), page
    maker.refuse_leaks()
    assert maker.answers > 100


def test_starters_come_whatever_the_working_copy_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = Maker(ROOT, [load_assignment(ROOT, "transpose")], tmp_path, SilentScreen())
    monkeypatch.setattr("instructor.handout.make.starter", lambda root, path: b"// the starter\n")
    maker.write_starters()
    for place in ("transpose", "grader/starters/transpose"):
        assert (tmp_path / place / "transpose.cu").read_text() == "// the starter\n"


def refused(folder: Path) -> str:
    """Returns the sentence against `folder` as a handout; "" if the folder is accepted."""
    maker = Maker(ROOT, [load_assignment(ROOT, "transpose")], folder, SilentScreen())
    maker.public = handed_out(ROOT, maker.assignments)
    try:
        maker.refuse_leaks()
    except GraderError as error:
        return str(error)
    return ""


def line_of(text: str) -> int:
    """Returns the number of a line of the present solution."""
    lines = (ROOT / SOLUTION).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


LINE = "make_float4(tile[y][window_slot(y, x)], tile[y + 1][window_slot(y + 1, x)],"
PLANTS = {
    "a line": f"text\n{LINE}\nmore text\n",
    "reformatted": "text\n" + LINE.replace("(", " (\n  ").replace("+", "  + "),
    "in the middle of a line": f"text\nfoo({LINE} bar);\n",
}


def test_a_planted_line_of_the_solution_is_found(tmp_path: Path) -> None:
    for number, text in enumerate(PLANTS.values()):
        for name in ("page.md", "options.h", "picture.svg"):
            (tmp_path / f"{number}_{name}").write_text(text)
    # A compiler would not see the comment.
    cut = LINE.replace("tile[y + 1]", "/* what comes next? */ tile[y + 1]")
    (tmp_path / "3_options.h").write_text(f"text\n{cut}\n")
    printed = refused(tmp_path)
    for path in tmp_path.iterdir():
        assert f"{path.name}:2 holds {SOLUTION}:{line_of(LINE)}" in printed


def test_rungs_comments_and_other_assignments_are_answers_too(tmp_path: Path) -> None:
    lines = (ROOT / "scan/solution/exclusive_scan.cu").read_text().splitlines()
    (tmp_path / "scan.txt").write_text("\n".join(lines[-10:]))
    (tmp_path / "rung.txt").write_text(
        "transpose_vector_kernel<<<grid, kBlockSize>>>(input, rows, cols, output);"
    )
    number = line_of("Threads 0 to 31 read the window of its first input")
    (tmp_path / "words.md").write_text((ROOT / SOLUTION).read_text().splitlines()[number - 1])
    printed = refused(tmp_path)
    assert "holds scan/solution/exclusive_scan.cu" in printed
    assert "rung.txt:1 holds transpose/ladder/06_vectorised.cu" in printed
    assert f"words.md:1 holds {SOLUTION}:{number}" in printed


def test_what_starters_and_contracts_say_is_no_leak(tmp_path: Path) -> None:
    for number, name in enumerate(("transpose.cu", "transpose.h", "grading/reference.cpp")):
        shutil.copy(ROOT / "transpose" / name, tmp_path / f"{number}.txt")
    assert refused(tmp_path) == ""


OBJECTS = {
    "string": (f"const char* text() {{ return {json.dumps(LINE)}; }}", f"holds {SOLUTION}"),
    "symbol": ("void transpose_windows(int) {}", f"has the kernel transpose_windows of {SOLUTION}"),
    "debug": ("int f(int n) { return n; }", "carries debug information"),
    "harmless": ("int f(int n) { return n; }", ""),
}


def test_object_files_that_tell_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "handout"
    folder.mkdir()
    for name, (source, _) in OBJECTS.items():
        (tmp_path / f"{name}.cpp").write_text(source)
        command = ["g++", "-c", str(tmp_path / f"{name}.cpp"), "-o", str(folder / f"{name}.o")]
        subprocess.run([*command, *(["-g"] if name == "debug" else [])], check=True)
    printed = refused(folder)
    for name, (_, sentence) in OBJECTS.items():
        assert (f"{name}.o {sentence}" in printed) == bool(sentence)


def test_a_handout_with_a_leak_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "NOTES.md").write_text(PLANTS["a line"])
    monkeypatch.setattr("instructor.handout.make.OWN", own)
    with pytest.raises(GraderError, match=f"NOTES[.]md:2 holds {SOLUTION}"):
        handout(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["own"]


def test_without_nvcc_nothing_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "find_nvcc", lambda: None)
    assert targets.seal(ROOT, [(a, a.parts[0]) for a in load_assignments(ROOT, [])]) == {}


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UsageError, match="exists already"):
        handout(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_without_git_nobody_knows_what_belongs_to_the_course(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="this is no clone"):
        handed_out(tmp_path, [])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name the folder to make"),
        (["--out", "x", "--only", "pear"], 'There is no assignment "pear"'),
    ],
)
def test_a_slip_of_the_pen_gets_one_sentence(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    done = House(tmp_path).grader("handout", *arguments)
    assert done.status == 2
    assert sentence in done.errors and len(done.errors.splitlines()) == 1


def test_pages_lose_the_solution_and_commands_that_need_it() -> None:
    page = "\n".join(
        [
            *("# scan", "[rung](ladder/02.cu), [glossary](../docs/glossary.md#scan)", "```"),
            *(
                "make check-scan",
                "make check-scan WITH=ladder/02.cu",
                "make x WITH=solution",
                "```",
            ),
            *("## The solution ([it](solution.cu))", "Words.", "### More", "```", "# no heading"),
            *("```", "## After", "```", "build/cpu/scan/ladder/02 --n 5", "```", "End."),
        ]
    )
    kept = student_page(
        page + "\n",
        Path("scan/README.md"),
        {"docs/glossary.md", "scan/README.md"},
        {"scan/ladder/02.cu", "scan/solution.cu"},
    )
    assert kept.splitlines() == [
        *("# scan", "rung, [glossary](../docs/glossary.md#scan)", "```", "make check-scan", "```"),
        *("## After", "End."),
    ]


def test_a_page_elsewhere_loses_a_command_on_an_assignments_missing_file() -> None:
    page = "```\nmake sanitize-scan WITH=wrong/x.cu\nmake sanitize-scan\n```\n"
    kept = student_page(page, Path("cpudevice/src/README.md"), set(), {"scan/wrong/x.cu"})
    assert kept == "```\nmake sanitize-scan\n```\n"


def test_grading_works_in_it(made: Path, tmp_path: Path) -> None:
    """The build uses what the course's build has already made from the same files."""
    copy = tmp_path / "student"
    shutil.copytree(made, copy)
    for path in copy.rglob("*"):
        os.utime(path, (0, 0))
    # Older than the files copied below, which therefore have to be up to date.
    assert not build(
        ROOT, {f"build/{device}/transpose/ladder/01_naive": None for device in DEVICES}
    )
    with locked(ROOT / "build" / "make.lock"):
        for place in (f"{device}/{name}" for device in DEVICES for name in UNCHANGED):
            built = ROOT / "build" / place
            if built.is_dir():
                shutil.copytree(built, copy / "build" / place)
            elif built.is_file():
                shutil.copy(built, copy / "build" / place)
    shutil.copytree(ROOT / "build" / "setup", copy / "build" / "setup")
    # Changed and so built again: the student's file.
    (copy / "transpose/transpose.cu").write_text((made / "transpose/transpose.cu").read_text())
    environment = os.environ | {"CUDACC_BUILD": str(ROOT / "build" / "cpudevice")}
    for variable in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        environment.pop(variable, None)

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=500
        )

    done = run("make", "check-transpose", "DEVICE=cpu")
    assert done.returncode == 0, done.stdout + done.stderr
    results = json.loads((copy / "build/results.json").read_text())
    # The starter is right and slow.
    assert (results["score"], results["max_score"]) == (pytest.approx(20), 100)
    (copy / "transpose/transpose.cu").write_text("// lost\n")
    assert "is the starter again" in run("make", "reset-transpose").stdout
    starter = (copy / "grader/starters/transpose/transpose.cu").read_bytes()
    assert (copy / "transpose/transpose.cu").read_bytes() == starter
    solution = run("make", "check-transpose", "WITH=solution")
    assert "grader: There is no solution here for transpose." in solution.stderr
    nothing = run(sys.executable, "-m", "grader", "handout", "--out", "x")
    assert nothing.returncode == 2 and "invalid choice: 'handout'" in nothing.stderr
    own = run(sys.executable, "-m", "pytest", "tests/test_handout.py")
    assert own.returncode == 0, own.stdout
    (copy / "harness/judge/judge.cpp").write_text("// changed\n")
    changed = run(sys.executable, "-m", "pytest", "tests/test_handout.py", "-k", "handed_out")
    assert changed.returncode == 1 and "harness/judge/judge.cpp" in changed.stdout
