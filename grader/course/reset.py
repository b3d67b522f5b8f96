"""`make reset-<name>`: restores the starters and keeps the present files under build/.

grader/starters.json names each starter by its blob in git, so that a student's own commits do not
make the starter unreachable. After changing a starter: `make record-starters`. A student repository
lacks the history and keeps the starters as files, in grader/starters/.
"""

import hashlib
import json
import shutil
import time
from pathlib import Path

from grader.base.errors import GraderError
from grader.base.files import write_json
from grader.base.git import git
from grader.course.declare import Assignment

RECORD = Path("grader") / "starters.json"
STARTERS = Path("grader") / "starters"


def recorded(root: Path) -> dict[str, str]:
    """{file: blob}; empty in a repository without a record."""
    path = root / RECORD
    return json.loads(path.read_text()) if path.is_file() else {}


def is_starter(root: Path, name: str) -> bool:
    """Whether the file is a starter. Needs no git: the names of blobs are hashes."""
    try:
        data = (root / name).read_bytes()
    except OSError:
        return False
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return recorded(root).get(name) == blob


def starter(root: Path, path: Path) -> bytes:
    """The file as handed out, whatever the working copy and later commits hold."""
    name = str(path.relative_to(root))
    if (root / STARTERS / name).is_file():
        return (root / STARTERS / name).read_bytes()
    blob = recorded(root).get(name, f"HEAD:./{name}")
    found = git(root, "cat-file", "blob", blob)
    if found is None:
        raise GraderError(f"git has no starter of {name} to restore.")
    return found


def record(root: Path, assignments: list[Assignment]) -> list[str]:
    """Makes the current student files the starters; returns a sentence about the record."""
    # The starters of other assignments stay unchanged.
    blobs = {name: blob for name, blob in recorded(root).items() if (root / name).is_file()}
    for assignment in assignments:
        for name in assignment.student_files:
            hashed = git(root, "hash-object", "-w", name)
            if hashed is None:
                raise GraderError(f"git cannot store {name}.")
            blobs[name] = hashed.decode().strip()
    write_json(root / RECORD, blobs)
    return [f"{RECORD} names {len(blobs)} starters; commit it together with them."]


def reset(root: Path, assignment: Assignment, only_part: str = "") -> list[str]:
    """Restores the starters; returns a sentence for each file."""
    sentences = []
    for part in assignment.parts:
        if only_part and part.name != only_part:
            continue
        name = assignment.student_file(part)
        path = root / name
        original = starter(root, path)
        if path.is_file() and path.read_bytes() == original:
            sentences.append(f"{name} is the starter already.")
            continue
        kept = ""
        if path.is_file():
            stamp = time.strftime("%Y%m%d-%H%M%S")
            copy = root / "build" / "reset" / f"{assignment.name}-{part.name}-{stamp}.cu"
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
            kept = f"; what you had is kept in {copy.relative_to(root)}"
        path.write_bytes(original)
        sentences.append(f"{name} is the starter again{kept}.")
    return sentences
