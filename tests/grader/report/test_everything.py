"""The report shows everything graded so far, in teaching order; tables fold right cases."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from grader_mock.house import PAIR, TWICE, House

from grader.check.graded import everything, read_kept
from grader.course.load import load_assignments
from grader.course.results import read_results

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.slow


def page(house: House) -> str:
    done = house.start("report", environment={}, stdout=-1, stderr=-1, text=True)
    _, errors = done.communicate(timeout=60)
    assert done.returncode == 0, errors
    return (house.root / "build" / "report" / "index.html").read_text()


def test_a_report_holds_the_parts_of_earlier_checks(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.grader("check", "twice")
    house.grader("check", "pair", "--part", "left")
    results = everything(tmp_path, read_results(tmp_path), load_assignments(tmp_path, []))
    names = [(a["name"], [part["name"] for part in a["parts"]]) for a in results["assignments"]]
    assert names == [("pair", ["left"]), ("twice", ["twice"])]
    assert results["score"] == sum(a["score"] for a in results["assignments"])
    shown = page(house)
    assert ">twice <" in shown and ">pair <" in shown


def test_what_only_looked_is_not_kept(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.grader("check", "twice", "--case", "one")
    house.grader("check", "twice", "--with", "solution")
    assert read_kept(tmp_path) == {}


def test_another_devices_results_stay_out(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.grader("check", "twice", "--device", "gpu", gpu=True)
    house.grader("check", "pair")
    results = everything(tmp_path, read_results(tmp_path), load_assignments(tmp_path, []))
    assert [a["name"] for a in results["assignments"]] == ["pair"]


def test_a_file_that_changed_since_its_own_check_is_said(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.grader("check", "twice")
    kept = read_kept(tmp_path)
    file = tmp_path / "twice" / "twice.cu"
    later = kept["twice/twice"]["when"] + 5
    os.utime(file, (later, later))
    house.grader("check", "pair")
    results = tmp_path / "build" / "results.json"
    os.utime(results, (later + 5, later + 5))
    assert "twice/twice.cu has changed since it was graded" in page(house)


def test_assignments_come_in_teaching_order(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.write("pair/grading/grade.py", PAIR.replace('name="pair",', 'name="pair", order=2,'))
    house.write(
        "twice/grading/grade.py", TWICE.replace('name="twice", p', 'name="twice", order=1, p')
    )
    assert [one.name for one in load_assignments(tmp_path, [])] == ["twice", "pair"]
    assert [one.name for one in load_assignments(tmp_path, ["pair", "twice"])] == ["twice", "pair"]
    results = house.grader("check").results
    assert [one["name"] for one in results["assignments"]] == ["twice", "pair"]
    shown = page(house)
    assert shown.index(">twice <") < shown.index(">pair <")


def test_the_course_has_one_order_and_everybody_keeps_it() -> None:
    names = [one.name for one in load_assignments(ROOT, [])]
    orders = [one.order for one in load_assignments(ROOT, [])]
    assert len(set(orders)) == len(orders)
    readme = (ROOT / "README.md").read_text()
    rows = [readme.index(f"| [{name}]({name}/README.md)") for name in names]
    assert rows == sorted(rows)


def test_right_cases_share_a_row_unless_asked_for(tmp_path: Path) -> None:
    house = House(tmp_path)
    folded = house.grader("check", "twice").shown
    assert " 4 cases " in folded and " seven " not in folded
    assert " seven " in house.grader("check", "twice", "--all").shown
    assert " seven " in house.grader("check", "twice", "--case", "seven").shown
    house.behave("wrong")
    assert "✗ seven" in house.grader("check", "twice").shown, "what failed is never folded"
