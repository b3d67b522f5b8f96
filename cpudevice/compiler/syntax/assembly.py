"""Inline assembly: PTX becomes C++ (../ptx), and other assembly in device code is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..ptx import statements as ptx
from ..tokens import Tokens

# Names in assembly that no assembler of a CPU knows: registers of a GPU, and types.
PTX = re.compile(
    r"%%(?!([er]?([abcd]x|[sd]i|[sb]p)|[abcd][lh]|[xyz]mm\d+)\b)|\.(u|s|b|f)(8|16|32|64)\b"
)


def translate_assembly(
    tokens: Tokens, position: int, in_device_code: bool, graded: bool, numbers: Iterator[int]
) -> None:
    """Turns PTX into C++; an unknown instruction in device code is an error.

    `numbers` are for names that must be unique.
    """
    opening = position + 1
    while tokens.text(opening) in (*ptx.VOLATILE, "goto", "inline"):
        opening += 1
    end = tokens.partner.get(opening, opening)
    words = [tokens.text(p) for p in range(position, end + 1)]
    statement = ptx.read_statement(words, graded)
    if statement and statement.hopper:
        raise tokens.error(
            position,
            f"the CPU device has no '{statement.hopper[:60]}', an instruction of compute "
            "capability 9.0: keep it behind #ifdef __CUDA_ARCH_FEAT_SM90_ALL",
        )
    if statement and statement.template:
        expressions = [
            tokens.plain(position + one.first, position + one.last) for one in statement.operands
        ]
        tokens.erase(position, end)
        tokens.token(position).out = statement.cpp(expressions, next(numbers))
    elif not statement and (in_device_code or any(map(PTX.search, words))):
        name = ptx.instruction(words)
        raise tokens.error(
            position,
            f"the CPU device does not know the assembly '{name}': of PTX it has {ptx.KNOWN}",
        )
