"""Compiles for another processor, and runs the programs in an emulator.

Needs Debian's packages g++-aarch64-linux-gnu, which brings libstdc++6-arm64-cross, and qemu-user.
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
    """How to compile and run a program for a machine; by default the present machine."""

    compiler: str = "g++"
    launcher: Sequence[str] = ()
    options: Sequence[str] = ()  # for cudacc
    path: str = ""  # a folder to search for programs before all others

    def environment(self, added: dict[str, str]) -> dict[str, str]:
        path = os.pathsep.join(filter(None, [self.path, os.environ["PATH"]]))
        return os.environ | {"PATH": path} | added


PREFIX = "aarch64-linux-gnu"
LIBRARIES = Path("/usr") / PREFIX
# The arena reserves all possible address space, and the emulator keeps a record for each page.
# With 16 GB the arena starts without delay.
ADDRESS_SPACE = "16G"


def missing_for_arm64() -> str:
    """What is not installed, or ""."""
    names = (f"{PREFIX}-g++", "qemu-aarch64", f"{PREFIX}-addr2line")
    missing = [name for name in names if shutil.which(name) is None]
    library = LIBRARIES / "lib" / "libstdc++.so.6"
    return ", ".join(missing if library.exists() else [*missing, str(library)])


@functools.cache
def arm64() -> Machine:
    """arm64 in the emulator, without the check by Clang, which does not depend on the processor."""
    launcher = ["qemu-aarch64", "-R", ADDRESS_SPACE, "-L", str(LIBRARIES)]
    launcher += ["-E", f"LD_LIBRARY_PATH={LIBRARIES / 'lib'}"]
    return Machine(f"{PREFIX}-g++", tuple(launcher), ("--no-check",), tools())


def tools() -> str:
    """A folder with addr2line for arm64, which the run-time library needs to find source lines."""
    folder = Path(tempfile.gettempdir(), f"cudacpu-{PREFIX}-{os.getuid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    link = folder / "addr2line"
    if not link.is_symlink():
        fresh = folder / f"addr2line.{os.getpid()}"
        fresh.symlink_to(shutil.which(f"{PREFIX}-addr2line") or "")
        fresh.replace(link)
    return str(folder)
