"""Compiles a .cu file: preprocessor, translator, compiler."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from . import host_code
from .clang_check import finish_check, start_check
from .columns import ONE_COLUMN_A_TAB, in_source
from .counts.dump import Function, functions_of
from .flags import (
    DEBUG_NAMES,
    FIRST,
    FIRST_HEADER,
    changes_no_code,
    code_flags,
    definitions,
    diagnostic_definitions,
)
from .graded import is_own, keep_to_itself, refuse, refuse_assembly, refuse_hidden
from .headers import precompiled
from .headers.folders import include_flags
from .headers.toolkit import explain_missing, refuse_its_headers
from .options import Failure, Options, dependency_path, is_clang
from .syntax.diagnostics import with_own_memory_functions
from .tokens import TranslationError, regions
from .tools import INCLUDE, build_folder, replace_functions, run, show
from .translate import translate

# Sources may be in any encoding.
TEXT = {"encoding": "utf-8", "errors": "surrogateescape"}
IN_LOCKSTEP = "::cudacpu::each_thread("
# The message of include/cudacpu/lockstep.h about variables that take too much room for all threads.
TOO_LARGE = "too large for lock-step"
# GCC's `#pragma GCC unroll` cannot unroll a loop with an unknown number of rounds in the dump, and
# would unroll the loop after its blocks were counted. The option prevents late unrolling; GCC
# prints a note when it obeys.
NO_LATE_UNROLLING = "-fdisable-rtl-loop2_unroll"
LATE_UNROLLING_NOTE = re.compile(r"^.*\brtl-loop2_unroll\b.*\n", re.MULTILINE)
PCH_ERROR = re.compile(r"error: .*\bPCH\b")


class NoPrelude(Exception):
    """Raised if g++ cannot read a precompiled header."""


class UninstrumentedCalls(Exception):
    """Raised if a diagnostic mode would not see the results or value arguments of some calls."""


def compile_cuda(source: Path, target: Path, options: Options, scratch: Path) -> None:
    """Compiles; once more, with results and arguments apart, where instrumentation needs them
    apart.
    """
    try:
        compile_once(source, target, options, scratch)
    except UninstrumentedCalls:
        # The first time has shown the warnings.
        apart = replace(options, results_apart=True, compiler=[*options.compiler, "-w"])
        compile_with(None, source, target, apart, scratch)


def compile_once(source: Path, target: Path, options: Options, scratch: Path) -> None:
    """Compiles with a precompiled header, if any can be read, or else without."""
    try:
        compile_with(prelude(options), source, target, options, scratch)
    except NoPrelude:
        compile_with(None, source, target, options, scratch)


def compile_with(
    parsed: Path | None, source: Path, target: Path, options: Options, scratch: Path
) -> None:
    text = preprocess(source, options, parsed)
    if options.dependencies:
        write_dependencies(text, source, target, options, parsed)
    if options.mode == "preprocess":
        sys.stdout.write(text)
        return
    if options.preprocessed_file:
        options.preprocessed_file.write_text(text, **TEXT)
    both = with_host_code(text, source, options, parsed, scratch)
    # Clang's check would see only one side, and miss the functions of the other.
    check = start_check(source, text, options, scratch) if both == text or options.graded else None
    try:
        translated = translate(
            both,
            is_clang(options),
            options.diagnostic,
            inline_kernels=options.optimise != "-O0",
            graded=options.graded,
            lockstep=options.lockstep and not options.diagnostic and options.optimise != "-O0",
        )
    except TranslationError as error:
        finish_check(check, options)
        raise Failure(str(error)) from None
    if options.instrumented:
        translated = with_own_memory_functions(translated)
    intermediate = scratch / f"{source.stem}.ii"
    intermediate.write_text(translated, **TEXT)
    if options.keep:
        shutil.copy(intermediate, target.with_suffix(".ii"))
    kind = ["-x", "c++-cpp-output"] if is_clang(options) else ["-x", "c++", "-fpreprocessed"]
    dump, assembly = scratch / "dump", scratch / f"{source.stem}.s"
    last = ["-c", "-o", str(target)]
    if options.instrumented or options.graded:
        last = ["-S", "-o", str(assembly)]
    if options.instrumented:
        last.append(f"-fdump-tree-optimized-lineno={dump}")
        last.append(NO_LATE_UNROLLING)
    # nvcc accepts `register`.
    warnings = ["-Wno-register", ONE_COLUMN_A_TAB, *filter(changes_no_code, options.compiler)]
    command = [options.cxx, *kind, *code_flags(options), *warnings, str(intermediate), *last]
    show(command, options)
    compiled = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    compiled.stderr = in_source(LATE_UNROLLING_NOTE.sub("", compiled.stderr), translated)
    if parsed and compiled.returncode and PCH_ERROR.search(compiled.stderr):
        finish_check(check, options)
        raise NoPrelude
    # The check knows CUDA: if both report an error, the check's message is the better.
    try:
        finish_check(check, options)
    except Failure:
        target.unlink(missing_ok=True)
        raise
    if compiled.returncode and IN_LOCKSTEP in translated:
        # Compile again without lock-step: messages about the original code are clearer, and the
        # original code may have no error.
        compile_with(parsed, source, target, replace(options, lockstep=False), scratch)
        if TOO_LARGE not in compiled.stderr:
            print(
                f"{source}: note: this file's kernels run without lock-step, which is slower: as "
                f"loops over threads (see --no-lockstep) they did not compile:\n"
                f"{first_error(compiled.stderr)}",
                file=sys.stderr,
            )
        return
    sys.stderr.write(compiled.stderr)
    if compiled.returncode != 0:
        raise Failure("")
    if assembly.exists():
        assemble(assembly, read_text(dump) if dump.exists() else "", target, options)
    replace_functions(target, options)
    if options.graded:
        keep_to_itself(target, options)


def first_error(messages: str) -> str:
    return next((line for line in messages.splitlines() if "error:" in line), messages.strip())


def assemble(assembly: Path, dump: str, target: Path, options: Options) -> None:
    """Makes the object file; `dump` is the compiler's view of the program in diagnostic modes."""
    text = read_text(assembly)
    profile = options.instrumented == "profile"
    if options.instrumented:
        functions = list(functions_of(dump))
        see_all_calls(functions, options)
    if options.graded:
        refuse_assembly(text.splitlines())
        refuse_hidden(text.splitlines(), dump, counted=profile)
    if profile:
        # imported late, because the module's tables take time and few commands need the tables
        from .counts.assembly import annotate

        text = annotate(text, functions)
    assembly.write_text(text, **TEXT)
    # The assembler adds the working directory.
    named = [word for word in options.compiler if word.startswith(DEBUG_NAMES)]
    run([options.cxx, *named, "-c", str(assembly), "-o", str(target)], options)


def see_all_calls(functions: list[Function], options: Options) -> None:
    """Raises UninstrumentedCalls where RESULTS_APART may help; fails or warns where it did not."""
    from .counts.uninstrumented import uninstrumented_calls

    calls = uninstrumented_calls(functions)
    if calls and not options.results_apart:
        raise UninstrumentedCalls
    # Calls of the library return strings and similar objects, not as bytes: the called functions
    # write through a pointer, which is instrumented.
    for file, line in dict.fromkeys(call for call in calls if is_own(call[0])):
        what = (
            f"the structure that this call returns is made in its place in memory, and "
            f"--{options.diagnostic} cannot see it there: keep it in a variable first"
        )
        if options.graded:
            refuse(file, line, what)
        print(f"{file}:{line}:1: warning: {what}", file=sys.stderr)


def prelude(options: Options) -> Path | None:
    """The prelude of every .cu file, precompiled by g++; None to read it as text."""
    # A precompiled header must have the options of the files that use the header.
    if options.uninstrumented or is_clang(options) or not precompiled.is_usual(options):
        return None
    if not shutil.which(options.cxx):
        return None
    build = build_folder(options.cxx, options.diagnostic or "run")
    command = [
        options.cxx, *code_flags(options), *definitions(options),
        *diagnostic_definitions(options), *include_flags(),
    ]  # fmt: skip
    return precompiled.for_gcc(build, FIRST_HEADER, command)


def preprocess(
    source: Path, options: Options, parsed: Path | None, extra: Path | None = None
) -> str:
    begin = ["-fpch-preprocess", "-include", str(parsed)] if parsed else FIRST
    if extra:
        begin = [*begin, "-include", str(extra)]
    leave_includes = [] if options.mode == "preprocess" else ["-dI"]
    command = [
        options.cxx, "-E", "-x", "c++", *code_flags(options), *definitions(options),
        *options.preprocessor, *include_flags(), *begin, *leave_includes, str(source),
    ]  # fmt: skip
    show(command, options)
    try:
        result = subprocess.run(
            command, capture_output=True, encoding="utf-8", errors="surrogateescape"
        )
    except FileNotFoundError:
        raise Failure(f"cudacc: {options.cxx} is not installed") from None
    if result.returncode != 0:
        refuse_its_headers(result.stdout, source)
        sys.stderr.write(explain_missing(result.stderr))
        raise Failure("")
    refuse_its_headers(result.stdout, source)
    sys.stderr.write(result.stderr)
    return result.stdout


def with_host_code(
    text: str, source: Path, options: Options, parsed: Path | None, scratch: Path
) -> str:
    """Adds the host's parts of #ifdef __CUDA_ARCH__ to the preprocessed text (host_code.py)."""
    if not host_code.names_macro(text):
        return text
    extra = scratch / "host.h"
    extra.write_text(f"#undef {host_code.MACRO}\n")
    return host_code.both_sides(text, preprocess(source, options, parsed, extra), extra)


def write_dependencies(
    text: str, source: Path, target: Path, options: Options, parsed: Path | None
) -> None:
    rule = dependencies_of(text, source, str(options.output or target), options, parsed)
    dependency_path(target, options).write_text(rule, **TEXT)


def print_dependencies(sources: list[Path], options: Options) -> None:
    """For -M and -MM: prints the rules that -c would write for each source."""
    rules = ""
    for source in sources:
        text = preprocess(source, options, None)
        rules += dependencies_of(text, source, f"{source.stem}.o", options, None)
    file = options.output or options.dependency_file
    if file:
        file.write_text(rules)
    else:
        sys.stdout.write(rules)


def dependencies_of(
    text: str, source: Path, made: str, options: Options, parsed: Path | None
) -> str:
    """A rule with the student's headers and the CPU device's, as the line markers name them."""
    read = precompiled.headers_of(Path(f"{parsed}.gch"), str(INCLUDE)) if parsed else []
    files = dict.fromkeys(read)
    for region in regions(text):
        if region.file and not region.file.startswith(("<", "/usr/")):
            files[region.file] = None
    files.pop(str(source), None)
    headers = [name_for_make(name) for name in files if not name.endswith("/")]
    targets = options.dependency_targets or [name_for_make(made)]
    lines = [f"{' '.join(targets)}: {name_for_make(str(source))} " + " \\\n  ".join(headers)]
    if options.phony_headers:
        lines += [f"{name}:" for name in headers]
    return "\n".join(lines) + "\n"


def name_for_make(path: str) -> str:
    """A path in a rule: relative below the working directory, so that the folder can be moved."""
    inside = path.removeprefix(f"{os.getcwd()}/")
    return re.sub(r"([ #:])", r"\\\1", inside).replace("$", "$$")


def read_text(path: Path) -> str:
    return path.read_text(**TEXT)
