"""The student's loop: hints one by one, the history of attempts, progress, watch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from grader_mock.house import House, source

from grader.declare import Assignment, Part
from grader.history import FILE, bars, read_history
from grader.watch import changed_parts

HINTS = """# Hints

## left

### 1
Look `left`.

### 2
Look again.

## right

### 1
Look right.
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.write("pair/hints.md", HINTS)
    return made


def test_hints_come_one_by_one_and_part_by_part(house: House) -> None:
    asked = [("left", ""), ("left", ""), ("right", ""), ("left", "")]
    shown = [house.grader("hint", "pair", "--part", part).shown for part, _ in asked]
    assert "left, hint 1 of 2" in shown[0] and "Look left." in shown[0]
    assert "left, hint 2 of 2" in shown[1] and "Look again." in shown[1]
    assert "the last one" in shown[1] and "the last one" not in shown[0]
    assert "right, hint 1 of 1" in shown[2]
    assert "Look again." in shown[3]


def test_a_hint_can_be_seen_again_but_not_early(house: House) -> None:
    early = house.grader("hint", "pair", "--part", "left", "--hint", "1")
    assert early.status == 2 and "you have seen none yet" in early.errors
    house.grader("hint", "pair", "--part", "left")
    assert "Look left." in house.grader("hint", "pair", "--part", "left", "--hint", "1").shown
    again = house.grader("hint", "pair", "--part", "left", "--hint", "2")
    assert "you have seen from 1 to 1" in again.errors


def test_hints_of_several_parts_need_a_part(house: House) -> None:
    assert "PART=left or PART=right" in house.grader("hint", "pair").errors
    assert "did you mean left" in house.grader("hint", "pair", "--part", "lef").errors
    assert "cannot be read" in house.grader("hint", "twice").errors


def test_checks_are_remembered(house: House) -> None:
    house.behave("wrong")
    house.grader("check", "twice", gpu=True)
    house.behave("fine", time_ms=4.0)
    house.grader("check", "twice", gpu=True)
    first, second = read_history(house.root)
    assert (first.right < first.cases, first.slowdown) == (True, None)
    assert second.complete and second.score > first.score
    assert second.slowdown == pytest.approx(2.0, rel=0.2)  # the target rung takes 2 ms
    shown = house.grader("progress").shown
    assert f"{second.right} / {second.cases}" in shown
    assert "·" in shown and "2 attempts so far" in shown
    assert shown.count("none yet") == 2


def test_other_files_and_single_cases_are_not_attempts(house: House) -> None:
    house.grader("check", "twice", "--with", "solution")
    house.grader("check", "twice", "--case", "one")
    assert read_history(house.root) == []
    assert "this page remembers" in house.grader("progress").shown


def test_a_spoiled_history_is_passed_over(house: House) -> None:
    house.grader("check", "twice")
    file = house.root / FILE
    file.write_text("not JSON\n{}\n[1]\n" + file.read_text() + json.dumps({"part": 1}) + "\n")
    assert len(read_history(house.root)) == 1


def test_bars_run_from_ten_times_the_target_to_its_time() -> None:
    assert bars([100.0, 10.0, 10**0.5, 1.0, 0.5, None]) == "▁▁▅██·"


def test_only_what_changed_is_checked_again() -> None:
    parts = [
        Part(name=name, contract=f"void {name}();", target="", correctness=[])
        for name in ("left", "right")
    ]
    assignment = Assignment("pair", parts)
    before = {"left.cu": (1, 1), "right.cu": (1, 1), "pair.h": (1, 1)}
    assert changed_parts(assignment, before, before) == []
    assert changed_parts(assignment, before, before | {"left.cu": (2, 1)}) == parts[:1]
    assert changed_parts(assignment, before, before | {"pair.h": (2, 1)}) == parts
    assert changed_parts(assignment, before, before | {"notes.cu": (2, 1)}) == []


def test_watch_checks_again_on_each_save(house: House) -> None:
    house.behave("wrong")
    shown = house.root / "shown.txt"
    with shown.open("w") as output:
        process = house.start(
            "watch",
            "twice",
            "--device",
            "cpu",
            environment={"PYTHONUNBUFFERED": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_until(lambda: shown.read_text().count("Ctrl-C ends") == 1)
        house.write("twice/twice.cu", source("twice", "fine"))
        wait_until(lambda: shown.read_text().count("Ctrl-C ends") == 2)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(10)
    assert "right in 5 cases, before in" in shown.read_text()
    assert process.returncode == 130


def wait_until(condition: object, timeout_s: float = 30.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.05)
