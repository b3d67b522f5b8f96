"""The time of a whole call: host threads, streams, copy engines and kernels side by side.

Host threads issue the operations of their profile, each on a clock of its own; the thread that is
furthest behind goes next. Work in a stream begins when the host has issued the work, the stream's
earlier work is done and the engine is free. The device has three engines (copies to the device,
copies from the device, and kernels), and each does one thing at a time; a stream needs time to
change from one engine to another; a kernel that accesses the host's memory needs the link that
copies need. The copies of host threads share the host's memory. The rules of the legacy default
stream hold: the default stream waits for the other streams, and they wait for the default stream.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from cpudevice.model.gpu import Gpu
from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.profile import HostOp, Profile

DEFAULT_STREAM = 0
# A host thread runs an instruction in the time of a copy of COPIED_BYTES_PER_INSTRUCTION bytes:
# about three instructions per ns, so that work moved from kernels to the host has a realistic cost.
COPIED_BYTES_PER_INSTRUCTION = 4
HOST_PROCESSORS = 16  # the number of threads that can run at the full rate at the same time


@dataclass(frozen=True)
class Span:
    """An activity on a thread of the host, or on one of the device's engines."""

    engine: str  # "host", "up", "down" or "kernels"
    begin_us: float
    end_us: float
    op: HostOp


@dataclass
class Timeline:
    """Clocks in microseconds; 0 is when the device begins to work on the timed call."""

    gpu: Gpu
    kernels: list[KernelTime]
    hosts: dict[int, float] = field(default_factory=dict)
    streams: dict[int, float] = field(default_factory=lambda: defaultdict(float))
    engines: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    events: dict[tuple[int, int | None], float] = field(default_factory=lambda: defaultdict(float))
    # The times of each thread's records of events, for waits of other threads.
    records: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    functions: dict[int | None, list[HostOp]] = field(default_factory=dict)  # by child
    busy_us: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    spans: list[Span] = field(default_factory=list)  # in the order of issue
    # By stream. Only kernels ran before the call.
    last_engine: dict[int, str] = field(default_factory=lambda: defaultdict(lambda: "kernels"))

    def run(self, ops: list[HostOp]) -> float:
        """Returns the end of everything, from the beginning of the timed call."""
        waiting: dict[int, list[HostOp]] = defaultdict(list)
        for op in ops:
            waiting[op.thread].append(op)
        called = {op.child for op in ops if op.op == "host_function"} - {min(waiting, default=0)}
        self.functions = {child: waiting.pop(child) for child in called if child in waiting}
        first = min(waiting, default=0)
        started = {op.child for op in ops if op.op == "thread_start"}
        for thread in waiting:
            start = -self.gpu.head_start_us
            if thread != first:
                started_before = sorted(waiting).index(thread)
                start += self.gpu.thread_wake_us + self.gpu.thread_start_us * started_before
            # A thread that the call itself starts goes last until its start.
            self.hosts[thread] = math.inf if thread in started else start
        positions = dict.fromkeys(waiting, 0)
        while positions:
            thread = self.next_thread(waiting, positions)
            self.issue(waiting[thread][positions[thread]])
            positions[thread] += 1
            if positions[thread] == len(waiting[thread]):
                del positions[thread]
        # The event after the call is another operation that its host issues.
        last = max(self.hosts.values(), default=-math.inf) + self.gpu.api_us + self.gpu.submit_us
        return max(0.0, last, *self.streams.values())

    def next_thread(self, waiting: dict[int, list[HostOp]], positions: dict[int, int]) -> int:
        """The thread that is furthest behind, without threads that wait for another thread's end,
        or for an event that another thread has not recorded yet.
        """

        def place(thread: int) -> tuple[bool, float, int]:
            op = waiting[thread][positions[thread]]
            waits = op.op == "thread_join" and op.child in positions and op.child != thread
            if op.recorder is not None and op.recorder in positions:
                waits = op.record >= len(self.records[op.recorder])
            return waits, self.hosts[thread], thread

        thread = min(positions, key=place)
        if math.isinf(self.hosts[thread]):  # a profile without the thread's start
            self.hosts[thread] = 0.0
        return thread

    # The operations of the host. Names are those of the profile.

    def issue(self, op: HostOp) -> None:
        getattr(self, f"do_{op.op}", self.do_other)(op)

    def host_works(self, op: HostOp, us: float) -> None:
        begin = self.hosts[op.thread]
        self.hosts[op.thread] += us
        self.spans.append(Span("host", begin, begin + us, op))
        self.busy_us["host"] += us

    def do_other(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.api_us)

    def do_launch(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.api_us)
        timed = self.kernels[op.kernel]
        end = self.enqueue(op, "kernels", timed.launch_us)
        begin = end - timed.launch_us
        for engine, us in zip(("up", "down"), timed.link_us, strict=True):
            if us > 0:
                self.engines[engine] = max(self.engines[engine], begin) + us
                end = max(end, self.engines[engine])
        self.streams[op.stream] = self.engines["kernels"] = end

    def do_memset(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.api_us)
        fill_us = op.bytes / self.gpu.dram_one_way_bytes_per_ns / 1e3
        self.enqueue(op, "kernels", self.gpu.launch_us + fill_us)

    def do_malloc(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.malloc_us)

    def do_malloc_managed(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.malloc_us)

    def do_free(self, op: HostOp) -> None:
        self.wait_for_all(op)
        self.host_works(op, self.gpu.free_us)

    def do_malloc_host(self, op: HostOp) -> None:
        pinning_us = op.bytes / self.gpu.pinning_bytes_per_ns / 1e3
        self.host_works(op, self.gpu.malloc_host_us + pinning_us)

    def do_free_host(self, op: HostOp) -> None:
        self.wait_for_all(op)
        unpinning_us = op.bytes / self.gpu.unpinning_bytes_per_ns / 1e3
        self.host_works(op, self.gpu.free_us + unpinning_us)

    def do_host_register(self, op: HostOp) -> None:
        self.host_works(op, op.bytes / self.gpu.registering_bytes_per_ns / 1e3)

    def do_host_unregister(self, op: HostOp) -> None:
        self.wait_for_all(op)
        self.host_works(op, op.bytes / self.gpu.unregistering_bytes_per_ns / 1e3)

    def do_host_copy(self, op: HostOp) -> None:
        """Copies at a thread's own rate, after the host's memory has served earlier copies."""
        alone_us = op.bytes / self.gpu.host_copy_bytes_per_ns / 1e3
        shared_us = op.bytes / self.gpu.host_memory_bytes_per_ns / 1e3
        begin = self.hosts[op.thread]
        served = max(self.engines.get("host memory", begin), begin) + shared_us
        self.engines["host memory"] = served
        self.host_works(op, max(alone_us, served - begin))

    def do_host_work(self, op: HostOp) -> None:
        """Loops and other computation of the host; threads share its processors."""
        bytes_like = op.instructions * COPIED_BYTES_PER_INSTRUCTION
        alone_us = bytes_like / self.gpu.host_copy_bytes_per_ns / 1e3
        begin = self.hosts[op.thread]
        served = max(self.engines.get("host processors", begin), begin) + alone_us / HOST_PROCESSORS
        self.engines["host processors"] = served
        self.host_works(op, max(alone_us, served - begin))

    def do_thread_start(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.thread_start_us)
        if op.child in self.hosts:
            self.hosts[op.child] = self.hosts[op.thread] + self.gpu.thread_wake_us

    def do_thread_join(self, op: HostOp) -> None:
        if op.child in self.hosts:
            self.host_waits(op, self.hosts[op.child])
        self.host_works(op, self.gpu.thread_join_us)

    def do_sync(self, op: HostOp) -> None:
        self.wait_for_all(op)
        self.host_works(op, self.gpu.sync_us)

    def do_stream_sync(self, op: HostOp) -> None:
        self.host_waits(op, self.ready(op))
        self.host_works(op, self.gpu.sync_us)

    def do_event_record(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.api_us)
        self.events[op.thread, op.event] = self.ready(op)
        self.records[op.thread].append(self.ready(op))

    def recorded(self, op: HostOp) -> float:
        """When the work before the operation's event is done."""
        if op.recorder is None:
            return self.events[op.thread, op.event]
        return next(iter(self.records[op.recorder][op.record :]), 0.0)

    def do_event_sync(self, op: HostOp) -> None:
        self.host_waits(op, self.recorded(op))
        self.host_works(op, self.gpu.sync_us)

    def do_stream_wait(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.api_us)
        self.streams[op.stream] = max(self.streams[op.stream], self.recorded(op))

    def do_host_function(self, op: HostOp) -> None:
        """A thread of the driver notices the end of the stream's work, and runs the function."""
        self.host_works(op, self.gpu.api_us)
        ended = self.ready(op) + self.gpu.sync_us
        if op.child in self.functions:
            self.hosts[op.child] = ended
            for inner in self.functions.pop(op.child):
                self.issue(inner)
            ended = self.hosts[op.child]
        self.streams[op.stream] = ended + self.gpu.submit_us

    def do_managed_fault(self, op: HostOp) -> None:
        """Pages that move because a kernel touches the pages; the kernel stalls meanwhile."""
        us = op.bytes / self.gpu.fault_bytes_per_ns / 1e3
        self.enqueue(op, "kernels", us, spent_on="up")

    def do_managed_first_touch(self, op: HostOp) -> None:
        """Pages without a place: nothing moves, but the kernel stalls all the same."""
        self.do_managed_fault(op)

    def do_managed_fault_host(self, op: HostOp) -> None:
        self.host_works(op, op.bytes / self.gpu.fault_bytes_per_ns / 1e3)

    def do_managed_first_touch_host(self, op: HostOp) -> None:
        """The system finds and clears pages, as for pinned memory."""
        self.host_works(op, op.bytes / self.gpu.pinning_bytes_per_ns / 1e3)

    def do_prefetch(self, op: HostOp) -> None:
        self.transfer(op, "up", self.gpu.prefetch_bytes_per_ns)

    def do_prefetch_to_host(self, op: HostOp) -> None:
        self.transfer(op, "down", self.gpu.prefetch_bytes_per_ns)

    def do_memcpy_h2d(self, op: HostOp) -> None:
        self.copy(op, "up")

    def do_memcpy_d2h(self, op: HostOp) -> None:
        self.copy(op, "down")

    def do_memcpy_h2h(self, op: HostOp) -> None:
        self.do_host_copy(op)

    def do_memcpy_d2d(self, op: HostOp) -> None:
        self.host_works(op, self.gpu.api_us)
        copy_us = 2 * op.bytes / self.gpu.dram_mixed_bytes_per_ns / 1e3
        self.enqueue(op, "kernels", self.gpu.launch_us + copy_us)

    def copy(self, op: HostOp, engine: str) -> None:
        """Pageable memory goes through a buffer of the driver, which the calling thread fills."""
        gpu = self.gpu
        rate = gpu.pinned_bytes_per_ns if op.pinned else gpu.pageable_bytes_per_ns
        end = self.transfer(op, engine, rate)
        if not (op.pinned and op.asynchronous):
            self.host_waits(op, end)
            if engine == "down":  # data to the device waits in the driver's buffer
                self.host_works(op, gpu.sync_us)

    def transfer(self, op: HostOp, engine: str, bytes_per_ns: float) -> float:
        self.host_works(op, self.gpu.api_us)
        return self.enqueue(op, engine, self.gpu.copy_us + op.bytes / bytes_per_ns / 1e3)

    # The device's part.

    def ready(self, op: HostOp) -> float:
        """When the stream could begin with work that the host issues now."""
        others = max(self.streams.values(), default=0.0)
        before = others if op.stream == DEFAULT_STREAM else self.streams[DEFAULT_STREAM]
        issued = self.hosts[op.thread] + self.gpu.submit_us
        return max(0.0, issued, self.streams[op.stream], before)

    def enqueue(self, op: HostOp, engine: str, us: float, spent_on: str = "") -> float:
        begin = self.ready(op)
        if self.last_engine[op.stream] != engine:
            begin = max(begin, self.streams[op.stream] + self.gpu.handoff_us)
        self.last_engine[op.stream] = engine
        end = max(begin, self.engines[engine]) + us
        self.streams[op.stream] = self.engines[engine] = end
        self.busy_us[spent_on or engine] += us
        self.spans.append(Span(spent_on or engine, end - us, end, op))
        return end

    def host_waits(self, op: HostOp, until: float) -> None:
        self.hosts[op.thread] = max(self.hosts[op.thread], until)

    def wait_for_all(self, op: HostOp) -> None:
        self.host_waits(op, max(self.streams.values(), default=0.0))


def call_timeline(profile: Profile, kernels: list[KernelTime], gpu: Gpu) -> tuple[float, Timeline]:
    """The call's time in microseconds, and its activities."""
    timeline = Timeline(gpu, kernels)
    end = timeline.run(profile.host)
    return gpu.call_us + end, timeline
