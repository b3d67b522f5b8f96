"""The time of a kernel launch: the time of each part of the GPU, and their combination.

    time = launch + handover + max(blocks, atomics, link, together)
    together = norm(q; outside, inside)
    outside = norm(p; memory, stores, scattered, latency)
    inside = norm(p; execution, shared, constants)
    execution = norm(4; max(issue, fp64, special, matrix), chain)
    norm(p; a, b ...) = (a^p + b^p + ...)^(1/p)

Each term is the time that the launch would take if only the named part of the GPU had a limit. A
norm lies between "everything overlaps" (p = infinity) and "nothing does" (p = 1). A scheduler that
has enough warps is hardly ever idle, however long the chains of dependent instructions are; a
scheduler with few warps waits for the longest chain: so of issue and chain the longer counts nearly
alone.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from statistics import NormalDist

from cpudevice.model.gpu import SLICE, Gpu, MissingUnit
from cpudevice.model.occupancy import occupancy, warps_of
from cpudevice.model.profile import SECTOR_BYTES, Kernel

LOADS = ("global_load", "local_load", "texture_load")
# A request takes l1_line_clocks for each of its first four 128-byte lines; the L1 cache then looks
# up LINES_A_STEP of the other lines at a time.
LINES_A_STEP = 4
# Printed texts of kernels are in a buffer of 1 MiB (cudaLimitPrintfFifoSize) until the host writes
# the texts, and the oldest are lost: at most PRINTED_TEXTS texts of 32 bytes, a header and two
# values, are written.
PRINTED_TEXTS = 32768


@dataclass(frozen=True)
class KernelTime:
    """The mean launch of a kernel, in microseconds."""

    kernel: Kernel
    resident_blocks: int  # on a multiprocessor at a time
    terms_us: dict[str, float]
    launch_us: float  # a launch, including its launch cost
    link_us: tuple[float, float]  # how long a launch occupies the link: from the host, to the host

    @property
    def occupancy_warps(self) -> int:
        return self.resident_blocks * warps_of(self.kernel.threads_per_block)

    @property
    def binds(self) -> str:
        """The largest term."""
        return max(self.terms_us, key=self.terms_us.__getitem__)


def resident_blocks(kernel: Kernel, gpu: Gpu) -> int:
    """How many blocks fit on a multiprocessor; at least 1, since the launch was accepted."""
    shared = kernel.static_shared + kernel.dynamic_shared
    return max(1, occupancy(kernel.threads_per_block, kernel.registers, shared, gpu.limits).blocks)


def busy_multiprocessors(kernel: Kernel, gpu: Gpu) -> float:
    """The multiprocessors with a block: a launch of few blocks leaves the others idle."""
    return min(gpu.multiprocessors, kernel.blocks / kernel.launches)


def kernel_time(kernel: Kernel, gpu: Gpu) -> KernelTime:
    resident = resident_blocks(kernel, gpu)
    busy = busy_multiprocessors(kernel, gpu)
    uneven = unevenness_of_blocks(kernel, gpu, resident)
    link_ns = [
        size / gpu.pinned_bytes_per_ns for size in (kernel.link_load_bytes, kernel.link_store_bytes)
    ]
    totals = {
        "blocks": kernel.blocks / gpu.blocks_per_ns,
        "atomics": kernel.same_address_atomics / gpu.same_address_atomics_per_ns,
        "link": max(link_ns),  # the link works in both directions at once
        "heap": kernel.heap_calls / gpu.heap_calls_per_ns,
        "printing": printing_ns(kernel, gpu),
        "dram": dram_ns(kernel, gpu),
        "l2": l2_ns(kernel, gpu),
        "handover": kernel.waiting_blocks / gpu.waiting_blocks_per_ns,
        "parted": kernel.parted_sectors / gpu.parted_sectors_per_ns,
        "stores": kernel.total("lines128", "global_store") / gpu.store_lines_per_ns,
        "scattered": kernel.total("sectors", "atomic_global") / gpu.atomic_sectors_per_ns,
        "shared": uneven * shared_clocks(kernel, gpu) / (busy * gpu.clock_ghz),
        "constants": constant_clocks(kernel, gpu) / (busy * gpu.clock_ghz),
        **issue_ns(kernel, gpu, resident),
        "matrix": matrix_ns(kernel, gpu),
    }
    mean_us = {name: ns / kernel.launches / 1e3 for name, ns in totals.items()}
    mean_us["chain"] = rounds_ns(kernel, gpu, resident, chain_clocks(kernel, gpu)) / 1e3
    mean_us["latency"] = rounds_ns(kernel, gpu, resident, waiting_clocks(kernel, gpu)) / 1e3
    memory = max(mean_us["dram"], mean_us["l2"]) + mean_us["parted"]
    if hands_out_work(kernel):
        # The last piece of handed out work runs alone, at the speed of its own instructions.
        last_us = mean_us["chain"] * (1 - 1 / kernel.imbalance)
        even_us = mean_us["issue"] / unevenness(kernel, gpu, resident)
        mean_us["issue"] = max(mean_us["issue"], even_us + last_us)
    units = max(mean_us[name] for name in ("issue", "fp64", "special", "matrix"))
    execution = norm(gpu.chain_exponent, units, mean_us["chain"])
    waits = (mean_us[name] for name in ("stores", "scattered", "latency"))
    outside = norm(gpu.overlap_exponent, memory, *waits)
    inside = norm(gpu.overlap_exponent, execution, mean_us["shared"], mean_us["constants"])
    together = norm(sides_exponent(kernel, gpu), outside, inside)
    beside = ("blocks", "atomics", "heap", "link", "printing")
    # While blocks wait for each other, no block does anything else.
    body = mean_us["handover"] + max(together, *(mean_us[name] for name in beside))
    launch = launch_us(kernel, gpu)
    terms = {"launch": launch, **mean_us}
    up_us, down_us = (ns / kernel.launches / 1e3 for ns in link_ns)
    return KernelTime(kernel, resident, terms, launch + body, (up_us, down_us))


def norm(exponent: float, *terms_us: float) -> float:
    """The time of overlapping parts: the larger the exponent, the better the overlap."""
    longest = max(terms_us)
    if not longest:
        return 0.0
    return longest * sum((us / longest) ** exponent for us in terms_us) ** (1 / exponent)


def sides_exponent(kernel: Kernel, gpu: Gpu) -> float:
    """How well a multiprocessor's own work overlaps with waits for data from outside.

    Warps that begin together, or meet at barriers, wait at the same time and work at the same time.
    The more independent groups of warps a multiprocessor runs during the launch, side by side and
    one after the other, the more often a group works while another waits. (Hong and Kim, "An
    analytical model for a GPU architecture with memory-level and thread-level parallelism
    awareness", ISCA 2009, have the two limits: all warps in step, and none.)
    """
    groups = max(1.0, kernel.blocks / kernel.launches / gpu.multiprocessors)
    if not kernel.barriers:
        groups *= warps_of(kernel.threads_per_block)
    return 1 + gpu.sides_overlap * groups**gpu.sides_overlap_growth


def launch_us(kernel: Kernel, gpu: Gpu) -> float:
    """The fixed cost of a launch, which is less if some multiprocessors get no block."""
    alone, full = gpu.block_launch_us, gpu.launch_us
    return alone + (full - alone) * busy_multiprocessors(kernel, gpu) / gpu.multiprocessors


def hands_out_work(kernel: Kernel) -> bool:
    """Whether blocks take their work from a counter, at least once each."""
    return kernel.same_address_atomics >= kernel.blocks


def dram_ns(kernel: Kernel, gpu: Gpu) -> float:
    """Reads and writes together use the bus less well than either alone."""
    read, written = kernel.dram_read_bytes, kernel.dram_write_bytes
    both = 2 * min(read, written)
    one_way = abs(read - written)
    return both / gpu.dram_mixed_bytes_per_ns + one_way / gpu.dram_one_way_bytes_per_ns


def l2_ns(kernel: Kernel, gpu: Gpu) -> float:
    """The L2 cache's time for loads; stores that touch many lines have a limit of their own."""
    return kernel.l2_load_bytes / gpu.l2_bytes_per_ns


def shared_clocks(kernel: Kernel, gpu: Gpu) -> float:
    """Clocks of the unit that serves shared memory, shuffles, textures and loads."""
    shared = sum(line.wavefronts for line in kernel.lines if line.space in ("shared", "texture"))
    loads = [line for line in kernel.lines if line.access in ("global_load", "local_load")]
    missed = share(kernel.l2_load_bytes, kernel.l1_load_bytes)
    each = missed + (1 - missed) / LINES_A_STEP
    for line in loads:
        others = line.lines128 - line.first_lines128
        shared += max(line.first_lines128 * gpu.l1_line_clocks + others * each, line.lookups)
    return shared + kernel.shuffle_clocks


def constant_clocks(kernel: Kernel, gpu: Gpu) -> float:
    """Each address of a request takes a pass, except the first, which the instruction includes."""
    more = max(0.0, kernel.constant_passes - kernel.total("requests", "constant_load"))
    return more + kernel.constant_misses * gpu.constant_miss_clocks


def printing_ns(kernel: Kernel, gpu: Gpu) -> float:
    """Each text is put into a common buffer; the host writes the texts that remain in the
    buffer.
    """
    taking = kernel.prints / gpu.same_address_atomics_per_ns
    written = min(kernel.prints, PRINTED_TEXTS * kernel.launches)
    return taking + written * gpu.printed_text_us * 1e3


def issue_ns(kernel: Kernel, gpu: Gpu, resident: int) -> dict[str, float]:
    """The schedulers' issue, and the pipes with less than a lane per thread.

    The launch takes as long as the busiest scheduler or multiprocessor.
    """
    per_ns = busy_multiprocessors(kernel, gpu) * gpu.schedulers_per_multiprocessor * gpu.clock_ghz
    per_ns /= unevenness(kernel, gpu, resident)
    counts = kernel.instructions
    busy = (
        kernel.warp_instructions * gpu.issue_slots,
        counts.get("int", 0) * gpu.issue_slots * gpu.int_clocks,
        counts.get("fp32", 0) * gpu.fp32_clocks,
    )
    return {
        "issue": max(busy) / per_ns,
        "fp64": counts.get("fp64", 0) * gpu.fp64_clocks / per_ns,
        "special": counts.get("special", 0) * gpu.special_clocks / per_ns,
    }


def unevenness(kernel: Kernel, gpu: Gpu, resident: int) -> float:
    """The work of the busiest scheduler, divided by the mean.

    If blocks differ in work, so do multiprocessors, but less the more blocks they hold. Work that
    is handed out is the same for all multiprocessors.
    """
    return max(
        unevenness_of_blocks(kernel, gpu, resident), unevenness_of_warps(kernel, gpu, resident)
    )


def unevenness_of_blocks(kernel: Kernel, gpu: Gpu, resident: int) -> float:
    """The work of the busiest multiprocessor, divided by the mean."""
    if hands_out_work(kernel):
        return 1.0
    return 1 + (imbalance_of_blocks(kernel, gpu) - 1) / math.sqrt(resident)


def imbalance_of_blocks(kernel: Kernel, gpu: Gpu) -> float:
    """The time until the last block ends, divided by the time with even shares.

    The profile's last round of blocks was as full as the last round of the whole problem on the
    whole GPU only if the share of the GPU equals the share of the problem. Otherwise all rounds
    count as full. The rest comes from blocks that differ. The whole GPU runs more blocks than its
    slice, and the longest of more blocks is longer.
    """
    per_launch = kernel.blocks / kernel.launches
    rounds = per_launch / kernel.slots
    filling = min(kernel.imbalance, math.ceil(rounds) / rounds) if rounds > 1 else 1.0
    differing = 1 + (kernel.imbalance / filling - 1) * longer_on_all(
        min(kernel.slots, per_launch), gpu
    )
    same_share = rounds <= 1 or math.isclose(gpu.share, SLICE, rel_tol=0.1)
    return differing * filling if same_share else differing


def longer_on_all(count: float, gpu: Gpu) -> float:
    """How much further the largest value of the whole GPU is above the mean than the largest value
    of the slice.

    `count`: the values of the slice.
    """
    return expected_largest(count / gpu.share) / expected_largest(count) if count >= 2 else 1.0


def unevenness_of_warps(kernel: Kernel, gpu: Gpu, resident: int) -> float:
    """The work of a scheduler whose warps happen to have the longest work, divided by the mean.

    A warp stays with its scheduler, however busy the scheduler is and however idle the others are.
    The slowest warp of a block shows how much warps differ, if their work is normally distributed.
    A block that ends is replaced where there is room, and a piece of work that is handed out goes
    to a warp that has time: so of several rounds or pieces only the last is uneven. Warps that meet
    at barriers differ in other ways, by their tasks.
    """
    in_block = warps_of(kernel.threads_per_block)
    if in_block == 1 or kernel.barriers or not kernel.warp_clocks:
        return 1.0
    slowest = kernel.chain_clocks / kernel.warp_clocks
    deviation = max(0.0, slowest - 1) / expected_largest(in_block)
    schedulers = busy_multiprocessors(kernel, gpu) * gpu.schedulers_per_multiprocessor
    blocks = kernel.blocks / kernel.launches
    rounds = max(1.0, blocks / (gpu.multiprocessors * resident))
    warps = max(1.0, blocks * in_block / rounds / schedulers)  # of a scheduler at a time
    pieces = rounds
    if hands_out_work(kernel):
        # Each warp asks once more than it gets.
        pieces *= max(1.0, kernel.same_address_atomics / kernel.warps - 1)
    busiest = deviation / math.sqrt(warps) * expected_largest(schedulers / gpu.share)
    return 1 + min(busiest / pieces, max(0.0, slowest - 1))


def expected_largest(count: float) -> float:
    """The largest of `count` normally distributed values, in standard deviations above their mean.

    The usual approximation of order statistics: 1.43 of 8 values, 3.04 of 528.
    """
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25)) if count > 1 else 0.0


def matrix_ns(kernel: Kernel, gpu: Gpu) -> float:
    """The tensor cores, with blocks shared evenly among them."""
    clocks = 0.0
    for unit, multiplications in kernel.matrix_products.items():
        rate = getattr(gpu, f"matrix_{unit}_per_clock") * gpu.matrix_sync_share
        if not rate:
            raise MissingUnit(f"{gpu.whole_name} has no tensor cores for {unit}")
        clocks += multiplications / rate
    return clocks / (busy_multiprocessors(kernel, gpu) * gpu.clock_ghz)


def load_clocks(kernel: Kernel, gpu: Gpu) -> float:
    """The waits for loads of the slowest warp of a block.

    A phase ends when its last load arrives. A load that misses the L1 cache takes longer, and a
    load that misses the L2 cache too takes longer still.
    """
    to_l2 = gpu.l1_clocks + gpu.l2_clocks
    clocks = (gpu.l1_clocks, to_l2, to_l2 + gpu.dram_clocks)
    on_their_way = waits_for_sectors_on_their_way(kernel)
    return sum(map(operator.mul, kernel.load_waits, clocks)) + on_their_way * gpu.dram_clocks


def waits_for_sectors_on_their_way(kernel: Kernel) -> float:
    """The phases of a block that wait for memory although the profile found their data in L2.

    Sectors come from memory in pairs. The profile runs one block after the other, so if two blocks
    need a sector each, only the first block waits for memory. On a GPU the blocks run side by side,
    and the second request has to wait for the first block's data. (Simulators call the wait "hit
    reserved".) Requests to L2 beyond the bytes that come from memory were hits on earlier data, and
    explain as many phases.
    """
    _, in_l2, in_memory = kernel.load_waits
    again = max(0.0, kernel.l2_load_bytes - kernel.dram_read_bytes) / SECTOR_BYTES
    return min(in_memory, max(0.0, in_l2 - again / max(1.0, kernel.blocks)))


def share(part: float, whole: float) -> float:
    """At most 1: memory is read in pairs of sectors."""
    return min(1.0, part / whole) if whole else 0.0


def waiting_clocks(kernel: Kernel, gpu: Gpu) -> float:
    """The time that a block waits during its life: the time of its slowest warp."""
    waiting = gpu.block_clocks + load_clocks(kernel, gpu)
    waiting += gpu.clock_ghz * kernel.sleep_ns
    return waiting + gpu.barrier_clocks * kernel.barriers


def chain_clocks(kernel: Kernel, gpu: Gpu) -> float:
    """The dependent instructions of a block's slowest warp."""
    return gpu.chain_clocks * kernel.chain_clocks * kernel.dependent_share


def rounds_ns(kernel: Kernel, gpu: Gpu, resident: int, clocks: float) -> float:
    """The time of `clocks` clocks of each block's life, in rounds of resident blocks."""
    blocks = kernel.blocks / kernel.launches
    rounds = max(1.0, blocks / (gpu.multiprocessors * resident))
    return rounds * clocks * imbalance_of_blocks(kernel, gpu) / gpu.clock_ghz
