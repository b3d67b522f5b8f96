"""`make check`: builds, runs, judges and scores the planned parts, one after another."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from grader import counted
from grader.build import BuildError, build, short
from grader.counted import Job
from grader.declare import CORRECTNESS_POINTS, SPEED_POINTS, Case, Part
from grader.device import Device
from grader.errors import GraderError
from grader.judge import judge_path
from grader.modelled import job_for, score_modelled
from grader.object_check import check_object
from grader.options import fit_to_memory, needed_bytes, numbers, with_number
from grader.plan import PartPlan, Plan
from grader.processes import default_limits
from grader.reset import is_starter
from grader.results import AssignmentResult, CaseResult, PartResult
from grader.runner import CaseFailure, Runner, printable
from grader.sanitize import SanitizeJob, SanitizeRun, sanitize_all, sanitize_options
from grader.score import FULL_AT, earns_bonus, share_points, speed_fraction
from grader.source_check import check_source
from grader.thresholds import load_thresholds, place_on_ladder
from grader.trial import Contestant, Judge, race, run_case

BONUS_POINTS = 1.0
# A file that hangs must not keep the machine for minutes, nor lose cases that it would pass: after
# so many time-outs, the cases left get this much time instead of their own.
PATIENCE = 2
IMPATIENT_S = 2.0


class Screen(Protocol):
    """What is told to whoever watches while grading goes on."""

    def step(self, text: str, done: int, total: int) -> None: ...

    def assignment(self, result: AssignmentResult) -> None: ...


def check(plan: Plan, fixed_seed: int | None, screen: Screen) -> list[AssignmentResult]:
    """Grades everything planned. Only the student's own failures become verdicts."""
    stopped = {id(p): stop for p in plan.parts if (stop := stop_at_source(plan.root, p))}
    screen.step("building", 0, 0)
    errors = build(plan.root, wanted_targets(plan, stopped))
    for planned in plan.parts:
        for program in planned.programs:
            if program in errors and planned.submission:
                raise GraderError(f"{program} could not be built: {errors[program].sentence}.")
    results: list[AssignmentResult] = []
    for index, planned in enumerate(plan.parts):
        name = planned.assignment.name
        if not results or results[-1].name != name:
            results.append(AssignmentResult(name, []))
        grader = PartGrader(plan, planned, fixed_seed, screen)
        if planned.submission:
            for program in (planned.sanitize, planned.submission.target):
                if program in errors:
                    stopped[id(planned)] = ("build_error", errors[program])
            grader.count_error = errors.get(planned.counted)
            if id(planned) not in stopped:
                stopped.update(stop_at_object(plan.root, planned))
        results[-1].parts.append(grader.grade(stopped.get(id(planned))))
        last = index + 1 == len(plan.parts) or plan.parts[index + 1].assignment.name != name
        if last:
            screen.assignment(results[-1])
    return results


Stop = tuple[str, BuildError]  # a verdict for a whole part, and why


def stop_at_source(root: Path, planned: PartPlan) -> Stop | None:
    """A verdict that needs no build: the file is missing, or holds what is not allowed."""
    if planned.submission is None:
        return None
    file = planned.submission.file
    if not file.is_file():
        restore = f"make reset-{planned.assignment.name}"
        sentence = f"{short(root, file)} is not there; `{restore}` brings the starter back."
        return "build_error", BuildError(sentence, "")
    forbidden = check_source(file)
    if forbidden:
        sentence = f"{short(root, file)}:{forbidden.line}: {forbidden.sentence}"
        return "forbidden", BuildError(sentence, "")
    return None


def stop_at_object(root: Path, planned: PartPlan) -> dict[int, Stop]:
    """The verdict `forbidden` for what only the compiled file shows; empty if all is well."""
    for program in filter(None, (planned.submission.target, planned.counted)):
        object_file = root / f"{program}.o"
        offence = check_object(object_file) if object_file.is_file() else None
        if offence:
            sentence = f"{short(root, planned.submission.file)} {offence}"
            return {id(planned): ("forbidden", BuildError(sentence, ""))}
    return {}


def wanted_targets(plan: Plan, stopped: dict[int, Stop]) -> dict[str, Path | None]:
    """{make target: the student's file it is made from}, each once."""
    targets: dict[str, Path | None] = {}
    for planned in plan.parts:
        if planned.submission and id(planned) not in stopped:
            targets.update(dict.fromkeys(planned.programs))
            targets[planned.submission.target] = planned.submission.file
            if planned.sanitize and planned.part.correctness:
                targets[planned.sanitize] = planned.submission.file
            if planned.counted:
                targets[planned.counted] = planned.submission.file
    return targets


def picture_file(root: Path, assignment: str, part: str, case: str) -> Path:
    """The student's image; beside it lie <case>-reference.png and <case>-difference.png."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", case)
    return root / "build" / "pictures" / assignment / part / f"{name}.png"


def is_ceiling(peer: str) -> bool:
    """Peers that only copy are limits, not rivals."""
    return peer.removeprefix("peer:").startswith(("copy", "memcpy"))


def contestant(name: str, runner: Runner) -> Contestant:
    return Contestant(name, runner, judged=not is_ceiling(name))


def new_seed() -> int:
    """From the operating system: nobody can know it before the report prints it."""
    return int.from_bytes(os.urandom(4), "little")


class PartGrader:
    """Grades one part: first its correctness cases, then its speed cases."""

    def __init__(self, plan: Plan, planned: PartPlan, fixed_seed: int | None, screen: Screen):
        self.root = plan.root
        self.device: Device = plan.device
        self.planned = planned
        self.part: Part = planned.part
        self.fixed_seed = fixed_seed
        self.screen = screen
        self.printed: dict[str, str] = {}  # by case
        self.model = plan.model
        self.count_error: BuildError | None = None  # why the program to be counted was not built
        self.timeouts = 0
        self.thresholds = load_thresholds(plan.root, planned.assignment.name, plan.device.name)
        self.judge: Judge | None = None
        self.student: Runner | None = None

    def grade(self, stopped: Stop | None) -> PartResult:
        submission = self.planned.submission
        if submission is None:
            cases = self.unrun("skipped", "the file serves another part")
            for case in cases:
                case.max_score = case.needs_gpu = 0.0
            return PartResult(self.part.name, "", cases)
        file = short(self.root, submission.file)
        if stopped:
            verdict, error = stopped
            cases = self.unrun(verdict, error.sentence)
            return PartResult(self.part.name, file, cases, excerpt=error.excerpt)
        self.judge = Judge(judge_path(self.root, self.planned.judge), self.part.name)
        with self.runner(submission.target) as self.student:
            correctness = [self.correctness_case(case) for case in self.part.correctness]
            self.sanitize(correctness)
            if self.device.kind == "gpu":
                speed = self.speed_cases()
            else:
                speed = [self.speed_case_on_cpu(case) for case in self.part.speed]
                self.model_times(speed)
        result = PartResult(self.part.name, file, correctness + speed)
        result.untouched = is_starter(self.root, file)
        self.choose_printed(result)
        self.compare_with_others(result)
        return result

    def runner(self, target: str, *more: str) -> Runner:
        command = [str((self.root / target).absolute()), *more]
        return Runner(command, default_limits(self.device.kind))

    def points(self, case: Case) -> float:
        """What a case is worth: a share among all cases of its kind, run now or not."""
        weight = self.part.weight
        whole = self.planned.whole
        for cases, total in (
            (whole.correctness, CORRECTNESS_POINTS),
            (whole.speed, SPEED_POINTS),
        ):
            if case in cases:
                shares = share_points([c.points for c in cases], total)
                return weight * shares[cases.index(case)]
        raise AssertionError(case.name)

    def blank(self, case: Case, verdict: str = "ok") -> CaseResult:
        """A result with its points; speed has some only where it can be measured."""
        speed = case in self.part.speed
        worth = self.points(case)
        if speed and self.device.kind == "cpu" and not self.planned.counted:
            return CaseResult(case.name, "speed", verdict, 0.0, needs_gpu=worth)
        return CaseResult(case.name, "speed" if speed else "correctness", verdict, worth)

    def unrun(self, verdict: str, detail: str) -> list[CaseResult]:
        cases = self.part.correctness + self.part.speed
        results = [self.blank(case, verdict) for case in cases]
        for result in results:
            result.detail = detail
        return results

    def seed(self) -> int:
        return new_seed() if self.fixed_seed is None else self.fixed_seed

    def step(self, case: Case) -> None:
        cases = self.part.correctness + self.part.speed
        names = dict.fromkeys((self.planned.assignment.name, self.part.name, case.name))
        text = " · ".join(names)
        self.screen.step(text, cases.index(case), len(cases))

    def replay(self, options: str) -> str:
        return shlex.join([self.planned.submission.target, *shlex.split(options)])

    def run_once(self, case: Case, options: str, result: CaseResult) -> None:
        """One judged run of the student's program; the verdict goes into `result`."""
        self.step(case)
        result.seed = self.seed()
        options = with_number(options, "seed", result.seed)
        judge = replace(self.judge, picture=self.picture(case))
        try:
            run_case(self.student, judge, options, self.time_limit(case))
        except CaseFailure as failure:
            self.fail(result, failure, options, judge.picture)
        self.printed[case.name] = printable(self.student.take_printed())

    def picture(self, case: Case) -> Path | None:
        """Where the judge leaves its pictures of the case: this file and two beside it."""
        if not self.part.pictures:
            return None
        return picture_file(self.root, self.planned.assignment.name, self.part.name, case.name)

    def time_limit(self, case: Case) -> float:
        return case.timeout_s if self.timeouts < PATIENCE else min(case.timeout_s, IMPATIENT_S)

    def fail(
        self,
        result: CaseResult,
        failure: CaseFailure,
        options: str,
        picture: Path | None = None,
    ) -> None:
        self.timeouts += failure.verdict == "timeout"
        result.verdict = failure.verdict
        # Files as a student names them: from the repository's root.
        result.detail = failure.detail.replace(f"{self.root.resolve()}/", "")
        if picture and failure.verdict == "wrong":
            result.detail += f" (see {short(self.root, picture)})"
        # By hand the first repeat is judged unless another is asked for.
        chosen = f" --judge {failure.repeat}" if failure.repeat else ""
        result.replay = self.replay(options + chosen)

    def choose_printed(self, result: PartResult) -> None:
        """Shows what was printed in the first case that failed, else in the first that printed."""
        talked = [case for case in result.cases if self.printed.get(case.name, "").strip()]
        if talked:
            case = next((case for case in talked if case.verdict != "ok"), talked[0])
            result.printed, result.printed_in = self.printed[case.name], case.name

    def correctness_case(self, case: Case) -> CaseResult:
        result = self.blank(case)
        self.run_once(case, case.options_for(self.device.kind), result)
        result.score = result.max_score if result.verdict == "ok" else 0.0
        return result

    def sanitize(self, results: list[CaseResult]) -> None:
        """Every case once more under sanitize; what it finds is the verdict and earns nothing."""
        if not self.planned.sanitize:
            return
        program = self.root / self.planned.sanitize
        jobs = {
            result.name: SanitizeJob(program, sanitize_options(case, self.fixed_seed))
            for case, result in zip(self.part.correctness, results, strict=True)
            if result.verdict != "timeout"
        }
        runs = sanitize_all(self.root, list(jobs.values()), self.told_of("sanitize", len(jobs)))
        for result in results:
            if result.name in jobs:
                job = jobs[result.name]
                self.judge_sanitized(result, job, runs[job])

    def judge_sanitized(self, result: CaseResult, job: SanitizeJob, run: SanitizeRun) -> None:
        finding = run.verdict
        if finding:
            where = f"{finding.place}: " if finding.place else ""
            result.verdict, result.detail = finding.kind, where + finding.sentence
            result.cause = str(finding.key)
            result.score = 0.0
            result.replay = f"{self.planned.sanitize} {job.options}"
        elif run.unfinished and result.verdict == "ok":
            result.note = f"not seen to its end under sanitize: {run.unfinished}"

    def speed_case_on_cpu(self, case: Case) -> CaseResult:
        """Run for its answer only: how long that takes here says nothing about a GPU."""
        result = self.blank(case)
        options = case.options_for("cpu")
        if options != case.options_for("gpu"):
            result.detail = result.note = f"on the CPU device: {options}"
        self.run_once(case, options, result)
        return result

    def model_times(self, results: list[CaseResult]) -> None:
        """Counts every case that was right, the student's program and the target, and scores it."""
        planned = self.planned
        if not planned.counted:
            return
        jobs: dict[str, tuple[Job, Job]] = {}
        for case, result in zip(self.part.speed, results, strict=True):
            if result.verdict == "ok" and self.count_error:
                result.verdict, result.detail = "build_error", self.count_error.sentence
            elif result.verdict == "ok":
                jobs[case.name] = tuple(
                    job_for(
                        self.root, program, planned.judge, self.part.name, case, self.fixed_seed
                    )
                    for program in (planned.counted, planned.counted_target)
                )
        wanted = [job for pair in jobs.values() for job in pair]
        outcomes = counted.count_all(self.root, wanted, self.told_of("counting", len(wanted)))
        for case, result in zip(self.part.speed, results, strict=True):
            if result.name in jobs:
                student, target = (outcomes[job] for job in jobs[result.name])
                gpu = self.model.slice(case.share)
                score_modelled(result, student, target, planned.counted_target, gpu)

    def told_of(self, work: str, total: int) -> Callable[[object], None]:
        """A function that shows progress each time it is called."""
        done = itertools.count(1)
        text = f"{self.planned.assignment.name} · {self.part.name} · {work}"
        self.screen.step(text, 0, total)
        return lambda job: self.screen.step(text, next(done), total)

    def speed_cases(self) -> list[CaseResult]:
        if not self.part.speed:
            return []
        references = self.references()
        try:
            return [self.speed_case(case, references) for case in self.part.speed]
        finally:
            for runner in references.values():
                runner.close()

    def references(self) -> dict[str, Runner]:
        """The programs to compare with, by name: target, solution, peer:NAME."""
        found = {}
        if self.planned.target:
            found["target"] = self.runner(self.planned.target)
        if self.planned.solution:
            found["solution"] = self.runner(self.planned.solution)
        if self.planned.peers:
            for name in list_peers(self.root, self.planned.peers):
                found[f"peer:{name}"] = self.runner(self.planned.peers, "--peer", name)
        return found

    def speed_case(self, case: Case, references: dict[str, Runner]) -> CaseResult:
        self.step(case)
        result = self.blank(case)
        options, result.note = fit_to_memory(case, case.options_for("gpu"), self.device.free_bytes)
        result.seed = self.seed()
        options = with_number(options, "seed", result.seed)
        student = Contestant("student", self.student, picture=self.picture(case))
        field = [student, *(contestant(name, r) for name, r in references.items())]
        together = len(field) * needed_bytes(case, options, 0) <= self.device.free_bytes // 2
        # With a wrong answer the race is over: it needs no reference times.
        race(field, self.judge, options, case.timeout_s, together, leader=student)
        self.printed[case.name] = printable(self.student.take_printed())
        if student.failure:
            result.seed = numbers(student.failed_with)["seed"]
            self.fail(result, student.failure, student.failed_with, student.picture)
            return result
        by_name = {contestant.name: contestant for contestant in field}
        result.detail = result.note
        self.read_times(case, result, by_name)
        return result

    def read_times(self, case: Case, result: CaseResult, field: dict[str, Contestant]) -> None:
        """Fills in times, rates and points from a race that the student finished."""
        student, target = field["student"], field.get("target")
        result.time_ms = student.time_ms
        if target is None:
            result.reference_ms = self.thresholds.reference(self.part.name, case.name)
        elif target.failure:
            failure = target.failure
            sentence = f"{failure.verdict}, {failure.detail}"
            raise GraderError(f"{self.planned.target} failed {case.name}: {sentence}.")
        else:
            result.reference_ms = target.time_ms
        # What a case moves is taken from a program that we wrote, where there is one.
        honest = target or field.get("solution") or student
        result.bytes = honest.bytes
        solution = field.get("solution")
        result.solution_ms = solution.time_ms if solution else None
        peers = {n.removeprefix("peer:"): c for n, c in field.items() if n.startswith("peer:")}
        rivals = {n: c for n, c in peers.items() if not is_ceiling(n)}
        result.peers_ms = {n: c.time_ms for n, c in rivals.items() if c.time_ms is not None}
        result.peer_ms = min(result.peers_ms.values(), default=None)
        copies = [c.bytes_per_ms for n, c in peers.items() if n not in rivals and c.bytes_per_ms]
        if honest.limit_ms and result.time_ms:
            result.limit, result.of_limit = "link", honest.limit_ms / result.time_ms
        elif copies and result.bytes and result.time_ms:
            result.limit = "copy"
            result.of_limit = result.bytes / result.time_ms / max(copies)
        if result.reference_ms is None:
            result.verdict, result.max_score = "skipped", 0.0
            result.detail = f"right, but there is no reference time for {self.device.name}"
            return
        result.score = result.max_score * speed_fraction(result.time_ms, result.reference_ms)

    def compare_with_others(self, result: PartResult) -> None:
        """The bonus, and where on the ladder the times leave the student."""
        timed = [case for case in result.cases if case.time_ms is not None]
        speed = [case for case in result.cases if case.kind == "speed"]
        if not timed:
            return
        beaten = [
            earns_bonus(
                case.time_ms,
                [ms for ms in (case.solution_ms, *case.peers_ms.values()) if ms is not None],
            )
            for case in timed
        ]
        if len(timed) == len(speed) == len(self.planned.whole.speed) and all(beaten):
            result.bonus = BONUS_POINTS
        result.position = place_on_ladder(
            timed, self.thresholds.rungs(self.part.name), self.part.target
        )
        result.position += self.next_rung(timed)

    def next_rung(self, timed: list[CaseResult]) -> str:
        """Modelled times say what binds, and so which rung is next."""
        slowest = max(timed, key=lambda case: case.time_ms / (case.reference_ms or math.inf))
        rung = self.part.cures.get(slowest.binds)
        if not rung or slowest.time_ms <= FULL_AT * slowest.reference_ms:
            return ""
        return f"; next: {rung}, which is about {slowest.limit}"


def list_peers(root: Path, program: str) -> list[str]:
    """The names that a peers program offers."""
    try:
        done = subprocess.run(
            [str((root / program).absolute()), "--list"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=True,
        )
        names = json.loads(done.stdout)
        return [str(name) for name in names]
    except (subprocess.SubprocessError, OSError, ValueError, TypeError) as error:
        raise GraderError(f"{program} --list did not name its peers: {error}.") from error
