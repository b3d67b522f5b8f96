"""The sandbox of a student's program, as strict as the machine allows.

| level           | files             | network | other processes | needs                        |
|-----------------|-------------------|---------|-----------------|------------------------------|
| bubblewrap      | system, read-only | none    | unseen          | bwrap and user namespaces    |
| user namespaces | system, read-only | none    | unseen          | user namespaces              |
| Landlock        | system, read-only | no TCP  | seen            | Linux 5.13 (TCP: 6.7)        |
| process limits  | all               | all     | seen            |                              |

The first three levels refuse system calls that only an attack has use for (syscalls.py). On every
level: limits on memory, processes, files and processor time, a separate environment, and an end for
the whole process tree (processes.py). The program is copied into the box, and nothing of the
repository is visible in the box. A program started by root first becomes an ordinary user.
"""

from __future__ import annotations

import functools
import glob
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO

from grader.base.errors import GraderError
from grader.base.processes import Limits, ending_with_us, limit_command, start
from grader.base.scratch import Scratch
from grader.run.confine import LANDLOCK, NAMESPACES, Confinement
from grader.run.syscalls import seccomp_filter

BUBBLEWRAP, LIMITS_ONLY = "bubblewrap", "process limits"
# The levels by their names for ISOLATION=, from strict to lax.
LEVELS = {
    "bubblewrap": BUBBLEWRAP,
    "namespaces": NAMESPACES,
    "landlock": LANDLOCK,
    "limits": LIMITS_ONLY,
}
CLOSED = (BUBBLEWRAP, NAMESPACES)  # the levels accepted by ISOLATION=require
CONFINE = Path(__file__).with_name("confine.py")
ROOM_BYTES = 64 << 20
# User numbers without an account on a usual system. Each grader uses a different user, so that the
# limit on a user's processes counts only the grader's programs.
FIRST_USER, USERS = 62_000, 2_000


def isolation() -> str:
    """The strictest level that works on the machine, or the level named by ISOLATION=."""
    wanted = os.environ.get("ISOLATION", "")
    if wanted in LEVELS:
        return LEVELS[wanted]
    if wanted not in ("", "require"):
        raise GraderError(f"ISOLATION is require or one of {', '.join(LEVELS)}, not {wanted!r}.")
    word, level = next((w, one) for w, one in LEVELS.items() if works(one))
    if wanted == "require" and level not in CLOSED:
        raise GraderError(
            f"ISOLATION=require: this machine offers {level} only. Install bubblewrap, or allow "
            "unprivileged user namespaces."
        )
    os.environ["ISOLATION"] = word  # for graders started by the grader
    return level


@functools.cache
def works(level: str) -> bool:
    """Whether a program can be run at the level, tried with a program that only ends."""
    if level == BUBBLEWRAP and not shutil.which("bwrap"):
        return False
    if level == LIMITS_ONLY:
        return True
    with Box(["/bin/true"], Limits(data_bytes=1 << 30, file_bytes=1 << 20), level) as box:
        try:
            return box.start([], {}, (), stderr=subprocess.DEVNULL).wait(10) == 0
        except (OSError, subprocess.TimeoutExpired):
            return False


class Box:
    """The sandbox of a program; close() removes all files of the sandbox."""

    def __init__(self, command: list[str], limits: Limits, level: str):
        self.level = level
        self._command = command
        self._limits = limits
        self._user = FIRST_USER + os.getpid() % USERS if os.getuid() == 0 else None
        self._directory = Scratch()

    def start(
        self,
        arguments: list[str],
        environment: Mapping[str, str],
        pass_fds: tuple[int, ...],
        **pipes: object,
    ) -> subprocess.Popen:
        """Starts the program in a new session; `pipes` are Popen's stdout and stderr."""
        home = "/box" if self.level in CLOSED else self._directory.name
        name = shutil.which(self._command[0]) or self._command[0]
        with open(name, "rb") as program, memory_file(seccomp_filter()) as calls:
            return start(
                [
                    *self._words(program.fileno(), calls.fileno()),
                    *self._command[1:],
                    *arguments,
                ],
                cwd=self._directory.name,
                env={**environment, "HOME": home, "TMPDIR": home},
                stdin=subprocess.DEVNULL,
                pass_fds=(*pass_fds, program.fileno(), calls.fileno()),
                **pipes,
            )

    def exit_code(self, status: int) -> int:
        """The program's own exit status as Popen reports it: -n for signal n."""
        return 128 - status if self.level in CLOSED and status > 128 else status

    def close(self) -> None:
        self._directory.cleanup()

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _words(self, program_fd: int, calls_fd: int) -> list[str]:
        """The words that put the program in its box, with the program's name at the end."""
        limits = limit_command(self._limits, own_user=self._user is not None)
        if self.level == BUBBLEWRAP:
            box = bubblewrap(program_fd, calls_fd)
            return [*as_user(self._user), *ending_with_us(), *box, *limits, "/program"]
        if self.level == LIMITS_ONLY:
            return [*ending_with_us(), *limits, self._command[0]]
        program = self._command[0]
        if self.level == LANDLOCK:
            program = self._copied()
        orders = Confinement(
            level=self.level,
            program=program,
            box=self._directory.name,
            devices=gpu_devices(),
            room_bytes=ROOM_BYTES,
            user=self._user,
            seccomp=seccomp_filter().hex(),
        )
        inside = "/program" if self.level == NAMESPACES else program
        python = [sys.executable, "-I", "-S", str(CONFINE), json.dumps(asdict(orders))]
        return [*ending_with_us(), *python, *limits, inside]

    def _copied(self) -> str:
        """Copies the program into the box's directory, which then belongs to the program's user."""
        copy = Path(self._directory.name, "program")
        shutil.copy(self._command[0], copy)
        copy.chmod(0o755)
        if self._user is not None:
            os.chown(self._directory.name, self._user, self._user)
        return str(copy)


def as_user(user: int | None) -> list[str]:
    if user is None:
        return []
    return ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"]


def memory_file(contents: bytes) -> IO[bytes]:
    """A file in memory, open at the start."""
    file = os.fdopen(os.memfd_create("calls"), "w+b")
    file.write(contents)
    file.seek(0)
    return file


def bubblewrap(program_fd: int, calls_fd: int) -> list[str]:
    words = ["bwrap", "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net"]
    words += ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"]
    words += ["--new-session", "--cap-drop", "ALL", "--hostname", "box"]
    if seccomp_filter():
        words += ["--seccomp", str(calls_fd)]
    words += ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/lib", "/lib64"):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
    for path in ("/etc/ld.so.cache", "/etc/alternatives", "/sys"):
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev"]
    for node in gpu_devices():
        words += ["--dev-bind", node, node]
    for path in ("/tmp", "/box"):
        words += ["--size", str(ROOM_BYTES), "--tmpfs", path]
    words += ["--perms", "0755", "--file", str(program_fd), "/program"]
    return [*words, "--remount-ro", "/", "--chdir", "/box", "--"]


def gpu_devices() -> list[str]:
    """The device nodes of NVIDIA's driver, and of WSL's."""
    return sorted(path for path in glob.glob("/dev/nvidia*") + glob.glob("/dev/dxg"))
