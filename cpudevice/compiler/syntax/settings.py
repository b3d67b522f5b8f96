"""What the C++ is for: the compiler and the mode, and how kernels are to run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    always_inline_first: bool  # clang++ wants the lambda's attribute before `mutable`
    diagnostics: str  # "sanitize" or "profile": the barriers are numbered
    inline_kernels: bool  # a debugger shows only the arguments of a function
    graded: bool
    lockstep: bool  # whether kernels may become loops over a block's threads
    threads_exit: bool  # an asm statement may end a thread: kernels catch what it throws
