"""The house style, as far as tools can check it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from prose import tracked

from grader.base.processes import processors
from grader.build.make import make

ROOT = Path(__file__).parents[2]
CPP_SUFFIXES = {".cu", ".cuh", ".h", ".cpp"}
NVCC_TIMEOUT_S = 1800
CLANG_FORMAT = Path(sys.executable).with_name("clang-format")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_cpp_is_formatted() -> None:
    # Versions of clang-format disagree on details, so the version in tests.txt decides.
    if not CLANG_FORMAT.exists():
        pytest.skip("clang-format of grader/requirements/tests.txt is not installed")
    result = run(
        str(CLANG_FORMAT),
        "--dry-run",
        "-Werror",
        *[path for path in tracked() if Path(path).suffix in CPP_SUFFIXES],
    )
    assert result.returncode == 0, result.stderr[:2000]


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]])
def test_python_is_clean(command: list[str]) -> None:
    if shutil.which("ruff", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("ruff of grader/requirements/tests.txt is not installed")
    result = run(sys.executable, "-m", "ruff", *command, ".")
    assert result.returncode == 0, result.stdout[:2000]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc here")
@pytest.mark.exhaustive
def test_nvcc_accepts_every_file() -> None:
    status, output = make(ROOT, [f"-j{processors()}", "nvcc-check"], NVCC_TIMEOUT_S)
    assert status == 0, output[:3000]
