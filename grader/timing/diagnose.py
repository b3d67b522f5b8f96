"""Finds the lines of a profile that cost more than necessary, and the causes.

Every cause has a kind. A part's `cures` in grade.py name the rung that teaches the cure.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

from cpudevice.model.gpu import Gpu
from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.model import Estimate
from cpudevice.model.occupancy import WARP_SIZE
from cpudevice.model.profile import COSTS, SECTOR_BYTES, Example, HostOp, Kernel, Line

SECTORS_PER_LINE = 4
BANKS = 32
BANK_BYTES = 4
# The least share worth a report: of waste in the time of the kernel or the call, and of a diverged
# line's requests in the kernel's requests.
WORTH_SAYING = 0.02
FEW_LANES = 16
# {kind of cost: (term of the model, sentence)}; special functions are the kernel's purpose.
DEAR = {
    "print": ("printing", "prints {count} texts, one after the other, which the host then writes"),
    "heap": (
        "heap",
        "calls malloc or free {count} times: one thread after the other gets its turn",
    ),
}
LARGE_SHARE = 0.15


@dataclass(frozen=True)
class Slowdown:
    """A cause of lost time: at a line of the source, in a whole kernel or in the host's code."""

    kind: str  # uncoalesced, misaligned, bank_conflict, divergence, local_memory, atomics, …
    sentence: str
    lost_us: float  # of the call's modelled time, roughly: losses do not add up
    line: Line | None = None
    kernel: Kernel | None = None


def slowdowns(estimate: Estimate, host: list[HostOp]) -> list[Slowdown]:
    """All causes, the most expensive first."""
    found = []
    for timed in estimate.kernels:
        for line in timed.kernel.lines:
            if line.access in COSTS:
                slowdown = diagnose_cost(line, timed)
            else:
                slowdown = diagnose_line(line, timed, estimate.gpu)
            if slowdown:
                found.append(slowdown)
        if not any(one.kernel is timed.kernel and one.kind == "divergence" for one in found):
            found += parted_warps(timed, estimate)
    found += diagnose_host(estimate, host)
    return sorted(together(found), key=lambda slowdown: -slowdown.lost_us)


def together(found: list[Slowdown]) -> list[Slowdown]:
    """Keeps a slowdown per line and kind: the costliest grid's, with the time of all grids."""
    alike: dict[tuple, list[Slowdown]] = {}
    for one in found:
        line = (one.line.file, one.line.line, one.line.access) if one.line else ()
        key = (one.kind, one.kernel.name if one.kernel else "", *line)
        alike.setdefault(key, []).append(one)
    return [
        replace(max(group, key=lambda one: one.lost_us), lost_us=sum(one.lost_us for one in group))
        for group in alike.values()
    ]


def diagnose_line(line: Line, timed: KernelTime, gpu: Gpu) -> Slowdown | None:
    if not line.requests:
        return None
    kind, sentence = cause_of(line)
    if kind == "divergence" and is_by_one_lane(line, timed.kernel):
        return None
    lost_us = lost_ns(line, gpu) / 1e3
    part, whole = lost_us, timed.launch_us * timed.kernel.launches
    if kind == "divergence":
        # Accesses are counted by line, the instructions of diverged threads in between are not.
        counted = (other for other in timed.kernel.lines if other.access not in COSTS)
        part, whole = line.requests, sum(other.requests for other in counted)
    if not kind or part < WORTH_SAYING * whole:
        return None
    return Slowdown(kind, sentence, lost_us, line, timed.kernel)


def diagnose_cost(line: Line, timed: KernelTime) -> Slowdown | None:
    """A line with prints or heap calls: its share of the kernel's time for all prints or calls."""
    if line.access not in DEAR:
        return None
    term, does = DEAR[line.access]
    whole = sum(other.requests for other in timed.kernel.lines if other.access == line.access)
    lost_us = timed.terms_us.get(term, 0.0) * line.requests / whole * timed.kernel.launches
    if lost_us < WORTH_SAYING * timed.launch_us * timed.kernel.launches:
        return None
    sentence = does.format(count=f"{line.requests:,.0f}")
    return Slowdown(term, sentence, lost_us, line, timed.kernel)


def parted_warps(timed: KernelTime, estimate: Estimate) -> list[Slowdown]:
    """Reports a kernel whose warps diverge most of the time, although no line alone does.

    The instructions between two accesses are counted for the kernel as a whole.
    """
    lanes = timed.kernel.active_lane_average
    busy_us = max(timed.terms_us.get("issue", 0.0), timed.terms_us.get("chain", 0.0))
    lost_us = (1 - lanes / WARP_SIZE) * busy_us * timed.kernel.launches
    if lanes >= FEW_LANES or lost_us < WORTH_SAYING * estimate.time_us:
        return []
    sentence = (
        f"of a warp's {WARP_SIZE} threads {lanes:.1f} are at work on average: the others wait, in "
        "branches and loops that a part of the warp takes"
    )
    return [Slowdown("divergence", sentence, lost_us, kernel=timed.kernel)]


def is_by_one_lane(line: Line, kernel: Kernel) -> bool:
    """Whether a single thread acts for the whole warp, once for each common step."""
    together = (one.requests for one in kernel.lines if one.lanes >= FEW_LANES * one.requests)
    return line.lanes == line.requests <= max(together, default=kernel.warps)


def cause_of(line: Line) -> tuple[str, str]:
    """The kind and the sentence for a line that does more than necessary; else ("", "")."""
    if line.space == "local":
        return "local_memory", local_sentence(line)
    if line.access.startswith("atomic") and line.conflicts > line.requests:
        return "atomics", atomic_sentence(line)
    if line.space == "global" and line.sectors > line.ideal_sectors * 1.05:
        return sector_cause(line)
    if line.space == "shared" and line.wavefronts > line.ideal_wavefronts * 1.05:
        return "bank_conflict", bank_sentence(line)
    if line.space and line.lanes < FEW_LANES * line.requests:
        lanes = line.lanes / line.requests
        sentence = f"only {lanes:.1f} of a warp's {WARP_SIZE} threads take part: the others wait"
        return "divergence", sentence
    return "", ""


def verb(line: Line) -> str:
    if line.access.startswith("atomic"):
        return "update"
    return "write" if line.is_store else "read"


def sector_cause(line: Line) -> tuple[str, str]:
    actual, ideal = line.sectors / line.requests, line.ideal_sectors / line.requests
    word = "sector" if count(actual) == "1" else "sectors"
    counts = f"{count(actual)} {word} per request, {count(ideal)} would do"
    step = stride(line.example)
    if step is None:
        return "uncoalesced", f"the threads of a warp {verb(line)} scattered addresses: {counts}"
    if line.example and step == line.example.bytes:
        first = min(offset for offset in line.example.offsets if offset is not None)
        behind = first % SECTOR_BYTES
        if has_gaps(line.example):
            sentence = f"the threads of a warp that {verb(line)} leave gaps: {counts}"
            return "divergence", sentence
        where = f"{behind} bytes after the start of" if behind else "in the middle of"
        who = "the warp begins" if behind else "some of its requests begin"
        return "misaligned", f"{who} {where} a sector: {counts}"
    sentence = f"neighbouring threads {verb(line)} {abs(step)} bytes apart: {counts}"
    return "uncoalesced", sentence


def bank_sentence(line: Line) -> str:
    actual = count(line.wavefronts / line.requests)
    ideal = count(line.ideal_wavefronts / line.requests)
    steps = f"each request takes {actual} steps, {ideal} would do"
    step = stride(line.example)
    if step is None or line.example is None:
        return f"several threads of a warp {verb(line)} different words of one bank: {steps}"
    words = (offset // BANK_BYTES for offset in line.example.offsets if offset is not None)
    used = len({word % BANKS for word in words})
    banks = "one bank" if used == 1 else f"{used} of the {BANKS} banks"
    return f"neighbouring threads {verb(line)} {abs(step)} bytes apart, all in {banks}: {steps}"


def local_sentence(line: Line) -> str:
    return (
        f"a local variable lives in memory, not in registers ({size_text(line.bytes)} to and fro): "
        "its address is taken, or its index is not known when the kernel is compiled"
    )


def atomic_sentence(line: Line) -> str:
    waiting = line.conflicts / line.requests
    return f"{waiting:.0f} threads of a warp wait for another one's update of the same address"


def has_gaps(example: Example) -> bool:
    """Whether inactive lanes lie between active lanes."""
    active = [lane for lane, offset in enumerate(example.offsets) if offset is not None]
    return active[-1] - active[0] >= len(active)


def stride(example: Example | None) -> int | None:
    """The distance in bytes between neighbouring active lanes, if always the same."""
    if example is None:
        return None
    pairs = pairwise(example.offsets)
    steps = {b - a for a, b in pairs if a is not None and b is not None}
    return steps.pop() if len(steps) == 1 else None


def lost_ns(line: Line, gpu: Gpu) -> float:
    """The line's cost beyond the least cost of the same bytes."""
    if line.space == "shared":
        steps = line.wavefronts - line.ideal_wavefronts
        return steps / (gpu.multiprocessors * gpu.clock_ghz)
    if line.access.startswith("atomic"):
        return line.conflicts / gpu.same_address_atomics_per_ns
    sectors = max(0.0, line.sectors - line.ideal_sectors)
    if line.space == "local":
        sectors = line.sectors
    if line.is_store:
        lines = max(0.0, line.lines128 - line.ideal_sectors / SECTORS_PER_LINE)
        return lines / gpu.store_lines_per_ns
    return sectors * SECTOR_BYTES / gpu.l2_bytes_per_ns


# ---- the host's part of a call ----------------------------------------------------------------


def diagnose_host(estimate: Estimate, host: list[HostOp]) -> list[Slowdown]:
    gpu = estimate.gpu
    found = []
    pageable = sum(o.bytes for o in host if o.op in ("memcpy_h2d", "memcpy_d2h") and not o.pinned)
    if pageable:
        lost_us = pageable * (1 / gpu.pageable_bytes_per_ns - 1 / gpu.pinned_bytes_per_ns) / 1e3
        sentence = (
            f"{size_text(pageable)} are copied between pageable host memory and the device: the "
            "driver passes them through a pinned buffer of its own, and nothing overlaps"
        )
        found.append(Slowdown("pageable", sentence, lost_us))
    faults = sum(op.bytes for op in host if op.op.startswith("managed_fault"))
    if faults:
        lost_us = faults * (1 / gpu.fault_bytes_per_ns - 1 / gpu.prefetch_bytes_per_ns) / 1e3
        sentence = (
            f"{size_text(faults)} of managed memory move page by page, one page fault "
            "after the other"
        )
        found.append(Slowdown("faults", sentence, lost_us))
    pinned = sum(op.bytes for op in host if op.op == "malloc_host")
    calls = sum(op.op.startswith(("malloc", "free")) for op in host)
    lost_us = calls * gpu.malloc_us + pinned / gpu.pinning_bytes_per_ns / 1e3
    if lost_us > LARGE_SHARE * estimate.time_us:
        sentence = f"each call allocates and frees {calls} times, which takes time"
        found.append(Slowdown("allocation", sentence, lost_us))
    busy = [estimate.busy_us.get(engine, 0.0) for engine in ("up", "down", "kernels")]
    idle = sum(busy) - max(busy)
    if min(busy) > 0 and idle > LARGE_SHARE * estimate.time_us and not overlaps(host):
        sentence = "copies in, kernel and copies out follow one another: two of three always wait"
        found.append(Slowdown("no_overlap", sentence, idle))
    return [f for f in found if f.lost_us > WORTH_SAYING * estimate.time_us]


def overlaps(host: list[HostOp]) -> bool:
    return len({op.stream for op in host if op.op.startswith("memcpy") and op.asynchronous}) > 1


# ---- words ------------------------------------------------------------------------------------


def count(value: float) -> str:
    """Formats a count with a decimal, but a whole number without: 4, 4.5, 31.9."""
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def size_text(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.3g} {unit}"
        size /= 1024
    return f"{size:.3g} GiB"
