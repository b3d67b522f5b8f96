"""The sizes of a ladder's table by size, and how far each entry climbs them on the CPU device."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from cpudevice.model.profile import Profile
from grader.build.make import processors
from grader.course.declare import Case, Part
from grader.run.profiled import Job, count, profile_cache

# Accesses of threads that one size may cost, about a second of counting. What a size will cost is
# foreseen from the sizes before it, in counts and not in seconds: the table is the same everywhere.
MAX_WORK = 60e6
WORK_OF_A_BARRIER = 3.0  # per thread, in accesses


def sweep_on(part: Part, device_kind: str) -> list[Case]:
    """The sizes that are run on this kind of device."""
    return [case for case in part.sweep if case.options_for(device_kind)]


def climb_sizes(
    root: Path, jobs: dict[str, list[Job]], told: Callable[[str], None] = lambda name: None
) -> dict[str, list[Profile]]:
    """The profiles of every entry's first sizes, until one fails or the next is too much work.

    `jobs` has each entry's sizes in ascending order; `told` hears of each entry that ends.
    """
    profiles = {}
    with profile_cache(root) as cache, ThreadPoolExecutor(processors()) as pool:
        futures = {pool.submit(climb_one, cache, sizes): name for name, sizes in jobs.items()}
        for future in as_completed(futures):
            profiles[futures[future]] = future.result()
            told(futures[future])
    return profiles


def climb_one(cache: Path, sizes: list[Job]) -> list[Profile]:
    profiles: list[Profile] = []
    done: list[float] = []
    for job in sizes:
        if foreseen(done) > MAX_WORK:
            break
        outcome = count(cache, job)
        if outcome.profile is None:
            break
        profiles.append(outcome.profile)
        done.append(work(outcome.profile))
    return profiles


def work(profile: Profile) -> float:
    """What it took to count this, in accesses."""
    accesses = sum(line.lanes for kernel in profile.kernels for line in kernel.lines)
    barriers = sum(kernel.barriers * kernel.threads for kernel in profile.kernels)
    return accesses + WORK_OF_A_BARRIER * barriers


def foreseen(done: list[float]) -> float:
    """The next size's work, if it grows as it did last; 0 while nothing is known."""
    if len(done) < 2:
        return 0.0
    before, last = done[-2:]
    return last * last / before if before > 0 else last
