"""Tests of the CPU device: small CUDA programs, compiled by cudacc, with checked output.

Each program in run/ (to the end), fault/ (until it is stopped) and reject/ (not compiled) states
the expected results in comments:

    // expect: a line of the standard output; all lines, in order
    // stderr: text in the standard error
    // exit: the exit status, 0 if not stated
    // reject: text of the message with which cudacc refuses to compile the program
    // flags: further options for cudacc
    // environment: NAME=value for the run
    // compilers: g++, if the program is for g++ only
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from device_programs import CUDACC, REPOSITORY, TIMEOUT, check_program, cudacc, run
from emulator import Machine

from cpudevice.compiler.flags import NEW_PROCESSOR, is_new_processor

HERE = Path(__file__).resolve().parent
KINDS = ("run", "fault", "reject")
PROGRAMS = [file for kind in KINDS for file in sorted((HERE / kind).glob("*.cu"))]
# Enough programs to know that both compilers take the translator's output.
ALSO_WITH_CLANG = {
    "run/launch_forms", "run/shared_memory", "run/barriers", "run/warps", "run/textures",
    "run/bfloat16", "run/wmma", "run/mma_sync", "run/lockstep", "fault/turns",
}  # fmt: skip
# Compiling these programs takes longer than a minute on a busy machine.
LONG = {"run/ptx_rare"}


def cases() -> list[object]:
    found = []
    for source in PROGRAMS:
        name = f"{source.parent.name}/{source.stem}"
        tier = [pytest.mark.exhaustive] if name in LONG else []
        found.append(pytest.param(source, "g++", id=name, marks=tier))
        if name in ALSO_WITH_CLANG:
            missing = shutil.which("clang++") is None
            skip = pytest.mark.skipif(missing, reason="clang++ is not installed")
            # Clang needs a separate run-time library, whose build takes minutes.
            marks = [skip, pytest.mark.exhaustive]
            found.append(pytest.param(source, "clang++", id=f"{name}-clang", marks=marks))
    return found


@pytest.mark.parametrize(("source", "compiler"), cases())
def test_program(source: Path, compiler: str, tmp_path: Path) -> None:
    check_program(source, Machine(compiler), tmp_path)


def test_separate_files_and_dependencies(tmp_path: Path) -> None:
    (tmp_path / "kernel.h").write_text("void add_one(int* value);\n")
    (tmp_path / "kernel.cu").write_text(
        '#include "kernel.h"\n'
        "__global__ void k(int* v) { *v += 1; }\n"
        "void add_one(int* value) { k<<<1, 1>>>(value); }\n"
    )
    (tmp_path / "main.cpp").write_text(
        '#include "kernel.h"\n#include <cuda_runtime.h>\n'
        "int main() { int* p; cudaMallocManaged(&p, sizeof *p); *p = 41; add_one(p);\n"
        "  cudaDeviceSynchronize(); return *p; }\n"
    )
    for name in ("kernel.cu", "main.cpp"):
        stem = name.split(".")[0]
        done = cudacc(
            "-c", "-MMD", "-MP", tmp_path / name, "-o", tmp_path / f"{stem}.o", "-arch=sm_75"
        )
        assert (done.returncode, done.stderr) == (0, "")
    rule = (tmp_path / "kernel.d").read_text()
    assert rule.startswith(f"{tmp_path / 'kernel.o'}: {tmp_path / 'kernel.cu'}")
    assert f"{tmp_path / 'kernel.h'}:" in rule
    assert "cpudevice/include/cuda_runtime.h" in rule
    assert "/usr/" not in rule
    program = tmp_path / "program"
    done = cudacc(tmp_path / "kernel.o", tmp_path / "main.o", "-lcudart", "-o", program)
    assert (done.returncode, done.stderr) == (0, "")
    assert run(program).returncode == 42


@pytest.mark.parametrize("mode", ["--sanitize", "--profile"])
def test_kernel_that_waits_for_the_host_is_explained(mode: str, tmp_path: Path) -> None:
    program = tmp_path / "program"
    done = cudacc(mode, HERE / "fault" / "waits_for_host.cu", "-o", program)
    assert (done.returncode, done.stderr) == (0, "")
    ran = run(program, CUDACPU_TIMEOUT="0.3")
    assert "runs only without --sanitize and --profile" in ran.stderr
    assert "launch the launch timed out" in ran.stdout


C_PROGRAM = """#include <cuda_runtime.h>
#include <stdio.h>
int main(void) {
  struct cudaDeviceProp properties;
  const enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  const dim3 grid = {1, 2, 3};
  const float4 sent = {1, 2, 3, 4};
  float4 received;
  void* device = NULL;
  cudaStream_t stream;
  cudaError_t error = cudaGetDeviceProperties(&properties, 0);
  const struct cudaExtent extent = make_cudaExtent(5, 6, 7);
  if (error == cudaSuccess) error = cudaMalloc(&device, sizeof(sent));
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, &sent, sizeof(sent), kind, stream);
  cudaMemcpy(&received, device, sizeof(received), cudaMemcpyDeviceToHost);
  printf("%s %g %u %zu\\n", cudaGetErrorString(error), received.w, grid.z, extent.depth);
  cudaStreamDestroy(stream);
  cudaFree(device);
  return properties.name[0] == 0;
}
"""


@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++", marks=pytest.mark.exhaustive)])
def test_a_c_program_may_call_the_runtime(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "program.c").write_text(C_PROGRAM)
    options = ("-Xcompiler", "-Wall,-Wextra", "-o", tmp_path / "program")
    done = cudacc(tmp_path / "program.c", *options, compiler=compiler)
    assert (done.returncode, done.stderr) == (0, "")
    ran = run(tmp_path / "program")
    assert (ran.returncode, ran.stdout) == (0, "no error 4 3 7\n")


def test_shared_library_in_python(tmp_path: Path) -> None:
    source = tmp_path / "library.cu"
    source.write_text(
        "__global__ void reverse(int* v) {\n"
        "  __shared__ int s[64];\n"
        "  s[threadIdx.x] = v[threadIdx.x];\n"
        "  __syncthreads();\n"
        "  v[threadIdx.x] = s[63 - threadIdx.x];\n"
        "}\n"
        'extern "C" int* make() { int* p = 0; cudaMallocManaged(&p, 256); return p; }\n'
        'extern "C" int turn(int* v) { reverse<<<1, 64>>>(v); return cudaDeviceSynchronize(); }\n'
        'extern "C" int fault() { reverse<<<1, 64>>>(0); return cudaDeviceSynchronize(); }\n'
    )
    library = tmp_path / "library.so"
    done = cudacc("-shared", "-Xcompiler", "-fPIC", source, "-o", library)
    assert (done.returncode, done.stderr) == (0, "")
    script = (
        "import ctypes, sys\n"
        "library = ctypes.CDLL(sys.argv[1])\n"
        "library.make.restype = ctypes.POINTER(ctypes.c_int)\n"
        "data = library.make()\n"
        "data[3] = 7\n"
        "print(library.turn(data), data[60], library.fault())\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script, str(library)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert finished.stdout == "0 7 700\n"
    assert "library.cu:3: read address (nil)" in finished.stderr


@pytest.mark.skipif(platform.machine() != "x86_64", reason="others take vectors from any address")
@pytest.mark.parametrize(
    "processor", ["-march=x86-64", *([NEW_PROCESSOR] if is_new_processor() else [])]
)
def test_a_misaligned_vector_is_called_that(processor: str, tmp_path: Path) -> None:
    source, program = tmp_path / "vectors.cu", tmp_path / "vectors"
    source.write_text(
        "__global__ void copy(const float* in, float4* out) {\n"
        "  out[threadIdx.x] = reinterpret_cast<const float4*>(in + 1)[threadIdx.x];\n"
        "}\n"
        "int main() {\n"
        "  float *in, *out;\n"
        "  cudaMalloc(&in, 4096);\n"
        "  cudaMalloc(&out, 4096);\n"
        "  copy<<<1, 32>>>(in, reinterpret_cast<float4*>(out));\n"
        "  return cudaDeviceSynchronize() == cudaErrorMisalignedAddress ? 42 : 1;\n"
        "}\n"
    )
    options = ["-O2", "-Xcompiler", processor]
    assert cudacc(*options, source, "-o", program).returncode == 0
    done = run(program)
    assert done.returncode == 42, done.stderr
    assert "vectors.cu:2: read an address that is not a multiple of 16" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--no-such-option", "a.cu"], "cudacc: the option --no-such-option is not known"),
        (["no_such_file.cu"], "cudacc: no_such_file.cu: no such file"),
        ([], "cudacc: no input files"),
        (["-o"], "cudacc: -o needs a value"),
        (["pyproject.toml"], "cudacc: pyproject.toml: not a .cu, .cpp, .o or .a file"),
        (
            ["-ccbin", "no-such-compiler", "tests/cpudevice/run/barriers.cu"],
            "no-such-compiler is not",
        ),
    ],
)
def test_bad_command_lines(arguments: list[str], message: str) -> None:
    done = subprocess.run([str(CUDACC), *arguments], capture_output=True, text=True, cwd=REPOSITORY)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_cudacc_finds_its_modules_through_links(tmp_path: Path) -> None:
    (tmp_path / "first").symlink_to(CUDACC)
    (tmp_path / "second").symlink_to("first")
    (tmp_path / "compiler").mkdir()
    (tmp_path / "compiler" / "driver.py").write_text("raise SystemExit('not ours')\n")
    for command in (["./second"], [sys.executable, "-I", "second"]):
        done = subprocess.run(
            [*command, "--help"],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": "."},
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Compiles CUDA programs for the CPU")


def test_nothing_is_left_behind_by_a_failed_compilation(tmp_path: Path) -> None:
    source = tmp_path / "bad.cu"
    source.write_text("__global__ void k() { undeclared(); }\nint main() {}\n")
    done = cudacc("-c", source, "-o", tmp_path / "bad.o")
    assert done.returncode == 1
    assert "bad.cu:1:" in done.stderr
    assert not (tmp_path / "bad.o").exists()
