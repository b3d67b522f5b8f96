"""Compiles the headers for programs, with every compiler in use."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cpudevice.compiler.headers.folders import include_folders

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
IN_KERNELS = ["-D__CUDACC__", "-D__CUDA_ARCH__=900"]
SEARCHED = [f"-I{folder}" for folder in include_folders()]


def headers_of(folder: Path) -> list[str]:
    """The headers of a folder for programs."""
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    names = [str(path) for path in files if path.parts[0] != "cudacpu"]
    return sorted(name for name in names if not name.endswith((".md", ".txt")))


def compiler(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def compile_text(command: list[str], text: str) -> None:
    result = subprocess.run(
        [*command, "-fsyntax-only", "-"], input=text, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr


def including(headers: list[str]) -> str:
    return "".join(f"#include <{header}>\n" for header in headers)


def check_with_gcc(header: str) -> None:
    command = [compiler("g++"), "-x", "c++", "-std=c++17", *WARNINGS, *IN_KERNELS, *SEARCHED]
    compile_text(command, including([header]))


def check_with_clang(headers: list[str]) -> None:
    command = [compiler("clang++"), "-x", "c++", "-std=c++17", *WARNINGS, *IN_KERNELS]
    compile_text([*command, *SEARCHED], including(headers))


def check_in_the_check(headers: list[str]) -> None:
    """Clang's CUDA front end reads the headers: see cudacpu/attributes.h."""
    command = [compiler("clang++"), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75"]
    command += ["-nocudainc", "-nocudalib", "-std=c++17", *WARNINGS, "-Wno-unknown-cuda-version"]
    command += ["-include", "cuda_runtime.h", *SEARCHED]
    compile_text(command, including(headers))
