"""Chooses the course's files for a student repository, and lists the answers.

Only files that match a list in this module are handed out: a new kind of file is left out until
someone adds a pattern.
"""

from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from grader.base.errors import GraderError
from grader.base.git import tracked
from grader.course.declare import Assignment

# Patterns of paths from the root; * also stands for /.
COURSE = (
    "LICENSE",
    "Makefile",
    "pyproject.toml",
    ".clang-format",
    ".editorconfig",
    ".gitignore",
    "harness/*",
    "cpudevice/*",
    "cudalibs/*",
    "grader/*",
    "docs/glossary.md",
    "docs/grading.md",
    "docs/cpu-device.md",
    "docs/cpu-device-benchmarks.md",
    "docs/model-against-measurement.md",
    "docs/model-against-measurement.svg",
)
# Files that match COURSE, but that only the makers of the course need.
AT_HOME = ("grader/starters.json",)
ANSWERS = ("ladder/", "solution/", "solution.cu", "wrong/", "grading/hidden.py")
# By folder of an assignment, besides the student files. No rung: the first rung of a part answers
# the questions of its starter, or of another part's starter.
ASSIGNMENT = {
    ".": ("README.md", "Makefile", "hints.md", "*.h", "*.cuh"),
    "grading": ("grade.py", "reference.cpp", "runner.cpp", "peers.cu", "*.h", "*.cuh"),
    "grading/reference": ("*",),
    "grading/runner": ("*",),
    "grading/peers": ("*",),
    "grading/thresholds": ("*.json",),
    "figures": ("*.svg", "*.png"),
}


def present(root: Path) -> list[str]:
    """The files that git tracks and that exist, sorted."""
    known = tracked(root)
    if known is None:
        raise GraderError("a handout is made from what git tracks; this is no clone.")
    return sorted(name for name in known if (root / name).is_file())


def handed_out(root: Path, assignments: list[Assignment]) -> list[str]:
    """The copied files, without the student's own files."""
    files = present(root)
    chosen = {name for name in files if matches(name, COURSE) and not matches(name, AT_HOME)}
    for assignment in assignments:
        chosen |= {name for name in files if belongs(assignment, name)}
    return sorted(chosen)


def belongs(assignment: Assignment, name: str) -> bool:
    path = PurePosixPath(name)
    if path.parts[0] != assignment.name:
        return False
    inside = path.relative_to(assignment.name)
    return str(inside) in assignment.extras or matches(
        path.name, ASSIGNMENT.get(str(inside.parent), ())
    )


def answers(root: Path, assignments: list[Assignment], public: set[str]) -> list[str]:
    """The rungs, solutions, wrong files and hidden cases that are not handed out."""
    places = tuple(f"{a.name}/{kind}" for a in assignments for kind in ANSWERS)
    # git does not track hidden cases.
    hidden = [name for name in places if name.endswith("hidden.py") and (root / name).is_file()]
    known = {*present(root), *hidden}
    return sorted(name for name in known if name.startswith(places) and name not in public)


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
