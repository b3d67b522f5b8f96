"""Programs that wait for their turn get no processor meanwhile."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.base.processes import kill_tree, pause_tree, processes, resume_all, start
from grader.run.case import Judge
from grader.run.runner import CaseFailure
from grader.timing.interleaved import Contestant

BUSY = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'while True: pass']).wait()"
SOON_S = 20.0


def states(pids):
    return {state for pid, _, state in processes() if pid in pids}


def wait_until(condition):
    end = time.monotonic() + SOON_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_paused_program_and_its_children_get_no_processor():
    program = start([sys.executable, "-c", BUSY], stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: any(parent == program.pid for _, parent, _ in processes()))
        paused = pause_tree(program)
        assert len(paused) == 2
        wait_until(lambda: states(paused) == {"T"})
        resume_all(paused)
        wait_until(lambda: "T" not in states(paused))
    finally:
        kill_tree(program)


class Turns:
    """A runner whose every answer is a failure; it notes whether it was paused."""

    paused = 0

    def run(self, *_: object):
        raise CaseFailure("crash", "as it must")

    def pause(self) -> None:
        self.paused += 1


@pytest.mark.parametrize("trusted", [True, False])
def test_a_program_of_a_student_is_paused_behind_its_turn(trusted):
    turns = Turns()
    contestant = Contestant("student", turns, judged=False, trusted=trusted)
    contestant.run(Judge(Path("judge"), "saxpy"), "--n 1 --seed 1", 1.0)
    assert contestant.failure and turns.paused == (not trusted)
