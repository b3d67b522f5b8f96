"""The instructions and the accesses of each basic block of the program."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..flags import TRACE
from .branches import waiting_branches
from .chains import Chains
from .dump import CALLED, GOTO, HEAD, Function, SourceLine
from .hidden_memory import REGISTERS, HiddenMemory
from .operations import Operations
from .prices import Counts
from .values import Values
from .vectors import Joiner

INSTRUMENTED = re.compile(r"^(?:\S+ = )?(?:__builtin_)?_{2,3}(tsan_\w+) \(([^,]*)")
ADDRESS = re.compile(r"^(\S+) = &(.+);$")
ADDRESS_BYTES = 8
# Called functions that do not access the program's memory.
TOUCHES_NOTHING = ("__builtin_", "cudacpu::observe::peek", "std::")


@dataclass
class BasicBlock:
    """The instructions and the instrumented accesses of a basic block."""

    counts: Counts = field(default_factory=Counts)
    accesses: list[str] = field(default_factory=list)  # instrumented accesses, for the matching
    unused: list[bool] = field(default_factory=list)  # of the accesses: the result is unused
    # of the accesses: the CPU device's, not the program's
    hidden: list[bool] = field(default_factory=list)
    joined: dict[int, str] = field(default_factory=dict)  # of the accesses: see vectors.py
    special_lines: dict[SourceLine, int] = field(default_factory=dict)  # {(file, line): count}
    place: SourceLine | None = None  # of the program's last statement so far
    statements: int = 0
    free: int = 0  # of the statements: inside code that counts as a single instruction
    seen: bool = True  # the block belongs to the program, not to a function of the CPU device
    waits: bool = False  # the branch at the end depends on a loaded value
    chains: Chains = field(default_factory=Chains)

    def count(self, statement: str, counts: Counts, lanes: int = 1) -> None:
        """Adds the instructions of a statement, which computes `lanes` values side by side."""
        self.counts.add(counts)
        self.chains.add(statement, counts.issued // lanes)

    def note_special(self, count: int) -> None:
        """Counts special functions in a header of the CPU device for the program's current line."""
        if count and self.place:
            self.special_lines[self.place] = self.special_lines.get(self.place, 0) + count


def blocks_of(functions: list[Function], frames: dict[str, int]) -> dict[str, list[BasicBlock]]:
    """The instrumented blocks of each function, in the dump's order, by the function's symbol.

    `frames`: the bytes that each function takes from the stack.
    """
    return {one.symbol: BlockReader(one, frames.get(one.symbol, 0)).read() for one in functions}


class BlockReader:
    """Reads the blocks of a function."""

    def __init__(self, function: Function, frame: int) -> None:
        self.function = function
        self.values = Values(function)
        self.memory = HiddenMemory(function, frame - self.spilled_addresses())
        self.operations = Operations(self.values)
        self.waiting = waiting_branches(function)

    def spilled_addresses(self) -> int:
        """The bytes in the frame for addresses that a GPU does not keep.

        GCC computes the addresses of an unrolled loop before the loop around it, and keeps them on
        the stack. Bounded, because addresses say nothing about other variables.
        """
        return min(ADDRESS_BYTES * len(self.values.addresses.carried), REGISTERS)

    def read(self) -> list[BasicBlock]:
        blocks: list[BasicBlock] = []
        number = 0
        condition = ""  # of an `if` whose two targets come in the next lines
        targets: list[int] = []
        addresses: dict[str, str] = {}  # {name: the variable at the address}
        joiner = Joiner(self.values.type_of)
        for line in self.function.lines:
            free = line.free
            head = HEAD.match(line.text)
            if head:
                number = int(head[1])
                joiner.close()
                continue
            statement = line.text.strip()
            if not number or not statement or statement == "else":
                continue
            if TRACE in statement:
                blocks.append(BasicBlock(seen=self.function.seen))
                joiner = Joiner(self.values.type_of)
                blocks[-1].joined = joiner.joined
                continue
            if not blocks:
                continue
            # A block without a call of TRACE is a small piece on an edge, and belongs to the block
            # before.
            block = blocks[-1]
            access = INSTRUMENTED.match(statement)
            target = GOTO.search(statement)
            block.statements += 1
            block.free += free
            block.place = line.place or block.place
            if address := ADDRESS.match(statement):
                addresses[address[1]] = address[2]
            if access:
                of = access[2].rstrip(");")
                if not free:
                    joiner.access(len(block.accesses), access[1], addresses.get(of, of.lstrip("&")))
                hidden = free and "atomic" not in access[1]
                if line.copy and access[1].endswith("_range"):
                    renamed = access[1].replace("_range", "_bytes")
                    joiner.joined[len(block.accesses)] = renamed
                block.hidden.append(hidden or self.values.is_fragment(addresses.get(of, of)))
                block.accesses.append(access[1])
                block.unused.append(" = " not in statement.split("(")[0])
            elif statement.startswith("if ("):
                block.waits |= number in self.waiting
                condition, targets = "" if free else statement[4:-1], []
            elif free and not target:
                pass
            elif statement.startswith("switch ("):
                block.count(statement, Counts(integer=2, control=1))
            elif target and condition:
                targets.append(int(target[1]))
                if len(targets) == 2:
                    counts = self.operations.branch(condition, min(targets) <= number)
                    block.count(condition, counts)
                    condition = ""
            elif not target:
                called = CALLED.match(statement)
                if called and not called[1].startswith(TOUCHES_NOTHING):
                    joiner.close()
                block.counts.cached += self.memory.lines(statement)
                counts = Counts()
                self.operations.count(statement, counts)
                block.count(statement, counts, self.operations.lanes(statement))
                block.note_special(counts.special)
        joiner.close()
        return blocks
