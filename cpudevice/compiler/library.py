"""The run-time library, built when it is first needed."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from .files import INCLUDE, INCLUDE_FOLDERS, SOURCES, build_folder, finish, up_to_date
from .flags import CODE_FLAGS, PIC
from .options import Options, is_clang
from .tools import run

# The folders that only programs of that mode have.
DIAGNOSTIC_MODES = ("sanitize", "profile")
PRELUDE = SOURCES / "base" / "prelude.h"
# What says how it is compiled.
OWN = [Path(__file__), Path(__file__).with_name("flags.py")]


def library(options: Options) -> Path:
    """Builds the mode's libcudacpu.a if it is missing or older than its sources; returns its path.

    What the diagnostic modes have in common is compiled once for both.
    """
    build = build_folder(options.cxx, options.diagnostic or "run")
    common = build_folder(options.cxx, "diagnostics" if options.diagnostic else "run")
    archive = build / "libcudacpu.a"
    targets = {}
    for source in SOURCES.rglob("*.cpp"):
        mode = source.relative_to(SOURCES).parts[0]
        if mode not in DIAGNOSTIC_MODES:
            targets[source] = common
        elif mode == options.diagnostic:
            targets[source] = build
    inputs = [*targets, *SOURCES.rglob("*.h"), *INCLUDE.rglob("*.h"), *OWN]
    newest = max(path.stat().st_mtime for path in inputs)
    if up_to_date(archive, newest):
        return archive
    for folder in (build, common):
        folder.mkdir(parents=True, exist_ok=True)
    with open(common / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another cudacc may be building it
        if up_to_date(archive, newest):
            return archive
        build_library(archive, dict(sorted(targets.items())), common, newest, options)
    return archive


def build_library(
    archive: Path, targets: dict[Path, Path], common: Path, newest: float, options: Options
) -> None:
    """Compiles each source into its folder, unless that holds an object newer than `newest`."""
    # Here, as it takes as long to import as all else and is needed once.
    from concurrent.futures import ThreadPoolExecutor

    # Without debug information, which would be most of every program that is linked.
    command = [
        options.cxx, "-std=c++17", "-O2", PIC, *CODE_FLAGS, "-Wall", "-Wextra",
        *(["-fno-omit-frame-pointer"] if options.diagnostic else []), "-DCUDACPU_RUNTIME=1",
        f"-DCUDACPU_DIAGNOSTICS={int(bool(options.diagnostic))}",
        *[f"-I{folder}" for folder in [SOURCES, *INCLUDE_FOLDERS]],
    ]  # fmt: skip

    command += ["-include", str(parse_prelude(common, command, newest, options))]

    def compile_one(source: Path) -> Path:
        target = targets[source] / "-".join(source.relative_to(SOURCES).with_suffix(".o").parts)
        if not up_to_date(target, newest):
            began, fresh = time.time(), target.with_suffix(".new.o")
            run([*command, "-c", str(source), "-o", str(fresh)], options)
            finish(fresh, target, began)
        return target

    began = time.time()
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        objects = list(pool.map(compile_one, targets))
    fresh = archive.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    run(["ar", "rcs", str(fresh), *map(str, objects)], options)
    finish(fresh, archive, began)


def parse_prelude(folder: Path, command: list[str], newest: float, options: Options) -> Path:
    """A header for `-include` that both compilers find precompiled beside it."""
    header = folder / PRELUDE.name
    parsed = folder / (f"{header.name}.pch" if is_clang(options) else f"{header.name}.gch")
    if not up_to_date(parsed, newest):
        began, fresh = time.time(), folder / f"new.{parsed.name}"
        header.write_text(PRELUDE.read_text())
        run([*command, "-x", "c++-header", str(header), "-o", str(fresh)], options)
        finish(fresh, parsed, began)
    return header
