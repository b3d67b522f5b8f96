"""Tests of the CPU device's sanitize mode: programs with faults at stated lines, and without.

Each sanitize/*.cu states the findings in comments, and no other finding may appear:

    // finding: race @a @b    the kind, the line that ends in `// @a`, and the other line of a race
    // said: words            words in a sentence of the report; `not said:` words in no sentence
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from device_findings import CUDACC, HERE, REPOSITORY, TIMEOUT, build, check_findings, run
from findings import FOUND

PROGRAMS = sorted((REPOSITORY / "tests" / "cpudevice" / "sanitize").glob("*.cu"))


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.stem)
def test_findings(source: Path, tmp_path: Path) -> None:
    check_findings(source, HERE, tmp_path)


def test_causes_come_before_what_follows_from_them(tmp_path: Path) -> None:
    source = REPOSITORY / "tests" / "cpudevice" / "sanitize" / "causes.cu"
    build(source, tmp_path / "program")
    lines = run(tmp_path / "program", CUDACPU_JSON="1").stdout.splitlines()
    kinds: dict[str, list[str]] = {}
    for entry in map(json.loads, lines):
        kinds.setdefault(entry["kernel"], []).append(entry["kind"])
    assert kinds == {
        "race_then_index": ["race", "bad_access"],
        "unwritten_index": ["uninitialised", "bad_access"],
        "barrier_then_index": ["barrier", "bad_access"],
        "index_then_race": ["bad_access", "race"],
    }


def test_json(tmp_path: Path) -> None:
    source = REPOSITORY / "tests" / "cpudevice" / "sanitize" / "shared_race.cu"
    program = tmp_path / "program"
    build(source, program)
    entries = [json.loads(line) for line in run(program, CUDACPU_JSON="1").stdout.splitlines()]
    assert len(entries) == 2
    race = entries[0]
    assert race["kind"] == "race" and race["kernel"] == "read_after_write"
    assert race["file"] == race["other_file"] == "tests/cpudevice/sanitize/shared_race.cu"
    assert race["block"] == [0, 0, 0] and race["threads"] == "32-63" and race["count"] > 1


def test_crash_keeps_findings(tmp_path: Path) -> None:
    source = tmp_path / "crash.cu"
    source.write_text(
        "__global__ void k(int* p) { p[threadIdx.x + 1] = 1; }\n"
        "int main() { int* p; cudaMalloc(&p, 64); k<<<1, 32>>>(p); *(volatile int*)8 = 1; }\n"
    )
    program, report = tmp_path / "crash", tmp_path / "findings.json"
    subprocess.run([str(CUDACC), "--sanitize", str(source), "-o", str(program)], check=True)
    crashed = run(program, CUDACPU_FINDINGS=str(report))
    assert crashed.returncode < 0
    assert "bad_access" in crashed.stderr
    assert json.loads(report.read_text().splitlines()[0])["kind"] == "bad_access"


# Other ways to end for a program, whose first findings are reported all the same.
ENDINGS = {
    "the host loops forever": "for (;;) {}",
    "the kernel loops forever": "spin<<<1, 1>>>(p); cudaDeviceSynchronize(); abort();",
    "the heap is corrupted": (
        "char* c = (char*)malloc(24); volatile int n = 4096; memset(c - 64, 0x41, n);"
        " free(c); free(malloc(5000)); abort();"
    ),
    "it prints much": 'for (int i = 0; i < 3000000; ++i) puts("all work and no play"); abort();',
    "it runs out of memory": "for (;;) memset(malloc(1 << 24), 1, 1 << 24);",
    "it calls _exit": "_exit(3);",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_findings_so_far_are_told(ending: str, tmp_path: Path) -> None:
    source = tmp_path / "program.cu"
    source.write_text(
        "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <unistd.h>\n"
        "__global__ void k(int* p) { p[threadIdx.x + 1] = 1; }\n"
        "__global__ void spin(volatile int* p) { while (p[0] != 7) {} }\n"
        "int main() { int* p; cudaMalloc(&p, 64); cudaMemset(p, 0, 64); k<<<1, 16>>>(p);"
        f" cudaDeviceSynchronize(); {ENDINGS[ending]} }}\n"
    )
    program, report = tmp_path / "program", tmp_path / "findings.json"
    subprocess.run([str(CUDACC), "--sanitize", str(source), "-o", str(program)], check=True)
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ["prlimit", f"--data={1 << 30}", str(program)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=5,
            env=os.environ | {"CUDACPU_FINDINGS": str(report), "CUDACPU_TIMEOUT": "1"},
        )
    first = json.loads(report.read_text().splitlines()[0])
    assert (first["kind"], first["line"]) == ("bad_access", 5)


def test_a_flood_of_findings_is_capped(tmp_path: Path) -> None:
    """Each line is another cause, and every thread executes all lines."""
    source = tmp_path / "flood.cu"
    races = "\n".join(f"  data[{i}] = threadIdx.x;" for i in range(1000))
    source.write_text(
        f"__global__ void k(volatile int* data) {{\n{races}\n}}\n"
        "int main() { int* p; cudaMalloc(&p, 4000); k<<<64, 256>>>(p); cudaFree(p); }\n"
    )
    program, report = tmp_path / "flood", tmp_path / "findings.json"
    subprocess.run([str(CUDACC), "--sanitize", str(source), "-o", str(program)], check=True)
    done = run(program, CUDACPU_FINDINGS=str(report))
    assert done.returncode == FOUND
    assert len(report.read_text().splitlines()) == 200
    assert "more findings are not shown" in done.stderr


def test_numpy_reads_managed_memory_too_early(tmp_path: Path) -> None:
    """A library without instrumentation, noticed by the protection of pages."""
    source, library = tmp_path / "kernels.cu", tmp_path / "kernels.so"
    source.write_text(
        "__global__ void fill(float* data, int n) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) data[i] = i;\n"
        "}\n"
        'extern "C" float* allocate(int n) {\n'
        "  float* data;\n"
        "  cudaMallocManaged(&data, n * sizeof(float));\n"
        "  return data;\n"
        "}\n"
        'extern "C" void start(float* data, int n) { fill<<<(n + 255) / 256, 256>>>(data, n); }\n'
        'extern "C" void wait() { cudaDeviceSynchronize(); }\n'
        'extern "C" void release(float* data) { cudaFree(data); }\n'
    )
    command = [str(CUDACC), "--sanitize", "-shared", "-Xcompiler", "-fPIC"]
    subprocess.run([*command, str(source), "-o", str(library)], check=True, timeout=TIMEOUT)
    script = (
        "import ctypes, sys, numpy as np\n"
        f"kernels = ctypes.CDLL({str(library)!r})\n"
        "kernels.allocate.restype = ctypes.POINTER(ctypes.c_float)\n"
        "data = kernels.allocate(5000)\n"
        "array = np.ctypeslib.as_array(data, (5000,))\n"
        "array[:] = 0\n"
        "kernels.start(data, 5000)\n"
        "if sys.argv[1] == 'waits': kernels.wait()\n"
        "total = float(array.sum())\n"
        "kernels.wait()\n"
        "del array\n"
        "kernels.release(data)\n"
    )
    found = {}
    for when in ("waits", "hurries"):
        report = tmp_path / f"{when}.json"
        done = subprocess.run(
            [sys.executable, "-c", script, when],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            env=os.environ | {"CUDACPU_FINDINGS": str(report)},
        )
        assert done.returncode == (FOUND if when == "hurries" else 0), done.stderr
        lines = report.read_text().splitlines() if report.exists() else []
        found[when] = [json.loads(line) for line in lines]
    assert found["waits"] == []
    (race,) = found["hurries"]
    assert race["kind"] == "race"
    assert "cudaDeviceSynchronize() is missing" in race["sentence"]
    assert race["other_line"] == 3


def test_needs_gcc(tmp_path: Path) -> None:
    source = REPOSITORY / "tests" / "cpudevice" / "sanitize" / "correct.cu"
    result = subprocess.run(
        [str(CUDACC), "--sanitize", "-ccbin", "clang++", str(source), "-o", str(tmp_path / "x")],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1 and "needs g++" in result.stderr
