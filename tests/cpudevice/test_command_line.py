"""The options of nvcc that build systems use, and a toolkit beside the CPU device."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cpudevice.compiler.clang_check import find_clang
from cpudevice.compiler.flags import is_new_processor

REPOSITORY = Path(__file__).resolve().parents[2]
CUDACC = REPOSITORY / "cpudevice" / "cudacc"
HEADER = "__device__ int twice(int x);\n"
TWICE = '#include "twice.h"\n__device__ int twice(int x) { return 2 * x; }\n'
MAIN = (
    '#include "twice.h"\n#include <cstdio>\n'
    '__global__ void k(int x) { printf("%d\\n", twice(x)); }\n'
    "int main(int count, char**) { k<<<1, 1>>>(20 + count); return cudaDeviceSynchronize(); }\n"
)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "twice.h").write_text(HEADER)
    (tmp_path / "twice.cu").write_text(TWICE)
    (tmp_path / "main.cu").write_text(MAIN)
    return tmp_path


def cudacc(folder: Path, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(CUDACC), *arguments], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == status, done.stderr
    return done


def test_separate_compilation(program: Path) -> None:
    """The steps of CMake and older Makefiles for device code in several files."""
    cudacc(program, "-dc", "twice.cu", "main.cu", "-odir", ".")
    cudacc(program, "-dlink", "twice.o", "main.o", "-o", "device.obj")
    cudacc(program, "twice.o", "main.o", "device.obj", "-o", "first")
    cudacc(program, "--lib", "twice.o", "-o", "libtwice.a")
    done = cudacc(program, "main.o", "-L.", "-ltwice", "-o", "second", "-run")
    assert done.stdout == "42\n"
    assert subprocess.run([program / "first", "more"], capture_output=True).stdout == b"44\n"


def test_options_about_a_gpu(program: Path) -> None:
    """Options about machine code do not change the program."""
    options = (
        "--default-stream per-thread -Werror all-warnings -dlto --keep-dir . -m 64 -rdc true -O 3 "
        "--ptxas-options -v -Xptxas=-O3 --gpu-architecture=sm_80 -maxrregcount=32 --fmad false "
        "--std c++17 --include-path . --define-macro X=1,Y -Wno-deprecated-gpu-targets "
        "--output-file=made --forward-unknown-to-host-compiler -funroll-loops"
    )
    done = cudacc(program, *options.split(), "twice.cu", "main.cu", "-run", "-run-args", "more")
    assert (done.stdout, done.stderr) == ("44\n", "")
    assert (program / "made").exists()


def test_dependencies_alone(program: Path) -> None:
    rule = cudacc(program, "-MM", "main.cu").stdout
    assert rule.startswith("main.o: main.cu ")
    assert rule.endswith("  twice.h\n")
    assert not (program / "main.o").exists()


def test_version() -> None:
    assert "release 13.0" in cudacc(REPOSITORY, "--version").stdout


def test_code_of_a_gpu_is_refused(program: Path) -> None:
    done = cudacc(program, "--ptx", "main.cu", status=1)
    assert "-ptx asks for GPU code" in done.stderr


def make_toolkit(folder: Path) -> str:
    (folder / "crt").mkdir(parents=True)
    (folder / "crt" / "host_config.h").write_text("#error of the toolkit\n")
    (folder / "cuda_runtime.h").write_text("#error of the toolkit\n")
    (folder / "cufft_new.h").write_text("int cufft_of_the_toolkit;\n")
    return f"-I{folder}"


def test_headers_of_a_toolkit_beside_ours(program: Path) -> None:
    """The device's headers are found first; a message names a header that only the toolkit has."""
    toolkit = make_toolkit(program / "toolkit")
    (program / "host.cpp").write_text("#include <cuda_runtime.h>\ndim3 grid(1);\n")
    assert cudacc(program, toolkit, "twice.cu", "main.cu", "host.cpp", "-run").stdout == "42\n"
    (program / "twice.h").write_text(HEADER + "#include <cufft_new.h>\n")
    done = cudacc(program, toolkit, "-c", "main.cu", status=1)
    assert done.stderr.startswith("twice.h:2: error: the CPU device has no <cufft_new.h>")
    assert "toolkit/cufft_new.h" in done.stderr


def test_a_header_of_cuda_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <cudnn_of_nobody.h>\n")
    done = cudacc(tmp_path, "-c", "a.cu", status=1)
    assert "fatal error: cudnn_of_nobody.h: No such file" in done.stderr
    assert "a.cu:1: note: the CPU device has no <cudnn_of_nobody.h>" in done.stderr
    # A program's own headers are often called so, too.
    (tmp_path / "b.cu").write_text('#include "cuda_check.h"\n')
    assert "note" not in cudacc(tmp_path, "-c", "b.cu", status=1).stderr


def test_messages_point_at_the_lines_of_the_student(tmp_path: Path) -> None:
    (tmp_path / "wrong.cu").write_text(
        "__global__ void kernel(float* x) {\n"
        "  __shared__ float tile[32], other[missing];\n"
        "  x[0] = tile[0];\n"
        "}\n"
        "int main() {\n"
        "\tint* x = nullptr;\n"
        "\tkernel<<<1, 32>>>(x);\n"
        "  return unknown;\n"
        "}\n"
    )
    lines = cudacc(tmp_path, "-c", "wrong.cu", status=1).stderr.splitlines()
    found = {line.split()[0] for line in lines if " error: " in line or " note: " in line}
    assert {"wrong.cu:1:31:", "wrong.cu:2:36:", "wrong.cu:7:20:", "wrong.cu:8:10:"} <= found
    for place, word in (("2 |", "missing"), ("7 |", "x)"), ("1 |", "x)")):
        number = next(n for n, line in enumerate(lines) if line.lstrip().startswith(place))
        marked = lines[number + 1].index("^")
        assert lines[number].find(word, marked - 1) == marked, lines[number : number + 2]


@pytest.mark.skipif(not find_clang(), reason="Clang finds them")
def test_a_value_that_a_variable_never_got(tmp_path: Path) -> None:
    (tmp_path / "sum.cu").write_text(
        "__global__ void sum(const float* x, float* out, int n) {\n"
        "  float all;\n"
        "  for (int i = 0; i < n; ++i) all += x[i];\n"
        "  float last;\n"
        "  if (n > 0) last = x[n - 1];\n"
        "  *out = all + last;\n"
        "}\n"
    )
    assert cudacc(tmp_path, "-c", "sum.cu").stderr.splitlines() == [
        "sum.cu:3:31: warning: variable 'all' is uninitialized when used here [-Wuninitialized]",
        "sum.cu:2:12: note: initialize the variable 'all' to silence this warning",
    ]
    assert cudacc(tmp_path, "-w", "-c", "sum.cu").stderr == ""


@pytest.mark.parametrize("mode", ["--sanitize", "--profile"])
@pytest.mark.parametrize("options", ["a.cu", "--uninstrumented a.cu", "a.cpp"])
def test_a_compiler_that_fortifies_by_default(mode: str, options: str, tmp_path: Path) -> None:
    """Like Ubuntu's: the C library's headers then define memcpy, which the modes define too."""
    compiler = tmp_path / "g++"
    compiler.write_text(f'#!/bin/sh\nexec {shutil.which("g++")} -D_FORTIFY_SOURCE=2 "$@"\n')
    compiler.chmod(0o755)
    source = tmp_path / options.split()[-1]
    source.write_text(
        "#include <string.h>\n#include <sys/mman.h>\n#include <cuda_runtime.h>\n"
        "void copy(char* to, const char* from, size_t n) { memcpy(to, from, n); }\n"
    )
    cudacc(tmp_path, mode, "-ccbin", str(compiler), "-O2", *options.split(), "-c", "-o", "a.o")


@pytest.mark.skipif(not is_new_processor(), reason="this processor has no FMA instructions")
def test_instructions_of_this_processor(tmp_path: Path) -> None:
    """Kernels use the instructions, unless the program has an -march or is graded."""
    (tmp_path / "fused.cu").write_text("__global__ void k(float* x) { *x = fmaf(*x, *x, *x); }\n")
    for options, fused in (("", True), ("-Xcompiler -march=x86-64", False), ("--graded", False)):
        cudacc(tmp_path, *options.split(), "-c", "fused.cu", "-o", "fused.o")
        code = subprocess.run(
            ["objdump", "-d", "fused.o"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert ("vfmadd" in code.stdout) == fused, options


@pytest.mark.skipif(not is_new_processor(), reason="this processor has no FMA instructions")
@pytest.mark.skipif(not shutil.which("qemu-x86_64"), reason="qemu-x86_64 is not installed")
def test_a_processor_without_the_instructions(program: Path) -> None:
    cudacc(program, "twice.cu", "main.cu", "-o", "new")
    done = subprocess.run(
        ["qemu-x86_64", "-cpu", "Nehalem", "./new"], cwd=program, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "compiled on a machine whose processor has AVX2 and FMA instructions" in done.stderr
