"""cudacc --profile against known answers.

Each program of profile/ states counts in comments: behind a line of code for the line
(`// global_load: requests=1 sectors=4`, `// special: count=2`), before a kernel for the kernel
(`// kernel copy: warps=2`), and for all calls of the host by a name (`// host memset: times=1
bytes=4`). A value may be preceded by < or > in place of =.

The programs of profile/stops/ do what a GPU does not allow. Their comments state the message on
stderr (`// stops: file.cu:9: the host reads`) and the exit status (0 unless `// status:`);
`// environment: NAME=value` sets a variable.
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

from cpudevice.model.profile import (
    KERNEL_COUNTS,
    KERNEL_SIZES,
    LINE_COUNTS,
    Kernel,
    Line,
    names_of,
    parse_profile,
)

PROGRAMS = sorted((ROOT / "tests" / "cpudevice" / "profile").glob("*.cu"))
STOPPED = sorted((ROOT / "tests" / "cpudevice" / "profile" / "stops").glob("*.cu"))
# Fields of a profile that are no counters: cpudevice/src/profile/fields.h has no such entries.
OF_A_KERNEL = {
    *("name", "file", "grid", "block", "instructions", "matrix_products", "constants"),
    *("dram_bytes", "l1", "schedule", "lines", "costs"),
}
OF_A_LINE = {"file", "line", "access", "example"}


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda path: path.stem)
def profiled(request, tmp_path_factory) -> tuple[Path, dict]:
    source: Path = request.param
    return source, build_and_profile(source, tmp_path_factory.mktemp(source.stem))


def test_counts(profiled: tuple[Path, dict]) -> None:
    check_counts(*profiled)


def differing(read: Kernel | Line, written: dict, names: set[str]) -> list[str]:
    """The counters that the model reads with another value than the CPU device writes."""
    return [name for name in names if getattr(read, name) != written[name]]


def test_the_model_reads_the_counters_of_the_table(profiled: tuple[Path, dict]) -> None:
    _, stored = profiled
    names = {*KERNEL_SIZES, *KERNEL_COUNTS}
    for written, read in zip(stored["kernels"], parse_profile(stored).kernels, strict=True):
        assert set(written) - OF_A_KERNEL == names | {*names_of("KERNEL_RECORDS")}
        assert not differing(read, written, names)
        for line, counts in zip(written["lines"], read.lines, strict=False):  # costs follow
            of_line = {*LINE_COUNTS} if "bytes" in line else {*names_of("LINE_COUNTS")}
            assert set(line) - OF_A_LINE == of_line
            # The model takes at most the sectors requested.
            assert not differing(counts, line, of_line - {"ideal_sectors"})


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
