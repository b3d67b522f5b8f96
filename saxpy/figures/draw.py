"""Draws the figures of the handout: python3 saxpy/figures/draw.py

The timelines of saxpy_host come from a simulation with the durations below. The timelines show
which stages overlap, not the times of a real machine.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from harness.figures.svg import (  # noqa: E402
    BLUE,
    CARD,
    FAINT,
    GREEN,
    GREY,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    RED,
    Svg,
    blend,
)

WIDTH = 820


def draw_grid() -> None:
    svg = Svg(WIDTH, 250, "Three blocks of four threads over ten elements")
    cell, gap, threads, n = 56, 22, 4, 10
    colours = [BLUE, ORANGE, GREEN]
    left = (WIDTH - 12 * cell - 2 * gap) / 2
    for block, colour in enumerate(colours):
        x0 = left + block * (threads * cell + gap)
        svg.rect(x0 - 6, 14, threads * cell + 12, 92, blend(colour, CARD, 0.85), colour, radius=8)
        svg.text(x0 + 2 * cell, 34, f"block {block}", 14, colour, "middle", "bold")
        for thread in range(threads):
            i = block * threads + thread
            x = x0 + thread * cell
            idle = i >= n
            shade = FAINT if idle else blend(colour, CARD, 0.45)
            svg.rect(x + 3, 46, cell - 6, 50, shade, GREY if idle else colour, radius=5)
            svg.text(x + cell / 2, 66, "thread", 11, MUTED if idle else INK, "middle")
            svg.text(x + cell / 2, 86, str(thread), 15, MUTED if idle else INK, "middle", "bold")
            if idle:
                svg.text(x + cell / 2, 126, "i ≥ n", 13, RED, "middle", "bold")
                svg.text(x + cell / 2, 143, "idle", 13, RED, "middle")
                continue
            svg.line(x + cell / 2, 98, x + cell / 2, 150, colour, 1.6, arrow=True)
            svg.rect(x + 3, 156, cell - 6, 38, blend(colour, CARD, 0.7), colour)
            svg.text(x + cell / 2, 181, f"x[{i}]", 14, INK, "middle")
    svg.text(left, 232, "i = blockIdx.x · blockDim.x + threadIdx.x", 14)
    svg.text(left + 8 * cell, 232, "blockDim.x = 4", 14, INK, "middle")
    svg.text(left + 12 * cell + 2 * gap, 232, "n = 10", 14, INK, "end")
    svg.save(HERE / "grid.svg")


def draw_memories() -> None:
    svg = Svg(WIDTH, 262, "Host memory, link, device memory, L2 cache, multiprocessors")

    def box(x: float, width: float, y: float, height: float, colour: str, lines: list[str]) -> None:
        svg.rect(x, y, width, height, blend(colour, CARD, 0.75), colour, radius=8)
        first = y + height / 2 - 9 * (len(lines) - 1) + 5
        for k, line in enumerate(lines):
            svg.text(
                x + width / 2, first + 18 * k, line, 13, INK, "middle", "normal" if k else "bold"
            )

    def pipe(x1: float, x2: float, y: float, thickness: float, colour: str) -> None:
        svg.rect(x1, y - thickness / 2, x2 - x1, thickness, blend(colour, CARD, 0.35), radius=0)

    middle = 120
    svg.text(70, 16, "HOST", 13, MUTED, "middle", "bold")
    svg.text(525, 16, "DEVICE", 13, MUTED, "middle", "bold")
    svg.rect(230, 28, 590, 184, "none", GREY, radius=10, dash="5 4")
    pipe(140, 250, middle, 5, PURPLE)
    pipe(372, 440, middle, 50, BLUE)
    box(0, 140, 40, 160, PURPLE, ["host memory", "pageable or pinned"])
    svg.text(186, middle - 12, "the link", 13, PURPLE, "middle", "bold")
    svg.text(186, middle + 24, "PCIe", 12, MUTED, "middle")
    box(246, 130, 56, 128, BLUE, ["device memory", "cudaMalloc"])
    for k in range(3):
        y = 62 + 44 * k
        pipe(508, 560, y + 14, 26, ORANGE)
        pipe(668, 694, y + 14, 26, GREEN)
        box(560, 108, y - 3, 34, ORANGE, ["L1, shared"])
        box(694, 110, y - 3, 34, GREEN, ["registers"])
    box(440, 68, 66, 108, ORANGE, ["L2", "cache"])
    svg.text(804, 204, "a row for each multiprocessor", 12, MUTED, "end")
    svg.line(10, 240, WIDTH - 10, 240, MUTED, arrow=True)
    svg.text(10, 257, "larger, slower, further away", 12, MUTED)
    svg.text(WIDTH - 10, 257, "smaller, faster, closer to the arithmetic", 12, MUTED, "end")
    svg.save(HERE / "memories.svg")


def lane_colour(lane: int) -> str:
    """From blue to orange over the 32 lanes of a warp."""
    return blend(BLUE, ORANGE, lane / 31)


def draw_first_kernel() -> None:
    svg = Svg(WIDTH, 372, "A warp's loads: neighbouring elements, and a stretch for each thread")
    cell = 25
    left = (WIDTH - 32 * cell) / 2
    svg.text(left, 12, "Thread t takes element t", 15, INK, weight="bold")
    svg.text(WIDTH - left, 12, "4 sectors, every byte used", 15, GREEN, "end", "bold")
    for lane in range(32):
        x = left + lane * cell
        svg.rect(x + 2, 26, cell - 4, 20, lane_colour(lane), radius=4)
        if lane % 8 in (0, 7):
            svg.text(x + cell / 2, 41, str(lane), 11, "#ffffff", "middle", "bold")
        svg.line(x + cell / 2, 48, x + cell / 2, 66, lane_colour(lane), 1.2, arrow=True)
        svg.rect(x + 1, 70, cell - 2, 24, blend(lane_colour(lane), CARD, 0.35), radius=1)
    for sector in range(4):
        x = left + sector * 8 * cell
        svg.rect(x, 67, 8 * cell, 30, "none", INK, radius=3)
        svg.text(x + 4 * cell, 115, f"floats {8 * sector} to {8 * sector + 7}: 32 bytes",
                 11.5, MUTED, "middle")  # fmt: skip

    top = 158
    svg.text(left, top, "Thread t takes elements 1000 t to 1000 t + 999", 15, INK, weight="bold")
    svg.text(WIDTH - left, top, "32 sectors, one float used of each", 15, RED, "end", "bold")
    small = 10
    wide = 8 * small + 20
    for lane in range(32):
        x = left + lane % 8 * wide + (32 * cell - 8 * wide + 20) / 2
        y = top + 22 + lane // 8 * 48
        svg.rect(x - 1, y + 16, 8 * small + 2, 18, "none", INK, radius=3)
        for k in range(8):
            fill = lane_colour(lane) if k == 0 else FAINT
            svg.rect(x + k * small + 1, y + 18, small - 2, 14, fill, radius=1)
        svg.text(x, y + 10, f"t {lane}", 11, MUTED)
        svg.text(x + 8 * small, y + 10, f"x[{1000 * lane}]", 11, MUTED, "end")
    svg.save(HERE / "01_first_kernel.svg")


def draw_grid_stride() -> None:
    svg = Svg(WIDTH, 268, "Two blocks of four threads pass over twenty elements in three rounds")
    n, threads = 20, 8
    cell = WIDTH / 24
    left = (WIDTH - 24 * cell) / 2

    def colour(thread: int) -> str:
        base = BLUE if thread < 4 else ORANGE
        return blend(base, CARD, 0.12 + thread % 4 * 0.17)

    for thread in range(threads):
        x = left + thread * cell
        svg.rect(x + 2, 22, cell - 4, 26, colour(thread), radius=4)
        svg.text(x + cell / 2, 40, str(thread), 13, INK, "middle", "bold")
    svg.text(left + 2 * cell, 12, "block 0", 12, BLUE, "middle", "bold")
    svg.text(left + 6 * cell, 12, "block 1", 12, ORANGE, "middle", "bold")
    for i in range(24):
        x = left + i * cell
        if i < n:
            svg.rect(x + 2, 150, cell - 4, 36, colour(i % threads), radius=2)
            svg.text(x + cell / 2, 173, str(i), 13, INK, "middle")
        else:
            svg.rect(x + 2, 150, cell - 4, 36, CARD, GREY, radius=2, dash="3 3")
    for thread, base in ((0, BLUE), (5, ORANGE)):
        x = left + thread * cell + cell / 2
        svg.line(x, 50, x, 146, base, 1.6, arrow=True)
        for hop in range(2):
            x1 = x + hop * threads * cell
            x2 = x1 + threads * cell
            idle = thread + (hop + 1) * threads >= n
            height = 88 if thread == 0 else 74
            svg.path(
                f"M{x1 + 3:.1f} 146C{x1 + 60:.1f} {height} {x2 - 60:.1f} {height} {x2:.1f} 146",
                base,
                1.6,
                "4 4" if idle else "none",
                True,
            )
    svg.text(left + 12.6 * cell, 82, "+ stride = gridDim.x · blockDim.x = 8", 13, INK)
    for block in range(3):
        x1, x2 = left + block * 8 * cell + 4, left + (block + 1) * 8 * cell - 4
        svg.path(f"M{x1:.1f} 198v8H{x2:.1f}v-8", MUTED)
        svg.text((x1 + x2) / 2, 224, f"round {block + 1}", 13, INK, "middle", "bold")
    svg.text(left + 20 * cell, 246, "threads 4 to 7 have nothing left", 12, RED, "middle")
    svg.save(HERE / "02_grid_stride.svg")


def draw_vectorised() -> None:
    svg = Svg(WIDTH, 366, "One load of a warp as float and as float4, and what alignment means")
    left, right = 150, WIDTH
    unit = (right - left) / 128  # a float

    def row(y: float, label: str, instructions: int, floats_per_lane: int) -> None:
        svg.text(0, y + 20, label, 15, INK, weight="bold")
        svg.text(0, y + 38, f"{instructions} × 32 lanes", 12, MUTED)
        for instruction in range(instructions):
            for lane in range(32):
                x = left + (instruction * 32 + lane) * floats_per_lane * unit
                width = floats_per_lane * unit
                svg.rect(x + 0.4, y + 4, width - 0.8, 30, lane_colour(lane), radius=0.8)
            x = left + instruction * 32 * floats_per_lane * unit
            width = 32 * floats_per_lane * unit
            svg.path(f"M{x + 3:.1f} {y + 40}v6H{x + width - 3:.1f}v-6", MUTED)
            svg.text(x + width / 2, y + 61, f"one load: {32 * floats_per_lane * 4} bytes",
                     12, INK, "middle")  # fmt: skip

    row(0, "float", 4, 1)
    row(88, "float4", 1, 4)
    svg.text(left, 176, "512 bytes, 16 sectors in both rows", 12, MUTED)

    top = 222
    cell = 36
    svg.text(0, top + 20, "alignment", 15, INK, weight="bold")
    for k in range(17):
        x = left + k * cell
        svg.rect(x + 1, top, cell - 2, 28, FAINT, radius=2)
        svg.text(x + cell / 2, top + 18, str(4 * k), 11, MUTED, "middle")
        if k % 4 == 0:
            svg.line(x, top - 10, x, top + 112, MUTED, 1, "3 3")
    for k in range(4):
        x = left + 4 * k * cell
        svg.rect(x + 2, top + 36, 4 * cell - 4, 26, blend(GREEN, CARD, 0.4), GREEN, radius=4)
        if k < 3:
            svg.rect(x + cell + 2, top + 72, 4 * cell - 4, 26, blend(RED, CARD, 0.4), RED, radius=4)
    svg.text(left - 10, top + 54, "x at 0: loads", 12, GREEN, "end", "bold")
    svg.text(left - 10, top + 90, "x at 4: error", 12, RED, "end", "bold")
    svg.text(left, top + 134, "Byte addresses; a float4 must begin at a dashed line.", 12, MUTED)
    svg.save(HERE / "03_vectorised.svg")


def draw_more_in_flight() -> None:
    svg = Svg(WIDTH, 292, "A wait for each pair of vectors, or one wait for four pairs")
    left = 100
    issue, wait, use = 12, 132, 14

    def lanes(y: float, title: str) -> None:
        svg.text(left, y, title, 15, INK, weight="bold")
        svg.text(left - 12, y + 32, "thread", 12, MUTED, "end")
        svg.text(left - 12, y + 72, "memory", 12, MUTED, "end")
        svg.line(left, y + 98, WIDTH, y + 98, GREY, 1, arrow=True)

    def pair(x_issue: float, x_done: float, y: float, row: int) -> None:
        svg.rect(x_issue, y + 18, issue - 2, 22, BLUE)
        flight = x_done - x_issue - issue
        svg.rect(x_issue + issue, y + 50 + 9 * row, flight, 7, blend(BLUE, CARD, 0.5), radius=3)

    y = 12
    lanes(y, "Rung 3: load, wait, compute and store, next")
    x = left
    for k in range(4):
        pair(x, x + issue + wait, y, 1)
        svg.rect(x + issue + wait, y + 18, use - 2, 22, ORANGE)
        svg.text(x + issue + wait / 2, y + 34, "waits", 12, MUTED, "middle")
        x += issue + wait + use
        if k == 3:
            svg.text(x + 8, y + 34, "4 done", 12, INK, weight="bold")

    y = 150
    lanes(y, "Rung 4: four loads, one wait, four times compute and store")
    x = left
    done = left + issue + wait
    for k in range(4):
        pair(x + k * issue, done + k * use, y, k)
        svg.rect(done + k * use, y + 18, use - 2, 22, ORANGE)
    svg.text((left + 4 * issue + done) / 2, y + 34, "waits", 12, MUTED, "middle")
    svg.text(done + 4 * use + 8, y + 34, "4 done", 12, INK, weight="bold")
    flight_colour = blend(BLUE, CARD, 0.5)
    legend(svg, left, 282, [(BLUE, "issues two loads"), (flight_colour, "on its way"),
                            (ORANGE, "computes and stores")])  # fmt: skip
    svg.save(HERE / "04_more_in_flight.svg")


def legend(svg: Svg, x: float, y: float, entries: list[tuple[str, str]]) -> None:
    for colour, label in entries:
        svg.rect(x, y - 10, 14, 11, colour)
        svg.text(x + 20, y, label, 12, MUTED)
        x += 40 + 6.1 * len(label)


# Durations of the simulated machine, for a chunk of an array.
HOST_COPY = 1.0
LINK = 0.5
KERNEL = 0.15
FAULT = 0.4  # what a chunk's page faults add to the copy's time
FIRST_TOUCH = 0.6  # the operating system finds and clears the pages of a chunk
PIN = 1.3  # the same, and fixes the pages
ALLOCATE = 0.25  # a small call
CHUNKS = 4

IN, OUT, COMPUTE, PREPARE, STALL = BLUE, GREEN, ORANGE, PURPLE, RED
LANES = {"host": "host", "host 1": "host 1", "host 2": "host 2", "up": "link up",
         "gpu": "GPU", "down": "link down"}  # fmt: skip


@dataclass
class Timeline:
    """Bars on lanes; a lane does a bar at a time, in the order of the calls."""

    bars: list[tuple[str, float, float, str, str]] = field(default_factory=list)
    free: dict[str, float] = field(default_factory=dict)

    def add(self, lane: str, length: float, kind: str, after: float = 0, label: str = "") -> float:
        """Puts a bar where the lane is free, not before `after`; returns the bar's end."""
        start = max(after, self.free.get(lane, 0))
        self.bars.append((lane, start, length, kind, label))
        self.free[lane] = start + length
        return start + length

    def end(self) -> float:
        return max(self.free.values())


def pageable() -> Timeline:
    line = Timeline()
    now = line.add("host", 3 * ALLOCATE, PREPARE)
    for _ in range(2 * CHUNKS):
        now = line.add("up", LINK, IN, line.add("host", HOST_COPY, IN))
    now = line.add("gpu", CHUNKS * KERNEL, COMPUTE, now)
    for chunk in range(CHUNKS):
        arrived = line.add("down", LINK, OUT, now if chunk == 0 else 0)
        now = line.add("host", HOST_COPY, OUT, arrived)
    line.add("host", 3 * ALLOCATE, PREPARE)
    return line


def managed() -> Timeline:
    line = Timeline()
    now = line.add("host", 3 * ALLOCATE, PREPARE)
    for _ in range(2 * CHUNKS):
        line.add("host", FIRST_TOUCH, PREPARE)
        now = line.add("host", HOST_COPY, IN)
    for _ in range(CHUNKS):
        for _ in range(2):
            came = line.add("up", LINK, IN, now + FAULT)
            now = line.add("gpu", came - now, STALL, now)
        now = line.add("gpu", KERNEL, COMPUTE, now)
    for _ in range(CHUNKS):
        came = line.add("down", LINK, OUT, now + FAULT)
        line.add("host", came - now, STALL, now)
        now = line.add("host", HOST_COPY, OUT)
    line.add("host", 3 * ALLOCATE, PREPARE)
    return line


def managed_prefetch() -> Timeline:
    line = Timeline()
    line.add("host", 3 * ALLOCATE, PREPARE)
    for _ in range(2):
        for _ in range(CHUNKS):
            line.add("host", FIRST_TOUCH, PREPARE)
            now = line.add("host", HOST_COPY, IN)
        now = line.add("up", CHUNKS * LINK, IN, now)
    now = line.add("gpu", CHUNKS * KERNEL, COMPUTE, now)
    now = line.add("down", CHUNKS * LINK, OUT, now)
    for chunk in range(CHUNKS):
        line.add("host", HOST_COPY, OUT, now if chunk == 0 else 0)
    line.add("host", 3 * ALLOCATE, PREPARE)
    return line


def pinned() -> Timeline:
    line = Timeline()
    line.add("host", 3 * CHUNKS * PIN, PREPARE)
    line.add("host", 3 * ALLOCATE, PREPARE)
    now = line.add("host", 2 * CHUNKS * HOST_COPY, IN)
    now = line.add("up", 2 * CHUNKS * LINK, IN, now)
    now = line.add("gpu", CHUNKS * KERNEL, COMPUTE, now)
    now = line.add("down", CHUNKS * LINK, OUT, now)
    line.add("host", CHUNKS * HOST_COPY, OUT, now)
    line.add("host", 6 * ALLOCATE, PREPARE)
    return line


def pipeline(allocated: bool, hosts: list[str], slots: int) -> Timeline:
    """Rungs 5 to 7: each host thread has `slots` chunks under way."""
    line = Timeline()
    half = 2  # twice the chunks at half the size, so that the overlap has room to show
    under_way: dict[str, list[tuple[int, float]]] = {host: [] for host in hosts}
    if not allocated:
        line.add("host", 9 * ALLOCATE, PREPARE)

    def finish(host: str) -> None:
        chunk, arrived = under_way[host].pop(0)
        line.add(host, HOST_COPY / half, OUT, arrived, str(chunk))

    for chunk in range(half * CHUNKS):
        host = hosts[chunk % len(hosts)]
        if len(under_way[host]) == slots:
            finish(host)
        for _ in range(2):
            up = line.add(
                "up", LINK / half, IN, line.add(host, HOST_COPY / half, IN, 0, str(chunk))
            )
        computed = line.add("gpu", KERNEL / half, COMPUTE, up)
        under_way[host].append((chunk, line.add("down", LINK / half, OUT, computed)))
    for _ in range(slots):
        for host in hosts:
            if under_way[host]:
                finish(host)
    if not allocated:
        line.add("host", 9 * ALLOCATE, PREPARE)
    return line


def draw_timelines() -> None:
    timelines = {
        "host_01_pageable": ("Rung 1: pageable copies", pageable()),
        "host_02_managed": ("Rung 2: managed memory", managed()),
        "host_03_managed_prefetch": ("Rung 3: managed memory with prefetch", managed_prefetch()),
        "host_04_pinned": ("Rung 4: pinned buffers, made for one call", pinned()),
        "host_05_streams": ("Rung 5: chunks in three streams", pipeline(False, ["host"], 3)),
        "host_06_kept_buffers": ("Rung 6: buffers kept", pipeline(True, ["host"], 3)),
        "host_07_host_threads": (
            "Rung 7: two host threads",
            pipeline(True, ["host 1", "host 2"], 2),
        ),
    }
    # The same scale for all: lengths can be compared between figures.
    longest = max(line.end() for _, line in timelines.values())
    for name, (title, line) in timelines.items():
        draw_timeline(name, title, line, (WIDTH - 90) / longest)


def draw_timeline(name: str, title: str, line: Timeline, scale: float) -> None:
    lanes = [lane for lane in LANES if lane in line.free]
    height = 34
    top = 30
    bottom = top + len(lanes) * height
    svg = Svg(WIDTH, bottom + 54, title)
    left = 80
    svg.text(left, 12, title, 15, INK, weight="bold")
    for k, lane in enumerate(lanes):
        y = top + k * height
        svg.rect(left, y + 3, WIDTH - left, height - 6, blend(FAINT, CARD, 0.5), radius=3)
        svg.text(left - 12, y + 22, LANES[lane], 13, INK, "end")
    for lane, start, length, kind, label in line.bars:
        y = top + lanes.index(lane) * height
        x = left + start * scale
        svg.rect(x + 0.6, y + 5, max(length * scale - 1.2, 1.2), height - 10, kind, radius=2)
        if label and length * scale > 9:
            svg.text(x + length * scale / 2, y + 21, label, 9, "#ffffff", "middle")
    end = left + line.end() * scale
    svg.line(end, top - 4, end, bottom + 24, INK, 1.2, "3 3")
    far = end > WIDTH - 120
    svg.text(end - 6 if far else end + 6, bottom + 24, "done", 12, INK, "end" if far else "start",
             "bold")  # fmt: skip
    svg.line(left, bottom + 8, WIDTH, bottom + 8, MUTED, 1, arrow=True)
    svg.text(left - 12, bottom + 12, "time", 12, MUTED, "end")
    kinds = {kind for _, _, _, kind, _ in line.bars}
    meanings = {PREPARE: "prepares or frees memory", IN: "moves x and y", COMPUTE: "computes",
                OUT: "moves result", STALL: "waits for pages"}  # fmt: skip
    legend(svg, left, bottom + 52, [(k, text) for k, text in meanings.items() if k in kinds])
    svg.save(HERE / f"{name}.svg")


def main() -> None:
    draw_grid()
    draw_memories()
    draw_first_kernel()
    draw_grid_stride()
    draw_vectorised()
    draw_more_in_flight()
    draw_timelines()


if __name__ == "__main__":
    main()
