"""The grader's side of the case protocol: an untrusted runner process, its channel and its clock.

    <runner> --serve REQUEST_FD WAKE_FD CHANNEL_FD

A request is a line. A reply (an object of JSON) and the bytes of an output are in shared memory
(channel.py), announced by a byte in a pipe. Nothing that the program prints or writes elsewhere is
read as an answer, and every reply is checked before use.
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
    pause_tree,
    resume_all,
)
from grader.base.text import printable
from grader.run.channel import Channel, Spoiled
from grader.run.cpu_time_limit import CpuTimeLimit
from grader.run.sandbox import Box, isolation

MAX_PRINTED = 2000  # bytes kept of the student's own output
PRINT_CUT = f"\n… (the first {MAX_PRINTED} bytes)"
# The CPU device's line about a failed launch; an unfinished printed line may precede it.
REPORT = re.compile(rb"CUDA error in (.*\(cudaError\w+\))\n")
TICK_S = 0.05  # how often a silent program is checked
# On the CPU device a hanging program must report the line of the hang before the grader ends the
# program: a kernel after the first share of the time limit, the host's code after the second share.
# Writing the report takes time too.
KERNEL_SHARE, CALL_SHARE = 0.75, 0.9
LONGEST_KERNEL_S, LONGEST_CALL_S = 8.0, 10.0
REPORT_S = 2.0
HANGS = "cudaErrorLaunchTimeout"
FINGERPRINT = re.compile(r"[0-9a-f]{16}")
PLACE = re.compile(r", (\S+:\d+): stopped after ")
# The environment variables visible to the student's program.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ")
PASSED_ON_PREFIXES = ("CUDA", "NVIDIA_")


class CaseFailure(Exception):
    """A case that failed; `verdict` says how."""

    def __init__(self, verdict: str, detail: str, repeat: int = 0, cause: str = ""):
        super().__init__(detail)
        self.cause = cause  # common to failures of other cases, "" if unknown
        self.verdict = verdict
        self.detail = detail
        self.repeat = repeat  # the judged repeat


@dataclass(frozen=True)
class RunReply:
    """A runner's reply about a case. Untrusted, but of the right form."""

    times_ms: list[float]
    bytes: float  # what the problem must move at least, for the rate
    # the time that the measured rate of the link, or the peak rate of the GPU's units, allows,
    # if that matters
    limit_ms: float | None
    wall_ms: float  # from the request to the reply, on the grader's own clock
    warm: bool  # the program had answered before, and so was not loading
    limit: str = "link"  # the kind of limit: "link" or "peak"
    # How often a call was timed again after a disturbance of the GPU's memory, and how long the
    # program waited for the end of the disturbance.
    retaken: int = 0
    waited_ms: float = 0.0
    profile: bytes = b""  # the profile of the last call, at the time of the reply


class Runner:
    """A runner program, started at the first request and again after its death."""

    def __init__(
        self,
        command: list[str],
        limits: Limits,
        environment: dict[str, str] | None = None,
    ):
        self.command = command
        self.limits = limits
        self.environment = environment or {}  # in addition to what every child may see
        self.printed = ""  # what the program printed since `take_printed` was called
        # All findings of sanitize since the program was started.
        self.found: list[list[str]] = []
        self.spoiled = ""  # why the findings may be incomplete
        self._process: subprocess.Popen | None = None
        self._paused: set[int] = set()

    def run(self, options: str, repeats: int, timeout_s: float, enough_ms: int = 0) -> RunReply:
        """Runs one case; the outputs of its repeats can be fetched until the next run.

        With `enough_ms` all repeats have the input of the first, and no repeat begins after as much
        time.
        """
        warm = self._process is not None and self._has_answered
        started = time.monotonic()
        more = f" --one-input --enough-ms {enough_ms}" if enough_ms else ""
        reply = self._request(f"run {options}{more}", timeout_s)
        wall_ms = (time.monotonic() - started) * 1e3
        return self._checked(reply, 1 if enough_ms else repeats, repeats, wall_ms, warm)

    def fingerprint(self, repeat: int, timeout_s: float) -> str:
        """A number of 16 digits that differs between different outputs of a repeat.

        The program computes the number, which can be trusted in programs of the course only.
        """
        found = self._request(f"fingerprint {repeat}", timeout_s).get("fingerprint")
        if not isinstance(found, str) or not FINGERPRINT.fullmatch(found):
            self._garbage("something else")
        return found

    @contextlib.contextmanager
    def fetched(self, repeat: int, timeout_s: float) -> Iterator[int]:
        """The output of a repeat: a descriptor of a private copy, which cannot change."""
        reply = self._request(f"fetch {repeat}", timeout_s)
        with os.fdopen(os.memfd_create("judged"), "w+b") as copy:
            try:
                size = self._channel.copy_output(copy.fileno())
            except Spoiled as error:
                self._garbage(str(error))
            if reply.get("size") != size or type(reply["size"]) is not int:
                self._garbage("an output of the wrong size")
            yield copy.fileno()

    def finish(self, timeout_s: float) -> int | None:
        """Lets the program end by itself; returns the exit status, or None if the time is over.

        Raises CaseFailure unless the program ended like the harness.
        """
        if self._process is None:
            raise CaseFailure("crash", "the program is gone")
        self._close_requests()
        limit = CpuTimeLimit(self._process.pid, timeout_s)
        while (ended := self._process.poll()) is None and (left := limit.left_s()) > 0:
            self._pump(min(TICK_S, left))
        finished = self._channel.header().finished
        self.close()
        if ended is not None and finished != 1:
            raise CaseFailure("crash", "the program ended before it was asked to")
        return None if ended is None else self._box.exit_code(ended)

    def take_printed(self) -> str:
        printed, self.printed = self.printed, ""
        return printed + PRINT_CUT if len(printed) >= MAX_PRINTED else printed

    def pause(self) -> None:
        """Stops the program and its descendants until the next request: threads left running would
        take processors from the other programs of a contest.
        """
        if self._process is not None and not self._paused:
            self._paused = pause_tree(self._process)

    def _resume(self) -> None:
        resume_all(self._paused)
        self._paused = set()

    def close(self) -> None:
        """Ends the program and its descendants."""
        if self._process is None:
            return
        self._resume()
        # Closing the request pipe asks the program to end; remaining processes are killed.
        self._close_requests()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        kill_tree(self._process)
        self._drain()
        self._keep_findings()
        for fd in (self._wake_fd, self._printed_fd):
            os.close(fd)
        self._channel.close()
        self._selector.close()
        self._box.close()
        self._process = None

    def _close_requests(self) -> None:
        if self._request_fd is not None:
            os.close(self._request_fd)
        self._request_fd = None

    def _keep_findings(self) -> None:
        """Stores the new findings; findings stored before cannot be lost."""
        try:
            self.found.append(self._channel.findings())
        except Spoiled as error:
            self.spoiled = str(error)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, timeout_s: float) -> None:
        """Starts the program before its first request, whose time limit is `timeout_s`.

        The program ends with the thread that starts the program: a program shared by threads is
        started by a thread that outlives them.
        """
        if self._process is None:
            self._start(timeout_s)

    def _start(self, timeout_s: float) -> None:
        request_read, self._request_fd = os.pipe()
        self._wake_fd, wake_write = os.pipe()
        self._printed_fd, printed_write = os.pipe()
        self._channel = Channel()
        self._replies = 0  # replies read
        self._has_answered = False
        self._box = Box(self.command, self.limits, isolation())
        self._last_words = b""
        self._report = ""
        self.found, self.spoiled = [], ""
        # Before the program starts: a signal may end the grader right after, and close() reads to
        # the end.
        for fd in (self._wake_fd, self._printed_fd, self._request_fd):
            os.set_blocking(fd, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._wake_fd, selectors.EVENT_READ)
        self._selector.register(self._printed_fd, selectors.EVENT_READ)
        passed = (request_read, wake_write, self._channel.fd)
        serve = ["--serve", *map(str, passed)]
        try:
            self._process = self._box.start(
                serve,
                child_environment(timeout_s) | self.environment,
                passed,
                stdout=printed_write,
                stderr=printed_write,
            )
        finally:
            for fd in (request_read, wake_write, printed_write):
                os.close(fd)

    def _request(self, line: str, timeout_s: float) -> dict:
        self.start(timeout_s)
        allowance_s = 0.0 if self._has_answered else self.limits.start_s
        self._resume()
        if self._channel.header().replies != self._replies:
            self._garbage("a reply without a request")
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.write(self._request_fd, f"{line}\n".encode())
        self._wait_for_reply(timeout_s, allowance_s)
        self._has_answered = True
        self._keep_findings()
        try:
            reply = json.loads(self._channel.reply())
        except (ValueError, RecursionError, Spoiled):
            reply = None
        if not isinstance(reply, dict):
            self._garbage("something else")
        detail = str(reply.get("detail") or "a CUDA call failed")[:500]
        if reply.get("status") == "cuda_error":
            # The error stays with the process, so the next case gets a new process.
            self.close()
            verdict = "timeout" if HANGS in detail else "cuda_error"
            raise CaseFailure(verdict, printable(self._report or detail), cause=self._hangs_at())
        if reply.get("status") == "input_modified":
            raise CaseFailure("wrong", printable(detail), cause=detail)
        if reply.get("status") == "option_error":
            raise GraderError(f"The case {line!r} cannot be run: {printable(detail)}.")
        if reply.get("status") != "ok":
            self._garbage("something else")
        return reply

    def _wait_for_reply(self, timeout_s: float, allowance_s: float) -> None:
        """Returns after a further reply; raises CaseFailure for a program that dies or hangs."""
        limit = CpuTimeLimit(self._process.pid, timeout_s + allowance_s + REPORT_S)
        while True:
            left = limit.left_s()
            if left <= 0:
                self.close()
                raise CaseFailure("timeout", f"no answer within {timeout_s:g} s: does it ever end?")
            # Checked first: an answer from before the program's death is then still read below.
            dead = self._process.poll() is not None
            closed = self._pump(0.0 if dead else min(TICK_S, left))
            replies = self._channel.header().replies
            if replies == self._replies + 1:
                break
            if replies != self._replies:
                self._garbage("replies without a request")
            if dead or closed:
                self._crashed()
        self._replies += 1

    def _pump(self, wait_s: float) -> bool:
        """Waits for news and reads the printed output; True when the wake pipe is closed."""
        closed = False
        for key, _ in self._selector.select(wait_s):
            try:
                data = os.read(key.fd, 1 << 16)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(key.fd)
            if key.fd == self._wake_fd:
                closed = closed or not data
            else:
                self._keep(data)
        return closed

    def _drain(self) -> None:
        """Reads the rest in the output pipe of a dead program: at most the pipe's buffer."""
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
        # Searched at once: later output of the kernel may push the line out of the buffer.
        if not self._report and (report := REPORT.search(words)):
            self._report = report[1].decode(errors="replace")
            self.printed = self.printed.replace(report[0].decode(errors="replace"), "")
        self._last_words = words[-MAX_PRINTED:]

    def _crashed(self) -> None:
        # A program that has closed its end of the pipe will end soon too.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        returncode = self._process.returncode
        self.close()
        if HANGS in self._report:
            raise CaseFailure("timeout", printable(self._report), cause=self._hangs_at())
        if returncode is None:
            raise CaseFailure("crash", "the program closed the pipe that wakes the grader")
        lines = self._last_words.decode(errors="replace").strip().splitlines()
        last_words = printable(lines[-1]) if lines else ""
        code = self._box.exit_code(returncode)
        raise CaseFailure("crash", describe_exit(code, last_words, self.limits.data_bytes))

    def _hangs_at(self) -> str:
        """The line at which the program hangs, which several cases may share; "" if unknown."""
        found = PLACE.search(self._report) if HANGS in self._report else None
        return found[1] if found else ""

    def _garbage(self, what: str) -> None:
        self.close()
        raise CaseFailure("crash", f"the program left {what} where the runner's answer belongs")

    def _checked(self, reply: dict, fewest: int, most: int, wall_ms: float, warm: bool) -> RunReply:
        times = reply.get("times_ms")
        if not isinstance(times, list) or not all(map(plausible, times)):
            self._garbage("invalid times")
        if not fewest <= len(times) <= most:
            self._garbage("invalid times")
        # Events cannot have taken longer than the whole exchange on the grader's own clock.
        if sum(times) > wall_ms * 1.05 + 1.0:
            self._garbage("times longer than the run itself")
        size, limit_ms = reply.get("bytes"), reply.get("limit_ms")
        retaken, waited_ms = reply.get("retaken"), reply.get("waited_ms")
        return RunReply(
            times_ms=[float(t) for t in times],
            bytes=float(size) if plausible(size) else 0.0,
            limit_ms=float(limit_ms) if plausible(limit_ms) and limit_ms > 0 else None,
            limit="peak" if reply.get("limit") == "peak" else "link",
            retaken=int(retaken) if plausible(retaken) else 0,
            waited_ms=float(waited_ms) if plausible(waited_ms) else 0.0,
            wall_ms=wall_ms,
            warm=warm,
            profile=self._counted(),
        )

    def _counted(self) -> bytes:
        try:
            return self._channel.profile()
        except Spoiled as error:
            self._garbage(str(error))


def runner_for(root: Path, program: str, device_kind: str, *more: str) -> Runner:
    """A runner for a program built by make: build/cpu/… or build/gpu/…"""
    return Runner([str((root / program).absolute()), *more], default_limits(device_kind))


def plausible(number: object) -> bool:
    """Whether a time or a size can be computed with: JSON also has NaN, true and 1e999."""
    return type(number) in (int, float) and 0 <= number < 1e15


def child_environment(timeout_s: float) -> dict[str, str]:
    """The environment of a program with a time limit."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    kernel_s = min(KERNEL_SHARE * timeout_s, LONGEST_KERNEL_S)
    call_s = min(CALL_SHARE * timeout_s, LONGEST_CALL_S)
    return time_limits(kernel_s, call_s) | environment


def time_limits(kernel_s: float, call_s: float) -> dict[str, str]:
    """Makes the CPU device stop a kernel, or the student's function, and report the line."""
    return {"CUDACPU_TIMEOUT": f"{kernel_s:g}", "CUDACPU_CALL_TIMEOUT": f"{call_s:g}"}
