"""Runs a function in a separate process with a time limit, for input made to be slow to read."""

import os
import pickle
import select
import signal
import time
import warnings
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def limited(limit_s: float, work: Callable[[], Result]) -> Result:
    """Returns or raises what `work` does; TimeoutError if `work` takes too long or dies."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Other threads of the parent hold no lock that the child uses.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        answer(writing, work)
    os.close(writing)
    try:
        return receive(reading, limit_s)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def answer(writing: int, work: Callable[[], object]) -> None:
    """Runs in the child: sends the result and exits without the parent's clean-up."""
    try:
        try:
            result: object = work()
            failed = False
        except Exception as error:
            result, failed = error, True
        with open(writing, "wb") as pipe:
            pickle.dump((failed, result), pipe)
    finally:
        os._exit(0)


def receive(reading: int, limit_s: float) -> object:
    content, end = b"", time.monotonic() + limit_s
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError
        piece = os.read(reading, 1 << 16)
        if not piece:
            break
        content += piece
    if not content:
        raise TimeoutError
    failed, result = pickle.loads(content)
    if failed:
        raise result
    return result
