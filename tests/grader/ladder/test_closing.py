"""The programs of a ladder's part end while the next part's programs are tried."""

from threading import Event

import pytest

from grader.ladder.closing import Closing


class SlowRunners:
    """Programs end when released."""

    def __init__(self):
        self.let_go, self.ended = Event(), Event()

    def close(self):
        self.let_go.wait(60)
        self.ended.set()


def test_the_next_part_begins_while_programs_end():
    closing, runners = Closing(), SlowRunners()
    with closing.later(runners) as given:
        assert given is runners
    assert not runners.ended.is_set()
    runners.let_go.set()
    closing.wait()
    assert runners.ended.is_set()


def test_programs_end_after_an_error_too():
    runners = SlowRunners()
    runners.let_go.set()
    with pytest.raises(ValueError), Closing() as closing, closing.later(runners):
        raise ValueError
    assert runners.ended.is_set()


def test_nothing_to_wait_for():
    with Closing():
        pass
