"""The compilers' options besides those of the command line."""

from __future__ import annotations

import functools
import os
from pathlib import Path

from .options import Failure, Options, is_clang
from .tools import target_machine

# The first header of every .cu file.
FIRST_HEADER = "cuda_runtime.h"
FIRST = ["-include", FIRST_HEADER]
# How files are named in debug information.
DEBUG_NAMES = "-fdebug-prefix-map="
# For programs that must know, in .cu and host files alike: the device has no link and no L2 to
# evict.
FOR_THIS_DEVICE = "-D__CUDACPU__=1"

# -ffp-contract=off: a*b+c is rounded as written; a kernel that wants an FMA calls fma(). No errno
# and no traps: device code has neither. An endless loop is kept, so that the CPU device can report
# the loop.
CODE_FLAGS = [
    "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math",
    "-fno-finite-loops", "-pthread",
]  # fmt: skip
# Shared libraries and position-independent programs from the same objects.
PIC = "-fPIC"
# A shadow stack does not work with fibers; signed return addresses do not work with unwinding.
FLAGS_OF_MACHINE = {
    "x86_64": ["-fcf-protection=none"],
    "aarch64": ["-mbranch-protection=none"],
}

# The diagnostic modes observe the program through the calls that g++ inserts before each access for
# its thread sanitizer, whose own run-time library is never linked: the CPU device's library defines
# the functions. The level of optimisation is fixed, because the counts depend on the level. Scalar
# replacement would split a float4, loop vectorisation would join floats.
DIAGNOSTIC_OPTIMISE = "-O1"
TRACE = "__sanitizer_cov_trace_pc"  # the call at the head of each basic block of a profile
DIAGNOSTIC_FLAGS = [
    # For a known text the builtin would make stores without a name.
    "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-strcat",
    "-fsanitize=thread", "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0", "-fno-tree-vectorize", "-fno-tree-sra",
    "-fno-ipa-sra", "-Wno-tsan", "-fno-omit-frame-pointer",
]  # fmt: skip
# GCC instruments no result of a call that goes straight to memory, as in `out[i] = f(i)` where f
# returns a structure and is not inlined, and no argument structure that comes straight from memory.
# With RESULTS_APART both get variables and are copied. For sources with calls of both kinds
# (cuda.py).
RESULTS_APART = "-fno-elide-constructors"
MODE_FLAGS = {
    # A large frame touches its pages at once, from the top: a stack grows at the first touch, and
    # until then the signal of a time slice would find no room.
    "": ["-fstack-clash-protection"],
    "sanitize": [*DIAGNOSTIC_FLAGS, "-fsanitize=bounds,alignment"],
    # Basic blocks stay in the order of the source, which is the order in which diverged threads
    # run.
    "profile": [
        *DIAGNOSTIC_FLAGS, "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks",
        "-fno-crossjumping", "-fno-thread-jumps",
    ],
}  # fmt: skip


def prepare_diagnostics(options: Options) -> None:
    if is_clang(options):
        raise Failure(
            f"cudacc: --{options.diagnostic} needs g++: "
            "clang++ instruments a program that it has already changed"
        )
    if options.instrumented:
        options.optimise = DIAGNOSTIC_OPTIMISE
    options.preprocessor += diagnostic_definitions(options)


def diagnostic_definitions(options: Options) -> list[str]:
    if not options.diagnostic:
        return []
    return [f"-D__CUDACPU_{options.diagnostic.upper()}__=1", "-DCUDACPU_DIAGNOSTICS=1"]


def definitions(options: Options) -> list[str]:
    return [
        FOR_THIS_DEVICE, "-D__CUDACC__=1", "-D__NVCC__=1",
        f"-D__CUDA_ARCH__={options.architecture}",
        f"-D__CUDA_ARCH_LIST__={options.architecture}", "-D__CUDACC_VER_MAJOR__=13",
        "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_EXTENDED_LAMBDA__=1",
        "-D__CUDACC_RELAXED_CONSTEXPR__=1",
    ]  # fmt: skip


def common_flags(options: Options) -> list[str]:
    """The options of all compilations: programs, host files, the library."""
    # In the diagnostic modes include/cudacpu/memory_functions.h defines functions in place of
    # memcpy and similar functions, as the C library's headers would for _FORTIFY_SOURCE, which
    # Ubuntu's compilers define.
    unfortified = ["-U_FORTIFY_SOURCE"] if options.diagnostic else []
    return [PIC, *CODE_FLAGS, *FLAGS_OF_MACHINE.get(target_machine(options), []), *unfortified]


# The version of x86-64 that has instructions for fused multiplications, vectors of 32 bytes and the
# number of bits, and the kernel's names for the version's parts. The instructions change no result:
# see -ffp-contract above.
NEW_PROCESSOR = "-march=x86-64-v3"
NEW_FEATURES = {"avx2", "fma", "bmi1", "bmi2", "f16c", "abm", "movbe"}


@functools.cache
def is_new_processor() -> bool:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return False
    features = next((line for line in lines if line.startswith("flags")), "")
    return NEW_FEATURES.issubset(features.split())


def processor_flags(options: Options) -> list[str]:
    """For this machine's processor, which runs the program; another machine may run a graded
    program.
    """
    here = target_machine(options) == os.uname().machine
    fits = here and not options.diagnostic and not options.graded and is_new_processor()
    return [NEW_PROCESSOR] if fits else []


def mode_flags(options: Options) -> list[str]:
    flags = MODE_FLAGS[options.instrumented]
    # By default g++ for arm64 assumes a guard of 64 KB below a stack, and probes none of its pages.
    if not options.instrumented and target_machine(options) == "aarch64" and not is_clang(options):
        flags = [*flags, "--param=stack-clash-protection-guard-size=12"]
    return flags


def code_flags(options: Options) -> list[str]:
    """The options of every step: some define macros, which a precompiled header depends on."""
    chosen = [w for w in options.compiler if not changes_no_code(w)]
    # A symbol that is unique in the whole process could not be kept in a single object (graded.py).
    unique = [] if is_clang(options) else ["-fno-gnu-unique"]
    return [
        options.standard, options.optimise, options.debug, *common_flags(options),
        *processor_flags(options), *unique, *chosen, *mode_flags(options),
        *([RESULTS_APART] if options.results_apart else []),
    ]  # fmt: skip


def host_flags(options: Options) -> list[str]:
    """A profile is of kernels, which are in CUDA files only."""
    return [] if options.diagnostic == "profile" else mode_flags(options)


def changes_no_code(word: str) -> bool:
    """Whether an option is about warnings, or about the names of files in debug information."""
    return word.startswith(("-W", "-w", "-pedantic", DEBUG_NAMES))
