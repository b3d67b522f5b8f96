"""The CPU device on arm64: test programs, cross-compiled and run by an emulator.

Compiling takes most of the time, so only a part of the programs is tested: programs for everything
that depends on the processor: switches of stacks, faults and stacks that grow, memory order and
atomics, rounding, vectors, warps, graphs, and every kind of finding and counter. ARM64=all
takes all programs except those whose result must differ (LEFT_OUT).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from device_findings import check_findings
from device_profiles import HERE, ROOT, build_and_profile, check_counts, check_stops
from device_programs import check_program
from emulator import arm64, missing_for_arm64

FOLDER = Path(__file__).parent
ALL = os.environ.get("ARM64") == "all"
USUAL = {
    "run": (
        "argument_objects atomics barriers cooperative_groups dynamic_parallelism errors "
        "host_threads local_arrays look_back rounding textures time_slices vector_types "
        "warp_synchronous warps"
    ),
    "fault": "deadlock device_assert stack turns",
    "sanitize": (
        "barriers block_race bounds correct decoupled device_heap far_index host_device lockstep "
        "managed masks recursion scoped shared_race uninitialised"
    ),
    "profile": "banks coalescing divergence memory_functions vectors warps",
    "profile/stops": "kernel_reads_host_variable local_of_another",
}
LEFT_OUT = {
    "fault/read": "g++ for arm64 says that a function's last load stands at its closing brace",
    "fault/watched_kernel": "its call may take 0.2 s, which the emulator needs to begin",
    "fault/write": "it names no thread if the launch is ended while the emulator repeats the block",
    "run/integer_division": "arm64 divides by zero without a fault, and the result is 0",
    "run/processes": "it starts its own program, which needs an emulator too",
    "profile/costs": "g++ for arm64 makes one instruction of a conversion to int and back",
}
pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(
        bool(missing_for_arm64()), reason=f"for arm64 there is no {missing_for_arm64()}"
    ),
]


def programs(kind: str) -> list[object]:
    """The programs of a folder that the test runs."""
    found = sorted((FOLDER / kind).glob("*.cu"))
    chosen = [one for one in found if ALL or one.stem in USUAL[kind].split()]
    kept = [one for one in chosen if f"{kind}/{one.stem}" not in LEFT_OUT]
    return [pytest.param(one, id=f"{kind}/{one.stem}") for one in kept]


def test_every_name_is_a_program() -> None:
    named = {f"{kind}/{name}" for kind, names in USUAL.items() for name in names.split()}
    assert [one for one in named | set(LEFT_OUT) if not (FOLDER / f"{one}.cu").is_file()] == []
    assert not named & set(LEFT_OUT)


@pytest.mark.parametrize("source", [*programs("run"), *programs("fault")])
def test_program(source: Path, tmp_path: Path) -> None:
    check_program(source, arm64(), tmp_path)


@pytest.mark.parametrize("source", programs("sanitize"))
def test_findings(source: Path, tmp_path: Path) -> None:
    check_findings(source, arm64(), tmp_path)


@pytest.mark.parametrize("source", programs("profile"))
def test_counts(source: Path, tmp_path: Path) -> None:
    profile = build_and_profile(source, tmp_path, arm64())
    check_counts(source, profile)


# Calls a rung with a given size; the answers do not matter for the profile.
CALLS_RUNG = """#include "transpose.h"
int main() {
  const int rows = 100, cols = 77;
  float *in, *out;
  cudaMalloc(&in, sizeof(float) * rows * cols);
  cudaMalloc(&out, sizeof(float) * rows * cols);
  transpose(in, rows, cols, out);
  return cudaDeviceSynchronize();
}
"""


def test_a_rung_has_the_same_accesses_here_and_there(tmp_path: Path) -> None:
    """docs/cpu-device-benchmarks.md: accesses are the same, instructions differ slightly."""
    rung = (ROOT / "transpose" / "ladder" / "03_padded.cu").read_text()
    source = tmp_path / "rung.cu"
    source.write_text(rung + CALLS_RUNG)
    include = [
        f"-I{ROOT / folder}" for folder in ("harness/student", "harness/shared", "transpose")
    ]
    found = [build_and_profile(source, tmp_path, machine, include) for machine in (arm64(), HERE)]
    there, here = (one["kernels"] for one in found)
    assert [kernel["lines"] for kernel in there] == [kernel["lines"] for kernel in here]
    for one, other in zip(there, here, strict=True):
        assert one["barriers"] == other["barriers"]
        assert one["warp_instructions"] == pytest.approx(other["warp_instructions"], rel=0.05)


@pytest.mark.parametrize("source", programs("profile/stops"))
def test_stops(source: Path, tmp_path: Path) -> None:
    check_stops(source, arm64(), tmp_path)
