"""The PTX instructions that the CPU device knows, and the C++ for each.

Each topic has a module with rules (rules.py); RULES joins the rules of all topics. An instruction
without a rule is refused. The C++ functions are in include/cudacpu/device/ptx/instructions.h; the
manual is NVIDIA's "Parallel Thread Execution ISA".
"""

from __future__ import annotations

import re
from itertools import chain

from . import (
    comparisons,
    conversions,
    copies,
    integers,
    matrices,
    mbarriers,
    memory,
    real_numbers,
    warp,
)
from .registers import Registers, Unknown

# The first rule that fits is taken.
RULES = [
    *integers.RULES,
    *real_numbers.RULES,
    *comparisons.RULES,
    *conversions.RULES,
    *memory.RULES,
    *copies.RULES,
    *warp.RULES,
    *matrices.RULES,
    *mbarriers.RULES,
]


# ptxas takes the parts of a memory instruction's name in any order; the rules know only the order
# of the manual, in which the parts below stand before all others.
FIRST_PARTS = (
    {"volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "mmio"},
    {"cta", "gpu", "sys", "cluster"},
    {"shared", "shared::cta", "global", "local", "const"},
    {"nc"},
    {"ca", "cg", "cs", "lu", "cv", "wb", "wt"},
)


def in_order(name: str) -> str:
    """The instruction's name with the parts in the order of the manual."""
    first, *parts = name.split(".")
    if first not in ("ld", "st", "atom", "red"):
        return name
    groups = [[part for part in parts if part in group] for group in FIRST_PARTS]
    rest = [part for part in parts if not any(part in group for group in FIRST_PARTS)]
    return ".".join([first, *chain(*groups), *rest])


def statement(registers: Registers, name: str, operands: list[str]) -> str:
    name = in_order(name)
    for pattern, count, function in RULES:
        found = re.fullmatch(pattern, name)
        if found and count in (-1, len(operands)):
            return function(registers, found, operands)
    if HOPPER.fullmatch(name):
        return of_hopper(registers, name, operands)
    raise Unknown


# Instructions of compute capability 9.0 that the CPU device lacks: a graded file may hold them
# behind an #if that is false on the CPU device.
HOPPER = re.compile(
    r"mbarrier\.(?:arrive|arrive_drop|expect_tx|complete_tx)\b[\w.:]*"
    r"|fence\.(?:proxy\.async|mbarrier_init)\b[\w.:]*|cp\.(?:reduce\.)?async\.bulk\b[\w.:]*"
    r"|wgmma\.(?:fence|commit_group|wait_group|mma_async)\.sync\.aligned\b[\w.]*"
    r"|setmaxnreg\.(?:inc|dec)\.sync\.aligned\.u32|barrier\.cluster\.(?:arrive|wait)\b[\w.]*"
    r"|mapa\b[\w.:]*"
)
OPERAND = re.compile(r"[\w%\s,+\[\]{}|-]*")


def of_hopper(registers: Registers, name: str, operands: list[str]) -> str:
    """Notes the instruction's registers, and that the instruction has no C++."""
    for operand in operands:
        if not OPERAND.fullmatch(operand):
            raise Unknown
        for word in re.findall(r"%?\w+", operand):
            registers.find(word)
    registers.hopper = registers.hopper or name
    return ""
