"""PTX for the threads of a warp and a block: barriers, votes, shuffles, the choice of a lane."""

from __future__ import annotations

import re

from .registers import Registers, Unknown
from .rules import Rules
from .types import P

RULES = Rules()
rule, simple, statement = RULES.rule, RULES.simple, RULES.statement


BARRIER = r"(?:bar|barrier)(?:\.cta)?\.(?P<how>sync|arrive)(?:\.aligned)?"


def named_barrier(r: Registers, m: re.Match[str], number: str, count: str) -> str:
    waits = "true" if m["how"] == "sync" else "false"
    return f'::cudacpu::named_barrier({r.read(number, "u32")}, {count}, {waits}, "bar.{m["how"]}");'


@rule(BARRIER, 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if m["how"] == "arrive":
        raise Unknown  # bar.arrive needs a number of threads
    return "__syncthreads();" if o[0] == "0" else named_barrier(r, m, o[0], "0")


@rule(BARRIER, 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return named_barrier(r, m, o[0], r.read(o[1], "u32"))


@rule(r"(?:bar|barrier)(?:\.cta)?\.red\.popc(?:\.aligned)?\.u32", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return r.write(o[0], "u32", whole_block(r, "count", o))


@rule(r"(?:bar|barrier)(?:\.cta)?\.red\.(?P<op>and|or)(?:\.aligned)?\.pred", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return r.write(o[0], "pred", f"{whole_block(r, m['op'], o)} != 0")


def whole_block(r: Registers, name: str, o: list[str]) -> str:
    """A count, `and` or `or` over the block's threads, for barrier 0 only."""
    if o[1] != "0":
        raise Unknown
    return f"__syncthreads_{name}({r.read(o[2], 'pred')})"


statement(r"bar\.warp\.sync", ("u32",), "__syncwarp({a});")
simple(
    r"vote\.sync\.(?P<how>all|any|uni)\.pred",
    "pred",
    ("pred", "u32"),
    "__{how}_sync({b}, {a}) != 0",
)
simple(r"vote\.sync\.ballot\.b32", "b32", ("pred", "u32"), "__ballot_sync({b}, {a})")


@rule(r"shfl\.sync\.(?P<how>up|down|bfly|idx)\.b32", 5)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = [one.strip() for one in o[0].split("|")]
    values = ", ".join(r.read(one, "b32") for one in (o[4], *o[1:4]))
    call = f"{P}shuffle_{m['how']}({values}, &__cudacpu_valid)"
    text = f"bool __cudacpu_valid; {r.write(to[0], 'b32', call)}"
    if len(to) == 2:
        return f"{text} {r.write(to[1], 'pred', '__cudacpu_valid')}"
    return f"{text} static_cast<void>(__cudacpu_valid);"


simple(r"match\.any\.sync\.(?P<t>b32|b64)", "b32", ("{t}", "u32"), "__match_any_sync({b}, {a})")
simple(
    r"redux\.sync\.(?P<op>add|min|max|and|or|xor)\.(?P<t>[usb]32)",
    "{t}",
    ("{t}", "u32"),
    "__reduce_{op}_sync({b}, {a})",
)
simple(r"activemask\.b32", "b32", (), "__activemask()")
# On the CPU device a kernel begins when the previous kernel has ended.
statement(r"griddepcontrol\.(?:wait|launch_dependents)", (), ";")
statement(r"nanosleep\.u32", ("u32",), "__nanosleep({a});")
statement(r"trap", (), "__trap();")
statement(r"brkpt", (), "__brkpt();")
statement(r"pmevent(?:\.mask)?", ("u32",), "static_cast<void>({a});")  # for a profiler


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
