"""The types of PTX, and the C++ types that hold their values."""

from __future__ import annotations

import re

# Where the C++ functions are that the instructions call.
P = "::cudacpu::ptx::"
# Types of PTX: the C++ type of that width. Numbers of 16 bits are kept as bits.
TYPES = {
    "pred": "bool", "u8": "unsigned char", "b8": "unsigned char", "s8": "signed char",
    "u16": "unsigned short", "b16": "unsigned short", "s16": "short", "f16": "unsigned short",
    "bf16": "unsigned short", "u32": "unsigned", "b32": "unsigned", "s32": "int", "f32": "float",
    "f16x2": "unsigned", "bf16x2": "unsigned", "u64": "unsigned long long",
    "b64": "unsigned long long", "s64": "long long", "f64": "double", "tf32": "unsigned",
}  # fmt: skip
BITS = {
    name: 1 if name == "pred" else 32 if "x2" in name else int(re.sub(r"\D", "", name))
    for name in TYPES
    if name != "tf32"
} | {"tf32": 32}
UNSIGNED = {8: "u8", 16: "u16", 32: "u32", 64: "u64"}
ANY = "|".join(sorted(TYPES, key=len, reverse=True))
INTEGER = "[us](?:16|32|64)"
ROUNDINGS = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru"}
