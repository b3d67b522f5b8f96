"""The text of a preprocessed .cu file as tokens, which can be examined and replaced.

The preprocessor says which file the next lines come from, by markers such as `# 12 "saxpy/saxpy.cu"
2`. Only lines of the student's files are split; headers of the system and of the CPU device stay in
large pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# ---- the grammar of what may hold a quote -------------------------------------------------------
#
# The checks of a student's file read a text by the same grammar (grader/base/source_text.py,
# grader/build/lexer.py): a word that a check takes for a part of a string must be in a string for
# the compiler as well. The patterns mean the same with and without re.VERBOSE, MULTILINE, DOTALL.
PREFIX = r"(?:u8|[uUL])?"
# A raw string, from its R; `tag` is the name of a group. An unclosed raw string ends with the text.
RAW_OPENING = rf'{PREFIX}R"(?P<tag>[^()\\\s]{{0,16}})\('
RAW_STRING = rf'{RAW_OPENING}[\s\S]*?(?:\)(?P=tag)"|\Z)'
# An unclosed string or character ends with its line.
QUOTED = (
    rf"""{PREFIX}(?:"(?:\\[^\n]|[^"\\\n])*\\?(?:"|(?=\n|\Z))"""
    rf"""|'(?:\\[^\n]|[^'\\\n])*\\?(?:'|(?=\n|\Z)))"""
)
# Numbers hold quotes as separators (1'000); a name may end in R and stand before a string.
NUMBER = r"\.?\d(?:[eEpP][+-]|'\w|[\w.])*"
NAME = r"[A-Za-z_$\x80-\U0010ffff][\w$\x80-\U0010ffff]*"
DIGRAPH = r"<:(?!:[^:>])|:>|<%|%>"
DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}

MARKER = re.compile(r'^# (\d+) "((?:\\.|[^"\\\n])*)"((?: \d)*)[^\n]*\n?', re.MULTILINE)
# A character of a quoted path; the preprocessor writes a byte outside ASCII in octal.
ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
# The preprocessor's record of an #include (-dI).
INCLUDED = re.compile(r"^#(?:include|include_next|import) [^\n]*$", re.MULTILINE)
# The beginning of a raw string, or a token that may contain a similar text.
RAW = re.compile(rf"{RAW_OPENING}|{NUMBER}|{QUOTED}|{NAME}")
TOKEN = re.compile(
    rf"""
      (?P<marker>^\#[ ][^\n]*$)
    | (?P<directive>^[ \t]*\#[^\n]*$)
    | (?P<newline>\n)
    | (?P<space>[ \t\r\f\v]+)
    | (?P<string>{RAW_STRING}|{QUOTED})
    | (?P<number>{NUMBER})
    | (?P<name>{NAME})
    | (?P<punctuation>{DIGRAPH}|::|->|[<>=!]=|&&|\|\||\+\+|--|.)
    """,
    re.VERBOSE | re.MULTILINE,
)
# Pragmas for other compilers, about which g++ would only warn.
DROPPED_PRAGMA = re.compile(
    r"\s*#\s*pragma\s+(unroll|nounroll|nv_|hd_warning|nvcc|diag_|hdwarning|region|endregion"
    # With the pragma GCC would copy basic blocks after their instructions were counted (counts/).
    r"|GCC\s+(?:unroll|ivdep))"
)
QUALIFIED = re.compile(r"\b__(device|global|host|shared)__\b")
OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = {")": "(", "]": "[", "}": "{"}


def is_dropped(directive: str) -> bool:
    return bool(DROPPED_PRAGMA.match(directive) or INCLUDED.match(directive))


class TranslationError(Exception):
    """One sentence for the student, beginning with file:line."""


@dataclass(frozen=True)
class Region:
    """Lines of one file. The first region of a text may have no marker."""

    marker: str  # the line itself
    file: str  # a path, without the marker's escapes
    line: int  # of the first line of the text
    flags: str  # " 1" where the file begins, " 2" where it goes on, " 3" in a system header
    text: str

    def is_system(self) -> bool:
        return "3" in self.flags


def regions(source: str) -> Iterator[Region]:
    marker, begin, inside_until = None, 0, 0
    for found in MARKER.finditer(source):
        if found.start() < inside_until:
            continue
        inside_until = end_of_open_string(source, begin, found.start())
        if inside_until:
            continue
        if marker or found.start() > begin:
            yield region(marker, source[begin : found.start()])
        marker, begin = found, found.end()
    yield region(marker, source[begin:])


def region(marker: re.Match[str] | None, text: str) -> Region:
    if marker is None:
        return Region("", "", 1, "", text)
    return Region(marker[0], unescaped(marker[2]), int(marker[1]), marker[3], text)


def unescaped(quoted: str) -> str:
    """Returns the path that stands between quotes in a marker or in an assembly file."""

    def character(found: re.Match[bytes]) -> bytes:
        return bytes([int(found[1], 8) & 0xFF]) if len(found[1]) == 3 else found[1]

    if "\\" not in quoted:
        return quoted
    written = quoted.encode("utf-8", "surrogateescape")
    return ESCAPED.sub(character, written).decode("utf-8", "surrogateescape")


def escaped(path: str) -> str:
    """Returns the path for the quotes of a marker, a C++ string or an assembly file."""
    return path.replace("\\", "\\\\").replace('"', '\\"')


def end_of_open_string(source: str, begin: int, end: int) -> int:
    """The end of a raw string that begins in [begin, end) and continues after `end`, or 0."""
    place = begin
    while source.find('R"', place, end) >= 0:
        found = RAW.search(source, place, end)
        if not found:
            return 0
        place = found.end()
        if found["tag"] is not None:
            close = source.find(f'){found["tag"]}"', place)
            if close < 0 or close > end:
                return close if close > 0 else len(source)
            place = close
    return 0


@dataclass
class Token:
    kind: str
    text: str
    # What is printed: before + out + after.
    out: str = ""
    before: str = ""
    after: str = ""

    def __post_init__(self) -> None:
        self.out = self.text


class Partners(dict[int, int]):
    """The other bracket of each pair.

    The look-up of a missing bracket, in a misspelt program, is an error that names the first
    misfit.
    """

    def __init__(self, tokens: Tokens) -> None:
        super().__init__()
        self.tokens = tokens
        self.misfit: tuple[int, int] | None = None

    def note_misfit(self, opening: int, closing: int) -> None:
        self.misfit = self.misfit or (opening, closing)

    def __missing__(self, position: int) -> int:
        opening, closing = self.misfit or (position, position)
        tokens = self.tokens
        sentence = f"the '{tokens.text(opening)}' of this line is never closed"
        if closing < len(tokens.code):
            line = tokens.where(closing)[1]
            sentence = (
                f"the '{tokens.text(opening)}' of this line is still open at the "
                f"'{tokens.text(closing)}' of line {line}"
            )
        raise tokens.error(opening, sentence)


@dataclass
class Tokens:
    """The tokens of a text. A position is always an index in `code`, also in other modules."""

    source: str
    tokens: list[Token] = field(init=False, default_factory=list)
    code: list[int] = field(init=False, default_factory=list)  # indices of the tokens of code
    partner: Partners = field(init=False)  # of each bracket

    def __post_init__(self) -> None:
        self.read()
        self.match_brackets()

    def printed(self) -> str:
        return "".join(t.before + t.out + t.after for t in self.tokens)

    # ---- reading ---------------------------------------------------------------------------------

    def read(self) -> None:
        """Splits the text of the student's files into tokens; the rest stays in large pieces."""
        user_files: set[str] = set()
        for region in regions(self.source):
            # A system header's macro in the student's file is marked as system text too. And a
            # library for CUDA may be installed as a system header.
            if not region.is_system() or QUALIFIED.search(region.text):
                user_files.add(region.file)
            if region.marker:
                self.tokens.append(Token("marker", region.marker))
            self.add_piece(region.text, bool(region.marker) and region.file in user_files)
        self.code = [
            i
            for i, t in enumerate(self.tokens)
            if t.kind in ("string", "number", "name", "punctuation")
        ]

    def add_piece(self, text: str, ours: bool) -> None:
        if not text:
            return
        if not ours:
            self.tokens.append(Token("foreign", INCLUDED.sub("", text)))
            return
        for match in TOKEN.finditer(text):
            kind = match.lastgroup if match.lastgroup != "tag" else "string"
            token = Token(kind, DIGRAPHS.get(match[0], match[0]))
            if token.kind == "directive" and is_dropped(token.text):
                token.out = ""
            self.tokens.append(token)

    def match_brackets(self) -> None:
        self.partner = Partners(self)
        open_brackets: list[int] = []
        for position in range(len(self.code)):
            text = self.text(position)
            if text in OPENERS:
                open_brackets.append(position)
            elif text in CLOSERS and open_brackets:
                # A stray bracket: the compiler's message explains more.
                if self.text(open_brackets[-1]) != CLOSERS[text]:
                    self.partner.note_misfit(open_brackets[-1], position)
                    continue
                self.partner[position] = open_brackets.pop()
                self.partner[self.partner[position]] = position
        if open_brackets:
            self.partner.note_misfit(open_brackets[-1], len(self.code))

    # ---- positions -------------------------------------------------------------------------------

    def token(self, position: int) -> Token:
        return self.tokens[self.code[position]]

    def text(self, position: int) -> str:
        if 0 <= position < len(self.code):
            return self.tokens[self.code[position]].text
        return ""

    def is_name(self, position: int) -> bool:
        return 0 <= position < len(self.code) and self.token(position).kind == "name"

    def directive_before(self, position: int) -> Token | None:
        """The directive of the preprocessor before the code at `position`, such as a pragma."""
        index = self.code[position] - 1
        while index > 0 and self.tokens[index].kind in ("space", "newline", "marker"):
            index -= 1
        return self.tokens[index] if self.tokens[index].kind == "directive" else None

    def erase(self, first: int, last: int) -> None:
        """Removes the code from first to last, but neither line ends nor line markers."""
        for position in range(first, last + 1):
            self.token(position).out = ""

    def plain(self, first: int, last: int) -> str:
        """The code from first to last on one line."""
        if first > last:
            return ""
        words = []
        for i in range(self.code[first], self.code[last] + 1):
            kind = self.tokens[i].kind
            if kind in ("newline", "space"):
                words.append(" ")
            elif kind not in ("marker", "directive", "foreign"):
                words.append(self.tokens[i].text)
        return "".join(words)

    def where(self, position: int) -> tuple[str, int]:
        index = self.code[position]
        lines = 0
        for i in range(index - 1, -1, -1):
            marker = MARKER.match(self.tokens[i].text) if self.tokens[i].kind == "marker" else None
            if marker:
                return unescaped(marker[2]), int(marker[1]) + lines
            lines += self.tokens[i].text.count("\n")
        return "?", lines + 1

    def error(self, position: int, sentence: str) -> TranslationError:
        file, line = self.where(position)
        return TranslationError(f"{file}:{line}: error: {sentence}")

    def is_triple(self, position: int, angle: str) -> bool:
        """<<< or >>>: three signs, which a formatter may have separated, as in `<< <`."""
        return all(self.text(position + k) == angle for k in range(3))

    def skip_angles(self, position: int) -> int:
        """Skips template arguments that begin with the <; `position` itself without an end."""
        depth, p = 0, position
        while p < len(self.code):
            text = self.text(p)
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return p + 1
            elif text in OPENERS:
                p = self.partner.get(p, p)
            elif text in (";", "}", ")"):
                return position
            p += 1
        return position

    def argument_ranges(self, opening: int) -> Iterator[tuple[int, int]]:
        """The texts between the commas of a bracket: each with its first position, and the position
        after.
        """
        start = p = opening + 1
        end = self.partner[opening]
        while p <= end:
            if p == end or self.text(p) == ",":
                yield start, p
                start = p + 1
            elif self.text(p) in OPENERS:
                p = self.partner.get(p, p)
            p += 1

    def arguments(self, opening: int) -> list[str]:
        """The texts between the commas of a bracket."""
        return [self.plain(first, end - 1).strip() for first, end in self.argument_ranges(opening)]
