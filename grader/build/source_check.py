"""Checks a student's file before anything is built; a file that breaks a rule is `forbidden`.

Four rules. The work is the student's own, so a file may not include libraries that already contain
the work, nor the judge, the reference or any file elsewhere on the machine. Compiler flags on line
2 (`// flags: -use_fast_math`) come from an allow-list, because make passes the flags to the
compiler. The code may not ask for its device or mode: the sanitized, the profiled and the judged
program must be the same. And nothing may hide code from the rules or from the instrumentation: see
directives.py and source_words.py. (preprocessed.py and object_check.py check what the preprocessor
and the compiler made of the file.)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.base.source_text import decode
from grader.build.directives import Macros, macros_of, refused_directives
from grader.build.lexer import Code
from grader.build.own_files import Include, OwnFile, OwnFiles, Unusable, own_files
from grader.build.source_words import first_offence

LIBRARIES = (
    (re.compile(r"(^|/)(cub|thrust)/"), "CUB and Thrust"),
    (
        re.compile(r"(cublas|cusparse|cusolver|cufft|cudnn|cutensor|npp)\w*\.h|cutlass/"),
        "libraries",
    ),
    (re.compile(r"cuda/(std/)?(__)?(algorithm|numeric)|cuda/experimental/"), "libcu++ algorithms"),
)
PROGRAM_SUFFIXES = (".cu", ".cpp", ".cc", ".cxx", ".c", ".py")
# Folders and headers of the graded file and of the judge, in any spelling.
OURS = re.compile(
    r"(^|/)(grading|reference|solution|ladder|wrong|grader|runner|peers|tests|cpudevice)/"
    r"|(^|/)(judge|options|output_archive|peers|problem|steady_rate|stopwatch)\.h$"
)
# Names of the harness's headers, which a student's own header may have as well.
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
FLAGS_LINE = re.compile(r"// flags:[-=_ a-zA-Z0-9]*\r?")  # as read by harness/rules.mk


@dataclass(frozen=True)
class Forbidden:
    line: int
    sentence: str


def check_file(file: OwnFile, macros: Macros) -> Forbidden | None:
    """The first forbidden thing in the text."""
    found = [*forbidden_includes(file)]
    found += [Forbidden(line, sentence) for line, sentence in refused_directives(file.text, macros)]
    code = Code(file.text)
    if offence := first_offence(code):
        found.append(Forbidden(code.place(offence.offset).line, offence.sentence))
    return min(found, key=lambda forbidden: forbidden.line, default=None)


def forbidden_includes(file: OwnFile) -> Iterator[Forbidden]:
    for include in file.includes:
        if sentence := include_sentence(file, include):
            yield Forbidden(include.line, sentence)


def include_sentence(file: OwnFile, include: Include) -> str:
    header = include.header
    if not header:
        return f"includes {include.operand[:60]}, a macro: write the header's name."
    if sentence := header_sentence(header):
        return f"includes {header}{sentence}"
    if OURS_UNLESS_OWN.fullmatch(header.lower()) and not (file.path.parent / header).is_file():
        return f"includes {header}: it is part of the grader, which your file may not use."
    return ""


def header_sentence(header: str) -> str:
    """Why a header may not be included, "" if allowed."""
    for pattern, family in LIBRARIES:
        if pattern.search(header.lower()):
            return f": write the work of {family} yourself."
    if header.lower().endswith(PROGRAM_SUFFIXES):
        return ", another program: only headers may be."
    if header.startswith("/") or ".." in header.split("/"):
        return ": a header must be beside your file, or come with CUDA, C++ or the assignment."
    if OURS.search(header.lower()):
        return ": it is part of the grader, which your file may not use."
    return ""


def check_flags(source: str) -> Forbidden | None:
    lines = source.split("\n")
    match = re.match(r"\s*//\s*flags:(.*)", lines[1]) if len(lines) > 1 else None
    if not match:
        return None
    # "-Xptxas -dlcm=cg" is a flag of two words.
    flags = re.findall(r"-Xptxas\s+\S+|\S+", match.group(1))
    for flag in flags:
        flag = re.sub(r"\s+", " ", flag)
        if not any(allowed.fullmatch(flag) for allowed in ALLOWED_FLAGS):
            return Forbidden(2, f"asks for the flag {flag}; allowed are {ALLOWED_FLAGS_TEXT}.")
    return None


def unused_flags(source: str) -> int:
    """The number of the first line but line 2 that looks like compiler flags; 0: none."""
    for number, line in enumerate(source.split("\n"), 1):
        if FLAGS_COMMENT.match(line) and not (number == 2 and FLAGS_LINE.fullmatch(line)):
            return number
    return 0


def check_source(path: Path, folders: tuple[Path, ...] = ()) -> Forbidden | None:
    """Why the file at `path` may not be graded, or None. Raises OSError for an unreadable file.

    `folders`: see own_files().
    """
    try:
        own = own_files(path, folders)
    except Unusable as error:
        return Forbidden(error.line, error.sentence)
    main, *headers = own.files
    macros = macros_of(file.text for file in own.files)
    if found := check_file(main, macros) or check_flags(decode(main.content)):
        return found
    return next(filter(None, (check_header(own, file, macros) for file in headers)), None)


def check_header(own: OwnFiles, file: OwnFile, macros: Macros) -> Forbidden | None:
    """The forbidden part of a header, as a sentence about the line of the #include."""
    found = check_file(file, macros)
    if not found:
        return None
    main = own.files[0]
    for include in main.includes:
        if Path(include.header).name == file.path.name:
            return Forbidden(include.line, f"includes {include.header}, which {found.sentence}")
    return Forbidden(1, f"includes {file.path.name}, which {found.sentence}")
