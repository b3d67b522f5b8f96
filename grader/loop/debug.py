"""`make debug-<name>`: starts gdb on the CPU device, stopped in the kernel, on a single worker.

The program is built without optimisation under build/debug/, and runs a case as by hand. Every stop
shows the current block and thread (cpudevice/gdb.py).
"""

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.source_text import blank_comments, read_source
from grader.base.text import choose
from grader.build.make import build
from grader.course.declare import Case, Part
from grader.course.options import with_number
from grader.course.plan import Plan
from grader.course.resolve import Submission, debug_program
from grader.loop.current import current_part
from grader.run.case import SEED

KERNEL = re.compile(r"__global__\b[^;{}]*?\b(\w+)\s*\([^;{}]*\)\s*\{")


def debug(plan: Plan, case: str, seed: int | None, block: str, thread: str) -> None:
    """Builds the program and becomes gdb; returns only by an exception."""
    submission = choose_submission(plan)
    condition = " && ".join(coordinates("blockIdx", block) + coordinates("threadIdx", thread))
    gdb = shutil.which("gdb")
    if gdb is None:
        raise UsageError("gdb is not installed: sudo apt-get install gdb")
    target = debug_program(submission.program)
    for error in build(plan.root, {target: submission.file}).values():
        raise GraderError(f"{error.sentence}.")
    options = choose_case(submission.part, case).options_for("cpu")
    options = with_number(options, "seed", SEED if seed is None else seed)
    script = plan.root / target
    commands = [f"source {plan.root / 'cpudevice' / 'gdb.py'}"]
    for line in kernel_lines(submission.file):
        commands.append(f"kernel-stop {submission.file.name}:{line} {condition}".rstrip())
    commands.append("run")
    arguments = [word for command in commands for word in ("-ex", command)]
    program = [str(script.absolute()), *shlex.split(options), "--no-check"]
    # A kernel stopped in the debugger must not reach its time limit.
    environment = os.environ | {"CUDACPU_WORKERS": "1", "CUDACPU_TIMEOUT": "1e9"}
    sys.stdout.flush()
    os.execve(gdb, [gdb, "-q", "-nh", *arguments, "--args", *program], environment)


def choose_submission(plan: Plan) -> Submission:
    """The file to debug: of several parts the first unfinished part's file."""
    planned = [one for one in plan.parts if one.submission]
    if len({one.assignment.name for one in planned}) != 1:
        raise UsageError("debug takes one assignment: make debug-saxpy.")
    names = [one.part.name for one in planned]
    part = current_part(plan.root, planned[0].assignment, "", names)
    return next(one.submission for one in planned if one.part.name == part.name)


def choose_case(part: Part, wanted: str) -> Case:
    """The case of CASE=, else the middle case for correctness: usually with a full block."""
    cases = part.correctness + part.speed
    if wanted:
        found = next((case for case in cases if case.name == wanted), None)
        if found is None:
            raise UsageError(choose("case", wanted, [case.name for case in cases]))
        return found
    return cases[len(part.correctness) // 2]


def kernel_lines(file: Path) -> list[int]:
    """The line after the opening brace of every kernel's body; lines count from 1."""
    text = blank_comments(read_source(file))
    lines = []
    for match in KERNEL.finditer(text):
        line = text.count("\n", 0, match.end()) + 1
        rest = text[match.end() :].split("\n", 1)[0]
        lines.append(line if rest.strip() else line + 1)
    if not lines:
        raise UsageError(f"{file.name} has no kernel to stop in.")
    return lines


def coordinates(variable: str, text: str) -> list[str]:
    """["blockIdx.x == 1", "blockIdx.y == 0", …] from "1,0"; missing coordinates are 0."""
    if not text:
        return []
    words = text.split(",")
    if len(words) > 3 or not all(word.strip().isdigit() for word in words):
        raise UsageError(f'"{text}" is no block or thread: write 5 or 5,0,0.')
    numbers = [*map(int, words), 0, 0][:3]
    return [f"{variable}.{axis} == {n}" for axis, n in zip("xyz", numbers, strict=True)]
