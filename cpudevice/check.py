"""What nvcc rejects and g++ does not see: found by Clang's front end for CUDA.

`clang++ -x cuda --cuda-host-only` knows which functions may run where. It is asked only about that:
whatever else it may dislike is left to the compiler that builds the program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

# Clang's error -> what to do about it.
CURES = {
    r"reference to __host__ function": "a kernel can call only __device__ functions: "
    "mark it __host__ __device__, or use what CUDA offers instead",
    r"reference to __host__ variable": "a kernel cannot see host variables: "
    "pass it as an argument, or declare it __device__ or __constant__",
    r"reference to __device__ function": "host code cannot call __device__ functions: "
    "call it from a kernel",
    r"reference to __global__ function|call to global function": "a kernel is launched with "
    "<<<blocks, threads>>> between its name and its arguments",
    r"kernel function type .* must have void return type": "results go through pointers",
    r"no matching function for call": "",
}
CANDIDATE = re.compile(r"note: candidate function .*not viable: call to (__host__|__global__)")
ERROR = re.compile(r"^(?P<place>[^\s:]+:\d+:\d+): error: (?P<text>.*)$", re.MULTILINE)


def clang() -> str | None:
    return shutil.which("clang++")


def first_violation(source: Path, flags: Sequence[str], include: Path) -> str | None:
    """The first call or reference that nvcc would reject: `file:line:column: error: sentence`."""
    compiler = clang()
    if compiler is None:
        return None
    command = [compiler, "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"]
    command += ["-fsyntax-only", "-ferror-limit=0", "-fno-color-diagnostics", "-Wno-everything"]
    command += [*flags, "-isystem", str(include), "-include", "cuda_runtime.h", str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0:
        return None
    errors = list(ERROR.finditer(result.stderr))
    for error, following in zip(errors, [*errors[1:], None], strict=True):
        end = following.start() if following else len(result.stderr)
        notes = result.stderr[error.end() : end]
        for pattern, cure in CURES.items():
            if not re.search(pattern, error["text"]):
                continue
            if not cure and not CANDIDATE.search(notes):
                continue
            hint = cure or CURES["reference to __host__ function"]
            return f"{error['place']}: error: {error['text']}; {hint}"
    return None
