"""PTX for the threads of a warp and a block: barriers, votes, shuffles, the choice of one lane."""

from __future__ import annotations

import re

from .registers import Registers, Unknown
from .rules import Rules
from .types import P

RULES = Rules()
rule = RULES.rule


@rule(r"(?:bar|barrier)(?:\.cta)?\.sync(?:\.aligned)?", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if o[0] != "0":
        raise Unknown  # the others let a part of the block pass
    return "__syncthreads();"


@rule(r"bar\.warp\.sync", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"__syncwarp({r.read(o[0], 'u32')});"


@rule(r"vote\.sync\.(?P<how>all|any|uni)\.pred", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    vote = f"__{m['how']}_sync({r.read(o[2], 'u32')}, {r.read(o[1], 'pred')})"
    return r.write(o[0], "pred", f"{vote} != 0")


@rule(r"vote\.sync\.ballot\.b32", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    vote = f"__ballot_sync({r.read(o[2], 'u32')}, {r.read(o[1], 'pred')})"
    return r.write(o[0], "b32", vote)


@rule(r"shfl\.sync\.(?P<how>up|down|bfly|idx)\.b32", 5)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = [one.strip() for one in o[0].split("|")]
    values = ", ".join(r.read(one, "b32") for one in (o[4], *o[1:4]))
    call = f"{P}shuffle_{m['how']}({values}, &__cudacpu_valid)"
    text = f"bool __cudacpu_valid; {r.write(to[0], 'b32', call)}"
    if len(to) == 2:
        return f"{text} {r.write(to[1], 'pred', '__cudacpu_valid')}"
    return f"{text} static_cast<void>(__cudacpu_valid);"


@rule(r"match\.any\.sync\.(?P<t>b32|b64)", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    call = f"__match_any_sync({r.read(o[2], 'u32')}, {r.read(o[1], m['t'])})"
    return r.write(o[0], "b32", call)


@rule(r"redux\.sync\.(?P<op>add|min|max|and|or|xor)\.(?P<t>[usb]32)", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    call = f"__reduce_{m['op']}_sync({r.read(o[2], 'u32')}, {r.read(o[1], m['t'])})"
    return r.write(o[0], m["t"], call)


@rule(r"activemask\.b32", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return r.write(o[0], "b32", "__activemask()")


@rule(r"nanosleep\.u32", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"__nanosleep({r.read(o[0], 'u32')});"


@rule(r"trap", 0)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return "__trap();"


@rule(r"elect\.sync", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = [one.strip() for one in o[0].split("|")]
    if len(to) != 2:
        raise Unknown
    mask = f"const unsigned __cudacpu_mask = {r.read(o[1], 'u32')}; "
    mask += '::cudacpu::warp_barrier(__cudacpu_mask, "elect.sync"); '
    mask += "const unsigned __cudacpu_leader = __ffs(static_cast<int>(__cudacpu_mask)) - 1u; "
    leader = r.write(to[0], "b32", "__cudacpu_leader")
    chosen = r.write(to[1], "pred", "::cudacpu::register_laneid() == __cudacpu_leader")
    return f"{mask}{leader} {chosen}"
