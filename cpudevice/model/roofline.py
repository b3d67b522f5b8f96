"""The roofline of a profiled program: how far each kernel is from the modelled GPU's limits.

Integer kernels have no flops, so the work is counted in warp instructions (Ding and Williams, "An
Instruction Roofline Model for GPUs", 2019): instructions per byte of the GPU's memory against
instructions per second. Both come from the CPU device's counts, the time from the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from cpudevice.model.gpu import Gpu
from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.model import Estimate


@dataclass(frozen=True)
class Point:
    """A kernel, with all its launches."""

    name: str
    intensity: float  # warp instructions per byte
    rate: float  # warp instructions per nanosecond
    share: float  # share of the roof above the point, 0 … 1
    of_time: float  # of all kernels' time, 0 … 1
    bound_by: str  # the roof above the point: "memory" or "instructions"


@dataclass(frozen=True)
class Roofline:
    gpu: str
    bytes_per_ns: float
    instructions_per_ns: float
    points: list[Point]
    without_traffic: list[str]  # kernels that neither read nor write the GPU's memory

    @property
    def ridge(self) -> float:
        """The intensity above which instructions are the limit."""
        return self.instructions_per_ns / self.bytes_per_ns

    def roof(self, intensity: float) -> float:
        return min(self.instructions_per_ns, intensity * self.bytes_per_ns)


def roofline(estimate: Estimate) -> Roofline:
    """The kernels of a call on the GPU (or the slice) of the model."""
    gpu = estimate.gpu
    limits = Roofline(gpu.name, gpu.dram_mixed_bytes_per_ns, peak(gpu), [], [])
    total_us = sum(timed.launch_us * timed.kernel.launches for timed in estimate.kernels)
    for timed in estimate.kernels:
        if traffic(timed) and timed.kernel.warp_instructions:
            limits.points.append(point(timed, limits, total_us))
        elif timed.kernel.name not in limits.without_traffic:
            limits.without_traffic.append(timed.kernel.name)
    limits.points.sort(key=lambda one: -one.of_time)
    return limits


def peak(gpu: Gpu) -> float:
    """Counted warp instructions per nanosecond, if every scheduler issues at every clock."""
    slots = gpu.multiprocessors * gpu.schedulers_per_multiprocessor * gpu.clock_ghz
    return slots / gpu.issue_slots


def traffic(timed: KernelTime) -> float:
    return timed.kernel.dram_read_bytes + timed.kernel.dram_write_bytes


def point(timed: KernelTime, limits: Roofline, total_us: float) -> Point:
    kernel = timed.kernel
    time_us = timed.launch_us * kernel.launches
    intensity = kernel.warp_instructions / traffic(timed)
    rate = kernel.warp_instructions / (time_us * 1e3)
    return Point(
        name=kernel.name,
        intensity=intensity,
        rate=rate,
        share=rate / limits.roof(intensity),
        of_time=time_us / total_us,
        bound_by="memory" if intensity < limits.ridge else "instructions",
    )
