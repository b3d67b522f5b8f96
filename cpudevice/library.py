"""The CPU device's run-time library, built when its sources are newer than the archive."""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
INCLUDE = HERE / "include"
FLAGS = [
    "-std=c++17",
    "-O2",
    "-g1",
    "-fPIC",
    "-pthread",
    "-fno-strict-aliasing",
    "-Wall",
    "-Wextra",
]


class LibraryError(Exception):
    """The run-time library cannot be built; the message is the compiler's."""


def library(cxx: str) -> Path:
    """The archive for this compiler, brought up to date. Safe to call from several processes."""
    directory = Path(os.environ.get("CUDACC_BUILD", HERE.parent / "build" / "cpudevice"))
    directory = directory / Path(cxx).name
    directory.mkdir(parents=True, exist_ok=True)
    archive = directory / "libcudacpu.a"
    with open(directory / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build(cxx, directory, archive)
    return archive


def build(cxx: str, directory: Path, archive: Path) -> None:
    headers = [*INCLUDE.rglob("*"), *SOURCES.glob("*.h")]
    newest_header = max(path.stat().st_mtime for path in headers)
    objects, commands = [], []
    for source in sorted(SOURCES.glob("*.cpp")):
        target = directory / f"{source.stem}.o"
        objects.append(target)
        if modified(target) < max(newest_header, modified(source)):
            commands.append(
                [cxx, *FLAGS, "-isystem", str(INCLUDE), "-c", str(source), "-o", str(target)]
            )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, commands))
    if commands or modified(archive) < max(map(modified, objects)):
        archive.unlink(missing_ok=True)
        run(["ar", "rcs", str(archive), *map(str, objects)])


def modified(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0


def run(command: Sequence[str]) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise LibraryError(f"the CPU device's library does not build:\n{result.stderr}")
