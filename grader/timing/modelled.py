"""Times on the CPU device: profiles programs and puts the profiles into the model of a GPU.

Every program is built once more under build/profile/ and run on the same cases; cpudevice/model
turns each profile into a time. The answers of profiled runs are judged too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cpudevice.model.gpu import Gpu, MissingUnit
from cpudevice.model.model import LIMITS, Estimate, estimate, floor_ms
from grader.base.progress import Progress, Screen
from grader.base.text import time_text
from grader.course.baseline import Reference
from grader.course.declare import Assignment, Case, Part
from grader.course.options import with_number
from grader.course.resolve import judge_program, profiled_program
from grader.run.case import SEED, seed_of
from grader.run.profiled import ProfileJob, ProfileOutcome, profile_all
from grader.run.runner import CaseFailure
from grader.timing.clock import CaseTimes, Contest, Entry, Kind, Timed, failure_of_ours
from grader.timing.diagnose import slowdowns

FLOOR_SHARE = 0.95  # a small margin: the bandwidth of the lower bound was measured

Outcomes = dict[str, dict[str, ProfileOutcome]]  # by case and entry


def job_for(
    root: Path, program: str, judge: str, part: str, case: Case, seed: int | None = None
) -> ProfileJob:
    """The job of a case; `program` is a profile build."""
    options = with_number(case.options_for("cpu"), "seed", SEED if seed is None else seed)
    paths = (str((root / path).absolute()) for path in (program, judge))
    return ProfileJob(*paths, part, options, case.timeout_s)


class ModelledClock:
    """A Clock (clock.py) for the CPU device."""

    judges = False

    def __init__(self, root: Path, gpu: Gpu):
        self.root, self.gpu = root, gpu

    def builds(self, entries: list[Entry]) -> list[str]:
        return [profiled_program(entry.program) for entry in entries]

    def rival_programs(self, assignment: Assignment, part: Part) -> list[str]:
        return []

    def rivals(self, assignment: Assignment, part: Part) -> list[Entry]:
        """None: profiling the solution as well would double the time of a check."""
        return []

    @contextmanager
    def session(self, contest: Contest, screen: Screen) -> Iterator[ModelledSession]:
        yield ModelledSession(self.gpu, contest, self.profile(contest, screen))

    def profile(self, contest: Contest, screen: Screen) -> Outcomes:
        jobs = {
            (case.name, entry.name): self.job(contest, entry, case)
            for case in contest.cases
            for entry in contest.entries
        }
        progress = Progress(screen, f"{contest.title} · counting", len(set(jobs.values())))
        outcomes = profile_all(self.root, list(jobs.values()), progress.advance)
        found: Outcomes = {case.name: {} for case in contest.cases}
        for (case, entry), job in jobs.items():
            found[case][entry] = outcomes[job]
        return found

    def job(self, contest: Contest, entry: Entry, case: Case) -> ProfileJob:
        program, judge = profiled_program(entry.program), judge_program(contest.assignment)
        seed = seed_for(contest, entry)
        job = job_for(self.root, program, judge, contest.part.name, case, seed)
        return job if entry.kind == Kind.STUDENT else job.of_ours()


def seed_for(contest: Contest, entry: Entry) -> int | None:
    """The seed of an entry: a student's file has a seed of its own, all others the default.

    If the seed decides the amount of work, student and baseline need the same seed: the student's,
    or, if stored numbers stand for the baseline, the default, with which the numbers were made.
    """
    student = next((one for one in contest.entries if one.kind == Kind.STUDENT), None)
    shared = contest.part.seed_decides
    on_students = entry is student or shared
    if student is None or not on_students or (shared and not contest.baseline.program):
        return contest.seed
    return seed_of(student.file, contest.seed)


class ModelledSession:
    """The times of the profiled programs."""

    def __init__(self, gpu: Gpu, contest: Contest, outcomes: Outcomes):
        self.gpu, self.contest, self.outcomes = gpu, contest, outcomes

    def time(self, case: Case) -> CaseTimes:
        gpu = self.gpu.slice(case.share)
        times = CaseTimes(case, {}, modelled=True, gpu=self.gpu.name)
        estimates: dict[str, Estimate] = {}
        for name, outcome in self.outcomes[case.name].items():
            if not outcome.profile:
                times.timed[name] = Timed(failure=CaseFailure(outcome.verdict, outcome.detail))
                continue
            try:
                own = estimates[name] = estimate(outcome.profile, gpu)
            except MissingUnit as lacking:
                times.timed[name] = Timed(bytes=outcome.bytes, lacks=str(lacking))
                continue
            causes = tuple(s.kind for s in slowdowns(own, outcome.profile.host))
            times.timed[name] = Timed(own.time_ms, outcome.bytes, binds=own.limit, causes=causes)
        if self.contest.graded:
            self.grade(times, estimates.get(Kind.STUDENT), gpu)
        return times

    def grade(self, times: CaseTimes, own: Estimate | None, gpu: Gpu) -> None:
        """Adds the values that a student's time is compared with."""
        times.reference = self.reference(times)
        failure = times.student.failure
        if failure:
            failure.detail = f"while it was profiled: {failure.detail}"
        if own is None:
            return
        times.limit, _ = LIMITS[own.limit]
        if times.reference:
            # The bytes that the problem must move, as reported by a program of the course.
            times.bytes = times.reference.bytes
            floor = floor_ms(times.bytes, gpu) * FLOOR_SHARE
            if own.time_ms < floor:
                times.impossible = too_fast(own, times.bytes, floor)

    def reference(self, times: CaseTimes) -> Reference | None:
        """The baseline's time from the session, or else the stored number."""
        baseline = times.baseline
        if baseline is None:
            return self.contest.baseline.modelled.get(self.gpu.name, {}).get(times.case.name)
        if baseline.failure:
            program = profiled_program(self.contest.baseline.program)
            raise failure_of_ours(program, times.case, baseline.failure)
        if baseline.lacks:
            return None
        return Reference(baseline.time_ms, baseline.bytes)


def too_fast(own: Estimate, size: float, floor: float) -> str:
    return (
        f"the model comes to {time_text(own.time_ms)}, but the {size:.4g} bytes that any solution "
        f"must move take {time_text(floor)}: part of the work is not in the profile"
    )
