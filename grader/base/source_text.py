"""A student's file as the compilers read it: lines, comments, strings.

What is looked for in a text must be seen where a compiler sees it. So lines end where they end for
make and the compilers, at a newline alone, and a text is taken apart as the preprocessor does it:
spliced lines first, then comments and strings, with numbers and names in one piece, since quotes
stand in 1'000 and R"x( in no name.
"""

import re
from pathlib import Path

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?(?:\)(?P=tag)"|\Z))"""
    # What is never closed ends with its line, and hides no comment in it.
    r"""|(?P<string>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*(?:"|$)|'(?:\\.|[^'\\\n])*(?:'|$)))"""
    r"""|[^\W\d]\w*|\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*""",
    re.DOTALL | re.VERBOSE | re.MULTILINE,
)
SPLICE = re.compile(r"\\[ \t\f\v\0\r]*\n")
SPLICED_LINE = re.compile(r"[^\n]*(?:\\[ \t\f\v\0\r]*\n[^\n]*)+")


def read_source(path: Path) -> str:
    """The text, whatever its encoding; a byte order mark is no part of it."""
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n")


def blank_comments(source: str) -> str:
    """The source with comments blanked and continued lines joined; line numbers stay the same."""

    def blank(match: re.Match) -> str:
        if match.group("comment") is None:
            return match.group(0)
        return " " + "\n" * match.group(0).count("\n")

    # The newlines that joining loses are given back where the joined line ends.
    joined = SPLICED_LINE.sub(
        lambda m: SPLICE.sub("", m.group(0)) + "\n" * m.group(0).count("\n"), source
    )
    return TOKEN.sub(blank, joined)


def blank_strings(text: str) -> str:
    """The text with the contents of its strings blanked: places stay the same."""

    def blank(match: re.Match) -> str:
        found = match.group(0)
        if match.group("string") is None and match.group("raw") is None:
            return found
        return '"' + re.sub(r"[^\n]", " ", found[1:-1]) + '"' if len(found) > 1 else " "

    return TOKEN.sub(blank, text)
