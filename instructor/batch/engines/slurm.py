"""Engine `slurm`: job arrays, several submissions to a task; nodes share OUT and the course.

A wave is an array. Its size respects MaxArraySize, and is halved when the queue refuses the array
because of a limit. A task skips submissions that have a result, so Slurm may start the task again
after its node died; submissions without a result after a wave go into the next wave.
"""

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.files import write_json
from instructor.batch.course import is_prepared
from instructor.batch.enclose import HOME
from instructor.batch.progress import Progress
from instructor.batch.record import (
    ATTEMPTS,
    NOT_GRADED,
    ClassEntry,
    ClassOrder,
    load_result,
    pending,
    running_job,
    save_failure,
    save_order,
    state,
)

POLL_S = 2.0
FILES_PER_S = 200  # checks for result files, at most
GONE_AFTER = 3  # successive polls in which the queue does not know the job
MAX_TASKS = 1000  # if the cluster does not say: below the usual MaxArraySize of 1001
BUNDLE = 8  # a scheduling round takes about a second, a submission several
LIMIT_WORDS = re.compile(r"limit|violates|invalid job array|too many|exceed", re.I)
EXPORTED = ("PATH", "LANG", "HOME", "ISOLATION", "CUDA_HOME", "CXX", "TMPDIR")


@dataclass(frozen=True)
class SlurmOptions:
    jobs: int | None  # tasks at the same time, None: as many as the queue allows
    bundle: int | None  # submissions per task
    more: str  # options of sbatch: "--partition=gpu --account=cs149 --time=2:00:00"


def grade_on_slurm(order: ClassOrder, options: SlurmOptions, progress: Progress) -> None:
    if not shutil.which("sbatch"):
        raise UsageError("ENGINE=slurm: sbatch is not on the PATH; on Debian: slurm-client.")
    order_file = save_order(order)
    wait_for_earlier(order, progress)
    if not is_prepared(order):
        # A node builds its programs itself.
        progress.say("preparing the course, in a job")
        job = submit(order, options, ["--job-name=ladder-prepare"], [str(order_file), "--prepare"])
        wait(job, lambda: None)
        if not is_prepared(order):
            raise GraderError(f"the course could not be prepared: {last_words(order, job)}")
    waiting = pending(order)
    progress.begin(len(order.entries), len(waiting))
    attempts: Counter[str] = Counter()
    most_tasks = max_array_size()
    while waiting:
        bundles, most_tasks, job = submit_wave(order, options, order_file, waiting, most_tasks)
        sent = [slug for bundle in bundles for slug in bundle]
        follow(order, job, [entry for entry in waiting if entry.slug in sent], progress)
        attempts.update(sent)
        running_job(Path(order.out)).unlink(missing_ok=True)
        waiting = [entry for entry in pending(order) if attempts[entry.slug] < ATTEMPTS]
    for entry in pending(order):
        if load_result(order, entry) is None:
            save_failure(order, entry, "its task did not come to an end")
        progress.ended(entry, load_result(order, entry))


def submit_wave(
    order: ClassOrder,
    options: SlurmOptions,
    order_file: Path,
    waiting: list[ClassEntry],
    most_tasks: int,
) -> tuple[list[list[str]], int, str]:
    """Submits an array as large as the queue accepts; returns its bundles, its size, its number."""
    while True:
        bundles = make_bundles([entry.slug for entry in waiting], options.bundle, most_tasks)
        wave = state(Path(order.out)) / "wave.json"
        write_json(wave, bundles)
        at_once = f"%{options.jobs}" if options.jobs else ""
        array = [f"--array=0-{len(bundles) - 1}{at_once}", "--job-name=ladder-class", "--requeue"]
        try:
            job = submit(order, options, array, [str(order_file), "--wave", str(wave)])
            return bundles, most_tasks, job
        except GraderError as error:
            if not LIMIT_WORDS.search(str(error)) or len(bundles) == 1:
                raise
            # A smaller wave now, and the rest in the next wave.
            most_tasks = max(1, len(bundles) // 2)


def make_bundles(slugs: list[str], bundle: int | None, most_tasks: int) -> list[list[str]]:
    """Makes tasks of equal size; tasks beyond `most_tasks` wait for the next wave."""
    size = bundle or max(1, min(BUNDLE, ceil(len(slugs) / 8)), ceil(len(slugs) / most_tasks))
    bundles = [slugs[first : first + size] for first in range(0, len(slugs), size)]
    return bundles[:most_tasks]


def max_array_size() -> int:
    shown = ask(["scontrol", "show", "config"])
    match = re.search(r"^MaxArraySize\s*=\s*(\d+)", shown or "", re.M)
    return max(1, int(match[1]) - 1) if match else MAX_TASKS


def submit(order: ClassOrder, options: SlurmOptions, own: list[str], arguments: list[str]) -> str:
    """Submits a job (or array) that runs instructor.batch.engines.task; returns the job number."""
    out = Path(order.out)
    logs = state(out) / "slurm"
    logs.mkdir(exist_ok=True)
    command = ["sbatch", "--parsable", f"--output={logs}/%A-%a.txt", "--open-mode=append"]
    command += [*own, f"--export={','.join(EXPORTED)}", f"--chdir={HOME}"]
    if order.device == "gpu":
        command.append("--gres=gpu:1")
    command += shlex.split(options.more)
    words = [sys.executable, "-m", "instructor.batch.engines.task", *arguments]
    number = ' "$SLURM_ARRAY_TASK_ID"' if "--wave" in arguments else ""
    script = (
        f"#!/bin/sh\nexport PYTHONPATH={shlex.quote(str(HOME))}\nexec {shlex.join(words)}{number}\n"
    )
    done = subprocess.run(
        command, input=script, capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode != 0:
        raise GraderError(f"sbatch refuses: {done.stderr.strip() or done.returncode}")
    job = done.stdout.strip().partition(";")[0]
    # After a kill of this command, the next command waits for the job instead of submitting again.
    running_job(out).write_text(f"{job}\n")
    return job


def wait_for_earlier(order: ClassOrder, progress: Progress) -> None:
    """Waits for an array that an earlier, interrupted command submitted."""
    path = running_job(Path(order.out))
    job = path.read_text().strip() if path.is_file() else ""
    if job.isdigit():
        progress.say(f"waiting for job {job} of the run before")
        wait(job, progress.tick)
    path.unlink(missing_ok=True)


def follow(order: ClassOrder, job: str, sent: list[ClassEntry], progress: Progress) -> None:
    """Reports results as results arrive, until the array is over."""
    open_entries = {entry.slug: entry for entry in sent}

    last = 0.0

    def look(now: bool = False) -> None:
        nonlocal last
        # Checking for ten thousand files on a shared file system every two seconds is too much.
        if not now and time.monotonic() - last < len(open_entries) / FILES_PER_S:
            return
        last = time.monotonic()
        for slug, entry in list(open_entries.items()):
            result = load_result(order, entry)
            if result and result.status != NOT_GRADED:
                progress.ended(open_entries.pop(slug), result)
        progress.tick()
        full = state(Path(order.out)) / "error.txt"
        if full.is_file():
            sentence = full.read_text().strip()
            full.unlink()
            ask(["scancel", job])
            raise GraderError(sentence)

    wait(job, look)
    look(now=True)


def wait(job: str, meanwhile: Callable[[], None]) -> None:
    """Waits until no task of the job is in the queue, also while the controller is away."""
    unknown = 0
    while unknown < GONE_AFTER:
        time.sleep(POLL_S)
        meanwhile()
        shown = ask(["squeue", "--noheader", "--jobs", job, "--format=%T"])
        if shown is None:
            continue
        unknown = 0 if shown.strip() else unknown + 1


def ask(command: list[str]) -> str | None:
    """The output of a command of Slurm; "" if Slurm does not know the job, None for no answer."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return "" if "Invalid job id" in done.stderr else None
    return done.stdout


def last_words(order: ClassOrder, job: str) -> str:
    for path in (state(Path(order.out)) / "error.txt", *sorted(log_files(order, job))):
        if path.is_file() and (lines := path.read_text(errors="replace").strip().splitlines()):
            return lines[-1]
    return f"job {job} said nothing"


def log_files(order: ClassOrder, job: str) -> list[Path]:
    return list((state(Path(order.out)) / "slurm").glob(f"{job}-*.txt"))
