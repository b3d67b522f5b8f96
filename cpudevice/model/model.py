"""Turns a profile into a modelled time: first each kernel's launch, then the whole call."""

from __future__ import annotations

from dataclasses import dataclass, field

from cpudevice.model.gpu import Gpu, load_gpu
from cpudevice.model.kernel_time import KernelTime, kernel_time
from cpudevice.model.profile import Kernel, Profile
from cpudevice.model.timeline import Span, call_timeline

# The limits of a call, as words for tables and for the end of a sentence that begins "bound by".
LIMITS = {
    "launch": ("launches", "launching: the kernel is over as soon as it has begun"),
    "blocks": ("block starts", "starting blocks: there are many, and each does little"),
    "atomics": ("atomics", "atomics on one address, which are served one after the other"),
    "dram": ("memory", "the bandwidth of the memory"),
    "l2": ("L2 cache", "the bandwidth of the L2 cache"),
    "parted": (
        "split sectors",
        "sectors of which one block writes a part and another one, later, the rest",
    ),
    "handover": (
        "waiting blocks",
        "blocks that wait for flags of other blocks, which pass values on from one to the next",
    ),
    "stores": ("scattered stores", "store requests that touch many 128-byte lines"),
    "shared": ("shared memory", "shared memory and the L1 cache, which serve conflicts in steps"),
    "l1": ("L1 cache", "the L1 cache, which serves a load in as many steps as it touches lines"),
    "issue": ("instructions", "issuing instructions"),
    "fp64": ("double precision", "double-precision arithmetic, for which there are few units"),
    "matrix": ("tensor cores", "products of matrices: the units for them are busy"),
    "special": ("special functions", "sines, exponentials and divisions: there are few units"),
    "scattered": ("scattered atomics", "atomics that fall into many 32-byte sectors"),
    "constants": (
        "constant memory",
        "constant memory, which serves one address at a time: all lanes of a warp should "
        "read the same one",
    ),
    "heap": ("heap", "malloc and free in kernels, which work one after the other"),
    "printing": ("printing", "printing from kernels, which the host writes text by text"),
    "latency": ("latency", "waiting for loads: too few of them are under way at a time"),
    "chain": (
        "dependent instructions",
        "instructions that wait for the one before them: there are too few warps to fill the gaps",
    ),
    "link": ("link", "the link to the host's memory, which the kernel reads or writes itself"),
    "copies": ("copies", "copying between host and device"),
    "host": ("host", "the host: allocating, copying and waiting between launches"),
    "nothing": ("nothing", "nothing: the device is not used"),
}


@dataclass(frozen=True)
class Estimate:
    """The modelled time of a call on a slice of a GPU."""

    gpu: Gpu
    time_us: float
    kernels: list[KernelTime]
    busy_us: dict[str, float]  # host, up, down, kernels
    spans: list[Span] = field(default_factory=list)

    @property
    def time_ms(self) -> float:
        return self.time_us / 1e3

    @property
    def heaviest(self) -> KernelTime | None:
        """The kernel that takes most of the time, over all its launches."""
        return max(self.kernels, key=lambda k: k.launch_us * k.kernel.launches, default=None)

    @property
    def limit(self) -> str:
        """The part that takes most of the time, a key of LIMITS."""
        copies = self.busy_us.get("up", 0) + self.busy_us.get("down", 0)
        running = self.busy_us.get("kernels", 0)
        host = self.busy_us.get("host", 0)
        if max(copies, running, host) <= 0:
            return "nothing"
        if copies >= max(running, host):
            return "copies"
        if host > running and self.time_us > 2 * running:
            return "host"
        if not self.heaviest:
            return "copies"
        binds = self.heaviest.binds
        # The same unit serves shared memory and L1.
        return "l1" if binds == "shared" and not uses_shared_memory(self.heaviest.kernel) else binds


def uses_shared_memory(kernel: Kernel) -> bool:
    return any(line.space == "shared" for line in kernel.lines)


def estimate(profile: Profile, gpu: Gpu | None = None) -> Estimate:
    """The time on `gpu`, by default the slice of the default GPU."""
    gpu = gpu or load_gpu().slice()
    kernels = [kernel_time(kernel, gpu) for kernel in profile.kernels]
    time_us, timeline = call_timeline(profile, kernels, gpu)
    return Estimate(gpu, time_us, kernels, dict(timeline.busy_us), timeline.spans)


def floor_ms(problem_bytes: float, gpu: Gpu) -> float:
    """The least time of a call that moves `problem_bytes`: the bytes beyond the L2 cache cross the
    bus.
    """
    return max(0.0, problem_bytes - gpu.l2_bytes) / gpu.dram_one_way_bytes_per_ns / 1e6
