"""PTX for comparisons, and for the choice between two values."""

from __future__ import annotations

import re

from .registers import Registers, Unknown
from .rules import Rules
from .types import ANY, P

RULES = Rules()
rule, simple = RULES.rule, RULES.simple

COMPARED = {f"{sign}{bits}" for sign in "bus" for bits in (16, 32, 64)} | {"f32", "f64"}
COMPARISONS = {
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "lo": "<", "ls": "<=", "hi": ">", "hs": ">=",
}  # fmt: skip


@rule(rf"setp\.(?P<op>\w+?)(?:\.(?P<join>and|or|xor))?(?:\.ftz)?\.(?P<t>{ANY})", -1)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    if len(o) != (4 if m["join"] else 3):
        raise Unknown
    value = compared(r, m["op"], m["t"], o[1], o[2])
    targets = o[0].split("|")
    sign = {"and": "&", "or": "|", "xor": "^"}.get(m["join"] or "", "")
    third = r.read(o[3], "pred") if m["join"] else ""
    join = (lambda one: f"bool({one} {sign} {third})") if sign else (lambda one: one)
    text = r.write(targets[0].strip(), "pred", join(value))
    if len(targets) == 2:
        text = f"const bool __cudacpu_not = {join(f'!{value}')}; {text} "
        text += r.write(targets[1].strip(), "pred", "__cudacpu_not")
    return text


def compared(r: Registers, op: str, kind: str, a: str, b: str) -> str:
    """A comparison of real numbers is true for NaN only if its name ends in u."""
    real = kind in ("f32", "f64")
    unordered = real and op.endswith("u") and op[:-1] in COMPARISONS
    sign = COMPARISONS.get(op[:-1] if unordered else op)
    if kind not in COMPARED or not sign:
        raise Unknown
    x, y = r.read(a, kind), r.read(b, kind)
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}.get(sign)
    if unordered and opposite:
        return f"!({x} {opposite} {y})"
    if real and sign in ("==", "!=") and unordered == (sign == "=="):
        return f"{'!' if unordered else ''}({x} < {y} || {x} > {y})"
    return f"({x} {sign} {y})"


@rule(rf"set\.(?P<op>\w+?)(?:\.ftz)?\.(?P<d>[us]32|f32)\.(?P<t>{ANY})", 3)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    yes = "1.0f" if m["d"] == "f32" else "~0u"
    no = "0.0f" if m["d"] == "f32" else "0u"
    return r.write(o[0], m["d"], f"{compared(r, m['op'], m['t'], o[1], o[2])} ? {yes} : {no}")


@rule(rf"selp\.(?P<t>{ANY})", 4)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    a, b = r.read(o[1], m["t"]), r.read(o[2], m["t"])
    return r.write(o[0], m["t"], f"{r.read(o[3], 'pred')} ? {a} : {b}")


# The first of two values if the third one is at least 0, which NaN is not.
simple(rf"slct\.(?P<t>{ANY})\.s32", "{t}", ("{t}", "{t}", "s32"), "{c} >= 0 ? {a} : {b}")
simple(rf"slct(?:\.ftz)?\.(?P<t>{ANY})\.f32", "{t}", ("{t}", "{t}", "f32"), "{c} >= 0 ? {a} : {b}")
for _name in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
    simple(rf"testp\.{_name}\.(?P<t>f32|f64)", "pred", ("{t}",), f"{P}is_{_name}({{a}})")
