"""The run-time library: each archive is built when a program first needs the archive.

The sources of a folder are compiled together: separately, each would have the compiler instantiate
the same templates of the C++ library. Graphs and each of CUDA's libraries, such as the driver API,
are separate archives, because few programs use them: an archive is built for the first program that
does not link without the archive.
"""

from __future__ import annotations

import fcntl
import functools
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from . import kept
from .flags import common_flags
from .headers.folders import include_flags
from .options import Options, is_clang
from .tools import (
    CPUDEVICE,
    INCLUDE,
    LIBRARIES,
    SOURCES,
    binutil,
    build_folder,
    finish,
    nm,
    output_of,
    run,
    up_to_date,
)

# The folders for programs of a single mode.
DIAGNOSTIC_MODES = ("sanitize", "profile")
# The folders of SOURCES with separate archives.
ON_LINK = ("graphs",)
COMMON = "common"  # the folder of LIBRARIES that all libraries share
PRELUDE = SOURCES / "base" / "prelude.h"
# The files that decide how the library is compiled.
OWN = [Path(__file__), Path(__file__).with_name("flags.py")]

# Functions of std and of GNU's extensions to std, by the mangled name.
OF_LIBRARY = re.compile(r"_ZN?[KVRO]*(S[tabsiod]|9__gnu_cxx)")

# What LLVM's and GNU's linkers say of a missing function.
MISSING = re.compile(r"undefined (?:symbol: |reference to `)([^\n']+)")
OF_CUDA = re.compile(r"cu(da|[A-Z])")

GROUP = re.compile(r"COMDAT group section .* \[(\S+)\] contains")

OnProgress = Callable[[int, int], object]  # how many objects are done, out of how many


@dataclass(frozen=True)
class Unit:
    """Sources that are compiled together, and the resulting object."""

    target: Path
    sources: tuple[Path, ...]


@dataclass(frozen=True)
class Part:
    """The sources of an archive of the run-time library."""

    name: str
    top: Path  # the folder from which the sources include headers
    folders: tuple[Path, ...]

    def sources(self) -> list[Path]:
        return sorted(path for folder in self.folders for path in folder.rglob("*.cpp"))

    def newest(self) -> float:
        """The time of the newest file among the archive's sources and headers."""
        own = (*self.folders, LIBRARIES / COMMON) if self.top == LIBRARIES else ()
        return max(newest_of_core(), newest_in(own))

    def may_define(self, name: str) -> bool:
        """Whether a function that a linker misses may be in the archive.

        Building an archive takes many seconds, and does not help a program with a misspelt name.
        """
        if self.top == LIBRARIES and self.name in name:
            return True
        plain = re.split(r"[(<]", name)[0].split("::")[-1]
        return bool(OF_CUDA.match(name)) and plain in self.words()

    @functools.cache  # noqa: B019
    def words(self) -> frozenset[str]:
        texts = (source.read_text() for source in self.sources())
        return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def newest_in(folders: Iterable[Path]) -> float:
    paths = (path for folder in folders for path in folder.rglob("*.[ch]*"))
    return max((path.stat().st_mtime for path in paths), default=0.0)


@functools.cache
def newest_of_core() -> float:
    return max(newest_in((SOURCES, INCLUDE)), *(path.stat().st_mtime for path in OWN))


def usual_part() -> Part:
    folders = (path for path in sorted(SOURCES.iterdir()) if path.is_dir())
    return Part("", SOURCES, tuple(path for path in folders if path.name not in ON_LINK))


def parts_on_link() -> list[Part]:
    """The parts that are built for the first program that needs the part."""
    own = [Part(name, SOURCES, (SOURCES / name,)) for name in ON_LINK]
    libraries = sorted({path.parent for path in LIBRARIES.glob("*/*.cpp")})
    return own + [Part(path.name, LIBRARIES, (path,)) for path in libraries]


def missing_parts(names: Iterable[str]) -> list[Part]:
    """The parts that may define the functions."""
    names = list(names)
    return [part for part in parts_on_link() if any(map(part.may_define, names))]


@dataclass(frozen=True)
class Archive:
    """A part of the library in a mode."""

    part: Part
    options: Options
    file: Path
    common: Path  # the folder of the objects and the prelude that the diagnostic modes share
    units: tuple[Unit, ...]
    newest: float  # the time of the newest source or header

    @property
    def ready(self) -> bool:
        return up_to_date(self.file, self.newest)

    def name(self) -> str:
        """The archive's name among those that all checkouts share."""
        folders = {SOURCES, INCLUDE, self.part.top}
        found = [path for folder in folders for path in folder.rglob("*")]
        files = [path for path in found if path.is_file() and path.suffix != ".md"]
        words = [word for word in compiler(self.options) if not word.startswith("-I")]
        words += [output_of([self.options.cxx, "--version"]), self.options.diagnostic or "run"]
        words += [self.file.name, *(unit.target.name for unit in self.units)]
        return f"{kept.digest(words, [*files, *OWN], CPUDEVICE.parent)}.a"


def library_by_source(options: Options) -> Archive:
    """The core, with an object for each source: shows which source needs which."""
    every = Part("by_source", SOURCES, (SOURCES,))
    return archive(options, every, joined=False)


def archive(options: Options, part: Part, joined: bool = True) -> Archive:
    """An archive; objects that the diagnostic modes share are compiled once for both."""
    build = build_folder(options.cxx, options.diagnostic or "run")
    common = build_folder(options.cxx, "diagnostics" if options.diagnostic else "run")
    name = f"libcudacpu{'_' if part.name else ''}{part.name}"
    together: dict[Path, list[Path]] = defaultdict(list)
    for source in part.sources():
        place = source.relative_to(part.top)
        mode = place.parts[0]
        if mode in DIAGNOSTIC_MODES and mode != options.diagnostic:
            continue
        folder = build if mode in DIAGNOSTIC_MODES else common
        parts = place.parent.parts if joined else place.with_suffix("").parts
        together[folder / f"{'-'.join(parts)}.{name}.o"].append(source)
    units = tuple(Unit(target, tuple(sources)) for target, sources in together.items())
    return Archive(part, options, build / f"{name}.a", common, units, part.newest())


def ready(archive: Archive) -> Path:
    """Builds the archive if it is missing or older than its sources; returns its path."""
    if not archive.ready:
        build_libraries([archive], show_progress)
    return archive.file


def show_progress(done: int, total: int) -> None:
    """Explains in a terminal why a first program takes its time."""
    if sys.stderr.isatty():
        text = f"cudacc: building the CPU device, once: {done} of {total}"
        print(f"\r{text}", end="" if done < total else "\n", file=sys.stderr, flush=True)


def build_libraries(archives: list[Archive], on_progress: OnProgress) -> None:
    """Builds the archives that are not ready, all sources in parallel."""
    archives = [one for one in archives if not one.ready]
    commons = sorted({one.common for one in archives})
    locks = []
    for folder in commons:
        folder.mkdir(parents=True, exist_ok=True)
        locks.append(open(folder / "lock", "w"))  # noqa: SIM115
        fcntl.flock(locks[-1], fcntl.LOCK_EX)  # another cudacc may be building the archive
    try:
        named = [(one, one.name()) for one in archives if not one.ready]
        missing = [(one, name) for one, name in named if not kept.take(name, one.file)]
        if missing:
            build_unready([one for one, _ in missing], on_progress)
        for one, name in missing:
            # A source that changed meanwhile may or may not be in the archive.
            if one.name() == name:
                kept.keep(name, one.file)
    finally:
        for lock in locks:
            lock.close()


def build_unready(archives: list[Archive], on_progress: OnProgress) -> None:
    # Imported late: the import takes as long as all other imports and is needed once.
    from concurrent.futures import ThreadPoolExecutor, as_completed

    began = time.time()
    # Objects that two modes share are built for one mode.
    units = {unit.target: (unit, one) for one in archives for unit in one.units}
    left = [pair for pair in units.values() if not up_to_date(pair[0].target, pair[1].newest)]
    on_progress(0, len(left))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        preludes = {one.common: one for one in archives}
        headers = dict(zip(preludes, pool.map(parse_prelude, preludes.values()), strict=True))
        # The largest sources first, so that no long compilation is left for the end.
        left.sort(key=lambda pair: -sum(path.stat().st_size for path in pair[0].sources))
        jobs = [pool.submit(compile_unit, *pair, headers[pair[1].common]) for pair in left]
        for done, job in enumerate(as_completed(jobs), 1):
            job.result()
            on_progress(done, len(left))
    for one in archives:
        one.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = one.file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        objects = [str(unit.target) for unit in one.units]
        run([binutil("ar", one.options), "rcs", str(fresh), *objects], one.options)
        finish(fresh, one.file, began)


def compile_unit(unit: Unit, archive: Archive, prelude: Path) -> None:
    began, fresh = time.time(), unit.target.with_suffix(".new.o")
    fresh.parent.mkdir(parents=True, exist_ok=True)
    source = unit.sources[0]
    if len(unit.sources) > 1:
        source = unit.target.with_suffix(".cpp")
        source.write_text("".join(f'#include "{path}"\n' for path in unit.sources))
    options = archive.options
    command = [*compiler(options), *library_headers(archive.part), "-include", str(prelude)]
    command += ["-c", str(source), "-o", str(fresh)]
    run(command, options)
    if options.diagnostic:
        keep_own_templates(fresh, options)
    finish(fresh, unit.target, began)


def keep_own_templates(target: Path, options: Options) -> None:
    """Renames the object's instances of the C++ library's templates.

    Of functions with the same name the linker keeps the first, which would be the program's
    instrumented function: the library would observe itself.
    """
    listed = nm("--defined-only", str(target), options=options)
    names = [line.split()[-1] for line in listed.splitlines() if " W " in line]
    # A constructor's two names are in a group with a third name. If the third name stayed, the
    # linker would keep the program's group only, and the library's calls would go to address 0.
    groups = output_of([binutil("readelf", options), "-gW", str(target)])
    names += GROUP.findall(groups)
    own = dict.fromkeys(name for name in names if OF_LIBRARY.match(name))
    table = target.with_suffix(".names")
    table.write_text("".join(f"{name} __cudacpu_own{name}\n" for name in own))
    run([binutil("objcopy", options), f"--redefine-syms={table}", str(target)], options)
    table.unlink()


def compiler(options: Options) -> list[str]:
    # Without debug information, which would be most of every linked program; and without the checks
    # that Ubuntu's compilers add, which take a jump to another stack for a mistake.
    return [
        options.cxx, "-std=c++17", "-O2", *common_flags(options), "-Wall", "-Wextra",
        *(["-fno-omit-frame-pointer"] if options.diagnostic else []), "-DCUDACPU_RUNTIME=1",
        f"-DCUDACPU_DIAGNOSTICS={int(bool(options.diagnostic))}", "-U_FORTIFY_SOURCE",
        f"-I{SOURCES}", f"-I{INCLUDE}",
    ]  # fmt: skip


def library_headers(part: Part) -> list[str]:
    """The options for the headers of CUDA's libraries: the core compiles without these headers."""
    return [f"-I{LIBRARIES}", *include_flags()] if part.top == LIBRARIES else []


def parse_prelude(archive: Archive) -> Path:
    """Makes a header for `-include`, with a precompiled file for the compiler."""
    options = archive.options
    header = archive.common / PRELUDE.name
    parsed = archive.common / (f"{header.name}.{'pch' if is_clang(options) else 'gch'}")
    if not up_to_date(parsed, newest_of_core()):
        began, fresh = time.time(), archive.common / f"new.{parsed.name}"
        header.write_text(PRELUDE.read_text())
        command = [*compiler(options), "-x", "c++-header", str(header), "-o", str(fresh)]
        run(command, options)
        finish(fresh, parsed, began)
    return header
