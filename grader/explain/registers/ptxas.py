"""Reads the output of `nvcc -Xptxas -v` about a file's kernels.

ptxas reports spilled registers, which cuobjdump does not, and comes with every nvcc. The listing
has a paragraph per kernel, and per function that is called and not inlined:

    ptxas info    : Compiling entry function '_Z6kernelPi' for 'sm_90'
    ptxas info    : Function properties for _Z6kernelPi
        80 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
    ptxas info    : Used 137 registers, used 0 barriers, 80 bytes cumulative stack size
"""

import re
import subprocess
from dataclasses import dataclass, replace

ENTRY = re.compile(r"Compiling entry function '(.+)' for 'sm_\w+'")
PROPERTIES = re.compile(r"Function properties for (.+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")
CUMULATIVE = re.compile(r"(\d+) bytes cumulative stack size")
SHARED = re.compile(r"(\d+) bytes smem")
# About a kernel that calls a recursive function. nvcc 13.0 prints the line for unoptimised code
# only; for optimised code the function is listed, and the kernel's stack lacks the function's.
UNKNOWN_STACK = re.compile(r"Stack size for entry function '(.+)' cannot be statically determined")
DEMANGLE_TIMEOUT_S = 60


@dataclass(frozen=True)
class Function:
    """A kernel, or a function that kernels call; bytes per thread, shared memory per block."""

    name: str  # without namespaces and parameters: steps_kernel<2, true>
    is_kernel: bool
    registers: int = 0  # of a kernel, including called functions
    stack: int = 0  # the frame; of a kernel with the frames of called functions, as far as known
    spill_stores: int = 0
    spill_loads: int = 0
    static_shared: int = 0
    stack_known: bool = True

    @property
    def base_name(self) -> str:
        """The name without template arguments, as in the profile."""
        return self.name.partition("<")[0]


def read_listing(listing: str) -> list[Function]:
    """The kernels by name, then the functions with a stack frame."""
    found = functions_of(demangled(listing)).values()
    kernels = [one for one in found if one.is_kernel]
    called = [one for one in found if not one.is_kernel and one.stack]
    return sorted(kernels, key=by_name) + sorted(called, key=by_name)


def functions_of(text: str) -> dict[str, Function]:
    """{name: function}, by the names in the listing."""
    unknown = set(UNKNOWN_STACK.findall(text))
    entries = set(ENTRY.findall(text))
    found: dict[str, Function] = {}
    entry = current = ""
    for line in text.splitlines():
        if match := ENTRY.search(line) or PROPERTIES.search(line):
            current = match[1]
            entry = current if current in entries else entry
            known = current not in unknown
            blank = Function(short_name(current), current in entries, stack_known=known)
            found.setdefault(current, blank)
        elif (match := FRAME.search(line)) and current:
            found[current] = with_frame(found[current], *map(int, match.groups()))
        elif (match := REGISTERS.search(line)) and entry:
            # Called functions may be listed between the kernel's name and registers.
            found[entry] = with_resources(found[entry], int(match[1]), line)
    return found


def by_name(function: Function) -> list[str | int]:
    """Sorts 2 before 10."""
    words = re.split(r"(\d+)", function.name)
    return [int(word) if word.isdigit() else word for word in words]


def with_frame(function: Function, stack: int, stores: int, loads: int) -> Function:
    return replace(function, stack=stack, spill_stores=stores, spill_loads=loads)


def with_resources(kernel: Function, registers: int, line: str) -> Function:
    cumulative, shared = CUMULATIVE.search(line), SHARED.search(line)
    return replace(
        kernel,
        registers=registers,
        stack=max(kernel.stack, int(cumulative[1]) if cumulative else 0),
        static_shared=int(shared[1]) if shared else 0,
    )


def demangled(text: str) -> str:
    """Replaces names by the source's names; unchanged without c++filt, which binutils has."""
    try:
        done = subprocess.run(
            ["c++filt"],
            input=text,
            capture_output=True,
            text=True,
            timeout=DEMANGLE_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return text
    return done.stdout


def short_name(demangled_name: str) -> str:
    """steps_kernel<2, true> of void sorting::steps_kernel<2, true>(float*, int)."""
    text = demangled_name.replace("(anonymous namespace)", "anonymous")
    depth, start = 0, 0
    for at, sign in enumerate(text):
        if sign == "(" and depth == 0:
            return text[start:at]
        if sign in "<(":
            depth += 1
        elif sign in ">)":
            depth -= 1
        elif depth == 0 and (sign == " " or text[at - 1 : at + 1] == "::"):
            start = at + 1
    return text[start:]
