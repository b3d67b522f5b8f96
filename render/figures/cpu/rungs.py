"""The card on a CPU, compiled and threaded in several ways: the handout's table, as Markdown.

python3 render/figures/cpu/rungs.py [--size 512] [--samples 64]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROCESSORS = len(os.sched_getaffinity(0))
RUNGS = [
    ("-O0, one thread", "-O0", 1, "rand"),
    ("-O1", "-O1", 1, "rand"),
    ("-O3", "-O3", 1, "rand"),
    ("-O3 -march=x86-64-v3 -ffast-math", "-O3 -march=x86-64-v3 -ffast-math", 1, "rand"),
    (f"-O3, {PROCESSORS} threads, rand() for all", "-O3", PROCESSORS, "rand"),
    (f"-O3, {PROCESSORS} threads, a generator each", "-O3", PROCESSORS, "own"),
]


def compile_card(flags: str, program: Path) -> None:
    command = ["g++", *flags.split(), "-std=c++17", "-Iharness/shared", "-Irender", "-pthread"]
    subprocess.run([*command, "render/figures/cpu/card.cpp", "-o", program], check=True, cwd=ROOT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--samples", type=int, default=64)
    wanted = parser.parse_args()
    print(f"| {wanted.size} × {wanted.size}, {wanted.samples} samples | time |\n|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, flags, threads, random in RUNGS:
            program = Path(folder) / "card"
            compile_card(flags, program)
            arguments = [str(wanted.size), str(wanted.samples), str(threads), random]
            run = subprocess.run(
                [program, *arguments], check=True, capture_output=True, text=True, timeout=3600
            )
            print(f"| {name} | {run.stdout.split('   ')[0]} |", flush=True)


if __name__ == "__main__":
    main()
