"""A small repository of mock assignments, for tests of the grader without a compiler or a GPU.

`twice` has one part, `pair` has two (left, right). What the programs do stands in the .cu
files, see runner.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MOCK = Path(__file__).resolve().parent
REPOSITORY = MOCK.parents[2]

TWICE = """
from grader.course.declare import Assignment, Case, Part

ASSIGNMENT = Assignment(name="twice", parts=[Part(
    name="twice", target="02_better", cures={"atomics": "02_better"},
    contract="void twice(int n, unsigned* result);",
    correctness=[Case("empty", "--n 0", points=0), Case("one", "--n 1", timeout_s=0.5),
                 Case("seven", "--n 7", timeout_s=0.5), Case("many", "--n 1000", timeout_s=0.5)],
    speed=[Case("large", cpu="--n 5000", gpu="--n 20000 --repeats 5", timeout_s=0.5,
                gpu_bytes=lambda options: 4 * options["n"])],
)])
"""

PAIR = """
from grader.course.declare import Assignment, Case, Part

def part(name):
    return Part(name=name, target="02_better", weight=0.5,
                contract=f"void {name}(int n, unsigned* result);",
                correctness=[Case("one", "--n 1"), Case("ten", "--n 10")],
                speed=[Case("large", cpu="--n 100", gpu="--n 100 --repeats 3")])

ASSIGNMENT = Assignment(name="pair", parts=[part("left"), part("right")])
"""


def source(function: str, behave: str = "fine", time_ms: float = 1.0, line_1: str = "//") -> str:
    return (
        f"{line_1}\n// flags: -use_fast_math\n// behave: {behave}\n// time: {time_ms}\n"
        f"void {function}(int n, unsigned* result) {{\n}}\n"
    )


@dataclass
class Checked:
    """The outcome of a run of the grader."""

    status: int
    shown: str
    errors: str
    results: dict

    @property
    def first(self) -> dict:
        """The first part of the first assignment."""
        return self.results["assignments"][0]["parts"][0]

    def verdicts(self, part: int = 0) -> list[str]:
        cases = self.results["assignments"][0]["parts"][part]["cases"]
        return [case["verdict"] for case in cases]


class House:
    """A repository under `root` with both assignments, every file behaving well."""

    def __init__(self, root: Path):
        self.root = root
        self.write("Makefile", (MOCK / "Makefile").read_text())
        self.write("twice/grading/grade.py", TWICE)
        self.write("pair/grading/grade.py", PAIR)
        self.write("twice/twice.cu", source("twice"))
        self.write("twice/solution.cu", source("twice", time_ms=1.0))
        self.write("twice/grading/peers.cu", source("twice"))
        self.write("twice/ladder/01_naive.cu", source("twice", time_ms=4.0))
        self.write("twice/ladder/02_better.cu", source("twice", time_ms=2.0))
        self.write("twice/wrong/off_by_one.cu", source("twice", "wrong"))
        for part in ("left", "right"):
            self.write(f"pair/{part}.cu", source(part))
            self.write(f"pair/solution/{part}.cu", source(part))
            self.write(f"pair/ladder/{part}/01_naive.cu", source(part))
            self.write(f"pair/ladder/{part}/02_better.cu", source(part))

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def behave(self, behave: str, time_ms: float = 1.0) -> None:
        self.write("twice/twice.cu", source("twice", behave, time_ms))

    def grader(self, *arguments: str, gpu: bool = False, **environment: str) -> Checked:
        """Runs the grader as make does; with `gpu` the grader finds a mock GPU."""
        results = self.root / "build" / "results.json"
        results.unlink(missing_ok=True)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with self.start(*arguments, gpu=gpu, environment=environment, **pipes) as process:
            try:
                shown, errors = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        found = json.loads(results.read_text()) if results.exists() else {}
        return Checked(process.returncode, shown, errors, found)

    def start(
        self,
        *arguments: str,
        gpu: bool = False,
        environment: dict[str, str] | None = None,
        **options: object,
    ) -> subprocess.Popen:
        """The grader as a process; `options` are Popen's."""
        # Instructors' commands are a separate package.
        package = "instructor" if arguments[0] in INSTRUCTORS else "grader.cli"
        code = (
            "import sys; from pathlib import Path; import grader.base.device as d;"
            f"from grader.cli.main import main; from {package}.commands import COMMANDS;"
            f"d.probe_gpu = lambda: {GPU if gpu else NO_GPU!r}; d.find_nvcc = lambda: '/nvcc';"
            # A mock program starts in a second, and answers at once or never.
            "import grader.run.sanitized as s; s.SECONDS_PER_CASE, s.SHORT_TIMEOUT_S = 4.0, 2.0;"
            "from grader.base.processes import START_S; START_S.update(gpu=2.0);"
            "sys.exit(main(COMMANDS, sys.argv[2:], Path(sys.argv[1])))"
        )
        return subprocess.Popen(
            [sys.executable, "-c", code, str(self.root), *arguments],
            cwd=self.root,
            env={
                **os.environ,
                "COLUMNS": "80",  # whatever terminal the tests run in
                "PYTHONPATH": str(REPOSITORY),
                "PYTHON": sys.executable,
                "MOCK": str(MOCK),
                # The mock programs are scripts, which need the repository and a Python.
                "ISOLATION": "limits",
                **(environment or {}),
            },
            **options,
        )


INSTRUCTORS = {
    "handout",
    "gradescope",
    "grade-class",
    "calibrate",
    "measure",
    "new-assignment",
    "crosscheck",
}
NO_GPU = {"error": "no NVIDIA driver is installed"}
GPU = {"name": "Mock GPU", "free_bytes": 1 << 30, "architecture": 89}
