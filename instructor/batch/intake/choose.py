"""Chooses the student files of a submission, in a new process under limits.

    python -m instructor.batch.intake.choose ROOT SUBMISSION [assignment …]      JSON on stdout

A student file is <assignment>/<part>.cu, or <part>.cu in any folder; of several, the file at the
course's own path, then the file nearest to the top. All other files are not read.
"""

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grader.base.errors import GraderError
from grader.base.processes import Limits, limit_command
from grader.base.source_text import blank_comments
from grader.course.declare import Assignment
from grader.course.load import load_assignments
from grader.loop.submit import NICKNAME
from instructor.batch.intake.archive import Contents, Refused, read_submission
from instructor.batch.record import one_line

NICKNAME_LENGTH = 24
MEMORY = Limits(data_bytes=2 << 30, file_bytes=1 << 20)
TIMEOUT_S = 120
# Files of the course do not count; a submission with changed files gets a remark.
COURSE = re.compile(
    r"(^|.*/)(?P<place>(grader|harness|cpudevice)/.*\.(py|sh|mk|cu|cpp|h)|Makefile|\w+/grading/grade\.py)"
)


@dataclass
class Taken:
    """The student files of a submission, as {"saxpy/saxpy.cu": bytes}."""

    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    nickname: str = ""
    refused: str = ""


def student_files(assignments: list[Assignment]) -> dict[str, str]:
    """{"exclusive_scan.cu": "scan/exclusive_scan.cu", …}"""
    places = [place for assignment in assignments for place in assignment.student_files]
    return {PurePosixPath(place).name: place for place in places}


def choose_files(root: Path, contents: Contents, places: dict[str, str]) -> Taken:
    taken = Taken(notes=list(contents.notes))
    if not any(path.name in places for path in contents.files):
        taken.refused = nothing_found(contents, places)
        return taken
    for name, place in places.items():
        found = [path for path in contents.files if path.name == name]
        folder = PurePosixPath(place).parent.name
        found.sort(key=lambda path: (path.parent.name != folder, len(path.parts), str(path)))
        if not found:
            taken.notes.append(f"{place} is missing")
            continue
        taken.files[place] = contents.files[found[0]]
        if any(contents.files[path] != taken.files[place] for path in found[1:]):
            taken.notes.append(f"several {name}: {found[0]} counts")
    changed = changed_course(root, contents)
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        taken.notes.append(f"changes files of the course, which does not count: {changed[0]}{more}")
    for path, data in contents.files.items():
        if path.name == NICKNAME:
            words = one_line(data.decode(errors="replace"), NICKNAME_LENGTH)
            taken.nickname = taken.nickname or words
    return taken


def changed_course(root: Path, contents: Contents) -> list[str]:
    """The submission's changed files of the course."""
    changed = []
    for path, data in contents.files.items():
        match = COURSE.fullmatch(str(path))
        if match:
            own = root / match["place"]
            if not own.is_file() or own.read_bytes() != data:
                changed.append(match["place"])
    return sorted(changed)


def nothing_found(contents: Contents, places: dict[str, str]) -> str:
    if not contents.names:
        return "holds no file at all"
    seen = ", ".join(one_line(str(path), 60) for path in contents.names[:3])
    return f"holds none of {', '.join(places)}, but {seen}"


def fingerprint(source: bytes) -> str:
    """A hash that is equal for files that differ only in comments and white space."""
    code = "".join(blank_comments(source.decode(errors="replace")).split())
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()[:16]


def take_in(root: Path, submission: Path, only: tuple[str, ...]) -> Taken:
    """Runs this module on a submission, so that a hostile submission can harm only the new
    process.
    """
    module = [
        sys.executable,
        "-m",
        "instructor.batch.intake.choose",
        str(root),
        str(submission),
        *only,
    ]
    try:
        done = subprocess.run(
            [*limit_command(MEMORY), *module],
            cwd=Path(__file__).parents[3],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Taken(refused=f"could not be read within {TIMEOUT_S} s")
    if done.returncode == 2:
        raise GraderError(done.stderr.decode(errors="replace").strip() or "reading it failed")
    try:
        words = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        return Taken(refused=f"could not be read: {one_line(last)}")
    files = {place: base64.b64decode(data) for place, data in words.pop("files").items()}
    return Taken(files, **words)


def main(arguments: list[str]) -> int:
    root, submission, *only = arguments
    try:
        places = student_files(load_assignments(Path(root), only))
        names = {*places, NICKNAME}
        contents = read_submission(
            Path(submission), lambda path: path.name in names or bool(COURSE.fullmatch(str(path)))
        )
        taken = choose_files(Path(root), contents, places)
    except Refused as refusal:
        taken = Taken(refused=str(refusal))
    except GraderError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        taken = Taken(refused=f"could not be read: {error.strerror}")
    files = {place: base64.b64encode(data).decode() for place, data in taken.files.items()}
    notes = [one_line(note) for note in taken.notes]
    refused = one_line(taken.refused)
    words = {"files": files, "notes": notes, "nickname": taken.nickname, "refused": refused}
    print(json.dumps(words))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
