"""Grades a part: answers, then the same cases under sanitize, then times, then points."""

from dataclasses import replace

from grader.base.files import short
from grader.base.progress import Progress, Screen
from grader.base.text import printable, title_of
from grader.build.admission import Stop, warnings_of
from grader.build.make import BuildError
from grader.check.answers import GIVEN_UP, Answers
from grader.check.points import (
    NOT_RUN,
    compare_times,
    compare_with_others,
    is_right,
    points_for_answer,
    points_for_time,
    withheld_points,
    withhold,
    worth_of_part,
)
from grader.check.replay import by_hand
from grader.check.verdict import NOT_SANITIZED, Answer, Sanitized, Steps, TimedCase
from grader.course.declare import Case
from grader.course.hidden import conceal
from grader.course.options import numbers
from grader.course.plan import PartPlan, Plan
from grader.course.reset import is_starter
from grader.course.resolve import rung_of
from grader.course.results import CaseResult, PartResult, Points, Verdict
from grader.course.thresholds import load_thresholds
from grader.run.case import picture_of, seed_of
from grader.run.sanitized import SanitizeRun, Sighting, jobs_for, sanitize_all, sightings_of
from grader.timing.clock import CaseTimes, Clock, Contest, graded_contest


class PartCheck:
    """A part of a plan during a check; `grade` runs the steps."""

    def __init__(
        self, plan: Plan, planned: PartPlan, clock: Clock, fixed_seed: int | None, screen: Screen
    ):
        self.plan, self.planned, self.clock = plan, planned, clock
        self.fixed_seed, self.screen = fixed_seed, screen
        self.part = planned.part
        self.title = title_of(planned.assignment.name, planned.part.name)
        self.worth = worth_of_part(planned.whole)

    def grade(self, stopped: Stop | None, not_profiled: BuildError | None) -> PartResult:
        """Grades the part; `stopped` is a verdict for all cases, `not_profiled` an error."""
        if self.planned.submission is None:
            return self.left_out()
        file = printable(short(self.plan.root, self.planned.submission.file))
        if stopped:
            return self.stopped(file, *stopped)
        steps = self.run_steps(not_profiled)
        cases = withhold(self.results(steps), self.planned.whole)
        hidden = {case.name for case in self.part.correctness if case.hidden}
        result = PartResult(
            self.part.name,
            file,
            tuple(conceal(case) if case.name in hidden else case for case in cases),
            withheld=withheld_points(cases),
            untouched=is_starter(self.plan.root, file),
            warnings=tuple(
                printable(text)
                for text in warnings_of(self.plan.root, self.planned.submission.file)
            ),
        )
        return self.compared(self.with_printed(result, steps))

    def answers(self) -> Answers:
        plan, planned = self.plan, self.planned
        return Answers(
            plan.root,
            plan.device,
            planned.assignment,
            planned.submission,
            planned.judge,
            self.fixed_seed,
        )

    def time_alone(self, contest: Contest) -> list[CaseResult]:
        """Times and scores the cases of the contest, which are the cases for speed, alone."""
        with self.answers() as answers:
            steps = Steps(timed=self.time_cases(contest, answers))
        return [self.speed_result(case, steps) for case in self.part.speed]

    # ---- parts without a run ----

    def left_out(self) -> PartResult:
        """The result of a part left out, which earns nothing and costs nothing."""
        skipped = Verdict("skipped", self.planned.left_out or "the file serves another part")
        cases = [CaseResult(case.name, "correctness", skipped) for case in self.part.correctness]
        cases += [CaseResult(case.name, "speed", skipped) for case in self.part.speed]
        return PartResult(self.part.name, "", tuple(cases))

    def stopped(self, file: str, verdict: str, error: BuildError) -> PartResult:
        """The result of a part whose file does not compile, or holds something forbidden."""
        found = Verdict(verdict, printable(error.sentence))
        names = [case.name for case in self.part.correctness + self.part.speed]
        cases = self.results(Steps(answers=dict.fromkeys(names, Answer(found))))
        return PartResult(self.part.name, file, tuple(cases), excerpt=error.excerpt)

    # ---- the steps ----

    def run_steps(self, not_profiled: BuildError | None) -> Steps:
        """Runs the student's programs; each step needs the results of the steps before."""
        with self.answers() as answers:
            steps = Steps(self.answer(answers))
            steps = replace(steps, sanitized=self.sanitize(steps.answers))
            if is_right(map(steps.verdict, self.part.correctness + self.part.speed)):
                return replace(steps, timed=self.time(answers, not_profiled))
        if not self.clock.judges:
            return steps
        # The judge would see the answers of cases for speed during timing: nothing is known.
        unknown = TimedCase(Verdict("skipped", NOT_RUN))
        return replace(steps, timed={case.name: unknown for case in self.part.speed})

    def answer(self, answers: Answers) -> dict[str, Answer]:
        """Runs and judges every case but the cases whose timed answers are judged."""
        every = self.part.correctness + self.part.speed
        judged = self.part.correctness if self.clock.judges else every
        found = {}
        for number, case in enumerate(judged):
            self.screen.step(f"{self.title} · {case.name}", number, len(every))
            found[case.name] = answers.run(case)
        return found

    def sanitize(self, answered: dict[str, Answer]) -> dict[str, Sanitized]:
        """Runs every correctness case again under sanitize, except cases that do not end."""
        planned = self.planned
        if not planned.sanitized:
            return {}
        seed = seed_of(planned.submission.file, self.fixed_seed)
        jobs = {
            name: job
            for name, job in jobs_for(
                self.plan.root, planned.sanitized, planned.judge, self.part, seed
            ).items()
            if answered[name].verdict.name != "timeout"
        }
        progress = Progress(self.screen, f"{self.title} · sanitize", len(jobs))
        runs = sanitize_all(self.plan.root, list(jobs.values()), progress.advance)
        sightings = sightings_of({name: runs[job] for name, job in jobs.items()})
        return {
            name: sanitized_case(
                runs[job], sightings, by_hand(self.plan.root, planned.sanitized, job.options)
            )
            for name, job in jobs.items()
        }

    def time(self, answers: Answers, not_profiled: BuildError | None) -> dict[str, TimedCase]:
        """Times every case for speed of a part whose answers may be right."""
        cases = self.part.speed
        if not cases or not self.planned.can_time:
            return {}
        if not_profiled:
            failed = TimedCase(Verdict("build_error", not_profiled.sentence))
            return {case.name: failed for case in cases}
        # A new program is timed; the program of the answers still holds memory of the device.
        answers.close()
        contest = graded_contest(self.planned, self.clock, cases, self.fixed_seed, rivals=True)
        return self.time_cases(contest, answers)

    def time_cases(self, contest: Contest, answers: Answers) -> dict[str, TimedCase]:
        found = {}
        with self.clock.session(contest, self.screen) as session:
            for number, case in enumerate(contest.cases):
                self.screen.step(f"{self.title} · {case.name}", number, len(contest.cases))
                if answers.is_given_up:
                    found[case.name] = TimedCase(GIVEN_UP)
                else:
                    found[case.name] = self.timed_case(session.time(case), answers)
        return found

    def timed_case(self, times: CaseTimes, answers: Answers) -> TimedCase:
        """The times of a case, or the failure of the student's timed program."""
        student, seed = times.student, times.seed
        if student.failure is None:
            found = compare_times(times, self.part.scale_of(times.case, times.modelled))
        elif student.failed_with:
            seed = numbers(student.failed_with)["seed"]
            picture = picture_of(self.plan.root, self.planned.assignment, self.part, times.case)
            found = TimedCase(answers.failed(student.failure, student.failed_with, picture))
        else:
            found = TimedCase(Verdict(student.failure.verdict, student.failure.detail))
        return replace(found, seed=seed, note=times.note, printed=printable(student.printed))

    # ---- the results ----

    def results(self, steps: Steps) -> list[CaseResult]:
        correctness = [self.correctness_result(case, steps) for case in self.part.correctness]
        return correctness + [self.speed_result(case, steps) for case in self.part.speed]

    def correctness_result(self, case: Case, steps: Steps) -> CaseResult:
        verdict = steps.verdict(case)
        points = points_for_answer(self.worth[case.name], verdict)
        return CaseResult(case.name, "correctness", verdict, points, seed=steps.answer(case).seed)

    def speed_result(self, case: Case, steps: Steps) -> CaseResult:
        answer, timed, worth = steps.answer(case), steps.time(case), self.worth[case.name]
        can_time = self.planned.can_time
        return CaseResult(
            case.name,
            "speed",
            steps.verdict(case),
            points_for_time(worth, timed) if can_time else Points(needs_gpu=worth),
            timed.times,
            answer.seed if timed.seed is None else timed.seed,
            timed.note,
            answer.smaller,
        )

    def with_printed(self, result: PartResult, steps: Steps) -> PartResult:
        """Adds the output of the first case that failed, else of the first case that printed."""
        shown = [case for case in self.part.correctness if not case.hidden] + self.part.speed
        talked = [case for case in shown if steps.printed(case).strip()]
        if not talked:
            return result
        failed = (case for case in talked if not steps.verdict(case).is_ok)
        case = next(failed, talked[0])
        return replace(result, printed=steps.printed(case), printed_in=case.name)

    def compared(self, result: PartResult) -> PartResult:
        """Adds the position on the ladder and the stars."""
        root, assignment = self.plan.root, self.planned.assignment
        rung = rung_of(root, assignment, self.part, self.planned.submission.file)
        measured = load_thresholds(root, assignment.name, self.plan.device.name)
        modelled = load_thresholds(root, assignment.name, self.plan.model.name)
        return compare_with_others(result, self.planned.whole, rung, measured, modelled)


def sanitized_case(run: SanitizeRun, sightings: list[Sighting], replay: str) -> Sanitized:
    """The result of a run under sanitize. Cases with the same cause share an entry."""
    if finding := run.verdict:
        where = f"{finding.place}: " if finding.place else ""
        shared = [s.finding for s in sightings if s.finding.has_cause_of(finding)]
        cause = str(shared[-1].key) if shared else ""
        verdict = Verdict(finding.kind, where + finding.sentence, cause, replay)
        return Sanitized(verdict, is_finding=True)
    if run.unfinished:
        name = "timeout" if run.timed_out else "crash"
        detail = f"did not finish under sanitize: {run.unfinished}"
        return Sanitized(Verdict(name, detail, replay=replay))
    if run.wrong:
        return Sanitized(Verdict("wrong", f"under sanitize: {run.wrong}", replay=replay))
    return NOT_SANITIZED
