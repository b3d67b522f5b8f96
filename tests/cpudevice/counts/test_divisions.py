"""Divisions by numbers that an unrolled loop knows cost as with nvcc: see counts/known_loops.py.

For these kernels nvcc 13 -arch=sm_90 -ptx has a div or rem where the table says so, else none.
"""

from __future__ import annotations

import pytest
from device_profiles import profiled_kernels

KERNELS = {
    # name: (body, divides)
    "doubling": ("for (int d = 1; d < 256; d *= 2) if (t % (2 * d) == 0) sum += d;", False),
    "halving": (
        "for (int d = 128; d > 0; d /= 2) { __syncthreads(); sum += t / d + t % d; }",
        False,
    ),
    "shifted": ("for (unsigned d = 64; d; d >>= 1) sum += t / d;", False),
    "odd": ("for (int d = 3; d < 20; d += 2) sum += t / d;", False),
    "unknown_end": ("for (int d = 1; d < n; d *= 2) sum += t / d;", True),
    "many_rounds": ("for (int d = 1; d < 5000; ++d) sum += t / d;", True),
    "argument": ("sum = t / n;", True),
}


@pytest.fixture(scope="module")
def special(tmp_path_factory) -> dict[str, float]:
    """Returns the instructions of the special function unit, by kernel."""
    text = "".join(
        f"__global__ void {name}(int* out, int n) {{\n"
        f"  const int t = threadIdx.x;\n  int sum = 0;\n  {body}\n  out[t] = sum;\n}}\n"
        for name, (body, _) in KERNELS.items()
    )
    launches = "".join(f"  {name}<<<1, 32>>>(out, 100);\n" for name in KERNELS)
    main = f"int main() {{\n  int* out;\n  cudaMalloc(&out, 128);\n{launches}}}\n"
    kernels = profiled_kernels(text + main, tmp_path_factory.mktemp("divisions"))
    return {name: kernel["instructions"]["special"] for name, kernel in kernels.items()}


@pytest.mark.parametrize("name", KERNELS)
def test_divisions(special: dict[str, float], name: str) -> None:
    assert bool(special[name]) == KERNELS[name][1]
