"""Frame rates of a picture that is turned about x, y and z: `make ladder-<name>` of such a part.

A part names its views ("y 15" is 15 degrees about y) and the entries to compare, of which the first
is what the others are held against. On a GPU all views are timed; on the CPU device those that have
options for it are modelled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from rich import box
from rich.table import Table

from cpudevice.model.gpu import Gpu
from cpudevice.model.model import estimate
from grader.base.device import Device
from grader.base.text import digits
from grader.check.part_grader import new_seed
from grader.course import resolve
from grader.course.declare import Case, Part
from grader.course.options import fit_to_memory, needed_bytes, with_number
from grader.run.interleaved import Contestant, Judge, race
from grader.run.profiled import count_all
from grader.run.runner import Runner
from grader.timing.modelled import job_for

# Entries have been judged in all cases before; of the views one picture in so many is.
JUDGED_EVERY = 6

Times = dict[str, dict[str, float]]  # ms by view and entry
Told = Callable[[str, int, int], None]


def views_on(part: Part, device_kind: str) -> list[Case]:
    return [case for case in part.views if case.options_for(device_kind)]


def time_views(
    part: Part, runners: dict[str, Runner], device: Device, judge: Judge, told: Told
) -> Times:
    """All views for all entries, in turn, of one and the same scene."""
    times: Times = {}
    views = views_on(part, "gpu")
    seed = new_seed()
    failed: set[str] = set()
    for index, case in enumerate(views):
        told(f"{part.name} · {case.name}°", index, len(views))
        options, _ = fit_to_memory(case, case.options_for("gpu"), device.free_bytes)
        options = with_number(options, "seed", seed)
        judged = index % JUDGED_EVERY == 0
        field = [Contestant(n, runners[n], judged) for n in part.views_of if n not in failed]
        needed = len(field) * needed_bytes(case, options, 0)
        race(field, judge, options, case.timeout_s, together=needed <= device.free_bytes // 2)
        failed |= {contestant.name for contestant in field if contestant.failure}
        times[case.name] = {c.name: c.time_ms for c in field if c.time_ms is not None}
    return times


def model_views(
    root: Path, part: Part, targets: dict[str, str], judge: str, gpu: Gpu, told: Told
) -> Times:
    """The modelled times; `targets` has the program of each entry."""
    views = views_on(part, "cpu")
    jobs = {
        (case.name, name): job_for(
            root, resolve.counted_target(targets[name]), judge, part.name, case
        )
        for case in views
        for name in part.views_of
    }
    done: list[object] = []

    def tell(job: object) -> None:
        done.append(job)
        told(f"{part.name} · counting views", len(done), len(jobs))

    outcomes = count_all(root, list(jobs.values()), tell)
    times: Times = {case.name: {} for case in views}
    for case in views:
        for name in part.views_of:
            profile = outcomes[jobs[case.name, name]].profile
            if profile is not None:
                times[case.name][name] = estimate(profile, gpu.slice(case.share)).time_ms
    return times


@dataclass(frozen=True)
class Turn:
    """The views about one axis that all entries have a time of."""

    axis: str
    degrees: list[int]
    frames_per_s: dict[str, list[float]]  # by entry

    def mean(self, entry: str) -> float:
        return fmean(self.frames_per_s[entry])

    def least_gain(self, entry: str, against: str) -> float:
        """The ratio of frame rates in the view that is worst for `entry`."""
        pairs = zip(self.frames_per_s[entry], self.frames_per_s[against], strict=True)
        return min(own / other for own, other in pairs)


def turns(part: Part, times: Times) -> list[Turn]:
    """Those about each axis; an axis of which no view was timed is left out."""
    found = []
    for axis in dict.fromkeys(case.name.split()[0] for case in part.views):
        names = [
            name
            for name, by_entry in times.items()
            if name.split()[0] == axis and set(part.views_of) <= set(by_entry)
        ]
        if names:
            degrees = [int(name.split()[1]) for name in names]
            rates = {e: [1000 / times[name][e] for name in names] for e in part.views_of}
            found.append(Turn(axis, degrees, rates))
    return found


def view_table(part: Part, times: Times) -> Table:
    """Mean frames per second about each axis, and how they compare with the first entry's."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.header_style = table.border_style = "dim"
    table.add_column(" about", no_wrap=True)
    first, *others = part.views_of
    table.add_column(f"{first}\nframes/s", justify="right")
    for other in others:
        table.add_column(f"{other}\nframes/s", justify="right")
        table.add_column("\nratio", justify="right")
        table.add_column("\nleast", justify="right")
    for turn in turns(part, times):
        cells = [f" {turn.axis}", digits(turn.mean(first))]
        for other in others:
            ratio = turn.mean(other) / turn.mean(first)
            least = turn.least_gain(other, first)
            cells += [digits(turn.mean(other)), f"{ratio:.2f}×", f"{least:.2f}×"]
        table.add_row(*cells)
    return table
