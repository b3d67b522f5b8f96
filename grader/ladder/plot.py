"""Draws a ladder as build/ladder/<name>.png and .svg.

<name> has a panel per part and speed case, <name>-by-size a panel per part with sizes, <name>-views
a panel per axis of a part with views.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grader.base.device import Device
from grader.base.text import digits, time_text
from grader.ladder.ladder import PartLadder, cases_on
from grader.ladder.views import Turn, turns
from grader.timing.clock import LIBRARIES

CPU_TITLE = "modelled time"
COLOURS = {"rung": "#4878a8", "solution": "#3a8f5c", "peer": "#b0b0b0", "ceiling": "#d8d8d8"}
COLOURS["beside"] = "#d8d8d8"
VIEW_COLOURS = ["#909090", "#4878a8", "#3a8f5c"]
ROW_INCHES = 0.3


def plot(root: Path, assignment: str, device: Device, ladders: list[PartLadder]) -> list[Path]:
    """Draws the times of all speed cases; returns the files, none if nothing was timed."""
    panels = [
        (ladder, case.name)
        for ladder in ladders
        for case in ladder.part.speed
        if any(case.name in entry.times_ms for entry in ladder.entries)
    ]
    if not panels:
        return []
    use_style(assignment)
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
    return save(figure, root, assignment)


def plot_by_size(
    root: Path, assignment: str, device: Device, ladders: list[PartLadder]
) -> list[Path]:
    """Draws the times over the sizes; returns the files, none without sizes."""
    panels = [ladder for ladder in ladders if any(entry.by_size_ms for entry in ladder.entries)]
    if not panels:
        return []
    use_style(assignment)
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(8, 4.6 * len(panels)), squeeze=False, layout="constrained"
    )
    for axis, ladder in zip(axes[:, 0], panels, strict=True):
        draw_by_size(axis, ladder, device)
    return save(figure, root, f"{assignment}-by-size")


def plot_views(
    root: Path, assignment: str, device: Device, ladders: list[PartLadder]
) -> list[Path]:
    """Draws frame rates over the angle; returns the files, none without views."""
    panels = [(ladder, turn) for ladder in ladders for turn in turns(ladder.part, ladder.views_ms)]
    if not panels:
        return []
    use_style(assignment)
    figure, axes = plt.subplots(
        len(panels), 1, figsize=(8, 2.6 * len(panels)), squeeze=False, layout="constrained"
    )
    for axis, (ladder, turn) in zip(axes[:, 0], panels, strict=True):
        draw_views(axis, ladder, turn, device)
    return save(figure, root, f"{assignment}-views")


def draw_views(axis: Axes, ladder: PartLadder, turn: Turn, device: Device) -> None:
    """A line per entry; grey for the first entry, with which all others are compared."""
    for number, (name, rates) in enumerate(turn.frames_per_s.items()):
        colour = VIEW_COLOURS[number % len(VIEW_COLOURS)]
        axis.plot(turn.degrees, rates, color=colour, marker=".", label=name)
    # Lines of equally fast entries overlap, and names beside the lines would overlap too.
    axis.legend(frameon=False, fontsize=8, loc="lower right", ncols=len(turn.frames_per_s))
    axis.set_ylim(bottom=0)
    axis.set_xticks(turn.degrees[:: max(1, len(turn.degrees) // 8)])
    axis.spines[["top", "right"]].set_visible(False)
    where = device.name if device.measures else CPU_TITLE
    axis.set_title(f"{ladder.part.name}, about {turn.axis}: {where}", loc="left", fontsize=9)
    axis.set_xlabel("degrees")
    axis.set_ylabel("frames/s")


def use_style(salt: str) -> None:
    """Keeps text as text and leaves out dates and random numbers: the same times, the same file."""
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": salt, "font.size": 9})


def save(figure: Figure, root: Path, name: str) -> list[Path]:
    paths = []
    folder = root / "build" / "ladder"
    folder.mkdir(parents=True, exist_ok=True)
    figure.draw_without_rendering()  # a single layout; each file would make two
    figure.set_layout_engine("none")
    for suffix, metadata in ((".png", {}), (".svg", {"Date": None})):
        path = folder / f"{name}{suffix}"
        figure.savefig(path, dpi=150, metadata=metadata)
        paths.append(path)
    plt.close(figure)
    return paths


def draw_by_size(axis: Axes, ladder: PartLadder, device: Device) -> None:
    """A line per entry over the sizes, both axes logarithmic."""
    names = [case.name for case in cases_on(ladder.part.sweep, device)]
    rungs = [entry for entry in ladder.entries if entry.kind == "rung"]
    for entry in ladder.entries:
        points = [(x, entry.by_size_ms[n]) for x, n in enumerate(names) if n in entry.by_size_ms]
        if not points:
            continue
        # Later rungs are darker.
        shade = (rungs.index(entry) + 1) / len(rungs) if entry in rungs else 1.0
        axis.plot(
            *zip(*points, strict=True),
            color=COLOURS[entry.kind],
            alpha=0.3 + 0.7 * shade,
            linestyle="--" if entry.kind in LIBRARIES else "-",
            marker=".",
            label=entry.name,
        )
    axis.set_yscale("log")
    axis.set_xticks(range(len(names)), names)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    where = device.name if device.measures else CPU_TITLE
    axis.set_title(f"{ladder.part.name}, by size: {where}", loc="left", fontsize=9)
    axis.set_xlabel("n")
    axis.set_ylabel("ms")


def draw(axis: Axes, ladder: PartLadder, case: str, device: Device) -> None:
    """A bar per entry, the first rung on top: rates on a GPU, modelled times otherwise."""
    gpu = device.measures and all(entry.rate(case) for entry in timed(ladder, case))
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
    where = device.name if device.measures else CPU_TITLE
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
