"""How many blocks of a kernel a multiprocessor holds at a time, and which resource limits them.

The rules are those of cudaOccupancyMaxActiveBlocksPerMultiprocessor, as in cuda_occupancy.h of the
CUDA toolkit, for compute capability 7.5 and later.
"""

from __future__ import annotations

from dataclasses import dataclass

WARP_SIZE = 32
THREADS_PER_BLOCK = 1024
REGISTERS_PER_BLOCK = 65536
REGISTERS_PER_THREAD = 255
REGISTER_GRANULE = 256  # per warp
SCHEDULERS = 4  # each has a quarter of the registers, for warps of its own


@dataclass(frozen=True)
class MultiprocessorLimits:
    """The resources of a multiprocessor."""

    architecture: int  # 90 for compute capability 9.0
    threads: int
    blocks: int
    registers: int
    shared_bytes: int
    shared_bytes_reserved: int  # of each block, by the driver

    @property
    def warps(self) -> int:
        return self.threads // WARP_SIZE

    @property
    def shared_granule(self) -> int:
        return 128 if self.architecture >= 80 else 256


@dataclass(frozen=True)
class Occupancy:
    """Blocks that are resident on a multiprocessor; 0 if not even a single block can start."""

    blocks: int
    warps: int
    share: float  # share of the warps that the multiprocessor can hold
    limits: tuple[str, ...]  # the limiting resources; empty if all warps are resident


def occupancy(
    threads: int, registers: int, shared_bytes: int, limits: MultiprocessorLimits
) -> Occupancy:
    """For blocks of `threads` threads, with registers per thread, and static plus dynamic bytes."""
    fits = blocks_that_fit(threads, registers, shared_bytes, limits)
    blocks = min(fits.values())
    warps = blocks * warps_of(threads)
    binding = tuple(name for name, count in fits.items() if count == blocks)
    share = warps / limits.warps
    return Occupancy(blocks, warps, share, () if share == 1 else binding)


def blocks_that_fit(
    threads: int, registers: int, shared_bytes: int, limits: MultiprocessorLimits
) -> dict[str, int]:
    """How many blocks each resource alone would allow."""
    shared = round_up(shared_bytes + limits.shared_bytes_reserved, limits.shared_granule)
    fits = {
        "registers": blocks_by_registers(threads, registers, limits),
        "block size": limits.warps // warps_of(threads) if threads <= THREADS_PER_BLOCK else 0,
        "blocks": limits.blocks,
    }
    return fits | ({"shared memory": limits.shared_bytes // shared} if shared else {})


def blocks_by_registers(threads: int, registers: int, limits: MultiprocessorLimits) -> int:
    warps = warps_of(threads)
    of_a_warp = round_up(max(1, registers) * WARP_SIZE, REGISTER_GRANULE)
    # A launch is checked as if each scheduler had the same number of the block's warps.
    checked = of_a_warp * round_up(warps, SCHEDULERS)
    if registers > REGISTERS_PER_THREAD or checked > REGISTERS_PER_BLOCK:
        return 0
    return limits.registers // SCHEDULERS // of_a_warp * SCHEDULERS // warps


def warps_of(threads: int) -> int:
    return -(-threads // WARP_SIZE)


def round_up(number: int, granule: int) -> int:
    return -(-number // granule) * granule
