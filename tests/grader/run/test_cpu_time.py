"""Time limits on a busy machine: only a program's own time counts."""

import os
import subprocess
import sys
import time

import pytest

from grader.run import cpu_time_limit
from grader.run.cpu_time_limit import CpuTimeLimit

SPIN = "while True: pass"
SLEEP = "import time; time.sleep(60)"


@pytest.fixture
def started():
    processes = []

    def start(code, count=1):
        one = min(os.sched_getaffinity(0))
        for _ in range(count):
            process = subprocess.Popen([sys.executable, "-c", code])
            os.sched_setaffinity(process.pid, {one})
            processes.append(process)
        return processes[-1].pid

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="no schedstat here")
def test_who_shares_a_processor_has_more_time(started):
    pid = started(SPIN, count=8)
    time.sleep(0.2)
    limit = CpuTimeLimit(pid, 0.5)
    time.sleep(0.7)
    assert limit.left_s() > 0.1


def test_who_sleeps_has_none(started):
    pid = started(SLEEP)
    time.sleep(0.5)
    limit = CpuTimeLimit(pid, 0.3)
    assert limit.left_s() == pytest.approx(0.3, abs=0.1)
    time.sleep(0.5)
    assert limit.left_s() < 0.2


def test_there_is_an_end_to_it(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(cpu_time_limit.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(cpu_time_limit, "waiting_seconds", lambda pid: {"thread": now[0]})
    limit = CpuTimeLimit(1, 2.0)
    now[0] = 19.0
    assert limit.left_s() == 2.0
    now[0] = 20.0
    assert limit.left_s() == 0.0
