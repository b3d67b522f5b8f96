"""The CPU device's sanitize mode: one case on a program built with `cudacc --sanitize`.

`make check` on the CPU device runs every correctness case here as well, and what is found is its
verdict: a right answer alone proves little where threads run one after another. `make
sanitize-<name>` only does this, and shows everything that was found, leaks included.

The answer is judged here too, and a program that does not come to its end has no verdict but how it
ended: else a file that finds out where it runs would show less of itself here.

Several cases run at a time. What is found depends only on the program and the case, so it is kept
under build/cache/ and not looked for twice.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.cache import content_key, open_cache
from grader.base.files import write_whole
from grader.base.processes import default_limits, describe_exit, kill_tree
from grader.base.text import printable
from grader.course.declare import Case, Part
from grader.course.options import with_number
from grader.run.cpu_time_limit import CpuTimeLimit
from grader.run.judge import judge_output, judge_path
from grader.run.pool import run_jobs
from grader.run.runner import child_environment
from grader.run.sandbox import Box, isolation

MAX_FINDINGS = 1 << 20  # bytes of the file that the program writes
SECONDS_PER_CASE = 40.0
# A program that hangs in every case must not keep the machine for minutes.
MAX_TIMEOUTS = 2  # after so many
SHORT_TIMEOUT_S = 8.0  # the cases left get this much time
FOUND = 86  # the exit status of a program that would have ended with 0, had nothing been found


@dataclass(frozen=True)
class Finding:
    """One cause, as the program's run-time library tells it."""

    kind: str
    sentence: str
    file: str
    line: int
    other_file: str
    other_line: int
    kernel: str
    block: tuple[int, ...]
    threads: str
    count: int

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same cause in another case."""
        places = [(self.file, self.line), (self.other_file, self.other_line)]
        return (self.kind, self.kernel, *(sorted(places) if self.kind == "race" else places))


# What is likelier the cause of the others comes first: an index that is wrong leaves races and
# unwritten elements behind, a barrier that some threads miss orders nothing.
CAUSES_FIRST = ["bad_access", "misaligned", "host_device", "double_free", "stack", "barrier"]
CAUSES_FIRST += ["mask", "race", "uninitialised", "leak"]


def causes_first(findings: Iterable[Finding]) -> list[Finding]:
    ranks = {kind: rank for rank, kind in enumerate(CAUSES_FIRST)}
    return sorted(findings, key=lambda finding: ranks.get(finding.kind, len(ranks)))


@dataclass(frozen=True)
class SanitizeJob:
    """One program, one case."""

    program: Path
    options: str
    judge: Path
    part: str

    def key(self) -> str:
        """The same for the same program and case; where the source lies stands in the program."""
        return content_key([self.part, self.options], [self.program, self.judge])


@dataclass
class SanitizeRun:
    findings: list[Finding] = field(default_factory=list)
    timed_out: bool = False
    status: int = 0
    wrong: str = ""  # what the judge says of its answer; "" if it is right, or there is none
    answered: bool = True

    @property
    def verdict(self) -> Finding | None:
        """The finding that is the case's verdict. Leaks never are: `make sanitize-…` lists them."""
        return next((f for f in causes_first(self.findings) if f.kind != "leak"), None)

    @property
    def unfinished(self) -> str:
        """Why the program was not seen to its end, "" if it was."""
        if self.timed_out:
            return "the program did not end in time"
        if (self.answered and self.status in (0, FOUND)) or self.verdict:
            return ""  # or it is known why it ended
        if self.status >= 0:
            return f"the program ended early, with exit status {self.status}"
        return describe_exit(self.status, "", default_limits("cpu").data_bytes)


def as_finding(entry: object) -> Finding | None:
    """A finding from one line of JSON, which an untrusted program wrote."""
    if not isinstance(entry, dict):
        return None

    def text(name: str) -> str:
        value = entry.get(name)
        return printable(value)[:1000] if isinstance(value, str) else ""

    def number(name: str) -> int:
        value = entry.get(name)
        return value if type(value) is int and 0 <= value < 1 << 53 else 0

    block = entry.get("block")
    valid = isinstance(block, list) and all(type(i) is int for i in block)
    if not text("kind"):
        return None
    return Finding(
        kind=text("kind"),
        sentence=text("sentence"),
        file=text("file"),
        line=number("line"),
        other_file=text("other_file"),
        other_line=number("other_line"),
        kernel=text("kernel"),
        block=tuple(block) if valid else (),
        threads=text("threads"),
        count=number("count"),
    )


def as_findings(lines: str) -> list[Finding]:
    found = []
    for line in lines.splitlines():
        with suppress(ValueError, RecursionError):
            if finding := as_finding(json.loads(line)):
                found.append(finding)
    return found


def sanitize_options(case: Case, seed: int) -> str:
    options = case.options_for("cpu") if case.sanitize is None else case.sanitize
    return with_number(options, "seed", seed)


def jobs_for(root: Path, program: str, judge: str, part: Part, seed: int) -> dict[str, SanitizeJob]:
    """The jobs of a part's correctness cases, by name; `program` is a build for sanitize."""
    judge_file = judge_path(root, judge)
    return {
        case.name: SanitizeJob(root / program, sanitize_options(case, seed), judge_file, part.name)
        for case in part.correctness
    }


def sanitize_all(
    root: Path, jobs: list[SanitizeJob], on_progress: Callable[[], object] = lambda: None
) -> dict[SanitizeJob, SanitizeRun]:
    """Runs the jobs, several at a time; `on_progress` is called as each ends."""
    timed_out: list[SanitizeJob] = []

    def run(job: SanitizeJob) -> SanitizeRun:
        timeout_s = SECONDS_PER_CASE if len(timed_out) < MAX_TIMEOUTS else SHORT_TIMEOUT_S
        found = cached(cache, root, job, timeout_s)
        if found.timed_out:
            timed_out.append(job)
        return found

    with open_cache(root, "findings") as cache:
        return run_jobs(jobs, run, on_progress)


def cached(cache: Path, root: Path, job: SanitizeJob, timeout_s: float) -> SanitizeRun:
    kept = cache / f"{job.key()}.jsonl"
    if kept.is_file():
        os.utime(kept)
        status, _, lines = kept.read_text().partition("\n")
        return SanitizeRun(as_findings(lines), status=int(status))
    run, lines = run_sanitized(root, job, timeout_s)
    if run.answered and not run.wrong and run.status in (0, FOUND):
        write_whole(kept, f"{run.status}\n{lines}")
    return run


def run_sanitized(root: Path, job: SanitizeJob, timeout_s: float) -> tuple[SanitizeRun, str]:
    """Runs a case as one does by hand and judges its answer; also the lines that tell findings.

    The program may write to no file of ours, so findings and answer go to files in memory.
    """
    report, output = os.memfd_create("findings"), os.memfd_create("output")
    with os.fdopen(report, "rb") as findings, os.fdopen(output, "rb") as answer:
        status = run_in_box(job, report, output, timeout_s)
        lines = findings.read(MAX_FINDINGS).decode(errors="replace")
        # Files as a student names them: from the repository's root.
        lines = lines.replace(f"{root.resolve()}/", "")
        run = SanitizeRun(as_findings(lines), status is None, status or 0)
        run.answered = os.fstat(output).st_size > 0
        if run.answered and run.status in (0, FOUND):
            judgement = judge_output(job.judge, job.part, answer.fileno(), 0, job.options)
            run.wrong = "" if judgement.verdict == "ok" else judgement.detail
        return run, lines


def run_in_box(job: SanitizeJob, report: int, output: int, timeout_s: float) -> int | None:
    """How the program ended, None if it did not in time."""
    environment = child_environment()
    environment |= {
        "CUDACPU_FINDINGS": f"/proc/self/fd/{report}",
        "CUDACPU_TIMEOUT": f"{timeout_s / 2:g}",
    }
    with Box([str(job.program.absolute())], default_limits("cpu"), isolation()) as box:
        process = box.start(
            [*shlex.split(job.options), "--no-check", "--output-fd", str(output)],
            environment,
            (report, output),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        limit = CpuTimeLimit(process.pid, timeout_s)
        try:
            while left := limit.left_s():
                with suppress(subprocess.TimeoutExpired):
                    return box.exit_code(process.wait(left))
            return None
        finally:
            kill_tree(process)
