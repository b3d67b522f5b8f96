"""Inline assembly in CUDA code: the PTX instructions that the CPU device knows.

One table, for the translator, which turns them into C++, and for the grader, which lets a
student's file hold these and no others. Programs write PTX for what CUDA C++ has no name for: they
read special registers. An empty template that clobbers memory holds no instruction; it keeps the
compiler from moving memory accesses past it.

    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("" ::: "memory");
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

KEYWORDS = ("asm", "__asm", "__asm__")
VOLATILE = ("volatile", "__volatile", "__volatile__")
# The special registers by their width in bits, each with the C++ that reads it.
REGISTERS = {
    32: {
        **{
            name: f"::cudacpu::register_{name}()"
            for name in ("laneid", "warpid", "smid", "nsmid", "clock")
        },
        **{
            f"lanemask_{order}": f"::cudacpu::register_lanemask_{order}()"
            for order in ("eq", "le", "lt", "ge", "gt")
        },
        **{
            f"{register}.{axis}": f"{variable}.{axis}"
            for register, variable in (
                ("tid", "threadIdx"),
                ("ntid", "blockDim"),
                ("ctaid", "blockIdx"),
                ("nctaid", "gridDim"),
            )
            for axis in "xyz"
        },
    },
    64: {name: f"::cudacpu::register_{name}()" for name in ("clock64", "globaltimer")},
}
OUTPUT = {32: '"=r"', 64: '"=l"'}
# One plain string, one instruction; what else a string can hold (escapes, a second one) is none.
READ = re.compile(
    r'"[ \t]*mov\.[usb](?P<bits>32|64)[ \t]+%0[ \t]*,[ \t]*%%?(?P<register>\w+(?:\.[xyz])?)[ \t]*;'
    r'[ \t]*(?:\\n|\\t|[ \t])*"'
)
KNOWN = "mov of %laneid, %smid, %clock64, %globaltimer and the like"


@dataclass(frozen=True)
class Statement:
    """An asm statement that is understood."""

    value: str = ""  # the C++ of what is read; "" for a statement without an instruction
    output: tuple[int, int] = (0, 0)  # first and last word of the bracket of what is written to


def read_statement(words: Sequence[str]) -> Statement | None:
    """Understands the words from `asm` to the bracket that closes it; None where it cannot."""
    begin = 2 if words[1:2] and words[1] in VOLATILE else 1
    if words[begin : begin + 1] != ["("] or words[-1] != ")":
        return None
    operands = colons(words[begin + 2 : -1])
    template = words[begin + 1]
    if template == '""':
        return Statement() if operands == [":", ":", ":", '"memory"'] else None
    read = READ.fullmatch(template)
    bits = int(read["bits"]) if read else 0
    if not read or read["register"] not in REGISTERS[bits]:
        return None
    first = words.index("(", begin + 1)
    last = closing(words, first)
    if operands[:2] != [":", OUTPUT[bits]] or first != begin + 4:
        return None
    if colons(words[last + 1 : -1]) not in ([], [":"], [":", ":"], [":", ":", '"memory"']):
        return None
    return Statement(REGISTERS[bits][read["register"]], (first, last))


def colons(words: Sequence[str]) -> list[str]:
    """The words with each :: as two."""
    return [one for word in words for one in ((":", ":") if word == "::" else (word,))]


def closing(words: Sequence[str], opening: int) -> int:
    depth = 0
    for place in range(opening, len(words)):
        depth += (words[place] == "(") - (words[place] == ")")
        if depth == 0:
            return place
    return len(words) - 1


def instruction(words: Sequence[str]) -> str:
    """What to call the assembly in a message: its first word, such as `bfind.u32`."""
    strings = [word for word in words if word.endswith('"')]
    inside = strings[0][strings[0].index('"') + 1 : -1] if strings else ""
    found = re.search(r"[A-Za-z.][\w.]*", re.sub(r"\\[nt]", " ", inside))
    return found[0][:40] if found else inside.strip()[:40]
