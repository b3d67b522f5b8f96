"""Runs a program's profile build on one case, in a process of its own, several of them at a time.

    python -m grader.run.profiled    a job as one line of JSON on stdin, its outcome on stdout

The processes are separate so that each can kill everything its runner started without knowing of
the others. What is counted depends only on the program and the case, so it is kept under
build/cache/ and not counted twice.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.gpu import ModelError
from cpudevice.model.profile import Profile, read_profile
from grader.base.cache import content_key, open_cache, prune
from grader.base.errors import GraderError
from grader.base.files import write_json, write_whole
from grader.base.processes import adopt_orphans, default_limits, ending_with_us
from grader.base.scratch import Scratch
from grader.build.make import processors
from grader.run.interleaved import Judge, run_case
from grader.run.runner import CaseFailure, Runner, copy_bytes

SEED = 1  # of what we wrote: counts do not change from one check to the next
# Counting takes longer than running.
TIMEOUT_FACTOR = 6


@dataclass(frozen=True)
class Job:
    """One program, one case."""

    program: str  # an absolute path
    judge: str  # "": the answer is not looked at
    part: str
    options: str
    timeout_s: float

    def key(self) -> str:
        """The same for the same program and case, whatever they are called."""
        files = map(Path, filter(None, (self.program, self.judge)))
        return content_key((self.part, self.options), files)

    def unjudged(self) -> Job:
        return dataclasses.replace(self, judge="")


@dataclass(frozen=True)
class Outcome:
    """What was counted of a right answer; else the verdict and no profile."""

    verdict: str
    detail: str
    bytes: float = 0.0  # what the problem must move at least
    profile: Profile | None = None


def seed_of(file: Path, asked: int | None = None) -> int:
    """The seed of a student's file, for the runs that must come out alike each time.

    Where none is asked for, it depends on every byte of the file: so nobody can write down there
    what is right for it.
    """
    if asked is not None:
        return asked
    return int.from_bytes(hashlib.sha256(file.read_bytes()).digest()[:4], "little")


def count_all(
    root: Path, jobs: list[Job], told: Callable[[Job], None] = lambda job: None
) -> dict[Job, Outcome]:
    """Runs the jobs, as many at a time as there are processors; `told` hears of each that ends."""
    outcomes = {}
    with profile_cache(root) as cache, ThreadPoolExecutor(processors()) as pool:
        futures = {pool.submit(count, cache, job): job for job in dict.fromkeys(jobs)}
        for future in as_completed(futures):
            outcomes[futures[future]] = future.result()
            told(futures[future])
    return outcomes


@contextmanager
def profile_cache(root: Path) -> Iterator[Path]:
    """The cache of outcomes: <key>.json, and beside it <key>.profile."""
    cache = open_cache(root, "profiles")
    yield cache
    prune(cache, "*.json", ".profile")


def count(cache: Path, job: Job) -> Outcome:
    kept = cache / job.key()
    meta, profile = kept.with_suffix(".json"), kept.with_suffix(".profile")
    if not (meta.is_file() and profile.is_file()):
        outcome = run_job(job, profile)
        if outcome["verdict"] != "ok":
            return Outcome(outcome["verdict"], outcome["detail"])
        write_json(meta, outcome)
    for path in (meta, profile):
        with suppress(OSError):
            os.utime(path)
    outcome = json.loads(meta.read_text())
    try:
        return Outcome("ok", "", outcome["bytes"], read_profile(profile))
    except ModelError as error:
        meta.unlink(missing_ok=True)
        return Outcome("crash", f"the program spoiled what was counted: {error}")


def run_job(job: Job, profile: Path) -> dict:
    """Starts this module as a process; the profile it leaves is moved to its place in one step."""
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
            return {"verdict": "crash", "detail": "the program left nothing that could be counted"}
        if outcome["verdict"] == "ok":
            write_whole(profile, written.read_bytes())
        return outcome


def serve(job: Job, profile: str) -> dict:
    """The process of one job: one judged run."""
    adopt_orphans()
    # The program may write to no file of ours, so it is given a file in memory.
    memory = os.memfd_create("profile")
    timeout_s = job.timeout_s * TIMEOUT_FACTOR
    environment = {"CUDACPU_PROFILE": f"/proc/self/fd/{memory}"}
    # A single launch may take nearly as long as the case.
    environment["CUDACPU_TIMEOUT"] = f"{0.9 * timeout_s:g}"
    judge = Judge(Path(job.judge), job.part) if job.judge else None
    with Runner([job.program], default_limits("cpu"), environment, (memory,)) as runner:
        try:
            reply = run_case(runner, judge, job.options, timeout_s)
        except CaseFailure as failure:
            return {"verdict": failure.verdict, "detail": failure.detail}
    if os.fstat(memory).st_size:
        with open(profile, "wb") as file:
            copy_bytes(memory, file.fileno())
    return {"verdict": "ok", "detail": "", "bytes": reply.bytes}


def main() -> int:
    words = json.loads(sys.stdin.read())
    profile = words.pop("profile")
    try:
        print(json.dumps(serve(Job(**words), profile)))
    except GraderError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
