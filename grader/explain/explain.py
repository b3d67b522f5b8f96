"""`make explain-<name>`: profiles a case of a student's file and names causes of slow lines.

In the terminal: the kernels' source with counters beside each line, the binding resource, the
causes, and the rungs that teach the cures. A page with pictures goes to build/explain/<name>.html.
"""

import math
from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.gpu import MissingUnit
from cpudevice.model.kernel_time import KernelTime
from cpudevice.model.model import Estimate, estimate
from cpudevice.model.profile import Line, Profile
from grader.base.errors import GraderError, UsageError
from grader.base.files import short, source_lines
from grader.base.progress import Screen
from grader.base.text import choose, time_text, title_of
from grader.build.make import build
from grader.course import resolve
from grader.course.climb import Standing, next_rung
from grader.course.declare import Assignment, Case, Part
from grader.course.plan import PartPlan, Plan
from grader.course.resolve import Submission
from grader.course.thresholds import load_thresholds
from grader.run.case import seed_of
from grader.run.profiled import profile_even_wrong
from grader.timing.clock import CaseTimes, Timed, graded_contest, programs_beside
from grader.timing.diagnose import Slowdown, slowdowns
from grader.timing.modelled import ModelledClock, job_for
from grader.timing.score import share_points, speed_fraction


@dataclass(frozen=True)
class Explained:
    """The profile of a file in a case, and the model's estimate."""

    root: Path
    assignment: Assignment
    part: Part
    submission: Submission
    case: Case
    options: str
    profile: Profile
    estimate: Estimate
    slowdowns: list[Slowdown]
    wrong: str  # why the answer is not right, or ""
    next_rung: str = ""  # the rung above the file's position, as named by `make check`

    @property
    def title(self) -> str:
        return self.assignment.name if self.assignment.single_part else self.part.name

    @property
    def file(self) -> str:
        return short(self.root, self.submission.file)

    def shown(self, named: str) -> str:
        """A short name for a file of the profile, in which the compiler may put full paths."""
        return short(self.root, self.root / named)

    def cure(self, kind: str) -> str:
        """The next rung if the rung cures causes of the kind, else ""."""
        return self.next_rung if self.part.cures.get(kind) == self.next_rung else ""

    @property
    def kernels(self) -> list[KernelTime]:
        """Each kernel once, with the group of alike launches that takes the most time."""
        heaviest: dict[tuple[str, str, int], KernelTime] = {}
        for timed in self.estimate.kernels:
            known = heaviest.setdefault(name_of(timed), timed)
            if total_us(timed) > total_us(known):
                heaviest[name_of(timed)] = timed
        return list(heaviest.values())

    def launches(self, timed: KernelTime) -> str:
        """Describes all launches of a kernel; "" for a single launch."""
        alike = [one for one in self.estimate.kernels if name_of(one) == name_of(timed)]
        count = sum(one.kernel.launches for one in alike)
        if count == 1:
            return ""
        each = f"each of {timed.kernel.launches} launches" if timed.kernel.launches > 1 else "once"
        if len(alike) == 1:
            return each
        whole = time_text(sum(map(total_us, alike)) / 1e3)
        return f"{each}; {whole} in {count} launches that differ in size or work"

    def place(self, slowdown: Slowdown) -> str:
        """The place of a slowdown, for a reader of the file: line 7, or trace.h:7."""
        if slowdown.line is None:
            return slowdown.kernel.name if slowdown.kernel else "host"
        if self.shown(slowdown.line.file) == self.file:
            return f"line {slowdown.line.line}"
        return f"{Path(slowdown.line.file).name}:{slowdown.line.line}"

    def slowdown_at(self, line: Line) -> Slowdown | None:
        return next((slowdown for slowdown in self.slowdowns if slowdown.line is line), None)

    def source(self, named: str) -> list[str]:
        """A source file's lines; none of files outside the assignment."""
        return source_lines(self.root, named, self.submission.file.parent)


def name_of(timed: KernelTime) -> tuple[str, str, int]:
    return timed.kernel.name, timed.kernel.file, timed.kernel.line


def total_us(timed: KernelTime) -> float:
    return timed.launch_us * timed.kernel.launches


def explain(
    plan: Plan, case: str, seed: int | None, screen: Screen, worst: bool = True
) -> list[Explained]:
    """Profiles and explains every planned part; a part that cannot be profiled is an error.

    If the modelled GPU lacks a unit, the parts that use the unit are left out, with a sentence on
    the screen. Without CASE= each part is explained in the case that lost most points, or without
    `worst` in the first case. With CASE= the parts with the case are explained.
    """
    wanted = [planned for planned in plan.parts if planned.submission]
    wanted = [planned for planned in wanted if case in names_of_cases(planned.part)] or wanted
    clock = ModelledClock(plan.root, plan.model)
    screen.step("building", 0, 0)
    targets: dict[str, Path | None] = {}
    for planned in wanted:
        targets |= dict.fromkeys(programs_beside(planned, clock))
        targets[resolve.profiled_program(planned.submission.program)] = planned.submission.file
    for error in build(plan.root, targets).values():
        raise GraderError(f"{error.sentence}.")
    explained = []
    for planned in wanted:
        name = case if case or worst else names_of_cases(planned.part)[0]
        times = time_cases(planned, clock, name, seed, screen)
        chosen = choose_case(planned.part, name, times)
        try:
            explained.append(explain_part(plan, planned, chosen, times.get(chosen.name), seed))
        except MissingUnit as lacking:
            title = title_of(planned.assignment.name, planned.part.name)
            screen.say(f"{title} is not explained: {lacking}.")
    return explained


def names_of_cases(part: Part) -> list[str]:
    """The cases for speed, then the cases for correctness."""
    return [case.name for case in part.speed + part.correctness]


def time_cases(
    planned: PartPlan, clock: ModelledClock, case: str, seed: int | None, screen: Screen
) -> dict[str, CaseTimes]:
    """The modelled times of file and target in the cases for speed, or in `case` alone."""
    cases = [one for one in planned.part.speed if case in ("", one.name)]
    contest = graded_contest(planned, clock, cases, seed, rivals=False)
    with clock.session(contest, screen) as session:
        return {one.name: session.time(one) for one in cases}


def choose_case(part: Part, wanted: str, times: dict[str, CaseTimes] | None = None) -> Case:
    """The case of CASE=, else the case for speed that lost most points, else the first case."""
    cases = part.speed + part.correctness
    if not wanted and not times:
        return cases[0]
    if not wanted:
        worth = share_points([one.points for one in part.speed], part.speed_points)
        lost = [
            points_lost(part, times[one.name], points)
            for one, points in zip(part.speed, worth, strict=True)
        ]
        return part.speed[lost.index(max(lost))] if lost else cases[0]
    found = next((case for case in cases if case.name == wanted), None)
    if found is None:
        raise UsageError(choose("case", wanted, [case.name for case in cases]))
    return found


def points_lost(part: Part, times: CaseTimes, points: float) -> tuple[float, float]:
    """The points that a case lost, then the slowness; a failure loses most."""
    if times.student.failure:
        return math.inf, 0.0
    if times.reference is None or times.student.lacks:
        return 0.0, 0.0
    own_ms, reference_ms = times.student.time_ms, times.reference.time_ms
    scale = part.scale_of(times.case, modelled=True)
    lost = points * (1 - speed_fraction(own_ms, reference_ms, scale))
    return lost, own_ms / reference_ms


def step_from(plan: Plan, planned: PartPlan, times: CaseTimes | None, own: Estimate) -> str:
    """The next rung, by the same rules and from the same facts as in a check."""
    root, assignment, part = plan.root, planned.assignment, planned.part
    rung = resolve.rung_of(root, assignment, part, planned.submission.file)
    stored = load_thresholds(root, assignment.name, plan.model.name).rungs(part.name)
    reference = times.reference if times else None
    if reference and own.time_ms <= part.scale_of(times.case, modelled=True).full * (
        reference.time_ms
    ):
        return ""
    student = times.student if times else Timed()
    return next_rung(
        part,
        Standing(
            stored.get(times.case.name, {}) if times else {},
            own.time_ms / reference.time_ms if reference else None,
            rung=rung,
            causes=(own.limit, *student.causes),
        ),
    )


def explain_part(
    plan: Plan, planned: PartPlan, case: Case, times: CaseTimes | None, seed: int | None
) -> Explained:
    root, submission = plan.root, planned.submission
    program = resolve.profiled_program(submission.program)
    seed = seed_of(submission.file, seed)
    job = job_for(root, program, planned.judge, planned.part.name, case, seed)
    failure = times.student.failure if times else None
    if failure and failure.verdict == "timeout":
        # A program that hangs is not run twice.
        raise not_counted(root, submission.file, case, failure.verdict, failure.detail)
    outcome, wrong = profile_even_wrong(root, [job])[job]
    if wrong:
        job = job.unjudged()
    if outcome.profile is None:
        raise not_counted(root, submission.file, case, outcome.verdict, outcome.detail)
    timed = estimate(outcome.profile, plan.model.slice(case.share))
    return Explained(
        root=root,
        assignment=planned.assignment,
        part=planned.part,
        submission=submission,
        case=case,
        options=job.options,
        profile=outcome.profile,
        estimate=timed,
        slowdowns=slowdowns(timed, outcome.profile.host),
        wrong=wrong,
        next_rung=step_from(plan, planned, times, timed),
    )


def not_counted(root: Path, file: Path, case: Case, verdict: str, detail: str) -> GraderError:
    return GraderError(f"{short(root, file)}, {case.name}: {verdict}, {detail}.")
