"""One at a time: a lock that the kernel releases when its holder ends, however it ends."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[int]:
    """Holds the lock of this name; calls `waiting` once if another process has it.

    Yields its descriptor: a process that is handed it holds the lock as well, until it ends.

    The file stays behind, empty: removing it would let two processes hold "the" lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()
