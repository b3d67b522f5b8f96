"""Builds the CPU device's run-time library before the programs, and shows the progress."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from grader.base.processes import Limits, kill_tree, limit_command
from grader.base.progress import Screen

# The build tree below build/, and the mode of cudacc for the tree.
MODES = {"cpu": "run", "debug": "run", "sanitize": "sanitize", "profile": "profile"}
ONCE = "building the CPU device, once"


def build_library(
    root: Path,
    targets: Iterable[str],
    screen: Screen,
    limits: Limits,
    environment: dict[str, str],
) -> None:
    """Builds the missing files of the library; the programs' link reports failures."""
    trees = (target.split("/")[1] for target in targets if target.startswith("build/"))
    modes = dict.fromkeys(MODES[tree] for tree in trees if tree in MODES)
    if not modes:
        return
    command = [sys.executable, str(root / "cpudevice" / "cudacc"), "--library", *modes]
    process = subprocess.Popen(
        [*limit_command(limits), *command],
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        # Says nothing if nothing is missing.
        for line in process.stdout:
            done, total = map(int, line.split())
            if done == 0:
                screen.say(f"{ONCE}; later checks do without this")
            screen.step(f"{ONCE}: {done} of {total}", done, total)
        process.wait()
    finally:
        kill_tree(process)
        process.stdout.close()
