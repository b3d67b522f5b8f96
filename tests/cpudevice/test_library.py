"""The device's own library, as it is linked into a program of a diagnostic mode."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cpudevice.compiler.library import (
    PRELUDE,
    Archive,
    compiler,
    is_rare_name,
    may_be_rare,
    rare_library,
    ready,
    usual_library,
)
from cpudevice.compiler.options import Options

ROOT = Path(__file__).parents[2]
# It has strings and vectors of its own, in the same instances as the library.
PROGRAM = """
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  words.push_back(std::string("a word that is longer than sixteen letters"));
  std::vector<std::vector<std::string>> lists(2, words);
  std::vector<unsigned long> numbers(argc);
  const std::function<size_t()> count = [&] { return lists[1].size() + numbers.size(); };
  return count() == 3 ? 0 : 1;
}
"""


@pytest.mark.parametrize("library", [usual_library, rare_library])
def test_it_compiles_without_a_warning(
    library: Callable[[Options], Archive], tmp_path: Path
) -> None:
    archives = [library(Options(diagnostic=mode)) for mode in ("", "sanitize", "profile")]
    unit_file = tmp_path / "unit.cpp"
    # What two modes share is compiled for one of them.
    units = {unit.target: (unit, one.options) for one in archives for unit in one.units}
    for unit, options in units.values():
        command = [*compiler(options), "-include", PRELUDE, "-fsyntax-only", unit_file]
        unit_file.write_text("".join(f'#include "{source}"\n' for source in unit.sources))
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_compiler_that_fortifies_by_default(tmp_path: Path) -> None:
    """Ubuntu's does, and then longjmp() ends a process that jumps from one stack to another."""
    cxx, *options = compiler(Options())
    source = ROOT / "cpudevice" / "src" / "scheduler" / "threads" / "worker.cpp"
    made = tmp_path / "worker.o"
    subprocess.run([cxx, "-D_FORTIFY_SOURCE=2", *options, "-c", source, "-o", made], check=True)
    used = subprocess.run(["nm", made], capture_output=True, text=True, check=True).stdout
    assert "longjmp" in used
    assert "_chk" not in used


@pytest.mark.parametrize("mode", ["sanitize", "profile"])
def test_no_instance_of_a_template_is_lost(mode: str, tmp_path: Path) -> None:
    """A call of an instance that is missing would be a call of address 0."""
    source, program = tmp_path / "own.cu", tmp_path / "own"
    source.write_text(PROGRAM)
    command = [ROOT / "cpudevice" / "cudacc", f"--{mode}", "-std=c++17", source, "-o", program]
    subprocess.run(command, check=True)
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    assert "__cudacpu_own" in listed
    assert not [line for line in listed.splitlines() if " w __cudacpu_own" in line]
    assert subprocess.run([program], cwd=tmp_path).returncode == 0


def test_every_name_of_the_rare_library_is_known_as_rare() -> None:
    archive = ready(rare_library(Options()))
    command = ["nm", "--defined-only", "--extern-only", "--demangle", archive]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = [line.split(" ", 2)[2] for line in listed.splitlines() if " T " in line]
    assert len(names) > 50
    assert not [name for name in names if not is_rare_name(name)]


@pytest.mark.parametrize("linker", ["undefined symbol: {}", "undefined reference to `{}'"])
def test_a_misspelt_name_builds_no_library(linker: str) -> None:
    for name in ("reduec(int*, int)", "cuMemGetAddressRange_v2", "main"):
        assert not may_be_rare(f"error: {linker.format(name)}\n>>> referenced by a.cu\n")
    for name in ("cudaGraphLaunch", "cuInit", "cudacpu::sample(cudacpu::Texture const&)"):
        assert may_be_rare(f"error: {linker.format(name)}\n>>> referenced by a.cu\n")
    assert may_be_rare("the linker was killed")


def test_the_linker_names_what_is_missing(tmp_path: Path) -> None:
    source, program = tmp_path / "misspelt.cu", tmp_path / "misspelt"
    source.write_text("void reduec(int*, int);\nint main() {\n  reduec(nullptr, 0);\n}\n")
    command = [ROOT / "cpudevice" / "cudacc", source, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and "reduec" in done.stderr and not program.exists()
