"""Profiles entries at growing sizes, each as far as that is cheap."""

from collections.abc import Callable
from pathlib import Path

from cpudevice.model.profile import Profile
from grader.run.pool import run_jobs
from grader.run.profiled import ProfileJob, ProfileOutcome, profile, profile_cache

# Accesses of threads that one size may cost, about a second of profiling. What a size will cost is
# foreseen from the sizes before it, in counts and not in seconds: the table is the same everywhere.
MAX_WORK = 60e6
WORK_OF_A_BARRIER = 3.0  # per thread, in accesses


def climb_sizes(
    root: Path,
    jobs: dict[str, list[ProfileJob]],
    on_progress: Callable[[], object] = lambda: None,
) -> dict[str, list[ProfileOutcome]]:
    """The outcomes of every entry's first sizes, until one fails or the next is too much work.

    `jobs` has each entry's sizes in ascending order.
    """
    with profile_cache(root) as cache:
        return run_jobs(jobs, lambda name: climb_one(cache, jobs[name]), on_progress)


def climb_one(cache: Path, sizes: list[ProfileJob]) -> list[ProfileOutcome]:
    outcomes: list[ProfileOutcome] = []
    done: list[float] = []
    for job in sizes:
        if foreseen(done) > MAX_WORK:
            break
        outcome = profile(cache, job)
        if outcome.profile is None:
            break
        outcomes.append(outcome)
        done.append(work(outcome.profile))
    return outcomes


def work(profiled: Profile) -> float:
    """What it took to profile this, in accesses."""
    accesses = sum(line.lanes for kernel in profiled.kernels for line in kernel.lines)
    barriers = sum(kernel.barriers * kernel.threads for kernel in profiled.kernels)
    return accesses + WORK_OF_A_BARRIER * barriers


def foreseen(done: list[float]) -> float:
    """The next size's work, if it grows as it did last; 0 while nothing is known."""
    if len(done) < 2:
        return 0.0
    before, last = done[-2:]
    return last * last / before if before > 0 else last
