"""Reads a student's file before anything is built from it: what is not allowed gets `forbidden`.

Three rules. The work is the student's own, so libraries that already contain it may not be
included. Compiler flags on line 2 (`// flags: -use_fast_math`) come from an allow-list, because
make passes them to the compiler. And the code may not ask on which device, or in which of its
modes, it runs: what is checked for races, what is counted and what is judged must be the same.
(What the compiler made of the file is looked at in object_check.py.)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LIBRARIES = (
    (re.compile(r"(^|/)(cub|thrust)/"), "CUB and Thrust"),
    (
        re.compile(r"(cublas|cusparse|cusolver|cufft|cudnn|cutensor|npp)\w*\.h|cutlass/"),
        "libraries",
    ),
    (re.compile(r"cuda/(std/)?(__)?(algorithm|numeric)|cuda/experimental/"), "libcu++ algorithms"),
)
PROGRAM_SUFFIXES = (".cu", ".cpp", ".cc", ".cxx", ".c")

ALLOWED_FLAGS = (
    re.compile(r"-{1,2}use_fast_math"),
    re.compile(r"-{1,2}fmad=(true|false)"),
    re.compile(r"-{1,2}maxrregcount=\d{1,3}"),
    re.compile(r"-O[123]"),
    re.compile(r"-Xptxas=-dlcm=\w{2}"),
    re.compile(r"-Xptxas -dlcm=\w{2}"),
)
ALLOWED_FLAGS_TEXT = (
    "-use_fast_math, -fmad=false, -maxrregcount=N, -O1, -O2, -O3 and -Xptxas -dlcm=ca|cg"
)

# Names of the CPU device, and attributes that hide code from its diagnostics. CUDA has a name of
# its own that looks like one: the processor, where cudaMemPrefetchAsync asks for a device.
INTERNAL = re.compile(
    r"(?i)(?!cudaCpuDeviceId\b)\b\w*cudacpu\w*"
    r"|__SANITIZE_\w+|\w*no_?sanitize\w*|\w*no_instrument\w*"
)

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<raw>R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)")"""
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.DOTALL | re.VERBOSE,
)
INCLUDE = re.compile(r"^[ \t]*(?:\#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*(.*)$", re.M)


@dataclass(frozen=True)
class Forbidden:
    line: int
    sentence: str


def blank_comments(source: str) -> str:
    """The source with comments blanked and continued lines joined; line numbers stay the same."""

    def blank(match: re.Match) -> str:
        if match.group("comment") is None:
            return match.group(0)
        return " " + "\n" * match.group(0).count("\n")

    # A backslash at the end of a line joins it with the next: the lost newlines are given back
    # where the joined line ends.
    continued = re.compile(r"[^\n]*(?:\\[ \t\r]*\n[^\n]*)+")
    joined = continued.sub(
        lambda m: re.sub(r"\\[ \t\r]*\n", "", m.group(0)) + "\n" * m.group(0).count("\n"), source
    )
    return TOKEN.sub(blank, joined)


def check_text(path: Path, source: str, seen: set[Path]) -> Forbidden | None:
    """What is forbidden in the text, here or in the student's own headers."""
    text = blank_comments(source)
    if internal := INTERNAL.search(text):
        line = text.count("\n", 0, internal.start()) + 1
        return Forbidden(line, f"names {internal.group()}: the code must be the same everywhere.")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        operand = match.group(1).strip()
        target = re.match(r'[<"]([^>"]*)[>"]', operand)
        if not target:
            return Forbidden(line, f"includes {operand}, a macro: write the header's name.")
        header = target.group(1).strip()
        for pattern, family in LIBRARIES:
            if pattern.search(header.lower()):
                return Forbidden(line, f"includes {header}: write the work of {family} yourself.")
        if header.lower().endswith(PROGRAM_SUFFIXES):
            return Forbidden(line, f"includes {header}, another program: only headers may be.")
        inner = path.parent / header
        if operand.startswith('"') and inner.is_file() and inner.resolve() not in seen:
            seen.add(inner.resolve())
            found = check_text(inner, read_source(inner), seen)
            if found:
                return Forbidden(line, f"includes {header}, which {found.sentence}")
    return None


def check_flags(source: str) -> Forbidden | None:
    lines = source.splitlines()
    match = re.match(r"\s*//\s*flags:(.*)", lines[1]) if len(lines) > 1 else None
    if not match:
        return None
    # "-Xptxas -dlcm=cg" is one flag in two words.
    flags = re.findall(r"-Xptxas\s+\S+|\S+", match.group(1))
    for flag in flags:
        flag = re.sub(r"\s+", " ", flag)
        if not any(allowed.fullmatch(flag) for allowed in ALLOWED_FLAGS):
            return Forbidden(2, f"asks for the flag {flag}; allowed are {ALLOWED_FLAGS_TEXT}.")
    return None


def read_source(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def check_source(path: Path) -> Forbidden | None:
    """What forbids grading the file at `path`, or None."""
    source = read_source(path)
    return check_flags(source) or check_text(path, source, {path.resolve()})
