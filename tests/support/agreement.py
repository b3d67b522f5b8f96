#!/usr/bin/env python3
"""Measures how far modelled times differ between seeds, compilers and machines.

    export PYTHONPATH=.
    CUDACC_CXX=g++-14 tests/support/agreement.py count 14.json [FILE…]   in a separate checkout
    tests/support/agreement.py table 12.json 14.json                    as Markdown

Rungs and solutions (all, or the files named) are profiled on a case for speed, with three seeds.
The checkout must be fresh: make does not know which compiler built what.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cpudevice.model.gpu import load_gpu
from cpudevice.model.model import estimate
from cpudevice.model.profile import read_profile
from grader.course.load import assignment_names, load_assignment
from grader.course.options import with_number
from instructor.crosscheck.hardware import Program, counted_programs

ROOT = Path(__file__).parents[2]
SEEDS = (1, 2, 3)
NOTABLE = 0.01


def programs() -> list[Program]:
    return counted_programs(ROOT, [load_assignment(ROOT, n) for n in assignment_names(ROOT)])


def times_us(program: Program) -> list[float]:
    """The times in microseconds, by seed."""
    return [time_us(program, seed) for seed in SEEDS]


def time_us(program: Program, seed: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "profile.json"
        options = with_number(program.options, "seed", seed).split()
        command = [ROOT / program.target("profile"), *options, "--no-check"]
        environment = {**os.environ, "CUDACPU_PROFILE": str(result)}
        subprocess.run(command, check=True, timeout=300, env=environment, stdout=subprocess.DEVNULL)
        gpu = load_gpu().slice(program.case.share)
        return estimate(read_profile(result), gpu).time_us


def count(file: Path, wanted: list[str]) -> None:
    compiler = os.environ.get("CUDACC_CXX", "g++")
    selected = [program for program in programs() if not wanted or program.file in wanted]
    targets = [program.target("profile") for program in selected]
    subprocess.run(["make", "-s", "-j2", *targets], check=True, cwd=ROOT)
    version = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True)
    machine = os.uname().machine
    times = {program.file: times_us(program) for program in selected}
    named = f"g++ {version.stdout.strip()}, {machine}"
    file.write_text(json.dumps({"compiler": named, "times_us": times}, indent=1) + "\n")


def table(files: list[Path]) -> None:
    """Returns, by part, the largest differences from the first file's times with the first seed."""
    first, *others = (json.loads(file.read_text()) for file in files)
    columns: dict[str, list[str]] = {}
    for name in first["times_us"]:
        columns.setdefault(part_of(name), []).append(name)
    print(f"| against {first['compiler']} | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    rows = [("other seeds", first["times_us"])]
    rows += [(other["compiler"], other["times_us"]) for other in others]
    for title, times in rows:
        cells = [furthest(names, first["times_us"], times) for names in columns.values()]
        print(f"| {title} | " + " | ".join(cells) + " |")


def part_of(file: str) -> str:
    """The directory of the answers: saxpy_host for saxpy/ladder/saxpy_host/05_streams.cu."""
    assignment, kind, *inside = Path(file).with_suffix("").parts
    return inside[0] if inside and (kind == "solution" or len(inside) > 1) else assignment


def furthest(names: list[str], reference: dict, times: dict) -> str:
    """The largest difference among the files; with the file's name if large."""
    differences = {
        (time / reference[name][0] - 1, name)
        for name in names
        if name in times
        for time in times[name][: len(SEEDS) if times is reference else 1]
    }
    if not differences:
        return "–"
    most, name = max(differences, key=lambda found: abs(found[0]))
    shown = "0" if abs(most) < 5e-5 else f"{most:+.2%}"
    return f"{shown} {Path(name).stem}" if abs(most) > NOTABLE else shown


def main(words: list[str]) -> int:
    if len(words) >= 2 and words[0] == "count":
        count(Path(words[1]), words[2:])
    elif len(words) >= 2 and words[0] == "table":
        table([Path(word) for word in words[1:]])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
