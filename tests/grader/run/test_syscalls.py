"""The refused system calls of the box: grader/run/syscalls.py."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest

from grader.base.processes import Limits, kill_tree, wanted_pids
from grader.run import sandbox
from grader.run.sandbox import LEVELS, LIMITS_ONLY, Box
from grader.run.syscalls import CLONE3, MACHINES, REFUSED, seccomp_filter

CONFINED = [v for v in LEVELS.values() if v != LIMITS_ONLY and sandbox.works(v)]
WHICH = MACHINES.get(os.uname().machine)
# Prints the error of each call, 0 for none; no call could work with the arguments.
ASK = """
import ctypes, socket, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[1:]):
    ctypes.set_errno(0)
    libc.syscall(number, -1, -1, -1, -1, -1, -1)
    print(number, ctypes.get_errno())
for family in ("AF_VSOCK", "AF_INET", "AF_NETLINK", "AF_ALG", "AF_UNIX"):
    try:
        socket.socket(getattr(socket, family), socket.SOCK_STREAM)
        print(family, 0)
    except OSError as error:
        print(family, error.errno)
thread = threading.Thread(target=lambda: print("thread", 0))
thread.start()
thread.join()
"""


def ask(level: str, numbers: list[int]) -> dict[str, int]:
    limits = Limits(data_bytes=1 << 30, file_bytes=1 << 20)
    with Box([sys.executable], limits, level) as box:
        process = box.start(
            ["-I", "-S", "-c", ASK, *map(str, numbers)], {}, (), stdout=subprocess.PIPE, text=True
        )
        wanted_pids.add(process.pid)
        try:
            output = process.communicate(timeout=20)[0]
        finally:
            kill_tree(process)
    return {name: int(code) for name, code in map(str.split, output.splitlines())}


@pytest.mark.skipif(WHICH is None, reason="no filter for this machine")
@pytest.mark.parametrize("level", CONFINED)
def test_the_box_refuses_calls_that_lead_out_of_it(level: str) -> None:
    numbers = [both[WHICH] for both in REFUSED.values()]
    answers = ask(level, [*numbers, CLONE3[WHICH]])
    assert {n for n in numbers if answers[str(n)] != errno.EPERM} == set()
    assert answers[str(CLONE3[WHICH])] == errno.ENOSYS
    for family in ("AF_VSOCK", "AF_INET", "AF_NETLINK", "AF_ALG"):
        assert answers[family] == errno.EPERM, family
    assert answers["AF_UNIX"] == answers["thread"] == 0


def test_the_filter_is_one_that_the_kernel_takes() -> None:
    for machine in MACHINES:
        words = seccomp_filter(machine)
        assert len(words) % 8 == 0 and len(words) // 8 < 4096
    assert seccomp_filter("riscv64") == b""
