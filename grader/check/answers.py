"""Runs the student's program on cases, has the answers judged, and explains failures."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from grader.base.device import Device, probe_gpu
from grader.base.errors import GraderError
from grader.base.files import short
from grader.base.text import printable
from grader.check.replay import by_hand
from grader.check.verdict import Answer
from grader.course.declare import Assignment, Case
from grader.course.options import with_number
from grader.course.resolve import Submission
from grader.course.results import OK, Verdict
from grader.run.case import Judge, new_seed, picture_of, run_case
from grader.run.judge import judge_path
from grader.run.runner import CaseFailure, runner_for

# A file that hangs must not occupy the machine for minutes, nor lose cases that would pass: after a
# time-out, each further case gets a shorter time limit; and after several time-outs in a row no
# further case is tried.
SHORT_TIMEOUT_S = 2.0
MAX_TIMEOUTS = 3
GIVEN_UP = Verdict(
    "timeout", f"not tried: the {MAX_TIMEOUTS} cases before did not end either", cause="hopeless"
)
# CUDA's errors for a GPU's limits, each with the most frequent cause.
CAUSES = {
    "cudaErrorLaunchTimeout": (
        "; this GPU draws a screen as well, and the operating system ended the kernel after some "
        "seconds. Cut the work into launches that take less; or use a GPU without a screen (Linux: "
        "sudo systemctl isolate multi-user.target; on Windows and under WSL the limit is TdrDelay "
        "in the registry of Windows)"
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
# CUDA's errors when no GPU answers; a student's program can return the same errors, so the
# grader probes the GPU.
GPU_LOST = re.compile(
    r"cudaError(NoDevice|InvalidDevice|DevicesUnavailable|DeviceUninitialized|SystemNotReady"
    r"|ECCUncorrectable|InitializationError|InsufficientDriver|Unknown)\b"
    r"|no CUDA-capable device|unavailable|unknown error|ECC|driver"
)


class Answers:
    """The student's program of a part; counts the time-outs of the cases so far."""

    def __init__(
        self,
        root: Path,
        device: Device,
        assignment: Assignment,
        submission: Submission,
        judge: str,
        fixed_seed: int | None,
    ):
        """`judge` is the judge's program."""
        self.root, self.device, self.assignment = root, device, assignment
        self.submission, self.part = submission, submission.part
        self.fixed_seed = fixed_seed
        self.timeouts = 0
        self.hanging = 0  # time-outs in a row
        self.judge = Judge(judge_path(root, judge), self.part.name)
        self.student = runner_for(root, submission.program, device.kind)

    def __enter__(self) -> Answers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program; the next run starts the program again."""
        self.student.close()

    def run(self, case: Case) -> Answer:
        """Runs a case and has an output judged."""
        options = case.options_for(self.device.kind)
        smaller = "" if options == case.options_for("gpu") else options
        if self.is_given_up:
            return Answer(GIVEN_UP, smaller=smaller)
        seed = new_seed() if self.fixed_seed is None else self.fixed_seed
        options = with_number(options, "seed", seed)
        picture = picture_of(self.root, self.assignment, self.part, case)
        limit_s = min(case.timeout_s, SHORT_TIMEOUT_S) if self.timeouts else case.timeout_s
        hanging, self.hanging = self.hanging, 0
        verdict = OK
        try:
            run_case(self.student, replace(self.judge, picture=picture), options, limit_s)
        except CaseFailure as failure:
            self.hanging = hanging
            verdict = self.failed(failure, options, picture)
        except GraderError as error:
            if case.hidden:
                sentence = f"{case.name} of {self.part.name} cannot be run or judged."
                raise GraderError(sentence) from None
            raise error
        return Answer(verdict, seed, printable(self.student.take_printed()), smaller)

    @property
    def is_given_up(self) -> bool:
        """Whether no case is tried any more, because the program keeps running into time limits."""
        return self.hanging >= MAX_TIMEOUTS

    def failed(self, failure: CaseFailure, options: str, picture: Path | None) -> Verdict:
        """The verdict of a failure, with the command to repeat the case."""
        if failure.verdict == "timeout":
            self.timeouts, self.hanging = self.timeouts + 1, self.hanging + 1
        detail = failure.detail
        if self.device.measures:
            file = short(self.root, self.submission.file)
            detail += cause_of_cuda_error(failure, file, self.assignment.name)
        # Paths as typed by a student: relative to the repository's root.
        detail = detail.replace(f"{self.root.resolve()}/", "")
        if picture and failure.verdict == "wrong" and picture.is_file():
            detail += f" (see {short(self.root, picture)})"
        # Run by hand, the program judges the first repeat unless another is asked for.
        chosen = f" --judge {failure.repeat}" if failure.repeat else ""
        replay = by_hand(self.root, self.submission.program, options + chosen)
        return Verdict(failure.verdict, detail, failure.cause, replay)


def cause_of_cuda_error(failure: CaseFailure, file: str, assignment: str) -> str:
    """The cause of an error from a GPU's limits or its display; a lost GPU ends the check."""
    if failure.verdict not in ("cuda_error", "timeout"):
        return ""
    for name, cause in CAUSES.items():
        if name in failure.detail:
            return cause.format(assignment=assignment, file=printable(file))
    if GPU_LOST.search(failure.detail) and "error" in (answer := probe_gpu()):
        raise GraderError(
            f"The GPU is gone: {answer['error']}. Look at nvidia-smi and dmesg; what was found "
            "before is kept."
        )
    return ""
