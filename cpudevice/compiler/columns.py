"""Columns of the compiler's messages: in the student's lines, not in the translated lines.

Every line keeps its number in the translation, but not its length: g++ sees `k<<<1, 32>>>(x)` as
`(::cudacpu::push_launch(1, 32), k(x))`, and prints the student's line with a mark at the column of
the translated line. The preprocessor changes lines, too: tabs and macros.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from .tokens import regions

# An option of g++, which would otherwise add the width of the student's tabs to columns of the
# translated line.
ONE_COLUMN_A_TAB = "-ftabstop=1"
MESSAGE = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+)(?=: (error|warning|note): )")
EXCERPT = re.compile(r" *(?P<line>\d+) \| (?P<text>.*)")
MARKS = re.compile(r"( +\| )( *)(?=\S)")

Place = tuple[str, int]  # a file and the number of a line


def in_source(messages: str, translated: str) -> str:
    """The messages with the columns, and the marks below excerpts, of the lines shown."""
    lines = messages.split("\n")
    shown = excerpts(lines)
    compiled = compiled_lines(translated, set(shown))
    place: Place = ("", 0)
    found = []
    for line in lines:
        if message := MESSAGE.match(line):
            place = message["file"], int(message["line"])
            if place in compiled:
                column = source_column(shown[place], compiled[place], int(message["column"]))
                line = line[: message.start("column")] + str(column) + line[message.end("column") :]
        elif excerpt := EXCERPT.match(line):
            place = place[0], int(excerpt["line"])
        elif (marks := MARKS.match(line)) and place in compiled:
            column = source_column(shown[place], compiled[place], len(marks[2]) + 1)
            line = marks[1] + " " * (column - 1) + line[marks.end() :]
        found.append(line)
    return "\n".join(found)


def excerpts(lines: list[str]) -> dict[Place, str]:
    """The lines of the program that messages show."""
    file, shown = "", {}
    for line in lines:
        if message := MESSAGE.match(line):
            file = message["file"]
        elif excerpt := EXCERPT.match(line):
            shown[file, int(excerpt["line"])] = excerpt["text"]
    return shown


def compiled_lines(translated: str, wanted: set[Place]) -> dict[Place, str]:
    """The translated text of the wanted lines."""
    files = {file for file, _ in wanted}
    return {
        (region.file, number): line.expandtabs(1)
        for region in regions(translated if wanted else "")
        if region.file in files
        for number, line in enumerate(region.text.split("\n"), region.line)
        if (region.file, number) in wanted
    }


def source_column(before: str, after: str, column: int) -> int:
    """The column of the original line for a column of the changed line; for new text, the place of
    its insertion.
    """
    at, last = column - 1, 0
    for a, b, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        if at < b:
            break
        if at < b + size:
            return a + at - b + 1
        last = a + size
    return last + 1
