"""Compiles and runs the programs of tests/cpudevice/run, fault and reject, also in an emulator."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from emulator import Machine

REPOSITORY = Path(__file__).resolve().parents[2]
CUDACC = REPOSITORY / "cpudevice" / "cudacc"
TIMEOUT = 60
HERE = Machine()


def notes(source: Path, kind: str) -> list[str]:
    text = source.read_text()
    # `@a` is the number of the line with `// @a` at the end.
    lines = {
        tag: str(number)
        for number, line in enumerate(text.splitlines(), start=1)
        for tag in re.findall(r"// (@[a-z])$", line)
    }
    found = re.findall(rf"^// {kind}: ?(.*)$", text, re.MULTILINE)
    return [re.sub(r"@[a-z]\b", lambda tag: lines.get(tag[0], tag[0]), note) for note in found]


def cudacc(*arguments: object, compiler: str = "g++") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(CUDACC), "-ccbin", compiler, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT * 2,
        cwd=REPOSITORY,
    )


def run(
    program: Path, *arguments: str, on: Machine = HERE, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*on.launcher, str(program), *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        env=on.environment(environment),
    )


def check_program(source: Path, machine: Machine, folder: Path) -> None:
    """Compiles and runs a program, and compares the output with the comments in the source."""
    program = folder / source.stem
    flags = " ".join(notes(source, "flags")).split()
    compiled = cudacc(
        source.relative_to(REPOSITORY),
        "-Xcompiler",
        "-Wall,-Wextra",
        *machine.options,
        *flags,
        "-o",
        program,
        compiler=machine.compiler,
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
    finished = run(program, on=machine, **environment)
    assert finished.stdout.splitlines() == notes(source, "expect")
    for text in notes(source, "stderr"):
        assert text in finished.stderr
    if not notes(source, "stderr"):
        assert finished.stderr == ""
    assert finished.returncode == int((notes(source, "exit") or ["0"])[0])
