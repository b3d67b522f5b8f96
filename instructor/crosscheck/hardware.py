"""`make crosscheck DEVICE=gpu`: a GPU's own counters and checkers on the same programs.

Nsight Compute (ncu) profiles every rung and solution, and compute-sanitizer checks every file of
wrong/, on the same inputs as on the CPU device. The result, tests/cpudevice/hardware/<gpu>.json, is
kept in the repository; hardware_page.py compares the result with the CPU device's counts and
findings on any machine.
"""

import json
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from grader.base.cache import content_key
from grader.base.device import Device, choose_device
from grader.base.errors import UsageError
from grader.base.processes import processors
from grader.base.progress import Screen
from grader.base.source_text import blank_comments, read_source
from grader.build.make import build
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.course.needs import unmet
from grader.course.options import size, with_number
from grader.run.case import SEED
from instructor.crosscheck.hardware_tools import (
    METRICS,
    STOPPED,
    TOOLS,
    last_line,
    parse_counters,
    parse_findings,
    run,
)

DIRECTORY = Path("tests") / "cpudevice" / "hardware"
LOGS = Path("build") / "hardware"
# A GPU is often shared: programs for which the time does not suffice are left out and reported.
COUNTING_S = 170.0
CHECKING_S = 90.0
ATTEMPTS = 2
PAUSE_S = 10.0
CHECKERS_AT_A_TIME = 10  # more would slow each other on the GPU
CHECKER_S = 15.0  # for a tool on a program; the tool's output until then counts

# A file that does not compile, or that is forbidden, is never run.
NEVER_RUN = ("build_error", "forbidden")
# Elements: enough for many blocks, and few enough for a profile or a checker.
COUNTED_SIZE = 25e6
CHECKED_SIZE = 200e3
KERNEL = re.compile(r"__global__\b[^;{]*?\bvoid\s+(?:__\w+__\s*\([^)]*\)\s*)*(\w+)\s*\(")


@dataclass(frozen=True)
class Program:
    """A file of an assignment and the input of its run."""

    assignment: Assignment
    part: Part
    case: Case
    file: str  # from the repository's root, as the JSON names it
    checked: bool = False  # with the smaller input of sanitize

    def target(self, device: str) -> str:
        return f"build/{device}/{Path(self.file).with_suffix('')}"

    @property
    def options(self) -> str:
        """The options of the CPU device, so that both devices count the same."""
        options = self.case.options_for("cpu")
        if self.checked and self.case.sanitize is not None:
            options = self.case.sanitize
        return with_number(options, "seed", SEED)

    def command(self, root: Path, device: str) -> list[str]:
        return [str(root / self.target(device)), *self.options.split(), "--no-check"]


def counted_programs(root: Path, assignments: list[Assignment]) -> list[Program]:
    """Every rung and solution, with the largest case for speed within the limit."""
    found = []
    for assignment in assignments:
        for part in assignment.parts:
            ladder = resolve.directory(root, assignment, part, "ladder")
            solution = resolve.solution_file(root, assignment, part)
            for file in (*sorted(ladder.glob("*.cu")), solution):
                if file.is_file() and part.speed and not unmet(file, choose_device("cpu")):
                    case = largest(part.speed, COUNTED_SIZE)
                    found.append(Program(assignment, part, case, str(file.relative_to(root))))
    return found


def checked_programs(root: Path, assignments: list[Assignment]) -> list[Program]:
    """Every file of wrong/ that is meant to run, with the largest moderate correctness case."""
    found = []
    for assignment in assignments:
        for part in assignment.parts:
            case = largest(part.correctness, CHECKED_SIZE)
            wrong = resolve.directory(root, assignment, part, "wrong")
            for file in sorted(wrong.glob("*.cu")):
                if not any(verdict in first_line(file) for verdict in NEVER_RUN):
                    place = str(file.relative_to(root))
                    found.append(Program(assignment, part, case, place, checked=True))
    return found


def first_line(file: Path) -> str:
    return file.read_text().partition("\n")[0]


def largest(cases: list[Case], limit: float) -> Case:
    """The last of the largest cases within the limit: later ones have more work."""

    def size_within(case: Case) -> float:
        found = size(case.options_for("cpu"))
        return found if found <= limit else 0.0

    return max(reversed(cases), key=size_within)


def kernel_names(root: Path, program: Program) -> list[str]:
    """The kernels that a file and its assignment's headers define, without the harness's."""
    return sorted(set(KERNEL.findall(text_of(root, program))))


def text_of(root: Path, program: Program) -> str:
    """A file and its included headers of the assignment, without comments."""
    source = read_source(root / program.file)
    text = blank_comments(source)
    for header in re.findall(r'#include "([^"]+)"', source):
        path = root / program.assignment.name / header
        if path.is_file():
            text += blank_comments(read_source(path))
    return text


def tools_for(root: Path, program: Program) -> list[str]:
    """The checkers that could find a fault: racecheck checks shared memory only."""
    text = text_of(root, program)
    needed = {"racecheck": "__shared__" in text, "synccheck": "sync" in text}
    return [tool for tool in TOOLS if needed.get(tool, True)]


def identity(root: Path, program: Program) -> dict[str, str]:
    """What a measurement depends on: after a change of the text or the input, the measurement is
    repeated.
    """
    key = content_key([text_of(root, program)], [])
    return {"options": program.options, "source": key[:12]}


# ---- on the GPU ----------------------------------------------------------------------------------


def measure(
    root: Path, assignments: list[Assignment], device: Device, screen: Screen
) -> tuple[Path, dict]:
    """Runs everything through ncu and compute-sanitizer; returns the written file and its content.

    Entries with the same text and input are kept: a second call continues where the first call's
    time ended. Needs nvcc, ncu and compute-sanitizer, and the right to read hardware counters.
    """
    for tool in ("ncu", "compute-sanitizer"):
        if not shutil.which(tool):
            raise UsageError(f"DEVICE=gpu: {tool} is not on the PATH; the CUDA toolkit has it.")
    (root / LOGS).mkdir(parents=True, exist_ok=True)
    path = root / DIRECTORY / f"{device.name.lower().replace(' ', '_')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    before = json.loads(path.read_text()) if path.is_file() else {}
    counting = counted_programs(root, assignments)
    checking = checked_programs(root, assignments)
    counters = kept(root, counting, before.get("counters", {}))
    findings = kept(root, checking, before.get("findings", {}))
    to_count = [program for program in counting if program.file not in counters]
    to_check = [program for program in checking if program.file not in findings]

    def write() -> dict:
        result: dict = {"gpu": device.name, "date": date.today().isoformat()}
        result["counters"] = {p.file: counters[p.file] for p in counting if p.file in counters}
        result["findings"] = {p.file: findings[p.file] for p in checking if p.file in findings}
        path.write_text(as_text(result))
        return result

    screen.step("building", 0, 0)
    build(root, gpu_targets(to_count))
    # ncu leaves the processors idle, and compilers leave the GPU idle.
    with ThreadPoolExecutor(1) as beside:
        building = beside.submit(build, root, gpu_targets(to_check))
        counters |= count_with_ncu(root, to_count, screen)
        write()
        building.result()
    findings |= check_all(root, to_check, screen)
    return path, write()


def kept(root: Path, programs: list[Program], entries: dict[str, dict]) -> dict[str, dict]:
    """The entries without an error that were measured for the present programs."""
    found = {}
    for program in programs:
        entry = entries.get(program.file, {"error": ""})
        if "error" not in entry and entry.items() >= identity(root, program).items():
            found[program.file] = entry
    return found


def gpu_targets(programs: list[Program]) -> dict[str, None]:
    return dict.fromkeys(program.target("gpu") for program in programs)


def as_text(result: dict) -> str:
    """A line per file, so that a diff is readable."""
    text = ""
    for name, value in result.items():
        if isinstance(value, dict):
            lines = (f"  {json.dumps(key)}: {json.dumps(entry)}" for key, entry in value.items())
            shown = "{\n" + ",\n".join(lines) + "\n }"
        else:
            shown = json.dumps(value)
        text += f"{',' if text else '{'}\n {json.dumps(name)}: {shown}"
    return text + "\n}\n"


def count_with_ncu(
    root: Path, programs: list[Program], screen: Screen
) -> Iterator[tuple[str, dict]]:
    """One after the other: two processes would count each other's work."""
    end = time.monotonic() + COUNTING_S
    for number, program in enumerate(programs):
        screen.step(f"ncu · {program.file}", number, len(programs))
        if time.monotonic() < end:
            yield program.file, identity(root, program) | count(root, program)


def count(root: Path, program: Program) -> dict:
    names = kernel_names(root, program)
    log = root / LOGS / f"{program.file.replace('/', '.')}.csv"
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw"]
    command += ["--target-processes", "application-only"]
    command += ["--print-units", "base", "--print-kernel-base", "function"]
    command += ["--kernel-name", f"regex:^({'|'.join(names)})$"]
    command += ["--metrics", ",".join(METRICS.values()), "--log-file", str(log)]
    text = ""
    for attempt in range(ATTEMPTS):
        # After a crash of ncu the next calls find no connection for some seconds.
        time.sleep(PAUSE_S * attempt)
        log.unlink(missing_ok=True)
        output = run([*command, *program.command(root, "gpu")], root)
        text = log.read_text(errors="replace") if log.is_file() else ""
        if kernels := parse_counters(text):
            return {"kernels": kernels}
        text = f"{text}\n{output}"
    return {"kernels": {}, "error": last_line(text)}


def check_all(root: Path, programs: list[Program], screen: Screen) -> Iterator[tuple[str, dict]]:
    """Checkers do not disturb each other: many at a time, one tool at a time for each program."""
    end = time.monotonic() + CHECKING_S
    done: list[str] = []

    def found(program: Program) -> dict | None:
        kinds: Counter[str] = Counter()
        stopped = []
        for tool in tools_for(root, program):
            if time.monotonic() > end:
                return None
            text = check(root, program, tool)
            kinds += parse_findings(text)
            stopped += [tool] if text.endswith(STOPPED) else []
        done.append(program.file)
        screen.step(f"compute-sanitizer · {program.file}", len(done), len(programs))
        entry = identity(root, program) | {"kinds": dict(sorted(kinds.items()))}
        return entry | ({"stopped": stopped} if stopped else {})

    with ThreadPoolExecutor(min(CHECKERS_AT_A_TIME, processors())) as pool:
        for program, result in zip(programs, pool.map(found, programs), strict=True):
            if result is not None:
                yield program.file, result


def check(root: Path, program: Program, tool: str) -> str:
    command = ["compute-sanitizer", "--tool", tool, "--print-limit", "20"]
    text = run([*command, *program.command(root, "gpu")], root, CHECKER_S)
    (root / LOGS / f"{program.file.replace('/', '.')}.{tool}.txt").write_text(text)
    return text
