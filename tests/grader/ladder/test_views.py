"""Frame rates from all viewing directions: what is compared, the table and the plot."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.base.device import Device
from grader.course.declare import Case, Part
from grader.course.load import load_assignment
from grader.ladder.ladder import PartLadder, cases_on
from grader.ladder.plot import plot_views
from grader.ladder.views import turns, view_table

ROOT = Path(__file__).parents[3]
CPU, GPU = Device("cpu", "Some CPU"), Device("gpu", "Some GPU")
PART = Part(
    name="part",
    contract="void f();",
    target="01",
    correctness=[],
    views=[
        Case(f"{axis} {degrees}", gpu="--n 1", cpu="--n 1" if degrees < 45 else "")
        for axis in "xz"
        for degrees in (0, 30, 60)
    ],
    views_of=["static", "dynamic"],
)
# About x: 100, 50 and 25 frames/s against 100, 100 and 20. About z one view failed.
TIMES = {
    "x 0": {"static": 10.0, "dynamic": 10.0},
    "x 30": {"static": 20.0, "dynamic": 10.0},
    "x 60": {"static": 40.0, "dynamic": 50.0},
    "z 0": {"static": 10.0, "dynamic": 5.0},
    "z 30": {"static": 10.0},
}


def test_only_views_that_all_have_a_time_of_are_compared() -> None:
    about_x, about_z = turns(PART, TIMES)
    assert (about_x.axis, about_x.degrees) == ("x", [0, 30, 60])
    assert about_x.frames_per_s["static"] == pytest.approx([100, 50, 25])
    assert (about_z.axis, about_z.degrees) == ("z", [0])


def test_means_and_the_worst_view() -> None:
    about_x, _ = turns(PART, TIMES)
    assert about_x.mean("static") == pytest.approx(175 / 3)
    assert about_x.least_gain("dynamic", "static") == pytest.approx(20 / 25)
    table = view_table(PART, TIMES)
    assert [next(iter(column.cells)) for column in table.columns] == [
        " x", "58.3", "73.3", "1.26×", "0.80×",
    ]  # fmt: skip


def test_the_cpu_device_models_the_views_that_have_options_for_it() -> None:
    assert [case.name for case in cases_on(PART.views, CPU)] == ["x 0", "x 30", "z 0", "z 30"]
    assert len(cases_on(PART.views, GPU)) == 6


def test_the_plot_has_a_panel_per_axis(tmp_path: Path) -> None:
    device = Device("gpu", "Some GPU")
    ladder = PartLadder(PART, [], TIMES)
    _, svg = plot_views(tmp_path, "render", device, [ladder])
    text = svg.read_text()
    assert "part, about x: Some GPU" in text and "part, about z: Some GPU" in text
    assert plot_views(tmp_path, "render", device, [PartLadder(PART, [])]) == []


def test_volume_is_seen_from_all_around_by_its_rungs() -> None:
    volume = load_assignment(ROOT, "render").part("volume")
    assert len(cases_on(volume.views, GPU)) == 3 * 25
    for rung in volume.views_of:
        assert (ROOT / "render" / "ladder" / "volume" / f"{rung}.cu").is_file()
