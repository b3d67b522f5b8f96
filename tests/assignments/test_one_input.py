"""Programs by hand with --one-input: all repeats have the input of the first."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grader.build.make import build

ROOT = Path(__file__).parents[2]
# Parts whose inputs are not made a second time, and a part whose input is.
PROGRAMS = {
    "render/solution/circles": "--scene rand10k --size 32 --circles 100",
    "render/solution/volume": "--size 16 --volume 32",
    "saxpy/solution/saxpy_host": "--n 1000",
    "sort/solution/merge_sort": "--n 1000",
}


def run(program: str, *more: str) -> subprocess.CompletedProcess:
    command = [ROOT / "build" / "cpu" / program, *PROGRAMS[program].split(), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    judges = {f"build/judge/{name.split('/')[0]}" for name in PROGRAMS}
    assert not build(ROOT, dict.fromkeys([*judges, *(f"build/cpu/{name}" for name in PROGRAMS)]))


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_first_output_is_kept_and_right(program: str) -> None:
    done = run(program, "--seed", "7", "--repeats", "3", "--one-input")
    assert "check     ok" in done.stdout
    assert "median of 3" in done.stdout


def test_there_is_no_other_output_to_judge() -> None:
    done = run("sort/solution/merge_sort", "--repeats", "3", "--one-input", "--judge", "1")
    assert done.returncode == 2
    assert "--judge counts from 0 to repeats - 1, and is 0 with --one-input" in done.stderr
