"""The CPU device's headers, parsed once: every .cu file begins with them.

They and the C++ library's that they include are 24,000 lines, most of what a compiler reads of a
small .cu file. g++ and Clang can keep what they have parsed (a precompiled header). A file here is
made when it is first needed and made anew when a header of the CPU device is newer. It saves time
and nothing else: where it cannot be made or does not fit, the text is read as ever.
"""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Callable
from pathlib import Path

NAME = "prelude.h"


def up_to_date(file: Path, newest: float) -> bool:
    return file.exists() and file.stat().st_mtime > newest


def make_once(file: Path, newest: float, commands: Callable[[Path], list[list[str]]]) -> bool:
    """Has a compiler make `file`, unless it is newer than `newest`; False where that fails.

    `commands` gives the command lines that write to a path. Several may ask at a time: one works.
    What failed is not tried again.
    """
    failed = file.with_name(f"failed.{file.name}")
    if up_to_date(file, newest):
        return True
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file.parent / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if up_to_date(file, newest) or up_to_date(failed, newest):
                return file.exists()
            fresh = file.with_name(f"new.{file.name}")
            for command in commands(fresh):
                if subprocess.run(command, capture_output=True).returncode != 0:
                    file.unlink(missing_ok=True)
                    failed.touch()
                    return False
            fresh.replace(file)
            return True
    except OSError:
        return False  # a folder that may not be written to, a full disk


def for_gcc(folder: Path, newest: float, header: str, command: list[str]) -> Path | None:
    """What to `-include` in place of `header`; `command` is g++ with the options of the programs.

    g++ takes NAME.gch for NAME where it was made under the same options, and else NAME itself.
    """
    name = folder / NAME

    def making(fresh: Path) -> list[list[str]]:
        # In angle brackets, since only what is found as a system's header is silent on warnings.
        name.write_text(f"#include <{header}>\n")
        make = ["-x", "c++-header", str(name), "-MD", "-MF", f"{name}.d", "-o", str(fresh)]
        # Where memory is laid out at random g++ may not be able to read what it wrote.
        read = ["-x", "c++", "-fsyntax-only", "-Winvalid-pch", "-Werror", "/dev/null"]
        return [[*command, *make], [*command, "-include", str(fresh.with_suffix("")), *read]]

    return name if make_once(folder / f"{NAME}.gch", newest, making) else None


def headers_of(prelude: Path, below: Path) -> list[str]:
    """The files below a folder that are in g++'s precompiled header."""
    words = Path(f"{prelude}.d").read_text().replace("\\\n", " ").split()
    return [word for word in words[1:] if word.startswith(str(below))]


def for_clang(folder: Path, newest: float, header: Path, command: list[str]) -> Path | None:
    """The file for `-include-pch`; `command` is clang++ as it checks programs, without warnings."""
    file = folder / "clang.pch"
    # Without times in it a newer C library is no error; what changes the size of a file still is.
    extra = ["-S", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"]
    made = make_once(
        file, newest, lambda fresh: [[*command, *extra, "-o", str(fresh), str(header)]]
    )
    return file if made else None
