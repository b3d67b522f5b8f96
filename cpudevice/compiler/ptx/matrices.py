"""PTX for matrices: loads, stores and products."""

from __future__ import annotations

import re

from .registers import Registers, Unknown, vector
from .rules import Rules
from .types import BITS, TYPES

RULES = Rules()
rule = RULES.rule


# ptxas takes shape, number and .trans in any order: CUTLASS and its readers begin with the number.
ROWS = (
    r"\.sync\.aligned(?P<how>(?:\.(?:m8n8|x[124]|trans)){2,3})(?P<space>\.shared(?:::cta)?)?\.b16"
)


def place_of_rows(r: Registers, m: re.Match[str], place: str, registers: int) -> str:
    """The address of a lane's row, and whether the matrices, each a register, are transposed."""
    how = m["how"].split(".")[1:]
    numbers = [int(one[1:]) for one in how if one.startswith("x")]
    if len(set(how)) < len(how) or "m8n8" not in how or numbers != [registers]:
        raise Unknown
    address = r.address(place, "shared" if m["space"] else "generic")
    return f"{address}, {'true' if 'trans' in how else 'false'}"


@rule(rf"ldmatrix{ROWS}", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    to = vector(o[0])
    place = place_of_rows(r, m, o[1], len(to))
    text = f"::cudacpu::Registers<unsigned, {len(to)}> __cudacpu_rows; "
    text += f'::cudacpu::load_rows<{len(to)}>(__cudacpu_rows.r, {place}, "ldmatrix"); '
    return text + " ".join(
        r.write(one, "b32", f"__cudacpu_rows.r[{i}]") for i, one in enumerate(to)
    )


# Each lane holds a register of each matrix; some lanes name the row to store to.
@rule(rf"stmatrix{ROWS}", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    values = vector(o[1])
    place = place_of_rows(r, m, o[0], len(values))
    inside = ", ".join(r.read(one, "b32") for one in values)
    text = f"::cudacpu::Registers<unsigned, {len(values)}> __cudacpu_rows{{{{{inside}}}}}; "
    return f'{text}::cudacpu::store_rows<{len(values)}>(__cudacpu_rows.r, {place}, "stmatrix");'


@rule(r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16", 2)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    return r.write(o[0], "b32", f'::cudacpu::transpose_rows({r.read(o[1], "b32")}, "movmatrix")')


# m, n and k by the types of the factors.
SHAPES = {
    "f16": ((16, 8, 8), (16, 8, 16)), "bf16": ((16, 8, 8), (16, 8, 16)),
    "tf32": ((16, 8, 4), (16, 8, 8)), "s8": ((8, 8, 16), (16, 8, 16), (16, 8, 32)),
    "f64": ((8, 8, 4),),
}  # fmt: skip
ELEMENTS = {
    "f16": "kHalf", "bf16": "kBfloat16", "tf32": "kTf32", "s8": "kInt8", "u8": "kUint8",
    "f64": "kDouble", "f32": "kFloat", "s32": "kInt32",
}  # fmt: skip


# ptxas takes .satfinite at any of three places.
SATFINITE = r"(?:\.satfinite)?"


@rule(
    rf"mma\.sync\.aligned{SATFINITE}\.m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+){SATFINITE}\.row\.col{SATFINITE}"
    r"\.(?P<d>f16|f32|f64|s32)\.(?P<a>f16|bf16|tf32|[us]8|f64)\.(?P<b>f16|bf16|tf32|[us]8|f64)"
    rf"\.(?P<c>f16|f32|f64|s32){SATFINITE}",
    4,
)
def _(r: Registers, m: re.Match[str], o: list[str]) -> str:
    sums = {"f16": ("f16", "f32"), "f64": ("f64",), "s8": ("s32",), "u8": ("s32",)}.get(
        m["a"], ("f32",)
    )
    saturates = m.string.count(".satfinite")
    integers = m["a"] in ("s8", "u8") and m["b"] in ("s8", "u8")
    shape = (int(m["m"]), int(m["n"]), int(m["k"]))
    if (
        (m["a"] != m["b"] and not integers)
        or shape not in SHAPES["s8" if integers else m["a"]]
        or m["c"] not in sums
        or m["d"] not in sums
        or saturates > integers
    ):
        raise Unknown
    rows, columns, depth = shape
    sizes = {"d": rows * columns, "a": rows * depth, "b": depth * columns, "c": rows * columns}
    packed = {}  # the type of a register of each operand
    for operand, (name, size) in zip(o, sizes.items(), strict=True):
        bits = BITS[m[name]]
        packed[name] = m[name] if bits >= 32 and m[name] != "tf32" else "b32"
        if len(vector(operand)) != size * bits // 32 // BITS[packed[name]]:
            raise Unknown
    text = ""
    for operand, name in zip(o[1:], "abc", strict=True):
        values = [r.read(one, packed[name]) for one in vector(operand)]
        inside = ", ".join(values)
        text += f"const {array(packed[name], len(values))} __cudacpu_{name}{{{{{inside}}}}}; "
    text += f"{array(packed['d'], len(vector(o[0])))} __cudacpu_d; "
    kinds = ", ".join(f"::cudacpu::Element::{ELEMENTS[m[name]]}" for name in "abcd")
    text += (
        f"static constexpr ::cudacpu::MatrixProduct __cudacpu_product{{{rows}, {columns}, {depth}, "
        f"{kinds}, {'true' if saturates else 'false'}}}; ::cudacpu::multiply(__cudacpu_product, "
        '__cudacpu_a.r, __cudacpu_b.r, __cudacpu_c.r, __cudacpu_d.r, "mma.sync"); '
    )
    return text + " ".join(
        r.write(one, packed["d"], f"__cudacpu_d.r[{i}]") for i, one in enumerate(vector(o[0]))
    )


def array(kind: str, n: int) -> str:
    return f"::cudacpu::Registers<{TYPES[kind]}, {n}>"
