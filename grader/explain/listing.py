"""The source of a profiled kernel with counters, for the terminal and for the page."""

from dataclasses import dataclass

from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.model import uses_shared_memory
from cpudevice.model.occupancy import WARP_SIZE
from cpudevice.model.profile import Kernel, Line
from grader.base.text import count_text, digits, time_text
from grader.explain.explain import Explained
from grader.timing.diagnose import Slowdown, count, size_text

# Words for the accesses and the other events of a line.
NAMES = {
    "global_load": "load",
    "global_store": "store",
    "shared_load": "shared load",
    "shared_store": "shared store",
    "local_load": "local load",
    "local_store": "local store",
    "constant_load": "constant load",
    "texture_load": "texture fetch",
    "atomic_global": "atomic",
    "atomic_shared": "shared atomic",
    "barrier": "barrier",
    "warp_sync": "warp sync",
    "matrix_product": "matrix product",
    "special": "special",
    "print": "printing",
    "heap": "malloc, free",
}
TERMS = {
    "launch": "launch",
    "blocks": "block starts",
    "atomics": "atomics",
    "scattered": "scattered atomics",
    "constants": "constant memory",
    "printing": "printing",
    "dram": "memory",
    "parted": "split sectors",
    "handover": "waiting blocks",
    "link": "link to the host",
    "l2": "L2 cache",
    "stores": "store lines",
    "shared": "shared memory and L1",
    "issue": "instructions",
    "fp64": "double precision",
    "special": "special functions",
    "matrix": "tensor cores",
    "heap": "malloc and free",
    "chain": "instruction chains",
    "latency": "latency",
}


@dataclass(frozen=True)
class Cells:
    """A kind of access on a source line, in words."""

    line: Line
    access: str
    requests: str
    lanes: str
    per_request: str
    slowdown: Slowdown | None


@dataclass(frozen=True)
class SourceLine:
    number: int
    text: str
    cells: list[Cells]


def listed(
    explained: Explained, kernel: Kernel, whole: bool = False
) -> dict[str, list[SourceLine]]:
    """{file: lines}: from the kernel's first to the last line with counters; or whole files."""
    by_place: dict[str, dict[int, list[Line]]] = {}
    for line in kernel.lines:
        by_place.setdefault(explained.shown(line.file), {}).setdefault(line.line, []).append(line)
    files = {}
    for file, lines in by_place.items():
        source = explained.source(file)
        first, last = min(lines), max(lines)
        if file == explained.shown(kernel.file):
            first, last = min(first, kernel.line or first), last + 1
        if whole and source:
            first, last = 1, len(source)
        if source:
            last = min(last, len(source))
        files[file] = [
            SourceLine(
                number,
                source[number - 1] if source else "",
                [cells_of(explained, line) for line in lines.get(number, [])],
            )
            for number in range(first, last + 1)
            if source or number in lines
        ]
    return files


def cells_of(explained: Explained, line: Line) -> Cells:
    lanes = f"{count(line.lanes / line.requests)}" if line.lanes else ""
    access = NAMES.get(line.access, line.access.replace("_", " "))
    slowdown = explained.slowdown_at(line)
    return Cells(line, access, large(line.requests), lanes, per_request(line), slowdown)


def per_request(line: Line) -> str:
    """The sectors or steps of a request, and the ideal number: 32 sectors (4)."""
    if not line.requests:
        return ""
    if line.access.startswith("atomic"):
        return f"{count(line.conflicts / line.requests)} wait"
    if line.space in ("global", "local"):
        actual, ideal = line.sectors / line.requests, line.ideal_sectors / line.requests
        word = "sector" if count(actual) == "1" else "sectors"
        return f"{count(actual)} {word} ({count(ideal)})"
    if line.space == "shared":
        actual, ideal = line.wavefronts / line.requests, line.ideal_wavefronts / line.requests
        word = "step" if count(actual) == "1" else "steps"
        return f"{count(actual)} {word} ({count(ideal)})"
    return ""


def large(value: float) -> str:
    """Three digits: 131 k, 4.19 M."""
    for limit, unit in ((1e3, ""), (1e6, " k"), (1e9, " M"), (1e12, " G")):
        if value < limit * 0.9995:
            scaled = value / limit * 1e3
            return f"{scaled:.0f}" if not unit else f"{digits(scaled)}{unit}"
    return f"{value:.3g}"


def facts(timed: KernelTime) -> list[tuple[str, str]]:
    """The facts above a kernel's listing: (name, value)."""
    kernel = timed.kernel
    warps = timed.occupancy_warps
    shared = kernel.static_shared + kernel.dynamic_shared
    instructions = kernel.warp_instructions / max(1, kernel.warps)
    return [
        ("launches", f"{kernel.launches}"),
        ("grid", extent(kernel.grid)),
        ("block", extent(kernel.block)),
        ("shared memory", f"{size_text(shared)} a block" if shared else "none"),
        ("resident", f"{count_text(timed.resident_blocks, 'block')}, {warps} warps"),
        ("instructions", f"{digits(instructions)} a warp"),
        ("active lanes", f"{count(kernel.active_lane_average)} of {WARP_SIZE}"),
        ("load phases", f"{count(kernel.load_phases)} a block"),
        ("barriers", f"{count(kernel.barriers)} a block"),
        ("from memory", size_text(kernel.dram_read_bytes)),
        ("to memory", size_text(kernel.dram_write_bytes)),
    ]


def extent(size: tuple[int, ...]) -> str:
    used = size[: max((i + 1 for i, n in enumerate(size) if n > 1), default=1)]
    return " × ".join(map(str, used))


def terms(timed: KernelTime) -> list[tuple[str, float, str]]:
    """[(name, microseconds, words)]: what each part of the GPU alone would take, largest first."""
    shown = [(name, us) for name, us in timed.terms_us.items() if us > 0.001 * timed.launch_us]
    shown.sort(key=lambda item: -item[1])
    names = TERMS | ({} if uses_shared_memory(timed.kernel) else {"shared": "L1 cache"})
    return [(names[name], us, time_text(us / 1e3)) for name, us in shown]
