"""Grades one part: its cases for correctness, under sanitize once more, and its cases for speed."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cpudevice.model.gpu import Gpu
from grader.base.device import Device, probe_gpu
from grader.base.errors import GraderError
from grader.base.gpu_state import watch_gpu
from grader.base.processes import default_limits
from grader.base.screen import Screen
from grader.build.admission import Stop
from grader.build.make import BuildError, short
from grader.check.replay import by_hand
from grader.course.declare import CORRECTNESS_POINTS, SPEED_POINTS, Case, Part
from grader.course.hidden import conceal
from grader.course.options import fit_to_memory, numbers, with_number
from grader.course.plan import PartPlan, Plan
from grader.course.reset import is_starter
from grader.course.results import CaseResult, PartResult
from grader.course.target import Reference
from grader.course.thresholds import load_thresholds, place_on_ladder
from grader.run import profiled
from grader.run.interleaved import Contestant, Judge, run_case
from grader.run.judge import judge_path
from grader.run.profiled import Job, Outcome, seed_of
from grader.run.runner import CaseFailure, Runner, printable
from grader.run.sanitized import SanitizeJob, SanitizeRun, jobs_for, sanitize_all
from grader.timing.measured import STUDENT, in_doubt, run_race, score_measured
from grader.timing.modelled import job_for, reference_of, score_modelled
from grader.timing.score import FULL_AT, earns_bonus, share_points

BONUS_POINTS = 1.0
# A file that hangs must not keep the machine for minutes, nor lose cases that it would pass: after
# a time-out, the cases left get this much time instead of their own; and after so many in a row
# none is tried any more.
IMPATIENT_S = 2.0
HOPELESS = 3
RETRIES = 2  # of a race on a noisy GPU, or with times that cannot be
# What CUDA says of a GPU's limits, and what is behind it more often than not.
CAUSES = {
    "cudaErrorLaunchTimeout": (
        "; the display of this GPU ended the kernel after some seconds. If it may take so long, "
        "log in without a display (sudo systemctl isolate multi-user.target) or use another GPU"
    ),
    "cudaErrorLaunchOutOfResources": (
        "; the threads of a block together need more registers than a multiprocessor has: "
        "`make registers-{assignment} WITH={file}` shows how many a thread takes; smaller blocks "
        "or __launch_bounds__ help"
    ),
    "cudaErrorIllegalAddress": (
        "; DEVICE=cpu names the line, or the stack, if a function that calls itself has filled it"
    ),
}
# What CUDA says where no GPU answers; a student's program can say so too, hence the second look.
GPU_LOST = re.compile(
    r"cudaError(NoDevice|InvalidDevice|DevicesUnavailable|DeviceUninitialized|SystemNotReady"
    r"|ECCUncorrectable|InitializationError|InsufficientDriver|Unknown)\b"
    r"|no CUDA-capable device|unavailable|unknown error|ECC|driver"
)


def picture_file(root: Path, assignment: str, part: str, case: str) -> Path:
    """The student's image; beside it lie <case>-reference.png and <case>-difference.png."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", case)
    return root / "build" / "pictures" / assignment / part / f"{name}.png"


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
        self.hanging = 0  # time-outs in a row
        self.thresholds = load_thresholds(plan.root, planned.assignment.name, plan.device.name)
        self.judge: Judge | None = None
        self.student: Runner | None = None
        self.look = watch_gpu(plan.device.uuid)

    def grade(self, stopped: Stop | None) -> PartResult:
        submission = self.planned.submission
        if submission is None:
            cases = self.unrun("skipped", "the file serves another part")
            for case in cases:
                case.max_score = case.needs_gpu = 0.0
            return PartResult(self.part.name, "", cases)
        file = printable(short(self.root, submission.file))
        if stopped:
            verdict, error = stopped
            cases = self.unrun(verdict, printable(error.sentence))
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
        for case, its_result in zip(self.part.correctness, correctness, strict=True):
            if case.hidden:
                conceal(its_result)
                self.printed.pop(case.name, None)
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

    def run_once(self, case: Case, options: str, result: CaseResult) -> None:
        """One judged run of the student's program; the verdict goes into `result`."""
        self.step(case)
        if self.is_hopeless(result):
            return
        result.seed = self.seed()
        options = with_number(options, "seed", result.seed)
        judge = replace(self.judge, picture=self.picture(case))
        hanging, self.hanging = self.hanging, 0
        try:
            run_case(self.student, judge, options, self.time_limit(case))
        except CaseFailure as failure:
            self.hanging = hanging
            self.fail(result, failure, options, judge.picture)
        except GraderError as error:
            if case.hidden:
                sentence = f"{case.name} of {self.part.name} cannot be run or judged."
                raise GraderError(sentence) from None
            raise error
        self.printed[case.name] = printable(self.student.take_printed())

    def picture(self, case: Case) -> Path | None:
        """Where the judge leaves its pictures of the case: this file and two beside it."""
        if not self.part.pictures or case.hidden:
            return None
        return picture_file(self.root, self.planned.assignment.name, self.part.name, case.name)

    def time_limit(self, case: Case) -> float:
        return min(case.timeout_s, IMPATIENT_S) if self.timeouts else case.timeout_s

    def is_hopeless(self, result: CaseResult) -> bool:
        """Gives a case up, without a try, of a program that never ends."""
        if self.hanging < HOPELESS:
            return False
        result.verdict, result.cause = "timeout", "hopeless"
        result.detail = f"not tried: the {HOPELESS} cases before did not end either"
        return True

    def fail(
        self,
        result: CaseResult,
        failure: CaseFailure,
        options: str,
        picture: Path | None = None,
    ) -> None:
        if failure.verdict == "timeout":
            self.timeouts, self.hanging = self.timeouts + 1, self.hanging + 1
        result.verdict, result.cause = failure.verdict, failure.cause
        self.look_for_gpu(failure)
        # Files as a student names them: from the repository's root.
        result.detail = failure.detail.replace(f"{self.root.resolve()}/", "")
        if picture and failure.verdict == "wrong" and picture.is_file():
            result.detail += f" (see {short(self.root, picture)})"
        # By hand the first repeat is judged unless another is asked for.
        chosen = f" --judge {failure.repeat}" if failure.repeat else ""
        result.replay = by_hand(self.root, self.planned.submission.target, options + chosen)

    def look_for_gpu(self, failure: CaseFailure) -> None:
        """What a GPU's limits, its display or its end have done is told as such.

        The last ends the check.
        """
        if self.device.kind != "gpu" or failure.verdict not in ("cuda_error", "timeout"):
            return
        for name, cause in CAUSES.items():
            if name in failure.detail:
                file = printable(short(self.root, self.planned.submission.file))
                assignment = self.planned.assignment.name
                failure.detail += cause.format(assignment=assignment, file=file)
                return
        if GPU_LOST.search(failure.detail) and "error" in (answer := probe_gpu()):
            raise GraderError(
                f"The GPU is gone: {answer['error']}. Look at nvidia-smi and dmesg; what was found "
                "before is kept."
            )

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
        jobs = jobs_for(self.root, self.planned, self.fixed_seed)
        for result in results:
            if result.verdict == "timeout":
                del jobs[result.name]
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
        elif run.unfinished and result.verdict == "ok":
            result.verdict = "timeout" if run.timed_out else "crash"
            result.detail = f"not seen to its end under sanitize: {run.unfinished}"
        elif run.wrong and result.verdict == "ok":
            result.verdict, result.detail = "wrong", f"under sanitize: {run.wrong}"
        else:
            return
        result.score = 0.0
        result.replay = by_hand(self.root, self.planned.sanitize, job.options)

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
        own = seed_of(planned.submission.file, self.fixed_seed)
        programs = [(planned.counted, own)]
        if planned.target.program:
            shared = own if self.part.seed_decides else self.fixed_seed
            programs.append((planned.target.program, shared))
        elif self.part.seed_decides:
            # The numbers that stand for the target were counted on the seed that is the default.
            programs = [(planned.counted, self.fixed_seed)]
        jobs: dict[str, list[Job]] = {}
        for case, result in zip(self.part.speed, results, strict=True):
            if result.verdict == "ok" and self.count_error:
                result.verdict, result.detail = "build_error", self.count_error.sentence
            elif result.verdict == "ok":
                jobs[case.name] = [
                    job_for(self.root, program, planned.judge, self.part.name, case, seed)
                    for program, seed in programs
                ]
        wanted = [job for both in jobs.values() for job in both]
        outcomes = profiled.count_all(self.root, wanted, self.told_of("counting", len(wanted)))
        for case, result in zip(self.part.speed, results, strict=True):
            if result.name in jobs:
                student, *target = (outcomes[job] for job in jobs[result.name])
                gpu = self.model.slice(case.share)
                reference = self.modelled_reference(case, gpu, target)
                if reference:
                    score_modelled(result, student, reference, gpu)
                else:
                    result.leave_out(self.model.name)

    def modelled_reference(self, case: Case, gpu: Gpu, target: list[Outcome]) -> Reference | None:
        """The target's time: from what was counted of it, or the number that stands for it."""
        if target:
            return reference_of(target[0], self.planned.target.program, case.name, gpu)
        return self.planned.target.modelled.get(self.model.name, {}).get(case.name)

    def told_of(self, work: str, total: int) -> Callable[[object], None]:
        """A function that shows progress each time it is called."""
        done = itertools.count(1)
        text = f"{self.planned.assignment.name} · {self.part.name} · {work}"
        self.screen.step(text, 0, total)
        return lambda job: self.screen.step(text, next(done), total)

    def speed_alone(self, references: dict[str, Runner]) -> list[CaseResult]:
        """The cases for speed on a GPU, by a program started for them."""
        self.judge = Judge(judge_path(self.root, self.planned.judge), self.part.name)
        with self.runner(self.planned.submission.target) as self.student:
            return [self.speed_case(case, references) for case in self.part.speed]

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
            found["target"] = self.runner(self.planned.target.program)
        if self.planned.solution:
            found["solution"] = self.runner(self.planned.solution)
        if self.planned.peers:
            for name in list_peers(self.root, self.planned.peers):
                found[f"peer:{name}"] = self.runner(self.planned.peers, "--peer", name)
        return found

    def speed_case(self, case: Case, references: dict[str, Runner]) -> CaseResult:
        self.step(case)
        result = self.blank(case)
        if self.is_hopeless(result):
            return result
        options, result.note = fit_to_memory(case, case.options_for("gpu"), self.device.free_bytes)
        result.detail = result.note
        for _ in range(1 + RETRIES):
            field = self.race(case, options, references, result)
            if field[STUDENT].failure or not in_doubt(field, self.device):
                break
        self.printed[case.name] = printable(self.student.take_printed())
        student = field[STUDENT]
        if student.failure:
            result.seed = numbers(student.failed_with)["seed"]
            self.fail(result, student.failure, student.failed_with, student.picture)
            return result
        stored_ms = self.thresholds.reference(self.part.name, case.name)
        score_measured(result, field, self.planned.target.program, self.device, stored_ms)
        return result

    def race(
        self, case: Case, options: str, references: dict[str, Runner], result: CaseResult
    ) -> dict[str, Contestant]:
        """Everyone's times, with a seed of their own."""
        result.seed = self.seed()
        options = with_number(options, "seed", result.seed)
        student = Contestant(
            STUDENT, self.student, trusted=False, picture=self.picture(case), look=self.look
        )
        return run_race(student, references, self.judge, case, options, self.device)

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
