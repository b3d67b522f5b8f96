"""What stands in for the target rungs in a student repository: numbers, and machine code."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from cpudevice.model.gpu import known_models, load_gpu
from grader.base.device import find_nvcc, nvcc_version
from grader.base.screen import Screen
from grader.build.make import build_or_raise
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.run.profiled import Job, Outcome, count_all
from grader.timing.modelled import job_for, reference_of

Parts = list[tuple[Assignment, Part]]


def modelled_targets(root: Path, parts: Parts, screen: Screen) -> dict[str, dict]:
    """{part: {GPU: {case: {"ms", "bytes"}}}}: each target counted here, for every GPU we know."""
    programs = {
        part.name: resolve.counted_target(resolve.rung_target(assignment, part, part.target, "cpu"))
        for assignment, part in parts
    }
    judges = [resolve.judge_target(assignment) for assignment, _ in parts]
    screen.step("building", 0, 0)
    build_or_raise(root, [*programs.values(), *judges])
    jobs = {
        (part.name, case.name): job_for(
            root, programs[part.name], resolve.judge_target(assignment), part.name, case
        )
        for assignment, part in parts
        for case in part.speed
    }
    counted: list[Job] = []

    def told(job: Job) -> None:
        counted.append(job)
        screen.step("counting the target rungs", len(counted), len(jobs))

    outcomes = count_all(root, list(jobs.values()), told)
    return {
        part.name: times_of(
            part,
            programs[part.name],
            {c.name: outcomes[jobs[part.name, c.name]] for c in part.speed},
        )
        for _, part in parts
    }


def times_of(part: Part, program: str, outcomes: dict[str, Outcome]) -> dict:
    times: dict[str, dict] = {}
    for model in known_models():
        gpu = load_gpu(model)
        cases = times.setdefault(gpu.name, {})
        for case in part.speed:
            share = gpu.slice(case.share)
            reference = reference_of(outcomes[case.name], program, case.name, share)
            cases[case.name] = {"ms": reference.time_ms, "bytes": reference.bytes}
    return times


def seal(root: Path, parts: Parts) -> dict[str, Path]:
    """{part: object file} for the GPU; empty without nvcc."""
    if not find_nvcc():
        return {}
    objects = {}
    for assignment, part in parts:
        target = resolve.rung_target(assignment, part, part.target, "sealed")
        objects[part.name] = root / f"{target}.o"
    build_or_raise(root, [str(path.relative_to(root)) for path in objects.values()])
    return objects


def sealed_for(root: Path) -> dict:
    """Where sealed objects run: processor, toolkit and the architectures that rules.mk names."""
    architectures = re.search(
        r"^SEALED_FOR := (.*)$", (root / "harness" / "rules.mk").read_text(), re.M
    )
    return {
        "machine": platform.machine(),
        "nvcc": nvcc_version().partition(",")[0],
        "architectures": [int(word) for word in architectures[1].split()],
    }


NOT_SEALED = {"machine": "", "nvcc": "", "architectures": []}
