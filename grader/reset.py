"""`make reset-<name>`: the starters as last committed; what stood there is kept under build/."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

from grader.declare import Assignment
from grader.errors import GraderError


def committed(root: Path, path: Path) -> bytes:
    """The file as committed, without touching the working copy."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "show", f"HEAD:./{path.relative_to(root)}"],
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise GraderError("git is not installed, and the starters are kept in git.") from error
    if done.returncode != 0:
        raise GraderError(f"git has no {path.relative_to(root)} to restore.")
    return done.stdout


def reset(root: Path, assignment: Assignment, only_part: str = "") -> list[str]:
    """Restores the starters; returns a sentence for each file."""
    told = []
    for part in assignment.parts:
        if only_part and part.name != only_part:
            continue
        path = root / assignment.name / f"{part.name}.cu"
        starter = committed(root, path)
        name = str(path.relative_to(root))
        if path.is_file() and path.read_bytes() == starter:
            told.append(f"{name} is the starter already.")
            continue
        kept = ""
        if path.is_file():
            stamp = time.strftime("%Y%m%d-%H%M%S")
            copy = root / "build" / "reset" / f"{assignment.name}-{part.name}-{stamp}.cu"
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
            kept = f"; what you had is kept in {copy.relative_to(root)}"
        path.write_bytes(starter)
        told.append(f"{name} is the starter again{kept}.")
    return told
