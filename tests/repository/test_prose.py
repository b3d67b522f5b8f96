"""English: spelling, words not to use, pages in messages, code across lines of a terminal."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from prose import ROOT, Passage, broken_links, headings, passages, tracked, words
from rich.console import Console
from rich.text import Text

from grader.loop.hints import read_hints
from grader.terminal.markdown import Note, Prose

HERE = Path(__file__).parent / "prose"
DICTIONARY = HERE / "dictionary.txt"
INSTEAD = HERE / "instead.txt"
# British English, as the pages are written; `hunspell-en-gb` of Debian and Ubuntu has it.
LANGUAGE = "en_GB"
PAGE = re.compile(r"\b(?:docs|\w+)/[\w-]+\.md(?:#[\w-]+)?")
TERMINAL = 80


@cache
def prose() -> list[Passage]:
    # Not test_prose.py, whose samples are wrong on purpose.
    paths = [path for path in tracked() if ROOT / path != Path(__file__)]
    return [passage for path in paths for passage in passages(path)]


def where(found: list[tuple[Passage, str]]) -> list[str]:
    return [f"{passage.path}:{passage.line}: {said}" for passage, said in found]


def own_words() -> list[str]:
    return DICTIONARY.read_text().split()


def misspelt(spelt: set[str]) -> set[str]:
    """The words in neither hunspell's dictionary nor the project's."""
    command = ["hunspell", "-d", LANGUAGE, "-p", DICTIONARY, "-i", "utf-8", "-l"]
    text = "\n".join(sorted(spelt))
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert not done.stderr, done.stderr
    return set(done.stdout.split())


def has_hunspell() -> bool:
    if shutil.which("hunspell") is None:
        return False
    listed = subprocess.run(["hunspell", "-D"], capture_output=True, text=True, input="")
    return f"/{LANGUAGE}\n" in listed.stdout + listed.stderr + "\n"


@pytest.mark.skipif(not has_hunspell(), reason="hunspell with hunspell-en-gb is not installed")
def test_every_word_is_spelt_right() -> None:
    unknown = misspelt({word for passage in prose() for word in words(passage.text)})
    found = [(one, word) for one in prose() for word in words(one.text) if word in unknown]
    assert where(found) == [], f"if these are right, add them to {DICTIONARY.relative_to(ROOT)}"
    assert misspelt({"occupancy", "recieve"}) == {"recieve"}


@pytest.mark.slow
def test_the_dictionary_holds_what_is_used() -> None:
    used = {word for passage in prose() for word in words(passage.text)}
    assert own_words() == sorted(set(own_words()), key=str.lower)
    assert [word for word in own_words() if word not in used] == []


def not_to_use() -> list[tuple[re.Pattern[str], str]]:
    """Each line of the list: a regular expression, two blanks or more, what to write instead."""
    lines = [line for line in INSTEAD.read_text().splitlines() if not line.startswith("#")]
    rows = [re.split(r" {2,}", line, maxsplit=1) for line in lines if line]
    return [(re.compile(rf"\b(?:{pattern})\b", re.I), instead) for pattern, instead in rows]


def avoidable(all_prose: list[Passage]) -> list[str]:
    found = []
    for pattern, instead in not_to_use():
        for passage in all_prose:
            if match := pattern.search(passage.text):
                found.append((passage, f"{match[0]!r}: write {instead}"))
    return where(found)


def test_words_not_to_use_are_not_used() -> None:
    assert avoidable(prose()) == []
    bad = Passage("a.md", 1, "the so-manieth item waits in vain")
    assert len(avoidable([bad])) == 2


# The pictures of an assignment's template are drawn where the assignment is laid out.
PAGES = [
    name
    for name in tracked()
    if name.endswith(".md") and not name.startswith("instructor/new_assignment/")
]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    assert not broken_links(ROOT / name)


def is_lost(named: str) -> bool:
    path, _, anchor = named.partition("#")
    page = ROOT / path
    if not page.is_file():
        return path.startswith("docs/")
    return bool(anchor) and anchor not in headings(page)


def test_pages_that_programs_name_are_there() -> None:
    """`docs/grading.md#what-every-rung-earns` in a message or a comment: page and heading."""
    suffixes = {".py", ".cpp", ".h", ".mk", ".sh"}
    sources = [name for name in tracked() if Path(name).suffix in suffixes]
    named = [
        (name, page)
        for name in sources
        if not name.startswith("tests/")
        for page in PAGE.findall((ROOT / name).read_text())
    ]
    assert named
    assert [f"{name}: {page}" for name, page in named if is_lost(page)] == []


def shown(markdown: str) -> str:
    """Returns what a terminal of 80 columns shows for a hint."""
    output = io.StringIO()
    Console(file=output, width=TERMINAL).print(Prose(markdown))
    return output.getvalue()


@pytest.mark.parametrize("name", sorted(ROOT.glob("*/hints.md")), ids=lambda path: path.parent.name)
def test_code_in_hints_stays_on_its_line(name: Path) -> None:
    for hints in read_hints(name).values():
        for hint in hints:
            text = shown(hint)
            spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", hint)]
            assert [span for span in spans if span not in text] == []


def test_code_that_fills_a_line_may_be_broken() -> None:
    assert "`a + b`" in shown(f"{'word ' * 14} `a + b` goes on")
    assert max(map(len, shown("`" + "x + " * 40 + "y`").splitlines())) <= TERMINAL


@pytest.mark.parametrize("before", range(0, 80, 7))
def test_code_in_messages_stays_on_its_line(before: int) -> None:
    command = "`make registers-matmul WITH=solution`"
    output = io.StringIO()
    note = Note(Text(f"{'x' * before} {command} shows how many registers a thread takes"))
    Console(file=output, width=TERMINAL).print(note)
    assert command in output.getvalue()
