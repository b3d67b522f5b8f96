"""Adapts an assignment's page to a repository without most of the files that the page links to.

The explanations of the rungs stay, with figures and numbers; the explanation of the solution goes.
A link to a missing file becomes plain text, or goes if alone in brackets, and a command that needs
a missing file is left out. A page can contain two versions of a passage:

    <!-- course -->text of the course's repository<!-- else text of a student repository -->
"""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

FENCE = "```"
OTHERWISE = re.compile(r"<!-- course -->(.*?)<!-- else\s*(.*?)\s*-->", re.DOTALL)
ASIDE = re.compile(r"\s*\(\[[^\]]*\]\(([^)\s]+)\)\)")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
ASSIGNMENT = re.compile(r"\bmake \w+-(\w+)")
PATH = re.compile(r"[\w./-]*/[\w./-]+|[\w-]+\.\w+")


def student_page(
    text: str,
    place: PurePosixPath,
    public: set[str],
    missing: set[str],
    not_theirs: tuple[str, ...] = (),
) -> str:
    """`place` is the page's path; `public` are the files handed out, `missing` the others.

    All paths are from the repository's root; folders of files that are handed out count as handed
    out. `not_theirs` are goals of make that only the course's repository has.
    """
    there = public | {str(folder) for name in public for folder in PurePosixPath(name).parents}
    stems = {name.removesuffix(".cu") for name in missing}

    def leads_nowhere(path: str) -> bool:
        """Whether a link on the page leads to a missing file."""
        return normal(place.parent / path) not in there

    def needs_missing(line: str) -> bool:
        """Whether a command names a missing file, or the program of a missing file."""
        words = [re.sub(r"^build/\w+/", "", word) for word in PATH.findall(line)]
        # WITH= names a file of the target's assignment.
        bases = [place.parent, ".", *ASSIGNMENT.findall(line)]
        places = {normal(PurePosixPath(base) / word) for word in words for base in bases}
        return "WITH=solution" in line or any(p.removesuffix(".cu") in stems for p in places)

    text = OTHERWISE.sub(lambda both: both[2], text)
    lines = outside_fences(without_solution(text.splitlines()), needs_missing)
    body = ASIDE.sub(lambda aside: "" if in_wrong(aside[1]) else aside[0], "\n".join(lines) + "\n")
    if not_theirs:
        body = re.sub(
            rf"`make\s+((?:{'|'.join(not_theirs)})\b[^`]*)`", r"the instructor's `\1`", body
        )
    return LINK.sub(lambda link: words_of(link, leads_nowhere), body)


def in_wrong(path: str) -> bool:
    """Links to rungs, also in brackets, keep their text; links to wrong files are removed."""
    return "wrong" in PurePosixPath(path).parts


def normal(path: PurePosixPath) -> str:
    """The path without `.` and `..`, without access to the file system."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def words_of(link: re.Match, leads_nowhere: Callable[[str], bool]) -> str:
    path = link[3].partition("#")[0]
    if not path or re.match(r"[a-z]+:", path) or not leads_nowhere(path.rstrip("/")):
        return link[0]
    return link[2]


def without_solution(lines: list[str]) -> list[str]:
    """Leaves out each section called `The solution…`, up to the next heading of the same level."""
    kept, leaving = [], 0
    fenced = False
    for line in lines:
        fenced ^= line.startswith(FENCE)
        heading = re.match(r"(#+) (.*)", line) if not fenced else None
        if heading and (not leaving or len(heading[1]) <= leaving):
            leaving = len(heading[1]) if heading[2].startswith("The solution") else 0
        if not leaving:
            kept.append(line)
    return kept


def outside_fences(lines: list[str], needs_missing: Callable[[str], bool]) -> list[str]:
    """Leaves out commands in fenced blocks that cannot be run, and blocks that become empty."""
    kept: list[str] = []
    block: list[str] | None = None
    for line in lines:
        if block is None and line.startswith(FENCE):
            block = [line]
        elif block is None:
            kept.append(line)
        elif line.startswith(FENCE):
            if len(block) > 1:
                kept += [*block, line]
            block = None
        elif not needs_missing(line):
            block.append(line)
    return kept
