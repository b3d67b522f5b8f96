"""Reads a student's file as the compilers do: lines, comments, strings.

A check must see a word exactly where a compiler sees it. So lines end only at a newline, as for
make and the compilers, and a text is split as the preprocessor does it: spliced lines first, then
comments and strings. Numbers and names are one token each, because 1'000 and R"x( contain quotes.
"""

import errno
import os
import re
import stat
from pathlib import Path

MAX_BYTES = 1 << 19  # about 25 times the longest file here

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?(?:\)(?P=tag)"|\Z))"""
    # An unclosed string ends with its line and hides no comment in it.
    r"""|(?P<string>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*(?:"|$)|'(?:\\.|[^'\\\n])*(?:'|$)))"""
    r"""|[^\W\d]\w*|\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*""",
    re.DOTALL | re.VERBOSE | re.MULTILINE,
)
BLANK = " \t\f\v\0\r"  # what may come between a backslash and the end of its line


def read_source(path: Path) -> str:
    """The text, whatever its encoding, without a byte order mark.

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


def blank_comments(source: str) -> str:
    """The source with comments blanked and continued lines joined; line numbers stay the same."""

    def blank(match: re.Match) -> str:
        if match.group("comment") is None:
            return match.group(0)
        return " " + "\n" * match.group(0).count("\n")

    return TOKEN.sub(blank, join_lines(source))


def join_lines(source: str) -> str:
    """Joins each line with those that continue it; the lost newlines follow at its end."""
    joined: list[str] = []
    continued = 0
    *lines, last = source.split("\n")
    for line in lines:
        begin = line.rstrip(BLANK) if "\\" in line else ""
        if begin.endswith("\\"):
            joined.append(begin[:-1])
            continued += 1
        else:
            joined.append(line + "\n" * (continued + 1))
            continued = 0
    return "".join(joined) + last + "\n" * continued
