"""The programs that do the work: a compiler, ar, objcopy."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from .options import Failure, Options

# Functions that a mode has its own of, for the program's objects only: src/sanitize/wrap.cpp,
# src/profile/hooks.cpp.
REPLACED = {
    "sanitize": [
        "malloc", "free", "memcpy", "memmove", "memset", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv",
        "_ZdlPvm", "_ZdaPvm",
    ],
    "profile": ["memcpy", "memmove", "memset"],
}  # fmt: skip


def show(command: list[str], options: Options) -> None:
    if options.verbose:
        print(shlex.join(command), file=sys.stderr)


def run(command: list[str], options: Options) -> None:
    """Runs a compiler; its messages go to the student as they are."""
    show(command, options)
    try:
        result = subprocess.run(command)
    except FileNotFoundError:
        raise Failure(f"cudacc: {command[0]} is not installed") from None
    if result.returncode != 0:
        raise Failure("")


def succeeds(command: list[str], options: Options) -> bool:
    """Runs a compiler whose messages nobody needs, since it is asked again if it fails."""
    show(command, options)
    try:
        return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        return False


def replace_functions(target: Path, options: Options) -> None:
    if options.diagnostic:
        renamed = [
            f"--redefine-sym={name}=__cudacpu_{name}" for name in REPLACED[options.diagnostic]
        ]
        run(["objcopy", *renamed, str(target)], options)
