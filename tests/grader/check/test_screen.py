"""The moving line of a terminal: what is done, and how long the rest of a stage takes."""

from io import StringIO

import pytest
from rich.console import Console

from grader.base.device import Device
from grader.terminal.table import TerminalScreen


@pytest.fixture
def screen():
    console = Console(file=StringIO(), force_terminal=True, width=100)
    with TerminalScreen(console, Device("cpu", "CPU")) as shown:
        now = [0.0]
        shown.progress.get_time = lambda: now[0]
        shown.clock = now
        yield shown


def left(screen: TerminalScreen) -> str:
    (task,) = screen.progress.tasks
    (column,) = (c for c in screen.progress.columns if type(c).__name__ == "TimeLeft")
    return column.render(task).plain


def test_the_rest_takes_as_long_as_what_is_done(screen):
    screen.step("sizes", 0, 10)
    assert left(screen) == ""
    for done in range(1, 4):
        screen.clock[0] += 2.0
        screen.step("sizes", done, 10)
    assert left(screen) == "14 s left"


def test_another_stage_has_a_pace_of_its_own(screen):
    for done in range(4):
        screen.step("quick", done, 4)
        screen.clock[0] += 0.5
    screen.step("slow", 0, 4)
    assert left(screen) == ""
    for done in (1, 2):
        screen.clock[0] += 30.0
        screen.step("slow", done, 4)
    assert left(screen) == "60 s left"
