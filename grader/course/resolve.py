"""Finds the file to grade for each part (the student's own file, or WITH=) and its program.

WITH= takes `solution`, a path inside the assignment (`ladder/02_shared.cu`), or any path to a .cu
file or to a directory with `<part>.cu` files.
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import UsageError
from grader.base.source_text import blank_comments, read_source
from grader.base.text import choose
from grader.course.declare import Assignment, Part

# Characters safe for make and the shell in a target's name.
SAFE_PATH = re.compile(r"[\w./+@,-]+\.cu")
# A function's parameters, in which attributes have brackets of their own, and the words between
# the parameters and the body: `noexcept`, `-> void`, `try`.
ATTRIBUTE = r"\((?:[^;{}()]|\([^;{}()]*\))*\)"
PARAMETERS = rf"\((?:[^;{{}}()]|{ATTRIBUTE})*\)\s*(?:(?:noexcept|try|->\s*\w+)\s*)*"


@dataclass(frozen=True)
class Submission:
    """A file to grade as a part."""

    part: Part
    file: Path
    program: str  # made from `file`: build/cpu/transpose/transpose


def student_submissions(root: Path, assignment: Assignment, device: str) -> dict[str, Submission]:
    """The student's own files, by part."""
    found = {}
    for part in assignment.parts:
        file = root / assignment.student_file(part)
        program = f"build/{device}/{assignment.name}/{part.name}"
        found[part.name] = Submission(part, file, program)
    return found


def rungs(root: Path, assignment: Assignment, part: Part) -> list[str]:
    """The names of a part's rungs, in order: 01_naive, 02_shared, …"""
    return sorted(path.stem for path in (directory(root, assignment, part, "ladder")).glob("*.cu"))


def directory(root: Path, assignment: Assignment, part: Part, kind: str) -> Path:
    """ladder/ or wrong/; with several parts, the part's directory inside."""
    base = root / assignment.name / kind
    return base if assignment.single_part else base / part.name


def rung_file(root: Path, assignment: Assignment, part: Part, rung: str) -> Path:
    return directory(root, assignment, part, "ladder") / f"{rung}.cu"


def rung_of(root: Path, assignment: Assignment, part: Part, file: Path) -> str:
    """The name of a file that is a rung, "" for other files."""
    ladder = directory(root, assignment, part, "ladder")
    return file.stem if file.parent == ladder else ""


def is_ours(root: Path, assignment: Assignment, part: Part, file: Path) -> bool:
    """Whether the file is a rung, or a file of wrong/."""
    return any(
        file.parent == directory(root, assignment, part, kind) for kind in ("ladder", "wrong")
    )


def rung_program(assignment: Assignment, part: Part, rung: str, device: str) -> str:
    level = "" if assignment.single_part else f"{part.name}/"
    return f"build/{device}/{assignment.name}/ladder/{level}{rung}"


def sealed_program(assignment: Assignment, part: Part) -> str:
    """The program made from a handout's sealed target rung."""
    return f"build/gpu/{assignment.name}/target/{part.name}"


def solution_program(assignment: Assignment, part: Part, device: str) -> str:
    level = "" if assignment.single_part else f"/{part.name}"
    return f"build/{device}/{assignment.name}/solution{level}"


def peers_program(assignment: Assignment, part: Part) -> str:
    level = "" if assignment.single_part else f"/{part.name}"
    return f"build/gpu/{assignment.name}/grading/peers{level}"


def sanitized_program(program: str) -> str:
    """The same program built to look for faults: build/sanitize/… of build/cpu/…"""
    return program.replace("build/cpu/", "build/sanitize/", 1)


def profiled_program(program: str) -> str:
    """The same program built to be profiled: build/profile/… of build/cpu/…"""
    return program.replace("build/cpu/", "build/profile/", 1)


def debug_program(program: str) -> str:
    """The same program built for gdb: build/debug/… of build/cpu/…"""
    return program.replace("build/cpu/", "build/debug/", 1)


def listing_path(program: str, architecture: int) -> str:
    """Where nvcc's listing of the same file is: build/registers/sm_90/….ptxas of build/cpu/…"""
    return program.replace("build/cpu/", f"build/registers/sm_{architecture}/", 1) + ".ptxas"


def peers_file(root: Path, assignment: Assignment, part: Part) -> Path:
    name = "peers.cu" if assignment.single_part else f"peers/{part.name}.cu"
    return root / assignment.name / "grading" / name


def judge_program(assignment: Assignment) -> str:
    return f"build/judge/{assignment.name}"


def solution_file(root: Path, assignment: Assignment, part: Part) -> Path:
    if assignment.single_part:
        return root / assignment.name / "solution.cu"
    return root / assignment.name / "solution" / f"{part.name}.cu"


def resolve_with(
    root: Path, assignments: list[Assignment], given: str, device: str
) -> dict[str, dict[str, Submission]]:
    """{assignment: {part: submission}} for WITH=given, with the parts that WITH= serves."""
    found: dict[str, dict[str, Submission]] = {}
    for assignment in assignments:
        served = resolve_in(root, assignment, given, device, only=len(assignments) == 1)
        if served:
            found[assignment.name] = served
    if not found:
        raise UsageError(not_found_sentence(root, assignments, given))
    return found


def resolve_in(
    root: Path, assignment: Assignment, given: str, device: str, only: bool
) -> dict[str, Submission]:
    home = root / assignment.name
    if given == "solution":
        files = {part.name: solution_file(root, assignment, part) for part in assignment.parts}
        return submissions(root, assignment, existing(files), device)
    path = locate(root, home, given)
    if path is None:
        return {}
    if path.is_dir():
        files = {part.name: path / f"{part.name}.cu" for part in assignment.parts}
        return submissions(root, assignment, existing(files), device)
    parts = parts_served(assignment, home, path, only)
    return submissions(root, assignment, {part.name: path for part in parts}, device)


def existing(files: dict[str, Path]) -> dict[str, Path]:
    return {part: file for part, file in files.items() if file.is_file()}


def locate(root: Path, home: Path, given: str) -> Path | None:
    """The file or directory of WITH=: in the assignment, in the repository, or anywhere."""
    for base in (home, root, Path.cwd()):
        for spelling in (given, f"{given}.cu"):
            path = Path(base, Path(spelling).expanduser())
            if path.is_file():
                return path.resolve()
    path = Path.cwd() / Path(given).expanduser()
    return path.resolve() if path.is_dir() else None


def parts_served(assignment: Assignment, home: Path, path: Path, only: bool) -> list[Part]:
    """The parts that a file serves: by the folder, else by the function defined."""
    inside = path.is_relative_to(home.resolve())
    if inside:
        if assignment.single_part:
            return assignment.parts
        places = (*path.relative_to(home.resolve()).parts[:-1], path.stem)
        named = [part for part in assignment.parts if part.name in places]
        if named:
            return named
    defined = [part for part in assignment.parts if defines(path, part.function)]
    by_name = [part for part in defined if part.name in (path.stem, path.parent.name)]
    # A file for the only part is graded in any case: the linker's error helps the author.
    return by_name or defined or (assignment.parts if only and assignment.single_part else [])


def defines(path: Path, function: str) -> bool:
    """Whether the file defines (not only declares) a function of the name."""
    text = blank_comments(read_source(path))
    return re.search(rf"\b{re.escape(function)}\s*{PARAMETERS}{{", text) is not None


def submissions(
    root: Path, assignment: Assignment, files: dict[str, Path], device: str
) -> dict[str, Submission]:
    return {
        part.name: Submission(
            part, files[part.name], program_of(root, assignment, part, files[part.name], device)
        )
        for part in assignment.parts
        if part.name in files
    }


def program_of(root: Path, assignment: Assignment, part: Part, file: Path, device: str) -> str:
    """The make target that builds `file` as `part`; known places have short names."""
    home = root / assignment.name
    if file == (home / f"{part.name}.cu").resolve():
        return f"build/{device}/{assignment.name}/{part.name}"
    if file == solution_file(root, assignment, part).resolve():
        return solution_program(assignment, part, device)
    for kind in ("ladder", "wrong"):
        place = directory(root, assignment, part, kind).resolve()
        if file.parent == place and file.suffix == ".cu" and SAFE_PATH.fullmatch(file.name):
            level = "" if assignment.single_part else f"{part.name}/"
            return f"build/{device}/{assignment.name}/{kind}/{level}{file.stem}"
    plain = make_friendly(root, file)
    return f"build/{device}/{assignment.name}/path/{part.name}{str(plain)[: -len('.cu')]}"


def make_friendly(root: Path, file: Path) -> Path:
    """The file's path, or a link to the file under build/ if make could not spell the path."""
    if SAFE_PATH.fullmatch(str(file)):
        return file
    digest = hashlib.sha256(os.fsencode(file)).hexdigest()[:12]
    link = root / "build" / "with" / digest / f"{re.sub(r'[^A-Za-z0-9_]', '_', file.stem)}.cu"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(file)
    return link


def not_found_sentence(root: Path, assignments: list[Assignment], given: str) -> str:
    """Why WITH= serves no part: no such file, or a file without any of the functions."""
    if given == "solution":
        return f"There is no solution here for {', '.join(a.name for a in assignments)}."
    for assignment in assignments:
        path = locate(root, root / assignment.name, given)
        if path is not None and path.is_file():
            functions = [part.function for a in assignments for part in a.parts]
            return f"{given} defines none of the functions to grade: {', '.join(functions)}."
        if path is not None:
            files = [f"{part.name}.cu" for a in assignments for part in a.parts]
            return f"The directory {given} holds none of {', '.join(files)}."
    known = ["solution"]
    for assignment in assignments:
        home = root / assignment.name
        for kind in ("ladder", "wrong"):
            known += [str(p.relative_to(home)) for p in sorted((home / kind).rglob("*.cu"))]
    return choose("file", given, known)
