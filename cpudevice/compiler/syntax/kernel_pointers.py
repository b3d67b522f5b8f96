"""Kernels as values, which programs cast to void*: the CPU device needs to know the kernel's type.

cudaLaunchKernel((void*)kernel, …)    the kernel itself: the function is a template
p = (void*)kernel                     a pointer that is remembered to be that kernel's
"""

from __future__ import annotations

import re

from ..tokens import Tokens

# The API calls that take a kernel as a void*.
TAKES_KERNEL = re.compile(r"cuda(Launch(Cooperative)?Kernel(ExC)?|Func[A-Z]\w*|Occupancy\w+)$")


def keep_kernel_type(tokens: Tokens, position: int) -> None:
    """Removes (void*) and reinterpret_cast<void*> from the arguments of an API call."""
    p = position + 1
    if tokens.text(p) == "<":
        p = tokens.skip_angles(p)
    if tokens.text(p) != "(" or p not in tokens.partner:
        return
    end = tokens.partner[p]
    while p < end:
        p += 1
        if tokens.text(p - 1) not in ("(", ","):
            continue
        if tokens.text(p) == "(" and is_void_pointer(tokens, p + 1, tokens.partner.get(p, p) - 1):
            tokens.erase(p, tokens.partner[p])
        elif tokens.text(p) in ("reinterpret_cast", "static_cast") and tokens.text(p + 1) == "<":
            close = tokens.skip_angles(p + 1)
            if is_void_pointer(tokens, p + 2, close - 2):
                tokens.erase(p, close - 1)


def keep_kernel_pointer(tokens: Tokens, position: int, kernels: set[str]) -> None:
    """Makes a cast of a kernel's name to void* one that remembers the kernel.

    `kernels` are the names of those that are known.
    """
    if tokens.text(position) == "(":
        close = tokens.partner.get(position, position)
        if not is_void_pointer(tokens, position + 1, close - 1):
            return
    else:
        close = tokens.skip_angles(position + 1) - 1
        if not is_void_pointer(tokens, position + 2, close - 1) or tokens.text(close + 1) != "(":
            return
        close += 1
    first = last = close + 1
    if tokens.text(first) == "&":
        first = last = first + 1
    while tokens.is_name(last) and tokens.text(last + 1) == "::":
        last += 2
    if tokens.text(last) not in kernels or not tokens.token(position).out:
        return
    if tokens.text(last + 1) == "<":
        last = tokens.skip_angles(last + 1) - 1
    tokens.erase(position, first - 1)
    tokens.token(first).before += "::cudacpu::kernel_pointer("
    # the bracket at the end of a reinterpret_cast serves as well
    if tokens.text(position) == "(":
        tokens.token(last).after += ")"


def is_void_pointer(tokens: Tokens, first: int, last: int) -> bool:
    words = [tokens.text(p) for p in range(first, last + 1) if tokens.text(p) != "const"]
    return words == ["void", "*"]
