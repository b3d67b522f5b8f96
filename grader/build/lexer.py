"""Splits a source into the few kinds of tokens that the rules look at.

One pass, in time proportional to the text, even for a line of a megabyte.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from cpudevice.compiler.tokens import DIGRAPH, DIGRAPHS, NAME, NUMBER, QUOTED, RAW_STRING

TOKEN = re.compile(
    rf"""
      (?P<pragma>^[ \t\f\v\0\r]*(?:\#|%:)[ \t\f\v\0\r]*pragma\b[^\n]*)
    | (?P<string>{RAW_STRING}|{QUOTED})
    | (?P<number>{NUMBER})
    | (?P<name>{NAME})
    | (?P<sign>[()\[\]{{}};,]|{DIGRAPH}|::?|[^\w\s"'()\[\]{{}};,:<%$\x80-\U0010ffff]+|[<%])
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class Place:
    file: str
    line: int


@dataclass
class Code:
    """The text of one or several files, with its tokens."""

    text: str
    # Where the lines of a file begin in the text: offsets, and the source line of each.
    offsets: list[int] = field(default_factory=lambda: [0])
    places: list[Place] = field(default_factory=lambda: [Place("", 1)])

    def __post_init__(self) -> None:
        self.kinds: list[str] = []
        self.words: list[str] = []
        self.starts: list[int] = []
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup if match.lastgroup != "tag" else "string"
            self.kinds.append(kind)
            self.words.append(DIGRAPHS.get(match[0], match[0]) if kind == "sign" else match[0])
            self.starts.append(match.start())

    def place(self, offset: int) -> Place:
        index = bisect_right(self.offsets, offset) - 1
        begin, place = self.offsets[index], self.places[index]
        return Place(place.file, place.line + self.text.count("\n", begin, offset))

    def bracket(self, opening: int) -> Iterator[int]:
        """The tokens from an opening bracket to the closing bracket, both included."""
        depth = 0
        for token in range(opening, len(self.words)):
            yield token
            if self.kinds[token] == "sign":
                depth += (self.words[token] in ("(", "[")) - (self.words[token] in (")", "]"))
                if depth == 0:
                    return
