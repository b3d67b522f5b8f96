"""A copy of the CPU device without cudalibs/: messages name the missing folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cpudevice.compiler.tools import CPUDEVICE, build_folder


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "#include <cublas_v2.h>\nint main() {}\n",
            "program.cu:1: error: <cublas_v2.h> belongs to CUDA's libraries, which this copy of "
            "the CPU device lacks: the folder cudalibs/ is missing",
        ),
        (
            "#include <cuda.h>\nint main() { return cuInit(0); }\n",
            "note: cuInit() belongs to the driver API, which this copy of the CPU device lacks: "
            "the folder cudalibs/ is missing",
        ),
    ],
    ids=["header", "function"],
)
def test_the_missing_folder_is_named(text: str, said: str, tmp_path: Path) -> None:
    copy = shutil.copytree(CPUDEVICE, tmp_path / "cpudevice")
    (tmp_path / "program.cu").write_text(text)
    done = subprocess.run(
        [copy / "cudacc", "program.cu", "-o", "program"],
        cwd=tmp_path,
        # The archives of the core are the same in a copy, whose files keep their dates.
        env=os.environ | {"CUDACC_BUILD": str(build_folder().absolute())},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == said
