"""Locks that the kernel releases when the holder ends, however the holder ends.

The lock of a GPU lets one grader at a time use the GPU, because two graders would disturb each
other's times. The locked file lies in the system's temporary directory, named after the GPU's UUID,
so that the lock holds for all users.
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
    """Holds the lock on the file at `path`; `waiting` is called as in take().

    Yields the file's descriptor: a process that inherits the descriptor holds the lock as well,
    until the process ends.

    The empty file stays behind: after a removal two processes could hold a lock on the same path.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        take(file.fileno(), waiting)
        yield file.fileno()


def take(descriptor: int, waiting: Callable[[], None]) -> None:
    """Locks an open file until the file is closed.

    If another process has the lock, take() calls `waiting` once, then waits for the lock. If
    `waiting` raises, the file stays unlocked.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def gpu_to_ourselves(device: Device, say: Callable[[str], None]) -> Iterator[None]:
    """Waits until no other grader uses the GPU; `say` gets a sentence before the wait."""
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
    """Opens the file of the device's lock; None for the CPU device, or if opening fails."""
    if not device.uuid:
        return None
    path = lock_path(device)
    # Opened without O_CREAT first: the kernel may refuse O_CREAT for a file of another user.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        with suppress(OSError):
            return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    return None
