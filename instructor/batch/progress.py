"""Shows how far a class is: a bar in a terminal, elsewhere a line from time to time."""

from __future__ import annotations

import sys
import time

from rich import progress as bars
from rich.console import Console
from rich.text import Text

from instructor.batch.record import NOT_GRADED, ClassEntry, Result

LINE_EVERY_S = 15.0


class RateColumn(bars.ProgressColumn):
    """Submissions per minute, of this run."""

    def render(self, task: bars.Task) -> Text:
        return Text(f"{60 * task.speed:.1f}/min" if task.speed else "", style="dim")


class Progress:
    """Shows each submission that has ended."""

    def __init__(self) -> None:
        self.console = Console(stderr=True, highlight=False, markup=False)
        self._bar: bars.Progress | None = None
        self._task = bars.TaskID(0)
        self._done = self._total = self._before = 0
        self._started = self._shown = time.monotonic()

    def __enter__(self) -> Progress:
        if self.console.is_terminal:
            self._bar = bars.Progress(
                bars.TextColumn("{task.description}"),
                bars.BarColumn(bar_width=30, style="dim", complete_style="cyan"),
                bars.MofNCompleteColumn(),
                RateColumn(),
                bars.TimeRemainingColumn(),
                console=self.console,
                speed_estimate_period=600,
            )
            self._task = self._bar.add_task("starting", total=None)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Shows a message beside the bar or as a line."""
        if self._bar:
            self._bar.update(self._task, description=text)
        else:
            self._line(text)

    def begin(self, total: int, waiting: int) -> None:
        self._total, self._before = total, total - waiting
        self._done, self._started = self._before, time.monotonic()
        if self._before:
            self.say(f"{self._before} of {total} are graded already")
        if self._bar:
            self._bar.reset(self._task, total=total, completed=self._done, description="grading")

    def ended(self, entry: ClassEntry, result: Result | None, last_words: str = "") -> None:
        self._done += 1
        if result is None:
            self._line(f"{entry.student}: not graded, {last_words}")
        elif result.status == NOT_GRADED:
            self._line(f"{entry.student}: {result.notes[-1]}")
        if self._bar:
            self._bar.update(self._task, completed=self._done)

    def tick(self) -> None:
        now = time.monotonic()
        if self._bar or now - self._shown < LINE_EVERY_S:
            return
        self._shown = now
        graded, seconds = self._done - self._before, now - self._started
        rate = graded / seconds
        left = f", about {(self._total - self._done) / rate / 60:.0f} min left" if graded else ""
        self._line(f"{self._done} of {self._total}, {60 * rate:.1f} per minute{left}")

    def _line(self, text: str) -> None:
        if self._bar:
            self._bar.console.print(text)
        else:
            print(f"grade-class: {text}", file=sys.stderr, flush=True)
