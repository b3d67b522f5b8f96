"""A student's file as the compilers read it: lines, comments, strings.

What is looked for in a text must be seen where a compiler sees it. So lines end where they end for
make and the compilers, at a newline alone, and a text is taken apart as the preprocessor does it:
spliced lines first, then comments and strings, with numbers and names in one piece, since quotes
stand in 1'000 and R"x( in no name.
"""

import errno
import os
import re
import stat
from pathlib import Path

MAX_BYTES = 1 << 19  # some 25 times the longest file here

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?(?:\)(?P=tag)"|\Z))"""
    # What is never closed ends with its line, and hides no comment in it.
    r"""|(?P<string>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*(?:"|$)|'(?:\\.|[^'\\\n])*(?:'|$)))"""
    r"""|[^\W\d]\w*|\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*""",
    re.DOTALL | re.VERBOSE | re.MULTILINE,
)
BLANK = " \t\f\v\0\r"  # what may stand between a backslash and the end of its line


def read_source(path: Path) -> str:
    """The text, whatever its encoding; a byte order mark is no part of it.

    Raises OSError for what is no regular file or larger than MAX_BYTES.
    """
    return decode(read_regular(path))


def decode(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


def read_regular(path: Path, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file; a pipe or a device is not waited for."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
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
    """Each line with those that continue it; the newlines that are lost follow where it ends."""
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
