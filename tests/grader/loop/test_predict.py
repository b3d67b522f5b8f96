"""`make predict-<name>`: the question, the answer, and the log of both beside the times."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from grader_mock.house import House, source

from grader.check.history import Attempt, Prediction, read_history, record
from grader.course import resolve
from grader.course.load import load_assignments
from grader.loop.predict import NO_QUESTION, next_question, question_in, time_in
from grader.report.material import Material
from grader.report.page import render_report
from grader.report.work_log import work_log

ROOT = Path(__file__).parents[3]
PAGE = """# twice

## The ladder

### 1: naive ([01_naive.cu](ladder/01_naive.cu))

**Predict**: how many
sectors?

![picture](x.svg)

### 2: better (02_better.cu)

Words.
"""


def house_with_page(tmp_path: Path) -> House:
    house = House(tmp_path)
    house.write("twice/README.md", PAGE)
    return house


def test_the_question_is_the_paragraph_of_the_rung() -> None:
    assert question_in(PAGE, "01_naive") == "how many\nsectors?"
    assert question_in(PAGE, "02_better") == ""
    assert question_in(PAGE, "09_none") == ""


def test_it_asks_before_it_grades_and_keeps_the_answer(tmp_path: Path) -> None:
    house = house_with_page(tmp_path)
    first = house.grader("predict", "twice", "--prediction", "32, in 0.8 ms")
    assert first.status == 0
    assert "how many sectors?" in first.shown
    assert first.shown.index("how many") < first.shown.index("verdict")
    (attempt,) = read_history(house.root)
    assert attempt.prediction == Prediction("01_naive", "32, in 0.8 ms", 0.8)
    assert attempt.times_ms.keys() == {"large"}
    second = house.grader("predict", "twice", "--prediction", "x")
    assert NO_QUESTION in second.shown, "the next rung, which has no question"
    assert [one.prediction.rung for one in read_history(house.root)] == ["01_naive", "02_better"]


def test_a_rung_can_be_chosen(tmp_path: Path) -> None:
    house = house_with_page(tmp_path)
    house.grader("predict", "twice", "--rung", "02_better", "--prediction", "x")
    assert read_history(house.root)[0].prediction.rung == "02_better"
    assert "did you mean 02_better" in house.grader("predict", "twice", "--rung", "02_beter").errors


@pytest.mark.parametrize("words", [(), ("--prediction", "  ")])
def test_without_an_answer_nothing_is_graded(tmp_path: Path, words: tuple[str, ...]) -> None:
    house = house_with_page(tmp_path)
    with house.start("predict", "twice", *words, stdin=-3, stdout=-1, stderr=-1, text=True) as done:
        _, errors = done.communicate(timeout=60)
    assert done.returncode == 2 and errors.count("\n") == 1
    assert read_history(house.root) == []


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("0.8 ms", 0.8),
        ("about 60 us", 0.06),
        ("3,5 µs at best", 0.0035),
        ("2 s", 2000),
        ("2x", None),
    ],
)
def test_a_time_in_words(text: str, ms: float | None) -> None:
    assert time_in(text) == (None if ms is None else pytest.approx(ms))


def test_old_lines_of_the_history_are_read(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    old = {"assignment": "a", "part": "a", "when": "2026-01-01T00:00:00", "device": "x"}
    old |= {"score": 1, "max_score": 2, "right": 1, "cases": 1, "slowdown": None}
    (tmp_path / "build" / "history.jsonl").write_text(json.dumps(old) + "\n")
    assert read_history(tmp_path)[0].prediction is None


def test_older_lines_name_model_and_device_in_one(tmp_path: Path) -> None:
    line = {"assignment": "a", "part": "a", "when": "2026-01-01T00:00:00", "score": 1}
    line |= {"max_score": 2, "right": 1, "cases": 1, "slowdown": None}
    devices = ("Xeon, 2 GHz, NVIDIA H200, a slice of 8", "NVIDIA H200")
    (tmp_path / "build").mkdir()
    lines = (json.dumps(line | {"device": device}) + "\n" for device in devices)
    (tmp_path / "build" / "history.jsonl").write_text("".join(lines))
    modelled, measured = read_history(tmp_path)
    assert (modelled.device, modelled.model) == ("Xeon, 2 GHz", "NVIDIA H200, a slice of 8")
    assert (measured.device, measured.model) == ("NVIDIA H200", "")
    assert replace(modelled, when="later").is_beside(modelled)
    assert not modelled.is_beside(measured)


def attempt(device: str, model: str, ms: float, prediction: Prediction | None) -> Attempt:
    return Attempt(
        *("saxpy", "saxpy", "2026-11-23T01:00:00", device, 40.0, 50.0, 3, 3, 1.0, "abc"),
        {"2^28": ms},
        prediction,
        model,
    )


def test_the_report_shows_prediction_model_and_measurement(tmp_path: Path) -> None:
    said = Prediction("02_grid_stride", "a <b>tenth</b> faster: 0.9 ms", 0.9)
    record(tmp_path, [attempt("Xeon", "NVIDIA H200, a slice", 1.05, said)])
    record(tmp_path, [attempt("NVIDIA H200", "", 0.97, None)])
    stored = {"gpu": "NVIDIA H200", "date": "x", "parts": {}}
    stored["parts"]["saxpy"] = {"target": "t", "cases": {"2^28": {"02_grid_stride": 0.964}}}
    folder = tmp_path / "saxpy" / "grading" / "thresholds"
    folder.mkdir(parents=True)
    (folder / "nvidia_h200.json").write_text(json.dumps(stored))
    (entry,) = work_log(tmp_path)
    times = (entry.predicted_ms, entry.modelled_ms, entry.measured_ms, entry.rung_ms)
    assert times == (0.9, 1.05, 0.97, 0.964)
    results = {"device": {"kind": "cpu", "name": "Xeon"}, "isolation": "x", "score": 0}
    page = render_report(results | {"max_score": 0, "assignments": []}, Material(log=[entry]))
    row = page[page.index("Work log") :]
    assert "a &lt;b&gt;tenth&lt;/b&gt; faster" in row
    for text in ("900 µs", "1.05 ms", "970 µs", "964 µs", "40 / 50"):
        assert text in row


@pytest.mark.parametrize("assignment", load_assignments(ROOT, []), ids=lambda one: one.name)
def test_every_page_asks_at_most_of_its_rungs(assignment) -> None:
    """Each part of the course has questions to answer."""
    page = (ROOT / assignment.name / "README.md").read_text()
    for part in assignment.parts:
        rungs = resolve.rungs(ROOT, assignment, part)
        assert sum(bool(question_in(page, rung)) for rung in rungs) >= len(rungs) / 3


def test_without_a_part_the_question_is_of_the_first_unfinished_part(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.write("pair/README.md", PAGE)
    house.write("pair/right.cu", source("right", "wrong"))
    (pair,) = load_assignments(house.root, ["pair"])
    assert next_question(house.root, pair, "").part == "left"
    house.grader("check", "pair", gpu=True)
    assert next_question(house.root, pair, "").part == "right"


def test_the_next_question_goes_up_the_ladder(tmp_path: Path) -> None:
    house = house_with_page(tmp_path)
    (twice,) = load_assignments(house.root, ["twice"])
    assert next_question(house.root, twice, "").rung == "01_naive"
