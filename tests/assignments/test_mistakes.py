"""Mistakes as students make them, and what check, sanitize and explain say.

Each file of tests/mistakes/<assignment>/<part>/ says in comments what is printed and what is not,
once lines are joined; {file} is the name of the file and @a the number of the line with `// @a`:

    // case: 255               the case to run, and `timed:` the case for explain
    // check: words            what `make check-…` prints; so with sanitize and explain
    // not in sanitize: words
    // within: 20              seconds of a processor for each command, once all is built
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tiers import sampled

ROOT = Path(__file__).parents[2]
HERE = ROOT / "tests" / "mistakes"
FILES = sorted(HERE.rglob("*.cu"))
COMMANDS = ("check", "sanitize", "explain")
TIMEOUT_S = 600
BUILD_ONLY = "0"  # a case of saxpy without a kernel


def notes(source: Path, name: str) -> list[str]:
    return re.findall(rf"^// {name}: (.*)$", source.read_text(), re.MULTILINE)


def pattern(source: Path, note: str) -> re.Pattern[str]:
    """Turns a note into a regular expression; a tag matches any line with the tag."""
    lines: dict[str, list[str]] = {}
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        for tag in re.findall(r"// (@[a-z])$", line):
            lines.setdefault(tag, []).append(str(number))
    words = note.replace("{file}", source.relative_to(ROOT).as_posix())
    pieces = re.split(r"(@[a-z])\b", words)
    return re.compile(
        "".join(f"({'|'.join(lines[p])})" if p in lines else re.escape(p) for p in pieces)
    )


def printed(source: Path, command: str, case: str = "") -> str:
    """Returns what a command prints about the file, in a single line."""
    assignment, part = source.relative_to(HERE).parts[:2]
    cases = notes(source, "timed" if command == "explain" else "case")
    case = case or "".join(cases)
    words = [sys.executable, "-m", "grader", command, assignment, "--part", part]
    words += ["--with", str(source.relative_to(ROOT))]
    words += ["--case", case] if case else []
    words += ["--device", "cpu"] if command == "check" else []
    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        # On a single processor: the time of several depends on the number.
        env=os.environ | {"COLUMNS": "400", "CUDACPU_WORKERS": "1"},
    )
    return re.sub(r"\s+", " ", done.stdout + done.stderr)


def seconds_of_children() -> float:
    """Returns the processor time of ended child processes, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


ASKED = [
    (file, command)
    for file in FILES
    for command in COMMANDS
    if notes(file, command) or notes(file, f"not in {command}")
]


@pytest.mark.parametrize(
    "asked",
    # A sample of files shows each part and each command.
    sampled(ASKED, lambda asked: [asked[0].parent, asked[1]], lambda asked: asked[0].parts[-3]),
    ids=lambda asked: f"{asked[0].parent.name}/{asked[0].stem}-{asked[1]}",
)
def test_the_cause_is_named(asked: tuple[Path, str]) -> None:
    source, command = asked
    within = [float(seconds) for seconds in notes(source, "within")]
    if within:
        printed(source, command, BUILD_ONLY)
    before = seconds_of_children()
    text = printed(source, command)
    assert not within or seconds_of_children() - before < within[0], text
    for words in notes(source, command):
        assert pattern(source, words).search(text), text
    for words in notes(source, f"not in {command}"):
        assert not pattern(source, words).search(text), text
