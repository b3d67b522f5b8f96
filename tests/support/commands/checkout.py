"""A copy of the course, or a student repository, in which commands run as in a clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from grader.base.lock import locked

ROOT = Path(__file__).parents[3]
# Variables of the tests' own make and pytest.
OURS = ("MAKE", "MFLAGS", "PYTEST", "ONLY", "DEVICE", "PYTHONPATH")
SECONDS = 1800


def course(folder: Path) -> Path:
    """Copies the files that git tracks or would track, and the builds of the harness."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    with locked(ROOT / "build" / "make.lock"):
        for built in (
            "setup",
            *(f"{kind}/harness" for kind in ("cpu", "sanitize", "profile", "host")),
        ):
            if (ROOT / "build" / built).is_dir():
                shutil.copytree(ROOT / "build" / built, folder / "build" / built)
    return in_git(folder)


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
