"""Shows the result of `make crosscheck`: a table in the terminal, and the pages' plots."""

import math
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from rich.console import Console
from rich.text import Text

from grader.base.text import replaced, time_text
from grader.terminal.console import emit, plain_table
from instructor.crosscheck import hardware_page
from instructor.crosscheck.crosscheck import Crosscheck, Fitted
from instructor.crosscheck.fit import (
    FREE,
    LEEWAY,
    Point,
    Ranking,
    modelled_ms,
    rank,
    typical_factor,
)
from instructor.crosscheck.hardware_page import Comparison

PAGE = "docs/model-against-measurement.md"
PICTURE = "docs/model-against-measurement.svg"
BEGIN = "<!-- crosscheck: written by `make crosscheck` -->"
END = "<!-- end of crosscheck -->"
FIT_BEGIN = "<!-- fit: written by `make crosscheck FIT=1` -->"
FIT_END = "<!-- end of fit -->"
HARDWARE_BEGIN = "<!-- hardware: written by `make crosscheck` -->"
HARDWARE_END = "<!-- end of hardware -->"
Chosen = Callable[[Point], bool]
COLOURS = ("#4878a8", "#c8783c", "#3a8f5c", "#8a5fa8", "#b84848", "#7a7a3c", "#20a0b0")


def show_crosscheck(console: Console, found: Crosscheck) -> None:
    emit(console, Text())
    table = plain_table()
    table.add_column(" rung", width=40, no_wrap=True, overflow="ellipsis")
    table.add_column("measured", width=9, justify="right")
    table.add_column("modelled", width=9, justify="right")
    table.add_column("ratio", width=6, justify="right")
    table.add_column("", width=6)
    for index, point in enumerate(found.points):
        following = found.points[index + 1 : index + 2]
        ends = bool(following) and following[0].group != point.group
        cells = point_cells(found, point, f" {point.part} {point.case} · ")
        table.add_row(*cells, end_section=ends)
    emit(console, table)
    emit(console, Text())
    for name, chosen in groups(found):
        ranking, near = found.ranking(chosen), found.accuracy(chosen)
        error = f"error {percent(near.error, 1)}, within 25 %: {percent(near.near, 0)}"
        emit(console, Text(f" {name:<28}{error}; {ranking_words(ranking)}"))
    for sentence in found.failed:
        emit(console, Text(f" ✗ {sentence}."))


def point_cells(found: Crosscheck, point: Point, before: str = "") -> list[str]:
    modelled = found.times_ms[point]
    return [
        f"{before}{point.rung}",
        time_text(point.measured_ms),
        time_text(modelled),
        f"{modelled / point.measured_ms:.2f}" if point.comparable else "order",
        "fitted" if point.fitted else "",
    ]


def groups(found: Crosscheck) -> list[tuple[str, Chosen]]:
    """By assignment, by part of an assignment with several, and all together."""
    parts: dict[str, dict[str, None]] = {}
    for point in found.points:
        parts.setdefault(point.assignment, {})[point.part] = None
    listed: list[tuple[str, Chosen]] = []
    for name, of_it in parts.items():
        listed.append((name, lambda point, name=name: point.assignment == name))
        for part in of_it if len(of_it) > 1 else ():
            listed.append((f"– {part}", lambda point, of=(name, part): point.group[:2] == of))
    return [
        *listed,
        ("all", lambda _: True),
        ("all but *order*", lambda point: point.comparable),
    ]


def number(value: float, form: str) -> str:
    return "–" if math.isnan(value) else format(value, form)


def percent(share: float, digits: int) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.{digits}f} %"


def ranking_words(ranking: Ranking) -> str:
    tau = number(ranking.tau, ".2f")
    words = f"τ-b {tau} over {ranking.pairs} pairs of {ranking.points} points"
    for fast, slow in ranking.grave:
        words += f"; {slow.rung} ranks before {fast.rung} ({slow.part} {slow.case})"
    return words


def write_crosscheck(root: Path, found: Crosscheck, hardware: Comparison | None) -> list[Path]:
    """Replaces the marked parts of the page and draws its plot."""
    page = root / PAGE
    text = replaced(page.read_text(), BEGIN, END, markdown(found))
    if found.fit:
        text = replaced(text, FIT_BEGIN, FIT_END, fit_markdown(found, found.fit))
    if hardware:
        text = replaced(text, HARDWARE_BEGIN, HARDWARE_END, hardware_page.markdown(hardware))
    page.write_text(text)
    picture = root / PICTURE
    draw(picture, found)
    return [page, picture]


def markdown(found: Crosscheck) -> str:
    lines = [
        f"Measured on an {found.gpu.name}, modelled for it. A point is one rung on one case; pairs "
        "are of rungs on the same case that were measured to differ by more than 5 %; a ratio is "
        "modelled over measured. Where it says *order*, nothing else can be compared: the case is "
        "cut down in more ways than the GPU is, or a few threads do all of its work.",
        "",
        f"![Modelled against measured times]({Path(PICTURE).name})",
        "",
        "| | points | pairs | τ-b | inverted though 1.5× apart |",
        "|---|---|---|---|---|",
    ]
    for name, chosen in groups(found):
        ranking = found.ranking(chosen)
        tau = number(ranking.tau, ".2f")
        grave = ", ".join(f"{slow.rung} / {fast.rung}" for fast, slow in ranking.grave) or "none"
        lines.append(f"| {name} | {ranking.points} | {ranking.pairs} | {tau} | {grave} |")
    lines += ["", *halves(found)]
    group = None
    for point in found.points:
        if point.group != group:
            group = point.group
            lines += ["", f"**{point.part}, {point.case}**", ""]
            lines += ["| rung | measured | modelled | ratio | half |", "|---|---|---|---|---|"]
        rung, measured, modelled, ratio, half = point_cells(found, point)
        lines.append(f"| {rung} | {measured} | {modelled} | {ratio} | {half or 'other'} |")
    return "\n".join(lines) + "\n\n"


def halves(found: Crosscheck) -> list[str]:
    """A table of both halves: the half for fits, and the half that tests the fitted parameters."""
    lines = [
        "The next table shows each half by itself. The error of a point is "
        "|modelled − measured| / measured; the table has its mean, and the share of points whose "
        "error is at most 25 %. Both are taken over the *compared* points, which are those of "
        "cases that are not *order* cases.",
        "",
        "| | the half for fits: compared | error | within 25 % | τ-b "
        "| the other half: compared | error | within 25 % | τ-b |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, chosen in groups(found):
        cells = [name]
        for half in (True, False):

            def wanted(point: Point, half: bool = half, chosen: Chosen = chosen) -> bool:
                return point.fitted == half and chosen(point)

            near = found.accuracy(wanted)
            cells += [str(near.points), percent(near.error, 1), percent(near.near, 0)]
            cells.append(number(found.ranking(wanted).tau, ".2f"))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def fit_markdown(found: Crosscheck, fit: Fitted) -> str:
    """Hand-set parameters beside fitted parameters, on either half; and how far the fit moved
    each.
    """
    lines = [
        f"{len(FREE)} parameters, none of them taken further than a factor of {LEEWAY:g} from "
        f"where it was set by hand, were fitted to {len(found.half(True))} points, and both sets "
        f"judged by the {len(found.half(False))} others. A time is typically off by the factor "
        "that the table shows.",
        "",
        "| parameters | off on the fitted half | on the other | τ-b of all | inverted |",
        "|---|---|---|---|---|",
    ]
    for title, gpu in (("set by hand", fit.hand), ("fitted", fit.fitted)):
        ranking = rank(found.points, {point: modelled_ms(point, gpu) for point in found.points})
        factors = [typical_factor(found.half(half), gpu) for half in (True, False)]
        tau = number(ranking.tau, ".2f")
        cells = " | ".join(f"{factor:.2f}×" for factor in factors)
        lines.append(f"| {title} | {cells} | {tau} | {len(ranking.grave) or 'none'} |")
    verdict = "The fitted ones are kept." if fit.better else "Those set by hand are kept."
    lines += ["", f"{verdict} What the fit moves by more than 5 %:"]
    moved = [
        (name, getattr(fit.hand, name), getattr(fit.fitted, name))
        for name in FREE
        if abs(math.log(getattr(fit.fitted, name) / getattr(fit.hand, name))) > 0.05
    ]
    lines += ["", "| parameter | by hand | fitted |", "|---|---|---|"]
    lines += [f"| `{name}` | {hand:.4g} | {fitted:.4g} |" for name, hand, fitted in moved]
    return "\n".join(lines) + "\n\n"


def draw(path: Path, found: Crosscheck) -> None:
    """Both axes logarithmic; a rung on the diagonal is modelled exactly."""
    # Text stays text, and no date or random number is stored: the same times give the same file.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "crosscheck", "font.size": 9})
    figure, axis = plt.subplots(figsize=(6.4, 5.2), layout="constrained")
    points = [point for point in found.points if point.comparable]
    names = list(dict.fromkeys(point.assignment for point in points))
    for number, name in enumerate(names):
        for fitted, marker in ((True, "o"), (False, "D")):
            chosen = [p for p in points if p.assignment == name and p.fitted == fitted]
            axis.scatter(
                [point.measured_ms for point in chosen],
                [found.times_ms[point] for point in chosen],
                s=26,
                marker=marker,
                linewidths=0.8,
                edgecolors=COLOURS[number % len(COLOURS)],
                facecolors=COLOURS[number % len(COLOURS)] if fitted else "none",
                label=f"{name}, {'fitted' if fitted else 'not fitted'}",
            )
    times = [t for p in points for t in (p.measured_ms, found.times_ms[p])]
    low, high = min(times) / 1.3, max(times) * 1.3
    for factor, style in ((1.0, "-"), (1.5, ":"), (1 / 1.5, ":")):
        axis.plot([low, high], [low * factor, high * factor], "#808080", linewidth=0.8, ls=style)
    axis.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    axis.set_xlabel("measured, ms")
    axis.set_ylabel("modelled, ms")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=8)
    axis.set_title(f"{found.gpu.name}; dotted: 1.5 times too much or too little", fontsize=9)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
