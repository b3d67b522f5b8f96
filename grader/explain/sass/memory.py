"""Finds the memory space of an instruction's access, and the bytes moved per lane."""

import re
from dataclasses import dataclass

from grader.explain.sass.disassembly import Instruction

WORDS = {
    "LDG": "load", "STG": "store", "LD": "load", "ST": "store",
    "LDS": "shared load", "STS": "shared store", "LDSM": "shared load", "STSM": "shared store",
    "LDL": "local load", "STL": "local store",
    "LDGSTS": "copy to shared", "UBLKCP": "bulk copy", "UTMALDG": "bulk copy",
    "UTMASTG": "bulk copy",
    "ATOMG": "atomic", "ATOM": "atomic", "RED": "atomic", "REDG": "atomic",
    "ATOMS": "shared atomic",
    "TEX": "texture fetch", "TLD": "texture fetch", "TLD4": "texture fetch",
}  # fmt: skip
# An instruction moves 4 bytes per lane unless a part of the name says otherwise.
BYTES = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16, "256": 32}
USUAL_BYTES = 4
# Names that do not say the bytes per lane: a whole warp moves a matrix, a single thread starts a
# bulk copy, and a texture's format decides how much a fetch returns.
NOT_BY_LANE = ("LDSM", "STSM", "UBLKCP", "UTMALDG", "UTMASTG", "TEX", "TLD", "TLD4")
PREDICATE = re.compile(r"@!?%?\w+\s+")  # of SASS or PTX


@dataclass(frozen=True, order=True)
class Move:
    """An access to memory, described by the name of the instruction."""

    word: str
    bytes: int  # per lane; 0 if the name does not say

    @property
    def is_local(self) -> bool:
        return self.word.startswith(("local", "spill"))

    @property
    def is_vector(self) -> bool:
        """Whether an instruction moves several 32-bit words per lane."""
        return self.bytes > USUAL_BYTES

    @property
    def text(self) -> str:
        return f"{self.word} {self.bytes} B" if self.bytes else self.word


def operation(instruction: str) -> str:
    """The operation of an instruction: LDG.E.128 for "@!P0 LDG.E.128 R12, desc[UR8][R16.64]"."""
    return PREDICATE.sub("", instruction, count=1).split(None, 1)[0]


def move_of(instruction: Instruction) -> Move | None:
    """The access of an instruction; None if the instruction only computes, branches or waits."""
    name, *parts = operation(instruction.text).split(".")
    word = WORDS.get(name)
    if word is None:
        return None
    if instruction.spills:
        word = word.replace("local", "spill")
    if name in NOT_BY_LANE:
        return Move(word, 0)
    found = [BYTES[part] for part in parts if part in BYTES]
    return Move(word, found[-1] if found else USUAL_BYTES)
