"""The device's own library, as it is linked into a program of a diagnostic mode."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

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
