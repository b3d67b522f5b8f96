"""cudacc --uninstrumented: a file of a program that the diagnostic modes ignore."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The same kernel in both files, and a fault in each: it reads behind the array.
KERNEL = """
static __global__ void {name}(const int* from, int* to) {{
  to[threadIdx.x] = from[threadIdx.x + 1];
}}
void {name}_32(const int* from, int* to) {{ {name}<<<1, 32>>>(from, to); }}
"""
MAIN = """
#include "ours.h"
int main() {
  int *from, *to;
  cudaMalloc(&from, 32 * sizeof(int));
  cudaMalloc(&to, 32 * sizeof(int));
  cudaMemset(from, 0, 32 * sizeof(int));
  cudaMemset(to, 0, 32 * sizeof(int));
  ours_32(from, to);
  CALL_THEIRS
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}
"""


def program(folder: Path, mode: str, calls_theirs: bool) -> Path:
    """Only the file ours.cu is not looked at."""
    (folder / "ours.h").write_text("void ours_32(const int* from, int* to);\n")
    (folder / "ours.cu").write_text('#include "ours.h"\n' + KERNEL.format(name="ours"))
    call = "theirs_32(from, to);" if calls_theirs else ""
    theirs = KERNEL.format(name="theirs") + MAIN.replace("CALL_THEIRS", call)
    (folder / "theirs.cu").write_text(theirs)
    for options in (
        [mode, "--uninstrumented", "-c", "ours.cu", "-o", "ours.o"],
        [mode, "ours.o", "theirs.cu", "-o", "program"],
    ):
        made = subprocess.run(
            [ROOT / "cpudevice" / "cudacc", *options], cwd=folder, capture_output=True, text=True
        )
        assert (made.returncode, made.stderr) == (0, "")
    return folder / "program"


def run(made: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [made], cwd=made.parent, env=os.environ | environment, capture_output=True, text=True
    )


def test_its_faults_are_not_found(tmp_path: Path) -> None:
    done = run(program(tmp_path, "--sanitize", calls_theirs=False))
    assert (done.returncode, done.stderr) == (0, "")


def test_those_of_other_files_are(tmp_path: Path) -> None:
    findings = tmp_path / "findings.json"
    run(program(tmp_path, "--sanitize", calls_theirs=True), CUDACPU_FINDINGS=str(findings))
    (found,) = map(json.loads, findings.read_text().splitlines())
    assert (found["kind"], Path(found["file"]).name) == ("bad_access", "theirs.cu")


def test_its_launches_are_counted_and_its_accesses_are_not(tmp_path: Path) -> None:
    profile = tmp_path / "profile.json"
    done = run(program(tmp_path, "--profile", calls_theirs=True), CUDACPU_PROFILE=str(profile))
    assert (done.returncode, done.stderr) == (0, "")
    ours, theirs = json.loads(profile.read_text())["kernels"]
    assert (ours["name"], ours["launches"], ours["lines"]) == ("ours", 1, [])
    assert (theirs["name"], len(theirs["lines"])) == ("theirs", 2)
