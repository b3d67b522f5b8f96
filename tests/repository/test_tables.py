"""The tables of the handouts agree with the stored measurements."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from grader.base import gpu_state
from grader.course.load import load_assignments
from grader.course.resolve import directory, rungs, solution_file
from grader.course.thresholds import any_thresholds, load_thresholds
from harness.figures import page_tables
from harness.figures.page_tables import take

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(ROOT.glob("*/figures/tables.py"))


def test_there_are_some() -> None:
    assert SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(ROOT).parts[0])
def test_the_page_has_what_was_measured(script: Path) -> None:
    command = [sys.executable, script, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_times_are_taken_from_a_ladder_and_those_of_other_parts_stay(tmp_path: Path) -> None:
    measured, ladder = tmp_path / "measured.json", tmp_path / "ladder.json"
    measured.write_text('{"a": {"times": {"x": {"r": 1}}}, "b": {"times": {"x": {"r": 2}}}}')
    timed = {"times": {"y": {"r": 3.00049}}, "by_size": {"z": {"r": 4}}, "limits": {"y": 2.004}}
    found = {"gpu": "Mock GPU", "driver": "1.2", "date": "2026-11-23", "parts": {"b": timed}}
    ladder.write_text(json.dumps(found))
    take(measured, ladder)
    stored = json.loads(measured.read_text())
    assert stored["a"] == {"times": {"x": {"r": 1}}}
    assert stored["b"]["times"] == {"y": {"r": 3.0}, "z": {"r": 4.0}}
    about = [stored["b"][key] for key in ("gpu", "driver", "date", "limits")]
    assert about == ["Mock GPU", "1.2", "2026-11-23", {"y": 2.0}]


def script_of(path: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(path.replace("/", "_"), ROOT / path)
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    return script


def test_what_a_program_of_figures_measured_is_stored_beside_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = tmp_path / "measured.json"
    measured.write_text('{"a": {"times": {"x": {"r": 1}}}}')
    monkeypatch.setattr(page_tables, "gpu_name", lambda: "Mock GPU")
    monkeypatch.setattr(gpu_state, "driver_version", lambda: "1.2")
    page_tables.store(measured, "b", {"y": {"r": 2.5}})
    stored = json.loads(measured.read_text())
    assert stored["a"] == {"times": {"x": {"r": 1}}}
    assert (stored["b"]["gpu"], stored["b"]["driver"]) == ("Mock GPU", "1.2")
    assert stored["b"]["times"] == {"y": {"r": 2.5}}


def test_counters_are_stored_in_per_cent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = tmp_path / "measured.json"
    measured.write_text("{}")
    monkeypatch.setattr(page_tables, "gpu_name", lambda: "Mock GPU")
    page_tables.store(measured, "counters", {"01": {"occupancy": 30.5}}, "per cent")
    assert json.loads(measured.read_text())["counters"]["per cent"] == {"01": {"occupancy": 30.5}}


def test_experiments_run_before_the_tables_are_written(tmp_path: Path) -> None:
    figures = tmp_path / "some" / "figures"
    figures.mkdir(parents=True)
    (tmp_path / "some/README.md").write_text(
        "<!-- table one: written by figures/tables.py -->\n<!-- end of table -->\n"
    )
    (figures / "measured.json").write_text("{}")
    (figures / "tables.py").write_text(
        "from pathlib import Path\nfrom harness.figures.page_tables import run\n"
        "run(Path(__file__), {'one': lambda s: s['t'] + '\\n'}, experiments=[['try.py', 'x']])\n"
    )
    (figures / "try.py").write_text(
        "import json, sys\nfrom pathlib import Path\n"
        "stored = Path(__file__).with_name('measured.json')\n"
        "stored.write_text(json.dumps({'t': sys.argv[1]}))\n"
    )
    command = [sys.executable, figures / "tables.py", "--measure"]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=60)
    assert (tmp_path / "some/README.md").read_text().splitlines()[1] == "x"


def test_the_output_of_the_experiment_on_occupancy_is_read() -> None:
    output = """Mock GPU: 228 KB of shared memory per multiprocessor
tile      shared/block  blocks  threads          time          rate
padded        16.25 KB       8    100 %     0.1411 ms   3806.1 GB/s  right
rotated       16.00 KB       8    100 %     0.1403 ms   3827.8 GB/s  right
rotated      113.00 KB       2     25 %     0.1485 ms   3614.2 GB/s  WRONG
"""
    times = script_of("transpose/figures/occupancy.py").parsed(output)
    assert times == {"8 blocks": {"padded": 0.1411, "rotated": 0.1403}}


def test_times_of_launches_from_the_device_are_stored_in_milliseconds() -> None:
    script = script_of("stencil/figures/indirect.py")
    columns = [dict.fromkeys(script.WAYS, 17.0) for _ in script.PERCENT]
    assert script.in_ms(columns)["10 % in use"]["launch for all"] == 0.017


# Of a time by `make ladder` in a handout, over the time by `make calibrate` in the thresholds,
# perhaps of another day: docs/grading.md, "From one run to the next".
SPREAD = {"saxpy_host": 0.35}
USUAL_SPREAD = 0.12
SHORT_MS, SHORT_SPREAD = 0.03, 0.25
MEASURED = [
    (path.relative_to(ROOT).parts[0], part, case)
    for path in sorted(ROOT.glob("*/figures/measured.json"))
    for part, stored in json.loads(path.read_text()).items()
    for case in stored.get("times", ())
]


@pytest.mark.parametrize(("name", "part", "case"), MEASURED, ids=[" ".join(m) for m in MEASURED])
def test_a_handouts_times_are_those_of_the_thresholds(name: str, part: str, case: str) -> None:
    """The two agree within the difference of two runs; ungraded sizes stand in a single table."""
    measured = json.loads((ROOT / name / "figures/measured.json").read_text())[part]
    thresholds = load_thresholds(ROOT, name, measured["gpu"]).rungs(part)
    for rung, shown in measured["times"][case].items():
        if rung in thresholds.get(case, {}):
            usual = SHORT_SPREAD if shown < SHORT_MS else USUAL_SPREAD
            spread = SPREAD.get(part, usual)
            apart = abs(math.log(shown / thresholds[case][rung]))
            assert apart <= math.log(1 + spread), (rung, shown, thresholds[case][rung])


def test_a_pass_of_a_network_is_a_launch() -> None:
    """For all rungs, at the size of the golden counters."""
    script = ROOT / "sort" / "figures" / "tables.py"
    specification = importlib.util.spec_from_file_location("sort_tables", script)
    tables = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(tables)
    for entry in tables.NETWORKS:
        place = "solution/bitonic_sort" if entry == "solution" else f"ladder/bitonic_sort/{entry}"
        golden = json.loads((ROOT / "tests" / "golden" / "sort" / f"{place}.json").read_text())
        launches = sum(kernel["launches"] for kernel in golden["kernels"])
        assert tables.passes_of(entry, 14) == launches, entry


def test_a_page_says_of_which_day_its_times_are() -> None:
    text = "On <!-- date of a -->1 May 2020<!-- end -->, and <!-- date of b -->x<!-- end -->."
    stored = {"a": {"date": "2026-11-24"}, "b": {"date": "2026-01-02"}}
    assert page_tables.with_dates(text, stored) == (
        "On <!-- date of a -->24 November 2026<!-- end -->, "
        "and <!-- date of b -->2 January 2026<!-- end -->."
    )


def test_every_part_with_points_for_speed_has_been_graded_often() -> None:
    """docs/figures/repeat.json has the first rung, the last and the solution of each, in order.

    A new assignment has no times yet.
    """
    stored = json.loads((ROOT / "docs" / "figures" / "repeat.json").read_text())["files"]
    of_part: dict[str, list[str]] = {}
    for file, graded in stored.items():
        of_part.setdefault(graded["part"], []).append(file)
    expected = {}
    for assignment in load_assignments(ROOT, []):
        for part in assignment.parts:
            if part.speed and any_thresholds(ROOT, assignment.name).rungs(part.name):
                names = rungs(ROOT, assignment, part)
                folder = directory(ROOT, assignment, part, "ladder").relative_to(ROOT)
                solution = solution_file(ROOT, assignment, part).relative_to(ROOT)
                of_rungs = (f"{folder}/{name}.cu" for name in (names[0], names[-1]))
                expected[part.name] = [*of_rungs, str(solution)]
    assert of_part == expected


def test_the_spread_of_scores_is_that_of_all_gradings() -> None:
    script = script_of("docs/figures/tables.py")
    graded = {"part": "a", "scores": [36.1, 36.44, 36], "T/Tref": [1.0, 1.01, 0.99], "spoilt": []}
    assert script.spread(graded) == "36 to 36.4, ± 1.0 %"
    assert script.spread(graded | {"scores": [], "T/Tref": []}) == "too noisy"
    twice = [graded, graded | {"scores": [1.0]}]
    assert [script.counts(twice), script.counts([graded])] == ["1 to 3", "3"]
