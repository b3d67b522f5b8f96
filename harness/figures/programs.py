"""Builds and runs the small programs that measure the values in a handout's figures and tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = {
    "gpu": ["nvcc", "-O3", "-std=c++17"],
    "cpu": ["cpudevice/cudacc", "-O2", "-std=c++17"],
}
NATIVE = {"gpu": ["-arch=native"], "cpu": []}
RUN_S = 1800


def compile_programs(device: str, assignment: str, wanted: dict[Path, list[str]]) -> None:
    """Builds {program: its sources, from the root, and flags} for "gpu" or "cpu", in parallel.

    The include path has harness/figures, student code and the assignment's grading.
    """
    if device == "gpu":
        gpu_name()
    folders = ["harness/figures", "harness/student", "harness/shared", assignment]
    folders += [f"{assignment}/grading", f"{assignment}/grading/runner"]
    includes = [f"-I{folder}" for folder in folders]
    compilers = [
        subprocess.Popen(
            [*COMPILERS[device], *includes, *words, "harness/shared/options.cpp", "-o", program],
            cwd=ROOT,
        )
        for program, words in wanted.items()
    ]
    failed = [compiler.args[-1] for compiler in compilers if compiler.wait() != 0]
    if failed:
        raise SystemExit(f"{failed[0]} could not be compiled; what the compiler says is above")


def run_json(program: Path, *options: object) -> object:
    """Runs a program that prints JSON, and parses the output."""
    words = [str(option) for option in options]
    done = subprocess.run([program, *words], check=True, capture_output=True, timeout=RUN_S)
    return json.loads(done.stdout)


def gpu_name() -> str:
    """The first GPU's name. Without a GPU the script ends with a sentence."""
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        script = Path(sys.argv[0]).name
        raise SystemExit(f"{script} measures on a GPU, and nvidia-smi finds none here") from None
    return done.stdout.splitlines()[0].strip()
