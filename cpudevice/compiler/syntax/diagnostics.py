"""What the diagnostic modes need to see: barriers, the ends of threads, and copies of memory.

__syncthreads()               __cudacpu_syncthreads<17>(), so that each has a number
return;                       return ::cudacpu::observe::returning(); in kernels, for sanitize
"""

from __future__ import annotations

import re

from ..tokens import Tokens
from .scopes import Kernel

BARRIER = re.compile(r"__syncthreads(_count|_and|_or)?$")
MEMORY_FUNCTIONS = re.compile(r"\b__builtin_(memcpy|memmove|memset|memcmp)\b")


def is_barrier(tokens: Tokens, position: int) -> bool:
    return bool(BARRIER.match(tokens.text(position))) and tokens.text(position + 1) == "("


def number_barrier(tokens: Tokens, position: int, number: int) -> None:
    tokens.token(position).out = f"__cudacpu_{tokens.text(position)[2:]}<{number}>"


def leaves_kernel(tokens: Tokens, position: int, kernel: Kernel | None) -> bool:
    """Whether this `return` ends a thread: in a kernel it may belong to a lambda."""
    return kernel is not None and kernel.shadow_indices and tokens.text(position + 1) == ";"


def note_return(tokens: Tokens, position: int) -> None:
    tokens.token(position).after += " ::cudacpu::observe::returning()"


def with_own_memory_functions(text: str) -> str:
    """The text, calling include/cudacpu/memory_functions.h instead of the compiler's functions."""
    return MEMORY_FUNCTIONS.sub(r"__cudacpu_word_\1", text)
