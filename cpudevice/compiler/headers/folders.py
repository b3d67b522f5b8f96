"""The folders of the headers that programs include, and the headers that only forward.

A toolkit spreads its headers over hundreds of files, and programs include any of them by name. A
table (forwards.txt) has the names without a file in the CPU device: a line with the headers to
include, and indented lines with the names that programs know. The headers of these names are
written once, into a folder of the build named after the table's content.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import shutil
import tempfile
from pathlib import Path

from ..tools import INCLUDE, LIBRARIES, build_folder

TABLES = (INCLUDE / "forwards.txt", LIBRARIES / "forwards.txt")
TEXT = "#ifndef {guard}\n#define {guard}\n{includes}\n#endif\n"


def read_table(text: str) -> dict[str, list[str]]:
    """What each header of the table includes, by the header's name."""
    forwards: dict[str, list[str]] = {}
    included: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            forwards |= dict.fromkeys(line.split(), included)
        else:
            included = line.split()
    return forwards


def header_text(name: str, included: list[str]) -> str:
    """The text of a header; the guard is the macro of NVIDIA's header with the same name."""
    lines = [f"#include {one}" if one.startswith("<") else f'#include "{one}"' for one in included]
    guard = f"__{re.sub(r'[^A-Z0-9]', '_', name.upper())}__"
    return TEXT.format(guard=guard, includes="\n".join(lines))


@functools.cache
def forwards_folders() -> dict[Path, Path]:
    """The tables, by the folder of their headers."""
    return {folder_of(table): table for table in TABLES if table.is_file()}


def folder_of(table: Path) -> Path:
    digest = hashlib.sha256(f"{TEXT}{table.read_text()}".encode()).hexdigest()
    return build_folder("include", digest[:12]).absolute()


def write_forwards(table: Path, folder: Path) -> None:
    """Writes all headers of a table; another process may do the same."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="new.", dir=folder.parent))
    try:
        for name, included in read_table(table.read_text()).items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_text(header_text(name, included))
        fresh.chmod(0o755)
        with contextlib.suppress(OSError):  # the other process was faster
            fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


@functools.cache
def include_folders() -> list[Path]:
    """The folders to search, in order: the core's, the forwarding headers, the libraries'."""
    for folder, table in forwards_folders().items():
        if not folder.is_dir():
            # Without write access programs do without the forwarding headers.
            with contextlib.suppress(OSError):
                write_forwards(table, folder)
    forwards = (folder for folder in forwards_folders() if folder.is_dir())
    return [INCLUDE, *forwards, *sorted(LIBRARIES.glob("*/include"))]


def include_flags() -> list[str]:
    return [word for folder in include_folders() for word in ("-isystem", str(folder))]


@functools.cache
def prefixes() -> tuple[str, ...]:
    return tuple(f"{folder}/" for folder in (INCLUDE, *forwards_folders(), LIBRARIES))


def is_ours(file: str) -> bool:
    """Whether a file of headers, or a message about the file, is the CPU device's."""
    return file.startswith(prefixes())
