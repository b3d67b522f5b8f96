"""Runs profile builds of programs on cases, several at a time, in a separate process per job.

    python -m grader.run.profiled    a job as a line of JSON on stdin, the outcome on stdout

In a separate process each job can kill everything that its runner started without knowing of the
other jobs. A profile depends only on the program and the case, and is cached under build/cache/.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.gpu import ModelError
from cpudevice.model.profile import Profile, read_profile
from grader.base.cache import content_key, open_cache
from grader.base.errors import GraderError
from grader.base.files import write_json, write_whole
from grader.base.processes import adopt_orphans, default_limits, ending_with_us
from grader.base.scratch import Scratch
from grader.run.case import Judge, run_case
from grader.run.pool import run_jobs
from grader.run.runner import CaseFailure, Runner, time_limits

# Profiling is slower than running.
TIMEOUT_FACTOR = 6
# A case for speed is profiled in a second or two, the slowest rung in eight: a program that takes
# longer hangs, and the line in question is to be reported within 20 seconds.
KERNEL_S, CALL_S = 15.0, 17.0
# The course's own programs end, however slow the machine is.
OURS_KERNEL_S, OURS_CALL_S = 100.0, 120.0
# A program that hangs in every case must not occupy the machine for minutes.
SHORT_KERNEL_S, SHORT_CALL_S = 3.0, 4.0


@dataclass(frozen=True)
class ProfileJob:
    """A program and a case."""

    program: str  # an absolute path
    judge: str  # "": the answer is not judged
    part: str
    options: str
    timeout_s: float
    limits: tuple[float, float] = (KERNEL_S, CALL_S)  # of a kernel and of the call, in seconds

    def key(self) -> str:
        """The same for the same program and case, under any name."""
        files = map(Path, filter(None, (self.program, self.judge)))
        return content_key((self.part, self.options), files)

    def of_ours(self) -> ProfileJob:
        """A job for a rung or the solution."""
        return dataclasses.replace(self, limits=(OURS_KERNEL_S, OURS_CALL_S))

    def unjudged(self) -> ProfileJob:
        return dataclasses.replace(self, judge="")


@dataclass(frozen=True)
class ProfileOutcome:
    """The profile of a right answer; else the verdict and no profile."""

    verdict: str
    detail: str
    bytes: float = 0.0  # what the problem must move at least
    profile: Profile | None = None


def profile_all(
    root: Path, jobs: list[ProfileJob], on_progress: Callable[[], object] = lambda: None
) -> dict[ProfileJob, ProfileOutcome]:
    """Runs the jobs, several at a time; calls `on_progress` as each ends."""
    hanging: set[str] = set()  # programs

    def run(job: ProfileJob) -> ProfileOutcome:
        limited = job
        if job.program in hanging:
            limited = dataclasses.replace(job, limits=(SHORT_KERNEL_S, SHORT_CALL_S))
        outcome = profile_job(cache, limited)
        if outcome.verdict == "timeout":
            hanging.add(job.program)
        return outcome

    with profile_cache(root) as cache:
        return run_jobs(jobs, run, on_progress)


def profile_even_wrong(
    root: Path, jobs: list[ProfileJob], on_progress: Callable[[], object] = lambda: None
) -> dict[ProfileJob, tuple[ProfileOutcome, str]]:
    """Like profile_all, but also with the profiles of wrong answers; each with the error, or ""."""
    outcomes = profile_all(root, jobs, on_progress)
    wrong = [job for job, outcome in outcomes.items() if outcome.verdict == "wrong"]
    unjudged = profile_all(root, [job.unjudged() for job in wrong])
    found = {job: (outcome, "") for job, outcome in outcomes.items()}
    for job in wrong:
        found[job] = (unjudged[job.unjudged()], outcomes[job].detail)
    return found


def profile_cache(root: Path) -> AbstractContextManager[Path]:
    """The cache of outcomes: <key>.json, beside <key>.profile."""
    return open_cache(root, "profiles", "*.json", ".profile")


def profile_job(cache: Path, job: ProfileJob) -> ProfileOutcome:
    """The outcome of a job, from the cache or made now."""
    kept = cache / job.key()
    meta, counts = kept.with_suffix(".json"), kept.with_suffix(".profile")
    outcome = None
    # Another grader may remove the entry at any moment.
    with suppress(FileNotFoundError):
        outcome = json.loads(meta.read_text()) if counts.is_file() else None
    if outcome is None:
        outcome = run_job(job, counts)
        if outcome["verdict"] != "ok":
            return ProfileOutcome(outcome["verdict"], outcome["detail"])
        write_json(meta, outcome)
    for path in (meta, counts):
        with suppress(OSError):
            os.utime(path)
    try:
        return ProfileOutcome("ok", "", outcome["bytes"], read_profile(counts))
    except ModelError as error:
        meta.unlink(missing_ok=True)
        return ProfileOutcome("crash", f"the program overwrote its profile: {error}")


def run_job(job: ProfileJob, profile: Path) -> dict:
    """Starts the module as a process; the profile is moved to its place atomically."""
    with Scratch() as folder:
        written = Path(folder) / "profile.json"
        done = subprocess.run(
            [*ending_with_us(), sys.executable, "-m", "grader.run.profiled"],
            input=json.dumps(dataclasses.asdict(job) | {"profile": str(written)}),
            env=os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise GraderError(f"counting {Path(job.program).name} failed: {last}")
        outcome = json.loads(done.stdout)
        if outcome["verdict"] == "ok" and not written.is_file():
            return {"verdict": "crash", "detail": "the program left no profile"}
        if outcome["verdict"] == "ok":
            write_whole(profile, written.read_bytes())
        return outcome


def serve(job: ProfileJob, profile: str) -> dict:
    """The main function of a job's process: a judged run."""
    adopt_orphans()
    timeout_s = job.timeout_s * TIMEOUT_FACTOR
    environment = time_limits(*job.limits)
    judge = Judge(Path(job.judge), job.part) if job.judge else None
    with Runner([job.program], default_limits("cpu"), environment) as runner:
        try:
            reply = run_case(runner, judge, job.options, timeout_s)
        except CaseFailure as failure:
            return {"verdict": failure.verdict, "detail": failure.detail}
    if reply.profile:
        Path(profile).write_bytes(reply.profile)
    return {"verdict": "ok", "detail": "", "bytes": reply.bytes}


def main() -> int:
    words = json.loads(sys.stdin.read())
    profile = words.pop("profile")
    try:
        print(json.dumps(serve(ProfileJob(**words), profile)))
    except GraderError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
