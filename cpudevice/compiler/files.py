"""Where the CPU device's files lie, and what is made of them once for all programs."""

from __future__ import annotations

import os
import re
from pathlib import Path

COMPILER = Path(__file__).resolve().parent
CPUDEVICE = COMPILER.parent
INCLUDE = CPUDEVICE / "include"
# The second folder has what no graded assignment uses: Thrust, cuRAND, half precision, ...
INCLUDE_FOLDERS = [INCLUDE, INCLUDE / "extras"]
INCLUDE_FLAGS = [word for folder in INCLUDE_FOLDERS for word in ("-isystem", str(folder))]
SOURCES = CPUDEVICE / "src"


def build_folder(*names: str) -> Path:
    """What is built once for all programs."""
    root = os.environ.get("CUDACC_BUILD")
    build = Path(root) if root else CPUDEVICE.parent / "build" / "cpudevice"
    return build.joinpath(*(re.sub(r"[^\w.+-]", "_", name) for name in names))


def up_to_date(file: Path, newest: float) -> bool:
    return file.exists() and file.stat().st_mtime > newest


def finish(fresh: Path, file: Path, began: float) -> None:
    """Puts a file that was made into its place, as old as the sources that were read for it."""
    os.utime(fresh, (began, began))
    fresh.replace(file)
