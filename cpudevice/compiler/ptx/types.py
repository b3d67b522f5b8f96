"""The types of PTX, and the C++ types for their values."""

from __future__ import annotations

import re

# The namespace of the C++ functions for instructions.
P = "::cudacpu::ptx::"
# Types of PTX: the C++ type of the same width. Numbers of 16 bits are kept as bits.
TYPES = {
    "pred": "bool", "u8": "unsigned char", "b8": "unsigned char", "s8": "signed char",
    "u16": "unsigned short", "b16": "unsigned short", "s16": "short", "f16": "unsigned short",
    "bf16": "unsigned short", "u32": "unsigned", "b32": "unsigned", "s32": "int", "f32": "float",
    "f16x2": "unsigned", "bf16x2": "unsigned", "u64": "unsigned long long",
    "b64": "unsigned long long", "s64": "long long", "f64": "double", "tf32": "unsigned",
    "b128": "unsigned __int128", "e4m3x2": "unsigned short", "e5m2x2": "unsigned short",
}  # fmt: skip
BITS = {
    name: 1 if name == "pred" else 32 if "16x2" in name else int(re.sub(r"\D", "", name))
    for name in TYPES
    if name != "tf32" and "m" not in name
} | {"tf32": 32, "e4m3x2": 16, "e5m2x2": 16}
UNSIGNED = {8: "u8", 16: "u16", 32: "u32", 64: "u64", 128: "b128"}
ANY = "|".join(sorted(TYPES, key=len, reverse=True))
# The formats of 16 bits, in device/ptx/short_floats.h, of numbers and of pairs.
SHORT_FORMATS = {"f16": "Half", "f16x2": "Half", "bf16": "Bfloat16", "bf16x2": "Bfloat16"}
INTEGER = "[us](?:16|32|64)"
ROUNDINGS = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru"}
