"""The parameters of a GPU in the model, read from gpus/<name>.json.

Every entry of the file is {"value": number, "source": "where it comes from"}; the value's unit is
in the entry's name.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.occupancy import MultiprocessorLimits

DIRECTORY = Path(__file__).with_name("gpus")
DEFAULT = "h200"
# The modelled part: a 16th, because the CPU device runs a 16th of the problem that is graded on a
# GPU. Every GPU is modelled at the same share, so that a modelled time is the time of the whole GPU
# on the whole problem. The device that a program sees has 8 multiprocessors, the nearest number to
# 132 / 16.
SLICE = 1 / 16
SLICE_OF = ", a slice of "  # in a slice's name, behind the GPU's


class ModelError(Exception):
    """An unknown GPU, or a profile that cannot be used; one sentence."""


class MissingUnit(ModelError):
    """A kernel uses a unit that the modelled GPU lacks; the text is a clause that names both."""


@dataclass(frozen=True)
class Gpu:
    """A GPU, or a slice of a GPU. Rates are per nanosecond: 1 GB/s is 1 byte/ns."""

    name: str

    architecture: int  # 90 for compute capability 9.0
    multiprocessors: float
    schedulers_per_multiprocessor: int
    threads_per_multiprocessor: int
    blocks_per_multiprocessor: int
    registers_per_multiprocessor: int
    shared_bytes_per_multiprocessor: int
    shared_bytes_reserved_per_block: int
    clock_ghz: float

    # Scheduler time of a counted instruction: the counts are estimates.
    issue_slots: float
    # Clocks for which a warp instruction occupies its pipe of a scheduler.
    int_clocks: float
    fp32_clocks: float
    fp64_clocks: float
    special_clocks: float

    # Multiplications in products of matrices that a multiprocessor does per clock, by the type of
    # the factors (and of the sums, if two types exist); 0: no tensor core for the type.
    matrix_fp16_per_clock: float
    matrix_fp16_fp16_per_clock: float
    matrix_bf16_per_clock: float
    matrix_tf32_per_clock: float
    matrix_int8_per_clock: float
    matrix_fp64_per_clock: float
    matrix_sync_share: float  # of the matrix rates, for WMMA and mma.sync

    dram_mixed_bytes_per_ns: float
    dram_one_way_bytes_per_ns: float
    l2_bytes: float
    l2_bytes_per_ns: float
    l1_line_clocks: float  # of a multiprocessor, for each 128-byte line of a load
    store_lines_per_ns: float  # 128-byte lines, for each store request
    parted_sectors_per_ns: float  # a block writes a part, another block the rest, later
    # blocks that wait for flags of other blocks of the launch, which pass values on
    waiting_blocks_per_ns: float
    same_address_atomics_per_ns: float
    atomic_sectors_per_ns: float  # 32-byte sectors, for each atomic request
    # of a multiprocessor, for an address missing in its first cache
    constant_miss_clocks: float
    heap_calls_per_ns: float  # malloc and free of kernels' threads
    printed_text_us: float  # of the host, for each printf of a kernel's thread
    blocks_per_ns: float  # started, at most

    launch_us: float  # of a launch that occupies all multiprocessors
    block_launch_us: float  # of a launch of a single block
    call_us: float  # around a timed call: from its first event to its last
    head_start_us: float  # how far the host is ahead when a timed call begins
    block_clocks: float
    # A load waits for l1_clocks; for l2_clocks too if the load misses L1; for all three if the load
    # misses L2.
    l1_clocks: float
    l2_clocks: float
    dram_clocks: float
    chain_clocks: float  # for each clock that the virtual clock counts for instructions
    barrier_clocks: float
    # How well parts overlap: 1 not at all, the larger the better (kernel_time.py).
    overlap_exponent: float  # inside a multiprocessor, and outside
    chain_exponent: float  # issue, and warps' chains of dependent instructions
    # Inside and outside: 1 + sides_overlap * groups of warps ^ sides_overlap_growth.
    sides_overlap: float
    sides_overlap_growth: float

    api_us: float  # a call that only queues work
    submit_us: float  # until the device receives what the host issued
    handoff_us: float  # from kernels to copies of the same stream, or back
    sync_us: float  # until the host notices that the device is done
    malloc_us: float
    free_us: float
    malloc_host_us: float
    pinning_bytes_per_ns: float  # finding, clearing and pinning pages of the host
    unpinning_bytes_per_ns: float
    registering_bytes_per_ns: float  # pinning pages that are in use
    unregistering_bytes_per_ns: float
    copy_us: float
    pinned_bytes_per_ns: float
    pageable_bytes_per_ns: float
    host_copy_bytes_per_ns: float  # a single thread of the host, memory to memory
    host_memory_bytes_per_ns: float  # all threads together
    fault_bytes_per_ns: float  # managed memory, page by page
    prefetch_bytes_per_ns: float
    thread_start_us: float  # of the host, one after the other
    thread_wake_us: float  # until a started thread runs
    thread_join_us: float

    share: float = 1.0  # of the named GPU: less than 1 for a slice

    @property
    def whole_name(self) -> str:
        """The GPU's name, also of a slice."""
        return self.name.partition(SLICE_OF)[0]

    @property
    def limits(self) -> MultiprocessorLimits:
        """The limits on the number of blocks of a multiprocessor."""
        return MultiprocessorLimits(
            architecture=self.architecture,
            threads=self.threads_per_multiprocessor,
            blocks=self.blocks_per_multiprocessor,
            registers=self.registers_per_multiprocessor,
            shared_bytes=self.shared_bytes_per_multiprocessor,
            shared_bytes_reserved=self.shared_bytes_reserved_per_block,
        )

    def slice(self, share: float = SLICE) -> Gpu:
        """A part of the GPU, with the same share of everything that the GPU's multiprocessors
        share.

        Rates per multiprocessor stay the same, and so do the costs of a call.
        """
        if share == 1:
            return self
        scaled = {name: getattr(self, name) * share for name in ("multiprocessors", *SHARED_RATES)}
        name = (
            f"{self.name}{SLICE_OF}{scaled['multiprocessors']:.3g} of its "
            f"{self.multiprocessors:g} multiprocessors"
        )
        return dataclasses.replace(self, **scaled | {"name": name, "share": share})


SHARED_RATES = (
    "dram_mixed_bytes_per_ns",
    "dram_one_way_bytes_per_ns",
    "l2_bytes",
    "l2_bytes_per_ns",
    "store_lines_per_ns",
    "parted_sectors_per_ns",
    "waiting_blocks_per_ns",
    "same_address_atomics_per_ns",
    "atomic_sectors_per_ns",
    "heap_calls_per_ns",
    "blocks_per_ns",
    "pinning_bytes_per_ns",
    "unpinning_bytes_per_ns",
    "registering_bytes_per_ns",
    "unregistering_bytes_per_ns",
    "pinned_bytes_per_ns",
    "pageable_bytes_per_ns",
    "host_copy_bytes_per_ns",
    "host_memory_bytes_per_ns",
    "fault_bytes_per_ns",
    "prefetch_bytes_per_ns",
)


def known_models() -> list[str]:
    return sorted(path.stem for path in DIRECTORY.glob("*.json"))


@functools.cache
def load_gpu(model: str = "") -> Gpu:
    """The whole GPU called `model`: h200, t4 …"""
    model = model or DEFAULT
    if model not in known_models():
        raise ModelError(f'There is no model "{model}": MODEL is {", ".join(known_models())}.')
    stored = json.loads((DIRECTORY / f"{model}.json").read_text())
    values = {name: entry["value"] for name, entry in stored["parameters"].items()}
    return Gpu(name=stored["name"], **values)
