"""Another processor: a compiler for it, and an emulator that runs its programs.

Debian's packages g++-aarch64-linux-gnu, libstdc++6-arm64-cross, which comes with it, and qemu-user.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    """How to compile for a machine, and how to run a program on it; by default this one."""

    compiler: str = "g++"
    launcher: Sequence[str] = ()
    options: Sequence[str] = ()  # for cudacc
    path: str = ""  # a folder of programs that stand before others of their names

    def environment(self, added: dict[str, str]) -> dict[str, str]:
        path = os.pathsep.join(filter(None, [self.path, os.environ["PATH"]]))
        return os.environ | {"PATH": path} | added


PREFIX = "aarch64-linux-gnu"
LIBRARIES = Path("/usr") / PREFIX
# The arena takes as much of the address space as there is, and the emulator has a record for each
# page: with 16 GB it starts at once.
ADDRESS_SPACE = "16G"


def missing_for_arm64() -> str:
    """What is not installed, or ""."""
    names = (f"{PREFIX}-g++", "qemu-aarch64", f"{PREFIX}-addr2line")
    missing = [name for name in names if shutil.which(name) is None]
    library = LIBRARIES / "lib" / "libstdc++.so.6"
    return ", ".join(missing if library.exists() else [*missing, str(library)])


@functools.cache
def arm64() -> Machine:
    """arm64 in the emulator, without the check by Clang, which is the same everywhere."""
    launcher = ["qemu-aarch64", "-R", ADDRESS_SPACE, "-L", str(LIBRARIES)]
    launcher += ["-E", f"LD_LIBRARY_PATH={LIBRARIES / 'lib'}"]
    return Machine(f"{PREFIX}-g++", tuple(launcher), ("--no-check",), tools())


def tools() -> str:
    """A folder with addr2line for arm64, by which the run-time library finds source lines."""
    folder = Path(tempfile.gettempdir(), f"cudacpu-{PREFIX}-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    link = folder / "addr2line"
    if not link.is_symlink():
        fresh = folder / f"addr2line.{os.getpid()}"
        fresh.symlink_to(shutil.which(f"{PREFIX}-addr2line") or "")
        fresh.replace(link)
    return str(folder)
