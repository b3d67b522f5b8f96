"""Tests of the CPU device: small CUDA programs, compiled by cudacc, with checked output.

Each tests/cpudevice/*.cu says in comments what it must do:

    // expect: a line of its standard output; all of them, in order
    // stderr: text that its standard error contains
    // exit: its exit status, 0 if not stated
    // reject: text of the message with which cudacc refuses to compile it
    // flags: further options for cudacc
    // environment: NAME=value for the run
    // compilers: g++, if only that one
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
CUDACC = REPOSITORY / "cpudevice" / "cudacc"
PROGRAMS = sorted((REPOSITORY / "tests" / "cpudevice").glob("*.cu"))
# Enough of them to know that both compilers take what the translator writes.
ALSO_WITH_CLANG = {"launch_forms", "shared_memory", "barriers", "warps"}
TIMEOUT = 60


def notes(source: Path, kind: str) -> list[str]:
    return re.findall(rf"^// {kind}: ?(.*)$", source.read_text(), re.MULTILINE)


def cases() -> list[object]:
    found = []
    for source in PROGRAMS:
        found.append(pytest.param(source, "g++", id=source.stem))
        if source.stem in ALSO_WITH_CLANG:
            missing = shutil.which("clang++") is None
            mark = pytest.mark.skipif(missing, reason="clang++ is not installed")
            found.append(pytest.param(source, "clang++", id=f"{source.stem}-clang", marks=mark))
    return found


def cudacc(*arguments: object, compiler: str = "g++") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(CUDACC), "-ccbin", compiler, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT * 2,
        cwd=REPOSITORY,
    )


def run(program: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        env=os.environ | environment,
    )


@pytest.mark.parametrize(("source", "compiler"), cases())
def test_program(source: Path, compiler: str, tmp_path: Path) -> None:
    program = tmp_path / source.stem
    flags = " ".join(notes(source, "flags")).split()
    compiled = cudacc(
        source.relative_to(REPOSITORY),
        "-Xcompiler",
        "-Wall,-Wextra",
        *flags,
        "-o",
        program,
        compiler=compiler,
    )
    rejections = notes(source, "reject")
    if rejections:
        if shutil.which("clang++") is None and "// needs: clang" in source.read_text():
            pytest.skip("only the check by Clang sees this")
        assert compiled.returncode == 1
        for text in rejections:
            assert text in compiled.stderr
        return
    assert compiled.stderr == ""
    assert compiled.returncode == 0
    environment = dict(line.split("=", 1) for line in notes(source, "environment"))
    finished = run(program, **environment)
    assert finished.stdout.splitlines() == notes(source, "expect")
    for text in notes(source, "stderr"):
        assert text in finished.stderr
    if not notes(source, "stderr"):
        assert finished.stderr == ""
    assert finished.returncode == int((notes(source, "exit") or ["0"])[0])
