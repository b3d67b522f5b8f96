"""CUDA's libraries and the core: includes of the core, and of each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cpudevice.compiler.headers.folders import TABLES, read_table
from cpudevice.compiler.tools import INCLUDE, LIBRARIES, SOURCES

# Lowest first: a library includes only earlier libraries. README.md has the same order.
FOLDERS = (
    "common",
    "driver",
    "nvtx",
    "libcudacxx",
    "thrust",
    "cub",
    "curand",
    "cublas",
    "cufft",
    "cusparse",
)
DOOR = LIBRARIES / "common" / "core.h"
FORWARDS = read_table("".join(table.read_text() for table in TABLES))


def files() -> list[Path]:
    return sorted(
        path
        for path in LIBRARIES.rglob("*")
        if path.is_file() and path.suffix not in (".md", ".txt") and "__pycache__" not in path.parts
    )


def library_of(path: Path) -> str:
    return path.relative_to(LIBRARIES).parts[0]


def found(name: str, path: Path) -> Path | None:
    """The file of the name in an include of `path`; None for a forwarding or a lost header."""
    folders = [path.parent, LIBRARIES, *LIBRARIES.glob("*/include"), INCLUDE, SOURCES]
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def included(path: Path) -> Iterator[tuple[str, Path | None]]:
    for name in re.findall(r'^#include "(.+)"$', path.read_text(), re.MULTILINE):
        for one in FORWARDS.get(name, [name]):
            if not one.startswith("<"):
                yield one, found(one, path)


def test_every_library_has_its_place() -> None:
    folders = {path.name for path in LIBRARIES.iterdir() if path.is_dir()}
    assert folders == set(FOLDERS)
    rows = re.findall(r"^\| `(\w+)/` ", (LIBRARIES / "README.md").read_text(), re.MULTILINE)
    assert rows == list(FOLDERS)


def test_one_header_includes_the_core_s_sources() -> None:
    through_the_door = [name for name, _ in included(DOOR)]
    assert through_the_door and all((SOURCES / name).is_file() for name in through_the_door)
    others = [
        f"{path.relative_to(LIBRARIES)}: {name}"
        for path in files()
        for name, header in included(path)
        if path != DOOR and header and header.is_relative_to(SOURCES)
    ]
    assert others == []


def test_a_library_includes_those_before_it() -> None:
    wrong = []
    for path in files():
        for name, header in included(path):
            if header is None:
                wrong.append(f"{path.relative_to(LIBRARIES)}: {name} is nowhere")
            elif header.is_relative_to(LIBRARIES) and FOLDERS.index(
                library_of(header)
            ) > FOLDERS.index(library_of(path)):
                wrong.append(f"{path.relative_to(LIBRARIES)}: {name} is above it")
    assert wrong == []


def test_forwarding_headers_lead_to_headers() -> None:
    """The core's table leads to headers of the core, and no name is also a file's."""
    for table, folders in zip(
        TABLES, ([INCLUDE], [INCLUDE, *LIBRARIES.glob("*/include")]), strict=True
    ):
        for name, targets in read_table(table.read_text()).items():
            assert not any((folder / name).exists() for folder in folders), name
            for target in targets:
                known = target.startswith("<") or target in FORWARDS
                assert known or any((folder / target).is_file() for folder in folders), target
