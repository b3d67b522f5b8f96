"""Tests that the repository is complete and that grading works, whatever your own files hold."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from cpudevice.model.gpu import known_models, load_gpu
from grader.base.device import choose_device
from grader.base.progress import SilentScreen
from grader.check.check import check
from grader.course.baseline import modelled_times
from grader.course.declare import Assignment, Part
from grader.course.load import load_assignments
from grader.course.plan import make_plan
from grader.course.reset import STARTERS
from grader.course.results import PartResult

ROOT = Path(__file__).parents[1]
PARTS = [
    (assignment, part) for assignment in load_assignments(ROOT, []) for part in assignment.parts
]
OURS = {f"{assignment.name}/{part.name}.cu" for assignment, part in PARTS}


def grade(assignment: Assignment, part: Part, file: Path) -> PartResult:
    plan = make_plan(ROOT, [assignment], choose_device("cpu"), str(file), part.name, "")
    (result,) = check(plan, None, SilentScreen())
    (part_result,) = result.parts
    return part_result


def test_files_are_as_they_were_handed_out() -> None:
    handed_out = json.loads((ROOT / "handout.json").read_text())["files"]
    changed = [
        name
        for name, digest in handed_out.items()
        if name not in OURS
        and not (
            (ROOT / name).is_file()
            and hashlib.sha256((ROOT / name).read_bytes()).hexdigest() == digest
        )
    ]
    assert not changed, "these files are not yours to edit; copy them from the handout again"


@pytest.mark.parametrize(("assignment", "part"), PARTS, ids=lambda x: x.name)
def test_every_case_for_speed_has_a_target(assignment: Assignment, part: Part) -> None:
    """A GPU that lacks a unit that the target uses has no times at all."""
    times = modelled_times(ROOT, assignment, part)
    cases = {case.name for case in part.speed}
    assert set(times.get(load_gpu().name, {})) == cases
    for model in known_models():
        assert set(times.get(load_gpu(model).name, {})) in (cases, set())


@pytest.mark.parametrize(("assignment", "part"), PARTS, ids=lambda x: x.name)
def test_the_starter_can_be_graded(assignment: Assignment, part: Part) -> None:
    result = grade(assignment, part, ROOT / STARTERS / assignment.name / f"{part.name}.cu")
    assert result.max_score == pytest.approx(100 * part.weight)
    assert result.score < result.max_score
    times = modelled_times(ROOT, assignment, part)[load_gpu().name]
    for case in result.cases:
        assert case.reference_ms in (None, getattr(times.get(case.name), "time_ms", None))


RACE = """
#include <cstdio>

__global__ void neighbour_kernel(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main() {
  int *d_out, out[64];
  cudaMalloc(&d_out, sizeof(out));
  neighbour_kernel<<<1, 64>>>(d_out);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  cudaFree(d_out);
  std::printf("%d\\n", out[0]);
}
"""


@pytest.mark.parametrize("barrier", [True, False])
def test_the_cpu_device_finds_a_missing_barrier(barrier: bool, tmp_path: Path) -> None:
    source, program = tmp_path / "race.cu", tmp_path / "race"
    source.write_text(RACE.replace("  out[", "  __syncthreads();\n  out[") if barrier else RACE)
    subprocess.run([ROOT / "cpudevice/cudacc", "--sanitize", source, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (done.returncode == 0) == barrier
    assert ("race" in done.stderr) != barrier
    assert not barrier or done.stdout == "1\n"
