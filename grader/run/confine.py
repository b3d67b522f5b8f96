"""Runs an untrusted program in a box without bubblewrap: user namespaces, or Landlock.

    python -I -S grader/run/confine.py '{"level": "user namespaces", ...}' COMMAND ...

sandbox.py writes the JSON; see Confinement. The script imports only Python's standard library, and
starts in some 20 ms. A program that was ended by signal n makes the exit status 128 + n.
"""

import ctypes
import json
import os
import signal
import struct
import sys
from dataclasses import dataclass

NAMESPACES, LANDLOCK = "user namespaces", "Landlock"
LIBC = ctypes.CDLL(None, use_errno=True)

# From the kernel's headers: sched.h, mount.h, prctl.h, landlock.h.
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
MNT_DETACH = 2
SYS_PIVOT_ROOT = 155 if os.uname().machine == "x86_64" else 41
SYS_MOUNT_SETATTR = 442
AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = -100, 0x8000, 1, 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, BYTES_OF_FILTER = 22, 2, 8
SYS_LANDLOCK_CREATE, SYS_LANDLOCK_ADD, SYS_LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION, LANDLOCK_PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
# Rights over files and directories in versions 1, 2, 3 of Landlock; version 4 adds TCP.
FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
TCP_RIGHTS = 3


@dataclass(frozen=True)
class Confinement:
    level: str
    program: str  # visible as /program in namespaces
    box: str  # Landlock: the only writable directory
    devices: list[str]  # device nodes that the program may use: the GPU's nodes
    room_bytes: int  # namespaces: of each of /box and /tmp, the two writable places
    user: int | None  # the user to run as, for root, who is not bound by limits on processes
    seccomp: str  # the filter of system calls, in hexadecimal digits; syscalls.py


def check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    words = [word.encode() or None for word in (source, target, kind)]
    check(LIBC.mount(*words, ctypes.c_ulong(flags), data.encode() or None), f"mount {target}")


def make_read_only(path: str) -> None:
    attributes = struct.pack("=4Q", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID, 0, 0, 0)
    words = (SYS_MOUNT_SETATTR, AT_FDCWD, path.encode(), AT_RECURSIVE, attributes, len(attributes))
    check(LIBC.syscall(*words), f"make {path} read-only")


def write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def enter_namespaces() -> None:
    """Own users, mounts, processes, network, IPC and host name; the user outside stays the same."""
    uid, gid = os.getuid(), os.getgid()
    flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    check(LIBC.unshare(flags), "unshare")
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/gid_map", f"{gid} {gid} 1")


def bind(source: str, root: str, read_only: bool = True) -> None:
    """Shows `source` under its own path below `root`."""
    target = root + source
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write(target, "")
    mount(source, target, flags=MS_BIND | MS_REC)
    if read_only:
        make_read_only(target)


def build_root(orders: Confinement, program: bytes) -> None:
    """A file system with the system's programs, the devices, /tmp and /box; nothing else."""
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    root = "/tmp"
    mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV)
    for path in ("/usr", "/etc/ld.so.cache", "/etc/alternatives", "/sys"):
        if os.path.exists(path):
            bind(path, root)
    for path in ("/bin", "/lib", "/lib64"):
        if os.path.islink(path):
            os.symlink(os.readlink(path), root + path)
        elif os.path.exists(path):
            bind(path, root)
    for node in ("null", "zero", "full", "random", "urandom"):
        bind(f"/dev/{node}", root, read_only=False)
    for node in orders.devices:
        bind(node, root, read_only=False)
    for path in ("/tmp", "/dev/shm", "/box"):
        os.makedirs(root + path)
        options = f"size={orders.room_bytes},mode=1777"
        mount("tmpfs", root + path, "tmpfs", MS_NOSUID | MS_NODEV, options)
    os.mkdir(root + "/proc")
    mount("proc", root + "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    with open(os.open(root + "/program", os.O_CREAT | os.O_WRONLY, 0o755), "wb") as file:
        file.write(program)
    os.chdir(root)
    check(LIBC.syscall(SYS_PIVOT_ROOT, b".", b"."), "pivot_root")
    check(LIBC.umount2(b".", MNT_DETACH), "leave the old root")
    make_root_read_only()
    os.chdir("/box")


def make_root_read_only() -> None:
    """Only the root: /box, /tmp and /dev/shm are file systems of their own."""
    attributes = struct.pack("=4Q", MOUNT_ATTR_RDONLY, 0, 0, 0)
    check(LIBC.syscall(SYS_MOUNT_SETATTR, AT_FDCWD, b"/", 0, attributes, 32), "close the root")


def restrict_with_landlock(orders: Confinement) -> None:
    """Forbids reading anything but the system's programs, and writing outside the box."""
    version = check(LIBC.syscall(SYS_LANDLOCK_CREATE, None, 0, LANDLOCK_VERSION), "Landlock")
    everything = FILE_RIGHTS[min(version, 3)]
    attributes = struct.pack("=QQ", everything, TCP_RIGHTS)[: 16 if version >= 4 else 8]
    rules = check(LIBC.syscall(SYS_LANDLOCK_CREATE, attributes, len(attributes), 0), "Landlock")
    reading = EXECUTE | READ_FILE | READ_DIR
    allowed = {orders.box: everything}
    for path in ("/usr", "/bin", "/lib", "/lib64", "/etc", "/proc", "/sys"):
        allowed[path] = reading
    allowed["/dev"] = READ_DIR
    # CUDA names its threads in comm.
    allowed["/proc/self/task"] = reading | WRITE_FILE
    for node in ("/dev/null", "/dev/zero", "/dev/urandom", *orders.devices):
        allowed[node] = READ_FILE | WRITE_FILE
    for path, rights in allowed.items():
        if not os.path.exists(path):
            continue
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", rights, file)
        words = (SYS_LANDLOCK_ADD, rules, LANDLOCK_PATH_BENEATH, rule, 0)
        check(LIBC.syscall(*words), f"Landlock rule for {path}")
        os.close(file)
    check(LIBC.syscall(SYS_LANDLOCK_RESTRICT, rules, 0), "Landlock")


def status_of(wait_status: int) -> int:
    code = os.waitstatus_to_exitcode(wait_status)
    return 128 - code if code < 0 else code


def wait_for(child: int) -> int:
    """Returns the exit status of `child`; other children are only collected."""
    while True:
        pid, wait_status = os.wait()
        if pid == child:
            return status_of(wait_status)


def become(user: int | None) -> None:
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        # Both were lost when the user changed; without the second, /proc/self belongs to root.
        die_with_parent()
        LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def die_with_parent() -> None:
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def filter_system_calls(orders: Confinement) -> None:
    """Filters system calls of the running process and of its future descendants."""
    words = bytes.fromhex(orders.seccomp)
    if not words:
        return
    array = ctypes.create_string_buffer(words, len(words))
    program = struct.pack("@HP", len(words) // BYTES_OF_FILTER, ctypes.addressof(array))
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0), "seccomp")


def run_in_namespaces(orders: Confinement, command: list[str]) -> int:
    """Three processes: the caller waits; the second collects orphans; the third is the program.

    The first process of the namespace ignores signals without a handler, also abort()'s signal:
    hence the third process. When the first ends, the kernel kills all others in the namespace.
    """
    with open(orders.program, "rb") as file:
        contents = file.read()
    become(orders.user)
    enter_namespaces()
    init = os.fork()
    if init:
        return wait_for(init)
    die_with_parent()
    build_root(orders, contents)
    program = os.fork()
    if program:
        # Only the program itself may hold a pipe open.
        os.closerange(3, 1 << 10)
        os._exit(wait_for(program))
    die_with_parent()
    LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    filter_system_calls(orders)
    os.execv(command[0], command)
    raise AssertionError("unreachable")


def main() -> int:
    die_with_parent()
    orders, command = Confinement(**json.loads(sys.argv[1])), sys.argv[2:]
    try:
        if orders.level == NAMESPACES:
            return run_in_namespaces(orders, command)
        become(orders.user)
        LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        restrict_with_landlock(orders)
        filter_system_calls(orders)
        os.execv(command[0], command)
    except OSError as error:
        print(f"the sandbox cannot be set up: {error}", file=sys.stderr)
    return 125


if __name__ == "__main__":
    sys.exit(main())
