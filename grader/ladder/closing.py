"""Ends a part's programs while the ladder's next part is tried, or while the plots are drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from grader.timing.clock import Runners


class Closing:
    """Ends programs in the background: on a GPU every program takes up to half a second to end."""

    def __init__(self) -> None:
        self._ending: Thread | None = None

    @contextmanager
    def later(self, runners: Runners) -> Iterator[Runners]:
        """Begins to end the programs when the context is left."""
        try:
            yield runners
        finally:
            self.wait()
            self._ending = Thread(target=runners.close)
            self._ending.start()

    def wait(self) -> None:
        """Waits until all programs have ended."""
        if self._ending:
            self._ending.join()

    def __enter__(self) -> "Closing":
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
