"""Finds the English of the repository (pages, docstrings, comments, messages) and broken links."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grader.base.source_text import TOKEN

ROOT = Path(__file__).parents[2]
# A code span, a link's address, a comment or a tag of Markdown, an address on the web.
CODE = re.compile(r"`[^`]+`|\]\([^)]*\)|<!--.*?-->|</?[a-z][^>]*>|https?://\S+", re.DOTALL)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
TEMPLATE = re.compile(r"\{[{%#].*?[}%#]\}|<(style|script)\b.*?</\1>", re.DOTALL)
# A word beside a digit or a sign of a programming language, or with capitals inside.
NAME = re.compile(r"\S*[_\d/\\(){}<>=&*:+.%$@^|#~\[\]]\w\S*|\w+\(|[a-z]+[A-Z]\w*|[A-Z]{2,}\w*")
OPTION = re.compile(r"(?<!\w)--?[A-Za-z][\w-]*")
WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:['’](?!s\b)[a-z]+)?")
SENTENCE = re.compile(r"\b(an?|the|is|are|of|to|not?|with|at|and|or|has|was)\b \w|\w \b(an?|the)\b")


# A longer line is no prose: a file of the gallery has a comment of 150 KB.
MAX_LINE = 2000


@dataclass(frozen=True)
class Passage:
    """A line of prose, with code blanked."""

    path: str
    line: int
    text: str


def tracked(root: Path = ROOT) -> list[str]:
    """A repository's files, files not yet added included."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for path in listed.stdout.splitlines() if (root / path).is_file()]


def passages(path: str) -> list[Passage]:
    """The lines of prose in a file, in order; none for an unknown kind of file."""
    reader = READERS.get(Path(path).suffix) or READERS.get(Path(path).name)
    if reader is None:
        return []
    text = (ROOT / path).read_text(errors="replace")
    return [Passage(path, line, prose) for line, prose in reader(text)]


def words(text: str) -> list[str]:
    """The words of a passage, without names from a program."""
    return WORD.findall(NAME.sub(" ", OPTION.sub(" ", text)))


def without_code(text: str) -> str:
    """The text with code, addresses and tags blanked; line numbers stay the same."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    return CODE.sub(blank, TEMPLATE.sub(blank, FENCE.sub(blank, text)))


def is_sentence(text: str) -> bool:
    """Whether a string of a program is prose, with an article, "is", "of" or the like."""
    return SENTENCE.search(text) is not None


def page(text: str) -> list[tuple[int, str]]:
    return list(enumerate(without_code(text).splitlines(), 1))


def python(text: str) -> list[tuple[int, str]]:
    """Docstrings, comments, and whole sentences in strings."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            found.append((token.start[0], token.string.lstrip("# ")))
    for node in ast.walk(ast.parse(text)):
        text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and is_sentence(text):
            found += list(enumerate(text.splitlines(), node.lineno))
    return sorted((line, without_code(prose)) for line, prose in found)


def cpp(text: str) -> list[tuple[int, str]]:
    """Comments, and whole sentences in strings."""
    found = []
    for match in TOKEN.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["comment"]:
            lines = enumerate(match["comment"].lstrip("/* ").splitlines(), line)
            found += [(at, without_code(prose)) for at, prose in lines if len(prose) <= MAX_LINE]
        elif match["string"] and is_sentence(match["string"]):
            found.append((line, re.sub(r"\\.|%[\w.*-]+", " ", match["string"][1:-1])))
    return found


def shell(text: str) -> list[tuple[int, str]]:
    """Comments; `#` begins a comment at the start of a word."""
    lines = enumerate(text.splitlines(), 1)
    found = [(line, re.search(r"(?:^|\s)##? (.*)", prose)) for line, prose in lines]
    return [(line, without_code(match[1])) for line, match in found if match]


READERS: dict[str, Callable[[str], list[tuple[int, str]]]] = {
    **dict.fromkeys([".md", ".j2"], page),
    **dict.fromkeys([".py"], python),
    **dict.fromkeys([".cpp", ".cu", ".cuh", ".h"], cpp),
    **dict.fromkeys([".sh", ".mk", ".toml", ".yml", "Makefile"], shell),
}


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as shown on the web."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    words = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).lower() for line in lines]
    return {re.sub(r"[^\w\- ]", "", line).replace(" ", "-") for line in words}


def broken_links(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        lost = anchor and target.suffix == ".md" and anchor not in headings(target)
        if not target.exists() or lost:
            broken.append(link)
    return broken
