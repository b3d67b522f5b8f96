"""A C++ or C file: the compiler alone."""

from __future__ import annotations

from pathlib import Path

from .files import INCLUDE_FLAGS
from .flags import CODE_FLAGS, FOR_THIS_DEVICE, PIC, host_flags
from .options import Options, dependency_path
from .tools import replace_functions, run


def compile_host(source: Path, target: Path, options: Options) -> None:
    if source.suffix == ".c":
        compiler = {"g++": "gcc", "clang++": "clang"}.get(options.cxx, options.cxx)
        language = []
    else:
        compiler, language = options.cxx, ["-x", "c++", options.standard]
    command = [
        compiler, *language, options.optimise, options.debug, PIC, *CODE_FLAGS, *options.compiler,
        *host_flags(options), FOR_THIS_DEVICE, *options.preprocessor, *INCLUDE_FLAGS,
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
