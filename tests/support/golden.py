#!/usr/bin/env python3
"""The recorded counters of every rung and solution.

    make golden [ONLY=saxpy]        profiles all programs and writes tests/golden/

`git diff` then shows what a change of a rung, or of the profile itself, did to the counters.
test_golden.py compares the counters: exactly with the recorded compiler, within a few per cent with
another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.base.device import choose_device
from grader.build.make import build as build_targets
from grader.course import resolve
from grader.course.declare import Part
from grader.course.load import load_assignments
from grader.course.needs import unmet

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
CPU_DEVICE = choose_device("cpu")
KERNEL_COUNTS = (
    "name", "launches", "grid", "block", "static_shared", "dynamic_shared", "blocks", "threads",
    "warps", "resident_blocks", "warp_instructions", "instructions", "active_lane_average",
    "load_phases", "barriers", "warp_syncs", "local_bytes", "dram_bytes", "same_address_atomics",
)  # fmt: skip
LINE_COUNTS = (
    "access", "requests", "lanes", "bytes", "sectors", "ideal_sectors", "lines128", "wavefronts",
    "ideal_wavefronts", "conflicts",
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    part: Part
    source: Path  # relative to the repository's root

    @property
    def target(self) -> str:
        return f"build/profile/{self.source.with_suffix('')}"

    @property
    def golden(self) -> Path:
        return GOLDEN / self.source.with_suffix(".json")


def programs(names: Sequence[str] = ()) -> list[Program]:
    """Every rung and solution of the named assignments, or of all."""
    found = []
    for assignment in load_assignments(ROOT, list(names)):
        for part in assignment.parts:
            rungs = sorted(resolve.directory(ROOT, assignment, part, "ladder").glob("*.cu"))
            solution = resolve.solution_file(ROOT, assignment, part)
            sources = [*rungs, solution] if solution.exists() else rungs
            found += [
                Program(part, source.relative_to(ROOT))
                for source in sources
                if not unmet(source, CPU_DEVICE)
            ]
    return found


def counts(profile: dict) -> dict:
    """The values to compare: counters, without examples and without virtual times."""
    host: dict[str, list[int]] = {}
    for operation in profile["host"]:
        entry = host.setdefault(operation["op"], [0, 0])
        entry[0] += 1
        entry[1] += operation["bytes"]
    kernels = []
    for kernel in profile["kernels"]:
        entry = {name: kernel[name] for name in KERNEL_COUNTS}
        entry["lines"] = [
            {n: line[n] for n in LINE_COUNTS if n in line} for line in kernel["lines"]
        ]
        kernels.append(entry)
    return {"compiler": profile["compiler"], "host": host, "kernels": kernels}


def measure(program: Program) -> dict:
    """The counters of a built program."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "profile.json"
        command = [ROOT / program.target, *program.part.golden.split(), "--no-check"]
        environment = {**os.environ, "CUDACPU_PROFILE": str(result)}
        subprocess.run(
            command, check=True, timeout=120, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        return counts(json.loads(result.read_text()))


def build(selected: list[Program]) -> None:
    failed = build_targets(ROOT, dict.fromkeys(p.target for p in selected))
    assert not failed, failed


def as_text(golden: dict) -> str:
    """One line per field, and per line of the source, for a readable diff."""
    kernels = []
    for kernel in golden["kernels"]:
        fields = [
            f"{json.dumps(name)}: {json.dumps(value)}"
            for name, value in kernel.items()
            if name != "lines"
        ]
        lines = ",\n    ".join(json.dumps(line) for line in kernel["lines"])
        kernels.append("  {" + ",\n   ".join([*fields, f'"lines": [\n    {lines}]']) + "}")
    head = {name: golden[name] for name in ("compiler", "host")}
    return json.dumps(head)[:-1] + ',\n "kernels": [\n' + ",\n".join(kernels) + "]}\n"


def main() -> int:
    selected = programs(sys.argv[1:])
    build(selected)
    for program in selected:
        program.golden.parent.mkdir(parents=True, exist_ok=True)
        program.golden.write_text(as_text(measure(program)))
        print(program.golden.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
