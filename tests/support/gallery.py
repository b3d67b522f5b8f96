"""Files for grading in place of a student's: paths, stated outcomes, and how to grade.

Line 1 of a wrong file, a cheat or an honest oddity states the outcome:

    // verdict: cpu=race gpu=wrong,ok     any of the list, per device; `=wrong` for both
    // verdict: =ok speed=0..0.5          and which share of the speed points, were all
    //                                    paid up to 1.2 times the target's time and none from 10
    //                                    times on; `cpu-speed=` for one device; any share (0..1) is
    //                                    not looked at: the tests count nothing on the CPU device
    // verdict: =wrong case=1025          run on a case (or pattern) instead of the usual two
    // verdict: =build_error compiler_s=2    built once and alone, in at most so many seconds
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from cpudevice.model.gpu import load_gpu
from grader.base import cache
from grader.base.device import Device, choose_device
from grader.base.processes import processors
from grader.base.progress import SilentScreen
from grader.build.make import BUILD_TIMEOUT_S, MEAN_TIMEOUT_S, make_programs
from grader.check.check import check
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.course.load import assignment_names, load_assignment
from grader.course.needs import unmet
from grader.course.plan import Plan, make_plan
from grader.course.results import PartResult
from grader.timing.choose import choose_clock
from grader.timing.clock import programs_beside

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = [load_assignment(ROOT, name) for name in assignment_names(ROOT)]
# All programs of a run together: a later test need not find again what sanitize found in a rung.
cache.KEPT = 20_000
ANY_SPEED = (0.0, 1.0)
PARTS = [(assignment, part) for assignment in ASSIGNMENTS for part in assignment.parts]


@dataclass(frozen=True)
class Example:
    """A file to grade in place of the student's."""

    assignment: Assignment
    part: Part
    file: Path

    def __str__(self) -> str:
        return str(self.file.relative_to(ROOT))

    def stated(self, key: str) -> str:
        """The value for `key` in line 1, "" for none."""
        first_line = self.file.read_bytes().split(b"\n")[0].decode(errors="replace")
        found = re.search(rf"// verdict:.*?\s{key}=(\S+)", first_line)
        return found[1] if found else ""

    def expected(self, device: str) -> set[str]:
        """The verdicts in line 1."""
        stated = self.stated(f"(?:{device})?")
        assert stated, f"{self}: line 1 states no verdict for {device}"
        return set(stated.split(","))

    def speed(self, device: str) -> tuple[float, float] | None:
        """The least and the largest share of points for the times, by line 1."""
        stated = self.stated(f"{device}-speed") or self.stated("speed")
        return tuple(map(float, stated.split(".."))) if stated else None

    @property
    def idea(self) -> str:
        """The first comment besides verdict and flags."""
        lines = self.file.read_bytes().decode(errors="replace").split("\n")
        comments = [line.removeprefix("// ").strip() for line in lines[1:4]]
        return next(line for line in comments if not line.startswith("flags:"))

    def is_timed(self, device: Device) -> bool:
        """Whether the share of the speed points, or a verdict on the time, could differ from line
        1. Profiling the others would add a third to the cost of a file.
        """
        return device.measures or self.speed(device.kind) != ANY_SPEED

    def plan(self, device: Device) -> Plan:
        return make_plan(ROOT, [self.assignment], device, str(self.file), self.part.name, "")

    def plan_of(self, device: Device, correctness: list[Case], speed: list[Case]) -> Plan:
        """A plan of the part with the given cases alone."""
        plan = self.plan(device)
        (planned,) = (p for p in plan.parts if p.submission)
        part = replace(self.part, correctness=correctness, speed=speed)
        only = replace(
            planned,
            part=part,
            whole=part,
            sanitized=planned.sanitized if correctness else "",
            profiled=planned.profiled if speed else "",
        )
        return replace(plan, parts=tuple(only if p is planned else p for p in plan.parts))

    def short_plan(self, device: Device, *, whole: bool = False) -> Plan:
        """The case of line 1; else a case of middle size and the first case with points for speed.
        `whole` also times files without a stated share.
        """
        pattern = self.stated("case")
        correctness, speed = self.part.correctness, self.part.speed
        if pattern:
            correctness = [c for c in correctness if fnmatch.fnmatchcase(c.name, pattern)]
            speed = [c for c in speed if fnmatch.fnmatchcase(c.name, pattern)]
        else:
            correctness = [correctness[len(correctness) // 2]]
            speed = [case for case in speed if case.points != 0][:1]
        if correctness and not whole and not self.is_timed(device):
            speed = []
        assert correctness or speed, f"{self}: no case is called {pattern}"
        if self.stated("compiler_s"):
            plan = self.plan_of(device, correctness, [])
            return replace(plan, parts=tuple(replace(p, sanitized="") for p in plan.parts))
        return self.plan_of(device, correctness, speed)


def examples(kind: str) -> list[Example]:
    """The rungs, or the files of wrong/, for the device of the tests."""
    device = choose_device(os.environ.get("DEVICE", "cpu"))
    return [
        Example(assignment, part, file)
        for assignment, part in PARTS
        for file in sorted(resolve.directory(ROOT, assignment, part, kind).glob("*.cu"))
        if not unmet(file, device)
    ]


def solutions() -> list[Example]:
    return [Example(a, p, resolve.solution_file(ROOT, a, p)) for a, p in PARTS]


def gallery(folder: str) -> list[Example]:
    """tests/gallery/<folder>/<assignment>/<part>/**/*.cu"""
    place = ROOT / "tests" / "gallery" / folder
    return [
        Example(assignment, part, file)
        for assignment, part in PARTS
        for file in sorted((place / assignment.name / part.name).rglob("*.cu"))
    ]


def build_all(wanted: Iterable[Example], device: Device) -> None:
    """Builds all programs for the examples' cases."""
    build_plans([example.plan(device) for example in wanted])


def build_plans(plans: list[Plan]) -> None:
    """Builds everything in a single call of make, which uses all processors."""
    targets = {}
    for plan in plans:
        clock = choose_clock(ROOT, plan.device, load_gpu())
        for planned in plan.parts:
            if planned.submission:
                programs = [*programs_beside(planned, clock), planned.submission.program]
                programs += filter(None, (planned.sanitized, planned.profiled))
                targets.update(dict.fromkeys(programs))
                own = (planned.submission.program, planned.sanitized, planned.profiled)
                targets.update(dict.fromkeys(filter(None, own), planned.submission.file))
    # Not build(), which builds each file with an error once more.
    limit_s = max(BUILD_TIMEOUT_S, len(targets) * MEAN_TIMEOUT_S)
    make_programs(ROOT, ["-k", f"-j{processors()}"], targets, limit_s)


def grade_plan(plan: Plan) -> PartResult:
    (result,) = check(plan, None, SilentScreen())
    (part_result,) = [part for part in result.parts if part.file]
    return part_result


def failures(result: PartResult) -> list[str]:
    return [f"{c.name}: {c.verdict} {c.detail}" for c in result.cases if c.verdict != "ok"]
