"""What a GPU needs for an operation or a call: instructions by the unit that executes them.

About what nvcc makes for sm_80 without -use_fast_math.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Instructions of (fp32, fp64, special function unit, integer). The special function unit has a
# quarter of the rate.
Price = tuple[int, int, int, int]
NOTHING = (0, 0, 0, 0)
FP32 = (1, 0, 0, 0)
FP64 = (0, 1, 0, 0)
CONVERSION = (0, 0, 1, 0)  # F2F, I2F and F2I run on the special function unit, at its rate
INTEGER = (0, 0, 0, 1)
# For sm_90, nvcc 13 makes I2FP of an integer of up to 32 bits, which runs on another unit.
CONVERSION_TO_FLOAT = INTEGER
FLOAT_DIVISION = (8, 0, 1, 1)
DOUBLE_DIVISION = (0, 12, 1, 2)
INTEGER_DIVISION = (2, 0, 1, 14)
INTEGER_DIVISION_BY_CONSTANT = (0, 0, 0, 3)
# 64 bits: fitted to an H200 that took 3910 us for 64 divisions in each of 2^24 threads, and 1135 us
# if both operands fitted into 32 bits, as widened operands do: the GPU tests the operands first.
LONG_DIVISION = (0, 0, 3, 120)
LONG_DIVISION_OF_SHORT = (0, 0, 3, 30)
LONG_DIVISION_BY_CONSTANT = (0, 0, 0, 9)
# Integers of 128 bits are four registers. A division is fitted to a kernel of 2^24 threads with one
# each, which took 1.1 ms on an NVIDIA H200.
WIDE = {"+": 4, "-": 4, "&": 4, "|": 4, "^": 4, "*": 20, "/": 2000, "%": 2000, "<<": 10, ">>": 10}
WIDE_COMPARISON = 4
WIDE_TYPES = {"__int128", "__int128 unsigned", "uint128_t", "int128_t"}
CALLS = {
    "sqrt": (6, 0, 1, 1), "rsqrt": (3, 0, 1, 1), "cbrt": (16, 0, 2, 4), "exp": (5, 0, 1, 1),
    "exp2": (2, 0, 1, 1), "exp10": (6, 0, 1, 1), "expm1": (14, 0, 1, 2), "log": (12, 0, 1, 4),
    "log2": (12, 0, 1, 4), "log10": (13, 0, 1, 4), "log1p": (14, 0, 1, 4), "pow": (30, 0, 2, 10),
    "sin": (14, 0, 0, 8), "cos": (14, 0, 0, 8), "tan": (20, 0, 1, 8), "sincos": (20, 0, 0, 10),
    "asin": (14, 0, 1, 3), "acos": (14, 0, 1, 3), "atan": (12, 0, 1, 3), "atan2": (22, 0, 1, 6),
    "sinh": (14, 0, 2, 2), "cosh": (10, 0, 2, 2), "tanh": (10, 0, 2, 2), "fmod": (10, 0, 1, 12),
    "hypot": (8, 0, 1, 4), "erf": (18, 0, 1, 2), "erfc": (20, 0, 2, 2), "lgamma": (60, 0, 2, 10),
    "tgamma": (40, 0, 2, 10), "fma": (1, 0, 0, 0), "floor": (1, 0, 0, 0), "ceil": (1, 0, 0, 0),
    "trunc": (1, 0, 0, 0), "rint": (1, 0, 0, 0), "nearbyint": (1, 0, 0, 0), "round": (4, 0, 0, 0),
    # As many as in nvcc 13's PTX; of a function with two paths, half of the instructions of both.
    "asinh": (26, 0, 3, 11), "acosh": (28, 0, 2, 11), "atanh": (23, 0, 2, 10),
    "ldexp": (3, 0, 1, 12), "scalbn": (3, 0, 1, 12), "scalbln": (3, 0, 1, 12),
    "frexp": (3, 0, 0, 12), "modf": (2, 0, 1, 2), "logb": (3, 0, 2, 9), "ilogb": (0, 0, 1, 13),
    "remainder": (14, 0, 3, 22), "remquo": (15, 0, 3, 26), "fdim": (1, 0, 0, 1),
    "nextafter": (3, 0, 0, 23), "lrint": (0, 0, 2, 0), "llrint": (0, 0, 2, 0),
    "lround": (0, 0, 1, 24), "llround": (0, 0, 1, 24), "j0": (29, 0, 4, 31), "j1": (29, 0, 4, 32),
    "y0": (80, 0, 9, 67), "y1": (80, 0, 9, 67), "jn": (228, 0, 30, 138), "yn": (228, 0, 30, 138),
    "fabs": (0, 0, 0, 0), "fmin": (1, 0, 0, 0), "fmax": (1, 0, 0, 0), "copysign": (0, 0, 0, 1),
}  # fmt: skip
# cudacpu's own functions behind CUDA's (sinpi, erfinv …): the price in nvcc for a float. The call
# converts the float to double and back: these two conversions are counted already.
OWN_CALLS = {
    "sine_of_pi_times": (17, 0, 1, 5), "cosine_of_pi_times": (18, 0, 0, 6),
    "inverse_erf": (21, 0, 0, 2), "inverse_erfc": (28, 0, 1, 5), "scaled_erfc": (46, 0, 3, 4),
    "bessel_i0": (44, 0, 2, 8), "bessel_i1": (44, 0, 2, 8),
}  # fmt: skip
# Arithmetic and conversions with a rounding mode, which are functions of cudacpu.
DIRECTED = re.compile(r"__(f|d)?(add|sub|mul|fma|fmaf|div|rcp|sqrt|\w+2float|\w+2double)_r[zud]")
# Other names of functions above, in the C library.
SAME = {
    "drem": "remainder", "significand": "frexp", "scalb": "ldexp", "gamma": "lgamma",
    "roundeven": "rint", "nexttoward": "nextafter",
}  # fmt: skip
# GCC calls these functions for complex numbers on the host: divisions, and products that are NaN.
COMPLEX_CALLS = {
    "__mulsc3": (6, 0, 0, 8), "__muldc3": (0, 6, 0, 8),
    "__divsc3": (0, 14, 2, 8), "__divdc3": (0, 14, 2, 8),
}  # fmt: skip
# Arithmetic that reports an overflow, as in __builtin_add_overflow.
OVERFLOW = {".ADD_OVERFLOW": (0, 0, 0, 2), ".SUB_OVERFLOW": (0, 0, 0, 2)}
OVERFLOW[".MUL_OVERFLOW"] = (0, 0, 0, 3)
# CUDA's fast intrinsics: __ before the name and, for a float, f after the name.
FAST_CALLS = {
    "sin": (1, 0, 1, 0), "cos": (1, 0, 1, 0), "tan": (2, 0, 3, 0), "sincos": (2, 0, 2, 0),
    "exp": (1, 0, 1, 0), "exp10": (1, 0, 1, 0), "log": (1, 0, 1, 0), "log2": (0, 0, 1, 0),
    "log10": (1, 0, 1, 0), "pow": (2, 0, 2, 0), "fdivide": (1, 0, 1, 0), "tanh": (0, 0, 1, 0),
}  # fmt: skip
# Numbers of 16 bits: functions of cudacpu/half_bits.h, which convert, and cudacpu/short_float.h. A
# pair takes a single instruction, like a single number, if the GPU has an instruction at all.
SHORT_FLOAT = re.compile(
    r"cudacpu::(?:b?float16|half|float)_(?:from|from_double|toward_zero|directed)|cudacpu::tf32_from"
    r"|__hb?(?:eq|ne|lt|le|gt|ge)u?2?(?:_mask|_bits)?|__his(?:nan|inf|nan2_bits)"
    r"|(?:__h|h)\w+_bits"
)
# cudacpu/device/ptx/instructions.h.
PTX = "cudacpu::ptx::"
CARRY = (f"{PTX}kept_carry", f"{PTX}keep_carry")  # the carry stays in its register
SHORT_FLOAT_DIVISION = (3, 0, 1, 0)
# Vector instructions of the host's processor for which C++ has no operator.
VECTOR_CALL = "__builtin_ia32_"
BIT_CALLS = ("popcount", "clz", "ctz", "ffs", "bswap", "parity", "abs")


@dataclass
class Counts:
    """The instructions of a statement or a basic block, for a thread."""

    integer: int = 0
    fp32: int = 0
    fp64: int = 0
    special: int = 0
    control: int = 0
    # Counters, addresses, comparison and branch of a loop: nvcc unrolls, so most of them vanish.
    loop: int = 0
    cached: int = 0  # L1 lines that hidden accesses look up: see hidden_memory.py

    def add(self, other: Counts) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def issued(self) -> int:
        """All but what vanishes with loops, and hidden accesses."""
        return self.integer + self.fp32 + self.fp64 + self.special + self.control

    def total(self) -> int:
        return sum(vars(self).values())

    def times(self, factor: int) -> Counts:
        return Counts(**{name: factor * value for name, value in vars(self).items()})

    def add_price(self, price: Price) -> None:
        fp32, fp64, special, integer = price
        self.fp32 += fp32
        self.fp64 += fp64
        self.special += special
        self.integer += integer

    def record(self) -> str:
        """As the numbers of a BasicBlock of src/profile/trace/basic_blocks.h."""
        values = vars(self).values()
        return ", ".join(map(str, values))


def price_of_call(name: str) -> Price:
    """The price of a call of the function `name`, as the dump writes the name."""
    if name in CARRY or name == f"{PTX}to_compare":
        return NOTHING
    if name == f"{PTX}short_floats":
        return FP32
    if name.startswith(PTX):
        return FAST_CALLS["log2"] if name == f"{PTX}power_of_2" else INTEGER
    if name in OVERFLOW:
        return OVERFLOW[name]
    if name in COMPLEX_CALLS:
        return COMPLEX_CALLS[name]
    if directed := DIRECTED.fullmatch(name):
        return price_of_directed(directed[1] or "", directed[2])
    if SHORT_FLOAT.fullmatch(name):
        return price_of_short_float(name)
    if name.startswith(VECTOR_CALL):
        return FP32
    plain = name.removeprefix("__builtin_").removeprefix("std::")
    if plain.startswith(BIT_CALLS):
        return INTEGER
    if plain.startswith("__") and (fast := plain.strip("_").removesuffix("f")) in FAST_CALLS:
        return FAST_CALLS[fast]
    if (own := name.removeprefix("cudacpu::")) in OWN_CALLS:
        return OWN_CALLS[own]
    if plain in ("fma", "fmal"):
        return FP64
    if (exact := SAME.get(plain, plain)) in CALLS:
        return of_doubles(CALLS[exact])
    base = plain[:-1] if plain.endswith(("f", "l")) else plain
    price = CALLS.get(SAME.get(base, base), NOTHING)
    return of_doubles(price) if plain.endswith("l") else price


def of_doubles(price: Price) -> Price:
    """For a function of doubles: the same kind of polynomial, about twice as long."""
    fp32, fp64, special, integer = price
    return 0, 2 * fp32 + fp64, special, integer


def price_of_directed(prefix: str, operation: str) -> Price:
    """Returns the price of a function like __fadd_rz; __fma_rz works on doubles."""
    single = prefix == "f" or operation == "fmaf"
    if operation in ("div", "rcp"):
        return FLOAT_DIVISION if single else DOUBLE_DIVISION
    if operation == "sqrt":
        return CALLS["sqrt"] if single else of_doubles(CALLS["sqrt"])
    if "2" in operation:
        return CONVERSION
    return FP32 if single else FP64


def price_of_short_float(name: str) -> Price:
    """An operation on numbers of 16 bits."""
    if name.startswith("cudacpu::"):
        return INTEGER
    if name.endswith("div_bits"):
        return SHORT_FLOAT_DIVISION
    if name.startswith("__"):
        return FP32
    whole = ("ceil", "floor", "trunc", "rint")
    return INTEGER if name.removesuffix("_bits").endswith(whole) else (1, 0, 1, 0)
