"""Writes a file atomically: a reader sees the old content or the new, never a mixture."""

import errno
import json
import threading
from pathlib import Path

SOURCES = {".cu", ".cuh", ".h", ".hpp", ".cpp"}
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def write_whole(path: Path, content: str | bytes) -> None:
    """Creates or replaces the file, and creates the folder; text is written as UTF-8.

    A failure (OSError: a full disk) leaves the old content and no other file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two graders in one tree, or two threads of a grader, may write the same file at the same time.
    partial = path.with_name(f"{path.name}.{threading.get_native_id()}.part")
    try:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_json(path: Path, value: object) -> None:
    """Writes indented JSON for people; raises ValueError for what JSON cannot express (NaN)."""
    write_whole(path, json.dumps(value, indent=1, allow_nan=False) + "\n")


def source_lines(root: Path, named: str, also: Path) -> list[str]:
    """The lines of a source file of the repository or of the folder `also`; none of other files.

    The name may come from a student's process, which must not get any other file shown.
    """
    path = (root / named).resolve()
    inside = path.is_relative_to(root.resolve()) or path.is_relative_to(also.resolve())
    if not inside or path.suffix not in SOURCES or not path.is_file():
        return []
    return path.read_text(errors="replace").expandtabs(4).splitlines()


def short(root: Path, path: Path) -> str:
    """The path as a student types it: relative to the repository's root for a file inside."""
    resolved = path.resolve()
    if resolved.is_relative_to(root.resolve()):
        return str(resolved.relative_to(root.resolve()))
    return str(path)
