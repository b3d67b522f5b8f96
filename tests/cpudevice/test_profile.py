"""cudacc --profile against known answers.

Each program of profile/ says in comments what is to be counted: behind a line of code for that line
(`// global_load: requests=1 sectors=4`, `// special: count=2`), before a kernel for the whole of it
(`// kernel copy: warps=2`), and for all that the host did by one name (`// host memset: times=1
bytes=4`). A value may be preceded by < or > in place of =.

The programs of profile/stops/ do what a GPU does not allow. They say what stands on stderr then
(`// stops: file.cu:9: the host reads`), and with which status they end (0 unless `// status:`);
`// environment: NAME=value` is set.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from device_profiles import (
    HERE,
    ROOT,
    build_and_profile,
    check_counts,
    check_stops,
    profiled_launches,
)

PROGRAMS = sorted((ROOT / "tests" / "cpudevice" / "profile").glob("*.cu"))
STOPPED = sorted((ROOT / "tests" / "cpudevice" / "profile" / "stops").glob("*.cu"))


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: path.stem)
def profiled(request, tmp_path_factory) -> tuple[Path, dict]:
    source: Path = request.param
    return source, build_and_profile(source, tmp_path_factory.mktemp(source.stem))


def test_counts(profiled: tuple[Path, dict]) -> None:
    check_counts(*profiled)


LAUNCHES = """
__global__ void works(int* out, int rounds) {
  int sum = 0;
  for (int k = 0; k < rounds; ++k) sum = sum * 3 + k;
  out[threadIdx.x] = sum;
}
__global__ void alike(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  for (int rounds : {1000, 10, 1001, 10, 10}) {
    works<<<1, 32>>>(out, rounds);
    alike<<<1, 32>>>(out);
  }
  cudaFree(out);
}
"""


def test_launches_that_differ_in_work_are_counted_apart(tmp_path: Path) -> None:
    heavy, alike, light = profiled_launches(LAUNCHES, tmp_path)
    names = [kernel["name"] for kernel in (heavy, alike, light)]
    assert names == ["works", "alike", "works"]
    assert [kernel["launches"] for kernel in (heavy, alike, light)] == [2, 5, 3]
    assert [kernel["blocks"] for kernel in (heavy, alike, light)] == [2, 5, 3]
    assert heavy["warp_instructions"] / 2 > 20 * light["warp_instructions"] / 3 > 0
    for kernel in (heavy, light):
        (store,) = kernel["lines"]
        assert store["requests"] == kernel["launches"]
        assert store["bytes"] == 128 * kernel["launches"]


@pytest.mark.parametrize("source", STOPPED, ids=lambda path: path.stem)
def test_stops(source: Path, tmp_path: Path) -> None:
    check_stops(source, HERE, tmp_path)
