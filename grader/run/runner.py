"""The grader's side of the case protocol: one untrusted runner process, its pipes and its clock.

    <runner> --serve REQUEST_FD REPLY_FD OUTPUT_FD

A request is one line, a reply one line of JSON, an output the bytes of a memory file. Nothing that
the program prints is ever read as an answer, and nothing it replies is believed without a check.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import selectors
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.processes import (
    Limits,
    default_limits,
    describe_exit,
    kill_tree,
)
from grader.base.text import printable
from grader.run.cpu_time_limit import CpuTimeLimit
from grader.run.sandbox import Box, isolation

MAX_PRINTED = 2000  # bytes of the student's own output that are kept
PRINT_CUT = f"\n… (the first {MAX_PRINTED} bytes)"
MAX_REPLY = 1 << 20
# The CPU device's line about a failed launch; an unfinished line of print may stand before it.
REPORT = re.compile(rb"CUDA error in (.*\(cudaError\w+\))\n")
TICK_S = 0.05  # how often a silent program is looked at
# What the student's program may see of the environment.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ")
PASSED_ON_PREFIXES = ("CUDA", "NVIDIA_")


class CaseFailure(Exception):
    """A case that did not go well; `verdict` says how."""

    def __init__(self, verdict: str, detail: str, repeat: int = 0, cause: str = ""):
        super().__init__(detail)
        self.cause = cause  # what it has in common with failures of other cases, "" if unknown
        self.verdict = verdict
        self.detail = detail
        self.repeat = repeat  # the one that was judged


@dataclass(frozen=True)
class RunReply:
    """What a runner says of one case. Untrusted, but of the right form."""

    times_ms: list[float]
    bytes: float  # what the problem must move at least, for the rate
    limit_ms: float | None  # the time that the measured rate of the link allows, where that counts
    wall_ms: float  # from the request to the reply, on our own clock
    warm: bool  # the program had been asked before, so that it was not loading


class Runner:
    """One runner program, started when first asked and again after it died."""

    def __init__(
        self,
        command: list[str],
        limits: Limits,
        environment: dict[str, str] | None = None,
        pass_fds: tuple[int, ...] = (),
    ):
        self.command = command
        self.limits = limits
        self.environment = environment or {}  # beside what every child may see
        self.pass_fds = pass_fds  # beside the pipes of the protocol
        self.printed = ""  # what the program printed since `take_printed` was called
        self._process: subprocess.Popen | None = None

    def run(self, options: str, repeats: int, timeout_s: float) -> RunReply:
        """Runs one case; the outputs of its repeats can be fetched until the next one."""
        warm = self._process is not None
        started = time.monotonic()
        reply = self._request(f"run {options}", timeout_s)
        wall_ms = (time.monotonic() - started) * 1e3
        return self._checked(reply, repeats, wall_ms, warm)

    @contextlib.contextmanager
    def fetched(self, repeat: int, timeout_s: float) -> Iterator[int]:
        """The output of one repeat: a descriptor of a private copy, which nobody can change now."""
        reply = self._request(f"fetch {repeat}", timeout_s)
        with os.fdopen(os.memfd_create("judged"), "w+b") as copy:
            size = copy_bytes(self._output_fd, copy.fileno())
            if reply.get("size") != size or type(reply["size"]) is not int:
                self._garbage("an output of the wrong size")
            yield copy.fileno()

    def take_printed(self) -> str:
        printed, self.printed = self.printed, ""
        return printed + PRINT_CUT if len(printed) >= MAX_PRINTED else printed

    def close(self) -> None:
        """Ends the program and everything it started."""
        if self._process is None:
            return
        # The end of the request pipe asks it to go; what is still there afterwards is killed.
        os.close(self._request_fd)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        kill_tree(self._process)
        self._drain()
        for fd in (self._reply_fd, self._printed_fd, self._output_fd):
            os.close(fd)
        self._selector.close()
        self._box.close()
        self._process = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        request_read, self._request_fd = os.pipe()
        self._reply_fd, reply_write = os.pipe()
        self._printed_fd, printed_write = os.pipe()
        self._output_fd = os.memfd_create("output")
        self._box = Box(self.command, self.limits, isolation())
        self._reply = b""
        self._last_words = b""
        self._report = ""
        # Before the program: a signal may end us as soon as it runs, and close() reads to the end.
        for fd in (self._reply_fd, self._printed_fd, self._request_fd):
            os.set_blocking(fd, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._reply_fd, selectors.EVENT_READ)
        self._selector.register(self._printed_fd, selectors.EVENT_READ)
        passed = (request_read, reply_write, self._output_fd)
        serve = ["--serve", *map(str, passed)]
        try:
            self._process = self._box.start(
                serve,
                child_environment() | self.environment,
                (*passed, *self.pass_fds),
                stdout=printed_write,
                stderr=printed_write,
            )
        finally:
            for fd in (request_read, reply_write, printed_write):
                os.close(fd)

    def _request(self, line: str, timeout_s: float) -> dict:
        allowance_s = 0.0
        if self._process is None:
            self._start()
            allowance_s = self.limits.start_s
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.write(self._request_fd, f"{line}\n".encode())
        answer = self._read_line(timeout_s, allowance_s)
        try:
            reply = json.loads(answer)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            self._garbage("something else")
        detail = str(reply.get("detail") or "a CUDA call failed")[:500]
        if reply.get("status") == "cuda_error":
            # The error stays with the process, so the next case gets a new one.
            self.close()
            verdict = "timeout" if "cudaErrorLaunchTimeout" in detail else "cuda_error"
            raise CaseFailure(verdict, printable(self._report or detail))
        if reply.get("status") == "input_modified":
            raise CaseFailure("wrong", printable(detail), cause=detail)
        if reply.get("status") == "option_error":
            raise GraderError(f"The case {line!r} cannot be run: {printable(detail)}.")
        if reply.get("status") != "ok":
            self._garbage("something else")
        return reply

    def _read_line(self, timeout_s: float, allowance_s: float) -> bytes:
        """One reply line, or CaseFailure for a program that dies or says nothing in time."""
        limit = CpuTimeLimit(self._process.pid, timeout_s + allowance_s)
        while b"\n" not in self._reply:
            left = limit.left_s()
            if left <= 0:
                self.close()
                raise CaseFailure("timeout", f"no answer within {timeout_s:g} s: does it ever end?")
            # Looked at first: what it wrote before it died is then still read below.
            dead = self._process.poll() is not None
            closed = self._pump(0.0 if dead else min(TICK_S, left))
            if b"\n" in self._reply:
                break
            if dead or closed:
                self._crashed()
            if len(self._reply) > MAX_REPLY:
                self._garbage("an endless line")
        answer, _, self._reply = self._reply.partition(b"\n")
        return answer

    def _pump(self, wait_s: float) -> bool:
        """Reads what is there of answers and print; True when the answer pipe is closed."""
        closed = False
        for key, _ in self._selector.select(wait_s):
            try:
                data = os.read(key.fd, 1 << 16)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(key.fd)
            if key.fd == self._reply_fd:
                closed = closed or not data
                self._reply += data
            else:
                self._keep(data)
        return closed

    def _drain(self) -> None:
        """Takes what the pipe of prints still holds of a dead program: at most its buffer."""
        for _ in range(32):
            try:
                data = os.read(self._printed_fd, 1 << 16)
            except BlockingIOError:
                return
            if not data:
                return
            self._keep(data)

    def _keep(self, data: bytes) -> None:
        room = MAX_PRINTED - len(self.printed)
        if room > 0:
            self.printed += data[:room].decode(errors="replace")
        words = self._last_words + data
        # Looked for at once: what the kernel printed may come behind it and push it out.
        if not self._report and (report := REPORT.search(words)):
            self._report = report[1].decode(errors="replace")
            self.printed = self.printed.replace(report[0].decode(errors="replace"), "")
        self._last_words = words[-MAX_PRINTED:]

    def _crashed(self) -> None:
        # A program that only closed its answer pipe has not long to live either.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        returncode = self._process.returncode
        self.close()
        if returncode is None:
            raise CaseFailure("crash", "the program closed the descriptor that its answer goes to")
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        last_words = printable(lines[-1]) if lines else ""
        code = self._box.exit_code(returncode)
        raise CaseFailure("crash", describe_exit(code, last_words, self.limits.data_bytes))

    def _garbage(self, what: str) -> None:
        self.close()
        raise CaseFailure("crash", f"the program wrote {what} where the runner's answer belongs")

    def _checked(self, reply: dict, repeats: int, wall_ms: float, warm: bool) -> RunReply:
        times = reply.get("times_ms")
        if not isinstance(times, list) or len(times) != repeats or not all(map(plausible, times)):
            self._garbage("times that are none")
        # Events cannot have taken longer than the whole exchange took on our own clock.
        if sum(times) > wall_ms * 1.05 + 1.0:
            self._garbage("times longer than the run itself")
        size, limit_ms = reply.get("bytes"), reply.get("limit_ms")
        return RunReply(
            times_ms=[float(t) for t in times],
            bytes=float(size) if plausible(size) else 0.0,
            limit_ms=float(limit_ms) if plausible(limit_ms) and limit_ms > 0 else None,
            wall_ms=wall_ms,
            warm=warm,
        )


def runner_for(root: Path, program: str, device_kind: str, *more: str) -> Runner:
    """For a program that make has built: build/cpu/… or build/gpu/…"""
    return Runner([str((root / program).absolute()), *more], default_limits(device_kind))


def plausible(number: object) -> bool:
    """A time or a size that can be reckoned with: JSON also knows NaN, true and 1e999."""
    return type(number) in (int, float) and 0 <= number < 1e15


def child_environment() -> dict[str, str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    # A kernel that spins is stopped, and its line named, before the grader's own time limit.
    environment.setdefault("CUDACPU_TIMEOUT", "9")
    return environment


def copy_bytes(source_fd: int, copy_fd: int) -> int:
    """Copies a memory file into an empty one, both left at their start; returns the size."""
    size, offset = os.fstat(source_fd).st_size, 0
    while offset < size:
        # sendfile stays in the kernel and takes at most 2 GiB at a time.
        count = os.sendfile(copy_fd, source_fd, offset, min(size - offset, 1 << 30))
        if count == 0:
            break
        offset += count
    os.lseek(copy_fd, 0, os.SEEK_SET)
    return offset
