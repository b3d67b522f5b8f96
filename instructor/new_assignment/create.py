"""Lays out a new assignment and registers starter and counters for the tests."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from grader.base.device import can_profile
from grader.base.errors import GraderError, UsageError
from grader.base.git import git
from grader.course.load import load_assignment
from grader.course.reset import RECORD, record

TEMPLATE = Path(__file__).with_name("backwards")
WORD = "backwards"
NAME = re.compile(r"[a-z][a-z0-9_]{1,23}")


def create(root: Path, name: str) -> list[str]:
    """Makes the directory `name`; returns the text to print. Leaves nothing after a failure."""
    refuse_bad_name(root, name)
    home = root / name
    starters = (root / RECORD).read_bytes() if (root / RECORD).is_file() else b"{}\n"
    try:
        lay_out(home, name)
        format_sources(home)
        run(root, [sys.executable, f"{name}/figures/draw.py"])
        record(root, [load_assignment(root, name)])
        run(root, [sys.executable, "tests/support/golden.py", name])
    except BaseException:
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(root / "tests" / "golden" / name, ignore_errors=True)
        (root / RECORD).write_bytes(starters)
        raise
    return [
        f"{name}/ is a small assignment that works: make check-{name} WITH=solution.",
        "docs/new-assignment.md says how to make it yours; `git add` it, grader/starters.json and "
        f"tests/golden/{name}/.",
    ]


def refuse_bad_name(root: Path, name: str) -> None:
    if not name:
        raise UsageError("name the assignment: make new-assignment NAME=histogram.")
    if not NAME.fullmatch(name):
        raise UsageError(
            f'NAME="{name}": a name has 2 to 24 small letters, digits and _, and begins with a '
            "letter."
        )
    if (root / name).exists():
        raise UsageError(f"NAME={name}: {name}/ is there already.")
    if git(root, "rev-parse", "--git-dir") is None:
        raise UsageError("starters are kept in git, and this is no clone: git init.")
    if not can_profile():
        raise UsageError("A new assignment is counted for the tests, and that needs g++.")
    # A function gets the name: the compiler knows which words are reserved.
    declaration = f"void {name}(const int* input, int n, int* output);\n"
    command = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-include", "cstdlib", "-"]
    tried = subprocess.run(command, input=declaration, capture_output=True, text=True, check=False)
    if tried.returncode != 0 or name == "main":
        raise UsageError(f"NAME={name}: that is a word of C++, and no function can be called so.")


def lay_out(home: Path, name: str) -> None:
    for source in sorted(path for path in TEMPLATE.rglob("*") if path.is_file()):
        if "__pycache__" in source.parts:
            continue
        target = home / renamed(str(source.relative_to(TEMPLATE)), name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(renamed(source.read_text(), name))


def renamed(text: str, name: str) -> str:
    """Replaces the template's name: in small letters, or as part of a type's name."""
    camel = "".join(word.capitalize() for word in name.split("_"))
    return text.replace(WORD, name).replace(WORD.capitalize(), camel)


def format_sources(home: Path) -> None:
    """Formats the sources: a longer name breaks lines at other places."""
    formatter = Path(sys.executable).with_name("clang-format")
    if formatter.exists():
        sources = [str(path) for path in home.rglob("*") if path.suffix in (".cu", ".cpp", ".h")]
        subprocess.run([str(formatter), "-i", *sources], check=True)


def run(root: Path, command: list[str]) -> None:
    done = subprocess.run(
        command,
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise GraderError(f"{' '.join(command[1:])} failed: {last}")
