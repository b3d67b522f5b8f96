"""Ends the programs of one part of a ladder while those of the next are tried, and the last ones
while the plots are drawn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from grader.timing.clock import Runners


class Closing:
    """What ends programs in the background: a GPU forgets one after the other, each in up to half a
    second.
    """

    def __init__(self) -> None:
        self._ending: Thread | None = None

    @contextmanager
    def later(self, runners: Runners) -> Iterator[Runners]:
        """Begins to end these programs when the context is left."""
        try:
            yield runners
        finally:
            self.wait()
            self._ending = Thread(target=runners.close)
            self._ending.start()

    def wait(self) -> None:
        """Waits until all have ended."""
        if self._ending:
            self._ending.join()

    def __enter__(self) -> "Closing":
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
