"""What a warp waits for: dependent instructions, phases of loads, and lines of the L1 cache."""

from __future__ import annotations

import pytest
from device_profiles import profiled_kernels

ROUNDS = 256
KERNELS = {
    "dependent": "unsigned x = t; for (int i = 0; i < n; ++i) { x = x * 5 + 1; x ^= x >> 3; "
    "x = x * 7 + 3; x ^= x >> 5; } out[t] = x;",
    "independent": "unsigned a = t, b = t + 1, c = t + 2, d = t + 3; for (int i = 0; i < n; ++i) "
    "{ a = a * 5 + 1; b = b * 5 + 1; c = c * 7 + 3; d = d * 7 + 3; } out[t] = a ^ b ^ c ^ d;",
    # nvcc unrolls the loop and moves the four loads before the stores.
    "rounds": "__shared__ float s[128]; for (int i = 0; i < 4; ++i) s[t + 32 * i] = "
    "in[t + 32 * i]; __syncthreads(); out[t] = s[127 - t];",
    # Each round asks for the index again, which is no loaded value.
    "guarded": "float s = 0;\n#pragma unroll\nfor (int i = 0; i < 4; ++i) if (t + 32 * i < n) "
    "s += in[t + 32 * i]; out[t] = s;",
    "pairs": "__shared__ float s[64]; s[t] = in[t]; s[t + 32] = in[t + 64]; __syncthreads(); "
    "out[t] = s[63 - t];",
    # The function gets an array by address, with the same index in all lanes, or different indices.
    "by_address": "float s[3] = {in[t], 1, 2}; for (int i = 0; i < 3; ++i) change(s, i); "
    "out[t] = s[0] + s[1] + s[2];",
    "by_lane": "float s[3] = {in[t], 1, 2}; for (int i = 0; i < 3; ++i) change(s, (t + i) % 3); "
    "out[t] = s[0] + s[1] + s[2];",
    "copied": "__shared__ float s[32]; __pipeline_memcpy_async(&s[t], &in[t], 4); "
    "__pipeline_commit(); __pipeline_wait_prior(0); __syncthreads(); out[t] = s[31 - t];",
    "copied_behind_work": "__shared__ float s[32]; __pipeline_memcpy_async(&s[t], &in[t], 4); "
    "__pipeline_commit(); float x = t; for (int i = 0; i < n; ++i) x = x * 3 + 1; "
    "__pipeline_wait_prior(0); __syncthreads(); out[t] = s[31 - t] + x;",
    # Lines at a distance of eight share one of the four places in which the L1 cache can look.
    "eight_lines_apart": "out[t] = in[t * 256];",
    "nine_lines_apart": "out[t] = in[t * 288];",
}
FUNCTION = (
    "#include <cuda_pipeline.h>\n"
    "__device__ __noinline__ void change(float* s, int i) { s[i] = s[i] * 3 + 1; }\n"
)
MAIN = "int main() {\n  float *in, *out;\n  cudaMalloc(&in, 65536);\n  cudaMalloc(&out, 128);\n"


@pytest.fixture(scope="module")
def kernels(tmp_path_factory) -> dict[str, dict]:
    """Returns the profiles of the kernels above, a warp each, by name."""
    text = FUNCTION + "".join(
        f"__global__ void {name}(const float* in, float* out, int n) {{\n"
        f"  const unsigned t = threadIdx.x;\n  {body}\n}}\n"
        for name, body in KERNELS.items()
    )
    launches = "".join(f"  {name}<<<1, 32>>>(in, out, {ROUNDS});\n" for name in KERNELS)
    return profiled_kernels(f"{text}{MAIN}{launches}}}\n", tmp_path_factory.mktemp("chains"))


def test_only_dependent_instructions_wait(kernels: dict[str, dict]) -> None:
    share = {
        name: one["chain_instructions"] / one["warp_instructions"] for name, one in kernels.items()
    }
    assert share["dependent"] > 0.85
    assert share["independent"] == pytest.approx(1 / 3, abs=0.05)


def test_loads_of_an_unrolled_loop_wait_together(kernels: dict[str, dict]) -> None:
    assert kernels["rounds"]["load_phases"] == 1
    assert kernels["pairs"]["load_phases"] == 1


def test_a_branch_on_an_index_waits_for_no_load(kernels: dict[str, dict]) -> None:
    assert kernels["guarded"]["load_phases"] == 1


def test_arrays_of_which_all_lanes_use_the_same_element_are_in_registers(
    kernels: dict[str, dict],
) -> None:
    by_address, by_lane = (
        sum(line["lines128"] for line in kernels[name]["lines"] if "local" in line["access"])
        for name in ("by_address", "by_lane")
    )
    assert by_address == 0
    assert by_lane > 0
    more = kernels["by_lane"]["warp_instructions"] - kernels["by_address"]["warp_instructions"]
    # A load and a store in each round, and what computes the index.
    assert more >= 6


def test_copies_that_have_arrived_are_not_waited_for(kernels: dict[str, dict]) -> None:
    assert kernels["copied"]["load_phases"] == 1
    assert kernels["copied_behind_work"]["load_phases"] == 0


def test_lines_in_one_place_of_the_cache_are_looked_up_one_after_the_other(
    kernels: dict[str, dict],
) -> None:
    lookups = {
        name: one["lines"][0]["lookups"]
        for name, one in kernels.items()
        if name.endswith("apart") and one["lines"][0]["access"] == "global_load"
    }
    assert lookups == {"eight_lines_apart": 32, "nine_lines_apart": 8}
