"""Compiles a file of each part for a GPU, and assigns PTX and SASS to the source's lines."""

import shutil
import subprocess
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.base.device import find_nvcc
from grader.base.errors import GraderError, UsageError
from grader.base.files import short, source_lines
from grader.base.progress import Screen
from grader.base.text import choose
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.explain.registers.collect import Chip, FileEntry, compile_all, listing_target
from grader.explain.registers.ptxas import Function, by_name, demangled, functions_of, short_name
from grader.explain.sass.disassembly import Instruction, read_ptx, read_sass
from grader.explain.sass.memory import Move, move_of

NO_NVCC = (
    "nvcc, which generates a GPU's machine code, is missing: install the CUDA toolkit (it needs no "
    "GPU), or set CUDA_HOME to its folder."
)
NO_NVDISASM = (
    "nvdisasm, which prints machine code as text, is missing: install the whole CUDA toolkit, or "
    "`pip install nvidia-cuda-nvdisasm`."
)
TIMEOUT_S = 120


@dataclass(frozen=True)
class SourceLine:
    """A line with the generated instructions, in the order of addresses."""

    number: int  # 0: for instructions without a line
    text: str
    ptx: list[Instruction]
    sass: list[Instruction]

    @property
    def cells(self) -> bool:
        """Whether the line has instructions: terminal.folded() keeps lines with cells."""
        return bool(self.ptx or self.sass)


@dataclass(frozen=True)
class KernelSass:
    """A kernel, or a called function that is not inlined."""

    function: Function
    instructions: int
    moves: dict[Move, int]
    files: dict[str, list[SourceLine]]


@dataclass(frozen=True)
class FileSass:
    assignment: Assignment
    part: Part
    entry: FileEntry
    file: str  # as typed by a student
    chip: Chip
    kernels: list[KernelSass]

    @property
    def title(self) -> str:
        one = self.assignment
        return one.name if one.single_part else f"{one.name} · {self.part.name}"


def find_nvdisasm() -> str | None:
    """Finds nvdisasm on the PATH, beside nvcc, or among pip's packages."""
    nvcc = find_nvcc()
    beside = [Path(nvcc).resolve().with_name("nvdisasm")] if nvcc else []
    packaged = Path(sysconfig.get_path("purelib"), "nvidia").glob("*/bin/nvdisasm")
    found = [shutil.which("nvdisasm"), *filter(Path.is_file, [*beside, *packaged])]
    return next((str(path) for path in found if path), None)


def collect(
    root: Path,
    assignment: Assignment,
    only_part: str,
    with_: str,
    kernel: str,
    chip: Chip,
    screen: Screen,
) -> list[FileSass]:
    """The student's file of every part, or of `only_part`; or the file of WITH=."""
    if find_nvcc() is None:
        raise GraderError(NO_NVCC)
    nvdisasm = find_nvdisasm()
    if nvdisasm is None:
        raise GraderError(NO_NVDISASM)
    entries = list(entries_of(root, assignment, only_part, with_))
    for _, entry in entries:
        listing = root / listing_target(entry, chip)
        if not ptx_file(listing, entry).is_file():
            listing.unlink(missing_ok=True)
    screen.step("compiling for the GPU", 0, 0)
    compile_all(root, [entry for _, entry in entries], chip)
    found = [read_file(root, assignment, *one, chip, nvdisasm) for one in entries]
    return with_kernel(found, kernel) if kernel else found


def entries_of(
    root: Path, assignment: Assignment, only_part: str, with_: str
) -> Iterator[tuple[Part, FileEntry]]:
    if with_:
        served = resolve.resolve_with(root, [assignment], with_, "cpu")[assignment.name]
    else:
        served = resolve.student_submissions(root, assignment, "cpu")
    for part in assignment.parts:
        one = served.get(part.name)
        if one and only_part in ("", part.name):
            yield part, FileEntry(one.file.stem, one.file, one.program)


def with_kernel(files: list[FileSass], wanted: str) -> list[FileSass]:
    """The files with kernels of the name `wanted`, and in each file only the named kernels."""
    names = {one.function.base_name for file in files for one in file.kernels}
    kept = []
    for file in files:
        alike = [
            one for one in file.kernels if wanted in (one.function.name, one.function.base_name)
        ]
        if alike:
            kept.append(replace(file, kernels=alike))
    if not kept:
        raise UsageError(choose("kernel", wanted, sorted(names)))
    return kept


def read_file(
    root: Path, assignment: Assignment, part: Part, entry: FileEntry, chip: Chip, nvdisasm: str
) -> FileSass:
    listing = root / listing_target(entry, chip)
    sass = read_sass(disassemble(nvdisasm, listing.with_suffix(".cubin")))
    ptx = read_ptx(ptx_file(listing, entry).read_text(errors="replace"))
    functions = functions_of(listing.read_text(errors="replace"))
    long_names = dict(zip(sass, demangled("\n".join(sass)).splitlines(), strict=True))
    kernels = []
    for name, instructions in sass.items():
        blank = Function(short_name(long_names[name]), is_kernel=False)
        function = replace(functions.get(name, blank), name=blank.name)
        kernels.append(kernel_of(root, entry.file, function, ptx.get(name, []), instructions))
    kernels.sort(key=lambda one: (not one.function.is_kernel, by_name(one.function)))
    return FileSass(assignment, part, entry, short(root, entry.file), chip, kernels)


def ptx_file(listing: Path, entry: FileEntry) -> Path:
    return listing.with_suffix(".keep") / f"{entry.file.stem}.ptx"


def disassemble(nvdisasm: str, cubin: Path) -> str:
    command = [nvdisasm, "-gi", "-c", str(cubin)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GraderError(f"{nvdisasm} could not be run: {error}.") from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise GraderError(f"nvdisasm cannot read {cubin.name}: {said[0] if said else 'no reason'}.")
    return done.stdout


def kernel_of(
    root: Path, file: Path, function: Function, ptx: list[Instruction], sass: list[Instruction]
) -> KernelSass:
    moves = Counter(move for one in sass if (move := move_of(one)))
    return KernelSass(function, len(sass), dict(moves), beside_source(root, file, ptx, sass))


def beside_source(
    root: Path, file: Path, ptx: list[Instruction], sass: list[Instruction]
) -> dict[str, list[SourceLine]]:
    """{file: lines}, from the first to the last line with instructions; the student's file first.

    Instructions of a file of the toolkit are assigned to the calling line.
    """
    by_place: dict[str, dict[int, tuple[list[Instruction], list[Instruction]]]] = defaultdict(dict)
    for column, instructions in enumerate((ptx, sass)):
        for one in instructions:
            name, number = place_of(root, file, one)
            by_place[name].setdefault(number, ([], []))[column].append(one)
    found = {}
    for name in sorted(by_place, key=lambda name: (name != short(root, file), name)):
        lines = by_place[name]
        source = source_lines(root, name, file.parent)
        numbers = [number for number in lines if number]
        shown = list(
            range(min(numbers), max(numbers) + 1) if numbers and source else sorted(numbers)
        )
        shown += [0] if 0 in lines else []
        found[name] = [
            SourceLine(
                number,
                source[number - 1] if 0 < number <= len(source) else "",
                *lines.get(number, ([], [])),
            )
            for number in shown
        ]
    return found


def place_of(root: Path, file: Path, one: Instruction) -> tuple[str, int]:
    """The innermost place in a file of the repository or beside the student's file; else line 0."""
    folders = (root.resolve(), file.resolve().parent)
    for name, number in one.places:
        path = (root / name).resolve()
        if any(path.is_relative_to(folder) for folder in folders):
            return short(root, path), number
    return short(root, file), 0
