"""Runs a whole command: compiles each file, links all of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .flags import FOR_THIS_DEVICE, common_flags, host_flags, prepare_diagnostics
from .headers.folders import include_flags
from .headers.toolkit import explain_undefined, ours_first
from .library import (
    MISSING,
    Archive,
    archive,
    build_libraries,
    missing_parts,
    ready,
    usual_part,
)
from .options import Failure, Options, dependency_path, parse
from .tools import attempt, binutil, nm, replace_functions, run

CUDA_SUFFIXES = {".cu"}
HOST_SUFFIXES = {".cpp", ".cc", ".cxx", ".c", ".C"}
C_COMPILER = {"g++": "gcc", "clang++": "clang"}
LINK_SUFFIXES = {".o", ".obj", ".a", ".so"}


def build(options: Options) -> None:
    if not options.inputs:
        raise Failure("cudacc: no input files")
    for path in options.inputs:
        known = CUDA_SUFFIXES | HOST_SUFFIXES | LINK_SUFFIXES
        if not path.exists():
            raise Failure(f"cudacc: {path}: no such file")
        if path.suffix not in known and not (options.all_cuda or ".so." in path.name):
            raise Failure(f"cudacc: {path}: not a .cu, .cpp, .o or .a file")
    sources = [
        p for p in options.inputs if options.all_cuda or p.suffix in CUDA_SUFFIXES | HOST_SUFFIXES
    ]
    if options.mode == "compile" and options.output and len(sources) > 1:
        raise Failure("cudacc: -o with -c takes one source file")
    if options.mode == "dependencies":
        from .cuda import print_dependencies

        return print_dependencies(sources, options)
    with tempfile.TemporaryDirectory(prefix="cudacc.") as directory:
        scratch = Path(directory)
        objects: list[str] = []
        for number, path in enumerate(options.inputs):
            if path not in sources:
                objects.append(str(path))
                continue
            if options.mode == "compile":
                target = options.output or (options.folder or Path()) / f"{path.stem}.o"
            else:
                target = scratch / f"{number}.{path.stem}.o"
            if options.all_cuda or path.suffix in CUDA_SUFFIXES:
                # Imported late, because the import takes a third of the time of a call that only
                # links and does not need the module.
                from .cuda import compile_cuda

                compile_cuda(path, target, options, scratch)
            else:
                compile_host(path, target, options)
            objects.append(str(target))
        if options.mode in ("link", "shared"):
            link(objects, options)
        elif options.mode == "archive":
            target = options.output or Path("a.a")
            target.unlink(missing_ok=True)
            run([binutil("ar", options), "rcs", str(target), *objects], options)
        elif options.mode == "device link":
            link_device_code(options)
    if options.run_arguments is not None and options.mode == "link":
        program = options.output or Path("a.out")
        status = subprocess.run([str(program.absolute()), *options.run_arguments]).returncode
        raise SystemExit(status if status >= 0 else 128 - status)


def link_device_code(options: Options) -> None:
    """Writes an empty object for a step that only a GPU's code needs."""
    target = options.output or Path("a_dlink.o")
    run([options.cxx, "-x", "c++", "-c", "/dev/null", "-o", str(target)], options)


def compile_host(source: Path, target: Path, options: Options) -> None:
    """Compiles a C++ or C file, with the compiler alone."""
    if source.suffix == ".c":
        compiler = re.sub(r"clang\+\+|g\+\+", lambda of: C_COMPILER[of[0]], options.cxx)
        language = []
    else:
        compiler, language = options.cxx, ["-x", "c++", options.standard]
    command = [
        compiler, *language, options.optimise, options.debug, *common_flags(options),
        *options.compiler,
        *host_flags(options), FOR_THIS_DEVICE, *options.preprocessor, *include_flags(),
        "-c", str(source), "-o", str(target),
    ]  # fmt: skip
    if options.dependencies:
        command += ["-MMD", "-MF", str(dependency_path(target, options))]
        for name in options.dependency_targets:
            command += ["-MT", name]
        if not options.dependency_targets:
            command += ["-MT", str(options.output or target)]
        if options.phony_headers:
            command.append("-MP")
    run(command, options)
    replace_functions(target, options)


def link(objects: list[str], options: Options) -> None:
    """Links with the usual part of the library, and with parts that define missing functions."""
    parts = [usual_part()]
    # The linker of a shared library does not report missing functions.
    if options.mode == "shared":
        parts += missing_parts(undefined_functions(objects, options))
    while True:
        archives = [ready(archive(options, part)) for part in parts]
        linked, messages = attempt(link_command(objects, archives, options), options)
        more = [] if linked else missing_parts(MISSING.findall(messages))
        more = [part for part in more if part not in parts]
        if not more:
            break
        parts += more
    sys.stderr.write(messages if linked else explain_undefined(messages))
    if not linked:
        raise Failure("")


def undefined_functions(objects: list[str], options: Options) -> set[str]:
    """The functions that neither the objects nor the usual part of the library define."""
    usual = ready(archive(options, usual_part()))
    defined = nm("--defined-only", "--demangle", *objects, str(usual), options=options)
    undefined = nm("--undefined-only", "--demangle", *objects, options=options)
    return names_of(undefined) - names_of(defined)


def names_of(listing: str) -> set[str]:
    """The names in what nm lists, after an address and a letter."""
    return {found[1] for found in re.finditer(r"^[0-9a-f ]* \w (.+)$", listing, re.MULTILINE)}


def link_command(objects: list[str], library: list[Path], options: Options) -> list[str]:
    output = options.output or Path("a.out")
    shared = ["-shared"] if options.mode == "shared" else []
    return [
        options.cxx, *shared, *faster_linker(options), options.debug, "-pthread", *objects,
        *[w for w in options.compiler if w.startswith(("-f", "-m"))],
        "-Wl,--start-group", *map(str, library), "-Wl,--end-group",
        *options.linker, "-ldl", "-o", str(output),
    ]  # fmt: skip


def faster_linker(options: Options) -> list[str]:
    """LLVM's linker, if installed, takes half the time of GNU's; a single thread is enough."""
    # A compiler for another machine does not look for LLVM's linker among this machine's programs.
    usable = binutil("ld", options) == "ld" and shutil.which("ld.lld")
    return ["-fuse-ld=lld", "-Wl,--threads=1"] if usable else []


def build_device(modes: list[str]) -> None:
    """`cudacc --library run sanitize`: builds the library of the given modes and shows progress."""
    archives: list[Archive] = []
    for mode in modes:
        options = Options(diagnostic="" if mode == "run" else mode)
        archives.append(archive(options, usual_part()))
    if not all(archive.ready for archive in archives):
        build_libraries(archives, lambda done, total: print(done, total, flush=True))


def main(arguments: list[str], help_text: str) -> int:
    try:
        if arguments[:1] == ["--library"]:
            build_device(arguments[1:])
            return 0
        options = parse(arguments, help_text)
        ours_first(options)
        if options.diagnostic:
            prepare_diagnostics(options)
        build(options)
    except Failure as failure:
        if str(failure):
            print(failure, file=sys.stderr)
        return 1
    return 0
