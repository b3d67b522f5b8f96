"""The paths of the CPU device's files, and how to run a compiler, ar or objcopy."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from .options import Failure, Options

COMPILER = Path(__file__).resolve().parent
CPUDEVICE = COMPILER.parent
INCLUDE = CPUDEVICE / "include"
SOURCES = CPUDEVICE / "src"
# CUDA's libraries, which no assignment needs: the folder may be missing.
LIBRARIES = CPUDEVICE.parent / "cudalibs"


def build_folder(*names: str) -> Path:
    """The folder of what is built once for all programs."""
    root = os.environ.get("CUDACC_BUILD")
    build = Path(root) if root else CPUDEVICE.parent / "build" / "cpudevice"
    return build.joinpath(*(re.sub(r"[^\w.+-]", "_", name) for name in names))


def up_to_date(file: Path, newest: float) -> bool:
    return file.exists() and file.stat().st_mtime > newest


def finish(fresh: Path, file: Path, began: float) -> None:
    """Moves a finished file into place, with the time of the newest source."""
    os.utime(fresh, (began, began))
    fresh.replace(file)


# The name of a compiler for another machine: a prefix, g++ or clang++, and perhaps a version.
CROSS = re.compile(r"(?P<prefix>(?P<machine>\w+)(-\w+)+-)(g\+\+|clang\+\+)(-\d+)?")


def target_machine(options: Options) -> str:
    """The processor that the compiler generates code for, by the name of `uname -m`."""
    cross = CROSS.fullmatch(Path(options.cxx).name)
    return cross["machine"] if cross else os.uname().machine


def binutil(name: str, options: Options) -> str:
    """The command for ar, ld, nm, objcopy or readelf: the compiler's own if it makes code for
    another machine, as aarch64-linux-gnu-g++ does."""
    cross = CROSS.fullmatch(Path(options.cxx).name)
    own = str(Path(options.cxx).with_name(f"{cross['prefix']}{name}")) if cross else name
    return own if cross and shutil.which(own) else name


# Functions of the program's objects that a mode replaces by the mode's own functions:
# src/sanitize/wrap.cpp, src/profile/library_calls.cpp and src/profile/host_threads.cpp.
REPLACED = {
    "sanitize": [
        "modf", "frexp", "remquo", "sincos", "modff", "frexpf", "remquof", "sincosf",
        "malloc", "free", "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "strcpy",
        "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm",
    ],
    "profile": [
        "modf", "frexp", "remquo", "sincos", "modff", "frexpf", "remquof", "sincosf", "modfl",
        "frexpl", "remquol", "sincosl",
        "malloc", "free", "calloc", "realloc", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm",
        "_ZdaPvm", "memcpy", "memmove", "memset", "memchr", "memcmp", "strlen", "strchr",
        "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strncat", "strrchr", "strspn",
        "strcspn", "strpbrk", "strstr", "strnlen", "strdup", "strtok", "strtok_r", "memrchr",
        "wmemcpy", "wmemmove", "wmemset", "wmemchr", "wmemcmp", "wcslen", "strtof", "strtod",
        "strtold", "strtol", "strtoll", "strtoul", "strtoull", "__isoc23_strtol",
        "__isoc23_strtoll", "__isoc23_strtoul", "__isoc23_strtoull", "atof", "atoi", "atol",
        "atoll", "random", "drand48", "lrand48", "mrand48", "erand48", "nrand48", "sprintf",
        "vsprintf", "putc", "aligned_alloc", "posix_memalign", "bsearch", "qsort", "rand",
        "rand_r", "printf", "vprintf", "fprintf", "vfprintf", "snprintf", "vsnprintf",
        "__isoc99_sscanf", "puts", "putchar", "fputs", "fputc", "fwrite",
        "_ZSt11_Hash_bytesPKvmm",
        "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
        "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
        "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
        "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
        "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
        "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
        "_ZNSt8__detail15_List_node_base10_M_reverseEv",
        "__cxa_throw", "__cxa_rethrow", "__dynamic_cast", "pthread_create", "pthread_join",
        "_ZNSt6thread4joinEv",
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
    ],
}  # fmt: skip


def show(command: list[str], options: Options) -> None:
    if options.verbose:
        print(shlex.join(command), file=sys.stderr)


def run(command: list[str], options: Options) -> None:
    """Runs a compiler, whose messages go to the student unchanged."""
    show(command, options)
    try:
        result = subprocess.run(command)
    except FileNotFoundError:
        raise Failure(f"cudacc: {command[0]} is not installed") from None
    if result.returncode != 0:
        raise Failure("")


def attempt(command: list[str], options: Options) -> tuple[bool, str]:
    """Runs a compiler; returns whether it succeeds, and the messages, which are not shown."""
    show(command, options)
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise Failure(f"cudacc: {command[0]} is not installed") from None
    return done.returncode == 0, done.stderr


def output_of(command: list[str]) -> str:
    """The standard output of a program that reads an object file."""
    return subprocess.run(command, capture_output=True, text=True).stdout


def nm(*arguments: str, options: Options) -> str:
    """What nm lists, without plug-ins for other kinds of objects, which take most of the time."""
    return output_of([binutil("nm", options), "--target=default", *arguments])


def replace_functions(target: Path, options: Options) -> None:
    if options.diagnostic:
        renamed = [
            f"--redefine-sym={name}=__cudacpu_{name}" for name in REPLACED[options.diagnostic]
        ]
        run([binutil("objcopy", options), *renamed, str(target)], options)
