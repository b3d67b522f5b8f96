"""Looks for lines of answers in every file of the student repository, text or not.

An answer is split into lines, statements (so that other line breaks do not hide a statement) and
longer comments. White space is dropped on both sides, and each remaining piece of at least SHORTEST
characters is searched for: in text, in text without comments, and in the bytes of all other files,
so also in the strings, symbols and debug information of object files. An object file must also have
no debug information, and no kernel of another answer than its own.

Lines of the starters and first rungs reveal nothing; nor do the lines of shared_lines.txt. Renamed
variables and shorter lines are not found.
"""

import bisect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.base.source_text import blank_comments

SHORTEST = 24
SHORTEST_COMMENT = 40
SHARED = Path(__file__).with_name("shared_lines.txt")
STATEMENT = re.compile(r"[^;{}]+[;{}]?")
COMMENT = re.compile(r"//(.*)")
# How to run a file, and the usual includes, are not secret.
HARMLESS = re.compile(r"#include<|make(check|build|ladder|sanitize|explain|compare|debug)")
KERNEL = re.compile(r"__global__\s+(?:__\w+__\s*\([^)]*\)\s*|void\s+)+(\w+)\s*\(")
# Of the host's code and of the device's code, which the host's object contains uncompressed.
DEBUG = re.compile(rb"\.debug_(?:info|line|str)|\.nv_debug")
CODE = (".cu", ".cuh", ".cpp", ".h")
ELF = b"\x7fELF"


@dataclass(frozen=True)
class Leak:
    file: str  # of the student repository
    line: int  # from 1; 0 in a file without lines
    answer: str
    answer_line: int

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where} holds {self.answer}:{self.answer_line}"


def squeeze(text: str) -> str:
    return re.sub(r"\s+", "", text)


def fragments(source: str) -> Iterator[tuple[str, int]]:
    """The pieces that identify a source, without white space, each with its line."""
    code = blank_comments(source)
    for number, line in enumerate(code.splitlines(), 1):
        yield squeeze(line), number
    for statement in STATEMENT.finditer(code):
        begin = statement.start() + len(statement[0]) - len(statement[0].lstrip())
        yield squeeze(statement[0]), code.count("\n", 0, begin) + 1
    for comment in COMMENT.finditer(source):
        words = squeeze(comment[1])
        if len(words) >= SHORTEST_COMMENT:
            yield words, source.count("\n", 0, comment.start()) + 1


class Answers:
    """The pieces of all answers, indexed by their first characters."""

    def __init__(self, sources: dict[str, str], public: Iterable[str]):
        views = [view for source in public for view in (source, blank_comments(source))]
        known = "\0".join(map(squeeze, [*views, *SHARED.read_text().splitlines()]))
        self.origin: dict[str, tuple[str, int]] = {}
        for name, source in sources.items():
            for fragment, line in fragments(source):
                if len(fragment) < SHORTEST or HARMLESS.match(fragment):
                    continue
                if fragment not in known:
                    self.origin.setdefault(fragment, (name, line))
        self.by_beginning: dict[str, list[str]] = {}
        for fragment in self.origin:
            self.by_beginning.setdefault(fragment[:SHORTEST], []).append(fragment)
        self.kernels = {
            kernel[1]: (name, source.count("\n", 0, kernel.start(1)) + 1)
            for name, source in sources.items()
            for kernel in KERNEL.finditer(source)
        }

    def found_in(self, squeezed: str) -> Iterator[tuple[int, str]]:
        """The positions of the pieces that `squeezed` contains."""
        for place in range(len(squeezed) - SHORTEST + 1):
            for fragment in self.by_beginning.get(squeezed[place : place + SHORTEST], ()):
                if squeezed.startswith(fragment, place):
                    yield place, fragment


def leaks_of_text(answers: Answers, file: str, text: str) -> list[Leak]:
    found = set()
    # Code is searched also as a compiler sees the code: a comment in the middle must not hide a
    # line.
    views = [text, blank_comments(text)] if file.endswith(CODE) else [text]
    for view in views:
        lines = [squeeze(line) for line in view.split("\n")]
        begins = [0]
        for line in lines:
            begins.append(begins[-1] + len(line))
        for place, fragment in answers.found_in("".join(lines)):
            # An empty line begins where the next line does: takes the last line that begins at the
            # place.
            number = bisect.bisect_right(begins, place)
            found.add(Leak(file, number, *answers.origin[fragment]))
    return sorted(found, key=lambda leak: leak.line)


def leaks_of_bytes(answers: Answers, file: str, content: bytes) -> list[Leak]:
    squeezed = squeeze(content.decode("latin-1"))
    return [Leak(file, 0, *answers.origin[found]) for _, found in answers.found_in(squeezed)]


def leaks_of_object(answers: Answers, path: Path, file: str, target: str) -> list[str]:
    """Debug information, and kernels of other answers than the object's target rung."""
    content = path.read_bytes()
    leaks = [f"{file} carries debug information"] if DEBUG.search(content) else []
    own = {kernel[1] for kernel in KERNEL.finditer(target)}
    for kernel, (answer, line) in answers.kernels.items():
        # Mangled names have their length before them.
        if kernel not in own and f"{len(kernel)}{kernel}".encode() in content:
            leaks.append(f"{file} has the kernel {kernel} of {answer}:{line}")
    return leaks


def find_leaks(
    folder: Path, sources: dict[str, str], public: list[str], targets: dict[str, str]
) -> list[str]:
    """A sentence for each leak in `folder`.

    sources   {name: text} of the answers
    public    texts that are handed out by definition
    targets   {object file in `folder`: source of the object's target rung}
    """
    answers = Answers(sources, public)
    leaks = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = str(path.relative_to(folder))
        content = path.read_bytes()
        try:
            found = leaks_of_text(answers, name, content.decode())
        except UnicodeDecodeError:
            found = leaks_of_bytes(answers, name, content)
        leaks += map(str, found)
        if content.startswith(ELF):
            leaks += leaks_of_object(answers, path, name, targets.get(name, ""))
    return leaks
