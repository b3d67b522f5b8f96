"""Stops a part before any program runs: the file is missing, or holds something forbidden."""

import os
from pathlib import Path

from grader.base.files import short
from grader.base.source_text import read_source
from grader.build.lexer import Place
from grader.build.limited import limited
from grader.build.make import BuildError, build, object_of
from grader.build.object_check import check_dependencies, check_object, names_beside
from grader.build.own_files import OwnFiles, own_files
from grader.build.preprocessed import (
    Offence,
    check_headers,
    check_lines,
    existing_texts,
    headers_alone,
)
from grader.build.source_check import Forbidden, check_source, unused_flags

Stop = tuple[str, BuildError]  # a verdict for a whole part, and why
# All input is limited in size and read in one pass: a tenth of the limit is plenty.
LIMIT_S = 20.0
TOO_SLOW = "takes too long to read: make it shorter."


def stop_at_source(root: Path, file: Path, assignment: str) -> Stop | None:
    """A verdict without a build: the file is missing, or holds something forbidden."""
    if not file.is_file():
        what = "is no file" if os.path.lexists(file) else "is not there"
        restore = f"make reset-{assignment}"
        sentence = f"{short(root, file)} {what}; `{restore}` restores the starter."
        return "build_error", BuildError(sentence, "")
    folders = (root / assignment,)
    try:
        forbidden = limited(LIMIT_S, lambda: check_source(file, folders))
    except TimeoutError:
        forbidden = Forbidden(1, TOO_SLOW)
    except OSError as error:
        sentence = f"{short(root, file)} cannot be read: {error.strerror}."
        return "build_error", BuildError(sentence, "")
    if forbidden:
        sentence = f"{short(root, file)}:{forbidden.line}: {forbidden.sentence}"
        return "forbidden", BuildError(sentence, "")
    return None


def warnings_of(root: Path, file: Path) -> list[str]:
    """Warns of allowed code that does not do what the author expects."""
    line = unused_flags(read_source(file))
    if not line:
        return []
    return [
        f"{short(root, file)}:{line}: these flags are not used: write them on line 2, exactly as "
        "`// flags: -use_fast_math`."
    ]


def stop_at_object(root: Path, file: Path, programs: list[str]) -> Stop | None:
    """Returns the verdict `forbidden` for what only the preprocessed text or the object shows."""
    objects = [root / object_of(program) for program in programs]
    if stop := stop_at_preprocessed(root, file, objects):
        return stop
    for program, object_file in zip(programs, objects, strict=True):
        if not object_file.is_file():
            continue  # not compiled
        ours = names_beside((root / program).absolute())
        offence = check_object(object_file, ours) or check_dependencies(
            object_file.with_suffix(".d")
        )
        if offence:
            sentence = f"{short(root, file)} {offence}"
            return "forbidden", BuildError(sentence, "")
    return None


def stop_at_preprocessed(root: Path, file: Path, objects: list[Path]) -> Stop | None:
    objects = [one for one in objects if existing_texts([one])]
    if not objects:
        return None
    folders = (root / objects[0].relative_to(root).parts[2],)

    def look() -> tuple[OwnFiles, Offence | None, Path | None]:
        own = own_files(file, folders)
        offence = check_lines(root, own, objects)
        return own, offence, None if offence else headers_alone(root, own)

    try:
        own, offence, headers = limited(LIMIT_S, look)
        if headers:
            plain = build_headers(root, headers, objects)
            offence = limited(LIMIT_S, lambda: check_headers(root, own, objects, plain))
    except TimeoutError:
        offence = Offence(Place(str(file), 1), TOO_SLOW)
    if offence is None:
        return None
    place = f"{short(root, root / offence.place.file)}:{offence.place.line}"
    return "forbidden", BuildError(f"{place}: {offence.sentence}", "")


def build_headers(root: Path, headers: Path, objects: list[Path]) -> list[Path]:
    """Builds a file of #include lines in the same ways in which `objects` were built."""
    name = headers.relative_to(root).with_suffix(".o")
    built = [Path("build", one.relative_to(root).parts[1], name) for one in objects]
    build(root, {str(one): None for one in built})
    return [root / one for one in built]
