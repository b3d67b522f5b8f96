"""The device's own library, linked into a program of a diagnostic mode."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from device.library import check_defined_names, check_warnings

from cpudevice.compiler.library import Part, compiler, missing_parts, parts_on_link, usual_part
from cpudevice.compiler.options import Options
from cpudevice.compiler.tools import SOURCES

ROOT = Path(__file__).parents[2]
# The program uses strings and vectors, in the same instances as the library.
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


OWN_PARTS = [part for part in parts_on_link() if part.top == SOURCES]


@pytest.mark.parametrize("part", [usual_part(), *OWN_PARTS], ids=lambda part: part.name or "usual")
@pytest.mark.exhaustive
def test_it_compiles_without_a_warning(part: Part, tmp_path: Path) -> None:
    check_warnings(part, tmp_path)


def test_a_compiler_that_fortifies_by_default(tmp_path: Path) -> None:
    """Ubuntu's compiler does, and then longjmp() from a stack to another ends the process."""
    cxx, *options = compiler(Options())
    source = ROOT / "cpudevice" / "src" / "scheduler" / "threads" / "worker.cpp"
    made = tmp_path / "worker.o"
    subprocess.run([cxx, "-D_FORTIFY_SOURCE=2", *options, "-c", source, "-o", made], check=True)
    used = subprocess.run(["nm", made], capture_output=True, text=True, check=True).stdout
    assert "longjmp" in used
    assert "_chk" not in used


@pytest.mark.parametrize("mode", ["sanitize", "profile"])
def test_no_instance_of_a_template_is_lost(mode: str, tmp_path: Path) -> None:
    """A call of a missing instance would be a call of address 0."""
    source, program = tmp_path / "own.cu", tmp_path / "own"
    source.write_text(PROGRAM)
    command = [ROOT / "cpudevice" / "cudacc", f"--{mode}", "-std=c++17", source, "-o", program]
    subprocess.run(command, check=True)
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    assert "__cudacpu_own" in listed
    assert not [line for line in listed.splitlines() if " w __cudacpu_own" in line]
    assert subprocess.run([program], cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("part", OWN_PARTS, ids=lambda part: part.name)
def test_every_name_of_an_archive_is_known(part: Part) -> None:
    check_defined_names(part)


def test_a_misspelt_name_builds_no_archive() -> None:
    assert missing_parts(["reduec(int*, int)", "cuMemGetAddressRange_v2", "main"]) == []
    assert missing_parts(["reduec(int*, int)", "cudaGraphLaunch"]) == OWN_PARTS


@pytest.mark.parametrize(("mode", "made"), [("", "program"), ("-shared", "library.so")])
def test_an_archive_is_built_when_a_program_links_it(mode: str, made: str, tmp_path: Path) -> None:
    source = tmp_path / "graph.cu"
    source.write_text(
        "int main() {\n  cudaGraph_t graph;\n"
        "  return cudaGraphCreate(&graph, 0) + cudaGraphDestroy(graph);\n}\n"
    )
    command = [ROOT / "cpudevice" / "cudacc", "-v", *mode.split(), source, "-o", tmp_path / made]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    linked = re.findall(r"\w+\.a\b", done.stderr.splitlines()[-1])
    assert linked == ["libcudacpu.a", "libcudacpu_graphs.a"]


def test_the_linker_names_what_is_missing(tmp_path: Path) -> None:
    source, program = tmp_path / "misspelt.cu", tmp_path / "misspelt"
    source.write_text("void reduec(int*, int);\nint main() {\n  reduec(nullptr, 0);\n}\n")
    command = [ROOT / "cpudevice" / "cudacc", source, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0 and "reduec" in done.stderr and not program.exists()
