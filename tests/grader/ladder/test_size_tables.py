"""The table by size: every time in full, whatever the number of rungs."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console

from grader.base.device import Device
from grader.base.text import time_text
from grader.course.declare import Case, Part
from grader.ladder.ladder import LadderEntry, PartLadder
from grader.ladder.table import size_tables
from grader.timing.clock import Entry, Kind

GPU = Device("gpu", "Some GPU")
SIZES = [Case(f"{percent} % grouped, heavy", gpu="--n 1") for percent in (1, 10, 100)]
PART = Part(name="part", contract="void f();", target="01", correctness=[], sweep=SIZES)


def ladder_of(rungs: int) -> PartLadder:
    entries = []
    for number in range(rungs):
        entry = LadderEntry(Entry(f"{number:02}_some_technique", Kind.RUNG, f"program{number}"))
        entry.by_size_ms = {case.name: 0.1 + 0.001 * number + k for k, case in enumerate(SIZES)}
        entries.append(entry)
    return PartLadder(PART, entries)


@pytest.mark.parametrize(("rungs", "tables"), [(1, 1), (6, 1), (12, 2), (30, 5)])
def test_no_time_is_cut_short(rungs: int, tables: int) -> None:
    ladder = ladder_of(rungs)
    found = size_tables(ladder, GPU, 100)
    assert len(found) == tables
    screen = StringIO()
    for table in found:
        Console(file=screen, width=100).print(table)
    text = screen.getvalue()
    assert "…" not in text and max(map(len, text.splitlines())) <= 100
    for entry in ladder.entries:
        for ms in entry.by_size_ms.values():
            assert re.search(rf"\b{re.escape(time_text(ms))}", text), (entry.name, ms)


@pytest.mark.parametrize("width", range(40, 140, 7))
def test_no_time_is_cut_short_at_any_width(width: int) -> None:
    ladder = ladder_of(24)
    for table in size_tables(ladder, GPU, width):
        screen = StringIO()
        Console(file=screen, width=width).print(table)
        assert "…" not in screen.getvalue(), screen.getvalue()


def test_nothing_timed_is_no_table() -> None:
    assert size_tables(PartLadder(PART, []), GPU, 100) == []


def test_a_column_wider_than_the_screen_still_gets_its_table() -> None:
    assert len(size_tables(ladder_of(3), GPU, 20)) == 3
