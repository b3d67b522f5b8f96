"""Reads a profile from its JSON file; the file is not trusted.

A profile comes from a process that runs a student's code, so every number is checked to be usable
before the model uses the number.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path

from cpudevice.model.gpu import ModelError

FIELDS = Path(__file__).parents[1] / "src" / "profile" / "fields.h"
SECTOR_BYTES = 32
MAX_BYTES = 256 << 20
MATRIX_UNITS = {"fp16", "fp16_fp16", "bf16", "tf32", "int8", "fp64"}
# The costs of a line besides its accesses: a warp's instructions for the special function unit, and
# texts and calls of the heap, of all threads. A cost is stored as the requests of a line without
# bytes.
LEVELS = ("l1", "l2", "memory")  # where a load finds its data
COSTS = {"special", "print", "heap"}
VERSION = 1
# Constants of the virtual clock (cpudevice/src/profile/gpu/clocks.h).
CLOCKS_PER_BLOCK = 150
CLOCKS_PER_LOAD_PHASE = 900
CLOCKS_PER_BARRIER = 400
CLOCKS_PER_INSTRUCTION = 4
CLOCKS_PER_WARP_SYNC = 25
CLOCKS_PER_NS = 2


@dataclass(frozen=True)
class Example:
    """A request of a warp: each lane's offset in its allocation, None for an inactive lane."""

    block: tuple[int, ...]
    warp: int
    bytes: int  # per lane
    offsets: tuple[int | None, ...]


def names_of(table: str) -> tuple[str, ...]:
    """The names of the counters in a list of fields.h, by which the CPU device writes a profile."""
    body = re.search(rf"^#define {table}\(FIELD\).*(?:\n  FIELD.*)+", FIELDS.read_text(), re.M)
    return tuple(re.findall(r"FIELD\((\w+),", body[0]))


KERNEL_SIZES, KERNEL_COUNTS = names_of("KERNEL_SIZES"), names_of("KERNEL_COUNTS")
LINE_COUNTS = names_of("LINE_COUNTS") + names_of("ACCESS_COUNTS")


def counters(name: str, kind: type, names: tuple[str, ...]) -> type:
    """A frozen class with the fields named, which cpudevice/src/profile/README.md explains."""
    return make_dataclass(name, [(counter, kind) for counter in names], frozen=True)


@dataclass(frozen=True)
class Line(counters("LineCounts", float, LINE_COUNTS)):
    """The accesses of a kind from a source line, over all launches."""

    file: str
    line: int
    access: str  # global_load, shared_store, atomic_global, barrier, or a cost: see COSTS
    example: Example | None

    @property
    def space(self) -> str:
        """global, shared, local, constant; "" for an event without memory."""
        first, _, last = self.access.partition("_")
        if first == "atomic":
            return last
        return first if last in ("load", "store") else ""

    @property
    def is_store(self) -> bool:
        return self.access.endswith("_store")


@dataclass(frozen=True)
class Kernel(
    counters("KernelSizes", int, KERNEL_SIZES), counters("KernelCounts", float, KERNEL_COUNTS)
):
    """A kernel with a launch configuration, summed over the launches that do about as much."""

    name: str
    file: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    instructions: dict[str, float]
    dram_read_bytes: float
    dram_write_bytes: float
    l1_load_bytes: float  # requested from the L1 caches
    l2_load_bytes: float  # not found in the L1 caches
    constant_passes: float  # different addresses of requests to constant memory
    constant_misses: float  # of the passes: not found in the first cache of constants
    matrix_products: dict[str, float]  # multiplications, by the type of the factors
    # On the virtual clock, for instructions, without waiting: of a block's slowest warp, and of all
    # warps on average.
    chain_clocks: float
    warp_clocks: float
    dependent_share: float  # of warp_clocks: the rest if only dependent instructions wait
    slots: float  # for blocks, of the profiled device
    imbalance: float  # the time until the last block ends, divided by the time with even shares
    lines: list[Line] = field(default_factory=list)

    @property
    def load_waits(self) -> tuple[float, ...]:
        """Load phases of the warp that waits longest, by the place of the data: LEVELS."""
        return tuple(getattr(self, f"waits_for_{level}") for level in LEVELS)

    @property
    def threads_per_block(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    def total(self, counter: str, *accesses: str) -> float:
        return sum(getattr(line, counter) for line in self.lines if line.access in accesses)


@dataclass(frozen=True)
class HostOp:
    """A call of the host, in the order of its thread."""

    op: str
    bytes: float
    stream: int
    thread: int
    kernel: int | None
    event: int | None
    pinned: bool
    asynchronous: bool
    instructions: float = 0.0  # of the program's own code
    child: int | None = None  # the thread that is started or joined, or runs a host function
    # For a wait for an event of another thread: the thread, and the number of its record.
    recorder: int | None = None
    record: int = 0


@dataclass(frozen=True)
class Profile:
    compiler: str
    kernels: list[Kernel]
    host: list[HostOp]


def read_profile(path: Path) -> Profile:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ModelError("the profile is too long to be one.")
        return parse_profile(json.loads(path.read_text()))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"there is no profile to read: {error}.") from error


def parse_profile(stored: dict) -> Profile:
    try:
        if stored["version"] != VERSION:
            raise ModelError(f"the profile has version {stored['version']!r}, not {VERSION}.")
        kernels = [parse_kernel(kernel) for kernel in stored["kernels"]]
        host = [parse_host(op, len(kernels)) for op in stored["host"]]
        return Profile(str(stored.get("compiler", "")), kernels, host)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ModelError(f"the profile is not of the right form: {error!r}.") from error


def number(value: object) -> float:
    """A count or size; JSON also has NaN, true, negative numbers and 1e999."""
    if type(value) not in (int, float) or not 0 <= value < 1e18:
        raise ValueError(f"{value!r} is no count")
    return value


def extent(values: list) -> tuple[int, ...]:
    x, y, z = (int(number(value)) for value in values)
    return x, y, z


def parse_kernel(stored: dict) -> Kernel:
    sizes = {name: int(number(stored[name])) for name in KERNEL_SIZES}
    counts = {name: number(stored[name]) for name in KERNEL_COUNTS}
    slots = max(1.0, number(stored["schedule"]["slots"]))
    lines = [*map(parse_line, stored["lines"]), *map(parse_cost, stored.get("costs", []))]
    grid, block = extent(stored["grid"]), extent(stored["block"])
    if min(*grid, *block, sizes["launches"]) < 1:
        raise ValueError("a kernel without threads")
    return Kernel(
        name=str(stored["name"]),
        file=str(stored["file"]),
        grid=grid,
        block=block,
        instructions={str(k): number(v) for k, v in stored["instructions"].items()},
        dram_read_bytes=SECTOR_BYTES * number(stored["dram_bytes"]["load_sectors"]),
        dram_write_bytes=SECTOR_BYTES * number(stored["dram_bytes"]["store_sectors"]),
        l1_load_bytes=SECTOR_BYTES * number(stored["l1"]["load_sectors"]),
        l2_load_bytes=SECTOR_BYTES * number(stored["l1"]["missed_sectors"]),
        matrix_products=parse_products(stored.get("matrix_products", {})),
        constant_passes=number(stored["constants"]["passes"]),
        constant_misses=number(stored["constants"]["misses"]),
        chain_clocks=chain_clocks(stored, counts["load_phases"], counts["barriers"]),
        slots=slots,
        imbalance=imbalance(
            stored, counts["blocks"] / sizes["launches"] / slots, sizes["launches"]
        ),
        warp_clocks=warp_clocks(counts, lines),
        dependent_share=dependent_share(counts, lines),
        lines=lines,
        **sizes,
        **counts,
    )


def parse_products(stored: dict) -> dict[str, float]:
    if not set(stored) <= MATRIX_UNITS:
        raise ValueError("products of an unknown type")
    return {unit: number(count) for unit, count in stored.items()}


def chain_clocks(stored: dict, load_phases: float, barriers: float) -> float:
    """The virtual clock's time of a block for its instructions: its life without waiting."""
    waiting = CLOCKS_PER_BLOCK + CLOCKS_PER_LOAD_PHASE * load_phases + CLOCKS_PER_BARRIER * barriers
    return max(0.0, number(stored["schedule"]["mean_lifetime"]) - waiting)


def warp_clocks(counts: dict[str, float], lines: list[Line]) -> float:
    """The virtual clock's time of a warp for its instructions, the mean of all warps."""
    clocks = CLOCKS_PER_INSTRUCTION * counts["warp_instructions"]
    clocks += CLOCKS_PER_WARP_SYNC * sum(one.requests for one in lines if one.access == "warp_sync")
    clocks += sum(one.wavefronts for one in lines if one.space in ("shared", "texture", "constant"))
    asleep = CLOCKS_PER_NS * counts["sleep_ns"]
    return clocks / counts["warps"] + asleep if counts["warps"] else 0.0


def dependent_share(counts: dict[str, float], lines: list[Line]) -> float:
    """The share of a warp's time for its instructions in which the warp waits for the previous
    instruction.
    """
    clocks = warp_clocks(counts, lines) * counts["warps"]
    beside = max(0.0, counts["warp_instructions"] - counts["chain_instructions"])
    return max(0.0, 1 - CLOCKS_PER_INSTRUCTION * beside / clocks) if clocks else 1.0


def imbalance(stored: dict, rounds: float, launches: int) -> float:
    """From the virtual clock, which assigns blocks, and work taken by atomics, to slots.

    `rounds`: how often the blocks of a launch fill the slots.
    """
    schedule = stored["schedule"]
    even = max(1.0, rounds) * number(schedule["mean_lifetime"]) * launches
    return max(1.0, number(schedule["clocks"]) / even) if even else 1.0


def parse_cost(stored: dict) -> Line:
    if stored["kind"] not in COSTS:
        raise ValueError("a cost of an unknown kind")
    place = {"file": stored["file"], "line": stored["line"], "access": stored["kind"]}
    return parse_line({**place, "requests": stored["count"]})


def parse_line(stored: dict) -> Line:
    counts = {name: number(stored.get(name, 0)) for name in LINE_COUNTS}
    # Threads that read the same bytes need fewer sectors than the sum of their needs.
    counts["ideal_sectors"] = min(counts["ideal_sectors"], counts["sectors"])
    return Line(
        file=str(stored["file"]),
        line=int(number(stored["line"])),
        access=str(stored["access"]),
        example=parse_example(stored.get("example")),
        **counts,
    )


def parse_example(stored: dict | None) -> Example | None:
    if not stored:
        return None
    offsets = tuple(None if o is None else int(number(o)) for o in stored["offsets"][:32])
    size, warp = int(number(stored["bytes"])), int(number(stored["warp"]))
    return Example(extent(stored["block"]), warp, size, offsets)


def parse_host(stored: dict, kernels: int) -> HostOp:
    kernel = stored.get("kernel")
    if kernel is not None and not 0 <= int(number(kernel)) < kernels:
        raise ValueError(f"kernel {kernel} of {kernels}")
    event, child, recorder = (stored.get(key) for key in ("event", "child", "recorder"))
    return HostOp(
        op=str(stored["op"]),
        bytes=number(stored.get("bytes") or 0),
        stream=int(number(stored.get("stream") or 0)),
        thread=int(number(stored.get("thread") or 0)),
        kernel=None if kernel is None else int(kernel),
        event=None if event is None else int(number(event)),
        pinned=bool(stored.get("pinned")),
        asynchronous=bool(stored.get("async")),
        instructions=number(stored.get("instructions") or 0),
        child=None if child is None else int(number(child)),
        recorder=None if recorder is None else int(number(recorder)),
        record=int(number(stored.get("record") or 0)),
    )
