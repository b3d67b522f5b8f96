"""Waiting programs get no processor time."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.base.processes import kill_tree, pause_tree, processes, resume_all, start
from grader.run.case import Judge, RightAnswers
from grader.run.runner import CaseFailure
from grader.timing.interleaved import Contestant

CHILD = "print('busy', flush=True)\nwhile True: pass"
BUSY = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {CHILD!r}]).wait()"
SOON_S = 20.0


def states(pids):
    return {state for pid, _, state in processes() if pid in pids}


def wait_until(condition):
    end = time.monotonic() + SOON_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_paused_program_and_its_children_get_no_processor():
    program = start([sys.executable, "-c", BUSY], stdout=subprocess.PIPE)
    try:
        # Until a child runs a new program, the parent cannot be stopped.
        assert program.stdout.readline() == b"busy\n"
        paused = pause_tree(program)
        assert len(paused) == 2
        wait_until(lambda: states(paused) == {"T"})
        resume_all(paused)
        wait_until(lambda: "T" not in states(paused))
    finally:
        kill_tree(program)
        program.stdout.close()


class Turns:
    """A runner whose every answer is a failure; and notes a pause."""

    paused = 0

    def run(self, *_: object):
        raise CaseFailure("crash", "as it must")

    def pause(self) -> None:
        self.paused += 1


@pytest.mark.parametrize("trusted", [True, False])
def test_a_program_of_a_student_is_paused_behind_its_turn(trusted):
    turns = Turns()
    contestant = Contestant("student", turns, judged=False, trusted=trusted)
    contestant.run(Judge(Path("judge"), "saxpy"), "--n 1 --seed 1", 1.0, RightAnswers())
    assert contestant.failure and turns.paused == (not trusted)
