"""Starts and ends untrusted processes, with limits and with all descendants.

The limits stop accidents (endless memory, endless files, orphaned children); sandbox.py stops a
determined attacker.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36

# Children that must not be killed: processes that the grader started and still needs, and processes
# older than the grader. Any other child is an orphan of a student's program.
wanted_pids: set[int] = set()
# Threads that start and end programs take turns: a thread would take a program that another thread
# has just started for an orphan.
turn = threading.Lock()


@dataclass(frozen=True)
class Limits:
    # RLIMIT_DATA counts writable memory; RLIMIT_AS would break CUDA, which reserves address
    # ranges far larger than the machine's memory.
    data_bytes: int
    file_bytes: int
    # Added to the time limit of the first answer: loading the program and waking the GPU are not
    # part of the case.
    start_s: float = 0.0
    processes: int = 0  # and threads, beside the user's present ones; 0: no limit
    cpu_s: int = 0  # of a process; 0: no limit


# By kind of device: how much host memory a case may write to, and the time to load the program and
# wake the device.
DATA_BYTES = {"cpu": 4 << 30, "gpu": 64 << 30}
START_S = {"cpu": 1.0, "gpu": 15.0}


def default_limits(device_kind: str) -> Limits:
    """Limits large enough for every case, small enough to leave the machine usable."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Limits(
        data_bytes=min(DATA_BYTES[device_kind], physical * 3 // 4),
        file_bytes=4 << 30,
        start_s=START_S[device_kind],
        processes=256 + 2 * (os.cpu_count() or 1),
    )


def processors() -> int:
    """The number of processors that the grader may use."""
    return len(os.sched_getaffinity(0))


def limit_command(limits: Limits, own_user: bool = False) -> list[str]:
    """The words before a command that limit the command and end it with its parent.

    `own_user`: the command runs as a user without other processes.
    """
    words = []
    if setpriv := shutil.which("setpriv"):
        words += [setpriv, "--pdeathsig", "KILL", "--no-new-privs"]
    if prlimit := shutil.which("prlimit"):
        words += [prlimit, f"--data={limits.data_bytes}", f"--fsize={limits.file_bytes}"]
        if limits.cpu_s:
            words += [f"--cpu={limits.cpu_s}"]
        if limits.processes:
            others = 0 if own_user else threads_of(os.getuid())
            words += [f"--nproc={limits.processes + others}"]
        words += ["--core=0", "--"]
    return words


def ending_with_us() -> list[str]:
    """The words before a command that end the command when the grader is killed, at any time.

    The kernel signals a process from its request on. So the command first requests the signal, and
    then checks whether the parent is still alive.
    """
    setpriv = shutil.which("setpriv")
    still_there = 'test "$PPID" = "$0" && exec "$@"'
    ask = [setpriv, "--pdeathsig", "KILL", "sh", "-c", still_there, str(os.getpid())]
    return ask if setpriv else []


def start(command: list[str], **options: object) -> subprocess.Popen:
    """Starts a program as the leader of a new process group, which kill_tree can end."""
    with turn:
        process = subprocess.Popen(command, start_new_session=True, **options)
        wanted_pids.add(process.pid)
        return process


def adopt_orphans() -> None:
    """Makes the grader the parent of orphaned grandchildren, for kill_tree to find."""
    wanted_pids.update(pid for pid, parent, _ in processes() if parent == os.getpid())
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def kill_tree(process: subprocess.Popen) -> None:
    """Ends a process, its group, its descendants and its orphans; waits for their end."""
    with turn:
        kill_all(process)


def kill_all(process: subprocess.Popen) -> None:
    wanted_pids.discard(process.pid)
    deadline = time.monotonic() + 2.0
    while True:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.poll()
        there = list(processes())
        left = strangers(there, process.pid)
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        reaped = reap_orphans(there, process.pid)
        # A fork bomb takes several rounds: a child born during a listing is in the next listing.
        if process.returncode is not None and not left and not reaped:
            return
        if time.monotonic() > deadline:
            return
        time.sleep(0.005)


def pause_tree(process: subprocess.Popen) -> set[int]:
    """Stops a process and its descendants; returns the stopped processes for resume_all()."""
    paused: set[int] = set()
    # A child born during a listing is in the next listing; five rounds are enough for a fork bomb.
    for _ in range(5):
        new = {process.pid, *descendants(process.pid)} - paused
        if process.poll() is not None or not new:
            break
        signal_all(new, signal.SIGSTOP)
        paused |= new
    return paused


def resume_all(paused: set[int]) -> None:
    signal_all(paused, signal.SIGCONT)


def signal_all(wanted: set[int], number: int) -> None:
    for pid in wanted:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def stop(process: subprocess.Popen) -> None:
    """Ends a trusted program from start(), which has no descendants."""
    process.kill()
    process.wait()
    with turn:
        wanted_pids.discard(process.pid)


def processes() -> Iterator[tuple[int, int, str]]:
    """(pid, parent's pid, state) of every process on the machine."""
    for pid in pids():
        with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/stat", "rb", 0) as stat:
            # The name in parentheses may hold anything; the fields after the last ) are fixed.
            state, parent = stat.read().rpartition(b")")[2].split(None, 2)[:2]
            yield pid, int(parent), state.decode()


def pids() -> Iterator[int]:
    return map(int, filter(str.isdigit, os.listdir("/proc")))


def threads_of(user: int) -> int:
    """The number of threads of a user on the machine, as RLIMIT_NPROC counts."""
    total = 0
    for pid in pids():
        with contextlib.suppress(OSError, ValueError, IndexError):
            lines = Path(f"/proc/{pid}/status").read_text(errors="replace").splitlines()
            words = dict(line.split(":", 1) for line in lines)
            if int(words["Uid"].split()[0]) == user:
                total += int(words["Threads"])
    return total


def descendants(pid: int) -> list[int]:
    """The children of a process, their children, and so on."""
    children: dict[int, list[int]] = {}
    for child, parent, _ in processes():
        children.setdefault(parent, []).append(child)
    found = list(children.get(pid, []))
    for child in found:
        found += children.get(child, [])
    return found


def strangers(there: list[tuple[int, int, str]], pid: int) -> list[int]:
    """The living descendants of `pid`, and children that the grader did not start."""
    children: dict[int, list[int]] = {}
    for child, parent, state in there:
        if state != "Z":
            children.setdefault(parent, []).append(child)
    found = [child for child in children.get(os.getpid(), []) if child not in wanted_pids]
    found += children.get(pid, [])
    for child in found:
        found += [c for c in children.get(child, []) if c not in found]
    return [p for p in dict.fromkeys(found) if p != pid]


def reap_orphans(there: list[tuple[int, int, str]], owned: int) -> bool:
    """Waits for adopted children that have ended, and for no program that the grader has started.

    Returns whether an adopted child had ended.
    """
    reaped = False
    for pid, parent, state in there:
        adopted = parent == os.getpid() and pid not in wanted_pids and pid != owned
        if adopted and state == "Z":
            with contextlib.suppress(ChildProcessError):
                reaped |= os.waitpid(pid, os.WNOHANG)[0] == pid
    return reaped


def describe_exit(returncode: int, last_words: str, data_bytes: int) -> str:
    """Says how a program ended, in a sentence for its author."""
    if returncode >= 0:
        return (
            f"the program ended by itself (exit status {returncode}) before it gave an answer: "
            "does it call exit()?"
        )
    if "bad_alloc" in last_words:
        return f"the program ran out of memory (the limit is {data_bytes / 2**30:.3g} GiB)"
    words = SIGNAL_WORDS.get(-returncode)
    if words is None:
        try:
            words = f"was ended by {signal.Signals(-returncode).name}"
        except ValueError:
            words = f"was ended by signal {-returncode}"
    sentence = f"the program {words}"
    if -returncode == signal.SIGABRT and last_words:
        sentence += f": {last_words}"
    return sentence


SIGNAL_WORDS = {
    signal.SIGSEGV: "accessed host memory that it does not own (segmentation fault)",
    signal.SIGBUS: "accessed host memory that does not exist (bus error)",
    signal.SIGABRT: "gave up (abort)",
    signal.SIGFPE: "divided an integer by zero",
    signal.SIGILL: "executed an illegal instruction",
    signal.SIGKILL: "was killed: did it use too much memory?",
    signal.SIGXFSZ: "wrote a file beyond the limit",
    signal.SIGXCPU: "used up its processor time",
    signal.SIGPIPE: "wrote to a closed pipe",
    signal.SIGTERM: "ended itself (SIGTERM)",
    signal.SIGTRAP: "stopped at a trap",
}
