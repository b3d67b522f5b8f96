"""Speed points on the CPU device, on mock programs with written counts."""

import json
import platform

import pytest
import textbook
from grader_mock.house import House

from cpudevice.model.gpu import load_gpu
from cpudevice.model.profile import parse_profile
from grader.base.device import Device
from grader.base.progress import SILENT
from grader.check.points import compare_times, points_for_time
from grader.course.baseline import find_baseline
from grader.course.declare import Assignment, Case, Part, Scale
from grader.course.load import load_assignment
from grader.course.options import numbers
from grader.run import profiled
from grader.run.profiled import ProfileJob, ProfileOutcome
from grader.timing import modelled
from grader.timing.clock import Contest, Entry, Kind
from grader.timing.modelled import ModelledClock, ModelledSession


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def large(done):
    return done.first["cases"][-1]


def test_the_modelled_times_are_scored_like_measured_ones(house):
    house.behave("fine", 6.0)
    case = large(house.grader("check", "twice"))
    # What a launch and a call cost stands beside the 6 ms and 2 ms of the mock's atomics.
    beside = (load_gpu().block_launch_us + load_gpu().call_us) / 1e3
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


@pytest.mark.slow
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
@pytest.mark.slow
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
    side = 2048
    honest = parse_profile(textbook.transpose("padded", side))
    idle = parse_profile(textbook.profile(host=[{"op": "sync"}]))
    part = Part("part", "void f();", "01", [], speed=[Case("large")])
    entries = [Entry(name, name, f"build/cpu/{name}") for name in (Kind.STUDENT, Kind.BASELINE)]
    contest = Contest(Assignment("one", [part]), part, entries, part.speed)
    for own, verdict, score in ((idle, "too_fast", 0.0), (honest, "ok", 20.0)):
        right = {Kind.STUDENT: own, Kind.BASELINE: honest}
        outcomes = {n: ProfileOutcome("ok", "", 8.0 * side * side, p) for n, p in right.items()}
        session = ModelledSession(load_gpu(), contest, {"large": outcomes})
        timed = compare_times(session.time(part.speed[0]), Scale())
        assert (timed.verdict.name, points_for_time(20.0, timed).score) == (verdict, score)
        unprofiled = "not in the profile" in timed.verdict.detail
        assert (timed.times.time_ms is None) == unprofiled == (verdict == "too_fast")
        assert timed.times.modelled == (verdict == "ok")


def test_every_size_of_a_table_has_a_time(tmp_path, monkeypatch):
    """A step in size of 16 times, two sizes with the same input, and the largest at the end."""
    sizes = {"2^12": 64, "2^20": 1024, "2^22": 1024, "2^24": 2048}
    of_side = {side: parse_profile(textbook.transpose("padded", side)) for side in sizes.values()}
    asked = []

    def profile(root, jobs, advance):
        asked.extend(jobs)
        sides = {job: numbers(job.options)["n"] for job in jobs}
        return {job: ProfileOutcome("ok", "", 8.0, of_side[sides[job]]) for job in jobs}

    monkeypatch.setattr(modelled, "profile_all", profile)
    sweep = [Case(name, f"--n {side}") for name, side in sizes.items()]
    part = Part("part", "void f();", "01", [], sweep=sweep)
    rungs = [Entry(name, Kind.RUNG, f"build/cpu/one/{name}") for name in ("01_naive", "02_better")]
    contest = Contest(Assignment("one", [part]), part, rungs, sweep, by_size=True)
    with ModelledClock(tmp_path, load_gpu()).session(contest, SILENT) as session:
        times = {case.name: session.time(case).timed for case in sweep}
    for name in sizes:
        assert all(times[name][rung.name].time_ms > 0 for rung in rungs), name
    assert times["2^20"]["01_naive"] == times["2^22"]["01_naive"]
    assert len(set(asked)) == 2 * 3


def test_a_gpu_without_the_unit_gives_no_time_and_says_so():
    """The kernel of a program multiplies matrices of bf16 numbers, which a T4 cannot."""
    plain = textbook.kernel(4096, (256, 1, 1), [])
    matrix = plain | {"matrix_products": {"bf16": 10**9}}
    counted = {
        name: parse_profile(textbook.profile(k)) for name, k in (("a", plain), ("b", matrix))
    }
    part = Part("part", "void f();", "01", [], speed=[Case("large")])
    entries = [Entry(name, name, f"build/cpu/{name}") for name in (Kind.STUDENT, Kind.BASELINE)]
    contest = Contest(Assignment("one", [part]), part, entries, part.speed)
    for own, target, sentence in (
        ("b", "b", "right, but NVIDIA T4 has no tensor cores for bf16"),
        ("b", "a", "right, but NVIDIA T4 has no tensor cores for bf16"),
        (
            "a",
            "b",
            "right, but the target rung has no time: NVIDIA T4 has no tensor cores for bf16",
        ),
    ):
        names = {Kind.STUDENT: own, Kind.BASELINE: target}
        outcomes = {kind: ProfileOutcome("ok", "", 8.0, counted[n]) for kind, n in names.items()}
        session = ModelledSession(load_gpu("t4"), contest, {"large": outcomes})
        timed = compare_times(session.time(part.speed[0]), Scale())
        assert (timed.verdict.name, timed.verdict.detail) == ("skipped", sentence)
        assert points_for_time(20.0, timed).max_score == 0
        assert session.time(part.speed[0]).timed[Kind.STUDENT].bytes == 8.0


def test_what_is_counted_is_stopped_before_its_case_is_over(monkeypatch):
    given = {}

    class Started(Exception):
        pass

    def start(command, limits, environment):
        given.update(environment)
        raise Started

    monkeypatch.setattr(profiled, "Runner", start)
    monkeypatch.setattr(profiled, "adopt_orphans", lambda: None)
    with pytest.raises(Started):
        profiled.serve(ProfileJob("program", "", "part", "--n 1", timeout_s=10), "profile")
    kernel, call = (float(given[f"CUDACPU_{name}TIMEOUT"]) for name in ("", "CALL_"))
    assert kernel < call < 10 * profiled.TIMEOUT_FACTOR
    assert call < 18, "a loop that never ends is to be named within 20 seconds"


def handed_out(house, target="02_better", **cases):
    """Returns a house as in a handout: only the first rung, and a number as the target."""
    (house.root / "twice" / "ladder" / "02_better.cu").unlink()
    entry = {"target": target, "modelled": {load_gpu().name: cases}}
    kept = {"machine": "", "nvcc": "", "architectures": [], "parts": {"twice": entry}}
    house.write("twice/target/target.json", json.dumps(kept))


def test_a_number_can_stand_for_the_target(house):
    house.behave("fine", 6.0)
    live = large(house.grader("check", "twice"))
    handed_out(house, large={"ms": live["reference_ms"], "bytes": 20000.0})
    stored = large(house.grader("check", "twice"))
    assert stored["reference_ms"] == live["reference_ms"]
    assert (stored["score"], stored["verdict"]) == (live["score"], "ok")


def test_without_a_number_for_the_case_it_is_left_out(house):
    handed_out(house, other={"ms": 1.0, "bytes": 1.0})
    done = house.grader("check", "twice")
    assert (large(done)["verdict"], large(done)["max_score"]) == ("skipped", 0)
    assert "no target time for NVIDIA H200" in large(done)["detail"]


def test_another_rungs_number_is_not_taken(house):
    handed_out(house, target="01_naive", large={"ms": 1.0, "bytes": 1.0})
    done = house.grader("check", "twice")
    assert large(done)["reference_ms"] is None
    assert done.results["assignments"][0]["max_score"] == 40


def test_a_target_file_that_is_no_json_is_named(house):
    handed_out(house)
    house.write("twice/target/target.json", "{")
    done = house.grader("check", "twice")
    assert done.status == 2
    assert "twice/target/target.json cannot be used" in done.errors


@pytest.mark.parametrize(
    ("architecture", "machine", "runs"),
    [
        (80, platform.machine(), True),
        (89, platform.machine(), True),  # a later minor version
        (75, platform.machine(), False),
        (100, platform.machine(), False),
        (80, "another", False),
    ],
)
def test_where_a_sealed_target_runs(house, architecture, machine, runs):
    handed_out(house)
    path = house.root / "twice" / "target" / "target.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"architectures": [80, 90], "machine": machine}))
    house.write("twice/target/twice.o", "")
    assignment = load_assignment(house.root, "twice")
    device = Device("gpu", "Mock GPU", free_bytes=1 << 30, architecture=architecture)
    target = find_baseline(house.root, assignment, assignment.parts[0], device)
    assert target.sealed == runs
    assert target.program == ("build/gpu/twice/target/twice" if runs else "")


def test_a_sealed_target_that_does_not_link_leaves_the_stored_times(house):
    """The mock's make has no rule for the sealed target."""
    handed_out(house)
    path = house.root / "twice" / "target" / "target.json"
    kept = {"architectures": [89], "machine": platform.machine()}
    path.write_text(json.dumps(json.loads(path.read_text()) | kept))
    house.write("twice/target/twice.o", "")
    parts = {"twice": {"target": "02_better", "cases": {"large": {"02_better": 2.0}}}}
    house.write(
        "twice/grading/thresholds/mock.json", json.dumps({"gpu": "Mock GPU", "parts": parts})
    )
    done = house.grader("check", "twice", gpu=True)
    assert done.status == 0, done.errors
    assert large(done)["reference_ms"] == 2.0
