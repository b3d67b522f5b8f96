"""Launches of one kernel that differ in work: each group of alike ones gets its share of counts.

A limit may hold for some launches only. A list of rays that gets shorter from launch to launch is
first limited by arithmetic, and at last by the start of blocks that find nothing to do. The mean of
such launches is no launch that ever was. What is counted is a sum over all launches; it is divided
among the groups in proportion to their warp instructions, which are known for each launch.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from cpudevice.model.profile import Kernel, Line

# Of all launches: proportional to their number.
NUMBERS = ("blocks", "threads", "warps")
# Of all launches: proportional to their work.
SUMS = (
    "warp_instructions",
    "chain_instructions",
    "dram_read_bytes",
    "dram_write_bytes",
    "l1_load_bytes",
    "l2_load_bytes",
    "link_load_bytes",
    "link_store_bytes",
    "same_address_atomics",
    "shuffle_clocks",
    "constant_passes",
    "constant_misses",
    "prints",
    "heap_calls",
    "parted_sectors",
)
TABLES = ("instructions", "matrix_products")
# Means over blocks or warps: proportional to the work of one launch.
MEANS = ("load_phases", "barriers", "sleep_ns", "chain_clocks", "warp_clocks")
# The same of a line of the source: all that it counts.
PLACES = ("file", "line", "access", "example")
COUNTERS = tuple(f.name for f in dataclasses.fields(Line) if f.name not in PLACES)


@dataclass(frozen=True)
class Share:
    """A group's part of all launches, and of what they do."""

    launches: int
    number: float
    work: float

    @property
    def work_of_each(self) -> float:
        return self.work / self.number


def alike_launches(kernel: Kernel) -> list[Kernel]:
    """The kernel's groups of launches, as kernels; the kernel itself if its launches are alike."""
    work = sum(instructions for _, instructions in kernel.launches_by_work)
    if not work:
        return [kernel]
    return [
        group_of(kernel, Share(launches, launches / kernel.launches, instructions / work))
        for launches, instructions in kernel.launches_by_work
    ]


def group_of(kernel: Kernel, share: Share) -> Kernel:
    return dataclasses.replace(
        kernel,
        launches=share.launches,
        launches_by_work=(),
        **scaled(kernel, NUMBERS, share.number),
        **scaled(kernel, SUMS, share.work),
        **scaled(kernel, MEANS, share.work_of_each),
        **{
            name: {unit: count * share.work for unit, count in getattr(kernel, name).items()}
            for name in TABLES
        },
        load_waits=tuple(waits * share.work_of_each for waits in kernel.load_waits),
        lines=[
            dataclasses.replace(line, **scaled(line, COUNTERS, share.work)) for line in kernel.lines
        ],
    )


def scaled(of: Kernel | Line, names: tuple[str, ...], factor: float) -> dict[str, float]:
    return {name: getattr(of, name) * factor for name in names}
