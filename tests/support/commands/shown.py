"""Collects the command lines that pages, headers of sources, messages and `make help` show."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from prose import tracked

PROGRAM = (
    r"(?:\$ )?(?:PYTHONPATH=\S+ )?"
    r"(?:(?:make|nvcc|diff|git|(?:\.venv/bin/)?python3?|cpudevice/cudacc)(?= )"
    r"|build/(?:cpu|gpu|judge)/[\w./]+(?= --))"
)
FENCED = r"^```[^\n]*\n(?P<block>.*?)^```"
SPAN = r"`(?P<span>[^`]+)`"
IN_BLOCK = re.compile(rf"^\s*({PROGRAM}.*)", re.M)
# Commands stand further to the right than sentences, except for scripts of Python.
IN_COMMENT = re.compile(rf"^(?://|#) {{2,}}({PROGRAM}.*)", re.M)
IN_MODULE = re.compile(rf"^    ({PROGRAM}(?! -).*)|(python3? [\w/]+\.py(?: --\w+)*)", re.M)
IN_HELP = re.compile(r"^([a-z][a-z%-]*):.*## ", re.M)
IN_MESSAGE = re.compile(
    r"(?<![\w-])make ([a-z-]+)((?:<[^>]*>|\w)*(?: [A-Z]+=(?:<[^>]*>|[\w/]+))*)(?= ?[^\w ]| ?$| \w)"
)
RULES = ("Makefile", "instructor.mk")
MESSAGES = ("grader", "instructor", "harness")
# A command ends before its explanation at a distance, and before parts that may be left out.
EXPLAINED = re.compile(r"\s{2,}.*|\s*\[.*|\s+\(.*")


@dataclass(frozen=True)
class Shown:
    """A command line, with the file and the line of its first place, of a block the first line."""

    text: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def shown_commands(root: Path) -> list[Shown]:
    """The command lines of the files in git: pages first, those of the top before others."""
    names = sorted(
        tracked(root), key=lambda name: (not name.endswith(".md"), name.count("/"), name)
    )
    known = {name.partition("%")[0] for name in targets(root)}
    found: dict[str, Shown] = {}
    for name in names:
        path = Path(name)
        if path.parts[0] == "tests" and path.suffix != ".md" and path.parts[1] != "support":
            continue
        for text, line in commands_of(root / path, path, known):
            command = EXPLAINED.sub("", text.removeprefix("$ ")).strip()
            found.setdefault(command, Shown(command, name, line))
    return list(found.values())


def targets(root: Path) -> list[str]:
    """The targets of `make help`."""
    return [
        name
        for rules in RULES
        if (root / rules).is_file()
        for name in IN_HELP.findall((root / rules).read_text())
    ]


def commands_of(path: Path, name: Path, known: set[str]) -> Iterator[tuple[str, int]]:
    if name.suffix == ".md":
        yield from in_page(path.read_text())
    elif name.suffix == ".py":
        yield from in_python(path.read_text(), known if name.parts[0] in MESSAGES else set())
    elif name.suffix in (".cu", ".cpp", ".h") or str(name) in RULES:
        text = path.read_text()
        for match in IN_COMMENT.finditer(continued(text)):
            yield match[1], line_of(text, text.find(match[1][:20]))
        for match in IN_HELP.finditer(text) if str(name) in RULES else ():
            yield "make " + match[1].replace("%", "<name>"), line_of(text, match.start())


def continued(text: str) -> str:
    """The text with each continued command on one line."""
    return re.sub(r" *\\\n(?://)? *", " ", text)


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def in_page(text: str) -> Iterator[tuple[str, int]]:
    """Spans, and lines of fenced blocks; `… ALL=1` stands for the check of the README's table."""
    for found in re.finditer(rf"{FENCED}|{SPAN}", text, re.M | re.S):
        line = line_of(text, found.start())
        for match in IN_BLOCK.finditer(continued(found["block"] or "")):
            yield match[1], line
        words = re.sub(
            r"^… (?=[A-Z]+=)", "make check-saxpy ", " ".join((found["span"] or "").split())
        )
        if re.match(PROGRAM, words):
            yield words, line


def in_python(text: str, known: set[str]) -> Iterator[tuple[str, int]]:
    """Commands of the text above the module's code, and of messages those whose target is known."""
    tree = ast.parse(text)
    for match in IN_MODULE.finditer(ast.get_docstring(tree, clean=False) or ""):
        yield match[1] or match[2], 1
    nodes = list(ast.walk(tree)) if known else []
    formatted = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    passed = {id(part) for node in formatted for part in node.values}
    passed |= {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        for match in IN_MESSAGE.finditer("" if id(node) in passed else words_of(node)):
            if match[1] in known:
                yield f"make {match[1]}{match[2]}", node.lineno


def words_of(node: ast.AST) -> str:
    """The text of a literal, with <…> for each value that is put in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "<value>" for part in node.values
        )
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.sub(r"\{\w+\}", "<value>", node.value)
    return ""
