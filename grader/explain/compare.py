"""`make compare-<name> A= B=`: the counters of two versions of a file, side by side."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from cpudevice.model.model import LIMITS
from grader.base.text import time_text
from grader.explain.explain import Explained
from grader.explain.listing import large
from grader.terminal.console import FAILED, emit, plain_table
from grader.timing.diagnose import size_text

CLEAR = 1.02  # ratios nearer to 1 count as equal


@dataclass(frozen=True)
class Counter:
    """A row: the compared value, and the form for printing."""

    name: str
    value: Callable[[Explained], float]
    words: Callable[[float], str] = large


def total(counter: str, *spaces: str) -> Callable[[Explained], float]:
    def value(explained: Explained) -> float:
        lines = (line for kernel in explained.profile.kernels for line in kernel.lines)
        return sum(getattr(line, counter) for line in lines if line.space in spaces)

    return value


def kernels(counter: str) -> Callable[[Explained], float]:
    return lambda explained: sum(getattr(kernel, counter) for kernel in explained.profile.kernels)


def host_bytes(*ops: str) -> Callable[[Explained], float]:
    return lambda explained: sum(op.bytes for op in explained.profile.host if op.op in ops)


def per_block(counter: str) -> Callable[[Explained], float]:
    """The mean over all blocks of all kernels."""

    def value(explained: Explained) -> float:
        found = explained.profile.kernels
        blocks = sum(kernel.blocks for kernel in found)
        return sum(getattr(k, counter) * k.blocks for k in found) / blocks if blocks else 0.0

    return value


def active_lanes(explained: Explained) -> float:
    found = explained.profile.kernels
    issued = sum(kernel.warp_instructions for kernel in found)
    active = sum(k.active_lane_average * k.warp_instructions for k in found)
    return active / issued if issued else 0.0


def plain(value: float) -> str:
    return f"{value:.3g}"


COUNTERS = (
    Counter("modelled time", lambda e: e.estimate.time_ms, time_text),
    Counter("launches", kernels("launches"), plain),
    Counter("blocks", kernels("blocks")),
    Counter("warp instructions", kernels("warp_instructions")),
    Counter("active lanes", active_lanes, plain),
    Counter("global requests", total("requests", "global")),
    Counter("global sectors", total("sectors", "global")),
    Counter("  of these needed", total("ideal_sectors", "global")),
    Counter("shared steps", total("wavefronts", "shared")),
    Counter("  of these needed", total("ideal_wavefronts", "shared")),
    Counter("local bytes", total("bytes", "local"), size_text),
    Counter("from memory", kernels("dram_read_bytes"), size_text),
    Counter("to memory", kernels("dram_write_bytes"), size_text),
    Counter("load phases a block", per_block("load_phases"), plain),
    Counter("barriers a block", per_block("barriers"), plain),
    Counter("same-address atomics", kernels("same_address_atomics")),
    Counter("copied to the device", host_bytes("memcpy_h2d", "prefetch"), size_text),
    Counter("copied to the host", host_bytes("memcpy_d2h", "prefetch_to_host"), size_text),
)


def show_comparison(console: Console, a: Explained, b: Explained) -> None:
    emit(console, Text())
    emit(console, Text.assemble((f" {a.title} · {a.case.name}", "bold")))
    table = plain_table()
    table.add_column("", width=24)
    width = (console.width - 24 - 10) // 2 - 3
    for explained in (a, b):
        table.add_column(tail(explained.file, width), width=width, justify="right", no_wrap=True)
    table.add_column("B / A", width=9, justify="right")
    for counter in COUNTERS:
        values = [counter.value(explained) for explained in (a, b)]
        if any(values):
            ratio = ratio_text(*values)
            table.add_row(f" {counter.name}", *map(counter.words, values), ratio)
    limits = [LIMITS[explained.estimate.limit][0] for explained in (a, b)]
    table.add_row(" bound by", *limits, "")
    emit(console, table)
    for letter, explained in (("A", a), ("B", b)):
        if explained.wrong:
            sentence = f" ✗ the answer of {letter} is wrong: {explained.wrong}"
            emit(console, Text(sentence, style=FAILED))
    emit(console, Text(f" times are modelled: {a.estimate.gpu.name}", style="dim"))


def tail(path: str, width: int) -> str:
    return path if len(path) <= width else "…" + path[1 - width :]


def ratio_text(a: float, b: float) -> Text:
    if not a or not b:
        return Text("–", style="dim")
    ratio = b / a
    if 1 / CLEAR < ratio < CLEAR:
        return Text("=", style="dim")
    return Text(f"× {ratio:.3g}", style="bold")
