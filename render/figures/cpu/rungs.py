"""The card on a CPU, compiled and threaded in several ways: the handout's table, as Markdown.

python3 render/figures/cpu/rungs.py [--size 512] [--samples 64]

The processor time tells more than the time on a machine that does other work as well.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROCESSORS = len(os.sched_getaffinity(0))
THREADS = f"-O3, {PROCESSORS} threads"
AVX2 = "-march=x86-64-v3"
SCALAR = "-fno-tree-vectorize -fno-tree-slp-vectorize"
# (name, compiler, flags, threads, generator)
RUNGS = [
    ("-O0, one thread", "g++", "-O0", 1, "rand"),
    ("-O1", "g++", "-O1", 1, "rand"),
    ("-O3", "g++", "-O3", 1, "rand"),
    (f"-O3 {SCALAR}", "g++", f"-O3 {SCALAR}", 1, "rand"),
    (f"-O3 {AVX2}", "g++", f"-O3 {AVX2}", 1, "rand"),
    (f"-O3 {AVX2} -ffast-math", "g++", f"-O3 {AVX2} -ffast-math", 1, "rand"),
    ("clang++ -O0", "clang++", "-O0", 1, "rand"),
    ("clang++ -O1", "clang++", "-O1", 1, "rand"),
    ("clang++ -O3", "clang++", "-O3", 1, "rand"),
    (f"{THREADS}, rand() for all", "g++", "-O3", PROCESSORS, "rand"),
    (f"{THREADS}, a generator each", "g++", "-O3", PROCESSORS, "own"),
]


def compile_card(compiler: str, flags: str, program: Path) -> None:
    command = [compiler, *flags.split(), "-std=c++17", "-Iharness/shared", "-Irender", "-pthread"]
    subprocess.run([*command, "render/figures/cpu/card.cpp", "-o", program], check=True, cwd=ROOT)


def processor_s(command: list[object]) -> tuple[str, float]:
    """Runs a program: what it prints, and the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    words = [str(word) for word in command]
    done = subprocess.run(words, check=True, capture_output=True, text=True, timeout=3600)
    return done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--samples", type=int, default=64)
    wanted = parser.parse_args()
    picture = f"{wanted.size} × {wanted.size}, {wanted.samples} samples"
    print(f"| {picture} | time | processor time |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, compiler, flags, threads, random in RUNGS:
            if shutil.which(compiler) is None:
                continue
            program = Path(folder) / "card"
            compile_card(compiler, flags, program)
            command = [program, wanted.size, wanted.samples, threads, random]
            printed, seconds = processor_s(command)
            time = printed.split("   ")[0]
            print(f"| {name} | {time} | {1000 * seconds:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
