"""Finds accesses that the compiler does not instrument and that a GPU cannot serve from registers.

GCC does not instrument constant tables, nor a function's variables whose address is not passed on.
On a GPU a local array is in registers only if nvcc knows every index after unrolling, and if the
registers suffice:

    _7 = sorted[first_26];         first_26 depends on what was loaded
    _8 = table[_5];                a __device__ const table
    MEM[(float *)_92] = _21;       where _92 points into an array of 16 KiB

Values with names are in registers too, but a thread has 255 registers: a function that keeps more
values has them in local memory, as members of a structure or without a structure.
"""

from __future__ import annotations

import math
import re

from .dump import ASSIGNMENT, BINARY, NAME, PHI, PHI_VALUE, Function

# The assumed number of L1 cache lines that an access of a warp looks up. The lanes' indices into a
# local array differ, and so do the lines of their words. Variables that do not fit into registers
# do not fit into the cache either. None of the numbers was measured.
LOCAL_LINES = 4
SPILLED_LINES = 8
TABLE_LINES = 1
SELECTED = 4  # a GPU selects an element of so small a local array without memory
REGISTERS = 1020  # bytes: a thread has at most 255 registers
MOST_VALUES = REGISTERS // 4
FRAME = 2 * REGISTERS  # bytes: the variables of a larger frame do not fit into registers

MOST_LOOPS = 32  # nesting of the loops that determine an index
MOST_STEPS = 256  # values from which an index is computed

DECLARED = re.compile(r"^  \S.*[\s*&]([\w.$]+?)((?:\[\d+\])*)(?: \[value-expr.*)?;$")
EXTENT = re.compile(r"\[(\d+)\]")
NUMBER = re.compile(r"-?\d")
CAST = re.compile(r"^(?:\([^()]*\) )?(~?-?[\w.$]+(?:\(D\))?)$")
# A variable with an index: sorted[first_26].key, own.table[_5].
INDEXED = re.compile(r"(?<![\w.>)])([A-Za-z_][\w.$]*?)((?:\.\w+|\[[^\[\]]*\])*\[[^\[\]]*\])")
INDEX = re.compile(r"\[([^\[\]]*)\]")
# A pointer, or an offset into a variable: MEM[(float *)_92], MEM[(float *)&sums + _5].
POINTER = re.compile(r"(?:MEM(?: <[^>]*>)?\s?\[\((?:[^()]|\([^()]*\))*\)|\*)(&?[\w.$]+)")
# A member of a variable: own.first.key.
MEMBER = re.compile(r"(?<![\w.>)\]])([A-Za-z_][\w$]*)(?:\.\w+)+(?![\w.(\[])")
INSTRUMENTED = re.compile(r"__tsan_\w+ \(&?([^,)]+)")
NO_ACCESS = ("if (", "switch (", "#", "goto ", "return;", "__builtin___tsan", "__tsan")


class HiddenMemory:
    """The accesses of a function; `frame`: the bytes of its variables and saved registers."""

    def __init__(self, function: Function, frame: int) -> None:
        self.large = frame > FRAME
        self.local: dict[str, int] = {}  # elements of each local variable, 1 for a structure
        self.made: dict[str, str] = {}
        self.phis: dict[str, list[str]] = {}
        self.instrumented: set[str] = set()
        self.known: dict[str, bool] = {}
        for declared in filter(None, map(DECLARED.match, function.head)):
            self.local[declared[1]] = math.prod(map(int, EXTENT.findall(declared[2])))
        for line in function.lines:
            statement = line.text.strip()
            self.instrumented.update(INSTRUMENTED.findall(statement))
            if phi := PHI.match(statement):
                self.phis[phi[1]] = PHI_VALUE.findall(phi[2])
            elif found := ASSIGNMENT.match(statement):
                self.made[found[1]] = found[2]
        addresses = {name: made[1:] for name, made in self.made.items() if made.startswith("&")}
        self.instrumented |= {of for name, of in addresses.items() if name in self.instrumented}
        members: set[str] = set()
        if self.large:
            members = {text for line in function.lines for text in self.members(line.text)}
        self.members_fit = len(members) <= MOST_VALUES
        # The values of a large array or structure are counted at the accesses.
        alone = self.large and self.members_fit and max(self.local.values(), default=0) <= SELECTED
        self.kept = self.kept_values(function) if alone else {}

    def members(self, statement: str) -> list[str]:
        """The members of local variables in a statement."""
        return [found[0] for found in MEMBER.finditer(statement) if found[1] in self.local]

    def kept_values(self, function: Function) -> dict[str, int]:
        """How many values of each statement were kept for longer than registers can hold values.

        Empty if no more values are kept than a thread has registers.
        """
        used_at: dict[str, int] = {}  # a value's last use is also its last load
        kept: set[str] = set()
        counts: dict[str, int] = {}
        for number, line in enumerate(function.lines):
            statement = line.text.strip()
            if phi := PHI.match(statement):
                used_at[phi[1]] = number
            target, equals, source = statement.rstrip(";").partition(" = ")
            if not equals or statement.startswith(NO_ACCESS):
                continue
            names = used_at.keys() & NAME.findall(source)
            old = {name for name in names if number - used_at[name] > MOST_VALUES}
            kept |= old
            counts[statement] = len(old)
            used_at |= dict.fromkeys([*names, target], number)
        return counts if len(kept) > MOST_VALUES else {}

    def lines(self, statement: str) -> int:
        """How many lines the accesses of a statement look up."""
        if " = " not in statement or statement.startswith(NO_ACCESS):
            return 0
        sides = statement.rstrip(";").split(" = ", 1)
        kept = self.kept.get(statement, 0)
        if not self.members_fit:
            kept += len(self.members(statement))
        return sum(map(self.lines_of, sides)) + SPILLED_LINES * kept

    def lines_of(self, operand: str) -> int:
        if operand.startswith("&") or operand in self.instrumented:
            return 0
        if pointer := POINTER.match(operand):
            hidden = self.large and pointer[1] not in self.instrumented
            return SPILLED_LINES if hidden else 0
        found = INDEXED.match(operand)
        if not found or found[1] == "MEM" or found[0] in self.instrumented:
            return 0
        elements = self.local.get(found[1].split(".")[0])
        if elements is not None and 1 < elements <= SELECTED:
            return 0
        if not self.large and all(map(self.is_known, INDEX.findall(found[2]))):
            return 0
        if elements is None:
            return TABLE_LINES
        return SPILLED_LINES if self.large else LOCAL_LINES

    def is_known(self, value: str, depth: int = 0) -> bool:
        """Whether the value is a known number in each round of an unrolled loop."""
        if NUMBER.match(value):
            return True
        if value not in self.known:
            self.known[value] = False  # stops at cycles that are no loop
            self.known[value] = depth < MOST_LOOPS and self.find(value, depth + 1)
        return self.known[value]

    def find(self, value: str, depth: int) -> bool:
        """Whether a loop's variable begins with a known value and changes by known values."""
        leaves: set[str] = set()
        onward = value not in self.phis
        for one in self.phis.get(value, [value]):
            found = self.leaves(one)
            if found is None:
                return False
            onward = onward or value in found
            leaves |= found - {value}
        return onward and all(self.is_known(leaf, depth) for leaf in leaves)

    def leaves(self, value: str) -> set[str] | None:
        """The loop variables that determine a value; None if the value needs anything else."""
        waiting, seen, found = [value], {value}, set()
        while waiting:
            one = waiting.pop()
            if one in self.phis:
                found.add(one)
            elif not NUMBER.match(one):
                operands = self.operands(one)
                if not operands or len(seen) > MOST_STEPS:
                    return None
                waiting += [operand for operand in operands if operand not in seen]
                seen.update(operands)
        return found

    def operands(self, value: str) -> list[str]:
        """The operands of the value; [] if the value is loaded, returned, or a parameter."""
        made = self.made.get(value, "")
        if binary := BINARY.match(made):
            found = [binary[1], binary[3]]
        else:
            cast = CAST.match(made)
            found = [cast[1].lstrip("~-")] if cast else []
        return found if all(NUMBER.match(one) or NAME.fullmatch(one) for one in found) else []
