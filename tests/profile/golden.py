#!/usr/bin/env python3
"""The counters of every rung and solution, as they were when somebody last looked at them.

    make golden                     profiles all of them anew and writes tests/profile/golden/

`git diff` then shows what a change of a rung, or of the profile itself, did to the counts.
test_golden.py compares them: exactly with the compiler they were made by, within a few per cent
with another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.build import build as build_targets

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "profile" / "golden"
# Small, and no multiple of anything.
OPTIONS = {
    "transpose": "--rows 200 --cols 132",
    "saxpy": "--n 100003",
    "saxpy_host": "--n 600001",
    # Tiles of tiles.
    "exclusive_scan": "--n 40003",
    "find_repeats": "--n 40003",
    "bitonic_sort": "--n 10007",
    "merge_sort": "--n 20011",
    "stencil_test": "--n 100003 --percent 10",
    "write_back": "--n 100003 --percent 50",
    "persistent": "--n 50003 --work tail",
    "mirror": "--width 66 --height 50 --depth 4",
    "circles": "--scene rand10k --size 40 --circles 600",
    "card": "--size 20 --samples 4",
    "volume": "--size 30 --volume 48 --view 20,30,0",
}
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
    part: str
    source: Path  # relative to the repository's root

    @property
    def target(self) -> str:
        return f"build/profile/{self.source.with_suffix('')}"

    @property
    def golden(self) -> Path:
        return GOLDEN / self.source.with_suffix(".json")


def programs() -> list[Program]:
    """Every rung and solution of every assignment; with several parts there is a folder each."""
    found = []
    for makefile in sorted(ROOT.glob("*/Makefile")):
        assignment = makefile.parent
        parts = read_parts(makefile)
        for part in parts:
            several = len(parts) > 1
            rungs = sorted(
                (assignment / "ladder" / part if several else assignment / "ladder").glob("*.cu")
            )
            solution = (
                assignment / "solution" / f"{part}.cu" if several else assignment / "solution.cu"
            )
            sources = [*rungs, solution] if solution.exists() else rungs
            found += [Program(part, source.relative_to(ROOT)) for source in sources]
    return found


def read_parts(makefile: Path) -> list[str]:
    for line in makefile.read_text().splitlines():
        if line.startswith("PARTS"):
            return line.split("=", 1)[1].split()
    return []


def counts(profile: dict) -> dict:
    """What is compared: counts, no examples and nothing that only the virtual clock knows."""
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
    """The counts of a program that has been built."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "profile.json"
        command = [ROOT / program.target, *OPTIONS[program.part].split(), "--no-check"]
        environment = {**os.environ, "CUDACPU_PROFILE": str(result)}
        subprocess.run(
            command, check=True, timeout=120, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        return counts(json.loads(result.read_text()))


def build(selected: list[Program]) -> None:
    failed = build_targets(ROOT, dict.fromkeys(p.target for p in selected))
    assert not failed, failed


def as_text(golden: dict) -> str:
    """One line per field, and per line of the source: readable as a diff."""
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
    selected = programs()
    build(selected)
    for program in selected:
        program.golden.parent.mkdir(parents=True, exist_ok=True)
        program.golden.write_text(as_text(measure(program)))
        print(program.golden.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
