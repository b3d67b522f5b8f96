"""Limits the time of a program on a machine that may be busy with other programs.

Time in which a thread waits for a processor is not the program's fault and does not count, up to a
limit. Linux records the waiting time of every thread in /proc/<pid>/task/<tid>/schedstat; without
the file all time counts.
"""

import time
from contextlib import suppress
from pathlib import Path

from grader.base.processes import descendants

LONGEST = 10  # times the limit: beyond, waiting counts as well


class CpuTimeLimit:
    """A time limit for a process and its descendants, from now on."""

    def __init__(self, pid: int, limit_s: float):
        self.limit_s = limit_s
        self._pid = pid
        self._started = time.monotonic()
        self._waited = waiting_seconds(pid)

    def left_s(self) -> float:
        """The time until the next look is needed; 0 when the limit is exceeded."""
        passed = time.monotonic() - self._started
        if passed < self.limit_s:
            return self.limit_s - passed
        if passed >= LONGEST * self.limit_s:
            return 0.0
        now = waiting_seconds(self._pid)
        waited = max((s - self._waited.get(task, 0.0) for task, s in now.items()), default=0.0)
        return max(0.0, self.limit_s - (passed - waited))


def waiting_seconds(pid: int) -> dict[str, float]:
    """By thread: how long the thread was ready to run while another ran."""
    found = {}
    for process in (pid, *descendants(pid)):
        # A process or a thread may end during the reading.
        with suppress(OSError):
            for path in list(Path(f"/proc/{process}/task").glob("*/schedstat")):
                with suppress(OSError, ValueError, IndexError):
                    found[str(path)] = int(path.read_text().split()[1]) / 1e9
    return found
