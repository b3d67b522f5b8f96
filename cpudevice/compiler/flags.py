"""What the compilers are told beside what stands on the command line."""

from __future__ import annotations

import os

from .options import Failure, Options, is_clang

# What every .cu file begins with.
FIRST_HEADER = "cuda_runtime.h"
FIRST = ["-include", FIRST_HEADER]
# For programs that must know, in .cu and host files alike: there is no link, no L2 to evict.
FOR_THIS_DEVICE = "-D__CUDACPU__=1"

# -ffp-contract=off: a*b+c is rounded as written; a kernel that wants an FMA calls one. No errno and
# no traps: device code has neither. A loop that never ends stays one, so that it can be named.
CODE_FLAGS = [
    "-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math",
    "-fno-finite-loops", "-pthread",
]  # fmt: skip
# Shared libraries and position-independent programs from the same objects.
PIC = "-fPIC"
X86 = os.uname().machine in ("x86_64", "AMD64")
if X86:
    CODE_FLAGS.append("-fcf-protection=none")  # a shadow stack knows nothing of fibers

# The diagnostic modes see the program through the calls that g++ inserts before each access for
# its thread sanitizer, whose own run-time library is never linked: ours defines the functions. The
# level of optimisation is pinned, since the counts depend on it. Scalar replacement would split a
# float4, loop vectorisation would join floats.
DIAGNOSTIC_OPTIMISE = "-O1"
TRACE = "__sanitizer_cov_trace_pc"  # what stands at the head of each basic block of a profile
DIAGNOSTIC_FLAGS = [
    # What it defines in place of memcpy, include/cudacpu/memory_functions.h defines.
    "-U_FORTIFY_SOURCE",
    # Of a text that is known it would make stores without a name.
    "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-strcat",
    "-fsanitize=thread", "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0", "-fno-tree-vectorize", "-fno-tree-sra",
    "-fno-ipa-sra", "-Wno-tsan", "-fno-omit-frame-pointer",
]  # fmt: skip
MODE_FLAGS = {
    # A large frame touches its pages at once, from above: a stack grows at the first touch, and
    # until then a time slice's signal would find none.
    "": ["-fstack-clash-protection"],
    "sanitize": [*DIAGNOSTIC_FLAGS, "-fsanitize=bounds,alignment"],
    # Basic blocks stay in the order of the source, in which parted lanes take turns.
    "profile": [
        *DIAGNOSTIC_FLAGS, "-fsanitize-coverage=trace-pc", "-fno-reorder-blocks",
        "-fno-crossjumping",
    ],
}  # fmt: skip


def prepare_diagnostics(options: Options) -> None:
    if is_clang(options):
        raise Failure(
            f"cudacc: --{options.diagnostic} needs g++: "
            "what clang++ instruments is not what was written"
        )
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


def code_flags(options: Options) -> list[str]:
    """The same in every step: some define macros, and a precompiled header suits its own alone."""
    chosen = [w for w in options.compiler if not is_warning(w)]
    # A symbol that is unique in the whole process could not be kept to one object (graded.py).
    unique = [] if is_clang(options) else ["-fno-gnu-unique"]
    return [
        options.standard, options.optimise, options.debug, PIC, *CODE_FLAGS, *unique, *chosen,
        *MODE_FLAGS[options.diagnostic],
    ]  # fmt: skip


def host_flags(options: Options) -> list[str]:
    """A profile is of kernels, and they are in the CUDA files."""
    return [] if options.diagnostic == "profile" else MODE_FLAGS[options.diagnostic]


def is_warning(word: str) -> bool:
    return word.startswith(("-W", "-w", "-pedantic"))
