"""Every rung, solution, starter and wrong file of every assignment, graded as a student's would be.

On the CPU device; `make test-all DEVICE=gpu` does the same on the GPU. Files are found by place in
the tree, so a new assignment is tested as soon as it exists.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from gallery import (
    PARTS,
    ROOT,
    Example,
    SilentScreen,
    build_all,
    examples,
    failures,
    grade_plan,
    solutions,
)
from tiers import chosen, in_quick, sampled

from grader.base.device import Device, choose_device
from grader.course.declare import Assignment, Part
from grader.course.plan import make_plan
from grader.course.reset import recorded, starter
from grader.explain.findings import sanitize
from grader.run.sanitized import sanitize_options

RUNGS = examples("ladder")
WRONG = examples("wrong")
STARTER = 0.2  # of a part's points: what a right starter may earn


@pytest.fixture(scope="session")
def device() -> Device:
    return choose_device(os.environ.get("DEVICE", "cpu"))


@pytest.fixture(scope="module", autouse=True)
def programs(request: pytest.FixtureRequest, device: Device) -> None:
    """Builds the programs of the chosen tests."""
    build_all(chosen(request), device)


def targets(rung: Example) -> list[object]:
    """Samples of rungs hold each part's target rung."""
    return [rung.part.name] if rung.file.stem == rung.part.target else []


def part_and_verdict(wrong: Example) -> list[object]:
    """Samples of wrong files show each part and each verdict."""
    return [wrong.part.name, *wrong.expected("cpu")]


def by_part(example: Example) -> list[object]:
    return [example.part.name]


def owner(example: Example) -> str:
    return example.assignment.name


@pytest.mark.parametrize("example", sampled(RUNGS, targets, owner), ids=str)
def test_rungs_are_right(example: Example, device: Device) -> None:
    """The timed cases are shared out among the rungs of a ladder: to count all takes minutes.

    In order: the first rung, which is the slowest, gets the first case, which is small.
    """
    ladder = [rung for rung in RUNGS if rung.part is example.part]
    number, rungs, cases = ladder.index(example), len(ladder), example.part.speed
    share = cases[number * len(cases) // rungs : (number + 1) * len(cases) // rungs]
    share = share or cases[number % len(cases) :][:1]
    assert not failures(grade_plan(example.plan_of(device, example.part.correctness, share)))


@pytest.mark.parametrize("example", sampled(solutions(), by_part, owner), ids=str)
def test_solutions_get_full_marks(example: Example, device: Device) -> None:
    result = grade_plan(example.plan(device))
    assert not failures(result)
    assert result.score == pytest.approx(result.max_score)


@pytest.mark.parametrize("example", sampled([*solutions(), *RUNGS], by_part, owner), ids=str)
def test_sanitize_finds_nothing_in_rungs_and_solutions(example: Example, device: Device) -> None:
    """No program leaks, and sanitize runs every case to the end."""
    if device.kind != "cpu":
        pytest.skip("sanitize is a mode of the CPU device")
    plan = make_plan(ROOT, [example.assignment], device, str(example.file), example.part.name, "")
    (result,) = sanitize(plan, None, SilentScreen())
    assert not result.stopped
    assert result.cases == len(example.part.correctness)
    assert not result.unfinished
    assert not [sighting.finding for sighting in result.sightings]


@pytest.mark.parametrize("example", sampled(WRONG, part_and_verdict, owner), ids=str)
def test_wrong_files_get_their_verdict(example: Example, device: Device) -> None:
    part = example.part
    paid = [case for case in part.speed if case.points != 0]
    result = grade_plan(example.plan_of(device, part.correctness, paid[:1]))
    verdicts = {case.verdict for case in result.cases}
    expected = example.expected(device.kind)
    assert verdicts & expected, failures(result)
    # On a GPU no case for speed runs where another case is wrong.
    assert verdicts <= expected | {"ok", "skipped"}, failures(result)
    if "ok" not in expected:
        assert result.score < result.max_score
    # A message names the line of the file that asks for an allocation, no line of the harness.
    assert not [case.detail for case in result.cases if "cudaMalloc at harness/" in case.detail]


def diagnosed_twice(example: Example, mode: str, variable: str, box: Path) -> list[tuple]:
    """Returns what two runs of a diagnostic build print and write, on one case of medium size."""
    device = choose_device("cpu")
    plan = make_plan(ROOT, [example.assignment], device, str(example.file), example.part.name, "")
    (planned,) = [p for p in plan.parts if p.submission]
    program = ROOT / (planned.sanitized if mode == "sanitize" else planned.profiled)
    case = example.part.correctness[len(example.part.correctness) // 2]
    runs = []
    for number in range(2):
        written = box / f"{mode}{number}"
        done = subprocess.run(
            [program, *sanitize_options(case, 5).split(), "--no-check"],
            cwd=ROOT,
            env=os.environ | {variable: str(written)},
            capture_output=True,
            timeout=60,
        )
        # A run by hand prints the clock's time.
        printed = done.stderr if mode == "sanitize" else b""
        content = written.read_bytes() if written.is_file() else b""
        runs.append((done.returncode, printed, content))
    return runs


def ends_by_itself(example: Example) -> bool:
    if "wrong" not in example.file.parts:
        return True
    return not example.expected("cpu") & {"timeout", "crash", "build_error", "forbidden"}


DIAGNOSED = [e for e in [*solutions(), *RUNGS, *WRONG] if ends_by_itself(e)]


@pytest.mark.parametrize("example", sampled(DIAGNOSED, by_part, owner), ids=str)
def test_diagnostics_are_the_same_bytes_twice(
    example: Example, device: Device, tmp_path: Path
) -> None:
    if device.kind != "cpu":
        pytest.skip("sanitize and profile are modes of the CPU device")
    for mode, variable in (("sanitize", "CUDACPU_FINDINGS"), ("profile", "CUDACPU_PROFILE")):
        first, second = diagnosed_twice(example, mode, variable, tmp_path)
        assert first == second
        status, _, written = first
        assert written or status or mode == "sanitize", "no profile was written"


@pytest.mark.parametrize(
    "owned", in_quick(PARTS, lambda owned: owned[0].name), ids=lambda owned: owned[1].name
)
def test_starter_scores(owned: tuple[Assignment, Part], device: Device, tmp_path: Path) -> None:
    """The committed starter, whatever the working copy holds, earns next to nothing."""
    assignment, part = owned
    name = f"{assignment.name}/{part.name}"
    file = tmp_path / f"{part.name}.cu"
    file.write_bytes(starter(ROOT, ROOT / f"{name}.cu"))
    result = grade_plan(Example(assignment, part, file).plan(device))
    correctness = sum(case.score for case in result.cases if case.kind == "correctness")
    assert correctness == pytest.approx(part.starter_points * part.weight), failures(result)
    assert result.score <= STARTER * 100 * part.weight + 1e-9
    assert not result.stars


def test_every_starter_is_recorded() -> None:
    assert set(recorded(ROOT)) == {f"{a.name}/{part.name}.cu" for a, part in PARTS}
