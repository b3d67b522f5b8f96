"""PTX for mbarriers: arrivals, waits, and the fences beside them.

The C++ functions are in include/cudacpu/device/mbarrier.h. On the CPU device a cluster is a single
block, so addresses of .shared::cta and .shared::cluster are the same.
"""

from __future__ import annotations

import re

from .registers import Registers, Unknown
from .rules import Rules

RULES = Rules()
rule, statement = RULES.rule, RULES.statement

B = "::cudacpu::mbarrier::"
IN_SHARED = r"(?:\.(?P<space>shared)(?:::cta|::cluster)?)?"
ORDER = r"(?:\.(?:release|acquire|relaxed))?(?:\.(?:cta|cluster))?"


@rule(rf"mbarrier\.init{IN_SHARED}\.b64", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"{B}init({r.address(o[0], m['space'] or '')}, {r.read(o[1], 'u32')});"


@rule(rf"mbarrier\.inval{IN_SHARED}\.b64", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return f"{B}inval({r.address(o[0], m['space'] or '')});"


@rule(
    rf"mbarrier\.arrive(?P<drop>_drop)?(?P<part>\.noComplete|\.expect_tx)?{ORDER}{IN_SHARED}\.b64",
    -1,
)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if len(o) not in ((2, 3) if not m["part"] else (3,)):
        raise Unknown
    last = r.read(o[2], "u32") if len(o) == 3 else "1u"
    arrivals, added = (
        ("1u", f"static_cast<int>({last})") if m["part"] == ".expect_tx" else (last, "0")
    )
    dropped = arrivals if m["drop"] else "0u"
    place = r.address(o[1], m["space"] or "")
    return r.write(o[0], "b64", f"{B}arrive({place}, {arrivals}, {dropped}, {added})")


@rule(rf"mbarrier\.(?P<op>expect_tx|complete_tx){ORDER}{IN_SHARED}\.b64", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    sign = "-" if m["op"] == "complete_tx" else ""
    added = f"{sign}static_cast<int>({r.read(o[1], 'u32')})"
    return f"{B}expect_bytes({r.address(o[0], m['space'] or '')}, {added});"


@rule(rf"mbarrier\.(?P<op>test|try)_wait(?P<parity>\.parity)?{ORDER}{IN_SHARED}\.b64", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    patient = m["op"] == "try"
    if len(o) != 3 and not (patient and len(o) == 4):
        raise Unknown
    token = r.read(o[2], "u32" if m["parity"] else "b64")
    hint = f"static_cast<void>({r.read(o[3], 'u32')}); " if len(o) == 4 else ""
    place = r.address(o[1], m["space"] or "")
    return hint + r.write(
        o[0],
        "pred",
        f"{B}has_ended({place}, static_cast<unsigned>({token}), {'true' if patient else 'false'})",
    )


@rule(r"mbarrier\.pending_count\.b64", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return r.write(o[0], "u32", f"{B}missing_arrivals({r.read(o[1], 'b64')})")


@rule(rf"cp\.async\.mbarrier\.arrive(?P<counted>\.noinc)?{IN_SHARED}\.b64", 1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    counted = "true" if m["counted"] else "false"
    return f"{B}arrive_after_copies({r.address(o[0], m['space'] or '')}, {counted});"


# On the CPU device bulk copies see the values of earlier ordinary stores.
statement(
    r"fence\.proxy\.async(?:\.global|\.shared::(?:cta|cluster))?|fence\.mbarrier_init\.release\.cluster",
    (),
    "__threadfence_block();",
)
