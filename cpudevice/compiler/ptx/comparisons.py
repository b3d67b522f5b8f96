"""PTX for comparisons, and for the choice between two values."""

from __future__ import annotations

import re

from .registers import Registers, Unknown
from .rules import Rules
from .types import ANY, SHORT_FORMATS, P

RULES = Rules()
rule, simple = RULES.rule, RULES.simple

SHORT = {"f16", "bf16"}
REAL = SHORT | {"f32", "f64"}
COMPARED = {f"{sign}{bits}" for sign in "bus" for bits in (16, 32, 64)} | REAL
COMPARISONS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip


@rule(rf"setp\.(?P<op>\w+?)(?:\.(?P<join>and|or|xor))?(?:\.ftz)?\.(?P<t>{ANY})", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if len(o) != (4 if m["join"] else 3):
        raise Unknown
    targets = o[0].split("|")
    sign = {"and": "&", "or": "|", "xor": "^"}.get(m["join"] or "", "")
    third = r.read(o[3], "pred") if m["join"] else ""
    join = (lambda one: f"bool({one} {sign} {third})") if sign else (lambda one: one)
    # A pair has a target for each number; otherwise the second target is the opposite.
    values = compared_pair(r, m["op"], m["t"], o[1], o[2])
    if not values:
        if len(targets) == 2 and m["t"] in SHORT:
            raise Unknown
        value = compared(r, m["op"], m["t"], o[1], o[2])
        values = [value, f"!{value}"]
    text = r.write(targets[0].strip(), "pred", join(values[0]))
    if len(targets) == 2:
        text = f"const bool __cudacpu_second = {join(values[1])}; {text} "
        text += r.write(targets[1].strip(), "pred", "__cudacpu_second")
    return text


def compared_pair(r: Registers, op: str, kind: str, a: str, b: str) -> list[str]:
    """The comparisons of the lower and of the upper numbers; none if the type is not a pair."""
    if not kind.endswith("x2") or kind not in SHORT_FORMATS:
        return []
    x, y = r.read(a, kind), r.read(b, kind)
    single = kind.removesuffix("x2")
    return [
        compared_values(op, single, f"({x} >> {shift} & 0xffff)", f"({y} >> {shift} & 0xffff)")
        for shift in (0, 16)
    ]


def compared(r: Registers, op: str, kind: str, a: str, b: str) -> str:
    if kind not in COMPARED:
        raise Unknown
    return compared_values(op, kind, r.read(a, kind), r.read(b, kind))


def compared_values(op: str, kind: str, x: str, y: str) -> str:
    """A comparison of real numbers is true for NaN only if its name ends in u."""
    real = kind in REAL
    if kind in SHORT:
        x, y = (f"{P}to_compare<{P}{SHORT_FORMATS[kind]}>({value})" for value in (x, y))
    if real and op in ("num", "nan"):
        return f"{'!' if op == 'num' else ''}(__builtin_isnan({x}) || __builtin_isnan({y}))"
    unordered = real and op.endswith("u") and op[:-1] in COMPARISONS
    sign = COMPARISONS.get(op[:-1] if unordered else op)
    if not sign:
        raise Unknown
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}.get(sign)
    if unordered and opposite:
        return f"!({x} {opposite} {y})"
    if real and sign in ("==", "!=") and unordered == (sign == "=="):
        return f"{'!' if unordered else ''}({x} < {y} || {x} > {y})"
    return f"({x} {sign} {y})"


SET = {"f32": "1.0f", "f16": "0x3c00u", "bf16": "0x3f80u", "u16": "0xffffu", "s16": "0xffffu"}


@rule(rf"set\.(?P<op>\w+?)(?:\.ftz)?\.(?P<d>[us]32|f32|[us]16|b?f16(?:x2)?)\.(?P<t>{ANY})", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    op, to, kind = m["op"], m["d"], m["t"]
    # Numbers of 16 bits only result from numbers of 16 bits, and pairs of results from pairs.
    single = kind.removesuffix("x2")
    if to != kind if to.endswith("x2") else "16" in to and single not in SHORT:
        raise Unknown
    if pair := compared_pair(r, op, kind, o[1], o[2]):
        if to not in ("u32", "s32", kind):
            raise Unknown
        yes = SET.get(to.removesuffix("x2"), "0xffffu")
        return r.write(o[0], to, f"({pair[0]} ? {yes} : 0u) | ({pair[1]} ? {yes} << 16 : 0u)")
    yes, no = SET.get(to, "~0u"), "0.0f" if to == "f32" else "0u"
    return r.write(o[0], to, f"{compared(r, op, kind, o[1], o[2])} ? {yes} : {no}")


@rule(rf"selp\.(?P<t>{ANY})", 4)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    a, b = r.read(o[1], m["t"]), r.read(o[2], m["t"])
    return r.write(o[0], m["t"], f"{r.read(o[3], 'pred')} ? {a} : {b}")


# The first of two values if the third one is at least 0, which NaN is not.
simple(rf"slct\.(?P<t>{ANY})\.s32", "{t}", ("{t}", "{t}", "s32"), "{c} >= 0 ? {a} : {b}")
simple(rf"slct(?:\.ftz)?\.(?P<t>{ANY})\.f32", "{t}", ("{t}", "{t}", "f32"), "{c} >= 0 ? {a} : {b}")
for _name in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
    simple(rf"testp\.{_name}\.(?P<t>f32|f64)", "pred", ("{t}",), f"{P}is_{_name}({{a}})")
