"""A copy of the course, or a student repository, in which commands run as in a clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from prose import tracked

from grader.base.lock import locked

ROOT = Path(__file__).parents[3]
# Variables of the tests' own make and pytest.
OURS = ("MAKE", "MFLAGS", "PYTEST", "ONLY", "DEVICE", "PYTHONPATH")
SECONDS = 1800
HARNESS = ("cpu", "sanitize", "profile", "host")  # the builds with a part of the harness


def course(folder: Path) -> Path:
    """Copies the files that git tracks or would track, and the builds of the harness."""
    for name in tracked():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    copy_builds(folder)
    return in_git(folder)


def copy_builds(folder: Path) -> None:
    """Copies what setup has found, and the built harness, which all assignments share."""
    with locked(ROOT / "build" / "make.lock"):
        for built in ("setup", *(f"{kind}/harness" for kind in HARNESS)):
            if (ROOT / "build" / built).is_dir():
                shutil.copytree(ROOT / "build" / built, folder / "build" / built)


def in_git(folder: Path) -> Path:
    """Puts a folder under version control, with the Python of the tests as its environment."""
    (folder / ".venv").symlink_to(Path(sys.executable).parents[1])
    for words in (
        ["init", "--quiet"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "first"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def run(folder: Path, command: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command line in a shell, without a terminal."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(OURS)}
    environment |= {"HOME": str(home), "CUDACC_BUILD": str(ROOT / "build" / "cpudevice")}
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
