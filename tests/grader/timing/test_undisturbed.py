"""On a GPU: what another process frees during a check does not change the times of the check."""

import json
import subprocess
from pathlib import Path

import pytest

from grader.base.device import find_nvcc, probe_gpu

ROOT = Path(__file__).parents[3]
GRADED = ("transpose/ladder/06_vectorised.cu", "8192x8192")
CHECK = ["make", "check-transpose", f"WITH={GRADED[0].removeprefix('transpose/')}"]
GIB, BETWEEN_MS = 4, 40

pytestmark = pytest.mark.skipif(
    "error" in probe_gpu() or not find_nvcc(), reason="there is no GPU here"
)


def time_ms() -> tuple[float, dict]:
    """The time of a case, and the report's words about disturbances."""
    subprocess.run([*CHECK, f"CASE={GRADED[1]}", "DEVICE=gpu"], cwd=ROOT, check=True, timeout=300)
    results = json.loads((ROOT / "build/results.json").read_text())
    (case,) = (
        case for case in results["assignments"][0]["parts"][0]["cases"] if case["name"] == GRADED[1]
    )
    return case["time_ms"], case["timing"]


def test_a_process_that_frees_gigabytes_changes_no_time(tmp_path):
    program = tmp_path / "frees_memory"
    source = Path(__file__).with_name("frees_memory.cu")
    subprocess.run([find_nvcc(), "-o", program, source], check=True, timeout=120)
    time_ms()  # builds
    quiet_ms, _ = time_ms()
    command = [program, str(GIB), str(BETWEEN_MS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout.readline().strip() == "frees"
            stressed_ms, timing = time_ms()
            assert other.poll() is None
        finally:
            other.kill()
    assert timing["waited_ms"] > 0, "the other process disturbed nothing: this test shows nothing"
    assert stressed_ms == pytest.approx(quiet_ms, rel=0.01)
