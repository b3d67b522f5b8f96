"""Draws the report's figures with matplotlib, narrow enough for a phone without scaling."""

import math

import matplotlib

matplotlib.use("Agg")
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from cpudevice.model.roofline import Point, Roofline
from grader.base.text import count_text, digits
from grader.check.history import Attempt
from grader.report.svg import INK, LINE, SOFT, TARGET, WRONG, YOURS, page_svg

WIDTH = 4.9  # inches at 72 units
SLOWEST = 10.0  # in units of the target's time: the axis of a history reaches at least so far
SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "cuda-ladder",
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,  # the names come from the student
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
NAMED = 6  # kernels with a number beside the mark; the table has all kernels


def roofline_svg(roof: Roofline, name: str) -> str:
    """The roofline: both axes logarithmic, the two roofs of the GPU and a mark per kernel."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(WIDTH, 3.5), layout="constrained")
        axis = figure.subplots()
        draw_roofs(axis, roof)
        for number, point in enumerate(roof.points, 1):
            draw_kernel(axis, roof, point, number)
        caption = "; ".join(
            f"{one.name} reaches {one.share:.0%} of its roof, {one.bound_by}" for one in roof.points
        )
        return page_svg(figure, name, f"Roofline of {roof.gpu}", caption)


def draw_roofs(axis: Axes, roof: Roofline) -> None:
    intensities = [point.intensity for point in roof.points]
    # Room for the text on the slope and above the flat roof.
    left = min([roof.ridge / 8, *intensities]) / 3
    right = max([roof.ridge, *intensities]) * 8
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(left, right)
    lowest = min([roof.roof(left * 3), *(point.rate for point in roof.points)])
    axis.set_ylim(lowest / 3, roof.instructions_per_ns * 2)
    corners = [left, roof.ridge, right]
    axis.plot(corners, [roof.roof(x) for x in corners], color=SOFT, linewidth=1.6)
    axis.fill_between(corners, [roof.roof(x) for x in corners], color=SOFT, alpha=0.07, linewidth=0)
    axis.annotate(
        f"instructions: {digits(roof.instructions_per_ns)} G/s",
        (right, roof.instructions_per_ns),
        xytext=(-2, 4),
        textcoords="offset points",
        ha="right",
        color=SOFT,
        fontsize=9,
    )
    axis.annotate(
        f"memory: {digits(roof.bytes_per_ns)} GB/s",
        (left, roof.instructions_per_ns),
        xytext=(5, 4),
        textcoords="offset points",
        color=SOFT,
        fontsize=9,
    )
    axis.set_xlabel("warp instructions per byte of memory traffic")
    axis.set_ylabel("warp instructions, G/s")
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    for one in (axis.xaxis, axis.yaxis):
        one.set_major_formatter(plain)
        one.set_minor_locator(NullLocator())
    axis.grid(color=LINE, linewidth=0.5)
    axis.set_axisbelow(True)


def draw_kernel(axis: Axes, roof: Roofline, point: Point, number: int) -> None:
    """A disc whose area is the share of the time, and a line up to the roof."""
    above = roof.roof(point.intensity)
    axis.plot([point.intensity] * 2, [point.rate, above], color=YOURS, linewidth=1, linestyle=":")
    size = 24 + 120 * point.of_time
    axis.scatter([point.intensity], [point.rate], s=size, color=YOURS, alpha=0.85, linewidths=0)
    if number <= NAMED:
        axis.annotate(
            f"{number}",
            (point.intensity, point.rate),
            xytext=(8, -3),
            textcoords="offset points",
            color=INK,
            fontsize=10,
            fontweight="bold",
        )


def history_svg(attempts: list[Attempt], name: str) -> str:
    """Times in multiples of the target's, over attempts; wrong attempts are below the axis."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(WIDTH, 2.1), layout="constrained")
        axis = figure.subplots()
        draw_attempts(axis, attempts)
        last = attempts[-1]
        now = f"{last.slowdown:.2f} times its time" if last.slowdown else "without a time"
        caption = (
            f"{count_text(len(attempts), 'attempt')}; the last one {now}, {last.score:g} points."
        )
        return page_svg(figure, name, f"{last.part}: time against the target", caption)


def draw_attempts(axis: Axes, attempts: list[Attempt]) -> None:
    """Attempt 1 on the left; faster is higher."""
    timed = [(x, one.slowdown) for x, one in enumerate(attempts, 1) if one.slowdown]
    slowest = max([SLOWEST, *(ratio for _, ratio in timed)])
    fastest = min([1.0, *(ratio for _, ratio in timed)])
    axis.set_yscale("log")
    axis.set_ylim(slowest * 1.5, fastest / 1.3)
    axis.set_xlim(0.5, max(len(attempts), 4) + 0.5)
    axis.axhspan(fastest / 1.3, 1.0, color=TARGET, alpha=0.12, linewidth=0)
    axis.axhline(1.0, color=TARGET, linewidth=1)
    axis.annotate(
        "the target's time",
        (1.0, 1.0),
        xycoords=("axes fraction", "data"),
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        color=TARGET,
        fontsize=9,
    )
    if timed:
        axis.plot(*zip(*timed, strict=True), color=YOURS, linewidth=1.6, marker="o", markersize=5)
    untimed = [x for x, one in enumerate(attempts, 1) if not one.slowdown]
    if untimed:
        axis.plot(
            untimed, [slowest * 1.5] * len(untimed), "x", color=WRONG, markersize=6, clip_on=False
        )
    axis.set_yticks(ticks(fastest, slowest))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axis.set_xlabel("attempt")
    axis.tick_params(length=0)


def ticks(fastest: float, slowest: float) -> list[float]:
    """The numbers 1, 2 and 5 times powers of ten that lie inside the range."""
    powers = range(math.floor(math.log10(fastest)), math.ceil(math.log10(slowest)) + 1)
    steps = (1, 2, 5) if slowest / fastest < 200 else (1,)
    every = (step * 10.0**power for power in powers for step in steps)
    return [value for value in every if fastest / 1.01 <= value <= slowest * 1.01]
