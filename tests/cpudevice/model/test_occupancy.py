"""Occupancy: by hand, and beside the arithmetic that NVIDIA publishes with the CUDA toolkit."""

import random
import subprocess
from pathlib import Path

import pytest

from cpudevice.model.gpu import known_models, load_gpu
from cpudevice.model.occupancy import occupancy
from grader.base.device import find_nvcc

HERE = Path(__file__).parent
# The bits of cuda_occupancy.h's limitingFactors.
FACTORS = {"block size": 1, "registers": 2, "shared memory": 4, "blocks": 8}


@pytest.mark.parametrize(
    ("model", "threads", "registers", "shared", "blocks", "share", "limits"),
    [
        # 54 registers · 32 = 1728, in granules of 256: 1792. The 16384 registers of a scheduler
        # hold 9 warps, 36 on the four schedulers: 4 blocks of 8 warps, 32 warps of 64.
        ("h200", 256, 54, 0, 4, 0.5, ("registers",)),
        # 1536 a warp: 10 warps a scheduler, 40 of the four.
        ("h200", 256, 47, 0, 5, 0.625, ("registers",)),
        # 4608 a warp: 3 a scheduler. A block of 8 warps fits into 12.
        ("h200", 256, 137, 0, 1, 0.125, ("registers",)),
        # 32 warps of 4608 are 147456 registers, and a block can have 65536.
        ("h200", 1024, 137, 0, 0, 0.0, ("registers",)),
        ("h200", 1024, 64, 0, 1, 0.5, ("registers",)),
        ("h200", 1024, 65, 0, 0, 0.0, ("registers",)),
        # 5 warps count as 8 in the check of a launch: 8 · 8192 registers are all registers.
        ("h200", 160, 255, 0, 1, 5 / 64, ("registers",)),
        ("h200", 1024, 32, 0, 2, 1.0, ()),
        ("h200", 32, 16, 0, 32, 0.5, ("blocks",)),
        ("h200", 768, 16, 0, 2, 0.75, ("block size",)),
        # 228 KB, 1 KB of each block the driver's: 17.25 KB fit 12 times, 17 KB 13 times.
        ("h200", 128, 32, 16 * 1024 + 256, 13, 52 / 64, ("shared memory",)),
        ("h200", 128, 32, 18 * 1024, 12, 48 / 64, ("shared memory",)),
        ("h200", 128, 32, 228 * 1024, 0, 0.0, ("shared memory",)),
        # In granules of 256 bytes: 4352 fit into 64 KB 15 times.
        ("t4", 32, 32, 4096 + 1, 15, 15 / 32, ("shared memory",)),
        ("t4", 32, 32, 4096, 16, 0.5, ("shared memory", "blocks")),
        ("t4", 1024, 64, 0, 1, 1.0, ()),
        ("rtx3090", 1024, 32, 0, 1, 2 / 3, ("block size",)),
        ("rtx3090", 1024, 40, 0, 1, 2 / 3, ("block size", "registers")),
        ("a100", 1024, 32, 0, 2, 1.0, ()),
    ],
)
def test_by_hand(model, threads, registers, shared, blocks, share, limits):
    found = occupancy(threads, registers, shared, load_gpu(model).limits)
    assert (found.blocks, found.share) == (blocks, pytest.approx(share))
    assert set(found.limits) == set(limits)
    assert found.warps == blocks * -(-threads // 32)


@pytest.fixture(scope="module")
def oracle(tmp_path_factory):
    """Asks cuda_occupancy.h; returns [(blocks, limiting factors)]."""
    nvcc = find_nvcc()
    include = Path(nvcc).resolve().parent.parent / "include" if nvcc else None
    if not include or not (include / "cuda_occupancy.h").is_file():
        pytest.skip("the CUDA toolkit, which has cuda_occupancy.h, is not installed")
    program = tmp_path_factory.mktemp("oracle") / "oracle"
    source = HERE / "occupancy_oracle.cpp"
    subprocess.run(
        ["g++", "-O1", f"-isystem{include}", str(source), "-o", str(program)], check=True
    )

    def ask(questions):
        lines = "\n".join(" ".join(map(str, question)) for question in questions)
        done = subprocess.run(
            [program], input=lines, capture_output=True, text=True, check=True, timeout=60
        )
        return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]

    return ask


@pytest.mark.parametrize("model", known_models())
def test_as_the_toolkit_reckons(oracle, model):
    limits = load_gpu(model).limits
    draw = random.Random(1)
    kernels = [
        (draw.randint(1, 1024), draw.randint(1, 255), draw.choice([0, draw.randint(0, 1 << 18)]))
        for _ in range(5000)
    ]
    device = (limits.architecture, limits.threads, limits.blocks, limits.registers)
    device += (limits.shared_bytes, limits.shared_bytes_reserved)
    answers = oracle([(*device, *kernel) for kernel in kernels])
    assert len(answers) == len(kernels)
    for kernel, (blocks, factors) in zip(kernels, answers, strict=True):
        found = occupancy(*kernel, limits)
        assert found.blocks == blocks, kernel
        if found.share < 1:
            assert sum(FACTORS[name] for name in found.limits) == factors & 15, kernel
