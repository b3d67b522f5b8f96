"""PTX for real numbers: arithmetic with the four roundings, and functions."""

from __future__ import annotations

from .rules import Rules
from .types import ROUNDINGS, SHORT_FORMATS, P

RULES = Rules()
simple = RULES.simple

for _name, _function in (("add", "add"), ("sub", "sub"), ("mul", "mul")):
    for _ptx, _cuda in ROUNDINGS.items():
        _middle = r"(?:\.rn)?" if _ptx == "rn" else rf"\.{_ptx}"
        simple(
            rf"{_name}{_middle}(?:\.ftz)?\.f32",
            "f32",
            ("f32", "f32"),
            f"__f{_function}_{_cuda}({{a}}, {{b}})",
        )
        simple(
            rf"{_name}{_middle}\.f64",
            "f64",
            ("f64", "f64"),
            f"__d{_function}_{_cuda}({{a}}, {{b}})",
        )
for _ptx, _cuda in ROUNDINGS.items():
    simple(
        rf"(?:fma|mad)\.{_ptx}(?:\.ftz)?\.f32",
        "f32",
        ("f32",) * 3,
        f"__fmaf_{_cuda}({{a}}, {{b}}, {{c}})",
    )
    simple(rf"(?:fma|mad)\.{_ptx}\.f64", "f64", ("f64",) * 3, f"__fma_{_cuda}({{a}}, {{b}}, {{c}})")
    simple(rf"div\.{_ptx}(?:\.ftz)?\.f32", "f32", ("f32", "f32"), f"__fdiv_{_cuda}({{a}}, {{b}})")
    simple(rf"div\.{_ptx}\.f64", "f64", ("f64", "f64"), f"__ddiv_{_cuda}({{a}}, {{b}})")
    simple(rf"rcp\.{_ptx}(?:\.ftz)?\.f32", "f32", ("f32",), f"__frcp_{_cuda}({{a}})")
    simple(rf"rcp\.{_ptx}\.f64", "f64", ("f64",), f"__drcp_{_cuda}({{a}})")
    simple(rf"sqrt\.{_ptx}(?:\.ftz)?\.f32", "f32", ("f32",), f"__fsqrt_{_cuda}({{a}})")
    simple(rf"sqrt\.{_ptx}\.f64", "f64", ("f64",), f"__dsqrt_{_cuda}({{a}})")
simple(r"div\.(?:approx|full)(?:\.ftz)?\.f32", "f32", ("f32", "f32"), "__fdividef({a}, {b})")
for _name, _value in (
    ("rcp", "__frcp_rn({a})"), ("sqrt", "__fsqrt_rn({a})"), ("rsqrt", "__frsqrt_rn({a})"),
    ("sin", "__sinf({a})"), ("cos", "__cosf({a})"), ("lg2", "__log2f({a})"),
    ("ex2", f"{P}power_of_2({{a}})"), ("tanh", "__tanhf({a})"),
):  # fmt: skip
    simple(rf"{_name}\.approx(?:\.ftz)?\.f32", "f32", ("f32",), _value)
for _type, _cpp in (("f32", "float"), ("f64", "double")):
    simple(rf"neg(?:\.ftz)?\.{_type}", _type, (_type,), "-{a}")
    simple(rf"abs(?:\.ftz)?\.{_type}", _type, (_type,), f"{P}absolute({{a}})")
    for _name in ("min", "max"):
        simple(rf"{_name}(?:\.ftz)?\.{_type}", _type, (_type, _type), f"::f{_name}({{a}}, {{b}})")
for _name in ("min", "max"):
    simple(
        rf"{_name}(?:\.ftz)?\.NaN\.f32",
        "f32",
        ("f32", "f32"),
        f"{P}{_name}imum_or_nan({{a}}, {{b}})",
    )
simple(r"copysign\.f32", "f32", ("f32", "f32"), "::copysignf({b}, {a})")

# Arithmetic of 16 bits and of pairs, which is rounded to the nearest.
for _type, _format in SHORT_FORMATS.items():
    for _names, _operation, _count in (
        (r"add(?:\.rn)?", "Sum", 2), (r"sub(?:\.rn)?", "Difference", 2),
        (r"mul(?:\.rn)?", "Product", 2), (r"fma\.rn", "Fused", 3), ("neg", "Negated", 1),
        ("min", "Minimum", 2), ("max", "Maximum", 2), ("abs", "Absolute", 1),
    ):  # fmt: skip
        _ends = {"": ("", "Plain")}
        if "rn" in _names:
            _ends[r"\.sat"] = ("", "Saturated")
        if _operation == "Fused":
            _ends[r"\.relu"] = ("", "Rectified")
        if _names in ("min", "max"):
            _ends[r"\.NaN"] = ("Nan", "Plain")
        for _end, (_kind, _last) in _ends.items():
            _values = ", ".join(f"{{{_letter}}}" for _letter in "abc"[:_count])
            simple(
                rf"{_names}(?:\.ftz)?{_end}\.{_type}",
                _type,
                (_type,) * _count,
                f"{P}short_floats<{P}{_format}, {P}{_operation}{_kind}, {P}{_last}>({_values})",
            )

# Functions of 16 bits, and of pairs of 16 bits: computed in float, and rounded.
for _name, _function in (("ex2", f"{P}power_of_2"), ("tanh", "__tanhf")):
    for _type, _from, _to in (
        ("f16", "::cudacpu::float_from", "::cudacpu::half_from"),
        ("bf16", "::cudacpu::float_from_bfloat16", "::cudacpu::bfloat16_from"),
    ):
        _pattern = rf"{_name}\.approx(?:\.ftz)?\.{_type}"
        simple(_pattern, _type, (_type,), f"{_to}({_function}({_from}({{a}})))")
        simple(
            rf"{_pattern}x2",
            f"{_type}x2",
            (f"{_type}x2",),
            f"{P}pair({_to}({_function}({_from}(static_cast<unsigned short>({{a}})))), "
            f"{_to}({_function}({_from}(static_cast<unsigned short>({{a}} >> 16)))))",
        )
