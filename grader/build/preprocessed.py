"""Checks the preprocessed text of a student's file, in each build.

make leaves the preprocessed text of each build beside the object. The student's lines in the text
must follow the lists of source_words.py, whatever macros have assembled. On the CPU device the
lines must be the same in all builds, so that one program is sanitized, profiled and judged. And the
student's macros must not change the headers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cpudevice.compiler.tokens import INCLUDED, regions
from grader.base.files import write_whole
from grader.base.source_text import decode
from grader.build.directives import directives
from grader.build.lexer import Code, Place
from grader.build.own_files import Include, OwnFile, OwnFiles
from grader.build.source_words import first_offence

MACROS = ("define", "undef")
MAX_BYTES = 8 << 20  # of the student's lines after preprocessing


@dataclass(frozen=True)
class Offence:
    place: Place
    sentence: str


@dataclass
class Preprocessed:
    """The text of a build, with the student's lines apart from the headers' lines."""

    own: Code
    # The lines of each other file, without blanks.
    headers: dict[str, set[str]] = field(default_factory=dict)


class TooLong(Exception):
    """The student's lines are too many to check."""


def texts_of(object_file: Path) -> list[Path]:
    """The paths of an object's preprocessed text: one per pass of nvcc, a single path of cudacc."""
    return [object_file.with_suffix(".ii"), *sorted(object_file.with_suffix(".keep").glob("*.ii"))]


def existing_texts(objects: list[Path]) -> list[Path]:
    return [path for file in objects for path in texts_of(file) if path.is_file()]


def take_apart(root: Path, path: Path, own: OwnFiles) -> Preprocessed:
    """Sorts the regions of a preprocessed text, whose paths are relative to `root`."""
    own_paths = {file.path.resolve() for file in own.files}
    is_own: dict[str, bool] = {}
    pieces: list[str] = []
    offsets, places, length = [0], [Place("", 1)], 0
    headers: dict[str, set[str]] = {}
    for region in regions(path.read_text(errors="replace")):
        name = region.file
        if name not in is_own:
            is_own[name] = Path(root, name).resolve() in own_paths
        if not is_own[name]:
            lines = region.text.split("\n") if name and not name.startswith("<") else []
            headers.setdefault(name, set()).update("".join(line.split()) for line in lines)
            continue
        offsets.append(length)
        places.append(Place(name, region.line))
        pieces.append(INCLUDED.sub("", region.text) + "\n")
        length += len(pieces[-1])
        if length > MAX_BYTES:
            raise TooLong
    return Preprocessed(Code("".join(pieces), offsets, places), headers)


def check_lines(root: Path, own: OwnFiles, objects: list[Path]) -> Offence | None:
    """The forbidden part of the student's lines in the preprocessed texts of the objects."""
    begin = Place(str(own.files[0].path), 1)
    texts = existing_texts(objects)
    try:
        found = [take_apart(root, path, own) for path in texts]
    except TooLong:
        return Offence(begin, f"grows to more than {MAX_BYTES >> 20} MiB through its macros.")
    for one in found:
        if offence := first_offence(one.own):
            return Offence(one.own.place(offence.offset), offence.sentence)
    if not any(path.parent.suffix == ".keep" for path in texts):
        for other in found[1:]:
            if place := first_difference(found[0].own, other.own):
                sentence = "is not the same in all builds: the code must be the same everywhere."
                return Offence(place, sentence)
    return None


def first_difference(one: Code, other: Code) -> Place | None:
    for token, (word, another) in enumerate(zip(one.words, other.words, strict=False)):
        if word != another:
            return one.place(one.starts[token])
    length = min(len(one.words), len(other.words))
    if len(one.words) == len(other.words):
        return None
    longer = max(one, other, key=lambda code: len(code.words))
    return longer.place(longer.starts[length])


def check_headers(
    root: Path, own: OwnFiles, objects: list[Path], plain: list[Path]
) -> Offence | None:
    """Whether the student's macros add a line to a header.

    `plain` are the objects of headers_alone(), built like `objects`.
    """
    begin = Place(str(own.files[0].path), 1)
    cure = "define macros behind the #include lines."
    texts, plain_texts = existing_texts(objects), existing_texts(plain)
    if len(texts) != len(plain_texts):
        return Offence(begin, f"includes headers that need its macros: {cure}")
    for text, plain_text in zip(texts, plain_texts, strict=True):
        headers = take_apart(root, plain_text, OwnFiles(())).headers
        for name, lines in take_apart(root, text, own).headers.items():
            if lines - headers.get(name, set()):
                sentence = f"has a macro that changes what {Path(name).name} says: {cure}"
                return Offence(begin, sentence)
    return None


def headers_alone(root: Path, own: OwnFiles) -> Path | None:
    """A file that includes the other headers that the student's files include.

    None if not needed: a header that follows no macro of the student's cannot change.
    """
    steps = list(macros_and_headers(own, own.files[0], set()))
    if "" not in steps or not any(steps[steps.index("") :]):
        return None
    return write_headers(root, own, [step for step in steps if step])


def macros_and_headers(own: OwnFiles, file: OwnFile, seen: set[Path]) -> Iterator[str]:
    """The included headers of others, as written, and "" for each macro, in order."""
    seen.add(file.path)
    steps: list[tuple[int, Include | None]] = [(one.line, one) for one in file.includes]
    steps += [(line, None) for name, _, line in directives(file.text) if name in MACROS]
    for _, include in sorted(steps, key=lambda step: step[0]):
        header = own.find(file, include) if include else None
        if header and header.path not in seen:
            yield from macros_and_headers(own, header, seen)
        elif not header:
            yield include.operand if include else ""


def write_headers(root: Path, own: OwnFiles, headers: list[str]) -> Path:
    """Writes a file that includes the headers that exist, with the student's flags."""
    second_line = [*decode(own.files[0].content).split("\n"), "", ""][1]
    lines = ["// Headers alone.", second_line if second_line.startswith("// flags:") else ""]
    for header in headers:
        lines += [f"#if __has_include({header})", f"#include {header}", "#endif"]
    text = "\n".join([*lines, ""])
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    file = root / "build" / "headers" / f"{digest}.cu"
    if not file.is_file():
        write_whole(file, text)
    return file
