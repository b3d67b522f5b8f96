"""Reads a student's file like the compilers: lines, comments, strings.

A check must see the same words as a compiler. So lines end only at a newline, as for make and the
compilers, and the order is the preprocessor's: spliced lines first, then comments and strings. Each
number and each name is a token, because 1'000 and R"x( contain quotes.
"""

import errno
import os
import re
import stat
from bisect import bisect_right
from pathlib import Path

from cpudevice.compiler.tokens import NAME, NUMBER, QUOTED, RAW_OPENING, RAW_STRING

MAX_BYTES = 1 << 19  # about 25 times the longest file of the course

BLANK = " \t\f\v\0\r"  # allowed between a backslash and the end of the line
SPLICE = re.compile(rf"\\[{BLANK}]*\n")
COMMENT = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
TOKEN = re.compile(
    rf"(?P<comment>{COMMENT})|(?P<raw>{RAW_STRING})|(?P<string>{QUOTED})|{NUMBER}|{NAME}"
)
# The same, but of a raw string the beginning alone.
OPENING = re.compile(rf"(?P<comment>{COMMENT})|{RAW_OPENING}|{QUOTED}|{NUMBER}|{NAME}")
RAW_REST = re.compile(r'(?P<tag>[^()\\\s]{0,16})\([\s\S]*?(?:\)(?P=tag)"|\Z)')
IN_DIRECTIVE = re.compile(rf"[{BLANK}]*(?:#|%:)")


def read_source(path: Path) -> str:
    """The text in any encoding, without a byte order mark.

    Raises OSError for anything but a regular file of at most MAX_BYTES.
    """
    return decode(read_regular(path))


def decode(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


def read_regular(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file; does not wait for a pipe or a device."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        content = file.read(limit + 1) if state.st_size <= limit else b""
        if state.st_size > limit or len(content) > limit:
            sentence = f"it is larger than {limit >> 10} KiB"
            raise OSError(errno.EFBIG, sentence, str(path))
        return content


class Joined:
    """A source with continued lines joined."""

    def __init__(self, source: str):
        self.source, self.text = source, SPLICE.sub("", source)
        self.offsets: list[int] = []  # of the splices in `text`
        self.ends: list[int] = []  # of the splices in `source`
        self.removed = [0]  # characters before each splice that `text` lacks, and in all
        for found in SPLICE.finditer(source):
            self.offsets.append(found.start() - self.removed[-1])
            self.ends.append(found.end())
            self.removed.append(self.removed[-1] + found.end() - found.start())

    def in_source(self, offset: int) -> int:
        """The place in `source` of a character of `text`."""
        return offset + self.removed[bisect_right(self.offsets, offset)]

    def in_text(self, place: int) -> int:
        """The offset in `text` of a place in `source` that is not inside a splice."""
        return place - self.removed[bisect_right(self.ends, place)]

    def raw_string(self, opening: re.Match[str]) -> tuple[str, int] | None:
        """The raw string that begins with `opening`, and the offset behind it in `text`.

        In a raw string lines are not joined: a backslash at the end of a line is two characters.
        """
        quote = opening.start("tag") - 1
        rest = RAW_REST.match(self.source, self.in_source(quote) + 1)
        if rest is None:
            return None  # the tag is no tag for a compiler, which refuses the file
        return self.text[opening.start() : quote + 1] + rest[0], self.in_text(rest.end())


class Lines:
    """Text written in pieces, with as many lines as the source."""

    def __init__(self, joined: Joined):
        self.joined = joined
        self.pieces: list[str] = []
        self.begin = ""  # the first piece of the line that is not blank
        self.read_to = self.read = self.written = 0  # a place in the source, and lines

    def write(self, text: str) -> None:
        self.pieces.append(text)
        self.written += text.count("\n")
        if "\n" in text:
            self.begin = text[text.rfind("\n") + 1 :]
        elif not self.begin.strip(BLANK):
            self.begin = text

    def catch_up(self, place: int) -> None:
        """Writes the line ends before a place of the source that the text lacks."""
        self.read += self.joined.source.count("\n", self.read_to, place)
        self.read_to = place
        self.write("\n" * (self.read - self.written))

    def write_code(self, begin: int, end: int) -> None:
        """Writes a part of the joined text."""
        *lines, last = self.joined.text[begin:end].split("\n")
        for line in lines:
            self.write(line)
            begin += len(line) + 1
            self.catch_up(self.joined.in_source(begin - 1) + 1)
        self.write(last)

    def write_comment(self, end: int) -> None:
        """Writes a blank for a comment. A directive goes on behind the comment's last line."""
        self.write(" ")
        if not IN_DIRECTIVE.match(self.begin):
            self.catch_up(self.joined.in_source(end - 1) + 1)


def blank_comments(source: str) -> str:
    """The source with comments blanked and continued lines joined; line numbers stay the same.

    The line ends that a joined line or a directive loses follow at the end of the line.
    """
    joined = Joined(source)
    lines, position = Lines(joined), 0
    while found := OPENING.search(joined.text, position):
        lines.write_code(position, found.start())
        position = found.end()
        raw = joined.raw_string(found) if found["tag"] is not None else None
        if found["comment"] is not None:
            lines.write_comment(position)
        elif raw:
            text, position = raw
            lines.write(text)
        else:
            lines.write(found[0])
    lines.write_code(position, len(joined.text))
    lines.catch_up(len(source))
    return "".join(lines.pieces)
