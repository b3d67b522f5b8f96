"""Runs many jobs, each in processes of its own, one per processor at a time."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from grader.base.processes import processors

Job = TypeVar("Job")
Result = TypeVar("Result")


def run_jobs(
    jobs: Iterable[Job],
    run: Callable[[Job], Result],
    on_progress: Callable[[], object] = lambda: None,
    at_once: int = 0,
) -> dict[Job, Result]:
    """Runs each different job once; calls `on_progress` as each ends.

    `at_once`: the most jobs at a time; 0: the number of processors.
    """
    results: dict[Job, Result] = {}
    pool = ThreadPoolExecutor(at_once or processors())
    try:
        futures = {pool.submit(run, job): job for job in dict.fromkeys(jobs)}
        for future in as_completed(futures):
            results[futures[future]] = future.result()
            on_progress()
    finally:
        pool.shutdown(cancel_futures=True)
    return results
