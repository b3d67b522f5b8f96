"""Shows the gallery as a table: every cheat and every honest file, with idea and outcome.

    make gallery                          all files, as Markdown
    make gallery ONLY=honest DEVICE=cpu   files whose path holds the word, or one of several:
                                          ONLY=late,own_clock

Each file is graded as in the test; honest files are also timed where the test takes no times, and
the points of the plain version, the part's first rung, on the same cases stand beside. ✗ marks a
file against line 1, and the reason; then the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys

from gallery import Example, examples, gallery, grade_plan
from gallery_check import Outcome, build_examples, cheat_outcome, honest_outcome, points_of

from grader.base.device import Device, choose_device
from grader.course.plan import Plan

FOLDERS = ("cheats", "cheats_that_pass", "honest")
HEADINGS = ("", "file", "idea", "device", "verdict", "points", "plain version")
RUNGS = examples("ladder")


class Plain:
    """The points of each part's first rung, by cases; each rung is graded once."""

    def __init__(self, device: Device):
        self.device = device
        self.known: dict[tuple[str, ...], float] = {}

    def plan(self, example: Example) -> Plan:
        """The first rung of the example's part, on the example's cases."""
        rung = next(rung for rung in RUNGS if rung.part == example.part)
        (planned,) = (p for p in example.short_plan(self.device, whole=True).parts if p.submission)
        return rung.plan_of(self.device, planned.part.correctness, planned.part.speed)

    def points(self, example: Example) -> float:
        plan = self.plan(example)
        (planned,) = (p for p in plan.parts if p.submission)
        cases = [*planned.part.correctness, *planned.part.speed]
        key = (str(planned.submission.file), *(case.name for case in cases))
        if key not in self.known:
            self.known[key] = sum(map(points_of, grade_plan(plan).cases))
        return self.known[key]


def row(folder: str, example: Example, outcome: Outcome, plain: str, device: Device) -> str:
    mark = f"✗ {outcome.complaint}" if outcome.complaint else "✓"
    points = f"{outcome.points:.2f} of {outcome.max_points:.2f}" if outcome.max_points else "0"
    file = f"{folder}/{example.assignment.name}/{example.part.name}/{example.file.stem}"
    cells = (mark, file, example.idea, device.title, outcome.verdict, points, plain)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def is_chosen(folder: str, example: Example, only: str) -> bool:
    return any(word in f"{folder}/{example}" for word in only.split(","))


def print_table(device: Device, only: str) -> bool:
    """Grades and prints; returns whether all files agree with line 1."""
    chosen = {
        folder: [one for one in gallery(folder) if is_chosen(folder, one, only)]
        for folder in FOLDERS
    }
    build_examples([one for found in chosen.values() for one in found], device, whole=True)
    plain = Plain(device)
    print("| " + " | ".join(HEADINGS) + " |\n" + "|---" * len(HEADINGS) + "|")
    good = True
    for folder, found in chosen.items():
        for example in found:
            beside = ""
            if folder == "honest":
                outcome = honest_outcome(example, device, whole=True)
                beside = f"{plain.points(example):.2f}"
            else:
                outcome = cheat_outcome(example, device)
            good = good and not outcome.complaint
            print(row(folder, example, outcome, beside, device), flush=True)
    return good


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="", choices=["", "cpu", "gpu"])
    parser.add_argument(
        "--only",
        default="",
        help="words of the files' paths, one of which is to be there: late,own_clock",
    )
    options = parser.parse_args(words)
    return 0 if print_table(choose_device(options.device), options.only) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
