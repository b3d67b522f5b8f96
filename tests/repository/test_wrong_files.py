"""A file of wrong/ is a rung and one mistake: line 2 names the rung, and the difference is small.

    // from: ladder/03_padded.cu                a rung, or the solution, or the starter
    // from: saxpy.h                            the contract alone: no line of a rung is used
    // from: ladder/03_padded.cu, 20 lines: …   more lines differ, for the reason after the colon

Lines are counted as `diff` prints them: a changed line is one line left out and one line added.
Against the contract every line with text counts. Comments at the head of a file do not
count. Where line 2 has the compiler's `// flags:`, the rung is named in line 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from gallery import ASSIGNMENTS, ROOT

from grader.course import resolve

MOST_LINES = 12  # changed by a mistake
FROM = re.compile(r"// from: (?P<file>[\w./]+?)(?:, (?P<lines>\d+) lines: (?P<reason>\S.*))?")
TEMPLATE = ROOT / "instructor" / "new_assignment" / "backwards"


@dataclass(frozen=True)
class Wrong:
    """A wrong file, the assignment's directory, and the texts where a mistake may start."""

    file: Path
    home: Path
    texts: tuple[Path, ...]

    def __str__(self) -> str:
        return str(self.file.relative_to(ROOT))

    @property
    def origin(self) -> re.Match[str]:
        """The words of the line with the rung."""
        _, second, third, *_ = self.file.read_text().split("\n")
        found = FROM.fullmatch(third if second.startswith("// flags:") else second)
        assert found, f"{self}: line 2 names no rung, as in `// from: ladder/01_naive.cu`"
        return found

    @property
    def contract(self) -> Path:
        return self.home / f"{self.home.name}.h"


def wrong_files() -> list[Wrong]:
    found = []
    for assignment in ASSIGNMENTS:
        home = ROOT / assignment.name
        for part in assignment.parts:
            rungs = sorted(resolve.directory(ROOT, assignment, part, "ladder").glob("*.cu"))
            solution = resolve.solution_file(ROOT, assignment, part)
            texts = (*rungs, solution, home / f"{part.name}.cu")
            files = sorted(resolve.directory(ROOT, assignment, part, "wrong").glob("*.cu"))
            found += [Wrong(file, home, texts) for file in files]
    rungs = tuple(sorted((TEMPLATE / "ladder").glob("*.cu")))
    texts = (*rungs, TEMPLATE / "solution.cu", TEMPLATE / "backwards.cu")
    return found + [Wrong(file, TEMPLATE, texts) for file in sorted(TEMPLATE.glob("wrong/*.cu"))]


def body(text: str) -> list[str]:
    """The lines after the comments at the head of a file."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return lines[first:]


def difference(before: list[str], after: list[str]) -> int:
    """The number of lines left out plus the number of lines added."""
    common = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return len(before) + len(after) - 2 * sum(block.size for block in common)


def lines_from(wrong: Wrong, origin: Path) -> int:
    """The number of lines in which a wrong file differs from a rung, or from the contract alone."""
    after = body(wrong.file.read_text())
    if origin == wrong.contract:
        return sum(1 for line in after if line.strip())
    return difference(body(origin.read_text()), after)


def nearest(wrong: Wrong, origins: Iterable[Path]) -> Path:
    return min(origins, key=lambda origin: lines_from(wrong, origin))


FILES = wrong_files()


@pytest.mark.parametrize("wrong", FILES, ids=str)
def test_a_wrong_file_is_its_rung_and_a_mistake(wrong: Wrong) -> None:
    said = wrong.origin
    origin = wrong.home / said["file"]
    assert origin in (*wrong.texts, wrong.contract), f"{said['file']} is no text of this part"
    lines = lines_from(wrong, origin)
    allowed = int(said["lines"] or MOST_LINES)
    assert lines <= allowed, f"{lines} lines differ from {said['file']}: take its text again"
    if said["lines"]:
        assert lines > MOST_LINES, f"{lines} lines differ: no exception is needed"
    near = nearest(wrong, wrong.texts)
    assert lines <= lines_from(wrong, near), f"{near.relative_to(wrong.home)} is nearer"


def test_every_assignment_has_wrong_files() -> None:
    assert {wrong.home.name for wrong in FILES} == {*(a.name for a in ASSIGNMENTS), "backwards"}


def test_exceptions_are_few() -> None:
    exceptions = [str(wrong) for wrong in FILES if wrong.origin["lines"]]
    assert len(exceptions) <= len(FILES) // 50, exceptions


def test_lines_are_counted_as_diff_prints_them() -> None:
    rung = ["a", "b", "c", "d"]
    assert difference(rung, rung) == 0
    assert difference(rung, ["a", "c", "d"]) == 1
    assert difference(rung, ["a", "x", "c", "d", "y"]) == 3
    assert body("// verdict: =wrong\n// from: a.cu\n#include\n// a comment") == [
        "#include",
        "// a comment",
    ]


@pytest.mark.parametrize(
    "line",
    ["// from: ladder/01.cu, 20 lines", "// from: ladder/01.cu, 20 lines: ", "// from:", "//"],
)
def test_an_exception_has_a_reason(line: str) -> None:
    assert not FROM.fullmatch(line)
    assert FROM.fullmatch("// from: ladder/01.cu, 20 lines: the loop is unrolled")


def test_a_changed_file_and_another_rung_are_found(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.cu").write_text("\n".join(f"{number} {i}" for i in range(40)))
    texts = (tmp_path / "1.cu", tmp_path / "2.cu")
    file = tmp_path / "wrong.cu"
    wrong = Wrong(file, tmp_path, texts)
    same = [f"1 {i}" for i in range(40)]
    file.write_text("\n".join(["// verdict: =wrong", "// from: 1.cu", *same[3:], "mistake"]))
    assert lines_from(wrong, texts[0]) == 4
    assert lines_from(wrong, texts[1]) == 78
    assert nearest(wrong, texts) == texts[0]
    assert lines_from(wrong, wrong.contract) == 38
