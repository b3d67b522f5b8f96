"""The CPU device's sanitize mode: runs a case on a program built with `cudacc --sanitize`.

`make check` on the CPU device runs every correctness case under sanitize as well, and a finding is
the verdict: a right answer alone proves little when threads run one after another. `make
sanitize-<name>` runs sanitize alone, and shows all findings, leaks included.

The answer under sanitize is judged too, and the verdict of a program that does not end is the way
of its end: otherwise a file that detects the mode could hide its faults.

Several cases run at a time. The findings depend only on the program and the case, and are cached
under build/cache/.
"""

import dataclasses
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.base.cache import content_key, open_cache
from grader.base.files import write_json
from grader.base.processes import default_limits, describe_exit
from grader.base.text import printable
from grader.course.declare import Case, Part
from grader.course.options import numbers, with_number
from grader.run.case import Judge
from grader.run.judge import judge_path
from grader.run.pool import run_jobs
from grader.run.runner import CaseFailure, Runner, time_limits

SECONDS_PER_CASE = 40.0
# The time limit of a kernel, and of a call of the student's function: cases are small enough to
# take a few seconds, and a line that hangs is to be reported within 20 seconds.
KERNEL_S, CALL_S = 15.0, 17.0
# A program that hangs in every case must not occupy the machine for minutes: after the first
# time-out each case has a shorter time limit, and after several time-outs no case is tried.
SHORT_TIMEOUT_S = 6.0
MAX_TIMEOUTS = 3
FOUND = 86  # the exit status of a program with findings, in place of 0


@dataclass(frozen=True)
class Finding:
    """A cause, as reported by the program's run-time library."""

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
    places: tuple[str, ...] = ()  # all lines of a race within a block, "file:line"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies the same cause in another case."""
        places = [(self.file, self.line), (self.other_file, self.other_line)]
        return (self.kind, self.kernel, *(sorted(places) if self.kind == "race" else places))

    def is_part_of(self, race: "Finding") -> bool:
        """Whether the access reads a value that another thread of the race has yet to write."""
        early = self.kind == "uninitialised" and self.kernel == race.kernel
        return early and self.place in race.places

    def has_cause_of(self, other: "Finding") -> bool:
        """Whether both have the same cause: without a barrier, other lines race in each case."""
        if self.key == other.key:
            return True
        same_kind = (self.kind, self.kernel) == (other.kind, other.kernel)
        if same_kind and self.kind == "timeout":
            return True  # a time-out names whichever line was running at the stop
        return same_kind and not set(self.places).isdisjoint(other.places)

    def explains(self, other: "Finding") -> bool:
        """Whether `other` may follow from the finding, because the threads are not synchronised."""
        follows = other.kind in ("bad_access", "uninitialised")
        return follows and self.kind in ("race", "barrier", "mask") and self.kernel == other.kernel


# A program reports causes before consequences; the table orders the findings of different cases.
KINDS = ["misaligned", "host_device", "double_free", "stack", "barrier", "mask", "race"]
KINDS += ["bad_access", "uninitialised", "timeout", "leak"]


@dataclass
class Sighting:
    """A cause, and the cases that show the cause."""

    finding: Finding  # the first finding, or for a race the finding with most lines
    cases: list[str]
    place: int  # the best place among the findings of a case


def sightings_of(runs: dict[str, "SanitizeRun"]) -> list[Sighting]:
    """The findings in several cases, by name: a finding per cause, causes first."""
    found: list[Sighting] = []
    for case, run in runs.items():
        for place, finding in enumerate(run.findings):
            known = [sighting for sighting in found if sighting.finding.has_cause_of(finding)]
            if not known:
                found.append(Sighting(finding, [case], place))
                continue
            # The new finding may show that two known findings have the same cause.
            first, *rest = known
            for other in rest:
                found.remove(other)
                first.cases += [name for name in other.cases if name not in first.cases]
            first.place = min([place, *(sighting.place for sighting in known)])
            first.cases += [case] if case not in first.cases else []
            candidates = [*(sighting.finding for sighting in known), finding]
            first.finding = max(candidates, key=lambda finding: len(finding.places))
    races = [sighting.finding for sighting in found if sighting.finding.kind == "race"]
    found = [sighting for sighting in found if not any(map(sighting.finding.is_part_of, races))]
    ranks = {kind: rank for rank, kind in enumerate(KINDS)}
    return sorted(
        found,
        key=lambda s: (s.finding.kind == "leak", s.place, ranks.get(s.finding.kind, len(ranks))),
    )


@dataclass(frozen=True)
class SanitizeJob:
    """A program and a case."""

    program: Path
    options: str
    judge: Path
    part: str

    def key(self) -> str:
        """The same for the same program and case; the program contains the path of the source."""
        return content_key([self.part, self.options], [self.program, self.judge])


@dataclass(frozen=True)
class SanitizeRun:
    """The result of a case: everything that decides the verdict."""

    findings: tuple[Finding, ...] = ()
    timed_out: bool = False
    unfinished: str = ""  # why the program did not run to its end, or ""
    wrong: str = ""  # the judge's answer; "" for a right output or no output

    @property
    def verdict(self) -> Finding | None:
        """The finding that decides the case's verdict; a leak never does."""
        return next((f for f in self.findings if f.kind != "leak"), None)

    @property
    def lasting(self) -> bool:
        """Whether the same program would show the same again, unlike a program that was too slow or
        died. A finding without a place may have a place the next time: the search for a place can
        fail.
        """
        placed = all(finding.place for finding in self.findings)
        return placed and not self.timed_out and not self.unfinished


def as_finding(entry: object) -> Finding | None:
    """Reads a finding from a line of JSON, which an untrusted program wrote."""
    if not isinstance(entry, dict):
        return None

    def text(name: str) -> str:
        value = entry.get(name)
        return printable(value)[:1000] if isinstance(value, str) else ""

    def number(name: str) -> int:
        value = entry.get(name)
        return value if type(value) is int and 0 <= value < 1 << 53 else 0

    block, places = entry.get("block"), entry.get("places")
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
        places=tuple(map(str, places)) if isinstance(places, list) else (),
    )


def as_findings(lines: Iterable[str]) -> list[Finding] | None:
    """A finding for each line, None for a malformed line."""
    found = []
    for line in lines:
        finding = None
        with suppress(ValueError, RecursionError):
            finding = as_finding(json.loads(line))
        if finding is None:
            return None
        found.append(finding)
    return found


def last_words(reported: Iterable[list[Finding]]) -> tuple[Finding, ...]:
    """The last version of each finding: counts grow, and two causes may turn out to be the same."""
    last: list[Finding] = []
    for findings in reported:
        gone = [
            finding
            for finding in last
            if not any(new.has_cause_of(finding) or new.explains(finding) for new in findings)
        ]
        last = findings + gone
    return tuple(sorted(last, key=lambda finding: finding.kind == "leak"))


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
    """Runs the jobs, several at a time; calls `on_progress` as each ends."""
    timed_out: list[SanitizeJob] = []

    def run(job: SanitizeJob) -> SanitizeRun:
        if len(timed_out) >= MAX_TIMEOUTS:
            why = f"not tried: {MAX_TIMEOUTS} cases before did not end either"
            return SanitizeRun(timed_out=True, unfinished=why)
        found = cached(cache, root, job, SHORT_TIMEOUT_S if timed_out else SECONDS_PER_CASE)
        if found.timed_out:
            timed_out.append(job)
        return found

    with open_cache(root, "findings") as cache:
        return run_jobs(jobs, run, on_progress)


def cached(cache: Path, root: Path, job: SanitizeJob, timeout_s: float) -> SanitizeRun:
    kept = cache / f"{job.key()}.json"
    if kept.is_file():
        os.utime(kept)
        return restored(json.loads(kept.read_text()))
    run = run_sanitized(root, job, timeout_s)
    if run.lasting:
        write_json(kept, dataclasses.asdict(run))
    return run


def restored(fields: dict) -> SanitizeRun:
    """The run from which `fields` were made."""
    findings = [
        Finding(**f | {"block": tuple(f["block"]), "places": tuple(f["places"])})
        for f in fields.pop("findings")
    ]
    return SanitizeRun(tuple(findings), **fields)


def run_sanitized(root: Path, job: SanitizeJob, timeout_s: float) -> SanitizeRun:
    """Runs a case, judges its answer and lets the program end by itself."""
    # A hang is to be reported before the case's own time limit.
    environment = time_limits(min(KERNEL_S, timeout_s / 2), min(CALL_S, 0.75 * timeout_s))
    wrong, failure = "", None
    with Runner([str(job.program.absolute())], default_limits("cpu"), environment) as runner:
        try:
            runner.run(job.options, numbers(job.options).get("repeats", 1), timeout_s)
            wrong = judged(runner, job)
            end(runner, timeout_s)
        except CaseFailure as error:
            failure = error
    # Paths as typed by a student: relative to the repository's root.
    at_root = f"{root.resolve()}/"
    reported = [as_findings(line.replace(at_root, "") for line in lines) for lines in runner.found]
    in_time = failure is None or failure.verdict != "timeout"
    if in_time and (runner.spoiled or None in reported):
        failure = CaseFailure("crash", "the findings cannot be read: the program overwrote them")
    findings = last_words(filter(None, reported))
    if failure is None:
        return SanitizeRun(findings, wrong=wrong)
    if failure.verdict == "wrong":
        return SanitizeRun(findings, wrong=failure.detail)
    run = SanitizeRun(findings, failure.verdict == "timeout", failure.detail)
    # A finding tells why the program ended, or where the program hangs.
    known = run.verdict and (not run.timed_out or any(f.kind == "timeout" for f in findings))
    return dataclasses.replace(run, unfinished="") if known else run


def judged(runner: Runner, job: SanitizeJob) -> str:
    """The error in the answer, "" for a right answer."""
    try:
        Judge(job.judge, job.part).verify(runner, job.options, 0)
    except CaseFailure as failure:
        if failure.verdict != "wrong":
            raise
        return failure.detail
    return ""


def end(runner: Runner, timeout_s: float) -> None:
    """Raises CaseFailure for a program that hangs, or ends with an unexpected status."""
    status = runner.finish(timeout_s)
    if status is None:
        raise CaseFailure("timeout", "the program did not end in time")
    if status == FOUND and not any(runner.found):
        raise CaseFailure("crash", "the program reports findings, but does not say which")
    if status < 0:
        raise CaseFailure("crash", describe_exit(status, "", default_limits("cpu").data_bytes))
    if status not in (0, FOUND):
        raise CaseFailure("crash", f"the program ended with exit status {status}")
