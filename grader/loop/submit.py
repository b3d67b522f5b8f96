"""`make submit [ONLY=saxpy,scan]`: packs the student's files and last results into an archive.

    submission.tar.gz
        saxpy/saxpy.cu …     the files in their present state
        results.json         the last whole check of each part (build/history.jsonl), and whether
                             the file is unchanged since the check
        nickname.txt         the student's name for a leaderboard, if any
        SHA256SUMS           of the other files; `sha256sum -c SHA256SUMS` after unpacking

The same files and results make the same bytes. The student has seen the results; for a grade the
files are run again.
"""

import gzip
import hashlib
import io
import json
import tarfile
from dataclasses import asdict, dataclass
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.files import write_whole
from grader.check.history import Attempt, read_history
from grader.course.declare import Assignment
from grader.course.reset import starter

NAME = "submission.tar.gz"
CHECKSUMS = "SHA256SUMS"
NICKNAME = "nickname.txt"


@dataclass(frozen=True)
class PackedPart:
    """A student's file, and the last check of its part, if any."""

    assignment: str
    part: str
    content: bytes
    untouched: bool  # the starter as handed out
    last: Attempt | None

    @property
    def name(self) -> str:
        return f"{self.assignment}/{self.part}.cu"

    @property
    def current(self) -> bool:
        """Whether the last check graded exactly the packed bytes."""
        return self.last is not None and self.last.sha256 == digest(self.content)

    def to_json(self) -> dict:
        return {
            "file": self.name,
            "untouched": self.untouched,
            "current": self.current,
            "last": asdict(self.last) if self.last else None,
        }


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def collect(root: Path, assignments: list[Assignment]) -> list[PackedPart]:
    """Collects every student file; a missing file is an error: submissions are complete."""
    last = {(attempt.assignment, attempt.part): attempt for attempt in read_history(root)}
    entries = []
    for assignment in assignments:
        for part in assignment.parts:
            name = assignment.student_file(part)
            path = root / name
            try:
                content = path.read_bytes()
            except OSError as error:
                raise GraderError(f"{name} cannot be read: {error.strerror}.") from error
            untouched = content == starter(root, path)
            attempt = last.get((assignment.name, part.name))
            entries.append(PackedPart(assignment.name, part.name, content, untouched, attempt))
    return entries


def pack(root: Path, entries: list[PackedPart]) -> Path:
    """Writes the archive atomically; times, owners and modes do not depend on the machine."""
    results = json.dumps([entry.to_json() for entry in entries], indent=1) + "\n"
    files = {entry.name: entry.content for entry in entries} | {"results.json": results.encode()}
    if (root / NICKNAME).is_file():
        files[NICKNAME] = (root / NICKNAME).read_bytes()
    sums = "".join(f"{digest(content)}  {name}\n" for name, content in sorted(files.items()))
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, content in sorted((files | {CHECKSUMS: sums.encode()}).items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    path = root / NAME
    write_whole(path, packed.getvalue())
    return path


def describe(entry: PackedPart) -> str:
    """The printed line about a file."""
    if entry.untouched:
        return "the starter, untouched"
    if entry.last is None:
        return f"never checked: make check-{entry.assignment} PART={entry.part}"
    score = (
        f"{entry.last.score:g} / {entry.last.max_score:g} on {entry.last.when.replace('T', ' ')}"
    )
    if entry.current:
        return score
    return f"{score}, but the file has changed since: make check-{entry.assignment}"


def submit(root: Path, assignments: list[Assignment]) -> list[str]:
    """Packs the files; returns the text to print."""
    entries = collect(root, assignments)
    path = pack(root, entries)
    width = max(len(entry.name) for entry in entries)
    lines = [f" {entry.name:{width}}  {describe(entry)}" for entry in entries]
    stale = sum(not entry.current and not entry.untouched for entry in entries)
    if stale:
        files = "1 file has" if stale == 1 else f"{stale} files have"
        lines.append(f" {files} no results of its present state; packed all the same.")
    return [*lines, f" {path.relative_to(root)}  sha256 {digest(path.read_bytes())}"]
