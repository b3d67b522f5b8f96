"""Attributes of functions and variables: those of CUDA, as g++ and clang++ know them or not at all.

__device__ and the other words that say where a variable is mean more in a declaration of one
(device_variables.py, shared_variables.py).
"""

from __future__ import annotations

from ..tokens import Tokens

# Attributes of functions and variables that mean nothing once everything runs on the host.
DROPPED = {
    "__host__", "__device__", "__constant__", "__managed__", "__grid_constant__", "__inline_hint__",
    "__device_builtin__", "__device_builtin_texture_type__", "__cudart_builtin__", "__nv_pure__",
    "__tile_global__",
}  # fmt: skip
DROPPED_WITH_ARGUMENTS = {"__cluster_dims__", "__maxnreg__", "__block_size__", "__launch_bounds__"}
VARIABLE_SPACES = {"__device__", "__constant__", "__managed__"}
CHANGED = {"__noinline__", "__forceinline__", "__align__", "__builtin_align__"}
# Words that say how memory is aligned, in the parentheses behind them.
ALIGNED = ("__align__", "alignas", "__attribute__")


def drop_with_arguments(tokens: Tokens, position: int) -> int:
    """Removes an attribute and its arguments; returns the position after them."""
    last = tokens.partner.get(position + 1, position)
    tokens.erase(position, last)
    return last + 1


def change(tokens: Tokens, position: int) -> None:
    """Writes one of CHANGED as g++ and clang++ know it."""
    name = tokens.text(position)
    if name == "__noinline__":
        if tokens.text(position - 1) not in ("(", ","):
            tokens.token(position).out = "__attribute__((noinline))"
    elif name == "__forceinline__":
        tokens.token(position).out = "" if is_inline(tokens, position) else "inline"
    elif position + 1 in tokens.partner:
        tokens.token(position).out = "__attribute__((aligned"
        tokens.token(tokens.partner[position + 1]).after += "))"


def is_inline(tokens: Tokens, position: int) -> bool:
    """Whether the specifiers around `position` contain another `inline`."""
    for step in (-1, 1):
        p = position + step
        while tokens.is_name(p):
            if tokens.text(p) in ("inline", "__inline__", "__inline"):
                return True
            if tokens.text(p) == "__forceinline__" and step < 0:
                return True
            p += step
    return False
