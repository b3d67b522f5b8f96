"""Reads a student's file before anything is built from it: what is not allowed gets `forbidden`.

Four rules. The work is the student's own, so libraries that already contain it may not be included,
nor may the judge, the reference or any file elsewhere on the machine. Compiler flags on line 2
(`// flags: -use_fast_math`) come from an allow-list, because make passes them to the compiler. The
code may not ask on which device, or in which of its modes, it runs: what is checked for races, what
is counted and what is judged must be the same. And nothing may hide code from these rules or from
the instrumentation: source_words.py. (What the compiler made of the file is looked at in
object_check.py.)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.base.source_text import blank_comments, blank_strings, read_source
from grader.build.source_words import WORDS, offences

MAX_BYTES = 1 << 20  # a hundred times the longest file here

LIBRARIES = (
    (re.compile(r"(^|/)(cub|thrust)/"), "CUB and Thrust"),
    (
        re.compile(r"(cublas|cusparse|cusolver|cufft|cudnn|cutensor|npp)\w*\.h|cutlass/"),
        "libraries",
    ),
    (re.compile(r"cuda/(std/)?(__)?(algorithm|numeric)|cuda/experimental/"), "libcu++ algorithms"),
)
PROGRAM_SUFFIXES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".py")
# Folders and headers of the judged and of the judge, whichever way they are spelt.
OURS = re.compile(
    r"(^|/)(grading|reference|solution|ladder|wrong|grader|runner|peers|tests|cpudevice)/"
    r"|(^|/)(judge|options|output_archive|peers|problem|stopwatch)\.h$"
)
# The harness has headers of these names, too; a student's own may be called so.
OURS_UNLESS_OWN = re.compile(r"(fill|fingerprint|pictures)\.h")

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

FLAGS_COMMENT = re.compile(r"\s*//\s*flags\s*:\s*-", re.I)
FLAGS_LINE = re.compile(r"// flags:[-=_ a-zA-Z0-9]*\r?")  # as harness/rules.mk reads it

SPACE = r"[ \t\f\v\0\r]*"
INCLUDE = re.compile(
    rf"^{SPACE}(?:\#|%:){SPACE}(?:include|include_next|import)\b{SPACE}(.*)$", re.MULTILINE
)


@dataclass(frozen=True)
class Forbidden:
    line: int
    sentence: str


def check_text(path: Path, source: str, seen: set[Path]) -> Forbidden | None:
    """What is forbidden in the text, here or in the student's own headers: the first of it."""
    text = blank_comments(source)
    bare = blank_strings(text)
    found = [
        Forbidden(text.count("\n", 0, match.start()) + 1, sentence.format(match.group().strip()))
        for words, sentence in WORDS
        for match in words.finditer(bare)
    ]
    found += [
        Forbidden(text.count("\n", 0, place) + 1, sentence)
        for place, sentence in offences(text, bare)
    ]
    found += forbidden_includes(path, text, seen)
    return min(found, key=lambda forbidden: forbidden.line, default=None)


def forbidden_includes(path: Path, text: str, seen: set[Path]) -> Iterator[Forbidden]:
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        operand = match.group(1).strip()
        target = re.match(r'[<"]([^>"]*)[>"]', operand)
        if not target:
            yield Forbidden(line, f"includes {operand}, a macro: write the header's name.")
            continue
        header = target.group(1).strip()
        if sentence := header_sentence(header):
            yield Forbidden(line, f"includes {header}{sentence}")
            continue
        inner = path.parent / header
        if OURS_UNLESS_OWN.fullmatch(header.lower()) and not inner.is_file():
            yield Forbidden(line, f"includes {header}: what grades you is not yours to use.")
            continue
        if operand.startswith('"') and inner.is_file() and inner.resolve() not in seen:
            seen.add(inner.resolve())
            found = check_file(inner, seen)
            if found:
                yield Forbidden(line, f"includes {header}, which {found.sentence}")


def header_sentence(header: str) -> str:
    """Why this header may not be included, "" if it may."""
    for pattern, family in LIBRARIES:
        if pattern.search(header.lower()):
            return f": write the work of {family} yourself."
    if header.lower().endswith(PROGRAM_SUFFIXES):
        return ", another program: only headers may be."
    if header.startswith("/") or ".." in header.split("/"):
        return ": headers stand beside your file, or come with CUDA, C++ and the assignment."
    if OURS.search(header.lower()):
        return ": what grades you is not yours to use."
    return ""


def check_flags(source: str) -> Forbidden | None:
    lines = source.split("\n")
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


def unused_flags(source: str) -> int:
    """The first line that looks like compiler flags and is not where make reads them; 0: none."""
    for number, line in enumerate(source.split("\n"), 1):
        if FLAGS_COMMENT.match(line) and not (number == 2 and FLAGS_LINE.fullmatch(line)):
            return number
    return 0


def check_file(path: Path, seen: set[Path]) -> Forbidden | None:
    if not path.resolve().is_relative_to(path.parent.resolve()):
        return Forbidden(1, "is a link that leads out of its folder: put the file itself there.")
    if path.stat().st_size > MAX_BYTES:
        return Forbidden(1, f"is larger than {MAX_BYTES >> 20} MiB.")
    return check_text(path, read_source(path), seen)


def check_source(path: Path) -> Forbidden | None:
    """What forbids grading the file at `path`, or None. Raises OSError where it cannot be read."""
    return check_file(path, {path.resolve()}) or check_flags(read_source(path))
