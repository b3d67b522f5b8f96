"""The baseline of a part: the target rung, in the form that the repository has.

source   <name>/ladder/…/<target>.cu: built, and run beside the student's program
sealed   <name>/target/<part>.o: machine code for some GPUs, in a handout; run in the same way
numbers  <name>/target/target.json, in a handout: modelled times for the CPU device; for a GPU that
         the sealed object does not serve, grading/thresholds/<gpu>.json

    {"machine": "x86_64", "nvcc": "13.0", "architectures": [75, 80],
     "parts": {"transpose": {
         "target": "05_more_per_thread",
         "modelled": {"NVIDIA H200": {"8192x8192": {"ms": 0.15, "bytes": 1e8}}}}}}

`architectures` is empty where nothing was sealed. instructor/handout/ writes the file.
"""

import json
import platform
from dataclasses import dataclass, field
from pathlib import Path

from grader.base.device import Device
from grader.base.errors import GraderError
from grader.course import resolve
from grader.course.declare import Assignment, Part
from grader.course.needs import unmet


@dataclass(frozen=True)
class Reference:
    """The target's time for a case, and the bytes that the problem must move at least."""

    time_ms: float
    bytes: float


@dataclass(frozen=True)
class Baseline:
    """A part's target rung in the repository's form; empty if only thresholds know the rung."""

    program: str = ""  # the target for make
    sealed: bool = False
    # {GPU: {case: Reference}}: used instead of a program to be profiled
    modelled: dict[str, dict[str, Reference]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.program or self.modelled)


def find_baseline(root: Path, assignment: Assignment, part: Part, device: Device) -> Baseline:
    rung = resolve.directory(root, assignment, part, "ladder") / f"{part.target}.cu"
    if rung.is_file() and not unmet(rung, device):
        return Baseline(resolve.rung_program(assignment, part, part.target, device.kind))
    if sealed_for(root, assignment, part, device):
        return Baseline(resolve.sealed_program(assignment, part), sealed=True)
    return Baseline(modelled=modelled_times(root, assignment, part))


def target_file(root: Path, assignment: Assignment) -> Path:
    return root / assignment.name / "target" / "target.json"


def read_target(root: Path, assignment: Assignment) -> dict:
    """Reads target.json; empty without the file, as in a repository with rungs."""
    path = target_file(root, assignment)
    try:
        return json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise GraderError(f"{path.relative_to(root)} cannot be used: {error}.") from error


def modelled_times(root: Path, assignment: Assignment, part: Part) -> dict:
    entry = read_target(root, assignment).get("parts", {}).get(part.name, {})
    if entry.get("target") != part.target:
        return {}  # the numbers belong to another rung
    return {
        gpu: {case: Reference(known["ms"], known["bytes"]) for case, known in cases.items()}
        for gpu, cases in entry["modelled"].items()
    }


def sealed_for(root: Path, assignment: Assignment, part: Part, device: Device) -> bool:
    """Whether the processor can link the sealed object and the GPU can run its code."""
    kept = read_target(root, assignment)
    if kept.get("parts", {}).get(part.name, {}).get("target") != part.target:
        return False
    if kept["machine"] != platform.machine() or not sealed_file(root, assignment, part).is_file():
        return False
    # Machine code runs on its own architecture and on later minor versions.
    return any(
        sealed // 10 == device.architecture // 10 and sealed <= device.architecture
        for sealed in kept["architectures"]
    )


def sealed_file(root: Path, assignment: Assignment, part: Part) -> Path:
    return root / assignment.name / "target" / f"{part.name}.o"
