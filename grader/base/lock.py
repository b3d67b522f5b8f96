"""Locks that the kernel releases when their holder ends, however it ends.

A GPU's lock lets one grader at a time use it, because two would disturb each other's times. The
lock is on a file in the system's temporary directory, named after the GPU's UUID, so that it holds
for all users.
"""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.base.device import Device


@contextmanager
def locked(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[int]:
    """Holds the lock of this name; `waiting` is called as in take().

    Yields its descriptor: a process that is handed it holds the lock as well, until it ends.

    The file stays behind, empty: removing it would let two processes hold "the" lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        take(file.fileno(), waiting)
        yield file.fileno()


def take(descriptor: int, waiting: Callable[[], None]) -> None:
    """Locks an open file until it is closed.

    If another process has the lock, `waiting` is called once, then this waits. If `waiting` raises,
    nothing is locked.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def gpu_to_ourselves(device: Device, say: Callable[[str], None]) -> Iterator[None]:
    """Waits until no other grader uses this GPU; `say` gets a sentence if it has to wait."""
    file = open_lock(device)
    if file is None:
        yield
        return
    try:
        sentence = f"Another grader uses the {device.name}: waiting for it to end."
        take(file, lambda: say(sentence))
        yield
    finally:
        os.close(file)


def lock_path(device: Device) -> Path:
    return Path(tempfile.gettempdir()) / f"cuda-ladder-{device.uuid}.lock"


def open_lock(device: Device) -> int | None:
    """Opens a file to lock; None if there is nothing to share or nowhere to put the file."""
    if not device.uuid:
        return None
    path = lock_path(device)
    # Opened without O_CREAT first: the kernel may refuse O_CREAT for a file of another user.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        with suppress(OSError):
            return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    return None
