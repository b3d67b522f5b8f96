"""cudacc in a folder with any name, and objects that name nothing outside the folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cpudevice.compiler.cuda import name_for_make
from cpudevice.compiler.tokens import escaped, regions, unescaped

CPUDEVICE = Path(__file__).parents[3] / "cpudevice"
# A structure goes straight to memory: the file is compiled a second time (RESULTS_APART).
KERNEL = """#include "kernel.h"
__global__ void square_kernel(float* x) { x[threadIdx.x] = square(x[threadIdx.x]); }
#ifdef __CUDA_ARCH__
__device__ int side = 1;
#endif
"""
HEADER = "__device__ inline float square(float x) { return x * x; }\n"
WRONG = "__global__ void k(int* x) { *x = 1 }\n"
NAMES = ["größe", "a#b$c%d&e;f'g~h@i,j=k{l}^(m)[n]"]


@pytest.fixture(params=NAMES)
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path / request.param
    for part in ("compiler", "include"):
        shutil.copytree(CPUDEVICE / part, folder / "cpudevice" / part)
    shutil.copy2(CPUDEVICE / "cudacc", folder / "cpudevice" / "cudacc")
    (folder / "kernel.cu").write_text(KERNEL)
    (folder / "kernel.h").write_text(HEADER)
    (folder / "wrong.cu").write_text(WRONG)
    return folder


def compile_in(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    names = [f"-fdebug-prefix-map={folder}=.", f"-fdebug-prefix-map={folder}/="]
    command = ["cpudevice/cudacc", "--graded", *options, *names, "-MD", "-MP", "-c", source]
    environment = {key: value for key, value in os.environ.items() if key != "PWD"}
    environment["CUDACC_BUILD"] = str(folder / "build")
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("mode", [[], ["--sanitize"], ["--profile"]], ids="".join)
def test_a_file_compiles_in_any_folder(folder: Path, mode: list[str]) -> None:
    for source in ("kernel.cu", str(folder / "kernel.cu")):
        done = compile_in(folder, source, *mode, "-o", "kernel.o")
        assert (done.returncode, done.stderr) == (0, "")
        rule = (folder / "kernel.d").read_text()
        assert rule.startswith("kernel.o: kernel.cu cpudevice/include/")
        assert "kernel.h" in rule
        assert folder.name not in rule


@pytest.mark.parametrize("mode", [[], ["--sanitize"], ["--profile"]], ids="".join)
def test_a_folder_can_be_moved_with_its_objects(folder: Path, mode: list[str]) -> None:
    assert compile_in(folder, "kernel.cu", *mode, "-o", "kernel.o").returncode == 0
    for section in (".debug_str", ".debug_line_str"):
        dump = ["objcopy", "--dump-section", f"{section}={folder}/names", "kernel.o", "copy.o"]
        subprocess.run(dump, cwd=folder, check=True)
        # g++ takes the path in -fdebug-prefix-map=path=name to end at the first "=".
        if "=" not in folder.name:
            assert os.fsencode(folder.name) not in (folder / "names").read_bytes()


def test_an_error_names_its_file(folder: Path) -> None:
    done = compile_in(folder, str(folder / "wrong.cu"), "-o", "wrong.o")
    assert done.returncode == 1
    assert f"{folder / 'wrong.cu'}:1:" in done.stderr


def test_a_marker_holds_any_path() -> None:
    for path in ("größe/x.cu", 'a "quoted" name', "back\\slash", "a\udcffb"):
        (region,) = regions(f'# 7 "{escaped(path)}" 1\ncode\n')
        assert (region.file, region.line) == (path, 7)
    assert unescaped(r"gr\303\266\303\237e/x.cu") == "größe/x.cu"


def test_a_path_in_a_rule() -> None:
    assert name_for_make(f"{os.getcwd()}/saxpy/saxpy.h") == "saxpy/saxpy.h"
    assert name_for_make("/a b/c#d$e") == r"/a\ b/c\#d$$e"
