"""The CUDA headers: every reader can include each header alone."""

from __future__ import annotations

import pytest
from device.headers import (
    SEARCHED,
    WARNINGS,
    check_in_the_check,
    check_with_clang,
    check_with_gcc,
    compile_text,
    compiler,
    headers_of,
)

from cpudevice.compiler.headers.folders import TABLES, header_text, read_table
from cpudevice.compiler.tools import INCLUDE

HEADERS = headers_of(INCLUDE) + sorted(read_table(TABLES[0].read_text()))


@pytest.mark.parametrize("name", ["g++", "clang++"])
def test_plain_cpp(name: str) -> None:
    """A .cpp file sees the host API and the qualifiers, but no function for kernels only."""
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
@pytest.mark.exhaustive
def test_header_alone(header: str) -> None:
    check_with_gcc(header)


def test_all_headers_clang() -> None:
    check_with_clang(HEADERS)


def test_all_headers_in_the_check() -> None:
    check_in_the_check(HEADERS)


def test_a_table_says_what_a_header_includes() -> None:
    forwards = read_table(
        "<ratio> cudacpu/cuda_std.h\n  cuda/std/ratio\ncuda_fp16.h\n  a.h b.hpp\n"
    )
    assert forwards == {
        "cuda/std/ratio": ["<ratio>", "cudacpu/cuda_std.h"],
        "a.h": ["cuda_fp16.h"],
        "b.hpp": ["cuda_fp16.h"],
    }
    assert header_text("sm_20.h", ["<ratio>", "a.h"]) == (
        '#ifndef __SM_20_H__\n#define __SM_20_H__\n#include <ratio>\n#include "a.h"\n#endif\n'
    )
