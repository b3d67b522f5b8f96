"""Finds branches that depend on a loaded value: a warp waits there until the value has arrived.

    if (flags[i] == 0) return;
    … values[i] …                           the load waits for the load of the flag

A branch around a few instructions does not count, because nvcc predicates these instructions. Nor
does a value that was loaded before a loop, or that an earlier branch needed: the value has arrived.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .dump import ASSIGNMENT, CALLED, GOTO, HEAD, NAME, PHI, Function

# A thread's indices are in special registers.
READ = re.compile(
    r"(?:__builtin_)?_{2,3}tsan_(?:unaligned_)?(?:volatile_)?read\w* "
    r"\((?!&(?:threadIdx|blockIdx|blockDim|gridDim)\b)"
)
PREDICATED = 7  # nvcc generates no branch around so few instructions


@dataclass
class Piece:
    """A basic block of the dump."""

    number: int
    statements: int = 0
    touches: bool = False  # accesses memory or calls a function
    condition: str = ""  # of the branch at the end
    targets: list[int] = field(default_factory=list)  # of the branch or jump at the end


@dataclass
class Definition:
    """Where a value comes from."""

    piece: int
    operands: list[str]
    loaded: bool = False
    joins: bool = False  # a PHI: a value for each path to the block


def waiting_branches(function: Function) -> set[int]:
    """The numbers of the blocks that end with a waiting branch."""
    return Branches(function).find()


class Branches:
    """The control flow of a function, and the origin of its values."""

    def __init__(self, function: Function) -> None:
        self.pieces: list[Piece] = []
        self.definitions: dict[str, Definition] = {}
        self.read(function)
        self.place = {piece.number: i for i, piece in enumerate(self.pieces)}
        # The first and the last block of each loop.
        self.loops = [
            (target, piece.number)
            for piece in self.pieces
            for target in piece.targets
            if target <= piece.number
        ]

    def find(self) -> set[int]:
        found: set[int] = set()
        arrived: set[str] = set()
        for piece in self.pieces:
            if piece.condition and not self.is_predicated(piece):
                loaded = self.loaded(piece.condition, piece.number)
                if not loaded <= arrived:
                    found.add(piece.number)
                arrived |= loaded
        return found

    def read(self, function: Function) -> None:
        loads = False
        for line in function.lines:
            if head := HEAD.match(line.text):
                self.pieces.append(Piece(int(head[1])))
                continue
            statement = line.text.strip()
            if not self.pieces or not statement:
                continue
            piece = self.pieces[-1]
            if target := GOTO.search(statement):
                piece.targets.append(int(target[1]))
            elif statement.startswith("if ("):
                piece.condition = "" if line.free else statement[4:-1]
            elif phi := PHI.match(statement):
                origins = NAME.findall(re.sub(r"\(\d+\)", "", phi[2]))
                self.definitions[phi[1]] = Definition(piece.number, origins, joins=True)
            elif READ.match(statement):
                loads = piece.touches = True
            elif found := ASSIGNMENT.match(statement):
                piece.statements += 1
                piece.touches |= bool(CALLED.match(statement))
                operands = NAME.findall(found[2])
                self.definitions[found[1]] = Definition(piece.number, operands, loaded=loads)
                loads = False
            elif called := CALLED.match(statement):
                piece.touches |= "sanitizer_cov" not in called[1]

    def is_predicated(self, piece: Piece) -> bool:
        """Whether a path is short and leads to the other, or both are short and meet again."""
        ways = [self.following(target) for target in piece.targets]
        short = [self.is_short(target) and target > piece.number for target in piece.targets]
        if len(ways) != 2:
            return False
        a, b = piece.targets
        return (
            (short[0] and ways[0] == b)
            or (short[1] and ways[1] == a)
            or (all(short) and ways[0] == ways[1])
        )

    def is_short(self, number: int) -> bool:
        piece = self.pieces[self.place[number]]
        return not piece.touches and not piece.condition and piece.statements <= PREDICATED

    def following(self, number: int) -> int | None:
        """The block after block `number`, if only a single block can follow."""
        place = self.place[number]
        targets = self.pieces[place].targets
        if len(targets) > 1:
            return None
        if targets:
            return targets[0]
        return self.pieces[place + 1].number if place + 1 < len(self.pieces) else None

    def loaded(self, condition: str, at: int) -> set[str]:
        """The values that the condition needs and that the same round of every loop has loaded."""
        around = [loop for loop in self.loops if loop[0] <= at <= loop[1]]
        names, seen, loaded = NAME.findall(condition), set(), set()
        while names:
            name = names.pop()
            definition = self.definitions.get(name)
            if definition is None or name in seen:
                continue
            seen.add(name)
            if not all(first <= definition.piece <= last for first, last in around):
                continue  # computed before the loop
            if definition.loaded:
                loaded.add(name)
                continue
            if definition.joins and any(definition.piece == first for first, _ in around):
                continue  # a value of the previous round
            names += definition.operands
        return loaded
