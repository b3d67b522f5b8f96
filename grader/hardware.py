"""`make crosscheck DEVICE=gpu`: what a GPU's own counters and checkers say of the same programs.

Nsight Compute (ncu) counts every rung and solution, and compute-sanitizer looks at every file of
wrong/, on the inputs that the CPU device is given. The result, tests/profile/hardware/<gpu>.json,
is kept in the repository; grader/hardware_page.py holds the CPU device's counts and findings
against it on any machine.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from grader import counted, resolve
from grader.build import build, processors
from grader.check import Screen
from grader.declare import Assignment, Case, Part
from grader.device import Device
from grader.errors import UsageError
from grader.options import size, with_number
from grader.source_check import blank_comments, read_source

DIRECTORY = Path("tests") / "profile" / "hardware"
LOGS = Path("build") / "hardware"
# A GPU is often shared: what is not reached in this time is left out, and is said to be.
COUNTING_S = 200.0
CHECKING_S = 110.0
PROGRAM_S = 40.0
CHECKER_S = 15.0  # one tool on one program; what it said until then counts

# Names of ours for ncu's; each is summed over the launches of a kernel.
METRICS = {
    "load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_requests": "smsp__inst_executed_op_shared_st.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "instructions": "smsp__inst_executed.sum",
    "lanes": "smsp__thread_inst_executed.sum",
    # Not compared; they show what a modelled time is made of.
    "local_load_requests": "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
    "local_store_requests": "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
    "time_ns": "gpu__time_duration.sum",
    "dram_bytes": "dram__bytes.sum",
    "registers": "launch__registers_per_thread",
}
# How the four checkers of compute-sanitizer word what sanitize calls by these names.
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
WORDINGS = (
    ("misaligned", re.compile(r"(?:Address|Access (?:at|to)) 0x[0-9a-f]+ is misaligned")),
    ("bad_access", re.compile(r"(?:Address|Access (?:at|to)) 0x[0-9a-f]+ is out of bounds")),
    ("race", re.compile(r"Race reported between")),
    ("uninitialised", re.compile(r"Uninitialized __\w+__ memory read")),
    ("barrier", re.compile(r"Barrier error detected")),
)
# A file that does not compile, or is refused for what it uses, is never run.
NEVER_RUN = ("build_error", "forbidden")
# Elements: enough for many blocks, and little enough for a profile, or for a checker.
COUNTED_SIZE = 25e6
CHECKED_SIZE = 200e3
KERNEL = re.compile(r"__global__\b[^;{]*?\bvoid\s+(?:__\w+__\s*\([^)]*\)\s*)*(\w+)\s*\(")


@dataclass(frozen=True)
class Program:
    """One file of an assignment and the input it is looked at with."""

    assignment: Assignment
    part: Part
    case: Case
    file: str  # from the repository's root, as the JSON names it

    def target(self, device: str) -> str:
        return f"build/{device}/{Path(self.file).with_suffix('')}"

    @property
    def options(self) -> str:
        """The CPU device's, so that both count the same."""
        return with_number(self.case.options_for("cpu"), "seed", counted.SEED)

    def command(self, root: Path, device: str) -> list[str]:
        return [str(root / self.target(device)), *self.options.split(), "--no-check"]


def counted_programs(root: Path, assignments: list[Assignment]) -> list[Program]:
    """Every rung and solution, on the largest of the cases for speed that are not too large."""
    found = []
    for assignment in assignments:
        for part in assignment.parts:
            ladder = resolve.directory(root, assignment, part, "ladder")
            solution = resolve.solution_file(root, assignment, part)
            for file in (*sorted(ladder.glob("*.cu")), solution):
                if file.is_file() and part.speed:
                    case = largest(part.speed, COUNTED_SIZE)
                    found.append(Program(assignment, part, case, str(file.relative_to(root))))
    return found


def checked_programs(root: Path, assignments: list[Assignment]) -> list[Program]:
    """Every file of wrong/ that is meant to be run, on the largest moderate correctness case."""
    found = []
    for assignment in assignments:
        for part in assignment.parts:
            case = largest(part.correctness, CHECKED_SIZE)
            wrong = resolve.directory(root, assignment, part, "wrong")
            for file in sorted(wrong.glob("*.cu")):
                if not any(verdict in first_line(file) for verdict in NEVER_RUN):
                    found.append(Program(assignment, part, case, str(file.relative_to(root))))
    return found


def first_line(file: Path) -> str:
    return file.read_text().partition("\n")[0]


def largest(cases: list[Case], limit: float) -> Case:
    """The last of the largest cases within the limit: the later ones have more to do."""

    def size_within(case: Case) -> float:
        found = size(case.options_for("cpu"))
        return found if found <= limit else 0.0

    return max(reversed(cases), key=size_within)


def kernel_names(root: Path, program: Program) -> list[str]:
    """The kernels that a file and the headers beside it define; not those of the harness."""
    text = blank_comments(read_source(root / program.file))
    for header in re.findall(r'#include "([^"]+)"', read_source(root / program.file)):
        path = root / program.assignment.name / header
        if path.is_file():
            text += blank_comments(read_source(path))
    return sorted(set(KERNEL.findall(text)))


# ---- on the GPU ----------------------------------------------------------------------------------


def measure(
    root: Path, assignments: list[Assignment], device: Device, screen: Screen
) -> tuple[Path, dict]:
    """Runs everything through ncu and compute-sanitizer; returns the file it wrote and its content.

    Needs nvcc, ncu and compute-sanitizer, and the right to read hardware counters.
    """
    for tool in ("ncu", "compute-sanitizer"):
        if not shutil.which(tool):
            raise UsageError(f"DEVICE=gpu: {tool} is not on the PATH; the CUDA toolkit has it.")
    counting = counted_programs(root, assignments)
    checking = checked_programs(root, assignments)
    (root / LOGS).mkdir(parents=True, exist_ok=True)
    path = root / DIRECTORY / f"{device.name.lower().replace(' ', '_')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    result: dict = {"gpu": device.name, "date": date.today().isoformat()}
    screen.step("building", 0, 0)
    build(root, gpu_targets(counting))
    # Counting leaves the processors idle, and compilers leave the GPU alone.
    with ThreadPoolExecutor(1) as beside:
        building = beside.submit(build, root, gpu_targets(checking))
        result["counters"] = dict(count_all(root, counting, screen))
        path.write_text(as_text(result | {"findings": {}}))
        building.result()
    result["findings"] = dict(check_all(root, checking, screen))
    path.write_text(as_text(result))
    return path, result


def gpu_targets(programs: list[Program]) -> dict[str, None]:
    return dict.fromkeys(program.target("gpu") for program in programs)


def as_text(result: dict) -> str:
    """A line per file: readable as a diff."""
    text = ""
    for name, value in result.items():
        if isinstance(value, dict):
            lines = (f"  {json.dumps(key)}: {json.dumps(entry)}" for key, entry in value.items())
            shown = "{\n" + ",\n".join(lines) + "\n }"
        else:
            shown = json.dumps(value)
        text += f"{',' if text else '{'}\n {json.dumps(name)}: {shown}"
    return text + "\n}\n"


def count_all(root: Path, programs: list[Program], screen: Screen) -> Iterator[tuple[str, dict]]:
    """One after the other: two processes would count each other's work."""
    end = time.monotonic() + COUNTING_S
    for number, program in enumerate(programs):
        screen.step(f"ncu · {program.file}", number, len(programs))
        if time.monotonic() < end:
            yield program.file, {"options": program.options, **count(root, program)}


def count(root: Path, program: Program) -> dict:
    names = kernel_names(root, program)
    log = root / LOGS / f"{program.file.replace('/', '.')}.csv"
    log.unlink(missing_ok=True)
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw"]
    command += ["--target-processes", "application-only"]
    command += ["--print-units", "base", "--print-kernel-base", "function"]
    command += ["--kernel-name", f"regex:^({'|'.join(names)})$"]
    command += ["--metrics", ",".join(METRICS.values()), "--log-file", str(log)]
    run([*command, *program.command(root, "gpu")], root)
    text = log.read_text(errors="replace") if log.is_file() else ""
    kernels = parse_counters(text)
    return {"kernels": kernels} if kernels else {"kernels": {}, "error": last_line(text)}


def check_all(root: Path, programs: list[Program], screen: Screen) -> Iterator[tuple[str, dict]]:
    """Checkers do not disturb each other: many at a time, a tool at a time for each program."""
    end = time.monotonic() + CHECKING_S
    done: list[str] = []

    def found(program: Program) -> dict | None:
        kinds: Counter[str] = Counter()
        for tool in TOOLS:
            if time.monotonic() > end:
                return None
            kinds += check(root, program, tool)
        done.append(program.file)
        screen.step(f"compute-sanitizer · {program.file}", len(done), len(programs))
        return {"options": program.options, "kinds": dict(sorted(kinds.items()))}

    with ThreadPoolExecutor(processors()) as pool:
        for program, result in zip(programs, pool.map(found, programs), strict=True):
            if result is not None:
                yield program.file, result


def check(root: Path, program: Program, tool: str) -> Counter[str]:
    command = ["compute-sanitizer", "--tool", tool, "--print-limit", "20"]
    text = run([*command, *program.command(root, "gpu")], root, CHECKER_S)
    (root / LOGS / f"{program.file.replace('/', '.')}.{tool}.txt").write_text(text)
    return parse_findings(text)


def run(command: list[str], root: Path, limit_s: float = PROGRAM_S) -> str:
    """The output of a command, whatever became of it; it and its children end with it."""
    process = subprocess.Popen(
        command,
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
        errors="replace",
    )
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    return output


# ---- reading what they print ---------------------------------------------------------------------


def parse_counters(text: str) -> dict[str, dict[str, float]]:
    """{kernel: {counter: sum over its launches}} of ncu's raw page as CSV.

    Before the table come lines that begin with "==", and its second line holds the units.
    """
    lines = [line for line in text.splitlines() if line.startswith('"')]
    kernels: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(lines):
        if not row.get("ID"):
            continue
        counts = kernels.setdefault(row["Kernel Name"], dict.fromkeys(("launches", *METRICS), 0.0))
        counts["launches"] += 1
        for name, metric in METRICS.items():
            counts[name] += parse_count(row.get(metric))
    return kernels


def parse_count(text: str | None) -> float:
    """Large numbers are grouped: "1,048,576"; what could not be counted is "n/a"."""
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return 0.0


def parse_findings(text: str) -> Counter[str]:
    """How often each kind of fault is named."""
    return Counter(kind for line in reported(text) for kind in kinds_of(line))


def reported(text: str) -> Iterable[str]:
    """The lines that are compute-sanitizer's own, not the program's."""
    return (line for line in text.splitlines() if line.startswith("========="))


def kinds_of(line: str) -> list[str]:
    return [kind for kind, wording in WORDINGS if wording.search(line)]


def last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "nothing was printed"
