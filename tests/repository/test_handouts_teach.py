"""A rung's needs of CUDA are taught before: in the rung's page, or in a linked page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.base.source_text import TOKEN, blank_comments
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.course.load import load_assignments

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = load_assignments(ROOT, [])
PARTS = [(assignment, part) for assignment in ASSIGNMENTS for part in assignment.parts]
# Calls of the runtime, intrinsics, qualifiers, built-in variables and types: everything beyond
# plain C++.
CUDA = re.compile(
    r"\b(?:cuda[A-Z]\w*|__\w+__|__\w+(?=\s*\()|(?:thread|block)Idx\.[xyz]|(?:block|grid)Dim\.[xyz]"
    r"|dim3|atomic[A-Z]\w*|tex[123]D\w*|surf[123]D\w*|rsqrtf?|(?:make_)?u?(?:char|int|float)[234]"
    r"|cooperative_groups)\b"
)
FLAGS = "// flags:"
FIRST_SCREEN = 24  # lines


def page_of(assignment: Assignment) -> str:
    return (ROOT / assignment.name / "README.md").read_text()


def earlier_pages(assignment: Assignment) -> str:
    """The linked earlier pages in teaching order, and their links, and so on."""
    names = [one.name for one in ASSIGNMENTS]
    before = names[: names.index(assignment.name)]
    linked = set(re.findall(r"\.\./(\w+)/README\.md", page_of(assignment))) & set(before)
    pages = [page_of(one) + earlier_pages(one) for one in ASSIGNMENTS if one.name in linked]
    return "\n".join(pages)


def taught_by(page: str, rung: str) -> str:
    """Returns a page up to the end of the section on a rung."""
    headings = [heading.start() for heading in re.finditer(r"^#+ ", page, re.M)]
    own = re.search(rf"^#+ .*{re.escape(rung)}\.cu\)", page, re.M)
    assert own, f"the page has no section on {rung}"
    return page[: next((place for place in headings if place > own.start()), len(page))]


def blank_strings(text: str) -> str:
    """The text with the contents of strings blanked: places stay the same."""

    def blank(match: re.Match) -> str:
        found = match.group(0)
        if match.group("string") is None and match.group("raw") is None:
            return found
        return '"' + re.sub(r"[^\n]", " ", found[1:-1]) + '"' if len(found) > 1 else " "

    return TOKEN.sub(blank, text)


def needed(source: str) -> set[str]:
    words = set(CUDA.findall(blank_strings(blank_comments(source))))
    return words | {FLAGS} if source.splitlines()[1].startswith(FLAGS) else words


def names(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text) is not None


def climbed(assignment: Assignment, part: Part) -> list[str]:
    rungs = resolve.rungs(ROOT, assignment, part)
    return rungs[: rungs.index(part.target) + 1]


@pytest.mark.parametrize(("assignment", "part"), PARTS, ids=lambda one: one.name)
def test_every_call_stands_in_a_page_before_a_rung_needs_it(
    assignment: Assignment, part: Part
) -> None:
    before, page = earlier_pages(assignment), page_of(assignment)
    folder = resolve.directory(ROOT, assignment, part, "ladder")
    untaught = {}
    for rung in climbed(assignment, part):
        text = before + taught_by(page, rung)
        for word in sorted(needed((folder / f"{rung}.cu").read_text())):
            if not names(word, text):
                untaught.setdefault(word, rung)
    assert untaught == {}


@pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda one: one.name)
def test_a_page_links_to_what_it_builds_on(assignment: Assignment) -> None:
    """`You need [saxpy](…)` names only earlier assignments."""
    names = [one.name for one in ASSIGNMENTS]
    head = page_of(assignment).partition("\n## ")[0]
    for linked in re.findall(r"\.\./(\w+)/README\.md", head):
        assert names.index(linked) < names.index(assignment.name)


@pytest.mark.parametrize("assignment", ASSIGNMENTS, ids=lambda one: one.name)
def test_a_page_names_on_its_first_screen_what_grades(assignment: Assignment) -> None:
    screen = "\n".join(page_of(assignment).splitlines()[:FIRST_SCREEN])
    grades = screen.partition("What grades you:")[2].partition("\n\n")[0]
    folder = ROOT / assignment.name
    linked = [folder / place for place in re.findall(r"\]\((grading/[^)]+)\)", grades)]
    # A new assignment has no thresholds until `make calibrate` measures them.
    stored = [path.stem for path in [folder / "grading" / "thresholds"] if path.is_dir()]
    assert [path.stem for path in linked] == ["grade", "reference", *stored]
    assert all(path.exists() for path in linked)


def test_words_are_found_where_they_are_needed() -> None:
    source = '//\n// flags: -O3\n__global__ void f(dim3 d) { s = "cudaNo"; /* cudaNone */ g(); }\n'
    assert needed(source) == {"__global__", "dim3", FLAGS}
    assert names("__ffs", "`__ffs(word)`") and not names("__ffs", "`__ffsll(word)`")
