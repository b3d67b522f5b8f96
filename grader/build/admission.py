"""What stops a part before anything of it runs: no file, or one that holds what is not allowed."""

import os
from pathlib import Path

from grader.base.files import short
from grader.base.source_text import read_source
from grader.build.make import BuildError
from grader.build.object_check import check_dependencies, check_object, names_beside
from grader.build.source_check import check_source, unused_flags

Stop = tuple[str, BuildError]  # a verdict for a whole part, and why


def stop_at_source(root: Path, file: Path, assignment: str) -> Stop | None:
    """A verdict that needs no build: the file is missing, or holds what is not allowed."""
    if not file.is_file():
        what = "is no file" if os.path.lexists(file) else "is not there"
        restore = f"make reset-{assignment}"
        sentence = f"{short(root, file)} {what}; `{restore}` brings the starter back."
        return "build_error", BuildError(sentence, "")
    try:
        forbidden = check_source(file)
    except OSError as error:
        sentence = f"{short(root, file)} cannot be read: {error.strerror}."
        return "build_error", BuildError(sentence, "")
    if forbidden:
        sentence = f"{short(root, file)}:{forbidden.line}: {forbidden.sentence}"
        return "forbidden", BuildError(sentence, "")
    return None


def warnings_of(root: Path, file: Path) -> list[str]:
    """What does no harm, but not what its author expects either."""
    line = unused_flags(read_source(file))
    if not line:
        return []
    return [
        f"{short(root, file)}:{line}: these flags are not used: write them on line 2, exactly as "
        "`// flags: -use_fast_math`."
    ]


def stop_at_object(root: Path, file: Path, programs: list[str]) -> Stop | None:
    """The verdict `forbidden` for what only the compiled file shows, in any of its builds."""
    for program in programs:
        object_file = root / f"{program}.o"
        if not object_file.is_file() or is_older(object_file, file):
            continue  # it was not compiled, or that was another version
        ours = names_beside((root / program).absolute())
        offence = check_object(object_file, ours) or check_dependencies(
            object_file.with_suffix(".d")
        )
        if offence:
            sentence = f"{short(root, file)} {offence}"
            return "forbidden", BuildError(sentence, "")
    return None


def is_older(one: Path, other: Path) -> bool:
    return one.stat().st_mtime < other.stat().st_mtime
