"""Checks a CUDA file with Clang, if installed: Clang knows which function may call which."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .flags import FIRST, FIRST_HEADER, definitions
from .headers import precompiled
from .headers.folders import include_flags, is_ours
from .options import Failure, Options
from .tokens import INCLUDED, escaped, regions
from .tools import INCLUDE, build_folder, show

# Clang's errors about calls that are not allowed. g++ decides about everything else: Clang may be
# older than the standard that a program is written in, and rejects code that nvcc accepts
# (`register`, k<<<{1}, 2>>>()).
DECIDES = re.compile(
    r"reference to __(host|device|global)__ .*\b(function|variable) "
    r"|call to __(host|device|global)__ .*function from __(host|device|global)__ "
    r"|call to global function \S+ not configured"
    r"|must have void return type"
    r"|dynamic initialization is not supported for __device__"
)
# Clang's errors about a launch in a kernel or in a function for both sides: Clang has no launches
# from the device.
UNKNOWN_TO_CLANG = re.compile(
    r"reference to (__global__ function '\w+'|__host__ function 'cudaConfigureCall')"
    r" in __(global|device|host__ __device)__ function"
    r"|call to __global__ function from __(global|device|host__ __device)__ function"
)
NOT_LAUNCHED = re.compile(r"call to global function '(\w+)' not configured$")
# The warnings of Clang that are never about intended code, and that g++ gives only with -Wall, if
# at all: about a sum, for instance, without a first value, to which a loop then adds.
WARNINGS = (
    "-Wno-everything", "-Wuninitialized", "-Wno-sometimes-uninitialized",
    "-Wno-uninitialized-const-reference",
)  # fmt: skip
# nvcc accepts a size in `extern __shared__ int cells[16];`.
SIZED = re.compile(r"(\bextern\s+__shared__\b[^;={(]*?)\[\s*[^][\s][^][]*\]")
# The names in a Clang of 2021 for standards that got their names later.
DRAFTS = {"c++23": "c++2b", "gnu++23": "gnu++2b", "c++26": "c++2b", "gnu++26": "gnu++2b"}
# Clang's messages about a precompiled header that does not fit.
DOES_NOT_FIT = re.compile(r"error: .*(precompiled header|PCH file|AST file)")


def find_clang() -> str | None:
    names = ["clang++", *[f"clang++-{version}" for version in range(21, 13, -1)]]
    return next((path for path in map(shutil.which, names) if path), None)


def clang_standard(options: Options) -> str:
    name = options.standard.partition("=")[2]
    return f"-std={DRAFTS.get(name, name)}"


def start_check(
    source: Path, preprocessed: str, options: Options, scratch: Path
) -> subprocess.Popen[str] | None:
    """Starts Clang's check of the file as CUDA: which function may call which. None without Clang.

    Clang gets the student's files after the other preprocessor, so Clang checks the compiled code,
    even if a file tests __clang__.
    """
    clang = find_clang() if options.check else None
    if not clang:
        return None
    checked = scratch / f"{source.stem}.checked.cu"
    text = student_text(preprocessed)
    checked.write_text(text, encoding="utf-8", errors="surrogateescape")
    command = [
        clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75", "-nocudainc",
        "-nocudalib", *WARNINGS, "-ferror-limit=0", clang_standard(options), *definitions(options),
        *options.preprocessor,
        *include_flags(), f"-iquote{source.parent}", "-fno-caret-diagnostics",
    ]  # fmt: skip
    parsed = check_prelude(clang, command, options)
    begin = ["-include-pch", str(parsed)] if parsed else FIRST
    command += ["-fsyntax-only", *begin, str(checked)]
    return begin_check(command, options)


def student_text(preprocessed: str) -> str:
    """The lines of the student's files after preprocessing, and `#include`s for the rest."""
    student_files: set[str] = set()
    pieces: list[str] = []
    included = ""  # the last #include in a student's file: its text comes next
    for region in regions(preprocessed):
        if not region.file or region.file.startswith("<") or region.file.endswith("/"):
            continue
        # A macro of the command line in the device's headers also counts as the program's.
        if not region.is_system() and not is_ours(region.file):
            student_files.add(region.file)
        if region.file not in student_files:
            pieces.append(f"{included}\n" if included else "")
            included = ""
            continue
        found = INCLUDED.findall(region.text)
        included = found[-1] if found else included
        text = SIZED.sub(r"\1[]", INCLUDED.sub("", region.text))
        if text.strip():
            pieces.append(f'# {region.line} "{escaped(region.file)}"\n{text}\n')
    return "".join(pieces)


def begin_check(command: list[str], options: Options) -> subprocess.Popen[str]:
    show(command, options)
    return subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")


def check_prelude(clang: str, command: list[str], options: Options) -> Path | None:
    """Like prelude() in cuda.py, precompiled by Clang."""
    if not precompiled.is_usual(options):
        return None
    # The paths of a program's own headers do not matter: all folders share a precompiled header.
    words = [word for word in command if not word.startswith(("-I", "-iquote"))]
    build = build_folder(clang, options.diagnostic or "run")
    return precompiled.for_clang(build, INCLUDE / FIRST_HEADER, words)


def decides(error: str) -> bool:
    """Whether an error, with the notes, is about which function may call which."""
    if not DECIDES.search(error) or UNKNOWN_TO_CLANG.search(error):
        return False
    lines = error.splitlines()
    # Thrust's algorithms run in kernels too and call the C++ library and the runtime: of their
    # callees only the program's own functions may be on the wrong side.
    called = [line for line in lines if line.endswith(" declared here")]
    if is_ours(lines[0]) and called and all(map(is_library, called)):
        return False
    # An error in a header of the library counts only if the program's code leads to the header.
    return not is_library(lines[0]) or any(
        "note: called by" in line and not is_library(line) for line in lines
    )


def is_library(message: str) -> bool:
    return message.startswith("/usr/") or is_ours(message)


def finish_check(check: subprocess.Popen[str] | None, options: Options) -> None:
    """Raises the check's first error that g++ cannot find."""
    if check is None:
        return
    _, messages = check.communicate()
    if check.returncode == 0:
        print_warnings(messages.splitlines(), options)
        return
    if "-include-pch" in check.args and DOES_NOT_FIT.search(messages):
        # Outdated: the C library or Clang has changed.
        place = check.args.index("-include-pch")
        with contextlib.suppress(OSError):  # in a folder without write access
            Path(check.args[place + 1]).unlink()
        command = [*check.args[:place], *FIRST, *check.args[place + 2 :]]
        return finish_check(begin_check(command, options), options)
    lines = messages.splitlines()
    errors = [i for i, line in enumerate(lines) if " error: " in line]
    ends = [*errors[1:], len(lines)]  # with the notes of the error
    texts = {i: "\n".join(lines[i:end]) for i, end in zip(errors, ends, strict=False)}
    first = next((i for i in errors if decides(texts[i])), None)
    if first is None:
        return
    kept = [
        NOT_LAUNCHED.sub(
            r"\g<0>: a kernel is launched by \1<<<blocks, threads>>>(...)", lines[first]
        )
    ]
    for line in lines[first + 1 :]:
        if " error: " in line or " errors generated" in line or " error generated" in line:
            break
        # Of the library's notes, candidates alone are kept.
        if " note: candidate " in line or not is_library(line):
            kept.append(line)
    raise Failure("\n".join(kept))


def print_warnings(lines: list[str], options: Options) -> None:
    """Prints the warnings about the student's files, with their notes."""
    if "-w" in options.compiler:
        return
    wanted = False
    for line in lines:
        if " warning: " in line:
            wanted = not is_library(line)
        if wanted and re.search(r":\d+: (warning|note): ", line):
            print(line, file=sys.stderr)
