"""PTX for asynchronous copies: cp.async, and the bulk copies of Hopper GPUs.

A copy may count as an arrival at an mbarrier (mbarriers.py).
"""

from __future__ import annotations

import re

from .registers import Registers, Unknown
from .rules import HINT, Rules, policy
from .types import P

RULES = Rules()
rule, statement = RULES.rule, RULES.statement


@rule(rf"cp\.async\.(?P<how>ca|cg)\.shared(?:::cta)?\.global{HINT}(?:\.L2::(?:64|128|256)B)?", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    count = len(o) - bool(m["hint"])
    if count not in (3, 4):
        raise Unknown
    unused = policy(r, m, o, count)
    size = r.read(o[2], "u32")
    to, source = r.address(o[0], "shared"), r.address(o[1], "global")
    # The bytes after those of the fourth operand are filled with zeros.
    given = r.read(o[3], "u32") if count == 4 else size
    if m["how"] == "cg":
        return f"{unused}{P}copy_async_16({to}, {source}, {size}, {given});"
    return f"{unused}{P}copy_async({to}, {source}, {size}, {given});"


statement(r"cp\.async\.commit_group", (), "::cudacpu::commit_copies();")
statement(r"cp\.async\.wait_group", ("u32",), "::cudacpu::wait_for_copies({a});")
statement(r"cp\.async\.wait_all", (), "::cudacpu::wait_for_all_copies();")


@rule(
    r"cp\.async\.bulk\.shared::(?:cluster|cta)\.(?P<from>global|shared::cta)"
    rf"\.mbarrier::complete_tx::bytes{HINT}",
    -1,
)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    unused = policy(r, m, o, 4)
    to, source = r.address(o[0], "shared"), r.address(o[1], m["from"])
    size, place = r.read(o[2], "u32"), r.address(o[3], "shared")
    return f"{unused}::cudacpu::mbarrier::load({to}, {source}, {size}, {place});"


@rule(rf"cp\.async\.bulk\.global\.shared::cta\.bulk_group{HINT}", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    unused = policy(r, m, o, 3)
    to, source = r.address(o[0], "global"), r.address(o[1], "shared")
    return f"{unused}::cudacpu::start_bulk_store({to}, {source}, {r.read(o[2], 'u32')});"


@rule(rf"cp\.async\.bulk\.prefetch\.L2\.global{HINT}", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    unused = policy(r, m, o, 2)
    place, size = r.address(o[0], "global"), r.read(o[1], "u32")
    return f"{unused}static_cast<void>({place}), static_cast<void>({size});"


statement(r"cp\.async\.bulk\.commit_group", (), "::cudacpu::commit_bulk_stores();")


@rule(r"cp\.async\.bulk\.wait_group(?P<read>\.read)?", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    read = "true" if m["read"] else "false"
    return f"::cudacpu::wait_for_bulk_stores({r.read(o[0], 'u32')}, {read});"
