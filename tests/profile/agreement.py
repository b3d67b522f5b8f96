#!/usr/bin/env python3
"""How far modelled times differ between seeds, compilers and machines.

    CUDACC_CXX=g++-14 tests/profile/agreement.py count 14.json     in a checkout of its own
    tests/profile/agreement.py table 12.json 14.json               as Markdown

Counted is every rung and solution on the first case for speed, with three seeds. The checkout must
be fresh: make does not know which compiler built what.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from cpudevice.model.gpu import load_gpu  # noqa: E402
from cpudevice.model.model import estimate  # noqa: E402
from cpudevice.model.profile import read_profile  # noqa: E402
from grader.hardware import Program, counted_programs  # noqa: E402
from grader.load import assignment_names, load_assignment  # noqa: E402
from grader.options import with_number  # noqa: E402

SEEDS = (1, 2, 3)


def programs() -> list[Program]:
    return counted_programs(ROOT, [load_assignment(ROOT, n) for n in assignment_names(ROOT)])


def times_us(program: Program) -> list[float]:
    """By seed."""
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


def count(file: Path) -> None:
    compiler = os.environ.get("CUDACC_CXX", "g++")
    selected = programs()
    targets = [program.target("profile") for program in selected]
    subprocess.run(["make", "-s", "-j2", *targets], check=True, cwd=ROOT)
    version = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True)
    machine = os.uname().machine
    times = {program.file: times_us(program) for program in selected}
    named = f"g++ {version.stdout.strip()}, {machine}"
    file.write_text(json.dumps({"compiler": named, "times_us": times}, indent=1) + "\n")


def table(files: list[Path]) -> None:
    """The first file's times; the others' as differences, each seed's own to the first seed's."""
    counted = [json.loads(file.read_text()) for file in files]
    first, *others = counted
    head = ["file", first["compiler"], "other seeds", *(other["compiler"] for other in others)]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---|" * (len(head) - 1))
    for name, times in first["times_us"].items():
        cells = [name, f"{times[0]:.1f} µs", difference(times[0], *times[1:])]
        cells += [difference(times[0], other["times_us"][name][0]) for other in others]
        print("| " + " | ".join(cells) + " |")


def difference(reference: float, *times: float) -> str:
    """That of the time which is furthest away."""
    furthest = max((time / reference - 1 for time in times), key=abs)
    return "0" if abs(furthest) < 5e-5 else f"{furthest:+.1%}"


def main(words: list[str]) -> int:
    if len(words) == 2 and words[0] == "count":
        count(Path(words[1]))
    elif len(words) >= 2 and words[0] == "table":
        table([Path(word) for word in words[1:]])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
