"""One grading at a time on a GPU: two would time each other.

The lock is one of the kernel's on a file in the system's temporary directory, named after the
GPU's UUID, so that it holds for all users and is gone with the process that has it.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.base.device import Device
from grader.base.lock import take


@contextlib.contextmanager
def gpu_to_ourselves(device: Device, say: Callable[[str], None]) -> Iterator[None]:
    """Waits until no other grading runs on this GPU; `say` gets a sentence if it must wait."""
    file = open_lock(device)
    if file is None:
        yield
        return
    try:
        sentence = f"Another grading runs on the {device.name}: waiting for it to end."
        take(file, lambda: say(sentence))
        yield
    finally:
        os.close(file)


def lock_path(device: Device) -> Path:
    return Path(tempfile.gettempdir()) / f"cuda-ladder-{device.uuid}.lock"


def open_lock(device: Device) -> int | None:
    """A descriptor to lock; None where there is nothing to share or nowhere to put the file."""
    if not device.uuid:
        return None
    path = lock_path(device)
    # Opened without O_CREAT first: the kernel may refuse that for a file that another user made.
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CREAT):
        with contextlib.suppress(OSError):
            return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    return None
