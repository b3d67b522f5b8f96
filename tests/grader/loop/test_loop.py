"""The student's loop: hints one by one, the history of attempts, progress, watch."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import select
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest
from grader_mock.house import House, source

from grader.check.history import FILE, Attempt, read_history
from grader.course.declare import Assignment, Part
from grader.loop.progress import ROWS, bars, history_plot
from grader.loop.watch import changed_parts, fitting, settled, stamps

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
    assert "left, hint 1 of 2" in shown[0] and "Look `left`." in shown[0]
    assert "left, hint 2 of 2" in shown[1] and "Look again." in shown[1]
    assert "the last one" in shown[1] and "the last one" not in shown[0]
    assert "right, hint 1 of 1" in shown[2]
    assert "Look again." in shown[3]


def test_a_hint_can_be_seen_again_but_not_early(house: House) -> None:
    early = house.grader("hint", "pair", "--part", "left", "--hint", "1")
    assert early.status == 2 and "you have seen none yet" in early.errors
    house.grader("hint", "pair", "--part", "left")
    assert "Look `left`." in house.grader("hint", "pair", "--part", "left", "--hint", "1").shown
    again = house.grader("hint", "pair", "--part", "left", "--hint", "2")
    assert "you have seen from 1 to 1" in again.errors


def test_a_hint_without_a_part_is_of_the_first_unfinished_part(house: House) -> None:
    assert "left, hint 1 of 2" in house.grader("hint", "pair").shown
    house.write("pair/right.cu", source("right", "wrong"))
    house.grader("check", "pair", gpu=True)
    assert "right, hint 1 of 1" in house.grader("hint", "pair").shown
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


def test_one_part_is_drawn_attempt_by_attempt(house: House) -> None:
    attempts = [attempt(8.0), attempt(None), attempt(1.0)]
    lines = [line.plain for line in history_plot(attempts, 60)]
    assert lines[0] == "     1× │────●─"
    assert [line.count("●") for line in lines[:ROWS]] == [1, *[0] * 6, 1, 0]
    assert lines[ROWS] == "       └  ✗"
    assert "attempts 1 to 3" in lines[-1]
    assert "attempts 2 to 3" in history_plot(attempts, 14)[-1].plain
    house.grader("check", "pair", "--part", "left")
    shown = house.grader("progress", "--part", "left").shown
    assert "attempts 1 to 1" in shown and "twice" not in shown
    assert "none yet" in house.grader("progress", "--part", "right").shown


def attempt(slowdown: float | None) -> Attempt:
    return Attempt("pair", "left", "2026-11-21T12:00:00", "CPU", 1.0, 2.0, 1, 2, slowdown)


def test_a_check_says_where_to_go_on(house: House) -> None:
    house.behave("fine", time_ms=8.0)
    slow = " ".join(house.grader("check", "twice").shown.split())
    assert "the time of the target rung 02_better; next: 02_better, which is about atomics" in slow
    assert "stuck? make hint-twice PART=twice" in slow
    assert "starter" not in slow
    fast = house.grader("check", "twice", "--with", "solution").shown
    assert "next:" not in fast and "stuck?" not in fast


def test_a_starter_is_called_one(house: House) -> None:
    house.behave("untouched")
    data = (house.root / "twice/twice.cu").read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
    house.write("grader/starters.json", json.dumps({"twice/twice.cu": blob}))
    assert "still the starter" in house.grader("check", "twice").shown
    house.behave("exit0")
    changed = house.grader("check", "twice").shown
    assert "still the starter" not in changed
    # What all cases have in common is said once.
    assert "and 4 more cases" in changed and changed.count("ended by itself") == 1


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
    before = dict.fromkeys(("left.cu", "right.cu", "pair.h"), (1, 1, 1))
    assert changed_parts(assignment, before, before) == []
    assert changed_parts(assignment, before, before | {"left.cu": (2, 1, 1)}) == parts[:1]
    assert changed_parts(assignment, before, before | {"pair.h": (1, 1, 2)}) == parts
    assert changed_parts(assignment, before, before | {"notes.cu": (2, 1, 1)}) == []


def save_in_place(file: Path) -> None:
    file.write_text("")
    time.sleep(0.1)
    file.write_text("new")


def save_by_rename(file: Path) -> None:
    beside = file.with_name("4913")
    beside.write_text("new")
    beside.replace(file)


def save_with_backup(file: Path) -> None:
    file.rename(file.with_name(f"{file.name}~"))
    time.sleep(0.5)
    file.write_text("new")


@pytest.mark.parametrize("save", [save_in_place, save_by_rename, save_with_backup])
def test_however_an_editor_saves_it_is_waited_for(tmp_path: Path, save: Callable) -> None:
    parts = [Part(name="left", contract="void left();", target="", correctness=[])]
    assignment = Assignment("pair", parts)
    file = tmp_path / "pair" / "left.cu"
    file.parent.mkdir()
    file.write_text("old")
    before = stamps(tmp_path, assignment)
    saving = threading.Thread(target=save, args=(file,))
    saving.start()
    wait_until(lambda: stamps(tmp_path, assignment) != before)
    after = settled(tmp_path, assignment, before)
    assert file.read_text() == "new" and after == stamps(tmp_path, assignment)
    assert changed_parts(assignment, before, after) == parts
    saving.join()


def test_a_file_that_stays_away_is_not_waited_for_forever(tmp_path: Path) -> None:
    (tmp_path / "pair").mkdir()
    gone = {"left.cu": (1, 1, 1)}
    assert settled(tmp_path, Assignment("pair", []), gone) == {}


@pytest.mark.slow
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


def in_a_terminal(house: House, *arguments: str, **environment: str) -> tuple[int, Popen]:
    """The grader in a terminal of 40 lines; the output is read from the descriptor."""
    shown, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 40, 100, 0, 0))
    process = house.start(
        *arguments,
        environment=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    return shown, process


def read_until(descriptor: int, words: str, seen: str = "", timeout_s: float = 30.0) -> str:
    """Reads what a terminal shows, up to `words`."""
    deadline = time.monotonic() + timeout_s
    while words not in seen:
        assert time.monotonic() < deadline, seen
        if select.select([descriptor], [], [], 0.1)[0]:
            # A read may end in the middle of a letter.
            seen += os.read(descriptor, 1 << 16).decode(errors="replace")
    return seen


@pytest.mark.parametrize("kind", ["xterm-256color", "dumb"])
@pytest.mark.slow
def test_the_screen_keeps_still_while_it_watches(house: House, kind: str) -> None:
    house.behave("wrong")
    terminal, process = in_a_terminal(house, "watch", "twice", "--device", "cpu", TERM=kind)
    try:
        first = read_until(terminal, "Ctrl-C ends")
        house.write("twice/twice.cu", source("twice", "fine"))
        second = read_until(terminal, "Ctrl-C ends")
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(10)
        os.close(terminal)
    assert "4 cases" in second and "right in 5 cases, before in" in second
    if kind == "dumb":
        assert "\x1b" not in first + second
        return
    # Cleared once; afterwards a whole page is drawn over the page before.
    assert first.count("\x1b[2J") == 1 and "\x1b[2J" not in second
    page = second[second.rindex("\x1b[H") :]
    assert "4 cases" in page and "Ctrl-C ends" in page
    assert "verdict" not in second[: second.rindex("\x1b[H")]


def test_a_page_that_is_too_long_is_cut_at_its_top() -> None:
    lines = [str(number) for number in range(30)]
    assert fitting(lines, 32) == lines
    cut = fitting(lines, 22)
    assert len(cut) == 20 and cut[1:] == lines[11:] and "11 lines above" in cut[0]


@pytest.mark.slow
def test_colour_and_letters_are_those_that_the_terminal_has(house: House) -> None:
    house.behave("wrong")
    for environment, escapes in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal, process = in_a_terminal(house, "check", "twice", TERM="xterm", **environment)
        shown = read_until(terminal, "isolation")
        process.wait(10)
        os.close(terminal)
        assert ("\x1b[31m" in shown) == escapes and "✗ wrong" in shown
    # A pipe gets no escapes, and an encoding without the letters the nearest letters.
    plain = house.grader("check", "twice", PYTHONIOENCODING="latin-1", PYTHONUTF8="0").shown
    assert "\x1b" not in plain and "x wrong" in plain and "+ ok" in plain
    assert plain.isascii()


def wait_until(condition: object, timeout_s: float = 30.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.05)
