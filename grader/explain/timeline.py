"""A call over time: the host, the copies and the kernels side by side, and the gaps.

Shown if the host or copies take most of the time: a kernel's lines say little then.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.model import Estimate
from cpudevice.model.timeline import Span
from grader.base.text import time_text
from grader.explain.explain import Explained, total_us
from grader.timing.diagnose import size_text

LANES = {
    "host": "host",
    "up": "copies to the device",
    "kernels": "kernels",
    "down": "copies to the host",
}
# The activities of the host and of each engine, by their names in the profile.
DOES = {
    "memcpy_h2h": "copying in its memory",
    "host_copy": "copying in its memory",
    "host_work": "computing",
    "malloc": "cudaMalloc",
    "malloc_managed": "cudaMallocManaged",
    "malloc_host": "cudaMallocHost",
    "free": "cudaFree",
    "free_host": "cudaFreeHost",
    "host_register": "cudaHostRegister",
    "host_unregister": "cudaHostUnregister",
    "launch": "launching",
    "sync": "synchronizing",
    "stream_sync": "synchronizing",
    "event_sync": "synchronizing",
    "thread_start": "starting threads",
    "thread_join": "joining threads",
    "managed_fault": "pages that kernels fault on",
    "managed_first_touch": "pages that kernels fault on",
    "managed_fault_host": "pages that the host faults on",
    "managed_first_touch_host": "pages that the host touches first",
    "prefetch": "prefetching",
    "prefetch_to_host": "prefetching",
    "memset": "cudaMemset",
}
COPIES = ("memcpy_h2d", "memcpy_d2h")
BY_HOST = ("copies", "host")  # what binds a call whose timeline is shown
WORTH_ITS_LINES = 0.05  # of the call's time: a kernel that takes less is shown on the page only
WORTH_NAMING = 0.01
NO_GAP = 0.001  # of the whole: spans with a smaller gap are joined


@dataclass(frozen=True)
class Lane:
    """A row of the timeline; positions are shares of the whole, from 0 to 1."""

    name: str
    busy: str  # the time in words
    does: str  # what the time is used for
    spans: list[tuple[float, float]]


def has_timeline(explained: Explained) -> bool:
    return explained.estimate.limit in BY_HOST


def lanes_of(estimate: Estimate) -> list[Lane]:
    """The rows that are not empty, and last a row for the idle time of the device."""
    end = end_of(estimate)
    spans = [span for span in estimate.spans if span.end_us > max(0.0, span.begin_us)]
    rows = []
    for engine, name in LANES.items():
        own = [span for span in spans if span.engine == engine]
        if own:
            covered = merged(own)
            rows.append(lane(name, covered, what(estimate, own), end))
    idle = gaps(merged(span for span in spans if span.engine != "host"), end)
    if idle:
        rows.append(lane("nothing on the device", idle, "", end))
    return rows


def end_of(estimate: Estimate) -> float:
    return max((span.end_us for span in estimate.spans), default=0.0)


def lane(name: str, covered: list[tuple[float, float]], does: str, end: float) -> Lane:
    busy = sum(last - first for first, last in covered)
    shares = joined([(first / end, last / end) for first, last in covered])
    return Lane(name, time_text(busy / 1e3), does, shares)


def merged(spans: Iterable[Span]) -> list[tuple[float, float]]:
    """The intervals in which any span is active, in order."""
    found: list[tuple[float, float]] = []
    for first, last in sorted((max(0.0, span.begin_us), span.end_us) for span in spans):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return found


def joined(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for first, last in places:
        if found and first - found[-1][1] < NO_GAP:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def gaps(covered: list[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    edges = [0.0, *(edge for span in covered for edge in span), end]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [(first, last) for first, last in pairs if last - first > NO_GAP * end]


def what(estimate: Estimate, spans: list[Span]) -> str:
    """The activities of a row, the longest first: `2 copies of 64 MiB, pageable`."""
    groups: dict[str, list[Span]] = {}
    for span in spans:
        groups.setdefault(doing(estimate, span), []).append(span)
    times = {
        name: sum(span.end_us - max(0.0, span.begin_us) for span in group)
        for name, group in groups.items()
    }
    shown = [name for name in groups if times[name] >= WORTH_NAMING * sum(times.values())]
    shown.sort(key=lambda name: -times[name])
    return ", ".join(in_words(name, groups[name]) for name in shown[:3])


def doing(estimate: Estimate, span: Span) -> str:
    op = span.op
    if span.engine == "kernels" and op.op == "launch":
        return estimate.kernels[op.kernel].kernel.name
    if op.op in COPIES:
        return ("pinned" if op.pinned else "pageable") if span.engine != "host" else "queueing"
    return DOES.get(op.op, "calls that queue work" if span.engine == "host" else op.op)


def in_words(name: str, spans: list[Span]) -> str:
    op = spans[0].op
    if op.op in COPIES and spans[0].engine != "host":
        size = size_text(sum(span.op.bytes for span in spans))
        return f"{size} in {copies_text(len(spans))}, {name}"
    return name if len(spans) == 1 else f"{name} ({len(spans)}×)"


def copies_text(count: int) -> str:
    return "1 copy" if count == 1 else f"{count} copies"


def shown_kernels(explained: Explained) -> list[KernelTime]:
    """The kernels whose lines are worth a look: all kernels if kernels bind the call."""
    if not has_timeline(explained):
        return explained.kernels
    least = WORTH_ITS_LINES * explained.estimate.time_us
    return [timed for timed in explained.kernels if total_us(timed) >= least]


def hidden_kernels(explained: Explained) -> list[str]:
    shown = [timed.kernel.name for timed in shown_kernels(explained)]
    return [timed.kernel.name for timed in explained.kernels if timed.kernel.name not in shown]
