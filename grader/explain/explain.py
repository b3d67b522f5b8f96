"""`make explain-<name>`: one case of a student's file, counted, with the cause of every slow line.

Terminal: the kernels' source with counters beside each line, what binds, the causes and the rungs
that teach the cures. The same with pictures goes into build/explain/<name>.html.
"""

from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.model import Estimate, estimate
from cpudevice.model.profile import Line, Profile
from grader.base.errors import GraderError, UsageError
from grader.base.files import short, source_lines
from grader.base.progress import Screen
from grader.base.text import choose
from grader.build.make import build
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.course.plan import PartPlan, Plan
from grader.course.resolve import Submission
from grader.explain.diagnose import Slowdown, slowdowns
from grader.run.profiled import profile_even_wrong
from grader.timing.modelled import job_for


@dataclass(frozen=True)
class Explained:
    """What was counted of one file on one case, and what the model makes of it."""

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

    @property
    def title(self) -> str:
        return self.assignment.name if self.assignment.single_part else self.part.name

    @property
    def file(self) -> str:
        return short(self.root, self.submission.file)

    def shown(self, named: str) -> str:
        """A file of the profile, which the compiler may have named by its whole path."""
        return short(self.root, self.root / named)

    def cure(self, kind: str) -> str:
        """The rung that teaches what helps against a kind of cause, "" where none does.

        Nor where a rung is explained that is that rung or a later one: it knows already.
        """
        cure = self.part.cures.get(kind, "")
        ladder = resolve.directory(self.root, self.assignment, self.part, "ladder")
        own = self.submission.file
        return "" if own.parent == ladder and own.stem >= cure else cure

    def place(self, slowdown: Slowdown) -> str:
        """Where a slowdown is, for somebody who looks at the file: line 7, or trace.h:7."""
        if slowdown.line is None:
            return "host"
        if self.shown(slowdown.line.file) == self.file:
            return f"line {slowdown.line.line}"
        return f"{Path(slowdown.line.file).name}:{slowdown.line.line}"

    def slowdown_at(self, line: Line) -> Slowdown | None:
        return next((slowdown for slowdown in self.slowdowns if slowdown.line is line), None)

    def source(self, named: str) -> list[str]:
        """A source file's lines; none of files that are not the assignment's to show."""
        return source_lines(self.root, named, self.submission.file.parent)


def explain(plan: Plan, case: str, seed: int | None, screen: Screen) -> list[Explained]:
    """Counts and explains every planned part; what cannot be counted ends with a sentence."""
    wanted = [planned for planned in plan.parts if planned.submission]
    targets: dict[str, Path | None] = {}
    for planned in wanted:
        targets[planned.judge] = None
        targets[resolve.profiled_program(planned.submission.program)] = planned.submission.file
    for error in build(plan.root, targets, screen=screen).values():
        raise GraderError(f"{error.sentence}.")
    explained = []
    for number, planned in enumerate(wanted):
        chosen = choose_case(planned.part, case)
        screen.step(f"{planned.part.name} · {chosen.name} · counting", number, len(wanted))
        explained.append(explain_part(plan, planned, chosen, seed))
    return explained


def choose_case(part: Part, wanted: str) -> Case:
    """The case that CASE= names, else the first one that speed is measured with."""
    cases = part.speed + part.correctness
    if not wanted:
        return cases[0]
    found = next((case for case in cases if case.name == wanted), None)
    if found is None:
        raise UsageError(choose("case", wanted, [case.name for case in cases]))
    return found


def explain_part(plan: Plan, planned: PartPlan, case: Case, seed: int | None) -> Explained:
    root, submission = plan.root, planned.submission
    program = resolve.profiled_program(submission.program)
    job = job_for(root, program, planned.judge, planned.part.name, case, seed)
    outcome, wrong = profile_even_wrong(root, [job])[job]
    if wrong:
        job = job.unjudged()
    if outcome.profile is None:
        name = short(root, submission.file)
        raise GraderError(f"{name}, {case.name}: {outcome.verdict}, {outcome.detail}.")
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
    )
