"""Frame rates of a picture turned about x, y and z, for `make ladder-<name>`.

A part names views ("y 15" is 15 degrees about y) and entries; the later entries are compared with
the first. On a GPU all views are timed; on the CPU device views with options for the device are
modelled.
"""

from dataclasses import dataclass
from statistics import fmean

from rich.table import Table

from grader.base.text import digits
from grader.course.declare import Part
from grader.terminal.console import plain_table

Times = dict[str, dict[str, float]]  # ms by view and entry


@dataclass(frozen=True)
class Turn:
    """The views about an axis, without views in which an entry has no time."""

    axis: str
    degrees: list[int]
    frames_per_s: dict[str, list[float]]  # by entry

    def mean(self, entry: str) -> float:
        return fmean(self.frames_per_s[entry])

    def least_gain(self, entry: str, against: str) -> float:
        """The ratio of frame rates in the worst view for `entry`."""
        pairs = zip(self.frames_per_s[entry], self.frames_per_s[against], strict=True)
        return min(own / other for own, other in pairs)


def turns(part: Part, times: Times) -> list[Turn]:
    """The views about each axis; an axis without a timed view is left out."""
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
    """Mean frames per second about each axis, and their ratios to the first entry's."""
    table = plain_table()
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
