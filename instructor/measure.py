"""`make measure`: all of a handout's numbers from this GPU, stored with its name, driver and date.

Part by part: the ladder is run as by `make ladder-<name>`, without the views. Its times become
those of the handout's tables and, for the rungs, the thresholds. Then the assignment's own
experiments are run, and tables and figures are written. The stored data of a part stay if a later
part fails; PART= continues from the failed part.
"""

import math
import subprocess
import sys
from pathlib import Path

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.base.progress import Screen
from grader.course.declare import Assignment
from grader.ladder.closing import Closing
from grader.ladder.ladder import Climbed, climb, rung_times, write_times
from grader.timing.clock import Clock
from instructor.calibrate import store_thresholds

EXPERIMENTS_S = 1800


def measure(
    root: Path,
    assignment: Assignment,
    device: Device,
    clock: Clock,
    only_part: str,
    screen: Screen,
) -> Climbed:
    """Measures and stores an assignment, or a part without the experiments.

    Raises GraderError if a rung or the solution fails a case: then nothing of the part is stored.
    """
    done = Climbed([])
    for part in assignment.parts:
        if only_part not in ("", part.name):
            continue
        with Closing() as closing:
            climbed = climb(
                root,
                assignment,
                device,
                clock,
                part.name,
                screen,
                closing,
                with_views=False,
                judging_s=math.inf,
            )
        (ladder,) = climbed.ladders
        if failed := next((entry for entry in ladder.entries if entry.failure), None):
            raise GraderError(f"{failed.entry.program} failed {failed.failure}.")
        write_times(root, assignment.name, device, climbed, "")
        found = {part.name: (part.target, rung_times(ladder))}
        store_thresholds(root, assignment.name, device.name, found, keep=False)
        write_tables(root, assignment.name, "--take")
        done.ladders.append(ladder)
        done.built_s += climbed.built_s
    if not only_part:
        screen.step(f"{assignment.name} · experiments", 0, 0)
        write_tables(root, assignment.name, "--measure")
    run_script(root, assignment.name, "draw.py")
    return done


def write_tables(root: Path, folder: str, *options: str) -> None:
    run_script(root, folder, "tables.py", *options)


def run_script(root: Path, folder: str, name: str, *options: str) -> None:
    """Runs a script of the folder's figures/, if the script exists."""
    script = root / folder / "figures" / name
    if not script.is_file():
        return
    command = [sys.executable, str(script), *options]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, timeout=EXPERIMENTS_S, check=False
    )
    if done.returncode:
        raise GraderError(f"{script.relative_to(root)} failed:\n{done.stdout}{done.stderr}")
