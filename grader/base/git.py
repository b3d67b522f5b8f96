"""Wraps the few git commands of the grader."""

import os
import subprocess
from pathlib import Path

from grader.base.errors import GraderError


def git(root: Path, *arguments: str) -> bytes | None:
    """Runs git; returns the output, or None after a failure."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError as error:
        raise GraderError("git is not installed, and the starters are kept in git.") from error
    return done.stdout if done.returncode == 0 else None


def tracked(root: Path) -> set[str] | None:
    """The files below a folder that git tracks; None if git cannot tell."""
    try:
        listed = git(root, "ls-files", "-z")
    except GraderError:
        return None
    return None if listed is None else set(filter(None, os.fsdecode(listed).split("\0")))
