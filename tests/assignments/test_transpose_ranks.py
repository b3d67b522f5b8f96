"""The model ranks transposes of rows at any address as an H200 does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from cpudevice.model.model import estimate
from cpudevice.model.profile import read_profile
from grader.build.make import build
from grader.course.load import load_assignment

ROOT = Path(__file__).parents[2]
# In us on an NVIDIA H200 by `make ladder-transpose`, 8191 x 8193.
MEASURED = {"ladder/03_padded": 352, "ladder/06_vectorised": 247, "solution": 151}


def test_the_solution_is_ahead_where_no_row_is_aligned(tmp_path: Path) -> None:
    part = load_assignment(ROOT, "transpose").parts[0]
    case = next(case for case in part.speed if case.name == "8191x8193")
    programs = [f"build/profile/transpose/{name}" for name in MEASURED]
    build(ROOT, dict.fromkeys(programs))
    modelled = {}
    for name, program in zip(MEASURED, programs, strict=True):
        result = tmp_path / "profile.json"
        subprocess.run(
            [ROOT / program, *case.options_for("cpu").split(), "--seed", "1", "--no-check"],
            check=True,
            timeout=120,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "CUDACPU_PROFILE": str(result)},
        )
        modelled[name] = estimate(read_profile(result)).time_us
    assert modelled["solution"] < 0.9 * modelled["ladder/06_vectorised"]
    assert modelled["ladder/06_vectorised"] < 0.9 * modelled["ladder/03_padded"]
