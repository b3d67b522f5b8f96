"""One at a time: locks that the kernel releases when their holder ends, however it ends."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[int]:
    """Holds the lock of this name; `waiting` as for take().

    Yields its descriptor: a process that is handed it holds the lock as well, until it ends.

    The file stays behind, empty: removing it would let two processes hold "the" lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        take(file.fileno(), waiting)
        yield file.fileno()


def take(descriptor: int, waiting: Callable[[], None]) -> None:
    """Locks an open file until it is closed.

    If another process has the lock, `waiting` is called once, and we wait for it, unless `waiting`
    raises: then nothing is locked.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, fcntl.LOCK_EX)
