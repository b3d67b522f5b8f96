"""The prepared course: a clean copy of the files that grading needs, built once.

The programs that all submissions share (CPU device, harness, judges, the target rung and its
profile) are built in OUT/state/course. A submission's own copy starts from the prepared course, so
that only the student's files are compiled for the submission. To test that this machine can grade,
the target rungs are graded first, like a submission: the target rungs must pass.
"""

import hashlib
import json
import shutil
from pathlib import Path, PurePosixPath

from grader.base.errors import GraderError
from grader.base.files import write_json
from grader.base.git import tracked
from grader.course import resolve
from grader.course.declare import Assignment
from grader.course.hidden import HIDDEN_FILE
from grader.course.load import load_assignments
from grader.course.results import NO_FAULT
from instructor.batch.copies import grade_copy
from instructor.batch.enclose import HOME
from instructor.batch.record import ClassOrder, disk_full, is_disk_full, prepared, state

# Left out of an assignment's folder: pages, and files that hold answers.
LEFT_OUT = {"figures", "wrong", "ladder", "solution", "solution.cu"}
TOP = ("harness", "cpudevice")
SKIPPED_BUILD = {"path", "wrong", "ladder", "setup", "debug", "nvcc", "explain", "report", "bench"}
SKIPPED_BUILD |= {"registers", "sass", "precompiled"}
SHARED_BUILD = ("cpu", "gpu", "sanitize", "profile", "host", "judge", "cpudevice")
DIAGNOSTIC = ("cpu", "gpu", "sanitize", "profile")


def course_files(root: Path, assignments: list[Assignment], device: str) -> list[Path]:
    """The files that grading needs, from the repository's root: tracked files and hidden cases."""
    wanted = [root / "Makefile"]
    for top in TOP:
        wanted += sorted((root / top).rglob("*"))
    for assignment in assignments:
        home = root / assignment.name
        for path in sorted(home.rglob("*")):
            if not LEFT_OUT.intersection(path.relative_to(home).parts):
                wanted.append(path)
        for part in assignment.parts:
            target = resolve.directory(root, assignment, part, "ladder") / f"{part.target}.cu"
            wanted.append(target)
            if device == "gpu":
                wanted.append(resolve.solution_file(root, assignment, part))
    # Copies a course inside another repository, which may not track the course, unchanged.
    known = tracked(root) if (root / ".git").exists() else None
    files = [path.relative_to(root) for path in wanted if path.is_file()]
    files = [path for path in files if "__pycache__" not in path.parts]
    return [
        path for path in files if known is None or str(path) in known or path.name == HIDDEN_FILE
    ]


def course_digest(order: ClassOrder, files: list[Path]) -> str:
    """The parts of a result's key beside the submission."""
    words = [order.device, *order.only, order.model, str(order.seed)]
    words += [f"{name}\0{path.read_text()}" for name, path in hidden_files(order).items()]
    digest = hashlib.sha256("\0".join(words).encode())
    graders = sorted(
        path.relative_to(HOME)
        for room in ("grader", "instructor")
        for path in (HOME / room).rglob("*.py")
    )
    for home, names in ((Path(order.root), files), (HOME, graders)):
        for path in names:
            data = (home / path).read_bytes()
            digest.update(f"\0{path}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()[:32]


def is_prepared(order: ClassOrder) -> bool:
    try:
        ready = json.loads((state(Path(order.out)) / "course.json").read_text())
    except (OSError, ValueError):
        return False
    return ready == {"course": order.course} and prepared(Path(order.out)).is_dir()


def prepare(order: ClassOrder) -> None:
    """Makes and tests the prepared course; does nothing if the course is prepared already."""
    if is_prepared(order):
        return
    root, out = Path(order.root), Path(order.out)
    assignments = load_assignments(root, list(order.only))
    place = prepared(out)
    (state(out) / "course.json").unlink(missing_ok=True)
    shutil.rmtree(place, ignore_errors=True)
    try:
        students = {name for one in assignments for name in one.student_files}
        for path in course_files(root, assignments, order.device):
            if str(path) not in students:
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / path, place / path)
        copy_build(root, place, students)
        place_hidden(order, place)
        prove(order, place, assignments)
        place_hidden(order, place)
    except OSError as error:
        raise disk_full(out) if is_disk_full(error) else error from error
    write_json(state(out) / "course.json", {"course": order.course})


def hidden_files(order: ClassOrder) -> dict[str, Path]:
    """Maps the places of hidden cases in the course to their sources; git need not track hidden
    cases.
    """
    if order.hidden:
        return {"hidden.py": Path(order.hidden)}
    found = {
        path.parents[1].name: path for path in sorted(Path(order.root).glob("*/grading/hidden.py"))
    }
    return {
        f"{name}/grading/hidden.py": path
        for name, path in found.items()
        if name in (order.only or found)
    }


def place_hidden(order: ClassOrder, place: Path) -> None:
    """Puts hidden cases into a copy; inside.py removes the files before anything is compiled."""
    for name, path in hidden_files(order).items():
        if (place / name).parent.is_dir():
            shutil.copyfile(path, place / name)


def copy_build(root: Path, place: Path, students: set[str]) -> None:
    """Copies builds of the course's own files; make decides whether the builds are current."""
    own = {str(PurePosixPath(student).with_suffix("")) for student in students}
    for device in SHARED_BUILD:
        base = root / "build" / device
        for path in sorted(base.rglob("*")):
            inside = path.relative_to(base)
            program = str(inside.with_suffix(""))
            skipped = SKIPPED_BUILD.intersection(inside.parts) or program in own
            if path.is_file() and not skipped:
                copied = place / "build" / device / inside
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copied)


def prove(order: ClassOrder, place: Path, assignments: list[Assignment]) -> None:
    """Grades the target rungs, which builds and profiles all shared programs."""
    files = {}
    for assignment in assignments:
        for part in assignment.parts:
            folder = resolve.directory(place, assignment, part, "ladder")
            rung = folder / f"{part.target}.cu"
            if rung.is_file():
                files[assignment.student_file(part)] = rung.read_bytes()
    found = grade_copy(order, place, files)
    for assignment in found["assignments"]:
        for part in assignment["parts"]:
            if f"{assignment['name']}/{part['name']}.cu" not in files:
                continue
            for case in part["cases"]:
                if case["verdict"] not in NO_FAULT:
                    raise GraderError(
                        f"the target rung of {part['name']} does not pass here: {case['name']}, "
                        f"{case['verdict']}, {case['detail']}. Nothing was graded."
                    )
    remove_students(place, assignments)


def remove_students(place: Path, assignments: list[Assignment]) -> None:
    """Removes students' sources and builds: each submission brings new sources."""
    for assignment in assignments:
        for part in assignment.parts:
            (place / assignment.student_file(part)).unlink(missing_ok=True)
            for device in DIAGNOSTIC:
                program = place / "build" / device / assignment.name / part.name
                for ending in ("", ".o", ".d"):
                    program.with_name(program.name + ending).unlink(missing_ok=True)
    for name in ("class.json", "results.json", "report.txt", "report.html", "pictures"):
        path = place / "build" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
