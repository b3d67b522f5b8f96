"""The compiler's dump of the program (-fdump-tree-optimized-lineno), function by function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from ..graded import attribute_names
from ..headers.folders import is_ours
from ..tools import INCLUDE

FUNCTION = re.compile(r"^;; Function (.*) \((\S+), funcdef_no=")
END = ";; Function end (end, funcdef_no="
# The attribute of CUDACPU_UNSEEN that g++ 11 knows; g++ 11 calls TRACE nevertheless.
UNSEEN = "no_sanitize"

# What a statement can be.
HEAD = re.compile(r"^  <bb (\d+)>")
DECLARATION = re.compile(r"^  (\S.*[\s*&])([\w.$]+)(?: \[value-expr.*)?;$")
ASSIGNMENT = re.compile(r"^(\S+) = (.*);$")
BINARY = re.compile(r"^([^\s(]\S*) ([^\s\w(]\S*|r[><]+|[wh]\*) (\S+)$")
CALLED = re.compile(r"^(?:\S+ = )?([\w.:~$]+) \(")
CALLED_TEMPLATE = re.compile(r"^(?:\S+ = )?(cudacpu::[\w:]+)<.*> \(")
GOTO = re.compile(r"goto <bb (\d+)>")
# A value for each path to the block, with the block before.
PHI = re.compile(r"^# (\S+) = PHI <(.*)>$")
PHI_VALUE = re.compile(r"([^\s,<>]+)\(\d+\)")
NAME = re.compile(r"[\w.$]+_\d+(?:\(D\))?|_\d+")

# The source line of a statement, in the dump before statements and operands.
PLACE = re.compile(r"\[([^\[\]\s]+):(\d+):\d+[^\]]*\] ")
# Calls of memcpy and similar functions that copy a known length.
COPIES = "cudacpu/memory_functions.h"
# Headers whose functions are single instructions of a GPU and are counted as a single instruction
# of the caller: on a GPU a vote is no loop over 32 lanes.
SINGLE_INSTRUCTIONS = tuple(
    f"/{name}"
    for name in (
        "warp.h", "lanes.h", "cooperative_groups/reduce.h", "cooperative_groups/scan.h",
        "matrix.h", "ptx/instructions.h", "async_copy.h", "mbarrier.h", "matrix/memory.h",
        "mma.h", "atomics.h", "launch.h", "runtime.h", "synchronization.h", "turns.h",
    )
)  # fmt: skip

SourceLine = tuple[str, int]  # a file and a line in the file


@dataclass
class Line:
    """A line of a function in the dump."""

    text: str  # without source lines
    place: SourceLine | None  # in the program; None in a header of the CPU device
    free: bool  # inside code that counts as a single instruction
    copy: bool  # a memcpy of known length, which nvcc turns into accesses of single bytes


@dataclass
class Function:
    """A function of the dump."""

    name: str  # as in the source, with all enclosing scopes
    symbol: str
    lines: list[Line] = field(default_factory=list)
    seen: bool = True  # the function belongs to the program, not to the CPU device

    @property
    def head(self) -> list[str]:
        """The lines before the first block, which declare parameters and variables."""
        texts = (line.text for line in self.lines)
        return list(takewhile(lambda text: not HEAD.match(text), texts))


def functions_of(dump: str) -> Iterator[Function]:
    """The functions, in the dump's order."""
    name, symbol, lines = "", "", []
    for line in [*dump.splitlines(), END]:
        if found := FUNCTION.match(line):
            if symbol:
                yield read_function(Function(name, symbol), lines)
            name, symbol, lines = found[1], found[2], []
        else:
            lines.append(line)


def read_function(function: Function, lines: list[str]) -> Function:
    """Adds the lines to the function, and decides whether the function is seen."""
    placed = 0
    for line in lines:
        place = PLACE.match(line.lstrip())
        placed += bool(place)
        ours = bool(place) and is_ours(place[1])
        function.lines.append(
            Line(
                text=PLACE.sub("", line),
                place=(place[1], int(place[2])) if place and not ours else None,
                free=ours and place[1].endswith(SINGLE_INSTRUCTIONS),
                copy=ours and place[1] == f"{INCLUDE}/{COPIES}",
            )
        )
    only_free = placed and placed == sum(line.free for line in function.lines)
    unseen = any(UNSEEN in attribute_names(line) for line in lines)
    function.seen = not unseen and not only_free
    return function


def parameters(line: str) -> dict[str, str]:
    """The types of a function's parameters by name, if the line is the function's head."""
    if line.startswith((" ", ";", "{", "}")) or not line.endswith(")") or " (" not in line:
        return {}
    inside = line[line.index(" (") + 2 : -1]
    parts = (parameter.strip().rpartition(" ") for parameter in inside.split(","))
    return {name: kind for kind, _, name in parts}
