"""The time of one kernel launch: what each part of the GPU needs for it, and what that comes to.

    time = launch + max(blocks, atomics, link, together)
    together = (dram^p + stores^p + shared^p + issue^p + latency^p)^(1/p)

Each term is the time that the launch would take if only that part of the GPU had a limit. The sum
with p = 1.5 lies between "everything overlaps" (p = infinity) and "nothing does" (p = 1).
"""

from __future__ import annotations

from dataclasses import dataclass

from cpudevice.model.gpu import Gpu
from cpudevice.model.profile import Kernel

WARP_SIZE = 32
REGISTER_GRANULE = 256  # per warp


@dataclass(frozen=True)
class KernelTime:
    """The mean launch of one kernel, in microseconds."""

    kernel: Kernel
    resident_blocks: int  # on a multiprocessor at a time
    terms_us: dict[str, float]
    launch_us: float  # one launch, its launch cost included
    link_us: tuple[float, float]  # how long it keeps the link busy: from the host, to the host

    @property
    def occupancy_warps(self) -> int:
        return self.resident_blocks * warps_of(self.kernel)

    @property
    def binds(self) -> str:
        """The largest term."""
        return max(self.terms_us, key=self.terms_us.__getitem__)


def warps_of(kernel: Kernel) -> int:
    return -(-kernel.threads_per_block // WARP_SIZE)


def resident_blocks(kernel: Kernel, gpu: Gpu) -> int:
    """How many blocks fit on a multiprocessor; at least 1, since the launch was accepted."""
    warps = warps_of(kernel)
    registers = -(-kernel.registers * WARP_SIZE // REGISTER_GRANULE) * REGISTER_GRANULE
    shared = kernel.static_shared + kernel.dynamic_shared + gpu.shared_bytes_reserved_per_block
    fits = [
        gpu.blocks_per_multiprocessor,
        gpu.threads_per_multiprocessor // (warps * WARP_SIZE),
        gpu.registers_per_multiprocessor // max(1, registers * warps),
        gpu.shared_bytes_per_multiprocessor // max(1, shared),
    ]
    return max(1, min(fits))


def kernel_time(kernel: Kernel, gpu: Gpu) -> KernelTime:
    resident = resident_blocks(kernel, gpu)
    link_ns = [
        size / gpu.pinned_bytes_per_ns for size in (kernel.link_load_bytes, kernel.link_store_bytes)
    ]
    totals = {
        "blocks": kernel.blocks / gpu.blocks_per_ns,
        "atomics": kernel.same_address_atomics / gpu.same_address_atomics_per_ns,
        "link": max(link_ns),  # it works in both directions at once
        "dram": dram_ns(kernel, gpu),
        "l2": l2_ns(kernel, gpu),
        "stores": kernel.total("lines128", "global_store") / gpu.store_lines_per_ns,
        "shared": l1_wavefronts(kernel) / (gpu.multiprocessors * gpu.clock_ghz),
        **issue_ns(kernel, gpu),
    }
    mean_us = {name: ns / kernel.launches / 1e3 for name, ns in totals.items()}
    mean_us["latency"] = latency_ns(kernel, gpu, resident) / 1e3
    memory = max(mean_us["dram"], mean_us["l2"])
    issue = max(mean_us[name] for name in ("issue", "fp64", "special"))
    overlapping = (memory, mean_us["stores"], mean_us["shared"], issue, mean_us["latency"])
    exponent = gpu.overlap_exponent
    together = sum(us**exponent for us in overlapping) ** (1 / exponent)
    body = max(mean_us["blocks"], mean_us["atomics"], mean_us["link"], together)
    terms = {"launch": gpu.launch_us, **mean_us}
    up_us, down_us = (ns / kernel.launches / 1e3 for ns in link_ns)
    return KernelTime(kernel, resident, terms, gpu.launch_us + body, (up_us, down_us))


def dram_ns(kernel: Kernel, gpu: Gpu) -> float:
    """Reads and writes share the bus less well than either alone uses it."""
    read, written = kernel.dram_read_bytes, kernel.dram_write_bytes
    both = 2 * min(read, written)
    one_way = abs(read - written)
    return both / gpu.dram_mixed_bytes_per_ns + one_way / gpu.dram_one_way_bytes_per_ns


def l2_ns(kernel: Kernel, gpu: Gpu) -> float:
    """Loads only: stores that are scattered over many lines have a limit of their own."""
    return kernel.l2_load_bytes / gpu.l2_bytes_per_ns


def l1_wavefronts(kernel: Kernel) -> float:
    """Steps of the unit that serves shared memory, textures and, a 128-byte line a step, loads."""
    shared = sum(line.wavefronts for line in kernel.lines if line.space in ("shared", "texture"))
    return shared + kernel.total("lines128", "global_load", "local_load")


def issue_ns(kernel: Kernel, gpu: Gpu) -> dict[str, float]:
    """The schedulers' issue, and the pipes of which there is less than one lane per thread."""
    per_ns = gpu.multiprocessors * gpu.schedulers_per_multiprocessor * gpu.clock_ghz
    counts = kernel.instructions
    issued = kernel.warp_instructions * gpu.issue_slots
    return {
        "issue": max(issued, counts.get("fp32", 0) * gpu.fp32_clocks) / per_ns,
        "fp64": counts.get("fp64", 0) * gpu.fp64_clocks / per_ns,
        "special": counts.get("special", 0) * gpu.special_clocks / per_ns,
    }


def latency_ns(kernel: Kernel, gpu: Gpu, resident: int) -> float:
    """Rounds of resident blocks times the life of a block; a block lasts as its slowest warp."""
    lifetime = gpu.block_clocks
    lifetime += gpu.load_phase_clocks * kernel.load_phases
    lifetime += gpu.barrier_clocks * kernel.barriers
    blocks = kernel.blocks / kernel.launches
    rounds = max(1.0, blocks / (gpu.multiprocessors * resident))
    return rounds * lifetime * kernel.imbalance / gpu.clock_ghz
