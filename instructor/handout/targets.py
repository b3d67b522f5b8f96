"""The stand-ins for the target rungs in a student repository: modelled times and machine code."""

import platform
import re
from pathlib import Path

from cpudevice.model.gpu import known_models, load_gpu
from grader.base.device import find_nvcc, nvcc_version
from grader.base.progress import Screen
from grader.build.make import build_or_raise
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.course.resolve import profiled_program
from grader.timing.clock import Contest, Entry, Kind, Session, failure_of_ours
from grader.timing.modelled import ModelledClock

Parts = list[tuple[Assignment, Part]]


def modelled_targets(root: Path, parts: Parts, screen: Screen) -> dict[str, dict]:
    """{part: {GPU: {case: {"ms", "bytes"}}}}: profiles each target, and models every known GPU."""
    clocks = [ModelledClock(root, load_gpu(model)) for model in known_models()]
    entries = {
        part.name: Entry(
            part.target, Kind.BASELINE, resolve.rung_program(assignment, part, part.target, "cpu")
        )
        for assignment, part in parts
    }
    judges = [resolve.judge_program(assignment) for assignment, _ in parts]
    screen.step("building", 0, 0)
    build_or_raise(root, [*clocks[0].builds(list(entries.values())), *judges])
    found: dict[str, dict] = {part.name: {} for _, part in parts}
    for assignment, part in parts:
        contest = Contest(assignment, part, [entries[part.name]], part.speed)
        for clock in clocks:
            # Profiled for the first clock, then cached.
            with clock.session(contest, screen) as session:
                found[part.name][clock.gpu.name] = times_of(session, contest, screen)
    return found


def times_of(session: Session, contest: Contest, screen: Screen) -> dict[str, dict[str, float]]:
    """The target's times; on a GPU that lacks a unit there are none, and a sentence says why."""
    (entry,) = contest.entries
    times = {}
    for case in contest.cases:
        timed = session.time(case).timed[entry.name]
        if timed.failure:
            raise failure_of_ours(profiled_program(entry.program), case, timed.failure)
        if timed.lacks:
            screen.say(f"{contest.title}: the target has no time, {timed.lacks}.")
            return {}
        times[case.name] = {"ms": timed.time_ms, "bytes": timed.bytes}
    return times


def seal(root: Path, parts: Parts) -> dict[str, Path]:
    """{part: object file} for the GPU; empty without nvcc."""
    if not find_nvcc():
        return {}
    objects = {}
    for assignment, part in parts:
        target = resolve.rung_program(assignment, part, part.target, "sealed")
        objects[part.name] = root / f"{target}.o"
    build_or_raise(root, [str(path.relative_to(root)) for path in objects.values()])
    return objects


def sealed_for(root: Path) -> dict:
    """The conditions for running sealed objects: processor, toolkit and architectures
    (rules.mk).
    """
    architectures = re.search(
        r"^SEALED_FOR := (.*)$", (root / "harness" / "rules.mk").read_text(), re.M
    )
    return {
        "machine": platform.machine(),
        "nvcc": nvcc_version().partition(",")[0],
        "architectures": [int(word) for word in architectures[1].split()],
    }


NOT_SEALED = {"machine": "", "nvcc": "", "architectures": []}
