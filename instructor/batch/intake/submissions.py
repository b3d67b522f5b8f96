"""Finds the submissions in a folder: each entry, folder or archive, is a submission.

The entry's name identifies the student. Names of downloads from Canvas and Moodle are understood:

    maria.zip   maria/   李明.tar.gz                            maria, 李明
    doejane_LATE_4711_99_submission-1.tar.gz                    doejane_4711        (Canvas)
    Jane Doe_4711_assignsubmission_file_/                       Jane Doe_4711       (Moodle)
    maria_2026-11-20T18-30-00.zip                               maria, at that time

Of several submissions of a student the latest counts, and the gradebook says so.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from grader.base.errors import UsageError
from instructor.batch.record import ClassEntry, one_line

ARCHIVES = re.compile(r"\.(zip|tar|tar\.gz|tgz|tar\.bz2|tbz2|tar\.xz|txz)$", re.I)
CANVAS = re.compile(r"(?P<name>[^_]+)(_LATE)?_(?P<id>\d+)_(?P<upload>\d+)_.*")
MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_.*")
STAMP = re.compile(
    r"[ _-]*(?P<day>\d{4}-\d\d-\d\d)[T_ -]?(?P<time>\d\d[-:.]?\d\d([-:.]?\d\d)?)?Z?$"
)
MAX_FILES = 20_000  # files of a folder that are examined for their times


@dataclass(frozen=True)
class Found:
    student: str
    path: Path
    stamp: float  # a later stamp replaces an earlier stamp
    digest: str


def collect(folder: Path) -> list[ClassEntry]:
    """An entry per student, sorted by name."""
    if not folder.is_dir():
        raise UsageError(f"SUBMISSIONS={folder} is not a folder.")
    students: dict[str, list[Found]] = {}
    for path in sorted(folder.iterdir()):
        if not path.name.startswith(".") and path.name != "__MACOSX":
            one = examine(path)
            students.setdefault(one.student, []).append(one)
    if not students:
        raise UsageError(f"SUBMISSIONS={folder} is empty: one folder or archive per student.")
    return [latest(several) for _, several in sorted(students.items())]


def latest(several: list[Found]) -> ClassEntry:
    several = sorted(several, key=lambda one: (one.stamp, one.path.name))
    last = several[-1]
    others = ", ".join(one_line(one.path.name) for one in several[:-1])
    note = f"several submissions: the latest, {one_line(last.path.name)}, counts; not {others}"
    return ClassEntry(last.student, str(last.path), last.digest, (note,) if others else ())


def examine(path: Path) -> Found:
    name, stamp = owner(path.name)
    words, newest = [], 0.0
    # Links are not followed: a link is an entry of its own and gets rejected.
    for file in islice(files_of(path), MAX_FILES):
        status = file.lstat()
        newest = max(newest, status.st_mtime)
        words.append(f"{file.relative_to(path)}\0{status.st_size}\0{status.st_mtime_ns}")
    digest = hashlib.sha256("\n".join(words).encode("utf-8", "surrogateescape")).hexdigest()
    return Found(name, path, newest if stamp is None else stamp, digest[:32])


def files_of(path: Path) -> Iterable[Path]:
    if path.is_symlink() or not path.is_dir():
        return [path]
    return sorted(one for one in path.rglob("*") if one.is_symlink() or not one.is_dir())


def owner(entry: str) -> tuple[str, float | None]:
    """The student and the time in an entry's name."""
    name = unicodedata.normalize("NFC", ARCHIVES.sub("", entry))
    for form in (MOODLE, CANVAS):
        match = form.fullmatch(name)
        if match:
            # Canvas numbers uploads: the larger number is the later upload.
            upload = match.groupdict().get("upload")
            student = one_line(f"{match['name']}_{match['id']}")
            return student, float(upload) if upload else None
    match = STAMP.search(name)
    if match and match.start() > 0:
        when = re.sub(r"\D", "", match["day"] + (match["time"] or "")).ljust(14, "0")
        try:
            stamp = datetime.strptime(when, "%Y%m%d%H%M%S").timestamp()
            return one_line(name[: match.start()]), stamp
        except ValueError:
            pass
    return one_line(name) or "nameless", None
