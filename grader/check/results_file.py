"""Writes build/results.json, the file from which every other report is made."""

from pathlib import Path

from grader.base.device import Device
from grader.base.files import write_json
from grader.course.results import RESULTS, AssignmentResult
from grader.run.sandbox import isolation


def results_json(
    device: Device, assignments: list[AssignmentResult], model: str = "", finished: bool = True
) -> dict:
    """The content of the file; `model` names the GPU whose times are modelled, if any."""
    named = {"kind": device.kind, "name": device.name}
    return {
        "device": named | {"model": model} if model else named,
        "isolation": isolation(),
        "finished": finished,
        "score": round(sum(assignment.score for assignment in assignments), 2),
        "max_score": round(sum(assignment.max_score for assignment in assignments), 2),
        "assignments": [assignment.to_json() for assignment in assignments],
    }


def write_results(
    root: Path,
    device: Device,
    assignments: list[AssignmentResult],
    model: str = "",
    finished: bool = True,
) -> Path:
    """Writes build/results.json atomically."""
    path = root / RESULTS
    write_json(path, results_json(device, assignments, model, finished))
    return path
