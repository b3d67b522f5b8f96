"""The CUDA headers: each can be included by itself, by every reader there is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
INCLUDE = REPOSITORY / "cpudevice" / "include"
FOLDERS = [INCLUDE, INCLUDE / "extras"]
HEADERS = sorted(
    str(path.relative_to(folder))
    for folder in FOLDERS
    for pattern in ("*.h", "cooperative_groups/*.h", "cuda/*", "cuda/std/*")
    for path in folder.glob(pattern)
    if path.is_file()
)
SEARCHED = [f"-I{folder}" for folder in FOLDERS]
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def compile_text(command: list[str], text: str) -> None:
    result = subprocess.run(
        [*command, "-fsyntax-only", "-"], input=text, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stderr


def compiler(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def all_headers() -> str:
    return "".join(f"#include <{header}>\n" for header in HEADERS)


@pytest.mark.parametrize("name", ["g++", "clang++"])
def test_plain_cpp(name: str) -> None:
    """A .cpp file sees the host API and the qualifiers, but nothing that only kernels may call."""
    command = [compiler(name), "-x", "c++", "-std=c++17", *WARNINGS, *SEARCHED]
    host = """
#include <cuda_runtime.h>
__host__ __device__ int twice(int x) { return 2 * x; }
int __syncthreads;  // the name is free
float4 corner = make_float4(1, 2, 3, 4);
int main() {
  float* d_x;
  cudaStream_t stream;
  return cudaMalloc(&d_x, 4) + cudaStreamCreate(&stream) + cudaFree(d_x) + twice(dim3(4).x);
}
"""
    compile_text(command, host)


@pytest.mark.parametrize("header", HEADERS)
def test_header_alone(header: str) -> None:
    defines = ["-D__CUDACC__", "-D__CUDA_ARCH__=900"]
    command = [compiler("g++"), "-x", "c++", "-std=c++17", *WARNINGS, *defines, *SEARCHED]
    compile_text(command, f"#include <{header}>\n")


def test_all_headers_clang() -> None:
    defines = ["-D__CUDACC__", "-D__CUDA_ARCH__=900"]
    command = [compiler("clang++"), "-x", "c++", "-std=c++17", *WARNINGS, *defines]
    compile_text([*command, *SEARCHED], all_headers())


def test_all_headers_in_the_check() -> None:
    """Clang's CUDA front end reads all headers: see cudacpu/attributes.h."""
    command = [compiler("clang++"), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75"]
    command += ["-nocudainc", "-nocudalib", "-std=c++17", *WARNINGS, "-Wno-unknown-cuda-version"]
    command += ["-include", "cuda_runtime.h", *SEARCHED]
    compile_text(command, all_headers())
