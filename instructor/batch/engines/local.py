"""Engine `local`: grades JOBS submissions at a time, each in a process of its own."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from grader.base.errors import GraderError, UsageError
from grader.base.processes import ending_with_us, kill_tree, start
from instructor.batch.copies import remove_stale
from instructor.batch.course import prepare
from instructor.batch.enclose import HOME
from instructor.batch.engines.task import FULL
from instructor.batch.progress import Progress
from instructor.batch.record import (
    ATTEMPTS,
    NOT_GRADED,
    ClassEntry,
    ClassOrder,
    Result,
    load_result,
    pending,
    running_job,
    save_failure,
    save_order,
)

TICK_S = 0.1
PROCESSORS_PER_JOB = 2  # like the smallest machines of students


@dataclass
class Slot:
    """A place for a grading process, with processors (and a GPU) of its own."""

    prefix: list[str]
    environment: dict[str, str]
    process: subprocess.Popen | None = None
    entry: ClassEntry | None = None
    log: IO[bytes] | None = None


def count_gpus() -> int:
    """The number of GPUs that the driver shows; CUDA_VISIBLE_DEVICES takes precedence."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([word for word in visible.split(",") if word])
    return len(glob.glob("/dev/nvidia[0-9]*"))


def default_jobs(device: str) -> int:
    if device == "gpu":
        return max(1, count_gpus())
    return max(1, len(os.sched_getaffinity(0)) // PROCESSORS_PER_JOB)


def make_slots(jobs: int, device: str) -> list[Slot]:
    """Shares out the processors, so that a submission's threads do not slow another's."""
    processors = sorted(os.sched_getaffinity(0))
    share = max(1, len(processors) // jobs)
    gpus = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    names = [word for word in gpus.split(",") if word] or [str(i) for i in range(count_gpus())]
    slots = []
    for index in range(jobs):
        first = index * share % len(processors)
        own = ",".join(map(str, processors[first : first + share]))
        prefix = ["taskset", "-c", own] if shutil.which("taskset") else []
        environment = dict(os.environ) | {"PYTHONPATH": str(HOME)}
        if device == "gpu" and names:
            environment["CUDA_VISIBLE_DEVICES"] = names[index % len(names)]
        slots.append(Slot(prefix, environment))
    return slots


def grade_locally(order: ClassOrder, jobs: int, progress: Progress) -> None:
    """Grades the submissions without a result; leaves no process and no partial result, also after
    an error.
    """
    if running_job(Path(order.out)).exists():
        raise UsageError(
            "a Slurm job still works for this class: ENGINE=slurm waits for it and goes on; if it "
            f"is gone for good, delete {running_job(Path(order.out))}."
        )
    remove_stale(order)
    progress.say("preparing the course")
    prepare(order)
    order_file = save_order(order)
    waiting = deque(pending(order))
    attempts: Counter[str] = Counter()
    slots = make_slots(jobs, order.device)
    progress.begin(len(order.entries), len(waiting))
    try:
        while waiting or any(slot.process for slot in slots):
            for slot in slots:
                if slot.process is None and waiting:
                    begin(slot, waiting.popleft(), order_file)
                elif slot.process and slot.process.poll() is not None:
                    entry, status, log = end(slot)
                    attempts[entry.slug] += 1
                    result = load_result(order, entry)
                    if status == FULL:
                        raise GraderError(log)
                    if failed(result) and attempts[entry.slug] < ATTEMPTS:
                        waiting.append(entry)
                    else:
                        if result is None:
                            save_failure(order, entry, log)
                        progress.ended(entry, result, log)
            time.sleep(TICK_S)
            progress.tick()
    finally:
        for slot in slots:
            if slot.process:
                end(slot)
        remove_stale(order)


def failed(result: Result | None) -> bool:
    return result is None or result.status == NOT_GRADED


def begin(slot: Slot, entry: ClassEntry, order_file: Path) -> None:
    slot.entry = entry
    slot.log = tempfile.TemporaryFile()  # noqa: SIM115  # closed by end()
    command = [sys.executable, "-m", "instructor.batch.engines.task", str(order_file), entry.slug]
    slot.process = start(
        [*ending_with_us(), *slot.prefix, *command],
        cwd=HOME,
        env=slot.environment,
        stdin=subprocess.DEVNULL,
        stdout=slot.log,
        stderr=subprocess.STDOUT,
    )


def end(slot: Slot) -> tuple[ClassEntry, int | None, str]:
    """Ends the slot's process if still running; returns the entry, the status and the output."""
    process, entry, log = slot.process, slot.entry, slot.log
    assert process and entry and log
    status = process.poll()
    kill_tree(process)
    slot.process = slot.entry = slot.log = None
    with log:
        log.seek(0)
        lines = log.read(1 << 20).decode(errors="replace").strip().splitlines()
    return entry, status, lines[-1] if lines else f"it ended with status {status}"
