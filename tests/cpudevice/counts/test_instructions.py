"""How many instructions a GPU has for a loop, for an address, and for a product with a sum."""

from __future__ import annotations

import pytest
from device_profiles import profiled_kernels

from cpudevice.compiler.counts.addresses import Addresses

ROUNDS = 256
KERNELS = {
    "base": "out[t] = in[t];",
    "products": "float s = in[t]; for (int i = 0; i < n; ++i) s = s * in[32] + in[33]; out[t] = s;",
    "sums": "float s = in[t]; for (int i = 0; i < n; ++i) s = s + in[32]; out[t] = s;",
    # The address moves; with -O1 each round makes the pointer from a number.
    "along": "float s = 0; for (int i = 0; i < n; ++i) s += in[i]; out[t] = s;",
    "beside": "out[t] = in[t] + in[t + 32] + in[t + 64] + in[t + 96];",
    "apart": "out[t] = in[t] + in[2 * t] + in[3 * t] + in[5 * t];",
    "needed": "out[t] = in[t] + (t + 32) + (t + 64) * (t + 96);",
    "known": "float s = 0;\n#pragma unroll\nfor (int i = 0; i < 8; ++i) s += in[t + i]; "
    "out[t] = s;",
    "many": "float s = 0;\n#pragma unroll 100000\nfor (int i = 0; i < 8; ++i) s += in[t + i]; "
    "out[t] = s;",
    "by_hand": "float s = 0; for (int j = 0; j < 1; ++j) { s += in[t]; s += in[t + 1]; "
    "s += in[t + 2]; s += in[t + 3]; s += in[t + 4]; s += in[t + 5]; s += in[t + 6]; "
    "s += in[t + 7]; } out[t] = s;",
    "one_by_one": "float s = 0;\n#pragma unroll 1\nfor (int i = 0; i < 8; ++i) "
    "s += in[t + i]; out[t] = s;",
    # GCC would unroll the loop after the dump.
    "unknown": "float s = in[t];\n#pragma unroll\nfor (int i = 0; i < n; ++i) s = s + in[32]; "
    "out[t] = s;",
    "converted": "out[t] = ((const unsigned char*)in)[t] * 2.0f + ((const short*)in)[t];",
    "truncated": "((int*)out)[t] = (int)in[t];",
    "of_constant": "const float twice = in[t] * 2; const int whole = twice; "
    "const float more = twice * whole; out[t] = more + 1;",
    "from_long": "out[t] = (float)((const long long*)in)[t];",
    # g++ would warn of some of these pragmas, and refuse the others.
    "in_parts": "float s = in[t];\n#pragma unroll\nfor (int i = 0; i < 8 && i < n; ++i) "
    "s += in[32]; out[t] = s;",
    "endless": "float s = 0;\n#pragma unroll\nfor (int i = 0;; ++i) { if (i == n) break; "
    "s += in[t]; } out[t] = s;",
    "no_loop": "\n#pragma unroll\nout[t] = in[t];",
}
MAIN = "int main() {\n  float *in, *out;\n  cudaMalloc(&in, 65536);\n  cudaMalloc(&out, 128);\n"


@pytest.fixture(scope="module")
def kernels(tmp_path_factory) -> dict[str, dict]:
    """Returns the profiles of the kernels above, a warp each, by name."""
    text = "".join(
        f"__global__ void {name}(const float* in, float* out, int n) {{\n"
        f"  const int t = threadIdx.x;\n  {body}\n}}\n"
        for name, body in KERNELS.items()
    )
    launches = "".join(f"  {name}<<<1, 32>>>(in, out, {ROUNDS});\n" for name in KERNELS)
    return profiled_kernels(f"{text}{MAIN}{launches}}}\n", tmp_path_factory.mktemp("instructions"))


def test_a_product_and_a_sum_are_one_instruction(kernels: dict[str, dict]) -> None:
    assert kernels["products"]["instructions"]["fp32"] == ROUNDS
    assert kernels["sums"]["instructions"]["fp32"] == ROUNDS


def test_a_variable_that_is_const_is_of_the_same_type(kernels: dict[str, dict]) -> None:
    """A product, and a product that is a single instruction with the sum."""
    assert kernels["of_constant"]["instructions"]["fp32"] == 2


def test_counters_and_addresses_of_a_loop_take_a_quarter_of_their_instructions(
    kernels: dict[str, dict],
) -> None:
    found = kernels["along"]
    # A load and a sum; counter or address, comparison and branch take a quarter each.
    assert found["warp_instructions"] == pytest.approx((2 + 4 / 4) * ROUNDS, rel=0.05)
    assert found["instructions"]["int"] < 0.1 * ROUNDS


def test_addresses_that_are_constants_apart_are_free(kernels: dict[str, dict]) -> None:
    one, beside, apart = (
        kernels[name]["instructions"]["int"] for name in ("base", "beside", "apart")
    )
    assert beside == one
    assert apart >= one + 3


def test_a_sum_that_is_no_address_is_an_instruction(kernels: dict[str, dict]) -> None:
    more = kernels["needed"]["instructions"]["int"] - kernels["base"]["instructions"]["int"]
    # Three sums, a product, and two conversions to float.
    assert more == 6


def test_a_loop_that_nvcc_unrolls_counts_as_its_copies(kernels: dict[str, dict]) -> None:
    known, by_hand = kernels["known"], kernels["by_hand"]
    assert known["warp_instructions"] == by_hand["warp_instructions"]
    assert kernels["many"]["warp_instructions"] == by_hand["warp_instructions"]
    assert kernels["one_by_one"]["warp_instructions"] > known["warp_instructions"]


def test_a_loop_of_unknown_length_is_counted_in_every_round(kernels: dict[str, dict]) -> None:
    assert kernels["unknown"]["instructions"] == kernels["sums"]["instructions"]


def test_conversions_to_float_of_short_integers_need_no_special_function(
    kernels: dict[str, dict],
) -> None:
    """By nvcc 13's machine code for sm_90: I2FP, and F2I and I2F for the others."""
    special = {name: kernels[name]["instructions"]["special"] for name in KERNELS}
    assert special["of_constant"] == 1
    assert [special[name] for name in ("converted", "truncated", "from_long")] == [0, 1, 1]


def test_only_addresses_are_free() -> None:
    lines = """
      _1 = (long unsigned int) i_9;
      _2 = _1 * 4;
      _3 = in_7(D) + _2;
      __builtin___tsan_read4 (_3);
      _4 = i_9 + 32;
      _5 = (long unsigned int) _4;
      _6 = _5 * 4;
      _8 = in_7(D) + _6;
      __builtin___tsan_read4 (_8);
      _10 = i_9 + 33;
      *_8 = _10;
    """.splitlines()
    free = {
        wraps: Addresses(
            lines, lambda name: False, lambda wide, operand, at=wraps: operand == at
        ).free
        for wraps in ("", "_4")
    }
    assert free[""] == {"_4", "_5", "_6", "_8"}
    # An unsigned i + 32 may wrap before the conversion to a longer number.
    assert free["_4"] == set()
