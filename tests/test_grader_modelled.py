"""Speed points on the CPU device, on mock programs that write their own counts."""

import pytest
from grader_mock.house import House

from cpudevice.model.gpu import load_gpu
from cpudevice.model.profile import parse_profile
from grader import counted
from grader.counted import Job, Outcome
from grader.modelled import score_modelled
from grader.results import CaseResult
from tests.model import textbook


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def large(done):
    return done.first["cases"][-1]


def test_the_modelled_times_are_scored_like_measured_ones(house):
    house.behave("fine", 6.0)
    case = large(house.grader("check", "twice"))
    # What a launch and a call cost stands beside the 6 ms and 2 ms of the mock's atomics.
    beside = (load_gpu().launch_us + load_gpu().call_us) / 1e3
    assert case["time_ms"] == pytest.approx(6 + beside, abs=1e-3)
    assert case["reference_ms"] == pytest.approx(2 + beside, abs=1e-3)
    assert (case["modelled"], case["peer_ms"]) == (True, None)
    assert 0 < case["score"] < case["max_score"] == 60


def test_the_table_says_what_binds(house):
    shown = house.grader("check", "twice").shown
    assert "bound by" in shown
    assert "atomics" in shown
    assert "0.50× the time of" in shown or "2.00× as fast as the target rung" in shown


def test_another_gpu_gives_other_times(house):
    on_h200 = house.grader("check", "twice")
    on_t4 = house.grader("check", "twice", "--model", "t4")
    assert large(on_h200)["time_ms"] < large(on_t4)["time_ms"]
    assert "NVIDIA T4" in on_t4.shown


def test_what_was_counted_once_is_not_counted_again(house):
    first = house.grader("check", "twice")
    cache = house.root / "build" / "cache" / "profiles"
    kept = {path: path.read_bytes() for path in cache.iterdir()}
    assert len(kept) == 4  # two programs, each an outcome and a profile
    assert large(house.grader("check", "twice"))["time_ms"] == large(first)["time_ms"]
    assert {path: path.read_bytes() for path in cache.iterdir()} == kept
    house.behave("fine", 3.0)
    assert large(house.grader("check", "twice"))["time_ms"] > large(first)["time_ms"]
    assert len(list(cache.iterdir())) == 6


@pytest.mark.parametrize("behave", ["forged", "nothing"])
def test_without_believable_counts_there_are_no_points(house, behave):
    house.behave(behave)
    done = house.grader("check", "twice")
    assert done.status == 0, done.errors
    assert (large(done)["verdict"], large(done)["score"]) == ("crash", 0)
    assert done.results["score"] == 40


def test_a_wrong_answer_is_not_counted(house):
    house.behave("wrong")
    done = house.grader("check", "twice")
    assert large(done)["time_ms"] is None
    assert not list((house.root / "build" / "cache" / "profiles").glob("*.profile"))


def test_a_target_that_is_wrong_is_the_graders_failure(house):
    house.write("twice/ladder/02_better.cu", "//\n//\n// behave: wrong\n")
    done = house.grader("check", "twice")
    assert done.status == 2
    assert "build/profile/twice/ladder/02_better failed large: wrong" in done.errors


def test_a_time_below_the_floor_is_refused():
    gpu = load_gpu().slice()
    side = 2048
    honest = parse_profile(textbook.transpose("padded", side))
    idle = parse_profile(textbook.profile(host=[{"op": "sync"}]))
    case = CaseResult("large", "speed", "ok", 20.0)
    size = 8.0 * side * side
    score_modelled(case, Outcome("ok", "", size, idle), Outcome("ok", "", size, honest), "t", gpu)
    assert (case.verdict, case.score, case.time_ms) == ("too_fast", 0.0, None)
    assert "not counted" in case.detail
    case = CaseResult("large", "speed", "ok", 20.0)
    right = Outcome("ok", "", size, honest)
    score_modelled(case, right, right, "t", gpu)
    assert (case.verdict, case.score, case.modelled) == ("ok", 20.0, True)


def test_a_launch_that_is_counted_may_take_as_long_as_its_case(monkeypatch):
    given = {}

    class Started(Exception):
        pass

    def start(command, limits, environment, descriptors):
        given.update(environment)
        raise Started

    monkeypatch.setattr(counted, "Runner", start)
    monkeypatch.setattr(counted, "adopt_orphans", lambda: None)
    with pytest.raises(Started):
        counted.serve(Job("program", "", "part", "--n 1", timeout_s=10), "profile")
    allowed = 10 * counted.TIMEOUT_FACTOR
    assert allowed / 2 < float(given["CUDACPU_TIMEOUT"]) < allowed
