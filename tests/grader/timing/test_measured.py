"""Times on a GPU: confidence, impossible times, a single grading at a time."""

import itertools
import json
import random
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from grader_mock.house import House, source

from grader.base.device import Device
from grader.base.gpu_state import GpuState, merge, watch_gpu
from grader.base.lock import gpu_to_ourselves, lock_path
from grader.base.processes import default_limits
from grader.course.declare import Scale
from grader.course.options import numbers
from grader.run.case import JudgingTime, RightAnswers
from grader.run.runner import CaseFailure, Runner
from grader.timing.clock import Contest, Entry, Kind
from grader.timing.interleaved import rounds_of
from grader.timing.score import formula_text
from grader.timing.statistics import Exchange, floor_ms, hidden_ms, median_interval


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def test_the_interval_holds_the_median_as_often_as_it_says():
    draw = random.Random(1)
    held = 0
    for _ in range(2000):
        found = median_interval([draw.lognormvariate(0, 1) for _ in range(21)])
        held += found.low <= 1.0 <= found.high
    assert 0.95 <= held / 2000 <= 0.99


@pytest.mark.parametrize(
    ("count", "low", "high"), [(1, 1, 1), (5, 1, 5), (6, 1, 6), (21, 6, 16), (42, 15, 28)]
)
def test_the_ranks_are_those_of_the_tables(count, low, high):
    found = median_interval(range(count, 0, -1))
    assert (found.low, found.high, found.count) == (low, high, count)


def test_what_fits_the_cache_has_no_floor():
    assert floor_ms(1000, 2000, 10) == 0
    assert floor_ms(4000, 2000, 10) == 150
    assert floor_ms(4000, 2000, 0) == 0


def test_waiting_for_memory_that_was_freed_is_not_hidden_work():
    """A call of 2 ms that frees a gigabyte, beside a target without a release of memory."""
    target = [Exchange([2.0] * 11, 24 + 50)]
    wall_ms = 24 + 50 + 11 * 3 + 2 * 2
    assert hidden_ms([Exchange([2.0] * 11, wall_ms)], target) > 0
    assert hidden_ms([Exchange([2.0] * 11, wall_ms, retaken=2, waited_ms=33)], target) == 0
    # Not any amount is believed.
    more_ms = wall_ms + 500
    assert hidden_ms([Exchange([2.0] * 11, more_ms, retaken=200, waited_ms=533)], target) > 0


def exchanges(reported_ms, unreported_ms, count=2):
    """Returns exchanges of ten timed calls after an untimed call, with time beside all calls."""
    return [Exchange([reported_ms] * 10, 11 * reported_ms + unreported_ms)] * count


def test_time_that_is_not_reported_is_found():
    ours = exchanges(1.0, 30.0)
    assert hidden_ms(exchanges(1.0, 130.0), ours) == pytest.approx(10)
    # Slow is not hidden, and our own clock is less exact.
    assert hidden_ms(exchanges(50.0, 30.0), ours) == 0
    assert hidden_ms(exchanges(1.0, 40.0), ours) == 0
    # Once is by chance.
    assert hidden_ms(exchanges(1.0, 130.0, 1) + exchanges(1.0, 31.0, 1), ours) == 0
    assert hidden_ms([], ours) == hidden_ms(ours, []) == 0


def test_a_formula_has_its_numbers():
    text = formula_text(20, 2.1, 1.0, Scale())
    assert text == "20 × (1 − log(2.10 / 1.2) / log(10 / 1.2)) = 14.7"
    assert formula_text(20, 1.0, 1.0, Scale()) == "T = 1.00 Tref, at most 1.2: 20 of 20"
    assert formula_text(20, 11.0, 1.0, Scale()) == "T = 11.00 Tref, 10 or more: 0 of 20"
    assert formula_text(20, 1.4, 1.0, Scale(1.05, 1.3)).endswith("1.3 or more: 0 of 20")


def test_looks_at_the_gpu_are_merged():
    looks = [GpuState(1500, None, 40, ("power cap",)), GpuState(1700, None, 42, ())]
    assert merge(looks) == GpuState(1600, None, 41, ("power cap",))
    assert merge([]) == GpuState()
    assert watch_gpu("no such GPU")() == GpuState()


def test_times_come_with_their_interval(house):
    done = house.grader("check", "twice", gpu=True)
    large = done.first["cases"][-1]
    timing = large["timing"]
    assert timing["repeats"] == timing["reference_repeats"] == 6
    low, high = timing["interval_ms"]
    assert low <= large["time_ms"] <= high
    assert timing["roofline_ms"] == pytest.approx(0.4, rel=0.01)
    assert timing["clock_mhz"] is timing["throttle"] is None
    assert large["formula"] == "T = 0.50 Tref, at most 1.2: 60 of 60"
    assert "timing  medians of 6 calls, 95 % sure within ± 0.1%" in done.shown
    # Two rounds of student, target, solution and three libraries.
    assert (timing["retaken"], timing["waited_ms"]) == (12, 30.0)
    shown = " ".join(done.shown.split())
    assert "; waited 30.0 ms while freed memory was cleared, 12 calls timed again" in shown


def test_what_cannot_be_is_too_fast(house):
    house.behave("fine", 0.2)
    done = house.grader("check", "twice", gpu=True)
    assert done.verdicts()[-1] == "too_fast"
    assert done.first["cases"][-1]["score"] == 0
    assert "cannot be moved on this GPU" in done.first["cases"][-1]["detail"]


def test_time_that_only_our_clock_sees_is_too_fast(house):
    house.behave("hides")
    done = house.grader("check", "twice", gpu=True)
    assert done.verdicts()[-1] == "too_fast"
    assert "on the grader's own clock" in done.first["cases"][-1]["detail"]


@pytest.mark.slow
def test_a_gpu_that_is_too_noisy_costs_no_points(house):
    house.write("twice/ladder/02_better.cu", source("twice", "unsteady", 2.0))
    done = house.grader("check", "twice", gpu=True)
    large = done.first["cases"][-1]
    assert (large["verdict"], large["max_score"]) == ("too_noisy", 0)
    assert (done.results["score"], done.results["max_score"]) == (40, 40)


class AnsweringRunner:
    """A runner with a single word as answer, and a judge's program with a count of its looks."""

    def __init__(self, answer: str):
        self.answer = answer

    def fingerprint(self, repeat: int, timeout_s: float) -> str:
        return self.answer


class CountingJudge:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def verify(self, runner: AnsweringRunner, options: str, repeat: int) -> None:
        self.seen.append(runner.answer)
        if runner.answer == "wrong":
            raise CaseFailure("wrong", "index 0")


def test_the_same_bytes_are_judged_once():
    right, judge = RightAnswers(), CountingJudge()
    for answer in ("one", "one", "other", "one", "other"):
        right.verify(AnsweringRunner(answer), judge, "--n 1 --seed 1")
    assert judge.seen == ["one", "other"]
    assert (right.judged, right.same) == (2, 3)
    right.verify(AnsweringRunner("one"), judge, "--n 1 --seed 2")
    assert judge.seen == ["one", "other", "one"]


def test_judging_ends_when_its_time_is_over():
    judging, judge = JudgingTime(limit_s=1.0), CountingJudge()
    right = RightAnswers(judging)
    right.verify(AnsweringRunner("one"), judge, "--n 1 --seed 1")
    judging.spent_s = 1.0
    for answer in ("one", "other", "wrong"):
        right.verify(AnsweringRunner(answer), judge, "--n 1 --seed 1")
    assert judge.seen == ["one"]
    assert (right.judged, right.same, right.unjudged) == (1, 1, 2)


def test_rounds_have_new_inputs_or_one():
    options = "--n 9 --repeats 5 --seed 7"
    fresh = [numbers(text) for text in itertools.islice(rounds_of(options, one_input=False), 3)]
    assert [(each["seed"], each["repeats"]) for each in fresh] == [(7, 3), (8, 3), (9, 3)]
    same = list(itertools.islice(rounds_of(options, one_input=True), 3))
    assert same == [same[0]] * 3 and numbers(same[0])["seed"] == 7


def test_only_what_is_for_points_has_new_inputs_for_each_repeat(tmp_path, monkeypatch):
    contest = Contest(None, None, [Entry("student", Kind.STUDENT, "build/gpu/twice/twice")], [])
    assert not contest.one_input and not contest.enough_ms
    assert replace(contest, ours=True).one_input
    rungs = replace(contest, entries=[Entry("01_naive", Kind.RUNG, "build/gpu/twice")])
    assert rungs.one_input
    assert 0 < replace(rungs, by_size=True).enough_ms < rungs.enough_ms
    asked = []
    runner = Runner(["twice"], default_limits("gpu"))
    monkeypatch.setattr(runner, "_request", lambda line, timeout_s: asked.append(line))
    monkeypatch.setattr(runner, "_checked", lambda *reply: None)
    runner.run("--n 9 --repeats 3", 3, 1.0)
    runner.run("--n 9 --repeats 3", 3, 1.0, enough_ms=250)
    assert asked == ["run --n 9 --repeats 3", "run --n 9 --repeats 3 --one-input --enough-ms 250"]


def test_wrong_bytes_stay_wrong():
    right, judge = RightAnswers(), CountingJudge()
    for _ in range(2):
        with pytest.raises(CaseFailure):
            right.verify(AnsweringRunner("wrong"), judge, "--n 1 --seed 1")


def test_a_wrong_rung_fails_in_a_ladder_that_compares_fingerprints(house):
    house.write("twice/ladder/01_naive.cu", source("twice", "wrong_in_large", 4.0))
    done = house.grader("ladder", "twice", gpu=True)
    assert "large: wrong, index 5" in " ".join(done.shown.split())


@pytest.mark.slow
def test_a_slow_rung_is_timed_less_often_and_left_out_of_larger_sizes(house):
    grade = house.root / "twice/grading/grade.py"
    sizes = "".join(
        f'Case("n = {n}", gpu="--n {n} --repeats 40", cpu="", timeout_s=9), ' for n in (8, 9)
    )
    grade.write_text(grade.read_text().replace("\n)])", f"\n    sweep=[{sizes}],\n)])"))
    house.write("twice/ladder/01_naive.cu", source("twice", time_ms=600.0))
    done = house.grader("ladder", "twice", gpu=True)
    assert done.status == 0, done.errors
    stored = json.loads((house.root / "build/ladder/twice.json").read_text())
    by_size = stored["parts"]["twice"]["by_size"]
    assert set(by_size["n = 8"]) - set(by_size["n = 9"]) == {"01_naive"}
    # Two rungs, the solution and two libraries, in three cases; a copy is not judged.
    shown = " ".join(done.shown.split())
    assert "of the timed answers 3 were judged, and 11 had the same bytes" in shown
    spent = stored["parts"]["twice"]["spent"]
    assert stored["built_s"] > 0 and all(seconds > 0 for seconds in spent.values())
    assert re.search(r"built in [\d.]+ s; twice: [\d.]+ s for correctness, judged in", shown)


def test_measure_stores_times_and_writes_tables(house):
    script = "import sys; print(*sys.argv[1:], file=open('asked.txt', 'a'))\n"
    house.write("twice/figures/tables.py", script)
    done = house.grader("measure", "twice", gpu=True)
    assert done.status == 0, done.errors
    stored = json.loads((house.root / "twice/grading/thresholds/mock_gpu.json").read_text())
    assert stored["parts"]["twice"]["cases"]["large"] == {"01_naive": 4.004, "02_better": 2.002}
    assert (house.root / "asked.txt").read_text() == "--take\n--measure\n"
    ladder = json.loads((house.root / "build/ladder/twice.json").read_text())
    assert set(ladder["parts"]["twice"]["times"]["large"]) > {"solution", "02_better"}


def test_measure_stores_nothing_of_a_part_with_a_wrong_rung(house):
    house.write("twice/ladder/01_naive.cu", source("twice", "wrong_in_large", 4.0))
    done = house.grader("measure", "twice", gpu=True)
    assert done.status == 2 and "01_naive failed large: wrong" in done.errors
    assert not (house.root / "twice/grading/thresholds").exists()


def test_own_unsteadiness_is_graded(house):
    house.behave("unsteady", 8.0)
    done = house.grader("check", "twice", gpu=True)
    large = done.first["cases"][-1]
    assert large["verdict"] == "ok"
    assert "points  large: 60 × (1 − log(" in done.shown
    # More rounds than the usual two.
    assert large["timing"]["repeats"] == 18


def test_an_input_that_was_modified_is_wrong(house):
    house.behave("input_modified")
    done = house.grader("check", "twice")
    assert set(done.verdicts()) == {"wrong"}
    # Said once.
    assert done.shown.count("x was modified") == 1


def test_one_grading_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    device = Device("gpu", "Mock GPU", uuid="GPU-1")
    code = "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, 2); print(flush=True); input()"
    said = []

    def say(text):
        said.append(text)
        other.stdin.close()

    with gpu_to_ourselves(device, said.append):
        pass
    with subprocess.Popen(
        [sys.executable, "-c", code, lock_path(device)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as other:
        other.stdout.readline()
        with gpu_to_ourselves(device, say):
            assert other.wait(10) == 1  # the input ended
    assert said == ["Another grader uses the Mock GPU: waiting for it to end."]
    with gpu_to_ourselves(Device("cpu", "no UUID"), pytest.fail):
        pass


def test_calibrate_keeps_the_rungs_times_and_what_else_is_stored(house):
    stored = {"gpu": "Mock GPU", "parts": {"twice": {"target": "x", "by_size": {"a": {"b": 1}}}}}
    path = house.write("twice/grading/thresholds/mock_gpu.json", json.dumps(stored))
    done = house.grader("calibrate", "twice", gpu=True)
    assert done.status == 0, done.errors
    assert "twice/grading/thresholds/mock_gpu.json" in done.shown
    twice = json.loads(path.read_text())["parts"]["twice"]
    assert (twice["target"], twice["by_size"]) == ("02_better", {"a": {"b": 1}})
    times = twice["cases"]["large"]
    assert list(times) == ["01_naive", "02_better"]
    assert times["01_naive"] == pytest.approx(4.0, rel=0.01)


def test_calibrate_of_one_case_keeps_the_times_of_the_others(house):
    twice = {"target": "02_better", "cases": {"other": {"01_naive": 7.0}}}
    stored = {"gpu": "Mock GPU", "parts": {"twice": twice}}
    path = house.write("twice/grading/thresholds/mock_gpu.json", json.dumps(stored))

    def cases():
        return list(json.loads(path.read_text())["parts"]["twice"]["cases"])

    assert house.grader("calibrate", "twice", "--case", "large", gpu=True).status == 0
    assert cases() == ["other", "large"]
    assert house.grader("calibrate", "twice", gpu=True).status == 0
    assert "other" not in cases()


def test_thresholds_are_not_kept_of_a_rung_that_is_wrong(house):
    house.write("twice/ladder/01_naive.cu", source("twice", "wrong"))
    done = house.grader("calibrate", "twice", gpu=True)
    assert done.status == 2
    assert "build/gpu/twice/ladder/01_naive failed large: wrong" in done.errors
    assert not (house.root / "twice" / "grading" / "thresholds").exists()


def test_calibrate_keeps_what_was_timed_before_it_ended_early(house):
    house.write("pair/ladder/right/01_naive.cu", source("right", "wrong"))
    assert house.grader("calibrate", "pair", gpu=True).status == 2
    path = house.root / "pair" / "grading" / "thresholds" / "mock_gpu.json"
    parts = json.loads(path.read_text())["parts"]
    assert list(parts) == ["left"]
    assert list(parts["left"]["cases"]["large"]) == ["01_naive", "02_better"]


def test_grading_again_and_again(house):
    done = house.grader("calibrate", "twice", "--repeat", "2", gpu=True)
    assert done.status == 0, done.errors
    rows = {line.split()[0]: line.split()[1:] for line in done.shown.splitlines() if ".cu" in line}
    assert list(rows) == [
        f"twice/{n}.cu" for n in ("ladder/01_naive", "ladder/02_better", "solution")
    ]
    # Graded twice, as fast as the target, and all points each time.
    assert rows["twice/ladder/02_better.cu"] == ["2", "1.000", "0.00", *["100.00"] * 3]


@pytest.mark.slow
def test_grading_again_goes_on_where_it_stopped(house):
    assert house.grader("calibrate", "twice", "--repeat", "1", gpu=True).status == 0
    house.write("twice/solution.cu", source("twice", time_ms=1.5))
    done = house.grader("calibrate", "twice", "--repeat", "3", gpu=True)
    rows = {line.split()[0]: line.split()[1:] for line in done.shown.splitlines() if ".cu" in line}
    assert [row[0] for row in rows.values()] == ["3", "3", "3"]
    store = house.root / "docs/figures/repeat.json"
    stored = json.loads(store.read_text())
    assert {file: len(of["scores"]) for file, of in stored["files"].items()} == {
        "twice/ladder/01_naive.cu": 3,
        "twice/ladder/02_better.cu": 3,
        "twice/solution.cu": 3,  # the grading of the older file does not count
    }
    assert stored["files"]["twice/solution.cu"]["T/Tref"] == [0.75] * 3
    # A case alone is shown, and changes nothing.
    before = store.stat().st_mtime_ns
    only = house.grader("calibrate", "twice", "--repeat", "1", "--case", "large", gpu=True)
    assert "solution.cu" in only.shown and store.stat().st_mtime_ns == before
    # Nothing is left to do.
    assert house.grader("calibrate", "twice", "--repeat", "3", gpu=True).status == 0
    assert store.stat().st_mtime_ns == before
