"""Parses the CPU device's headers, with which every .cu file begins, only once.

Together with their headers of the C++ library they have 24,000 lines, most of a compiler's input
for a small .cu file. g++ and Clang can store a parsed header (a precompiled header). The file is
made at its first use, and again when a header is newer. A precompiled header only saves time: if
none can be made or none fits, the text is read as usual.

A precompiled header contains the paths of the headers and fits a single command line, so each
command line has a separate folder.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from ..flags import changes_no_code, diagnostic_definitions
from ..options import DEFAULT_ARCHITECTURE, Options
from ..tools import COMPILER, INCLUDE, finish, up_to_date

NAME = "prelude.h"
AGAIN_S = 3600  # until a retry after a failure, perhaps for a lack of memory or disk space


def is_usual(options: Options) -> bool:
    """Whether the command line neither changes the headers nor asks for their text."""
    own = {*diagnostic_definitions(options)}
    words = [w for w in options.preprocessor if w not in own]
    return (
        options.architecture == DEFAULT_ARCHITECTURE
        and all(map(changes_no_code, options.compiler))
        and options.mode != "preprocess"
        and not options.keep
        and all(w.startswith("-I") and w != "-I" for w in words)
    )


def folder_for(build: Path, command: list[str]) -> Path:
    digest = hashlib.sha256("\0".join(command).encode(errors="surrogateescape")).hexdigest()
    return build / "precompiled" / digest[:12]


def make_once(file: Path, newest: float, commands: Callable[[Path], list[list[str]]]) -> bool:
    """Has a compiler make `file`, unless `file` is newer than `newest`; False after a failure.

    `commands` gives the command lines that write to a path, and the files they read to PATH.d. Of
    several concurrent processes a single process works.
    """
    failed = file.with_name(f"failed.{file.name}")
    if up_to_date(file, newest):
        return True
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file.parent / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            began = time.time()
            if up_to_date(file, newest):
                return True
            if up_to_date(failed, max(newest, began - AGAIN_S)):
                return False
            fresh = file.with_name(f"new.{file.name}")
            for command in commands(fresh):
                if subprocess.run(command, capture_output=True).returncode != 0:
                    fresh.unlink(missing_ok=True)
                    failed.touch()
                    return False
            Path(f"{fresh}.d").replace(f"{file}.d")
            finish(fresh, file, began)
            return True
    except OSError:
        return False  # a folder without write access, a full disk


def for_gcc(build: Path, header: str, command: list[str]) -> Path | None:
    """The file to `-include` in place of `header`; `command` is g++ with the options of the
    programs.

    g++ uses NAME.gch, if made with the same options, for NAME, and otherwise NAME itself.
    """
    name = folder_for(build, command) / NAME
    file = Path(f"{name}.gch")

    def making(fresh: Path) -> list[list[str]]:
        # In angle brackets: a header found as a system's header causes no warnings.
        name.write_text(f"#include <{header}>\n")
        make = ["-x", "c++-header", str(name), "-MD", "-MF", f"{fresh}.d", "-o", str(fresh)]
        # With randomised addresses g++ may fail to read the file that g++ wrote.
        read = ["-x", "c++", "-fsyntax-only", "-Winvalid-pch", "-Werror", "/dev/null"]
        return [[*command, *make], [*command, "-include", str(fresh.with_suffix("")), *read]]

    return name if make_once(file, newest_of(file, command[0]), making) else None


def for_clang(build: Path, header: Path, command: list[str]) -> Path | None:
    """The file for `-include-pch`; `command` is the clang++ command of the check, without
    warnings.
    """
    file = folder_for(build, command) / "clang.pch"

    def making(fresh: Path) -> list[list[str]]:
        extra = ["-S", "-Xclang", "-emit-pch", "-MD", "-MF", f"{fresh}.d", "-o", str(fresh)]
        return [[*command, *extra, str(header)]]

    return file if make_once(file, newest_of(file, command[0]), making) else None


def newest_of(file: Path, compiler: str) -> float:
    """The newest time of all files that `file` depends on, including the system's headers."""
    installed = [shutil.which(compiler), *headers_of(file, "/usr")]
    try:
        return max([newest_header(), *(os.stat(path).st_ctime for path in installed if path)])
    except OSError:
        return time.time()  # a header is gone


@functools.cache
def newest_header() -> float:
    files = [*INCLUDE.rglob("*.h"), *COMPILER.rglob("*.py")]
    return max(path.stat().st_mtime for path in files)


def headers_of(file: Path, below: str) -> list[str]:
    """The files below a folder that were read to make `file`."""
    try:
        text = Path(f"{file}.d").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    words = re.split(r"(?<!\\)\s+", text.replace("\\\n", " "))
    names = (re.sub(r"\\([ #:])", r"\1", word).replace("$$", "$") for word in words)
    return [name for name in names if name.startswith(below)]
