"""The additional time of a kernel with more of one operation: modelled, beside an H200's.

Each program of costs/ states the times of both kernels for 2^24 elements, in us, and how many times
the measured difference the modelled difference may be. The program runs fewer elements, modelled on
the same share of the GPU.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from cpudevice.model.gpu import load_gpu
from cpudevice.model.kernel_time import kernel_time
from cpudevice.model.profile import read_profile

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted(Path(__file__).with_name("costs").glob("*.cu"))
MEASURED = re.compile(r"^// measured: more=(\d+) plain=(\d+)$", re.MULTILINE)
MODELLED = re.compile(r"^// modelled: ([\d.]+)\.\.([\d.]+)$", re.MULTILINE)
ELEMENTS = 1 << 24


def modelled_us(program: Path, folder: Path) -> dict[str, float]:
    """Returns the modelled time of each kernel in microseconds, by the kernel's name."""
    counts = folder / "profile.json"
    environment = {**os.environ, "CUDACPU_PROFILE": str(counts)}
    subprocess.run([program], check=True, timeout=120, env=environment)
    kernels = {kernel.name: kernel for kernel in read_profile(counts).kernels}
    gpu = load_gpu("h200").slice(kernels["plain"].threads / ELEMENTS)
    return {name: kernel_time(kernel, gpu).launch_us for name, kernel in kernels.items()}


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_more_work_costs_about_what_it_costs_on_an_h200(source: Path, tmp_path: Path) -> None:
    program = tmp_path / source.stem
    command = [ROOT / "cpudevice" / "cudacc", "--profile", "--no-check", source, "-o", program]
    subprocess.run(command, check=True, cwd=ROOT)
    times = modelled_us(program, tmp_path)
    more, plain = map(float, MEASURED.search(source.read_text()).groups())
    least, most = map(float, MODELLED.search(source.read_text()).groups())
    share = (times["more"] - times["plain"]) / (more - plain)
    assert least <= share <= most, f"{times} modelled, {more} and {plain} measured"
