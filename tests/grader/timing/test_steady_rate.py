"""When a time counts as disturbed, and how often a call is timed again."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    built = tmp_path_factory.mktemp("steady") / "steady_rate"
    source = Path(__file__).with_suffix("").with_name("steady_rate.cpp")
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", f"-I{ROOT / 'harness/runner'}"]
    subprocess.run([*command, source, "-o", built], check=True, timeout=60)

    def said(*words: object) -> str:
        command = [str(built), *map(str, words)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return said


def test_noise_is_steady_and_a_driver_that_clears_memory_is_not(program):
    assert program("rate", 1.0, 1.02, 0.99, 1.03, 1.11, 1.13, 1.0) == "1111001"


def test_a_slow_beginning_is_not_the_usual_rate(program):
    assert program("rate", 1.13, 1.0, 1.12) == "110"


def test_what_has_lasted_long_becomes_the_usual_rate(program):
    assert program("rate", 1.0, 1.2, "=1.2", 1.21, 1.0, 1.2) == "10110"


def test_a_disturbed_call_is_timed_again(program):
    assert program("retakes", 0, 1, 0, 0, 1, 1, 0) == "0100110 3"


def test_a_call_that_frees_memory_itself_is_not_timed_again_and_again(program):
    assert program("retakes", 1, 1, 1, 1, 0, 1) == "110000 2"
