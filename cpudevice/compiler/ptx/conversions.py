"""PTX for moves and conversions: between registers, parts of registers, and types."""

from __future__ import annotations

import re

from .registers import Registers, Unknown, vector
from .rules import Rules
from .types import ANY, BITS, ROUNDINGS, TYPES, UNSIGNED, P

RULES = Rules()
rule, simple = RULES.rule, RULES.simple
# The types of 16 bits: the names in C++, and the functions that convert to float.
SHORTS = {
    "f16": ("half", "::cudacpu::float_from"),
    "bf16": ("bfloat16", "::cudacpu::float_from_bfloat16"),
}


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


@rule(r"cvt(?P<sat>\.sat)?\.(?P<d>[us](?:8|16|32|64))\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    convert = f"{P}saturated" if m["sat"] else "static_cast"
    value = f"{convert}<{TYPES[m['d']]}>({r.read(o[1], m['s'], loose=True)})"
    return r.write(o[0], m["d"], value, loose=True)


# Two packed numbers, each saturated to the nearest number of the type: bytes are shifted in below
# the third operand.
simple(
    r"cvt\.pack\.sat\.(?P<t>[us]16)\.s32", "u32", ("s32", "s32"),
    f"{P}pair({P}saturated<{{T}}>({{b}}), {P}saturated<{{T}}>({{a}}))",
)  # fmt: skip
simple(
    r"cvt\.pack\.sat\.(?P<t>[us]8)\.s32\.b32", "u32", ("s32", "s32", "u32"),
    f"{P}pack_bytes({P}saturated<{{T}}>({{a}}), {P}saturated<{{T}}>({{b}}), {{c}})",
)  # fmt: skip


@rule(r"cvt\.(?P<how>r[nzmp])(?:\.ftz)?\.(?P<d>f32|f64)\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    wide = m["s"][0] + ("64" if BITS[m["s"]] == 64 else "32")
    name = {"s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}[wide]
    source, kind = r.read(o[1], m["s"], loose=True), "float" if m["d"] == "f32" else "double"
    if kind == "double" and BITS[wide] == 32:
        return r.write(o[0], m["d"], f"static_cast<double>({source})")
    return r.write(o[0], m["d"], f"__{name}2{kind}_{ROUNDINGS[m['how']]}({source})")


@rule(
    r"cvt\.(?P<how>r[nzmp])i(?:\.ftz)?(?:\.sat)?\.(?P<d>[us](?:8|16|32|64))"
    rf"\.(?P<s>f32|f64|{'|'.join(SHORTS)})",
    2,
)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    wide = m["d"][0] + str(max(BITS[m["d"]], 32))
    name = {"s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}[wide]
    source, number = "double" if m["s"] == "f64" else "float", r.read(o[1], m["s"])
    if m["s"] in SHORTS:
        number = f"{SHORTS[m['s']][1]}({number})"
    value = f"__{source}2{name}_{ROUNDINGS[m['how']]}({number})"
    if wide != m["d"]:
        value = f"{P}saturated<{TYPES[m['d']]}>({value})"
    return r.write(o[0], m["d"], value, loose=True)


@rule(r"cvt\.(?P<how>r[nzmp])i(?:\.ftz)?\.(?P<t>f32|f64)\.(?P=t)", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    function = {"rn": "nearbyint", "rz": "trunc", "rm": "floor", "rp": "ceil"}[m["how"]]
    return r.write(
        o[0], m["t"], f"static_cast<{TYPES[m['t']]}>(::{function}({r.read(o[1], m['t'])}))"
    )


@rule(r"cvt\.rn\.(?P<d>f16|bf16)\.(?P<s>[us](?:8|16|32|64))", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    number = f"::cudacpu::float_to_round({r.read(o[1], m['s'], loose=True)})"
    return r.write(o[0], m["d"], f"::cudacpu::{SHORTS[m['d']][0]}_from({number})")


simple(r"cvt\.f64\.f32", "f64", ("f32",), "static_cast<double>({a})")
for _ptx, _cuda in ROUNDINGS.items():
    simple(rf"cvt\.{_ptx}(?:\.ftz)?\.f32\.f64", "f32", ("f64",), f"__double2float_{_cuda}({{a}})")
simple(r"cvt(?:\.ftz)?\.sat\.f32\.f32", "f32", ("f32",), "__saturatef({a})")
simple(r"cvt\.rna(?:\.satfinite)?\.tf32\.f32", "tf32", ("f32",), f"{P}to_tf32({{a}})")

# ---- numbers of 16 bits
for _type, (_name, _widen) in SHORTS.items():
    _narrow, _cut = f"::cudacpu::{_name}_from", f"::cudacpu::{_name}_toward_zero"
    simple(rf"cvt(?:\.rn)?(?:\.ftz)?\.f32\.{_type}", "f32", (_type,), f"{_widen}({{a}})")
    simple(rf"cvt\.f64\.{_type}", "f64", (_type,), f"static_cast<double>({_widen}({{a}}))")
    simple(rf"cvt\.rn\.{_type}\.f64", _type, ("f64",), f"{_narrow}_double({{a}})")
    for _how, _function in (("rn", _narrow), ("rz", _cut)):
        simple(rf"cvt\.{_how}(?:\.ftz)?\.{_type}\.f32", _type, ("f32",), f"{_function}({{a}})")
        # The first of two numbers goes to the upper half.
        for _relu, _first in (("", ""), (r"\.relu", f"{P}rectified")):
            simple(rf"cvt\.{_how}{_relu}\.{_type}x2\.f32", f"{_type}x2", ("f32", "f32"),
                   f"{P}pair({_function}({_first}({{b}})), {_function}({_first}({{a}})))"
                   )  # fmt: skip

# ---- numbers of 8 bits, in pairs: the first of two goes to the upper byte
for _type, _kind in (("e4m3x2", "kE4m3"), ("e5m2x2", "kE5m2")):
    _kind = f"::cudacpu::Fp8Kind::{_kind}"
    for _relu, _flag in (("", "false"), (r"\.relu", "true")):
        simple(rf"cvt\.rn\.satfinite{_relu}\.{_type}\.f32", _type, ("f32", "f32"),
               f"{P}to_fp8_pair({{b}}, {{a}}, {_kind}, {_flag})")  # fmt: skip
        simple(rf"cvt\.rn\.satfinite{_relu}\.{_type}\.f16x2", _type, ("f16x2",),
               f"{P}to_fp8_pair({{a}}, {_kind}, {_flag})")  # fmt: skip
        simple(rf"cvt\.rn{_relu}\.f16x2\.{_type}", "f16x2", (_type,),
               f"{P}from_fp8_pair({{a}}, {_kind}, {_flag})")  # fmt: skip
