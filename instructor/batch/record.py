"""A class on disk: what is to be graded and how, and a result per submission.

    OUT/state/class.json                    the order that every engine works from
    OUT/state/journal.jsonl                 a line for each submission that was begun or ended
    OUT/students/<slug>/result.json         a submission's result, always complete

A result holds the key of its inputs. A submission is graded again only when the key changes:
another submission, another course, other options. Nothing else is needed to resume a class.
"""

import hashlib
import json
import os
import re
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.base.errors import GraderError, UsageError
from grader.base.files import NO_ROOM, write_json
from grader.base.lock import locked

GRADED, REJECTED, NOT_GRADED = "graded", "rejected", "not graded"
ATTEMPTS = 2  # within a run of the command, if the failure is not the submission's


@dataclass(frozen=True)
class ClassEntry:
    """A submission: a folder or an archive of a student."""

    student: str  # as the entry's name says
    path: str  # absolute
    digest: str  # of size and time
    notes: tuple[str, ...] = ()  # "also handed in: …"

    @property
    def slug(self) -> str:
        """The name of the student's folder: readable, stable, and unique to the student."""
        digest = hashlib.sha256(self.student.encode()).hexdigest()[:8]
        readable = re.sub(r"[^\w-]+", "_", self.student)[:40].strip("_")
        return f"{readable}-{digest}"


@dataclass(frozen=True)
class ClassOrder:
    """How a class is graded: the submissions, the course and the options."""

    root: str  # the course
    out: str
    device: str  # cpu or gpu
    only: tuple[str, ...] = ()  # assignments, all when empty
    model: str = ""
    seed: int | None = None
    hidden: str = ""  # a file of hidden cases
    limit_s: float = 3600.0  # for a submission as a whole; its cases have limits of their own
    course: str = ""  # the prepared course's digest
    entries: tuple[ClassEntry, ...] = ()

    def key(self, entry: ClassEntry) -> str:
        words = (self.course, entry.student, entry.path, entry.digest, *entry.notes)
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]

    def folder(self, entry: ClassEntry) -> Path:
        return Path(self.out, "students", entry.slug)


@dataclass
class Result:
    """The outcome of a submission."""

    key: str
    student: str
    submission: str  # the entry's name
    status: str  # GRADED; REJECTED: nothing to grade; NOT_GRADED: not the submission's fault
    notes: list[str] = field(default_factory=list)
    nickname: str = ""
    # {part: digest of the code without comments}
    fingerprints: dict[str, str] = field(default_factory=dict)
    results: dict = field(default_factory=dict)  # as build/results.json, and findings per part
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def score(self) -> float | None:
        """The score; None while not final."""
        if self.status == NOT_GRADED:
            return None
        return self.results.get("score", 0.0)


def prepared(out: Path) -> Path:
    """The folder of the prepared course."""
    return state(out) / "course"


def running_job(out: Path) -> Path:
    """The file with the number of the Slurm job that grades the class, while the job exists."""
    return state(out) / "job.txt"


def state(out: Path) -> Path:
    folder = out / "state"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def save_order(order: ClassOrder) -> Path:
    path = state(Path(order.out)) / "class.json"
    write_json(path, asdict(order))
    return path


def load_order(path: Path) -> ClassOrder:
    words = json.loads(path.read_text())
    entries = tuple(ClassEntry(**one | {"notes": tuple(one["notes"])}) for one in words["entries"])
    return ClassOrder(**words | {"only": tuple(words["only"]), "entries": entries})


def load_result(order: ClassOrder, entry: ClassEntry) -> Result | None:
    """The result of the entry's present submission, None if grading is still to be done."""
    try:
        result = Result(**json.loads((order.folder(entry) / "result.json").read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return result if result.key == order.key(entry) else None


def save_failure(order: ClassOrder, entry: ClassEntry, why: str) -> None:
    """Records a failure for a submission whose process died without a result."""
    notes = [*entry.notes, f"not graded: {one_line(why)}"]
    name = one_line(Path(entry.path).name)
    result = Result(order.key(entry), entry.student, name, NOT_GRADED, notes)
    write_json(order.folder(entry) / "result.json", vars(result))


def pending(order: ClassOrder) -> list[ClassEntry]:
    """The submissions without a final result; a failure of the last run is tried again."""
    found = []
    for entry in order.entries:
        result = load_result(order, entry)
        if result is None or result.status == NOT_GRADED:
            found.append(entry)
    return found


def journal(order: ClassOrder, event: str, entry: ClassEntry) -> None:
    """Writes a line, short enough that lines of several machines do not mix."""
    line = {"time": round(time.time(), 2), "event": event, "slug": entry.slug}
    with (state(Path(order.out)) / "journal.jsonl").open("a") as file:
        file.write(json.dumps(line | {"key": order.key(entry), "host": os.uname().nodename}) + "\n")


@contextmanager
def only_one(out: Path) -> Iterator[None]:
    """Makes sure that a single command works on OUT: two commands would grade everything twice."""

    def refuse() -> None:
        raise UsageError(f"{out} is being worked on by another grade-class.")

    with locked(state(out) / "lock", refuse):
        yield


def one_line(text: str, limit: int = 200) -> str:
    """Text of a submission as a printable line, without control or invisible characters.

    Bytes that are not UTF-8 are written as escapes, so that two different names stay different.
    """
    text = text.encode(errors="surrogateescape").decode(errors="backslashreplace")
    text = unicodedata.normalize("NFC", text)
    shown = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    return " ".join(shown.split())[:limit]


def is_disk_full(error: OSError) -> bool:
    return error.errno in NO_ROOM


def disk_full(folder: Path) -> GraderError:
    return GraderError(
        f"there is no room left in {folder}: free some and give the same command again; "
        "what is graded stays."
    )
