"""Reports how far work is: to a screen, or not at all."""

from typing import Protocol


class Screen(Protocol):
    """A place where progress is shown."""

    def step(self, text: str, done: int, total: int) -> None:
        """Shows a line; `total` is 0 if unknown."""

    def say(self, text: str) -> None:
        """Shows a sentence that stays."""


class SilentScreen:
    """A screen that shows nothing."""

    def step(self, text: str, done: int, total: int) -> None:
        pass

    def say(self, text: str) -> None:
        pass


SILENT = SilentScreen()


class Progress:
    """Counts the finished steps of some work and shows the count."""

    def __init__(self, screen: Screen, text: str, total: int):
        self.screen, self.text, self.total = screen, text, total
        self.done = 0
        screen.step(text, 0, total)

    def advance(self) -> None:
        self.done += 1
        self.screen.step(self.text, self.done, self.total)
