"""Compiles files for a GPU, profiles launches, and combines both.

Registers, stack, spills and static shared memory come from nvcc; block size and dynamic shared
memory from the launches in a case on the CPU device; the occupancy follows from both.
"""

from dataclasses import dataclass
from pathlib import Path

from cpudevice.model.gpu import Gpu
from cpudevice.model.occupancy import MultiprocessorLimits, Occupancy, occupancy
from cpudevice.model.profile import Profile
from grader.base.device import Device, can_profile, find_nvcc
from grader.base.errors import GraderError, UsageError
from grader.base.progress import Progress, Screen
from grader.build.make import build
from grader.course import resolve
from grader.course.declare import Assignment, Case, Part
from grader.explain.explain import choose_case
from grader.explain.registers.ptxas import Function, read_listing
from grader.run.profiled import ProfileJob, ProfileOutcome, profile_even_wrong
from grader.timing.modelled import job_for

NO_NVCC = (
    "Only nvcc knows a kernel's registers, and it is missing: install the CUDA toolkit "
    "(it needs no GPU), or set CUDA_HOME to its folder."
)


@dataclass(frozen=True)
class Chip:
    """The GPU to compile for."""

    name: str
    limits: MultiprocessorLimits


@dataclass(frozen=True)
class FileEntry:
    """A file: a rung, the solution, the student's file, or the file of WITH=."""

    name: str
    file: Path
    program: str  # build/cpu/…, on every device


@dataclass(frozen=True, order=True)
class Launch:
    threads: int  # of a block
    dynamic_shared: int  # bytes


@dataclass(frozen=True)
class Row:
    """A kernel with a launch configuration, or a function that kernels call."""

    function: Function
    launch: Launch | None = None  # None: not launched in the case
    occupancy: Occupancy | None = None


@dataclass(frozen=True)
class FileRegisters:
    entry: FileEntry
    rows: list[Row]
    uncounted: str = ""  # why the launches are not known


@dataclass(frozen=True)
class PartRegisters:
    part: Part
    case: Case
    chip: Chip
    files: list[FileRegisters]


def choose_chip(device: Device, model: Gpu, asked: bool) -> Chip:
    """The machine's GPU, or the modelled GPU: without a GPU, or if `asked` for by MODEL=."""
    if asked or not device.measures:
        return Chip(model.name, model.limits)
    if device.limits is None:
        raise UsageError(
            f"The driver does not report the limits of {device.name}'s multiprocessors: "
            "name a known GPU with MODEL=."
        )
    return Chip(device.name, device.limits)


def collect(
    root: Path,
    assignment: Assignment,
    only_part: str,
    with_: str,
    case: str,
    chip: Chip,
    screen: Screen,
) -> list[PartRegisters]:
    """Every part with files, or `only_part`: the ladder and the solution, or the file of WITH=."""
    if find_nvcc() is None:
        raise GraderError(NO_NVCC)
    parts = [part for part in assignment.parts if only_part in ("", part.name)]
    listed = {part.name: entries_of(root, assignment, part, with_) for part in parts}
    parts = [part for part in parts if listed[part.name]]
    # If no part has the case, choose_case() raises the error that lists the cases.
    parts = [part for part in parts if has_case(part, case)] or parts
    cases = [choose_case(part, case) for part in parts]
    entries = [entry for part in parts for entry in listed[part.name]]
    screen.step("compiling for the GPU", 0, 0)
    compile_all(root, entries, chip)
    screen.step("building", 0, 0)
    failed = build_counted(root, resolve.judge_program(assignment), entries)
    found = []
    for part, chosen in zip(parts, cases, strict=True):
        outcomes = count_entries(root, assignment, part, chosen, listed[part.name], failed, screen)
        files = [
            FileRegisters(
                entry,
                rows_of(listing_of(root, entry, chip), outcomes[entry].profile, chip),
                uncounted_reason(outcomes[entry]),
            )
            for entry in listed[part.name]
        ]
        found.append(PartRegisters(part, chosen, chip, files))
    return found


def has_case(part: Part, case: str) -> bool:
    return not case or case in {one.name for one in (*part.speed, *part.correctness)}


def entries_of(root: Path, assignment: Assignment, part: Part, with_: str) -> list[FileEntry]:
    """The ladder and the solution; in a student repository the student's file."""
    if with_:
        served = resolve.resolve_with(root, [assignment], with_, "cpu")[assignment.name]
        one = served.get(part.name)
        return [FileEntry(one.file.stem, one.file, one.program)] if one else []
    ladder = resolve.directory(root, assignment, part, "ladder")
    entries = [
        FileEntry(rung, ladder / f"{rung}.cu", resolve.rung_program(assignment, part, rung, "cpu"))
        for rung in resolve.rungs(root, assignment, part)
    ]
    solution = resolve.solution_file(root, assignment, part)
    if solution.is_file():
        target = resolve.solution_program(assignment, part, "cpu")
        return [*entries, FileEntry("solution", solution, target)]
    own = resolve.student_submissions(root, assignment, "cpu")[part.name]
    return [*entries, FileEntry(own.file.stem, own.file, own.program)]


def listing_target(entry: FileEntry, chip: Chip) -> str:
    return resolve.listing_path(entry.program, chip.limits.architecture)


def listing_of(root: Path, entry: FileEntry, chip: Chip) -> list[Function]:
    return read_listing((root / listing_target(entry, chip)).read_text(errors="replace"))


def compile_all(root: Path, entries: list[FileEntry], chip: Chip) -> None:
    targets = {listing_target(entry, chip): entry.file for entry in entries}
    settings = (f"ARCHITECTURE={chip.limits.architecture}",)
    for error in build(root, targets, settings).values():
        raise GraderError(f"nvcc does not compile it: {error.sentence}.")


def build_counted(root: Path, judge: str, entries: list[FileEntry]) -> dict[str, str]:
    """Builds the programs to be profiled; returns {target: error} for the CPU device's refusals."""
    if not can_profile():
        return {}
    targets = {resolve.profiled_program(entry.program): entry.file for entry in entries}
    errors = build(root, {judge: None, **targets})
    if judge in errors:
        raise GraderError(f"{errors[judge].sentence}.")
    return {target: error.sentence for target, error in errors.items()}


def count_entries(
    root: Path,
    assignment: Assignment,
    part: Part,
    case: Case,
    entries: list[FileEntry],
    failed: dict[str, str],
    screen: Screen,
) -> dict[FileEntry, ProfileOutcome]:
    """Profiles each entry, even with a wrong answer: only the launches matter."""
    if not can_profile():
        return dict.fromkeys(entries, ProfileOutcome("skipped", "counting needs g++"))
    judge = resolve.judge_program(assignment)
    outcomes: dict[FileEntry, ProfileOutcome] = {}
    jobs: dict[FileEntry, ProfileJob] = {}
    for entry in entries:
        target = resolve.profiled_program(entry.program)
        if target in failed:
            outcomes[entry] = ProfileOutcome("build_error", failed[target])
        else:
            jobs[entry] = job_for(root, target, judge, part.name, case)
    progress = Progress(screen, f"{part.name} · {case.name} · counting", len(jobs))
    found = profile_even_wrong(root, list(jobs.values()), progress.advance)
    return outcomes | {entry: found[job][0] for entry, job in jobs.items()}


def uncounted_reason(outcome: ProfileOutcome) -> str:
    return "" if outcome.profile else f"{outcome.verdict}, {outcome.detail}"


def rows_of(functions: list[Function], profile: Profile | None, chip: Chip) -> list[Row]:
    """A row for each way in which a kernel was launched.

    The profile does not tell the instances of a template apart: each has the launches of all.
    """
    launches: dict[str, set[Launch]] = {}
    for kernel in profile.kernels if profile else []:
        launch = Launch(kernel.threads_per_block, kernel.dynamic_shared)
        launches.setdefault(kernel.name, set()).add(launch)
    rows = []
    for function in functions:
        known = sorted(launches.get(function.base_name, ())) if function.is_kernel else []
        rows += [row_of(function, launch, chip) for launch in known] or [Row(function)]
    return rows


def row_of(function: Function, launch: Launch, chip: Chip) -> Row:
    shared = function.static_shared + launch.dynamic_shared
    resident = occupancy(launch.threads, function.registers, shared, chip.limits)
    return Row(function, launch, resident)
