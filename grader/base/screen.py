"""What whoever watches is told while grading goes on."""

from __future__ import annotations

from typing import Protocol

from grader.course.results import AssignmentResult


class Screen(Protocol):
    def step(self, text: str, done: int, total: int) -> None: ...

    def say(self, text: str) -> None: ...

    def assignment(self, result: AssignmentResult) -> None: ...


class SilentScreen:
    """Nobody watches."""

    def step(self, text: str, done: int, total: int) -> None:
        pass

    def say(self, text: str) -> None:
        pass

    def assignment(self, result: AssignmentResult) -> None:
        pass
