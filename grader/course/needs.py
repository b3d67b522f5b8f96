"""The GPUs that a rung, or another file of the course, needs, as stated in its first lines.

    // needs: compute capability 8.0               8.0 or later
    // needs: compute capability 9.0, no other     instructions that later GPUs lack

The CPU device poses as a GPU of compute capability 8.0. A file of a student needs nothing, and is
graded on any device.
"""

import re
from pathlib import Path

from grader.base.device import Device
from grader.base.source_text import read_source

CPU_DEVICE = 80
LINES = 4  # harness/rules.mk reads as many
NEEDS = re.compile(r"// needs: compute capability (\d+)\.(\d)(, no other)?")


def unmet(file: Path, device: Device) -> str:
    """Why a file of the course cannot run on a device, as a sentence; "" if possible."""
    for line in read_source(file).split("\n")[:LINES]:
        found = NEEDS.fullmatch(line.strip())
        if not found:
            continue
        needed, here = int(found[1] + found[2]), device.architecture or CPU_DEVICE
        if here < needed or (found[3] and here != needed):
            later = "" if found[3] else " or later"
            capability = f"{found[1]}.{found[2]}{later}"
            return f"{file.name} needs a GPU of compute capability {capability}"
    return ""
