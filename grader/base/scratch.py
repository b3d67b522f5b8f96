"""Temporary folders that are removed even if the grader is killed.

A grader removes its folders at its end. The next grader removes the folders of a killed grader:
each grader locks its folders, and the kernel releases the locks of a killed process.
"""

import fcntl
import os
import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path

PREFIX = "cuda-ladder-"
YOUNG_S = 60  # a new folder is unlocked for a moment


class Scratch:
    """An empty folder below the system's temporary directory; `name` is its path."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix=PREFIX)
        lock = os.open(self.name, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Removes the folder also after an exception in the caller.
        self.cleanup = weakref.finalize(self, remove, self.name, lock)

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def remove(name: str, lock: int) -> None:
    shutil.rmtree(name, ignore_errors=True)
    os.close(lock)


def sweep() -> None:
    """Removes the folders of killed graders."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if time.time() - os.fstat(folder).st_mtime > YOUNG_S:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(folder)
