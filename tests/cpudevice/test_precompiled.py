"""The CPU device's headers, precompiled: faster, and otherwise as if the text had been read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PROGRAM = """#include <cstdio>
__global__ void hello(int* value) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  *value = s[31 - threadIdx.x];
}
"""


def compile_there(device: Path, source: Path, *flags: str, build: Path | None = None) -> str:
    """The object's code, compiled by the cudacc of a CPU device with a separate build folder."""
    target = source.with_suffix(".o")
    done = subprocess.run(
        [device / "cudacc", *flags, "-c", source, "-o", target],
        env=os.environ | {"CUDACC_BUILD": str(build or source.parent / "build")},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = subprocess.run(["objdump", "-d", target], capture_output=True, text=True, check=True)
    return shown.stdout


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "program.cu"
    file.write_text(PROGRAM)
    return file


@pytest.mark.parametrize("mode", [[], ["--sanitize"], ["--profile"]])
def test_the_code_is_the_same(source: Path, mode: list[str]) -> None:
    device = REPOSITORY / "cpudevice"
    code = compile_there(device, source, *mode)
    assert list((source.parent / "build").rglob("prelude.h.gch"))
    # What defines a macro reads the headers again.
    assert compile_there(device, source, *mode, "-DNO_HEADER_KNOWS=1") == code


def test_a_copy_elsewhere_makes_its_own(source: Path) -> None:
    """Places in the code are places in the copy's own headers; profiles depend on the places."""
    build = source.parent / "build"
    compile_there(REPOSITORY / "cpudevice", source, "--profile")
    copy = shutil.copytree(REPOSITORY / "cpudevice", source.parent / "cpudevice")
    code = compile_there(copy, source, "--profile", "-MD", build=build)
    assert code == compile_there(copy, source, "--profile", build=source.parent / "fresh")
    assert f"{copy}/include/cudacpu/device/warp.h" in source.with_suffix(".d").read_text()


def test_one_that_is_gone_halfway_is_done_without(source: Path) -> None:
    """Another process may delete the file between the preprocessor and the compiler."""
    compiler = source.parent / "g++"
    compiler.write_text(
        f'#!/bin/sh\ncase "$*" in *-fpreprocessed*) rm -f {source.parent}/build/*/*/*/*/*.gch;; '
        f'esac\nexec {shutil.which("g++")} "$@"\n'
    )
    compiler.chmod(0o755)
    code = compile_there(REPOSITORY / "cpudevice", source, "-ccbin", str(compiler))
    assert code == compile_there(REPOSITORY / "cpudevice", source)


def test_a_changed_header_is_read(source: Path) -> None:
    device = shutil.copytree(REPOSITORY / "cpudevice", source.parent / "cpudevice")
    compile_there(device, source)
    with open(device / "include" / "cuda_runtime.h", "a") as header:
        header.write("#define ANSWER 42\n")
    source.write_text("static_assert(ANSWER == 42);\n")
    compile_there(device, source)


def test_without_a_place_for_it_the_text_is_read(source: Path) -> None:
    compile_there(REPOSITORY / "cpudevice", source, build=source / "no_folder")


def test_where_none_can_be_made_the_text_is_read(source: Path) -> None:
    """With a compiler that cannot make a precompiled header, cudacc tries once."""
    compiler, log = source.parent / "g++", source.parent / "tried"
    compiler.write_text(
        f"#!/bin/sh\ncase \"$*\" in *c++-header*) echo >> '{log}'; exit 1;; esac\n"
        f'exec {shutil.which("g++")} "$@"\n'
    )
    compiler.chmod(0o755)
    for _ in range(2):
        compile_there(REPOSITORY / "cpudevice", source, "-ccbin", str(compiler))
    assert log.read_text() == "\n"


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")
def test_what_does_not_fit_clang_any_more_is_made_anew(source: Path) -> None:
    device = REPOSITORY / "cpudevice"
    compile_there(device, source)
    (made,) = (source.parent / "build").rglob("clang.pch")
    for content in (b"", made.read_bytes()[:-1000]):
        made.write_bytes(content)
        compile_there(device, source)
        assert not made.exists()
        compile_there(device, source)
        assert made.exists()


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")
def test_programs_of_all_folders_share_the_one_of_clang(source: Path) -> None:
    elsewhere = source.parent / "elsewhere" / source.name
    elsewhere.parent.mkdir()
    elsewhere.write_text(PROGRAM)
    for file in (source, elsewhere):
        compile_there(REPOSITORY / "cpudevice", file, build=source.parent / "build")
    assert len(list((source.parent / "build").rglob("clang.pch"))) == 1


def test_bytecode_is_kept_where_python_keeps_none(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = shutil.copytree(
        REPOSITORY / "cpudevice",
        source.parent / "cpudevice",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    compile_there(device, source)
    (kept,) = (source.parent / "build" / "bytecode").rglob("driver.*.pyc")
    began = kept.stat().st_mtime_ns
    compile_there(device, source)
    assert kept.stat().st_mtime_ns == began
    assert not list(device.rglob("__pycache__"))
