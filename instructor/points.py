"""`make points`: the points of every rung on both devices, from stored times, for docs/grading.md.

Measured times are those of <name>/grading/thresholds/, modelled times those that `make crosscheck`
has left in tests/cpudevice/model/times/. Nothing is run.
"""

import json
import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from cpudevice.model.gpu import DEFAULT, load_gpu
from grader.base.text import digits, replaced
from grader.check.points import worths
from grader.course.declare import Assignment, Part
from grader.course.thresholds import load_thresholds
from grader.timing.score import speed_fraction
from instructor.crosscheck.crosscheck import TIMES

PAGE = Path("docs") / "grading.md"
BEGIN = "<!-- points: written by `make points` -->"
END = "<!-- end of points -->"

FASTER = 1.1  # a step of the ladder of at least FASTER must be visible in the points
LEVEL = 1.03  # modelled times that are nearer to each other count as equal
VISIBLE = 2.0  # of a part's 100 points

Times = dict[str, dict[str, float]]  # by case and rung, in ms


@dataclass(frozen=True)
class DevicePoints:
    """The points of a part's rungs on a device, out of 100 for the part."""

    part: Part
    times: Times
    modelled: bool = False

    @property
    def worth(self) -> dict[str, float]:
        """The points of each case for speed, as if the part were the whole assignment."""
        shares = worths(self.part, self.part.speed, self.part.speed_points)
        return {name: points / self.part.weight for name, points in shares.items() if points}

    @property
    def rungs(self) -> list[str]:
        return list(self.times[next(iter(self.worth))])

    def has(self, rung: str) -> bool:
        """A rung may need more than the CPU device has: no time of the rung is modelled."""
        return all(rung in self.times[case] for case in self.worth)

    def fraction(self, case: str, rung: str) -> float:
        declared = next(one for one in self.part.speed if one.name == case)
        scale = self.part.scale_of(declared, self.modelled)
        times = self.times[case]
        return speed_fraction(times[rung], times[self.part.target], scale)

    def points(self, rung: str) -> float:
        speed = sum(points * self.fraction(case, rung) for case, points in self.worth.items())
        return self.part.correctness_points + speed

    def gain(self, before: str, after: str) -> float:
        """The speed-up: the geometric mean over the cases, weighted by their points."""
        logs = [
            points * math.log(self.times[case][before] / self.times[case][after])
            for case, points in self.worth.items()
        ]
        return math.exp(sum(logs) / sum(self.worth.values()))

    def slowdown(self, rung: str) -> float:
        return self.gain(rung, self.part.target)


@dataclass(frozen=True)
class PartPoints:
    part: Part
    measured: DevicePoints
    modelled: DevicePoints

    @property
    def below(self) -> list[str]:
        """The rungs below the target, from the first."""
        rungs = self.measured.rungs
        return rungs[: rungs.index(self.part.target)]

    @property
    def steps(self) -> list[tuple[str, str]]:
        """Neighbouring rungs up to the target of which the second is clearly faster on a GPU.

        A rung beside another rung is not a step of the ladder.
        """
        rungs = [*self.below, self.part.target]
        return [
            (before, after)
            for before, after in pairwise(r for r in rungs if r not in self.asides)
            if after != self.first and self.measured.gain(before, after) >= FASTER
        ]

    @property
    def asides(self) -> set[str]:
        """Rungs beside another rung of the same number: "02_one_double" beside "02_intrinsics"."""
        return {after for before, after in pairwise(self.measured.rungs) if before[:2] == after[:2]}

    @property
    def first(self) -> str:
        """Rung 1; card has a rung 0 below its starter."""
        return next(rung for rung in self.below if rung.startswith("01_"))

    def stays_behind(self, rung: str) -> bool:
        """Rungs slower than rung 1: detours that the ladder shows."""
        return self.measured.slowdown(rung) > self.measured.slowdown(self.first)

    def unseen(self) -> list[tuple[str, str]]:
        """The steps that the model does not show: the second rung is no faster on the CPU
        device.
        """
        return [step for step in self.steps if self.modelled.gain(*step) < LEVEL]


def points_of_parts(root: Path, assignments: list[Assignment]) -> list[PartPoints]:
    """The parts with stored times of both kinds; a new assignment has none yet."""
    gpu = load_gpu().name
    modelled = modelled_times(root)
    found = []
    for assignment in assignments:
        measured = load_thresholds(root, assignment.name, gpu)
        for part in assignment.parts:
            own, counted = measured.rungs(part.name), modelled.get((assignment.name, part.name))
            if own and counted:
                of_model = DevicePoints(part, counted, modelled=True)
                found.append(PartPoints(part, DevicePoints(part, own), of_model))
    return found


def modelled_times(root: Path) -> dict[tuple[str, str], Times]:
    found: dict[tuple[str, str], Times] = {}
    for assignment, part, case, rung, _, time_ms in json.loads(
        (root / TIMES / f"{DEFAULT}.json").read_text()
    ):
        found.setdefault((assignment, part), {}).setdefault(case, {})[rung] = time_ms
    return found


def markdown(parts: list[PartPoints]) -> str:
    lines = [
        "| part | rung | T/Tref on an H200 | points | T/Tref as modelled | points | |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in parts:
        lines += (row(one, rung) for rung in one.measured.rungs)
    return "\n".join(lines) + "\n"


def row(one: PartPoints, rung: str) -> str:
    title = one.part.name if rung == one.measured.rungs[0] else ""
    name = f"**{rung}**" if rung == one.part.target else rung
    cells = [title, name]
    for device in (one.measured, one.modelled):
        known = device.has(rung)
        cells += [digits(device.slowdown(rung)), f"{device.points(rung):.1f}"] if known else "––"
    return f"| {' | '.join([*cells, remark(one, rung)])} |"


def remark(one: PartPoints, rung: str) -> str:
    if rung == one.part.target:
        return "target"
    if rung not in one.below:
        return "" if one.modelled.has(rung) else "not on the CPU device"
    if rung in [after for _, after in one.unseen()]:
        return "the model shows no step"
    if one.stays_behind(rung):
        return "slower than rung 1"
    return ""


def write_points(root: Path, assignments: list[Assignment]) -> Path:
    page = root / PAGE
    text = replaced(page.read_text(), BEGIN, END, markdown(points_of_parts(root, assignments)))
    page.write_text(text)
    return page
