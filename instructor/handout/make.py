"""Assembles a student repository, searches it for answers, and only then moves the repository to
OUT.
"""

import hashlib
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import jinja2

from grader.base.errors import GraderError, UsageError
from grader.base.files import write_json
from grader.base.git import git
from grader.base.progress import Screen
from grader.course.baseline import sealed_file, target_file
from grader.course.declare import Assignment
from grader.course.load import load_assignments
from grader.course.reset import STARTERS, starter
from grader.course.resolve import directory
from instructor.handout.choose import answers, handed_out, present
from instructor.handout.leaks import find_leaks
from instructor.handout.numbers import PAGE, numbers_page
from instructor.handout.pages import student_page
from instructor.handout.targets import NOT_SEALED, modelled_targets, seal, sealed_for

OWN = Path(__file__).with_name("student")
MANIFEST = "handout.json"
LEAKS_SHOWN = 20


@dataclass(frozen=True)
class Handout:
    """A finished student repository."""

    folder: Path
    files: int
    answers: int  # files whose lines were searched for
    sealed: dict  # as in target.json


def make_handout(root: Path, assignments: list[Assignment], out: Path, screen: Screen) -> Handout:
    """Writes the student repository of the assignments to `out`, which must be empty."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"OUT={out}: it exists already; name a new folder.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".handout-") as temporary:
        folder = Path(temporary) / "handout"
        maker = Maker(root, assignments, folder, screen)
        made = maker.make()
        if out.exists():
            out.rmdir()
        folder.rename(out)
    return Handout(out, made, maker.answers, maker.sealed)


class Maker:
    def __init__(self, root: Path, assignments: list[Assignment], folder: Path, screen: Screen):
        self.root = root
        self.assignments = assignments
        self.folder = folder
        self.screen = screen
        self.parts = [(assignment, part) for assignment in assignments for part in assignment.parts]
        self.sealed: dict = NOT_SEALED
        self.sealed_from: dict[str, str] = {}  # {object file: source}
        self.answers = 0

    def make(self) -> int:
        """Makes the repository; returns the number of files."""
        self.copy()
        self.write_starters()
        self.write_targets()
        self.write_own()
        self.screen.step("looking for answers", 0, 0)
        self.refuse_leaks()
        self.write_manifest()
        return self.same_every_time()

    def copy(self) -> None:
        self.public = handed_out(self.root, self.assignments)
        students = {a.student_file(part) for a, part in self.parts}
        public = {*self.public, *students, "README.md"}
        missing = set(present(self.root)) - public
        own = instructors_goals(self.root)
        for assignment in self.assignments:
            page = self.folder / assignment.name / PAGE
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(numbers_page(self.root, assignment))
        for name in self.public:
            source, target = self.root / name, self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(".md"):
                page = student_page(source.read_text(), PurePosixPath(name), public, missing, own)
                target.write_text(page)
            else:
                shutil.copy(source, target)

    def write_starters(self) -> None:
        """Writes each starter twice: to edit, and for `make reset-…`."""
        for assignment, part in self.parts:
            name = assignment.student_file(part)
            content = starter(self.root, self.root / name)
            for target in (self.folder / name, self.folder / STARTERS / name):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)

    def write_targets(self) -> None:
        timed = [(assignment, part) for assignment, part in self.parts if part.speed]
        modelled = modelled_targets(self.root, timed, self.screen)
        self.screen.step("sealing the target rungs", 0, 0)
        objects = seal(self.root, timed)
        if objects:
            self.sealed = sealed_for(self.root)
        for assignment in self.assignments:
            parts = {}
            for part in assignment.parts:
                if part.name not in modelled:
                    continue
                parts[part.name] = {"target": part.target, "modelled": modelled[part.name]}
            path = target_file(self.folder, assignment)
            write_json(path, self.sealed | {"parts": parts})
        for assignment, part in timed:
            if part.name in objects:
                target = sealed_file(self.folder, assignment, part)
                shutil.copyfile(objects[part.name], target)
                rung = directory(self.root, assignment, part, "ladder") / f"{part.target}.cu"
                self.sealed_from[str(target.relative_to(self.folder))] = rung.read_text()

    def write_own(self) -> None:
        """Writes the README and the tests that only a student repository has."""
        for source in sorted(path for path in OWN.rglob("*") if path.is_file()):
            if "__pycache__" in source.parts:
                continue
            target = self.folder / source.relative_to(OWN)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.suffix != ".j2":
                shutil.copyfile(source, target)
                continue
            template = jinja2.Environment(
                undefined=jinja2.StrictUndefined, keep_trailing_newline=True, trim_blocks=True
            ).from_string(source.read_text())
            words = {"assignments": self.assignments, "titles": self.titles(), **self.sealed}
            target.with_suffix("").write_text(template.render(words))

    def titles(self) -> dict[str, str]:
        """The first heading of each assignment's page, without its name."""
        found = {}
        for assignment in self.assignments:
            first = (self.root / assignment.name / "README.md").read_text().splitlines()[0]
            found[assignment.name] = first.lstrip("# ").removeprefix(f"{assignment.name}: ")
        return found

    def refuse_leaks(self) -> None:
        """Refuses a handout with answers, also those of assignments that are not handed out."""
        everything = load_assignments(self.root, [])
        names = answers(self.root, everything, set(self.public))
        self.answers = len(names)
        sources = {name: (self.root / name).read_text(errors="replace") for name in names}
        public = [
            starter(self.root, self.root / name).decode()
            for assignment in everything
            for name in assignment.student_files
        ]
        leaks = find_leaks(self.folder, sources, public, self.sealed_from)
        if leaks:
            more = len(leaks) - LEAKS_SHOWN
            shown = leaks[:LEAKS_SHOWN] + ([f"and {more} more"] if more > 0 else [])
            raise GraderError(
                "the handout would give answers away, so there is none:\n  " + "\n  ".join(shown)
            )

    def write_manifest(self) -> None:
        """Lists the files handed out, so that later changes can be recognised."""
        commit = (git(self.root, "rev-parse", "HEAD") or b"").decode().strip()
        changed = bool(git(self.root, "status", "--porcelain", "--untracked-files=no"))
        files = {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
        manifest = {"commit": commit, "uncommitted changes": changed, "files": files}
        write_json(self.folder / MANIFEST, manifest)

    def same_every_time(self) -> int:
        """Makes modes and times depend on the commit only; returns the number of files."""
        date = int(git(self.root, "log", "-1", "--format=%ct") or 0)
        files = 0
        for path in self.folder.rglob("*"):
            if path.is_file():
                files += 1
                path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
            else:
                path.chmod(0o755)
            os.utime(path, (date, date))
        self.folder.chmod(0o755)
        os.utime(self.folder, (date, date))
        return files


def instructors_goals(root: Path) -> tuple[str, ...]:
    """The goals of make that exist only in the course's repository."""
    return tuple(re.findall(r"^([a-z-]+):.*## ", (root / "instructor.mk").read_text(), re.M))


def as_text(made: Handout) -> str:
    """The text of the command: where the repository is, and what its targets can do."""
    lines = [
        f"{made.folder}: {made.files} files, without answers: "
        f"no line of {made.answers} files is in it."
    ]
    if made.sealed["architectures"]:
        known = ", ".join(f"sm_{number}" for number in made.sealed["architectures"])
        lines.append(f"The target rungs are sealed for {known} ({made.sealed['machine']}).")
    else:
        lines.append(
            "There is no nvcc here, so no target rung is sealed: on a GPU students are compared "
            "with the times in */grading/thresholds/, and without any for their GPU speed is "
            "left out."
        )
    return "\n".join(lines)
