"""The picture of a ladder: build/ladder/<name>.png and .svg, one panel per part and speed case."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from grader.device import Device
from grader.ladder import PartLadder
from grader.text import digits, time_text

CPU_TITLE = "modelled time"
COLOURS = {"rung": "#4878a8", "solution": "#3a8f5c", "peer": "#b0b0b0", "ceiling": "#d8d8d8"}
ROW_INCHES = 0.3


def plot(root: Path, assignment: str, device: Device, ladders: list[PartLadder]) -> list[Path]:
    """Draws the times of all speed cases; returns the files, none where nothing was timed."""
    panels = [
        (ladder, case.name)
        for ladder in ladders
        for case in ladder.part.speed
        if any(case.name in entry.times_ms for entry in ladder.entries)
    ]
    if not panels:
        return []
    # Text stays text, and no date or random number goes in: the same times give the same file.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": assignment, "font.size": 9})
    heights = [ROW_INCHES * len(ladder.entries) + 0.9 for ladder, _ in panels]
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(8, sum(heights)),
        squeeze=False,
        height_ratios=heights,
        layout="constrained",
    )
    for axis, (ladder, case) in zip(axes[:, 0], panels, strict=True):
        draw(axis, ladder, case, device)
    paths = []
    folder = root / "build" / "ladder"
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, metadata in ((".png", {}), (".svg", {"Date": None})):
        path = folder / f"{assignment}{suffix}"
        figure.savefig(path, dpi=150, metadata=metadata)
        paths.append(path)
    plt.close(figure)
    return paths


def draw(axis: Axes, ladder: PartLadder, case: str, device: Device) -> None:
    """One bar per entry, the first rung on top: rates on a GPU, modelled times elsewhere."""
    gpu = device.kind == "gpu" and all(entry.rate(case) for entry in timed(ladder, case))
    entries = timed(ladder, case)
    values = [e.rate(case) / 1e6 if gpu else e.times_ms[case] for e in entries]
    colours = [COLOURS[e.kind] for e in entries]
    axis.barh(range(len(entries)), values, color=colours, height=0.72)
    axis.set_yticks(range(len(entries)), [entry.name for entry in entries])
    axis.invert_yaxis()
    for row, (entry, value) in enumerate(zip(entries, values, strict=True)):
        axis.annotate(
            label(ladder, entry, case, gpu),
            (value, row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    for entry, value in zip(entries, values, strict=True):
        if gpu and entry.kind == "ceiling":
            axis.axvline(value, color="#808080", linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    axis.set_xlim(0, max(values) * 1.28)
    axis.spines[["top", "right"]].set_visible(False)
    axis.tick_params(length=0)
    where = device.name if device.kind == "gpu" else CPU_TITLE
    axis.set_title(f"{ladder.part.name}, {case}: {where}", loc="left", fontsize=9)
    axis.set_xlabel("GB/s" if gpu else "ms")


def timed(ladder: PartLadder, case: str) -> list:
    return [entry for entry in ladder.entries if case in entry.times_ms]


def label(ladder: PartLadder, entry, case: str, gpu: bool) -> str:
    text = time_text(entry.times_ms[case])
    if not gpu:
        return text
    share = ladder.of_limit(entry, case)
    rate = f"{digits(entry.rate(case) / 1e6)} GB/s"
    return f"{rate}   {text}" + (f"   {share:.0%}" if share else "")
