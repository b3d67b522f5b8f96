"""PTX for moves and conversions: between registers, their parts, and types."""

from __future__ import annotations

import re

from .registers import Registers, Unknown, vector
from .rules import Rules
from .types import ANY, BITS, ROUNDINGS, TYPES, UNSIGNED, P

RULES = Rules()
rule, simple = RULES.rule, RULES.simple


@rule(rf"mov\.(?P<t>{ANY})", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to, source = vector(o[0]), vector(o[1])
    if len(to) == len(source) == 1:
        return r.write(o[0], m["t"], r.read(o[1], m["t"]))
    parts = max(len(to), len(source))
    if min(len(to), len(source)) != 1 or BITS[m["t"]] % parts or m["t"][0] not in "bu":
        raise Unknown
    part = UNSIGNED.get(BITS[m["t"]] // parts)
    if not part:
        raise Unknown
    bits, whole = BITS[part], TYPES[m["t"]]
    if len(to) == 1:
        joined = " | ".join(
            f"static_cast<{whole}>({r.read(one, part)}) << {bits * i}"
            for i, one in enumerate(source)
        )
        return r.write(o[0], m["t"], f"static_cast<{whole}>({joined})")
    text = f"const {whole} __cudacpu_whole = {r.read(o[1], m['t'])}; "
    return text + " ".join(
        r.write(one, part, f"static_cast<{TYPES[part]}>(__cudacpu_whole >> {bits * i})")
        for i, one in enumerate(to)
    )


@rule(r"cvt\.(?P<d>[us](?:8|16|32|64))\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    value = f"static_cast<{TYPES[m['d']]}>({r.read(o[1], m['s'], loose=True)})"
    return r.write(o[0], m["d"], value, loose=True)


@rule(r"cvt\.(?P<how>r[nzmp])(?:\.ftz)?\.(?P<d>f32|f64)\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    wide = m["s"][0] + ("64" if BITS[m["s"]] == 64 else "32")
    name = {"s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}[wide]
    source, kind = r.read(o[1], m["s"], loose=True), "float" if m["d"] == "f32" else "double"
    if kind == "double" and BITS[wide] == 32:
        return r.write(o[0], m["d"], f"static_cast<double>({source})")
    return r.write(o[0], m["d"], f"__{name}2{kind}_{ROUNDINGS[m['how']]}({source})")


@rule(r"cvt\.(?P<how>r[nzmp])i(?:\.ftz)?(?:\.sat)?\.(?P<d>[us](?:32|64))\.(?P<s>f32|f64)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    name = {"s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}[m["d"]]
    source = "float" if m["s"] == "f32" else "double"
    value = f"__{source}2{name}_{ROUNDINGS[m['how']]}({r.read(o[1], m['s'])})"
    return r.write(o[0], m["d"], value)


@rule(r"cvt\.(?P<how>r[nzmp])i(?:\.ftz)?\.(?P<t>f32|f64)\.(?P=t)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    function = {"rn": "nearbyint", "rz": "trunc", "rm": "floor", "rp": "ceil"}[m["how"]]
    return r.write(
        o[0], m["t"], f"static_cast<{TYPES[m['t']]}>(::{function}({r.read(o[1], m['t'])}))"
    )


simple(r"cvt\.f64\.f32", "f64", ("f32",), "static_cast<double>({a})")
for _ptx, _cuda in ROUNDINGS.items():
    simple(rf"cvt\.{_ptx}(?:\.ftz)?\.f32\.f64", "f32", ("f64",), f"__double2float_{_cuda}({{a}})")
simple(r"cvt(?:\.ftz)?\.sat\.f32\.f32", "f32", ("f32",), "__saturatef({a})")
simple(r"cvt\.rna(?:\.satfinite)?\.tf32\.f32", "tf32", ("f32",), f"{P}to_tf32({{a}})")
simple(r"cvt(?:\.ftz)?\.f32\.f16", "f32", ("f16",), "::cudacpu::float_from({a})")
simple(r"cvt\.rn(?:\.ftz)?\.f16\.f32", "f16", ("f32",), "::cudacpu::half_from({a})")
simple(r"cvt\.rz(?:\.ftz)?\.f16\.f32", "f16", ("f32",), "::cudacpu::half_toward_zero({a})")
simple(r"cvt(?:\.rn)?\.f32\.bf16", "f32", ("bf16",), "::cudacpu::float_from_bfloat16({a})")
simple(r"cvt\.rn\.bf16\.f32", "bf16", ("f32",), "::cudacpu::bfloat16_from({a})")
simple(r"cvt\.rz\.bf16\.f32", "bf16", ("f32",), "::cudacpu::bfloat16_toward_zero({a})")
# The first of two numbers goes to the upper half.
simple(
    r"cvt\.rn\.f16x2\.f32",
    "f16x2",
    ("f32", "f32"),
    f"{P}pair(::cudacpu::half_from({{b}}), ::cudacpu::half_from({{a}}))",
)
simple(
    r"cvt\.rn\.bf16x2\.f32",
    "bf16x2",
    ("f32", "f32"),
    f"{P}pair(::cudacpu::bfloat16_from({{b}}), ::cudacpu::bfloat16_from({{a}}))",
)
