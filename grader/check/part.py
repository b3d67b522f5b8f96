"""Grades one part: answers, then the same cases under sanitize, then times, then points."""

from grader.base.files import short
from grader.base.progress import Progress, Screen
from grader.base.text import printable, title_of
from grader.build.admission import Stop, warnings_of
from grader.build.make import BuildError
from grader.check.answers import Answers
from grader.check.points import (
    NOT_RUN,
    blank_results,
    compare_with_others,
    is_right,
    pay_for_speed,
    score_speed,
)
from grader.check.replay import by_hand
from grader.course.hidden import conceal
from grader.course.options import numbers
from grader.course.plan import PartPlan, Plan
from grader.course.reset import is_starter
from grader.course.resolve import rung_of
from grader.course.results import CaseResult, PartResult
from grader.course.thresholds import load_thresholds
from grader.run.case import picture_of, seed_of
from grader.run.sanitized import (
    SanitizeJob,
    SanitizeRun,
    jobs_for,
    sanitize_all,
    sightings_of,
)
from grader.timing.clock import CaseTimes, Clock, Contest, graded_contest


class PartCheck:
    """One part of a plan during a check; `grade` runs the steps."""

    def __init__(
        self, plan: Plan, planned: PartPlan, clock: Clock, fixed_seed: int | None, screen: Screen
    ):
        self.plan, self.planned, self.clock = plan, planned, clock
        self.fixed_seed, self.screen = fixed_seed, screen
        self.title = title_of(planned.assignment.name, planned.part.name)
        self.correctness, self.speed = blank_results(
            planned.part, planned.whole, can_time=planned.can_time or planned.submission is None
        )

    def grade(self, stopped: Stop | None, not_profiled: BuildError | None) -> PartResult:
        """Grades the part; `stopped` is a verdict for all of it, `not_profiled` an error."""
        submission = self.planned.submission
        if submission is None:
            for result in self.correctness + self.speed:
                result.max_score = 0.0
            reason = self.planned.left_out or "the file serves another part"
            return self.without_run("", "skipped", reason)
        file = printable(short(self.plan.root, submission.file))
        if stopped:
            verdict, error = stopped
            return self.without_run(file, verdict, printable(error.sentence), error.excerpt)
        with self.answers() as answers:
            self.answer(answers)
            self.sanitize()
            if is_right(self.correctness + self.speed):
                self.time(answers, not_profiled)
            elif self.clock.judges:
                self.leave_untimed()
        result = PartResult(self.planned.part.name, file, self.correctness + self.speed)
        pay_for_speed(result, self.planned.whole)
        result.untouched = is_starter(self.plan.root, file)
        result.warnings = [printable(text) for text in warnings_of(self.plan.root, submission.file)]
        self.conceal_hidden(answers)
        choose_printed(result, answers.printed)
        root, assignment = self.plan.root, self.planned.assignment
        rung = rung_of(root, assignment, self.planned.part, submission.file)
        measured = load_thresholds(root, assignment.name, self.plan.device.name)
        modelled = load_thresholds(root, assignment.name, self.plan.model.name)
        compare_with_others(result, self.planned.whole, rung, measured, modelled)
        return result

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
        """Times and scores the cases of the contest, which are those for speed, and no others."""
        with self.answers() as answers:
            self.time_cases(contest, self.speed, answers)
        return self.speed

    def without_run(self, file: str, verdict: str, detail: str, excerpt: str = "") -> PartResult:
        results = self.correctness + self.speed
        for result in results:
            result.verdict, result.detail = verdict, detail
        return PartResult(self.planned.part.name, file, results, excerpt=excerpt)

    def answer(self, answers: Answers) -> None:
        """Runs and judges every case that is not judged when it is timed."""
        part = self.planned.part
        pairs = list(zip(part.correctness, self.correctness, strict=True))
        if not self.clock.judges:
            pairs += zip(part.speed, self.speed, strict=True)
        total = len(part.correctness) + len(part.speed)
        for number, (case, result) in enumerate(pairs):
            self.screen.step(f"{self.title} · {case.name}", number, total)
            if result.kind == "speed" and case.options_for("cpu") != case.options_for("gpu"):
                result.smaller = case.options_for("cpu")
                result.detail = f"on the CPU device: {result.smaller}"
            answers.run(case, result)
        for result in self.correctness:
            result.score = result.max_score if result.verdict == "ok" else 0.0

    def sanitize(self) -> None:
        """Runs every correctness case again under sanitize; a finding is its verdict."""
        if not self.planned.sanitized:
            return
        planned = self.planned
        seed = seed_of(planned.submission.file, self.fixed_seed)
        jobs = jobs_for(self.plan.root, planned.sanitized, planned.judge, planned.part, seed)
        for result in self.correctness:
            if result.verdict == "timeout":
                del jobs[result.name]
        progress = Progress(self.screen, f"{self.title} · sanitize", len(jobs))
        runs = sanitize_all(self.plan.root, list(jobs.values()), progress.advance)
        for result in self.correctness:
            if job := jobs.get(result.name):
                self.judge_sanitized(result, job, runs[job])
        # Cases with the same cause share one entry below the table.
        for sighting in sightings_of({name: runs[job] for name, job in jobs.items()}):
            for result in self.correctness:
                found = runs[jobs[result.name]].verdict if result.name in jobs else None
                if found and sighting.finding.has_cause_of(found):
                    result.cause = str(sighting.finding.key)

    def judge_sanitized(self, result: CaseResult, job: SanitizeJob, run: SanitizeRun) -> None:
        finding = run.verdict
        if finding:
            where = f"{finding.place}: " if finding.place else ""
            result.verdict, result.detail = finding.kind, where + finding.sentence
        elif run.unfinished and result.verdict == "ok":
            result.verdict = "timeout" if run.timed_out else "crash"
            result.detail = f"did not finish under sanitize: {run.unfinished}"
        elif run.wrong and result.verdict == "ok":
            result.verdict, result.detail = "wrong", f"under sanitize: {run.wrong}"
        else:
            return
        result.score = 0.0
        result.replay = by_hand(self.plan.root, self.planned.sanitized, job.options)

    def time(self, answers: Answers, not_profiled: BuildError | None) -> None:
        """Times and scores every case for speed whose answer may be right."""
        right = [
            (case, result)
            for case, result in zip(self.planned.part.speed, self.speed, strict=True)
            if result.verdict == "ok"
        ]
        if not right or not self.planned.can_time:
            return
        if not_profiled:
            for _, result in right:
                result.verdict, result.detail = "build_error", not_profiled.sentence
            return
        # A program of its own is timed; this one still holds memory of the device.
        answers.close()
        cases = [case for case, _ in right]
        contest = graded_contest(self.planned, self.clock, cases, self.fixed_seed, rivals=True)
        self.time_cases(contest, [result for _, result in right], answers)

    def time_cases(self, contest: Contest, results: list[CaseResult], answers: Answers) -> None:
        """Times the cases of a contest; `results` has one entry for each."""
        with self.clock.session(contest, self.screen) as session:
            for number, (case, result) in enumerate(zip(contest.cases, results, strict=True)):
                self.screen.step(f"{self.title} · {case.name}", number, len(results))
                if not answers.is_given_up(result):
                    self.score(result, session.time(case), answers)

    def leave_untimed(self) -> None:
        """Marks the cases that are judged when they are timed: nothing is known of them."""
        for result in self.speed:
            result.verdict, result.detail = "skipped", NOT_RUN

    def score(self, result: CaseResult, times: CaseTimes, answers: Answers) -> None:
        student = times.student
        if times.note:
            result.detail = result.note = times.note
        if times.seed is not None:
            result.seed = times.seed
        if student.printed:
            answers.printed[result.name] = printable(student.printed)
        if student.failure is None:
            score_speed(result, times, self.planned.part.scale_of(times.case, times.modelled))
        elif student.failed_with:
            part, assignment = self.planned.part, self.planned.assignment
            picture = picture_of(self.plan.root, assignment, part, times.case)
            result.seed = numbers(student.failed_with)["seed"]
            answers.fail(result, student.failure, student.failed_with, picture)
        else:
            result.verdict, result.detail = student.failure.verdict, student.failure.detail

    def conceal_hidden(self, answers: Answers) -> None:
        for case, result in zip(self.planned.part.correctness, self.correctness, strict=True):
            if case.hidden:
                conceal(result)
                answers.printed.pop(case.name, None)


def choose_printed(result: PartResult, printed: dict[str, str]) -> None:
    """Chooses which case's output is shown: the first that failed, else the first that printed."""
    talked = [case for case in result.cases if printed.get(case.name, "").strip()]
    if talked:
        case = next((case for case in talked if case.verdict != "ok"), talked[0])
        result.printed, result.printed_in = printed[case.name], case.name
