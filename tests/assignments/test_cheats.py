"""Points that were not earned, and honest files that look odd.

Every file of tests/gallery/cheats/ is one way to get points without the work; line 1 states its
verdict, line 2 what it tries. Those of cheats_that_pass/ get through, which docs/grading.md admits.
Every file of honest/ does its work in an unusual way and must not suffer for it. On the CPU device;
`make test DEVICE=gpu` does the same on the GPU.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest
from gallery import ROOT, Example, build_all, failures, gallery, grade_plan

import grader.build.make
from grader.base.device import Device, choose_device
from grader.build.admission import Stop, stop_at_object, stop_at_source
from grader.build.make import build

CHEATS, PASSING, HONEST = gallery("cheats"), gallery("cheats_that_pass"), gallery("honest")
HONEST_SPEED = (0.9, 1.0)  # of the speed points, where line 1 does not say otherwise


@pytest.fixture(scope="session")
def device() -> Device:
    return choose_device(os.environ.get("DEVICE", "cpu"))


@pytest.fixture(scope="session", autouse=True)
def programs(request: pytest.FixtureRequest, device: Device) -> None:
    """Builds for the tests that were asked for. What is forbidden by its text needs no build, and
    by its object file only that."""
    own = [item for item in request.session.items if item.path == Path(__file__)]
    parameters = [getattr(item, "callspec", None) for item in own]
    chosen = [spec.params["example"] for spec in parameters if spec and "example" in spec.params]
    objects, whole = {}, []
    for example in chosen:
        (planned,) = (p for p in example.plan(device).parts if p.submission)
        expected = example.expected(device.kind)
        if example.stated("compiler_s"):
            continue  # alone, with a limit of its own
        if expected != {"forbidden"}:
            whole.append(example)
        elif not stop_at_source(ROOT, example.file, example.assignment.name):
            objects[f"{planned.submission.program}.o"] = None
            # Whose names no other file may define.
            runner = [*planned.submission.program.split("/")[:3], "grading", "runner"]
            several = len(example.assignment.parts) > 1
            runner += [planned.part.name] if several else []
            objects["/".join(runner) + ".o"] = None
            objects["/".join([*runner[:2], "libharness.a"])] = None
    build(ROOT, objects)
    build_all(whole, device)


def stopped(example: Example, device: Device) -> Stop | None:
    """The verdict of source and object file alone."""
    (planned,) = (p for p in example.plan(device).parts if p.submission)
    programs = [program for program in (planned.submission.program, planned.profiled) if program]
    stop = stop_at_source(ROOT, example.file, example.assignment.name)
    return stop or stop_at_object(ROOT, example.file, programs)


@pytest.mark.parametrize("example", [*CHEATS, *PASSING], ids=str)
def test_cheats_get_their_verdict(
    example: Example, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = example.expected(device.kind)
    if seconds := example.stated("compiler_s"):
        limits = dataclasses.replace(grader.build.make.COMPILER, cpu_s=int(seconds))
        monkeypatch.setattr(grader.build.make, "COMPILER", limits)
    if expected == {"forbidden"}:
        stop = stopped(example, device)
        assert stop and stop[0] == "forbidden"
        return
    result = grade_plan(example.short_plan(device))
    verdicts = {case.verdict for case in result.cases}
    assert verdicts & expected, failures(result)
    assert verdicts <= expected | {"ok"}, failures(result)
    if bounds := example.speed(device.kind):
        assert bounds[0] <= speed_share(result) <= bounds[1]
    else:
        assert "ok" not in expected, "a cheat that is right must be slow: state its speed"
        assert result.score < result.max_score


@pytest.mark.parametrize("example", HONEST, ids=str)
def test_honest_files_do_not_suffer(example: Example, device: Device) -> None:
    result = grade_plan(example.short_plan(device))
    assert not failures(result)
    for case in result.cases:
        assert case.kind == "speed" or case.score == case.max_score
    low, high = example.speed(device.kind) or HONEST_SPEED
    assert low <= speed_share(result) <= high


def speed_share(result: object) -> float:
    cases = [case for case in result.cases if case.kind == "speed"]
    return sum(c.score for c in cases) / (sum(c.max_score for c in cases) or 1.0)


def test_the_gallery_is_as_large_as_promised() -> None:
    assert len(CHEATS) >= 40
    assert len(HONEST) >= 40
    for example in [*CHEATS, *PASSING, *HONEST]:
        lines = example.file.read_bytes().decode(errors="replace").split("\n")
        assert lines[1].startswith("// "), f"{example}: line 2 says what it does"
