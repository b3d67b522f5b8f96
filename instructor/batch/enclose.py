"""The box around a copy of the course during build and grading: no other submission is visible.

A source file can make a compiler read any file of the machine. So the whole grading of a copy runs
in a box with only the system's programs, the grader (read-only) and the copy:

    /course    the copy, for reading and writing        /grader    the grader's own code
    /tmp       a folder of the box                      no network, no other processes

Inside, the student's program gets a box of its own, as always (sandbox.py). The box needs
bubblewrap; without bubblewrap, copies are graded outside a box and the gradebook's summary says so.
"""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.processes import ending_with_us
from grader.run.sandbox import FIRST_USER, USERS, as_user, gpu_devices

HOME = Path(__file__).resolve().parents[2]  # of the running grader
COURSE, GRADER = "/course", "/grader"
ROOM_BYTES = 4 << 30  # of /tmp, for compilers and the GPU's lists
PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "CXX", "ISOLATION")
PASSED_ON_PREFIXES = ("CUDA", "NVIDIA_", "CUDACPU_")
READ_ONLY = ("/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/sys", "/opt")


@functools.cache
def can_enclose() -> bool:
    """Whether a box works on this machine, and another box inside."""
    wanted = os.environ.get("ISOLATION", "")
    if wanted not in ("", "require", "bubblewrap") or not shutil.which("bwrap"):
        return False
    inner = ["bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/usr", "/usr"]
    inner += ["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"]
    inner += ["--proc", "/proc", "/usr/bin/true"]
    try:
        tried = [*enclosing(Path("/usr")), *inner]
        done = subprocess.run(tried, stdin=subprocess.DEVNULL, capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def user_inside() -> int | None:
    """Root becomes an ordinary user, a different user for each grading process."""
    return FIRST_USER + os.getpid() % USERS if os.getuid() == 0 else None


def command_in(copy: Path, module: str, *arguments: str) -> list[str]:
    """The words that run a module of the grader on a copy; the course is the module's first
    argument.
    """
    if can_enclose():
        return [*enclosing(copy), sys.executable, "-m", module, COURSE, *arguments]
    if os.environ.get("ISOLATION") == "require":
        raise GraderError("ISOLATION=require: bubblewrap does not work here.")
    # Outside a box, too, the process ends when its parent ends.
    return [*ending_with_us(), sys.executable, "-m", module, str(copy), *arguments]


def environment_in() -> dict[str, str]:
    if not can_enclose():
        return dict(os.environ) | {"PYTHONPATH": str(HOME)}
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    return kept | {"PYTHONPATH": GRADER, "HOME": "/tmp"}


def enclosing(copy: Path) -> list[str]:
    words = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--die-with-parent", "--new-session", "--hostname", "box"]
    root = os.getuid() == 0
    words += ["--cap-add", "ALL"] if root else ["--unshare-user"]
    for path in ("/bin", "/lib", "/lib64", "/sbin"):
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
    # Before its subfolders: a repository, and the interpreter with it, may be under /tmp.
    words += ["--perms", "1777", "--size", str(ROOM_BYTES), "--tmpfs", "/tmp"]
    python = interpreter()
    for folder in folders_above("/etc/any", f"{GRADER}/any", *python):
        if folder == "/tmp":
            continue
        words += ["--perms", "0755", "--dir", folder]
    for path in (*READ_ONLY, *python):
        words += ["--ro-bind-try", path, path]
    for part in ("grader", "instructor", "cpudevice"):
        words += ["--ro-bind-try", str(HOME / part), f"{GRADER}/{part}"]
    words += ["--dev", "/dev"]
    for node in gpu_devices():
        words += ["--dev-bind", node, node]
    words += ["--bind", str(copy), COURSE, "--chdir", GRADER]
    if not root:
        return [*words, "--proc", "/proc", "--"]
    # bubblewrap hides parts of root's /proc, and then no inner box could have a /proc of its own:
    # so /proc is mounted by hand, before root becomes another user.
    drop = [*as_user(user_inside()), "--bounding-set", "-all", "--inh-caps", "-all"]
    script = 'mount -t proc proc /proc && exec "$@"'
    return [*words, "--dir", "/proc", "--", "sh", "-c", script, "sh", *drop]


def folders_above(*paths: str) -> list[str]:
    """The folders that lead to the paths, outermost first; bubblewrap's own folders belong to
    root.
    """
    found = [str(parent) for path in paths for parent in reversed(Path(path).parents)]
    return [folder for folder in dict.fromkeys(found) if folder != "/"]


def interpreter() -> list[str]:
    """The folder of the running Python, unless the system's folders contain the interpreter."""
    places = {sys.prefix, sys.base_prefix, str(Path(sys.executable).parent.parent)}
    places |= {str(Path(sys.executable).resolve().parent.parent)}
    return sorted(place for place in places if not f"{place}/".startswith("/usr/"))


def isolation_of(results: dict) -> str:
    """Both boxes described, for the summary."""
    inner = results.get("isolation", "unknown")
    if can_enclose():
        return f"built and graded inside bubblewrap, run in: {inner}"
    return f"built outside of any box, run in: {inner}"
