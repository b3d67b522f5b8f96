"""The run-time library, built when it is first needed.

The sources of a folder are compiled as one: each of them alone would have the compiler instantiate
the same of the C++ library's templates. What few programs use is an archive of its own, which is
built for the first program that does not link without it.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .flags import CODE_FLAGS, PIC
from .options import Options, is_clang
from .tools import INCLUDE, INCLUDE_FOLDERS, SOURCES, build_folder, finish, run, up_to_date

# The folders that only programs of that mode have.
DIAGNOSTIC_MODES = ("sanitize", "profile")
# What no program needs that makes neither textures, graphs nor random numbers by cuRAND.
RARE = ("extras", "textures/sampling.cpp", "textures/surface.cpp", "textures/texture.cpp")
PRELUDE = SOURCES / "base" / "prelude.h"
# What says how it is compiled.
OWN = [Path(__file__), Path(__file__).with_name("flags.py")]

# Functions of std and of GNU's extensions to it, by the mangled name.
OF_LIBRARY = re.compile(r"_ZN?[KVRO]*(S[tabsiod]|9__gnu_cxx)")

GROUP = re.compile(r"COMDAT group section .* \[(\S+)\] contains")

OnProgress = Callable[[int, int], object]  # how many objects are done, of how many


@dataclass(frozen=True)
class Unit:
    """Sources that are compiled together, and the object that they become."""

    target: Path
    sources: tuple[Path, ...]


@dataclass(frozen=True)
class Archive:
    """A part of the library in one mode."""

    options: Options
    file: Path
    common: Path  # where the objects and the prelude lie that the diagnostic modes share
    units: tuple[Unit, ...]
    newest: float  # when the newest of all that it is made of was changed

    @property
    def ready(self) -> bool:
        return up_to_date(self.file, self.newest)


def usual_library(options: Options) -> Archive:
    return archive(options, "libcudacpu.a", lambda place: not place.startswith(RARE))


def rare_library(options: Options) -> Archive:
    return archive(options, "libcudacpu_rare.a", lambda place: place.startswith(RARE))


def library_by_source(options: Options) -> Archive:
    """All of it, with an object for each source: for those who ask which source needs which."""
    return archive(options, "by_source/libcudacpu.a", lambda place: True, joined=False)


def archive(
    options: Options, name: str, belongs: Callable[[str], bool], joined: bool = True
) -> Archive:
    """What the diagnostic modes have in common is compiled once for both."""
    build = build_folder(options.cxx, options.diagnostic or "run")
    common = build_folder(options.cxx, "diagnostics" if options.diagnostic else "run")
    file = build / name
    together: dict[Path, list[Path]] = defaultdict(list)
    for source in sorted(SOURCES.rglob("*.cpp")):
        place = source.relative_to(SOURCES)
        mode = place.parts[0]
        other_mode = mode in DIAGNOSTIC_MODES and mode != options.diagnostic
        if other_mode or not belongs(str(place)):
            continue
        folder = (build if mode in DIAGNOSTIC_MODES else common) / file.relative_to(build).parent
        parts = place.parent.parts if joined else place.with_suffix("").parts
        together[folder / f"{'-'.join(parts)}.{file.stem}.o"].append(source)
    units = tuple(Unit(target, tuple(sources)) for target, sources in together.items())
    inputs = [*SOURCES.rglob("*.cpp"), *SOURCES.rglob("*.h"), *INCLUDE.rglob("*.h"), *OWN]
    newest = max(path.stat().st_mtime for path in inputs)
    return Archive(options, file, common, units, newest)


def ready(archive: Archive) -> Path:
    """Builds it if it is missing or older than its sources; returns its path."""
    if not archive.ready:
        build_libraries([archive], show_progress)
    return archive.file


def show_progress(done: int, total: int) -> None:
    """Says in a terminal why a first program takes its time."""
    if sys.stderr.isatty():
        text = f"cudacc: building the CPU device, once: {done} of {total}"
        print(f"\r{text}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def build_libraries(archives: list[Archive], on_progress: OnProgress) -> None:
    """Builds those that are not ready, all of their sources side by side."""
    archives = [one for one in archives if not one.ready]
    commons = sorted({one.common for one in archives})
    locks = []
    for folder in commons:
        folder.mkdir(parents=True, exist_ok=True)
        locks.append(open(folder / "lock", "w"))  # noqa: SIM115
        fcntl.flock(locks[-1], fcntl.LOCK_EX)  # another cudacc may be building it
    try:
        build_unready([one for one in archives if not one.ready], on_progress)
    finally:
        for lock in locks:
            lock.close()


def build_unready(archives: list[Archive], on_progress: OnProgress) -> None:
    # Here, as it takes as long to import as all else and is needed once.
    from concurrent.futures import ThreadPoolExecutor, as_completed

    began = time.time()
    # What two modes have in common is built for one of them.
    units = {unit.target: (unit, one) for one in archives for unit in one.units}
    left = [pair for pair in units.values() if not up_to_date(pair[0].target, pair[1].newest)]
    on_progress(0, len(left))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        preludes = {one.common: one for one in archives}
        headers = dict(zip(preludes, pool.map(parse_prelude, preludes.values()), strict=True))
        # The longest first, so that none of them is left for one processor at the end.
        left.sort(key=lambda pair: -sum(path.stat().st_size for path in pair[0].sources))
        jobs = [pool.submit(compile_unit, *pair, headers[pair[1].common]) for pair in left]
        for done, job in enumerate(as_completed(jobs), 1):
            job.result()
            on_progress(done, len(left))
    for one in archives:
        one.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = one.file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        run(["ar", "rcs", str(fresh), *[str(unit.target) for unit in one.units]], one.options)
        finish(fresh, one.file, began)


def compile_unit(unit: Unit, archive: Archive, prelude: Path) -> None:
    began, fresh = time.time(), unit.target.with_suffix(".new.o")
    fresh.parent.mkdir(parents=True, exist_ok=True)
    source = unit.sources[0]
    if len(unit.sources) > 1:
        source = unit.target.with_suffix(".cpp")
        source.write_text("".join(f'#include "{path}"\n' for path in unit.sources))
    options = archive.options
    command = [*compiler(options), "-include", str(prelude), "-c", str(source), "-o", str(fresh)]
    run(command, options)
    if options.diagnostic:
        keep_own_templates(fresh, options)
    finish(fresh, unit.target, began)


def keep_own_templates(target: Path, options: Options) -> None:
    """Renames the object's instances of the C++ library's templates.

    Of functions of one name the linker keeps the first, which would be the program's: instrumented,
    so that the library would watch itself.
    """
    listed = subprocess.run(["nm", "--defined-only", str(target)], capture_output=True, text=True)
    names = [line.split()[-1] for line in listed.stdout.splitlines() if " W " in line]
    # A constructor's two names are in a group that has a third name. If that stayed as it is, the
    # linker would keep the program's group alone, and calls of ours would lead to address 0.
    groups = subprocess.run(["readelf", "-gW", str(target)], capture_output=True, text=True)
    names += GROUP.findall(groups.stdout)
    own = dict.fromkeys(name for name in names if OF_LIBRARY.match(name))
    table = target.with_suffix(".names")
    table.write_text("".join(f"{name} __cudacpu_own{name}\n" for name in own))
    run(["objcopy", f"--redefine-syms={table}", str(target)], options)
    table.unlink()


def compiler(options: Options) -> list[str]:
    # Without debug information, which would be most of every program that is linked.
    return [
        options.cxx, "-std=c++17", "-O2", PIC, *CODE_FLAGS, "-Wall", "-Wextra",
        *(["-fno-omit-frame-pointer"] if options.diagnostic else []), "-DCUDACPU_RUNTIME=1",
        f"-DCUDACPU_DIAGNOSTICS={int(bool(options.diagnostic))}",
        *[f"-I{folder}" for folder in [SOURCES, *INCLUDE_FOLDERS]],
    ]  # fmt: skip


def parse_prelude(archive: Archive) -> Path:
    """A header for `-include` that both compilers find precompiled beside it."""
    options = archive.options
    header = archive.common / PRELUDE.name
    parsed = archive.common / (f"{header.name}.{'pch' if is_clang(options) else 'gch'}")
    if not up_to_date(parsed, archive.newest):
        began, fresh = time.time(), archive.common / f"new.{parsed.name}"
        header.write_text(PRELUDE.read_text())
        command = [*compiler(options), "-x", "c++-header", str(header), "-o", str(fresh)]
        run(command, options)
        finish(fresh, parsed, began)
    return header
